"""Backends, which drive boards: their contract, the built-in ones, and Device.

Owns finding a backend by name and running a board through it. Must not know games, and of other
packages' backends no more than the contract.
"""
