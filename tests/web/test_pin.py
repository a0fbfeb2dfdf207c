"""The PIN: its file, who may read it, and the tokens that are signed with it."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from game.common import AppError, json_file
from game.service.pin_command import shown
from game.web.access import PIN_FILE, Pins


@pytest.fixture
def pins(tmp_path: Path) -> Pins:
    return Pins(tmp_path)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk that takes nothing; root is refused nothing by the mode of a folder."""

    def full(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("game.web.access.pin.write_json", full)
    return


def test_pin_is_made_when_it_is_first_needed_and_kept(tmp_path: Path, pins: Pins):
    assert not pins.path.exists()
    pin = pins.pin
    assert len(pin) == 6
    assert pin.isdecimal()
    assert Pins(tmp_path).pin == pin == shown(tmp_path, Path(), new=False)


def test_file_is_for_its_owner_alone(tmp_path: Path, pins: Pins):
    assert pins.pin
    assert (tmp_path / PIN_FILE).stat().st_mode & 0o777 == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [PIN_FILE]


def test_file_that_root_writes_belongs_to_whom_the_folder_belongs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    shown(tmp_path, Path(), new=True)
    folder = tmp_path.stat()
    assert given == [(folder.st_uid, folder.st_gid)]


def test_only_the_pin_is_the_pin(pins: Pins):
    pin = pins.pin
    assert pins.is_pin(pin)
    for wrong in ("", pin[:-1], pin + "0", "١٢٣٤٥٦", "\ud800", f"{(int(pin) + 1) % 10**6:06}"):
        assert not pins.is_pin(wrong)


def test_forged_tokens_are_refused(tmp_path: Path, pins: Pins):
    token = pins.token()
    device, _, signature = token.partition(".")
    until, chance = device.split("-")
    other = tmp_path / "other"
    other.mkdir()
    forged = [
        "",
        ".",
        device,
        f"{int(until) + 1}-{chance}.{signature}",
        f"{device}.{signature[:-1]}",
        f"{device}.{'0' * 64}",
        f"0{device}.{signature}",
        f"{device}\u00e9.{signature}",
        f"../{device}.{signature}",
        f"\ud800.{signature}",
        Pins(other).token(),
    ]
    assert [each for each in forged if pins.is_token(each)] == []


def test_new_pin_of_another_process_holds_at_once_and_voids_tokens(tmp_path: Path, pins: Pins):
    old, token = pins.pin, pins.token()
    new = shown(tmp_path, Path(), new=True)
    assert not pins.is_token(token)
    assert pins.is_pin(new)
    assert pins.pin == new
    assert new == old or not pins.is_pin(old)
    assert pins.is_token(pins.token())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"version": 2}',
        '{"version": 1, "pin": "12345", "key": "' + "00" * 32 + '"}',
        '{"version": 1, "pin": "123456", "key": "00"}',
        '{"version": 1, "pin": "123456", "key": "xyz"}',
    ],
    ids=lambda text: text[:30],
)
def test_damaged_file_is_logged_and_replaced(
    pins: Pins, tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str
):
    pins.path.write_text(text)
    with pytest.raises(AppError, match="pin --new"):
        shown(tmp_path, Path(), new=False)
    pin = pins.pin
    assert "is replaced" in caplog.text
    assert shown(tmp_path, Path(), new=False) == pin == pins.pin


def test_file_that_goes_away_brings_a_new_pin(pins: Pins):
    token = pins.token()
    pins.path.unlink()
    assert not pins.is_token(token)
    assert pins.path.exists()


@pytest.mark.usefixtures("refusing")
def test_pin_that_cannot_be_written_holds_and_is_logged(
    pins: Pins, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    pin = pins.pin
    assert (pins.pin, pins.is_token(pins.token())) == (pin, True)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert pin in record.getMessage()
    assert "until the next start" in record.getMessage()
    with pytest.raises(AppError, match=r"cannot be written: Read-only file system$"):
        shown(tmp_path, Path(), new=False)


def test_pin_that_cannot_be_read_is_told_with_the_way_out(
    pins: Pins, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    written = pins.pin

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(json_file, "read_whole", refuse)
    with pytest.raises(AppError, match=r"Permission denied; put sudo before it$"):
        shown(tmp_path, Path(), new=False)
    assert pins.pin == written
    late = Pins(tmp_path)
    assert late.pin == late.pin
    assert late.pin in caplog.text
    assert len(caplog.records) == 1


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The service's data folder and the user's, neither of which is there."""
    service, mine = tmp_path / "service", tmp_path / "mine"
    monkeypatch.setattr("game.service.pin_command.data_folder", lambda: mine)
    return service, mine


def test_pin_is_the_service_s_and_without_a_service_the_user_s(folders: tuple[Path, Path]):
    service, mine = folders
    mine.mkdir()
    assert shown(None, service, new=False) == Pins(mine).pin
    service.mkdir()
    shown(mine, Path(), new=True)
    pin = shown(None, service, new=True)
    assert pin == Pins(service).pin
    assert shown(mine, service, new=False) == Pins(mine).pin


def test_without_any_folder_both_are_named(folders: tuple[Path, Path]):
    with pytest.raises(AppError, match="there is no PIN yet") as caught:
        shown(None, folders[0], new=True)
    for folder in folders:
        assert str(folder) in str(caught.value)
        assert not folder.exists()
