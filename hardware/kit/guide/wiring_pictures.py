"""The pictures of a wiring: its diagram in parts that can be read on a page.

Owns what each shows, in words. Must not know how a diagram is drawn or parted.
"""

from hardware.kit.diagram import diagram_sheets
from hardware.kit.guide.document import Picture
from hardware.kit.guide.facts import Facts
from hardware.kit.wiring import Build


def wiring_pictures(facts: Facts, build: Build, what: str) -> tuple[Picture, ...]:
    """Show the wiring of one way to build, which is called `what`.

    The first picture can be linked as "wiring-foil" and so on.
    """
    sheets = diagram_sheets(facts.layout, facts.contents.wirings[build])
    way = build.value
    return tuple(
        Picture(
            sheet.drawing,
            f"Wiring with {what}: {sheet.shows}. At each wire stands its length.",
            f"wiring-{way}-{number}" if number else f"wiring-{way}",
            file=f"wiring/wiring-{way}.svg",
            large=True,
        )
        for number, sheet in enumerate(sheets)
    )
