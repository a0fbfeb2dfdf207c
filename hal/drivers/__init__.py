"""Drivers of single parts, their contract, and finding chips. They know no cells or backends."""
