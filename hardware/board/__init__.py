"""Printed circuit boards: placement, circuit, routing, and KiCad's files."""
