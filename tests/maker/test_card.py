"""`lifeboard card`: what it writes onto a card, and the cards and packages that it refuses."""

import os
import shutil
from pathlib import Path

import pytest

from game.cli.main import main
from game.maker.card import FOLDER, LOG
from game.service.settings import read_checked
from game.web.access import PIN_FILE, PinSecret

ISSUE = "Raspberry Pi reference 2026-06-18\nGenerated using pi-gen, https://example.com, stage2\n"
# What Raspberry Pi Imager 2 leaves on the boot partition of Raspberry Pi OS.
CARD = {
    "issue.txt": ISSUE,
    "config.txt": "#dtparam=spi=on\ndtparam=audio=on\narm_64bit=1\n[cm4]\notg_mode=1\n[all]\n",
    "cmdline.txt": "console=tty1 rootwait resize ds=nocloud;i=rpi-imager-1790000000000\n",
    "user-data": "#cloud-config\nhostname: kitchen\nruncmd:\n  - [ systemctl, enable, ssh ]\n",
    "meta-data": "instance-id: rpi-imager-1790000000000\n",
    "network-config": "network: {version: 2}\n",
}


@pytest.fixture
def boot(tmp_path, monkeypatch):
    """Return a card's boot partition, beside a `dist` with packages for two processors."""
    monkeypatch.chdir(tmp_path)
    for folder in ("bootfs", "dist"):
        (tmp_path / folder).mkdir()
    for name, text in CARD.items():
        (tmp_path / "bootfs" / name).write_text(text)
    for age, name in enumerate(("0.3.0_amd64", "0.2.0_arm64", "0.1.0_arm64")):
        file = tmp_path / f"dist/lifeboard_{name}.deb"
        file.write_text(name)
        os.utime(file, (-age, -age))
    return tmp_path / "bootfs"


def on(boot: Path) -> dict[str, str]:
    return {
        str(file.relative_to(boot)): file.read_text() for file in boot.rglob("*") if file.is_file()
    }


def test_card_gets_the_newest_package_and_keeps_what_imager_wrote(boot, capsys):
    assert main(["card", "bootfs", "--board", "hexagon-61"]) == 0
    shown = capsys.readouterr().out
    written = on(boot)
    assert CARD.items() < written.items()
    assert written[f"{FOLDER}/lifeboard_0.2.0_arm64.deb"] == "0.2.0_arm64"
    settings = read_checked(boot / FOLDER / "lifeboard.toml")
    assert (settings.board.profile, settings.page.network) == ("hexagon-61", True)
    assert "http://kitchen.local:8765/" in shown
    assert PinSecret.read(boot / FOLDER / PIN_FILE).pin in shown


def test_card_is_prepared_again_with_another_package_and_no_board(boot, capsys):
    assert main(["card", "bootfs", "--board", "bench-7"]) == 0
    first = on(boot)
    (boot / "user-data").write_text("#cloud-config\n")
    assert main(["card", "bootfs", "--package", "dist/lifeboard_0.1.0_arm64.deb"]) == 0
    assert "http://lifeboard.local:8765/" in capsys.readouterr().out
    second = on(boot)
    assert first.keys() - second.keys() == {f"{FOLDER}/lifeboard_0.2.0_arm64.deb"}
    assert read_checked(boot / FOLDER / "lifeboard.toml").board.profile is None


def test_files_are_written_into_a_folder_for_copying(boot, capsys):
    assert main(["card", "build/card", "--files"]) == 0
    assert "Copy all" in capsys.readouterr().out
    assert set(os.listdir("build/card")) == {FOLDER, "vendor-data"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("config.txt", None, "is no boot partition of a Raspberry Pi: it has no config.txt"),
        ("config.txt", "[all]\n#arm_64bit=1\n", "is no new card with the right system"),
        ("meta-data", None, "is no new card with the right system"),
        ("firstrun.sh", "#!/bin/sh\n", "is no new card with the right system"),
        (f"{FOLDER}/{LOG}", "+ apt-get\n", "has been started with lifeboard already: bootfs/"),
    ],
)
def test_other_cards_are_refused_and_stay_as_they_are(boot, capsys, name, text, said):
    file = boot / name
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True) if text is None else file.write_text(text)
    before = on(boot)
    assert main(["card", "bootfs"]) == 1
    assert f"lifeboard: bootfs {said}" in capsys.readouterr().err
    assert on(boot) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--package", "dist/lifeboard_0.3.0_amd64.deb"], "is no package of lifeboard for arm64"),
        (["--package", "dist/lifeboard_9.9_arm64.deb"], "is no package of lifeboard"),
        (["--package", "bootfs/issue.txt"], "is no package of lifeboard"),
        (["--board", "chess"], 'board "chess": allowed are bench-7'),
    ],
)
def test_other_packages_and_boards_are_refused(boot, capsys, arguments, said):
    assert main(["card", "bootfs", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert on(boot) == CARD


def test_no_package_at_all_is_refused(boot, capsys):
    shutil.rmtree("dist")
    assert main(["card", "bootfs"]) == 1
    assert "`make card` builds one" in capsys.readouterr().err
    assert on(boot) == CARD
