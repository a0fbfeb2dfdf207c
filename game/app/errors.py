"""The errors of the application, each one line that names the thing, the value and the way out."""


class AppError(Exception):
    """Stop a command with one line for the person who called it."""


class StoreError(AppError, OSError):
    """Report a file of games that cannot be used."""


class PageError(AppError, OSError):
    """Report that the page cannot be served."""
