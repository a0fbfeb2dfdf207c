"""The pages' files: compressed for clients that take that, and answered in short if unchanged."""

import asyncio
import gzip
import re
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from game.web import page_folder
from game.web.page_files import EXPORT, IMPORT, PageFiles


def answer(folder: Path, name: str, **headers: str) -> Response:
    raw = [(key.replace("_", "-").encode(), text.encode()) for key, text in headers.items()]
    scope = {"type": "http", "method": "GET", "path": f"/{name}", "headers": raw}
    return asyncio.run(PageFiles(directory=folder).get_response(name, scope))


def test_text_is_compressed(tmp_path):
    (tmp_path / "a.js").write_text("far();\n")
    packed = answer(tmp_path, "a.js", accept_encoding="br, gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["content-type"].startswith("text/javascript")
    assert gzip.decompress(packed.body) == b"far();\n"


def test_unchanged_file_is_not_sent_again(tmp_path):
    (tmp_path / "a.css").write_text("a { color: red; }")
    tag = answer(tmp_path, "a.css", accept_encoding="gzip").headers["etag"]
    same = answer(tmp_path, "a.css", accept_encoding="gzip", if_none_match=tag)
    assert (same.status_code, same.body) == (304, b"")
    (tmp_path / "main.css").write_text('@import "a.css";\n')
    both = answer(tmp_path, "main.css", accept_encoding="gzip")
    assert gzip.decompress(both.body) == b"a { color: red; }\n"


def test_scripts_of_a_page_bring_once_all_that_they_import(tmp_path):
    scripts = "".join(f'<script type="module" src="/page/{name}.js"></script>\n' for name in "ab")
    (tmp_path / "a.html").write_text(scripts)
    (tmp_path / "a.js").write_text('import { c as d } from "./c.js";\nd();\n')
    (tmp_path / "b.js").write_text('import * as c from "./c.js";\nimport "./e.js";\nc.c();\n')
    (tmp_path / "c.js").write_text("export const heard = [];\nexport async function c() {}\n")
    (tmp_path / "e.js").write_text("await heard;\n")
    (tmp_path / "f.js").write_text('import {\n  c,\n} from "./c.js";\nc();\n')

    def packed(name: str) -> list[str]:
        answered = answer(tmp_path, f"{name}.js", accept_encoding="gzip")
        return gzip.decompress(answered.body).decode().splitlines()

    heard, waits = "const heard = [];", "await heard;"
    assert (packed("a").count(heard), packed("a").count(waits)) == (1, 0)
    assert (packed("b").count(heard), packed("b").count(waits)) == (0, 1)
    # A module that is loaded later takes its imports from there, or else loads them.
    assert '["c.js"] ?? await import("./c.js");' in "".join(packed("f"))


def test_every_module_is_written_as_the_bundle_reads_it():
    for module in page_folder().glob("*.js"):
        text = module.read_text()
        imported = len(re.findall(r"^import\b", text, re.MULTILINE))
        exported = len(re.findall(r"^export\b", text, re.MULTILINE))
        assert imported == len(IMPORT.findall(text)), module
        assert exported == len(EXPORT.findall(text)), module


def test_pictures_and_old_clients_get_files_as_they_are(tmp_path):
    (tmp_path / "a.png").write_bytes(b"1")
    (tmp_path / "a.js").write_text("far();\n")
    assert isinstance(answer(tmp_path, "a.png", accept_encoding="gzip"), FileResponse)
    assert isinstance(answer(tmp_path, "a.js"), FileResponse)
    for name in ("b.js", "../a.js"):
        with pytest.raises(HTTPException):
            answer(tmp_path / "..", name, accept_encoding="gzip")
