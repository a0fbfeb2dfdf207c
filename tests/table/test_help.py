"""What players are shown: grades, looks, blunders held back, the coach, hints, and chances."""

from itertools import pairwise
from random import Random

import pytest

from game.play import light_theme
from game.rules.base.advice import ideas
from game.rules.base.errors import BadOption
from game.rules.base.grades import Grade, Graded, grades_in, grades_text, help_in
from game.rules.base.message import say
from game.rules.base.registry import find_game
from game.rules.base.values import Advice, Threats
from game.rules.cirkle_mind import GAME as MIND
from game.table import DRAW_S, Phase, SearchRequest, inputs
from game.table.inputs import GRADE, JUDGE, Command, ScoredMove
from game.table.players import COACH_MUCH, COACH_PAUSE
from hal.lights import Rhythm
from tests.helpers.games.toy_game import Toy
from tests.helpers.games.toy_hidden import GREEN, MAUVE, ToyHidden

COACH, HINT, MENU = Command.COACH, Command.HINT, Command.MENU
NEW, RESIGN = Command.NEW_GAME, Command.RESIGN
THREE = (
    ScoredMove("d4", 1.0, decided=True),
    ScoredMove("e6", 0.624),
    ScoredMove("a1", 0.0, decided=True),
)
LIGHTS = {"score1": 20, "score2": 20}
BLUNDER = Graded(Grade.BLUNDER, 31, "d5")
GRADES = {("e5",): Graded(Grade.GOOD, 0), ("d4",): BLUNDER, ("a1",): Graded(Grade.LOSING, 0)}


@pytest.fixture
def helped(sit):
    """Return a game whose mover has some help, with grades of three cells."""

    def start(level, presence=False, **options):
        session = sit(presence=presence, help=f"{level},0", **options)
        if (wanted := session.table.search_request()) is not None:
            assert wanted.level == GRADE
            session.give(inputs.GradesFound(wanted.position, GRADES))
        return session

    return start


def test_help_is_read_for_each_player_or_all():
    assert [each.text for each in help_in("3:2,0", 2)] == ["3:2", "0"]
    assert help_in("3", 2) == help_in("3:3", 2) == help_in("3:3,3", 2)
    for wrong in ("6", "3:7", "2:1", "1,2,3", "x"):
        with pytest.raises(BadOption):
            help_in(wrong, 2)
    assert grades_in(grades_text(GRADES)) == GRADES


@pytest.mark.parametrize("level", ["3:2", "4"])
def test_a_finger_that_rests_sees_the_grade_and_one_that_leaves_plays(helped, level):
    session = helped(level)
    for cell, cue in (("e5", "good"), ("d4", "blunder")):
        assert session.do(1.0, inputs.Touched(cell), inputs.Held(cell)).cue(cell) == cue
        assert {"help.graded", "help.graded_loss"} & set(session.prompts)
        assert session.do(inputs.Lifted(cell)).cue(cell) == "legal"
    session.do(1.0, inputs.Touched("a1"), inputs.Held("a1"))
    assert (session.cue("a1") == "losing") == (level == "4")
    session.do(inputs.Lifted("a1"), 1.0, inputs.Touched("e5"), inputs.Held("e5"))
    assert session.cue("e5") == "good", "a second look at the same cell costs nothing"
    assert (session.do(inputs.Lifted("e5")).moves, session.do("e5").moves) == ([], ["e5"])
    session.do(1.0, inputs.Touched("e6"))
    assert len(session.moves) == 2, "blue has no help: a touch plays at once"


def test_a_page_looks_without_touching_and_without_hands_in_between(helped):
    session = helped("3:1").do(inputs.Look("e5"))
    assert (session.cue("e5"), session.do(inputs.Look("")).cue("e5")) == ("good", "legal")
    session.give(inputs.Look("d4"))
    assert (session.cue("d4"), session.notice) == ("legal", "help.no_looks_left")
    # A move without a grade yet shows that.
    assert "help.not_graded" in helped("4").do(1.0, inputs.Touched("f5"), inputs.Held("f5")).prompts


@pytest.mark.parametrize("presence", [False, True])
def test_a_blunder_is_made_only_after_it_was_taken_back(helped, presence):
    session = helped("1", presence).do("d4")
    assert (session.moves, session.notice) == ([], "help.held")
    assert (session.cue("d4"), session.cue("d5")) == ("wrong", "predator")
    other = session.twin().do(*["d4"] * presence, "e5")
    assert other.moves == ["e5"], "another move is made at once"
    # On any board the stone comes off before it is set again.
    session.do("d4", 10.0)
    assert (session.moves, session.cue("d4"), session.cue("d5")) == ([], "legal", "legal")
    assert session.do("d4").moves == ["d4"]
    assert helped("1", presence).do("a1").moves == ["a1"], "a lost game warns of nothing"


