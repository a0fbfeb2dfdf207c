"""Messages become sentences in a language, by gettext: our catalogues, and those of games."""

import os
from collections.abc import Iterable, Sequence
from functools import cache
from gettext import translation
from importlib.resources.abc import Traversable
from pathlib import Path

from game.rules.base.message import InlineText, Message
from game.rules.base.registry import games_of_others

DOMAIN, GAME_DOMAIN = "lifeboard", "messages"
LANGUAGES = {"en": "English", "it": "Italiano", "fr": "Français", "de": "Deutsch"}
DEFAULT = "en"


class _Text(str):
    """The text for a placeholder.

    `{name:one|many|you}` has the forms for one, for several, and for the reader; # in them is the
    text.
    """

    form = 0

    def __format__(self, spec: str) -> str:
        forms = spec.split("|")
        return forms[self.form].replace("#", self) if len(forms) > 1 else str(self)


class _List(list["_Text | _List"]):
    """A list that fills a placeholder; `{name: and }` gives what joins the last two."""

    def __format__(self, spec: str) -> str:
        *first, last = self or [_Text()]
        if not first:
            return format(last, spec)
        return f"{', '.join(map(format, first))}{spec or ', '}{last:}"


class Words:
    """The sentences of one language; raises LookupError for an unknown language.

    With `to_you` they address the player whom a message names by `table.you`.
    """

    def __init__(self, language: str, to_you: bool = False) -> None:
        if language not in LANGUAGES:
            allowed = ", ".join(LANGUAGES)
            raise LookupError(f"language is {language!r}; allowed: {allowed}")
        self.language = language
        self.to_you = to_you
        self._texts = translation(DOMAIN, Path(__file__).with_name("locale"), [language])
        for folder in _game_folders():
            spoken = [language, DEFAULT]
            texts = translation(GAME_DOMAIN, str(folder / "locale"), spoken, fallback=True)
            self._texts.add_fallback(texts)

    def text(self, message: Message) -> str:
        """Return the sentence of a message; messages among its arguments are translated first.

        An argument `count` chooses the plural form. A key without a sentence is returned as it is.
        """
        if isinstance(message, InlineText):
            return message.texts.get(self.language) or message.texts[DEFAULT]
        count = message.args.get("count")
        form = self._form(message.key, count if isinstance(count, int) else 1)
        return form.format_map({name: self._argument(each) for name, each in message.args.items()})

    def template(self, key: str) -> str:
        """Return a sentence with its placeholders unfilled."""
        return self._form(key, 1)

    def texts(self, messages: Iterable[Message]) -> str:
        return " ".join(self.text(message) for message in messages)

    def _form(self, key: str, count: int) -> str:
        form = self._texts.ngettext(key, key, count)
        # Before Python 3.11.5, `ngettext` does not find keys without a plural; `gettext` does.
        return form if form != key else self._texts.gettext(key)

    def _argument(self, value: object) -> _Text | _List:
        if isinstance(value, tuple):
            return _List(self._argument(each) for each in value)
        if not isinstance(value, Message):
            return _Text(value)
        text, count = _Text(self.text(value)), value.args.get("count", 1)
        text.form = int(isinstance(count, int) and count > 1)
        if value.key == "table.you" and self.to_you:
            text.form = 2
        return text


def _game_folders() -> list[Traversable]:
    """List the folders of games from other packages, which have their own catalogues."""
    folders = (game.presentation.folder for game in games_of_others())
    return [folder for folder in folders if folder is not None]


@cache
def words(language: str, to_you: bool = False) -> Words:
    """Return the words of a language, read once."""
    return Words(language, to_you)


def choose(wanted: Sequence[str]) -> str:
    """Choose the first supported language from tags like `de-CH`, else English."""
    for tag in wanted:
        language = tag.strip().partition("-")[0].lower()
        if language in LANGUAGES:
            return language
    return DEFAULT


def system_language() -> str:
    """Choose the system's language, in gettext's order of variables."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    asked = next((os.environ[name] for name in names if os.environ.get(name)), "")
    return choose([tag.partition(".")[0].replace("_", "-") for tag in asked.split(":")])


def accepted(header: str) -> list[str]:
    """Read an Accept-Language header into tags, the most wanted first (RFC 9110, 12.5.4)."""
    ranked = []
    for part in header.split(","):
        tag, _, quality = part.replace(" ", "").partition(";q=")
        try:
            ranked.append((float(quality or 1), tag))
        except ValueError:
            continue
    ranked.sort(key=lambda pair: -pair[0])
    return [tag for quality, tag in ranked if quality > 0]
