"""Learning any wiring, whatever goes wrong on the way, and drafts that are stopped and resumed."""

import json
import re
from dataclasses import replace
from itertools import groupby
from random import Random
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.learning import DraftError, Learner, LearnStep, Lit, merged
from hal.learning.learner import LONG_S
from hal.profile import Chip, Electrode, built_in
from hal.profile.writer import check
from hal.sim.backend import scrambled
from tests.helpers.boards.profiles import board_named
from tests.helpers.boards.true_board import (
    CELLS,
    Person,
    TrueBoard,
    electrodes,
    meet,
    names,
    reach,
    small,
)


@pytest.mark.parametrize("name", ["hexagon-61", "hexagon-61-mux", "disc-32", "rectangle-88"])
def test_learner_finds_how_a_board_is_wired_at_random(name):
    person = meet(2, board_named(name))
    person.learn()
    assert person.learner.profile() == person.board.profile
    assert person.learner.report() == ()


@pytest.mark.parametrize("name", ["hexagon-37", "hexagon-61", "disc-32", "rectangle-88"])
def test_learner_finds_a_board_that_is_wired_as_the_template_with_few_answers(name):
    template = built_in(name)
    person = Person(Learner(template, template.chips), TrueBoard(template))
    person.learn()
    assert person.learner.profile() == template
    answers = len(json.loads(person.learner.to_json())["journal"])
    # A touch for each pixel and one for each name, a yes for each group of lights, a no or a touch
    # for each key, the end.
    assert answers == 2 * len(template.cells) + len(template.lights) + len(template.keys) + 1


def test_learner_leaves_cells_over_dead_pixels_without_light():
    template = built_in("disc-32")
    dead = frozenset(Random(1).sample(range(template.pixel_count), 5))
    person = meet(1, template, dead=dead)
    person.learn()
    learned, expected = person.learner.profile(), person.board.expected()
    assert learned.cells == expected.cells
    assert learned.lights == expected.lights
    alive = {spot: pixel for spot, pixel in expected.pixels.items() if pixel not in dead}
    assert {spot: p for spot, p in learned.pixels.items() if p not in dead} == alive
    # Dead lights cannot be told apart, but each gets some dead pixel.
    assert learned.pixels.keys() == expected.pixels.keys()
    assert any("dead" in line for line in person.learner.report())
    unlit = next(cell for cell in learned.cells if cell not in learned.pixels)
    assert any(unlit in line and "no pixel" in line for line in person.learner.report())


def test_learner_reports_cells_that_do_not_answer_and_asks_again_when_they_are_mended():
    template = built_in("disc-32")
    true = scrambled(template, Random(5))
    person = meet(5, template, broken=electrodes(true, ["b2", "g4"]))
    person.learn()
    assert not person.learner.draft.ended
    assert "write" not in names(person)
    assert "b2 and g4 did not answer" in person.learner.ask().message
    assert person.learner.report() == ("b2 and g4: no electrode; the profile is not complete",)
    with pytest.raises(DraftError, match="b2 has no electrode"):
        person.learner.profile()
    person.board.broken = frozenset()
    person.say("again")
    person.learn()
    assert person.learner.profile() == true


def test_learner_refuses_two_electrodes_for_a_cell_and_lets_it_be_skipped():
    template = small()
    true = scrambled(template, Random(8))
    used = {*true.cells.values(), *true.keys.values()}
    spare = next(pad for n in range(12) if (pad := Electrode("B", n)) not in used)
    person = reach(meet(8, template), LearnStep.NAME)
    person.board.joined = (frozenset({true.cells["a1"], spare}),)
    person.learn(lambda ask: ask.cell == "a1")
    before = person.learner.to_json()
    person.touch("a1")
    both = " and ".join(sorted(map(str, person.board.joined[0])))
    shown = f"Electrodes {both} answered together: a short, crosstalk, or more than one finger."
    assert person.ask().message == f"{shown} Touch again. Touch a1."
    assert (person.ask().cell, person.learner.to_json()) == ("a1", before)
    person.learn()
    assert "a1 did not answer, so there can be no profile yet" in person.ask().message
    person.board.joined = ()
    person.say("again")
    person.learn()
    assert person.learner.profile() == true


