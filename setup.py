"""Compile the engine's hot modules where Cython and a compiler are installed; else go without.

Everything else about the distribution is in `pyproject.toml`.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FAST = [
    file.with_suffix(".py")
    for file in sorted(Path("game/engine").glob("*/*.pxd"))
    if file.stem != "bits"
]
"""Modules of the engine that have a `.pxd` with the types for compiling them.

`bits.pxd` holds whole functions, which are built into the others."""
SHARED = "game.engine.fast.memoryviews"
"""Array code that Cython writes and all of them need: compiled once, not in each."""
DIRECTIVES = {
    "language_level": 3,
    # The `.pxd` gives the types; `int` in the source is any whole number.
    "annotation_typing": False,
    # Nothing is pickled, and the code for it takes a quarter of the time to compile.
    "auto_pickle": False,
    # The plain Python form, which checks all this, is tested to behave the same.
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}
ARGUMENTS = [
    "-O3",
    # Debugging symbols name folders; without them the same sources give the same bytes.
    "-g0",
    # Fused multiply-add would round differently from Python.
    "-ffp-contract=off",
]


class AllOrNone(build_ext):
    """Compile all modules or none, always from scratch: each relies on the others' layout."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True
        # One compiler at a time, unless the computer has the memory for more.
        self.parallel = int(os.environ.get("COMPILERS", "1"))

    def run(self) -> None:
        """Let Cython write C only now: pip runs this script for the metadata too."""
        from Cython.Build import cythonize

        # Cython runs in a process that ends before the compiler begins: a small computer lacks the
        # memory for both at once.
        with ProcessPoolExecutor(1) as process:
            made: list[Extension] = process.submit(
                cythonize,
                self.extensions,
                build_dir="build/cython",
                force=True,
                shared_utility_qualified_name=SHARED,
                compiler_directives=DIRECTIVES,
            ).result()
        sources = {each.name: each.sources for each in made}
        for extension in self.extensions:
            extension.sources = sources[extension.name]
        super().run()

    def build_extensions(self) -> None:
        super().build_extensions()
        files = [Path(self.get_ext_fullpath(each.name)) for each in self.extensions]
        if not all(file.exists() for file in files):
            self.warn("the engine is not compiled, and runs as plain Python")
            for file in files:
                file.unlink(missing_ok=True)


def extensions() -> list[Extension]:
    """List what to compile; what cannot be compiled is left out, and runs as plain Python."""
    if find_spec("Cython") is None:
        return []
    files = {".".join(file.with_suffix("").parts): [file.as_posix()] for file in FAST}
    return [
        Extension(name, sources, extra_compile_args=ARGUMENTS, optional=True)
        for name, sources in {SHARED: [], **files}.items()
    ]


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNone})
