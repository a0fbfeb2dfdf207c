"""How much memory a whole lifeboard holds."""

import pytest

from tests.tools.bench.memory import memory_after


@pytest.mark.timeout(400)
def test_memory_stays_small_after_many_games():
    # `make bench` plays 100, and longer ones: what leaks with each game shows in these, too.
    assert 10 < memory_after(10, target="4") < 60
