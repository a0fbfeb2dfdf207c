"""A room that is entered and left on the page, while the local game waits."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from game.cli.play import PlayOptions, play
from game.common import AppError
from game.remote import partner
from game.remote.address import ChosenRoom, read_address
from game.rules.base.message import say
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from game.store import past_games
from game.table.entries import OTHER_BOARD
from game.table.inputs import StartGame
from game.web import GAME as PLAY
from game.web import Host
from game.web.access import Caller
from game.web.game_pages import Opening
from game.web.page_messages import EnterRoom, LeaveRoom
from tests.helpers.pages.hosted import hosted
from tests.web.test_host import HostSession, config

NOWHERE = "127.0.0.1:1"
"""Where nothing answers."""
HERE = Caller("127.0.0.1", "127.0.0.1", 8765, "127.0.0.1:8765")
BOTH_AWAY = (OTHER_BOARD, OTHER_BOARD)


def room(code: str = "abcdef", broker: str = NOWHERE, **more: str) -> EnterRoom:
    fields = {"user": "", "password": "", "name": "Ann"} | more
    return EnterRoom(broker=broker, tls=False, code=code, options={"target": "5"}, **fields)


def change(session: HostSession, asked: EnterRoom | LeaveRoom) -> object:
    return session.ask_for(Opening(PLAY, GAME.name, room=asked))


@pytest.fixture
def session(tmp_path, monkeypatch):
    # Every room can be reached.
    monkeypatch.setattr(partner, "unreached", lambda *_: None)
    with Host(config(tmp_path)) as host:
        session = HostSession(host)
        session.running.session.give(StartGame({"first": "1"}, None, ("Anna", "Bert")))
        session.step()
        session.save()
        session.press("e5")
        session.save()
        yield session


def test_the_game_played_alone_waits_until_the_room_is_left(session, tmp_path):
    assert change(session, room("new")) is None
    assert session.state.computers == BOTH_AWAY
    assert session.state.history == ()
    code = session.host._describe_room(HERE)["room"]["code"]
    assert len(code) == 8
    assert session.host.ask(Opening(PLAY, "azteka")) == say("remote.alone_only")
    assert change(session, LeaveRoom()) is None
    assert [played.text for played in session.state.history] == ["e5"]
    assert session.state.names == ("Anna", "Bert")
    assert session.state.computers == ()
    assert session.host._describe_room(HERE)["room"] is None
    assert session.host._describe_room(HERE)["broker"] == NOWHERE
    assert [each.resumes for each in past_games(tmp_path, 99, 9)] == [True]


def test_a_room_without_a_broker_has_six_letters_and_a_link(session, tmp_path):
    assert change(session, room("new", "")) is None
    shown = session.host._describe_room(HERE)
    code = shown["room"]["code"]
    assert (len(code), shown["broker"]) == (6, "")
    assert shown["room"]["link"] == f"http://127.0.0.1:8765/room#{code}"
    session.host.__exit__()
    with Host(config(tmp_path, resumes_room=True)) as host:
        again = HostSession(host)
        assert host._describe_room(HERE)["room"]["code"] == code
        change(again, LeaveRoom())
        assert change(again, room(f"http://192.168.1.9:8765/room#{code.upper()}", "")) is None
    with Host(config(tmp_path, resumes_room=True)) as host:
        assert host._config.room == read_address(f"http://192.168.1.9:8765/room#{code}")


def test_a_room_that_is_not_reached_leaves_the_running_game_on_the_board(tmp_path):
    with Host(config(tmp_path)) as host:
        session = HostSession(host)
        before = session.running
        assert change(session, room()) is None
        assert session.running is before
        assert session.state.notices.current.message.key == "remote.failed"


def test_a_new_room_that_is_not_reached_ends_the_command(tmp_path):
    with pytest.raises(AppError, match="Connection refused"):
        play(PlayOptions(None, "sim", None, 0, False, tmp_path, room=f"mqtt://{NOWHERE}/new"))


def test_a_service_goes_on_in_the_room_and_other_programs_do_not(session, tmp_path):
    change(session, room(password="secret", user="ann"))
    session.host.__exit__()
    file = tmp_path / "rooms" / "chosen.json"
    assert file.stat().st_mode & 0o077 == 0
    with Host(config(tmp_path)) as host:
        assert HostSession(host).state.computers == ()
    with Host(config(tmp_path, resumes_room=True)) as host:
        again = HostSession(host)
        again.step()
        assert again.state.computers == BOTH_AWAY
        assert again.state.options["target"] == "5"
        shown = host._describe_room(HERE)
        assert "secret" not in json.dumps(shown)
        assert (shown["room"]["code"], shown["user"], shown["password"]) == ("abcdef", "ann", True)


def test_a_chosen_room_that_cannot_be_opened_leaves_the_board_alone(session, tmp_path, caplog):
    change(session, room())
    session.host.__exit__()
    (record,) = (tmp_path / "rooms").glob("*.jsonl")
    record.write_text('{"version":9}\n')
    with Host(config(tmp_path, resumes_room=True)) as host:
        assert "another version" in caplog.text
        assert [played.text for played in HostSession(host).state.history] == ["e5"]


@pytest.mark.parametrize("content", ["{", "[]", '{"version":1}', '{"version":1,"broker":"h"}'])
def test_what_was_chosen_and_cannot_be_read_is_nothing(tmp_path, content):
    (tmp_path / "rooms").mkdir()
    (tmp_path / "rooms" / "chosen.json").write_text(content)
    assert ChosenRoom.read(tmp_path) is None


def test_a_room_that_cannot_be_is_refused_at_once(session):
    for asked in (room("abc"), room("mqtt://h/abcdef?ca_file=f", ""), room(broker="ann:secret@h")):
        assert change(session, asked) == say("remote.bad_room")
    name = "x" * 41
    assert change(session, room(name=name)) == say("rules.long_name", name=name, most=40)
    # A game that hides pieces gets no room.
    assert session.host.ask(Opening(PLAY, MIND.name, None, room())) == say("remote.bad_room")
    assert session.state.computers == ()


def test_only_who_plays_is_told_the_room(tmp_path):
    with hosted(tmp_path, watching=True) as board:
        with urlopen(f"{board.address}room", timeout=20) as answer:
            assert json.loads(answer.read()) == {"broker": ""}
        with pytest.raises(HTTPError, match="403"):
            urlopen(f"{board.elsewhere}room", timeout=20)
