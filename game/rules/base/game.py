"""The interface that a game implements: rules as pure functions on immutable positions."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from random import Random
from typing import Any, Generic, TypeAlias, TypeVar

from game.rules.base import values
from game.rules.base.edits import Edit, differences, removed_by, turns_in
from game.rules.base.errors import BadOption, BadPosition, IllegalMove, not_legal
from game.rules.base.message import Message, say
from game.rules.base.moves import Moves
from game.rules.base.values import Advice, Goal, Inspection, Json, Option, Outcome, Threats
from game.rules.boards.board import Board

P = TypeVar("P")
M = TypeVar("M")


class Game(ABC, Generic[P, M]):
    """One game.

    Override what is abstract; override the rest where the default does not fit. Players are
    numbered from 1; pieces are codes, as the referee prints them. `taps` must be prefix-free in
    every position: no legal move's taps begin another's.

    `palette` are the pieces with which a position can be set up; without any, a game always begins
    at its start. `keys` are the taps that are not cells: names of rings that can be turned, and
    `CHOICES`. `variants` are games of their own that the option `variant` chooses. `agreed_draws`
    says whether players may agree on a draw. Only `HiddenGame` sets `hidden`. `words` is the game's
    own class of presentation, and `effects` its subclass of MoveResult.
    """

    name: str
    title: str
    board: Board
    players: tuple[Message, ...]
    options: Mapping[str, Option] = {}
    palette: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    variants: Mapping[str, "Game[Any, Any]"] = {}
    agreed_draws: bool = False
    hidden: bool = False
    words: "type[Presentation[P, M]] | None" = None
    effects: "type[MoveResult[P, M]] | None" = None

    @cached_property
    def presentation(self) -> "Presentation[P, M]":
        return (self.words or Presentation)(self)

    def initial(self, options: Mapping[str, str] = {}) -> P:
        """Return the start for `first`, a player's number, and own options; raises BadOption.

        By default, it is the position that follows from the options alone.
        """
        return self.from_json({}, options)

    @abstractmethod
    def legal_moves(self, position: P) -> Moves[M]:
        """Return a view of the legal moves; empty when the game is over."""

    @abstractmethod
    def play(self, position: P, move: M) -> P:
        """Return the position after a legal move; raises IllegalMove."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    @abstractmethod
    def to_move(self, position: P) -> int | None:
        """Return the player who decides next, None when the game is over."""

    @abstractmethod
    def pieces(self, position: P) -> dict[str, str]:
        """Map each occupied cell to its piece's code."""

    @abstractmethod
    def text(self, position: P) -> str:
        """Write a position on one line; `parse` reads it back."""

    @abstractmethod
    def parse(self, text: str) -> P:
        """Read what `text` wrote; raises BadPosition."""

    def taps(self, position: P, move: M) -> tuple[str, ...]:
        """List the touches (cells, or names of keys) that enter a move; by default, its text."""
        return (str(move),)

    def from_json(self, position: Mapping[str, object], options: Mapping[str, str]) -> P:
        """Read a position from the referee's keys; raises BadOption, or BadPosition with cells."""
        raise BadPosition(say("rules.no_set_up", game=self.title))

    def extras(self, position: P) -> Json:
        """Return the keys that this game adds to the referee's."""
        return {}

    def score(self, position: P) -> tuple[int, ...]:
        """Return one number per player."""
        return (0,) * len(self.players)

    def goals(self, position: P) -> tuple[Goal, ...]:
        """List each player's progress towards each way of winning that can be counted."""
        return ()

    def evaluate(self, position: P) -> tuple[float, ...] | None:
        """Estimate each player's expected share of the point; None to use the goals instead."""
        return None

    def move_text(self, position: P, move: M) -> str:
        """Write a legal move in canonical record notation."""
        return str(move)

    def plain_text(self, position: P, move: M) -> str:
        """Write a legal move in the form shown in lists of moves."""
        return self.move_text(position, move)

    def parse_move(self, position: P, text: str) -> M:
        """Read a legal move in canonical or plain text; raises IllegalMove."""
        for move in self.legal_moves(position):
            if text in (self.move_text(position, move), self.plain_text(position, move)):
                return move
        raise not_legal(text)

    def result(self, position: P, move: M) -> "MoveResult[P, M]":
        """Return a legal move with its effects."""
        return (self.effects or MoveResult)(self, position, move)

    def moves_by_taps(self, position: P) -> dict[tuple[str, ...], M]:
        """Map the taps of each legal move to the move."""
        return {self.taps(position, move): move for move in self.legal_moves(position)}

    def arranging(self, position: P, player: int) -> values.Arranging | None:
        """Return the pieces that a player still has to lay out before play begins; None if none.

        All players may lay out pieces at the same time, although `to_move` names one at a time.
        Meanwhile there are too many legal moves to list or count: `legal_moves` supports only `in`,
        `pick` and `bool`, and moves have no taps.
        """
        return None

    def arrangement(self, position: P, player: int, pieces: Mapping[str, str]) -> str:
        """Write the move by which a player lays out pieces; raises IllegalMove."""
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def laid(self, position: P, player: int, text: str) -> dict[str, str]:
        """Read what `arrangement` wrote for a player, pieces by cell; raises IllegalMove."""
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def arranged_at_random(self, position: P, player: int, rng: Random) -> dict[str, str]:
        """Lay out a player's pieces at random, on cells that do not depend on the pieces."""
        raise IllegalMove(say("rules.nothing_to_arrange"))

    def seen_by(self, position: P, player: int | None, remembers: bool = False) -> P:
        """Return a position without the information hidden from a player, or a spectator (None).

        Unseen pieces become pieces of their side with an unknown face. A player who `remembers`
        also knows the faces that the game showed before. Legal moves and their texts stay the same;
        a move that depends on an unknown face cannot be played.
        """
        return position

    def supposed(self, position: P, rng: Random) -> P:
        """Draw a complete position that agrees with a position as a player sees it."""
        return position

    def faces(self, position: P, move: M) -> Mapping[str, str]:
        """Return the hidden pieces that a move shows to everyone, by the cells where they are."""
        return {}

    def covered_text(self, text: str) -> str:
        """Return a recorded move's text without its hidden information."""
        return text

    def covered_summary(self, position: P, move: M) -> Message | None:
        """Describe a legal move without naming faces; None if the summary names none."""
        return None

    def signal(self, piece: str) -> values.Signal | None:
        """Return how a light depicts a piece that is hidden otherwise; None for an open piece."""
        return None


