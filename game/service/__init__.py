"""What is particular to running under systemd: settings, status, waiting for a board,
notifications, commands as the service's user. It knows the rooms of play and makers; only the
command line knows it.
"""
