"""`lifeboard learn`: a board wires itself, by being touched.

Owns the putting together of a lesson: which board and chips, the file of the draft, and the profile
that is written in the end.
"""

import os
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Protocol

from game.app import boards, loop
from game.app.carriers import COPROCESSOR, PI, WIRED, carrier_of, is_wired
from game.app.data import board_lock, board_memory, data_folder
from game.app.errors import AppError
from game.app.fitting import graph_of
from game.app.workshop.lesson import Lesson
from game.app.workshop.workshop import Workshop
from hal import profile_writer
from hal.backend import Hands
from hal.errors import ProfileError
from hal.files import write_whole
from hal.learning.learner import DraftError, Learner, Step, merged
from hal.probe import Search
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
from hal.wired import WiredBackend

# A finger on 2 mm of acrylic over a pad with long wires changes a reading by ten counts.
_TOUCH_COUNTS = 8


@dataclass(frozen=True, slots=True)
class LearnOptions:
    """What the command line says; None where it says nothing.

    `like` and `board` are built-in names or files; without either it is like the usual board of
    the backend. With `cells` only these are learnt anew.
    `sensing` is what the board is to sense in play: "touch" or "presence". `serial` is the port of
    its Pico, which its profile keeps.
    """

    backend: str
    like: str | None
    board: str | None
    cells: tuple[str, ...]
    out: Path | None
    pixels: int | None
    fresh: bool
    port: int
    browser: bool
    seed: int | None
    data: Path | None = None
    sensing: str | None = None
    serial: str | None = None


class Searched(Protocol):
    """Name what is used of a machine before there is a profile for it."""

    def search(self) -> Search:
        """Look on all buses for chips; nobody else may use one meanwhile."""
        ...


@dataclass(frozen=True, slots=True)
class Wires:
    """A computer with a board on it: its machine, and how that becomes a backend for a profile.

    `known` are chips whose names are settled already, `seen` says what lies over each pixel, and
    `hands` can touch the board; all three for emulated boards only.
    """

    machine: Searched
    open: Callable[[Profile], WiredBackend]
    known: tuple[Chip, ...] = ()
    seen: Mapping[int, str] = field(default_factory=dict)
    hands: Hands | None = None


def learn(options: LearnOptions) -> int:
    """Learn until the profile is written, which is 0, or until told to stop; that is 1.

    Raises AppError, HalError, or OSError for a file that cannot be written.
    """
    template = _template(options)
    _check_carrier(template, options.backend)
    out = _out(options)
    pixels = template.pixel_count if options.pixels is None else options.pixels
    if not 1 <= pixels <= MOST_PIXELS:
        raise AppError(f"--pixels is {pixels}; allowed: 1 to {MOST_PIXELS}")
    stop = loop.Flag()
    loop.stop_on_signals(stop)
    with ExitStack() as opened:
        folder = options.data or data_folder()
        opened.enter_context(board_lock(folder, template, options.backend))
        wires = _wires(options, template, pixels, opened)
        search = wires.machine.search()
        learner = _learner(options, template, named(search, wires.known), draft_file(out))
        check(learner, template, pixels)
        bare = blank(template, learner.chips, pixels)
        board = opened.enter_context(closing(wires.open(bare)))
        graph = graph_of(template)
        terminal = (sys.stdin, sys.stdout)
        shop = opened.enter_context(
            Workshop(graph, options.port, terminal, options.browser, wires.hands)
        )
        for line in [*oddities(search), *_begun(learner, draft_file(out))]:
            shop.say(line)
        shown = replace(template, pixel_count=pixels)
        lesson = Lesson(learner, board, shop, shown, _keeper(draft_file(out)), wires.seen)
        lesson.run(time.monotonic, stop.is_set)
        older = _chips_in(out)
        said = finish(learner, out)
        if learner.ended:
            if set(older) != set(learner.chips):
                said += _forget(options, template)
            said.append(f"Next: {next_command(options, out)}")
        for line in said:
            shop.say(line)
    return 0 if learner.ended else 1


def draft_file(out: Path) -> Path:
    """Name the file of what is known, beside the profile that will be written."""
    return out.with_name(f"{out.stem}.draft.json")


