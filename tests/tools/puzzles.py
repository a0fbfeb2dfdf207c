"""Find puzzles in games that the engine plays against itself: `make puzzles`.

Each position is tried for every kind of puzzle; what has one solution only, by all legal moves, is
kept beside the puzzles of `puzzles.toml` that are still right. All get their themes, and a rating
by the computer's levels that try to solve them. The texts of the file stay.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from tqdm import tqdm  # type: ignore[import-untyped]

from game.engine.levels import LEVELS, Level, pick
from game.engine.search import SearchedMove, new_search
from game.opponent.ratings import LEVEL_DEVIATION, LEVEL_RATINGS, Rating, rated
from game.rules.base.game import AnyGame
from game.rules.base.lessons import PUZZLES, Kind, Puzzle, forced, read_puzzles, winner
from game.rules.base.message import Message
from game.rules.base.moves import BLANK
from game.rules.base.registry import find_game
from tests.tools.puzzle_themes import themes

PLAYS = Level("", Message(""), 60, 0.0, 0.03)
"""Players for the games: strong enough for realistic positions, and never the same game twice."""
TRIES = 6
"""How often each level tries a puzzle that it is rated by."""
MOST_NODES = 6_000
"""Nodes of the strongest level, which is limited by time elsewhere."""
PIECE = 0.125
"""Expected score that a piece is worth, where pieces are counted."""
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


def decides(game: AnyGame, position: Any) -> bool:
    """Return whether the game, or the last round of the match, is played: it can be won."""
    rounds = [goal for goal in game.goals(position) if goal.of_match]
    return not rounds or sum(goal.reached for goal in rounds) == rounds[0].wanted - 1


def slipped(game: AnyGame, position: Any, rng: Random) -> Iterator[Any]:
    """Yield positions after random moves, which others can punish."""
    for _ in range(SLIPS):
        after = game.play(position, game.legal_moves(position).pick(rng))
        if game.to_move(after) is not None:
            yield after


def engine_move(game: AnyGame, position: Any, level: Level, rng: Random) -> Any:
    search = new_search(game, position, rng.getrandbits(30))
    search.go_on(min(level.nodes, MOST_NODES))
    return game.parse_move(position, pick(level, search.choices(), rng).move)


def gains(game: AnyGame, position: Any) -> dict[Any, int]:
    """Return by how much each legal move raises the score of who makes it."""
    at, moves = (game.to_move(position) or 0) - 1, game.legal_moves(position)
    score = game.score(position)[at]
    return {move: game.score(game.play(position, move))[at] - score for move in moves}


def asked(game: AnyGame, position: Any) -> Iterator[tuple[Kind, int]]:
    """Yield the puzzle kinds to try in a position, each only if no easier one exists there."""
    moves = len(game.legal_moves(position))
    for count in range(1, 4):
        if moves ** (2 * count - 1) > MOST_TRIED:
            break
        yield Kind.WIN, count
        if forced(game, position, game.to_move(position) or 0, count):
            return
    if moves**2 <= MOST_TRIED:
        yield Kind.SAVE, 1
    if game.name in LEAST_GAIN:
        gain = max(gains(game, position).values())
        if gain >= LEAST_GAIN[game.name]:
            yield Kind.MOST, gain
        if game.name != "azteka" and moves**2 <= MOST_TRIED:
            yield Kind.SAFE, 0


def solutions(game: AnyGame, kind: Kind, count: int, position: Any) -> Iterator[Any]:
    """Yield all right moves in a position."""
    player, raised = game.to_move(position) or 0, gains(game, position)
    most = game.score(position)[2 - player] + count
    for move, gain in raised.items():
        then = game.play(position, move)
        match kind:
            case Kind.WIN:
                right = forced(game, then, player, count - 1)
            case Kind.SAVE:
                right = not wins_next(game, then, 3 - player)
            case Kind.MOST:
                right = gain == count == max(raised.values())
            case Kind.SAFE:
                answers = (game.play(then, answer) for answer in game.legal_moves(then))
                scores = (game.score(each)[2 - player] for each in (then, *answers))
                right = winner(game, then) != 3 - player and max(scores) <= most
        if right:
            yield move


def wins_next(game: AnyGame, position: Any, player: int) -> bool:
    """Return whether a player has won, or wins at once with the next move."""
    if winner(game, position) is not None or game.to_move(position) != player:
        return winner(game, position) == player
    after = (game.play(position, move) for move in game.legal_moves(position))
    return any(winner(game, each) == player for each in after)


def line(game: AnyGame, kind: Kind, count: int, position: Any) -> tuple[str, ...] | None:
    """Return the right moves with answers that leave only one right move, else None."""
    player, right = game.to_move(position), [*islice(solutions(game, kind, count, position), 2)]
    if len(right) != 1:
        return None
    own, then = game.move_text(position, right[0]), game.play(position, right[0])
    if kind is not Kind.WIN:
        return None if forced(game, then, 3 - (player or 0), 1) else (own,)
    if winner(game, then) is not None:
        return (own,)
    if game.to_move(then) == player:
        return None
    answers = sorted(game.legal_moves(then), key=lambda each: game.move_text(then, each))
    for answer in answers:
        after = game.play(then, answer)
        if winner(game, after) == player:
            # The longest way is shown, and here all are short.
            rest: tuple[str, ...] | None = () if count == 1 else None
        elif game.to_move(after) != player or len(game.legal_moves(after)) < 2:
            rest = None
        else:
            rest = line(game, kind, count - 1, after)
        if rest is not None:
            return (own, game.move_text(then, answer), *rest)
    return None


def holds(game: AnyGame, puzzle: Puzzle) -> bool:
    """Return whether a puzzle of the file is still one."""
    shortest = puzzle.count - 1 if puzzle.kind is Kind.WIN else 0
    player = game.to_move(puzzle.position) or 0
    right = line(game, puzzle.kind, puzzle.count, puzzle.position)
    return right == puzzle.line and not forced(game, puzzle.position, player, shortest)


def counted_move(game: AnyGame, puzzle: Puzzle, level: Level, rng: Random) -> Any:
    """Return a level's move where the task is not to win, which a search would do.

    It counts what each move brings, or how much the answers bring that its nodes suffice for.
    """
    position, player = puzzle.position, game.to_move(puzzle.position) or 0
    moves = list(game.legal_moves(position))
    rng.shuffle(moves)

    def worth(move: Any) -> int:
        then = game.play(position, move)
        if puzzle.kind is Kind.MOST:
            return game.score(then)[player - 1]
        answers = list(game.legal_moves(then))
        seen = rng.sample(answers, min(len(answers), level.nodes // len(moves)))
        return -max(
            game.score(each)[2 - player] for each in (then, *(game.play(then, e) for e in seen))
        )

    worths = {game.plain_text(position, move): worth(move) for move in moves}
    choices = (SearchedMove(text, PIECE * each, 0, (text,)) for text, each in worths.items())
    best_first = sorted(choices, key=lambda choice: -choice.value)
    return game.parse_move(position, pick(level, best_first, rng).move)


def solves(game: AnyGame, puzzle: Puzzle, level: Level, rng: Random) -> bool:
    """Return whether a level finds all own moves of a puzzle's line."""
    position = puzzle.position
    if puzzle.kind in (Kind.MOST, Kind.SAFE):
        found = counted_move(game, puzzle, level, rng)
        return bool(found == game.parse_move(position, puzzle.line[0]))
    for number, text in enumerate(puzzle.line):
        move = game.parse_move(position, text)
        if number % 2 == 0 and engine_move(game, position, level, rng) != move:
            return False
        position = game.play(position, move)
    return True


