"""What is particular to running under systemd: settings, status, waiting for a board,
notifications, commands as the service's user. Only the command line imports it.
"""
