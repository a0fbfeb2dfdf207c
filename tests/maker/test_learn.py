"""The tool that learns: on emulated chips, with emulated fingers, on a clock of the test's own."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from game.common import AppError
from game.maker import LearnOptions, run_learn
from game.maker import learn as tool
from game.maker.display import CellNote, ToolScreen
from game.maker.learn import STOP, check, draft_file, named, warnings_of
from hal.backends.backend import UnlearnedBoard
from hal.backends.registry import open_unlearned
from hal.base import schema
from hal.base.errors import ProfileError
from hal.drivers.i2c_search import BusSearch, BusTrouble
from hal.learning import Learner
from hal.profile import Chip, Profile, built_in, load
from hal.profile.writer import save
from hal.sim.backend import scrambled
from tests.helpers.boards.clocked_board import FakeClock
from tests.helpers.boards.learn_user import LearnUser, teach
from tests.helpers.boards.tool_rig import TimedBoard
from tests.helpers.boards.true_board import small


def taught(template: Profile, true: Profile, learner: Learner) -> LearnUser:
    clock = FakeClock()
    with closing(TimedBoard(true, clock)) as board:
        return teach(learner, template, true, board, clock)


def test_session_shows_what_is_asked_and_what_is_known():
    template = small()
    teacher = taught(template, template, Learner(template, template.chips))
    screens = teacher.screens
    first = screens[0]
    assert first.title == "Learn small"
    names = [action.name for action in first.actions]
    assert names == ["light", "dead", "silent", STOP.name]
    assert first.progress == (0, 10)
    assert list(first.cells) == list(template.cells)
    by_message = {screen.message: screen for screen in screens}
    asked = by_message["a1 is electrode A.0, pixel 0. Touch a2."]
    assert asked.progress == (1, 4)
    assert asked.cells["a1"] == CellNote("A.0", "done")
    assert asked.cells["a2"] == CellNote("?", "asked")
    assert asked.cells["b1"] == CellNote("")
    # On a simulated board the page shows the light too.
    assert first.cells["a1"] == CellNote("*", "asked")
    # The pixels left when every cell has answered are assigned without asking.
    assert not any("Pixel 4 glows" in message for message in by_message)
    assert screens[-1].message == "The board is learned."
    assert screens[-1].actions == ()


USUAL = LearnOptions(
    backend="sim",
    like="disc-32",
    board=None,
    out=None,
    pixels=None,
    fresh=False,
    port=0,
    browser=False,
    seed=None,
    data=None,
)


def options(out: Path, **changed: object) -> LearnOptions:
    return replace(USUAL, out=out, **{"data": out.parent} | changed)  # type: ignore[arg-type]


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command on a board of emulated chips; return its status and its output."""
    clock = FakeClock()

    def run_it(opts: LearnOptions, true: Profile, choose=None) -> tuple[int, list[str]]:
        board = TimedBoard(true, clock)
        user = LearnUser(board, clock, true, choose)

        def unlearned(*_: object) -> UnlearnedBoard:
            spots = {pixel: spot for spot, pixel in true.pixels.items()}
            return UnlearnedBoard(
                board.platform.search, lambda profile: board, true.chips, spots=spots
            )

        monkeypatch.setattr(tool, "open_unlearned", unlearned)
        monkeypatch.setattr(tool, "ToolDisplay", lambda *_: user)
        monkeypatch.setattr(tool.time, "monotonic", clock)
        monkeypatch.setattr(tool, "stop_on_signals", lambda stop: None)
        return run_learn(opts), user.said

    return run_it


@pytest.fixture
def file(tmp_path):
    """A file of the small board."""
    save(small(), tmp_path / "small.toml")
    return tmp_path / "small.toml"


def test_learn_writes_a_profile_and_takes_its_draft_away(run, file, tmp_path):
    true = scrambled(small(), Random(4))
    out = tmp_path / "config" / "board.toml"
    status, said = run(options(out, like=str(file), sensing="presence"), true)
    assert status == 0
    assert set(load(out).chips) == set(true.chips)
    # It is learned by touch, whatever it senses in play.
    senses = replace(true.sensing, mode="presence")
    assert load(out) == replace(true, chips=load(out).chips, sensing=senses)
    assert tool.blank(load(out), true.chips).sensing.mode == "touch"
    left = {each.name for each in out.parent.iterdir() if each.suffix != ".lock"}
    assert left == {"board.toml"}
    assert said == [
        f"Written: {out}.",
        f"Next: lifeboard calibrate --backend sim --board {out}",
    ]


def test_learn_stopped_keeps_a_draft_and_goes_on_with_it(run, file, tmp_path):
    true = scrambled(small(), Random(4))
    out = tmp_path / "board.toml"
    opts = options(out, like=str(file))

    def stop_at_names(screen: ToolScreen) -> str | None:
        return STOP.name if "Touch a" in screen.message else None

    assert run(opts, true, lambda _: STOP.name) == (1, ["Nothing was learned."])
    assert not draft_file(out).exists()
    status, said = run(opts, true, stop_at_names)
    assert status == 1
    assert not out.exists()
    assert draft_file(out).exists()
    assert f"kept in {draft_file(out)}" in said[-1]
    status, said = run(opts, true)
    assert status == 0
    assert said[0] == f"Resuming {draft_file(out)}; --fresh begins anew."
    assert load(out).cells == true.cells
    assert not draft_file(out).exists()


