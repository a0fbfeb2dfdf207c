"""Two emulated boards in one game, over a channel that loses, doubles, delays and reorders.

Time is virtual: nothing here waits. A board's plug can be pulled, and the channel cut.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from game.remote.link import Link, RecordFile
from game.remote.partner import Partner
from game.remote.shared_game import Setting
from game.rules.base.game import Game
from game.rules.base.message import Message, say
from game.rules.base.names import player_name
from game.table.inputs import Asked, Command
from game.table.phases import Phase
from game.table.scene import Cue
from hal.profile import Profile
from tests.helpers.boards.emulated_game import EmulatedGame
from tests.helpers.remote.wire import KEYS, Wire


class Network:
    """Messages in transit between two boards, and the last one of each, as a broker retains it."""

    def __init__(
        self,
        seed: int = 1,
        lost: float = 0.0,
        doubled: float = 0.0,
        delay_s: float = 0.0,
        persistent: bool = False,
    ):
        self.chance = Random(seed)
        self.lost, self.doubled, self.delay_s = lost, doubled, delay_s
        self.cut = {1: False, 2: False}
        self.connections = {1: 1, 2: 1}
        self.persistent = persistent
        self.retained: dict[int, bytes] = {}
        self.saved: dict[int, bytes] = {}
        self.under_way: dict[int, list[tuple[float, bytes, bool]]] = {1: [], 2: []}
        self.now = 0.0

    def send(self, side: int, payload: bytes) -> None:
        if self.cut[side]:
            return
        self.retained[side] = payload
        for _ in range(1 + (self.chance.random() < self.doubled)):
            if self.chance.random() >= self.lost and not self.cut[3 - side]:
                at = self.now + self.chance.random() * self.delay_s
                self.under_way[3 - side].append((at, payload, False))

    def arrived(self, side: int) -> list[tuple[bytes, bool]]:
        due = sorted(each for each in self.under_way[side] if each[0] <= self.now)
        self.under_way[side] = [each for each in self.under_way[side] if each[0] > self.now]
        return [] if self.cut[side] else [(payload, retained) for _, payload, retained in due]

    def set_cut(self, side: int, cut: bool) -> None:
        """Cut a side off, or connect it again, which delivers both retained messages."""
        if self.cut[side] and not cut:
            self._connect(side)
        self.cut[side] = cut

    def _connect(self, side: int) -> None:
        self.connections[side] += 1
        self.under_way[side] += [(self.now, payload, True) for payload in self.retained.values()]

    def interrupt(self) -> None:
        """Break both connections; what was retained or in transit is lost.

        A persistent broker delivers what it had retained when it was restarted before.
        """
        self.retained, self.saved = dict(self.saved) if self.persistent else {}, self.retained
        for side in (1, 2):
            self.under_way[side].clear()
            if not self.cut[side]:
                self._connect(side)

    def channel(self, side: int, _: Callable[[], None]) -> "NetworkChannel":
        return NetworkChannel(self, side)

    def run(self) -> None:
        """Do nothing: messages that are due arrive when asked for."""

    def close(self) -> None:
        pass

    def mend(self) -> None:
        """Lose and delay no message from now on."""
        self.lost = self.doubled = self.delay_s = 0.0
        for side in (1, 2):
            self.set_cut(side, False)


class NetworkChannel:
    """One side's channel."""

    def __init__(self, network: Network | Wire, side: int) -> None:
        self.network, self.side = network, side

    @property
    def connections(self) -> int:
        return 0 if self.network.cut[self.side] else self.network.connections[self.side]

    @property
    def trouble(self) -> Message | None:
        return say("remote.connecting", broker="air") if self.network.cut[self.side] else None

    def take(self) -> list[tuple[bytes, bool]]:
        return self.network.arrived(self.side)

    def send(self, payload: bytes) -> None:
        self.network.send(self.side, payload)

    def close(self) -> None:
        pass


