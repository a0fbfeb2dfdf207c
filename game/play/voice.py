"""A game's speech: the queue of sentences, and `espeak-ng` on a board with a loudspeaker.

Owns what is left out when a game is faster than the voice; `game/web/page/voice.js` does the same
on a page. The program speaks on a thread of its own: nothing that it does can delay the board.
"""

import logging
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from game.common import LANGUAGES, Words, system_language
from game.play.session import Audience, Snapshot
from game.rules.base.message import Message
from game.table import State, spoken_news, spoken_prompt
from hal.lights import Frame

MOST_WAITING = 12
"""Sentences that wait for the one that is spoken; of more the oldest are left out."""
SILENT, AUTO = "off", "auto"
VOICES = (SILENT, AUTO, *LANGUAGES)
"""What can be chosen: no voice, the system's language, or one of ours."""
LONGEST_S = 60.0
"""A program that speaks one sentence for longer has hung."""

log = logging.getLogger(__name__)


def language_of(voice: str) -> str:
    """Return the language of a chosen voice, "" for none."""
    return {SILENT: "", AUTO: system_language()}.get(voice, voice)


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence; one that is a `request` is only said while it holds."""

    message: Message
    request: bool = False


class Speech:
    """The sentences that are still to be said, in order.

    Events are always said, even late; requests to players only while they hold.
    """

    def __init__(self) -> None:
        self._before: State | None = None
        self._asked: tuple[Message, ...] = ()
        self._waiting: deque[Utterance] = deque(maxlen=MOST_WAITING)

    def take(self, snapshot: Snapshot) -> None:
        """Take the newest state."""
        game, state, scene = snapshot.game, snapshot.state, snapshot.scene
        if snapshot.lesson is None:
            asked = spoken_prompt(game, state, scene.prompt, scene.aloud)
            news = spoken_news(game, self._before, state)
        else:
            notice = () if scene.notice is None else (scene.notice,)
            asked, news = (*notice, *scene.prompt, *scene.aloud), ()
        waiting = tuple(self._waiting)
        said = [each for each in self._asked if Utterance(each, True) not in waiting]
        self._waiting.clear()
        self._waiting.extend(each for each in waiting if not each.request)
        self._waiting.extend(map(Utterance, news))
        self._waiting.extend(Utterance(each, True) for each in asked if each not in said)
        self._before, self._asked = state, asked

    def holds(self, utterance: Utterance) -> bool:
        """Return whether a sentence is still worth saying."""
        return not utterance.request or utterance.message in self._asked

    def next(self) -> Utterance | None:
        """Remove and return the next sentence; None if nothing is to be said."""
        return self._waiting.popleft() if self._waiting else None


class Espeak:
    """The program espeak-ng, which has a voice for each of our languages."""

    def __init__(self, language: str) -> None:
        self._command = ("espeak-ng", "-v", language, "--stdin")
        self._program: subprocess.Popen[bytes] | None = None

    def say(self, text: str) -> None:
        """Speak a sentence to its end, or until it is stopped; raises OSError if it cannot."""
        pipe = subprocess.PIPE
        with subprocess.Popen(self._command, stdin=pipe, stderr=pipe) as program:
            self._program = program
            try:
                _, wrong = program.communicate(text.encode(), LONGEST_S)
            except subprocess.TimeoutExpired as error:
                program.kill()
                raise OSError("espeak-ng hung") from error
            finally:
                self._program = None
        last = wrong.decode(errors="replace").strip().rpartition("\n")[2]
        # Without a sound card it still exits with 0, and prints an error.
        if program.returncode > 0 or last.startswith("error"):
            raise OSError(last[:200])

    def stop(self) -> None:
        """Stop the sentence being spoken, from another thread."""
        if (program := self._program) is not None:
            program.terminate()


class Voice:
    """An audience that says what happens and what is asked, and passes all calls on to another."""

    def __init__(
        self, audience: Audience, words: Words, speaker: Callable[[str], Espeak] = Espeak
    ) -> None:
        self._audience = audience
        self._words = words
        self._speaker = speaker(words.language)
        self._speech = Speech()
        self._saying: Utterance | None = None
        self._changed = threading.Condition()
        self._closed = self._reported = False
        threading.Thread(target=self._run, name="voice", daemon=True).start()

    def see(self, snapshot: Snapshot) -> None:
        """Take the newest state; break off a request that does not hold any more."""
        self._audience.see(snapshot)
        with self._changed:
            self._speech.take(snapshot)
            if self._saying is not None and not self._speech.holds(self._saying):
                self._speaker.stop()
            self._changed.notify()

    def see_lights(self, colours: Frame) -> None:
        self._audience.see_lights(colours)

    def close(self) -> None:
        """Stop in the middle of a sentence."""
        with self._changed:
            self._closed = True
            self._speaker.stop()
            self._changed.notify()

    def _run(self) -> None:
        while (utterance := self._next()) is not None:
            try:
                self._speaker.say(self._words.text(utterance.message))
            except OSError as error:
                if not self._reported:
                    missing = isinstance(error, FileNotFoundError)
                    why = "espeak-ng is not there: sudo apt install espeak-ng" if missing else error
                    log.warning("the board does not speak: %s", why)
                self._reported = True

    def _next(self) -> Utterance | None:
        """Wait for the next sentence; None when there will be no more."""
        with self._changed:
            self._saying = None
            while not self._closed and self._saying is None:
                self._saying = self._speech.next()
                if self._saying is None:
                    self._changed.wait()
            return None if self._closed else self._saying
