"""Whatever hands do to standing stones, the position is that of the moves."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table.entries import Kind
from game.table.inputs import Asked, Command, Disturbed, Lifted, Masked, Stood, Touched
from game.table.state import Phase
from game.table.table import DRAW_S, Table


class Clumsy:
    """Hands that play a game of given moves, and do all kinds of nonsense in between."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.table = Table(GAME, {"first": "1", "target": "6"}, Random(0), presence=True)
        self.now = 0.0
        self.kept = list(self.table.start(0.0))
        self.stones: set[str] = set()
        self.show()
        self.table.tick(DRAW_S)

    def show(self) -> None:
        self.now += 1.0
        self.kept += self.table.handle(Stood(frozenset(self.stones)), DRAW_S + self.now)

    def wrong(self) -> set[str]:
        return self.stones ^ set(GAME.pieces(self.table.state.position))

    def fumble(self) -> None:
        """Disturb the board in a way that is neither a move nor brings back an earlier board."""
        cells = GAME.board.cells
        count = self.rng.randint(1, 3)
        chosen = set(self.rng.sample(cells, count))
        waits = self.table.state.phase is Phase.TAP
        legal = set(GAME.legal_moves(self.table.state.position))
        if waits and len(chosen) == 1 and chosen <= legal:
            return
        history = self.table.state.history
        if any(self.stones ^ chosen == set(GAME.pieces(each.before)) for each in history):
            return
        if len((self.stones ^ chosen) - set(GAME.pieces(self.table.state.position))) == 1:
            # It might eat what is missing.
            return
        self.stones ^= chosen
        self.show()

    def tidy(self) -> None:
        """Bring the board right, in any order and by handfuls."""
        wrong = list(self.wrong())
        self.rng.shuffle(wrong)
        while wrong:
            handful = {wrong.pop() for _ in range(self.rng.randint(1, len(wrong)))}
            self.stones ^= handful
            self.show()

    def play(self, cell: str) -> None:
        self.stones.add(cell)
        self.show()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 3))
def test_whatever_hands_do_the_position_is_that_of_the_moves(seed, clumsiness):
    hands, position = Clumsy(seed), GAME.initial({"first": "1", "target": "6"})
    played = []
    while GAME.outcome(position) is None and len(played) < 40:
        legal = GAME.legal_moves(position)
        meals = [move for move in legal if GAME.removed(position, move)]
        cell = hands.rng.choice(meals) if meals else legal.pick(hands.rng)
        hands.play(cell)
        played.append(GAME.move_text(position, cell))
        position = GAME.play(position, cell)
        assert hands.table.state.position == position
        for _ in range(hands.rng.randint(0, clumsiness)):
            hands.fumble()
            assert hands.table.state.position == position
        hands.tidy()
        assert hands.table.state.position == position
        assert hands.table.state.pending(GAME) == ()
        assert hands.table.state.phase is not Phase.EDIT
    assert [entry.text for entry in hands.kept if entry.kind is Kind.MOVE] == played


def test_clumsy_hands_would_be_found_out_if_what_they_did_were_a_move():
    hands = Clumsy(0)
    hands.play("e5")
    before = hands.table.state.position
    hands.play("a1")
    assert hands.table.state.position != before


CELLS = st.sampled_from(GAME.board.cells)
SOME_CELLS = st.frozensets(CELLS, max_size=4)
INPUTS = st.one_of(
    st.builds(lambda cells: ("turn", cells), st.frozensets(CELLS, max_size=2)),
    st.just(("tidy", frozenset())),
    st.just(("legal", frozenset())),
    st.builds(Touched, CELLS),
    st.builds(Lifted, CELLS),
    st.builds(Asked, st.sampled_from(Command)),
    st.builds(Masked, SOME_CELLS),
    st.builds(Disturbed, SOME_CELLS, st.sampled_from([(), (), ("trouble",)])),
    st.floats(0.0, 4.0),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(INPUTS, max_size=60), st.integers(0, 1000))
def test_only_a_hand_on_a_right_board_makes_a_move_and_every_game_resumes(inputs, seed):
    table, rng, now = Table(GAME, {"target": "4"}, Random(seed), presence=True), Random(seed), 0.0
    kept = list(table.start(now))
    stones: frozenset[str] = frozenset()
    for each in inputs:
        before = table.state
        if isinstance(each, float):
            now += each
            table.tick(now)
            continue
        if isinstance(each, tuple):
            what, cells = each
            if what == "tidy":
                stones = frozenset(GAME.pieces(before.position))
            elif what == "legal" and GAME.legal_moves(before.position):
                stones |= {GAME.legal_moves(before.position).pick(rng)}
            stones ^= cells
            each = Stood(stones)
        entries = table.handle(each, now)
        after = table.state
        if any(entry.kind is Kind.START for entry in entries):
            kept.clear()
        kept += entries
        if any(entry.kind is Kind.MOVE for entry in entries):
            by_key = isinstance(each, Touched | Asked)
            assert before.phase is Phase.TAP
            assert before.disturbed == ()
            assert before.standing == GAME.pieces(before.position)
            new = set(GAME.pieces(after.position)) - set(GAME.pieces(before.position))
            assert new <= (before.masked if by_key else stones - before.masked)
        elif any(entry.kind is Kind.TAKE_BACK for entry in entries) and isinstance(each, Stood):
            earlier = [played.before for played in before.history]
            assert after.position in earlier
            assert stones - before.masked == GAME.pieces(after.position).keys() - before.masked
        elif not isinstance(each, Asked):
            assert after.position is before.position
        if after.phase is Phase.TAP:
            assert after.standing == GAME.pieces(after.position)
    again = Table(GAME, {}, Random(0), presence=True)
    again.resume(kept, 0.0)
    assert again.state.position == table.state.position
    assert again.state.outcome == table.state.outcome
    assert [each.text for each in again.state.history] == [
        each.text for each in table.state.history
    ]
    assert again.handle(Stood(stones), 1.0) == ()
