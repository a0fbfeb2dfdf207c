"""Profiles as text: what a program has learnt, written as a person would, comments and all.

Owns the layout and the comments of a profile file that is written; reading it belongs to
`hal.profile`. Must not know how a profile came to be.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from hal import profile as profiles
from hal.errors import ProfileError
from hal.files import write_whole
from hal.geometry import MEASURES, Geometry
from hal.profile import Chip, Electrode, Key, Measuring, Night, Pico, Pin, Profile, Sensing, Strip

_COMMENT_COLUMN = 33

_HEAD = """\
This file says how the board is wired. Every electrode, pixel and pin may be used once only, and
lifeboard refuses a file with a key that it does not know. Pins are BCM numbers ("GPIO17")."""

_PICO_HEAD = """\
This file says how the board is wired. Every electrode, pixel and pin may be used once only, and
lifeboard refuses a file with a key that it does not know. Pins are GP numbers of the Pico, 0 to
22 and 26 to 28 ("GP15")."""

_MEASURING = """\
How the chips measure. Thresholds are in counts of the reading, of which there are 1024: it falls
when something comes near. `lifeboard calibrate` finds what suits a board cell by cell; what is
said here holds for the cells that it has not measured."""

_CHIPS = """\
The sensor chips. The chip has four addresses: its ADDR pin goes to ground for 0x5A, to 3.3 V for
0x5B, to SDA for 0x5C, to SCL for 0x5D. One behind a TCA9548A multiplexer has its mux and channel
too: { bus = 1, mux = 0x70, channel = 2, address = 0x5A }."""

_PICO = """\
The board hangs on a Raspberry Pi Pico with lifeboard's firmware, which hangs on a USB port of the
computer. The port "auto" is the one at which a Pico is found; it may be a device or an URL too.
Each of its two I2C controllers can have a bus: bus 0 with SDA on 0, 4, 8, 12, 16 or 20 and SCL on
1, 5, 9, 13, 17 or 21; bus 1 with SDA on 2, 6, 10, 14, 18 or 26 and SCL on 3, 7, 11, 15, 19 or
27."""

_PICO_CHIPS = """\
The sensor chips. A bus holds at most four, since the chip has four addresses: its ADDR pin goes
to ground for 0x5A, to 3.3 V for 0x5B, to SDA for 0x5C, to SCL for 0x5D."""

_INTERRUPT = """\
The IRQ pins of all chips are open drain, and so are joined on one pin."""

_STRIP = """\
The strip: its data pin, how many pixels it has in all (dead ones too), and the order in which
they take the colours ("GRBW" and the like for pixels of four colours). The driver "spi" works on
every Pi without root: on GPIO10, when GPIO7 to 11 are its own, or on GPIO20, when GPIO16 to 21
are. "pwm" (GPIO12, 13, 18 or 19) and "pcm" (GPIO21) need root, and do not work on a Pi 5."""

_PICO_STRIP = """\
The strip: its data pin, which may be any that is free, how many pixels it has in all (dead ones
too), and the order in which they take the colours ("GRBW" and the like for pixels of four
colours, of which there may be 256; 341 of three). A Pico drives it by "pio"."""

_POWER = """\
How bright the strip may be, and what its supply can give. A full white pixel draws about 60 mA;
frames that would draw more than the budget are dimmed as a whole."""

_NIGHT = """\
The strip is darker at night."""

_NO_NIGHT = """\
The strip can be darker at night: take the signs away before these four lines.
[night]
start = "22:00"
end = "07:00"
brightness = 0.15"""

_KEYS = """\
The keys: a button between a pin and ground, or a pad on a spare electrode:
{ chip = "A", electrode = 11 }."""

_CELLS = """\
The cells. Chip and electrode (0 to 11) feel the cell, the pixel lights it; a cell without a pixel
is played without light. Pixel 0 is the first on the strip."""

_LIGHTS = """\
The lights beside the cells: each group lists its pixels in order."""

_GEOMETRY = """\
The measures of the board in mm, for whoever makes it. Places count from the middle of the cells,
x to the right and y away from the player who sits below."""


def write(profile: Profile, notes: Sequence[str] = ()) -> str:
    """Write a profile as TOML that `hal.profile.load` reads as an equal one.

    Cells, lights and keys keep their order. The notes become comments at the top, a line each.
    """
    on_pico = profile.pico is not None
    sections = [
        [
            *_comment(_title(profile)),
            *(f"# {' '.join(note.split())}" for note in notes),
            "#",
            *_comment(_PICO_HEAD if on_pico else _HEAD),
        ],
        [f"name = {_text(profile.name)}", f"title = {_text(profile.title)}"],
        ["[sensing]", *_lined(_sensing(profile.sensing))],
        [*_comment(_MEASURING), "[measuring]", *_lined(_measuring(profile.measuring))],
        *([[*_comment(_PICO), *_pico(profile.pico)]] if profile.pico is not None else []),
        [*_comment(_PICO_CHIPS if on_pico else _CHIPS), "[chips]", *map(_chip, profile.chips)],
        [*_comment(_INTERRUPT), "[interrupt]", f"pin = {profile.interrupt_pin}"],
        [*_comment(_PICO_STRIP if on_pico else _STRIP), "[strip]", *_strip(profile.strip)],
        [
            *_comment(_POWER),
            "[power]",
            *_lined(
                (
                    (f"brightness = {profile.power.brightness!r}", "0 to 1"),
                    (f"gamma = {profile.power.gamma!r}", "1 is none"),
                    (f"budget_ma = {profile.power.budget_ma}", ""),
                )
            ),
        ],
        [*_night(profile.night)],
        [*_comment(_KEYS), "[keys]", *(f"{n} = {_key(key)}" for n, key in profile.keys.items())],
        [*_comment(_CELLS), "[cells]", *_cells(profile)],
        [*_comment(_LIGHTS), "[lights]", *_lights(profile)],
        *(_geometry(profile, profile.geometry) if profile.geometry is not None else []),
    ]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def check(profile: Profile) -> None:
    """Raise ProfileError, with the key and what is allowed, if `load` would not read this back."""
    with TemporaryDirectory() as folder:
        trial = Path(folder) / "board.toml"
        trial.write_text(write(profile), encoding="utf-8")
        try:
            read = profiles.load(trial)
        except ProfileError as error:
            why = str(error).removeprefix(f"{trial}: ")
            raise ProfileError(f"this makes no profile: {why}") from error
    if read != profile:
        raise ProfileError("this makes no profile: it would be read as another one")


def save(profile: Profile, path: Path, notes: Sequence[str] = ()) -> Path | None:
    """Check a profile and write it to a file; give where one that is there already is kept.

    Raise ProfileError, and change nothing, for one that is no profile, and OSError if the file
    cannot be written.
    """
    check(profile)
    kept = older(path) if path.exists() else None
    if kept is not None:
        write_whole(kept, path.read_bytes())
    write_whole(path, write(profile, notes).encode())
    return kept


def older(path: Path) -> Path:
    """Name a file that is not there yet to keep an older one in: "<name>.old", then ".old2"."""
    names = (f"{path.name}.old{number if number > 1 else ''}" for number in count(1))
    return next(each for each in map(path.with_name, names) if not each.exists())


def _title(profile: Profile) -> str:
    things = (
        (len(profile.cells), "cell"),
        (len(profile.chips), "touch chip"),
        (profile.pixel_count, "pixel"),
        (len(profile.keys), "key"),
    )
    counted = [f"{number} {thing}{'s' * (number != 1)}" for number, thing in things]
    return f"A board of {', '.join(counted[:-1])} and {counted[-1]}, written by `lifeboard learn`."


def _sensing(sensing: Sensing) -> Iterable[tuple[str, str]]:
    return (
        (f"mode = {_text(sensing.mode)}", '"touch" feels touches, "presence" standing stones'),
        (f"press_ms = {sensing.press_ms}", "a press is believed when stable for so long"),
        (f"release_ms = {sensing.release_ms}", "and so is its end"),
        (f"hold_ms = {sensing.hold_ms}", "a press as long as this is a held one"),
        (f"palm_cells = {sensing.palm_cells}", "so many presses at once are a palm, and not felt"),
        (f"poll_ms = {sensing.poll_ms}", "the chips are read this often if the IRQ line is silent"),
        (f"settle_ms = {sensing.settle_ms}", "presence: a stone stands when stable for so long"),
    )


def _measuring(measuring: Measuring) -> Iterable[tuple[str, str]]:
    return (
        (f"touch_threshold = {measuring.touch_threshold}", "fall of the reading that is a touch"),
        (f"release_threshold = {measuring.release_threshold}", "fall at which the touch ends"),
        (f"touch_debounce = {measuring.touch_debounce}", "so many results must agree, 0 to 7"),
        (f"release_debounce = {measuring.release_debounce}", ""),
        (
            f"automatic = {str(measuring.automatic).lower()}",
            "each chip finds its charge settings, on an empty board",
        ),
        (f"charge_ua = {measuring.charge_ua}", "where it begins, or stays if false: 1 to 63 uA"),
        (f"charge_us = {measuring.charge_us:g}", "for 0.5, 1, 2, 4, 8, 16 or 32 microseconds"),
        (f"first_filter = {measuring.first_filter}", "samples that make one: 6, 10, 18 or 34"),
        (f"second_filter = {measuring.second_filter}", "of these so many make a result: 4 to 18"),
        (f"interval_ms = {measuring.interval_ms}", "one after the other in so many ms: 1 to 128"),
    )


def _pico(pico: Pico) -> Iterator[str]:
    yield "[pico]"
    yield f"port = {_text(pico.port)}"
    yield "[pico.buses]"
    for number, pins in pico.buses.items():
        yield f"{number} = {{ sda = {pins.sda}, scl = {pins.scl} }}"


def _chip(chip: Chip) -> str:
    behind = "" if chip.mux is None else f"mux = 0x{chip.mux:X}, channel = {chip.channel}, "
    return f"{chip.name} = {{ bus = {chip.bus}, {behind}address = 0x{chip.address:X} }}"


def _strip(strip: Strip) -> Iterator[str]:
    yield f"driver = {_text(strip.driver)}"
    yield f"pin = {strip.pin}"
    yield f"pixels = {strip.pixels}"
    yield f"order = {_text(strip.order)}"


def _night(night: Night | None) -> Iterator[str]:
    if night is None:
        yield from _comment(_NO_NIGHT)
        return
    yield from _comment(_NIGHT)
    yield "[night]"
    for name, minute in (("start", night.start), ("end", night.end)):
        yield f'{name} = "{minute // 60:02}:{minute % 60:02}"'
    yield f"brightness = {night.brightness!r}"


def _key(key: Key) -> str:
    match key:
        case Pin(number):
            return f"{{ pin = {number} }}"
        case Electrode():
            return f"{{ {_electrode(key)} }}"


def _cells(profile: Profile) -> Iterator[str]:
    """Give a line a cell, and an empty one between rows ("a1", "a2" and so on)."""
    rows = groupby(profile.cells.items(), key=lambda entry: re.sub(r"\d+$", "", entry[0]))
    for place, (_, row) in enumerate(rows):
        if place:
            yield ""
        for cell, electrode in row:
            pixel = f", pixel = {profile.pixels[cell]}" if cell in profile.pixels else ""
            yield f"{cell} = {{ {_electrode(electrode)}{pixel} }}"


def _electrode(electrode: Electrode) -> str:
    return f"chip = {_text(electrode.chip)}, electrode = {electrode.electrode}"


def _lights(profile: Profile) -> Iterator[str]:
    for group, size in profile.lights.items():
        yield f"{group} = {[profile.pixels[f'{group}.{place}'] for place in range(size)]}"


def _geometry(profile: Profile, geometry: Geometry) -> Iterator[list[str]]:
    yield [
        *_comment(_GEOMETRY),
        "[geometry]",
        *(f"{name} = {getattr(geometry, name)!r}" for name in MEASURES),
        f"computer = {[*geometry.computer]}",
        f"supply = {[*geometry.supply]}",
    ]
    yield [
        "[geometry.lights]",
        *(
            f"{group} = {{ at = {[[*geometry.lights[f'{group}.{n}']] for n in range(size)]} }}"
            for group, size in profile.lights.items()
        ),
    ]
    yield ["[geometry.keys]", *(f"{key} = {[*geometry.keys[key]]}" for key in profile.keys)]


def _lined(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    for entry, comment in entries:
        yield f"{entry:<{_COMMENT_COLUMN - 1}} # {comment}" if comment else entry


def _comment(text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield f"# {line}"


def _text(text: str) -> str:
    """Write a TOML basic string: for what can be printed JSON's escapes are TOML's too."""
    return json.dumps(text, ensure_ascii=False)