def test_a_strict_game_locks_all_help_and_each_level_lights_and_hints_what_it_should(helped):
    session = helped("5", assistance="strict")
    assert session.table.search_request() is None
    for request in (inputs.SetHelp(("5", "5")), COACH, HINT):
        assert session.do(request).notice == "table.strict"
    assert [each.level for each in session.state.helps] == [0, 0]
    assert not session.state.coached
    assert (helped("5").cues("hint"), helped("4").cues("hint")) == (["e5"], [])
    for level, refused in (("1", True), ("3", True), ("2", False), ("4", False)):
        assert (helped(level).do(HINT).notice == "help.no_hints") == refused


def test_help_is_set_on_the_board_itself_and_stays_for_the_next_game(sit):
    session = sit().do(MENU, "e1")
    assert session.state.menu_of_help
    assert session.do("b4").cues("chosen")[0] == "b4"
    session.do("e5", MENU, Command.NEW_GAME, DRAW_S)
    assert [each.text for each in session.state.helps] == ["3:3", "0"]
    assert '"help": "3,0"' in session.saved[-1].text


# The coach: one idea at a time, rarely, and less to those who know it.

TEACHABLE = ("e5", "e3", "d5", "d3", "b3")
"""Then blue's d4 eats a pair, and orange threatens another from e4."""
PAYS = "circle_of_life.coach_pays"


def test_one_idea_is_said_and_lit_until_the_next_move_or_the_coach_goes(sit):
    session = sit().do(*TEACHABLE[:3], COACH, "d3")
    idea = session.state.coach.ideas[0]
    assert session.notice == idea.message.key == PAYS
    assert set(session.cues("hint")) == idea.spots
    assert set(session.cues("edible")) == idea.threats.edible == {"d3", "e3"}
    assert (session.cues("endangered"), session.do(60.0).prompts[-1]) == ([], PAYS)
    away = session.twin().do(COACH)
    assert (away.notice, PAYS in away.do(60.0).prompts) == ("table.not_coaching", False)
    assert (away.cues("edible"), away.do("a1").state.coach.ideas) == ([], ())
    assert PAYS not in session.do("a1").prompts
    assert session.cues("hint") == session.cues("edible") == []


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
def toy(sit):
    return sit(Coached()).do("a", "b")


def turns_with_ideas(session, turns):
    """Play on, and return the turns in which an idea was shown."""
    found = []
    for turn in range(turns):
        found += [turn] if session.state.coach.shown else []
        session.tap("key:pass")
    return found


def test_it_is_silent_for_some_turns_after_an_idea_and_less_is_told_of_what_is_known(sit, toy):
    again = toy.twin()
    turns = turns_with_ideas(toy.do(COACH), 40)
    assert turns[:2] == [0, COACH_PAUSE + 1]
    assert all(later - turn > COACH_PAUSE for turn, later in pairwise(turns))
    # Players ignore it each time, so it stays as new as before.
    assert len(turns) > 8
    # What matters much is told at once.
    toy.table.game.weight = COACH_MUCH
    assert turns_with_ideas(again.do(COACH), 3) == [0, 1, 2]
    known = sit(Coached())
    known.table.game.heeding = frozenset({"pass"})
    assert len(turns_with_ideas(known.do("a", "b", COACH), 40)) <= 3


def test_a_hint_is_first_the_idea_of_the_coach_then_the_engine_s(toy):
    # What is chosen covers what is told.
    lit = toy.twin().do(COACH)
    assert lit.cues("endangered") == ["b", "e"]
    assert (lit.do("e").cue("b"), lit.cue("e")) == ("endangered", "chosen")
    toy.table.game.weight = 0
    assert toy.do(COACH).state.coach.shown is None
    toy.ask(HINT)
    assert toy.state.coach.shown is not None
    assert not toy.state.engine.hinting
    assert toy.do(HINT).state.engine.hinting


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


# Hints.


def hinted(session, ideas=THREE):
    session.ask(HINT)
    return session.do(inputs.SearchResult(session.state.position, "", ideas))


def test_hints_are_wanted_only_for_the_asking_and_show_by_rank_and_in_words(sit):
    session = sit().do("e5")
    assert session.table.search_request() is None
    session.ask(HINT)
    assert session.table.search_request() == SearchRequest(session.state.position, "", 3)
    assert (session.prompts[-1], len(session.cues("legal"))) == ("table.hinting", 60)
    session.give(inputs.SearchResult(session.state.position, "", THREE))
    scene = session.table.scene()
    lamps = {cell: lamp.rank for cell, lamp in scene.cells.items() if lamp.cue.value == "hint"}
    assert lamps == {"d4": 0, "e6": 1, "a1": 2}
    assert [(hint.spot, hint.move) for hint in scene.hints] == [(idea.move, idea) for idea in THREE]
    ideas = (
        say("table.idea_wins", move="d4"),
        say("table.idea", move="e6", percent=62),
        say("table.idea_loses", move="a1"),
    )
    assert scene.prompt[-1] == say("table.hints", ideas=ideas)
    assert session.table.search_request() is None


