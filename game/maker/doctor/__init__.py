"""`lifeboard doctor`: finds what keeps a board from working, and says how to repair it."""

from game.maker.doctor.check import Finding, Severity, report
from game.maker.doctor.diagnosis import diagnose, run_doctor
from game.maker.doctor.system import Process, System
