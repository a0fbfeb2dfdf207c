"""The errors of the application, each one line that names the thing, the value and the way out."""

from enum import Enum


class AppError(Exception):
    """Stop a command with one line for the person who called it, and with an exit status."""

    status = 1


class Cause(Enum):
    """Why a file of games cannot be used, as far as that decides what to do about it."""

    FULL = "full"
    READ_ONLY = "read_only"
    DAMAGED = "damaged"
    NEWER = "newer"
    """A later lifeboard wrote it, in a form that this one does not know."""
    BUSY = "busy"
    """Another program keeps it locked for the moment."""
    GONE = "gone"
    """The file or its folder is not there any more."""
    NO_FILE = "no_file"
    """What has the file's name is no file, such as a folder or a link to nowhere."""
    IN_USE = "in_use"
    """Another lifeboard plays in the same folder."""
    UNKNOWN = "unknown"
    """No game has the number that was asked for."""
    FAILING = "failing"
    """Anything else, such as a disk that reports errors."""


class StoreError(AppError, OSError):
    """Report a file of games that cannot be used, and why; of a newer file also its version."""

    def __init__(
        self, message: str, cause: Cause = Cause.FAILING, version: int | None = None
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.version = version


class HiddenFault(AppError):
    """Report a fault of ours in a game that hides things, by kind and place, and nothing of it."""


class PageError(AppError, OSError):
    """Report that the page cannot be served."""


class RecordError(AppError, ValueError):
    """Refuse the record of a game that cannot be read, or that no rules allow."""
