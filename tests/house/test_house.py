"""What a board publishes, and which messages it accepts."""

import json
from random import Random
from typing import Any

import pytest

from game.common import AppError
from game.house import published
from game.house.house import MOST_A_SECOND
from game.house.published import read_publishing
from game.rules.cirkle_mind import GAME as MIND
from game.table.inputs import Asked, Command, SetNames, SubmitSetup
from tests.helpers.house.published_board import (
    PREFIX,
    FakeBroker,
    PublishedBoard,
    published_board,
)

RESIGN = Asked(Command.RESIGN), Asked(Command.RESIGN)
STATE, RESULTS, ERROR = (f"{PREFIX}/{topic}" for topic in ("state", "results", "error"))


def all_said(broker: FakeBroker) -> None:
    """Wait until everything is published, starting with the entities and `online`."""
    broker.until(f"{PREFIX}/availability", lambda shown: shown == "online")
    broker.until(RESULTS)


def ended(shown: Any) -> bool:
    """Return whether the newest game of published results is over."""
    return bool(shown["results"]) and shown["results"][-1]["reason"] is not None


def play(board: PublishedBoard, cell: str) -> None:
    hands = board.host.running.page.hands
    assert hands is not None
    hands.press("finger", cell)
    board.save()
    hands.lift("finger")
    board.save()


def test_state_and_results_follow_a_game_and_a_result_that_is_taken_back(tmp_path):
    with published_board(tmp_path, first="1") as board:
        board.give(SetNames(("Ada", "Bo")))
        play(board, "e5")
        shown = board.broker.until(STATE, lambda each: each["moves"] == 1)
        assert shown["version"] == published.VERSION
        assert (shown["game"], shown["status"], shown["number"]) == ("circle-of-life", "playing", 1)
        assert (shown["players"], shown["to_move"], shown["turn"]) == (["Ada", "Bo"], 2, "Bo")
        assert (shown["last_move"], set(shown["pieces"])) == ("e5", {"e5"})
        assert (shown["winner"], shown["outcome"]) == (None, None)
        assert (shown["brightness"], shown["night"]) == (100, False)
        play(board, "a1")
        board.give(*RESIGN)
        over = board.broker.until(STATE, lambda each: each["status"] == "over")
        assert (over["winner"], over["turn"]) == ("Bo", None)
        (one,) = board.broker.until(RESULTS, ended)["results"]
        assert (one["players"], one["winner"], one["moves"]) == (["Ada", "Bo"], 2, 2)
        board.give(Asked(Command.TAKE_BACK))
        (back,) = board.broker.until(RESULTS, lambda each: not ended(each))["results"]
        assert (back["started"], back["reason"]) == (one["started"], None)
        board.give(*RESIGN)
        (one,) = board.broker.until(RESULTS, ended)["results"]
    with published_board(tmp_path, first="1") as board:
        assert board.broker.until(RESULTS)["results"] == [one]


def test_all_is_said_again_after_a_connection_or_change_was_lost(tmp_path, monkeypatch, caplog):
    with published_board(tmp_path, first="1") as board:
        broker = board.broker
        all_said(broker)
        before = dict(broker.retained)
        assert before[f"{PREFIX}/availability"] == "online"
        discovered = [topic for topic in before if topic.startswith("homeassistant/")]
        assert len(discovered) == 6
        broker.retained.clear()
        broker.broken = True
        with monkeypatch.context() as patch:
            patch.setattr(published, "state", lambda *_: 1 / 0)
            play(board, "e5")
        assert "a change is not published: ZeroDivisionError" in caplog.text
        assert {record.exc_info for record in caplog.records} == {None}
        broker.connect()
        all_said(broker)
        assert broker.retained.keys() == before.keys()
        assert json.loads(broker.retained[STATE])["moves"] == 1
        # What a full queue drops is published with the next change of anything.
        broker.broken = True
        play(board, "a1")
        broker.until(STATE, lambda each: each["moves"] == 2, lost=True)
        broker.broken = False
        board.give(Asked(Command.DRAW))
        broker.until(STATE, lambda each: each["moves"] == 2)
    assert broker.retained[f"{PREFIX}/availability"] == "offline"
    assert broker.will == (f"{PREFIX}/availability", "offline")


def test_brightness_and_night_are_set_and_told(tmp_path):
    with published_board(tmp_path) as board:
        day = board.dimmer()
        board.send("brightness/set", "40")
        assert board.broker.until(STATE, lambda each: each["brightness"] == 40)
        assert board.dimmer() == pytest.approx(0.4 * day)
        board.send("night/set", "ON")
        assert board.broker.until(STATE, lambda each: each["night"])
        assert board.dimmer() < 0.4 * day
        board.send("night/set", "OFF")
        assert board.broker.until(STATE, lambda each: not each["night"])


