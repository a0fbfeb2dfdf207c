"""What is said to people who see neither lights nor page.

Owns what the lights alone tell, in words, and what has happened between two states. All else that
is said are the words of the scene.
"""

from collections.abc import Iterator, Mapping, Sequence

from game.rules.base.game import AnyGame
from game.rules.base.message import Message, say
from game.table.computer import idea_told, proposal, spot_word
from game.table.names import named, told
from game.table.prompts import LISTED, edit_prompts
from game.table.records import UNKNOWN_PIECE, Phase
from game.table.rings import edits_to_show
from game.table.state import State


def details(
    game: AnyGame, state: State, next_taps: frozenset[str], prompt: Sequence[Message]
) -> tuple[Message, ...]:
    """Say what the lights show and the `prompt` leaves out: on which cells."""
    said = tuple(named(game, state, each) for each in _details(game, state, next_taps))
    return tuple(each for each in said if each not in prompt)


def happened(game: AnyGame, before: State | None, after: State) -> tuple[Message, ...]:
    """Say what has happened since a state, in order; without one, how the game stands."""
    moves, notice = after.history, after.notices.current
    if before is not None and notice == before.notices.current:
        notice = None
    if before is None:
        news = [told(game, after, played) for played in moves[-1:]]
    else:
        same = _in_common(game, before, after)
        # What hands have taken back is told by a notice, however many moves it was.
        counted = notice is not None and notice.message.key == "table.restored"
        lost = () if counted or after.phase is Phase.DRAW else before.history[same:]
        news = [say("aloud.taken_back", did=told(game, before, each)) for each in reversed(lost)]
        for ply, played in enumerate(moves[same:], start=same + 1):
            news.append(told(game, after, played))
            stands = after.position if ply == len(moves) else moves[ply].before
            if played.removed:
                news += _scores(game, after, played.before, stands)
    if after.outcome is not None and (before is None or before.outcome is None):
        news.append(named(game, after, after.outcome.message))
    idea = idea_told(game, after)
    # An idea of the coach is said with what is asked, once.
    told_once = notice is not None and idea is not None and notice.message == idea.message
    if notice and not told_once:
        news.append(named(game, after, notice.message))
    return tuple(news)


def asked(
    game: AnyGame, state: State, prompt: Sequence[Message], aloud: Sequence[Message]
) -> tuple[Message, ...]:
    """Return what people are asked now: the words of a scene but for what has happened."""
    past = [told(game, state, played) for played in state.history[-1:]]
    if state.outcome is not None:
        past.append(named(game, state, state.outcome.message))
    idea = idea_told(game, state)
    advice = named(game, state, idea.message) if idea else None
    more = (*aloud, advice) if advice is not None and advice not in prompt else aloud
    return tuple(each for each in (*prompt, *more) if each not in past)


def _in_common(game: AnyGame, before: State, after: State) -> int:
    """Count the moves that two states have in common, covered or not."""
    pairs, text = list(zip(before.history, after.history, strict=False)), game.covered_text
    same = (text(old.text) == text(new.text) and old.player == new.player for old, new in pairs)
    return next((n for n, alike in enumerate(same) if not alike), len(pairs))


def _scores(game: AnyGame, state: State, before: object, after: object) -> Iterator[Message]:
    """Say how near the players are to the goals that have changed."""
    for old, new in zip(game.goals(before), game.goals(after), strict=False):
        if new != old:
            named_so = "".join(state.names[new.player - 1 : new.player])
            name = named_so or game.presentation.called(after, new.player)
            yield say("page.goal", name=name, goal=new.word, reached=new.reached, wanted=new.wanted)


def _details(game: AnyGame, state: State, next_taps: frozenset[str]) -> Iterator[Message]:
    if state.faults.reasons:
        if state.faults.cells:
            yield say("aloud.not_felt", cells=tuple(sorted(state.faults.cells)))
        return
    if state.inspecting:
        yield from _roles(game, state)
        return
    if state.phase in (Phase.MENU, Phase.SHOW, Phase.ARRANGE, Phase.DRAW):
        return
    if state.phase is Phase.CONFIRM:
        yield from _standing(game, state.expected)
    edits = edits_to_show(game, state)
    yield from edit_prompts(game, edits, state.feels_stones, state.standing, max(1, len(edits)))
    if state.phase is not Phase.TAP or proposal(game, state) is not None:
        return
    if not state.history:
        for number, player in enumerate(game.players, start=1):
            side = game.presentation.called(state.position, number)
            if side != player:
                yield say("aloud.plays", player=player, side=side)
    if 0 < len(next_taps) <= LISTED:
        spots = tuple(spot_word(game, state, spot) for spot in sorted(next_taps))
        yield say("aloud.lit", spots=spots)
    idea = idea_told(game, state)
    taken = (idea.threats.endangered, idea.threats.edible) if idea is not None else ((), ())
    for word, cells in zip(game.presentation.threat_words, taken, strict=True):
        if cells:
            yield say("aloud.cells", what=word, cells=tuple(sorted(cells)))


def _standing(game: AnyGame, pieces: Mapping[str, str]) -> Iterator[Message]:
    """Say what should stand where, kind by kind."""
    for piece in sorted(set(pieces.values()) - {UNKNOWN_PIECE}):
        cells = tuple(cell for cell in game.board.cells if pieces.get(cell) == piece)
        yield say("aloud.cells", what=game.presentation.piece_word(piece), cells=cells)


def _roles(game: AnyGame, state: State) -> Iterator[Message]:
    """Say which cells have a part in the inspection of a piece."""
    inspected = game.presentation.inspect(state.position, state.inspecting)
    for role, word in game.presentation.roles.items():
        cells = [c for c, each in (inspected.cells.items() if inspected else ()) if each is role]
        if cells:
            yield say("aloud.cells", what=word, cells=tuple(sorted(cells)))
