"""Which board a command selects, and which board of the rules that is."""

from dataclasses import replace
from pathlib import Path

import pytest

import game.play.board_choice as boards_module
import hal
from game.common import AppError, StoreError, board_lock, board_memory
from game.play import at_port, choose_board, default_board, find_board, graph_of, simulated_file
from game.rules.boards.board import Board
from game.rules.boards.disc import disc
from game.rules.boards.hexagon import hexagon
from game.rules.boards.rectangle import rectangle
from hal.backends.registry import COPROCESSOR, PI, backend_of, capabilities
from hal.base.errors import ProfileError
from hal.profile import Electrode, Profile, built_in, built_in_names

SHIPPED = Path(hal.__file__).with_name("boards")


@pytest.fixture
def learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make this folder the one of settings; nothing is learned yet."""
    monkeypatch.setattr(boards_module, "user_config_path", lambda name: tmp_path / name)
    return tmp_path / "lifeboard" / "board.toml"


def written(path: Path, name: str) -> Path:
    """Write the hexagon under another name."""
    text = (SHIPPED / "hexagon-61.toml").read_text(encoding="utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.replace('name = "hexagon-61"', f'name = "{name}"'), encoding="utf-8")
    return path


def test_choose_without_a_word_is_the_learned_board_on_real_wires_only(learned: Path) -> None:
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


def test_choose_lets_the_pico_be_at_another_port(learned: Path) -> None:
    chosen = choose_board(None, "coprocessor", "/dev/ttyACM3")
    assert chosen.pico is not None
    assert chosen.pico.port == "/dev/ttyACM3"
    assert chosen == replace(default_board("coprocessor"), pico=chosen.pico)
    assert at_port(chosen, "pi", None) is chosen


@pytest.mark.parametrize(
    ("board", "backend", "why"),
    [
        ("hexagon-61-pico", "sim", "--backend is sim, which has no Pico"),
        ("hexagon-61", "coprocessor", "board 'hexagon-61' has no Pico"),
    ],
)
def test_choose_refuses_a_port_where_there_is_no_pico(board: str, backend: str, why: str) -> None:
    with pytest.raises(AppError, match=why):
        choose_board(board, backend, "/dev/ttyACM3")


def test_backends_of_real_boards_are_what_profiles_are_made_for() -> None:
    assert {backend_of(built_in(name)) for name in built_in_names()} == {PI, COPROCESSOR}
    names = (PI, COPROCESSOR, "sim", "mock")
    assert [capabilities(name).real for name in names] == [True, True, False, False]


def test_boards_on_a_pi_and_on_a_pico_have_a_lock_each_and_memories_by_profile(
    tmp_path: Path,
) -> None:
    one, other = built_in("hexagon-61"), built_in("hexagon-61-pico")
    # Any port may lead to the same Pico.
    another = built_in("rectangle-88-pico")
    with board_lock(tmp_path, one, "pi"), board_lock(tmp_path, other, "coprocessor"):
        for profile, backend in ((one, "pi"), (other, "coprocessor"), (another, "coprocessor")):
            with pytest.raises(StoreError, match=f"board {backend} is in use"):
                board_lock(tmp_path, profile, backend)
    memories = {board_memory(tmp_path, each, "coprocessor").path for each in (other, another)}
    assert len(memories) == 2


def test_choose_without_a_settings_folder_asks_for_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless(name: str) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(boards_module, "user_config_path", homeless)
    with pytest.raises(AppError, match=r"home directory.*choose a board with --board"):
        choose_board(None, "pi")
    assert choose_board(None, "sim").name == "hexagon-61"


def test_find_prefers_a_built_in_name_to_a_file_and_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize("board", OTHERS)
def test_graph_of_a_board_of_another_size(board: Board) -> None:
    assert graph_of(with_cells(board.cells)) == board
    assert graph_of(with_cells(board.cells[::-1])) == board


@pytest.mark.parametrize(
    "cells",
    [
        hexagon(5).cells[1:],
        (*hexagon(5).cells, "j1"),
        ("left", "right"),
        ("a1",),
        ("a01", "b1"),
        (),
    ],
)
def test_graph_of_other_cells_is_none(cells: tuple[str, ...]) -> None:
    assert graph_of(with_cells(cells)) is None
