"""Eat Your Neighbor: its web of sizes as a game, and its own words."""

from game.rules.base.message import say
from game.rules.base.values import VARIANT, Option
from game.rules.circle_of_life.game import CIRCLE
from game.rules.food_web.game import FoodWebGame
from game.rules.food_web.presentation import FoodWebPresentation
from game.rules.food_web.web import FoodWeb, Shape, Species, Stuck


def _shapes(stones: int) -> tuple[Shape, ...]:
    return tuple(each.shape for each in CIRCLE if len(each.shape) == stones)


SIZES = (
    Species("single", say("species.singleton"), _shapes(1)[0]),
    Species("pair", say("species.pair"), _shapes(2)[0]),
    Species("trio", say("species.trio"), _shapes(3)[0], _shapes(3)),
    Species("quartet", say("species.quartet"), _shapes(4)[4], _shapes(4)),
)
"""A species for each size: all shapes with that many stones belong to it."""
EATS = {"single": "quartet", "pair": "single", "trio": "pair", "quartet": "trio"}


class NeighborPresentation(FoodWebPresentation):
    """The words of Eat Your Neighbor."""

    about = say("eat_your_neighbor.about")
    critter_rules = (
        say("circle_of_life.rule_critter"),
        say("eat_your_neighbor.rule_eat"),
        say("eat_your_neighbor.rule_swarm"),
    )


class EatYourNeighbor(FoodWebGame):
    """Critters eat those that are one stone smaller; three singles together eat a quartet."""

    words = NeighborPresentation

    def __init__(self, name: str, title: str, side: int, **variants: "EatYourNeighbor") -> None:
        self.name, self.title, self.variants = name, title, variants
        self.web = FoodWeb(side, SIZES, EATS, {"single": 3}, target=12, stuck=Stuck.COUNTS)
        super().__init__()
        if variants:
            variant = Option("cells-37", choices=("cells-37", *variants))
            self.options = {**self.options, VARIANT: variant}


GAME = EatYourNeighbor(
    "eat-your-neighbor",
    "Eat Your Neighbor",
    4,
    **{"cells-61": EatYourNeighbor("eat-your-neighbor-large", "Eat Your Neighbor on 61 cells", 5)},
)
