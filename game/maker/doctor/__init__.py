"""`lifeboard doctor`: finds what keeps a board from working, and says how to repair it."""

from game.maker.doctor.diagnosis import diagnose, report, run_doctor
from game.maker.doctor.system import Finding, Process, Severity, System
