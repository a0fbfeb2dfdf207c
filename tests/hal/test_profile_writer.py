"""Profiles and other files that are written: read back as they are, never instead of a good one."""

import errno
import os
from dataclasses import replace
from random import Random

import pytest

from hal.base import files, schema
from hal.base.errors import ProfileError
from hal.profile import Night, Profile, built_in, built_in_names, load
from hal.profile.writer import check, save
from hal.sim.backend import scrambled
from tests.helpers.boards.profiles import board_named


def varied(profile: Profile) -> Profile:
    """Change all but the wiring: texts, times, powers, colours; and leave a cell without light."""
    dark = next(iter(profile.cells))
    pixels = {spot: pixel for spot, pixel in profile.pixels.items() if spot != dark}
    return replace(
        profile,
        name="x.y-z_1",
        title='Quotes " and \\ and \u00e9 \u2192',
        sensing=replace(profile.sensing, mode="presence", hold_ms=10_000),
        measuring=replace(profile.measuring, automatic=False, charge_us=32.0, touch_debounce=7),
        power=schema.replace(profile.power, gamma=1.05, brightness=0.123, channel_ma=5),
        night=Night("22:30", "00:07", 0.015),
        strip=replace(profile.strip, order="WGRB" if profile.pixel_count <= 256 else "RGB"),
        pixels=pixels,
    )


@pytest.mark.parametrize("name", [*built_in_names(), "hexagon-61-mux"])
def test_profile_writer_is_read_back_as_what_was_written(name, tmp_path):
    board = board_named(name)
    for profile in (board, scrambled(board, Random(1)), varied(scrambled(board, Random(2)))):
        save(profile, tmp_path / "board.toml")
        read = load(tmp_path / "board.toml")
        assert read == profile
        for part in ("cells", "keys", "lights"):
            assert list(getattr(read, part)) == list(getattr(profile, part))


WRONG = [
    ({"interrupt_pin": 17}, r"this makes no profile: \[keys"),
    (
        {"power": schema.replace(built_in().power, budget_ma=10)},
        r"\[power\] budget_ma is 10; allowed: ",
    ),
    ({"lights": {}}, "it would be read as another one"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_profile_writer_refuses_what_could_not_be_read_back(changes, message, tmp_path):
    path = tmp_path / "board.toml"
    path.write_text("what was there", encoding="utf-8")
    with pytest.raises(ProfileError, match=message) as refused:
        save(replace(built_in(), **changes), path)
    assert "\n" not in str(refused.value)
    with pytest.raises(ProfileError, match=message):
        check(replace(built_in(), **changes))
    assert [each.name for each in tmp_path.iterdir()] == ["board.toml"]
    assert path.read_text(encoding="utf-8") == "what was there"


def test_profile_writer_keeps_the_file_that_was_there(tmp_path):
    path = tmp_path / "new folder" / "board.toml"
    save(built_in(), path)
    assert [each.name for each in path.parent.iterdir()] == ["board.toml"]
    before = path.read_bytes()
    save(built_in("disc-32"), path)
    assert sorted(each.name for each in path.parent.iterdir()) == ["board.toml", "board.toml.old"]
    assert path.with_name("board.toml.old").read_bytes() == before
    assert load(path) == built_in("disc-32")


def test_disk_that_fails_leaves_files_as_they_were_and_one_without_synced_folders_is_logged_once(
    tmp_path, monkeypatch, caplog
):
    path, error = tmp_path / "board.toml", errno.ENOSPC
    files.write_whole(path, b"before")

    def refuse(_: int) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(files.os, "fsync", refuse)
    monkeypatch.setattr(files, "_unsynced", set())
    with pytest.raises(OSError, match="No space left") as shown:
        files.write_whole(path, b"after")
    assert shown.value.filename == str(path)
    assert path.read_bytes() == b"before"
    assert [each.name for each in tmp_path.iterdir()] == ["board.toml"]
    error = errno.EINVAL
    for _ in range(2):
        files.sync(tmp_path)
    (message,) = caplog.messages
    assert message.startswith(f"the disk of {tmp_path} cannot sync folders")
    with pytest.raises(OSError, match="Invalid argument"):
        files.sync(path)
    error = errno.EIO
    with pytest.raises(OSError, match="Input/output error"):
        files.sync(tmp_path)


def test_small_text_is_read_without_marks_of_its_encoding_and_system():
    assert files.decoded("\ufeffone\r\n\ufefftwo\rthree\n".encode()) == "one\ntwo\nthree\n"
