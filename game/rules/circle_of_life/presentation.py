"""What is shown of Circle of Life: its words, the circle of species, inspection and threats.

Owns what is said of positions and moves. Must not know how positions are written.
"""

from collections.abc import Mapping, Sequence

from game.rules.base.game import Presentation
from game.rules.base.message import Message, say
from game.rules.base.values import Inspection, LegendEntry, Role, Threats
from game.rules.circle_of_life import critters
from game.rules.circle_of_life.critters import BIT, BOARD, CIRCLE, INDEX, MOST_STONES
from game.rules.circle_of_life.position import Placements, Position, edible, names, placement

PLAYERS = (say("player.orange"), say("player.blue"))
EATEN = say("goal.eaten")
STONES = {"1": say("piece.orange"), "2": say("piece.blue")}
MANY = 2
"""Any number that takes the plural, for speaking of a species in general."""
_RULES = (
    say("circle_of_life.rule_place"),
    say("circle_of_life.rule_critter"),
    say("circle_of_life.rule_species"),
    say("circle_of_life.rule_eat"),
)
_WIN = say("circle_of_life.rule_win")


def refusal(position: Position, cell: str) -> Message:
    """Say why a stone cannot be placed on a cell."""
    index = INDEX.get(cell)
    if index is None:
        return say("circle_of_life.no_such_cell", text=cell)
    if not position.open_cells:
        return say("rules.game_over")
    if position.occupied & BIT[index]:
        return say("circle_of_life.occupied", cell=cell)
    stones = position.ecosystem().joined(position.mover, index)[0].bit_count()
    return say("circle_of_life.too_big", cell=cell, stones=stones, most=MOST_STONES)


class CirclePresentation(Presentation[Position, str]):
    """The words and the legend of Circle of Life."""

    about = say("circle_of_life.about")
    rules = (*_RULES, say("circle_of_life.rule_remove"), _WIN, say("circle_of_life.rule_inspect"))
    rules_felt = (*_RULES, say("circle_of_life.rule_remove_felt"), _WIN)
    legend = tuple(
        LegendEntry(
            species.word,
            species.centres,
            critters.prey_of(n),
            say("circle_of_life.eats", eater=species.word, prey=CIRCLE[critters.prey_of(n)].word),
        )
        for n, species in enumerate(CIRCLE)
    )
    legend_lights = "circle"
    score_word = EATEN
    meanings: Mapping[str, Message] = {
        EATEN.key: say("circle_of_life.about_eaten"),
        "circle_of_life.won_full": say("circle_of_life.about_full"),
    }
    notation = say("circle_of_life.notation")
    threat_words = (say("cue.endangered"), say("cue.edible"))
    roles: Mapping[Role, Message] = {
        Role.INSPECTED: say("cue.critter"),
        Role.VICTIM: say("cue.prey"),
        Role.THREAT: say("cue.predator"),
    }

    def piece_word(self, piece: str) -> Message:
        return STONES[piece]

    def side(self, piece: str) -> int | None:
        return int(piece) if piece in STONES else None

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        return refusal(position, taps[-1])

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter on a cell, all enemies that it would eat, and all that would eat it."""
        index = INDEX.get(cell)
        if index is None or not position.occupied & BIT[index]:
            return None
        critter = position.critter_at[index]
        if critter is None:
            return None
        enemies = position.stones[0 if position.stones[1] & critter.mask else 1]
        predator = (critter.species + 1) % len(CIRCLE)
        legend = {critter.species: Role.INSPECTED, critter.prey: Role.VICTIM, predator: Role.THREAT}
        cells = {BOARD.cells[index]: Role.INSPECTED for index in critter.cells}
        for index in critters.cells_in(enemies):
            other = position.critter_at[index]
            if other is not None and other.species in (critter.prey, predator):
                cells[BOARD.cells[index]] = legend[other.species]
        message = say(
            "circle_of_life.inspected",
            species=CIRCLE[critter.species].word,
            prey=CIRCLE[critter.prey].words(MANY),
            predator=CIRCLE[predator].words(MANY),
        )
        return Inspection(cells, legend, message)

    def preview(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter that a stone would make, and all that it would eat."""
        if cell not in Placements(position.open_cells):
            return None
        critter, prey = placement(position, cell)
        cells = {BOARD.cells[index]: Role.INSPECTED for index in critter.cells}
        for other in prey:
            cells.update({BOARD.cells[index]: Role.VICTIM for index in other.cells})
        made = CIRCLE[critter.species].word
        if not prey:
            return Inspection(
                cells,
                {critter.species: Role.INSPECTED},
                say("circle_of_life.would_be", cell=cell, species=made),
            )
        message = say(
            "circle_of_life.would_eat",
            cell=cell,
            species=made,
            count=sum(eaten.size for eaten in prey),
            prey=CIRCLE[critter.prey].words(len(prey)),
        )
        legend = {critter.species: Role.INSPECTED, critter.prey: Role.VICTIM}
        return Inspection(cells, legend, message)

    def threats(self, position: Position, player: int) -> Threats:
        own, others = edible(position, 2 - player), edible(position, player - 1)
        return Threats(frozenset(names(own)), frozenset(names(others)))

    def summary(self, position: Position, move: str) -> Message:
        critter, prey = placement(position, move)
        made, who = CIRCLE[critter.species].word, PLAYERS[position.mover]
        if not prey:
            return say("circle_of_life.placed", player=who, cell=move, species=made)
        return say(
            "circle_of_life.ate",
            player=who,
            cell=move,
            species=made,
            count=sum(eaten.size for eaten in prey),
            prey=CIRCLE[critter.prey].words(len(prey)),
        )
