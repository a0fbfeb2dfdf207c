"""`lifeboard learn`: finds out by touch how a board is wired, and writes its profile."""

import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from game.common import AppError, board_lock, data_folder
from game.maker.board import ToolOptions, writing
from game.maker.display import Action, CellNote, ToolDisplay, ToolScreen
from game.play import (
    StopFlag,
    choose_board,
    default_board,
    graph_of,
    learned_file,
    simulated_file,
    stop_on_signals,
)
from hal.backends.backend import Measurable
from hal.backends.registry import backend_of, capabilities, open_unlearned
from hal.base.events import Fault
from hal.base.files import decoded, read_whole, write_whole
from hal.drivers.i2c_search import BusSearch
from hal.learning import Draft, DraftError, Learner, LearnStep, Lit, Prompt, merged
from hal.lights import WHITE, Colour, Frame, Glow, Layer, Rhythm, compose, correct
from hal.profile import (
    ELECTRODES,
    MOST_CHIPS,
    MOST_PIXELS,
    Chip,
    Electrode,
    Profile,
)
from hal.profile import writer as profile_writer

# A finger on 2 mm of acrylic over a pad with long wires changes a reading by ten counts.
_TOUCH_COUNTS = 8
LISTEN_S = 0.02  # between two readings of the board

# These glows differ even without colours, whose order on the wire may still be wrong.
GLOWS = {
    Lit.ASKED: Glow(WHITE),
    Lit.NEXT: Glow(WHITE, Rhythm.RUN),
    Lit.ANSWER: Glow(Colour(60, 255, 90)),
}

STOP = Action("stop", "stop for now", "q")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions(ToolOptions):
    """The command line; None for what is not given.

    `like` and `board` are built-in names or files; the default is the usual board of the backend.
    `sensing` is the mode in play, "touch" or "presence".
    """

    like: str | None
    out: Path | None
    pixels: int | None
    fresh: bool
    seed: int | None
    sensing: str | None = None


def run_learn(options: LearnOptions) -> int:
    """Learn a board; return 0 when the profile is written, 1 when it was stopped."""
    template = _template(options)
    # The wiring of a simulated board never replaces a real one.
    real = capabilities(options.backend).real
    out = options.out or (learned_file() if real else simulated_file())
    stop = StopFlag()
    stop_on_signals(stop)
    with ExitStack() as opened:
        folder = options.data or data_folder()
        opened.enter_context(board_lock(folder, template, options.backend))
        wires = open_unlearned(options.backend, template, options.seed)
        if wires is None:
            raise AppError(f"backend {options.backend!r} cannot learn how a board is wired")
        search = wires.search()
        learner = _learner(options, template, named(search, wires.chips), draft_file(out))
        check(template, learner.chips)
        board = opened.enter_context(closing(wires.open(blank(template, learner.chips))))
        graph, terminal = graph_of(template), (sys.stdin, sys.stdout)
        display = ToolDisplay(graph, options.port, terminal, options.browser, wires.hands)
        opened.enter_context(display)
        for line in warnings_of(search):
            display.say(line)
        if learner.started:
            display.say(f"Resuming {draft_file(out)}; --fresh begins anew.")
        keep = partial(_write_draft, draft_file(out))
        session = LearnSession(learner, board, display, template, keep, wires.spots)
        session.run(time.monotonic, stop.is_set)
        for line in finish(options, learner, out):
            display.say(line)
    return 0 if learner.draft.ended else 1


def draft_file(out: Path) -> Path:
    """Name the draft's file, beside the profile that will be written."""
    return out.with_name(f"{out.stem}.draft.json")


def named(search: BusSearch, known: Sequence[Chip] = ()) -> tuple[Chip, ...]:
    """Name the chips that were found, in the order of their places; raise AppError for none."""
    if not search.chips:
        why = "".join(f"; bus {each.bus}: {each.detail}" for each in search.troubles)
        raise AppError(f"no touch chip was found{why}; `lifeboard doctor` says what is missing")
    places = {chip.place for chip in search.chips}
    return merged([chip for chip in known if chip.place in places], search.chips)


