"""Updates by the page: which packages are refused and why, and who may send them."""

import subprocess
from pathlib import Path

import pytest

from game.service import signed_package, updates
from game.service.signed_package import OFFERED, REQUEST, Offer, UpdateError, read_offer
from game.service.updates import MOST_BYTES, PART, PART_BYTES, UpdatedSite
from tests.helpers.machines.deb_package import ROOT
from tests.helpers.pages.network_page import network

CHANGELOG = """lifeboard (2.0) unstable; urgency=medium

  * Players can
    win.
  * Faster.

 -- Ann <ann@invalid>  Sat, 01 Jan 2028 12:00:00 +0000

lifeboard (1.0) unstable; urgency=medium

  * First release.

 -- Ann <ann@invalid>  Fri, 01 Jan 2027 12:00:00 +0000
"""


class Packages:
    """A maker of packages with a key, `signers` being its public half."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._key = folder, folder / "key"
        folder.mkdir()
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self._key]
        subprocess.run(command, check=True)
        self.signers = folder / "signers"
        line = self._key.with_suffix(".pub").read_text()
        self.signers.write_text(f'# ours\nlifeboard namespaces="lifeboard" {line}')

    def make(self, signed: bool = True, **fields: str) -> Path:
        """Return a package with these fields of its control file, where they are not the usual."""
        tree, deb = self._folder / "tree", self._folder / "lifeboard_2.0.deb"
        here = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True)
        usual = {"Package": "lifeboard", "Version": "2.0", "Architecture": here.stdout.strip()}
        known = usual | {"Maintainer": "Ann", "Description": "x", "Installed-Size": "9"} | fields
        (tree / "DEBIAN").mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{key}: {value}\n" for key, value in known.items())
        (tree / "DEBIAN/control").write_text(lines)
        (tree / "DEBIAN/changelog").write_text(CHANGELOG)
        subprocess.run(["dpkg-deb", "-Zgzip", "--build", tree, deb], check=True)
        if signed:
            subprocess.run([ROOT / "systemd/deb/sign", self._key, deb], check=True)
        return deb


@pytest.fixture
def ours(tmp_path, monkeypatch):
    made = Packages(tmp_path / "ours")
    monkeypatch.setattr(signed_package, "installed", lambda: "1.0")
    monkeypatch.setattr(updates, "installed", lambda: "1.0")
    monkeypatch.setattr(updates, "read_offer", lambda deb: read_offer(deb, made.signers))
    return made


@pytest.fixture
def served(tmp_path, ours):
    with network(tmp_path, around=lambda page: UpdatedSite(page, tmp_path)) as running:
        yield running


def refusal(deb: Path, signers: Path) -> str:
    with pytest.raises(UpdateError) as refused:
        read_offer(deb, signers)
    return str(refused.value)


def test_signed_package_says_what_is_new_since_the_version_that_runs(ours):
    assert read_offer(ours.make(), ours.signers) == Offer("2.0", ("Players can win.", "Faster."))
    # Before a board has a network, its clock is wrong.
    assert "valid-" not in (ROOT / "systemd/signers").read_text()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"Version": "1.0~rc1"}, "version 1.0~rc1, which is older than version 1.0 of"),
        ({"Architecture": "m68k"}, "processors of the kind m68k; "),
        ({"Package": "lifeboat"}, "not a package of lifeboard"),
        ({"Installed-Size": str(10**12)}, "needs 2048000000 MB, and "),
    ],
)
def test_package_that_does_not_suit_is_refused(ours, fields, why):
    assert why in refusal(ours.make(**fields), ours.signers)


def test_package_that_is_not_whole_and_signed_by_us_is_refused(ours, tmp_path):
    deb = ours.make(signed=False)
    assert refusal(deb, ours.signers) == "The package is not signed."
    whole = ours.make().read_bytes()
    for size in (20, 100, len(whole) // 2, len(whole) - 1):
        deb.write_bytes(whole[:size])
        assert "cut short" in refusal(deb, ours.signers)
    for wrong in (b"", b"PK\3\4" + whole, b"!<arch>"):
        deb.write_bytes(wrong)
        assert "not a package of lifeboard" in refusal(deb, ours.signers)
    deb.write_bytes(whole.replace(b"debian-binary", b"debian_binary"))
    assert "was changed" in refusal(deb, ours.signers)
    others = Packages(tmp_path / "others").make()
    assert "not signed by those who made" in refusal(others, ours.signers)


def test_page_uploads_in_parts_and_asks_root_to_install(served, ours, tmp_path):
    cookie, deb = served.give_pin(), ours.make().read_bytes()
    for at in range(0, len(deb), 500):
        path = f"/update/part?upload=a&at={at}"
        assert served.post(path, deb[at : at + 500], cookie=cookie).status == 200
    shown = served.post("/update/check", cookie=cookie).shown
    assert shown == {"version": "2.0", "changes": ["Players can win.", "Faster."]}
    assert served.post("/update/install", cookie=cookie).status == 200
    assert (tmp_path / REQUEST).exists()
    assert (tmp_path / OFFERED).read_bytes() == deb
    (tmp_path / REQUEST).unlink()
    assert "Another device" in served.post("/update/check", cookie=cookie).shown["text"]
    (tmp_path / REQUEST).touch()
    # Until root has done it, nothing else is taken.
    assert served.post("/update?lang=de", cookie=cookie).shown["busy"] is True
    for path in ("/part?at=0", "/check", "/install"):
        answer = served.post(f"/update{path}", b"x", cookie=cookie)
        assert (answer.status, answer.shown["text"][:29]) == (409, "A version is being installed ")


def test_only_pages_of_devices_that_control_update(served, tmp_path):
    for path in ("", "/part?at=0", "/check", "/install"):
        assert served.post(f"/update{path}", b"x").status == 403
        cookie = served.give_pin()
        evil = served.post(f"/update{path}", b"x", cookie=cookie, origin="http://evil.example")
        assert evil.status == 403
    assert not list(tmp_path.glob("update.*"))


def test_upload_has_limits_and_one_takes_the_place_of_another(served, tmp_path):
    cookie = served.give_pin()

    def send(at: object, upload: str = "a", part: bytes = b"12") -> tuple[int, str]:
        answer = served.post(f"/update/part?at={at}&upload={upload}", part, cookie=cookie)
        return answer.status, str(answer.shown)

    assert send(0, part=bytes(PART_BYTES + 1))[0] == 413
    assert send("x")[0] == 400
    assert "larger than 64 MB" in send(MOST_BYTES - 1)[1]
    assert [send(0)[0], send(2)[0], send(0, "b")[0]] == [200, 200, 200]
    assert "Another device is sending" in send(4)[1]
    assert "Another device is sending" in send(4, "b")[1]
    assert send(2, "b")[0] == 200
    assert (tmp_path / PART).stat().st_size == 4
    (tmp_path / PART).unlink()
    (tmp_path / PART).symlink_to("/dev/full")
    assert "memory card is full: the update needs 3 MB, and 0 MB" in send(0)[1]


def test_stick_that_cannot_be_read_is_refused(served, tmp_path, monkeypatch):
    stick = tmp_path / "stick"
    monkeypatch.setattr(updates, "STICK", stick)
    monkeypatch.setattr(updates, "STICK_DEVICE", stick)
    cookie = served.give_pin()
    assert "No USB stick" in served.post("/update/check?stick", cookie=cookie).shown["text"]
    (stick / "lifeboard_2.0.deb").mkdir(parents=True)
    assert "can be read" in served.post("/update/check?stick", cookie=cookie).shown["text"]
    assert not (tmp_path / PART).exists()
