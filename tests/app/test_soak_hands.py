"""Fake hands in parts: the desk, the motions of fingers, what a person sees and how he waits."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from game.app.session import Snapshot
from game.app.soak.actor import PATIENCE_S, TRIES, Stuck
from game.app.soak.desk import Desk, DeskError
from game.app.soak.fingers import BOUNCES_S, Deed, Fingers
from game.app.soak.person import Person
from game.app.soak.sight import Sight, changed, judged
from game.app.soak.traits import HANDS, Slip
from game.rules.circle_of_life import GAME
from game.table.inputs import Asked, Command, Lifted, Stood, Touched
from game.table.scene import Cue
from game.table.table import DRAW_S, Table
from hal.profile import built_in
from hal.sim.body import Body


class Wires(Body):
    """A body that remembers what was done to it, in order."""

    def __init__(self) -> None:
        super().__init__(built_in(), 0.0, seed=1)
        self.done: list[tuple[str, str]] = []

    def lay(self, spot: str) -> None:
        super().lay(spot)
        self.done.append(("lay", spot))

    def lift(self, spot: str) -> None:
        super().lift(spot)
        self.done.append(("lift", spot))

    def put(self, cell: str) -> None:
        super().put(cell)
        self.done.append(("put", cell))

    def take(self, cell: str) -> None:
        super().take(cell)
        self.done.append(("take", cell))


def fingers(*, feels_stones: bool = False, bounce: float = 0.0) -> tuple[Fingers, Wires]:
    wires = Wires()
    return Fingers(wires, Desk(), Random(4), feels_stones=feels_stones, bounce=bounce), wires


def test_desk_holds_stones_and_compares_them():
    desk = Desk()
    desk.put("a1", "1")
    desk.put("a2", "2")
    desk.put("a3", "1")
    assert desk.differences({"a1": "1", "a2": "1", "a4": "2"}) == {
        "a2": ("2", "1"),
        "a3": ("1", ""),
        "a4": ("", "2"),
    }
    assert desk.take("a3") == "1"
    assert desk.stones == {"a1": "1", "a2": "2"}


def test_desk_refuses_what_no_hand_can_do():
    desk = Desk()
    desk.put("a1", "1")
    with pytest.raises(DeskError, match="a1 has a stone"):
        desk.put("a1", "2")
    with pytest.raises(DeskError, match="a2 is empty"):
        desk.take("a2")
    assert desk.stones == {"a1": "1"}


def test_press_lays_and_lifts_a_finger_at_its_time():
    hand, wires = fingers()
    end = hand.press("e5", 1.0, 0.2)
    assert (hand.due, hand.ends_s) == (1.0, end)
    assert [contact.deed for contact in hand.move(1.1)] == [Deed.LAY]
    assert wires.done == [("lay", "e5")]
    hand.move(end)
    assert wires.done == [("lay", "e5"), ("lift", "e5")]
    assert hand.done_s == end
    assert end == pytest.approx(1.2 + BOUNCES_S)


def test_press_that_bounces_ends_as_it_must():
    hand, wires = fingers(bounce=1.0)
    hand.move(hand.press("e5", 1.0, 0.2))
    kinds = [what for what, _ in wires.done]
    assert kinds == ["lay", "lift"] * (len(kinds) // 2)
    assert len(kinds) >= 6


def test_slide_is_always_somewhere():
    hand, wires = fingers()
    hand.move(hand.slide(["a1", "a2", "a3"], 1.0, 0.1))
    down: Counter[str] = Counter()
    for what, cell in wires.done:
        down[cell] += 1 if what == "lay" else -1
    assert [cell for what, cell in wires.done if what == "lay"] == ["a1", "a2", "a3"]
    assert not +down


def test_palm_lies_on_all_its_cells_and_leaves_them():
    hand, wires = fingers()
    cells = ["e4", "e5", "e6"]
    end = hand.rest(cells, 1.0, 0.5, 0.03)
    hand.move(1.1)
    assert sorted(wires.done) == [("lay", cell) for cell in cells]
    hand.move(end)
    assert len(wires.done) == 6


@pytest.mark.parametrize("feels_stones", [False, True])
def test_stone_is_set_slid_and_taken(feels_stones: bool):
    hand, wires = fingers(feels_stones=feels_stones)
    hand.move(hand.put("a1", "1", 1.0, 0.2))
    assert hand.desk.stones == {"a1": "1"}
    hand.move(hand.drag(["a1", "a2", "a3"], "1", 2.0, 0.1))
    assert hand.desk.stones == {"a3": "1"}
    hand.move(hand.take("a3", 3.0, 0.2) + 1.0)
    assert hand.desk.stones == {}
    felt = {what for what, _ in wires.done}
    assert felt == ({"put", "take"} if feels_stones else {"lay", "lift"})


def test_stone_that_is_held_by_its_rim_is_not_felt_as_a_touch():
    hand, wires = fingers()
    hand.move(hand.put("a1", "1", 1.0, 0.2, touch=False))
    hand.move(hand.take("a1", 2.0, 0.2, touch=False))
    assert wires.done == []


def test_stone_that_bounces_or_wobbles_stands_in_the_end():
    hand, wires = fingers(feels_stones=True, bounce=1.0)
    hand.move(hand.put("a1", "1", 1.0, 0.2))
    hand.move(hand.wobble("a1", 2.0, 0.1))
    assert wires.stones == {"a1"}
    assert ("take", "a1") in wires.done
    assert hand.desk.stones == {"a1": "1"}


def test_fingers_go_on_with_the_same_desk_on_another_body():
    hand, _ = fingers(feels_stones=True)
    hand.move(hand.put("a1", "1", 1.0, 0.2))
    wires = Wires()
    other = hand.moved_to(wires, 5.0)
    other.move(other.take("a1", 6.0, 0.2))
    assert wires.done == [("take", "a1")]
    assert hand.desk.stones == {}


class Bench:
    """A person at a table of touches, without a board below."""

    def __init__(self, *, feels_stones: bool = False) -> None:
        self.table = Table(GAME, {"first": "1"}, Random(1), presence=feels_stones)
        self.fingers, self.wires = fingers(feels_stones=feels_stones)
        self.told: list[str] = []
        self.asked: list[Command] = []
        self.pressed: list[str] = []
        self.quiet = 0
        none = HANDS["careful"]
        careful = type(none)(none.reaction_s, none.travel_s, none.press_s, none.notice_s, 0.0)
        self.person = Person(
            self.fingers,
            careful,
            Random(2),
            feels_stones=feels_stones,
            tell=self.told.append,
            quiet=self._count,
            keys=frozenset({"take_back", "resign", "new_game"}),
            ask=self.asked.append,
            press=self.pressed.append,
            give=lambda wish: None,
        )
        self.table.start(0.0)
        self.table.tick(DRAW_S)
        if feels_stones:
            self.table.handle(Stood(frozenset()), DRAW_S)
        self.now = 10.0

    def show(self) -> None:
        snapshot = Snapshot(GAME, self.table.state, self.table.scene())
        self.person.see(snapshot, self.now)

    def act(self) -> str:
        """Let the person do the next thing, with the motions that it takes; give what it was."""
        self.now = max(self.now, self.person.due)
        self.person.act(self.now)
        while self.fingers.due < float("inf"):
            self.now = max(self.now, self.fingers.due)
            self.fingers.move(self.now)
        return self.told[-1] if self.told else ""

    def _count(self) -> None:
        self.quiet += 1


def test_person_sets_a_stone_of_the_colour_whose_turn_it_is():
    bench = Bench()
    bench.show()
    assert bench.act().startswith("sets 1 on ")
    assert list(bench.fingers.desk.stones.values()) == ["1"]
    assert bench.quiet == 1


def test_person_takes_off_a_stone_that_is_no_move():
    bench = Bench()
    bench.person.tried["a1"] = "2"
    bench.fingers.desk.put("a1", "2")
    bench.show()
    assert bench.act() == "takes 2 off a1 again"
    assert bench.fingers.desk.stones == {}
    assert bench.act().startswith("sets 1 on ")


def test_person_touches_again_what_was_not_felt():
    bench = Bench()
    bench.person.tried["a1"] = "1"
    bench.fingers.desk.put("a1", "1")
    bench.show()
    assert bench.act() == "touches a1 once more"
    assert bench.wires.done == [("lay", "a1"), ("lift", "a1")]


def test_person_leaves_a_stone_that_has_become_a_move():
    bench = Bench()
    bench.person.tried["a1"] = "1"
    bench.fingers.desk.put("a1", "1")
    bench.table.handle(Touched("a1"), bench.now)
    bench.show()
    assert bench.act().startswith("sets 2 on ")


def test_person_takes_back_a_move_that_he_did_not_want():
    bench = Bench()
    bench.table.handle(Touched("e5"), bench.now)
    bench.show()
    assert bench.act() == "presses take_back"
    assert ("lay", "take_back") in bench.wires.done or bench.fingers.desk.stones == {}
    assert bench.person.counts["unwanted"] == 1


def test_person_uses_the_page_where_the_board_has_no_key():
    bench = Bench()
    bench.show()
    bench.person.scrambled = True
    assert bench.act() == "presses confirm"
    assert bench.asked == [Command.CONFIRM]


def test_person_does_as_lights_ask():
    bench = Bench()
    bench.table.handle(Touched("e5"), bench.now)
    bench.fingers.desk.put("e5", "1")
    bench.table.handle(Lifted("e5"), bench.now + 1.0)
    bench.table.handle(Asked(Command.TAKE_BACK), bench.now + 2.0)
    bench.show()
    assert bench.act() == "takes 1 from e5 as shown"
    assert bench.fingers.desk.stones == {}


def test_person_gives_up_after_three_tries_without_a_change():
    bench = Bench()
    bench.show()
    for _ in range(TRIES):
        bench.act()
    with pytest.raises(Stuck, match=f"did {TRIES} times as shown"):
        bench.act()


def test_person_is_content_with_an_answer_that_comes_before_he_has_finished():
    bench = Bench()
    bench.show()
    bench.act()
    (cell,) = bench.fingers.desk.stones
    bench.table.handle(Touched(cell), bench.now)
    bench.show()
    bench.table.handle(Lifted(cell), bench.now + 1.0)
    assert bench.act().startswith("sets 2 on ")
    assert bench.person.longest_s < PATIENCE_S


def test_person_who_is_shown_nothing_gives_up():
    bench = Bench()
    bench.show()
    sight = bench.person.sight
    assert sight is not None
    bench.person.sight = replace(sight, lamps={}, words=frozenset(), page={})
    for _ in range(5):  # half a second each
        bench.act()
    with pytest.raises(Stuck, match="shown nothing to do for more"):
        bench.act()


def test_sight_sees_cues_words_and_the_page():
    table = Table(GAME, {"first": "2"}, Random(1))
    table.start(0.0)
    drawing = Sight.of(Snapshot(GAME, table.state, table.scene()))
    assert drawing.lit(Cue.DRAW)
    assert "table.drawing" in drawing.words
    table.tick(DRAW_S)
    begun = Sight.of(Snapshot(GAME, table.state, table.scene()))
    assert begun.turn == 2
    assert begun.piece(begun.turn) == "2"
    assert len(begun.lit(Cue.LEGAL)) == len(GAME.board.cells)
    assert begun.placed is None
    table.handle(Touched("e5"), 3.0)
    placed = Sight.of(Snapshot(GAME, table.state, table.scene()))
    assert placed.placed == "e5"
    assert judged(placed, "e5")
    assert not judged(placed, "e6")
    assert placed.page == {"e5": "2"}
    assert changed(begun, placed)
    assert not changed(placed, placed)
    table.handle(Asked(Command.TAKE_BACK), 4.0)
    asked = Sight.of(Snapshot(GAME, table.state, table.scene()))
    assert [(cell, lamp.cue) for cell, lamp in asked.to_do().items()] == [("e5", Cue.REMOVE)]


def test_hands_have_no_more_chances_than_there_are():
    for hands in HANDS.values():
        for chances in (hands.placing, hands.tidying, hands.drawing, hands.moving):
            assert 0.0 < sum(chances.values()) < 1.0
            assert all(isinstance(slip, Slip) for slip in chances)
        for least, most in (hands.reaction_s, hands.travel_s, hands.press_s, hands.notice_s):
            assert 0.0 < least < most


def test_clumsy_hands_slip_in_every_way():
    clumsy = HANDS["clumsy"]
    assert {*clumsy.placing, *clumsy.tidying, *clumsy.drawing, *clumsy.moving} == set(Slip)