class HiddenGame(Game[P, M]):
    """Override the methods from `arranging` on; moves and `repr` must not depend on faces."""

    hidden = True


class MoveResult(Generic[P, M]):
    """A legal move and its effects, each computed once, when first read.

    A game may override a part, and name the subclass as its `effects`. `after` raises
    IllegalMove. `edits` are the changes to make on the board, `removed` are the sorted cells whose
    piece leaves it (by default, unless an equal piece is put elsewhere), and `turned` are the turns
    of rings on which nothing else changes.
    """

    def __init__(self, game: Game[P, M], before: P, move: M) -> None:
        self.game, self.before, self.move = game, before, move

    @cached_property
    def after(self) -> P:
        return self.game.play(self.before, self.move)

    @cached_property
    def player(self) -> int:
        """The player who made the move."""
        return self.game.to_move(self.before) or 0

    @cached_property
    def text(self) -> str:
        """The move in canonical record notation."""
        return self.game.move_text(self.before, self.move)

    @cached_property
    def taps(self) -> tuple[str, ...]:
        return self.game.taps(self.before, self.move)

    @cached_property
    def pieces(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """The pieces by cell before the move and after it."""
        return self.game.pieces(self.before), self.game.pieces(self.after)

    @cached_property
    def edits(self) -> tuple[Edit, ...]:
        return differences(*self.pieces, self.game.board.cells)

    @cached_property
    def removed(self) -> tuple[str, ...]:
        return removed_by(self.edits, self.pieces[0])

    @cached_property
    def turned(self) -> tuple[Edit, ...]:
        board = self.game.board
        return turns_in(self.edits, *self.pieces, board, self.taps) if board.rings else ()

    @cached_property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.after)

    @cached_property
    def summary(self) -> Message:
        """The description of the move for people."""
        return self.game.presentation.summary(self)


