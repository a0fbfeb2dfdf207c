"""What every game promises: writing, moves, touches, edits and words, in random games."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from game.common import LANGUAGES, words
from game.rules.base.edits import EditKind
from game.rules.base.errors import BadOption, BadPosition, IllegalMove
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.rules.base.registry import all_games, find_game
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import LEVELS
from tests.oracles.agreement import shown

PLIES = 300
CASES: dict[str, tuple[AnyGame, dict[str, str]]] = {
    **{name: (game, {}) for name, game in all_games().items()},
    **{f"mind-{level}": (find_game("cirkle-mind"), {"level": level}) for level in LEVELS[1:]},
}
EVERY = pytest.mark.parametrize("case", CASES)


@cache
def lines(case: str) -> tuple[tuple[dict[str, str], tuple[tuple[Any, Any], ...]], ...]:
    """Play random games; return their options, and each position with its move, None at the end.

    Where pieces are hidden, only attacks can end the game.
    """
    game, chosen = CASES[case]
    found = []
    for seed in range(effort(4, 6)):
        rng, line = Random(seed), []
        options = {**chosen, "first": "2" if seed % 2 and len(game.players) == 2 else "1"}
        position = game.initial(options)
        while game.to_move(position) is not None and len(line) < PLIES:
            moves = game.legal_moves(position)
            move = moves.pick(rng)
            if game.hidden and game.arranging(position, game.to_move(position) or 0) is None:
                move = max(moves, key=lambda each: (len(game.faces(position, each)), rng.random()))
            line.append((position, move))
            position = game.play(position, move)
        found.append((options, (*line, (position, None))))
    return tuple(found)


def positions(case: str, step: int = 1) -> Iterator[Any]:
    """Yield positions of the games, the last of each among them, before which players set up."""
    game = CASES[case][0]
    for _, line in lines(case):
        for position, _ in line[::-1][::step]:
            if not any(game.arranging(position, n + 1) for n in range(len(game.players))):
                yield position


@EVERY
def test_positions_come_back_from_their_text_and_from_the_referees_keys(case):
    game = CASES[case][0]
    for options, line in lines(case):
        for position, _ in line:
            text = game.text(position)
            assert "\n" not in text
            read = game.parse(text)
            assert (read, game.text(read)) == (position, text)
            reported = shown(game, position)
            again = game.from_json(reported, options)
            # In a finished position the keys do not always show whose turn it would be.
            over = game.outcome(position) is not None
            assert again == position or (over and shown(game, again) == reported), text


@EVERY
@pytest.mark.parametrize("to_move", [1, 2])
def test_every_score_that_can_be_set_up_comes_back_from_its_text(case, to_move):
    game, options = CASES[case]
    found = []
    for most in (0, 9, 99, 999, 9999):
        with suppress(BadPosition):
            found.append(game.from_json({"score": [most, 0], "to_move": to_move}, options))
    for position in found:
        assert game.parse(game.text(position)) == position


@EVERY
def test_what_is_left_out_is_as_at_the_start_and_bad_options_are_refused(case):
    game, options = CASES[case]
    for each in (options, lines(case)[-1][0]):
        assert game.from_json({}, each) == game.initial(each)
    for wrong in ({"first": "9"}, {"first": ""}, {"size": "5"}):
        for act in (game.initial, lambda reported: game.from_json({}, reported)):
            with pytest.raises(BadOption) as caught:
                act(wrong)
            assert caught.value.message.args["key"] in wrong


@EVERY
@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ({"pieces": ["a1"]}, "rules.bad_key"),
        ({"pieces": None}, "rules.bad_key"),
        ({"pieces": {"z99": "1"}}, "rules.no_such_cell"),
        ({"pieces": {"CELL": "zz"}}, "rules.bad_piece"),
        ({"pieces": {"CELL": None}}, "rules.bad_piece"),
        ({"to_move": 0}, "rules.bad_key"),
        ({"to_move": 9}, "rules.bad_key"),
    ],
)
def test_what_no_game_reads_is_refused(case, wrong, key):
    game, options = CASES[case]
    if isinstance(pieces := wrong.get("pieces"), dict):
        wrong = {"pieces": {at.replace("CELL", game.board.cells[0]): pieces[at] for at in pieces}}
    with pytest.raises(BadPosition) as caught:
        game.from_json(wrong, options)
    assert caught.value.message.key == key


@EVERY
def test_moves_are_listed_counted_found_and_read_back_alike(case):
    game = CASES[case][0]
    for position in positions(case, 9):
        moves = game.legal_moves(position)
        listed = list(moves)
        assert len(moves) == len(listed) == len(set(listed))
        assert bool(moves) == bool(listed) == (game.to_move(position) is not None)
        for move in listed[:: max(1, len(listed) // 60)]:
            assert move in moves
            text = game.move_text(position, move)
            assert game.parse_move(position, text) == move
            assert game.parse_move(position, game.plain_text(position, move)) == move
        assert "nonsense" not in moves
        assert None not in moves
        with pytest.raises(IllegalMove):
            game.parse_move(position, "nonsense")
        if listed:
            assert moves.pick(Random(1)) in listed
        else:
            with pytest.raises(LookupError):
                moves.pick(Random(1))


@EVERY
def test_touches_enter_one_move_each_and_others_are_refused_in_words(case):
    game, refused = CASES[case][0], set[str]()
    for position in positions(case, 40):
        entered = {game.taps(position, move): move for move in game.legal_moves(position)}
        assert game.moves_by_taps(position) == entered
        started = {taps[:n] for taps in entered for n in range(len(taps))}
        assert not started & entered.keys()
        for before in sorted(started)[:: max(1, len(started) // 8)] or [()]:
            for tap in (*game.board.cells, *game.keys, "z99"):
                if (*before, tap) not in started | entered.keys():
                    why = game.presentation.refusal(position, (*before, tap))
                    if why.key not in refused:
                        check_words(why)
                        refused.add(why.key)
    assert refused


def check_words(message: Message) -> None:
    for language in LANGUAGES:
        text = words(language).text(message)
        assert text != message.key
        assert "{" not in text


def with_hands(game: AnyGame, pieces: Mapping[str, str], edits: Any) -> dict[str, str]:
    """Apply edits to a board as hands do; each cell gets one edit, of the right kind."""
    board = dict(pieces)
    assert len({edit.cell for edit in edits}) == len(edits)
    for edit in edits:
        if edit.kind is EditKind.TURN:
            cells = game.board.rings[edit.cell]
            stood = [board.pop(cell, "") for cell in cells]
            for at, piece in enumerate(stood):
                if piece:
                    board[cells[(at + edit.steps) % len(cells)]] = piece
            continue
        assert (edit.cell in board) == (edit.kind is not EditKind.PUT)
        assert edit.piece != board.pop(edit.cell, "")
        if edit.piece:
            board[edit.cell] = edit.piece
    return board


@EVERY
def test_hands_bring_the_board_to_the_next_position(case):
    game = CASES[case][0]
    for _, line in lines(case):
        for (before, move), (after, _) in pairwise(line):
            done, stands = game.result(before, move), game.pieces(after)
            assert done.after == after
            assert not done.removed or {*done.removed} <= {*game.pieces(before), *done.taps}
            turns = [edit for edit in done.edits if edit.kind is EditKind.TURN]
            assert not turns or len(done.edits) == 1
            # The end of a round clears the board by another request.
            assert not stands or with_hands(game, game.pieces(before), done.edits) == stands


@EVERY
def test_all_that_is_said_can_be_said_in_every_language(case):
    game = CASES[case][0]
    words_of = game.presentation
    said = [*words_of.rules, *words_of.presence_rules, *game.players]
    said += [*words_of.roles.values(), *words_of.threat_words]
    for _, line in lines(case):
        for position, move in line:
            said += [words_of.called(position, n + 1) for n in range(len(game.players))]
            said += [goal.word for goal in game.goals(position)]
            said += [game.result(position, move).summary] if move is not None else []
            said += [outcome.message] if (outcome := game.outcome(position)) else []
    for message in {str(each): each for each in said}.values():
        check_words(message)