def test_learner_takes_one_answer_until_all_fingers_are_lifted_and_names_tries_at_the_end():
    person = reach(meet(), LearnStep.NAME)
    fingers = person.board.fingers
    for spot in ("a1", "a2", "a1"):  # while one finger touches, another one answers nothing
        fingers ^= {spot}
        person.wait(0.14)
        assert person.ask().message.endswith("Lift your finger.")
    fingers.clear()
    person.wait(0.14)
    assert list(person.learner.draft.named) == ["a1"]
    person.touch("a2")
    assert list(person.learner.draft.named) == ["a1", "a2"]
    reach(person, LearnStep.DONE)
    fingers |= {"a1", "ring"}
    person.wait(0.14)
    ask = person.ask()
    assert re.search(r"This is (a1 and ring|ring and a1)\.$", ask.message)
    assert ask.lit == {person.board.profile.pixels["a1"]: Lit.ANSWER}


def test_learner_ignores_what_is_touched_all_the_time_and_names_it():
    person = meet(4, stuck=frozenset({Electrode("B", 7)}))
    person.wait(1.0)
    assert person.ask().message == "Lift your finger."
    person.wait(5.0)
    shown = "Electrode B.7 is touched all the time: ignored. Pixel 0 glows: touch its cell."
    assert person.ask().message == shown
    person.learn()
    assert person.learner.profile() == person.board.profile
    assert "electrodes B.7: touched all the time" in person.learner.report()
    person.board.stuck = frozenset()
    person.wait(1.0)
    assert person.learner.report() == ()
    # A board may report later what is stuck.
    person = Person(Learner(small(), small().chips), TrueBoard(small()))
    person.wait(0.3)
    person.board.stuck = frozenset({Electrode("B", 7)})
    person.wait(LONG_S + 1.0)
    assert not person.learner.started


def test_learner_asks_again_for_what_an_electrode_answered_for_before():
    person = meet(2)
    person.learn(lambda ask: len(person.learner.draft.glows) == 1)
    (pixel, pad), *_ = person.learner.draft.glows.items()
    person.touch(next(cell for cell, each in person.board.profile.cells.items() if each == pad))
    assert f"It answered for pixel {pixel} before" in person.ask().message
    assert person.ask().lit == {pixel: Lit.ASKED}
    person.say("back")
    reach(person, LearnStep.NAME)
    first = person.ask().cell
    wrong = next(cell for cell in reversed(CELLS) if cell != first)
    person.touch(wrong)
    person.learn(lambda ask: ask.cell == wrong)
    person.touch(wrong)
    pad = person.board.profile.cells[wrong]
    shown = f"{wrong} is electrode {pad}, .* It answered for cell {first} before, which is asked"
    assert re.match(shown, person.ask().message)
    assert person.ask().cell == first
    person.learn(lambda ask: ask.step is LearnStep.KEY)
    person.learn(lambda ask: "key ring" in ask.message)
    person.touch(wrong)
    assert f"Key ring is electrode {pad}. It answered for cell {wrong}" in person.ask().message
    assert person.ask().cell == wrong
    person.touch(wrong)
    assert "It answered for key ring before" in person.ask().message
    person.learn()
    assert person.learner.profile() == person.board.profile


def test_learner_goes_back_to_its_first_question_and_learns_the_same_again():
    person = meet(3)
    asked = []
    person.learn(lambda ask: asked.append(ask) or False)
    assert not person.learner.act("back")
    person = meet(3)
    person.learn(lambda ask: ask.step is LearnStep.DONE)
    questions = [person.ask()]
    while "back" in names(person):
        person.say("back")
        questions.append(person.ask())
    assert not person.learner.started
    lit = [(each.cell, each.lit) for each in reversed(questions)]
    answered = [(each.cell, each.lit) for each in asked if "Lift" not in each.message]
    assert [each for each, _ in groupby(lit)] == [each for each, _ in groupby(answered[:-1])]
    person.learn()
    assert person.learner.profile() == person.board.profile


