"""The circle of species of Circle of Life, and every critter that can stand on its board."""

from game.rules.base.message import say
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
