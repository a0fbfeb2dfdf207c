"""How cues look: each has a colour and a rhythm; and how bright the board is by day and by night.

Owns the only table that turns a light's meaning into its glow. Cues that cells show at one moment
differ in rhythm, or clearly in brightness, so that they can be told apart without seeing colours; a
hidden piece that is shown brings its own rhythm.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from functools import cache

from game.table import Cue, Lamp, Phase, Scene
from hal.lights import WHITE, Colour, Glow, Layer, Rhythm, flashes
from hal.profile import Profile


@dataclass(frozen=True, slots=True)
class Style:
    """One cue's look: its rhythm, its colour (None: the side's), its level from 0 to 1."""

    rhythm: Rhythm
    colour: Colour | None = None
    level: float = 1.0


CELL_STYLES: Mapping[Cue, Style] = {
    Cue.LEGAL: Style(Rhythm.STEADY, level=0.4),
    Cue.PLACED: Style(Rhythm.WINK),
    Cue.CRITTER: Style(Rhythm.STEADY, level=0.8),
    Cue.CHOSEN: Style(Rhythm.WINK, WHITE),
    Cue.REMOVE: Style(Rhythm.PULSE, Colour(255, 60, 60)),
    Cue.PUT: Style(Rhythm.BEAT),
    Cue.WRONG: Style(Rhythm.FLASH, Colour(255, 0, 0)),
    Cue.PREY: Style(Rhythm.BEAT, Colour(60, 255, 90)),
    Cue.PREDATOR: Style(Rhythm.BLINK, Colour(255, 40, 200)),
    Cue.DRAW: Style(Rhythm.RUN, WHITE),
    Cue.WIN: Style(Rhythm.BREATHE),
    Cue.CURSOR: Style(Rhythm.LIMP),
    Cue.FAULT: Style(Rhythm.LIMP, Colour(150, 60, 255)),
    Cue.FELT: Style(Rhythm.WINK, WHITE),
    Cue.STANDS: Style(Rhythm.BREATHE, level=0.9),
    Cue.PROPOSED: Style(Rhythm.BEAT),
    Cue.HINT: Style(Rhythm.BREATHE, WHITE),
    Cue.ENDANGERED: Style(Rhythm.PULSE, Colour(255, 60, 60)),
    Cue.EDIBLE: Style(Rhythm.BEAT, Colour(60, 255, 90)),
    Cue.GOOD: Style(Rhythm.BREATHE, Colour(0, 255, 140)),
    Cue.INACCURACY: Style(Rhythm.PULSE, Colour(190, 255, 0)),
    Cue.MISTAKE: Style(Rhythm.BEAT, Colour(255, 190, 0)),
    Cue.BLUNDER: Style(Rhythm.BLINK, Colour(255, 60, 0)),
    Cue.LOSING: Style(Rhythm.LIMP, Colour(255, 0, 110)),
    Cue.TURNED: Style(Rhythm.RUN),
    Cue.SWAP: Style(Rhythm.BLINK),
    Cue.MARK: Style(Rhythm.WINK, Colour(60, 230, 200)),
    Cue.OTHER_MARK: Style(Rhythm.PULSE, Colour(255, 70, 160)),
}
"""How each cue glows, except `Cue.FACE`, whose lamps carry their own look."""
CONTACT = Glow(WHITE.scaled(0.6))
"""A touch that may be noise: brighter than a cell that can be touched, darker than a touch."""
LEAST_LEAD = 0.2
"""Least difference between the players' chances that is shown: two searches may differ by that."""
RANK_LEVEL = 0.45  # Level of the next best hint relative to the best one


def light_layers(scene: Scene, lights: Mapping[str, int]) -> tuple[Layer, ...]:
    """Turn a scene into layers; `lights` counts the lights of each group, which may be a key's."""
    cells = {cell: _glow(lamp, scene.hues) for cell, lamp in scene.cells.items()}
    cells.update(_faces(scene))
    legend = {
        f"{scene.legend_lights}.{n}": _glow(lamp, scene.hues) for n, lamp in scene.legend.items()
    }
    keys = {
        f"{key}.{n}": _glow(lamp, scene.hues)
        for key, lamp in scene.keys.items()
        for n in range(lights.get(key, 0))
    }
    scores = {**_chances(scene, lights), **_scores(scene, lights)}
    return cells, legend, scores, _turns(scene, lights), keys


def _colour(side: int | None, hues: tuple[str, ...]) -> Colour:
    return WHITE if side is None else _hue(hues[(side - 1) % len(hues)])


@cache
def _hue(text: str) -> Colour:
    return Colour(*bytes.fromhex(text.removeprefix("#")))


