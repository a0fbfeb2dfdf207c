"""The errors of the engine; their texts are in the message catalogues."""

from game.rules.base.errors import RulesError


class EngineError(RulesError):
    """A request that no engine can fulfil, such as an unknown level."""
