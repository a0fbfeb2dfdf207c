"""The meanings of the signs that a game can show on a board, in words.

Owns the words of the cues. Their look on the page belongs to the page's own files, their glow to
`game.play.light_theme`.
"""

from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.rules.base.values import Role
from game.table import Cue

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
    Cue.ENDANGERED: say("cue.taken_next"),
    Cue.EDIBLE: say("cue.can_be_taken"),
    Cue.TURNED: say("cue.turned"),
    Cue.SWAP: say("cue.swap"),
    Cue.MARK: say("cue.mark"),
    Cue.OTHER_MARK: say("cue.other_mark"),
    Cue.FACE: say("cue.face"),
}
"""What each cue means; a game may name what inspecting shows (`Presentation.roles`)."""
_OF_ROLES = {
    Cue.CRITTER: Role.INSPECTED,
    Cue.PREY: Role.VICTIM,
    Cue.PREDATOR: Role.THREAT,
    Cue.MARK: Role.MARK,
    Cue.OTHER_MARK: Role.OTHER_MARK,
}
_OF_THREATS = (Cue.ENDANGERED, Cue.EDIBLE)
_TO_SET, _TO_LIFT = say("cue.legal_to_set"), say("cue.legal_to_lift")


def meanings(game: AnyGame, stones: bool) -> dict[Cue, Message]:
    """Describe each sign that a game can show, on a board that senses `stones` or else touches.

    A presence board does not sense fingers, so only what the last move made can be inspected.
    """
    word_of = {cue: word for cue, word in CUE_WORDS.items() if _can_show(game, cue, stones)}
    word_of |= {
        cue: game.presentation.roles[role] for cue, role in _OF_ROLES.items() if cue in word_of
    }
    words = zip(_OF_THREATS, game.presentation.threat_words, strict=True)
    word_of |= {cue: word for cue, word in words if cue in word_of}
    if stones:
        word_of[Cue.LEGAL] = _TO_SET
    return word_of


def on_cell(word_of: dict[Cue, Message], cue: Cue, stands: bool) -> Message:
    """Describe a sign on a cell with a piece on it, or nothing."""
    word = word_of.get(cue, CUE_WORDS[cue])
    return _TO_LIFT if word == _TO_SET and stands else word


def _can_show(game: AnyGame, cue: Cue, stones: bool) -> bool:
    if cue in _OF_ROLES:
        return _OF_ROLES[cue] in game.presentation.roles and (not stones or cue is Cue.CRITTER)
    if cue in _OF_THREATS:
        return game.presentation.teaches
    if cue is Cue.FACE:
        return game.hidden
    return cue is not Cue.TURNED or bool(game.board.rings)
