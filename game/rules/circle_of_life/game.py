"""Circle of Life: its web of species as a game, and its own words."""

from collections.abc import Mapping

from game.rules.base.message import Message, say
from game.rules.circle_of_life.critters import WEB
from game.rules.food_web.game import FoodWebGame
from game.rules.food_web.presentation import EAT, EATEN, SPECIES, FoodWebPresentation


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
    """Twelve species, each eats exactly one other; eat 20 stones, or be unable to place."""

    name = "circle-of-life"
    title = "Circle of Life"
    web = WEB
    words = CirclePresentation


GAME = CircleOfLife()
