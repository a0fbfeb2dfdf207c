"""The secrecy search: a running lifeboard plays whole games, and all that it says is searched.

Pages of every kind sit round it: the board's own, two seats, a watcher, in every language, and a
phone that has neither PIN nor seat. They ask for all that can be asked, and for much that cannot.
"""

import io
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import pytest

from game.cli import main
from game.table.inputs import Command
from tests.helpers.programs.mind_listener import FACES, Listener, ListeningSession, found_in, script
from tests.helpers.programs.running import Talk

LEVELS = ("easy", "super")
SET_UP = {"A1": "GyC", "A8": "MyC"}
HARMLESS: tuple[object, ...] = (
    {"do": "dance"},
    {"do": "state", "player": 1},
    {"do": "sit"},
    {"do": "sit", "invite": "x" * 200},
    {"do": "return", "player": 2, "key": "x"},
    {"do": "arrange"},
    {"do": "key", "name": "choice2"},
    {"do": "touch", "spot": "A1"},
    {"do": "mask", "cells": ["Z99"]},
    {"do": "name", "names": [1]},
    {"do": "lay", "cell": "A1", "piece": "Gzz"},
    {"do": "score", "score": [0, 0], "to_move": 1},
    {"do": "opponents", "computers": ["9", ""]},
    {"do": "analyse"},
    {"do": "press", "pointer": "x", "spot": "Z99"},
    {"do": "command", "name": Command.HINT.value},
    {"do": "command", "name": Command.COACH.value},
    {"do": "command", "name": Command.NEXT_CELL.value},
    "{not json",
    '"Gzz"',
)
"""Requests that change nothing of the game."""
FOREIGN: tuple[object, ...] = (
    {"do": "arrange", "pieces": SET_UP},
    {"do": "arrange", "pieces": None},
    {"do": "stand"},
    {"do": "free", "player": 0},
)
"""Requests that need a seat, once sides are set up."""
PATIENCE = 20
"""How many messages, mostly of lights, are read before a touch is repeated."""


def ask_all(session: ListeningSession, sealed: tuple[int, ...]) -> None:
    """Let every page ask for all that changes nothing, and hear the answers."""
    frees = [{"do": "free", "player": player} for player in sealed]
    for number, ear in enumerate(session.ears):
        for wish in (*HARMLESS, *(() if ear.player else FOREIGN), *frees):
            ear.ask(wish)
        # Every client gets an answer to an unknown message, after all other answers.
        last = f"x{number}.{len(ear.errors)}"
        ear.ask({"do": last})
        ear.until(lambda t, last=last: any(last in error for error in t.errors[-1:]))


def commands(data: Path) -> list[str]:
    """Run every command that reports saved games; return all output."""
    lines = (
        ["history", "--json"],
        ["export", "all"],
        ["export", "all", "--json"],
    )
    return [_called(*line, "--data", str(data)) for line in lines]


def _called(*line: str) -> str:
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors), suppress(SystemExit):
        main.main(line)
    return out.getvalue() + errors.getvalue()


def make_ready(session: ListeningSession, ply: int) -> None:
    """Resolve what the table asks for on the board's page, until a move can be made."""
    board = session.board
    while True:
        board.until(lambda t: t.state.get("ply") == ply and t.state["phase"] != "draw")
        before = _undone(board)
        match board.state["phase"]:
            case "tap" | "over":
                return
            case "confirm" | "show":
                board.send(do="command", name="confirm")
            case "edit":
                board.tap(board.state["todo"][0]["cell"])
        # A finger that has just made a move is ignored for a moment, so it must touch again.
        heard = len(board.heard) + PATIENCE
        board.until(lambda t, was=before, n=heard: _undone(t) != was or len(t.heard) > n)


def _undone(page: Talk) -> object:
    """Return what the table waits for, and nothing else of its state."""
    return page.state["phase"], page.state["todo"]


def play_on(session: ListeningSession, move: str, ply: int) -> None:
    """Make a move on the board's page, touch by touch."""
    board = session.board
    start, _, goal = move.partition("-")
    goal, _, target = goal.partition("*")
    for spot in (start, goal, target):
        if not spot:
            continue
        cue = "wrong"
        while cue == "wrong":
            # So soon after its neighbour a touch may be taken for a finger that slides.
            board.until(lambda t, s=spot: t.state["cells"][s]["cue"] != "wrong")
            board.tap(spot)
            board.until(lambda t, s=spot: _answered(t, s, ply))
            cue = board.state["cells"][spot]["cue"]
        for ear in session.seeing:
            ear.until(lambda t, s=spot: _answered(t, s, ply))
    if board.state["ply"] == ply:
        board.send(do="key", name="choice1")
    board.until(lambda t: t.state["ply"] == ply + 1)


