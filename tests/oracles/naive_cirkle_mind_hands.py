"""How naive games of CirKle Mind are drawn: set-ups, positions, moves, wrong lines.

It owns the randomness in them, and returns what the referee must answer. It must not know `game`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.oracles.naive_cirkle_mind import (
    AHEAD,
    ARMIES,
    COLUMNS,
    FACES,
    OTHER,
    SIDES,
    SQUARES,
    TARGETS,
    ZONES,
    NaiveMind,
    step,
)


@dataclass(frozen=True)
class Line:
    """A line to the referee, what it must answer, and whether it must refuse."""

    text: str
    answer: dict[str, object]
    refused: bool = False


def set_up_text(pieces: dict[str, str], squares: list[str] = SQUARES) -> str:
    """Write the move that sets up an army, in the order of `squares`."""
    return " ".join(["setup", *(f"{at}={pieces[at]}" for at in squares if at in pieces)])


def random_set_up(rng: Random, army: str) -> dict[str, str]:
    """Draw where an army stands: anywhere, or close to the enemy."""
    zone = ZONES[army]
    nearest = zone[8:] if army == "G" else zone[:-8]
    squares = rng.choice((nearest, rng.sample(zone, len(FACES))))
    return dict(zip(squares, rng.sample(FACES, len(FACES)), strict=True))


def hemmed_in(rng: Random, level: str) -> NaiveMind:
    """Draw a position in which an army has only its target, in a corner that the enemy blocks."""
    army = rng.choice(ARMIES)
    corner = rng.choice(("A1", "H1", "A11", "H11"))
    around = [at for at in (*SIDES[corner], AHEAD["G"][corner], AHEAD["M"][corner]) if at]
    enemy = OTHER[army]
    codes = rng.sample([enemy + face for face in FACES], rng.randint(len(around), 9))
    if TARGETS[enemy] not in codes:
        codes[-1] = TARGETS[enemy]
    others = [at for at in SQUARES if at != corner and at not in around]
    squares = [corner, *around, *rng.sample(others, len(codes) - len(around))]
    pieces = dict(zip(squares, [TARGETS[army], *codes], strict=True))
    return NaiveMind(level, to_move=rng.choice((1, 2)), phase="play", pieces=pieces)


def some_left(rng: Random, level: str) -> NaiveMind:
    """Draw a position in play with some of the pieces, often close together."""
    amount = rng.choice((1, 2, 3, 6, 12, 24))
    codes = list(TARGETS.values())
    for army in ARMIES:
        others = [army + face for face in FACES if army + face != TARGETS[army]]
        codes += rng.sample(others, amount - 1)
    first, last = rng.choice(((1, 4), (8, 11), (4, 8), (1, 11)))
    width = rng.randint(2, 8)
    near = [at for at in SQUARES if first <= int(at[1:]) <= last and at[0] in COLUMNS[:width]]
    if len(near) < len(codes):
        near = SQUARES
    squares = rng.sample(near, len(codes))
    return NaiveMind(
        level,
        to_move=rng.choice((1, 2)),
        phase="play",
        pieces=dict(zip(squares, codes, strict=True)),
        shown=frozenset(rng.sample(squares, rng.randint(0, len(squares)))),
        started=rng.random() < 0.5,
        score=(rng.randint(0, 24 - amount), rng.randint(0, 24 - amount)),
    )


def choose(rng: Random, now: NaiveMind, moves: list[str]) -> str:
    """Draw a legal move: mostly one that attacks or goes near the enemy, else games last long."""
    attacks = [move for move in moves if "*" in move]
    if attacks and rng.random() < 0.8:
        return rng.choice(attacks)
    quiet = [move for move in moves if "-" in move and "*" not in move]
    return rng.choice(moves) if not quiet or rng.random() < 0.2 else nearest(rng, now, quiet)


def nearest(rng: Random, now: NaiveMind, quiet: list[str]) -> str:
    """Draw one of the moves that go nearest to the enemy's own-colour target."""
    wanted = TARGETS[OTHER[now.own()]]
    goal = next((at for at in SQUARES if now.pieces.get(at) == wanted), SQUARES[0])

    def far(move: str) -> int:
        to = move.split("-")[1]
        columns = abs(COLUMNS.index(to[0]) - COLUMNS.index(goal[0]))
        return columns + abs(int(to[1:]) - int(goal[1:]))

    return min(rng.sample(quiet, min(len(quiet), 6)), key=far)


def wrong_line(rng: Random, now: NaiveMind) -> str:
    """Draw a line that must be refused: mostly between squares that are close together."""
    if now.phase == "setup":
        pieces = random_set_up(rng, ARMIES[(now.to_move or 0) - 1])
        del pieces[rng.choice([*pieces])]
        return set_up_text(pieces)
    right = now.legal() or []
    while True:
        start = rng.choice(SQUARES)
        to, enemy = (step(start, rng.randint(-1, 1), rng.randint(-2, 2)) for _ in range(2))
        line = rng.choice(("pass", f"{start}-{to}", f"{start}-{to}*{enemy}"))
        if line not in right:
            return line


def lines_of_game(
    rng: Random, start: NaiveMind, most: int, wrong_share: float, seen: Counter[str]
) -> Iterator[Line]:
    """Play a game, to its end or to `most` plies; return the lines, and count what happened.

    The first line is empty: its answer is the one about the start.
    """
    now, ply = start, 0
    answer = now.answer(0, None)
    yield Line("", answer)
    while True:
        often = 1.0 if now.outcome else 0.5 if now.phase == "setup" else wrong_share
        if rng.random() < often:
            yield Line(wrong_line(rng, now), answer, refused=True)
        if now.outcome is not None or ply == most:
            break
        if now.phase == "setup":
            pieces = random_set_up(rng, ARMIES[(now.to_move or 0) - 1])
            text = set_up_text(pieces, rng.sample(SQUARES, len(SQUARES)))
            move = set_up_text(pieces)
        else:
            moves = answer["moves"]
            assert isinstance(moves, list)
            text = move = choose(rng, now, moves)
        now, ply = now.play(move), ply + 1
        seen.update(now.happened)
        answer = now.answer(ply, move)
        yield Line(text, answer)
    seen["played to the end" if now.outcome else "not ended"] += 1
