"""How a process makes itself small: it gives way to others, and does not outlive its parent.

Owns what is asked of the system for that. Where it is forbidden, as in a sandbox, things go on
without it.
"""

import os
import signal
from contextlib import suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1  # prctl(2), linux/prctl.h
_FIRST_TO_GO = 500
"""How much sooner than others it ends when memory runs out: proc(5), oom_score_adj."""


def give_way(nice: int) -> None:
    """Let others have the processor first, and memory too where it runs short."""
    with suppress(OSError):
        os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_FIRST_TO_GO))


def end_with_parent() -> None:
    """Be killed when the thread that has started this process ends.

    A process that listens ends anyway when it is spoken to no longer; this is for one that hangs.
    """
    parent = os.getppid()
    # Where nothing that was written may be executed, loading it can fail.
    with suppress(ImportError, OSError, AttributeError, MemoryError):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
