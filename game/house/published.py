"""What a board publishes, in JSON, and Home Assistant discovery; `docs/house.md` describes it.

`VERSION` goes up when a program that reads it must change.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from game.common import AppError, Words
from game.play import Snapshot
from game.remote.address import Address, read_broker
from game.rules.base.message import say
from game.rules.base.values import Json
from game.store import StoredGame
from game.table import Phase
from game.web import game_view

VERSION = 1
ONLINE, OFFLINE = "online", "offline"
DISCOVERY = "homeassistant"
STATE, RESULTS, AVAILABILITY = "state", "results", "availability"
COMMAND, BRIGHTNESS, NIGHT, ERROR = "command", "brightness/set", "night/set", "error"
"""The topics of a board, below its own."""
LEAST_PERCENT, MOST_PERCENT = 5, 100
ON, OFF = "ON", "OFF"
NEW_GAME = '{"do": "command", "name": "new_game"}'
_LONGEST_PREFIX = 100
_ALLOWED = (
    "mqtt://HOST/PREFIX or mqtts://USER@HOST/PREFIX?password_file=FILE&ca_file=FILE&control=1"
)
PLAYING, PAUSED, OVER, SETTING_UP, OTHER = "playing", "paused", "over", "setting_up", "other"
_SETTING_UP = (Phase.SET_UP, Phase.ARRANGE, Phase.MENU)


@dataclass(frozen=True, slots=True)
class Seen:
    """A moment of a game to publish: the public view, the lights, and the time in seconds.

    `plays` is false where no game is played, as in a tutorial. `number` is that of the game in the
    history, None while it is not on disk.
    """

    snapshot: Snapshot
    plays: bool
    number: int | None
    percent: int
    night: bool
    at: float


@dataclass(frozen=True, slots=True)
class Publishing:
    """Where a board publishes: a broker, and the prefix of its topics, which is the address's code.

    With `control` messages may do what a page with the PIN may do.
    """

    address: Address
    control: bool

    @property
    def prefix(self) -> str:
        return self.address.code


def read_publishing(text: str) -> Publishing:
    """Read the address of `--publish`; raises AppError."""
    address, more = read_broker(text, "topic", _ALLOWED, ("control",))
    prefix = address.code
    # A topic name has no wildcards (MQTT 5, 4.7).
    wrong = not prefix.isprintable() or set(prefix) & {"+", "#"} or prefix.startswith("$")
    if wrong or len(prefix) > _LONGEST_PREFIX or not all(prefix.split("/")):
        raise AppError(
            f"the topic is {prefix!r}; allowed: at most {_LONGEST_PREFIX} printable characters"
            " without + and #, in parts between /"
        )
    if more.get("control", "1") != "1":
        raise AppError(f"control of the topic is {more['control']!r}; allowed: 1")
    return Publishing(address, "control" in more)


def state(seen: Seen, words: Words) -> Json:
    """Describe the game and the lights in one language; a hidden piece is its side only."""
    game, now, scene = seen.snapshot.game, seen.snapshot.state, seen.snapshot.scene
    pieces, clocks = now.expected, now.clocks
    names = players(seen.snapshot, words)
    to_move = scene.turn if now.outcome is None and seen.plays else None
    return {
        "version": VERSION,
        "program": version("lifeboard"),
        "game": game.name,
        "title": game.title,
        "number": seen.number,
        "status": _status(seen),
        "ready": now.phase is Phase.TAP and not now.faults.reasons,
        "players": names,
        "levels": now.levels,
        "sides": [game_view.seat(game, now.position, n)["side"] for n in range(1, len(names) + 1)],
        "to_move": to_move,
        "turn": names[to_move - 1] if to_move else None,
        "moves": len(now.history),
        "last_move": now.history[-1].text if now.history else None,
        "pieces": {cell: game.presentation.side(piece) for cell, piece in sorted(pieces.items())},
        "scores": scene.score,
        "clock": clocks
        and {"left": [round(s, 1) for s in clocks.left_at(seen.at)], "running": clocks.running},
        "winner": names[now.outcome.winner - 1] if now.outcome and now.outcome.winner else None,
        "outcome": words.text(now.outcome.message) if now.outcome else None,
        "brightness": seen.percent,
        "night": seen.night,
    }


def players(snapshot: Snapshot, words: Words) -> list[str]:
    """Return each player's name, or what the game calls that side."""
    now = snapshot.state
    named = enumerate(now.all_names, start=1)
    return [name or words.text(now.called(player)) for player, name in named]


