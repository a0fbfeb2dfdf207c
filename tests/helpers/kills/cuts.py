"""Simulated power cuts: what a disk may hold of a log or file that was being written.

Owns how a game is written, what a cut leaves of it, and what must be found in that. A power failure
leaves what was synced; of what was being written, any sectors may be missing.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from game.rules.base.message import say
from game.rules.base.values import Outcome
from game.store import BOARD, FILE, Journal, JournalLine, Store
from game.store.games_file import PAGE_BYTES
from game.table.entries import Entry, EntryKind

NAME = "circle-of-life"
GAME_NUMBER = 31
"""The game that is cut is not the first one in its file."""
WON = Outcome(1, "resigned", say("table.resigned"))
FRAME = PAGE_BYTES + 24
"""A page in the log, https://sqlite.org/fileformat2.html#the_write_ahead_log."""
SECTOR = 512
BEHIND = ("nothing", "zeros", "garbage", "frames of before")
"""What may follow a cut in the log: no blocks, unwritten blocks, or blocks used before."""
KINDS = (*BEHIND, "torn transaction", "torn checkpoint")


@dataclass(frozen=True)
class Written:
    """A file and its log as they were on disk while the game was being played.

    `ends` maps the length of the log after each of the last transactions to the lines by then;
    `tidied` is the file after the log was copied into it.
    """

    folder: Path
    lines: list[JournalLine]
    ends: dict[int, int]
    log: bytes
    tidied: bytes


@dataclass(frozen=True)
class Cut:
    """What a power cut leaves, and how many lines of the game must be found in it."""

    what: str
    file: bytes
    log: bytes
    lines: int


def line(kind: EntryKind, number: int) -> JournalLine:
    minute, second = divmod(number, 60)
    at = f"2026-03-01T12:{minute:02}:{second:02}.000+00:00"
    return JournalLine(Entry(kind, f"e{number}"), at, float(number))


def some_transactions(rng: Random) -> list[list[JournalLine]]:
    """Draw what play may write: a start, then moves with any number of edits."""
    made, number = [[line(EntryKind.START, 0)]], 0
    for _ in range(rng.randint(4, 20)):
        kinds = [EntryKind.MOVE] + [EntryKind.EDIT] * rng.choice((0, 0, 1, 2, 9))
        made.append([line(kind, number := number + 1) for kind in kinds])
    return made


def write(folder: Path, transactions: Sequence[Sequence[JournalLine]]) -> Written:
    """Write a game as play does, one transaction after the other."""
    live, copy = folder / "live", folder / "copy"
    copy.mkdir(parents=True)
    log = live / f"{FILE}-wal"
    ends, count = {}, 0
    with Store(live) as store:
        # A log that was emptied once, so that whole frames of earlier use follow its end.
        for number in range(GAME_NUMBER - 1):
            store.begin(NAME, BOARD, [line(EntryKind.START, number)], None)
        store.checkpoint()
        for each in transactions:
            if count == 0:
                assert store.begin(NAME, BOARD, each, None) == GAME_NUMBER
            else:
                ended = each[0].entry.kind is EntryKind.RESIGN
                store.append(GAME_NUMBER, each, WON if ended else None)
            count += len(each)
            ends[end_of(log)] = count
        for part in (FILE, f"{FILE}-wal"):
            shutil.copyfile(live / part, copy / part)
        store.checkpoint()
        tidied = (live / FILE).read_bytes()
    lines = [each for transaction in transactions for each in transaction]
    return Written(copy, lines, ends, (copy / f"{FILE}-wal").read_bytes(), tidied)


def end_of(log: Path) -> int:
    """Return where the valid frames of a log end: they carry the salt of its header."""
    data = log.read_bytes()
    salt, end = data[16:24], 32
    while data[end + 8 : end + 16] == salt:
        end += FRAME
    return end


def cut_at(written: Written, kind: str, at: int) -> Cut:
    """Cut the log at a byte; `kind` says what is behind it."""
    log = written.log[:at] + _behind(kind, written, at)
    lines = max(lines for end, lines in written.ends.items() if end <= at)
    return Cut(f"{kind} from byte {at} on", (written.folder / FILE).read_bytes(), log, lines)


def some_cut(written: Written, kind: str, rng: Random) -> Cut:
    ends = sorted(written.ends)
    if kind in BEHIND:
        return cut_at(written, kind, rng.randint(ends[0], ends[-1]))
    before = (written.folder / FILE).read_bytes()
    if kind == "torn checkpoint":
        # The log stays valid until the file is complete.
        old = before.ljust(rng.randrange(len(before), len(written.tidied) + 1), b"\0")
        file, _ = _torn(old, written.tidied[: len(old)], 0, rng)
        return Cut(kind, file, written.log, len(written.lines))
    number = rng.randrange(1, len(ends))
    start, end = ends[number - 1], ends[number]
    old = written.log[:start] + _behind(rng.choice(BEHIND[1:]), written, start)
    torn, whole = _torn(old[:end], written.log[:end], start, rng)
    return Cut(
        f"{kind} {number} of {len(ends)}",
        before,
        torn + old[end:],
        written.ends[end if whole else start],
    )


def check(cut: Cut, written: Written, folder: Path) -> None:
    """Read what a cut has left, in an empty folder; raise AssertionError for lost lines."""
    folder.mkdir()
    (folder / FILE).write_bytes(cut.file)
    (folder / f"{FILE}-wal").write_bytes(cut.log)
    lines = written.lines[: cut.lines]
    expected = [each.entry for each in lines]
    with Journal(folder, NAME, threaded=False) as journal:
        assert journal.newest() == expected, cut.what
        resigned = expected[-1].kind is EntryKind.RESIGN
        journal.append([Entry(EntryKind.EDIT, "a1")], WON if resigned else None, 0.0)
        assert (journal.unsaved, journal.trouble) == (0, None), cut.what
    with Store(folder, read_only=True) as store:
        store.check()
        assert store.lines(GAME_NUMBER)[:-1] == lines, cut.what
        assert len(store.lines(GAME_NUMBER)) == cut.lines + 1, cut.what
        assert store.game(GAME_NUMBER).reason == ("resigned" if resigned else None), cut.what


def _behind(kind: str, written: Written, at: int) -> bytes:
    length = max(0, len(written.log) - at)
    match kind:
        case "nothing":
            return b""
        case "zeros":
            return bytes(length)
        case "garbage":
            return Random(at).randbytes(length)
        case _:
            return written.log[32:][:length]


def _torn(old: bytes, new: bytes, start: int, rng: Random) -> tuple[bytes, bool]:
    """Write some sectors of the new content over the old; return whether they are all of it."""
    share, torn = rng.random(), bytearray(old)
    for sector in range(start // SECTOR * SECTOR, len(new), SECTOR):
        if rng.random() < share:
            here = slice(max(start, sector), min(sector + SECTOR, len(new)))
            torn[here] = new[here]
    return bytes(torn), bytes(torn) == new
