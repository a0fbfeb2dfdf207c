"""The lights beside the cells: found as groups, one by one, with dead ones among them."""

from dataclasses import replace
from types import MappingProxyType

import pytest

from hal.learning import Learner, Lit, Step
from hal.profile import Profile, built_in
from tests.helpers.boards.true_board import Person, TrueBoard, names, reach, small


def lights_of(**shuffled: list[int]) -> Person:
    """A board wired as the template, except for groups of lights with these pixels."""
    template = small()
    pixels = dict(template.pixels)
    for group, numbers in shuffled.items():
        pixels.update((f"{group}.{place}", pixel) for place, pixel in enumerate(numbers))
    board = TrueBoard(replace(template, pixels=MappingProxyType(pixels)))
    person = Person(Learner(template, template.chips), board)
    person.begin()
    return reach(person, Step.GROUP)


def test_learner_shows_the_next_pixels_as_a_group_that_runs_from_its_first():
    person = lights_of()
    assert person.ask().lit == {4: Lit.FIRST, 5: Lit.NEXT, 6: Lit.NEXT}
    assert list(person.ask().lit) == [4, 5, 6]
    assert names(person) == ["yes", "reverse", "turn", "one", "absent", "back"]
    person.say("yes")
    assert person.ask().lit == {7: Lit.FIRST, 8: Lit.NEXT}
    person.say("yes")
    assert person.ask().lit == {9: Lit.ASKED}
    assert names(person) == ["yes", "one", "absent", "back"]


def untouched(*cells: str, dead: frozenset[int] = frozenset()) -> Person:
    """A board wired as the template, at the question for its lights; these cells were skipped."""
    template = small()
    person = Person(Learner(template, template.chips), TrueBoard(template, dead=dead))
    person.begin()
    while person.ask().step is not Step.GROUP:
        if person.ask().cell in cells:
            person.say("skip")
        else:
            person.answer()
    return person


def test_learner_takes_no_pixel_for_a_light_that_may_be_a_cells():
    assert list(untouched("a2").ask().lit) == [4, 5, 6]


def test_learner_takes_a_dead_pixel_for_a_light_when_all_cells_have_one():
    person = untouched(dead=frozenset({5}))
    assert list(person.ask().lit) == [4, 5, 6]
    person.learn()
    assert person.learner.profile() == small()


def test_learner_shows_all_pixels_that_are_left_when_every_cell_has_one():
    template = small()
    person = Person(Learner(template, template.chips), TrueBoard(template, dead=frozenset({5})))
    person.begin()
    reach(person, Step.REST)
    assert person.ask().lit == dict.fromkeys(range(4, 10), Lit.ASKED)
    assert "Do the other 6 glow" in person.ask().message
    before = person.learner.to_json()
    person.touch("ring")
    assert person.learner.to_json() == before
    person.say("one")
    for pixel in range(4, 10):
        assert person.ask().lit == {pixel: Lit.ASKED}
        person.answer()
    assert person.learner.draft.dead == {5}
    while person.ask().step is Step.NAME:
        person.say("skip")
    person.learn(lambda ask: ask.step is Step.DONE)
    person.say("again")
    assert person.learner.draft.rest is None


def test_learner_shows_the_lights_of_the_template_first_if_the_cells_are_wired_as_there():
    template = built_in("hexagon-61")
    board = TrueBoard(replace(template, pixels=MappingProxyType(in_order(template))))
    person = Person(Learner(template, template.chips), board)
    person.begin()
    reach(person, Step.GROUP)
    assert list(person.ask().lit) == [template.pixels[f"circle.{n}"] for n in range(12)]
    assert "no, show others" in person.ask().choices.values()
    person.say("one")
    assert list(person.ask().lit) == list(range(61, 73))
    person.learn()
    assert person.learner.profile() == board.profile


def in_order(template: Profile) -> dict[str, int]:
    """Pixels of a strip that passes the template's cells in order, then the groups of lights."""
    lights = [spot for spot in template.pixels if spot not in template.cells]
    return {**template.pixels, **{spot: 61 + n for n, spot in enumerate(lights)}}


@pytest.mark.parametrize(
    ("circle", "said"), [([6, 5, 4], ["reverse", "yes"]), ([6, 4, 5], ["turn", "turn", "yes"])]
)
def test_learner_turns_a_group_round_or_begins_it_further_on(circle, said):
    person = lights_of(circle=circle)
    for name in said:
        person.say(name)
    person.learn()
    assert person.learner.profile() == person.board.profile


def test_learner_asks_for_lights_in_the_direction_of_those_before():
    person = lights_of(circle=[9, 8, 7], bar=[4, 5], turn=[6])
    person.say("one")
    person.learn(lambda ask: "light 3 of 3" in ask.message)
    assert Lit.ASKED in person.ask().lit.values()
    assert [pixel for pixel, why in person.ask().lit.items() if why is Lit.ASKED] == [7]
    person.learn()
    assert person.learner.profile() == person.board.profile


def test_learner_asks_once_more_when_no_pixel_is_the_light():
    person = lights_of()
    person.say("one")
    while "Once more" not in person.ask().message:
        person.say("no")
    person.say("absent")
    person.learn()
    assert person.learner.profile() == replace(
        person.board.profile,
        lights=MappingProxyType({"bar": 2, "turn": 1}),
        pixels=person.learner.profile().pixels,
    )
    assert "lights circle: 0 of 3" in person.learner.report()


def test_learner_takes_a_group_that_has_fewer_lights():
    person = lights_of()
    person.say("one")
    person.say("yes")
    person.say("yes")
    assert not {4, 5} & set(person.learner.draft.among)
    person.say("enough")
    assert person.learner.draft.lights["circle"] == (4, 5)
    person.learn(lambda ask: ask.step is Step.DONE)
    assert "lights circle: 2 of 3" in person.learner.report()
