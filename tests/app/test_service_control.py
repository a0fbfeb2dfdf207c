"""Starting, stopping and reloading the service for a person: what is looked at, done and said."""

from pathlib import Path

import pytest

from game.app.service.control import control
from game.app.service.places import UNIT
from game.app.service.settings import SettingsError
from game.app.service.setup.install import InstallOptions, install
from game.app.service.setup.systemctl import Done, InstallError
from tests.helpers.programs.fake_system import FakeSystem, make_checkout, make_root


@pytest.fixture
def system(tmp_path: Path) -> FakeSystem:
    """A computer with the service."""
    system = FakeSystem(make_root(tmp_path / "root"))
    one = make_checkout(tmp_path / "one", "1.0")
    install(InstallOptions(source=str(one)), system.places, system, lambda _: None)
    system.ran.clear()
    return system


def tell(system: FakeSystem, verb: str) -> None:
    assert control(verb, system.places, system) == 0


@pytest.mark.parametrize(
    ("verb", "said"),
    [
        ("start", "lifeboard runs."),
        ("stop", "lifeboard is stopped, until it is started or the computer is."),
        ("restart", "lifeboard was restarted, and runs."),
        ("reload", "lifeboard has taken its settings."),
    ],
)
def test_what_was_done_is_told_in_one_line(
    system: FakeSystem, capsys: pytest.CaptureFixture[str], verb: str, said: str
):
    tell(system, verb)
    assert capsys.readouterr().out == f"{said}\n"
    act, reset = f"systemctl --no-ask-password {verb} {UNIT}", f"systemctl reset-failed {UNIT}"
    # A start by a person does not count against the start limit.
    assert system.ran == ([reset, act, reset] if "start" in verb else [act])


@pytest.mark.parametrize("verb", ["start", "restart", "reload"])
def test_wrong_settings_are_told_before_anything_is_done(system: FakeSystem, verb: str):
    system.places.settings.write_text('[board]\nbackend = "simm"\n')
    with pytest.raises(SettingsError, match=r'\[board\] backend = "simm": allowed is') as refused:
        tell(system, verb)
    assert refused.value.status == 78
    assert "\n" not in str(refused.value)
    assert system.ran == []


def test_reload_of_a_stopped_service_says_how_to_start_it(system: FakeSystem):
    system.state = "inactive"
    with pytest.raises(InstallError, match=r"not running; `sudo lifeboard service start`"):
        tell(system, "reload")


def test_service_that_cannot_start_says_why_in_lines_of_its_own(
    system: FakeSystem, capsys: pytest.CaptureFixture[str]
):
    system.refuse["systemctl --no-ask-password start"] = Done(1, err="Job failed.\nSee more.")
    with pytest.raises(InstallError) as refused:
        tell(system, "start")
    assert str(refused.value) == (
        "the service cannot start: Job failed.; what it said stands above"
    )
    assert capsys.readouterr().err == "    what it said last\n"
    (asked,) = (line for line in system.ran if "--since" in line)
    # Lines of systemd and of other runs are not among them.
    assert (
        f"_SYSTEMD_UNIT={UNIT} _SYSTEMD_INVOCATION_ID=run-1-0 --since @{system.wall_s():.6f}"
        in asked
    )


@pytest.mark.parametrize("why", ["Interactive authentication required.", "Access denied"])
def test_service_without_rights_asks_for_sudo(system: FakeSystem, why: str):
    system.refuse["systemctl --no-ask-password stop"] = Done(1, err=f"Failed to stop: {why}")
    with pytest.raises(InstallError, match=r"^`service stop` needs root; put sudo before it$"):
        tell(system, "stop")
