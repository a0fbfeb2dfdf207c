"""The tool that learns: on emulated chips, with emulated fingers, on a clock of the test's own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from types import MappingProxyType

import pytest

from game.app.errors import AppError
from game.app.workshop import learn as tool
from game.app.workshop.learn import (
    LearnOptions,
    Wires,
    blank,
    check,
    draft_file,
    finish,
    learn,
    named,
    next_command,
    oddities,
)
from game.app.workshop.lesson import KEYS, STOP, Lesson, glows, lights
from game.app.workshop.workshop import CellNote, Sheet
from hal.errors import ProfileError
from hal.faults import Fault, Trouble
from hal.learning.learner import Ask, Learner, Lit, Step
from hal.probe import BusTrouble, FoundChip, Search
from hal.profile import Chip, Electrode, Profile, built_in, load
from hal.rhythm import Rhythm
from hal.sim.scramble import scrambled
from tests.helpers.boards.teacher import Teacher
from tests.helpers.boards.tool_rig import Clock, TimedBoard
from tests.helpers.boards.true_board import Person, TrueBoard


@contextmanager
def board_of(true: Profile) -> Iterator[tuple[TimedBoard, Clock]]:
    clock = Clock()
    with closing(TimedBoard(true, clock)) as board:
        yield board, clock


def small(mode: str = "touch") -> Profile:
    """The disc's first chip with eight cells, five lights and a pad."""
    whole = built_in("disc-32")
    cells = dict(list(whole.cells.items())[:8])
    lit = [*cells, *(f"circle.{place}" for place in range(4)), "turn1.0"]
    return replace(
        whole,
        name="small",
        sensing=replace(whole.sensing, mode=mode),
        chips=whole.chips[:1],
        cells=MappingProxyType(cells),
        pixels=MappingProxyType({spot: pixel for pixel, spot in enumerate(lit)}),
        pixel_count=len(lit),
        strip=replace(whole.strip, pixels=len(lit)),
        lights=MappingProxyType({"circle": 4, "turn1": 1}),
        keys=MappingProxyType(
            {"new_game": whole.keys["new_game"], "ring1": Electrode(whole.chips[0].name, 11)}
        ),
        geometry=None,
    )


def teach(
    template: Profile,
    true: Profile,
    learner: Learner,
    choose: Callable[[Sheet], str | None] | None = None,
) -> tuple[Teacher, list[str]]:
    """Run a lesson to its end; give the teacher and all drafts."""
    kept: list[str] = []
    with board_of(true) as (board, clock):
        teacher = Teacher(board, clock, choose)
        seen = {pixel: spot for spot, pixel in true.pixels.items()}
        Lesson(learner, board, teacher, template, kept.append, seen).run(clock, lambda: False)
    return teacher, kept


@pytest.mark.parametrize("template", [small(), built_in("disc-32")], ids=lambda each: each.name)
@pytest.mark.parametrize("seed", [1, 2])
def test_lesson_learns_a_board_of_emulated_chips_that_is_wired_at_random(template, seed):
    true = scrambled(template, Random(seed))
    learner = Learner(template, true.chips)
    teach(template, true, learner)
    assert learner.profile() == true


def test_lesson_can_be_stopped_anywhere_and_gone_on_with():
    template = small()
    true = scrambled(template, Random(3))
    whole = Learner(template, true.chips)
    _, drafts = teach(template, true, whole)
    assert drafts[-1] == whole.to_json()
    learner = Learner(template, true.chips)
    stops = 0
    while not learner.ended:
        stops += 1
        steps = iter(range(2 + stops))
        kept = teach(template, true, learner, lambda _, left=steps: _stop(left))[1]
        if not learner.ended:
            text = (kept or [learner.to_json()])[-1]
            learner = Learner.from_json(text, template, true.chips)
    assert stops > 4
    assert learner.profile() == true


def _stop(left: Iterator[int]) -> str | None:
    return STOP.name if next(left, None) is None else None


