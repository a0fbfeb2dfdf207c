"""Rings, keys and moves of several taps where stones are felt while they stand."""

from itertools import permutations
from random import Random

import pytest

from game.rules.catalogue import find_game
from game.rules.disc import disc
from game.table.entries import Entry, Kind
from game.table.inputs import Command, Stood
from game.table.state import Phase
from game.table.touching import TRAVEL_S
from tests.helpers.games.toy_disc import PlainDisc, ToyDisc
from tests.helpers.games.toy_limbs import ToyLimbs
from tests.oracles.perfect_hand import Hand
from tests.table.sitting import Sitting

RING = disc(2, 4).rings["ring1"]
BACK = Command.TAKE_BACK


def moves(sitting):
    return [played.text for played in sitting.table.state.history]


def is_right(sitting):
    state = sitting.table.state
    return state.phase is Phase.TAP and dict(state.standing) == sitting.pieces


def stand(sitting, *cells):
    """Let just these stones stand, from one moment to the next."""
    sitting.stones = set(cells)
    sitting.give(Stood(frozenset(cells)))


@pytest.fixture(params=[ToyDisc(), PlainDisc()], ids=lambda game: game.name)
def wheel(sit, request):
    """A disc with a1 of side 1 and b1 of side 2 on its inner ring, and c2; side 2 to move."""
    sitting = sit(request.param, presence=True)
    sitting.set_in_turn("a1", "b1", "c2")
    sitting.wait(10.0)
    return sitting


# Rings.


def test_a_ring_whose_key_is_pressed_shows_on_its_way_until_it_has_been_turned(wheel):
    wheel.tap("ring1")
    assert moves(wheel)[-1] == "T1"
    assert wheel.kept[-1] == Entry(Kind.EDIT, "ring1")
    assert wheel.cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.played", "table.turn_ring_felt"]
    assert wheel.table.scene().turn == 2, "the turn lasts until the ring is there"
    wheel.wait(60.0)
    assert wheel.cues("turned") == sorted(RING), "nobody has turned it yet"
    stand(wheel, "b1", "c1", "c2")
    assert is_right(wheel)
    assert wheel.pieces == {"b1": "1", "c1": "2", "c2": "1"}
    assert wheel.cues("turned") == []
    assert wheel.table.scene().turn == 1


@pytest.mark.parametrize("order", [*permutations(("a1", "b1", "-b1", "c1"))])
def test_a_ring_that_is_turned_stone_by_stone_takes_nothing_back(wheel, order):
    wheel.tap("ring1")
    where = {"a1", "b1", "c2"}
    for change in order:
        where ^= {change.removeprefix("-")}
        stand(wheel, *where)
        assert moves(wheel) == ["a1", "b1", "c2", "T1"]
    assert where == {"b1", "c1", "c2"} or not is_right(wheel)
    stand(wheel, "b1", "c1", "c2")
    assert is_right(wheel)


def test_a_stone_that_fell_while_its_ring_was_turned_is_asked_for(wheel):
    wheel.tap("ring1")
    stand(wheel, "c1", "c2")
    wheel.wait(TRAVEL_S)
    assert wheel.cues("put") == ["b1"]
    assert wheel.prompts == ["table.played", "table.lay"]
    wheel.put("b1")
    assert is_right(wheel)


def test_a_ring_may_be_turned_before_its_key_is_pressed(wheel):
    stand(wheel, "c2")
    stand(wheel, "b1", "c1", "c2")
    assert moves(wheel) == ["a1", "b1", "c2"]
    assert wheel.notice == "table.press_for_it"
    wheel.tap("ring1")
    assert moves(wheel)[-1] == "T1"
    assert is_right(wheel)


def test_a_ring_may_be_turned_by_two_before_between_or_after_its_keys(wheel):
    for before in (0, 1, 2):
        at = wheel.pieces
        spots = [cell for cell in RING if cell in at]
        goes = {RING[(RING.index(cell) + 2) % 4] for cell in spots} | {"c2"}
        keys = ["choice1", "ring1"]
        wheel.tap(*keys[:before])
        stand(wheel, *goes)
        wheel.tap(*keys[before:])
        assert moves(wheel)[-1] == "TT1"
        assert is_right(wheel)