def _answered(ear: Talk, spot: str, ply: int) -> bool:
    """Return whether a page has seen that a touch was accepted or refused."""
    now = ear.state
    return bool(now) and (now["ply"] > ply or now["cells"][spot]["cue"] in ("chosen", "wrong"))


def sealed_of(ear: Talk) -> list[int]:
    """Return who has set up, as far as a page knows."""
    return list((ear.state.get("arranging") or {}).get("sealed") or ())


def laid_by(ear: Talk) -> dict[str, str]:
    """Return how the player of a page has set up, as far as the page knows."""
    return dict(((ear.state.get("arranging") or {}).get("own") or {}).get("laid") or {})


def seal(
    session: ListeningSession, ear: Listener, pieces: dict[str, str], sealed: list[int]
) -> None:
    bad = dict(pieces)
    bad.pop(next(iter(bad)))
    before = len(ear.errors)
    ear.send(do="arrange", pieces=bad)
    ear.until(lambda t: len(t.errors) > before)
    ear.send(do="arrange", pieces=pieces)
    if len(sealed) < 2:
        ear.until(lambda t: sealed_of(t) == sealed)
        ear.until(lambda t: laid_by(t) == pieces)


@pytest.mark.parametrize("level", LEVELS)
def test_no_face_is_told_to_whom_it_is_hidden_from_in_a_whole_game(tmp_path, level):
    reported = script(level, LEVELS.index(level) + 1)
    assert sum(map(bool, reported.shown)) >= 2
    data = tmp_path / "data"
    session = ListeningSession(data, reported)
    said: list[str] = []
    try:
        session.board.until(lambda t: t.state.get("phase") == "arrange")
        session.take_seats()
        seal(session, session.green, dict(reported.set_ups[1]), [1])
        ask_all(session, (1,))
        said += commands(data)
        session.kill()
        # The submitted set-ups and the seats have survived that.
        session.green.until(lambda t: laid_by(t) == reported.set_ups[1])
        session.mauve.until(lambda t: sealed_of(t) == [1])
        seal(session, session.mauve, dict(reported.set_ups[2]), [1, 2])
        ply = 2
        for number, move in enumerate(reported.moves):
            make_ready(session, ply)
            play_on(session, move, ply)
            ply += 1
            over = number == len(reported.moves) - 1
            if reported.shown[number] and not over:
                session.at(ply, "show")
                faces = session.board.state["faces"]["cells"]
                ask_all(session, (1, 2))
                said += commands(data)
                # Faces that are not covered are shown again.
                session.kill()
                session.at(ply, "confirm")
                session.board.send(do="command", name="confirm")
                session.at(ply, "show")
                assert session.board.state["faces"]["cells"] == faces
                make_ready(session, ply)
        said += [str(each.relative_to(data)) for each in data.rglob("*")]
        session.board.until(lambda t: t.state["outcome"])
        session.at(ply, session.board.state["phase"])
        # After the end all is open to everybody.
        for ear in session.seeing:
            ear.until(lambda t: t.state["outcome"])
            standing = {c["piece"] for c in ear.state["cells"].values()} & set(FACES)
            assert len(standing) > 40
            assert ear.state["moves"][0]["text"].startswith("setup A")
        session.search()
        record = _called("export", "last", "--data", str(data))
        assert record.count("setup_A") == 2
    finally:
        session.close()
    assert session.finding == []
    for text in (*session.said, *said):
        # Words in the log are not faces: search for codes and set-ups only.
        assert found_in(text) == set(), text
        assert not [secret for secret in session.secrets if secret in text]
    assert len(session.secrets) == 4
    assert any("Each player needs a seat" in text for text in session.said)
    assert any("Touched" in text for text in session.said), "the log is not at its most talkative"


def test_search_finds_planted_faces():
    assert found_in("setup A1=yC B1=kT") == {"setup ", "A1=yC", "B1=kT"}
    assert found_in("gelbes Kreuz") != set()
    assert found_in("a yellow cross and a black circle", ["MyC"]) == {"black circle"}
    assert found_in("G M GG A1-A2*A3 pass setup") == set()
