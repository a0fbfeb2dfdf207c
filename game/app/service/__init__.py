"""The service: lifeboard that starts with the computer, and what installs and removes it."""
