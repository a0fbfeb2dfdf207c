"""A board as it is truly wired, with its faults, and a person who teaches it.

The person knows the board by eye and finger alone: which pixel glows, and where a name is.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Any

from hal.learning import Learner, LearnStep, Lit, Prompt
from hal.profile import Chip, Electrode, Pin, Profile, built_in
from hal.sim.backend import scrambled

STEP_S = 0.02

CELLS = ("a1", "a2", "b1", "b2")
LIGHTS = {"circle": 3, "bar": 2, "turn": 1}


@dataclass
class TrueBoard:
    """How fingers act on electrodes. `joined` ones answer together; `broken` ones never do."""

    profile: Profile
    dead: frozenset[int] = frozenset()
    broken: frozenset[Electrode] = frozenset()
    joined: tuple[frozenset[Electrode], ...] = ()
    stuck: frozenset[Electrode] = frozenset()
    fingers: set[str] = field(default_factory=set)

    def pads(self) -> frozenset[Electrode]:
        places = {**self.profile.cells, **self.profile.keys}
        touched = {places[spot] for spot in self.fingers}
        for group in self.joined:
            if touched & group:
                touched |= group
        return frozenset((touched | self.stuck) - self.broken)

    def expected(self) -> Profile:
        """Return the profile that learning should find: cells over dead pixels have no light."""
        pixels = {
            spot: pixel
            for spot, pixel in self.profile.pixels.items()
            if pixel not in self.dead or spot not in self.profile.cells
        }
        return replace(self.profile, pixels=MappingProxyType(pixels))


class Person:
    """Answers what a learner asks, by touch and choice, on a clock of the test's own.

    `watch` is called after everything that taught the learner something. It may return another
    learner, with which the person continues.
    """

    def __init__(
        self,
        learner: Learner,
        board: TrueBoard,
        watch: Callable[[Learner], Learner | None] = lambda learner: None,
    ) -> None:
        self.learner = learner
        self.board = board
        self.now = 1000.0
        self.said: list[str] = []
        self._watch = watch
        self._spots = {pixel: spot for spot, pixel in board.profile.pixels.items()}

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.now += STEP_S
            if self.learner.sense(self.now, self.board.pads()):
                self._learned()

    def touch(self, *spots: str) -> None:
        """Touch all of them together, and lift."""
        self.board.fingers.update(spots)
        self.wait(0.14)
        self.board.fingers.difference_update(spots)
        self.wait(0.2)

    def say(self, choice: str) -> None:
        assert self.learner.act(choice), f"{choice} is not offered: {self.learner.ask()}"
        self._learned()

    def ask(self) -> Prompt:
        ask = self.learner.ask()
        keys = [choice.key for choice in ask.choices.values()]
        assert len({*keys, "q"}) == len(keys) + 1, "they differ, and from the one that stops"
        if not self.said or self.said[-1] != ask.message:
            self.said.append(ask.message)
        return ask

    def answer(self) -> None:
        """Answer the present question as well as it can be answered."""
        ask = self.ask()
        asked = [spot for spot, why in self.see(ask).items() if why is Lit.ASKED]
        match ask.step:
            case LearnStep.GLOW:
                if not asked:
                    self.say("dead")
                elif asked[0] not in self.board.profile.cells:
                    self.say("light")
                elif not self._touched(asked[0]):
                    self.say("silent")
            case LearnStep.NAME:
                assert ask.cell is not None
                if not self._touched(ask.cell):
                    self.say("skip")
            case LearnStep.GROUP:
                self.say(self._judged(ask))
            case LearnStep.KEY:
                (key,) = self._named(ask, r"the key (\w+)")
                pad = isinstance(self.board.profile.keys[key], Electrode)
                if not pad or not self._touched(key):
                    self.say("pin")
            case LearnStep.DONE:
                self.say("write")

    def learn(self, until: Callable[[Prompt], bool] = lambda ask: False) -> None:
        """Answer questions until the board is learned, or until a question of some kind."""
        for _ in range(20_000):
            ask = self.ask()
            if self.learner.draft.ended or until(ask):
                return
            if ask.step is LearnStep.DONE and "write" not in ask.choices:
                return
            self.answer()
        raise AssertionError(f"no end: {ask}")

    def see(self, ask: Prompt) -> Mapping[str, Lit]:
        """Return what glows; dead pixels do not."""
        lit = {pixel: why for pixel, why in ask.lit.items() if pixel not in self.board.dead}
        return {self._spots.get(pixel, ""): why for pixel, why in lit.items()}

    def _learned(self) -> None:
        self.ask()
        other = self._watch(self.learner)
        if other is not None:
            self.learner = other

    def _judged(self, ask: Prompt) -> str:
        """Say which of the pixels that are shown for a group are its next lights."""
        first, group = self._named(ask, r"lights? (\d+) .*of (\w+)[,?]")
        pixels, draft = self.board.profile.pixels, self.learner.draft
        places = range(int(first) - 1, self.board.profile.lights[group])
        right = self._look(pixels[f"{group}.{place}"] for place in places)
        run = self._look(pixel for pixel, why in ask.lit.items() if why is not Lit.ANSWER)
        if right[0] not in self._look(draft.shown):
            return "absent"
        return judged(run, right)

    def _look(self, pixels: Iterable[int]) -> list[int]:
        """Return how pixels look: dead ones alike."""
        return [-1 if pixel in self.board.dead else pixel for pixel in pixels]

    def _named(self, ask: Prompt, pattern: str) -> tuple[str, ...]:
        """Return what a question names."""
        found = re.search(pattern, ask.message)
        assert found, ask.message
        return found.groups()

    def _touched(self, spot: str) -> bool:
        """Touch a spot; return whether the learner noticed."""
        before = self.learner.to_json()
        self.touch(spot)
        return self.learner.to_json() != before


def judged(run: list[Any], right: list[Any]) -> str:
    """Choose the answer to a run of pixels that is shown for a group's next lights."""
    if run == right:
        return "yes"
    if run[0] == right[0]:
        return "one" if len(run) > 1 else "yes"
    if right[0] in run:
        return "turn" if len(run) > 2 else "reverse"
    return "no"


