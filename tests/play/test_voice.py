"""A board's sounds and speech: which there are, what is left out, and a program that fails."""

import io
import logging
import threading
import wave
from dataclasses import replace

import pytest

from game.common import words
from game.play import Loudspeaker, Snapshot, Voice, language_of, sounds_for
from game.play.voice import NOTES, WAITING, Program, Speech, sound
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table import State
from game.table.inputs import Command
from game.table.state import Notice
from tests.helpers.boards.shown_board import Watcher
from tests.helpers.pages.scripted_table import ScriptedTable
from tests.table.random_game import TWO_MEALS

LIMIT_S = 30.0


def snapshot(table: ScriptedTable) -> Snapshot:
    return Snapshot(table.game, table.table.state, table.table.scene())


def with_notice(state: State, good: bool) -> State:
    notice = Notice(say("table.palm"), 99.0, good)
    return replace(state, notices=replace(state.notices, current=notice))


def test_sounds_follow_from_two_states():
    table = ScriptedTable()
    before = table.table.state
    assert sounds_for(GAME, None, before) == sounds_for(GAME, before, before) == ()
    table.tap("e5")
    moved = table.table.state
    assert sounds_for(GAME, before, moved) == ("move",)
    assert sounds_for(GAME, moved, before) == ("back",)
    by_computer = [replace(each, computers=("3", "")) for each in (before, moved)]
    assert sounds_for(GAME, *by_computer) == ("move", "turn")
    assert sounds_for(GAME, moved, with_notice(moved, good=False)) == ("refusal",)
    assert sounds_for(GAME, moved, with_notice(moved, good=True)) == ()
    # Each stone that is taken off is heard, and then whose turn it is.
    *others, eater = TWO_MEALS[1:]
    table.tap(*others)
    for cell, sounds in ((eater, ("eating",)), ("d4", ("tap",)), ("f5", ("tap", "turn"))):
        before = table.table.state
        table.tap(cell)
        assert sounds_for(GAME, before, table.table.state) == sounds
    table.ask(Command.RESIGN, Command.RESIGN)
    assert "win" in sounds_for(GAME, moved, table.table.state)


@pytest.mark.parametrize("name", NOTES)
def test_a_sound_is_a_short_wav_file_that_begins_and_ends_in_silence(name):
    with wave.open(io.BytesIO(sound(name))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert 0.05 < file.getnframes() / file.getframerate() < 1
        frames = file.readframes(file.getnframes())
    assert frames[:2] == b"\0\0"
    assert abs(int.from_bytes(frames[-2:], "little", signed=True)) < 100


class Held(Program):
    """A program that plays until it is stopped or released, or fails."""

    def __init__(self, fails: bool = False) -> None:
        super().__init__("")
        self.played: list[bytes] = []
        self.started, self.ends = threading.Semaphore(0), threading.Semaphore(0)
        self.stopped = 0
        self.fails = fails

    def play(self, content: bytes) -> None:
        self.played.append(content)
        self.started.release()
        assert self.ends.acquire(timeout=LIMIT_S)
        if self.fails:
            raise OSError("it is not there")

    def stop(self) -> None:
        self.stopped += 1
        self.ends.release()


def test_a_slow_program_delays_nothing_and_one_that_fails_is_told_once(caplog):
    table, program = ScriptedTable(), Held(fails=True)
    speaker = Loudspeaker(Watcher(), program)
    with caplog.at_level(logging.WARNING):
        for n, cell in enumerate((None, "e5", "a1", "i5", "a5", "i1", "e9", "e1", "c1")):
            if cell:
                table.tap(cell)
            speaker.see(snapshot(table))
            assert n != 1 or program.started.acquire(timeout=LIMIT_S)
        for _ in range(WAITING):
            program.ends.release()
            assert program.started.acquire(timeout=LIMIT_S)
    assert len(program.played) == WAITING + 1
    speaker.close()
    assert caplog.messages == ["the loudspeaker is silent: it is not there"]


def left(speech: Speech) -> list[str]:
    """Take all sentences that are still to be spoken."""
    return [each.key for each in iter(speech.next, None)]


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


def test_a_voice_breaks_off_a_request_that_is_fulfilled_but_no_news():
    table, program = ScriptedTable(), Held()
    voice = Voice(Watcher(), words("de"), program)
    voice.see(snapshot(table))
    for cell in ("e5", "d4"):
        assert program.started.acquire(timeout=LIMIT_S)
        table.tap(cell)
        voice.see(snapshot(table))
        assert program.stopped == 1
    begins, placed = (each.decode() for each in program.played)
    assert begins == "Orange beginnt: Tippe ein leuchtendes Feld an, um zu setzen."
    assert "e5" in placed
    voice.close()


def test_a_program_reads_what_it_plays_and_fails_in_its_own_words(monkeypatch, tmp_path):
    file, said = tmp_path / "espeak-ng", tmp_path / "said"
    espeak = Program("espeak-ng", "espeak-ng", "-v", "fr", "--stdin")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(OSError, match="espeak-ng is not there: sudo apt install espeak-ng"):
        espeak.play(b"")
    file.write_text(f'#!/bin/sh\necho "$@" >{said}\ncat >>{said}\n')
    file.chmod(0o755)
    espeak.play("à vous".encode())
    assert said.read_text() == "-v fr --stdin\nà vous"
    for wrong, status in (("no such voice", 1), ("error: no card", 0)):
        file.write_text(f"#!/bin/sh\ncat >/dev/null\necho {wrong} >&2\nexit {status}\n")
        with pytest.raises(OSError, match=wrong):
            espeak.play(b"text")
    # What is stopped has not failed.
    file.write_text("#!/bin/sh\nexec sleep 99\n")
    stopped = threading.Thread(target=espeak.play, args=(b"",))
    stopped.start()
    while stopped.is_alive():
        espeak.stop()
        stopped.join(0.01)


def test_the_voice_is_off_unless_a_language_is_chosen(monkeypatch):
    monkeypatch.setenv("LANGUAGE", "it_IT")
    assert [language_of(each) for each in ("off", "auto", "de")] == ["", "it", "de"]
