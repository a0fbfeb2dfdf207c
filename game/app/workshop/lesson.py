"""One lesson: the learner asks, the board glows and feels, and page and terminal show and answer.

Owns the step that joins them, and how a question looks: which glow each pixel has, what stands on
the sheet and what is typed for a choice. Must not know how the board was opened.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol

from game.app.workshop.workshop import Action, CellNote, Sheet
from hal.backend import Sensed
from hal.colour import WHITE, Colour
from hal.faults import Fault
from hal.learning.learner import Ask, Draft, Learner, Lit, Step, pad_name
from hal.light import Frame, Glow, Layer, compose, correct
from hal.profile import Electrode, Profile
from hal.rhythm import Rhythm

LISTEN_EVERY_S = 0.02

TITLES = {
    Step.GLOW: "Learn the pixels: touch the cell that glows",
    Step.REST: "Learn the pixels: look at those that are left",
    Step.NAME: "Learn the names: touch the cell that is named",
    Step.GROUP: "Learn the lights beside the cells",
    Step.PLACE: "Learn the lights beside the cells",
    Step.KEY: "Learn the keys",
    Step.DONE: "Learnt",
}

# Told apart without colours: their order on the wire may be wrong as yet.
GLOWS = {
    Lit.ASKED: Glow(WHITE),
    Lit.FIRST: Glow(WHITE),
    Lit.NEXT: Glow(WHITE, Rhythm.RUN),
    Lit.ANSWER: Glow(Colour(60, 255, 90)),
    Lit.OTHER: Glow(WHITE, Rhythm.PULSE),
}

# What is typed. No two that are offered together may be the same, and those that answer one kind of
# question after another in a row must not go on to answer the next kind.
KEYS = {
    "light": "l",
    "rest": "r",
    "dead": "d",
    "silent": "c",
    "skip": "s",
    "yes": "y",
    "no": "n",
    "reverse": "r",
    "turn": "t",
    "one": "o",
    "dark": "d",
    "enough": "e",
    "absent": "x",
    "pin": "p",
    "pins": "a",
    "new": "n",
    "old": "o",
    "first": "1",
    "second": "2",
    "write": "w",
    "again": "a",
    "back": "b",
    "ignore": "i",
}
STOP = Action("stop", "stop for now", "q")


def glows(ask: Ask) -> Layer:
    """Give the glow of each pixel that a question lights, by its number as a text."""
    glowing = {str(pixel): GLOWS[lit] for pixel, lit in ask.lit.items()}
    run = [pixel for pixel, lit in ask.lit.items() if lit is Lit.NEXT]
    for place, pixel in enumerate(run):
        glowing[str(pixel)] = replace(GLOWS[Lit.NEXT], phase=place / len(run))
    return glowing


def lights(ask: Ask) -> Mapping[int, CellNote]:
    """Say what stands at each pixel that a question lights, where the page shows the light too.

    Lights that have an order are numbered in it.
    """
    shown = {pixel: CellNote("*", "asked") for pixel in ask.lit}
    if ask.step in (Step.GROUP, Step.PLACE):
        ordered = [pixel for pixel, lit in ask.lit.items() if lit is not Lit.ASKED]
        for place, pixel in enumerate(ordered, start=1):
            state = "done" if ask.lit[pixel] is Lit.ANSWER else "asked"
            shown[pixel] = CellNote(str(place), state)
    return shown


class Board(Protocol):
    """Name what is used of a wired backend."""

    def sense(self, now: float) -> Sensed:
        """Let the board go on, and give what is wrong with it."""
        ...

    def pads(self, now: float) -> frozenset[Electrode]:
        """Give all electrodes that are touched."""
        ...

    def light(self, frame: Frame) -> None:
        """Show final pixel levels."""
        ...

    def wait(self, timeout_s: float | None) -> None:
        """Sleep until something may have changed, or the time-out."""
        ...


class Bench(Protocol):
    """Name what is used of a workshop."""

    def show(self, sheet: Sheet) -> None:
        """Show a sheet from now on."""
        ...

    def asked(self) -> str | None:
        """Give the name of the next action that someone has asked for."""
        ...


class Lesson:
    """Teach a learner one board. `keep` gets the draft after every step.

    `seen` says what lies over each pixel, for a board that is only looked at on the page.
    """

    def __init__(
        self,
        learner: Learner,
        board: Board,
        bench: Bench,
        profile: Profile,
        keep: Callable[[str], None],
        seen: Mapping[int, str] | None = None,
    ) -> None:
        self.learner = learner
        self.stopped = False
        self._board = board
        self._bench = bench
        self._profile = profile
        self._keep = keep
        self._seen = seen or {}
        self._spots = {str(pixel): pixel for pixel in range(profile.pixel_count)}
        self._sent: Frame | None = None
        self._sheet: Sheet | None = None

    def run(self, clock: Callable[[], float], ended: Callable[[], bool]) -> None:
        """Go on until the profile is asked for, someone stops, or `ended` says so."""
        while not ended() and self.step(clock()):
            self._board.wait(LISTEN_EVERY_S)

    def step(self, now: float) -> bool:
        """Feel, take what was chosen, and show what is asked then; False when this is over."""
        faults = self._board.sense(now).faults
        touched = self._board.pads(now)
        learnt = self.learner.sense(now, touched)
        while not self.stopped and (name := self._bench.asked()) is not None:
            self.stopped = name == STOP.name
            learnt |= not self.stopped and self.learner.act(name)
        if learnt:
            self._keep(self.learner.to_json())
        self._show(now, touched, faults)
        return not self.stopped and not self.learner.ended

    def _show(self, now: float, touched: frozenset[Electrode], faults: tuple[Fault, ...]) -> None:
        ask = self.learner.ask()
        frame = compose([glows(ask)], self._spots, self._profile.pixel_count, now)
        if frame != self._sent:
            self._board.light(correct(frame, self._profile.power))
            self._sent = frame
        sheet = self._drawn(ask, frozenset(map(pad_name, touched)), faults)
        if sheet != self._sheet:
            self._bench.show(sheet)
            self._sheet = sheet

    def _drawn(self, ask: Ask, touched: frozenset[str], faults: tuple[Fault, ...]) -> Sheet:
        actions = tuple(Action(each.name, each.label, KEYS[each.name]) for each in ask.choices)
        draft = self.learner.draft
        lit = draft.cell_pixels().keys()
        cells = {
            cell: _note(draft, cell, ask.cell, touched, cell in lit) for cell in self._profile.cells
        }
        for pixel, note in lights(ask).items():
            if pixel in self._seen:
                cells[self._seen[pixel]] = note
        return Sheet(
            title=TITLES[ask.step],
            message=" ".join([ask.message, *(f"Out of order: {each.detail}." for each in faults)]),
            cells=cells,
            actions=() if self.learner.ended else (*actions, STOP),
            progress=ask.progress,
        )


def _note(
    draft: Draft, cell: str, asked: str | None, touched: frozenset[str], lit: bool
) -> CellNote:
    pad = draft.named.get(cell)
    if cell == asked:
        return CellNote("?", "asked")
    if pad is None:
        return CellNote("-", "dead") if cell in draft.unwired else CellNote("")
    if pad in touched:
        return CellNote(pad, "touched")
    return CellNote(pad, "done" if lit else "weak")
