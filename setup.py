"""Compile the hot part of the engine where there is Cython and a compiler; else go without.

Everything else about the distribution stands in `pyproject.toml`.
"""

from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

FAST = ("field", "judge", "tree")
"""Modules of `game.engine.circle`, each with the types that it is compiled with in a `.pxd`."""
DIRECTIVES = {
    "language_level": 3,
    # The `.pxd` gives the types; `int` in the source is any whole number.
    "annotation_typing": False,
    # The plain form, which checks all this, is tested to do the same.
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
}
ARGUMENTS = [
    "-O3",
    # Debugging symbols name folders; without them the same sources give the same bytes.
    "-g0",
    # Joined multiplications and additions would round otherwise than Python does.
    "-ffp-contract=off",
]


class AllOrNone(build_ext):
    """Compile every module or none, and all anew: each relies on how the others are laid out."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.force = True

    def build_extensions(self) -> None:
        super().build_extensions()
        files = [Path(self.get_ext_fullpath(each.name)) for each in self.extensions]
        if not all(file.exists() for file in files):
            self.warn("the engine is not compiled, and runs as plain Python")
            for file in files:
                file.unlink(missing_ok=True)


def extensions() -> list[Extension]:
    """List what to compile; what cannot be compiled is left out, and runs as plain Python."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    made: list[Extension] = cythonize(
        [
            Extension(
                f"game.engine.circle.{name}",
                [f"game/engine/circle/{name}.py"],
                extra_compile_args=ARGUMENTS,
            )
            for name in FAST
        ],
        build_dir="build/cython",
        force=True,
        # Cython works in a process that ends before the compiler begins: on a small computer there
        # is no room for both.
        nthreads=1,
        compiler_directives=DIRECTIVES,
    )
    for extension in made:
        # Cython keeps no such wish.
        extension.optional = True
    return made


if __name__ == "__main__":
    setup(ext_modules=extensions(), cmdclass={"build_ext": AllOrNone})
