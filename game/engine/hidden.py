"""A search for games in which players do not see all, and which have no fast board.

Owns how an open search serves them: it searches positions that are drawn, each for itself as if all
saw it, and adds up what it found (determinization, as in M. Ginsberg, "GIB: Imperfect Information
in a Computationally Challenging Game", 2001). Knows a game only through `game.rules.base.game`, and
decides by what the player to move knows.
"""

from random import Random
from typing import Any

from game.engine.evaluation import final_scores
from game.engine.general import GeneralSearch
from game.engine.search import Choice, Search
from game.rules.base.errors import RulesError
from game.rules.base.game import AnyGame
from game.rules.base.hidden import hiding

MOST_DRAWN = 24  # drawn positions of a search, which takes turns with them


class HiddenSearch(Search):
    """Search what a player sees of a position; a node is one of a drawn position's search."""

    nodes = 0

    def __init__(self, game: AnyGame, position: Any, seed: int, *, plain: bool = False) -> None:
        self._game = game
        self._position = position
        self._rng = Random(seed)
        self._plain = plain
        self._drawn: list[GeneralSearch] = []
        self._even = 1 / len(game.score(position))
        self._mover = game.to_move(position) or 1
        self._only_choice: Choice | None = None
        if hiding(game).arranging(position, self._mover) is not None:
            self._only_choice = self._random_arrangement()
            return
        moves = list(game.legal_moves(position))
        if len(moves) == 1:
            self._only_choice = self._choice_of(moves[0], self._even)
        elif not plain:
            self._only_choice = self._certain_win(moves)

    @property
    def settled(self) -> bool:
        """Whether there is only one choice, or a move wins whatever is hidden."""
        return self._only_choice is not None

    def go_on(self, nodes: int) -> None:
        if self.settled:
            return
        for _ in range(nodes):
            if len(self._drawn) < MOST_DRAWN:
                drawn, seed = self._supposed(), self._rng.randrange(2**32)
                self._drawn.append(GeneralSearch(self._game, drawn, seed, plain=self._plain))
            self._drawn[self.nodes % MOST_DRAWN].go_on(1)
            self.nodes += 1

    def choices(self) -> tuple[Choice, ...]:
        if self._only_choice is not None:
            return (self._only_choice,)
        found: dict[str, list[Choice]] = {}
        for search in self._drawn:
            for choice in search.choices():
                found.setdefault(choice.move, []).append(choice)
        if not found:
            return (
                self._choice_of(next(iter(self._game.legal_moves(self._position))), self._even),
            )
        merged = (self._merged(each) for each in found.values())
        return tuple(sorted(merged, key=lambda each: (each.visits, each.value), reverse=True))

    def _merged(self, choices: list[Choice]) -> Choice:
        """Add up what searches say of a move; one that proved a win gave it all its nodes."""
        most = -(-self.nodes // len(self._drawn))
        visits = [most if each.decided and each.value == 1 else each.visits for each in choices]
        total = sum(visits)
        value = sum(each.value * n for each, n in zip(choices, visits, strict=True))
        value = value / total if total else choices[0].value
        line = self._known(max(choices, key=lambda each: each.visits).line)
        return Choice(choices[0].move, value, total, line)

    def _supposed(self) -> Any:
        return hiding(self._game).supposed(self._position, self._rng)

    def _random_arrangement(self) -> Choice:
        """Lay out the player's pieces at random: there is nothing to search for."""
        game = self._game
        pieces = hiding(game).arranged_at_random(self._position, self._mover, self._rng)
        text = hiding(game).arrangement(self._position, self._mover, pieces)
        return Choice(text, self._even, 0, (text,))

    def _choice_of(self, move: Any, value: float, *, decided: bool = False) -> Choice:
        text = self._game.plain_text(self._position, move)
        return Choice(text, value, self.nodes, (text,), decided)

    def _certain_win(self, moves: list[Any]) -> Choice | None:
        """Find a move that wins in all possible worlds."""
        for move in moves:
            try:
                after = self._game.play(self._position, move)
            except RulesError:
                # It depends on an unknown face.
                continue
            over = self._game.to_move(after) is None
            if over and final_scores(self._game, after)[self._mover - 1] == 1:
                return self._choice_of(move, 1.0, decided=True)
        return None

    def _known(self, line: tuple[str, ...]) -> tuple[str, ...]:
        """Cut expected play after a move that depends on an unknown face."""
        game, position = self._game, self._position
        for number, text in enumerate(line, start=1):
            try:
                position = game.play(position, game.parse_move(position, text))
            except RulesError:
                return line[:number]
        return line
