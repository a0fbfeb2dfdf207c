"""The program of the Pico under a board, and the wire format that it shares with the host.

Owns pins, buses and the line. Must not know why the host writes what it does.
"""
