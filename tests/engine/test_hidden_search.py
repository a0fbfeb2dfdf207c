"""The search of games in which players do not see all, on one that fits into a head."""

from itertools import permutations
from random import Random

import pytest

from game.common.translation import words
from game.engine.catalogue import new_search
from game.engine.general import GeneralSearch
from game.engine.hidden import HiddenSearch
from game.engine.ugi import Server
from game.rules.base.moves import MoveList
from tests.helpers.games.hidden_duel import Duel
from tests.helpers.games.small_games import Heap

DUEL = Duel()


def searched(position: str, nodes: int = 200, seed: int = 1, **how: bool) -> HiddenSearch:
    search = HiddenSearch(DUEL, position, seed, **how)
    search.go_on(nodes)
    return search


def test_hidden_game_gets_the_hidden_search_and_others_do_not():
    assert isinstance(new_search(DUEL, "abc ??? 0 1", 1), HiddenSearch)
    assert isinstance(new_search(Heap(), "7 1", 1), GeneralSearch)


@pytest.mark.parametrize("plain", [False, True])
def test_move_that_wins_by_what_was_shown_is_proved_at_once(plain: bool):
    search = searched("abc ?A? 3 1", nodes=1)
    assert search.settled
    (choice,) = search.choices()
    assert choice.decided
    assert choice.value == 1
    assert choice.move in ("11", "21")
    tried = searched("abc ?A? 3 1", nodes=150, plain=True).choices()
    assert tried[0].move in ("11", "21")


def test_attack_goes_where_the_lowest_piece_may_be():
    for seed in range(5):
        best = searched("acb ?B? 3 1", seed=seed).choices()[0]
        assert best.move in ("10", "12", "20", "22")
        assert 0.5 < best.value <= 1


def test_remembered_faces_are_used():
    # Only the place that was never shown can hide what wins, and `a` itself does not take it.
    for seed in range(5):
        best = searched("abc B?C 4 1", seed=seed).choices()[0]
        assert best.move in ("11", "21")
        assert best.value == 1


def test_what_can_be_lost_is_seen_in_the_answers():
    # Only an attack on the one who threatens, which was shown, keeps the game.
    best = searched("Ac3 C2? 6 1", nodes=400).choices()
    values = {each.move: each.value for each in best}
    assert values.get("wait", 0.0) < best[0].value


def test_worlds_that_differ_in_hidden_faces_alone_are_searched_the_same():
    rng = Random(3)
    for trial in range(20):
        mine = "".join(rng.sample("abc", 3))
        told = set()
        for theirs in permutations("abc"):
            seen = DUEL.seen_by(f"{mine} {''.join(theirs)} 0 1", 1, remembers=True)
            told.add(searched(seen, 60, trial).choices())
        assert len(told) == 1


def test_same_seed_finds_the_same_in_one_go_and_in_many():
    whole = searched("abc ??? 0 1", 100)
    parts = HiddenSearch(DUEL, "abc ??? 0 1", 1)
    for _ in range(20):
        parts.go_on(5)
    assert parts.choices() == whole.choices()
    assert parts.nodes == whole.nodes == 100
    assert searched("abc ??? 0 1", 100, seed=2).choices() != whole.choices()


def test_only_move_is_played_at_once():
    class Tired(Duel):
        def legal_moves(self, position: str):
            return MoveList(("wait",))

    search = HiddenSearch(Tired(), "abc ??? 3 1", 1)
    assert search.settled
    assert [choice.move for choice in search.choices()] == ["wait"]
    search.go_on(10)
    assert search.nodes == 0


def test_line_is_legal_play_and_ends_where_an_unknown_face_decides():
    for choice in searched("acb ??? 0 1").choices():
        position = "acb ??? 0 1"
        for number, move in enumerate(choice.line, start=1):
            assert move in DUEL.legal_moves(position)
            if "?" in "".join(DUEL.faces(position, move).values()):
                assert number == len(choice.line)
                break
            position = DUEL.play(position, move)


def test_whole_position_is_one_world():
    search = searched("acb bac 0 1")
    assert search.choices()[0].decided
    assert search.choices()[0].move in ("11", "21")


def test_set_up_is_drawn_by_chance_without_a_search():
    drawn = set()
    for seed in range(60):
        search = searched("--- --- 0 1", 5, seed)
        assert search.settled
        assert search.nodes == 0
        (choice,) = search.choices()
        assert choice.move in DUEL.legal_moves("--- --- 0 1")
        drawn.add(choice.move)
    assert len(drawn) == 6


def test_plain_search_plays_games_to_their_end():
    class Told(Duel):
        def evaluate(self, position: str) -> tuple[float, ...]:
            raise AssertionError("must not be called")

    search = HiddenSearch(Told(), "acb ??? 0 1", 1, plain=True)
    search.go_on(300)
    assert search.choices()[0].move[0] in "12"


def test_more_nodes_win_more_often():
    assert _score(100, 1) > 0.65


def _score(nodes: int, other: int, games: int = 60) -> float:
    """Play games between two searches, each side by what it sees; tell the share of the first."""
    total = 0.0
    for number in range(games):
        rng, first = Random(number // 2), 1 + number % 2
        position = DUEL.initial()
        while (mover := DUEL.to_move(position)) is not None:
            seen = DUEL.seen_by(position, mover, remembers=True)
            count = nodes if mover == first else other
            search = HiddenSearch(DUEL, seen, rng.randrange(2**32))
            search.go_on(count)
            position = DUEL.play(position, search.choices()[0].move)
        outcome = DUEL.outcome(position)
        assert outcome is not None
        total += 0.5 if outcome.winner is None else float(outcome.winner == first)
    return total / games


def talk(server: Server, *lines: str) -> list[str]:
    answers = []
    for line in lines:
        answers += server.feed(line)
        while server.busy:
            answers += server.step()
    return answers


def server(**how: str) -> Server:
    return Server(DUEL, clock=lambda: 0.0, tell=words("en").text, seed=5, **how)


def test_server_looks_only_at_what_the_player_sees():
    told = set()
    for theirs in permutations("abc"):
        talking = server()
        answers = talk(talking, f"position fen acb {''.join(theirs)} 0 1", "go nodes 80")
        told.add(tuple(answers))
    talking = server()
    told.add(tuple(talk(talking, "position fen acb ??? 0 1", "go nodes 80")))
    assert len(told) == 1


def test_server_lays_out_by_chance_and_plays_on():
    talking = server()
    assert talk(talking, "isready") == ["readyok"]
    setups: list[str] = []
    for _ in range(2):
        talk(talking, f"position startpos moves {' '.join(setups)}".rstrip())
        setups.append(talk(talking, "go nodes 9")[-1].removeprefix("bestmove "))
    assert all(len(word.split()) == 1 and word.startswith("setup_") for word in setups)
    played = f"position startpos moves {' '.join(setups)}"
    answers = talk(talking, played, "query p1turn", "go nodes 9")
    assert answers[0] == "response true"
    assert answers[-1].startswith("bestmove ")
