"""Circle of Life: its web of species as a game, and its own words."""

from collections.abc import Mapping

from game.rules.base.message import Message, say
from game.rules.food_web.game import FoodWebGame
from game.rules.food_web.presentation import EAT, EATEN, SPECIES, FoodWebPresentation
from game.rules.food_web.web import FoodWeb, Species

CIRCLE: tuple[Species, ...] = (
    Species("singleton", say("species.singleton"), ((0, 0),)),
    Species("pair", say("species.pair"), ((0, 0), (1, 0))),
    Species("bend", say("species.bend"), ((0, 0), (1, 0), (1, 1))),
    Species("line", say("species.line"), ((0, 0), (1, 0), (2, 0))),
    Species("triangle", say("species.triangle"), ((0, 0), (1, 0), (0, 1))),
    Species("key", say("species.key"), ((0, 0), (1, 0), (2, 0), (0, 1))),
    Species("sled", say("species.sled"), ((0, 0), (1, 0), (2, 0), (2, 1))),
    Species("arch", say("species.arch"), ((0, 0), (1, 0), (1, 1), (0, 2))),
    Species("snake", say("species.snake"), ((0, 0), (1, 0), (1, 1), (2, 1))),
    Species("diamond", say("species.diamond"), ((0, 0), (1, 0), (0, 1), (1, 1))),
    Species("propeller", say("species.propeller"), ((0, 0), (1, 0), (-1, 1), (0, -1))),
    Species("four-line", say("species.four_line"), ((0, 0), (1, 0), (2, 0), (3, 0))),
)
"""The twelve species in order: each eats the one before it, the first eats the last."""

WEB = FoodWeb(5, CIRCLE, {each.name: CIRCLE[n - 1].name for n, each in enumerate(CIRCLE)})


class CirclePresentation(FoodWebPresentation):
    """The words and the legend of Circle of Life."""

    about = say("circle_of_life.about")
    critter_rules = (say("circle_of_life.rule_critter"), SPECIES, EAT)
    legend_lights = "circle"
    meanings: Mapping[str, Message] = {
        EATEN.key: say("circle_of_life.about_eaten"),
        "circle_of_life.won_full": say("circle_of_life.about_full"),
    }
    notation = say("circle_of_life.notation")


class CircleOfLife(FoodWebGame):
    """Twelve species, each eats exactly one other; to win, eat 20 stones or be unable to place."""

    name = "circle-of-life"
    title = "Circle of Life"
    web = WEB
    words = CirclePresentation


GAME = CircleOfLife()
