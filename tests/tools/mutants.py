"""Plants small faults in the program, one at a time, and tells which tests find them.

    python -m tests.tools.mutants --count 200 --seed 1 --out mutants.jsonl

It draws faults and runs the tests of `make test` once, in a copy of this checkout in which each
place of a fault reports that it was passed. Then it plants the faults in such a copy, runs the
tests that pass the place, also in programs that they start, and writes a line of JSON for each
fault: where, what, and the first test that failed, or none. Run again with the same file, it goes
on where it was broken off.

`hardware` is left out unless named: most of its numbers are choices, and what its programs make is
checked by slower means, design rules of KiCad.
"""

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

from tests.tiers import TIERS

ROOT = Path(__file__).parents[2]
ROOMS = ("firmware", "game", "hal")
PROBES = """'Says which probes a process has passed, and in which test. PYTEST_DONT_REWRITE'
import atexit, builtins, json, os
builtins.passed_probes = passed = bytearray({count})
def pytest_runtest_logfinish(nodeid):
    found = [number for number, was_passed in enumerate(passed) if was_passed]
    passed[:] = bytes(len(passed))
    if found:
        with open(f"{folder}/{{os.getpid()}}", "a") as file:
            file.write(json.dumps([nodeid, found]) + "\\n")
@atexit.register
def ended():
    pytest_runtest_logfinish(os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0])
"""
"""A plugin of pytest, which Python imports by its name as each program starts."""
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

    @property
    def place(self) -> str:
        return f"{self.file}:{self.start}:{self.after}"


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


def probed(text: str, mutants: Mapping[int, Mutant]) -> str:
    """Return a file's text with probes in front of the statements that hold its mutants.

    What runs at import, such as a table, can matter to all tests of the file: its probes are in
    front of all statements.
    """
    places = defaultdict[int, list[int]](list)
    lines, nodes = text.split("\n"), list(ast.walk(ast.parse(text)))
    functions = [each for each in nodes if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = [part for each in functions for part in each.body if part.lineno > each.lineno]
    statements = {
        each.lineno: each.end_lineno or 0
        for part in inside
        for each in ast.walk(part)
        if isinstance(each, ast.stmt)
        # A line between these and what is above them would be wrong.
        and not isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not lines[each.lineno - 1].lstrip().startswith("elif ")
    }
    for number, mutant in mutants.items():
        around = [first for first, last in statements.items() if first <= mutant.line <= last]
        for line in [max(around)] if around else statements:
            places[line].append(number)
    for line, numbers in places.items():
        statement = lines[line - 1]
        indent = statement[: len(statement) - len(statement.lstrip())]
        marks = "".join(f"{indent}passed_probes[{number}] = 1\n" for number in numbers)
        lines[line - 1] = marks + statement
    return "\n".join(lines)


def tests_passing(mutants: Sequence[Mutant], options: Sequence[str]) -> dict[str, list[str]]:
    """Run the tests of `make test` once; return which of them pass each mutant's place."""
    found: list[set[str]] = [set() for _ in mutants]
    with tempfile.TemporaryDirectory() as folder:
        copy, record = copied(Path(folder, "copy")), Path(folder, "record")
        record.mkdir()
        for file in {mutant.file for mutant in mutants}:
            own = {n: mutant for n, mutant in enumerate(mutants) if mutant.file == file}
            text = (copy / file).read_text(encoding="utf-8")
            (copy / file).write_text(probed(text, own), encoding="utf-8")
        plugin = PROBES.format(count=len(mutants), folder=record)
        (copy / "sitecustomize.py").write_text(plugin, encoding="utf-8")
        tiers = f"not ({' or '.join(TIERS)})"
        shared = ("-n", "2", "--dist", "worksteal", "-p", "sitecustomize", "-m", tiers)
        run_pytest(copy, *shared, *options)
        for process in record.iterdir():
            for line in process.read_text(encoding="utf-8").splitlines():
                test, numbers = json.loads(line)
                for number in numbers if test else ():
                    found[number].add(test)
    every = set[str]().union(*found)
    return {
        # A module of constants has no statement that a test passes.
        each.place: sorted(tests or {name for name in every if is_near(each, name)})
        for each, tests in zip(mutants, found, strict=True)
    }


def is_near(mutant: Mutant, test: str) -> bool:
    """Return whether a test is one of the mutant's room, or is called after its file."""
    path = Path(mutant.file)
    return bool(re.search(rf"tests/({path.parts[0]}|{path.parts[1]})/|{path.stem}", test))


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


def attempt(mutant: Mutant, tests: list[str], copy: Path, most_s: float) -> dict[str, object]:
    """Plant a fault in a copy, run tests, and take it out again."""
    path = copy / mutant.file
    sound = path.read_bytes()
    path.write_bytes(sound[: mutant.start] + mutant.after.encode() + sound[mutant.end :])
    try:
        found_by = first_failure(copy, tests, most_s) if tests else None
    finally:
        path.write_bytes(sound)
    return {**asdict(mutant), "tests": len(tests), "found_by": found_by}


def run(mutants: list[Mutant], passing: dict[str, list[str]], out: Path, most_s: float) -> None:
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else ()
    results = [json.loads(line) for line in lines]
    known = {(each["file"], each["start"], each["after"]) for each in results}
    with tempfile.TemporaryDirectory() as folder, out.open("a", encoding="utf-8") as file:
        copy = copied(Path(folder, "copy"))
        for mutant in mutants:
            if (mutant.file, mutant.start, mutant.after) in known:
                continue
            passed = passing[mutant.place]
            tests = sorted(passed, key=lambda test: (not is_near(mutant, test), test))
            results.append(result := attempt(mutant, tests, copy, most_s))
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
    parser = argparse.ArgumentParser(
        description="Plant faults, and tell which tests find them. Options of pytest may follow."
    )
    parser.add_argument("--count", type=int, default=200, help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="which faults")
    parser.add_argument("--rooms", nargs="+", default=ROOMS, help="where, as in: hal game/rules")
    parser.add_argument("--most-s", type=float, default=120, help="seconds of tests for a fault")
    parser.add_argument("--out", type=Path, required=True, help="file of results, JSON lines")
    options, rest = parser.parse_known_args()
    mutants = sample(options.count, options.seed, options.rooms)
    file = options.out.with_suffix(".tests.json")
    passing = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if not all(mutant.place in passing for mutant in mutants):
        passing = tests_passing(mutants, rest)
        file.write_text(json.dumps(passing), encoding="utf-8")
    run(mutants, passing, options.out, options.most_s)


if __name__ == "__main__":
    main()
