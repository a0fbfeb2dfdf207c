"""The tools with which a real board is made ready: learn, calibrate, monitor, and their page."""
