"""Inputs from pages wait in a bounded queue, and delay neither touches nor lights."""

import threading
from contextlib import closing
from pathlib import Path
from queue import Full

import pytest
from websockets.exceptions import ConnectionClosed

from game.play import PAGE_INPUTS, InputQueue, input_mapping
from game.play.input_mapping import MAX_EACH
from game.table.inputs import MaskChanged, SetNames
from hal.profile import BoardMemory, built_in
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.pages.hosted import held_steps, hosted
from tests.helpers.programs.running import Talk, flood


@pytest.fixture
def room(tmp_path):
    with closing(EmulatedGame(built_in("hexagon-61"), tmp_path)) as room:
        yield room


def test_input_queue_refuses_the_source_that_floods_and_no_other():
    queue: InputQueue[int] = InputQueue()
    for number in range(MAX_EACH):
        queue.put(number, "flood")
    with pytest.raises(Full):
        queue.put(0, "flood")
    queue.put(1000, "quiet")
    assert queue.take(2) == [0, 1]
    queue.put(0, "flood")
    assert queue.take(2 * MAX_EACH)[-2:] == [1000, 0]
    assert not queue


def test_a_step_handles_few_inputs_of_pages_and_the_next_step_is_due_at_once(room):
    for number in range(2 * PAGE_INPUTS + 1):
        room.session.give(SetNames((f"name {number}", "")))
    seen = []
    for _ in range(3):
        room.session.step(room.now)
        seen.append(room.table.state.names[0])
        waiting = len(seen) < 3
        assert (room.session.due(room.now) == room.now) == waiting
    assert seen == [f"name {n}" for n in (PAGE_INPUTS - 1, 2 * PAGE_INPUTS - 1, 2 * PAGE_INPUTS)]


def test_pages_that_write_much_wait_for_the_disk_and_touches_do_not(room, monkeypatch):
    with monkeypatch.context() as disk:
        disk.setattr(type(room.journal), "settled", False)
        for number in range(3 * PAGE_INPUTS):
            room.session.give(SetNames((f"name {number}", "")))
        room.tap("e5")
        assert room.table.state.names[0] == f"name {PAGE_INPUTS - 1}"
        assert room.plies == 1
    for _ in range(3):
        room.session.step(room.now)
    assert room.table.state.names[0] == f"name {3 * PAGE_INPUTS - 1}"


def test_the_newest_mask_of_a_step_is_the_one_that_is_written(room, monkeypatch):
    saved = []
    monkeypatch.setattr(room.memory, "save", lambda: saved.append(room.memory.masked))
    for cell in ("a1", "b1", "c1", "e5"):
        room.session.give(MaskChanged(frozenset({cell})))
    room.session.step(room.now)
    assert saved[-1] == room.device.masked == {"e5"}


def test_board_file_is_written_aside_and_a_slow_disk_holds_up_nothing(tmp_path, monkeypatch):
    started, disk, written = threading.Event(), threading.Event(), []

    def slow(path: Path, content: bytes) -> None:
        started.set()
        disk.wait(20)
        written.append(threading.current_thread())
        path.write_bytes(content)

    monkeypatch.setattr("hal.profile.memory.write_whole", slow)
    path = tmp_path / "board.json"
    memory = BoardMemory(path)
    with memory.written_aside():
        memory.mask({"a1"})
        memory.save()
        assert started.wait(20)
        for cell in ("b1", "c1", "e5"):
            memory.mask({cell})
            memory.save()
        assert not path.exists()
        disk.set()
    assert BoardMemory(path).masked == {"e5"}
    assert threading.current_thread() not in written


def test_board_file_that_cannot_be_written_aside_is_logged_and_written_later(
    tmp_path, monkeypatch, caplog
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    memory = BoardMemory(tmp_path / "board.json")
    memory.mask({"a1"})
    with monkeypatch.context() as disk:
        disk.setattr("hal.profile.memory.write_whole", full)
        with memory.written_aside():
            memory.save()
    assert "No space left" in caplog.text
    with memory.written_aside():
        memory.save()
    assert BoardMemory(tmp_path / "board.json").masked == {"a1"}


def test_page_that_floods_a_board_that_is_busy_is_closed_and_others_are_not(tmp_path, monkeypatch):
    moves = held_steps(monkeypatch)
    monkeypatch.setattr(input_mapping, "MAX_EACH", 20)
    with hosted(tmp_path) as board, board.page() as flooding, board.page() as other:
        quiet = Talk(other)
        quiet.until(lambda t: t.state)
        moves.clear()
        try:
            with pytest.raises(ConnectionClosed) as closed:
                flood(flooding, {"do": "mask", "cells": ["e5"]})
            quiet.send(do="name", names=["Anna", "Ben"])
        finally:
            moves.set()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
        quiet.until(lambda t: t.state["names"] == ["Anna", "Ben"] and t.state["masked"] == ["e5"])
        assert quiet.errors == []
