"""What a broker keeps of a board is deleted when the board publishes elsewhere, or no more."""

from pathlib import Path
from unittest.mock import patch

import pytest

from game.house.published import Publishing, read_publishing
from game.house.withdrawal import FOLDER, withdrawal
from tests.helpers.house.published_board import (
    PATIENCE_S,
    PREFIX,
    FakeBroker,
    published_board,
)


@pytest.fixture
def broker(tmp_path: Path) -> FakeBroker:
    """Return a broker that keeps what a board has published."""
    broker = FakeBroker()
    with published_board(tmp_path, broker):
        broker.until(f"{PREFIX}/results")
    broker.will = None
    return broker


def withdraw(folder: Path, broker: FakeBroker, now: Publishing | None = None) -> None:
    with (
        patch("game.remote.mqtt.MqttTopics", broker.open),
        withdrawal(folder, now) as thread,
    ):
        thread.join(0 if broker.broken else PATIENCE_S)
    thread.join(PATIENCE_S)


@pytest.mark.parametrize("now", [None, read_publishing("mqtt://localhost/lifeboard/den")])
def test_all_is_deleted_when_the_topic_is_another_one_or_none(
    tmp_path: Path, broker: FakeBroker, now: Publishing | None
):
    assert len(broker.kept) == 6 + 3
    withdraw(tmp_path, broker, now)
    assert broker.kept == {}
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_what_is_published_still_stays_however_its_address_is_written(
    tmp_path: Path, broker: FakeBroker
):
    before = dict(broker.kept)
    withdraw(tmp_path, broker, read_publishing(f"mqtt://127.0.0.1/{PREFIX}?control=1"))
    assert broker.kept == before
    withdraw(tmp_path, broker)
    assert broker.kept == {}


def test_broker_that_is_away_is_asked_again_at_the_next_start(tmp_path: Path, broker: FakeBroker):
    broker.broken = True
    withdraw(tmp_path, broker)
    broker.broken = False
    withdraw(tmp_path, broker)
    assert broker.kept == {}


def test_record_that_cannot_be_read_is_named_and_another_one_is_not_lost(
    tmp_path: Path, broker: FakeBroker, caplog: pytest.LogCaptureFixture
):
    (tmp_path / FOLDER / ("x" * 16)).write_bytes(b"mqtt://\xff/\nhomeassistant/x")
    withdraw(tmp_path, broker)
    assert broker.kept == {}
    assert f"{FOLDER}/xxx" in caplog.text
