"""The Debian package as the tests build it, from a copy of what git knows and nothing else."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.helpers.cached import cached
from tests.helpers.machines.image import image, newer_image
from tests.helpers.machines.machine import Machine
from tests.helpers.machines.served import SETTINGS
from tests.helpers.shared import built_once, shared_folder

ROOT = Path(__file__).parents[3]
MOMENT = 1_790_000_000
"""When the tests' packages were made, in seconds since 1970."""
_COMPILER = "tests/helpers/machines/quick_gcc"
_QUICK = {"DPKG_DEB_COMPRESSOR_TYPE": "gzip", "DPKG_DEB_COMPRESSOR_LEVEL": "1"}
"""Packages for the tests need not be small: xz takes 11 s of a processor for each."""
_MAKE_DEB = """
mount -t overlay overlay -o "lowerdir=$IMAGE,upperdir=upper,workdir=work" root &&
mount --rbind /dev root/dev && mount --rbind /proc root/proc &&
exec chroot root env --chdir=/source make deb
"""


def source() -> Path:
    """Return a copy of the checkout, made once in a run."""
    return built_once("source", lambda: copy_source(shared_folder() / "source"))


def package() -> Path:
    """Return the package, built once in a run."""
    return built_once("package", lambda: build_deb(source(), shared_folder() / "package"))


def installed() -> Path:
    """Return the disk of a machine with the package on it, made once in a run, without image."""
    return built_once("installed-machine", _install)


def _install() -> Path:
    with Machine([image()], shared_folder() / "installed") as machine:
        shutil.copy(package(), machine.inside("/root"))
        machine.call("dpkg", "--install", f"/root/{package().name}")
        machine.write("/etc/lifeboard/lifeboard.toml", SETTINGS)
    return machine.disk


def newer_package() -> Path:
    """Return the package that `make deb` builds on Debian 13, built once in a run."""
    return built_once("newer-package", lambda: _build_newer(shared_folder() / "newer"))


def _build_newer(folder: Path) -> Path:
    """Build the package in an image of Debian 13, from libraries that are fetched outside."""
    newer = newer_image()
    (python,) = (each.name for each in newer.glob("usr/lib/python3.*"))
    for name in ("work", "root"):
        (folder / name).mkdir(parents=True)
    _scarcely_compiled(copy_source(folder / "upper/source"))
    shutil.copytree(_files(python.removeprefix("python")), folder / "upper/wheels")
    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", _MAKE_DEB],
        cwd=folder,
        env={
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "IMAGE": str(newer),
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": "/wheels",
            "SOURCE_DATE_EPOCH": str(MOMENT),
            "CC": f"/source/{_COMPILER}",
            **_QUICK,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = (folder / "upper/source/dist").glob("lifeboard_*.deb")
    return built


def _files(python: str) -> Path:
    """Return a folder with all that is needed to build the package for a version of Python."""
    locks = [ROOT / f"requirements/{name}.txt" for name in ("build", "ws281x")]
    texts = [each.read_text(encoding="utf-8") for each in locks]

    def download(folder: Path) -> None:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        pip += ["--no-build-isolation", f"--python-version={python}", f"--dest={folder}"]
        pip += [f"--requirement={each}" for each in locks]
        subprocess.run(pip, check=True, capture_output=True)

    return cached("wheels", (python, texts), download)


def wheel() -> Path:
    """Return lifeboard's own wheel as it is made without a compiler, built once in a run."""
    return built_once("wheel", _build_wheel)


def _build_wheel() -> Path:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "wheel"]
    folder = shared_folder() / "wheel"
    checkout = _scarcely_compiled(copy_source(folder / "source"))
    subprocess.run(
        [*pip, "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(checkout)],
        env={**os.environ, "CC": "/bin/false"},
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("lifeboard-*.whl")
    return built


def _scarcely_compiled(checkout: Path) -> Path:
    """Leave one module of the engine to compile, and what all share: each takes seconds."""
    for file in checkout.glob("game/engine/*/*.pxd"):
        if file.stem not in ("bits", "chance"):
            file.unlink()
    return checkout


def copy_source(folder: Path) -> Path:
    """Copy the files that git knows into a folder."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout.split("\0")
    for name in filter(None, listed):
        file, copy = ROOT / name, folder / name
        if not file.exists():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            copy.symlink_to(file.readlink())
        else:
            copy.write_bytes(file.read_bytes())
            copy.chmod(file.stat().st_mode)
    return folder


def build_deb(
    source: Path,
    output: Path,
    *,
    moment: int | None = MOMENT,
    **more: str,
) -> Path:
    """Build the package from a copied source, with `more` in the environment.

    Without a `moment` the package has the time of the last commit.
    """
    files = _files(f"{sys.version_info.major}.{sys.version_info.minor}")
    command = [sys.executable, str(source / "systemd/deb/build.py"), "--output", str(output)]
    command += ["--files", str(files)]
    environment = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(Path.home()),
        "CC": str(ROOT / _COMPILER),
        **_QUICK,
        **more,
    }
    if moment is not None:
        environment["SOURCE_DATE_EPOCH"] = str(moment)
    done = subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


def later(version: str, *, replaced: Mapping[str, str] | None = None) -> Path:
    """Return the package as another version, with some files of its program replaced.

    `replaced` has texts by paths below lifeboard's program folder.
    """
    return built_once(f"package-{version}", lambda: _change(version, replaced or {}))


def signed(deb: Path) -> tuple[Path, str]:
    """Return a copy of a package with a signature, and the line that lets its key sign."""
    copy, key = built_once(f"signed-{deb.stem}", lambda: _sign(deb))
    return copy, f'lifeboard namespaces="lifeboard" {key.with_suffix(".pub").read_text()}'


def _sign(deb: Path) -> tuple[Path, Path]:
    key = built_once("key", lambda: _make_key(shared_folder() / "key"))
    copy = shared_folder() / f"signed-{deb.name}"
    shutil.copyfile(deb, copy)
    subprocess.run([ROOT / "systemd/deb/sign", key, copy], check=True)
    return copy, key


def _make_key(key: Path) -> Path:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]
    subprocess.run(command, check=True)
    return key


def _change(version: str, replaced: Mapping[str, str]) -> Path:
    tree = shared_folder() / version
    subprocess.run(["dpkg-deb", "--raw-extract", package(), tree], check=True)
    for name in ("control", "postinst", "prerm", "changelog"):
        file = tree / "DEBIAN" / name
        file.write_text(file.read_text().replace(_version(package()), version))
    (site,) = tree.glob("usr/lib/lifeboard/lib/python3*/site-packages")
    (shown,) = site.glob("lifeboard-*.dist-info/METADATA")
    shown.write_text(
        shown.read_text().replace(f"\nVersion: {_version(package())}\n", f"\nVersion: {version}\n")
    )
    for name, text in replaced.items():
        (site / name).write_text(text)
    file = shared_folder() / f"lifeboard_{version}.deb"
    # Its sums are not those of the changed files, which dpkg does not mind.
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--build", tree, file], check=True)
    return file


def _version(deb: Path) -> str:
    return deb.name.split("_")[1]