@cache
def _glow(lamp: Lamp, hues: tuple[str, ...]) -> Glow:
    """Make a lamp's glow; equal lamps share one, so that the device computes it only once."""
    if lamp.cue is Cue.FACE:
        return Glow(_colour(lamp.side, hues))
    style = CELL_STYLES[lamp.cue]
    colour = style.colour or _colour(lamp.side, hues)
    return Glow(colour.scaled(style.level * RANK_LEVEL**lamp.rank), style.rhythm, lamp.phase)


def _faces(scene: Scene) -> Layer:
    """Show hidden pieces in turn, in move order: two lights cannot be counted at once."""
    signals = {cell: lamp.signal for cell, lamp in scene.cells.items() if lamp.signal is not None}
    glows = {cell: Glow(_hue(signal.hue)) for cell, signal in signals.items()}
    flashing = [cell for cell, signal in signals.items() if signal.flashes]
    counts = tuple(signals[cell].flashes for cell in flashing)
    for turn, cell in enumerate(flashing):
        rhythm = flashes(counts, turn)
        start = (scene.shown_at or 0.0) / rhythm.period_s
        glows[cell] = Glow(_hue(signals[cell].hue), rhythm, start)
    return glows


def _scores(scene: Scene, lights: Mapping[str, int]) -> Layer:
    """Fill each player's bar in proportion to their nearest goal; the first point shows."""
    glows: dict[str, Glow] = {}
    for player in range(1, len(scene.score) + 1):
        length = lights.get(f"score{player}", 0)
        filled = [
            min(length, max(goal.reached * length // goal.wanted, 1))
            for goal in scene.goals
            if goal.player == player and not goal.of_match and min(goal.reached, goal.wanted) > 0
        ]
        glow = Glow(_of_player(scene, player).scaled(0.8))
        glows.update({f"score{player}.{n}": glow for n in range(max(filled, default=0))})
    return glows


def _chances(scene: Scene, lights: Mapping[str, int]) -> Layer:
    """Let the last light of the bar of the player who stands better breathe, if that is clear."""
    lead = 2 * scene.chances - 1 if scene.chances is not None else 0.0
    player = 1 if lead > 0 else 2
    if abs(lead) < LEAST_LEAD or not (length := lights.get(f"score{player}", 0)):
        return {}
    glow = Glow(_of_player(scene, player).scaled((1 + abs(lead)) / 2), Rhythm.BREATHE)
    return {f"score{player}.{length - 1}": glow}


def _of_player(scene: Scene, player: int) -> Colour:
    side = scene.sides[player - 1] if player <= len(scene.sides) else player
    return _colour(side, scene.hues)


def _turns(scene: Scene, lights: Mapping[str, int]) -> Layer:
    """Light the turn lights; while the first player is drawn they run in turn."""
    glows: dict[str, Glow] = {}
    players = len(scene.score)
    for player in range(1, players + 1):
        colour = _of_player(scene, player)
        for n in range(lights.get(f"turn{player}", 0)):
            if scene.phase is Phase.DRAW:
                glow = Glow(colour, Rhythm.RUN, (player - 1) / players)
            elif player == scene.turn:
                over = scene.phase is Phase.OVER
                rhythm = Rhythm.BREATHE if over else Rhythm.STEADY
                rhythm = Rhythm.BLINK if scene.time_short else rhythm
                rhythm = Rhythm.PULSE if scene.thinking else rhythm
                glow = Glow(colour, Rhythm.LIMP if scene.unsaved else rhythm)
            else:
                continue
            glows[f"turn{player}.{n}"] = glow
    return glows


class NightMode(Enum):
    """Who decides: the clock with the profile's hours, or the command line."""

    AUTO = "auto"
    ON = "on"
    OFF = "off"


DIMMED = 0.3  # Night brightness relative to day, where the profile does not set it


class Dimmer:
    """The brightness of the strip, 0 to 1, from any thread; `percent` scales the profile's."""

    def __init__(self, profile: Profile, mode: NightMode = NightMode.AUTO) -> None:
        self._day, self._hours = profile.power.brightness, profile.night
        self._night = self._day * DIMMED if self._hours is None else self._hours.brightness
        self.mode = mode
        self.percent = 100

    def __call__(self) -> float:
        return (self._night if self._is_dark() else self._day) * self.percent / 100

    @property
    def is_night(self) -> bool:
        return self._is_dark() and self._night < self._day

    def _is_dark(self) -> bool:
        if self.mode is not NightMode.AUTO:
            return self.mode is NightMode.ON
        time = datetime.now()
        return self._hours is not None and self._hours.covers(60 * time.hour + time.minute)
