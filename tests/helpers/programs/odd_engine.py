"""An engine that behaves as it is told, well or badly: `odd_engine.py FOLDER BEHAVIOUR...`.

Each start takes the next behaviour, the last one for ever. FOLDER gets `starts`, one line with the
number of the process for each start, and `heard`, all lines that it was told.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

MOVES = ("a1", "b2", "c3", "d4", "e5")


def say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def hang() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        signal.pause()


def main(folder: Path, behaviours: list[str]) -> None:
    with (folder / "starts").open("a+") as starts:
        starts.seek(0)
        number = len(starts.readlines())
        starts.write(f"{os.getpid()}\n")
    behaviour = behaviours[min(number, len(behaviours) - 1)]
    if behaviour == "deaf":
        hang()
    answered = 0
    for line in sys.stdin:
        line = line.strip()
        with (folder / "heard").open("a") as heard:
            heard.write(f"{line}\n")
        word = line.split()[0]
        if word == "ugi":
            if behaviour == "speaks UCI":
                say("id name odd", "uciok " + "x" * 100)
                continue
            options = [f"option name {name} type spin" for name in ("Level", "MultiPV")]
            say("id name odd", *([] if behaviour == "without options" else options), "ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "stop":
            say(f"bestmove {MOVES[answered]}")
            answered += 1
        elif word == "go":
            go(behaviour, answered)
            answered += behaviour != "waits for stop"


def go(behaviour: str, answered: int) -> None:
    move = MOVES[answered]
    match behaviour:
        case "waits for stop" if answered == 0:
            say("info nodes 1 pv a1")
        case "hangs":
            hang()
        case "dies":
            raise RuntimeError("out of ideas")
        case "talks much":
            line = "info nodes 1 multipv 1 score cp 0 pv a1"
            say(*[line] * (600_000 // len(line)), f"bestmove {move}")
        case "complains":
            say("info string error: position is GyC on a1; allowed: lalala", "bestmove z9")
        case "plays off the board":
            say("info multipv 1 score cp 0 pv z9", "bestmove z9")
        case "leaves a child":
            hanging = "import signal; signal.pause()"
            child = subprocess.Popen([sys.executable, "-I", "-S", "-c", hanging])
            with (Path(sys.argv[1]) / "starts").open("a") as starts:
                starts.write(f"{child.pid}\n")
            sys.exit()
        case "hints":
            say(
                "info nodes 5 multipv 1 score cp 50 wdl 600 0 400 decided 0 pv a1 b2",
                "info nodes 5 multipv 2 score cp 0 wdl 300 200 500 decided 1 pv b2",
                "info nodes 9 multipv 1 score cp 90 wdl 700 0 300 decided 0 pv c3 b2",
                "info nodes 9 multipv 3 score cp -400 pv d4",
                "bestmove c3",
            )
        case _:
            say(f"info multipv 1 score cp 0 pv {move}", f"bestmove {move}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
