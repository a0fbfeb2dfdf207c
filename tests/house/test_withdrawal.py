"""What a broker retains of a board is deleted when the board publishes elsewhere, or no longer."""

from pathlib import Path
from unittest.mock import patch

import pytest

from game.house.published import Publishing, read_publishing
from game.house.withdrawal import FOLDER, withdrawal
from tests.helpers.house.published_board import PREFIX, FakeBroker, published_board


@pytest.fixture
def broker(tmp_path: Path) -> FakeBroker:
    """Return a broker that retains what a board has published."""
    broker = FakeBroker()
    with published_board(tmp_path, broker):
        broker.until(f"{PREFIX}/results")
    broker.broken = True
    return broker


def withdraw(
    folder: Path, broker: FakeBroker, now: Publishing | None = None, connects: int = 1
) -> None:
    with patch("game.remote.mqtt.MqttTopics", broker.open), withdrawal(folder, now) as files:
        for _ in range(connects if files else 0):
            broker.connect()
    broker.broken = True


@pytest.mark.parametrize("now", [None, read_publishing("mqtt://localhost/lifeboard/den")])
def test_all_is_deleted_when_the_topic_is_another_one_or_none(
    tmp_path: Path, broker: FakeBroker, now: Publishing | None
):
    assert len(broker.retained) == 6 + 3
    withdraw(tmp_path, broker, now)
    assert broker.retained == {}
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_what_is_published_still_stays_however_its_address_is_written(
    tmp_path: Path, broker: FakeBroker
):
    before = dict(broker.retained)
    withdraw(tmp_path, broker, read_publishing(f"mqtt://127.0.0.1/{PREFIX}?control=1"))
    assert broker.retained == before
    withdraw(tmp_path, broker)
    assert broker.retained == {}


def test_broker_that_is_away_is_asked_again_at_the_next_start_and_only_once(
    tmp_path: Path, broker: FakeBroker
):
    withdraw(tmp_path, broker, connects=0)
    withdraw(tmp_path, broker, connects=2)  # the broker of the test fails to delete twice
    assert broker.retained == {}


def test_record_that_cannot_be_read_is_named_and_does_not_keep_another_one(
    tmp_path: Path, broker: FakeBroker, caplog: pytest.LogCaptureFixture
):
    (tmp_path / FOLDER / ("x" * 64)).write_bytes(b"mqtt://\xff/")
    withdraw(tmp_path, broker)
    assert broker.retained == {}
    assert f"{FOLDER}/xxx" in caplog.text
