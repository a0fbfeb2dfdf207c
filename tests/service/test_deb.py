"""The Debian package: what is in it, and that its build is reproducible.

What it does to a machine is tested on one, in `tests/machine`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from email.parser import Parser
from xml.etree import ElementTree

import pytest
from packaging.utils import canonicalize_name

from game.service.settings import DEFAULT_PORT
from tests.helpers.machines import deb_package
from tests.helpers.machines.deb_package import build_deb
from tests.service.test_unit import KINDS

# A package is built with all its libraries, which takes a while beside other tests.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def package():
    return deb_package.package()


@pytest.fixture(scope="module")
def tree(package, tmp_path_factory):
    """Unpack the package, its control files into DEBIAN."""
    folder = tmp_path_factory.mktemp("tree") / "tree"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    return folder


def test_package_puts_the_system_files_in_their_places(tree, package):
    folder = deb_package.ROOT / "systemd"
    units = {each.name for each in folder.iterdir() if each.suffix in KINDS}
    found = {
        file.relative_to(tree).as_posix()
        for file in tree.rglob("*")
        if file.is_file() and "DEBIAN" not in file.parts
    }
    assert {each for each in found if not each.startswith("usr/lib/lifeboard/")} == {
        *(f"usr/lib/systemd/system/{name}" for name in units),
        "etc/avahi/services/lifeboard.service",
        "usr/bin/lifeboard",
        "usr/lib/modules-load.d/lifeboard.conf",
        "usr/lib/sysusers.d/lifeboard.conf",
        "usr/lib/udev/rules.d/60-lifeboard.rules",
        "usr/share/lifeboard/lifeboard.toml",
        *(f"usr/share/lifeboard/lifeboard-wifi.{name}" for name in ("dns", "nft", "portal")),
        "usr/share/lifeboard/signers",
        "usr/lib/systemd/system/multi-user.target.wants/lifeboard-upgrade@cut-short.service",
        *(f"usr/share/doc/lifeboard/{name}" for name in ("README", "changelog.gz", "copyright")),
    }
    announced = (tree / "etc/avahi/services/lifeboard.service").read_text(encoding="utf-8")
    assert ElementTree.fromstring(announced).findtext("service/port") == str(DEFAULT_PORT)
    conffiles = (tree / "DEBIAN/conffiles").read_text(encoding="utf-8").split()
    assert conffiles == ["/etc/avahi/services/lifeboard.service"]
    listed = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {line.split()[1] for line in listed} == {"root/root"}
    assert not [line for line in listed if "__pycache__" in line]


def test_libraries_in_the_package_are_free_named_and_those_of_the_lock(tree):
    shown = (tree / "usr/share/doc/lifeboard/copyright").read_text(encoding="utf-8")
    site = tree.glob("usr/lib/lifeboard/lib/*/site-packages/*.dist-info")
    found = dict(each.name.removesuffix(".dist-info").rsplit("-", 1) for each in site)
    found.pop("lifeboard")
    names = sorted(found)
    assert {"starlette", "gpiozero"} <= set(names)
    assert "setuptools" not in names
    lock = (deb_package.ROOT / "requirements/ws281x.txt").read_text(encoding="utf-8")
    locked = {each[1]: each[2] for each in re.finditer(r"^(\S+)==(\S+)", lock, re.MULTILINE)}
    versions = {canonicalize_name(name): version for name, version in found.items()}
    assert versions.items() <= locked.items()
    assert len(found) > len(locked) / 2
    for name in names:
        assert re.search(rf"^Files: .*/{name}\*$", shown, re.MULTILINE | re.IGNORECASE), name
    licences = re.findall(r"^License: (.*)$", shown, re.MULTILINE)
    assert len(licences) == len(names) + 1
    # zeroconf's: the package carries it unchanged, and it can be replaced.
    assert [each for each in licences if "GPL" in each] == ["LGPL-2.1-or-later"]


def test_package_is_for_this_python_only(tree):
    control = Parser().parsestr((tree / "DEBIAN/control").read_text(encoding="utf-8"))
    major, minor = sys.version_info[:2]
    depends = control["Depends"].split(", ")
    assert f"python3 (>= {major}.{minor}~)" in depends
    assert f"python3 (<< {major}.{minor + 1}~)" in depends
    assert {"init-system-helpers", "systemd", "udev", "util-linux"} <= set(depends)
    assert any(re.fullmatch(r"libc6 \(>= 2\.\d+\)", each) for each in depends)
    assert control["Recommends"] == "avahi-daemon, openssl, python3-lgpio"


def test_package_is_made_the_same_elsewhere_and_later(package, tmp_path):
    # A copy of a copy, since a person may edit the checkout. Its files have other times.
    copy = shutil.copytree(
        deb_package.source(), tmp_path / "elsewhere", symlinks=True, copy_function=shutil.copyfile
    )
    # The last commit's time replaces the one that the first build was given.
    git = ["git", "-C", str(copy), "-c", "user.name=Ann", "-c", "user.email=ann@invalid"]
    for command in (["init"], ["commit", "--allow-empty", "--message", "All"]):
        subprocess.run(
            [*git, *command],
            env=os.environ | {"GIT_COMMITTER_DATE": f"@{deb_package.MOMENT} +0000"},
            check=True,
            capture_output=True,
        )
    files = tmp_path / "temporary"
    files.mkdir()
    odd = {"TMPDIR": str(files), "TZ": "Pacific/Chatham", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    umask = os.umask(0o077)
    try:
        again = build_deb(copy, tmp_path / "package", moment=None, **odd)
    finally:
        os.umask(umask)
    assert again.name == package.name
    assert again.read_bytes() == package.read_bytes()


def test_repository_is_one_from_which_apt_installs_and_only_as_it_was_signed(
    package, tmp_path, monkeypatch
):
    folder, config = tmp_path / "repository", tmp_path / "apt"
    # An agent's socket needs a short path.
    home = tempfile.mkdtemp(prefix="gpg-")
    monkeypatch.setenv("GNUPGHOME", home)
    quiet = {"check": True, "capture_output": True}
    make = ["gpg", "--batch", "--passphrase", "", "--quick-gen-key", "ann@example.org"]
    subprocess.run(make, **quiet)
    script = deb_package.ROOT / "systemd/deb/repository"
    said = subprocess.run([script, "ann@example.org", folder, package], text=True, **quiet).stdout
    subprocess.run(["gpgconf", "--kill", "all"], **quiet)
    # Its agents remove their sockets as they end.
    shutil.rmtree(home, ignore_errors=True)
    source = said.partition("\n")[2].replace("https://ADDRESS", folder.as_uri())
    source = source.replace("/etc/apt/keyrings", str(folder))
    for name in ("state/lists/partial", "cache/archives/partial", "sources"):
        (config / name).mkdir(parents=True)
    (config / "status").touch()
    (config / "sources/lifeboard.sources").write_text(source)
    places = {"State": "state", "Cache": "cache", "State::Status": "status"}
    places |= {"Etc::SourceParts": "sources", "Etc::SourceList": "none"}
    options = [f"-oDir::{name}={config / place}" for name, place in places.items()]
    options += ["-oAPT::Sandbox::User=root"]
    subprocess.run(["apt-get", *options, "update", "--error-on=any"], **quiet)
    command = ["apt-get", *options, "download", "lifeboard"]
    subprocess.run(command, cwd=tmp_path, **quiet)
    assert (tmp_path / package.name).read_bytes() == package.read_bytes()
    with (folder / "Packages").open("a") as changed:
        changed.write("\n")
    again = ["apt-get", *options, "update", "--error-on=any"]
    shutil.rmtree(config / "state/lists")
    (config / "state/lists/partial").mkdir(parents=True)
    done = subprocess.run(again, check=False, capture_output=True, text=True)
    assert done.returncode
    assert "unexpected size" in done.stderr or "Hash Sum mismatch" in done.stderr
