"""`lifeboard board`: checks a profile, and shows it as a picture and a table of its chips."""

from game.common import text_table
from game.maker.measured_board import electrodes_by_spot
from game.play import find_board, graph_of
from game.rules.boards.board import Board
from hal.profile import ELECTRODES, Electrode, Profile

_WIDTH = 100
_WIDEST_STEP = 10  # characters from a cell to its neighbour at the side
# Lines from a cell to one a unit further down. A label has three, and rows of hexagons are less
# than a unit apart.
_LINES_PER_UNIT = {"hexagon": 4 / (3**0.5 / 2), "rectangle": 4.0, "disc": 5.0}


def check_board(board: str) -> str:
    """Check a built-in board or a file, and count its parts; raises ProfileError."""
    return _checked(find_board(board))


def _checked(profile: Profile) -> str:
    chips, pixels = len(profile.chips), profile.pixel_count
    spare = chips * ELECTRODES - len(electrodes_by_spot(profile))
    dark = sum(cell not in profile.pixels for cell in profile.cells)
    without = f", {_many(dark, 'cell')} without a pixel" if dark else ""
    return (
        f"ok: {profile.name}: {_many(len(profile.cells), 'cell')} on {_many(chips, 'chip')}"
        f" ({_many(spare, 'electrode')} to spare), {_many(pixels, 'pixel')}"
        f" ({pixels - len(profile.pixels)} unused){without}, {_many(len(profile.keys), 'key')},"
        f" {profile.sensing.mode} sensing"
    )


def show_board(board: str) -> str:
    """Draw a built-in board or a file in plain text; raises ProfileError."""
    profile = find_board(board)
    graph = graph_of(profile)
    drawn = "No picture: no board that lifeboard knows has these cells."
    if graph:
        drawn = picture(profile, graph)
    return "\n\n".join([f"{profile.title}\n{_checked(profile)}", drawn, _chip_table(profile)])


def picture(profile: Profile, board: Board) -> str:
    """Draw the board from above: each cell's name, its electrode and its pixel."""
    labels = {
        cell: (
            cell,
            str(profile.cells[cell]),
            f"#{profile.pixels[cell]}" if cell in profile.pixels else "none",
        )
        for cell in board.cells
    }
    widest = max(len(line) for label in labels.values() for line in label)
    xs = [x for x, _ in board.centres.values()]
    ys = [y for _, y in board.centres.values()]
    across = max(xs) - min(xs)
    step = max(widest + 1, min(_WIDEST_STEP, int((_WIDTH - widest) / max(across, 1))))
    # With an even step, half a step is a whole number of characters.
    step -= step % 2 if step - step % 2 > widest else 0
    down = _LINES_PER_UNIT.get(board.shape, 5.0)
    places = {
        cell: (round((x - min(xs)) * step), round((y - min(ys)) * down))
        for cell, (x, y) in board.centres.items()
    }
    columns = max(column for column, _ in places.values()) + widest
    lines = max(line for _, line in places.values()) + 3
    canvas = [[" "] * columns for _ in range(lines)]
    for cell, (column, line) in places.items():
        for below, text in enumerate(labels[cell]):
            canvas[line + below][column : column + len(text)] = text
    legend = "The board from above: each cell with its chip and electrode, and its pixel (#)."
    return legend + "\n\n" + "\n".join("".join(line).rstrip() for line in canvas)


def _chip_table(profile: Profile) -> str:
    used = set(electrodes_by_spot(profile).values())
    rows = [("chip", "place", "used", "electrodes to spare")]
    for chip in profile.chips:
        free = [str(n) for n in range(ELECTRODES) if Electrode(chip.name, n) not in used]
        count = str(ELECTRODES - len(free))
        rows.append((chip.name, chip.place, count, ", ".join(free) or "none"))
    return text_table(rows, {"used"})


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"
