"""What the board's lights show of hidden pieces, on an emulated strip."""

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from game.rules.cirkle_mind import GAME
from game.table import Phase
from game.table.inputs import Asked, Command, SubmitSetup
from hal.base import schema
from hal.lights import DARK, Colour, Frame, correct
from hal.lights.frame import DARK_S
from hal.profile import built_in
from tests.helpers.boards.emulated_game import EmulatedGame

BOARD = built_in("rectangle-88")
STEP_S = 0.02


def seen(film: Sequence[Frame], cell: str) -> tuple[list[int], set[Colour], float]:
    """Return what a cell shows: the flashes of each row, the colours, and when it first lit up.

    A row ends where the cell is dark for longer than between flashes; cut rows are not counted.
    """
    levels = [frame[BOARD.pixels[cell]] for frame in film]
    lit = "".join("x" if level != DARK else "." for level in levels)
    rows = [row for row in lit.split("." * round(2 * DARK_S / STEP_S)) if "x" in row]
    whole = rows if not lit.endswith("x") else rows[:-1]
    return (
        [len([flash for flash in row.split(".") if flash]) for row in whole],
        set(levels) - {DARK},
        lit.index("x") * STEP_S if "x" in lit else -1.0,
    )


GREEN = {"A4": "GyT"}
MAUVE = {"A8": "MbS", "B8": "MkO"}


def arranged(player: int, fixed: dict[str, str]) -> dict[str, str]:
    """Lay out an army with some of its pieces where the game needs them."""
    arranges = GAME.arranging(GAME.initial(), player)
    left = list(arranges.pieces)
    for piece in fixed.values():
        left.remove(piece)
    cells = [cell for cell in arranges.cells if cell not in fixed]
    return fixed | dict(zip(cells, left, strict=False))


class Table88:
    """A rectangle on which CirKle Mind is played by touch alone; a test reads its strip."""

    def __init__(self, data: Path) -> None:
        self.room = EmulatedGame(BOARD, data, game=GAME)
        for player, fixed in ((1, GREEN), (2, MAUVE)):
            self.room.session.give(SubmitSetup(player, arranged(player, fixed)))
            self.room.run(0.1)
        assert self.room.table.state.phase is Phase.CONFIRM
        self.room.tap("confirm")

    def play(self, *spots: str) -> None:
        """Touch the spots of a move, and what is to be taken or put after it."""
        plies = self.room.plies
        for spot in spots:
            self.room.tap(spot)
        assert self.room.plies == plies + 1, self.room.table.scene().prompt
        assert self.room.table.state.phase in (Phase.TAP, Phase.SHOW)

    def attack(self, start: str, goal: str, target: str) -> list[Frame]:
        """Attack, and look at the strip from the moment at which faces are shown."""
        self.room.tap(start)
        self.room.tap(goal)
        self.room.pi.press("finger", target)
        while self.room.table.state.phase is not Phase.SHOW:
            self.watch(STEP_S)
        film = self.watch(0.1)
        self.room.pi.lift("finger")
        return film + self.watch(5.9)

    def watch(self, seconds: float) -> list[Frame]:
        """Read the strip repeatedly."""
        film = []
        for _ in range(round(seconds / STEP_S)):
            self.room.run(STEP_S)
            film.append(self.room.pi.latched())
        return film


def lit_cells(film: Sequence[Frame]) -> set[str]:
    return {
        cell for cell in BOARD.cells if any(frame[BOARD.pixels[cell]] != DARK for frame in film)
    }


def shown(face: str, brightness: float = BOARD.power.brightness) -> Colour:
    """Return the levels of a face's colour on a strip with power enough."""
    signal = GAME.signal(face)
    colour = Colour(*bytes.fromhex(signal.hue.removeprefix("#")))
    return correct((colour,), schema.replace(BOARD.power, brightness=brightness))[0]


def test_colours_of_faces_can_be_told_from_each_other_also_at_night():
    colours = {shown(f"G{colour}T", 0.05) for colour in "ygbmk"}
    assert len(colours - {DARK}) == 5


