"""Which board a command selects, how a game lies on it, what is dropped, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

import game.play.board_choice as boards_module
import hal
from game.common import AppError, StoreError, board_lock, board_memory
from game.play import (
    FittedMasks,
    choose_board,
    default_board,
    find_board,
    fits_board,
    fitted_profile,
    graph_of,
    lacking_keys,
    simulated_file,
)
from game.rules.base.registry import all_games
from game.rules.boards.board import Board, disc, hexagon, rectangle
from hal.backends.registry import backend_of
from hal.base.errors import ProfileError
from hal.profile import BoardMemory, Electrode, Profile, built_in, built_in_names
from tests.helpers.boards.profiles import spare_electrode
from tests.helpers.games.small_games import Middle

SHIPPED = Path(hal.__file__).with_name("boards")

HEXAGONS = ("hexagon-61", "hexagon-61-pico")
ADAPTOID = Middle(hexagon(4))
SHAPES = {
    "hexagon": HEXAGONS,
    "disc": ("disc-32", "disc-32-pico"),
    "rectangle": ("rectangle-88", "rectangle-88-pico"),
}
OWN = {
    "adaptoid": ("hexagon-37",),
    "capture-go": ("hexagon-37",),
    "eat-your-neighbor": ("hexagon-37",),
    "capture-go-7": ("hexagon-37", "bench-7", "bench-7-pico"),
}
"""Boards of a game's own size, which are too small for others."""
MIDDLES = [
    ("hexagon-61", hexagon(4)),
    ("hexagon-61-pico", hexagon(2)),
    ("disc-32", disc(3, 8)),
    ("rectangle-88", rectangle(6, 9)),
    ("rectangle-88", rectangle(3, 3)),
]


@pytest.fixture
def learned(tmp_path, monkeypatch):
    """Make this folder the one of settings; nothing is learned yet."""
    monkeypatch.setattr(boards_module, "user_config_path", lambda name: tmp_path / name)
    return tmp_path / "lifeboard" / "board.toml"


def written(path: Path, name: str) -> Path:
    """Write the hexagon under another name."""
    text = (SHIPPED / "hexagon-61.toml").read_text(encoding="utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace('name = "hexagon-61"', f'name = "{name}"'), encoding="utf-8")
    return path


def test_choose_without_a_word_is_the_learned_board_on_real_wires_only(learned):
    written(simulated_file(), "simulated")
    assert choose_board(None, "pi").name == "hexagon-61"
    assert choose_board(None, "coprocessor").name == "hexagon-61-pico"
    written(learned, "mine")
    assert choose_board(None, "pi").name == choose_board(None, "coprocessor").name == "mine"
    assert choose_board(None, "sim").name == "hexagon-61"
    # A damaged one is never passed over.
    learned.write_text("name = 3", encoding="utf-8")
    with pytest.raises(ProfileError, match=r"board\.toml"):
        choose_board(None, "pi")


def test_the_port_is_that_of_a_pico_and_refused_where_there_is_none():
    chosen = choose_board(None, "coprocessor", "/dev/ttyACM3")
    assert chosen.pico is not None
    assert chosen.pico.port == "/dev/ttyACM3"
    assert chosen == replace(default_board("coprocessor"), pico=chosen.pico)
    for board, backend in (("hexagon-61-pico", "sim"), ("hexagon-61", "coprocessor")):
        with pytest.raises(AppError, match=f"no Pico on board '{board}' with --backend {backend}"):
            choose_board(board, backend, "/dev/ttyACM3")


def test_boards_on_a_pi_and_on_a_pico_have_a_lock_each_and_memories_by_profile(tmp_path):
    one, other = built_in("hexagon-61"), built_in("hexagon-61-pico")
    # Any port may lead to the same Pico.
    another = built_in("rectangle-88-pico")
    with board_lock(tmp_path, one, "pi"), board_lock(tmp_path, other, "coprocessor"):
        for profile, backend in ((one, "pi"), (other, "coprocessor"), (another, "coprocessor")):
            with pytest.raises(StoreError, match=f"board {backend} is in use"):
                board_lock(tmp_path, profile, backend)
    memories = {board_memory(tmp_path, each, "coprocessor").path for each in (other, another)}
    assert len(memories) == 2


def test_find_prefers_a_built_in_name_to_a_file_and_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "disc-32", "other")
    assert find_board("disc-32").name == "disc-32"
    assert find_board("./disc-32").name == "other"
    with pytest.raises(ProfileError, match=r'"octagon" is unknown: allowed are a file, or bench-7'):
        find_board("octagon")
    for name in ("gone.toml", "boards/octagon"):
        with pytest.raises(ProfileError, match="cannot be read: No such file"):
            find_board(name)


def with_cells(cells: tuple[str, ...]) -> Profile:
    """Make a profile with these cells; where they are wired does not matter here."""
    return replace(built_in(), cells=dict.fromkeys(cells, Electrode("A", 0)))


OTHERS = [hexagon(2), hexagon(13), disc(1, 3), disc(20, 26), rectangle(2, 2), rectangle(26, 99)]
NO_BOARDS = (hexagon(5).cells[1:], (*hexagon(5).cells, "j1"), ("left", "right"), ("a01", "b1"), ())


