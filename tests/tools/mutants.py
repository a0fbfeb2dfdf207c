"""Plants small faults in the program, one at a time, and tells which tests find them.

    python -m tests.tools.mutants lines                   # once: which test runs which line
    python -m tests.tools.mutants run --count 200 --seed 1 --out mutants.jsonl

The first command runs the tests of `make test` under coverage, in a copy of this checkout, and adds
to what it has recorded before; pytest's options may follow. The second plants faults in such a
copy, runs the tests that pass through the changed line, also in programs that they start, and
writes a line of JSON for each fault: where, what, and the first test that failed, or none. Run
again with the same file, it goes on where it was broken off.

`hardware` is left out unless named: most of its numbers are choices, and what its programs make is
checked by slower means, design rules of KiCad.
"""

import argparse
import ast
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from coverage.numbits import numbits_to_nums

from tests.tiers import TIERS

ROOT = Path(__file__).parents[2]
ROOMS = ("firmware", "game", "hal")
RECORD = ROOT / "build" / "mutants"
COVERAGE = """[run]
source = {sources}
data_file = {record}/lines
parallel = true
context = ${{PYTEST_CURRENT_TEST-}}
dynamic_context = test_function
disable_warnings = no-data-collected, module-not-imported, module-not-measured
"""
OPERATORS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Div: "*", ast.Mod: "+",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
    ast.And: "or", ast.Or: "and",
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One changed place: from `start` to `end` of a file's text stands `after` for `before`."""

    file: str
    line: int
    start: int
    end: int
    before: str
    after: str


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    data = text.encode()

    def change(node: ast.AST, after: str, start: int = -1, end: int = -1) -> Mutant:
        start = starts[node.lineno - 1] + node.col_offset if start < 0 else start  # type: ignore[attr-defined]
        end = starts[node.end_lineno - 1] + node.end_col_offset if end < 0 else end  # type: ignore[attr-defined]
        line = data.count(b"\n", 0, start) + 1
        return Mutant(file, line, start, end, data[start:end].decode(), after)

    def between(left: ast.expr, right: ast.expr, after: str) -> Iterator[Mutant]:
        """Exchange the operator between two operands, past brackets and white space."""
        start = starts[left.end_lineno - 1] + left.end_col_offset  # type: ignore[operator]
        end = starts[right.lineno - 1] + right.col_offset
        found = re.search(rb"[^\s()\\]+(\s+(not|in)\b)*", data[start:end])
        if found and b"#" not in data[start:end]:
            yield change(left, after, start + found.start(), start + found.end())

    def visit(node: ast.AST) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr):  # Python 3.11 reports wrong positions in them.
            return
        match node:
            case ast.Compare(left=left, ops=[op, *_], comparators=[right, *_]):
                yield from between(left, right, OPERATORS[type(op)])
            case ast.BoolOp(op=op, values=[left, right, *_]) if len(node.values) == 2:
                yield from between(left, right, OPERATORS[type(op)])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                yield from between(left, right, OPERATORS[type(op)])
            case ast.UnaryOp(op=ast.Not()):
                yield change(node, f"bool({change(node, '').before.removeprefix('not')})")
            case ast.Constant(value=bool() as value):
                yield change(node, str(not value))
            case ast.Constant(value=int() as value):
                yield change(node, str(value + 1))
            case ast.If(test=test) | ast.While(test=test):
                yield change(test, f"(not ({change(test, '').before}))")
            case ast.Continue():
                yield change(node, "break")
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield change(value, "None")
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield change(node, "pass")
        for name, child in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for each in child if isinstance(child, list) else [child]:
                if isinstance(each, ast.AST):
                    yield from visit(each)

    yield from visit(ast.parse(text))


def sample(count: int, seed: int, rooms: list[str]) -> list[Mutant]:
    """Draw faults over all files, each in proportion to how many it offers."""
    every: list[Mutant] = []
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            file = str(path.relative_to(ROOT))
            every += mutants_of(file, path.read_text(encoding="utf-8"))
    return Random(seed).sample(every, count)


def copied(folder: Path) -> Path:
    """Copy this checkout without what is compiled, in which a fault would not show."""
    ignore = shutil.ignore_patterns(".git", ".venv", "build", "*.so", ".*_cache", ".hypothesis")
    return Path(shutil.copytree(ROOT, folder, ignore=ignore))


