"""Every input that a table can meet, and what is found to happen in a state.

Owns the inputs by name, aimed at what a state has, and the words for what happens; the states stand
in `every_state.py`, and what should happen in `input_table.py`.
"""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from game.rules.game import EditKind
from game.rules.message import say
from game.table.entries import Entry
from game.table.inputs import (
    Arranged,
    Asked,
    Command,
    Disturbed,
    Held,
    Idea,
    Input,
    Kept,
    Laid,
    Lifted,
    Masked,
    Named,
    Opposed,
    Palmed,
    Picked,
    Seated,
    Stood,
    Stumped,
    Tallied,
    Thought,
    Touched,
)
from game.table.state import State
from tests.helpers.games.toy_veil import FACES
from tests.table.every_state import FULL, STATES, TROUBLE
from tests.table.sitting import Sitting

LOGICAL = (
    "phase",
    "position",
    "standing",
    "history",
    "outcome",
    "options",
    "names",
    "draft",
    "computers",
    "relaying",
    "sealed",
    "showing",
)
"""What nothing that is refused may change."""
PASSING = (
    "kept",
    "contacts",
    "sliding",
    "vain",
    "undone",
    "moved_at",
    "upset",
    "notice",
    "wrong",
    "felt",
    "unsure",
    "cursor",
    "beneath",
    "exchanging",
    "laid",
)
"""What may change by the way: where fingers are, what is said, what is felt."""


def _first(sitting: Sitting, fits: Callable[[str], bool]) -> str | None:
    """Find the first unmasked cell, from the middle on, that fits; None if there is none."""
    cells, masked = sitting.table.game.board.cells, sitting.table.state.masked
    middle = len(cells) // 2
    order = cells[middle:] + cells[:middle]
    return next((cell for cell in order if cell not in masked and fits(cell)), None)


def _taps(sitting: Sitting) -> list[tuple[str, ...]]:
    """List what enters each legal move; while pieces are laid out nobody may list them."""
    game, state = sitting.table.game, sitting.table.state
    if state.arranging(game):
        return []
    return [game.taps(state.position, move) for move in game.legal_moves(state.position)]


def _legal(sitting: Sitting) -> set[str]:
    return {taps[0] for taps in _taps(sitting)}


def _apart(sitting: Sitting, cell: str) -> bool:
    """Tell whether no finger is, or has just been, on or beside a cell."""
    contacts = sitting.table.state.contacts
    around = {cell, *sitting.table.game.board.neighbours[cell]}
    return not around & {each for each, end in contacts.items() if end > sitting.now}


def _empty(sitting: Sitting, cell: str) -> bool:
    return cell not in sitting.table.state.expected(sitting.table.game)


def free(sitting: Sitting) -> str | None:
    """Give an empty cell where whoever moves may set a stone, away from all fingers."""
    state, legal = sitting.table.state, _legal(sitting) or set(sitting.table.game.board.cells)
    return _first(
        sitting,
        lambda cell: (
            cell in legal
            and _empty(sitting, cell)
            and cell not in state.standing
            and _apart(sitting, cell)
        ),
    )


def too_big(sitting: Sitting) -> str | None:
    state, legal = sitting.table.state, _legal(sitting)
    return _first(
        sitting,
        lambda cell: (
            bool(legal)
            and cell not in legal
            and _empty(sitting, cell)
            and cell not in state.standing
            and _apart(sitting, cell)
        ),
    )


def stone(player: int) -> Callable[[Sitting], str | None]:
    """Give a stone of a player that stands where it should, with no finger on it."""

    def find(sitting: Sitting) -> str | None:
        state = sitting.table.state
        expected = state.expected(sitting.table.game)
        return _first(
            sitting,
            lambda cell: (
                expected.get(cell) in (str(player), *FACES[player - 1])
                and state.standing.get(cell) == expected.get(cell)
                and cell not in state.taps
                and _apart(sitting, cell)
            ),
        )

    return find


