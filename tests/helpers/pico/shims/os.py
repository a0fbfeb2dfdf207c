"""`os` of an emulated Pico, where the Unix port lacks something."""

from uos import *  # noqa: F403
from uos import ilistdir as _ilistdir
from uos import stat as _stat


def ilistdir(folder="."):
    """List a folder with the sizes of its files, as a Pico's file system does."""
    for name, kind, number in _ilistdir(folder):
        yield name, kind, number, _stat(folder.rstrip("/") + "/" + name)[6]


def uname():
    """Return names and versions."""
    return "rp2", "rp2", "1.25.0", "v1.25.0 on 2025-04-15", "Raspberry Pi Pico with RP2040"


def sync():
    """Do nothing: files are written at once."""
