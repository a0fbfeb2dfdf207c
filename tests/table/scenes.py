"""Scenes at a table, by name: what people did until then. Owns how each comes about."""

from collections.abc import Callable
from random import Random
from typing import Any

from game.rules.base.game import Game
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.entries import Entry, EntryKind
from game.table.inputs import (
    Command,
    EngineUnavailable,
    FaultsChanged,
    Held,
    Lifted,
    MaskChanged,
    Saved,
    SeatsChanged,
    SetNames,
    SetOpponents,
    SetPiece,
    SetScore,
    SubmitSetup,
    Touched,
)
from game.table.table import Table
from tests.helpers.games.toy_disc import BigDisc, ToyDisc, ToyTrio
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_hidden import GREEN, MAUVE, DealtHidden, ToyHidden
from tests.helpers.games.toy_limbs import ToyLimbs
from tests.table.random_game import LEVELS, TWO_MEALS, TableSession

NEW, BACK, RESIGN = Command.NEW_GAME, Command.TAKE_BACK, Command.RESIGN
SET_UP, CONFIRM, HINT, COACH = Command.SET_UP, Command.CONFIRM, Command.HINT, Command.COACH
MENU, DRAW = Command.MENU, Command.DRAW

LATER = 10.0
# Orange e1 to e4 is full: e5 would be a fifth stone. Nothing is eaten.
EIGHT = ("e1", "a1", "e2", "a3", "e3", "a5", "e4", "i1", LATER)
MEALS = (*TWO_MEALS, LATER)
TROUBLE = FaultsChanged(frozenset({"h1", "h2"}), (say("fault.link"),))
MASK = MaskChanged(frozenset({"c5", "g5"}))
AGAINST = SetOpponents(("", "3"))
FIRST = SetOpponents(("1", ""))


def move(session: TableSession, spot: str) -> None:
    """Set or take a stone: by a touch, or by the stone itself."""
    if session.table.state.hands.felt is None or spot in (*session.table.game.keys, "key:pass"):
        session.tap(spot)
    elif spot in session.stones:
        session.take(spot)
    else:
        session.put(spot)


def thinks(*moves: str) -> Callable[[TableSession], None]:
    return lambda session: session.think(*moves)


def restarts(session: TableSession) -> None:
    session.table = session.restarted()


def resumes_unread(session: TableSession) -> None:
    """Restart with the board not read yet."""
    presence = session.table.state.hands.felt is not None
    session.table = Table(session.table.game, {}, Random(0), presence, LEVELS)
    session.table.resume(session.kept, session.now)


def meets_unknown_level(session: TableSession) -> None:
    """Go on with a game of another version, in which blue is a computer unknown to this one."""
    session.kept.append(Entry(EntryKind.COMPUTERS, '[null, "99"]'))
    session.table = session.restarted()
    session.ask(CONFIRM)


def stands(session: TableSession) -> None:
    """Bring the board to where the position is."""
    if session.table.state.hands.felt is None:
        session.ask(CONFIRM)
    else:
        session.put(*(set(session.pieces) - session.stones))


def edits(session: TableSession) -> None:
    """Do whatever else is to be changed on the board."""
    if session.table.state.hands.felt is not None:
        session.stones = set(session.pieces)
        session.put()
        return
    for edit in session.table.state.pending(session.table.game):
        session.tap(edit.cell)


def big_round(session: TableSession) -> None:
    """Play a round of the big disc to its end, without any second piece."""
    for cell in ("a1", "b2", "c1", "d2", "e1", "f2", "g1", "h2", "b1", "d1"):
        edits(session)
        move(session, cell)
        if session.table.state.position.birth:
            move(session, "choice1")


LAID_OUT = (SubmitSetup(1, GREEN), SubmitSetup(2, MAUVE))
BEGUN = (*LAID_OUT, stands)
COVERING = (SET_UP, "A1", LATER)
ATTACK = (*BEGUN, "C1", "C2", "C3")
DISC = ("a1", "c2")
ROUND = ("a1", "b2", "c1", "d2", "a2", "choice1", "c2", LATER)
WANTS = (*EIGHT, "g4", AGAINST, thinks("c4"))