def run_pytest(
    copy: Path, *options: str, how: Mapping[str, Any] = {}, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run tests on a copy, with programs that they start run from it too."""
    environment = {**os.environ, "PYTHONPATH": str(copy), **more}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    return subprocess.run(command, cwd=copy, env=environment, text=True, check=False, **how)


def record(options: list[str]) -> None:
    """Run tests under coverage, and record which run which line."""
    RECORD.mkdir(parents=True, exist_ok=True)
    configuration = RECORD / "coverage.ini"
    options = ["-n", "2", "--dist", "worksteal", "-m", f"not ({' or '.join(TIERS)})", *options]
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(Path(folder, "copy"))
        sources = ", ".join(str(copy / room) for room in (*ROOMS, "hardware"))
        configuration.write_text(COVERAGE.format(sources=sources, record=RECORD))
        # Coverage starts by itself in all of Python's processes.
        run_pytest(copy, *options, COVERAGE_PROCESS_START=str(configuration))
    combine = [sys.executable, "-m", "coverage", "combine", "-aq", f"--rcfile={configuration}"]
    subprocess.run(combine, cwd=RECORD, check=True)


def test_of(context: str) -> str:
    """Return the test that runs in a context of coverage, "" for none.

    In the tests' own process it is a dotted name. In a program that a test has started it is a
    part of that test: "tests/x.py::test_y (call)".
    """
    started, _, within = context.rpartition("|")
    module, _, function = (within or context).rpartition(".")
    if "::" in context:
        return re.sub(r"\[.*| \(\w+\)$", "", started or context)
    return f"{module.replace('.', '/')}.py::{function}" if module.startswith("tests.") else ""


def tests_by_line(file: str) -> dict[int, set[str]]:
    """Read which tests ran each line of a file."""
    found: dict[int, set[str]] = defaultdict(set)
    with sqlite3.connect(RECORD / "lines") as lines:
        rows = lines.execute(
            "SELECT context.context, numbits FROM line_bits JOIN file ON file.id = file_id"
            " JOIN context ON context.id = context_id WHERE file.path GLOB ?",
            (f"*/{file}",),
        )
        for context, bits in rows:
            for number in numbits_to_nums(bits):
                found[number] |= {test_of(context)} - {""}
    return found


def chosen_tests(mutant: Mutant) -> list[str]:
    """Return the tests that pass through a line, those of its room first."""
    lines = tests_by_line(mutant.file)
    # Lines that run at import, such as tables, can matter to all of its tests.
    tests = lines[mutant.line] or set().union(*lines.values())
    path = Path(mutant.file)
    near = re.compile(rf"tests/({path.parts[0]}|{path.parts[1]})/|{path.stem}")
    return sorted(tests, key=lambda name: (not near.search(name), name))


def first_failure(copy: Path, tests: list[str], most_s: float) -> str | None:
    """Run tests in a copy; return the first that fails, or None if all pass in time."""
    arguments = copy / "chosen-tests"
    arguments.write_text("\n".join(tests), encoding="utf-8")
    options = ("-x", "-p", "no:xdist", "--no-header", "--tb=line", "-o", "timeout=60")
    how = {"timeout": most_s, "capture_output": True}
    try:
        done = run_pytest(copy, *options, f"@{arguments}", how=how)
    except subprocess.TimeoutExpired:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (.+)", done.stdout, re.MULTILINE)
    if failed:
        return failed[1]
    return None if done.returncode == 0 else f"(exit status {done.returncode})"


def attempt(mutant: Mutant, copy: Path, most_s: float) -> dict[str, object]:
    """Plant a fault in a copy, run tests, and take it out again."""
    tests, path = chosen_tests(mutant), copy / mutant.file
    sound = path.read_bytes()
    path.write_bytes(sound[: mutant.start] + mutant.after.encode() + sound[mutant.end :])
    try:
        found_by = first_failure(copy, tests, most_s) if tests else None
    finally:
        path.write_bytes(sound)
    return {**asdict(mutant), "tests": len(tests), "found_by": found_by}


def run(mutants: list[Mutant], out: Path, most_s: float) -> None:
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else ()
    results = [json.loads(line) for line in lines]
    known = {(each["file"], each["start"], each["after"]) for each in results}
    with tempfile.TemporaryDirectory() as folder, out.open("a", encoding="utf-8") as file:
        copy = copied(Path(folder, "copy"))
        for mutant in mutants:
            if (mutant.file, mutant.start, mutant.after) in known:
                continue
            results.append(result := attempt(mutant, copy, most_s))
            file.write(json.dumps(result) + "\n")
            file.flush()
            shown = (mutant.before, mutant.after, result["found_by"] or "NOT FOUND")
            print(f"{mutant.file}:{mutant.line}", *shown, flush=True)
    drawn, found = Counter[str](), Counter[str]()
    for each in results:
        room = re.match(r"game/\w+|\w+", each["file"])
        for name in (room[0] if room else "", "all"):
            drawn[name] += 1
            found[name] += each["found_by"] is not None
    for name in sorted(drawn):
        print(f"{name}: {found[name]} of {drawn[name]} faults found")


def main() -> None:
    parser = argparse.ArgumentParser(description="Plant faults, and tell which tests find them.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("lines", help="record which test runs which line")
    trying = commands.add_parser("run", help="plant faults and run tests")
    trying.add_argument("--count", type=int, default=200, help="how many faults")
    trying.add_argument("--seed", type=int, default=1, help="which faults")
    trying.add_argument("--rooms", nargs="+", default=ROOMS, help="where, as in: hal game/rules")
    trying.add_argument("--most-s", type=float, default=120, help="seconds of tests for a fault")
    trying.add_argument("--out", type=Path, required=True, help="file of results, JSON lines")
    options, rest = parser.parse_known_args()
    if options.command == "lines":
        record(rest)
    else:
        mutants = sample(options.count, options.seed, options.rooms)
        run(mutants, options.out, options.most_s)


if __name__ == "__main__":
    main()
