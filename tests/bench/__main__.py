"""`python -m tests.bench [NAME] [--json]`: figures of this machine, each beside what the machine itself can do."""

import argparse
import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping

from tests.bench import analysis, board, drawing, provers, proving, stack, webhooks

BENCHES: Mapping[str, Callable[[], Awaitable[dict[str, object]]]] = {
    "webhooks": webhooks.measure,
    "analysis": analysis.measure,
    "editing": drawing.measure,
    "checks": proving.measure,
    "provers": provers.measure,
    "stack": stack.measure,
    "board": board.measure,
}


def main() -> int:
    """Run one bench or all; one line a figure, or one JSON document."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("name", nargs="?", choices=sorted(BENCHES))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    figures = {}
    for name in [chosen.name] if chosen.name else BENCHES:
        figures[name] = asyncio.run(BENCHES[name]())
        if not chosen.json:
            print(name)
            for what, value in figures[name].items():
                print(f"  {what:<58} {value}")
    if chosen.json:
        print(json.dumps(figures, ensure_ascii=False, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
