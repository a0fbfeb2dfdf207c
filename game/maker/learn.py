"""`lifeboard learn`: finds out by touch how a board is wired, and writes its profile."""

import os
import shlex
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from game.common import AppError, board_lock, board_memory, data_folder
from game.maker.display import ToolDisplay
from game.maker.learn_session import LearnSession
from game.maker.measured_board import ToolOptions
from game.play import (
    StopFlag,
    at_port,
    choose_board,
    default_board,
    find_board,
    graph_of,
    learned_file,
    simulated_file,
    stop_on_signals,
)
from hal.backends.backend import UnlearnedBoard
from hal.backends.registry import PI, backend_of, capabilities, open_unlearned
from hal.base.errors import ProfileError
from hal.base.files import decoded, read_whole, write_whole
from hal.drivers.i2c_search import BusSearch
from hal.learning import DraftError, Learner, Step, merged
from hal.profile import (
    ELECTRODES,
    MOST_CHIPS,
    MOST_PIXELS,
    Chip,
    Electrode,
    Profile,
    built_in_names,
    load,
)
from hal.profile import writer as profile_writer

# A finger on 2 mm of acrylic over a pad with long wires changes a reading by ten counts.
_TOUCH_COUNTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions(ToolOptions):
    """The command line; None for what is not given.

    `like` and `board` are built-in names or files; the default is the usual board of the backend.
    With `cells` only these are learned again. `sensing` is the mode in play, "touch" or "presence".
    """

    like: str | None
    cells: tuple[str, ...]
    out: Path | None
    pixels: int | None
    fresh: bool
    seed: int | None
    sensing: str | None = None


def run_learn(options: LearnOptions) -> int:
    """Learn a board; return 0 when the profile is written, 1 when it was stopped."""
    template = _template(options)
    out = _out(options)
    pixels = template.pixel_count if options.pixels is None else options.pixels
    if not 1 <= pixels <= MOST_PIXELS:
        raise AppError(f"--pixels is {pixels}; allowed: 1 to {MOST_PIXELS}")
    stop = StopFlag()
    stop_on_signals(stop)
    with ExitStack() as opened:
        folder = options.data or data_folder()
        opened.enter_context(board_lock(folder, template, options.backend))
        wires = _unlearned(options, template, pixels)
        search = wires.search()
        learner = _learner(options, template, named(search, wires.chips), draft_file(out))
        check(learner, template, pixels)
        board = opened.enter_context(closing(wires.open(blank(template, learner.chips, pixels))))
        graph, terminal = graph_of(template), (sys.stdin, sys.stdout)
        display = ToolDisplay(graph, options.port, terminal, options.browser, wires.hands)
        opened.enter_context(display)
        for line in warnings_of(search):
            display.say(line)
        if learner.started:
            display.say(f"Resuming {draft_file(out)}; --fresh begins anew.")
        writer = partial(_write_draft, draft_file(out))
        LearnSession(
            learner, board, display, template.with_pixels(pixels), writer, wires.spots
        ).run(time.monotonic, stop.is_set)
        try:
            older = load(out).chips
        except ProfileError:
            older = ()
        said = finish(learner, out)
        if learner.draft.ended:
            if set(older) != set(learner.chips):
                said += _back_up_calibration(options, template)
            said.append(f"Next: {next_command(options, out)}")
        for line in said:
            display.say(line)
    return 0 if learner.draft.ended else 1


def draft_file(out: Path) -> Path:
    """Name the draft's file, beside the profile that will be written."""
    return out.with_name(f"{out.stem}.draft.json")


def named(search: BusSearch, known: Sequence[Chip] = ()) -> tuple[Chip, ...]:
    """Name the chips that were found, in the order of their places; raise AppError for none."""
    usable = (each for each in search.chips if each.recognised)
    found = [Chip("", each.bus, each.address, each.mux, each.channel) for each in usable]
    if not found:
        why = "".join(f"; bus {each.bus}: {each.detail}" for each in search.troubles)
        raise AppError(f"no touch chip was found{why}; `lifeboard doctor` says what is missing")
    places = {chip.place for chip in found}
    return merged([chip for chip in known if chip.place in places], found)


def warnings_of(search: BusSearch) -> list[str]:
    """Write warnings of chips that cannot be used and buses that were not searched."""
    strangers = [each.place for each in search.chips if not each.recognised]
    return [
        *(f"Warning: what answers at {at} is no touch chip, and is not used." for at in strangers),
        *(f"Warning: bus {each.bus} was not searched: {each.detail}." for each in search.troubles),
    ]


