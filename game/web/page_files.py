"""The pages' files, compressed once and cached.

On a slow line a request costs more than its content, so a page's modules go as one script. At each
load a browser asks whether a file has changed: after an upgrade no page runs old scripts.
"""

import gzip
import re
from collections.abc import Iterator
from contextlib import suppress
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

from game.rules.base.errors import RulesError
from game.rules.base.registry import find_game
from game.web.views.game_view import art_folder

_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""The files that get smaller; pictures are compressed already."""
_STYLE_IMPORT = re.compile(rb'^@import "([a-z_]+\.css)";$', re.MULTILINE)
IMPORT = re.compile(
    r"^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"
    r'"(?P<path>(?:\./|/page/)(?P<file>\w+\.js))";$',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module" src="/page/(\w+\.js)">')
_BUNDLE = "globalThis.$modules"
_KEPT = 256
"""Compressed files in the cache, more than there are."""


class PageFiles(StaticFiles):
    """A folder of files for browsers."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, compressed if the client accepts that, or 304 if it is unchanged."""
        asked = Headers(scope=scope)
        try:
            full, found = self.lookup_path(path)
        except (OSError, ValueError):
            full, found = "", None
        suffix = Path(path).suffix
        if found is None or suffix not in _TYPES or "gzip" not in asked.get("accept-encoding", ""):
            return await super().get_response(path, scope)
        tag, body = packed(Path(full))
        headers = {"etag": tag, "content-encoding": "gzip", "vary": "Accept-Encoding"}
        if asked.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(body, headers=headers, media_type=_TYPES[suffix])


async def _art(request: Request) -> Response:
    """Serve a file that draws a game's pieces, without importing the other games."""
    with suppress(RulesError):
        if folder := art_folder(find_game(request.path_params["game"])):
            files = PageFiles(directory=folder)
            return await files.get_response(request.path_params["file"], request.scope)
    raise HTTPException(404)


ART = Route("/games/{game}/{file}", _art)


@lru_cache(maxsize=_KEPT)
def packed(path: Path) -> tuple[str, bytes]:
    """Return a file's ETag and compressed content; a script includes what it imports."""
    text = path.read_bytes()
    if path.suffix == ".css":
        text = _STYLE_IMPORT.sub(lambda found: (path.parent / found[1].decode()).read_bytes(), text)
    if path.suffix == ".js":
        text = _bundled(path).encode()
    return f'"{sha256(text).hexdigest()[:16]}"', gzip.compress(text, mtime=0)


def _bundled(module: Path) -> str:
    # A page's script with its imports, except those that the page's earlier scripts bring. A module
    # that is loaded later takes its imports from this bundle.
    for page in module.parent.glob("*.html"):
        scripts = _SCRIPT.findall(page.read_text("utf-8"))
        if module.name in scripts:
            met: set[str] = set()
            for script in scripts[: scripts.index(module.name) + 1]:
                bodies = [_body(each) for each in _order(module.parent / script, met)]
            wrapped = "".join(f"await (async () => {{\n{body}}})();\n" for body in bodies)
            return f"{_BUNDLE} ??= {{}};\n{wrapped}"
    text = module.read_text("utf-8")
    return IMPORT.sub(lambda found: _taken(found, f' ?? await import("{found["path"]}")'), text)


def _order(module: Path, met: set[str]) -> Iterator[Path]:
    met.add(module.name)
    for found in IMPORT.finditer(module.read_text("utf-8")):
        if found["file"] not in met:
            yield from _order(module.parent / found["file"], met)
    yield module


def _body(module: Path) -> str:
    text = module.read_text("utf-8")
    exported = ", ".join(EXPORT.findall(text))
    text = EXPORT.sub("", IMPORT.sub(_taken, text))
    return f'{text}{_BUNDLE}["{module.name}"] = {{ {exported} }};\n'


def _taken(found: re.Match[str], otherwise: str = "") -> str:
    names = (found["names"] or "{}").removeprefix("* as ").replace(" as ", ": ")
    return f'const {names} = {_BUNDLE}?.["{found["file"]}"]{otherwise};'
