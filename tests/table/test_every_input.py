"""Whatever meets whatever scene at a table, it stays right, and what is refused changes nothing."""

from collections.abc import Iterator
from dataclasses import fields
from functools import cache

import pytest

from game.rules.base.message import say
from game.table.inputs import (
    Asked,
    Command,
    EngineUnavailable,
    FaultsChanged,
    Held,
    Input,
    Lifted,
    MaskChanged,
    PalmDetected,
    Performed,
    Saved,
    ScoredMove,
    SearchResult,
    SeatsChanged,
    SelectPiece,
    SetNames,
    SetOpponents,
    SetPiece,
    SetScore,
    StartGame,
    StonesChanged,
    SubmitSetup,
    Touched,
)
from game.table.records import Phase
from game.table.state import State
from game.table.table import Table
from tests.helpers.effort import effort
from tests.table.invariants import Retold, check
from tests.table.random_game import TableSession
from tests.table.scenes import SCENES, play_scene

ANYWHERE: tuple[Input, ...] = (
    *(Asked(command) for command in Command),
    *(Touched(key) for key in ("choice1", "choice2", "ring1", "ring9", "key:pass", "z9")),
    *(Performed(spot) for spot in ("a1", "e5", "ring1", "choice1", "z9")),
    PalmDetected(frozenset({"a1", "a2", "b2"})),
    FaultsChanged(frozenset({"b1"}), (say("fault.strip"),)),
    FaultsChanged(frozenset(), ()),
    MaskChanged(frozenset({"b1", "B1"})),
    MaskChanged(frozenset()),
    Saved(say("journal.full")),
    Saved(None),
    *(SetNames(names) for names in ((" Cleo ", "Dan"), ("", ""), ("A", "B", "C"), ("A" * 41, ""))),
    *(SetPiece(cell, piece) for cell, piece in (("z9", "1"), ("e5", "9"), ("e5", "2"), ("e5", ""))),
    SelectPiece("2"),
    SelectPiece("9"),
    *(SetScore(*each) for each in (((3, 1), 2), ((-1, 0), 1), ((1,), 1), ((0, 0), 3))),
    SubmitSetup(1, {"A1": "Ga", "B1": "Gb", "D1": "Gc"}),
    SubmitSetup(2, {"A3": "Ma", "B3": "Mb", "D3": "Mc"}),
    SubmitSetup(1, {"A1": "Ga"}),
    SubmitSetup(2, None),
    SubmitSetup(3, None),
    SeatsChanged(frozenset({1})),
    SeatsChanged(frozenset({1, 2})),
    *(
        SetOpponents(levels)
        for levels in (("", "3"), ("1", ""), ("", ""), ("", "3", ""), ("", "99"))
    ),
    StartGame(computers=("", "3")),
    StartGame(computers=("", "")),
    EngineUnavailable(say("fault.link")),
    EngineUnavailable(None),
)
BY_THE_WAY = {"fingers", "hands", "notices", "cursor", "ring_turn"}
"""What a refused input may change: where hands are, and what is said of them."""


def one_cell_of_each_kind(session: TableSession) -> list[str]:
    """Pick cells that differ in what stands, shines or happens there."""
    state, kinds = session.table.state, dict[object, list[str]]()
    for cell in session.table.game.board.cells:
        near = any(
            each in state.fingers.debounce_until
            for each in session.table.game.board.neighbours[cell]
        )
        where = (
            near,
            cell in state.fingers.debounce_until,
            cell in state.faults.masked,
            cell in state.taps,
        )
        kind = (session.cue(cell), state.standing.get(cell), *where)
        kinds.setdefault(kind, []).append(cell)
    return [cell for cells in kinds.values() for cell in cells[: effort(1, 10)]]


def thoughts(session: TableSession) -> Iterator[SearchResult]:
    """Think of what is wanted, of the position before, and nonsense."""
    game, state = session.table.game, session.table.state
    wanted = session.table.search_request()
    if wanted is not None:
        moves = [
            game.plain_text(wanted.position, each) for each in game.legal_moves(wanted.position)
        ]
        for move in (moves[0], moves[-1], "z9"):
            yield SearchResult(wanted.position, wanted.level, (ScoredMove(move, 0.5),))
    for played in state.history[-1:]:
        yield SearchResult(played.before, "3", (ScoredMove("e5", 0.5),))


def boards(session: TableSession, cells: list[str]) -> Iterator[set[str]]:
    """Change what stands: nothing, one stone, several, all, rings, and back to earlier boards."""
    state, game, stones = session.table.state, session.table.game, session.stones
    yield stones
    yield from (stones ^ {cell} for cell in cells)
    free = [cell for cell in game.board.cells if cell not in stones]
    yield from (stones | set(free[-count:]) for count in (2, 5))
    yield from (stones - {cell} | {free[0]} for cell in sorted(stones)[:1])
    yield set()
    yield set(state.expected(game))
    yield from (set(game.pieces(played.before)) for played in state.history[-1:])
    for ring in game.board.rings.values():
        for steps in (1, 2):
            there = {ring[n] for n in range(len(ring)) if ring[n - steps] in stones}
            yield (stones - set(ring)) | there


