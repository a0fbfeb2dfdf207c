"""How far a match is, told while it is played: a bar on a terminal, else a line now and then.

Owns the bar; the only module that knows `tqdm`.
"""

import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from tqdm import tqdm  # type: ignore[import-untyped]

from game.app.opponent.match.playing import Played
from game.app.opponent.match.result import result_of

_LINES = 20
"""So many lines tell of a whole match where there is no terminal."""
_EVERY_S = 0.5
_FORM = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{remaining} left{postfix}]"


class Progress:
    """Tell of a match of `total` games."""

    def __init__(
        self,
        total: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total = total
        self._stream = stream or sys.stderr
        self._clock = clock
        self._bar: tqdm | None = None
        self._told_games = 0
        self._told_at = 0.0

    def tell(self, games: Sequence[Played]) -> None:
        """Tell of the games until now; at first those that were there before."""
        if self._stream.isatty():
            self._draw(games)
        elif len(games) == self._total or (
            len(games) - self._told_games >= max(1, self._total / _LINES)
        ):
            self._told_games = len(games)
            line = f"{len(games)} of {self._total} games: {_in_short(games)}"
            print(line, file=self._stream, flush=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _draw(self, games: Sequence[Played]) -> None:
        now = self._clock()
        if self._bar is None:
            tqdm.monitor_interval = 0  # it needs no thread beside ours
            self._bar = tqdm(
                total=self._total,
                initial=len(games),
                unit="game",
                file=self._stream,
                dynamic_ncols=True,
                bar_format=_FORM,
            )
        elif now - self._told_at < _EVERY_S and len(games) < self._total:
            self._bar.update(len(games) - self._bar.n)
            return
        self._told_at = now
        self._bar.set_postfix_str(_in_short(games), refresh=False)
        self._bar.update(len(games) - self._bar.n)
        self._bar.refresh()


def _in_short(games: Sequence[Played]) -> str:
    score = result_of(games).score
    if score is None:
        return "no pair yet"
    return f"A {score.value:.1%} ({score.low:.1%} - {score.high:.1%})"
