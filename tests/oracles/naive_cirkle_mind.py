"""A second, deliberately naive CirKle Mind, written from the rules document alone.

It owns nothing but plainness: a dictionary from square to code, and loops over names. It must not
know `game`: the tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from tests.oracles.naive import Naive

COLUMNS = "ABCDEFGH"
SQUARES = [f"{column}{row}" for row in range(1, 12) for column in COLUMNS]
ARMIES = ("G", "M")
OTHER = {"G": "M", "M": "G"}
ZONES = {"G": SQUARES[:32], "M": SQUARES[-32:]}
TARGETS = {"G": "GgX", "M": "MmX"}
"""The piece of each army that it must not lose."""
FACES = [colour + shape for colour in "ygbm" for shape in "TSCOX"] + ["kT", "kS", "kC", "kO"]
SHIELDED = {"easy": False, "medium": True, "super": True, "super-easy": False}
TURNED = {"easy": False, "medium": False, "super": True, "super-easy": True}


def print_of(square: str) -> str:
    """Return the colour and the shape that are printed on a square, "" on a neutral one."""
    column, row = COLUMNS.index(square[0]) + 1, int(square[1:])
    if row in (5, 6, 7):
        return ""
    from_owner = row if row < 5 else 12 - row
    shape = "TSCO"[(from_owner + column) % 4]
    shift = 1 if column > 4 else 0
    colour = "ygbm"[(column + 2 * (from_owner - 1) + shift) % 4]
    return colour + shape


PRINTED = {square: print_of(square) for square in SQUARES}


def step(square: str, columns: int, rows: int) -> str | None:
    """Name the square so many columns to the right and rows up; None off the board."""
    column, row = COLUMNS.index(square[0]) + columns, int(square[1:]) + rows
    return f"{COLUMNS[column]}{row}" if 0 <= column < 8 and 1 <= row <= 11 else None


UP = {square: step(square, 0, 1) for square in SQUARES}
DOWN = {square: step(square, 0, -1) for square in SQUARES}
SIDES = {
    square: [to for to in (step(square, -1, 0), step(square, 1, 0)) if to] for square in SQUARES
}
AHEAD = {"G": UP, "M": DOWN}
BEHIND = {"G": DOWN, "M": UP}


def kind(face: str) -> str:
    return "target" if face[1] == "X" else "black" if face[0] == "k" else "coloured"


def shield(face: str, square: str) -> int:
    """Count how well a piece is shielded where `square` is printed."""
    if not square:
        return 0
    if face[0] == "k":
        return 2 if face[1] == square[1] else 0
    return (1 if face[0] == square[0] else 0) + (1 if face[1] == square[1] else 0)


def easy_verdict(attacker: str, defender: str) -> str:
    if kind(defender) == "target":
        return "win"
    if kind(attacker) == "black":
        return "win"
    if kind(defender) == "black":
        return "win" if attacker[1] == defender[1] else "loss"
    alike = attacker[0] == defender[0] or attacker[1] == defender[1]
    return "win" if alike else "stay"


def verdict(attacker: str, defender: str, at: str, against: str, shielded: bool) -> str:
    """Rule an attack by a piece where `at` is printed on one where `against` is printed."""
    easy = easy_verdict(attacker, defender)
    if not shielded or easy == "loss" or kind(defender) == "target":
        return easy
    ours, theirs = shield(attacker, at), shield(defender, against)
    if easy == "stay":
        return "win" if ours == 2 and theirs == 2 else "stay"
    if kind(attacker) == "black" and kind(defender) == "coloured":
        return "stay" if theirs == 2 and ours != 2 else "win"
    return "win" if ours >= theirs else "loss"


@dataclass(frozen=True)
class NaiveMind(Naive):
    """A position; `gone` are the squares whose piece left the board in the move before it."""

    level: str = "easy"
    first: int = 1
    to_move: int | None = 1
    phase: str = "setup"
    pieces: dict[str, str] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    started: bool = False
    score: tuple[int, int] = (0, 0)
    outcome: tuple[int, str] | None = None
    gone: tuple[str, ...] = ()
    happened: tuple[str, ...] = ()

    def led_by(self, player: int) -> str:
        return ARMIES[2 - player] if TURNED[self.level] else ARMIES[player - 1]

    def own(self) -> str:
        assert self.to_move is not None
        return self.led_by(self.to_move)

    def legal(self) -> list[str]:
        if self.phase == "setup" or self.outcome is not None:
            return []
        own = self.own()
        found = []
        for start, code in self.pieces.items():
            if code[0] != own:
                continue
            for to in (AHEAD[own][start], *SIDES[start], BEHIND[own][start]):
                if to is None or to in self.pieces:
                    continue
                found.append(f"{start}-{to}")
                if to != BEHIND[own][start]:
                    found += [f"{start}-{to}*{enemy}" for enemy in self.attackable(to, own)]
        return sorted(found) or ["pass"]

    def attackable(self, to: str, own: str) -> list[str]:
        near = [AHEAD[own][to], *SIDES[to]]
        return [at for at in near if at is not None and self.pieces.get(at, own)[0] != own]

    def play(self, text: str) -> NaiveMind:
        now = replace(self, gone=(), happened=())
        if text.startswith("setup "):
            return now.placed(text)
        assert self.to_move is not None
        other = 3 - self.to_move
        now = replace(now, started=True)
        if text == "pass":
            return replace(now, to_move=other, happened=("pass",))
        path, _, enemy = text.partition("*")
        start, to = path.split("-")
        pieces = dict(self.pieces)
        pieces[to] = pieces.pop(start)
        shown = (self.shown - {start}) | ({to} if start in self.shown else set())
        own = self.own()
        way = "ahead" if to == AHEAD[own][start] else "aside" if to in SIDES[start] else "back"
        now = replace(now, pieces=pieces, shown=shown, to_move=other, happened=(f"went {way}",))
        if enemy:
            return now.attack(to, enemy, self.to_move, way)
        if way == "back" and self.attackable(to, own):
            return now.note("came back to an enemy")
        return now

    def placed(self, text: str) -> NaiveMind:
        added = dict(part.split("=") for part in text.split()[1:])
        army = ARMIES[(self.to_move or 0) - 1]
        pieces = {**self.pieces, **{square: army + face for square, face in added.items()}}
        if self.to_move == 1:
            return replace(self, pieces=pieces, to_move=2)
        return replace(self, pieces=pieces, phase="play", to_move=self.first)

    def note(self, *what: str) -> NaiveMind:
        return replace(self, happened=(*self.happened, *what))

    def attack(self, at: str, enemy: str, player: int, way: str) -> NaiveMind:
        """Let the piece on `at` attack, and see who is left."""
        attacker, defender = self.pieces[at], self.pieces[enemy]
        one, two = attacker[1:], defender[1:]
        fate = verdict(one, two, PRINTED[at], PRINTED[enemy], SHIELDED[self.level])
        where = "beside" if enemy in SIDES[at] else "in front"
        now = replace(self, shown=self.shown | {at, enemy}).note(
            f"attack {way} {where}",
            f"{'seen' if at in self.shown else 'unseen'} attacker",
        )
        if fate == "stay":
            return now
        winner_at, loser_at = (at, enemy) if fate == "win" else (enemy, at)
        captor = player if fate == "win" else 3 - player
        pieces = dict(self.pieces)
        loser = pieces.pop(loser_at)
        pieces[loser_at] = pieces.pop(winner_at)
        shown = now.shown - {winner_at}
        now = replace(now, pieces=pieces, shown=shown, gone=(loser_at,))
        score = list(self.score)
        score[captor - 1] += 1
        now = replace(now, score=(score[0], score[1]))
        if loser != TARGETS[loser[0]]:
            return now
        ended = replace(now, outcome=(captor, "target captured"), to_move=None)
        return ended.note("target taken" if fate == "win" else "target lost by its own attack")

    def codes(self) -> dict[str, str]:
        return self.pieces

    def extras(self) -> dict[str, object]:
        return {
            "phase": self.phase,
            "shown": [square for square in SQUARES if square in self.shown],
            "begun": self.started,
        }


def random_set_up(rng: Random, army: str) -> str:
    """Draw where an army stands, anywhere or close to the enemy, and write it in any order."""
    zone = ZONES[army]
    nearest = zone[8:] if army == "G" else zone[:-8]
    squares = rng.choice((nearest, rng.sample(zone, len(FACES))))
    faces = rng.sample(FACES, len(FACES))
    return " ".join(["setup", *map("{}={}".format, squares, faces)])


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
    if now.phase == "setup":
        return random_set_up(rng, ARMIES[(now.to_move or 0) - 1])
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
