"""Commands that must be given twice: the first time asks.

Owns how long a question stands.
"""

from game.rules.message import Message
from game.table.book import Book
from game.table.inputs import Command
from game.table.state import Notice, Question

QUESTION_S = 8.0


def confirmed(book: Book, command: Command, question: Message, now: float) -> bool:
    """Tell whether a command is given the second time; else ask for it."""
    asked = book.state.question
    if asked is not None and asked.command is command:
        return True
    until = now + QUESTION_S
    book.change(question=Question(command, until), notice=Notice(question, until))
    return False
