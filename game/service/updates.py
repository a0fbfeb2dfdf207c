"""Updates by the page: what people upload, or have on a USB stick, and the request to install it.

A unit of systemd waits for the request, and acts as root (`game.service.signed_package`).
"""

from collections.abc import Callable, Mapping
from errno import ENOSPC
from functools import partial
from pathlib import Path
from threading import Lock

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from game.common import words
from game.rules.base.message import Message, say
from game.rules.base.values import Json
from game.service.paths import NAME
from game.service.signed_package import (
    OFFERED,
    REQUEST,
    TRIED,
    UpdateError,
    installed,
    is_less,
    read_offer,
)
from game.web import App, Site
from game.web.access import CALLER, Access, AccessLevel

PART = "update.part"
"""In the data folder: a package that is not all there yet, or not checked."""
STICK, STICK_DEVICE = Path("/run/lifeboard_stick"), Path("/dev/lifeboard-stick")
"""Where systemd mounts a USB stick at the first access, and the partition of the stick."""
RUNNING = f"{NAME}-upgrade-*"
"""The folders that units have in /run while they install."""
MOST_BYTES, PART_BYTES = 64_000_000, 3_000_000
"""Most bytes of a package, and of one request, which the network brings within 30 s."""
_CLOSE = {"Connection": "close"}

_Act = Callable[[bytes, Mapping[str, str]], Json]


class UpdatedSite:
    """A site, and routes for controlling devices to update the service; `data` is its folder."""

    def __init__(self, page: Site, data: Path) -> None:
        self._page, self._data, self._lock = page, data, Lock()
        self._part, self._received = data / PART, ("", 0)

    def app(self, access: Access) -> App:
        app = self._page.app(access)
        acts: dict[str, _Act] = {"": self._look, "/part": self._add, "/check": self._check}
        acts["/install"] = self._wish
        app.router.routes[:0] = [
            Route(f"/update{path}", partial(self._answer, access, act), methods=["POST"])
            for path, act in acts.items()
        ]
        return app

    async def _answer(self, access: Access, act: _Act, request: Request) -> Response:
        """Answer a device that controls with what `act` returns."""
        if access.level(request.scope[CALLER]) is not AccessLevel.CONTROL:
            raise HTTPException(403)
        body, reported = bytearray(), words(request.scope[CALLER].language).text
        try:
            async for part in request.stream():
                body += part
                if len(body) > PART_BYTES:
                    raise HTTPException(413, headers=_CLOSE)
            found = await run_in_threadpool(self._run, act, bytes(body), request.query_params)
        except ClientDisconnect:
            raise HTTPException(400) from None
        except UpdateError as error:
            return JSONResponse({"text": reported(error.message)}, 409, _CLOSE)
        texts = {key: reported(each) for key, each in found.items() if isinstance(each, Message)}
        # The next part comes by a connection of its own.
        return JSONResponse({**found, **texts}, headers=_CLOSE)

    def _run(self, act: _Act, body: bytes, query: Mapping[str, str]) -> Json:
        with self._lock:
            if act != self._look and self._busy:
                raise UpdateError(say("update.busy"))
            return act(body, query)

    @property
    def _busy(self) -> bool:
        return (self._data / REQUEST).exists() or any(Path("/run").glob(RUNNING))

    def _look(self, *_: object) -> Json:
        """Return whether a package is being installed, which version runs, and which did not."""
        version = installed()
        tried = TRIED.read_text("utf-8").strip() if TRIED.exists() else version
        text = say("update.runs", version=version)
        if is_less(version, tried):
            text = say("update.went_back", version=version, tried=tried)
        return {"busy": self._busy, "text": text}

    def _add(self, part: bytes, query: Mapping[str, str]) -> Json:
        """Append to an upload that has `at` bytes; 0 begins it, in place of any other."""
        if not query.get("at", "").isdecimal():
            raise HTTPException(400)
        upload, at = query.get("upload", ""), int(query["at"])
        if at + len(part) > MOST_BYTES:
            raise UpdateError(say("update.too_large", most=MOST_BYTES // 10**6))
        if at and self._received != (upload, at):
            raise UpdateError(say("update.two"))
        self._received = upload, at + len(part)
        try:
            with self._part.open("ab" if at else "wb") as file:
                file.write(part)
        except OSError as error:
            self._part.unlink(missing_ok=True)
            if error.errno != ENOSPC:
                raise
            need = PART_BYTES // 10**6
            raise UpdateError(say("update.full", need=need, free=0)) from error
        return {}

    def _check(self, _: bytes, query: Mapping[str, str]) -> Json:
        """Check what was uploaded, or what a stick has, and offer it to root."""
        if "stick" in query:
            self._take_stick()
        if not self._part.exists():
            raise UpdateError(say("update.two"))
        try:
            offer = read_offer(self._part)
        except UpdateError:
            self._part.unlink()
            raise
        self._part.replace(self._data / OFFERED)
        return {"version": offer.version, "changes": offer.changes}

    def _take_stick(self) -> None:
        if not STICK_DEVICE.exists():
            raise UpdateError(say("update.no_stick"))
        found = [*STICK.glob(f"{NAME}_*.deb"), *STICK.glob(f"*/{NAME}_*.deb")]
        if not found:
            raise UpdateError(say("update.none_on_stick"))
        try:
            newest = max(found, key=lambda file: file.stat().st_mtime)
            with newest.open("rb") as source:
                while part := source.read(PART_BYTES):
                    self._add(part, {"at": str(source.tell() - len(part)), "upload": "stick"})
        except OSError as error:
            self._part.unlink(missing_ok=True)
            raise UpdateError(say("update.none_on_stick")) from error

    def _wish(self, *_: object) -> Json:
        (self._data / REQUEST).touch()
        return {}
