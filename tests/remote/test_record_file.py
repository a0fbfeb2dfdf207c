"""The shared record on disk: everything saved is read again, and nothing partial."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from game.common import AppError, StoreError
from game.remote.link import RecordFile
from game.remote.shared_game import Ask, SharedGame
from tests.helpers.remote.model import KEYS, setting
from tests.remote.test_shared_game import playing


def saved(folder: Path, game: SharedGame) -> Path:
    with closing(RecordFile(folder, KEYS, game.setting.side)) as record:
        record.save(game)
        return record.file


def read(folder: Path) -> SharedGame:
    with closing(RecordFile(folder, KEYS, None)) as record:
        return SharedGame.opened(setting(record.side), record.chain, record.asks)


def test_entries_and_asks_are_there_again(tmp_path):
    one, _ = playing("1", "2")
    one = one.ask(3, Ask.TAKE_BACK, 2)
    file = saved(tmp_path, one)
    again = read(tmp_path)
    assert (again.chain, again.asks, again.setting.side) == (one.chain, one.asks, 1)
    assert file.stat().st_mode & 0o077 == 0
    saved(tmp_path, again.play(3, "1"))
    assert read(tmp_path).asks == {}


def test_a_torn_last_line_is_dropped_and_play_goes_on(tmp_path):
    one, _ = playing("1", "2")
    file = saved(tmp_path, one)
    whole = file.read_bytes()
    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        lines = whole[:size].count(b"\n")
        with closing(RecordFile(tmp_path, KEYS, 1)) as record:
            assert (record.side, record.chain) == (1, one.chain[: max(0, lines - 1)]), size
            again = SharedGame.opened(setting(1), record.chain, record.asks)
            record.save(again.play(len(again.chain), "1"))
        assert len(read(tmp_path).chain) >= len(again.chain)


def test_a_changed_line_is_refused_with_a_way_out(tmp_path):
    one, _ = playing("1", "2")
    file = saved(tmp_path, one)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines).replace(b'"1"', b'"3"'))
    with pytest.raises(AppError, match=r"line 3 does not follow.*move it away"):
        read(tmp_path)
    file.write_bytes(b'{"version":9,"side":1}\n')
    with pytest.raises(AppError, match="another version"):
        read(tmp_path)


def test_a_full_disk_leaves_the_record_as_it_was(tmp_path, monkeypatch):
    one, _ = playing("1")
    with closing(RecordFile(tmp_path, KEYS, 1)) as record:
        record.save(one)
        before = record.file.read_bytes()
        record.save(one)
        assert record.file.read_bytes() == before, "only what is new is written"
        whole = os.write
        monkeypatch.setattr(os, "write", lambda file, content: whole(file, content[:5]))
        with pytest.raises(OSError, match="no room"):
            record.save(one.ask(2, Ask.DRAW))
        assert record.file.read_bytes() == before
        monkeypatch.undo()
        record.save(one.ask(2, Ask.DRAW))
    assert read(tmp_path).asks == {Ask.DRAW: 1}


def test_a_record_has_one_process_at_a_time_and_one_side(tmp_path):
    with closing(RecordFile(tmp_path, KEYS, 1)), pytest.raises(StoreError, match="is in use by"):
        RecordFile(tmp_path, KEYS, 1)
    with pytest.raises(AppError, match="side 1"):
        RecordFile(tmp_path, KEYS, 2)
