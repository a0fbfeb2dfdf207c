"""The chapters on the computer: its card, the program, its settings, and the service.

Owns their sentences and commands. Must not know how they are set.
"""

from hardware.kit.computers import bus_pins
from hardware.kit.guide.document import Block, Code, Heading, Paragraph, Steps
from hardware.kit.guide.facts import COMMAND, Facts

USER, HOST = "maker", "raspberrypi"
_CONFIG = "sudo tee -a /boot/firmware/config.txt"


def software(facts: Facts) -> tuple[Block, ...]:
    """Install the program."""
    return (*_on_a_computer(facts), *_install(facts), *(_flash() if facts.on_pico else _pi(facts)))


def _on_a_computer(facts: Facts) -> tuple[Block, ...]:
    card = (
        Heading("The card of the Raspberry Pi", "card", 2),
        Steps(
            (
                "On another computer install the Raspberry Pi Imager, a program from"
                " raspberrypi.com/software that writes cards.",
                "Choose your model of Raspberry Pi, then \u201cRaspberry Pi OS Lite"
                " (64-bit)\u201d, then the card. Version 12 (Bookworm) and 13 (Trixie) both will"
                " do.",
                f"When it offers settings, say: host name `{HOST}`, user `{USER}` with a password"
                " of yours, your wireless network. Switch SSH on, with the password. SSH is how"
                " you type commands on a Raspberry Pi from another computer.",
                "Write the card, put it in, switch the Raspberry Pi on, and wait for two minutes.",
                "On the other computer open a terminal (Linux, macOS) or PowerShell (Windows), and"
                " log in:",
            )
        ),
        Code((f"ssh {USER}@{HOST}.local",)),
        Paragraph(
            "The first time it asks whether you want to continue connecting: type yes and Enter."
            " Then it asks for the password. Nothing shows while you type it; end it with Enter,"
            " too. If it says that the name is not known, look in your router's list of devices"
            f" for `{HOST}`: there is its address, four numbers with points. Write it in place of"
            f" `{HOST}.local`, here and in all that follows."
        ),
    )
    if facts.on_pico:
        return (
            Heading("The program", "software"),
            Paragraph(
                "The Pico reads pads and buttons and drives the strip. The game itself runs on a"
                " computer with Linux, and a USB cable joins both. It may be the one at which you"
                " sit, or a Raspberry Pi. For a Raspberry Pi begin with its card; else skip to"
                " [](#install)."
            ),
            *card,
        )
    return (
        Heading("The program", "software"),
        Paragraph(
            "The game runs on the Raspberry Pi in the board. A Zero 2 W, 3, 4 or 5 will do."
            " Commands stand in boxes: copy each line, and end it with Enter."
        ),
        *card,
    )


def _install(facts: Facts) -> tuple[Block, ...]:
    own: tuple[Block, ...] = ()
    if not facts.shipped:
        own = (
            Paragraph(
                f"First copy the profile, `{facts.board}` of this kit, into the folder `lifeboard`,"
                " so that it comes along."
            ),
        )
    there = "a Raspberry Pi that is to play" if facts.on_pico else "the Raspberry Pi"
    here = (
        "If you play on the computer on which this kit was made, it has all that already: go on"
        " with `make play` below."
        if facts.on_pico
        else "It fetches what else it needs from the network."
    )
    return (
        Heading("Installing it", "install", 2),
        Paragraph(
            "This kit was made by lifeboard, out of a folder which is called `lifeboard` too."
            f" That folder goes onto {there}. If you were given the kit alone, ask its maker"
            f" for this folder: it is not in the kit. {here} If the folder has another name on your"
            " computer, write that name in all commands where they say `lifeboard` alone. In a"
            " terminal of the computer that has the folder, in the folder above it:"
        ),
        *own,
        Code(
            (
                "tar --exclude=.venv --exclude=.git -czf lifeboard.tar.gz lifeboard",
                f"scp lifeboard.tar.gz {USER}@{HOST}.local:",
            )
        ),
        Paragraph(
            f"Then on {there}, logged in as above, where the third line is needed on version 13"
            " (Trixie) only:"
        ),
        Code(
            (
                "sudo apt update",
                "sudo apt install make python3-venv",
                "sudo apt install python3-lgpio",
                "tar -xzf lifeboard.tar.gz",
                "cd lifeboard",
                "make play",
            )
        ),
        Paragraph(
            "`make play` sets everything up, for some minutes, and starts a simulated board. When"
            " it says \u201cCtrl-C ends it\u201d, press Ctrl and C. All later commands are typed"
            " in this folder: after each new login `cd lifeboard` comes first."
        ),
        Paragraph(
            "The program shows a page as well. It is shown on its own computer only. To see it on"
            " the computer at which you sit, open a second terminal there and leave this running:"
        ),
        Code((f"ssh -L 8765:127.0.0.1:8765 {USER}@{HOST}.local",)),
        Paragraph("Then open `http://127.0.0.1:8765/` in a browser while lifeboard runs."),
    )


