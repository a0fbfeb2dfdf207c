"""Tools for people who build a board: doctor, flash, learn, calibrate and monitor. Each runs in the
terminal and shows a page. They know boards, and no game but what a board is for.
"""
