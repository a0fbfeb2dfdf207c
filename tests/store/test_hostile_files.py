"""Files that would hang their reader or fill its memory."""

import os

import pytest

from game.cli.main import main


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.symlink_to("/dev/zero"), "no regular file"),
        (os.mkfifo, "no regular file"),
        (lambda path: path.write_bytes(b"#" * (2 << 20)), "too large; allowed: 1048576 bytes"),
    ],
)
def test_device_pipe_and_large_file_are_refused_as_profiles_in_one_line(
    tmp_path, make, why, capsys
):
    make(tmp_path / "board.toml")
    assert main(["board", "check", str(tmp_path / "board.toml")]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert why in line