def check(learner: Learner, template: Profile, pixels: int) -> None:
    """Raise AppError or ProfileError if no profile can be made of the parts."""
    chips = learner.chips
    needed = -(-len(template.cells) // ELECTRODES)
    if not needed <= len(chips) <= MOST_CHIPS:
        places = ", ".join(f"{chip.name} ({chip.place})" for chip in chips)
        raise AppError(
            f"{len(chips)} touch chips for {len(template.cells)} cells: {places}; allowed are"
            f" {needed} to {MOST_CHIPS}; `lifeboard doctor` says more"
        )
    pads = [Electrode(chip.name, number) for chip in chips for number in range(ELECTRODES)]
    some = replace(
        blank(template, chips, pixels),
        cells=dict(zip(template.cells, pads, strict=False)),
        pixels=dict(zip(template.cells, range(pixels), strict=False)),
        keys={name: key for name, key in template.keys.items() if not isinstance(key, Electrode)},
    )
    profile_writer.check(some)
    known = learner.draft
    highest = max([*known.glows, *chain.from_iterable(known.lights.values())], default=0)
    if highest >= pixels:
        raise AppError(
            f"--pixels is {pixels}, but what is not learned anew has pixel {highest}; allowed:"
            f" {highest + 1} to {MOST_PIXELS}"
        )


def blank(template: Profile, chips: Sequence[Chip], pixels: int) -> Profile:
    """Make a profile of the parts alone, which senses touches with low thresholds."""
    return replace(
        template.with_pixels(pixels),
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


def finish(learner: Learner, out: Path) -> list[str]:
    """Write the profile if it was asked for, and describe the result."""
    draft = draft_file(out)
    if learner.draft.ended:
        report = learner.report()
        backup = profile_writer.save(learner.profile(), out, report)
        draft.unlink(missing_ok=True)
        older = "" if backup is None else f"; the older one is {backup.name}"
        return [*report, f"Written: {out}{older}."]
    if not learner.started:
        return ["Nothing was learned."]
    end = f"No profile is written yet. What is known is kept in {draft}; call again to go on."
    return [*(learner.report() if learner.ask().step is Step.DONE else ()), end]


def next_command(options: LearnOptions, out: Path) -> str:
    """Write the command that calibrates the board that was learned."""
    words = ["lifeboard", "calibrate"]
    if options.backend != PI:
        words += ["--backend", options.backend]
    named_file = options.out or _redone_file(options)
    if named_file is not None or not capabilities(options.backend).real:
        words += ["--board", str(out)]
    if options.data is not None:
        words += ["--data", str(options.data)]
    return shlex.join(words)


def _template(options: LearnOptions) -> Profile:
    name = options.board or (None if options.cells else options.like)
    if name is not None:
        template = find_board(name)
    elif options.cells:
        template = choose_board(None, options.backend)
    else:
        template = default_board(options.backend)
    template = at_port(template, options.backend, options.serial)
    if not capabilities(options.backend).suits(template):
        raise AppError(
            f"board {template.name!r} is one for --backend {backend_of(template)}, which is not"
            f" {options.backend}; choose another with --like or --board, such as"
            f" {default_board(options.backend).name}"
        )
    mode = options.sensing or template.sensing.mode
    return replace(template, sensing=replace(template.sensing, mode=mode))


def _out(options: LearnOptions) -> Path:
    """Choose the file to write; the wiring of a simulated board never replaces a real one."""
    if options.out is not None:
        return options.out
    if not capabilities(options.backend).real:
        return simulated_file()
    return _redone_file(options) or learned_file()


def _redone_file(options: LearnOptions) -> Path | None:
    """Return the file that --board names, if it is a file."""
    if options.board is None or options.board in built_in_names():
        return None
    return Path(options.board)


def _unlearned(options: LearnOptions, template: Profile, pixels: int) -> UnlearnedBoard:
    # With a shorter strip, some spots stay dark.
    lit = {spot: pixel for spot, pixel in template.pixels.items() if pixel < pixels}
    shorter = replace(template.with_pixels(pixels), pixels=MappingProxyType(lit))
    board = open_unlearned(options.backend, shorter, options.seed)
    if board is None:
        raise AppError(f"backend {options.backend!r} cannot learn how a board is wired")
    return board


def _back_up_calibration(options: LearnOptions, profile: Profile) -> list[str]:
    """Back up the calibration, which does not fit other chips."""
    memory = board_memory(options.data or data_folder(), profile, options.backend).path
    if memory is None or not memory.exists():
        return []
    backup = profile_writer.older(memory)
    os.replace(memory, backup)
    return [f"What was measured before is kept in {backup.name}: calibrate the board anew."]


def _learner(
    options: LearnOptions, template: Profile, chips: tuple[Chip, ...], draft: Path
) -> Learner:
    # A draft can be resumed for the same board only.
    able = capabilities(options.backend)
    wires = "the board on a Pico" if able.pico else "the real board"
    if not able.real:
        seed = "without --seed" if options.seed is None else f"with --seed {options.seed}"
        wires = f"the simulated {template.name} {seed}"
    learner = Learner(template, chips, pixels=options.pixels, redo=options.cells, wires=wires)
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
    try:
        write_whole(draft, text.encode())
    except OSError as error:
        raise AppError(
            f"draft {draft} cannot be written: {error.strerror}; choose another file with --out"
        ) from error
