"""A session of `lifeboard learn`: connects the learner with the board and the display."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from game.maker.display import Action, CellNote, ToolDisplay, ToolScreen
from hal.backends.backend import Measurable
from hal.base.faults import Fault
from hal.learning import Ask, Draft, Learner, Lit, Step
from hal.lights import WHITE, Colour, Frame, Glow, Layer, Rhythm, compose, correct
from hal.profile import Electrode, Profile

LISTEN_S = 0.02  # between two readings of the board

TITLES = {
    Step.GLOW: "Learn the pixels: touch the cell that glows",
    Step.REST: "Learn the pixels: look at those that are left",
    Step.NAME: "Learn the names: touch the cell that is named",
    Step.GROUP: "Learn the lights beside the cells",
    Step.PLACE: "Learn the lights beside the cells",
    Step.KEY: "Learn the keys",
    Step.DONE: "Learned",
}

# They differ without colours, whose order on the wire may still be wrong.
GLOWS = {
    Lit.ASKED: Glow(WHITE),
    Lit.FIRST: Glow(WHITE),
    Lit.NEXT: Glow(WHITE, Rhythm.RUN),
    Lit.ANSWER: Glow(Colour(60, 255, 90)),
    Lit.OTHER: Glow(WHITE, Rhythm.PULSE),
}

# The keys typed. Choices offered together differ, and a key that answers several questions in a row
# must not answer the next kind of question.
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


def _glows(ask: Ask) -> Layer:
    """Return the glow of each pixel that a question lights, by its number as text."""
    glowing = {str(pixel): GLOWS[lit] for pixel, lit in ask.lit.items()}
    run = [pixel for pixel, lit in ask.lit.items() if lit is Lit.NEXT]
    for place, pixel in enumerate(run):
        glowing[str(pixel)] = replace(GLOWS[Lit.NEXT], phase=place / len(run))
    return glowing


def _lights(ask: Ask) -> Mapping[int, CellNote]:
    """Return the note of each pixel that a question lights; ordered lights are numbered."""
    shown = {pixel: CellNote("*", "asked") for pixel in ask.lit}
    if ask.step in (Step.GROUP, Step.PLACE):
        ordered = [pixel for pixel, lit in ask.lit.items() if lit is not Lit.ASKED]
        for place, pixel in enumerate(ordered, start=1):
            answered = ask.lit[pixel] is Lit.ANSWER
            shown[pixel] = CellNote(str(place), "done" if answered else "asked")
    return shown


class LearnSession:
    """Teach one board. `keep` gets each draft; `spots` are over a simulated board's pixels."""

    def __init__(
        self,
        learner: Learner,
        board: Measurable,
        display: ToolDisplay,
        profile: Profile,
        keep: Callable[[str], None],
        spots: Mapping[int, str] | None = None,
    ) -> None:
        self._learner = learner
        self._board = board
        self._display = display
        self._profile = profile
        self._keep = keep
        self._spots = spots or {}
        self._pixels = {str(pixel): pixel for pixel in range(profile.pixel_count)}
        self._sent: Frame | None = None
        self._screen: ToolScreen | None = None

    def run(self, clock: Callable[[], float], ended: Callable[[], bool]) -> None:
        """Run until the profile is asked for, the action STOP, or `ended` says so."""
        stopped = False
        while not (stopped or self._learner.draft.ended or ended()):
            now = clock()
            faults, touched = self._board.sense(now).faults, self._board.pads(now)
            learned = self._learner.sense(now, touched)
            while not stopped and (name := self._display.asked()) is not None:
                stopped = name == STOP.name
                learned |= not stopped and self._learner.act(name)
            if learned:
                self._keep(self._learner.to_json())
            self._show(now, touched, faults)
            self._board.wait(LISTEN_S)

    def _show(self, now: float, touched: frozenset[Electrode], faults: tuple[Fault, ...]) -> None:
        ask = self._learner.ask()
        frame = compose([_glows(ask)], self._pixels, self._profile.pixel_count, now)
        if frame != self._sent:
            self._board.light(correct(frame, self._profile.power))
            self._sent = frame
        screen = self._screen_of(ask, frozenset(map(str, touched)), faults)
        if screen != self._screen:
            self._display.show(screen)
            self._screen = screen

    def _screen_of(
        self, ask: Ask, touched: frozenset[str], faults: tuple[Fault, ...]
    ) -> ToolScreen:
        actions = tuple(Action(name, label, KEYS[name]) for name, label in ask.choices.items())
        draft = self._learner.draft
        lit = draft.cell_pixels().keys()
        cells = {
            cell: _note(draft, cell, ask.cell, touched, cell in lit) for cell in self._profile.cells
        }
        for pixel, note in _lights(ask).items():
            if pixel in self._spots:
                cells[self._spots[pixel]] = note
        return ToolScreen(
            title=TITLES[ask.step],
            message=" ".join([ask.message, *(f"Out of order: {each.detail}." for each in faults)]),
            cells=cells,
            actions=() if draft.ended else (*actions, STOP),
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
