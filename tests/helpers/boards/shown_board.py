"""What is shown on a board."""

from game.play import Snapshot
from hal.lights import Frame


class Watcher:
    """Records all that was shown."""

    def __init__(self) -> None:
        self.snapshots: list[Snapshot] = []
        self.frames: list[Frame] = []

    def see(self, snapshot: Snapshot) -> None:
        self.snapshots.append(snapshot)

    def see_lights(self, colours: Frame) -> None:
        self.frames.append(colours)

    @property
    def newest(self) -> Snapshot:
        return self.snapshots[-1]
