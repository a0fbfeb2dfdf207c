"""KiCad's project file of a board, with its design rules.

The rules are JLCPCB's cheapest class with a margin: see
https://jlcpcb.com/capabilities/Capabilities, four layers, 1 oz outside. The maker's minimum is
beside each.
"""

import json

TRACK_MM = 0.15  # 0.10
CLEARANCE_MM = 0.15  # 0.10
VIA_MM, VIA_DRILL_MM = 0.6, 0.3  # 0.4 and 0.2
ANNULAR_MM = 0.15  # 0.15: the width of a via's annular ring
HOLE_TO_HOLE_MM = 0.5  # 0.45
COPPER_TO_HOLE_MM = 0.25  # 0.20 to 0.25, unplated
COPPER_TO_EDGE_MM = 0.3  # 0.20
DRILL_MM = 0.3  # 0.2
SEVERITIES = {"silk_edge_clearance": "ignore"}
"""Plugs and keys extend over the edge, and so do their outlines in KiCad's library."""
POWER_TRACK_MM = 0.4
POWER_NETS = ("GND", "+5V*", "+3V3")


def project(board: str) -> str:
    """Write the project file of a board."""
    rules = {
        "max_error": 0.01,
        "min_clearance": CLEARANCE_MM,
        "min_track_width": TRACK_MM,
        "min_via_diameter": VIA_MM,
        "min_via_annular_width": ANNULAR_MM,
        "min_through_hole_diameter": DRILL_MM,
        "min_hole_to_hole": HOLE_TO_HOLE_MM,
        "min_hole_clearance": COPPER_TO_HOLE_MM,
        "min_copper_edge_clearance": COPPER_TO_EDGE_MM,
        "min_connection": 0.0,
        "min_groove_width": 0.0,
        "min_resolved_spokes": 1,
        "min_silk_clearance": 0.0,
        "min_text_height": 0.8,
        "min_text_thickness": 0.08,
        "solder_mask_to_copper_clearance": 0.0,
        "use_height_for_length_calcs": True,
    }
    classes = [_net_class("Default", TRACK_MM, 2147483647), _net_class("Power", POWER_TRACK_MM, 0)]
    patterns = [{"netclass": "Power", "pattern": net} for net in POWER_NETS]
    whole = {
        "board": {"design_settings": {"rules": rules, "rule_severities": SEVERITIES}},
        "meta": {"filename": f"{board}.kicad_pro", "version": 3},
        "net_settings": {
            "classes": classes,
            "meta": {"version": 4},
            "netclass_patterns": patterns,
        },
    }
    return json.dumps(whole, indent=2) + "\n"


def _net_class(name: str, track_mm: float, priority: int) -> dict[str, object]:
    return {
        "name": name,
        "priority": priority,
        "clearance": CLEARANCE_MM,
        "track_width": track_mm,
        "via_diameter": VIA_MM,
        "via_drill": VIA_DRILL_MM,
    }
