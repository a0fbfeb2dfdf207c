"""The compiled engine equals its source, and exists wherever it can be compiled."""

import shutil
import subprocess
import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import pytest
from setuptools import Distribution, Extension

from game.engine.search import FAST, new_search
from game.rules.base.registry import find_game
from game.rules.circle_of_life import GAME
from game.rules.cirkle_mind import GAME as MIND
from tests.helpers.effort import effort
from tests.helpers.games.cirkle_games import arranged, started
from tests.helpers.machines.deb_package import wheel
from tests.helpers.programs import forms

ROOT = Path(__file__).parents[2]
BUILT_FROM = ("setup.py", "game/engine/*/*.py", "game/engine/*/*.pxd")


def can_compile() -> bool:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    header = Path(sysconfig.get_path("include")) / "Python.h"
    return shutil.which(compiler) is not None and header.exists()


def sources() -> list[Path]:
    return [file for pattern in BUILT_FROM for file in ROOT.glob(pattern)]


def stale(extension: Path, made_of: list[Path]) -> list[Path]:
    """List the sources that were changed after an extension was made."""
    made = extension.stat().st_mtime
    return [file for file in made_of if file.stat().st_mtime > made]


@pytest.mark.parametrize("name", forms.NAMES)
def test_engine_is_compiled_where_there_is_a_compiler(name):
    file = forms.in_use()[name].__file__
    assert file is not None
    assert file.endswith(".so" if can_compile() else ".py"), "make test compiles it"


@pytest.mark.parametrize("name", forms.NAMES)
def test_compiled_engine_is_not_older_than_its_source(name):
    file = Path(forms.in_use()[name].__file__ or "")
    if file.suffix == ".so":
        assert stale(file, sources()) == [], "make test compiles it anew"
    assert len(sources()) > len(forms.NAMES)


def test_wheel_made_without_a_compiler_plays_the_same_in_plain_python(tmp_path):
    with ZipFile(wheel()) as file:
        file.extractall(tmp_path / "inside")
        names = [name for name in file.namelist() if name.startswith("game/engine/")]
    assert {f"game/engine/{name.replace('.', '/')}.py" for name in forms.NAMES} <= set(names)
    assert not [name for name in names if name.endswith((".so", ".c"))]
    script = (
        "from game.engine.search import new_search;"
        "from game.engine.fast import tree;"
        "from game.rules.circle_of_life import GAME;"
        "search = new_search(GAME, GAME.initial(), 7); search.go_on(300);"
        "print(tree.__file__, *search.choices(), sep='\\n')"
    )
    path, *found = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path / "inside",
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert Path(path) == tmp_path / "inside/game/engine/fast/tree.py"
    search = new_search(GAME, GAME.initial(), 7)
    search.go_on(300)
    assert found == [str(choice) for choice in search.choices()]


def setup_script() -> ModuleType:
    spec = spec_from_file_location("setup_script", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(("last", "compiled"), [("int c;", 3), ("no C at all", 0)])
def test_engine_is_compiled_as_a_whole_or_not_at_all(tmp_path, last, compiled):
    # A small machine may run out of memory at the largest file.
    wanted = []
    for name, source in (("a", "int a;"), ("b", "int b;"), ("c", last)):
        (tmp_path / f"{name}.c").write_text(source)
        wanted.append(Extension(name, [str(tmp_path / f"{name}.c")], optional=True))
    command = setup_script().AllOrNone(Distribution({"ext_modules": wanted}))
    command.build_lib, command.build_temp = str(tmp_path / "lib"), str(tmp_path)
    command.ensure_finalized()
    command.run()
    found = list(tmp_path.glob("lib/*"))
    assert len(found) == (compiled if can_compile() else 0)


PLIES = {"capture-go": (0, 6, 12), "capture-go-7": (0, 2, 4)}
"""Plies after which a random game still goes on, by game, where they are fewer than usual."""


@pytest.mark.parametrize("name", sorted(FAST))
def test_plain_and_compiled_search_find_the_same(name):
    game, rng = find_game(name), Random(6)
    for informed in (True, False):
        for plies in PLIES.get(name, (0, 25, 45)):
            position, found = played(game, rng, plies), []
            for form in (forms.in_use(), forms.plain()):
                board = form[FAST[name]].board_of(position)
                tree = form["fast.tree"].Tree(board, 3, informed)
                tree.go_on(effort(20, 100))
                children = tree.children()
                found.append((children, [tree.line(child[0]) for child in children]))
            assert found[0] == found[1]


@pytest.mark.parametrize("informed", [False, True])
def test_plain_and_compiled_search_find_the_same_where_chance_decides(informed):
    whole = arranged("medium", 3)
    seen, found = MIND.seen_by(whole, 1, remembers=True), []
    for form in (forms.in_use(), forms.plain()):
        rng, board_of = Random(1), form["fast.cirkle_mind"].board_of
        tree = form["fast.tree"].Tree(board_of(whole, seen), 3, informed)
        tree.hidden = True
        for _ in range(effort(40, 100)):
            tree.root.copy_from(board_of(MIND.supposed(seen, rng), seen))
            tree.go_on(1)
        children = tree.children()
        found.append((children, [tree.line(child[0]) for child in children]))
    assert found[0] == found[1]


def played(game: Any, rng: Random, plies: int) -> Any:
    """Return a position of a random game that is not over after this many plies."""
    while True:
        position = started(game, seed=plies)
        for _ in range(plies):
            if game.outcome(position) is None:
                position = game.play(position, game.legal_moves(position).pick(rng))
        if game.outcome(position) is None:
            return position


def test_plain_and_compiled_draw_and_play_the_same():
    one, other = forms.in_use(), forms.plain()
    chances = [form["fast.chance"].Xorshift(9) for form in (one, other)]
    assert [chances[0].draw() for _ in range(100)] == [chances[1].draw() for _ in range(100)]
    for seed, target in ((1, 20), (2, 5), (3, 61)):
        games = [forms.random_games(form, 150, seed, target) for form in (one, other)]
        assert games[0] == games[1]