def test_lesson_ends_when_it_is_told_to_and_keeps_every_answer():
    template = small()
    learner = Learner(template, template.chips)
    kept: list[str] = []
    with board_of(template) as (board, clock):
        teacher = Teacher(board, clock)
        lesson = Lesson(learner, board, teacher, template, kept.append)
        lesson.run(clock, lambda: len(kept) == 3)
    assert len(set(kept)) == 3
    assert kept[-1] == learner.to_json()
    assert not lesson.stopped


def test_lesson_shows_what_is_asked_and_what_is_known():
    template = small()
    teacher, _ = teach(template, template, Learner(template, template.chips))
    sheets = teacher.sheets
    first = sheets[0]
    assert first.title == "Learn the pixels: touch the cell that glows"
    assert first.actions == (STOP,)
    assert first.progress == (0, 13)
    assert list(first.cells) == list(template.cells)
    by_message = {sheet.message: sheet for sheet in sheets}
    asked = by_message["a1 is electrode A.0, pixel 0. Touch a2."]
    assert asked.title == "Learn the names: touch the cell that is named"
    assert asked.progress == (1, 8)
    assert asked.cells["a1"] == CellNote("A.0", "done")
    assert asked.cells["a2"] == CellNote("?", "asked")
    assert asked.cells["a3"] == CellNote("")
    answered = by_message["a1 is electrode A.0, pixel 0. Lift your finger."]
    # On a simulated board the page shows the light too.
    assert answered.cells["a1"] == CellNote("*", "asked")
    # The pixels that are left when every cell has answered need no asking.
    assert not any("Pixel 8 glows" in message for message in by_message)
    assert sheets[-1].message == "The board is learnt."
    assert sheets[-1].actions == ()


def test_lesson_says_what_is_out_of_order():
    template = small()
    learner = Learner(template, template.chips)
    fault = Fault(Trouble.CHIP, "A", frozenset(), frozenset(), "chip A does not answer")
    with board_of(template) as (board, clock):
        sense = board.sense
        board.sense = lambda now: replace(sense(now), faults=(fault,))  # type: ignore[method-assign]
        teacher = Teacher(board, clock)
        Lesson(learner, board, teacher, template, print).step(clock())
    assert teacher.sheets[-1].message.endswith("Out of order: chip A does not answer.")


def test_lesson_lets_a_light_run_over_a_group_in_its_order():
    ask = Ask(Step.GROUP, "", {7: Lit.FIRST, 3: Lit.NEXT, 5: Lit.NEXT}, None, (), (0, 1))
    shown = glows(ask)
    assert shown["7"].rhythm is Rhythm.STEADY
    assert (shown["3"].rhythm, shown["3"].phase) == (Rhythm.RUN, 0.0)
    assert (shown["5"].rhythm, shown["5"].phase) == (Rhythm.RUN, 0.5)


def test_lesson_numbers_lights_that_have_an_order():
    asked = CellNote("*", "asked")
    group = Ask(Step.GROUP, "", {7: Lit.FIRST, 3: Lit.NEXT, 5: Lit.NEXT}, None, (), (0, 1))
    assert lights(group) == {n: CellNote(t, "asked") for n, t in ((7, "1"), (3, "2"), (5, "3"))}
    one = Ask(Step.PLACE, "", {9: Lit.ANSWER, 8: Lit.ANSWER, 2: Lit.ASKED}, None, (), (0, 1))
    assert lights(one) == {9: CellNote("1", "done"), 8: CellNote("2", "done"), 2: asked}
    cell = Ask(Step.GLOW, "", {4: Lit.ANSWER}, None, (), (0, 1))
    assert lights(cell) == {4: asked}


def test_lesson_offers_no_two_actions_for_the_same_key():
    template = built_in("disc-32")
    true = scrambled(template, Random(1))
    offered: set[tuple[str, ...]] = set()

    def watch(learner: Learner) -> None:
        offered.add(tuple(choice.name for choice in learner.ask().choices))

    for dead in (frozenset[int](), frozenset(range(0, 79, 9))):
        learner = Learner(template, true.chips)
        person = Person(learner, TrueBoard(true, dead), watch)
        person.begin()
        person.learn()
    offered |= {("ignore", "back"), ("new", "old", "back"), ("first", "second", "skip", "back")}
    assert len(offered) > 8
    for names in offered:
        keys = [KEYS[name] for name in names] + [STOP.key]
        assert len(set(keys)) == len(keys), names