def pending(kind: EditKind) -> Callable[[Sitting], str | None]:
    def find(sitting: Sitting) -> str | None:
        edits = sitting.table.state.pending(sitting.table.game)
        cells = [edit.cell for edit in edits if edit.kind is kind]
        return _first(sitting, lambda cell: cell in cells)

    return find


def next_tap(sitting: Sitting) -> str | None:
    state = sitting.table.state
    done = len(state.taps)
    on = {taps[done] for taps in _taps(sitting) if done and taps[:done] == state.taps}
    return _first(sitting, lambda cell: cell in on)


def chosen(sitting: Sitting) -> str | None:
    return next(iter(sitting.table.state.taps), None)


def down(sitting: Sitting) -> str | None:
    return next(iter(sitting.table.state.down), None)


def inspected(sitting: Sitting) -> str | None:
    return sitting.table.state.inspecting or None


def touched(sitting: Sitting) -> str | None:
    """Give the cell on which a finger is or has just been."""
    contacts = sitting.table.state.contacts
    return next((cell for cell, end in contacts.items() if end > sitting.now + 0.05), None)


def beside(sitting: Sitting) -> str | None:
    """Give an empty neighbour of a cell on which a finger is or has just been."""
    cell = touched(sitting)
    near = sitting.table.game.board.neighbours.get(cell or "", ())
    standing = sitting.table.state.standing
    return _first(sitting, lambda each: each in near and each not in standing)


def prey_beside(sitting: Sitting) -> str | None:
    """Give a stone that is to go, beside a cell on which a finger is or has just been."""
    cell = touched(sitting)
    near = sitting.table.game.board.neighbours.get(cell or "", ())
    edits = sitting.table.state.pending(sitting.table.game)
    cells = [edit.cell for edit in edits if edit.kind is EditKind.REMOVE]
    return _first(sitting, lambda each: each in near and each in cells)


def masked(sitting: Sitting) -> str | None:
    return sitting.table.state.cursor or None


def wanted(sitting: Sitting) -> str | None:
    """Give the cell that comes next of what the computer player wants."""
    state, game = sitting.table.state, sitting.table.game
    thought = state.thought
    knows = game.seen_by(state.position, game.to_move(state.position), remembers=True)
    if thought is None or thought.position != knows:
        return None
    move = game.parse_move(state.position, thought.ideas[0].move)
    return next(iter(game.taps(state.position, move)[len(state.taps) :]), None)


def choice(sitting: Sitting) -> str | None:
    """Give a cell of the menu that stands for what is not so now."""
    menu = sitting.table.scene().menu
    return _first(sitting, lambda cell: cell in menu and not menu[cell].chosen)


def no_choice(sitting: Sitting) -> str | None:
    """Give an empty cell that is not on the menu."""
    menu, standing = sitting.table.scene().menu, sitting.table.state.standing
    return _first(sitting, lambda cell: bool(menu) and cell not in menu and cell not in standing)


def _pressed(sitting: Sitting) -> list[str]:
    """List the keys that have just been pressed."""
    contacts = sitting.table.state.contacts
    return [key for key in sitting.table.game.keys if contacts.get(key, 0.0) > sitting.now + 0.05]


def next_key(sitting: Sitting) -> str | None:
    """Give a key of the game that goes on from the taps made, and was not just pressed."""
    state, game = sitting.table.state, sitting.table.game
    done = len(state.taps)
    on = {each[done] for each in _taps(sitting) if each[:done] == state.taps}
    return next((key for key in game.keys if key in on and key not in _pressed(sitting)), None)


def other_key(sitting: Sitting) -> str | None:
    """Give a key of the game that does not go on."""
    game, on = sitting.table.game, next_key(sitting)
    away = turned_key(sitting)
    others = (key for key in game.keys if key not in (on, away, *_pressed(sitting)))
    return next(others, None) if on is None else None


def pressed_key(sitting: Sitting) -> str | None:
    return next(iter(_pressed(sitting)), None)


def turned_key(sitting: Sitting) -> str | None:
    """Give the key of a ring that hands are turning, or are to turn."""
    state, game = sitting.table.state, sitting.table.game
    turns = [edit.cell for edit in state.pending(game) if edit.kind is EditKind.TURN]
    turns += [state.travel.ring] if state.travel is not None else []
    return next((ring for ring in turns if ring not in _pressed(sitting)), None)


