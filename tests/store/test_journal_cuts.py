"""The log cut within its last transactions: all before the cut is read, and nothing else.

A cut stands for power that fails while a line is being written. What follows it may be nothing,
zeros (blocks that were allocated to the file and not written) or earlier content of the blocks.
"""

import random

import pytest

from game.table.entries import EntryKind
from tests.helpers.kills.cuts import (
    BEHIND,
    FRAME,
    KINDS,
    Written,
    check,
    cut_at,
    line,
    some_cut,
    write,
)

DRAWN = 40
"""How many bytes are drawn at which the log is cut, besides those around each seam."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A new game of one move, moves with edits, and an end: what play writes."""
    kinds = [EntryKind.MOVE, EntryKind.EDIT]
    most = [[line(EntryKind.MOVE, 2 * n), *[line(kinds[1], 2 * n + 1)] * (n % 2)] for n in range(8)]
    start, end = line(EntryKind.START, 0), line(EntryKind.RESIGN, 50)
    transactions = [[start], *most, [end], [line(EntryKind.TAKE_BACK, 51)]]
    found = write(tmp_path_factory.mktemp("written"), transactions)
    assert len(found.ends) == len(transactions)
    return found


def cuts(written: Written, kind: str) -> list[int]:
    """List bytes around the ends of the last frames and of their heads, and some drawn ones."""
    last = sorted(written.ends)
    # The last three transactions are of one page, two and two.
    assert last[-1] - last[-4] == 5 * FRAME
    seams = [end - back for end in last[-6:] for back in (FRAME, FRAME - 24, 0)]
    drawn = random.Random(kind).sample(range(last[-4], last[-1] + 1), DRAWN)
    return [*(each + by for each in seams for by in (-1, 0, 1)), *drawn]


@pytest.mark.parametrize("kind", BEHIND)
def test_log_cut_anywhere_holds_every_transaction_before_and_is_written_on(tmp_path, written, kind):
    for number, at in enumerate(cuts(written, kind)):
        check(cut_at(written, kind, at), written, tmp_path / str(number))


@pytest.mark.parametrize("kind", [each for each in KINDS if each not in BEHIND])
def test_torn_writes_cost_nothing_that_was_on_disk(tmp_path, written, kind):
    rng = random.Random(kind)
    for number in range(DRAWN):
        check(some_cut(written, kind, rng), written, tmp_path / str(number))
