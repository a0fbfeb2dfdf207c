"""`systemd/deb/arm64`: a package is built again only when its sources have changed."""

import os
import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "systemd/deb/arm64"


def test_package_for_arm64_is_built_again_when_a_source_has_changed(tmp_path):
    source = tmp_path / "game/table.py"
    for folder in ("game", "systemd/deb", "dist"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(SCRIPT, tmp_path / "systemd/deb")
    for name in ("game/table.py", "setup.py", "dist/lifeboard_0.1.0_arm64.deb"):
        (tmp_path / name).touch()
    for command in (["init", "--quiet"], ["add", "game", "setup.py", "systemd"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    # As after an earlier build, with a Python that fetches nothing.
    (tmp_path / "cache/lifeboard/trixie-arm64/source").mkdir(parents=True)
    (tmp_path / "cache/lifeboard/trixie-arm64/complete").touch()

    def build() -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "systemd/deb/arm64", "false", "dist"],
            cwd=tmp_path,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=False,
        )

    unchanged = build()
    assert (unchanged.returncode, unchanged.stdout) == (0, "dist/lifeboard_0.1.0_arm64.deb\n")
    after = (tmp_path / unchanged.stdout.strip()).stat().st_mtime + 1
    os.utime(source, (after, after))
    built = build()
    assert (built.returncode, built.stdout) == (1, "")
