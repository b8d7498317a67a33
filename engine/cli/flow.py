"""`trilho flow`: publishing flows and seeing which there are."""

import json
from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, instant, listing, say_json
from engine.cli.opening import with_runtime
from engine.cli.publishing import publish
from engine.core.errors import NotFound

if TYPE_CHECKING:
    from engine.runtime import Runtime


@click.group()
def flow() -> None:
    """Flows and their published versions."""


flow.add_command(publish)


@flow.command("list")
@as_json
def list_(json_: bool) -> None:
    """List the flows, with what is live and what was published."""

    async def work(runtime: "Runtime") -> list[dict[str, Any]]:
        from engine.services import edit, publish

        return [
            {
                "flow": draft.slug,
                "title": draft.title,
                "live": draft.live,
                "draft_revision": draft.revision,
                "edited_at": instant(draft.edited_at),
                "versions": [
                    {"version": p.number, "sha256": p.sha256, "note": p.note, "author": p.author}
                    | {"published_at": instant(p.published_at)}
                    for p in await publish.publications(runtime, draft.slug)
                ],
            }
            for draft in await edit.drafts(runtime)
        ]

    flows = with_runtime(work)
    if json_:
        say_json({"flows": flows})
    else:
        rows = [(f["flow"], f["live"] or "-", len(f["versions"]), f["edited_at"], f["title"]) for f in flows]
        listing(rows, ("flow", "live", "versions", "edited", "title"))


@flow.command()
@click.argument("name", metavar="SLUG[@N]")
@as_json
def show(name: str, json_: bool) -> None:
    """Print a flow's document as JSON: the draft of SLUG, or version N."""
    slug, at, number = name.partition("@")
    if at and not (number.isascii() and number.isdigit() and len(number) < 10):
        raise click.BadParameter("the version is a number, as in venda@2", param_hint="SLUG@N")

    async def work(runtime: "Runtime") -> str:
        from engine.services import publish

        try:
            return await publish.shown(runtime, slug, int(number) if at else None)
        except NotFound:
            raise NotFound("flow", name) from None

    document = json.loads(with_runtime(work))
    say_json({"flow": slug, "version": int(number) if at else None, "document": document} if json_ else document)
