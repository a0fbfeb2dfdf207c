"""What a player's name may be, wherever it comes from: command, page, record or other board."""

from unicodedata import category, normalize

from game.rules.base.errors import RulesError
from game.rules.base.message import say

LONGEST_NAME = 40
"""Longest player's name, in characters; what fits beside the board on a phone."""
JOINERS = "\u200c\u200d"
"""Invisible, but part of emoji of several persons and of the spelling of many languages."""


def player_name(text: str) -> str:
    """Return a name as it is saved and shown: on one line, visible, and normalized (NFC).

    Control characters and lone surrogates become spaces, other invisible ones are dropped. Raises
    RulesError if it is longer than LONGEST_NAME.
    """
    spaced = "".join(" " if category(each) in ("Cc", "Cs") else each for each in text)
    shown = (each for each in spaced if each.isprintable() or each.isspace() or each in JOINERS)
    name = normalize("NFC", " ".join("".join(shown).split())).strip(f" {JOINERS}")
    if len(name) > LONGEST_NAME:
        raise RulesError(say("rules.long_name", name=name[: 2 * LONGEST_NAME], most=LONGEST_NAME))
    return name
