"""Tests of the boards that makers order: their figures, their cases."""
