"""Starting, stopping and reloading the service for people."""

from pathlib import Path

import pytest

from game.common import AppError
from game.service.paths import UNIT, ServicePaths
from game.service.settings import SettingsError
from game.service.unit import control, roll_back, show_log
from tests.helpers.programs.fake_programs import FakeSystemd


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSystemd:
    return FakeSystemd(tmp_path / "programs", monkeypatch)


@pytest.fixture
def paths(tmp_path: Path) -> ServicePaths:
    return ServicePaths(tmp_path / "lifeboard.toml", tmp_path / "data")


@pytest.mark.parametrize("verb", ["start", "stop", "restart", "reload"])
def test_control_does_what_it_is_told_and_says_so(
    systemd: FakeSystemd, paths: ServicePaths, capsys: pytest.CaptureFixture[str], verb: str
):
    assert control(verb, paths) == 0
    assert capsys.readouterr().out.startswith("lifeboard ")
    act, reset = f"systemctl {verb} {UNIT}", f"systemctl reset-failed {UNIT}"
    # A start by a person does not count against the start limit.
    assert systemd.ran == ([reset, act, reset] if "start" in verb else [act])


@pytest.mark.parametrize("verb", ["start", "restart", "reload"])
def test_control_refuses_wrong_settings_before_it_does_anything(
    systemd: FakeSystemd, paths: ServicePaths, verb: str
):
    paths.settings.write_text('[board]\nbackend = "simm"\n')
    with pytest.raises(SettingsError, match=r'\[board\] backend = "simm": allowed is') as refused:
        control(verb, paths)
    assert refused.value.status == 78
    assert "\n" not in str(refused.value)
    assert systemd.ran == []


def test_control_says_how_to_start_a_service_that_does_not_run(
    systemd: FakeSystemd, paths: ServicePaths
):
    systemd.set(ActiveState="inactive")
    with pytest.raises(AppError, match=r"not running; `sudo lifeboard service start`"):
        control("reload", paths)
    systemd.set(LoadState="not-found")
    with pytest.raises(AppError, match=r"`make service`"):
        control("start", paths)


def test_control_shows_the_log_of_a_run_that_failed(
    systemd: FakeSystemd, paths: ServicePaths, capsys: pytest.CaptureFixture[str]
):
    systemd.say("refuse-start", "Job failed.\nSee more.\n")
    systemd.say("log", "the last line\n")
    with pytest.raises(AppError) as refused:
        control("start", paths)
    assert str(refused.value) == "the service cannot start: Job failed.; its log stands above"
    assert capsys.readouterr().err == "    the last line\n"
    # Lines of systemd and of other runs are not among them.
    assert f"_SYSTEMD_UNIT={UNIT} _SYSTEMD_INVOCATION_ID=run-1 --since" in systemd.asked


@pytest.mark.parametrize("why", ["Interactive authentication required.", "Access denied"])
def test_control_without_rights_asks_for_sudo(systemd: FakeSystemd, paths: ServicePaths, why: str):
    systemd.say("refuse-stop", f"Failed to stop: {why}")
    with pytest.raises(AppError, match=r"^`service stop` needs root; put sudo before it$"):
        control("stop", paths)


def test_log_and_rollback_say_what_they_lack(
    systemd: FakeSystemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    systemd.say("hint", "Hint: You are currently not seeing messages from other users.")
    with pytest.raises(AppError, match="put sudo before it"):
        show_log(5, follow=False)
    for user, said in ((0, "not installed"), (1000, "put sudo before it")):
        monkeypatch.setattr("game.service.unit.os.geteuid", lambda user=user: user)
        with pytest.raises(AppError, match=said):
            roll_back(tmp_path / "upgrade")
