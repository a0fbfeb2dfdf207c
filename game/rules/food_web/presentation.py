"""The presentation of a food web: its words, its legend, inspection and threats."""

from collections.abc import Mapping, Sequence

from game.rules.base.game import Game, MoveResult, Presentation
from game.rules.base.message import Message, say
from game.rules.base.reading import no_such_cell
from game.rules.base.values import Advice, Inspection, LegendEntry, Role, Threats
from game.rules.food_web.advice import Look, edible, meals, turn_of
from game.rules.food_web.position import Placement, Placements, Position
from game.rules.food_web.web import NOTHING, FoodWeb, Stuck, cells_in

PLAYERS = (say("player.orange"), say("player.blue"))
EATEN = say("goal.eaten")
STONES = {"1": say("piece.orange"), "2": say("piece.blue")}
_DID = (say("circle_of_life.placed"), say("circle_of_life.ate"))
_WOULD = (say("circle_of_life.would_be"), say("circle_of_life.would_eat"))
MANY = 2  # Any number that takes the plural, to name a species in general
SPECIES, EAT = say("circle_of_life.rule_species"), say("circle_of_life.rule_eat")
_WINS = {Stuck.WINS: say("circle_of_life.rule_win"), Stuck.COUNTS: say("food_web.rule_win")}


class FoodWebPresentation(Presentation[Position, str]):
    """The words and the legend of a web; `critter_rules`, if any, replace the general ones."""

    critter_rules: tuple[Message, ...] = ()
    sides = tuple(STONES)
    piece_words: Mapping[str, Message] = STONES
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
            of_critters = (say("food_web.rule_critter", most=web.most), SPECIES, EAT)
            made = (say("circle_of_life.rule_place"), *(self.critter_rules or of_critters))
            won = _WINS[web.stuck]
            remove, inspect = say("circle_of_life.rule_remove"), say("circle_of_life.rule_inspect")
            self.rules = (*made, remove, won, inspect)
            self.presence_rules = (*made, say("circle_of_life.rule_remove_felt"), won)

    def _entry(self, n: int) -> LegendEntry:
        eater, prey = self.web.species[n], self.web.prey[n]
        if prey == NOTHING:
            return LegendEntry(eater.word, eater.centres)
        eaten, swarm = self.web.species[prey], self.web.swarms.get(eater.name, 1)
        eats = say("circle_of_life.eats", eater=eater.word, prey=eaten.word)
        if swarm > 1:
            eats = say("food_web.swarms", many=swarm, eater=eater.words(swarm), prey=eaten.word)
        return LegendEntry(eater.word, eater.centres, prey, eats)

    def refusal(self, position: Position, taps: Sequence[str]) -> Message:
        cell = taps[-1]
        index = position.tables.index.get(cell)
        if index is None:
            return no_such_cell(self.web.board, cell)
        if not position.open_cells:
            return say("rules.game_over")
        if position.occupied & position.tables.bit[index]:
            return say("circle_of_life.occupied", cell=cell)
        stones = position.joined(position.mover, index)[0].bit_count()
        return say("circle_of_life.too_big", cell=cell, stones=stones, most=self.web.most)

    def inspect(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter on a cell, enemies that it would eat, and enemies that would eat it."""
        web, index = self.web, position.tables.index.get(cell)
        if index is None or not position.occupied & position.tables.bit[index]:
            return None
        critter = position.critter_at[index]
        assert critter is not None
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
        word, prey = web.species[critter.species].word, self._words(critter.prey)
        eaters = self._words(*predators)
        message = say("circle_of_life.inspected", species=word, prey=prey, predator=eaters)
        return Inspection(cells, legend, message)

    def _words(self, *species: int) -> object:
        words = [self.web.species[n].words(MANY) for n in species if n != NOTHING]
        return tuple(words) if len(words) > 1 else words[0] if words else "—"

    def preview(self, position: Position, cell: str) -> Inspection | None:
        """Show the critter that a stone would make, and all critters that it would eat."""
        if cell not in Placements(position):
            return None
        placed = Placement(self.game, position, cell)
        critter, prey, names = placed.critter, placed.prey, position.tables.cells
        cells = dict.fromkeys((names[index] for index in critter.cells), Role.INSPECTED)
        cells |= {names[index]: Role.VICTIM for other in prey for index in other.cells}
        legend = {critter.species: Role.INSPECTED} | ({critter.prey: Role.VICTIM} if prey else {})
        return Inspection(cells, legend, self._of_placement(placed, _WOULD, {}))

    def threats(self, position: Position, player: int) -> Threats:
        eaten = (edible(meals(turn_of(position, n))) for n in (2 - player, player - 1))
        return Threats(*(frozenset(position.tables.names(mask)) for mask in eaten))

    def advice(self, position: Position, past: Sequence[Position]) -> tuple[Advice, ...]:
        return tuple(Look(self.game, position, past).advice()) if position.open_cells else ()

    def summary(self, result: MoveResult[Position, str]) -> Message:
        assert isinstance(result, Placement)
        return self._of_placement(result, _DID, {"player": PLAYERS[result.before.mover]})

    def _of_placement(
        self, placed: Placement, words: tuple[Message, Message], who: Mapping[str, object]
    ) -> Message:
        """Complete the message for a placement that does not eat, or for one that does."""
        (plain, eating), species, prey = words, self.web.species, placed.prey
        args = {**who, "cell": placed.move, "species": species[placed.critter.species].word}
        if not prey:
            return Message(plain.key, args)
        eaten = species[placed.critter.prey].words(len(prey))
        return Message(eating.key, {**args, "count": sum(n.size for n in prey), "prey": eaten})