def test_hints_lead_on_and_end_with_the_next_move_trouble_or_when_asked_again(sit):
    session = hinted(sit())
    paused = session.twin().disturb("h1")
    assert (paused.cues("hint"), len(paused.mend().cues("hint"))) == ([], 3)
    again = session.twin().do(HINT)
    assert (again.cues("hint"), again.table.search_request()) == ([], None)
    assert (session.do("c5").cues("hint"), session.state.engine.hints) == ([], ())
    # Asked again before the hint is there, it is called off.
    session = sit().do(HINT, HINT)
    assert session.table.search_request() is None
    assert session.do(inputs.SearchResult(session.state.position, "", THREE)).cues("hint") == []
    # Hints of several touches.
    session = hinted(sit(Toy()), (ScoredMove("pass", 0.7), ScoredMove("a-b", 0.5)))
    assert [hint.spot for hint in session.table.scene().hints] == ["key:pass", "a"]
    assert session.cues("hint") == ["a"]
    assert (session.do("a").cues("hint"), len(session.table.scene().hints)) == (["b"], 1)
    # Trouble ends the waiting, and holds for this turn alone.
    session = sit().oppose("", "3").do(HINT, inputs.EngineUnavailable(say("fault.link")))
    assert (session.notice, len(session.cues("legal"))) == ("fault.link", 61)
    assert session.table.search_request() is None
    assert session.do(600.0, "e5").table.search_request() is not None
    assert session.table.scene().thinking


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (("e5", inputs.SetOpponents(("", "3"))), "no_hint"),
        (("e5", "a1", Command.TAKE_BACK), "no_hint"),
        ((RESIGN, RESIGN), "no_hint"),
        ((Command.SET_UP,), "no_hint"),
        (("e5", Command.CONFIRM), "confirm_first"),
        ((NEW,), "wait_for_draw"),
    ],
)
def test_a_hint_is_refused_with_the_reason_when_no_person_is_to_move(sit, steps, why):
    session = sit().do(*steps, HINT)
    assert (session.notice, session.state.engine.hinting) == (f"table.{why}", False)


# Who stands better.


@pytest.fixture
def judged(sit):
    return sit(assistance="chances")


def test_each_position_is_judged_once_where_players_agreed(judged, sit):
    for cell, shown in (("e5", 0.3), ("a1", 0.7)):
        judged.tap(cell)
        position = judged.state.position
        assert judged.table.search_request() == SearchRequest(position, JUDGE, 1)
        judged.think("c3", value=0.7)
        assert judged.table.search_request() is None
        assert judged.table.scene().chances == pytest.approx(shown)
    assert judged.twin().do(HINT).table.search_request().level == ""
    # A computer player's move comes first unless only computers play.
    session = judged.twin().oppose("", "3").do("c5")
    assert session.table.search_request().level == "3"
    assert session.twin().oppose("3", "3").table.search_request().level == JUDGE
    assert session.think("d3").table.search_request().level == JUDGE
    # The end shows who won, and a new game is even until it is judged.
    assert judged.do(RESIGN, RESIGN).table.scene().chances == 0.0
    assert judged.do(NEW).table.scene().chances == 0.5
    for assistance in ("casual", "strict"):
        session = sit(assistance=assistance).do("e5")
        assert (session.table.search_request(), session.table.scene().chances) == (None, None)


def test_where_pieces_are_hidden_nothing_is_judged_though_players_agreed(sit):
    session = sit(ToyHidden(), assistance="chances")
    session.do(inputs.SubmitSetup(2, MAUVE), inputs.SubmitSetup(1, GREEN), Command.CONFIRM)
    assert session.phase is Phase.TAP
    for command in (HINT, RESIGN, RESIGN):
        assert session.table.search_request() is None
        assert [session.table.scene(viewer).chances for viewer in (None, 1, 2)] == [None] * 3
        session.ask(command)
    assert session.table.scene().chances is None


@pytest.mark.parametrize(
    ("value", "lit"), [(0.55, ()), (0.8, ("score2.19",)), (0.1, ("score1.19",))]
)
def test_the_last_light_of_who_is_clearly_ahead_breathes_and_the_score_stays(judged, value, lit):
    judged.tap("e5", "e3", "d5", "d3", "b3", "d4", "e5", "d5", "a1")
    before = light_theme.light_layers(judged.table.scene(), LIGHTS)[2]
    judged.think("c3", value=value)
    after = light_theme.light_layers(judged.table.scene(), LIGHTS)[2]
    assert (len(before), after.keys() - before.keys()) == (2, set(lit))
    assert {spot: after[spot] for spot in before} == before
    assert all(after[spot].rhythm is Rhythm.BREATHE for spot in lit)