def test_what_is_not_allowed_is_refused_in_words(tmp_path):
    with published_board(tmp_path, first="1") as board:
        play(board, "e5")
        for topic, message, said in (
            ("brightness/set", "4", "allowed: 5 - 100"),
            ("brightness/set", "٤٠", "allowed: 5 - 100"),
            ("night/set", "maybe", "allowed: ON, OFF"),
            ("command", "[" * 4000, "not JSON"),
            ("command", "x" * 5000, "allowed: 4096"),
            ("command", {"do": "open", "kind": "game", "game": "azteka"}, "do is 'open'; allowed"),
            ("command", {"do": "press", "pointer": "1", "spot": "e5"}, "do is 'press'; allowed"),
            ("command", {"do": "command", "name": "resign"}, "allowed: new_game only"),
            ("command", {"do": "command", "name": "new_game", "x": 1}, "allowed: name"),
        ):
            board.send(topic, message)
            assert said in board.broker.until(ERROR)["text"]
        assert (board.dimmer.percent, board.dimmer.is_night) == (100, False)
        play(board, "a1")
        assert board.broker.until(STATE, lambda each: each["moves"] == 2)["status"] == "playing"


def test_new_game_begins_after_a_game_and_never_within_one(tmp_path):
    new_game = json.loads(published.NEW_GAME)
    with published_board(tmp_path, first="1") as board:
        play(board, "e5")
        for _ in range(3):
            board.send("command", new_game)
        play(board, "a1")
        shown = board.broker.until(STATE, lambda each: each["moves"] == 2)
        assert shown["number"] == 1
        board.give(*RESIGN)
        board.send("command", new_game, retained=True)
        assert board.broker.until(STATE, lambda each: each["status"] == "over")
        board.send("command", new_game)
        assert board.broker.until(STATE, lambda each: each["number"] == 2)["moves"] == 0


def test_control_plays_on_a_simulated_board(tmp_path):
    with published_board(tmp_path, control=True, first="1") as board:
        board.send("command", {"do": "press", "pointer": "1", "spot": "e5"})
        board.send("command", {"do": "lift", "pointer": "1"})
        assert board.broker.until(STATE, lambda each: each["moves"] == 1)
        board.send("command", {"do": "command", "name": "take_back"})
        assert board.broker.until(STATE, lambda each: each["moves"] == 0)
        board.send("command", {"do": "press", "pointer": "1", "spot": "z9"})
        assert "z9" in board.broker.until(ERROR)["text"]
        board.send("command", {"do": "key", "name": "ring1"})
        assert "ring1" in board.broker.until(ERROR)["text"]


def test_flood_is_dropped(tmp_path):
    with published_board(tmp_path) as board:
        for _ in range(100 * MOST_A_SECOND):
            board.broker.hear(f"{PREFIX}/command", b"nonsense", False)
        errors = [each for each in list(board.broker.events.queue) if each[0] == ERROR]
        assert 0 < len(errors) <= 3 * MOST_A_SECOND


def test_hidden_pieces_are_published_as_their_sides_only(tmp_path):
    with published_board(tmp_path, game=MIND, level="easy") as board:
        session: Any = board.host.running.session
        for player in (1, 2):
            position = session.table.state.position
            pieces = MIND.arranged_at_random(position, player, Random(player))
            board.give(SubmitSetup(player, pieces))
        shown = board.broker.until(STATE, lambda each: each["status"] == "playing")
        faces = set(session.table.state.expected.values())
        assert len(faces) > 4, "the table knows what stands there"
        assert set(shown["pieces"].values()) <= set(shown["sides"])
        everything = json.dumps(list(board.broker.retained.values()))
        assert not [face for face in faces if json.dumps(face) in everything]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mqtt://host", "the topic is ''"),
        ("mqtt://host/a//b", "the topic is 'a//b'"),
        ("mqtt://host/a+", "the topic is"),
        ("mqtt://host/$SYS", "the topic is"),
        (f"mqtt://host/{'a' * 101}", "the topic is"),
        ("mqtt://host/board?control=yes", "allowed: 1"),
    ],
)
def test_address_with_a_wrong_topic_is_refused(text, said):
    with pytest.raises(AppError, match=said):
        read_publishing(text)


def test_address_says_where_and_how_much():
    read: Any = read_publishing("mqtts://ada@host:99/hall/board 1?control=1&ca_file=own.pem")
    assert (read.address.host, read.address.port, read.address.tls) == ("host", 99, True)
    assert (read.prefix, read.control) == ("hall/board 1", True)
    assert not read_publishing("mqtt://host/board").control
