"""Draw how the bench board is wired: `python -m hardware.guide.bench`."""

from hardware.board.computers import PI, PICO
from hardware.guide.drawings import FOLDER

COMPUTERS = {"pi": (PI, 2, 6, 20), "pico": (PICO, 40, 8, 3)}
"""Each computer, its pin of 5 V, and its ground pins for breakout and strip."""
COLOURS = {"3.3 V": "#d66a00", "GND": "#222", "SDA": "#1f5fbf", "SCL": "#a87f00", "IRQ": "#7a3fa0"}
COLOURS |= {"strip 5 V": "#c22", "strip GND": "#222", "strip DIN": "#2a8a3a"}
BREAKOUTS = {
    "Adafruit 1982, first form": "IRQ SCL SDA ADDR GND 3Vo VIN",
    "Adafruit 1982 with two sockets": "VIN 3Vo GND SCL SDA INT ADDR",
    "SparkFun SEN-09695 and copies": "3.3V IRQ SCL SDA ADD GND",
}
"""Their pins from one end, as their makers print them (github.com/adafruit/Adafruit-MPR121-PCB,
github.com/sparkfun/MPR121_Capacitive_Touch_Breakout)."""
NETS = {"VIN": "3.3 V", "3.3V": "3.3 V", "INT": "IRQ"} | {net: net for net in COLOURS}
_STYLE = (
    "text{font:2.9px Helvetica,Arial,sans-serif}.f{fill:#fff;font-weight:bold}"
    ".m{text-anchor:middle}.b{font-weight:bold}.p{fill:#dfe9df;stroke:#476;stroke-width:.3}"
    ".r{fill:#e8cfa0;stroke:#7a5a30;stroke-width:.25}.l{fill:none;stroke:#1d1d1b;stroke-width:.35}"
)


def wiring(name: str) -> str:
    """Draw the pins of a computer, and where each wire ends: at a label of the same colour."""
    computer, five, ground, other = COMPUTERS[name]
    lines = {"SDA_A": "SDA", "SCL_A": "SCL", "IRQ": "IRQ", "DATA": "strip DIN"}
    nets = {computer.pins[computer.lines[line]]: net for line, net in lines.items()}
    nets |= {computer.supply[0]: "3.3 V", five: "strip 5 V", ground: "GND", other: "strip GND"}
    around = name == "pico"  # its pins go down the left edge and up the right one
    body = f'<rect x="30" y="8" width="20" height="{102 if around else 52}" rx="2" class="p"/>'
    over = "Pico, USB up" if around else "header of a Pi"
    body += f'<text x="40" y="5" class="m b">{over}</text>'
    for pin in range(1, 41 if around else 21):
        right = pin > 20 if around else pin % 2 == 0
        row = min(pin - 1, 40 - pin) if around else (pin - 1) // 2
        body += _pin(46 if right else 34, 11.5 + row * 5, str(pin), nets.get(pin, ""), right)
    for n, (breakout, pins) in enumerate(BREAKOUTS.items()):
        left, labels = 80 + n * 41, pins.split()
        body += f'<text x="{left + 10}" y="5" class="m b">{breakout.partition(" ")[0]}</text>'
        body += f'<text x="{left + 10}" y="9" class="m">{breakout.partition(" ")[2]}</text>'
        body += f'<rect x="{left}" y="11" width="12" height="{len(labels) * 5 + 2}" class="p"/>'
        at = {label: 15 + row * 5 for row, label in enumerate(labels)}
        for label, y in at.items():
            body += _pin(left + 6, y, label, NETS.get(label, ""), True)
        power = next(y for label, y in at.items() if NETS.get(label) == "3.3 V")
        for k, data in enumerate(("SDA", "SCL") if around else ()):
            x, middle = left - 3 - 3 * k, (at[data] + power) / 2
            body += f'<path d="M{left + 1} {at[data]}H{x}V{power}H{left + 1}" class="l"/>'
            body += f'<rect x="{x - 1}" y="{middle - 3}" width="2" height="6" class="r"/>'
    strip = {"5 V": "through the diode", "DIN": "through 330 ohm", "GND": ""}
    body += '<rect x="80" y="66" width="12" height="17" class="p"/>'
    body += '<text x="80" y="63" class="b">strip, at the end where its arrow begins</text>'
    for row, (label, through) in enumerate(strip.items()):
        body += _pin(86, 69.5 + row * 5, label, f"strip {label}", True)
        body += f'<text x="114" y="{70.5 + row * 5}">{through}</text>'
    if around:
        body += '<text x="74" y="52">Brown: two resistors of 4.7 kohm, on the breakout</text>'
    size = 'width="198mm" height="112mm" viewBox="0 0 198 112"'
    size = size if around else size.replace("112", "86")
    title = f"<title>Wiring of the bench board on a {name}</title><style>{_STYLE}</style>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{title}{body}</svg>\n'


def _pin(x: float, y: float, label: str, net: str, right: bool) -> str:
    """Draw a pin with its label, and outside of the board where its wire goes, if it has one."""
    text = f'<text x="{x}" y="{y + 1}" class="m">{label}</text>'
    if not net:
        return text
    left = x + 7 if right else x - 25
    flag = f'<rect x="{left}" y="{y - 2.1}" width="18" height="4.2" fill="{COLOURS[net]}"/>'
    return f'{text}{flag}<text x="{left + 9}" y="{y + 1}" class="m f">{net}</text>'


if __name__ == "__main__":
    for each in COMPUTERS:
        (FOLDER / f"bench-wiring-{each}.svg").write_text(wiring(each), encoding="utf-8")
