"""How naive games of CirKle Mind are drawn: set-ups, positions, moves to a taste, wrong lines.

It owns the chance in them, and gives what the referee must answer. It must not know `game`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.oracles.naive_cirkle_mind import (
    AHEAD,
    ARMIES,
    BEHIND,
    COLUMNS,
    FACES,
    OTHER,
    PRINTED,
    SHIELDED,
    SIDES,
    SQUARES,
    TARGETS,
    ZONES,
    NaiveMind,
    shield,
    verdict,
)


@dataclass(frozen=True)
class Line:
    """What is said to the referee and what it must answer; `refused` names what is wrong."""

    text: str
    answer: dict[str, object]
    refused: str = ""


def set_up_text(pieces: dict[str, str], squares: list[str] = SQUARES) -> str:
    """Write the move that sets up an army, in the order of `squares`."""
    return " ".join(["setup", *(f"{at}={pieces[at]}" for at in squares if at in pieces)])


def random_set_up(rng: Random, army: str) -> dict[str, str]:
    """Draw where an army stands: anywhere, close to the enemy, or on squares that shield."""
    zone = ZONES[army]
    faces = rng.sample(FACES, len(FACES))
    drawn = rng.random()
    if drawn < 0.3:
        return dict(zip(rng.sample(zone, len(faces)), faces, strict=True))
    if drawn < 0.7:
        nearest = zone[8:] if army == "G" else zone[:-8]
        return dict(zip(nearest, faces, strict=True))
    placed: dict[str, str] = {}
    for face in faces:
        free = [at for at in zone if at not in placed]
        rng.shuffle(free)
        placed[max(free, key=lambda at: shield(face, PRINTED[at]))] = face
    return placed


def hemmed_in(rng: Random, level: str) -> NaiveMind:
    """Draw a position in which an army has its target alone, in a corner that the enemy closes."""
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
        begun=rng.random() < 0.5,
        score=(rng.randint(0, 24 - amount), rng.randint(0, 24 - amount)),
    )


TASTES = ("sharp", "brave", "reckless", "shielded", "any")
"""What a random mover prefers; without such a taste games last too long, and some things fail."""


def choose(rng: Random, now: NaiveMind, moves: list[str], taste: str) -> str:
    """Draw a legal move: mostly one that suits a taste, otherwise any."""
    if moves == ["pass"] or rng.random() < 0.05:
        return rng.choice(moves)
    own = now.own()
    attacks = [move for move in moves if "*" in move]
    prize = [move for move in attacks if now.pieces[move.split("*")[1]] == TARGETS[OTHER[own]]]
    if prize and taste in ("sharp", "shielded"):
        return rng.choice(prize)
    if taste == "reckless":
        # The target itself goes to the enemy and attacks.
        mine = place_of(now, TARGETS[own])
        bold = [move for move in moves if move.startswith(f"{mine}-")]
        loud = [move for move in bold if "*" in move]
        near = loud or [move for move in bold if move.endswith(f"-{AHEAD[own][mine]}")]
        if near and rng.random() < 0.8:
            return rng.choice(near)
    if attacks and rng.random() < 0.8:
        if taste in ("sharp", "shielded") and rng.random() < 0.8:
            won = [move for move in attacks if fate(now, move) == "win"]
            return rng.choice(won or attacks)
        return rng.choice(attacks)
    quiet = [move for move in moves if "*" not in move and move != "pass"]
    if taste == "any" or rng.random() < 0.15:
        return rng.choice(quiet)
    if taste == "shielded" and rng.random() < 0.4:
        return max(rng.sample(quiet, len(quiet)), key=lambda move: shield_after(now, move))
    return nearest(rng, now, quiet)


def shield_after(now: NaiveMind, move: str) -> int:
    """Tell how well a piece is shielded where a move puts it."""
    start, to = move.split("-")
    return shield(now.pieces[start][1:], PRINTED[to])


def place_of(now: NaiveMind, code: str) -> str:
    """Find where a target stands; where a wrong rule has spared its army, anywhere."""
    return next((at for at in SQUARES if now.pieces.get(at) == code), SQUARES[0])


def fate(now: NaiveMind, move: str) -> str:
    """Tell how an attack will end."""
    start, at, enemy = move.replace("*", "-").split("-")
    attacker, defender = now.pieces[start][1:], now.pieces[enemy][1:]
    return verdict(attacker, defender, PRINTED[at], PRINTED[enemy], SHIELDED[now.level])


def nearest(rng: Random, now: NaiveMind, quiet: list[str]) -> str:
    """Draw of some moves the one that goes nearest to the enemy's own-colour target."""
    wanted = TARGETS[OTHER[now.own()]]
    goal = place_of(now, wanted)

    def far(move: str) -> int:
        to = move.split("-")[1]
        columns = abs(COLUMNS.index(to[0]) - COLUMNS.index(goal[0]))
        return columns + abs(int(to[1:]) - int(goal[1:]))

    return min(rng.sample(quiet, min(len(quiet), 6)), key=far)


