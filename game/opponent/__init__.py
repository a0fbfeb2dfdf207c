"""The computer player: the engine's process and its answers, and the analysis of games. It knows no
board and no page.
"""
