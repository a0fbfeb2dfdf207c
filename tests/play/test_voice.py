"""The voice of a board: what it skips when the game is faster, and that it delays nothing."""

import logging
import threading
from dataclasses import replace

import pytest

from game.common import words
from game.play import Voice, language_of
from game.play.voice import Espeak, Speech
from game.table.inputs import Command
from tests.helpers.pages.scripted_table import ScriptedTable
from tests.play.test_loudspeaker import LIMIT_S, Silence, snapshot


def left(speech: Speech) -> list[str]:
    """Take all sentences that are still to be spoken."""
    return [each.message.key for each in iter(speech.next, None)]


def test_what_happened_is_said_though_it_is_past_and_a_request_only_while_it_holds():
    table, speech = ScriptedTable(), Speech()
    speech.take(snapshot(table))
    assert left(speech) == ["table.begins"]
    table.tap("e5")
    speech.take(snapshot(table))
    # A snapshot that was missed loses no move.
    table.tap("d4", "a1")
    speech.take(snapshot(table))
    assert left(speech) == [*["circle_of_life.placed"] * 3, "table.to_play"]
    speech.take(snapshot(table))
    assert left(speech) == []


def test_the_steps_of_a_lesson_are_requests_and_no_move_of_one_is_news():
    table, speech = ScriptedTable(), Speech()
    for cells in (), ("e5",), ("d4",):
        table.tap(*cells)
        speech.take(replace(snapshot(table), lesson=(1, 9)))
    assert left(speech) == [each.key for each in snapshot(table).scene.prompt]


class Spoken:
    """A speaker that continues with a sentence until it is stopped or released."""

    def __init__(self, language: str) -> None:
        self.texts: list[str] = []
        self.started, self.ends = threading.Semaphore(0), threading.Semaphore(0)
        self.stopped = 0

    def say(self, text: str) -> None:
        self.texts.append(text)
        self.started.release()
        assert self.ends.acquire(timeout=LIMIT_S)

    def stop(self) -> None:
        self.stopped += 1
        self.ends.release()


def test_a_voice_breaks_off_a_request_that_is_fulfilled_but_no_news():
    table = ScriptedTable()
    voice = Voice(Silence(), words("de"), Spoken)
    speaker = voice._speaker
    voice.see(snapshot(table))
    assert speaker.started.acquire(timeout=LIMIT_S)
    table.tap("e5")
    voice.see(snapshot(table))
    assert speaker.stopped == 1
    assert speaker.started.acquire(timeout=LIMIT_S)
    table.tap("d4")
    voice.see(snapshot(table))
    assert speaker.stopped == 1
    begins, placed = speaker.texts
    assert begins == "Orange beginnt: Tippe ein leuchtendes Feld an, um zu setzen."
    assert "e5" in placed
    voice.close()


def test_a_missing_program_is_told_once(caplog: pytest.LogCaptureFixture):
    done = threading.Event()

    class Missing(Spoken):
        def say(self, text: str) -> None:
            self.texts.append(text)
            if len(self.texts) == 3:
                done.set()
            raise FileNotFoundError("espeak-ng")

    table = ScriptedTable()
    voice = Voice(Silence(), words("en"), Missing)
    with caplog.at_level(logging.WARNING):
        voice.see(snapshot(table))
        table.tap("e5")
        voice.see(snapshot(table))
        table.ask(Command.RESIGN, Command.RESIGN)
        voice.see(snapshot(table))
        assert done.wait(LIMIT_S)
    voice.close()
    assert [each.message for each in caplog.records] == [
        "the board does not speak: espeak-ng is not there: sudo apt install espeak-ng"
    ]


def test_espeak_speaks_the_text_in_its_language_and_fails_in_its_own_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path
):
    program, said = tmp_path / "espeak-ng", tmp_path / "said"
    program.write_text(f'#!/bin/sh\necho "$@" >{said}\ncat >>{said}\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    Espeak("fr").say("à vous")
    assert said.read_text() == "-v fr --stdin\nà vous"
    for wrong, status in (("no such voice", 1), ("error: no card", 0)):
        program.write_text(f"#!/bin/sh\ncat >/dev/null\necho {wrong} >&2\nexit {status}\n")
        with pytest.raises(OSError, match=wrong):
            Espeak("fr").say("à vous")


def test_the_voice_is_off_unless_a_language_is_chosen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANGUAGE", "it_IT")
    assert [language_of(each) for each in ("off", "auto", "de")] == ["", "it", "de"]