def named(search: Search, known: Sequence[Chip] = ()) -> tuple[Chip, ...]:
    """Name the chips that were found, in the order of their places; raise AppError for none."""
    found = [
        Chip("", each.bus, each.address, each.mux, each.channel)
        for each in search.chips
        if each.recognised
    ]
    if not found:
        why = "".join(f"; bus {each.bus}: {each.detail}" for each in search.troubles)
        raise AppError(f"no touch chip was found{why}; `lifeboard doctor` says what is missing")
    places = {chip.place for chip in found}
    kept = [chip for chip in known if chip.place in places]
    return merged(kept, found)


def oddities(search: Search) -> list[str]:
    """Say what a search has met that cannot be used."""
    strangers = [each.place for each in search.chips if not each.recognised]
    return [
        *(
            f"Warning: what answers at {place} is no MPR121, and is not used."
            for place in strangers
        ),
        *(f"Warning: bus {each.bus} was not searched: {each.detail}." for each in search.troubles),
    ]


def check(learner: Learner, template: Profile, pixels: int) -> None:
    """Raise AppError or ProfileError for what no touch can make a profile, before anyone begins."""
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
            f"--pixels is {pixels}, but what is not learnt anew has pixel {highest}; allowed:"
            f" {highest + 1} to {MOST_PIXELS}"
        )


def blank(template: Profile, chips: Sequence[Chip], pixels: int) -> Profile:
    """Make a profile of the parts alone, on which nothing is named yet.

    It senses touches, whatever the board will sense: a stone is as good as a finger. It senses
    them early, since nothing is measured yet.
    """
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
        pixel_count=pixels,
        strip=replace(template.strip, pixels=pixels),
        geometry=None,
    )


def finish(learner: Learner, out: Path) -> list[str]:
    """Write the profile if it was asked for, and say what has become of the lesson."""
    draft = draft_file(out)
    if learner.ended:
        report = learner.report()
        kept = profile_writer.save(learner.profile(), out, report)
        draft.unlink(missing_ok=True)
        older = "" if kept is None else f"; the older one is {kept.name}"
        return [*report, f"Written: {out}{older}."]
    if not learner.started:
        return ["Nothing was learnt."]
    end = f"No profile is written yet. What is known is kept in {draft}; call again to go on."
    return [*(learner.report() if learner.ask().step is Step.DONE else ()), end]


def next_command(options: LearnOptions, out: Path) -> str:
    """Say how the board that has been learnt is calibrated."""
    words = ["lifeboard", "calibrate"]
    if options.backend != PI:
        words += ["--backend", options.backend]
    usual = is_wired(options.backend) and options.out is None and _redone_file(options) is None
    if not usual:
        words += ["--board", str(out)]
    if options.data is not None:
        words += ["--data", str(options.data)]
    return shlex.join(words)


def whose(options: LearnOptions, template: Profile) -> str:
    """Say whose wires are learnt: nobody may go on with what another board has answered."""
    if options.backend != "sim":
        return "the board on a Pico" if options.backend == COPROCESSOR else "the real board"
    seed = "without --seed" if options.seed is None else f"with --seed {options.seed}"
    return f"the simulated {template.name} {seed}"


def _template(options: LearnOptions) -> Profile:
    if options.board is not None:
        template = boards.find(options.board)
    elif options.cells:
        template = boards.choose(None, options.backend)
    elif options.like is not None:
        template = boards.find(options.like)
    else:
        template = boards.usual(options.backend)
    template = boards.at_port(template, options.backend, options.serial)
    if options.sensing is None:
        return template
    return replace(template, sensing=replace(template.sensing, mode=options.sensing))


def _check_carrier(template: Profile, backend: str) -> None:
    """Raise AppError for a board that hangs on another computer than the one it is learnt on."""
    carrier = carrier_of(template)
    if is_wired(backend) and backend != carrier:
        raise AppError(
            f"board {template.name!r} is one for --backend {carrier}, which is not {backend};"
            f" choose another with --like or --board, such as {boards.usual(backend).name}"
        )


def _out(options: LearnOptions) -> Path:
    """Choose the file to write: what is redone is written where it was.

    What is learnt on a simulated board is no real board's wiring, so it stands apart.
    """
    if options.out is not None:
        return options.out
    if options.backend == "sim":
        return boards.simulated_file()
    return _redone_file(options) or boards.learned_file()


