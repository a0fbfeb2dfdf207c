"""KiCad's text format: lists in parentheses, of words, numbers and quoted texts."""

import re
from collections.abc import Sequence
from typing import Any

Node = Sequence[Any]
"""Words, texts, numbers and lists of these."""
_TOKEN = re.compile(r'\s*(?:(\()|(\))|"((?:[^"\\]|\\.)*)"|([^\s()"]+))', re.DOTALL)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n"}
_LONGEST_LINE = 96


class Word(str):
    """A text that is written without quotes: a keyword or a number."""

    __slots__ = ()


def words(text: str) -> list[Word]:
    """Split a text into words without quotes."""
    return [Word(each) for each in text.split()]


def parse(text: str) -> list[Any]:
    """Parse one list; raises ValueError if parentheses do not match."""
    stack: list[list[Any]] = [[]]
    for opened, closed, quoted, word in _TOKEN.findall(text):
        if opened:
            stack.append([])
        elif closed:
            if len(stack) == 1:
                raise ValueError("a closing parenthesis too many")
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(Word(word) if word else re.sub(r"\\(.)", _unescaped, quoted))
    if len(stack) != 1 or len(stack[0]) != 1:
        raise ValueError(f"not one whole list: {text[:40]!r}")
    whole: list[Any] = stack[0][0]
    return whole


def write(node: Node, depth: int = 0) -> str:
    """Write a list on one line, or each of its lists on its own line if it is long."""
    items = [_item(each, depth + 1) for each in node]
    flat = f"({' '.join(items)})"
    if len(flat) <= _LONGEST_LINE and "\n" not in flat:
        return flat
    indent = "\n" + "\t" * (depth + 1)
    parts = [
        (indent if isinstance(each, (list, tuple)) else " " * (n > 0)) + text
        for n, (each, text) in enumerate(zip(node, items, strict=True))
    ]
    return f"({''.join(parts)}\n{chr(9) * depth})"


def _item(node: object, depth: int) -> str:
    if isinstance(node, (list, tuple)):
        return write(node, depth)
    if isinstance(node, Word):
        return str(node)
    if isinstance(node, (int, float)):
        return f"{round(node, 6) + 0.0:.6f}".rstrip("0").rstrip(".")
    return '"' + re.sub(r'[\\"\n]', lambda found: _ESCAPES[found[0]], str(node)) + '"'


def _unescaped(found: re.Match[str]) -> str:
    return "\n" if found[1] == "n" else found[1]
