"""What is installed is locked: versions, and hashes of all their files, for every system."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
LOCKS = {file.stem: file for file in (ROOT / "requirements").glob("*.txt")}
TOLD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = TOLD["project"]["optional-dependencies"]
GROUPS = TOLD["dependency-groups"]
ENTRY = re.compile(
    r"(\S+)==(\S+)(?: ; ([^\\]+?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
)


def entries(name: str) -> dict[str, tuple[str, str, int]]:
    """Read a lock: of each library its version, its marker, and how many hashes it has."""
    text = LOCKS[name].read_text(encoding="utf-8")
    lines = "".join(line for line in text.splitlines(True) if not line.startswith("#"))
    assert ENTRY.sub("", lines) == "", "something has no version or no hash"
    return {
        found[1]: (found[2], found[3] or "", found[4].count("--hash"))
        for found in ENTRY.finditer(lines)
    }


def wanted(*names: str) -> list[Requirement]:
    """List what `pyproject.toml` asks of a lock, which may be for several extras."""
    if names[0] in GROUPS:
        return [Requirement(each) for each in GROUPS[names[0]]]
    asked = [Requirement(each) for each in TOLD["project"]["dependencies"]]
    for each in map(Requirement, [each for name in names for each in EXTRAS.get(name, ())]):
        asked += wanted(*each.extras) if each.name == "lifeboard" else [each]
    return asked


def test_there_is_a_lock_for_each_thing_that_make_sets_up():
    assert set(LOCKS) == {"play", *EXTRAS, *GROUPS}


@pytest.mark.parametrize("name", LOCKS)
def test_lock_has_all_that_the_project_asks_for(name):
    locked = entries(name)
    for each in wanted(name):
        version, _, _ = locked[canonicalize_name(each.name)]
        assert each.specifier.contains(version, prereleases=True), f"{each}: run `make lock`"
    # pip knows where files come from.
    text = LOCKS[name].read_text(encoding="utf-8")
    assert not re.search(r"://|^ *--(?!hash=)", text, re.MULTILINE)


def test_locks_name_one_version_of_each_library():
    versions: dict[str, set[str]] = {}
    for name in LOCKS:
        for library, (version, _, _) in entries(name).items():
            versions.setdefault(library, set()).add(version)
    assert {library: each for library, each in versions.items() if len(each) > 1} == {}


def test_lock_has_compiled_libraries_for_every_system():
    # A wheel for each of three versions of Python on two processors and macOS, and more.
    for library in ("numpy", "shapely"):
        assert entries("test")[library][2] > 20
    assert entries("ws281x")["rpi-ws281x"][1] == "sys_platform == 'linux'"


@pytest.mark.parametrize("target", ["play", "test", "dev", "supply"])
def test_make_installs_what_is_locked_and_nothing_else(target):
    environment = {key: value for key, value in os.environ.items() if key != "MAKEFLAGS"}
    lines = subprocess.run(
        ["make", "--dry-run", "--always-make", "VENV=nowhere", f"nowhere/{target}.stamp"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\\\n", "")
    installs = [line for line in lines.splitlines() if "pip install" in line]
    assert any(line.endswith(f"bin {target}") for line in installs)
    for each in installs:
        assert "--no-build-isolation" in each
        assert "--no-deps --require-hashes" in each or "--no-deps --editable ." in each
