"""Run the command line as `python -m game.app`."""

from game.app.cli import main

raise SystemExit(main())
