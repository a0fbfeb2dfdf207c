"""Where the program begins: `lifeboard`, and `python -m game.cli`."""

# `signal` imports more, and Ctrl-C would show a traceback meanwhile.
from _signal import SIG_DFL, SIGINT, default_int_handler, getsignal, signal


def run() -> int:
    """Run the command line; Ctrl-C ends it without a traceback, from the first import on."""
    usual = getsignal(SIGINT)
    # Before a command runs there is nothing to clean up. `nohup` has it ignored, and so it stays.
    if usual is default_int_handler:
        signal(SIGINT, SIG_DFL)
    from game.cli.main import main

    try:
        signal(SIGINT, usual)
        return main()
    except KeyboardInterrupt:
        return 130
    finally:
        signal(SIGINT, SIG_DFL)


if __name__ == "__main__":
    raise SystemExit(run())
