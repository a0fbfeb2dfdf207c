"""The log cut within its last transactions: all before is read, and nothing else.

A cut stands for power that fails while a line is being written; what is behind it may be nothing,
zeros (blocks that were given to the file and not written) or what was in those blocks before.
"""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.store.journal.games_file import FILE, PAGE_BYTES
from game.store.journal.journal import Journal
from game.store.journal.store import BOARD, JournalLine, Store
from game.table.entries import Entry, EntryKind

NAME = "circle-of-life"
WON = Outcome(1, "resigned", say("table.resigned"))
FRAME = PAGE_BYTES + 24
"""A page in the log, https://sqlite.org/fileformat2.html#the_write_ahead_log."""
KINDS = ("nothing", "zeros", "garbage", "frames of before")
DRAWN = 40
"""How many bytes are drawn at which the log is cut, besides those around each seam."""


@dataclass(frozen=True)
class Written:
    """A file and its log as they were on disk while the game was being played.

    `ends` maps the length of the log after each of the last transactions to the lines by then.
    """

    folder: Path
    lines: list[JournalLine]
    ends: dict[int, int]
    log: bytes


def line(kind: EntryKind, number: int) -> JournalLine:
    return JournalLine(
        Entry(kind, f"e{number}"), f"2026-03-01T12:00:{number:02}.000+00:00", float(number)
    )


def transactions() -> list[list[JournalLine]]:
    """A new game of one move, moves with edits, and an end: what play writes."""
    kinds = [EntryKind.MOVE, EntryKind.EDIT]
    most = [[line(EntryKind.MOVE, 2 * n), *[line(kinds[1], 2 * n + 1)] * (n % 2)] for n in range(8)]
    return [
        [line(EntryKind.START, 0)],
        *most,
        [line(EntryKind.RESIGN, 50)],
        [line(EntryKind.TAKE_BACK, 51)],
    ]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("written")
    live, copy = folder / "live", folder / "copy"
    copy.mkdir()
    log = live / f"{FILE}-wal"
    ends = {}
    with Store(live) as store:
        # A log that was emptied once, so that behind its end stand whole frames of earlier days.
        for number in range(30):
            store.begin(NAME, BOARD, [line(EntryKind.START, number)], None)
        store.checkpoint()
        first, *rest = transactions()
        number = store.begin(NAME, BOARD, first, None)
        count = 1
        ends[end_of(log)] = count
        for each in rest:
            store.append(number, each, WON if each[0].entry.kind is EntryKind.RESIGN else None)
            count += len(each)
            ends[end_of(log)] = count
        for part in (FILE, f"{FILE}-wal"):
            shutil.copyfile(live / part, copy / part)
    lines = [each for transaction in transactions() for each in transaction]
    assert len(ends) == len(transactions())
    return Written(copy, lines, ends, (copy / f"{FILE}-wal").read_bytes())


def end_of(log: Path) -> int:
    """Return where the valid frames of a log end: they carry the salt of its header."""
    data = log.read_bytes()
    salt, end = data[16:24], 32
    while data[end + 8 : end + 16] == salt:
        end += FRAME
    return end


def behind(kind: str, written: Written, cut: int) -> bytes:
    length = max(0, len(written.log) - cut)
    match kind:
        case "nothing":
            return b""
        case "zeros":
            return bytes(length)
        case "garbage":
            return random.Random(cut).randbytes(length)
        case _:
            return written.log[32:][:length]


def cuts(written: Written, kind: str) -> list[int]:
    """List bytes around the ends of the last frames and of their heads, and some drawn ones."""
    last = sorted(written.ends)
    # The last three transactions are of one page, two and two.
    assert last[-1] - last[-4] == 5 * FRAME
    seams = [end - back for end in last[-6:] for back in (FRAME, FRAME - 24, 0)]
    drawn = random.Random(kind).sample(range(last[-4], last[-1] + 1), DRAWN)
    return [*(each + by for each in seams for by in (-1, 0, 1)), *drawn]


@pytest.mark.parametrize("kind", KINDS)
def test_log_cut_anywhere_holds_every_transaction_before_and_is_written_on(
    tmp_path: Path, written: Written, kind: str
):
    for number, cut in enumerate(cuts(written, kind)):
        folder = tmp_path / str(number)
        folder.mkdir()
        shutil.copyfile(written.folder / FILE, folder / FILE)
        log = written.log[:cut] + behind(kind, written, cut)
        (folder / f"{FILE}-wal").write_bytes(log)
        count = max(lines for end, lines in written.ends.items() if end <= cut)
        expected = [each.entry for each in written.lines[:count]]
        with Journal(folder, NAME, threaded=False) as journal:
            assert journal.newest() == expected, (cut, kind)
            resigned = count == len(written.lines) - 1
            journal.append([Entry(EntryKind.EDIT, "a1")], WON if resigned else None, 0.0)
            assert (journal.unsaved, journal.trouble, journal.notes) == (0, None, ())
        with Store(folder, read_only=True) as store:
            store.check()
            assert store.lines(31)[:-1] == written.lines[:count]
            assert len(store.lines(31)) == count + 1
            assert store.game(31).reason == ("resigned" if resigned else None)
