"""What the signs on the board mean, in words: those that a game can show on a board.

Owns the words of the cues. What each looks like stands in the page's own files, and how it glows in
`game.app.look`.
"""

from typing import Any

from game.rules.game import Game, Role
from game.rules.message import Message, say
from game.table.scene import Cue

CUE_WORDS = {
    Cue.PLACED: say("cue.placed"),
    Cue.CRITTER: say("cue.critter"),
    Cue.LEGAL: say("cue.legal"),
    Cue.CHOSEN: say("cue.chosen"),
    Cue.REMOVE: say("cue.remove"),
    Cue.PUT: say("cue.put"),
    Cue.WRONG: say("cue.wrong"),
    Cue.PREY: say("cue.prey"),
    Cue.PREDATOR: say("cue.predator"),
    Cue.DRAW: say("cue.draw"),
    Cue.WIN: say("cue.win"),
    Cue.CURSOR: say("cue.cursor"),
    Cue.FAULT: say("cue.fault"),
    Cue.FELT: say("cue.felt"),
    Cue.STANDS: say("cue.stands"),
    Cue.PROPOSED: say("cue.proposed"),
    Cue.HINT: say("cue.hint"),
    Cue.ENDANGERED: say("cue.endangered"),
    Cue.EDIBLE: say("cue.edible"),
    Cue.TURNED: say("cue.turned"),
    Cue.SWAP: say("cue.swap"),
    Cue.MARK: say("cue.mark"),
    Cue.OTHER_MARK: say("cue.other_mark"),
    Cue.FACE: say("cue.face"),
}
"""What each cue means; what inspecting shows a game may call by other words (`Game.roles`)."""
_OF_ROLES = {
    Cue.CRITTER: Role.CRITTER,
    Cue.PREY: Role.PREY,
    Cue.PREDATOR: Role.PREDATOR,
    Cue.MARK: Role.MARK,
    Cue.OTHER_MARK: Role.OTHER_MARK,
}
_OF_THREATS = {Cue.ENDANGERED: say("cue.taken_next"), Cue.EDIBLE: say("cue.can_be_taken")}
"""What these mean where nothing eats, since there is no ring of species."""
_TO_SET, _TO_LIFT = say("cue.legal_to_set"), say("cue.legal_to_lift")


def meanings(game: Game[Any, Any], stones: bool) -> dict[Cue, Message]:
    """Say what each sign means that a game can show on a board that feels `stones`, else touches.

    Where stones are felt while they stand no finger is, and so nothing is inspected but what the
    last move has made.
    """
    told = {cue: word for cue, word in CUE_WORDS.items() if _can_show(game, cue, stones)}
    told |= {cue: game.roles[role] for cue, role in _OF_ROLES.items() if cue in told}
    if not game.legend:
        told |= {cue: word for cue, word in _OF_THREATS.items() if cue in told}
    if stones:
        told[Cue.LEGAL] = _TO_SET
    return told


def on_cell(told: dict[Cue, Message], cue: Cue, stands: bool) -> Message:
    """Say what a sign means on a cell on which something stands, or nothing."""
    word = told.get(cue, CUE_WORDS[cue])
    return _TO_LIFT if word == _TO_SET and stands else word


def _can_show(game: Game[Any, Any], cue: Cue, stones: bool) -> bool:
    if cue in _OF_ROLES:
        return _OF_ROLES[cue] in game.roles and (not stones or cue is Cue.CRITTER)
    if cue in _OF_THREATS:
        return game.teaches
    if cue is Cue.FACE:
        return game.hidden
    return cue is not Cue.TURNED or bool(game.board.rings)
