"""Errors, events and faults, schemas and safe files, which every other package of hal may use."""
