"""Plants small faults in the program, one at a time, and tells which tests find them.

    python -m tests.tools.mutants lines                   # once: which test runs which line
    python -m tests.tools.mutants run --count 200 --seed 1 --out mutants.jsonl

The first command runs the tests of `make test` under coverage; pytest's options may follow. The
second plants faults in copies of this checkout, runs the tests that pass through the changed line,
and writes a line of JSON for each fault: where, what, and the first test that failed, or none. Run
again with the same file, it goes on where it was broken off. `--tests NAME` tries other tests.
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
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from random import Random

ROOT = Path(__file__).parents[2]
ROOMS = ("firmware", "game", "hal", "hardware")
LEFT_OUT = ("hardware/*/*.py",)
LINES = ROOT / ".coverage"
MOST_S = 240
"""Enough for all tests through one line; a fault that makes a test hang counts as found."""
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
    """Yield every fault that can be planted in a file."""
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


def sample(count: int, seed: int) -> list[Mutant]:
    """Draw faults over all files, each in proportion to how many it offers."""
    every: list[Mutant] = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            file = path.relative_to(ROOT)
            if not any(file.match(pattern) for pattern in LEFT_OUT):
                every += mutants_of(str(file), path.read_text(encoding="utf-8"))
    return Random(seed).sample(every, count)


def tests_by_line(file: str) -> dict[int, set[str]]:
    """Read which tests ran each line of a file."""
    from coverage.numbits import numbits_to_nums

    found: dict[int, set[str]] = defaultdict(set)
    with sqlite3.connect(LINES) as lines:
        rows = lines.execute(
            "SELECT context.context, numbits FROM line_bits JOIN file ON file.id = file_id"
            " JOIN context ON context.id = context_id WHERE file.path = ?",
            (str(ROOT / file),),
        )
        for context, bits in rows:
            if context.endswith("|run"):
                for number in numbits_to_nums(bits):
                    found[number].add(context.removesuffix("|run"))
    return found


def chosen_tests(mutant: Mutant) -> list[str]:
    """Return the tests that pass through a line, those with the file's name first."""
    stem = Path(mutant.file).stem
    lines = tests_by_line(mutant.file)
    # What is run when the module is imported, such as a table, can matter to all of its tests.
    tests = lines.get(mutant.line) or set().union(*lines.values())
    # A test of few is as good as one of many, and a parametrised one as good as its first cases.
    return sorted(tests, key=lambda name: (stem not in name, name.partition("[")[2] != "", name))


def first_failure(copy: Path, tests: list[str]) -> str | None:
    """Run tests in a copy; return the name of the first that fails, None if all pass."""
    arguments = copy / "chosen-tests"
    arguments.write_text("\n".join(tests), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "no:xdist", "--no-header", "--tb=no", f"@{arguments}"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=MOST_S
        )
    except subprocess.TimeoutExpired:
        return "(too slow)"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if failed:
        return failed[1]
    return None if done.returncode in (0, 5) else f"(exit status {done.returncode})"


def attempt(mutant: Mutant, copy: Path, tests: list[str]) -> dict[str, object]:
    """Plant a fault in a copy, run its tests, and take it out again."""
    path = copy / mutant.file
    sound = path.read_bytes()
    path.write_bytes(sound[: mutant.start] + mutant.after.encode() + sound[mutant.end :])
    try:
        found = first_failure(copy, tests) if tests else None
    finally:
        path.write_bytes(sound)
    return {**asdict(mutant), "tests": len(tests), "found_by": found}


def run(mutants: list[Mutant], out: Path, jobs: int, tests: list[str]) -> None:
    """Try all faults that are not in the file of results yet."""
    results = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {(each["file"], each["start"], each["after"]) for each in results}
    left = [each for each in mutants if (each.file, each.start, each.after) not in done]
    copies: Queue[Path] = Queue()
    ignore = shutil.ignore_patterns(".git", ".venv", "build", "*.so", ".mypy_cache")
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        for number in range(jobs):
            copies.put(Path(shutil.copytree(ROOT, Path(folder, str(number)), ignore=ignore)))

        def one(mutant: Mutant) -> dict[str, object]:
            copy = copies.get()
            try:
                return attempt(mutant, copy, tests or chosen_tests(mutant))
            finally:
                copies.put(copy)

        with out.open("a", encoding="utf-8") as file:
            for result in pool.map(one, left):
                results.append(result)
                file.write(json.dumps(result) + "\n")
                file.flush()
                print(result["file"], result["line"], result["found_by"] or "NOT FOUND", flush=True)
    found = sum(each["found_by"] is not None for each in results)
    print(f"{found} of {len(results)} faults found")


def main() -> None:
    parser = argparse.ArgumentParser(description="Plant faults, and tell which tests find them.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("lines", help="record which test runs which line")
    trying = commands.add_parser("run", help="plant faults and run tests")
    trying.add_argument("--count", type=int, default=200, help="how many faults")
    trying.add_argument("--seed", type=int, default=1, help="which faults")
    trying.add_argument("--jobs", type=int, default=1, help="how many at a time")
    trying.add_argument("--out", type=Path, required=True, help="file of results, JSON lines")
    trying.add_argument("--tests", action="append", default=[], help="tests to run instead")
    options, rest = parser.parse_known_args()
    if options.command == "lines":
        covered = [f"--cov={room}" for room in ROOMS]
        command = [sys.executable, "-m", "pytest", *covered, "--cov-context=test", "--cov-report="]
        raise SystemExit(subprocess.run([*command, *rest], cwd=ROOT).returncode)
    run(sample(options.count, options.seed), options.out, options.jobs, options.tests)


if __name__ == "__main__":
    main()
