"""`trilho flow publish`: a flow from a file goes live, after its checks and its saved tests."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import Unusable, as_json, language, say, say_json
from engine.cli.opening import actor, with_runtime
from engine.cli.reading import said
from engine.core.errors import InvalidDocument, NotPublishable, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.core.checks.findings import Finding
    from engine.core.flow import Flow
    from engine.core.places import Plan
    from engine.core.routing import Campaign
    from engine.runtime import Runtime
    from engine.services.flow_source import Found
    from engine.services.saved_tests import Result

STAY = "="
"""What stands after `STATE=` for people who finish on their version."""


@dataclass(frozen=True, slots=True)
class _Came:
    """What came of it: the version's number (None when something is against it), whether it is new, what was found."""

    number: int | None
    published: bool
    findings: "Sequence[Finding]"
    shared: "Sequence[Campaign]"
    tests: "Sequence[Result]" = ()


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--note", default="", help="What changed, for the list of versions.")
@click.option(
    "--people", multiple=True, metavar="STATE=STATE", help="Where people of a removed state go; STATE== stays."
)
@click.option(
    "--deadline-anew", multiple=True, metavar="STATE", help="Who waits in STATE gets its new deadline from now."
)
@click.option("--skip-tests", is_flag=True, help="Publish without playing the saved tests of the flow.")
@language
@as_json
def publish(
    file: Path,
    note: str,
    people: tuple[str, ...],
    deadline_anew: tuple[str, ...],
    skip_tests: bool,
    language: str,
    json_: bool,
) -> int:
    """Check the flow in FILE (JSON or YAML) and publish it as the next version.

    Exit code 1, and nothing stored, when a finding blocks or a saved test of the flow differs. A file that is what is live
    already changes nothing. With --people every removed state in which somebody is needs an answer; without, they stay.
    """
    from engine.services.flow_source import from_file

    chosen = _chosen(people)
    try:
        found = from_file(file)
    except InvalidDocument as error:
        raise Unusable(*said(error, language)) from None
    came = with_runtime(lambda runtime: _published(runtime, found, note, chosen, deadline_anew, skip_tests))
    _tell(found, came, language, json_)
    return int(came.number is None)


def _chosen(people: "Sequence[str]") -> "dict[str, str | None]":
    """The answers by the state that goes away; None for who stays."""
    chosen: dict[str, str | None] = {}
    for one in people:
        state, _, to = one.partition("=")
        if not state or not to or state in chosen:
            raise click.BadParameter("each removed state once, as STATE=STATE or STATE==", param_hint="--people")
        chosen[state] = None if to == STAY else to
    return chosen


async def _published(
    runtime: "Runtime",
    found: "Found",
    note: str,
    chosen: "Mapping[str, str | None]",
    anew: "Sequence[str]",
    skip_tests: bool,
) -> _Came:
    from engine.core.checks.run import blocks
    from engine.services import entries, saved_tests, template_findings
    from engine.services import publish as publishing
    from engine.services.checked import checked

    flow = found.flow
    findings = [*await checked(flow), *await template_findings.found(runtime, flow)]
    shared = await entries.shared(runtime, flow)
    live = await _live(runtime, flow.slug)
    same = live is not None and live[1].sha256 == flow.sha256
    if not (blocks(findings) or skip_tests or same):
        results = await saved_tests.run_all(runtime, flow.slug, found.tree)
        if differing := [one for one in results if not one.passed]:
            return _Came(None, False, findings, shared, differing)
    try:
        plan = _plan(live, flow, chosen, anew)
        return _Came(
            await publishing.publish_tree(runtime, found.tree, note, actor(), plan=plan), True, findings, shared
        )
    except NotPublishable:
        assert blocks(findings)
        return _Came(None, False, findings, shared)
    except Refused as refusal:
        if refusal.code != "nothing_changed":
            raise
        return _Came(int(str(refusal.facts["number"])), False, findings, shared)


async def _live(runtime: "Runtime", slug: str) -> "tuple[int, Flow] | None":
    """What is live of the flow, and its number."""
    from engine.services import edit

    number = next((draft.live for draft in await edit.drafts(runtime) if draft.slug == slug), None)
    return None if number is None else (number, await runtime.flow(slug, number))


def _plan(
    live: "tuple[int, Flow] | None", flow: "Flow", chosen: "Mapping[str, str | None]", anew: "Sequence[str]"
) -> "Plan":
    """The answers as a map of the live version; who was asked nothing follows. Raises Refused: state_not_removed,
    place_unknown.
    """
    from engine.core.places import Plan

    counted = frozenset(anew)
    if unknown := sorted(counted - flow.states.keys()):
        raise Refused("place_unknown", states=unknown)
    if not chosen:
        return Plan(anew=counted)
    number, removed = (0, set()) if live is None else (live[0], live[1].states.keys() - flow.states.keys())
    if strange := sorted(chosen.keys() - removed):
        raise Refused("state_not_removed", states=strange)
    return Plan(places={(number, state): to for state, to in chosen.items()}, anew=counted)


def _tell(found: "Found", came: _Came, language: str, json_: bool) -> None:
    from engine.cli.findings import as_document, lines

    slug = found.flow.slug
    if json_:
        answer = {"flow": slug, "version": came.number, "published": came.published, "sha256": found.flow.sha256}
        claims = [{"by": each.by, "what": each.what, "flow": each.flow} for each in came.shared]
        shown = [as_document(finding, language) for finding in came.findings]
        say_json({**answer, "findings": shown, "shared": claims, "differing": [_test(one) for one in came.tests]})
        return
    for finding in came.findings:
        for line in lines(finding, language):
            say(line)
    for each in came.shared:
        say(
            f"{each.by} {each.what!r} leads to {each.flow} too: the channel's flow takes the message, else the first by name."
        )
    for one in came.tests:
        first = one.differences[0]
        say(
            f"saved test {one.test.name!r} differs: {first.about} {first.place}: {first.expected!r} became {first.got!r}."
        )
    if came.tests:
        say(f"{slug} is not published: saved tests differ; --skip-tests publishes all the same.")
    elif came.number is None:
        say(f"{slug} is not published: the errors above come first.")
    elif came.published:
        say(f"{slug}@{came.number} is published.")
    else:
        say(f"{slug}@{came.number} is this flow already: nothing was published.")


def _test(one: "Result") -> dict[str, Any]:
    differences = [
        {"about": each.about, "place": each.place, "expected": each.expected, "got": each.got}
        for each in one.differences
    ]
    return {"name": one.test.name, "differences": differences}
