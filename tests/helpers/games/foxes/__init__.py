"""A made-up game, as another distribution provides it: this one folder and nothing else."""

from .game import GAME as GAME