# --- putting together -----------------------------------------------------------------------------


def options(out: Path, **changed: object) -> LearnOptions:
    usual = LearnOptions(
        backend="sim",
        like="disc-32",
        board=None,
        cells=(),
        out=out,
        pixels=None,
        fresh=False,
        port=0,
        browser=False,
        seed=None,
        data=out.parent if out else None,
    )
    return replace(usual, **changed)  # type: ignore[arg-type]


class OneWorkshop:
    """Stand in for the workshop of the command: a teacher at a board that is opened later."""

    teacher: Teacher
    said: list[str]

    def __enter__(self) -> "OneWorkshop":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def show(self, sheet: Sheet) -> None:
        self.teacher.show(sheet)

    def asked(self) -> str | None:
        return self.teacher.asked()

    def say(self, text: str) -> None:
        self.said.append(text)


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command on a board of emulated chips; give its status and what it said."""
    clock = Clock()

    def run_it(opts: LearnOptions, true: Profile, choose=None) -> tuple[int, list[str]]:
        board = TimedBoard(true, clock)
        shop = OneWorkshop()
        shop.teacher, shop.said = Teacher(board, clock, choose), []

        def wires(*_: object) -> Wires:
            return Wires(board.machine, lambda profile: board, true.chips)

        monkeypatch.setattr(tool, "_wires", wires)
        monkeypatch.setattr(tool, "Workshop", lambda *_: shop)
        monkeypatch.setattr(tool.time, "monotonic", clock)
        monkeypatch.setattr(tool.loop, "stop_on_signals", lambda stop: None)
        return learn(opts), shop.said

    return run_it


@pytest.fixture
def file(tmp_path) -> Path:
    """A file of the small board, which others are like."""
    from hal.profile_writer import save

    save(small(), tmp_path / "small.toml")
    return tmp_path / "small.toml"


def test_learn_writes_a_profile_and_takes_its_draft_away(run, file, tmp_path):
    true = scrambled(small(), Random(4))
    out = tmp_path / "config" / "board.toml"
    status, said = run(options(out, like=str(file)), true)
    assert status == 0
    assert load(out) == replace(true, chips=load(out).chips)
    assert set(load(out).chips) == set(true.chips)
    left = {each.name for each in out.parent.iterdir() if each.suffix != ".lock"}
    assert left == {"board.toml"}
    assert said == [
        f"Written: {out}.",
        f"Next: lifeboard calibrate --backend sim --board {out} --data {out.parent}",
    ]


def test_learn_writes_what_the_board_is_to_sense(run, file, tmp_path):
    out = tmp_path / "config" / "board.toml"
    status, _ = run(options(out, like=str(file), sensing="presence"), small())
    assert status == 0
    assert load(out).sensing.mode == "presence"
    assert load(out).cells == small().cells


def test_learn_stopped_keeps_a_draft_and_goes_on_with_it(run, file, tmp_path):
    true = scrambled(small(), Random(4))
    out = tmp_path / "board.toml"
    opts = options(out, like=str(file))

    def stop_at_names(sheet: Sheet) -> str | None:
        return STOP.name if "names" in sheet.title else None

    status, said = run(opts, true, stop_at_names)
    assert status == 1
    assert not out.exists()
    assert draft_file(out).exists()
    assert f"kept in {draft_file(out)}" in said[-1]
    status, said = run(opts, true)
    assert status == 0
    assert said[0] == f"Going on with {draft_file(out)}; --fresh begins anew."
    assert load(out).cells == true.cells
    assert not draft_file(out).exists()


def test_learn_redoes_one_cell_where_its_profile_is(run, file):
    before = small()
    cells = dict(before.cells) | {"a2": Electrode(before.chips[0].name, 10)}
    true = replace(before, cells=MappingProxyType(cells))
    opts = options(None, backend="pi", board=str(file), cells=("a2",))
    status, said = run(opts, true)
    assert status == 0
    assert load(file) == true
    assert load(file.with_name("small.toml.old")) == before
    assert said == [
        f"Written: {file}; the older one is small.toml.old.",
        f"Next: lifeboard calibrate --board {file}",
    ]
    _, said = run(opts, true)
    assert said[0] == f"Written: {file}; the older one is small.toml.old2."
    assert load(file.with_name("small.toml.old")) == before
    assert load(file.with_name("small.toml.old2")) == true


def test_learn_puts_aside_what_was_measured_when_chips_are_others(run, file, tmp_path):
    true = scrambled(built_in("disc-32"), Random(1))
    out = tmp_path / "board.toml"
    measured = tmp_path / "data" / "board-sim-disc-32.json"
    measured.parent.mkdir()
    measured.write_text('{"version": 1, "masked": [], "electrodes": {}}', encoding="utf-8")
    _, said = run(options(out, data=measured.parent), true)
    assert said[-2].startswith("What was measured before is kept in board-sim-disc-32.json.old:")
    assert not measured.exists()
    measured.write_text('{"version": 1, "masked": [], "electrodes": {}}', encoding="utf-8")
    _, said = run(options(out, data=measured.parent), true)
    assert said[-2].startswith("Written")
    assert measured.exists()
    out.unlink()
    _, said = run(options(out, data=measured.parent), true)
    assert said[-2].startswith("What was measured before is kept in board-sim-disc-32.json.old2:")


def test_learn_stopped_at_once_leaves_nothing(run, file, tmp_path):
    status, said = run(options(tmp_path / "x.toml", like=str(file)), small(), lambda _: STOP.name)
    assert (status, said) == (1, ["Nothing was learnt."])
    assert not draft_file(tmp_path / "x.toml").exists()


def test_learn_refuses_a_draft_of_another_board_and_begins_anew_when_told(run, file, tmp_path):
    out = tmp_path / "board.toml"
    other = Learner(built_in(), built_in().chips, wires="the real board")
    draft_file(out).write_text(other.to_json(), encoding="utf-8")
    opts = options(out, backend="pi", like=str(file))
    with pytest.raises(AppError, match=r"another board.*; begin anew with --fresh, or choose"):
        run(opts, small())
    assert run(replace(opts, fresh=True), small())[0] == 0


@pytest.mark.parametrize(
    ("changed", "now"),
    [
        ({"seed": None}, "the simulated small without --seed"),
        ({"seed": 9}, "the simulated small with --seed 9"),
        ({"backend": "pi"}, "the real board"),
    ],
)
def test_learn_refuses_the_draft_of_another_backend_or_seed(run, file, tmp_path, changed, now):
    begun = options(tmp_path / "board.toml", like=str(file), seed=5)
    asked = iter(range(10))
    run(begun, small(), lambda _: STOP.name if next(asked, None) is None else None)
    draft = draft_file(tmp_path / "board.toml")
    before = draft.read_bytes()
    told = f"belongs to the simulated small with --seed 5, not to {now}; begin anew with --fresh"
    with pytest.raises(AppError, match=told):
        run(replace(begun, **changed), small())
    assert draft.read_bytes() == before
    assert run(begun, small())[0] == 0


def test_learn_refuses_a_strip_too_short_for_what_is_not_learnt_anew(run, file, tmp_path):
    opts = options(tmp_path / "x.toml", board=str(file), cells=("a2",), pixels=12)
    with pytest.raises(AppError, match=r"--pixels is 12, but .* has pixel 12; allowed: 13 to"):
        run(opts, small())


def test_learn_says_when_a_draft_cannot_be_written(run, file, tmp_path):
    (tmp_path / "taken").write_text("no folder", encoding="utf-8")
    taken = tmp_path / "taken" / "board.toml"
    with pytest.raises(AppError, match=r"draft .* cannot be written: .*; choose another file"):
        run(options(taken, like=str(file), data=tmp_path), small())


@pytest.mark.parametrize("pixels", [0, 2001])
def test_learn_refuses_a_strip_that_there_cannot_be(tmp_path, pixels):
    with pytest.raises(AppError, match=f"--pixels is {pixels}; allowed: 1 to 2000"):
        learn(options(tmp_path / "x.toml", pixels=pixels))


def test_learn_refuses_a_backend_without_wires(tmp_path):
    allowed = "allowed: pi, coprocessor, sim"
    with pytest.raises(AppError, match=f"backend 'mock' has no wires to learn; {allowed}"):
        learn(options(tmp_path / "x.toml", backend="mock"))


def test_learn_names_the_chips_that_a_search_finds_in_order():
    true = scrambled(built_in("hexagon-61-mux"), Random(1))
    with board_of(true) as (board, _):
        search = board.machine.search()
    assert [chip.name for chip in named(search)] == list("ABCDEF")
    assert {chip.place for chip in named(search)} == {chip.place for chip in true.chips}
    gone = Chip("Z", 1, 0x5D, 0x77, 7)
    assert set(named(search, (gone, *true.chips))) == set(true.chips)


def test_learn_leaves_out_what_is_no_touch_chip_and_says_so():
    chips = (FoundChip(1, None, None, 0x5A), FoundChip(1, None, None, 0x5B, recognised=False))
    search = Search(chips, (), (BusTrouble(3, "the bus hangs"),))
    assert named(search) == (Chip("A", 1, 0x5A),)
    assert oddities(search) == [
        "Warning: what answers at bus 1, address 0x5B is no MPR121, and is not used.",
        "Warning: bus 3 was not searched: the bus hangs.",
    ]
    with pytest.raises(AppError, match="no touch chip was found; bus 3: the bus hangs; `lifeboard"):
        named(Search((), (), search.troubles))


def test_learn_refuses_before_anyone_begins_what_could_not_be_written():
    template = built_in("hexagon-61")
    with pytest.raises(AppError, match=r"2 touch chips for 61 cells: A \(bus 1, .*allowed are 6"):
        check(Learner(template, template.chips[:2]), template, 115)
    dim = replace(template, power=replace(template.power, budget_ma=120))
    check(Learner(dim, dim.chips), dim, 115)
    with pytest.raises(ProfileError, match=r"\[power\] budget_ma = 120: allowed is"):
        check(Learner(dim, dim.chips), dim, 500)


def test_learn_opens_the_board_blank_and_for_touches():
    template = small("presence")
    bare = blank(template, template.chips, 20)
    assert not any((bare.cells, bare.keys, bare.lights, bare.pixels))
    assert bare.sensing.mode == "touch"
    assert (bare.pixel_count, bare.strip.pixels) == (20, 20)


def test_learn_reports_what_is_not_as_it_should_be(tmp_path):
    template = small()
    board = TrueBoard(template, dead=frozenset({3}))
    person = Person(Learner(template, template.chips), board)
    person.begin()
    person.learn()
    out = tmp_path / "board.toml"
    said = finish(person.learner, out)
    assert said[0] == "a4: no pixel; played without light"
    assert said[-1] == f"Written: {out}."
    assert "# a4: no pixel; played without light\n" in out.read_text(encoding="utf-8")


def test_learn_on_the_simulated_board_wires_it_at_random_by_the_seed(file, tmp_path):
    opts = options(tmp_path / "x.toml", like=str(file), seed=5)
    with ExitStack() as opened:
        wires = tool._wires(opts, small("presence"), 13, opened)
        board = wires.open(blank(small(), wires.known, 13))
        search = wires.machine.search()
        assert set(named(search, wires.known)) == set(wires.known)
        assert board.profile.sensing.mode == "touch"
        assert board.profile.cells == scrambled(small(), Random(5)).cells
        assert wires.seen[board.profile.pixels["a1"]] == "a1"
        assert wires.hands is board
    with ExitStack() as opened:
        wires = tool._wires(replace(opts, seed=None), small(), 13, opened)
        assert wires.open(small()).profile == small()


@pytest.mark.parametrize("pixels", [5, 20])
@pytest.mark.parametrize("seed", [None, 5])
def test_learn_on_the_simulated_board_hangs_as_many_pixels_on_it_as_are_asked_for(
    file, tmp_path, pixels, seed
):
    template = small()
    opts = options(tmp_path / "x.toml", like=str(file), seed=seed, pixels=pixels)
    clock = Clock()
    with ExitStack() as opened:
        true = tool._wires(opts, template, pixels, opened).open(template).profile
    learner = Learner(template, true.chips, pixels=pixels)
    with closing(TimedBoard(true, clock)) as board:
        teacher = Teacher(board, clock)
        shown = replace(template, pixel_count=pixels)
        Lesson(learner, board, teacher, shown, lambda _: None).run(clock, lambda: False)
    learnt = learner.profile()
    assert learnt.pixel_count == learnt.strip.pixels == pixels
    assert dict(learnt.pixels) == dict(true.pixels)


def test_learn_writes_where_the_learned_board_is_unless_a_file_is_redone(monkeypatch, tmp_path):
    learned = tmp_path / "learned.toml"
    monkeypatch.setattr(tool.boards, "learned_file", lambda: learned)
    usual = options(None, backend="pi")
    assert tool._out(usual) == learned
    assert tool._out(replace(usual, board="disc-32", cells=("a1",))) == learned
    assert tool._out(replace(usual, board="mine.toml", cells=("a1",))) == Path("mine.toml")
    assert tool._out(replace(usual, board="mine.toml", out=Path("x.toml"))) == Path("x.toml")


def test_learn_on_the_simulated_board_never_writes_where_a_real_one_is(monkeypatch, tmp_path):
    simulated = tmp_path / "simulated.toml"
    monkeypatch.setattr(tool.boards, "simulated_file", lambda: simulated)
    usual = options(None)
    assert tool._out(usual) == simulated
    assert tool._out(replace(usual, board="mine.toml", cells=("a1",))) == simulated
    assert tool._out(replace(usual, out=Path("x.toml"))) == Path("x.toml")


def test_learn_says_how_the_board_is_calibrated_next():
    real = options(None, backend="pi")
    out = Path("my board.toml")
    assert next_command(real, out) == "lifeboard calibrate"
    assert next_command(replace(real, board="disc-32"), out) == "lifeboard calibrate"
    told = "lifeboard calibrate --board 'my board.toml'"
    assert next_command(replace(real, out=out), out) == told
    told = "lifeboard calibrate --backend sim --board x.toml"
    assert next_command(options(None), Path("x.toml")) == told


# --- a board on a Pico ----------------------------------------------------------------------------


def small_on_pico() -> Profile:
    """The small board on a Pico; its chip is on the second bus."""
    on_pico = built_in("hexagon-61-pico")
    board = small()
    chips = tuple(replace(chip, bus=1) for chip in board.chips)
    strip = replace(on_pico.strip, pixels=board.pixel_count)
    pico = replace(on_pico.pico, port="/dev/ttyACM7")
    return replace(board, chips=chips, strip=strip, interrupt_pin=8, pico=pico)


class Picos:
    """Stand in for `hal.coprocessor`: searches and backends of one emulated board."""

    def __init__(self, board: TimedBoard) -> None:
        self.board = board
        self.ports: list[str] = []
        self.searched: list[Profile] = []
        self.opened: list[Profile] = []

    def open_port(self, url: str, on_input: Callable[[], None]) -> str:
        on_input()
        self.ports.append(url)
        return f"port of {url}"

    def search_chips(self, port: str, bare: Profile, clock: object, timeout_s: float) -> Search:
        assert port == f"port of {self.ports[-1]}"
        self.searched.append(bare)
        return self.board.machine.search()

    def backend(self, bare: Profile, *, open_port: object) -> TimedBoard:
        assert open_port == self.open_port
        self.opened.append(bare)
        return self.board


def test_learn_on_a_pico_searches_its_buses_and_opens_the_board_with_what_was_found(
    monkeypatch, tmp_path
):
    from hal.profile_writer import save

    template = small_on_pico()
    save(template, tmp_path / "small.toml")
    true = scrambled(template, Random(6))
    clock = Clock()
    board = TimedBoard(true, clock)
    picos = Picos(board)
    shop = OneWorkshop()
    shop.teacher, shop.said = Teacher(board, clock), []
    monkeypatch.setattr("hal.coprocessor.CoprocessorBackend", picos.backend)
    monkeypatch.setattr("hal.coprocessor.machine.search_chips", picos.search_chips)
    monkeypatch.setattr("hal.coprocessor.port.open_port", picos.open_port)
    monkeypatch.setattr(tool, "Workshop", lambda *_: shop)
    monkeypatch.setattr(tool.time, "monotonic", clock)
    monkeypatch.setattr(tool.loop, "stop_on_signals", lambda stop: None)
    out = tmp_path / "board.toml"
    opts = options(out, backend="coprocessor", like=str(tmp_path / "small.toml"))
    assert learn(opts) == 0
    learnt = load(out)
    assert learnt == replace(true, chips=learnt.chips)
    assert learnt.pico == template.pico
    assert [chip.place for chip in learnt.chips] == ["bus 1, address 0x5A"]
    assert picos.ports == ["/dev/ttyACM7"]
    (searched,), (opened,) = picos.searched, picos.opened
    assert searched == blank(template, (), template.pixel_count)
    assert opened == blank(template, learnt.chips, template.pixel_count)
    assert shop.said[-1] == (
        f"Next: lifeboard calibrate --backend coprocessor --board {out} --data {tmp_path}"
    )


@pytest.mark.parametrize(
    ("backend", "like", "other"),
    [("coprocessor", "hexagon-61", "pi"), ("pi", "rectangle-88-pico", "coprocessor")],
)
def test_learn_refuses_a_board_that_hangs_on_another_computer(tmp_path, backend, like, other):
    usual = tool.boards.usual(backend).name
    message = f"'{like}' is one for --backend {other}, which is not {backend}; .* such as {usual}$"
    for named_by in ({"like": like}, {"board": like, "cells": ("a1",)}):
        with pytest.raises(AppError, match=message):
            learn(options(tmp_path / "x.toml", backend=backend, **named_by))
    assert list(tmp_path.iterdir()) == []


def test_learn_simulates_a_board_of_a_pico(run, tmp_path):
    from hal.profile_writer import save

    true = scrambled(small_on_pico(), Random(2))
    save(small_on_pico(), tmp_path / "small.toml")
    out = tmp_path / "board.toml"
    assert run(options(out, like=str(tmp_path / "small.toml")), true)[0] == 0
    assert load(out).pico == true.pico
    assert load(out).cells == true.cells


def test_learn_is_like_the_usual_board_of_its_backend_where_nobody_says_which(tmp_path):
    for backend, name in (("coprocessor", "hexagon-61-pico"), ("pi", "hexagon-61")):
        opts = options(tmp_path / "x.toml", backend=backend, like=None)
        assert tool._template(opts) == built_in(name)


def test_learn_on_a_pico_says_whose_wires_and_what_comes_next(monkeypatch, tmp_path):
    learned = tmp_path / "learned.toml"
    monkeypatch.setattr(tool.boards, "learned_file", lambda: learned)
    opts = options(None, backend="coprocessor", like=None)
    assert tool._out(opts) == learned
    assert next_command(opts, learned) == "lifeboard calibrate --backend coprocessor"
    own = options(None, backend="coprocessor", board="mine.toml")
    told = "lifeboard calibrate --backend coprocessor --board mine.toml"
    assert next_command(own, Path("mine.toml")) == told
    whose = tool.whose(opts, small_on_pico())
    assert whose == "the board on a Pico"
    assert whose != tool.whose(replace(opts, backend="pi"), small())
