"""The page of a service that waits: why, and what to do about it, without a script of its own.

The catalogues have the sentences; the texts of errors are passed on as they are, in English.
"""

from enum import Enum
from functools import cache
from html import escape
from string import Template

from game.common.errors import AppError, Cause, StoreError
from game.common.translation import Words, words
from game.rules.base.errors import RulesError
from game.rules.base.message import Message, say
from game.service.paths import ServicePaths
from game.web.access.access import Access, AccessLevel, Caller
from game.web.server import App, page_folder, written_site
from hal.base.errors import HalError, LinkFault, ProfileError, WrongFirmware

KIND = "service"
"""The page's name for pages that were open before, which load themselves again."""
_SETTINGS = ServicePaths().settings
_LEARN = "sudo lifeboard service learn"
_SIMULATE = f"""sudo sed -i 's/^#* *backend.*/backend = "sim"/' {_SETTINGS}"""

_Step = tuple[Message, str]
"""What to do, and its command or nothing."""


_DOCTOR: _Step = (say("waiting.doctor"), "sudo lifeboard service doctor")
_RELOAD: _Step = (say("waiting.reload"), "sudo lifeboard service reload")
_LOGS: _Step = (say("waiting.logs"), "sudo lifeboard service logs")
_SIMULATION = ((say("waiting.sim_lines"), _SIMULATE), _RELOAD)


class Why(Enum):
    """Why the service waits: a title, a text, and what to do first and next."""

    UNLEARNT = (
        say("waiting.unlearnt"),
        say("waiting.unlearnt_text"),
        (
            _DOCTOR,
            (say("waiting.learn"), _LEARN),
            (say("waiting.learn_pico"), f"{_LEARN} --backend coprocessor"),
        ),
    )
    PROFILE = (
        say("waiting.profile"),
        say("waiting.profile_text"),
        ((say("waiting.mend"), ""), (say("waiting.learn_anew"), _LEARN)),
    )
    SETTINGS = (
        say("waiting.settings"),
        say("waiting.settings_text"),
        ((say("waiting.settings_mend"), f"sudo nano {_SETTINGS}"), _RELOAD),
    )
    IN_USE = (say("waiting.in_use"), say("waiting.in_use_text"), ())
    LINK = (
        say("waiting.link"),
        say("waiting.link_text"),
        ((say("waiting.plug"), ""), _DOCTOR, _LOGS),
    )
    FIRMWARE = (
        say("waiting.firmware"),
        say("waiting.firmware_text"),
        ((say("waiting.flash"), "sudo lifeboard service flash"), _LOGS),
    )
    HARDWARE = (say("waiting.hardware"), say("waiting.hardware_text"), (_DOCTOR, _LOGS))
    OTHER = (say("waiting.other"), say("waiting.other_text"), (_LOGS,))


def why(error: Exception | None) -> Why:
    """Return what an error means; None is that no board was learned."""
    match error:
        case None:
            return Why.UNLEARNT
        case ProfileError():
            return Why.PROFILE
        case StoreError(cause=Cause.IN_USE):
            return Why.IN_USE
        case WrongFirmware():
            return Why.FIRMWARE
        case LinkFault():
            return Why.LINK
        case HalError():
            return Why.HARDWARE
        case AppError() | RulesError() if not isinstance(error, StoreError):
            return Why.SETTINGS
    return Why.OTHER


class WaitingPage:
    """The page; `why`, `detail` and `lit` may be set on any thread.

    `detail` is the text of an error; `lit` tells whether the lights run.
    """

    def __init__(self, why: Why, detail: str = "") -> None:
        self.why = why
        self.detail = detail
        self.lit = False

    def app(self, access: Access) -> App:
        def write(caller: Caller, level: AccessLevel) -> str:
            # An error can name files and devices, which are no business of strangers.
            return self.html(words(caller.language), detailed=level is not AccessLevel.NOTHING)

        return written_site(write, KIND, access)

    def html(self, speak: Words, *, detailed: bool) -> str:
        """Write the page in a language."""

        def text(message: Message) -> str:
            return escape(speak.text(message))

        def listed(steps: tuple[_Step, ...]) -> str:
            return "".join(
                f"<li><p>{text(said)}</p>"
                + (f'<div class="code"><code>{escape(command)}</code></div>' if command else "")
                + "</li>"
                for said, command in steps
            )

        title, why, steps = self.why.value
        return _template().substitute(
            lang=speak.language,
            title=text(title),
            text=text(why),
            detail=escape(self.detail) if detailed else "",
            lights=text(say("waiting.lights")) if self.lit else "",
            caption=text(say("waiting.steps")),
            steps=listed(steps),
            simulate=text(say("waiting.sim")),
            simulation=listed(_SIMULATION),
        )


@cache
def _template() -> Template:
    return Template((page_folder() / "waiting.html").read_text(encoding="utf-8"))
