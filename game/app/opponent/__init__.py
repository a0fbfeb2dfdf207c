"""The computer player as a process of its own: its command, its client, and matches."""
