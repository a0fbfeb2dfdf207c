"""How the parts of a board and their pins are called, in tables and drawings alike.

Owns the names. Must not know where parts are, nor wires.
"""

PAD_PIN = "copper"
"""The one pin of a pad and of the guard."""
GROUND_PIN, POWER_PIN = "GND", "VIN"
"""How breakouts call ground, and the pin that gets 3.3 V."""
PAD, CHIP, MUX, BUTTON, PIXEL, CLAMP = "pad", "chip", "multiplexer", "button", "pixel", "clamp"
"""How the names of parts begin of which there are several."""
GUARD = "guard"
SHIFTER = "74AHCT125"
SUPPLY = "supply"
FUSE = "fuse"
LEVER_PIN = "lever"
"""Any of the places of a clamp, which are all joined inside."""
RAIL_5V, RAIL_GROUND = "5V", "GND"
"""What clamps join."""


def pad_part(sensor: str) -> str:
    """Name the pad of a cell or key."""
    return f"{PAD} {sensor}"


def chip_part(chip: str) -> str:
    """Name the breakout of a sensor chip."""
    return f"{CHIP} {chip}"


def mux_part(bus: int, address: int) -> str:
    """Name a multiplexer."""
    return f"{MUX} 0x{address:X} of bus {bus}"


def button_part(key: str) -> str:
    """Name a button."""
    return f"{BUTTON} {key}"


def pixel_part(pixel: int) -> str:
    """Name a pixel."""
    return f"{PIXEL} {pixel}"


def clamp_part(rail: str, number: int) -> str:
    """Name a clamp of several that join the wires of a rail."""
    return f"{CLAMP} {rail}-{number}"
