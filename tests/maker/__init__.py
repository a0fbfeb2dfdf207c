"""Maker."""