def test_a_key_for_another_ring_than_the_one_that_was_turned_is_refused(wheel):
    stand(wheel, "b1", "c1", "c2")
    wheel.tap("ring2")
    assert wheel.notice == "table.first_put_right"
    assert moves(wheel) == ["a1", "b1", "c2"]
    stand(wheel, "a1", "b1", "c2")
    assert is_right(wheel)


def test_a_ring_that_is_turned_back_by_hands_takes_the_turn_back(wheel):
    wheel.tap("ring1")
    stand(wheel, "b1", "c1", "c2")
    wheel.wait(10.0)
    stand(wheel, "c2")
    stand(wheel, "a1", "b1", "c2")
    assert moves(wheel) == ["a1", "b1", "c2"]
    assert is_right(wheel)


def test_a_turn_that_is_taken_back_by_key_shows_on_its_way_back(wheel):
    wheel.tap("ring1")
    stand(wheel, "b1", "c1", "c2")
    wheel.wait(10.0)
    wheel.ask(BACK)
    assert wheel.cues("turned") == sorted(RING)
    assert wheel.prompts == ["table.turn_ring_back_felt"]
    stand(wheel, "a1", "b1", "c2")
    assert is_right(wheel)
    assert wheel.pieces == {"a1": "1", "b1": "2", "c2": "1"}


def test_a_turn_goes_on_after_a_power_cut_as_far_as_it_had_come(wheel):
    wheel.tap("ring1")
    for stones in ({"a1", "b1", "c2"}, {"b1", "c1", "c2"}):
        wheel.stones = stones
        again = wheel.restarted()
        right = stones == {"b1", "c1", "c2"}
        assert again.state.phase is (Phase.TAP if right else Phase.EDIT)
        again.handle(Stood(frozenset({"b1", "c1", "c2"})), 1.0)
        assert dict(again.state.standing) == {"b1": "1", "c1": "2", "c2": "1"}


def test_a_ring_with_a_masked_cell_is_turned_all_the_same(wheel):
    wheel.mask("b1")
    wheel.tap("ring1")
    stand(wheel, "c1", "c2")
    assert is_right(wheel)
    assert wheel.pieces == {"b1": "1", "c1": "2", "c2": "1"}


# Exchanges.


def test_an_exchange_is_lifted_and_put_and_found_again_after_a_power_cut(sit):
    sitting = sit(ToyDisc(), presence=True)
    sitting.set_in_turn("b1", "a1", "d2", "c1")
    assert sitting.cues("swap") == ["b1"]
    sitting.take("b1")
    assert sitting.cues("put") == ["b1"]
    assert moves(sitting) == ["b1", "a1", "d2", "c1"]
    sitting.put("b1")
    assert is_right(sitting)
    assert sitting.kept[-1] == Entry(Kind.EDIT, "b1")
    again = sitting.restarted()
    assert again.state.phase is Phase.TAP
    assert again.state.standing["b1"] == "2"


def test_the_end_of_a_round_is_cleared_and_laid_out_again_as_felt(sit):
    sitting = sit(ToyDisc(), presence=True)
    for cell in ("a2", "b2", "c2", "d2", "a1", "b1"):
        sitting.put(cell)
        for edit in sitting.table.state.pending(ToyDisc()) if cell != "b1" else ():
            sitting.take(edit.cell)
            sitting.put(edit.cell)
    assert sitting.table.state.phase is Phase.EDIT
    assert len(sitting.cues("remove")) == 6
    sitting.take("a1", "a2", "b2")
    sitting.take("b1", "c2", "d2")
    assert is_right(sitting)
    assert sitting.table.state.position.second
    sitting.ask(BACK)
    assert len(sitting.cues("put")) == 5
    sitting.put(*sitting.cues("put"))
    assert is_right(sitting)


# Moves of several taps.


@pytest.fixture
def limbs(sit):
    """Orange on a1 and blue on c2, both bare; orange to move."""
    return sit(ToyLimbs(), presence=True)


