"""The result of a match: the figures of all its games, as text and as JSON.

Owns what is told of a match. The arithmetic of the score stands in `score`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from game.app.opponent.match.playing import Played
from game.app.opponent.match.score import (
    PAIR_SCORES,
    Interval,
    elo_interval,
    pair_counts,
    score_interval,
)
from game.app.opponent.match.specs import Kind
from game.app.words import words
from game.rules.catalogue import find_game
from game.rules.errors import RulesError
from game.rules.game import Json

_MOST_FAULTS = 5
"""So many games that ended by a fault are told; all are counted."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one engine spent on a move, on average, and how many of its moves the clock cut."""

    moves: int
    seconds: float
    nodes: float
    cut: int


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of a match, from engine A's side.

    `pairs` are the scores of the pairs of which both games were played; of them `score` is made,
    None without any. `by_player` has wins, losses and draws as player 1 and as player 2. `faults`
    name games that ended by what no rules allow.
    """

    games: int
    pairs: tuple[float, ...]
    score: Interval | None
    by_player: tuple[tuple[int, int, int], tuple[int, int, int]]
    plies: float
    efforts: tuple[Effort, Effort]
    faults: tuple[str, ...]


def result_of(games: Sequence[Played]) -> Result:
    """Work out the result of games, each with a number of its own."""
    scores = {game.fixture.number: game.score for game in games}
    pairs = tuple(
        (score + scores[number + 1]) / 2
        for number, score in sorted(scores.items())
        if number % 2 == 0 and number + 1 in scores
    )
    return Result(
        games=len(games),
        pairs=pairs,
        score=score_interval(pairs) if pairs else None,
        by_player=(_tally(games, 1), _tally(games, 2)),
        plies=sum(game.plies for game in games) / len(games) if games else 0.0,
        efforts=(_effort(games, 0), _effort(games, 1)),
        faults=tuple(_fault(game) for game in games if game.fault),
    )


def _tally(games: Sequence[Played], player: int) -> tuple[int, int, int]:
    scores = [game.score for game in games if game.fixture.a == player]
    return scores.count(1.0), scores.count(0.0), scores.count(0.5)


def _effort(games: Sequence[Played], side: int) -> Effort:
    moves = sum(game.thoughts[side] for game in games)
    each = max(1, moves)
    return Effort(
        moves,
        sum(game.seconds[side] for game in games) / each,
        sum(game.nodes[side] for game in games) / each,
        sum(game.cut[side] for game in games),
    )


def _fault(game: Played) -> str:
    loser = "B" if game.winner == game.fixture.a else "A"
    return f"game {game.fixture.number}: {loser} {game.fault}"


def as_json(described: Json, result: Result) -> str:
    """Write a match and its result as one JSON object; what is infinite is null."""
    score = result.score
    told = {
        "match": described,
        "games": result.games,
        "pairs": len(result.pairs),
        "score": _interval(score),
        "elo": _interval(elo_interval(score)) if score else None,
        "pair_scores": dict(zip(map(str, PAIR_SCORES), pair_counts(result.pairs), strict=True)),
        "as_player": {
            str(n): dict(zip(("wins", "losses", "draws"), tally, strict=True))
            for n, tally in enumerate(result.by_player, 1)
        },
        "plies": round(result.plies, 2),
        "a": asdict(result.efforts[0]),
        "b": asdict(result.efforts[1]),
        "repeatable": not _doubt(described, result),
        "faults": list(result.faults),
    }
    return json.dumps(told)


def _interval(interval: Interval | None) -> Json | None:
    if interval is None:
        return None
    values: Mapping[str, float] = asdict(interval)
    return {name: round(value, 5) if isfinite(value) else None for name, value in values.items()}


def as_text(described: Json, result: Result) -> str:
    """Write a match and its result for reading."""
    return "\n".join(_lines(described, result))


def _lines(described: Json, result: Result) -> Iterator[str]:
    yield f"A {described['a']} against B {described['b']}"
    yield (
        f"{described['game']}{_options(described)}, seed {described['seed']},"
        f" openings of {described['opening']} plies by chance, each played twice"
    )
    if not result.games:
        yield "no game was played"
        return
    if result.score is None:
        yield "no pair of games yet"
    else:
        score, gap = result.score, elo_interval(result.score)
        yield f"A scores {score.value:.1%} (95%: {score.low:.1%} to {score.high:.1%})"
        yield f"Elo {_elo(gap.value)} (95%: {_elo(gap.low)} to {_elo(gap.high)})"
        counts = zip(PAIR_SCORES, pair_counts(result.pairs), strict=True)
        told = ", ".join(f"{2 * score:g}: {count}" for score, count in counts)
        yield f"{_count(len(result.pairs), 'pair')} by A's points: {told}"
    for colour, (wins, losses, draws) in zip(_colours(described), result.by_player, strict=True):
        yield f"A as {colour}: {wins} won, {losses} lost, {draws} drawn"
    yield f"{_count(result.games, 'game')} of {result.plies:.1f} plies"
    for name, effort in zip("AB", result.efforts, strict=True):
        cut = f", {effort.cut} of {effort.moves} moves cut by the clock" if effort.cut else ""
        yield f"{name} a move: {effort.seconds:.3f} s, {effort.nodes:,.0f} nodes{cut}"
    doubt = _doubt(described, result)
    yield (
        f"not deterministic: {doubt}"
        if doubt
        else "deterministic: the clock cut no move, so that the same command plays the same games"
    )
    if result.faults:
        yield f"{_count(len(result.faults), 'game')} lost by a fault:"
        yield from (f"  {fault}" for fault in result.faults[:_MOST_FAULTS])


def _doubt(described: Json, result: Result) -> str:
    """Say why other games may come out next time; "" if the same ones must."""
    if any(effort.cut for effort in result.efforts):
        return "the clock cut moves, so that other games come out next time"
    if result.faults:
        return "games were lost by a fault, which may not come again"
    if any(str(described[side]).startswith(f"{Kind.UGI.value}:") for side in "ab"):
        return "of another program nobody knows whether it plays the same again"
    return ""


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _elo(value: float) -> str:
    return (
        f"{value:+.0f}" if isfinite(value) else ("beyond measure" if value > 0 else "below measure")
    )


def _options(described: Json) -> str:
    options: Any = described["options"]
    return "".join(f" {key}={value}" for key, value in options.items())


def _colours(described: Json) -> list[str]:
    """Name the players; those of a game that is not installed by their numbers."""
    try:
        game = find_game(str(described["game"]))
    except RulesError:
        return ["player 1", "player 2"]
    speak = words("en")
    return [f"player {n}, {speak.text(word)}" for n, word in enumerate(game.players, 1)]