Scene = tuple[Game[Any, Any], tuple[Any, ...]]
SCENES: dict[str, Scene] = {
    "draw": (GAME, (NEW,)),
    "draw, disturbed": (GAME, (NEW, TROUBLE)),
    "first move": (GAME, ()),
    "tap": (GAME, EIGHT),
    "tap, named, unkept": (GAME, (*EIGHT, SetNames(("Ada", "Bea")), Saved(say("journal.full")))),
    "tap, finger on a stone": (GAME, (*EIGHT, Touched("a1"))),
    "tap, finger has just left": (GAME, (*EIGHT, Touched("e5"), Lifted("e5"))),
    "tap, finger rests": (GAME, (*EIGHT, Touched("g4"), LATER)),
    "tap, inspecting": (GAME, (*EIGHT, Touched("a1"), Held("a1"))),
    "tap, new game asked": (GAME, (*EIGHT, NEW)),
    "tap, resigning asked": (GAME, (*EIGHT, RESIGN)),
    "tap, masked": (GAME, (*EIGHT, MASK)),
    "tap, felt again": (GAME, (*EIGHT, MASK, MaskChanged(frozenset()))),
    "tap, disturbed": (GAME, (*EIGHT, TROUBLE)),
    "restarted, unread": (GAME, (*EIGHT, resumes_unread)),
    "restarted": (GAME, (*EIGHT, restarts, LATER)),
    "restarted, removals": (GAME, (*MEALS, restarts, LATER)),
    "restarted, disturbed": (GAME, (*EIGHT, restarts, LATER, TROUBLE)),
    "edit": (GAME, MEALS),
    "edit, disturbed": (GAME, (*MEALS, TROUBLE)),
    "edit, masked": (GAME, (*MEALS, MaskChanged(frozenset({"d4", "c5"})))),
    "edit, finger has just left": (GAME, (*MEALS, "d4")),
    "edit, after taking back": (GAME, (*MEALS, "d4", "f5", BACK, LATER)),
    "fifth stone": (GAME, (*EIGHT, "e5", LATER)),
    "over, resigned": (GAME, (*EIGHT, RESIGN, RESIGN)),
    "over, set up": (GAME, (SET_UP, SetScore((20, 0), 2), NEW)),
    "set up": (GAME, (*EIGHT, SET_UP)),
    "set up, flawed": (GAME, (*EIGHT, SET_UP, "e5", LATER)),
    "set up, by the page": (GAME, (*EIGHT, SET_UP, SetPiece("i5", "2"), SetPiece("a1", ""))),
    "set up, finger has just left": (GAME, (*EIGHT, SET_UP, "i5")),
    "set up, masked": (GAME, (*EIGHT, SET_UP, MASK)),
    "set up, disturbed": (GAME, (*EIGHT, SET_UP, TROUBLE)),
    "set up, both have won": (GAME, (*EIGHT, SET_UP, SetScore((20, 20), 1))),
    "computer thinks": (GAME, (*EIGHT, "g4", AGAINST)),
    "computer thinks, disturbed": (GAME, (*EIGHT, "g4", AGAINST, TROUBLE)),
    "computer thinks, removals": (GAME, (*MEALS, AGAINST)),
    "computer wants": (GAME, WANTS),
    "computer wants a masked cell": (GAME, (*WANTS, MaskChanged(frozenset({"c4", "g5"})))),
    "computer wants, disturbed": (GAME, (*WANTS, TROUBLE)),
    "computer wants, removals": (GAME, (*MEALS, AGAINST, thinks("c4"))),
    "computer is stumped": (GAME, (*EIGHT, "g4", AGAINST, EngineUnavailable(say("fault.link")))),
    "computer is unknown": (GAME, (*EIGHT, "g4", meets_unknown_level, LATER)),
    "computers only": (GAME, (SetOpponents(("random", "3")),)),
    "computer moved last": (GAME, (*WANTS, "c4", LATER)),
    "hinting": (GAME, (*EIGHT, HINT)),
    "hints": (GAME, (*EIGHT, HINT, thinks("g4", "c4", "c5"))),
    "coaching": (GAME, (*EIGHT, COACH)),
    "menu": (GAME, (*EIGHT, MENU)),
    "menu, opposed": (GAME, (*WANTS, MENU)),
    "menu, removals": (GAME, (*MEALS, MENU)),
    "menu, masked": (GAME, (*EIGHT, MENU, MASK)),
    "menu, disturbed": (GAME, (*EIGHT, MENU, TROUBLE)),
    "menu, restarted": (GAME, (*EIGHT, restarts, MENU)),
    "toy": (Toy(), ()),
    "toy, taps begun": (Toy(), ("a",)),
    "toy, computer's taps begun": (Toy(), (FIRST, thinks("a-b"), "a")),
    "disc": (ToyDisc(), DISC),
    "disc, ring turned": (ToyDisc(), (*DISC, "ring1")),
    "disc, turned long ago": (ToyDisc(), (*DISC, "ring1", LATER)),
    "disc, to turn back": (ToyDisc(), (*DISC, "ring1", edits, LATER, BACK)),
    "disc, key just pressed": (ToyDisc(), (*DISC, Touched("ring2"))),
    "disc, turn by two begun": (ToyDisc(), (*DISC, "choice1")),
    "disc, second decision": (ToyDisc(), (*DISC, "a2", LATER)),
    "disc, exchange": (ToyDisc(), ("b1", "a1", "d2", "c1", LATER)),
    "disc, round over": (ToyDisc(), ROUND),
    "disc, draw asked": (ToyDisc(), (*DISC, DRAW)),
    "disc, drawn": (ToyDisc(), (*DISC, DRAW, DRAW)),
    "disc, computer wants a turn": (ToyDisc(), (*DISC, FIRST, thinks("TT1"))),
    "big disc, laid out anew": (BigDisc(), (big_round, LATER, CONFIRM, BACK, LATER)),
    "trio, resigning asked": (ToyTrio(), ("a1", RESIGN)),
    "limbs": (ToyLimbs(), ()),
    "limbs, body chosen": (ToyLimbs(), ("a1",)),
    "limbs, moved": (ToyLimbs(), ("a1", "a2")),
    "limbs, key next": (ToyLimbs(), ("a1", "a2", "a2")),
    "limbs, computer's body chosen": (ToyLimbs(), (FIRST, thinks("/a1!"), "a1")),
    "veil": (ToyHidden(), ()),
    "veil, one has laid out": (ToyHidden(), (SubmitSetup(2, MAUVE),)),
    "veil, one is seated": (ToyHidden(), (SeatsChanged(frozenset({2})),)),
    "veil, both are seated": (
        ToyHidden(),
        (SeatsChanged(frozenset({1, 2})), SubmitSetup(1, GREEN)),
    ),
    "veil, covering": (ToyHidden(), COVERING),
    "veil, covering done": (ToyHidden(), (*COVERING, "B1", LATER, "C1", LATER)),
    "veil, covering disturbed": (ToyHidden(), (*COVERING, TROUBLE)),
    "veil, to be laid out": (ToyHidden(), (*LAID_OUT, LATER)),
    "veil, first move": (ToyHidden(), (*BEGUN, LATER)),
    "veil, key next": (ToyHidden(), (*BEGUN, "A1", "A2", LATER)),
    "veil, faces just shown": (ToyHidden(), ATTACK),
    "veil, faces shown": (ToyHidden(), (*ATTACK, LATER)),
    "veil, faces shown, disturbed": (ToyHidden(), (*ATTACK, LATER, TROUBLE)),
    "veil, faces covered": (ToyHidden(), (*ATTACK, LATER, CONFIRM)),
    "veil, over": (ToyHidden(), (*BEGUN, RESIGN, RESIGN)),
    "veil, menu": (ToyHidden(), (MENU,)),
    "veil, computer wants": (
        DealtHidden(),
        (FIRST, SubmitSetup(2, MAUVE), stands, LATER, thinks("C1-C2*C3")),
    ),
}


def play_scene(name: str, presence: bool) -> TableSession:
    """Return a session in which all of a scene has been done."""
    game, steps = SCENES[name]
    session = TableSession(game, {"first": "1"}, presence)
    for step in steps:
        if isinstance(step, str):
            move(session, step)
        elif isinstance(step, float):
            session.wait(step)
        elif isinstance(step, Command):
            session.ask(step)
        elif callable(step):
            step(session)
        else:
            session.give(step)
    return session