def inputs(session: TableSession) -> Iterator[Input]:
    cells = one_cell_of_each_kind(session)
    yield from ANYWHERE
    for kind in (Touched, Lifted, Held):
        yield from (kind(cell) for cell in cells)
    yield from (StonesChanged(frozenset(board)) for board in boards(session, cells))
    yield from (SetPiece(cell, piece) for cell in cells for piece in ("1", "2", ""))
    yield from thoughts(session)


def changes(before: State, after: State) -> set[str]:
    names = [each.name for each in fields(after)]
    return {name for name in names if getattr(before, name) != getattr(after, name)}


def refused(before: State, after: State) -> bool:
    notice = after.notices.current
    if notice is None or notice == before.notices.current or notice.good:
        return False
    return not notice.message.key.startswith("table.confirm")


def told_so_far(session: TableSession) -> Retold:
    told = Retold(session.table.game)
    for entry in session.kept:
        told.tell(entry)
    return told


@cache
def scene(name: str, presence: bool) -> TableSession:
    return play_scene(name, presence)


SENSING = pytest.mark.parametrize("presence", [False, True], ids=["touch", "presence"])


@SENSING
@pytest.mark.parametrize("name", SCENES)
def test_a_table_stays_right_whatever_it_meets(name, presence):
    session = scene(name, presence)
    so_far = told_so_far(session)
    check(session.table, so_far, session.table.state, (), session.now)
    for event in inputs(session):
        twin, told = session.twin(), so_far.twin()
        before, now = twin.table.state, session.now + 0.05
        entries = twin.table.handle(event, now)
        for entry in entries:
            told.tell(entry)
        check(twin.table, told, before, entries, now)
        if not entries and isinstance(
            event, Touched | Held | Asked | SetPiece | SelectPiece | SetScore
        ):
            changed = changes(before, twin.table.state)
            assert not refused(before, twin.table.state) or changed <= BY_THE_WAY, event


@SENSING
@pytest.mark.parametrize("name", SCENES)
def test_a_scene_is_resumed_from_its_entries(name, presence):
    session = scene(name, presence)
    again = Table(session.table.game, {}, session.table._book.rng, presence, ("1", "3"))
    again.resume(session.kept, session.now)
    assert told_so_far(session).agrees(again.state)


@SENSING
def test_the_scenes_reach_every_phase(presence):
    reached = {scene(name, presence).table.state.phase for name in SCENES}
    assert reached == set(Phase) - ({Phase.CONFIRM} if presence else set())


MENU, CELL, SET_UP = Command.MENU, Command.TOUCH_CELL, Command.SET_UP
NEXT_CELL, CONFIRM, HINT, DRAW = Command.NEXT_CELL, Command.CONFIRM, Command.HINT, Command.DRAW
BACK, RESIGN, NEW = Command.TAKE_BACK, Command.RESIGN, Command.NEW_GAME
REFUSED_COMMANDS = (
    ("draw", "wait_for_draw", (NEW, SET_UP, HINT, MENU)),
    ("draw", "nothing_to_take_back", (BACK,)),
    ("draw", "nothing_to_resign", (RESIGN,)),
    ("draw", "nothing_to_confirm", (CONFIRM,)),
    ("first move", "no_cell", (NEXT_CELL, CELL)),
    ("tap, disturbed", "paused", (NEXT_CELL, CELL, CONFIRM, SET_UP, HINT, MENU)),
    ("restarted", "confirm_first", (BACK, RESIGN, HINT, DRAW)),
    ("set up", "setting_up_first", (MENU, DRAW)),
    ("set up", "nothing_to_confirm", (CONFIRM,)),
    ("over, resigned", "nothing_to_resign", (RESIGN,)),
    ("over, set up", "nothing_to_take_back", (BACK,)),
    ("disc, drawn", "nothing_to_draw", (DRAW,)),
    ("veil", "no_help_where_hidden", (HINT,)),
    ("veil", "not_begun", (RESIGN, DRAW)),
    ("veil, covering", "covering_first", (SET_UP,)),
    ("veil, first move", "no_menu_where_hidden", (MENU,)),
    ("veil, over", "all_is_shown", (BACK,)),
)


@pytest.mark.parametrize(("name", "notice", "commands"), REFUSED_COMMANDS)
def test_commands_that_do_not_fit_are_refused_in_words(name, notice, commands):
    for command in commands:
        twin = scene(name, False).twin()
        before = twin.table.state
        twin.ask(command)
        assert twin.notice == f"table.{notice}", command
        assert changes(before, twin.table.state) <= BY_THE_WAY


@pytest.mark.parametrize("levels", [("", "3", ""), ("",), ("", "99")])
def test_computers_that_do_not_exist_are_refused(levels):
    twin = scene("first move", False).twin()
    twin.give(SetOpponents(levels))
    assert (twin.notice, twin.table.state.computers) == ("table.bad_computers", ())