def turned_cell(sitting: Sitting) -> str | None:
    """Give a cell of that ring, away from all fingers."""
    cells = sitting.table.game.board.rings.get(turned_key(sitting) or "", ())
    return next((cell for cell in cells if _apart(sitting, cell)), None)


SPOTS: dict[str, Callable[[Sitting], str | None]] = {
    "free": free,
    "too-big": too_big,
    "orange": stone(1),
    "blue": stone(2),
    "to-remove": pending(EditKind.REMOVE),
    "to-put": pending(EditKind.PUT),
    "next-tap": next_tap,
    "chosen": chosen,
    "same-finger": touched,
    "beside-finger": beside,
    "prey-beside-finger": prey_beside,
    "masked": masked,
    "wanted": wanted,
    "choice": choice,
    "no-choice": no_choice,
    "unknown": lambda sitting: "z9",
    "key": lambda sitting: "key:pass",
    "next-key": next_key,
    "other-key": other_key,
    "pressed-key": pressed_key,
    "turned-key": turned_key,
    "turned-cell": turned_cell,
}

Resolve = Callable[[Sitting], Input | None]


def _at(kind: Callable[[str], Input], spot: Callable[[Sitting], str | None]) -> Resolve:
    def resolve(sitting: Sitting) -> Input | None:
        cell = spot(sitting)
        return None if cell is None else kind(cell)

    return resolve


def _stands(change: Callable[[Sitting], set[str] | None]) -> Resolve:
    """Tell of stones that have changed; where no stones are felt, of some stones."""

    def resolve(sitting: Sitting) -> Input | None:
        cells = change(sitting)
        return None if cells is None else Stood(frozenset(cells))

    return resolve


def _more(count: int) -> Callable[[Sitting], set[str] | None]:
    def change(sitting: Sitting) -> set[str] | None:
        state = sitting.table.state
        new = [
            cell
            for cell in sitting.table.game.board.cells
            if cell not in sitting.stones | state.masked
            and cell not in state.standing
            and _empty(sitting, cell)
        ]
        return sitting.stones | set(new[-count:]) if len(new) >= count else None

    return change


def _one_more(spot: Callable[[Sitting], str | None]) -> Callable[[Sitting], set[str] | None]:
    def change(sitting: Sitting) -> set[str] | None:
        cell = spot(sitting)
        on_board = cell in sitting.table.game.board.cells
        return sitting.stones | {cell or ""} if on_board and cell not in sitting.stones else None

    return change


def _one_less(spot: Callable[[Sitting], str | None]) -> Callable[[Sitting], set[str] | None]:
    def change(sitting: Sitting) -> set[str] | None:
        cell = spot(sitting)
        return None if cell not in sitting.stones else sitting.stones - {cell or ""}

    return change


def _slid(sitting: Sitting) -> set[str] | None:
    """Push a stone that is not the last one to a free cell."""
    cell, goal = stone(1)(sitting), free(sitting)
    if cell is None or goal is None or cell not in sitting.stones:
        return None
    return sitting.stones - {cell} | {goal}


def _ring_turned(steps: int) -> Callable[[Sitting], set[str] | None]:
    """Turn the first ring on which that makes a difference."""

    def change(sitting: Sitting) -> set[str] | None:
        for cells in sitting.table.game.board.rings.values():
            there = {cells[n] for n in range(len(cells)) if cells[n - steps] in sitting.stones}
            if there != sitting.stones & set(cells):
                return (sitting.stones - set(cells)) | there
        return None

    return change


def _chosen_again(sitting: Sitting) -> set[str] | None:
    """Lift what stands on the cell that was tapped last, or put something there."""
    cell = chosen(sitting)
    return None if cell not in sitting.table.game.board.cells else sitting.stones ^ {cell or ""}


def _restored(sitting: Sitting) -> set[str] | None:
    history = sitting.table.state.history
    return set(sitting.table.game.pieces(history[-1].before)) if history else None


