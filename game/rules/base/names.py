"""The check of players' names from any source: command, page, record or other board."""

from unicodedata import category, normalize

from game.rules.base.errors import RulesError
from game.rules.base.message import say

LONGEST_NAME = 40  # Longest player's name, in characters, to fit beside the board on a phone
JOINERS = "\u200c\u200d"
"""Invisible characters that emoji of several persons and many languages need."""


def player_name(text: str) -> str:
    """Normalize a name (NFC) to one line of visible characters, as it is saved and shown.

    Control characters and lone surrogates become spaces, other invisible ones are dropped. Raises
    RulesError if it is longer than LONGEST_NAME.
    """
    spaced = "".join(" " if category(each) in ("Cc", "Cs") else each for each in text)
    shown = (each for each in spaced if each.isprintable() or each.isspace() or each in JOINERS)
    name = normalize("NFC", " ".join("".join(shown).split())).strip(f" {JOINERS}")
    if len(name) > LONGEST_NAME:
        raise RulesError(say("rules.long_name", name=name[: 2 * LONGEST_NAME], most=LONGEST_NAME))
    return name