def test_graph_is_of_a_board_of_any_size_that_has_just_these_cells():
    for board in OTHERS:
        assert graph_of(with_cells(board.cells[::-1])) == board
    for cells in NO_BOARDS:
        assert graph_of(with_cells(cells)) is None


def shown(board: Board, cell: str) -> tuple[float, float]:
    x, y = board.centres[cell]
    return round(x, 3) + 0.0, round(y, 3) + 0.0


def placed(profile: Profile, cells: Board) -> dict[tuple[float, float], Electrode]:
    """Return which electrode lies where."""
    return {shown(cells, cell): pad for cell, pad in profile.cells.items()}


@pytest.mark.parametrize("name", all_games())
@pytest.mark.parametrize("board", built_in_names())
def test_every_game_fits_on_every_shipped_board_of_its_shape(name, board):
    game, profile = all_games()[name], built_in(board)
    good = SHAPES[game.board.shape] + OWN.get(name, ())
    assert fits_board(profile, game) == (board in good)
    if board in good:
        assert set(fitted_profile(profile, game).cells) == set(game.board.cells)
        assert lacking_keys(profile, game) == ()
        return
    why = f"'{board}' does not fit {name}:"
    with pytest.raises(AppError, match=why) as refused:
        fitted_profile(profile, game)
    assert f"choose another, such as {', '.join(sorted(good))}, with --board" in str(refused.value)


@pytest.mark.parametrize(("name", "board"), MIDDLES)
def test_fitted_cells_lie_where_the_game_has_them_and_all_else_stays(name, board):
    whole = built_in(name)
    graph = graph_of(whole)
    assert graph is not None
    part = fitted_profile(whole, Middle(board))
    assert set(part.cells) == set(board.cells)
    own = placed(whole, graph)
    # One of 3 by 3 has no middle cell that the larger board shares, and is placed by its names.
    dx, dy = 0.0, 0.0
    if board == rectangle(3, 3):
        dx, dy = (a - b for a, b in zip(shown(graph, "A1"), shown(board, "A1"), strict=True))
    for cell in board.cells:
        x, y = shown(board, cell)
        pad = own[round(x + dx, 3) + 0.0, round(y + dy, 3) + 0.0]
        assert part.cells[cell] == pad
        (named,) = (each for each, its in whole.cells.items() if its == pad)
        assert part.pixels[cell] == whole.pixels[named]
    lights = {spot: pixel for spot, pixel in whole.pixels.items() if "." in spot}
    assert {spot: part.pixels[spot] for spot in part.pixels.keys() - set(board.cells)} == lights
    assert replace(part, cells=whole.cells, pixels=whole.pixels) == whole


def test_cells_of_unknown_boards_are_taken_by_names_and_those_at_other_places_are_refused():
    row = ("left", "middle", "right")
    board = Board("row", row, {}, {cell: (float(n), 0.0) for n, cell in enumerate(row)}, row)
    named = with_cells(row[::-1])
    assert fitted_profile(named, Middle(board)) is named
    # The board with an extra cell is not a known one; it has all names of Adaptoid's cells, but
    # not in its middle.
    whole = built_in()
    more = replace(whole, cells={**whole.cells, "j1": spare_electrode(whole)})
    names = disc(4, 8).cells
    flat = {cell: (float(n % 4), float(n // 4)) for n, cell in enumerate(names)}
    for profile, game in (
        (more, ADAPTOID),
        (with_cells(names), Middle(Board("rectangle", names, {}, flat, names))),
        (whole, Middle(hexagon(6))),
    ):
        with pytest.raises(AppError, match="does not fit"):
            fitted_profile(profile, game)


def test_lacking_keys_are_those_that_the_board_has_not():
    profile = built_in()
    game = Middle(keys=("ring1", "choice1", "choice2"))
    assert lacking_keys(profile, game) == ("ring1",)
    assert lacking_keys(replace(profile, keys={}), game) == ("ring1", "choice1", "choice2")


@pytest.mark.parametrize(
    ("game", "board"),
    [
        (all_games()["adaptoid"], "hexagon-61"),
        (all_games()["azteka-three"], "disc-32"),
        (Middle(rectangle(8, 11)), "rectangle-88"),
        # One that fits nowhere.
        (Middle(hexagon(6)), "hexagon-61"),
    ],
)
def test_usual_board_of_a_game_is_one_that_it_fits_on(game, board):
    for backend in ("sim", "pi", "mock"):
        assert default_board(backend, game).name == board
    assert choose_board(None, "sim", game=game).name == board
    assert default_board("coprocessor", game).name == f"{board}-pico"
    assert backend_of(built_in(f"{board}-pico")) == "coprocessor"


def test_masks_of_a_fitted_board_are_kept_by_the_board_s_own_names():
    whole = built_in()
    memory = BoardMemory()
    memory.mask({"e5", "a1"})
    masks = FittedMasks(memory, whole, fitted_profile(whole, ADAPTOID))
    assert masks.masked == {"d4"}
    masks.mask({"a1", "d4"})
    assert memory.masked == {"a1", "b2", "e5"}
    assert masks.masked == {"a1", "d4"}
    masks.mask(())
    assert memory.masked == {"a1"}
