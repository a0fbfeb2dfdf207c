"""What Home Assistant discovers, held against the keys of its own schemas."""

import json
import re
from pathlib import Path
from typing import Any

from game.common import LANGUAGES, words
from game.house.published import discovery
from tests.helpers.house import published_board

KEYS: dict[str, Any] = json.loads(
    Path(published_board.__file__).with_name("home_assistant.json").read_text()
)
HALL = discovery("lifeboard/hall 1", "hall 1", words("en"))


def wrong_keys(kind: str, given: dict[str, Any]) -> set[str]:
    """Return the keys that are missing, and those that Home Assistant does not know."""
    required, optional = set(KEYS[kind]["required"]), set(KEYS[kind]["optional"])
    return required - given.keys() | given.keys() - required - optional


def test_payloads_have_the_keys_that_home_assistant_takes():
    for topic, payload in HALL.items():
        above, kind, _, _, last = topic.split("/")
        assert (above, last) == ("homeassistant", "config")
        assert wrong_keys(kind, payload) == set()
        assert wrong_keys("device", payload["device"]) == set()
        assert wrong_keys("origin", payload["origin"]) == set()
        assert payload["availability_topic"] == "lifeboard/hall 1/availability"


def test_entities_are_told_apart_and_named_in_every_language():
    assert len({each["unique_id"] for each in HALL.values()}) == len(HALL) == 6
    for language in LANGUAGES:
        named = discovery("b", "b", words(language)).values()
        assert all(each["name"] and "." not in each["name"] for each in named)


def test_two_boards_are_never_one_and_a_plain_topic_has_the_name_that_it_always_had():
    topics = ("club/1", "club_1", "_club_1", "_636c75625f31", "дом/зал", "дом/сад", "a b", "a/b")
    found = [discovery(topic, "", words("en")) for topic in topics]
    assert len({topic for one in found for topic in one}) == 6 * len(topics)
    assert len({each["unique_id"] for one in found for each in one.values()}) == 6 * len(topics)
    assert len({str(next(iter(one.values()))["device"]["identifiers"]) for one in found}) == 8
    assert all(re.fullmatch(r"[\w/-]+", topic, re.ASCII) for one in found for topic in one)
    plain = discovery("lifeboard/hall", "", words("en"))
    assert "homeassistant/sensor/lifeboard_hall/turn/config" in plain
