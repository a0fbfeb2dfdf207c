"""Adapters of the published drivers: one outside library in each."""
