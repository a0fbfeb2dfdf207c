"""How much memory a whole lifeboard holds."""

import pytest

from game.app.bench import Effort
from game.app.bench_memory import memory_after


@pytest.mark.timeout(400)
def test_memory_stays_small_after_many_games():
    megabytes = memory_after(Effort().games)
    assert megabytes is not None
    assert 10 < megabytes < 60
