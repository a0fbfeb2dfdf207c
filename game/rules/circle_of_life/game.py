"""Circle of Life: its web of species as a game, and its own words."""

from collections.abc import Mapping
from functools import cached_property

from game.rules.base.message import Message, say
from game.rules.circle_of_life.critters import WEB
from game.rules.food_web.game import FoodWebGame
from game.rules.food_web.presentation import (
    EAT,
    EATEN,
    INSPECT,
    PLACE,
    REMOVE,
    REMOVE_FELT,
    SPECIES,
    WINS,
    FoodWebPresentation,
)

_RULES = (PLACE, say("circle_of_life.rule_critter"), SPECIES, EAT)


class CircleOfLife(FoodWebGame):
    """Twelve species, each eats exactly one other; eat 20 stones, or be unable to place."""

    name = "circle-of-life"
    title = "Circle of Life"
    web = WEB

    @cached_property
    def presentation(self) -> "CirclePresentation":
        return CirclePresentation(self, WEB)


class CirclePresentation(FoodWebPresentation):
    """The words and the legend of Circle of Life."""

    about = say("circle_of_life.about")
    rules = (*_RULES, REMOVE, WINS[WEB.stuck], INSPECT)
    presence_rules = (*_RULES, REMOVE_FELT, WINS[WEB.stuck])
    legend_lights = "circle"
    meanings: Mapping[str, Message] = {
        EATEN.key: say("circle_of_life.about_eaten"),
        "circle_of_life.won_full": say("circle_of_life.about_full"),
    }
    notation = say("circle_of_life.notation")


GAME = CircleOfLife()