def _redone_file(options: LearnOptions) -> Path | None:
    """Give the file of the board that was named, if it is one."""
    if options.board is None or options.board in built_in_names():
        return None
    return Path(options.board)


def _wires(options: LearnOptions, template: Profile, pixels: int, opened: ExitStack) -> Wires:
    """Open the machine, and say how a board on it is opened."""
    if options.backend == PI:
        from hal.pi import PiBackend, RaspberryPi

        machine = RaspberryPi()
        return Wires(machine, lambda profile: PiBackend(profile, machine=machine))
    if options.backend == COPROCESSOR:
        return _pico(blank(template, (), pixels))
    if options.backend == "sim":
        from hal.sim import SimBackend
        from hal.sim.scramble import scrambled

        true = replace(template, sensing=replace(template.sensing, mode="touch"))
        true = _with_strip(true, pixels)
        if options.seed is not None:
            true = scrambled(true, Random(options.seed))
        sim = opened.enter_context(closing(SimBackend(true, seed=options.seed or 0)))
        seen = {pixel: spot for spot, pixel in true.pixels.items()}
        return Wires(sim.machine, lambda _: sim, true.chips, seen, sim)
    allowed = ", ".join((*WIRED, "sim"))
    raise AppError(f"backend {options.backend!r} has no wires to learn; allowed: {allowed}")


def _pico(bare: Profile) -> Wires:
    """Reach a board on a Pico, of which a profile without chips says how the Pico is wired.

    The Pico is told anew what hangs on it when its chips are known.
    """
    from hal.coprocessor import CoprocessorBackend
    from hal.coprocessor.backend import OPEN_S
    from hal.coprocessor.machine import search_chips
    from hal.coprocessor.port import AUTO, open_port

    class Pico:
        def search(self) -> Search:
            url = AUTO if bare.pico is None else bare.pico.port
            port = open_port(url, lambda: None)
            return search_chips(port, bare, time.monotonic, OPEN_S)

    return Wires(Pico(), lambda profile: CoprocessorBackend(profile, open_port=open_port))


def _with_strip(profile: Profile, pixels: int) -> Profile:
    """Hang a strip of another length on a board; spots whose pixels it lacks stay dark."""
    lit = {spot: pixel for spot, pixel in profile.pixels.items() if pixel < pixels}
    return replace(
        profile,
        pixels=MappingProxyType(lit),
        pixel_count=pixels,
        strip=replace(profile.strip, pixels=pixels),
    )


def _chips_in(out: Path) -> tuple[Chip, ...]:
    """Give the chips of the profile that stands where the new one will; none if there is none."""
    try:
        return load(out).chips
    except ProfileError:
        return ()


def _forget(options: LearnOptions, profile: Profile) -> list[str]:
    """Put aside what was measured of electrodes that may be others now."""
    memory = board_memory(options.data or data_folder(), profile, options.backend).path
    if memory is None or not memory.exists():
        return []
    kept = profile_writer.older(memory)
    os.replace(memory, kept)
    return [f"What was measured before is kept in {kept.name}: calibrate the board anew."]


def _learner(
    options: LearnOptions, template: Profile, chips: tuple[Chip, ...], draft: Path
) -> Learner:
    """Begin, or go on where a draft is."""
    pixels, redo, wires = options.pixels, options.cells, whose(options, template)
    if options.fresh or not draft.exists():
        return Learner(template, chips, pixels=pixels, redo=redo, wires=wires)
    try:
        text = draft.read_text(encoding="utf-8")
        return Learner.from_json(text, template, chips, pixels=pixels, redo=redo, wires=wires)
    except (OSError, UnicodeDecodeError, DraftError) as error:
        raise AppError(
            f"draft {draft} cannot be gone on with: {error}; begin anew with --fresh, or choose"
            " another file with --out"
        ) from error


def _begun(learner: Learner, draft: Path) -> list[str]:
    return [f"Going on with {draft}; --fresh begins anew."] if learner.started else []


def _keeper(draft: Path) -> Callable[[str], None]:
    def keep(text: str) -> None:
        try:
            write_whole(draft, text.encode())
        except OSError as error:
            raise AppError(
                f"draft {draft} cannot be written: {error.strerror}; choose another file with --out"
            ) from error

    return keep