class RemoteBoard:
    """One board, from the start of its program to its end; `folder` is its disk."""

    def __init__(
        self,
        network: Network | Wire,
        side: int,
        folder: Path,
        game: Game[Any, Any],
        profile: Profile,
        mode: str,
        options: Mapping[str, str] | None = None,
        name: str = "",
        start: int = 1,
    ) -> None:
        self.network, self.side, self.start = network, side, start
        self.again: Callable[[], RemoteBoard] = lambda: RemoteBoard(
            network, side, folder, game, profile, mode, options, name, self.start + 1
        )
        chosen = {"first": "1", **(options or {})}
        self.record = RecordFile(folder, KEYS, side)
        name = player_name(name)
        setting = Setting(game, KEYS, side, f"{side}{start}", "1", chosen, name)
        self.link = Link(
            setting,
            self.record,
            lambda wake: network.channel(side, wake),
            clock=lambda: network.now,
            threaded=False,
        )
        network.set_cut(side, True)
        network.set_cut(side, False)
        sensing = replace(profile.sensing, mode=mode, poll_ms=2000)
        self.board = EmulatedGame(
            replace(profile, sensing=sensing),
            folder,
            game=game,
            partner=Partner(self.link),
            automatic=True,
            levels=("1",),
            now=network.now,
            lively=False,
            coarse_s=0.04,
        )

    def run(self, until: float) -> None:
        self.link.turn()
        self.board.run(until - self.board.now)
        self.link.turn()

    def ask(self, command: Command) -> None:
        self.board.session.give(Asked(command))

    def pull_plug(self) -> "RemoteBoard":
        """Cut the power, and start again."""
        self.close(plug=True)
        return self.again()

    def close(self, plug: bool = False) -> None:
        with suppress(OSError):
            self.record.close()
        self.board.pull_plug() if plug else self.board.close()

    @property
    def moves(self) -> list[str]:
        """The moves at the table."""
        return [played.text for played in self.board.table.state.history]

    @property
    def is_to_move(self) -> bool:
        """Whether a person enters a move here now."""
        state = self.board.table.state
        player = self.board.game.to_move(state.position)
        return state.phase is Phase.TAP and player == self.side and not state.level_of(player)


class Pair:
    """Two boards whose clocks advance together."""

    def __init__(
        self,
        folder: Path,
        game: Game[Any, Any],
        profile: Profile,
        network: Network | Wire | None = None,
        mode: str = "touch",
        options: Mapping[str, str] | None = None,
        names: tuple[str, str] = ("P1", "P2"),
    ) -> None:
        self.network = Network() if network is None else network
        given = game, profile, mode, options
        self.boards = {
            side: RemoteBoard(self.network, side, folder / str(side), *given, name)
            for side, name in enumerate(names, start=1)
        }
        self._confirmed: dict[int, list[str]] = {1: [], 2: []}
        self.network.now = max(each.board.now for each in self.boards.values())

    def run(self, seconds: float, step_s: float = 0.5) -> None:
        end = self.network.now + seconds
        while self.network.now < end:
            self.network.now += step_s
            self.network.run()
            for board in self.boards.values():
                board.run(self.network.now)

    def pull_plug(self, side: int) -> None:
        self.boards[side] = self.boards[side].pull_plug()
        self.catch_up()

    def hand(self, side: int, chance: Random) -> bool:
        """Let a person at a board make a move of one touch; False where it is not their turn."""
        board = self.boards[side].board
        if not self.boards[side].is_to_move:
            return False
        lamps = board.table.scene().cells
        lit = [each for each in board.game.board.cells if each in lamps]
        lit = [each for each in lit if lamps[each].cue is Cue.LEGAL]
        cell = chance.choice(lit)
        if not board.profile.sensing.stones:
            board.tap(cell)
        else:
            board.pi.press("hand", cell)
            board.run(1.0)
        self.catch_up()
        return True

    def catch_up(self) -> None:
        """Let the time of both be that of the board which is ahead."""
        self.network.now = max(each.board.now for each in self.boards.values())

    def check(self) -> None:
        """Check that no board lost an entry, and that the shorter record starts the longer one."""
        for side, board in self.boards.items():
            before, chain = self._confirmed[side], board.link.game.chain
            assert [entry.hash for entry in chain[: len(before)]] == before
            before += (entry.hash for entry in chain[len(before) :])
            assert board.link.game.differs is None
            trouble = board.link.trouble
            assert trouble is None or trouble.key == "remote.unsent", trouble
        short, long = sorted(self._confirmed.values(), key=len)
        assert long[: len(short)] == short

    def check_same(self) -> None:
        """Both boards show the same game."""
        one, two = self.boards.values()
        assert one.link.game.chain == two.link.game.chain
        assert one.moves == two.moves
        assert one.board.text == two.board.text
        assert one.board.table.state.names == two.board.table.state.names
        for each in (one, two):
            shared, state = each.link.game.state, each.board.table.state
            assert shared is not None
            assert state.outcome == shared.outcome
            assert each.link.trouble is None

    def close(self) -> None:
        for board in self.boards.values():
            board.close()
        self.network.close()
