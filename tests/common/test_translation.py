"""Every message has a sentence in every language, and every sentence a message."""

import ast
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from game.common import LANGUAGES, Words, accepted, choose, words
from game.rules.base.message import say
from game.web.game_pages import page_words

ROOT = Path(__file__).parent.parent.parent
LOCALE = ROOT / "game" / "common" / "locale"
KEY = re.compile(r'"(page\.[a-z0-9_]+)"')


@cache
def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "lifeboard.po").open("rb") as file:
        return read_po(file, locale=language)


def keys_like(key: ast.expr) -> set[str]:
    """Return a literal key, or all of the catalogue that are named after members of an Enum."""
    if not isinstance(key, ast.JoinedStr):
        return {key.value} if isinstance(key, ast.Constant) else set()
    parts = [re.escape(p.value) if isinstance(p, ast.Constant) else "[^.]+" for p in key.values]
    return {key_of(e) for e in catalogue("en") if e.id and re.fullmatch("".join(parts), key_of(e))}


@cache
def used_keys() -> frozenset[str]:
    """Collect the keys that the code and the page name."""
    keys = set()
    for file in (ROOT / "game").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                found = keys_like(node.args[0])
                assert found, f"neither literal nor in the catalogue: {file}:{node.lineno}"
                keys |= found
    for file in (ROOT / "game" / "web" / "page").iterdir():
        if file.suffix in (".html", ".js"):
            keys.update(KEY.findall(file.read_text(encoding="utf-8")))
    return frozenset(keys)


def key_of(entry: object) -> str:
    return entry.id if isinstance(entry.id, str) else entry.id[0]


def texts(entry: object) -> tuple[str, ...]:
    string = entry.string
    return string if isinstance(string, tuple) else (string,)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogue_has_exactly_the_messages_in_use_whole_and_with_their_placeholders(language):
    there = {key_of(entry): entry for entry in catalogue(language) if entry.id}
    assert used_keys() - there.keys() == set(), "untranslated"
    assert there.keys() - used_keys() == set(), "orphaned"
    english = {key_of(e): set().union(*map(fields, texts(e))) for e in catalogue("en") if e.id}
    for key, entry in there.items():
        assert all(text.strip() for text in texts(entry)), key
        assert not entry.fuzzy, key
        assert set().union(*map(fields, texts(entry))) == english[key], key
        # A choice of forms has one for one, for several and for the reader.
        specs = [spec for text in texts(entry) for _, _, spec, _ in Formatter().parse(text) if spec]
        assert {spec.count("|") for spec in specs} <= {0, 2}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_catalogue_is_that_of_the_source(language):
    compiled = BytesIO()
    write_mo(compiled, catalogue(language))
    stored = (LOCALE / language / "LC_MESSAGES" / "lifeboard.mo").read_bytes()
    assert stored == compiled.getvalue(), "run `make catalogues`"


def test_text_fills_nested_messages_lists_and_numbers():
    message = say(
        "table.put",
        count=2,
        pieces=(
            say("table.piece_at", piece=say("piece.orange"), cell="e5"),
            say("table.piece_at", piece=say("piece.blue"), cell="d4"),
        ),
    )
    assert "orange stone on e5, blue stone on d4" in Words("en").text(message)
    assert "pedina" in Words("it").text(message)


def test_what_fills_a_sentence_chooses_its_form_and_a_list_its_last_joint():
    mummies, you = say("azteka.mummies", count=14), say("table.you", name="Ada|#")
    for who, forms in (("Ada|#", ("Ada|#\u2019s",) * 2), (mummies, ("Mummies\u2019",) * 2)):
        shown = [
            words("en", to_you).text(say("table.to_wait", player=who)) for to_you in (False, True)
        ]
        assert shown == [f"{form} turn." for form in forms]
    shown = [words("en", to_you).text(say("table.to_wait", player=you)) for to_you in (False, True)]
    assert shown == ["Ada|#\u2019s turn.", "Your turn."]
    for keys, listed in ((("a",), "a"), (("a", "b", "c"), "a, b or c")):
        assert words("en").text(say("table.or_press", keys=keys)) == f"Or press {listed}."


def test_page_words_are_those_that_the_page_names():
    english = page_words("en")
    assert english["page.new_game"] == "New game"
    # The server fills in these answers to pages of a real board.
    answers = {"page.not_simulated", "page.not_simulated_stones"}
    assert set(english) == {key for key in used_keys() if key.startswith("page.")} - answers


def test_language_is_chosen_by_the_browser_and_falls_back_to_english():
    assert choose(accepted("de-CH,de;q=0.9,en;q=0.8")) == "de"
    assert choose(accepted("ja,fr;q=0.4,it;q=0.7")) == "it"
    assert choose(accepted("xx;q=nonsense, *")) == "en"
    assert choose([]) == "en"


def test_french_quotes_do_not_part_from_what_they_hold():
    for entry in catalogue("fr"):
        for text in texts(entry) if entry.id else ():
            assert not re.search("«(?!\u202f)|(?<!\u202f)»", text), entry.id
