"""The game's page: one websocket a page for touches, state and lights.

Owns what a page is told and what it may ask. Must not touch the table or the store: it hands over
touches and commands, and reads what the hub holds.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import count
from typing import Any, Protocol

from game.app import view, view_computer
from game.app.discretion import discreet
from game.app.gate.access import Access, Level
from game.app.gate.gate import CALLER
from game.app.hub import Hub
from game.app.seats.seats import Seats
from game.app.seats.visitor import KINDS, Visitor, address_for, read_pieces
from game.app.serve import (
    App,
    Link,
    about_pin,
    by_pin,
    converse,
    language_of,
    page_folder,
    send,
    site,
)
from game.app.view import Replayed
from game.app.words import LANGUAGES, words
from game.rules.game import Game
from game.rules.message import Message, say
from game.table.inputs import Command, Input, Laid, Named, Opposed, Picked, Tallied
from hal.backend import Hands
from hal.errors import HalError
from hal.profile import Profile

_PAGE_WORD = re.compile(r'"(page\.[a-z0-9_]+)"')
_ALLOWED = (
    "press, lift, key, command, touch, mask, name, lay, pick, tally, oppose, analyse, language"
)


@cache
def page_words(language: str) -> dict[str, str]:
    """Return the texts that the page's own files name, by key."""
    named = {
        key
        for file in page_folder().iterdir()
        if file.suffix in (".html", ".js")
        for key in _PAGE_WORD.findall(file.read_text(encoding="utf-8"))
    }
    speak = words(language)
    # The page fills placeholders itself, so they must come through as they stand.
    return {key: speak.template(key) for key in sorted(named)}


def _is_number(told: object) -> bool:
    """Tell a whole number; true and false are some of Python, and none of the page."""
    return type(told) is int