def results(games: Iterable[StoredGame]) -> Json:
    """Describe games, oldest first, by when they `started`; `reason` is null if one is not over."""
    return {
        "version": VERSION,
        "results": [
            {
                "started": each.started,
                "ended": each.ended,
                "game": each.game,
                "players": list(each.names),
                "winner": each.winner,
                "reason": each.reason,
                "moves": each.plies,
            }
            for each in games
        ],
    }


def discovery(prefix: str, title: str, words: Words) -> dict[str, Json]:
    """Return what Home Assistant discovers, https://www.home-assistant.io/integrations/mqtt/."""
    # The board's name there, unique for its topic.
    plain = re.fullmatch(r"[A-Za-z0-9/-]+", prefix)
    node = prefix.replace("/", "_") if plain else f"_{prefix.encode().hex()}"
    common: dict[str, Any] = {
        "availability_topic": f"{prefix}/{AVAILABILITY}",
        "device": {
            "identifiers": [f"lifeboard_{node}"],
            "name": title,
            "manufacturer": "lifeboard",
            "sw_version": version("lifeboard"),
        },
        "origin": {"name": "lifeboard", "sw_version": version("lifeboard")},
    }

    def reads(key: str) -> Json:
        return {
            "state_topic": f"{prefix}/{STATE}",
            "value_template": f"{{{{ value_json.{key} | default('', true) }}}}",
        }

    entities: dict[tuple[str, str], Json] = {
        ("sensor", "status"): {
            **reads("status"),
            "device_class": "enum",
            "options": [PLAYING, PAUSED, OVER, SETTING_UP, OTHER],
            "icon": "mdi:checkerboard",
        },
        ("sensor", "turn"): {**reads("turn"), "icon": "mdi:account-arrow-right"},
        ("sensor", "winner"): {**reads("winner"), "icon": "mdi:trophy"},
        ("number", "brightness"): {
            **reads("brightness"),
            "command_topic": f"{prefix}/{BRIGHTNESS}",
            "min": LEAST_PERCENT,
            "max": MOST_PERCENT,
            "unit_of_measurement": "%",
            "icon": "mdi:brightness-6",
        },
        ("switch", "night"): {
            "state_topic": f"{prefix}/{STATE}",
            "value_template": "{{ 'ON' if value_json.night else 'OFF' }}",
            "command_topic": f"{prefix}/{NIGHT}",
            "payload_on": ON,
            "payload_off": OFF,
            "icon": "mdi:weather-night",
        },
        ("button", "new_game"): {
            "command_topic": f"{prefix}/{COMMAND}",
            "payload_press": NEW_GAME,
            "icon": "mdi:restart",
        },
    }
    return {
        f"{DISCOVERY}/{kind}/{node}/{name}/config": {
            "name": words.text(say(f"house.{name}")),
            "unique_id": f"lifeboard_{node}_{name}",
            **entity,
            **common,
        }
        for (kind, name), entity in entities.items()
    }


def _status(seen: Seen) -> str:
    now = seen.snapshot.state
    if not seen.plays:
        return OTHER
    if now.faults.reasons:
        return PAUSED
    if now.phase in _SETTING_UP:
        return SETTING_UP
    return OVER if now.outcome or now.phase is Phase.OVER else PLAYING
