"""The Debian package: what is in it, and that it is made the same each time.

What it does to a machine is tested on one, in `tests/machine`.
"""

import json
import re
import shutil
import subprocess
import sys
from email.message import Message
from email.parser import Parser
from pathlib import Path
from urllib.parse import unquote

import pytest

from game.app.service.places import Places
from game.app.service.setup.uninstall import _GAMES, _LEARNT
from tests.helpers.machines import deb_package
from tests.helpers.machines.deb_package import build_deb

# Packages are built with all their wheels, which takes a while beside other tests.
pytestmark = pytest.mark.timeout(600)

SCRIPTS = {
    "postinst": ("configure", "abort-upgrade", "abort-remove", "abort-deconfigure"),
    "prerm": ("remove", "upgrade", "deconfigure", "failed-upgrade"),
    "postrm": ("remove", "purge", "upgrade", "failed-upgrade", "abort-install", "disappear"),
}
"""The maintainer scripts, and what dpkg calls them with."""


@pytest.fixture(scope="module")
def package() -> Path:
    return deb_package.package()


@pytest.fixture(scope="module")
def tree(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Unpack the package, its control files into DEBIAN."""
    folder = tmp_path_factory.mktemp("tree") / "tree"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    return folder


@pytest.fixture(scope="module")
def control(tree: Path) -> Message:
    return Parser().parsestr((tree / "DEBIAN/control").read_text(encoding="utf-8"))


def wheels(tree: Path) -> list[Path]:
    return sorted((tree / "usr/share/lifeboard/wheels").iterdir())


def test_package_holds_wheels_and_documents_and_nothing_else(tree: Path, package: Path):
    documents = tree / "usr/share/doc/lifeboard"
    found = {path for path in tree.rglob("*") if path.is_file() and "DEBIAN" not in path.parts}
    assert found == {
        *wheels(tree),
        *(documents / name for name in ("README", "changelog.gz", "copyright")),
        documents / "examples/lifeboard.toml",
    }
    listed = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {tuple(line.split()[:2]) for line in listed} == {
        ("drwxr-xr-x", "root/root"),
        ("-rw-r--r--", "root/root"),
    }


def test_package_carries_all_that_a_board_needs(tree: Path, tmp_path: Path):
    # With nothing else at hand, pip finds each requirement of each wheel.
    (ours,) = (each for each in wheels(tree) if each.name.startswith("lifeboard-"))
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--isolated"),
            *("install", "--dry-run", "--ignore-installed", "--report", tmp_path / "report"),
            *("--no-index", "--find-links", ours.parent, f"{ours}[hardware]"),
        ],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PIP_CONFIG_FILE": "/dev/null"},
        check=True,
        capture_output=True,
    )
    report = json.loads((tmp_path / "report").read_text(encoding="utf-8"))
    names = {Path(unquote(each["download_info"]["url"])).name for each in report["install"]}
    # Each is needed, too.
    assert names == {each.name for each in wheels(tree)}


def test_libraries_in_the_package_are_free_and_named(tree: Path):
    told = (tree / "usr/share/doc/lifeboard/copyright").read_text(encoding="utf-8")
    for wheel in wheels(tree):
        if not wheel.name.startswith("lifeboard-"):
            assert f"Files: usr/share/lifeboard/wheels/{wheel.name}\n" in told
    licences = re.findall(r"^License: (.*)$", told, re.MULTILINE)
    assert len(licences) == len(wheels(tree))
    assert not [each for each in licences if "GPL" in each]


def test_package_is_for_this_python_only(control: Message):
    major, minor = sys.version_info[:2]
    depends = control["Depends"].split(", ")
    assert f"python3 (>= {major}.{minor}~)" in depends
    assert f"python3 (<< {major}.{minor + 1}~)" in depends
    assert {"python3-venv", "systemd", "udev"} <= set(depends)
    assert any(re.fullmatch(r"libc6 \(>= 2\.\d+\)", each) for each in depends)
    assert control["Recommends"] == "avahi-daemon"


@pytest.mark.parametrize(("script", "calls"), SCRIPTS.items())
def test_maintainer_scripts_are_shell_and_know_how_dpkg_calls(
    tree: Path, script: str, calls: tuple[str, ...]
):
    file = tree / "DEBIAN" / script
    assert file.stat().st_mode & 0o777 == 0o755
    subprocess.run(["sh", "-n", file], check=True)
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"@[A-Z]+@", text)
    answered = set(re.findall(r"[\w-]+", " ".join(re.findall(r"^    ([\w|-]+)\)$", text, re.M))))
    assert set(calls) <= answered
    unknown = subprocess.run([file, "unknown"], capture_output=True, text=True, check=False)
    assert unknown.returncode == 1
    assert "unknown argument 'unknown'" in unknown.stderr


def test_installer_runs_out_of_the_wheel_on_plain_python(tree: Path, tmp_path: Path):
    (ours,) = (each for each in wheels(tree) if each.name.startswith("lifeboard-"))
    program = re.search(
        r"python3 -I -c '(.*?)' ", (tree / "DEBIAN/postinst").read_text(encoding="utf-8"), re.S
    )
    assert program is not None
    # An environment without libraries of its own shows that it needs none.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    for command, option in (("install", "--no-start"), ("uninstall", "--keep-settings")):
        told = subprocess.run(
            [
                *(tmp_path / "bare/bin/python", "-I", "-c", program[1], ours),
                *("service", command, "--help"),
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        assert option in told


def test_purge_spares_what_uninstalling_spares(tree: Path):
    script = (tree / "DEBIAN/postrm").read_text(encoding="utf-8")
    places = Places()
    assert f"games={places.state}\n" in script
    assert f"settings={places.settings_folder}\n" in script
    assert set(re.findall(r"! -name '?([^' ]+)'?", script)) == {*_GAMES, *_LEARNT}


def test_package_is_made_the_same_each_time(package: Path, tree: Path, tmp_path: Path):
    # A copy of a copy: in a checkout somebody may be at work. Its files are of another time.
    copy = shutil.copytree(
        deb_package.source(), tmp_path / "source", symlinks=True, copy_function=shutil.copyfile
    )
    again = build_deb(copy, tmp_path / "package", wheels=wheels(tree)[0].parent, compiled_anew=True)
    assert again.name == package.name
    assert again.read_bytes() == package.read_bytes()