def taking(sitting):
    """Bring an armed body of orange beside a bare one of blue: a1 and b2; orange to move."""
    sitting.take("a1")
    sitting.tap("choice1")
    sitting.put("a1")
    sitting.take("c2")
    sitting.put("b2")
    sitting.put("c2")
    assert moves(sitting) == ["/a1!", "c2-b2/+c2"]
    assert is_right(sitting)
    return sitting


@pytest.mark.parametrize("put_first", [False, True])
def test_a_limb_grows_on_a_body_that_is_lifted_for_it(limbs, put_first):
    assert limbs.prompts == ["table.to_lift_or_set"]
    limbs.take("a1")
    assert limbs.cue("a1") == "chosen"
    assert limbs.table.scene().keys["choice1"].cue.value == "legal"
    if put_first:
        limbs.put("a1")
        assert limbs.cue("a1") == "chosen"
    limbs.tap("choice1")
    assert moves(limbs) == ["/a1!"]
    if not put_first:
        assert limbs.cues("put") == ["a1"]
        limbs.put("a1")
    assert is_right(limbs)
    assert limbs.pieces["a1"] == "1b"


def test_a_move_with_growth_elsewhere_is_read_stone_by_stone(limbs):
    limbs.take("a1")
    limbs.put("a2")
    assert limbs.table.state.taps == ("a1", "a2")
    limbs.put("b3")
    assert moves(limbs) == ["a1-a2/+b3"]
    assert is_right(limbs)


def test_a_limb_grows_on_the_body_that_has_just_moved(limbs):
    limbs.take("a1")
    limbs.put("a2")
    limbs.take("a2")
    assert limbs.table.state.taps == ("a1", "a2", "a2")
    limbs.tap("choice1")
    limbs.put("a2")
    assert moves(limbs) == ["a1-a2/a2!"]
    assert is_right(limbs)


def test_an_enemy_is_lifted_before_or_after_what_takes_it_is_put_down(sit):
    sitting = taking(sit(ToyLimbs(), presence=True))
    sitting.take("a1")
    sitting.take("b2")
    assert sitting.table.state.taps == ("a1", "b2")
    sitting.put("b2")
    assert sitting.table.state.taps == ("a1", "b2"), "the other piece was put there"
    sitting.put("a2")
    assert moves(sitting)[-1] == "a1-b2/+a2"
    assert is_right(sitting)
    assert sitting.pieces == {"a2": "1a", "b2": "1b", "c2": "2a"}


def test_two_that_fall_together_are_both_lifted(sit):
    sitting = sit(ToyLimbs(), presence=True)
    sitting.take("a1")
    sitting.tap("choice1")
    sitting.put("a1")
    sitting.take("c2")
    sitting.put("b2")
    sitting.take("b2")
    sitting.tap("choice1")
    sitting.put("b2")
    sitting.put("a2")
    assert moves(sitting) == ["/a1!", "c2-b2/b2!", "/+a2"]
    sitting.take("b2")
    sitting.take("a1")
    assert moves(sitting)[-1] == "b2-a1/"
    assert sitting.stones == {"a2"}
    assert sitting.table.state.phase is Phase.OVER
    assert sitting.table.state.pending(ToyLimbs()) == ()


def test_another_piece_begins_anew_when_the_first_is_back(limbs):
    limbs.take("a1")
    limbs.put("a1")
    limbs.put("a2")
    assert moves(limbs) == ["/+a2"], "a1 had not moved"
    assert is_right(limbs)


def test_a_move_that_is_put_back_leaves_all_as_it_was(limbs):
    before = limbs.table.state
    limbs.take("a1")
    limbs.put("a2")
    limbs.take("a2")
    limbs.put("a1")
    assert limbs.table.state.taps == ()
    assert limbs.table.state == before
    assert moves(limbs) == []


def test_a_stone_that_fits_nowhere_ends_the_taps_and_waits_for_hands(limbs):
    limbs.take("a1")
    limbs.put("c1")
    assert limbs.table.state.taps == ()
    assert limbs.table.state.phase is Phase.EDIT
    limbs.take("c1")
    limbs.put("a1")
    assert is_right(limbs)