def _right(sitting: Sitting) -> set[str] | None:
    right = set(sitting.table.state.expected(sitting.table.game))
    return right if right != sitting.stones else None


def _none(sitting: Sitting) -> set[str] | None:
    return set() if sitting.stones else None


def _given(event: Input) -> Resolve:
    return lambda sitting: event


def _masks(sitting: Sitting) -> Input | None:
    cell = free(sitting)
    return None if cell is None else Masked(sitting.table.state.masked | {cell})


def _level(sitting: Sitting) -> str:
    """Give the level of the computer player who is to move, "" if none is."""
    state, game = sitting.table.state, sitting.table.game
    mover = game.to_move(state.position)
    return state.computers[mover - 1] if mover and state.computers else ""


def _thinks(
    level: Callable[[Sitting], str | None],
    move: str = "",
    position: Callable[[Sitting], Any] = lambda sitting: sitting.table.state.position,
) -> Resolve:
    """Let a computer player answer; the move is a legal one unless it is told."""

    def resolve(sitting: Sitting) -> Input | None:
        at, who, game = position(sitting), level(sitting), sitting.table.game
        listed = at is not None and not game.arranging(at, 1) and not game.arranging(at, 2)
        moves = [game.plain_text(at, each) for each in game.legal_moves(at)] if listed else []
        if who is None or not moves:
            return None
        ideas = tuple(Idea(each, 0.5) for each in ([move] if move else moves[-4:]))
        return Thought(game.seen_by(at, game.to_move(at), remembers=True), who, ideas)

    return resolve


def _before(sitting: Sitting) -> Any:
    history = sitting.table.state.history
    return history[-1].before if history else None


INPUTS: dict[str, Resolve] = {
    **{f"ask-{each.value}": _given(Asked(each)) for each in Command},
    **{f"touch-{name}": _at(Touched, spot) for name, spot in SPOTS.items()},
    "hold-down": _at(Held, down),
    "hold-chosen": _at(Held, chosen),
    "hold-free": _at(Held, free),
    "lift-down": _at(Lifted, down),
    "lift-inspected": _at(Lifted, inspected),
    "lift-same-finger": _at(Lifted, touched),
    "lift-free": _at(Lifted, free),
    "palm": _given(Palmed(frozenset({"a1", "a2", "b2"}))),
    "stand-same": _stands(lambda sitting: sitting.stones),
    "stand-one-more": _stands(_one_more(free)),
    "stand-too-big": _stands(_one_more(too_big)),
    "stand-masked": _stands(_one_more(masked)),
    "stand-two-more": _stands(_more(2)),
    "stand-hand": _stands(_more(5)),
    "stand-one-less": _stands(_one_less(stone(1))),
    "stand-one-removed": _stands(_one_less(pending(EditKind.REMOVE))),
    "stand-one-put": _stands(_one_more(pending(EditKind.PUT))),
    "stand-next-tap": _stands(_one_more(next_tap)),
    "stand-slid": _stands(_slid),
    "stand-chosen-again": _stands(_chosen_again),
    "stand-ring-turned": _stands(_ring_turned(1)),
    "stand-ring-turned-by-two": _stands(_ring_turned(2)),
    "stand-none": _stands(_none),
    "stand-restored": _stands(_restored),
    "stand-right": _stands(_right),
    "stand-wanted": _stands(_one_more(wanted)),
    "stand-choice": _stands(_one_more(choice)),
    "stand-no-choice": _stands(_one_more(no_choice)),
    "trouble": _given(Disturbed(frozenset({"b1"}), (say("fault.strip"),))),
    "trouble-mended": _given(Disturbed(frozenset(), ())),
    "mask-one-more": _masks,
    "mask-none": _given(Masked(frozenset())),
    "unkept": _given(Kept(FULL)),
    "kept": _given(Kept(None)),
    "name-both": _given(Named((" Cleo ", "Dan"))),
    "name-nobody": _given(Named(("", ""))),
    "name-too-many": _given(Named(("A", "B", "C"))),
    "name-too-long": _given(Named(("A" * 41, ""))),
    "lay-orange": _at(lambda cell: Laid(cell, "1"), free),
    "lay-blue-on-orange": _at(lambda cell: Laid(cell, "2"), stone(1)),
    "lay-nothing": _at(lambda cell: Laid(cell, ""), stone(1)),
    "lay-unknown-cell": _given(Laid("z9", "1")),
    "lay-unknown-piece": _given(Laid("e5", "9")),
    "pick-blue": _given(Picked("2")),
    "pick-unknown": _given(Picked("9")),
    "tally": _given(Tallied((3, 1), 2)),
    "tally-negative": _given(Tallied((-1, 0), 1)),
    "tally-too-few": _given(Tallied((1,), 1)),
    "tally-nobody": _given(Tallied((0, 0), 3)),
    "arrange-green": _given(Arranged(1, {"A1": "Ga", "B1": "Gb", "D1": "Gc"})),
    "arrange-mauve": _given(Arranged(2, {"A3": "Ma", "B3": "Mb", "D3": "Mc"})),
    "arrange-wrongly": _given(Arranged(1, {"A1": "Ga"})),
    "arrange-anew": _given(Arranged(2, None)),
    "arrange-nobody": _given(Arranged(3, None)),
    "seat-green": _given(Seated(frozenset({1}))),
    "seat-both": _given(Seated(frozenset({1, 2}))),
    "seat-nobody": _given(Seated(frozenset())),
    "oppose": _given(Opposed(("", "3"))),
    "oppose-otherwise": _given(Opposed(("1", ""))),
    "oppose-nobody": _given(Opposed(("", ""))),
    "oppose-anew": _given(Opposed(("", "3"), new=True)),
    "oppose-nobody-anew": _given(Opposed(("", ""), new=True)),
    "oppose-too-many": _given(Opposed(("", "3", ""))),
    "oppose-unknown": _given(Opposed(("", "99"))),
    "think": _thinks(lambda sitting: _level(sitting) or None),
    "think-for-a-person": _thinks(lambda sitting: "6"),
    "think-of-the-past": _thinks(lambda sitting: _level(sitting) or "3", position=_before),
    "think-nonsense": _thinks(_level, "z9"),
    "think-of-a-hint": _thinks(lambda sitting: ""),
    "stumped": _given(Stumped(TROUBLE)),
    "thinks-again": _given(Stumped(None)),
}