def test_the_strip_shows_the_two_faces_of_an_attack_and_nothing_of_any_other(tmp_path):
    table = Table88(tmp_path)
    with closing(table.room):
        for spots in (("A4", "A5"), ("H8", "H7"), ("A5", "A6"), ("H7", "H6")):
            table.play(*spots)
        table.room.tap("A6")
        table.room.tap("A7")
        assert table.room.light("choice1.0") != (0, 0, 0)
        table.play("choice1")
        assert table.room.light("choice1.0") == (0, 0, 0)
        for spots in (("H6", "H5"), ("A7", "A6"), ("H5", "H6")):
            table.play(*spots)
        film = table.attack("A6", "A7", "A8")
        assert lit_cells(film) == {"A7", "A8"}
        assert seen(film, "A7")[:2] == ([3, 3], {shown("GyT")})
        assert seen(film, "A8")[:2] == ([4], {shown("MbS")})
        # One after the other, the attacker first.
        assert seen(film, "A7")[2] < seen(film, "A8")[2]
        assert all(DARK in (frame[BOARD.pixels["A7"]], frame[BOARD.pixels["A8"]]) for frame in film)
        table.room.tap("H1")
        assert table.room.table.state.phase is Phase.TAP
        # Covered again: both squares look like any others of their armies.
        later = table.watch(1.0)
        colours = {frame[BOARD.pixels[cell]] for frame in later for cell in ("A7", "A8")}
        assert not colours & {shown("GyT"), shown("MbS")}
        film = table.attack("B8", "B7", "A7")
        assert lit_cells(film) == {"A7", "B7"}
        assert seen(film, "B7")[:2] == ([1, 1], {shown("MkO")})
        assert seen(film, "A7")[:2] == ([3, 3], {shown("GyT")})


def test_armies_are_laid_out_under_a_cover_and_the_strip_tells_nothing_of_it(tmp_path):
    with closing(EmulatedGame(BOARD, tmp_path, game=GAME)) as room:
        room.tap("resign", 0.8)
        zone = GAME.arranging(GAME.initial(), 1)
        assert zone is not None
        looks = set()
        for cell in ("C2", *zone.cells):
            room.pi.press("finger", cell)
            while not room.device.contacts:
                room.run(0.001)
            looks.add(room.pi.latched())
            room.tap(cell)
            looks.add(room.pi.latched())
            if cell == "C2":
                room.tap("take_back")
                room.tap("confirm")
                assert not room.table.state.setups.submitted
        # The picture never changes: their whole zone in one colour, and nothing else.
        (picture,) = looks
        assert lit_cells([picture]) == set(zone.cells)
        assert len({picture[BOARD.pixels[cell]] for cell in zone.cells}) == 1
        room.tap("confirm")
        assert set(room.table.state.setups.submitted) == {1}
        assert room.table.state.phase is Phase.ARRANGE
        assert not lit_cells([room.pi.latched()])


GUIDE = Path(__file__).parents[2] / "docs" / "cirkle-mind.md"
NAMES = {"circle": "O", "cross": "C", "triangle": "T", "square": "S"}


def test_guide_counts_flashes_as_the_lights_do_and_prints_the_squares_of_the_rules():
    said = dict(re.findall(r"^\| (\w+) \| (\d) \|$", GUIDE.read_text(), re.MULTILINE))
    assert {shape: GAME.signal(f"Gy{NAMES[shape]}").flashes for shape in NAMES} == {
        shape: int(count) for shape, count in said.items()
    }
    rows = re.findall(r"^ ?(\d+)((?:  ?(?:[a-z][TSCO]|--)){8})$", GUIDE.read_text(), re.MULTILINE)
    said = {
        f"{column}{row}": code
        for row, codes in rows
        for column, code in zip("ABCDEFGH", codes.split(), strict=True)
    }
    assert len(said) == 88
    assert {cell: code for cell, code in said.items() if code != "--"} == GAME.presentation.printed


def test_no_cell_counts_as_empty_while_stones_are_laid_out(tmp_path, monkeypatch):
    # The chips would learn the stones there as part of the board.
    sensed = replace(BOARD, sensing=replace(BOARD.sensing, mode="presence"))
    with closing(EmulatedGame(sensed, tmp_path, game=GAME)) as room:
        reported: list[frozenset[str]] = []
        monkeypatch.setattr(room.session.device.backend, "settle", reported.append)
        room.session.give(Asked(Command.SET_UP))
        room.run(0.1)
        room.pi.body.put("A1")
        room.run(0.5)
        assert room.table.state.setups.on_board is not None
        assert room.table.state.setups.on_board.cells == ("A1",)
        assert reported
        assert set(reported) == {frozenset()}