def resumed_from(text, template, chips):
    learner = Learner(template, chips)
    learner.resume(text)
    return learner


_CHANCE = st.sampled_from(
    [*range(8), "a1", "a2", "b1", "b2", "ring", "spare", ("a1", "b2"), ("a2", "spare")]
)


@settings(max_examples=60)
@given(st.lists(_CHANCE, max_size=60), st.integers(0, 5))
def test_learner_makes_sense_of_any_answers_and_of_stopping_at_any_point(chances, seed):
    template = small()
    true = scrambled(template, Random(seed))
    taken = {*true.cells.values(), *true.keys.values()}
    spare = next(e for e in (Electrode("B", n) for n in range(12)) if e not in taken)
    board = TrueBoard(replace(true, keys={**true.keys, "spare": spare}))
    person = Person(Learner(template, true.chips), board)
    before = person.learner.to_json()
    assert not any(map(person.learner.act, ("write", "yes", "back", "A.3", "nonsense")))
    assert person.learner.to_json() == before
    for chance in chances:
        if isinstance(chance, int):
            offered = names(person)
            if offered:
                person.say(offered[chance % len(offered)])
        else:
            person.touch(*([chance] if isinstance(chance, str) else chance))
        learner = person.learner
        draft = learner.draft
        resumed = resumed_from(learner.to_json(), template, true.chips)
        assert resumed.draft == replace(draft, note=resumed.draft.note)
        pads = [*draft.named.values(), *draft.keys.values()]
        assert len(set(pads)) == len(pads)
        assert len(set(draft.glows.values())) == len(draft.glows)
        lights = [pixel for pixels in draft.lights.values() for pixel in pixels]
        assert len(set(lights)) == len(lights)
        assert not set(lights) & set(draft.cell_pixels().values())
        if draft.ended:
            check(learner.profile())
            return


WRONG_DRAFTS = {
    "no JSON": lambda what: "{",
    "other version": lambda what: json.dumps({**what, "version": 1}),
    "journal without sense": lambda what: json.dumps({**what, "journal": ["write"]}),
    "electrode of no chip": lambda what: json.dumps({**what, "journal": ["Z.1"]}),
    "chip of words": lambda what: json.dumps({**what, "chips": [{"name": "A", "bus": "x"}]}),
    "deep": lambda what: "[" * 100_000,
    "other board": lambda what: json.dumps({**what, "wires": "another"}),
}


@pytest.mark.parametrize("case", WRONG_DRAFTS)
def test_learner_refuses_a_draft_that_makes_no_sense_in_one_line(case):
    template = small()
    what = json.loads(Learner(template, template.chips).to_json())
    with pytest.raises(DraftError, match="draft") as refused:
        resumed_from(WRONG_DRAFTS[case](what), template, template.chips)
    assert "\n" not in str(refused.value)


def test_learner_names_found_chips_by_place_and_new_ones_with_free_letters():
    known = [Chip("C", 1, 0x5A), Chip("A", 1, 0x5B)]
    found = [Chip("A", 1, 0x5A), Chip("B", 1, 0x5C), Chip("C", 3, 0x5A, 0x70, 2)]
    assert merged(known, found) == (*known, Chip("B", 1, 0x5C), Chip("D", 3, 0x5A, 0x70, 2))
    template = small()
    draft = Learner(template, template.chips).to_json()
    found = [Chip("A", 0, 0x5A), Chip("B", 1, 0x5A), Chip("C", 3, 0x5B)]
    assert resumed_from(draft, template, found).chips == (*template.chips, Chip("C", 0, 0x5A))


