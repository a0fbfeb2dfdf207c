"""What the service has logged, as far as whoever asks may see it.

Owns how the journal is asked. Must not know what is logged, nor the state of the unit.
"""

from collections.abc import Sequence

from game.app.service.places import UNIT
from game.app.service.setup.systemctl import Done, Machine

_LINES = 12
_NO_RIGHTS = ("insufficient permissions", "not seeing messages from other users")


class UnitLog:
    """The part of a computer's journal that is the service's own; nothing of systemd about it."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def seen(self) -> bool:
        """Tell whether we have the rights to see it."""
        done = self._machine.run(["journalctl", "--no-pager", "--lines", "1", "--unit", UNIT])
        return not any(each in done.err for each in _NO_RIGHTS)

    def since(self, wall_s: float, run: str = "") -> list[str]:
        """Give the last lines since a time, in seconds since 1970; of one run only if it is named.

        A run has its name from systemd, its InvocationID.
        """
        # What was said last may not have been written yet.
        self._machine.run(["journalctl", "--sync"])
        whose = [f"_SYSTEMD_UNIT={UNIT}", *([f"_SYSTEMD_INVOCATION_ID={run}"] if run else [])]
        done = self._ask(*whose, "--since", f"@{wall_s:.6f}", "--output", "cat")
        return _lines(done)[-_LINES:]

    def warnings(self, run: str, most: int) -> list[str]:
        """Give the last warnings of one run of the unit, with their times."""
        return _lines(
            self._ask(
                *(f"_SYSTEMD_INVOCATION_ID={run}", "--priority", "warning"),
                *("--lines", str(most), "--output", "short-iso"),
            )
        )

    def last(self, run: str, beginnings: Sequence[str]) -> str:
        """Give the last line of one run of the unit that begins in one of some ways."""
        done = self._ask(
            *(f"_SYSTEMD_INVOCATION_ID={run}", "--lines", "1", "--output", "cat"),
            *("--grep", f"^({'|'.join(beginnings)})"),
        )
        return next(iter(_lines(done)), "")

    def _ask(self, *options: str) -> Done:
        return self._machine.run(["journalctl", "--no-pager", "--quiet", *options])


def _lines(done: Done) -> list[str]:
    if done.status:
        return []
    return [line for line in done.out.splitlines() if line and not line.startswith("-- ")]
