"""The sounds and the speech of a game, and the programs that make them on a board's loudspeaker.

Owns the notes, which the page has too (`game/web/page/sounds.js`), and which sentences are dropped
when a game is faster than the voice (`game/web/page/voice.js` does the same). The programs run on
threads of their own: nothing that they do can delay the board.
"""

import io
import logging
import math
import subprocess
import threading
import wave
from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Callable
from functools import cache, partial

from game.common import LANGUAGES, Words, system_language
from game.play.session import Audience, Snapshot
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.table import Phase, State, is_persons_turn, spoken_news, spoken_prompt
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
"""Samples per second, and a note's largest sample: two notes at a time stay within 16 bits."""
WAITING = 4  # Sounds that wait for the one that plays; more would lag behind the game
MOST_WAITING = 12  # Most sentences of news that wait to be spoken; then the oldest are dropped
SILENT, AUTO = "off", "auto"
VOICES = (SILENT, AUTO, *LANGUAGES)
"""What can be chosen: no voice, the system's language, or one of ours."""
LONGEST_S = 60.0  # A program that plays one sound or sentence for longer has hung

log = logging.getLogger(__name__)


def language_of(voice: str) -> str:
    """Return the language of a chosen voice, "" for none."""
    return {SILENT: "", AUTO: system_language()}.get(voice, voice)


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
    elif (by_computer or before.phase is Phase.EDIT) and is_persons_turn(after):
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


class Speech:
    """The sentences to be said: all news, and each request while it still holds.

    `asked` are the current requests; `saying` is the one that `next` returned last, or None.
    """

    def __init__(self) -> None:
        self.asked: tuple[Message, ...] = ()
        self.saying: Message | None = None
        self._before: State | None = None
        self._news: deque[Message] = deque(maxlen=MOST_WAITING)
        self._left: list[Message] = []

    def take(self, snapshot: Snapshot) -> bool:
        """Take the newest state; return whether the request that is being said still holds."""
        state, scene = snapshot.state, snapshot.scene
        if snapshot.lesson is None:
            asked = spoken_prompt(state, scene.prompt, scene.aloud)
            self._news.extend(spoken_news(self._before, state))
        else:
            notice = () if scene.notice is None else (scene.notice,)
            asked = (*notice, *scene.prompt, *scene.aloud)
        said = [each for each in self.asked if each not in self._left]
        self._left = [each for each in asked if each not in said]
        self._before, self.asked = state, asked
        return self.saying is None or self.saying in asked

    def next(self) -> Message | None:
        """Remove and return the next sentence; None if nothing is to be said."""
        self.saying = None
        if self._news:
            return self._news.popleft()
        if self._left:
            self.saying = self._left.pop(0)
        return self.saying


class Program:
    """A program that plays or speaks what it reads; Debian's `package` has it."""

    def __init__(self, package: str, *command: str) -> None:
        self._package, self._command = package, command
        self._running: subprocess.Popen[bytes] | None = None

    def play(self, content: bytes) -> None:
        """Play to the end, or until it is stopped; raises OSError if that is not possible."""
        name, pipe = self._command[0], subprocess.PIPE
        try:
            started = subprocess.Popen(self._command, stdin=pipe, stderr=pipe)
        except FileNotFoundError as error:
            raise OSError(f"{name} is not there: sudo apt install {self._package}") from error
        with started as self._running:
            try:
                _, wrong = started.communicate(content, LONGEST_S)
            except subprocess.TimeoutExpired as error:
                started.kill()
                raise OSError(f"{name} hung") from error
            finally:
                self._running = None
        last = wrong.decode(errors="replace").strip().rpartition("\n")[2]
        # Without a sound card espeak-ng still exits with 0, and prints an error.
        if started.returncode > 0 or last.startswith("error"):
            raise OSError(last[:200])

    def stop(self) -> None:
        """Stop what is being played, from another thread."""
        if (running := self._running) is not None:
            running.terminate()


class _Aloud(ABC):
    """An audience that plays things on a thread of its own, and passes all calls on to another."""

    def __init__(self, audience: Audience, program: Program) -> None:
        """Start the thread; a subclass must set its own attributes first."""
        self._audience = audience
        self._program = program
        self._changed = threading.Condition()
        self._closed = False
        threading.Thread(target=self._run, name="sounds", daemon=True).start()

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state."""
        self._audience.see(snapshot)
        with self._changed:
            self._take(snapshot)
            self._changed.notify()

    def see_lights(self, colours: Frame) -> None:
        self._audience.see_lights(colours)

    def close(self) -> None:
        """Stop in the middle of a sound, without waiting for the program."""
        with self._changed:
            self._closed = True
            self._program.stop()
            self._changed.notify()

    @abstractmethod
    def _take(self, snapshot: Snapshot) -> None:
        """Follow the game."""

    @abstractmethod
    def _next(self) -> Callable[[], bytes] | None:
        """Remove the next item to play; return a function that makes its bytes, None if none."""

    def _run(self) -> None:
        reported = False
        while True:
            with self._changed:
                while (make := self._next()) is None and not self._closed:
                    self._changed.wait()
            if make is None or self._closed:
                return
            try:
                self._program.play(make())
            except OSError as error:
                if not reported:
                    log.warning("the loudspeaker is silent: %s", error)
                reported = True


class Loudspeaker(_Aloud):
    """An audience that plays the game's sounds."""

    def __init__(self, audience: Audience, program: Program | None = None) -> None:
        self._before: State | None = None
        self._waiting: deque[str] = deque()
        super().__init__(audience, program or Program("alsa-utils", "aplay", "-q", "-"))

    def _take(self, snapshot: Snapshot) -> None:
        sounds = sounds_for(snapshot.game, self._before, snapshot.state)
        self._waiting.extend(sounds[: WAITING - len(self._waiting)])
        self._before = snapshot.state

    def _next(self) -> Callable[[], bytes] | None:
        return partial(sound, self._waiting.popleft()) if self._waiting else None


class Voice(_Aloud):
    """An audience that says what happens and what is asked."""

    def __init__(self, audience: Audience, words: Words, program: Program | None = None) -> None:
        self._words = words
        self._speech = Speech()
        espeak = Program("espeak-ng", "espeak-ng", "-v", words.language, "--stdin")
        super().__init__(audience, program or espeak)

    def _take(self, snapshot: Snapshot) -> None:
        """Break off a request that does not hold any more."""
        if not self._speech.take(snapshot):
            self._program.stop()

    def _next(self) -> Callable[[], bytes] | None:
        said = self._speech.next()
        return None if said is None else lambda: self._words.text(said).encode()
