"""One thread of a process, held still while the others run on, as ptrace(2) can."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

_SEIZE, _INTERRUPT, _DETACH = 0x4206, 0x4207, 17
_WALL = 0x40000000


@contextmanager
def held(thread: int) -> Iterator[None]:
    """Stop a thread for the block; a process that is killed meanwhile still ends."""
    _ptrace(_SEIZE, thread)
    _ptrace(_INTERRUPT, thread)
    os.waitpid(thread, _WALL)
    try:
        yield
    finally:
        try:
            _ptrace(_DETACH, thread)
        except ProcessLookupError:
            os.waitpid(thread, _WALL)


def _ptrace(request: int, thread: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    if libc.ptrace(request, thread, None, None) < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