def rating(game: AnyGame, puzzle: Puzzle, seed: int) -> int:
    """Rate a puzzle as if it played a game against each level, TRIES times, in random order."""
    rng, levels = Random(f"{seed}.{puzzle.key}"), LEVEL_RATINGS
    found = Rating()
    for level in rng.sample(LEVELS * TRIES, len(LEVELS) * TRIES):
        other = Rating(levels[level.name], LEVEL_DEVIATION)
        found = rated(found, other, float(not solves(game, puzzle, level, rng)))
    return round(found.value)


def found(game: AnyGame, games: int, seed: int) -> Iterator[str]:
    """Yield the puzzles in so many games, ALIKE of each kind a game, all with other first moves.

    Each is a line of the file without its rating and themes.
    """
    for number in tqdm(range(games), unit="game", disable=None):
        rng = Random(f"{seed}.{number}")
        # In game order, the first of a kind would always come from the opening.
        positions = [each for each in engine_game(game, rng) if decides(game, each)]
        tried = [*rng.sample(positions, min(ANY, len(positions))), *reversed(positions[-LAST:])]
        slips = [each for position in positions[-LAST:] for each in slipped(game, position, rng)]
        taken, first = Counter[tuple[Kind, int]](), set[str]()
        for at, position in enumerate(tried + slips):
            if len(game.legal_moves(position)) < LEAST_MOVES:
                continue
            for kind, count in asked(game, position):
                if at >= len(tried) and kind is not Kind.WIN:
                    break
                what = (kind, count if kind is Kind.WIN else 0)
                moves = () if taken[what] >= ALIKE else line(game, kind, count, position)
                if moves and moves[0] not in first and not any(BLANK in move for move in moves):
                    taken[what] += 1
                    first.add(moves[0])
                    yield f"{kind.value} {count} {','.join(moves)} {game.text(position)}"