def electrodes(profile: Profile, spots: Iterable[str]) -> frozenset[Electrode]:
    """Return the electrodes of cells and keys."""
    places = {**profile.cells, **profile.keys}
    return frozenset(places[spot] for spot in spots)


def small() -> Profile:
    """A board of four cells, six lights and two keys, one of them a pad."""
    spots = [*CELLS, *(f"{group}.{n}" for group, count in LIGHTS.items() for n in range(count))]
    whole = built_in("disc-32")
    return replace(
        whole,
        name="small",
        chips=(Chip("A", 1, 0x5A), Chip("B", 3, 0x5B)),
        cells=MappingProxyType({cell: Electrode("A", n) for n, cell in enumerate(CELLS)}),
        pixels=MappingProxyType({spot: pixel for pixel, spot in enumerate(spots)}),
        strip=replace(whole.strip, pixels=len(spots)),
        keys=MappingProxyType({"new_game": Pin(17), "ring": Electrode("A", 11)}),
        lights=MappingProxyType(LIGHTS),
    )


def meet(seed: int = 1, template: Profile | None = None, **broken: object) -> Person:
    """Let a person begin to teach a board that is wired at random."""
    template = template or small()
    board = TrueBoard(scrambled(template, Random(seed)), **broken)  # type: ignore[arg-type]
    return Person(Learner(template, board.profile.chips), board)


def reach(person: Person, step: LearnStep) -> Person:
    person.learn(lambda ask: ask.step is step)
    assert person.ask().step is step
    return person


def names(person: Person) -> list[str]:
    return list(person.learner.ask().choices)
