"""Errors, faults, events and safe file writing, which every other package of hal may use.

Owns what has no part of the board behind it. Imports no other package of hal.
"""
