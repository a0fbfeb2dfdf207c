"""Tools for people who build a board: doctor, flash, learn, calibrate and monitor. Each runs in the
terminal and shows a page. They know boards, and of a game only which board it needs.
"""
