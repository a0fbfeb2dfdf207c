"""Fake hands that make moves of several touches, turn rings, and exchange pieces."""

from collections import Counter
from dataclasses import replace
from math import inf
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from game.app.boards import usual
from game.app.fitting import fitted
from game.app.session import Snapshot
from game.app.soak.desk import Desk
from game.app.soak.events import EVENTS, events
from game.app.soak.fingers import Fingers
from game.app.soak.ground import Ground
from game.app.soak.move_slips import MoveSlips
from game.app.soak.moving import Moving
from game.app.soak.person import Person
from game.app.soak.sight import Sight
from game.app.soak.traits import HANDS
from game.app.soak.wish import draw, draw_meal, entered, through
from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.azteka import GAME as AZTEKA
from game.rules.catalogue import find_game
from game.rules.circle_of_life import GAME as CIRCLE
from game.rules.game import Game, differences
from game.table.entries import Entry, Kind, options_text
from game.table.inputs import Asked, Command, Lifted, Stood, Touched
from game.table.scene import Cue
from game.table.state import Phase
from game.table.table import Table
from hal.sim.body import Body
from tests.helpers.games import fifth_game

WIDE = find_game("azteka-aggressive")
CALM = replace(
    HANDS["careful"],
    bounce=0.0,
    placing=MappingProxyType({}),
    tidying=MappingProxyType({}),
    drawing=MappingProxyType({}),
    moving=MappingProxyType({}),
)


def entries(game: Game[Any, Any], *moves: str) -> list[Entry]:
    """What a game of these moves is kept as, whose board hands have always brought right."""
    kept, position = [Entry(Kind.START, options_text({"first": "1"}))], game.initial()
    for move in moves:
        before = game.pieces(position)
        position = game.play(position, game.parse_move(position, move))
        kept.append(Entry(Kind.MOVE, move))
        edits = differences(before, game.pieces(position), game.board.cells)
        kept += [Entry(Kind.EDIT, edit.cell) for edit in edits]
    return kept


class Bench:
    """A person with his fingers at a table; what he touches comes to the table as it is felt."""

    def __init__(
        self, game: Game[Any, Any], *moves: str, feels_stones: bool = False, seed: int = 3
    ) -> None:
        self.game, self.now, self.feels_stones = game, 10.0, feels_stones
        self.table = Table(game, {"first": "1"}, Random(1), presence=feels_stones)
        self.told: list[str] = []
        profile = fitted(usual("sim", game), game)
        self.body = Body(profile, 0.0, seed=1)
        self.body.lay, self.body.lift = self._lay, self._lift  # type: ignore[method-assign]
        self.hand = Fingers(self.body, Desk(), Random(4), feels_stones=feels_stones, bounce=0.0)
        self.person = Person(
            self.hand,
            CALM,
            Random(seed),
            feels_stones=feels_stones,
            tell=self.told.append,
            quiet=lambda: None,
            keys=frozenset(),
            ask=lambda command: self._take(Asked(command)),
            press=lambda key: self._take(Touched(key)),
            give=self._take,
        )
        self.table.resume(entries(game, *moves), 0.0)
        pieces = game.pieces(self.table.state.position)
        if feels_stones:
            self._take(Stood(frozenset(pieces)))
        elif pieces:
            self._take(Asked(Command.CONFIRM))
        self.stand(pieces)

    def stand(self, pieces: dict[str, str]) -> None:
        for cell in list(self.hand.desk.stones):
            self.hand.desk.take(cell)
        for cell, piece in pieces.items():
            self.hand.desk.put(cell, piece)

    def sight(self) -> Sight:
        return Sight.of(Snapshot(self.game, self.table.state, self.table.scene()))

    def show(self) -> Sight:
        self.person.see(Snapshot(self.game, self.table.state, self.table.scene()), self.now)
        return self.sight()

    def act(self) -> str:
        """Let the person do the next thing, and show him what comes of it."""
        self.show()
        self.now = max(self.now + 1.0, self.person.due)
        self.table.tick(self.now)
        self.person.act(self.now)
        self.finish()
        return self.told[-1] if self.told else ""

    def finish(self) -> None:
        """Let the fingers do what they have begun."""
        while self.hand.due < inf:
            self.now = max(self.now, self.hand.due)
            self.hand.move(self.now)
            if self.feels_stones:
                self._take(Stood(frozenset(self.hand.desk.stones)))
        self.show()

    def make(self, move: str, most: int = 30) -> None:
        """Let the person make one move, touch by touch, until desk and page show it."""
        begun = self.table.state.position
        taps = self.game.taps(begun, self.game.parse_move(begun, move))
        wish = through(self.show(), taps[:-1], taps[-1])
        assert wish is not None
        self.person._see_position(self.show())
        for _ in range(most):
            sight = self.show()
            done = not self.hand.desk.differences(sight.page)
            if sight.position == wish.after and done and not sight.to_turn():
                return
            legal = bool(sight.spots(Cue.LEGAL))
            if sight.position == begun and legal and not self.person.turned_first:
                taken = entered(sight, None) or ()
                self.person.wish = wish
                Moving(self.person).go_on(sight, wish, taken, self.now)
                self.finish()
            else:
                self.act()
            self.now += 3.0
            self.table.tick(self.now)
        pytest.fail("\n".join(self.told))

    def _lay(self, spot: str) -> None:
        self._take(Touched(spot))

    def _lift(self, spot: str) -> None:
        self._take(Lifted(spot))

    def _take(self, event: Any) -> None:
        self.now += 0.01
        self.table.handle(event, self.now)


