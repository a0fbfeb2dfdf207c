"""The coach at the table: one idea at a time, rarely, and less to those who know it."""

from itertools import pairwise
from random import Random

import pytest

from game.rules.base.advice import ideas
from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.rules.base.values import Advice, Threats
from game.rules.cirkle_mind import GAME as MIND
from game.table.inputs import Command
from game.table.players import COACH_MUCH, COACH_PAUSE
from tests.helpers.games.toy_game import Toy
from tests.table.random_game import TableSession

TEACHABLE = ("e5", "e3", "d5", "d3", "b3")
"""Then blue's d4 eats a pair, and orange threatens another from e4."""
PAYS, DANGER = "circle_of_life.coach_pays", "circle_of_life.coach_danger"


def coached(sit, *cells):
    return sit().do(*cells, Command.COACH)


def test_one_idea_is_told_in_words_and_lights_until_the_next_move(sit):
    session = coached(sit, *TEACHABLE[:3])
    session.tap("d3")
    idea = session.state.coach.ideas[0]
    assert session.notice == idea.message.key == PAYS
    assert set(session.cues("hint")) == idea.spots
    assert set(session.cues("edible")) == idea.threats.edible == {"d3", "e3"}
    assert session.cues("endangered") == []
    session.wait(60.0)
    assert session.prompts[-1] == PAYS
    session.tap("a1")
    assert PAYS not in session.prompts
    assert session.cues("hint") == session.cues("edible") == []


def test_the_coach_goes_when_sent_away(sit):
    session = coached(sit, *TEACHABLE)
    assert session.prompts[-1] == PAYS
    session.ask(Command.COACH)
    assert session.notice == "table.not_coaching"
    session.wait(60.0)
    assert PAYS not in session.prompts
    assert session.cues("edible") == []
    session.tap("a1")
    assert session.state.coach.ideas == ()


class Coached(Toy):
    """The toy game without an end, in which the coach always has the same idea."""

    weight, heeding = 3, frozenset({"nowhere"})

    def outcome(self, position):
        return None

    def to_move(self, position):
        return position.ply % 2 + 1

    def advice(self, position, past):
        lit = Threats(frozenset(self.pieces(position)))
        return (Advice(say("table.edible", count=1), self.weight, lit, heeding=self.heeding),)


@pytest.fixture
def toy():
    session = TableSession(Coached(), {"first": "1"}, presence=False)
    session.tap("a", "b")
    return session


def reported(session, turns):
    """Play on, and return the turns in which an idea was shown."""
    heard = []
    for turn in range(turns):
        heard += [turn] if session.state.coach.shown else []
        session.tap("key:pass")
    return heard


def test_it_keeps_silent_for_some_turns_after_an_idea_and_less_is_told_of_what_is_known(toy):
    toy.ask(Command.COACH)
    turns = reported(toy, 40)
    assert turns[:2] == [0, COACH_PAUSE + 1]
    assert all(later - turn > COACH_PAUSE for turn, later in pairwise(turns))
    # Players ignore it each time, so it stays as new as before.
    assert len(turns) > 8
    known = TableSession(Coached(), {"first": "1"}, presence=False)
    known.table.game.heeding = frozenset({"pass"})
    known.do("a", "b", Command.COACH)
    assert len(reported(known, 40)) <= 3


def test_what_matters_much_is_told_at_once(toy):
    toy.table.game.weight = COACH_MUCH
    toy.ask(Command.COACH)
    assert reported(toy, 3) == [0, 1, 2]


def test_a_hint_is_first_the_idea_of_the_coach_then_the_engine_s(toy):
    toy.table.game.weight = 0
    toy.ask(Command.COACH)
    assert toy.state.coach.shown is None
    toy.ask(Command.HINT)
    assert toy.state.coach.shown is not None
    assert not toy.state.engine.hinting
    toy.ask(Command.HINT)
    assert toy.state.engine.hinting


def test_what_is_chosen_or_can_be_touched_covers_what_is_told(toy):
    toy.ask(Command.COACH)
    assert toy.cues("endangered") == ["b", "e"]
    toy.tap("e")
    assert (toy.cue("b"), toy.cue("e")) == ("endangered", "chosen")


def test_a_strict_game_has_no_coach(sit):
    session = sit(assistance="strict").do(Command.COACH)
    assert session.notice == "table.strict"
    assert not session.state.coached


def test_who_wins_a_round_of_azteka_but_would_lose_the_match_is_not_told_to_win():
    game = find_game("azteka")
    position = game.parse("LLLD/L..L/L..L/.D../.DD./.DDD/.DLD/.LLD basic DL L 2:11")
    assert {each.message.key for each in ideas(game, position, ())} == set()


def test_where_pieces_are_hidden_the_coach_knows_what_everybody_sees():
    positions, rng, heard = [MIND.initial({"first": "1"})], Random(3), set()
    while MIND.outcome(positions[-1]) is None and len(positions) < 60:
        move = MIND.legal_moves(positions[-1]).pick(rng)
        positions.append(MIND.play(positions[-1], move))
        *past, now = (MIND.seen_by(each, None) for each in positions[-3:])
        found = ideas(MIND, now, past)
        assert found == ideas(MIND, positions[-1], positions[-3:-1])
        heard |= {each.message.key for each in found}
    assert heard == {"mind.new_attack", "mind.attackable", "mind.can_attack"}
