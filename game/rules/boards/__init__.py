"""Boards as graphs of cells: hexagons, rectangles and discs.

Owns cells, their names, neighbours and centres. Must not know pieces.
"""