BODIES = ("W:d4 B:g4", "white")


@pytest.mark.parametrize("feels_stones", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_person_grows_a_limb_on_a_standing_body(feels_stones: bool, seed: int):
    bench = Bench(ADAPTOID, *BODIES, feels_stones=feels_stones, seed=seed)
    bench.make("/d4L")
    assert bench.hand.desk.stones == {"d4": "W1L0P", "g4": "B0L0P"}


@pytest.mark.parametrize("feels_stones", [False, True])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("move", ["d4-e4/e4P", "d4-e4/+d4", "/+d5"])
def test_person_moves_a_body_and_grows(feels_stones: bool, seed: int, move: str):
    bench = Bench(ADAPTOID, *BODIES, "/d4L", "/+g3", feels_stones=feels_stones, seed=seed)
    bench.make(move)
    assert sorted(bench.hand.desk.stones) == sorted(bench.sight().page)


@pytest.mark.parametrize("feels_stones", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_person_turns_a_ring_before_or_after_he_presses_its_key(feels_stones: bool, seed: int):
    bench = Bench(AZTEKA, "a1", "e4", feels_stones=feels_stones, seed=seed)
    bench.make("T1")
    assert bench.hand.desk.stones == {"b1": "L", "e4": "D"}


@pytest.mark.parametrize("feels_stones", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_person_turns_a_ring_by_two(feels_stones: bool, seed: int):
    bench = Bench(WIDE, "a1", "e4", "c1", "h4", feels_stones=feels_stones, seed=seed)
    bench.make("TT1")
    assert bench.hand.desk.stones == {"c1": "L", "e1": "L", "e4": "D", "h4": "D"}


def test_person_turns_back_what_is_taken_back_and_says_so():
    bench = Bench(AZTEKA, "a1", "e4", "T1", feels_stones=False, seed=1)
    bench.show()
    bench._take(Asked(Command.TAKE_BACK))
    assert bench.show().to_turn() == ["ring1"]
    for _ in range(6):
        bench.act()
        if not bench.sight().to_turn():
            break
    assert bench.hand.desk.stones == {"a1": "L", "e4": "D"}
    assert bench.table.state.phase is Phase.TAP


def test_person_puts_the_right_piece_after_a_wrong_one_in_exchange():
    bench = Bench(ADAPTOID, *BODIES, "/d4L", feels_stones=False, seed=1)
    bench.show()
    bench._take(Asked(Command.TAKE_BACK))
    sight = bench.show()
    assert sight.lit(Cue.SWAP) == ["d4"]
    assert MoveSlips(bench.person).wrong_swap(sight, bench.now)
    bench.finish()
    assert bench.sight().lit(Cue.SWAP) == []
    for _ in range(6):
        bench.act()
    assert bench.hand.desk.stones["d4"] == "W0L0P"


def test_slips_of_moves_do_not_come_about_where_they_cannot():
    bench = Bench(CIRCLE, "e5", feels_stones=False, seed=1)
    slips, sight = MoveSlips(bench.person), bench.show()
    ways = (slips.abandon, slips.wrong_key, slips.wrong_ring, slips.wrong_swap, slips.two_bodies)
    assert not any(slip(sight, bench.now) for slip in ways)
    assert bench.hand.due == inf


def test_sight_reads_in_words_with_which_touches_a_move_has_begun():
    bench = Bench(ADAPTOID, *BODIES, "/d4L", "/+g3", feels_stones=False, seed=1)
    assert bench.sight().begun == ()
    bench._take(Touched("d4"))
    assert bench.sight().begun == ("d4",)
    bench._take(Touched("e4"))
    sight = bench.sight()
    assert sight.begun == ("d4", "e4")
    assert entered(sight, None) == ("d4", "e4")
    wide = Bench(WIDE, "a1", "e4", "c1", "h4", feels_stones=False, seed=1)
    wide._take(Touched("choice1"))
    sight = wide.sight()
    assert sight.begun == ("",)
    assert entered(sight, None) == ("choice1",)
    assert entered(replace(sight, begun=("e4", "")), None) is None


@pytest.mark.parametrize("game", [AZTEKA, WIDE, ADAPTOID, CIRCLE, fifth_game.GAME])
def test_every_wish_is_a_legal_move_whose_first_touch_is_lit(game: Game[Any, Any]):
    bench, rng = Bench(game), Random(5)
    seen: Counter[int] = Counter()
    for _ in range(12):
        sight = bench.sight()
        wish = draw(sight, rng, bench.hand.desk.stones)
        assert wish is not None
        assert sight.cue(wish.taps[0]) is Cue.LEGAL
        made = [
            m for m in game.legal_moves(sight.position) if game.taps(sight.position, m) == wish.taps
        ]
        assert [game.play(sight.position, move) for move in made] == [wish.after]
        seen[len(wish.taps)] += 1
        made_text = game.move_text(sight.position, made[0])
        bench = Bench(game, *(played.text for played in bench.table.state.history), made_text)
    assert sum(seen.values()) == 12


def test_no_wish_is_drawn_where_none_is_lit():
    bench, rng = Bench(CIRCLE, "e5", feels_stones=False, seed=1), Random(1)
    dark = replace(bench.sight(), lamps={})
    assert draw(dark, rng, bench.hand.desk.stones) is None
    assert draw_meal(bench.sight(), rng, bench.hand.desk.stones) is None
    assert through(bench.sight(), (), "e5") is None
    assert Ground(bench.person).target(dark) is None


def test_desk_and_body_turn_with_a_ring():
    bench = Bench(AZTEKA, "a1", "e4", feels_stones=True, seed=1)
    cells = AZTEKA.board.rings["ring1"]
    for cell in bench.hand.desk.stones:
        bench.body.put(cell)
    end = bench.hand.turn("ring1", cells, -1, 20.0, 0.5)
    bench.hand.move(20.1)
    assert (bench.body.stones, bench.hand.desk.stones) == ({"e4"}, {"a1": "L", "e4": "D"})
    bench.hand.move(end)
    assert (bench.body.stones, bench.hand.desk.stones) == ({"e4", "h1"}, {"h1": "L", "e4": "D"})


def test_steps_are_the_fewest_that_bring_a_ring_right_and_none_where_nothing_does():
    bench = Bench(AZTEKA, "a1", "e4", feels_stones=False, seed=1)
    moving, sight = Moving(bench.person), bench.sight()
    assert moving.steps(sight, "ring1") == 0
    bench.stand({"c1": "L", "e4": "D"})
    assert moving.steps(sight, "ring1") == -2
    bench.stand({"h1": "L", "e4": "D"})
    assert moving.steps(sight, "ring1") == 1
    bench.stand({"h1": "D", "e4": "D"})
    assert moving.steps(sight, "ring1") is None


def did(game: Game[Any, Any], position: Any, move: str) -> list[str]:
    made = game.parse_move(position, move)
    return sorted(events(game, position, made, game.play(position, made)))


def played(game: Game[Any, Any], *moves: str) -> Any:
    position = game.initial()
    for move in moves:
        position = game.play(position, game.parse_move(position, move))
    return position


def test_events_of_moves_are_named():
    wide = played(WIDE, "a1", "e4", "c1", "h4")
    assert did(WIDE, wide, "T1") == ["event.turn1"]
    assert did(WIDE, wide, "TT1") == ["event.turn2"]
    born = played(AZTEKA, "a1", "e4", "a2", "e3", "a3", "e2")
    assert did(AZTEKA, born, "a4") == ["event.again"]
    assert did(AZTEKA, played(AZTEKA, "a1", "e4", "a2", "e3", "a3", "e2", "a4"), "-") == [
        "event.nothing"
    ]
    dying = played(AZTEKA, "a1", "b1", "T4", "b2", "T4", "a2", "T4", "h2", "T4")
    assert did(AZTEKA, dying, "h1") == ["event.swapped"]
    ending = played(AZTEKA, "a1", "b1", "T4", "b2", "T4", "b3", "T4")
    assert did(AZTEKA, ending, "b4") == ["event.cleared"]
    grown = played(ADAPTOID, *BODIES)
    assert did(ADAPTOID, grown, "/d4L") == ["event.grown"]
    assert did(ADAPTOID, played(ADAPTOID, *BODIES, "/d4L", "/+g3"), "d4-e4/e4L") == ["event.moved"]
    assert set(EVENTS) > {"event.lost", "event.captured", "event.taken", "event.swapped"}
