"""The chapters on playing: the first start, and the first game.

Owns their sentences and commands. Must not know how they are set.
"""

from hal.measuring.margins import LEAST_CHANGE, LEAST_SNR
from hal.profile import Chip
from hardware.kit.electric.ladder import INLET_V
from hardware.kit.guide.document import Block, Bullets, Code, Heading, Paragraph, Steps, TableBlock
from hardware.kit.guide.facts import COMMAND, TITLES, Facts, listed
from hardware.kit.tables import Table


def first(facts: Facts) -> tuple[Block, ...]:
    """Check, doctor, monitor, calibrate, play."""
    board, name = facts.board, facts.profile.name
    option = f" --backend {facts.backend}" if facts.on_pico else ""
    game = facts.games[0] if facts.games else "circle-of-life"
    chosen = "" if game == "circle-of-life" else f" --game {game}"
    chip = facts.profile.chips[-1]
    cell, pad = next(iter(facts.profile.cells.items()))
    on = (
        "the Pico's cable and the strip's supply"
        if facts.on_pico
        else "both supplies, wait for two minutes, and log in as before"
    )
    return (
        Heading("First start", "first"),
        Paragraph(
            f"Switch off first: {_off(facts)}. Turn the board over again. It stands on its spacers"
            f" now, and its cables go out between them. Plug in {on}. You have wired the board"
            " after the tables of this guide, so the program knows its wiring already. Four"
            " commands follow, in this order. None of them can harm anything."
        ),
        Heading("Check and doctor", "doctor", 2),
        Code((f"{COMMAND} board check {board}", f"{COMMAND} doctor --board {board}")),
        Paragraph(
            f"The first one says \u201cok\u201d and counts {len(facts.profile.cells)} cells. The"
            " *doctor* looks at the computer and at every chip. Each line says ok, WARNING or"
            " FAILURE, and an arrow below it says what mends it. It may say for instance:"
        ),
        Code(
            (
                f"FAILURE  chip {chip.name}: does not answer at {chip.place}",
                f"         -> check its power, ground, SDA and SCL{_behind(chip)}, and that its"
                f" ADDR goes to {_strap(chip.address)}, which makes 0x{chip.address:X}",
            )
        ),
        Paragraph(
            "Begin at the top, and call it again until no FAILURE is left. Of the strip it knows"
            " nothing: pixels do not answer."
        ),
        Heading("Look at every pad", "monitor", 2),
        Code((f"{COMMAND} monitor{option} --board {board}",)),
        Paragraph(
            "It shows what each cell reads, and `#` while it is touched. Touch cell after cell"
            " through the cover: the reading of the one that you touch must fall. Whether `#` comes"
            f" already does not matter yet. {cell} is"
            f" electrode {pad.electrode} of chip {pad.chip}. If another cell answers, two wires"
            " are exchanged: exchange them at the breakout. `q` and Enter end it."
        ),
        Heading("Calibrate", "calibrate", 2),
        Paragraph(
            "To *calibrate* is to measure every pad and to choose its settings: its charge, and"
            " its *thresholds*, the changes at which a touch begins and ends. Do it now, while"
            " everything can still be mended, and once more when all is glued. Tighten the screws"
            " first, so that the cover lies flat."
        ),
        Code((f"{COMMAND} calibrate{option} --board {board}",)),
        Steps(
            (
                "It asks you to take everything off the board and to keep hands away. Press Enter,"
                " and wait.",
                "A cell glows. "
                + (
                    "Set a stone on it"
                    if facts.presence
                    else "Touch it through the cover, as you will play, and hold"
                )
                + " until its light goes out. Go on with the next one that glows. `s` and Enter"
                " skip a cell, `b` and Enter go back. A pixel that does not glow where the"
                " program names the cell shows a mistake in the chain.",
                "At the end there is a table, with what helps for every cell that is not good."
                " [](#margins) says what its columns mean.",
            )
        ),
        TableBlock(
            Table(
                "What calibrate says",
                ("column", "means", "good"),
                (
                    ("baseline", "what the empty cell reads, of 1023", "520 to 690"),
                    (
                        "noise",
                        "how far readings of the empty cell lie apart",
                        "a fifth of the change at most",
                    ),
                    (
                        "change",
                        "by how much a touch lowers the reading",
                        f"{LEAST_CHANGE} at the very least;"
                        f" this board should give {_change(facts)}",
                    ),
                    ("SNR", "change over noise", f"{LEAST_SNR:g} at the very least"),
                    ("touch, release", "the thresholds, set from the two", "-"),
                ),
            ),
            "margins",
        ),
        Heading("Play", "play", 2),
        Code((f"{COMMAND} play --backend {facts.backend} --board {board}{chosen}",)),
        Paragraph(
            "The lights run round the board, and the cells that can be touched glow. `Ctrl-C` ends"
            " it, and the next start goes on with the same game."
        ),
        Paragraph(
            "Set the board on two piles of books, so that you reach below it. Voltmeter from plus"
            f" to minus of the inlet, while the board plays: {INLET_V:g} V to 5.25 V. If it is less"
            " now, the strip's supply or its cable is too weak."
        ),
        *_buttons(facts),
        Paragraph(
            "If all is well, go on with [](#stack), which glues and screws the board. Before that"
            f" switch off: {_off(facts)}."
        ),
        *_learn(facts, name),
    )


