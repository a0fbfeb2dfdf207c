"""What the engine refuses, each with a message for people.

Owns the names of its errors; the words stand in the catalogues.
"""

from game.rules.errors import RulesError


class EngineError(RulesError):
    """Refuse what no engine can do, such as a level that is not there."""
