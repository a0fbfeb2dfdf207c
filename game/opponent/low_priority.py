"""Lower a helper process's priority, and end it with its parent.

If the system forbids this, as in a sandbox, the process runs without these settings.
"""

import os
import signal
from contextlib import suppress
from pathlib import Path

_PR_SET_PDEATHSIG = 1  # prctl(2), linux/prctl.h
_OOM_SCORE_ADJ = 500  # proc(5): killed before others when memory runs out


def lower_priority(nice: int) -> None:
    """Lower this process's priority for the processor and for memory."""
    with suppress(OSError):
        os.nice(nice)
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(_OOM_SCORE_ADJ))


def end_with_parent() -> None:
    """Have this process killed when the thread that started it ends.

    A process that reads its input stops at end of file anyway; this covers a process that hangs.
    """
    parent = os.getppid()
    # Loading ctypes can fail where memory must not be both writable and executable.
    with suppress(ImportError, OSError, AttributeError, MemoryError):
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)
