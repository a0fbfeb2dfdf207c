"""The pages' files: compressed for clients that take that, and answered in short if unchanged."""

import asyncio
import gzip
import os
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from game.web.page_files import PageFiles

SOURCE = """/**
 * A module.
 */

const far = "https://example.invalid/*"; // stays
  // goes
export { far };
"""


def answer(folder: Path, name: str, **headers: str) -> Response:
    raw = [(key.replace("_", "-").encode(), text.encode()) for key, text in headers.items()]
    scope = {"type": "http", "method": "GET", "path": f"/{name}", "headers": raw}
    return asyncio.run(PageFiles(directory=folder).get_response(name, scope))


def test_text_is_compressed_without_comments_and_its_lines_stay(tmp_path: Path):
    (tmp_path / "a.js").write_text(SOURCE)
    packed = answer(tmp_path, "a.js", accept_encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-type"].startswith("text/javascript")
    lines = gzip.decompress(packed.body).decode().split("\n")
    assert [n for n, line in enumerate(lines) if line.strip()] == [4, 6]
    assert lines[4] == SOURCE.split("\n")[4]


def test_unchanged_file_is_not_sent_again_and_a_changed_one_is(tmp_path: Path):
    file = tmp_path / "a.css"
    file.write_text("a { color: red; }")
    tag = answer(tmp_path, "a.css", accept_encoding="gzip").headers["etag"]
    same = answer(tmp_path, "a.css", accept_encoding="gzip", if_none_match=tag)
    assert (same.status_code, same.body) == (304, b"")
    (tmp_path / "main.css").write_text('@import "a.css";\n')
    both = answer(tmp_path, "main.css", accept_encoding="gzip")
    assert gzip.decompress(both.body) == b"a { color: red; }\n"
    file.write_text("a { color: green; }")
    os.utime(file, (1, 1))
    more = answer(tmp_path, "main.css", accept_encoding="gzip", if_none_match=both.headers["etag"])
    assert gzip.decompress(more.body) == b"a { color: green; }\n"
    new = answer(tmp_path, "a.css", accept_encoding="gzip", if_none_match=tag)
    assert (new.status_code, gzip.decompress(new.body)) == (200, b"a { color: green; }")


def test_page_names_all_modules_of_its_script_so_that_they_are_asked_for_at_once(tmp_path: Path):
    script = '  <script type="module" src="/page/a.js"></script>\n'
    (tmp_path / "a.html").write_text(f"<head>\n{script}</head>")
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nawait import("./later.js");\n')
    (tmp_path / "b.js").write_text('import {\n  a,\n} from "./a.js";\nimport "./c.js";\n')
    (tmp_path / "c.js").write_text("")

    def named() -> str:
        return gzip.decompress(answer(tmp_path, "a.html", accept_encoding="gzip").body).decode()

    assert named() == "<head>\n" + "".join(
        f'  <link rel="modulepreload" href="/page/{name}.js">\n' for name in "bc"
    ) + (script + "</head>")
    (tmp_path / "b.js").write_text("export const b = 1;\n")
    os.utime(tmp_path / "b.js", (1, 1))
    assert "c.js" not in named()


def test_pictures_and_old_clients_get_files_as_they_are(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(b"1")
    (tmp_path / "a.js").write_text(SOURCE)
    assert isinstance(answer(tmp_path, "a.png", accept_encoding="gzip"), FileResponse)
    assert isinstance(answer(tmp_path, "a.js"), FileResponse)
    for name in ("b.js", "../a.js"):
        with pytest.raises(HTTPException):
            answer(tmp_path / "..", name, accept_encoding="gzip")
