"""Errors, faults, events and safe file writing, which every other package of hal may use.

Owns what belongs to no part of the board. Imports no other package of hal.
"""
