"""`lifeboard doctor`: what of this computer keeps a board from working, and what mends it."""

from game.app.doctor.diagnosis import DoctorOptions, diagnose, run
from game.app.doctor.findings import Finding, Level
from game.app.doctor.report import as_json, exit_status, report
from game.app.doctor.system import Process, Speed, System, Voltage

__all__ = [
    "DoctorOptions",
    "Finding",
    "Level",
    "Process",
    "Speed",
    "System",
    "Voltage",
    "as_json",
    "diagnose",
    "exit_status",
    "report",
    "run",
]
