"""Find puzzles in games that the engine plays against itself: `make puzzles`.

Each position is tried for every kind of puzzle; what has one solution only, by all legal moves, is
graded and kept. The puzzles of `puzzles.toml` in the game's folder are replaced, its texts stay.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from game.engine import find_level
from game.engine.catalogue import new_search
from game.engine.levels import Level, pick
from game.rules.base.game import AnyGame
from game.rules.base.message import Message
from game.rules.base.moves import BLANK
from game.rules.base.puzzles import FILE, HARDEST, Kind
from game.rules.base.refutation import Wins
from game.rules.base.registry import find_game
from tests.helpers.games.puzzle_proof import solutions
from tests.tools import program

PLAYS = Level("", Message(""), 60, 0.0, 0.03)
"""Players for the games: strong enough for realistic positions, and never the same game twice."""
GRADES = find_level("2")
"""Levels whose mistakes make a puzzle hard."""
TRIES = 5
BEGINNER = find_level("1")
MANY_MOVES = {"adaptoid": 400, "circle-of-life": 25}
MOST_TRIED = 20_000
"""Most positions that a proof may visit: `make test-all` proves every puzzle again."""
ANY, LAST = 10, 12
"""How many positions of a game are tried: a sample of all, and the last ones, where wins occur."""
SLIPS = 6
"""How many random moves are tried in each of the last positions."""
ALIKE = 3
"""Most puzzles of a kind from one game."""
LEAST_MOVES = 4
"""With fewer legal moves a puzzle is a guess."""
LEAST_GAIN = {"circle-of-life": 4, "capture-go": 2, "adaptoid": 2, "azteka": 3}
SHARES = {(Kind.WIN, 1): 6, (Kind.WIN, 2): 12, (Kind.WIN, 3): 6, (Kind.SAVE, 0): 6}
SHARE = 5
"""How many puzzles of a kind and count come to one file, in proportion."""


def engine_game(game: AnyGame, rng: Random) -> Iterator[Any]:
    """Yield the positions of a game of the engine against itself, after a random opening."""
    position = game.initial({"first": rng.choice("12")})
    opening = rng.randrange(2, 7)
    for ply in range(300):
        if game.to_move(position) is None:
            return
        if ply > opening:
            yield position
        moves = game.legal_moves(position)
        move = moves.pick(rng) if ply < opening else engine_move(game, position, PLAYS, rng)
        position = game.play(position, move)


def slipped(game: AnyGame, position: Any, rng: Random) -> Iterator[Any]:
    """Yield positions after random moves, which others can punish."""
    for _ in range(SLIPS):
        after = game.play(position, game.legal_moves(position).pick(rng))
        if game.to_move(after) is not None:
            yield after


def engine_move(game: AnyGame, position: Any, level: Level, rng: Random) -> Any:
    search = new_search(game, position, rng.getrandbits(30))
    search.go_on(level.nodes)
    return game.parse_move(position, pick(level, search.choices(), rng, search.spread).move)


def asked(game: AnyGame, position: Any) -> Iterator[tuple[Kind, int]]:
    """Yield the puzzle kinds to try in a position, each only if no easier one exists there."""
    moves = len(game.legal_moves(position))
    player, score = game.to_move(position) or 0, game.score(position)
    wins = Wins(game, position)
    for count in range(1, 4):
        if moves ** (2 * count - 1) > MOST_TRIED:
            break
        yield Kind.WIN, count
        if wins.forced(position, player, count):
            return
    if moves**2 <= MOST_TRIED:
        yield Kind.SAVE, 1
    if game.name in LEAST_GAIN:
        after = (game.play(position, move) for move in game.legal_moves(position))
        gain = max(game.score(each)[player - 1] for each in after) - score[player - 1]
        if gain >= LEAST_GAIN[game.name]:
            yield Kind.MOST, gain
        if game.name != "azteka" and moves**2 <= MOST_TRIED:
            yield Kind.SAFE, 0


def line(game: AnyGame, kind: Kind, count: int, position: Any) -> tuple[str, ...] | None:
    """Return the right moves with answers that leave only one right move, else None."""
    player, right = game.to_move(position), [*islice(solutions(game, kind, count, position), 2)]
    if len(right) != 1:
        return None
    own, then = game.move_text(position, right[0]), game.play(position, right[0])
    if kind is not Kind.WIN or Wins(game, position).winner(then):
        return (own,)
    if game.to_move(then) == player:
        return None
    answers = sorted(game.legal_moves(then), key=lambda each: game.move_text(then, each))
    for answer in answers:
        after = game.play(then, answer)
        if Wins(game, position).winner(after) == player:
            # The longest way is shown, and here all are short.
            rest: tuple[str, ...] | None = () if count == 1 else None
        elif game.to_move(after) != player or len(game.legal_moves(after)) < 2:
            rest = None
        else:
            rest = line(game, kind, count - 1, after)
        if rest is not None:
            return (own, game.move_text(then, answer), *rest)
    return None


def grade(game: AnyGame, kind: Kind, count: int, position: Any, right: str) -> int:
    """Grade by depth, by the number of legal moves, and by what the engine overlooks."""
    rng = Random(right)
    tries = (engine_move(game, position, GRADES, rng) for _ in range(TRIES))
    wrong = sum(game.move_text(position, move) != right for move in tries)
    deep = count - 1 if kind is Kind.WIN else 0
    many = len(game.legal_moves(position)) > MANY_MOVES.get(game.name, 12)
    return min(HARDEST, 1 + deep + many + (wrong > TRIES // 2))


@cache
def difficulty(game: AnyGame, line: str) -> tuple[int, bool, int, int]:
    """Return how hard a puzzle is: the puzzles of a file stand in this order.

    First its grade; a win in sight is easier than a threat; then how often of 100 times a beginner
    misses the move; then how many are legal.
    """
    reported, kind, _, moves, text = line.split(" ", 4)
    position, rng, missed = game.parse(text), Random(line), 0
    right = game.plain_text(position, game.parse_move(position, moves.split(",")[0]))
    for _ in range(4):
        search = new_search(game, position, rng.getrandbits(30))
        search.go_on(BEGINNER.nodes)
        choices = search.choices()
        tries = (pick(BEGINNER, choices, rng, search.spread).move for _ in range(25))
        missed += sum(move != right for move in tries)
    return int(reported), kind != Kind.WIN.value, missed, len(game.legal_moves(position))


def found(game: AnyGame, games: int, seed: int) -> Iterator[tuple[Kind, int, str]]:
    """Yield kind, count and text of the puzzles in so many games, of each kind ALIKE a game."""
    for number in range(games):
        print(f"\rgame {number + 1} of {games}", end="", file=sys.stderr, flush=True)
        rng = Random(f"{seed}.{number}")
        # In game order, the first of a kind would always come from the opening.
        positions = list(engine_game(game, rng))
        tried = [*rng.sample(positions, min(ANY, len(positions))), *reversed(positions[-LAST:])]
        slips = [each for position in positions[-LAST:] for each in slipped(game, position, rng)]
        taken: Counter[tuple[Kind, int]] = Counter()
        for at, position in enumerate(tried + slips):
            if len(game.legal_moves(position)) < LEAST_MOVES:
                continue
            for kind, count in asked(game, position):
                if at >= len(tried) and kind is not Kind.WIN:
                    break
                what = (kind, count if kind is Kind.WIN else 0)
                moves = () if taken[what] >= ALIKE else line(game, kind, count, position)
                if moves and not any(BLANK in move for move in moves):
                    taken[what] += 1
                    reported = grade(game, kind, count, position, moves[0])
                    text = (
                        f"{reported} {kind.value} {count} {','.join(moves)} {game.text(position)}"
                    )
                    yield kind, count, text


def chosen(game: AnyGame, candidates: list[tuple[Kind, int, str]], wanted: int) -> list[str]:
    """Choose the wanted number, of each kind its share, and what is missing of the others."""
    ranked: list[tuple[float, str]] = []
    seen: Counter[tuple[Kind, int]] = Counter()
    # Slips can lead to the same position.
    for kind, count, text in dict.fromkeys(candidates):
        what = (kind, count if kind is Kind.WIN else 0)
        seen[what] += 1
        ranked.append((seen[what] / SHARES.get(what, SHARE), text))
    return sorted((text for _, text in sorted(ranked)[:wanted]), key=partial(difficulty, game))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser("puzzles", description=__doc__)
    parser.add_argument("game", metavar="NAME")
    for name, usual in (("--games", 100), ("--wanted", 30), ("--seed", 1)):
        parser.add_argument(name, type=program.number(1, 10**6), default=usual, metavar="N")
    return program.run(parser, _find, arguments)


def _find(options: argparse.Namespace) -> int:
    game = find_game(options.game)
    file = Path(str(game.presentation.folder)) / FILE
    candidates: list[tuple[Kind, int, str]] = []
    lines: list[str] = []
    for each in found(game, options.games, options.seed):
        # Written each time, so that the search can be stopped when there are enough.
        candidates.append(each)
        lines = chosen(game, candidates, options.wanted)
        text = file.read_text("utf-8")
        before, after = re.split(r'(?<=puzzles = """\n).*?(?=""")', text, maxsplit=1, flags=re.S)
        file.write_text(before + "".join(f"{line}\n" for line in lines) + after)
    kinds = Counter(" ".join(each.split(" ", 3)[:3]) for each in lines)
    print(f"\n{len(lines)} of {len(candidates)}: {dict(sorted(kinds.items()))}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
