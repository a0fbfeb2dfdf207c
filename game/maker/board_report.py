"""`lifeboard board`: checks a profile, and shows it as tables and a picture."""

from collections.abc import Sequence
from dataclasses import replace

from game.common import text_table
from game.play import find_board, graph_of
from game.rules.boards.board import Board
from hal.lights import WHITE, correct, current_ma
from hal.profile import ELECTRODES, Electrode, Profile

_WIDTH = 100
_WIDEST_STEP = 10  # characters from a cell to its neighbour at the side
_NUMBERS = {"electrode", "pixel", "used"}  # right-aligned columns
# Lines from a cell to one a unit further down. A label has three, and rows of hexagons are less
# than a unit apart.
_LINES_PER_UNIT = {"hexagon": 4 / (3**0.5 / 2), "rectangle": 4.0, "disc": 5.0}


def check_board(board: str) -> str:
    """Check a built-in board or a file, and count its parts; raises ProfileError."""
    profile = find_board(board)
    chips, pixels = len(profile.chips), profile.pixel_count
    spare = chips * ELECTRODES - len(_used(profile))
    dark = sum(cell not in profile.pixels for cell in profile.cells)
    without = f", {_many(dark, 'cell')} without a pixel" if dark else ""
    return (
        f"ok: {profile.name}: {_many(len(profile.cells), 'cell')} on {_many(chips, 'chip')}"
        f" ({_many(spare, 'electrode')} to spare), {_many(pixels, 'pixel')}"
        f" ({pixels - len(profile.pixels)} unused){without}, {_many(len(profile.keys), 'key')},"
        f" {profile.sensing.mode} sensing"
    )


def show_board(board: str) -> str:
    """Describe a built-in board or a file in plain text; raises ProfileError."""
    profile = find_board(board)
    graph = graph_of(profile)
    places = {chip.name: chip.place for chip in profile.chips}
    cells = [("cell", "chip", "place", "electrode", "pixel")]
    for cell in graph.cells if graph else profile.cells:
        pad, pixel = profile.cells[cell], str(profile.pixels.get(cell, "none"))
        cells.append((cell, pad.chip, places[pad.chip], str(pad.electrode), pixel))
    keys = [("key", "on")]
    for name, key in profile.keys.items():
        on = str(key) if isinstance(key, Electrode) else profile.pin_name(key.number)
        keys.append((name, on))
    lights = [("light", "pixels")]
    for group, count in profile.lights.items():
        lights.append((group, _runs([profile.pixels[f"{group}.{n}"] for n in range(count)])))
    parts = [
        f"{profile.name}: {profile.title}",
        text_table(cells, _NUMBERS),
        text_table(keys) if profile.keys else "No keys.",
        text_table(lights) if profile.lights else "No lights beside the cells.",
        picture(profile, graph)
        if graph
        else "No picture: no board that lifeboard knows has these cells.",
        _chip_table(profile),
        _settings(profile),
    ]
    return "\n\n".join(parts)


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
    used = _used(profile)
    rows = [("chip", "place", "used", "to spare")]
    for chip in profile.chips:
        free = [n for n in range(ELECTRODES) if Electrode(chip.name, n) not in used]
        rows.append((chip.name, chip.place, str(ELECTRODES - len(free)), _runs(free) or "none"))
    return text_table(rows, _NUMBERS)


def _settings(profile: Profile) -> str:
    """Describe sensing, strip, current and night, one line each."""
    measuring, strip = profile.measuring, profile.strip
    power, night = profile.power, profile.night
    lines = []
    if profile.pico is not None:
        buses = (
            f"; bus {number} on GP{pins.sda} (SDA) and GP{pins.scl} (SCL)"
            for number, pins in profile.pico.buses.items()
        )
        lines.append(f"pico       port {profile.pico.port}{''.join(buses)}")
    charge = f"{measuring.charge_ua} uA for {measuring.charge_us:g} us"
    automatic = "found by each chip, from " if measuring.automatic else ""
    unused = sorted(set(range(profile.pixel_count)) - set(profile.pixels.values()))
    unlimited = replace(power, budget_ma=10**9)
    most_ma = current_ma(correct((WHITE,) * profile.pixel_count, unlimited), power.channel_ma)
    within = "within" if most_ma <= power.budget_ma else "dimmed to"
    dark = "as bright as the day"
    if night is not None:
        dark = f"brightness {night.brightness:g} from {night.start} to {night.end}"
    lines += [
        f"sensing    {profile.sensing.mode};"
        f" interrupt line on {profile.pin_name(profile.interrupt_pin)}",
        f"measuring  touch from {measuring.touch_threshold} counts, over below"
        f" {measuring.release_threshold}; charge {automatic}{charge}",
        f"strip      {_many(strip.pixels, 'pixel')} by {strip.driver}"
        f" on {profile.pin_name(strip.pin)}, order {strip.order};"
        f" unused: {_runs(unused) or 'none'}",
        f"current    all white at brightness {power.brightness:g} is about {most_ma:.0f} mA,"
        f" {within} the budget of {power.budget_ma} mA",
        f"night      {dark}",
    ]
    return "\n".join(lines)


def _used(profile: Profile) -> set[Electrode]:
    keys = (key for key in profile.keys.values() if isinstance(key, Electrode))
    return {*profile.cells.values(), *keys}


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def _runs(numbers: Sequence[int]) -> str:
    """Shorten a list of numbers: consecutive ones, up or down, become "3-7"."""
    runs: list[list[int]] = []
    for number in numbers:
        run = runs[-1] if runs else []
        step = number - run[-1] if run else 0
        if abs(step) == 1 and (len(run) == 1 or run[-1] - run[-2] == step):
            run.append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
