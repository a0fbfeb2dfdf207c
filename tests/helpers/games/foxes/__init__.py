"""A made-up game, as another distribution brings it: this folder, and nothing anywhere else."""

from .game import GAME as GAME