def happened(before: State, after: State, entries: tuple[Entry, ...]) -> str:
    """Say in a few words what an input did.

    Entries by their kinds; else `refused` or `told` (good news) with the message; else `silent`.
    Then `+` and the fields that changed, and `>` and the phase that follows, if it is another.
    """
    noticed = after.notice if after.notice != before.notice else None
    words = [entry.kind.name for entry in entries]
    if not entries and noticed is not None:
        words = ["told" if noticed.good else "refused", noticed.message.key]
    changed = [each.name for each in fields(after) if _differ(before, after, each.name)]
    if not entries:
        words += [f"+{name}" for name in changed if name not in (*PASSING, "phase")]
    if after.phase is not before.phase:
        words.append(f"> {after.phase.value}")
    return " ".join(words) or "silent"


def _differ(before: State, after: State, name: str) -> bool:
    return bool(getattr(before, name) != getattr(after, name))


def logical(state: State) -> dict[str, Any]:
    """Give what nothing that is refused may change."""
    return {name: getattr(state, name) for name in LOGICAL}


def meet(state: str, name: str, sittings: dict[str, Sitting]) -> tuple[State, State, str] | None:
    """Let an input meet a state; None where the state has nothing that the input is about."""
    if state not in sittings:
        sittings[state] = STATES[state]()
    sitting = sittings[state].twin()
    event = INPUTS[name](sitting)
    if event is None:
        return None
    before = sitting.table.state
    sitting.now += 0.05
    sitting.table.tick(sitting.now)
    assert sitting.table.state is before, "time alone changes nothing here"
    entries = sitting.table.handle(event, sitting.now)
    return before, sitting.table.state, happened(before, sitting.table.state, entries)