AnyGame: TypeAlias = Game[Any, Any]


class Presentation(Generic[P, M]):
    """The words and pictures of one game. Everything has a default.

    Pieces belong to sides, numbered from 1, with a colour each (`hues`, as `#rrggbb`). `sides` are
    the first letters of the codes of their pieces, and `side_words` their names, if players are not
    called by their numbers. `piece_words` are the names of pieces, by code.
    `about` describes the game in one sentence to people who choose a game.
    `presence_rules` are the rules for a board that senses stones instead of touches; without them
    it shows `rules`. `roles` explains what inspecting shows. `legend` is printed beside the board,
    with lights in the profile's group `legend_lights`, and `printed` are codes of what is printed
    on cells. `score_word` names what the score counts. `threat_words` explain the cues for
    endangered pieces and for pieces that can be taken. `advice_words` are the coach's counts of
    pieces put in danger by the last move, of pieces in danger, and of pieces that can be taken.
    `meanings` explain short messages (the score's word, a goal, an outcome), by their keys.
    `notation` explains how moves are written.

    `folder` is the package of the game's class. There, `page/art.js` draws its pieces (see
    `page/art.js` of the page), and `locale/LANGUAGE/LC_MESSAGES/messages.mo` has its messages; each
    may be missing.
    """

    about: Message | None = None
    rules: tuple[Message, ...] = ()
    presence_rules: tuple[Message, ...] = ()
    legend: tuple[values.LegendEntry, ...] = ()
    legend_lights: str = ""
    roles: Mapping[values.Role, Message] = {}
    sides: tuple[str, ...] = ()
    side_words: tuple[Message, ...] = ()
    piece_words: Mapping[str, Message] = {}
    hues: tuple[str, ...] = values.HUES
    score_word: Message = say("goal.score")
    threat_words: tuple[Message, Message] = (say("cue.taken_next"), say("cue.can_be_taken"))
    advice_words: tuple[Message, Message, Message] = (
        say("coach.new_danger"),
        say("table.endangered"),
        say("table.edible"),
    )
    printed: Mapping[str, str] = {}
    meanings: Mapping[str, Message] = {}
    notation: Message | None = None

    def __init__(self, game: Game[P, M]) -> None:
        self.game = game

    @cached_property
    def folder(self) -> Traversable | None:
        """Return the folder of the game's own files; None if it is a single module."""
        package = sys.modules[type(self.game).__module__].__package__
        return files(package) if package else None

    def file_text(self, name: str) -> str:
        """Return the text of a file in the folder; "" if there is none."""
        file = None if self.folder is None else self.folder / name
        return "" if file is None or not file.is_file() else file.read_text("utf-8")

    def piece_word(self, piece: str) -> Message:
        """Name a piece, by its code."""
        return self.piece_words.get(piece) or say("piece.code", code=piece)

    def side(self, piece: str) -> int | None:
        """Return the side of a piece; None if it has none."""
        return self.sides.index(piece[0]) + 1 if piece[:1] in self.sides else None

    def side_of(self, position: P, player: int) -> int:
        """Return a player's current side; a player without one gets one for the lights."""
        return player

    def token(self, side: int) -> str:
        """Return the piece that depicts a side: its first in the palette, its letter or number."""
        pieces = (*self.game.palette, *self.sides)
        return next((each for each in pieces if self.side(each) == side), str(side))

    def token_of(self, position: P, player: int) -> str:
        """Return the piece that depicts a player, "" while the player's side is open."""
        return self.token(self.side_of(position, player))

    def called(self, position: P, player: int) -> Message:
        """Name a player by the side that they play now."""
        if self.side_words:
            return self.side_words[self.side_of(position, player) - 1]
        return self.game.players[player - 1]

    def before(self, position: P) -> Message | None:
        """Return what earlier rounds mean for the match's result; None if nothing."""
        return None

    def asks(self, position: P, taps: Sequence[str]) -> Message | None:
        """Return a message on the purpose of the next touch after these; None if obvious."""
        return None

    def key_word(self, position: P, taps: Sequence[str], key: str) -> Message:
        """Return what a key does as the next touch after these."""
        if key in self.game.board.rings:
            return say("key.turn", ring=key.removeprefix("ring"))
        return say("key.choice", key=key)

    def refusal(self, position: P, taps: Sequence[str]) -> Message:
        """Return why these touches enter no legal move; only the last one was refused."""
        if self.game.to_move(position) is None:
            return say("rules.game_over")
        return say("rules.not_legal", text=" ".join(taps))

    def summary(self, result: MoveResult[P, M]) -> Message:
        """Describe a legal move that was made."""
        who = self.called(result.before, result.player or 1)
        return say("table.played", player=who, move=result.text)

    def computer_plays(self, move: str) -> Message:
        """Describe the move that the computer plays, before people press its keys."""
        return say("table.computer_plays", move=move)

    def inspect(self, position: P, cell: str) -> Inspection | None:
        """Return what inspecting the piece on a cell shows; None if nothing."""
        return None

    def level(self, position: P) -> Message | None:
        """Name the current level of the rules; None for a game with one set of rules."""
        return None

    def rules_of(self, position: P, presence: bool) -> tuple[Message, ...]:
        """Return the rules of a position's level; `presence`: on a board that senses stones."""
        return self.presence_rules if presence and self.presence_rules else self.rules

    def preview(self, position: P, cell: str) -> Inspection | None:
        """Return what a touch would make and take, as far as a player sees; None if nothing."""
        return None

    @property
    def previews(self) -> bool:
        """Whether this game shows a move before it is played."""
        return type(self).preview is not Presentation.preview

    def threats(self, position: P, player: int) -> Threats:
        """Find the pieces that a player could take, and the player's pieces that others could."""
        return Threats()

    @property
    def teaches(self) -> bool:
        """Whether this game shows which pieces could be taken."""
        return type(self).threats is not Presentation.threats

    def won_by(self, result: MoveResult[P, M]) -> int | None:
        """Return the player who wins the game, or a round of it, by a legal move; None if none."""
        return None if result.outcome is None else result.outcome.winner

    def win_words(self, position: P) -> tuple[Message, Message]:
        """Return the coach's words for a player who can win at once, and for a rival who could."""
        return say("coach.finish"), say("coach.guard")

    def advice(self, position: P, past: Sequence[P]) -> tuple[Advice, ...]:
        """List a coach's ideas for the player whose turn it is, without wins at once.

        `past` are the positions before, the newest last. All positions are as a spectator sees
        them. An idea must be exact: a search must not refute its claim.
        """
        player = self.game.to_move(position) or 1
        now, words = self.threats(position, player), self.advice_words
        before = self.threats(past[-1], player).endangered if past else now.endangered
        new = now.endangered - before
        found = (
            (words[0], 5, Threats(new)),
            (words[1], 3, Threats(frozenset() if new else now.endangered)),
            (words[2], 4, Threats(edible=now.edible)),
        )
        return tuple(
            Advice(Message(word.key, {"count": count}), weight, lit)
            for word, weight, lit in found
            if (count := len(lit.endangered | lit.edible))
        )


def score_goals(word: Message, score: Sequence[int], wanted: int) -> tuple[Goal, ...]:
    """Return one goal for each player: to reach a score."""
    return tuple(Goal(player, word, each, wanted) for player, each in enumerate(score, start=1))


def known_options(game: Game[Any, Any]) -> dict[str, Option]:
    """List all options by name: `first`, who begins, and the game's own."""
    first = Option("1", choices=tuple(str(n + 1) for n in range(len(game.players))))
    return {"first": first, **game.options}


def settle(game: Game[Any, Any], options: Mapping[str, str]) -> dict[str, str]:
    """Check options, those of the chosen variant too, and fill in defaults; raises BadOption."""
    known = known_options(game)
    variant = game.variants.get(options.get(values.VARIANT, ""))
    known |= known_options(variant) if variant is not None else {}
    for key, value in options.items():
        given = {"key": key, "value": value}
        if key not in known:
            raise BadOption(say("rules.unknown_option", **given, allowed=", ".join(known)))
        if not known[key].accepts(value):
            raise BadOption(say("rules.bad_option", **given, allowed=known[key].allowed))
    return {key: options.get(key, option.default) for key, option in known.items()}
