"""Files that would hang their reader or fill its memory."""

import os
from pathlib import Path

import pytest

from game.cli.main import main
from game.common import RecordError
from game.store.archive import read_records
from game.store.games_file import FILE


@pytest.mark.parametrize("device", ["/dev/zero"])
def test_endless_file_is_refused(device: str):
    with pytest.raises(RecordError, match="too large; allowed: 32 MiB"):
        read_records(device)


@pytest.mark.parametrize("make", [lambda path: os.truncate(path, 1 << 40), os.unlink])
def test_profile_of_any_size_is_refused_in_one_line(tmp_path: Path, make, capsys):
    profile = tmp_path / "board.toml"
    profile.touch()
    make(profile)
    assert main(["board", "check", str(profile)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_device_and_pipe_are_no_profiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    os.mkfifo(tmp_path / "pipe")
    for file in ("/dev/zero", str(tmp_path / "pipe")):
        assert main(["board", "check", file]) == 1
        assert "no regular file" in capsys.readouterr().err


def test_large_profile_is_refused_with_what_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "board.toml").write_bytes(b"#" * (2 << 20))
    assert main(["board", "check", str(tmp_path / "board.toml")]) == 1
    assert "too large; allowed: 1048576 bytes" in capsys.readouterr().err
    assert FILE not in os.listdir(tmp_path)
