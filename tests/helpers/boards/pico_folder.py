"""A folder that is the flash of a Pico: what is put there, and what is found."""

from pathlib import Path


class PicoFolder:
    """Hold the folder of a Pico, which is made if it is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def put(self, files: dict[str, bytes]) -> None:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }

    def firmware(self) -> dict[str, bytes]:
        """Return the files that are a firmware's."""
        files = self.files().items()
        return {n: each for n, each in files if n.startswith("firmware/") or n == "main.py"}
