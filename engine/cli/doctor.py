"""`trilho doctor`: every invariant on a live database."""

from typing import TYPE_CHECKING

import click

from engine.cli.answers import as_json, say, say_json
from engine.cli.opening import with_store

if TYPE_CHECKING:
    from engine.services.doctor import Verdict
    from engine.store.lanes import Store

SHOWN = 20


@click.command(short_help="Every invariant on a live database.")
@as_json
def doctor(json_: bool) -> int:
    """Check every invariant on the database as it is now, with code of its own; exit code 1 when one is broken.

    Rows are named by their ids alone. It only reads, and may run beside everything else.
    """

    async def work(store: "Store") -> "list[Verdict]":
        from engine.runtime import SystemClock
        from engine.services.doctor import examine

        return await examine(store, SystemClock().now())

    verdicts = with_store(work)
    broken = [verdict for verdict in verdicts if not verdict.holds]
    if json_:
        say_json({"holds": not broken, "invariants": [_shown(verdict) for verdict in verdicts]})
    else:
        for verdict in verdicts:
            _tell(verdict)
        say(f"{len(broken)} of {len(verdicts)} invariants are broken." if broken else "Every invariant holds.")
    return int(bool(broken))


def _tell(verdict: "Verdict") -> None:
    say(f"{'ok    ' if verdict.holds else 'BROKEN'}  {verdict.invariant:<12} {verdict.says} ({verdict.checked})")
    for row in verdict.rows[:SHOWN]:
        say(f"        {row}")
    if verdict.broken > SHOWN:
        say(f"        and {verdict.broken - SHOWN} more")


def _shown(verdict: "Verdict") -> dict[str, object]:
    return {
        "invariant": verdict.invariant,
        "says": verdict.says,
        "holds": verdict.holds,
        "checked": verdict.checked,
        "broken": verdict.broken,
        "rows": list(verdict.rows),
    }
