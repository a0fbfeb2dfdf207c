"""The engine's commands: engine and match.

Owns which there are. Each command's options stand beside its work.
"""

from game.app.arguments import Commands
from game.app.opponent import command
from game.app.opponent.match import command as match_command


def add_commands(commands: Commands) -> None:
    """Add the engine's commands to the command line."""
    command.add_command(commands)
    match_command.add_command(commands)
