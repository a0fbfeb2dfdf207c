"""A page's modules as one script: on a slow line a request costs more than what it brings.

Modules are bundled as they are, each in a function of its own. What is loaded later, such as a
dialog or a game's drawings, takes what it imports from the bundle.
"""

import re
from collections.abc import Iterator
from pathlib import Path

IMPORT = re.compile(
    r"^import (?:(?P<names>\{[^}]*\}|\* as \w+) from )?"
    r'"(?P<path>(?:\./|/page/)(?P<file>\w+\.js))";$',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_SCRIPT = re.compile(r'<script type="module" src="/page/(\w+\.js)">')
_BUNDLE = "globalThis.$modules"


def bundled(module: Path) -> str:
    """Return the script of a page with all that it imports, those that others need first.

    What a script before it in the page has brought is not brought again. Another module is returned
    as it is, but for what it imports: that is taken from the bundle.
    """
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
