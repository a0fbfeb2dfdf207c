"""Files and folders put on disk, and the errors where that fails."""

import errno
import os
from pathlib import Path

import pytest

from hal.base import files


@pytest.fixture(autouse=True)
def refusing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The error with which the disk refuses to sync."""
    error = [errno.EINVAL]

    def refuse(_: int) -> None:
        raise OSError(error[0], os.strerror(error[0]))

    monkeypatch.setattr(files.os, "fsync", refuse)
    monkeypatch.setattr(files, "_unsynced", set())
    return error


def test_folder_that_cannot_be_synced_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    for _ in range(2):
        files.sync(tmp_path)
    (message,) = caplog.messages
    assert message.startswith(f"the disk of {tmp_path} cannot sync folders")


def test_error_of_the_disk_stays_one(tmp_path: Path, refusing: list[int]):
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Invalid argument"):
        files.sync(tmp_path / "file")
    refusing[0] = errno.EIO
    with pytest.raises(OSError, match="Input/output error"):
        files.sync(tmp_path)


def test_small_text_is_read_without_marks_of_its_encoding_and_system():
    assert files.decoded("\ufeffone\r\n\ufefftwo\rthree\n".encode()) == "one\ntwo\nthree\n"
