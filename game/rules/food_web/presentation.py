"""The presentation of a food web: its words, its legend, inspection and threats."""

from collections.abc import Mapping, Sequence

from game.rules.base.game import Game, MoveResult, Presentation
from game.rules.base.message import Message, say
from game.rules.base.reading import no_such_cell
from game.rules.base.values import Advice, Inspection, LegendEntry, Role, Threats
from game.rules.food_web.advice import advice
from game.rules.food_web.position import Placement, Placements, Position, edible
from game.rules.food_web.web import NOTHING, FoodWeb, Stuck, cells_in

PLAYERS = (say("player.orange"), say("player.blue"))
EATEN = say("goal.eaten")
STONES = {"1": say("piece.orange"), "2": say("piece.blue")}
MANY = 2
"""Any number that takes the plural, to name a species in general."""
PLACE = say("circle_of_life.rule_place")
SPECIES, EAT = say("circle_of_life.rule_species"), say("circle_of_life.rule_eat")
REMOVE, REMOVE_FELT = say("circle_of_life.rule_remove"), say("circle_of_life.rule_remove_felt")
INSPECT = say("circle_of_life.rule_inspect")
WINS = {Stuck.WINS: say("circle_of_life.rule_win"), Stuck.COUNTS: say("food_web.rule_win")}


class FoodWebPresentation(Presentation[Position, str]):
    """The words and the legend of a web; the default `rules` are those of every web."""

    score_word = EATEN
    meanings: Mapping[str, Message] = {EATEN.key: say("circle_of_life.about_eaten")}
    notation = say("food_web.notation")
    threat_words = (say("cue.endangered"), say("cue.edible"))
    roles: Mapping[Role, Message] = {
        Role.INSPECTED: say("cue.critter"),
        Role.VICTIM: say("cue.prey"),
        Role.THREAT: say("cue.predator"),
    }

    def __init__(self, game: Game[Position, str], web: FoodWeb) -> None:
        super().__init__(game)
        self.web = web
        self.legend = tuple(self._entry(n) for n in range(len(web.species)))
        if not self.rules:
            made = (PLACE, say("food_web.rule_critter", most=web.most), SPECIES, EAT)
            self.rules = (*made, REMOVE, WINS[web.stuck], INSPECT)
            self.presence_rules = (*made, REMOVE_FELT, WINS[web.stuck])

    def _entry(self, n: int) -> LegendEntry:
        eater, prey = self.web.species[n], self.web.prey[n]
        if prey == NOTHING:
            return LegendEntry(eater.word, eater.centres)
        eaten, swarm = self.web.species[prey], self.web.swarms.get(eater.name, 1)
        eats = say("circle_of_life.eats", eater=eater.word, prey=eaten.word)
        if swarm > 1:
            eats = say("food_web.swarms", many=swarm, eater=eater.words(swarm), prey=eaten.word)
        return LegendEntry(eater.word, eater.centres, prey, eats)

    def flaw(self, position: Position, cell: str) -> Message:
        """Return why a stone cannot be placed on a cell."""
        index = position.tables.index.get(cell)
        if index is None:
            return no_such_cell(self.web.board, cell)
        if not position.open_cells:
            return say("rules.game_over")
        if position.occupied & position.tables.bit[index]:
            return say("circle_of_life.occupied", cell=cell)
        stones = position.ecosystem().joined(position.mover, index)[0].bit_count()
        return say("circle_of_life.too_big", cell=cell, stones=stones, most=self.web.most)

    def piece_word(self, piece: str) -> Message:
        return STONES[piece]

    def side(self, piece: str) -> int | None:
        return int(piece) if piece in STONES else None

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        return self.flaw(position, taps[-1])

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter on a cell, enemies that it would eat, and enemies that would eat it."""
        web, index = self.web, position.tables.index.get(cell)
        if index is None or not position.occupied & position.tables.bit[index]:
            return None
        critter = position.critter_at[index]
        if critter is None:
            return None
        enemies = position.stones[0 if position.stones[1] & critter.mask else 1]
        predators = web.predators(critter.species)
        legend = {critter.species: Role.INSPECTED} | dict.fromkeys(predators, Role.THREAT)
        if critter.prey != NOTHING:
            legend[critter.prey] = Role.VICTIM
        cells = {position.tables.cells[index]: Role.INSPECTED for index in critter.cells}
        for index in cells_in(enemies):
            other = position.critter_at[index]
            if other is not None and other.species in (critter.prey, *predators):
                cells[position.tables.cells[index]] = legend[other.species]
        message = say(
            "circle_of_life.inspected",
            species=web.species[critter.species].word,
            prey=self._words(critter.prey),
            predator=self._words(*predators),
        )
        return Inspection(cells, legend, message)

    def _words(self, *species: int) -> object:
        words = [self.web.species[n].words(MANY) for n in species if n != NOTHING]
        return tuple(words) if len(words) > 1 else words[0] if words else "—"

    def preview(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter that a stone would make, and all critters that it would eat."""
        if cell not in Placements(position):
            return None
        placed = Placement(self.game, position, cell)
        critter, prey = placed.critter, placed.prey
        cells = {position.tables.cells[index]: Role.INSPECTED for index in critter.cells}
        for other in prey:
            cells.update({position.tables.cells[index]: Role.VICTIM for index in other.cells})
        made = self.web.species[critter.species].word
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
            prey=self.web.species[critter.prey].words(len(prey)),
        )
        legend = {critter.species: Role.INSPECTED, critter.prey: Role.VICTIM}
        return Inspection(cells, legend, message)

    def threats(self, position: Position, player: int) -> Threats:
        own, others = edible(position, 2 - player), edible(position, player - 1)
        return Threats(
            frozenset(position.tables.names(own)), frozenset(position.tables.names(others))
        )

    def advice(self, position: Position, past: Sequence[Position]) -> tuple[Advice, ...]:
        return advice(self.game, position, past)

    def summary(self, result: MoveResult[Position, str]) -> Message:
        assert isinstance(result, Placement)
        critter, prey, cell = result.critter, result.prey, result.move
        made, who = self.web.species[critter.species].word, PLAYERS[result.before.mover]
        if not prey:
            return say("circle_of_life.placed", player=who, cell=cell, species=made)
        return say(
            "circle_of_life.ate",
            player=who,
            cell=cell,
            species=made,
            count=sum(eaten.size for eaten in prey),
            prey=self.web.species[critter.prey].words(len(prey)),
        )