def wrong_lines(rng: Random, now: NaiveMind) -> dict[str, str]:
    """Give lines that must be refused, by what is wrong with them."""
    if now.outcome is not None:
        return {"over": rng.choice(("pass", "A4-A5", "setup"))}
    if now.phase == "setup":
        return wrong_set_ups(rng, now)
    own = now.own()
    legal = now.legal() or []
    found = {"set-up in play": set_up_text(random_set_up(rng, own)), "nonsense": "B4B5"}
    if legal != ["pass"]:
        found["needless pass"] = "pass"
    starts = rng.sample(sorted(now.pieces), len(now.pieces))
    for start in starts:
        if now.pieces[start][0] != own:
            at = AHEAD[OTHER[own]][start]
            if at is not None and at not in now.pieces:
                found["enemy's piece"] = f"{start}-{at}"
            continue
        far = AHEAD[own].get(AHEAD[own][start] or "")
        if far is not None and far not in now.pieces:
            found["two squares"] = f"{start}-{far}"
        for aside in SIDES[start]:
            corner = AHEAD[own][aside]
            if corner is not None and corner not in now.pieces:
                found["diagonal"] = f"{start}-{corner}"
            if aside in now.pieces:
                found["occupied"] = f"{start}-{aside}"
            else:
                found |= wrong_attacks(now, start, aside)
        ahead, back = AHEAD[own][start], BEHIND[own][start]
        if ahead is not None and ahead not in now.pieces:
            found |= wrong_attacks(now, start, ahead)
        if back is not None and back not in now.pieces:
            for enemy in now.attackable(back, own):
                found["attack after going back"] = f"{start}-{back}*{enemy}"
    empty = next(at for at in rng.sample(SQUARES, len(SQUARES)) if at not in now.pieces)
    beside = next((at for at in SIDES[empty] if at not in now.pieces), None)
    if beside:
        found["empty target"] = f"{empty}-{beside}"
    return found


def wrong_attacks(now: NaiveMind, start: str, to: str) -> dict[str, str]:
    """Give attacks that a piece cannot make after a move that it can make."""
    own = now.own()
    found = {}
    for at in (AHEAD[own][to], *SIDES[to]):
        if at is not None and at != start and at not in now.pieces:
            found["attack on an empty cell"] = f"{start}-{to}*{at}"
        elif at is not None and at != start and now.pieces[at][0] == own:
            found["attack on one's own"] = f"{start}-{to}*{at}"
    behind = BEHIND[own][to]
    if behind is not None and now.pieces.get(behind, own)[0] != own:
        found["attack behind"] = f"{start}-{to}*{behind}"
    for aside in SIDES[to]:
        corner = AHEAD[own][aside]
        if corner is not None and now.pieces.get(corner, own)[0] != own:
            found["attack across a corner"] = f"{start}-{to}*{corner}"
    return found


def wrong_set_ups(rng: Random, now: NaiveMind) -> dict[str, str]:
    """Give set-ups that break one rule each."""
    army = ARMIES[(now.to_move or 0) - 1]
    right = random_set_up(rng, army)
    squares = list(right)
    one, two = rng.sample(squares, 2)
    outside = rng.choice([at for at in SQUARES if at not in ZONES[army]])
    free = rng.choice([at for at in ZONES[army] if at not in right])
    fewer = {at: face for at, face in right.items() if at != one}
    return {
        "a piece missing": set_up_text(fewer),
        "a piece twice": set_up_text({**right, one: right[two]}),
        "a piece too many": set_up_text({**right, free: right[two]}),
        "outside the zone": set_up_text({**fewer, outside: right[one]}),
        "a square twice": f"{set_up_text(fewer)} {two}={right[one]}",
        "no such face": set_up_text({**right, one: "kX"}),
        "no such square": set_up_text(fewer) + f" I1={right[one]}",
        "a move before the set-ups": "A4-A5",
        "a pass before the set-ups": "pass",
        "an empty set-up": "setup",
    }


def lines_of_game(
    rng: Random, start: NaiveMind, most: int, wrong_share: float, seen: Counter[str]
) -> Iterator[Line]:
    """Play a game, to its end or to `most` plies; give the lines, and count what happened.

    The first line is empty: its answer is the one about the start.
    """
    tastes = rng.choice(TASTES), rng.choice(TASTES)
    now, ply = start, 0
    answer = now.answer(0, None)
    yield Line("", answer)
    while True:
        often = 1.0 if now.outcome else 0.5 if now.phase == "setup" else wrong_share
        if rng.random() < often:
            refused = wrong_lines(rng, now)
            name = rng.choice(sorted(refused))
            seen[f"refused: {name}"] += 1
            yield Line(refused[name], answer, name)
        if now.outcome is not None or ply == most:
            break
        if now.phase == "setup":
            army = ARMIES[(now.to_move or 0) - 1]
            pieces = random_set_up(rng, army)
            text = set_up_text(pieces, rng.sample(SQUARES, len(SQUARES)))
            move = set_up_text(pieces)
        else:
            moves = answer["moves"]
            assert isinstance(moves, list)
            taste = tastes[(now.to_move or 0) - 1]
            text = move = choose(rng, now, moves, taste)
        now, ply = now.play(move), ply + 1
        seen.update(now.happened)
        answer = now.answer(ply, move)
        yield Line(text, answer)
    seen["played to the end" if now.outcome else "not ended"] += 1