def _learn(facts: Facts, name: str) -> tuple[Block, ...]:
    option = f" --backend {facts.backend}" if facts.on_pico else ""
    return (
        Heading("If you have wired it otherwise", "learn", 2),
        Paragraph(
            "You need not have kept to the tables. The board can find out its own wiring: it lights"
            " pixel after pixel and asks you to touch the cell that glows."
        ),
        Code((f"{COMMAND} learn{option} --like {facts.board}",)),
        Paragraph("From then on leave `--board` out of all commands: they take the learned board."),
    )


def _off(facts: Facts) -> str:
    """Say how everything is switched off."""
    if facts.on_pico:
        return "unplug the strip's supply and the Pico's cable"
    return "type `sudo poweroff` on the Raspberry Pi, wait a minute, and unplug both supplies"


def _buttons(facts: Facts) -> tuple[Block, ...]:
    """Test the wires of the buttons before anything is glued."""
    if not facts.layout.buttons:
        return ()
    held = " Hold shutdown shortly only: after three seconds it switches off."
    return (
        Paragraph(
            "Test the wires of the buttons while it plays. Their ends hang below the buttons'"
            " holes. Take the tape off that of ground and off one other one at a time, hold the two"
            f" together for a moment, and put the tape back: {pressed(facts)}."
            + (held if "shutdown" in facts.layout.buttons else "")
        ),
    )


def pressed(facts: Facts) -> str:
    """Say what happens when a button is pressed."""
    # The table of keys is there for boards with a game only.
    return "it does what [](#keys) says" if facts.games else "the program answers"


def _behind(chip: Chip) -> str:
    return "" if chip.mux is None else f" (SD{chip.channel} and SC{chip.channel})"


def _strap(address: int) -> str:
    return {0x5A: "ground", 0x5B: "3.3 V", 0x5C: "SDA", 0x5D: "SCL"}[address]


def _change(facts: Facts) -> str:
    builds = facts.contents.figures.values()
    changes = sorted(each.change for figures in builds for each in figures.pads.values())
    return f"{changes[0]:.0f} to {changes[-1]:.0f} by computation"


_KEYS = {
    "new_game": "a new game; held, the menu of computer players",
    "take_back": "takes back a move, as many as you like",
    "resign": "gives the game up; held, sets up a position",
    "cell": "plays cells that feel nothing any more",
    "shutdown": "switches off, held for three seconds",
    "hint": "shows good moves; held, teaches",
    "choice1": "the first of two choices, whatever the moment asks",
    "choice2": "the second one",
    "confirm": "says that an army is laid out",
    "ring1": "turns the innermost ring",
    "ring2": "turns the second ring",
    "ring3": "turns the third ring",
    "ring4": "turns the outermost ring",
}