def _pi(facts: Facts) -> tuple[Block, ...]:
    blocks: list[Block] = [
        Heading("Settings of the Raspberry Pi", "settings-pi", 2),
        Paragraph("On every Raspberry Pi, where a 0 means on:"),
        Code(
            (
                "sudo raspi-config nonint do_i2c 0",
                "sudo raspi-config nonint do_spi 0",
                f"printf '%s\\n' '[all]' 'dtparam=i2c_arm_baudrate=400000' | {_CONFIG}",
            )
        ),
    ]
    for bus in facts.buses:
        pins = bus_pins(facts.profile, bus)
        if bus in facts.computer.pulled_up or pins is None:
            continue
        overlay = f"dtoverlay=i2c-gpio,bus={bus},i2c_gpio_sda={pins.sda},i2c_gpio_scl={pins.scl}"
        blocks += [
            Paragraph(f"For bus {bus} of this board:"),
            Code((f"printf '%s\\n' '{overlay}' | {_CONFIG}",)),
        ]
    blocks += [
        Paragraph("On a Zero 2 W and a 3 only, so that the strip's clock stands still:"),
        Code((f"printf '%s\\n' 'core_freq=250' | {_CONFIG}",)),
        Paragraph("On a 4 only, for the same reason:"),
        Code((f"printf '%s\\n' 'core_freq=500' 'core_freq_min=500' | {_CONFIG}",)),
        Paragraph("A 5 needs neither. Then start it anew, and log in again after a minute:"),
        Code(("sudo reboot",)),
    ]
    return tuple(blocks)


def _flash() -> tuple[Block, ...]:
    return (
        Heading("The Pico", "pico", 2),
        Paragraph(
            "The Pico needs two things once: *MicroPython*, which lets it run programs, and our"
            " *firmware*, the program itself."
        ),
        Steps(
            (
                "Get MicroPython 1.24 or later for the Pico: the file that ends in `.uf2` at"
                " micropython.org/download/RPI_PICO.",
                "Do the next two steps at a computer with a screen and windows, of whatever kind."
                " Hold the button BOOTSEL of the Pico while you plug its USB cable into that"
                " computer, and let go. A drive RPI-RP2 appears.",
                "Copy the file onto it. The drive vanishes: the Pico has started. Now plug its"
                " cable into the computer that is to play.",
                "There join the group that may use serial ports, then log out and in again:",
            )
        ),
        Code(('sudo usermod -aG dialout "$USER"',)),
        Paragraph("Then, in the folder `lifeboard`, copy the firmware:"),
        Code((f"{COMMAND} flash",)),
        Paragraph("It says so when the firmware answers."),
    )


def service(facts: Facts) -> tuple[Block, ...]:
    """Let it start with the computer."""
    game = facts.games[0] if facts.games else "circle-of-life"
    place = facts.board if facts.shipped else f"/etc/lifeboard/{facts.board}"
    own = () if facts.shipped else (f"sudo cp {facts.board} /etc/lifeboard/",)
    flash = ("sudo lifeboard service flash",) if facts.on_pico else ()
    return (
        Heading("Starting by itself", "service"),
        Paragraph(
            "As a *service* lifeboard starts with its computer, without screen or login. In the"
            " folder `lifeboard`:"
        ),
        Code(("make service", *own, "sudo nano /etc/lifeboard/lifeboard.toml")),
        Paragraph(
            "The last line opens the settings. Change these two lines, each in its section, and"
            " take the sign `#` in front of them away. Then Ctrl-O, Enter and Ctrl-X write and"
            " close the file."
        ),
        Code(
            (
                "[board]",
                f'profile = "{place}"',
                "[game]",
                f'name = "{game}"',
            )
        ),
        Paragraph(
            "The service keeps its own measurements, and now the cover lies as it will stay. So"
            " calibrate through it, as in [](#calibrate):"
        ),
        Code(
            (
                "sudo lifeboard service check",
                "sudo lifeboard service reload",
                *flash,
                "sudo lifeboard service calibrate",
                "lifeboard service status",
            )
        ),
        *_off(facts),
    )


def _called(facts: Facts, key: str) -> str:
    printed = facts.contents.artwork.names.get(key, key.replace("_", " "))
    return f"the button \u201c{printed}\u201d (`{key}`)"


def _off(facts: Facts) -> tuple[Block, ...]:
    if not facts.has_key("shutdown"):
        return (
            Paragraph(
                "Pulling the plug loses no move. Kinder to the card is `sudo poweroff` before it."
            ),
        )
    return (
        Paragraph(
            f"To switch off, hold {_called(facts, 'shutdown')} for three seconds: the lights go out"
            " one after the other. Cut the power when the computer's green light stays dark."
            " Pulling the plug loses no move either, but is hard on the card."
        ),
    )
