"""Opponent."""
