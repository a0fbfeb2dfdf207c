"""Sentences for people who see neither lights nor page: where, how many, what has happened."""

from dataclasses import replace

from game.rules.adaptoid import GAME as ADAPTOID
from game.rules.base.message import Message
from game.rules.circle_of_life import GAME
from game.table.inputs import Command, SetNames
from game.table.state import State
from game.table.words import LISTED, spoken_details, spoken_news, spoken_prompt
from tests.helpers.pages.scripted_table import ScriptedTable
from tests.table.random_game import TWO_MEALS


def keys(messages: tuple[Message, ...]) -> list[str]:
    return [message.key for message in messages]


def happened(table: ScriptedTable, before: State | None) -> list[str]:
    return keys(spoken_news(table.game, before, table.table.state))


def test_all_cells_of_many_edits_are_said_though_the_words_only_count_them():
    table = ScriptedTable()
    table.tap("e5")
    many = table.game.board.cells[: LISTED + 2]
    state = replace(table.table.state, standing=dict.fromkeys(("e5", *many), "1"))
    words = [each for each in spoken_details(GAME, state, frozenset(), ()) if "cells" in each.args]
    assert [each.args["cells"] for each in words] == [many]


def test_what_should_stand_is_said_where_people_compare_the_board_with_the_lights():
    table = ScriptedTable()
    table.tap("e5", "d4", "a1")
    table.ask(Command.CONFIRM)
    said = table.table.scene().aloud
    assert [(str(each.args["what"]), each.args["cells"]) for each in said] == [
        ("piece.orange", ("a1", "e5")),
        ("piece.blue", ("d4",)),
    ]


def test_few_touches_that_go_on_are_said_and_many_are_not():
    table = ScriptedTable(ADAPTOID)
    assert "aloud.lit" not in keys(table.table.scene().aloud)
    table.play("W:c3 B:e4", "white")
    table.tap("c3")
    (lit,) = [each for each in table.table.scene().aloud if each.key == "aloud.lit"]
    assert 0 < len(lit.args["spots"]) <= LISTED


def test_moves_with_what_they_changed_of_the_score_are_told_once_and_take_backs_too():
    table = ScriptedTable()
    table.give(SetNames(("Ann", "")))
    before = table.table.state
    assert happened(table, before) == []
    table.tap(*TWO_MEALS)
    after = table.table.state
    assert happened(table, before)[-2:] == ["circle_of_life.ate", "page.goal"]
    score = spoken_news(GAME, before, after)[-1]
    assert (score.args["name"], score.args["reached"]) == ("Ann", 2)
    assert happened(table, None) == ["circle_of_life.ate"]
    table.ask(Command.TAKE_BACK)
    assert happened(table, after) == ["aloud.taken_back"]
    table.ask(Command.NEW_GAME, Command.NEW_GAME)
    assert "aloud.taken_back" not in happened(table, after)


def test_a_refusal_is_told_each_time_and_what_happened_is_never_asked():
    table = ScriptedTable()
    table.tap("e5")
    state, scene = table.table.state, table.table.scene()
    assert keys(spoken_prompt(GAME, state, scene.prompt, scene.aloud)) == ["table.to_play"]
    table.tap("e5")
    refused = table.table.state
    assert happened(table, state) == ["circle_of_life.occupied"]
    table.tap("e5")
    assert happened(table, refused) == ["circle_of_life.occupied"]


def test_an_idea_of_the_coach_is_said_once_while_it_holds():
    table = ScriptedTable()
    table.ask(Command.COACH)
    reported: list[str] = []
    for cell in TWO_MEALS:
        before = table.table.state
        table.tap(cell)
        state, scene = table.table.state, table.table.scene()
        said = (*spoken_news(GAME, before, state), *spoken_prompt(GAME, state, scene.prompt, ()))
        if state.coach.shown is not None:
            reported += [each.key for each in said if each == state.coach.shown.message]
            assert len(reported) == 1
            break
    assert reported
