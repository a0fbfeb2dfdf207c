"""Drafts of a wiring: undone, stopped and resumed anywhere, and parts of a board redone."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.learning import DraftError, Learner, Step, merged
from hal.profile import Chip, Electrode
from hal.profile.writer import check
from hal.sim.backend import scrambled
from tests.helpers.boards.true_board import Person, TrueBoard, meet, names, small


def resumed_from(text, *arguments, **named):
    learner = Learner(*arguments, **named)
    learner.resume(text)
    return learner


def test_learner_refuses_what_is_not_offered_and_stays_as_it_was():
    person = meet()
    before = person.learner.to_json()
    for name in ("write", "yes", "new", "back", "ignore", "first", "nonsense"):
        assert not person.learner.act(name)
    assert person.learner.to_json() == before


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
    person.begin()
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
        assert resumed.draft == draft
        pads = [*draft.named.values(), *draft.keys.values()]
        assert len(set(pads)) == len(pads)
        assert len(set(draft.glows.values())) == len(draft.glows)
        lights = [pixel for pixels in draft.lights.values() for pixel in pixels]
        assert len(set(lights)) == len(lights)
        if draft.step is not Step.GROUP:
            assert not set(lights) & set(draft.cell_pixels().values())
        assert draft.named.keys().isdisjoint(draft.unwired)
        if draft.ended:
            check(learner.profile())
            return


WRONG_DRAFTS = {
    "no JSON": lambda what: "{",
    "other version": lambda what: json.dumps({**what, "version": 1}),
    "journal without sense": lambda what: json.dumps({**what, "journal": [{"said": "write"}]}),
    "electrode of no chip": lambda what: json.dumps({**what, "journal": [{"heard": ["Z.1"]}]}),
    "chip of words": lambda what: json.dumps({**what, "chips": [["A", "x", 1, None, None]]}),
    "deep": lambda what: "[" * 100_000,
    "other board": lambda what: json.dumps({**what, "board": {**what["board"], "pixels": 3}}),
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
    assert merged(known, found) == (
        *known,
        Chip("B", 1, 0x5C),
        Chip("D", 3, 0x5A, 0x70, 2),
    )


def test_learner_resumed_with_one_chip_more_keeps_the_names():
    template = small()
    learner = Learner(template, template.chips)
    found = [Chip("A", 0, 0x5A), Chip("B", 1, 0x5A), Chip("C", 3, 0x5B)]
    resumed = resumed_from(learner.to_json(), template, found)
    assert resumed.chips == (*template.chips, Chip("C", 0, 0x5A))
