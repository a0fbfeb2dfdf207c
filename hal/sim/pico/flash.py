"""The flash of an emulated Pico, filled as `lifeboard flash` fills a real one.

Owns where a Pico's files lie here. Must not know what they do, nor which there are.
"""

from pathlib import Path

from hal.coprocessor.flash import firmware_files


def fill_flash(folder: Path) -> None:
    """Put the firmware into a folder that is a Pico's flash."""
    for name, content in firmware_files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