def chosen(saved: list[str], candidates: list[str], wanted: int) -> list[str]:
    """Choose the wanted number of positions: all that are kept, then of each kind its share."""
    ranked, seen, positions = list[tuple[float, str]](), Counter[tuple[Kind, int]](), set[str]()
    for text in (*saved, *candidates):
        kind, count, _, position = text.split(" ", 3)
        if position not in positions:
            positions.add(position)
            what = (Kind(kind), int(count) if kind == Kind.WIN.value else 0)
            seen[what] += 1
            ranked.append((0 if text in saved else seen[what] / SHARES.get(what, SHARE), text))
    return [text for _, text in sorted(ranked)[: max(wanted, len(saved))]]


def main() -> None:
    parser = argparse.ArgumentParser("puzzles", description=__doc__)
    parser.add_argument("game", metavar="NAME")
    for name, usual in (("--games", 100), ("--wanted", 30), ("--seed", 1)):
        parser.add_argument(name, type=int, default=usual)
    options = parser.parse_args()
    game, candidates = find_game(options.game), list[str]()
    file = Path(str(game.presentation.folder)) / PUZZLES
    parts = re.compile(r'(?<=puzzles = """\n)(.*?)(?=""")', re.S)
    before, old, after = parts.split(file.read_text("utf-8"), 1)

    def with_puzzles(texts: list[str]) -> Iterator[tuple[str, Puzzle]]:
        lines = "".join(f"0:quiet {text}\n" for text in texts)
        read = read_puzzles(game, before + lines + after) if texts else ()
        return zip(texts, read, strict=True)

    stand = [each.partition(" ")[2] for each in old.splitlines()]
    saved = [text for text, puzzle in with_puzzles(stand) if holds(game, puzzle)]
    # The search can be stopped when there are enough.
    with suppress(KeyboardInterrupt):
        candidates += found(game, options.games, options.seed)
    texts, lines = chosen(saved, candidates, options.wanted), list[tuple[int, str]]()
    for text, puzzle in tqdm(with_puzzles(texts), total=len(texts), unit="puzzle", disable=None):
        names = ",".join(theme.name.lower() for theme in themes(game, puzzle))
        value = rating(game, puzzle, options.seed)
        lines.append((value, f"{value}:{names} {text}"))
    file.write_text(before + "".join(f"{line}\n" for _, line in sorted(lines)) + after)
    shipped = read_puzzles(game, file.read_text())
    counts = Counter(theme.name for each in shipped for theme in each.themes)
    print(f"{len(lines)}, {len(saved)} of them from before: {dict(counts)}", file=sys.stderr)


if __name__ == "__main__":
    main()
