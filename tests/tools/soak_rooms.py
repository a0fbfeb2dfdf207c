"""Games on two boards over a bad line: `python -m tests.tools.soak_rooms`, or `make soak-rooms`.

Owns what happens to line, broker and boards, and the figures. What must be true at each moment is
in `tests.helpers.remote.pair`.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from contextlib import closing
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

from tqdm import tqdm  # type: ignore[import-untyped]

from game.play import default_board, fits_board
from game.rules.base.names import player_name
from game.rules.base.registry import find_game
from game.table.inputs import Command, Phrase, Say
from hal.profile import built_in
from tests.helpers.boards.game_hands import GameHands
from tests.helpers.names import AWKWARD
from tests.helpers.remote.pair import Network, Pair
from tests.helpers.remote.wire import Wire

MEMORY = Path("/dev/shm")
LONGEST_S = 8 * 3600.0
"""Virtual time after which a game does not end."""
CLOCKS = ("none", "none", "fischer:300+3", "move:120")
MISHAP = 0.15
"""Chance of a mishap in each turn."""
STEP_S = 1.0
"""How often a side takes what has arrived."""
SMALLEST = "bench-7"
"""A board with one chip, for games of 7 cells."""
ONE_TOUCH = "circle-of-life"
"""The game with one-touch moves, so that presence boards can play it too."""


def main() -> int:
    """Run the command line and return its exit status: 1 if boards differed."""
    parser = argparse.ArgumentParser(
        "soak-rooms",
        description=(
            "Play whole games between two emulated boards on a virtual clock, over a channel that"
            " delays messages by up to 5 s, drops, doubles and reorders them, and is cut for up to"
            " three minutes; the broker restarts, and plugs are pulled. Each game must end, with"
            " the same record, position and result on both boards."
        ),
    )
    add = parser.add_argument
    add("--games", type=int, default=20, help="how many (%(default)s)")
    help_ = "over a direct line, which breaks, instead of a broker"
    add("--direct", action="store_true", help=help_)
    add("--game", default=ONE_TOUCH, help="what is played (%(default)s)")
    add("--seed", type=int, default=1, help="seed of the first game (%(default)s)")
    help_ = "keep each game's figures in this file, and go on after those there"
    add("--results", default=os.devnull, help=help_)
    add("--jobs", type=int, default=1, help="processes (%(default)s)")
    options = parser.parse_args()
    name, direct, results = options.game, options.direct, Path(options.results)
    # A game that was broken off has no line, and is played again.
    lines = results.read_text().splitlines() if results.exists() else []
    done = [json.loads(line) for line in lines]
    game = name + ", direct" * direct
    played = {seed for each, seed, _, _ in done if each == game}
    left = [n for n in range(options.seed, options.seed + options.games) if n not in played]
    with get_context("spawn").Pool(options.jobs) as pool, results.open("a") as writing:
        games = pool.imap(partial(play, name, direct=direct), left)
        for seed, (figures, why) in zip(left, tqdm(games, total=len(left)), strict=True):
            done.append((game, seed, figures, why))
            print(json.dumps(done[-1]), file=writing, flush=True)
    counts, wrong = Counter[str](), [why for *_, why in done if why]
    for _, _, figures, _ in done:
        counts.update(figures)
    for what, count in sorted(counts.items()):
        print(f"{what:20} {count}")
    print(f"{len(done)} games, {len(wrong)} differed or did not end", *wrong, sep="\n")
    return int(bool(wrong))


def play(name: str, seed: int, direct: bool = False, turns: int = 0) -> tuple[Counter[str], str]:
    """Play a game, or its first turns; return what happened, and why it failed or ""."""
    counts: Counter[str] = Counter()
    where = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="lifeboard-rooms-", dir=where) as folder:
        try:
            _play(name, seed, Path(folder), counts, direct, turns)
        except Exception as error:
            how = f"--game {name} --seed {seed}{' --direct' * direct}"
            return counts, f"{how}: {type(error).__name__}: {error}"
    return counts, ""


def _play(
    name: str, seed: int, folder: Path, counts: Counter[str], direct: bool, turns: int
) -> None:
    chance, game, board = Random(seed), find_game(name), built_in(SMALLEST)
    mode = ("touch", "presence")[seed % 2] if name == ONE_TOUCH else "touch"
    if not fits_board(board, game):
        board = default_board("sim", game)
    persistent = chance.random() < 0.5
    bad = {"doubled": 0.2, "delay_s": 5.0}
    network = Wire(seed, **bad) if direct else Network(seed, 0.2, **bad, persistent=persistent)
    options = {"clock": chance.choice(CLOCKS), "first": chance.choice("12")}
    names = chance.choice(AWKWARD), chance.choice(AWKWARD)
    with closing(Pair(folder, game, board, network, mode, options, names)) as pair:
        mends = {1: 0.0, 2: 0.0}
        end = network.now + LONGEST_S
        while not turns or counts["turns"] < turns:
            if all(each.board.table.state.outcome is not None for each in pair.boards.values()):
                break
            counts["turns"] += 1
            assert network.now < end, "it does not end"
            for side in (1, 2):
                if network.cut[side] and network.now >= mends[side]:
                    network.set_cut(side, False)
                if name == ONE_TOUCH:
                    pair.hand(side, chance)
                elif pair.boards[side].is_to_move:
                    GameHands(pair.boards[side].board, board, game).move(chance)
                    pair.catch_up()
            if chance.random() < MISHAP:
                _mishap(pair, chance, mends, counts)
            pair.run(chance.choice((0.5, 1, 2, 8)), STEP_S)
            pair.check()
        counts["virtual minutes"] += int(network.now / 60)
        network.mend()
        pair.run(60, STEP_S)
        pair.check()
        pair.check_same()
        state = pair.boards[1].board.table.state
        assert (state.names or ("", "")) == tuple(map(player_name, names))
        counts["games, persistent broker"] += network.persistent
        counts["moves"] += len(state.history)
        chain = pair.boards[1].link.game.chain
        counts.update(f"entry: {entry.kind.value}" for entry in chain)
        counts[f"games, {mode}"] += 1
        if state.outcome is not None:
            counts[f"end: {state.outcome.reason}"] += 1


def _mishap(pair: Pair, chance: Random, mends: dict[int, float], counts: Counter[str]) -> None:
    side, network = chance.choice((1, 2)), pair.network
    kinds = ("cut", "cut", "break", "plug", "plug", "both plugs", "take back", "ask", "phrase")
    kind, own = chance.choice(kinds), pair.boards[side]
    match kind:
        case "cut":
            network.set_cut(side, True)
            mends[side] = network.now + chance.uniform(5, 180)
        case "break":
            network.interrupt()
        case "plug":
            pair.pull_plug(side)
        case "both plugs":
            pair.pull_plug(1)
            pair.pull_plug(2)
        case "take back":
            own.ask(Command.TAKE_BACK)
            if chance.random() < 0.7:
                pair.boards[3 - side].ask(Command.TAKE_BACK)
                pair.run(12)
        case "ask":
            own.ask(chance.choice((Command.DRAW, Command.NEW_GAME, Command.TAKE_BACK)))
            if chance.random() < 0.03:
                # The second press within a short time confirms.
                own.ask(Command.RESIGN)
                pair.run(1)
                own.ask(Command.RESIGN)
        case "phrase":
            own.board.session.give(Say(chance.choice(list(Phrase))))
    counts[f"mishap: {kind}"] += 1


if __name__ == "__main__":
    sys.exit(main())
