"""A clock that tests move, for a Pico that is emulated by the instruction."""

from pathlib import Path

import pytest

from tests.helpers.boards.clocked_board import FakeClock

HERE = Path(__file__).parent


@pytest.fixture
def clock():
    return FakeClock()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Allow these tests more time: the emulated Pico is slower than a real one."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.timeout(900))
