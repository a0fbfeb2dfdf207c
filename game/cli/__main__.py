"""Run the command line as `python -m game.cli`."""

from game.cli.main import main

raise SystemExit(main())
