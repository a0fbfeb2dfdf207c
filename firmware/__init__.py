"""The program of the Pico under a board, and the wire format that it shares with the host."""
