"""`trilho audit`: the hash chains of the transition log and the audit log."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.cli.answers import as_json, say, say_json
from engine.cli.opening import settings_now, with_store

if TYPE_CHECKING:
    from engine.services.doctor_chains import Chains
    from engine.store.lanes import Store


@click.group()
def audit() -> None:
    """The records that nobody can change unseen."""


@audit.command()
@click.option("--anchor", metavar="HASH", help="A head that an earlier run printed: it must still be in the chain.")
@click.option(
    "--anchors", "file", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="A copy of anchors.txt."
)
@as_json
def verify(anchor: str | None, file: str | None, json_: bool) -> int:
    """Compute every chain anew: of each conversation's log and of the audit log.

    Exit code 1 with the first row that was changed, removed or put in. Keep the printed head somewhere else: with
    `--anchor` a later run shows that nothing was cut off the end either. So do the anchors that are kept each day, in the
    database and in anchors.txt of the data folder; `--anchors` takes a copy of that file.
    """

    async def work(store: "Store") -> "Chains":
        from engine.services.doctor_chains import verify as verified

        return await verified(store, anchor, _lines(file))

    chains = with_store(work)
    if json_:
        say_json(
            {
                "holds": chains.broken is None,
                "log": {"rows": chains.log_rows, "conversations": chains.conversations},
                "audit": {"rows": chains.audit_rows, "head": chains.audit_head},
                "anchors": chains.anchors,
                "broken": chains.broken,
            }
        )
    else:
        say(f"Transition log: {chains.log_rows} rows of {chains.conversations} conversations.")
        say(f"Audit log: {chains.audit_rows} rows, head {chains.audit_head or '(empty)'}")
        say(f"Anchors: {chains.anchors}.")
        say("Every chain is whole." if chains.broken is None else f"BROKEN at {chains.broken}.")
    return int(chains.broken is not None)


def _lines(file: str | None) -> list[str]:
    """The anchors of a file: the one that was named, else that of the data folder, if there is one."""
    from engine.adapters.anchor_file import lines
    from engine.services.anchoring import FILE

    return lines(Path(file) if file is not None else settings_now().data_dir / FILE)
