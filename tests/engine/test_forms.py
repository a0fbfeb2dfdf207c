"""The compiled engine equals its source, and exists wherever it can be compiled."""

import shutil
import subprocess
import sys
import sysconfig
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
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


@pytest.mark.parametrize("name", forms.NAMES)
def test_engine_is_compiled_anew_where_there_is_a_compiler(name):
    file = Path(forms.in_use()[name].__file__ or "")
    assert file.suffix == (".so" if can_compile() else ".py"), "make test compiles it"
    made, sources = file.stat().st_mtime, [each for p in BUILT_FROM for each in ROOT.glob(p)]
    assert len(sources) > len(forms.NAMES)
    if file.suffix == ".so":
        changed = [each for each in sources if each.stat().st_mtime > made]
        assert changed == [], "make test compiles it anew"


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


def found(tree: Any) -> Any:
    """Return all that a search has found."""
    children = tree.children()
    return children, [tree.line(child[0]) for child in children]


@pytest.mark.parametrize("name", sorted(FAST))
def test_plain_and_compiled_search_find_the_same(name):
    game, rng = find_game(name), Random(6)
    for informed, plies in product((True, False), PLIES.get(name, (0, 25, 45))):
        position, results = played(game, rng, plies), []
        for form in (forms.in_use(), forms.plain()):
            tree = form["fast.tree"].Tree(form[FAST[name]].board_of(position), 3, informed)
            tree.go_on(effort(20, 40))
            results.append(found(tree))
        assert results[0] == results[1]


@pytest.mark.parametrize("informed", [False, True])
def test_plain_and_compiled_search_find_the_same_where_chance_decides(informed):
    whole = arranged("medium", 3)
    seen, results = MIND.seen_by(whole, 1, remembers=True), []
    for form in (forms.in_use(), forms.plain()):
        rng, board_of = Random(1), form["fast.cirkle_mind"].board_of
        tree = form["fast.tree"].Tree(board_of(whole, seen), 3, informed)
        tree.hidden = True
        for _ in range(effort(40, 60)):
            tree.root.copy_from(board_of(MIND.supposed(seen, rng), seen))
            tree.go_on(1)
        results.append(found(tree))
    assert results[0] == results[1]


def played(game: Any, rng: Random, plies: int) -> Any:
    """Return a position of a random game that is not over after this many plies."""
    while True:
        position = started(game, seed=plies)
        for _ in range(plies):
            if game.outcome(position) is None:
                position = game.play(position, game.legal_moves(position).pick(rng))
        if game.outcome(position) is None:
            return position


def test_plain_and_compiled_random_games_are_the_same_and_end_as_those_of_the_rules():
    for seed, target in ((1, 20), (2, 5), (3, 61)):
        games = [
            forms.random_games(form(), 150, seed, target) for form in (forms.in_use, forms.plain)
        ]
        assert games[0] == games[1]
    # In 20,000 games of the rules' own, 61 plies a game, and the first player wins 52%.
    won, plies = forms.random_games(forms.in_use(), 2_000, 4)
    assert 60.0 < plies / 2_000 < 62.0
    assert 950 < won < 1_100
