"""`trilho flow`: publishing flows and seeing which there are."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import Unusable, as_json, instant, language, listing, say, say_json
from engine.cli.opening import actor, with_runtime
from engine.cli.reading import said
from engine.core.errors import InvalidDocument, NotFound, NotPublishable, Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.core.checks.findings import Finding
    from engine.core.routing import Campaign
    from engine.runtime import Runtime
    from engine.services.flow_source import Found


@click.group()
def flow() -> None:
    """Flows and their published versions."""


@flow.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--note", default="", help="What changed, for the list of versions.")
@language
@as_json
def publish(file: Path, note: str, language: str, json_: bool) -> int:
    """Check the flow in FILE (JSON or YAML) and publish it as the next version.

    Exit code 1, and nothing stored, when a finding blocks. A file that is what is live already changes nothing.
    """
    from engine.services.flow_source import from_file

    try:
        found = from_file(file)
    except InvalidDocument as error:
        raise Unusable(*said(error, language)) from None
    number, published, findings, shared = with_runtime(lambda runtime: _published(runtime, found, note))
    _tell_published(found, number, published, findings, shared, language, json_)
    return int(number is None)


async def _published(
    runtime: "Runtime", found: "Found", note: str
) -> "tuple[int | None, bool, Sequence[Finding], Sequence[Campaign]]":
    """The version's number (None when it is blocked), whether it is new, the findings, and what another flow claims too."""
    from engine.core.checks.run import blocks
    from engine.services import entries, template_findings
    from engine.services import publish as publishing
    from engine.services.checked import checked

    findings = [*await checked(found.flow), *await template_findings.found(runtime, found.flow)]
    shared = await entries.shared(runtime, found.flow)
    try:
        return await publishing.publish_tree(runtime, found.tree, note, actor()), True, findings, shared
    except NotPublishable:
        assert blocks(findings)
        return None, False, findings, shared
    except Refused as refusal:
        if refusal.code != "nothing_changed":
            raise
        return int(str(refusal.facts["number"])), False, findings, shared


def _tell_published(
    found: "Found",
    number: int | None,
    published: bool,
    findings: "Sequence[Finding]",
    shared: "Sequence[Campaign]",
    language: str,
    json_: bool,
) -> None:
    from engine.cli.findings import as_document, lines

    slug = found.flow.slug
    if json_:
        shown = [as_document(finding, language) for finding in findings]
        answer = {"flow": slug, "version": number, "published": published, "sha256": found.flow.sha256}
        claims = [{"by": each.by, "what": each.what, "flow": each.flow} for each in shared]
        say_json({**answer, "findings": shown, "shared": claims})
        return
    for finding in findings:
        for line in lines(finding, language):
            say(line)
    for each in shared:
        say(
            f"{each.by} {each.what!r} leads to {each.flow} too: the channel's flow takes the message, else the first by name."
        )
    if number is None:
        say(f"{slug} is not published: the errors above come first.")
    elif published:
        say(f"{slug}@{number} is published.")
    else:
        say(f"{slug}@{number} is this flow already: nothing was published.")


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