class Control(Protocol):
    """What pages may ask of the table; every method may be called from any thread."""

    def ask(self, command: Command) -> None:
        """Hand over a command."""
        ...

    def give(self, wish: Input) -> None:
        """Hand over what else people ask for: names, and what a position is set up with."""
        ...

    def touch(self, cell: str) -> None:
        """Touch a masked cell, which cannot be felt."""
        ...

    def press(self, key: str) -> None:
        """Press a key of the game, and let go of it."""
        ...

    def mask(self, cells: frozenset[str]) -> None:
        """Take the whole set of cells that are not to be felt any more."""
        ...

    def analyse(self) -> None:
        """Work out how the game went that is over; where that is being done, do nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Page:
    """The page of one game on one board.

    `hands` touch the board for those who press cells on the page; None on a real board, which
    people touch themselves. `control` takes what people ask for otherwise. `replayed` says which
    kept game is shown again, None that one is played. `levels` are the names of those by which
    computers can play, easiest first. `seats` are those of a game that hides things.
    """

    game: Game[Any, Any]
    profile: Profile
    hub: Hub
    hands: Hands | None
    control: Control
    replayed: Replayed | None = None
    levels: tuple[str, ...] = ()
    seats: Seats | None = None
    _numbers: Iterator[int] = field(default_factory=count)

    def app(self, access: Access) -> App:
        """Build the ASGI application."""
        return site("index.html", self._talk, access)

    async def _talk(self, link: Link, level: Level) -> None:
        """Serve one page until it goes away; its fingers are lifted then."""
        news = self.hub.join()
        visit = _Visit(self, link, level, news.set, f"page{next(self._numbers)}.")
        try:
            await converse(link, news, visit.tell, visit.take)
        finally:
            self.hub.leave(news)
            if self.hands is not None:
                self.hands.lift_all(visit.name)


class _Visit:
    """One open page: its language, what it may do and has been told, and its fingers."""

    def __init__(
        self, page: Page, link: Link, level: Level, tell_soon: Callable[[], None], name: str
    ) -> None:
        self.name = name
        self._page = page
        self._let_in = level
        self._visitor: Visitor | None = None
        if page.seats is not None:
            address = address_for(link.state.access, link.scope[CALLER])
            self._visitor = Visitor(page.seats, page.hub, page.control.give, address)
        self._by_pin = by_pin(link)
        self._about_pin = about_pin(link)
        self._send = partial(send, link)
        self._tell_soon = tell_soon
        self._language = language_of(link)
        self._told_state = self._told_lights = self._told_course = 0
        self._greeted: tuple[str, Level] | None = None
        self._told_to: int | None = None

    @property
    def _level(self) -> Level:
        """What this page may do: who has a seat may watch, whatever else the gate lets him."""
        seated = self._visitor is not None and self._visitor.player is not None
        return Level.WATCH if seated and self._let_in is Level.NOTHING else self._let_in

    async def tell(self) -> None:
        """Send what is new, the newest only."""
        page, language = self._page, self._language
        speak = words(language)
        if self._visitor is not None:
            self._visitor.look()
            for message in self._visitor.news(self._level, speak.text):
                await self._send(message)
        level, greeting = self._level, (language, self._level)
        if level is Level.NOTHING:
            if self._greeted != greeting:
                self._greeted = greeting
                seats = self._visitor is not None
                locked = view.locked(speak, page_words(language), seats)
                await self._send(locked | self._about_pin)
            return
        if self._greeted != greeting:
            self._greeted = greeting
            self._told_state = self._told_lights = self._told_course = 0
            simulated = page.hands is not None
            texts = page_words(language)
            fixed = (page.game, page.profile, speak, texts, simulated, page.replayed)
            may = (level, self._by_pin)
            await self._send(view.hello(*fixed, *may, page.levels) | self._about_pin)
        news, player = page.hub.news, None
        if self._visitor is not None and news.snapshot is not None:
            player = self._visitor.viewer(news.snapshot)
        if news.snapshot is not None and (
            news.state_number != self._told_state or player != self._told_to
        ):
            self._told_state, self._told_to = news.state_number, player
            with discreet(page.game):
                seen = view.state(news.snapshot.of(player), speak, player)
            await self._send(seen)
        if news.lights_number != self._told_lights:
            self._told_lights = news.lights_number
            await self._send(view.lights(news.colours))
        if news.course_number != self._told_course:
            self._told_course = news.course_number
            await self._send(view_computer.analysis(news.course, speak))

    def take(self, message: object) -> str:
        """Act on one message; return why it is refused, or nothing."""
        with discreet(self._page.game):
            return self._take(message)

    def _take(self, message: object) -> str:
        match message:
            case {"do": "language", "lang": str(language)}:
                if language not in LANGUAGES:
                    return f"language is {language!r}; allowed: {', '.join(LANGUAGES)}"
                self._language = language
                self._tell_soon()
                return ""
            case {"do": "sit" | "stand" | "arrange" | "free"} if self._visitor is not None:
                return self._take_of_seat(self._visitor, message)
            case _ if self._level is not Level.CONTROL:
                locked = self._level is Level.NOTHING
                why = say("access.locked") if locked else say("access.needs_pin")
                return words(self._language).text(why)
            case {"do": "press", "pointer": str(pointer), "spot": str(spot)}:
                return self._press(pointer, spot)
            case {"do": "lift", "pointer": str(pointer)}:
                if self._page.hands is not None:
                    self._page.hands.lift(self.name + pointer)
                return ""
            case {"do": "key", "name": str(name)}:
                if name not in self._page.game.keys:
                    allowed = ", ".join(self._page.game.keys) or "none"
                    return f"key is {name!r}; allowed: {allowed}"
                self._page.control.press(name)
                return ""
            case {"do": "command", "name": str(name)}:
                if name not in [command.value for command in Command]:
                    allowed = ", ".join(command.value for command in Command)
                    return f"command is {name!r}; allowed: {allowed}"
                self._page.control.ask(Command(name))
                return ""
            case {"do": "touch", "cell": str(cell)}:
                return self._on_cells([cell], lambda: self._page.control.touch(cell))
            case {"do": "mask", "cells": list(cells)}:
                return self._on_cells(cells, lambda: self._page.control.mask(frozenset(cells)))
            case {"do": "name", "names": list(names)}:
                return self._name(names)
            case {"do": "lay", "cell": str(cell), "piece": str(piece)}:
                return self._strange(piece, "") or self._on_cells(
                    [cell], lambda: self._page.control.give(Laid(cell, piece))
                )
            case {"do": "pick", "piece": str(piece)}:
                if strange := self._strange(piece):
                    return strange
                self._page.control.give(Picked(piece))
                return ""
            case {"do": "tally", "score": list(score), "to_move": mover}:
                return self._tally(score, mover)
            case {"do": "oppose", "computers": list(computers), "new": bool(new)}:
                return self._oppose(computers, new)
            case {"do": "analyse"}:
                self._page.control.analyse()
                return ""
        return f"message is unknown; allowed: {self._allowed}"

    @property
    def _allowed(self) -> str:
        return _ALLOWED if self._visitor is None else f"{_ALLOWED}, {KINDS}"

    def _take_of_seat(self, visitor: Visitor, message: object) -> str:
        """Act on one message about seats, or about the side of this page's own."""
        refusal: Message | None = None
        match message:
            case {"do": "sit", "invite": str(code)}:
                visitor.sit(code)
            case {"do": "sit", "key": str(key), "player": int(player)} if _is_number(player):
                visitor.return_to(player, key)
            case {"do": "stand"}:
                refusal = visitor.stand()
            case {"do": "arrange", "pieces": None}:
                refusal = visitor.arrange(None)
            case {"do": "arrange", "pieces": dict(told)} if (
                pieces := read_pieces(told)
            ) is not None:
                refusal = visitor.arrange(pieces)
            case {"do": "free", "player": int(player)} if (
                _is_number(player) and self._let_in is Level.CONTROL
            ):
                refusal = visitor.free(player)
            case {"do": "free"} if self._let_in is not Level.CONTROL:
                locked = self._level is Level.NOTHING
                refusal = say("access.locked") if locked else say("access.needs_pin")
            case _:
                return f"message is unknown; allowed: {self._allowed}"
        self._tell_soon()
        return "" if refusal is None else words(self._language).text(refusal)

    def _name(self, names: list[Any]) -> str:
        """Hand over the players' names, which the table tidies."""
        players = len(self._page.game.players)
        if len(names) != players or not all(isinstance(name, str) for name in names):
            return f"names is {names!r}; allowed: {players} texts"
        self._page.control.give(Named(tuple(names)))
        return ""

    def _strange(self, piece: str, *more: str) -> str:
        """Say why a piece cannot be set up with; nothing if it can."""
        known = (*self._page.game.palette, *more)
        allowed = ", ".join(map(repr, known))
        return "" if piece in known else f"piece is {piece!r}; allowed: {allowed}"

    def _tally(self, score: list[Any], to_move: Any) -> str:
        """Hand over who moves next and the score; which of them can be, the table knows."""
        for name, value in (("to_move", to_move), *(("score", each) for each in score)):
            if not _is_number(value):
                return f"{name} is {value!r}; allowed: a whole number"
        self._page.control.give(Tallied(tuple(score), to_move))
        return ""

    def _oppose(self, computers: list[Any], new: bool) -> str:
        """Hand over who is a computer; when a new game can begin, the table knows."""
        players, known = len(self._page.game.players), ("", *self._page.levels)
        if len(computers) != players or any(each not in known for each in computers):
            allowed = ", ".join(map(repr, known))
            return f"computers is {computers!r}; allowed: {players} of {allowed}"
        self._page.control.give(Opposed(tuple(computers), new))
        return ""

    def _on_cells(self, cells: list[Any], act: Callable[[], None]) -> str:
        """Act if these are all cells of the board; return why not, or nothing."""
        known = self._page.profile.cells
        strange = [each for each in cells if not isinstance(each, str) or each not in known]
        if strange:
            return f"cell is {strange[0]!r}; allowed are the board's cells"
        act()
        return ""

    def _press(self, pointer: str, spot: str) -> str:
        if self._page.hands is None:
            stones = self._page.profile.sensing.mode == "presence"
            why = say("page.not_simulated_stones") if stones else say("page.not_simulated")
            return words(self._language).text(why)
        try:
            self._page.hands.press(self.name + pointer, spot)
        except HalError as error:
            return str(error)
        return ""