def test_learn_keeps_the_older_profiles_beside_the_new_one(run, file):
    before, true = load(file), scrambled(small(), Random(4))
    for backup in ("small.toml.old", "small.toml.old2"):
        _, said = run(replace(USUAL, backend="pi", like=str(file), out=file), true)
        assert said[0] == f"Written: {file}; the older one is {backup}."
    assert load(file.with_name("small.toml.old")) == before
    assert load(file.with_name("small.toml.old2")) == load(file)


@pytest.mark.parametrize(
    ("changed", "now"),
    [
        ({"seed": 9}, "small with 10 pixels, --backend sim --seed 9"),
        ({"backend": "pi"}, "small with 10 pixels, --backend pi --seed 5"),
    ],
)
def test_learn_refuses_the_draft_of_another_backend_or_seed(run, file, tmp_path, changed, now):
    started = options(tmp_path / "board.toml", like=str(file), seed=5)
    asked = iter(range(10))
    run(started, small(), lambda _: STOP.name if next(asked, None) is None else None)
    draft = draft_file(tmp_path / "board.toml")
    before = draft.read_bytes()
    first = "small with 10 pixels, --backend sim --seed 5"
    shown = f"belongs to {first}, not to {now}; begin anew with --fresh"
    with pytest.raises(AppError, match=shown):
        run(replace(started, **changed), small())
    assert draft.read_bytes() == before
    assert run(replace(started, **changed, fresh=True), small())[0] == 0


def test_learn_says_when_a_draft_cannot_be_written(run, file, tmp_path):
    (tmp_path / "taken").write_text("no folder", encoding="utf-8")
    taken = tmp_path / "taken" / "board.toml"
    with pytest.raises(AppError, match=r"draft .* cannot be written: .* another place with --out"):
        run(options(taken, like=str(file), data=tmp_path), small())


@pytest.mark.parametrize(
    ("changed", "shown"),
    [
        ({"pixels": 2001}, "--pixels is 2001; allowed: 1 to 2000"),
        ({"backend": "mock", "like": None}, "backend 'mock' cannot learn how a board is wired"),
        (
            {"backend": "coprocessor", "like": "hexagon-61"},
            "'hexagon-61' is one for --backend pi, which is not coprocessor; .*hexagon-61-pico$",
        ),
        (
            {"backend": "pi", "board": "disc-32-pico"},
            "'disc-32-pico' is one for --backend coprocessor, which is not pi; .* hexagon-61$",
        ),
    ],
)
def test_learn_refuses_what_cannot_be(tmp_path, changed, shown):
    with pytest.raises(AppError, match=shown):
        run_learn(options(tmp_path / "x.toml", **changed))
    assert not (tmp_path / "x.toml").exists()


def test_learn_leaves_out_what_is_no_touch_chip_and_says_so():
    troubles = [BusTrouble(3, "the bus hangs")]
    search = BusSearch([Chip("", 1, 0x5A)], [Chip("", 1, 0x5B)], troubles=troubles)
    assert named(search) == (Chip("A", 1, 0x5A),)
    assert warnings_of(search) == [
        "Warning: what answers at bus 1, address 0x5B is no touch chip, and is not used.",
        "Warning: bus 3 was not searched: the bus hangs.",
    ]
    gone, known = Chip("Z", 1, 0x5D), Chip("C", 1, 0x5A)
    assert named(search, (gone, known)) == (known,)
    with pytest.raises(AppError, match="no touch chip was found; bus 3: the bus hangs; `lifeboard"):
        named(BusSearch(troubles=search.troubles))


def test_learn_refuses_before_anyone_begins_what_could_not_be_written():
    template = built_in("hexagon-61")
    with pytest.raises(AppError, match="2 touch chips for 61 cells: allowed are 6"):
        check(template, template.chips[:2])
    dim = replace(template, power=schema.replace(template.power, budget_ma=120))
    check(dim.with_pixels(115), dim.chips)
    with pytest.raises(ProfileError, match=r"\[power\] budget_ma is 120; allowed: "):
        check(dim.with_pixels(500), dim.chips)


@pytest.mark.parametrize(("pixels", "seed"), [(5, 5), (20, None)])
def test_learn_on_the_simulated_board_hangs_as_many_pixels_on_it_as_are_asked_for(
    file, tmp_path, pixels, seed
):
    template = tool._template(options(tmp_path / "x.toml", like=str(file), pixels=pixels))
    with closing(open_unlearned("sim", template, seed).open(template)) as board:
        true = board.profile
    learner = Learner(template, true.chips)
    taught(template, true, learner)
    learned = learner.profile()
    assert learned.pixel_count == learned.strip.pixels == pixels
    assert dict(learned.pixels) == dict(true.pixels)


@pytest.mark.parametrize(
    ("backend", "file"),
    # What is learned on a simulated board never takes the place of a real one.
    [("pi", "learned.toml"), ("coprocessor", "learned.toml"), ("sim", "simulated.toml")],
)
def test_learn_keeps_a_board_where_it_is_found(run, monkeypatch, tmp_path, backend, file):
    monkeypatch.setattr(tool, "learned_file", lambda: tmp_path / "learned.toml")
    monkeypatch.setattr(tool, "simulated_file", lambda: tmp_path / "simulated.toml")
    like = "disc-32-pico" if backend == "coprocessor" else "disc-32"
    opts = replace(USUAL, backend=backend, like=like, data=tmp_path)
    status, said = run(opts, built_in(like))
    assert (status, said[0]) == (0, f"Written: {tmp_path / file}.")
