"""A server of the page's files alone, in a thread of the test's process, for pages by a script.

Its answers have the same browser rules as the board's, so whatever these forbid fails here too.
"""

import gzip
import json
import threading
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type

from game.rules.base.registry import find_game
from game.table.entries import ASSISTANCES, CLOCKS
from game.web import page_folder
from game.web.access import HEADERS
from game.web.page_files import packed
from game.web.views.game_view import art_folder

ADDRESS = "http://board.invalid/"


@cache
def _answer(name: str) -> bytes:
    if name == "choices":
        # A table alone offers no other game.
        return json.dumps({"games": [], "clock": CLOCKS, "assistance": ASSISTANCES}).encode()
    if name.startswith("games/"):
        _, game, file = name.split("/")
        folder = art_folder(find_game(game))
        assert folder is not None
        return (folder / file).read_bytes()
    return gzip.decompress(packed(page_folder() / name)[1])


class _Files(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        name = self.path.partition("?")[0].removeprefix("/").removeprefix("page/") or "index.html"
        content = _answer(name)
        self.send_response(200)
        # A page that is loaded again has its files.
        headers = {**HEADERS, "Cache-Control": "max-age=600", "Content-Length": str(len(content))}
        for key, value in {**headers, "Content-Type": str(guess_type(name)[0])}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@cache
def serve_files() -> int:
    """Serve the files until the process ends; return the port on this computer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port
