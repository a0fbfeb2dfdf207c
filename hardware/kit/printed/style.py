"""The inks of the printed top: quiet earth colours, so that the light has the word.

Owns the styles.
"""

from hardware.kit.drawing import Style

INK, SOFT = "#3a4650", "#8d8472"
EDGE = Style("edge", stroke="#999999", width_mm=0.1)
HOLE = Style("hole", stroke="#999999", width_mm=0.15, fill="#ffffff")
RIM = Style("rim", stroke="#c9bfa9", width_mm=0.25)
CELLS = (
    Style("cell", stroke="#cbbfa4", width_mm=0.2, fill="#f6f0e3"),
    Style("cell", stroke="#bfb08e", width_mm=0.2, fill="#ebe0c9"),
)
FIELD = Style("field", stroke="#a8946a", width_mm=0.5)
PAD = Style("pad", stroke="#d8cdb6", width_mm=0.2)
KEY = Style("key", stroke="#8fa3a6", width_mm=0.5, fill="#eaf0ef")
BUTTON = Style("button", stroke="#c9bfa9", width_mm=0.25, fill="#efe9dc")
WINDOW = Style("window", stroke="#b5aa93", width_mm=0.2, fill="#ffffff")
NAME = Style("name", stroke=None, fill=SOFT)
WORD = Style("word", stroke=None, fill=INK)
NUMBER = Style("number", stroke=None, fill=SOFT)
CHEVRON = Style("chevron", stroke=None, fill=INK)
STONE = Style("stone", stroke="#27454b", width_mm=0.25, fill="#3e6b73")
BADGE_NAME = Style("badge-name", stroke=None, fill="#27454b")
ARROW = Style("arrow", stroke="#9fb3b3", width_mm=0.7)
ARROW_HEAD = Style("arrow-head", stroke=None, fill="#7f9a9b")
ICON = Style("icon", stroke="#8fa3a6", width_mm=0.25)
ICON_BOLD = Style("icon", stroke="#27454b", width_mm=0.8)
ICON_ARROW = Style("icon-arrow", stroke=None, fill="#27454b")
BAND = Style("band", stroke="#d8cdb6", width_mm=0.2, fill="#f6f0e3")
ORNAMENT = Style("ornament", stroke="#bfb08e", width_mm=0.2, fill="#ebe0c9")
