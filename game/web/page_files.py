"""The pages' files, compressed once and then kept, without the comments that only people read.

Must not know what the files show. A browser asks again at each load whether a file has changed, and
is answered in a few bytes if not: after an upgrade no page runs old scripts.
"""

import gzip
import re
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from game.web.page_bundle import bundled

_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The files that get smaller; pictures are compressed already."""
_COMMENTS = {
    ".js": re.compile(rb"^[ \t]*(//[^\n]*$|/\*\*?\s.*?\*/[ \t]*$)", re.MULTILINE | re.DOTALL),
    ".css": re.compile(rb"^[ \t]*/\*.*?\*/[ \t]*$", re.MULTILINE | re.DOTALL),
}
"""Comments on lines of their own: a third of what modules weigh."""
_STYLE_IMPORT = re.compile(rb'^@import "([a-z_]+\.css)";$', re.MULTILINE)
_KEPT = 256
"""Compressed files kept, more than there are."""


class PageFiles(StaticFiles):
    """A folder of files for browsers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Answer with a file, compressed if the client takes that, or that it has not changed."""
        asked = Headers(scope=scope)
        try:
            full, found = self.lookup_path(path)
        except (OSError, ValueError):
            full, found = "", None
        suffix = Path(path).suffix
        if found is None or suffix not in _TYPES or "gzip" not in asked.get("accept-encoding", ""):
            return await super().get_response(path, scope)
        tag, body = _packed(Path(full), _changed(Path(full)))
        headers = {"etag": tag, "content-encoding": "gzip", "vary": "Accept-Encoding"}
        if asked.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=_TYPES[suffix])


def folders(path: str, folder: Callable[[str], Path | None]) -> Route:
    """Make the route of files in several folders: `folder` finds one by its name in the address."""

    async def answer(request: Request) -> Response:
        found = folder(request.path_params["folder"])
        if found is None:
            raise HTTPException(404)
        return await PageFiles(directory=found).get_response(
            request.path_params["file"], request.scope
        )

    return Route(path + "/{folder}/{file}", answer)


def _changed(path: Path) -> tuple[float, ...]:
    """Return what changes with a file: its own time, or those of all from which it is made."""
    parts = {".css": "*.css", ".js": "*.[hj]*"}.get(path.suffix)
    files = sorted(path.parent.glob(parts)) if parts else [path]
    return tuple(each.stat().st_mtime for each in files)


@lru_cache(maxsize=_KEPT)
def _packed(path: Path, changed: tuple[float, ...]) -> tuple[str, bytes]:
    """Compress a file, once for each time that it has changed; also return its tag."""
    text = path.read_bytes()
    if path.suffix == ".css":
        text = _STYLE_IMPORT.sub(lambda found: (path.parent / found[1].decode()).read_bytes(), text)
    if path.suffix == ".js":
        text = bundled(path).encode()
    if (comment := _COMMENTS.get(path.suffix)) is not None:
        text = comment.sub(b"", text)
    return f'"{sha256(text).hexdigest()[:16]}"', gzip.compress(text, mtime=0)
