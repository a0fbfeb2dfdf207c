"""The program of the Pico under a board, and the message format that it shares with the host.

Owns pins, buses and the line. Must not know the purpose of the host's messages.
"""