_HOW = {
    "circle-of-life": (
        "Two players set stones of their colour in turn. Stones of one colour that touch are one"
        " *critter*, of four stones at most.",
        "The shape of a critter is its *species*. The critter that you have just made eats each"
        " enemy critter beside it of the one species that it can eat: the circle round the board"
        " shows which.",
        "Touch a lit cell as you set a stone there. Eaten stones pulse: touch each as you take it"
        " off.",
        "You win with 20 stones eaten, or when it is your turn and you have no cell to place on.",
    ),
    "adaptoid": (
        "In your turn you may move one of your adaptoids over empty cells, by as many as it has"
        " legs. Touch it, then where it goes.",
        "Then grow: a new body beside one of yours, or a leg or a pincer on one of yours. Touch the"
        " cell; for a limb press the first choice (leg) or the second (pincer).",
        "Each enemy with fewer empty cells around it than limbs starves. It pulses: take it away.",
        "Five captured win, and so does an enemy with none left.",
    ),
    "azteka": (
        "Life and Death play in turn. Place a piece on a lit cell as you touch it, or turn a whole"
        " ring: press its key, and turn the pieces.",
        "Life that fills a segment may place one piece more. A piece of Life with Death on all"
        " sides becomes Death's: it blinks long and short until it is exchanged.",
        "Life wins with a piece in every segment and every ring, Death with a whole segment or a"
        " whole ring, either with all 14 pieces on the board.",
        "Two rounds are played, with exchanged roles.",
    ),
    "cirkle-mind": (
        "Each player has an army whose faces only they see, and lays it out on their rows. Press"
        " `confirm` when it is done; the board guides both.",
        "In your turn move one piece by one square, and you may then attack an enemy in front of it"
        " or beside it. Touch the piece, then where it goes, then whom it attacks.",
        "The board shows both faces as flashes and rules the attack. A shared shape or colour wins"
        " for the attacker.",
        "Lose the target of your army's own colour and you have lost.",
    ),
}


def game(facts: Facts) -> tuple[Block, ...]:
    """Say how the first game goes."""
    blocks: list[Block] = [Heading("The first game", "game")]
    if not facts.games:
        return (
            *blocks,
            Paragraph("No game of lifeboard has just these cells. This lists the games:"),
            Code((f"{COMMAND} games",)),
        )
    geometry = facts.layout.geometry
    main = facts.games[0]
    blocks += [
        Paragraph(
            f"This board is made for **{TITLES[main]}**. The program knows its rules and lights"
            " what may be done next, so you can learn it by playing."
        ),
        Bullets(_HOW[main]),
    ]
    if facts.presence:
        blocks.append(
            Paragraph(
                "This board feels stones while they stand, so where this says \u201ctouch\u201d,"
                " just set the stone or take it. A stone is felt by metal at its foot that lies"
                " flat on the cover: copper tape or a washer, as a ring from 10 mm to"
                f" {geometry.guard_outer_mm:g} mm, so that it covers pad and guard and lets the"
                " light through."
            )
        )
    else:
        blocks.append(
            Paragraph(
                "Take stones that do not conduct, of wood, glass or plastic, and smaller than the"
                " cell, so that a fingertip finds the cover beside them."
            )
        )
    printed = facts.contents.artwork.names
    rows = tuple(
        (name, printed.get(name, name.replace("_", " ")), _KEYS.get(name, "is said by the game"))
        for name in facts.profile.keys
    )
    if rows:
        blocks += [
            Paragraph(
                "[](#keys) says what the keys do. Each is a button, or a pad with a name. Tables,"
                " wires and the program call them by the first name."
            ),
            TableBlock(Table("Keys of this board", ("key", "on the print", "does"), rows), "keys"),
        ]
    others = facts.games[1:]
    if others:
        names = listed(tuple(TITLES[name] for name in others))
        blocks += [
            Paragraph(f"It also plays {names}:"),
            Code(
                tuple(
                    f"{COMMAND} play --backend {facts.backend} --board {facts.board} --game {name}"
                    for name in others
                )
            ),
        ]
    blocks += [
        Paragraph("A computer can play the other side, from 1 (a child's first game) to 6:"),
        Code(
            (
                f"{COMMAND} play --backend {facts.backend} --board {facts.board} --game {main}"
                " --opponent 2",
            )
        ),
    ]
    return tuple(blocks)
