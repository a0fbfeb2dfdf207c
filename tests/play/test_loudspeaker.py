"""The board's loudspeaker: which sounds a game makes, and one report of a missing program."""

import io
import logging
import threading
import wave
from dataclasses import replace

import pytest

from game.play import Loudspeaker, Snapshot, sounds_for
from game.play.loudspeaker import NOTES, WAITING, aplay, sound
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.table.inputs import Command
from game.table.state import Notice, State
from tests.helpers.pages.scripted_table import ScriptedTable
from tests.table.random_game import TWO_MEALS

LIMIT_S = 30.0


class Silence:
    def see(self, snapshot: object) -> None:
        pass

    def see_lights(self, colours: object) -> None:
        pass


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
    eaten = replace(moved, history=(replace(moved.history[0], removed=("a1",)),))
    assert sounds_for(GAME, before, eaten) == ("eating",)
    assert sounds_for(GAME, moved, with_notice(moved, good=False)) == ("refusal",)
    assert sounds_for(GAME, moved, with_notice(moved, good=True)) == ()
    table.ask(Command.RESIGN, Command.RESIGN)
    assert "win" in sounds_for(GAME, moved, table.table.state)


def test_each_stone_that_is_taken_off_is_heard_and_then_whose_turn_it_is():
    table = ScriptedTable()
    table.tap(*TWO_MEALS)
    for cell, sounds in (("d4", ("tap",)), ("f5", ("tap", "turn"))):
        before = table.table.state
        table.tap(cell)
        assert sounds_for(GAME, before, table.table.state) == sounds


@pytest.mark.parametrize("name", NOTES)
def test_a_sound_is_a_short_wav_file_that_begins_and_ends_in_silence(name: str):
    with wave.open(io.BytesIO(sound(name))) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert 0.05 < file.getnframes() / file.getframerate() < 1
        frames = file.readframes(file.getnframes())
    assert frames[:2] == b"\0\0"
    assert abs(int.from_bytes(frames[-2:], "little", signed=True)) < 100


def test_a_slow_program_delays_nothing_and_a_missing_one_is_told_once(
    caplog: pytest.LogCaptureFixture,
):
    playing, go_on, done = threading.Event(), threading.Event(), threading.Event()
    calls = []

    def play(sound: bytes) -> None:
        playing.set()
        assert go_on.wait(LIMIT_S)
        calls.append(sound)
        if len(calls) == WAITING + 1:
            done.set()
        raise FileNotFoundError("aplay")

    table, speaker = ScriptedTable(), Loudspeaker(Silence(), play)
    speaker.see(snapshot(table))
    with caplog.at_level(logging.WARNING):
        for n, cell in enumerate(("e5", "a1", "i5", "a5", "i1", "e9", "e1", "c1")):
            table.tap(cell)
            speaker.see(snapshot(table))
            assert n or playing.wait(LIMIT_S)
        go_on.set()
        assert done.wait(LIMIT_S)
    assert [each.message for each in caplog.records] == [
        "the loudspeaker makes no sound: aplay is not there: sudo apt install alsa-utils"
    ]
    speaker.close()


def test_aplay_that_fails_is_an_error_in_its_own_words(monkeypatch: pytest.MonkeyPatch, tmp_path):
    program = tmp_path / "aplay"
    program.write_text("#!/bin/sh\ncat >/dev/null\necho no such card >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(OSError, match="no such card"):
        aplay(b"RIFF")