def warnings_of(search: BusSearch) -> list[str]:
    """Write warnings of chips that cannot be used and buses that were not searched."""
    strangers = [each.place for each in search.strangers]
    return [
        *(f"Warning: what answers at {at} is no touch chip, and is not used." for at in strangers),
        *(f"Warning: bus {each.bus} was not searched: {each.detail}." for each in search.troubles),
    ]


def check(template: Profile, chips: Sequence[Chip]) -> None:
    """Raise AppError or ProfileError if no profile can be made of the parts."""
    needed = -(-len(template.cells) // ELECTRODES)
    if not needed <= len(chips) <= MOST_CHIPS:
        raise AppError(
            f"{len(chips)} touch chips for {len(template.cells)} cells: allowed are {needed} to"
            f" {MOST_CHIPS}; `lifeboard doctor` says more"
        )
    # The power must be enough for the strip.
    nothing = MappingProxyType[str, int]({})
    profile_writer.check(replace(template, lights=nothing, pixels=nothing))


def blank(template: Profile, chips: Sequence[Chip]) -> Profile:
    """Make a profile of the parts alone, which senses touches with low thresholds."""
    return replace(
        template,
        measuring=replace(
            template.measuring, touch_threshold=_TOUCH_COUNTS, release_threshold=_TOUCH_COUNTS // 2
        ),
        sensing=replace(template.sensing, mode="touch"),
        chips=tuple(chips),
        cells=MappingProxyType({}),
        keys=MappingProxyType({}),
        lights=MappingProxyType({}),
        pixels=MappingProxyType({}),
    )


def finish(options: LearnOptions, learner: Learner, out: Path) -> list[str]:
    """Write the profile if it was asked for, and describe the result."""
    draft = draft_file(out)
    if not learner.started:
        return ["Nothing was learned."]
    report = list(learner.report()) if learner.ask().step is LearnStep.DONE else []
    if not learner.draft.ended:
        end = f"No profile is written yet. What is known is kept in {draft}; call again to go on."
        return [*report, end]
    backup = profile_writer.save(learner.profile(), out, report)
    draft.unlink(missing_ok=True)
    older = "" if backup is None else f"; the older one is {backup.name}"
    calibrate = f"lifeboard calibrate --backend {options.backend} --board {shlex.quote(str(out))}"
    return [*report, f"Written: {out}{older}.", f"Next: {calibrate}"]


def _template(options: LearnOptions) -> Profile:
    name = options.board or options.like or default_board(options.backend).name
    template = choose_board(name, options.backend, options.serial)
    if not capabilities(options.backend).suits(template):
        raise AppError(
            f"board {template.name!r} is one for --backend {backend_of(template)}, which is not"
            f" {options.backend}; choose another with --like or --board, such as"
            f" {default_board(options.backend).name}"
        )
    mode = options.sensing or template.sensing.mode
    template = replace(template, sensing=replace(template.sensing, mode=mode))
    if options.pixels is None:
        return template
    if not 1 <= options.pixels <= MOST_PIXELS:
        raise AppError(f"--pixels is {options.pixels}; allowed: 1 to {MOST_PIXELS}")
    # With a shorter strip, some spots stay dark.
    lit = {spot: pixel for spot, pixel in template.pixels.items() if pixel < options.pixels}
    return replace(template.with_pixels(options.pixels), pixels=MappingProxyType(lit))


def _learner(
    options: LearnOptions, template: Profile, chips: tuple[Chip, ...], draft: Path
) -> Learner:
    # A draft can be resumed for the same board only.
    wires = f"{template.name} with {template.pixel_count} pixels, --backend {options.backend}"
    if options.seed is not None:
        wires += f" --seed {options.seed}"
    learner = Learner(template, chips, wires)
    if options.fresh or not draft.exists():
        return learner
    try:
        learner.resume(decoded(read_whole(draft)))
    except (OSError, UnicodeDecodeError, DraftError) as error:
        raise AppError(
            f"draft {draft} cannot be resumed: {error}; begin anew with --fresh, or choose another"
            " file with --out"
        ) from error
    return learner


def _write_draft(draft: Path, text: str) -> None:
    with writing(f"draft {draft}", "--out"):
        write_whole(draft, text.encode())


def _glows(ask: Prompt) -> Layer:
    """Return the glow of each pixel that a question lights, by its number as text."""
    run = [pixel for pixel, lit in ask.lit.items() if lit is Lit.NEXT]
    phases = {pixel: place / len(run) for place, pixel in enumerate(run)}
    return {
        str(pixel): replace(GLOWS[lit], phase=phases.get(pixel, 0.0))
        for pixel, lit in ask.lit.items()
    }


def _lights(ask: Prompt) -> Mapping[int, CellNote]:
    """Return the note of each pixel that a question lights; ordered lights are numbered."""
    if ask.step is not LearnStep.GROUP:
        return dict.fromkeys(ask.lit, CellNote("*", "asked"))
    return {
        pixel: CellNote(str(place), "done" if lit is Lit.ANSWER else "asked")
        for place, (pixel, lit) in enumerate(ask.lit.items(), start=1)
    }


@dataclass
class LearnSession:
    """Learn one board. `keep` gets each draft; `spots` has the spot over a simulated pixel."""

    learner: Learner
    board: Measurable
    display: ToolDisplay
    profile: Profile
    keep: Callable[[str], None]
    spots: Mapping[int, str]
    _sent: Frame | None = None

    def run(self, clock: Callable[[], float], ended: Callable[[], bool]) -> None:
        """Run until the profile is asked for, the action STOP, or `ended` says so."""
        stopped = False
        while not (stopped or self.learner.draft.ended or ended()):
            now = clock()
            faults, touched = self.board.sense(now).faults, self.board.pads(now)
            learned = self.learner.sense(now, touched)
            while not stopped and (name := self.display.asked()) is not None:
                stopped = name == STOP.name
                learned |= not stopped and self.learner.act(name)
            if learned:
                self.keep(self.learner.to_json())
            ask = self.learner.ask()
            self._light(ask, now)
            self.display.show(self._screen(ask, touched, faults))
            self.board.wait(LISTEN_S)

    def _light(self, ask: Prompt, now: float) -> None:
        count = self.profile.pixel_count
        frame = compose([_glows(ask)], {str(n): n for n in range(count)}, count, now)
        if frame != self._sent:
            self.board.light(correct(frame, self.profile.power))
            self._sent = frame

    def _screen(
        self, ask: Prompt, touched: frozenset[Electrode], faults: tuple[Fault, ...]
    ) -> ToolScreen:
        actions = tuple(Action(name, each.label, each.key) for name, each in ask.choices.items())
        draft = self.learner.draft
        lit = draft.cell_pixels().keys()
        cells = {
            cell: _note(draft, cell, ask.cell, touched, cell in lit) for cell in self.profile.cells
        }
        lights = _lights(ask).items()
        cells |= {self.spots[pixel]: note for pixel, note in lights if pixel in self.spots}
        return ToolScreen(
            title=f"Learn {self.profile.name}",
            message=" ".join([ask.message, *(f"Out of order: {each.detail}." for each in faults)]),
            cells=cells,
            actions=() if draft.ended else (*actions, STOP),
            progress=ask.progress,
        )


def _note(
    draft: Draft, cell: str, asked: str | None, touched: frozenset[Electrode], lit: bool
) -> CellNote:
    pad = draft.named.get(cell)
    if cell == asked:
        return CellNote("?", "asked")
    if pad is None:
        return CellNote("") if cell in draft.cells_open else CellNote("-", "dead")
    if pad in touched:
        return CellNote(str(pad), "touched")
    return CellNote(str(pad), "done" if lit else "weak")