@pytest.mark.parametrize("order", [*permutations(("b3", "a2", "a1"))])
def test_a_move_of_several_taps_is_taken_back_by_hands_in_any_order(limbs, order):
    limbs.take("a1")
    limbs.put("a2")
    limbs.put("b3")
    limbs.wait(5.0)
    for cell in order:
        stand(limbs, *(limbs.stones ^ {cell}))
    assert moves(limbs) == []
    assert is_right(limbs)


def test_a_limb_below_what_hands_take_back_is_asked_off_again(limbs):
    limbs.take("a1")
    limbs.tap("choice1")
    limbs.put("a1")
    limbs.put("b3")
    assert moves(limbs) == ["/a1!", "/+b3"]
    limbs.ask(BACK, BACK)
    assert (limbs.cues("swap"), limbs.cues("remove")) == (["a1"], ["b3"])
    limbs.take("b3")
    limbs.take("a1")
    limbs.put("a1")
    assert is_right(limbs)


def test_a_piece_that_grew_and_was_not_touched_since_belongs_to_no_earlier_position(limbs):
    # Without its limb c2 stood on the same cells when a2 was not there yet.
    limbs.put("a2")
    limbs.take("c2")
    limbs.tap("choice1")
    limbs.put("c2")
    limbs.take("a1")
    limbs.tap("choice1")
    limbs.put("a1")
    limbs.wait(5.0)
    limbs.take("a2")
    assert moves(limbs) == ["/+a2", "/c2!", "/a1!"]
    assert limbs.cues("put") == ["a2"]
    limbs.put("a2")
    assert is_right(limbs)


def test_a_masked_cell_is_touched_by_the_key_in_the_midst_of_a_move(limbs):
    limbs.mask("a2")
    limbs.take("a1")
    assert limbs.table.state.cursor == "a2"
    limbs.ask(Command.TOUCH_CELL)
    assert limbs.table.state.taps == ("a1", "a2")
    limbs.put("b3")
    assert moves(limbs) == ["a1-a2/+b3"]
    assert limbs.pieces["a2"] == "1a"
    assert is_right(limbs)


def test_a_body_may_grow_where_one_stood_that_went_to_a_masked_cell(limbs):
    limbs.mask("a2")
    limbs.take("a1")
    limbs.ask(Command.TOUCH_CELL)
    limbs.put("a1")
    assert moves(limbs) == ["a1-a2/+a1"]
    assert is_right(limbs)


def test_the_computers_move_of_several_taps_is_made_for_it_stone_by_stone(limbs):
    limbs.oppose("1", "")
    limbs.think("a1-a2/a2!")
    assert limbs.cues("proposed") == ["a1"]
    limbs.take("a1")
    assert limbs.cues("proposed") == ["a2"]
    limbs.put("a2")
    assert limbs.cues("proposed") == ["a2"]
    limbs.take("a2")
    assert limbs.prompts == ["table.wants_key"]
    limbs.tap("choice1")
    limbs.put("a2")
    assert moves(limbs) == ["a1-a2/a2!"]
    assert is_right(limbs)


def test_what_the_computer_does_not_want_is_put_back(limbs):
    limbs.oppose("1", "")
    limbs.think("a1-a2/a2!")
    limbs.take("a1")
    limbs.put("b2")
    assert moves(limbs) == []
    assert limbs.table.state.taps == ()
    stand(limbs, "a1", "c2")
    limbs.take("a1")
    assert limbs.table.state.taps == ("a1",)


def test_a_turn_that_was_taken_back_is_right_after_a_restart():
    sitting = Sitting(find_game("azteka"), {"first": "1"}, True)
    hand = Hand(sitting, True, Random(12))
    for move in ("f2", "d1", "T3", "d2", "e2", "T2"):
        hand.make(move)
    sitting.wait(2)
    sitting.ask(Command.TAKE_BACK)
    hand.bring_right()
    resumed = sitting.restarted()
    assert (resumed.state.phase, resumed.state.standing) == (
        Phase.TAP,
        sitting.table.state.standing,
    )
