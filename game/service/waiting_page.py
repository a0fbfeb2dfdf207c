"""The page of a service that waits: why, and what to do about it, without a script of its own.

The catalogues have the sentences; the texts of errors are passed on as they are, in English.
"""

from enum import Enum
from html import escape
from string import Template

from game.common import Cause, StoreError, Words, words
from game.rules.base.message import Message, say
from game.service.paths import ServicePaths
from game.web import App, page_folder, written_site
from game.web.access import Access, AccessLevel, Caller

KIND = "service"
"""The page's name for pages that were open before, which load themselves again."""
_SETTINGS = ServicePaths().settings
_LEARN = "sudo lifeboard service learn"
_SIMULATE = f"""sudo sed -i 's/^#* *backend.*/backend = "sim"/' {_SETTINGS}"""

_Step = tuple[Message, str]
"""What to do, and its command."""

_DOCTOR: _Step = (say("waiting.doctor"), "sudo lifeboard service doctor")
_RELOAD: _Step = (say("waiting.reload"), "sudo lifeboard service reload")


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
    IN_USE = (say("waiting.in_use"), say("waiting.in_use_text"), ())
    OTHER = (
        say("waiting.other"),
        say("waiting.other_text"),
        (
            _DOCTOR,
            (say("waiting.settings_mend"), f"sudo nano {_SETTINGS}"),
            _RELOAD,
            (say("waiting.logs"), "sudo lifeboard service logs"),
        ),
    )


def why(error: Exception | None) -> Why:
    """Return the kind of an error; None means that no board was learned."""
    if error is None:
        return Why.UNLEARNT
    in_use = isinstance(error, StoreError) and error.cause is Cause.IN_USE
    return Why.IN_USE if in_use else Why.OTHER


class WaitingPage:
    """The page; `detail` is the text of an error."""

    def __init__(self, why: Why, detail: str = "") -> None:
        self.why = why
        self.detail = detail

    def app(self, access: Access) -> App:
        def write(caller: Caller, level: AccessLevel) -> str:
            # An error can name files and devices, which strangers must not see.
            return self.html(words(caller.language), detailed=level is not AccessLevel.NOTHING)

        return written_site(write, KIND, access)

    def html(self, speak: Words, *, detailed: bool) -> str:
        """Write the page in a language."""

        def text(message: Message) -> str:
            return escape(speak.text(message))

        def listed(*steps: _Step) -> str:
            return "".join(
                f"<li><p>{text(said)}</p>"
                f'<div class="code"><code>{escape(command)}</code></div></li>'
                for said, command in steps
            )

        title, why, steps = self.why.value
        page = (page_folder() / "waiting.html").read_text("utf-8")
        return Template(page).substitute(
            lang=speak.language,
            title=text(title),
            text=text(why),
            detail=escape(self.detail) if detailed else "",
            caption=text(say("waiting.steps")),
            steps=listed(*steps),
            simulate=text(say("waiting.sim")),
            simulation=listed((say("waiting.sim_lines"), _SIMULATE), _RELOAD),
        )
