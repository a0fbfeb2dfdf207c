"""Drawings as files: SVG, DXF and PDF, whole or on sheets."""
