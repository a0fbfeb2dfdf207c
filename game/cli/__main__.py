"""Where the program begins: `lifeboard`, and `python -m game.cli`."""

# `signal` would import more modules, during which Ctrl-C shows a traceback.
import _signal as signal  # type: ignore[import-not-found]


def run() -> int:
    """Run the command line; Ctrl-C ends it without a traceback, from the first import on."""
    usual = signal.getsignal(signal.SIGINT)
    # Before a command runs there is nothing to clean up. If the signal is ignored, it stays so.
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from game.cli.main import main

    try:
        signal.signal(signal.SIGINT, usual)
        return main()
    except KeyboardInterrupt:
        return 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    raise SystemExit(run())
