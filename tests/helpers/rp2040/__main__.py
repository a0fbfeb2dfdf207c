"""Make sure, before many tests, that the emulator is there."""

from tests.helpers.rp2040.node import NoNode, modules

try:
    modules()
except NoNode as why:
    raise SystemExit(f"No Pico can be emulated: {why}") from why
