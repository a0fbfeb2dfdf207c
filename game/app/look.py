"""How cues look: each meaning its colour and its own rhythm.

Owns the only table that turns what a light means into how it glows. The rhythms of cues on cells
all differ, so that nobody needs to tell colours apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from game.table.scene import Cue, Lamp, Scene
from game.table.state import Phase
from hal.colour import WHITE, Colour
from hal.light import Glow, Layer
from hal.rhythm import Rhythm

PLAYER_COLOURS = (Colour(255, 120, 20), Colour(40, 110, 255), Colour(230, 220, 90))


@dataclass(frozen=True, slots=True)
class Style:
    """One cue's look: its rhythm, its colour (None: the player's), its level from 0 to 1."""

    rhythm: Rhythm
    colour: Colour | None = None
    level: float = 1.0


CELL_STYLES: Mapping[Cue, Style] = {
    Cue.LEGAL: Style(Rhythm.STEADY, level=0.45),
    Cue.PLACED: Style(Rhythm.WINK),
    Cue.CRITTER: Style(Rhythm.SWAY, level=0.75),
    Cue.CHOSEN: Style(Rhythm.DIP, WHITE),
    Cue.REMOVE: Style(Rhythm.PULSE, Colour(255, 60, 60)),
    Cue.PUT: Style(Rhythm.BEAT),
    Cue.WRONG: Style(Rhythm.FLASH, Colour(255, 0, 0)),
    Cue.PREY: Style(Rhythm.TRIPLE, Colour(60, 255, 90)),
    Cue.PREDATOR: Style(Rhythm.OFFBEAT, Colour(255, 40, 200)),
    Cue.DRAW: Style(Rhythm.RUN, WHITE),
    Cue.WIN: Style(Rhythm.BREATHE),
    Cue.CURSOR: Style(Rhythm.BLINK),
    Cue.FAULT: Style(Rhythm.LIMP, Colour(150, 60, 255)),
    Cue.FELT: Style(Rhythm.TREMBLE, WHITE),
    Cue.STANDS: Style(Rhythm.SWELL, level=0.9),
    Cue.PROPOSED: Style(Rhythm.KNOCK),
    Cue.HINT: Style(Rhythm.FADE, WHITE),
    Cue.ENDANGERED: Style(Rhythm.FALTER, Colour(255, 60, 60)),
    Cue.EDIBLE: Style(Rhythm.GLIMPSE, Colour(60, 255, 90)),
}
RANK_LEVEL = 0.45
"""So much of a hint's level the next best one has."""


def layers(scene: Scene, lights: Mapping[str, int]) -> tuple[Layer, ...]:
    """Turn a scene into layers of glows; `lights` says how many of each group the board has."""
    cells = {cell: _glow(lamp) for cell, lamp in scene.cells.items()}
    legend = {f"circle.{n}": _glow(lamp) for n, lamp in scene.legend.items()}
    return cells, legend, _scores(scene, lights), _turns(scene, lights)


def _colour(player: int | None) -> Colour:
    return WHITE if player is None else PLAYER_COLOURS[(player - 1) % len(PLAYER_COLOURS)]


@cache
def _glow(lamp: Lamp) -> Glow:
    """Make a lamp's glow; equal lamps share one, which the device then works out only once."""
    style = CELL_STYLES[lamp.cue]
    colour = style.colour or _colour(lamp.player)
    return Glow(colour.scaled(style.level * RANK_LEVEL**lamp.rank), style.rhythm, lamp.phase)


def _scores(scene: Scene, lights: Mapping[str, int]) -> Layer:
    """Fill each bar in proportion to the goal; the first point already shows."""
    glows: dict[str, Glow] = {}
    if scene.goal is None:
        return glows
    for player, score in enumerate(scene.score, start=1):
        length = lights.get(f"score{player}", 0)
        lit = min(length, max(score * length // scene.goal, 1 if score else 0))
        glow = Glow(_colour(player).scaled(0.8))
        glows.update({f"score{player}.{n}": glow for n in range(lit)})
    return glows


def _turns(scene: Scene, lights: Mapping[str, int]) -> Layer:
    """Light the turn lights; while the beginner is drawn they run after one another.

    One ponders while a computer player thinks. They limp while the game is not being kept.
    """
    glows: dict[str, Glow] = {}
    players = len(scene.score)
    for player in range(1, players + 1):
        for n in range(lights.get(f"turn{player}", 0)):
            if scene.phase is Phase.DRAW:
                glow = Glow(_colour(player), Rhythm.RUN, (player - 1) / players)
            elif player == scene.turn:
                over = scene.phase is Phase.OVER
                rhythm = Rhythm.BREATHE if over else Rhythm.STEADY
                rhythm = Rhythm.PONDER if scene.thinking else rhythm
                glow = Glow(_colour(player), Rhythm.LIMP if scene.unkept else rhythm)
            else:
                continue
            glows[f"turn{player}.{n}"] = glow
    return glows
