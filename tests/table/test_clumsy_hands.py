"""Whatever hands do to standing stones, the position is that of the moves."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from game.rules.circle_of_life import GAME
from game.table.entries import Kind
from game.table.inputs import Stood
from game.table.state import Phase
from game.table.table import DRAW_S, Table
from tests.helpers.effort import examples


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


@examples(8, 60)
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