def lights_of(dead: frozenset[int] = frozenset(), **shuffled: list[int]) -> Person:
    """A board wired as the template, except for groups of lights with these pixels."""
    template = small()
    pixels = dict(template.pixels)
    for group, numbers in shuffled.items():
        pixels.update((f"{group}.{place}", pixel) for place, pixel in enumerate(numbers))
    board = TrueBoard(replace(template, pixels=MappingProxyType(pixels)), dead=dead)
    person = Person(Learner(template, template.chips), board)
    return reach(person, LearnStep.GROUP)


def test_learner_shows_the_next_pixels_as_a_group_that_runs_from_its_first():
    person = lights_of(dead=frozenset({5}))
    assert person.ask().lit == {4: Lit.ASKED, 5: Lit.NEXT, 6: Lit.NEXT}
    assert list(person.ask().lit) == [4, 5, 6]
    assert names(person) == ["yes", "one", "reverse", "turn", "no", "absent", "back"]
    person.say("yes")
    assert person.ask().lit == {7: Lit.ASKED, 8: Lit.NEXT}
    assert names(person) == ["yes", "one", "reverse", "no", "absent", "back"]
    person.say("one")
    assert person.ask().lit == {7: Lit.ANSWER, 8: Lit.ASKED}
    assert names(person) == ["yes", "no", "absent", "back"]
    assert person.ask().message == "Is this light 2 of 2 of bar?"
    person.say("yes")
    assert person.ask().lit == {9: Lit.ASKED}
    person.learn()
    assert person.learner.profile() == small()


def test_learner_takes_no_pixel_for_a_light_that_may_be_a_cells():
    person = Person(Learner(small(), small().chips), TrueBoard(small()))
    person.learn(lambda ask: ask.cell == "a2")
    person.say("skip")
    assert list(reach(person, LearnStep.GROUP).ask().lit) == [4, 5, 6]


def test_learner_shows_the_lights_of_the_template_first_if_the_cells_are_wired_as_there():
    template = built_in("hexagon-61")
    # The strip passes the cells in the template's order, then the groups of lights.
    lights = [spot for spot in template.pixels if spot not in template.cells]
    pixels = {**template.pixels, **{spot: 61 + n for n, spot in enumerate(lights)}}
    board = TrueBoard(replace(template, pixels=MappingProxyType(pixels)))
    person = Person(Learner(template, template.chips), board)
    reach(person, LearnStep.GROUP)
    assert list(person.ask().lit) == [template.pixels[f"circle.{n}"] for n in range(12)]
    person.say("no")
    assert list(person.ask().lit) == list(range(61, 73))
    person.learn()
    assert person.learner.profile() == board.profile


@pytest.mark.parametrize(
    ("circle", "said"),
    [
        ([6, 5, 4], ["reverse", "yes"]),
        ([6, 4, 5], ["turn", "turn", "yes"]),
        ([9, 8, 7], ["no", "reverse", "yes"]),
        ([8, 5, 9], ["no", "turn", "one", "no", "reverse", "one", "no", "no", "yes"]),
    ],
)
def test_learner_finds_the_lights_of_a_group_in_any_order(circle, said):
    others = [pixel for pixel in range(4, 10) if pixel not in circle]
    person = lights_of(circle=circle, bar=others[:2], turn=others[2:])
    for name in said:
        assert person.learner.draft.groups_open[0] == "circle"
        person.say(name)
    assert person.learner.draft.lights["circle"] == tuple(circle)
    person.learn()
    assert person.learner.profile() == person.board.profile


def test_learner_takes_a_group_that_has_fewer_lights():
    person = lights_of()
    person.say("one")
    assert person.learner.draft.shown == (5, 6, 7, 8, 9)
    person.say("one")
    person.say("absent")
    assert person.learner.draft.lights["circle"] == (4, 5)
    person.say("absent")
    person.learn(lambda ask: ask.step is LearnStep.DONE)
    assert person.learner.report() == ("lights circle: 2 of 3", "lights bar: 0 of 2")
    person.say("write")
    assert dict(person.learner.profile().lights) == {"circle": 2, "turn": 1}
