"""The sounds of a game: which ones a new state asks for, and `aplay` on a board with a loudspeaker.

Owns the notes, which the page has too (`game/web/page/sounds.js`). Sounds are made here and played
by a program of ALSA on a thread of their own: nothing that it does can delay the board.
"""

import io
import logging
import math
import subprocess
import threading
import wave
from array import array
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from queue import Full, Queue

from game.play.session import Audience, Snapshot
from game.rules.base.game import AnyGame
from game.table import Phase, State, is_persons_turn
from hal.lights import Frame

NOTES: dict[str, tuple[tuple[int, float, float], ...]] = {
    "move": ((523, 0, 0.09),),
    "tap": ((587, 0, 0.06),),
    "back": ((440, 0, 0.08), (330, 0.07, 0.1)),
    "eating": ((392, 0, 0.08), (294, 0.07, 0.14)),
    "turn": ((659, 0, 0.08), (880, 0.09, 0.12)),
    "win": ((523, 0, 0.14), (659, 0.13, 0.14), (784, 0.26, 0.3)),
    "refusal": ((196, 0, 0.16),),
}
"""Each sound's notes: pitch in Hz, begin and length in seconds."""
RATE, LOUDEST = 22050, 12000
"""Samples a second, and the largest of a note: two notes at a time stay within 16 bits."""
WAITING = 4
"""Sounds that wait for the one that plays; more would lag behind the game."""
LONGEST_S = 10.0
"""A program that plays for longer has hung."""

log = logging.getLogger(__name__)


def sounds_for(game: AnyGame, before: State | None, after: State) -> tuple[str, ...]:
    """Return the sounds for the change from one state to the next."""
    if before is None:
        return ()
    sounds, more = [], len(after.history) - len(before.history)
    last = after.history[-1] if after.history else None
    if more > 0 and last is not None:
        sounds.append("eating" if last.removed else "move")
    elif more < 0 and after.phase is not Phase.DRAW:
        sounds.append("back")
    elif len(after.taps) > len(before.taps) or after.standing != before.standing:
        sounds.append("tap")
    notice = after.notices.current
    if notice is not None and not notice.good and notice != before.notices.current:
        sounds.append("refusal")
    by_computer = more > 0 and last is not None and after.level_of(last.player)
    if after.outcome is not None and before.outcome is None:
        sounds.append("win")
    elif (by_computer or before.phase is Phase.EDIT) and is_persons_turn(game, after):
        # Players at the board know when they have set their own piece.
        sounds.append("turn")
    return tuple(sounds)


@cache
def sound(name: str) -> bytes:
    """Make a sound as a WAV file."""
    notes = NOTES[name]
    samples = array("h", bytes(2 * int(RATE * max(begin + length for _, begin, length in notes))))
    for pitch, begin, length in notes:
        first, count = int(RATE * begin), int(RATE * length)
        for n in range(min(count, len(samples) - first)):
            fading = (1 - n / count) ** 2 * min(1.0, n / (0.008 * RATE))
            samples[first + n] += int(LOUDEST * fading * math.sin(math.tau * pitch * n / RATE))
    file = io.BytesIO()
    with wave.open(file, "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(RATE)
        written.writeframes(samples.tobytes())
    return file.getvalue()


def aplay(sound: bytes) -> None:
    """Play a WAV file on the computer's loudspeaker."""
    try:
        done = subprocess.run(
            ["aplay", "-q", "-"], input=sound, capture_output=True, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise OSError("aplay hung") from error
    if done.returncode:
        raise OSError(done.stderr.decode(errors="replace").strip()[:200])


class Loudspeaker:
    """An audience that plays the game's sounds, and passes all calls on to another.

    `play` plays a WAV file to its end; it raises OSError if that is not possible.
    """

    def __init__(self, audience: Audience, play: Callable[[bytes], None] = aplay) -> None:
        self._audience = audience
        self._play = play
        self._before: State | None = None
        self._waiting: Queue[str | None] = Queue(WAITING)
        self._reported = False
        threading.Thread(target=self._run, name="sounds", daemon=True).start()

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state, and queue its sounds."""
        self._audience.see(snapshot)
        for name in sounds_for(snapshot.game, self._before, snapshot.state):
            try:
                self._waiting.put_nowait(name)
            except Full:
                log.debug("a sound was left out: %s", name)
        self._before = snapshot.state

    def see_lights(self, colours: Frame) -> None:
        self._audience.see_lights(colours)

    def close(self) -> None:
        """Stop after the queued sounds, without waiting for them."""
        with suppress(Full):
            self._waiting.put_nowait(None)

    def _run(self) -> None:
        while (name := self._waiting.get()) is not None:
            try:
                self._play(sound(name))
            except OSError as error:
                if not self._reported:
                    missing = isinstance(error, FileNotFoundError)
                    why = "aplay is not there: sudo apt install alsa-utils" if missing else error
                    log.warning("the loudspeaker makes no sound: %s", why)
                self._reported = True
