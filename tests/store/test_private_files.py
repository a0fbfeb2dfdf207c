"""Games are for their owner alone."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from game.common import Lock, StoreError
from game.store.game_writer import BACKUP
from game.store.journal import Journal
from game.store.store import LOCK, Store
from tests.store.test_journal import NAME, START, move

NOBODY = 65534


@pytest.fixture(autouse=True)
def usual_umask():
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {each.name: each.stat().st_mode & 0o777 for each in (folder, *folder.rglob("*"))}


def test_new_folder_and_every_file_in_it_is_private_at_any_time(tmp_path):
    with Journal(tmp_path / "data", NAME, threaded=False) as journal:
        journal.append([START], None, 0.0)
        for number in range(40):
            journal.append([move(number)], None, 1.0)
            wide = {name for name, mode in modes(tmp_path / "data").items() if mode & 0o077}
            assert wide == set(), number
    assert (tmp_path / "data" / BACKUP).exists()


def test_other_account_cannot_hold_the_lock(tmp_path):
    tmp_path.chmod(0o755)
    folder = tmp_path / "data"
    Journal(folder, NAME, threaded=False).close()
    code = f"import os; os.setuid({NOBODY}); os.open({str(folder / LOCK)!r}, os.O_RDONLY)"
    for mode in (0o700, 0o755):
        folder.chmod(mode)
        tried = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
        assert b"PermissionError" in tried.stderr


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_folder_of_another_account_is_refused_with_its_name_and_sudo(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: NOBODY)
    (tmp_path / LOCK).touch()
    # The face of the room has a function of the module's name.
    monkeypatch.setattr(import_module("game.common.data_folder"), "_open_lock", refuse)
    whose = r"belongs to the account \w+: use sudo, or choose"
    with pytest.raises(StoreError, match=whose):
        Lock(tmp_path / LOCK, "folder", "end that one")
    monkeypatch.setattr(Path, "exists", refuse)
    with pytest.raises(StoreError, match=whose):
        Store(tmp_path, read_only=True)
