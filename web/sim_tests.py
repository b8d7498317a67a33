"""Saved tests in words: how each went, what was to happen and what happened; and the page where runs begin."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.flow import Flow
from engine.runtime import Runtime
from engine.services import edit, saved_tests
from engine.services.saved_tests import Difference, Result
from engine.services.simulator import runs
from web import i18n
from web.desk_words import who
from web.flow_words import event_label
from web.i18n import gettext
from web.sim_pages import source_words
from web.visitor import Visitor
from web.words import ago

__all__ = ["ShownTest", "StartPage", "shown_tests", "start_page"]

ALL = "all"


@dataclass(frozen=True, slots=True)
class Told:
    """One difference: where, what was to happen, and what happened."""

    where: str
    expected: str
    got: str


@dataclass(frozen=True, slots=True)
class ShownTest:
    """One test. `passed` is None while it was not played."""

    id: int
    name: str
    who: str
    when: str
    passed: bool | None
    differences: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StartPage:
    """What simulator/start.html reads. `latest` are (address, what is played, steps, when)."""

    slug: str
    title: str
    live: int | None
    latest: tuple[tuple[str, str, int, str], ...]
    tests: tuple[ShownTest, ...]
    problem: str = ""


async def start_page(runtime: Runtime, slug: str, person: Visitor, test: str = "", problem: str = "") -> StartPage:
    """The page; `test` says which tests are played on the draft: all, or the number of one. Raises NotFound."""
    opened, now = await edit.opened(runtime, slug), runtime.clock.now()
    latest = await runs.latest(runtime, slug, person.actor)
    kept = await saved_tests.listed(runtime, slug)
    wanted = [one for one in kept if test in (ALL, str(one.id))]
    results = {one.test.id: one for one in await saved_tests.run_all(runtime, slug, opened.tree, wanted)}
    return StartPage(
        slug=slug,
        title=opened.flow.title.within(i18n.current()),
        live=opened.draft.live,
        latest=tuple(
            (f"/flows/{slug}/simulator/{one.id}", source_words(one.version), one.length, ago(one.at, now))
            for one in latest
        ),
        tests=tuple(
            ShownTest(one.id, one.name, who(one.who), ago(one.at, now), *_went(opened.flow, results.get(one.id)))
            for one in kept
        ),
        problem=problem,
    )


def shown_tests(flow: Flow, results: tuple[Result, ...], now: int) -> tuple[ShownTest, ...]:
    """Results as the page of a publication shows them."""
    return tuple(
        ShownTest(one.test.id, one.test.name, who(one.test.who), ago(one.test.at, now), *_went(flow, one))
        for one in results
    )


def _went(flow: Flow, result: Result | None) -> tuple[bool | None, tuple[Told, ...]]:
    if result is None:
        return None, ()
    return result.passed, tuple(_told(flow, one) for one in result.differences)


def _told(flow: Flow, found: Difference) -> Told:
    values = {"n": found.place}
    match found.about:
        case "moves":
            where = gettext("Happening %(n)s") % values
            return Told(where, _move(flow, found.expected), _move(flow, found.got))
        case "texts":
            return Told(gettext("Message %(n)s") % values, *_both(found))
        case "actions":
            return Told(gettext("Action %(n)s") % values, *_both(found))
        case "state":
            return Told(gettext("Where the customer stands in the end"), *_both(found))
        case "opt_out":
            yes, no = gettext("asked for no more messages"), gettext("takes messages")
            return Told(gettext("Consent"), yes if found.expected else no, yes if found.got else no)
    return Told(gettext("It cannot be played"), "", str(found.got))


def _both(found: Difference) -> tuple[str, str]:
    return _value(found.expected), _value(found.got)


def _value(value: object) -> str:
    return gettext("nothing") if value is None else str(value)


def _move(flow: Flow, row: Mapping[str, Any] | None) -> str:
    """A log row of a test as a sentence."""
    if row is None:
        return gettext("nothing")
    event = str(row.get("event") or "")
    words = event_label(flow, event, flow.states.get(str(row.get("frm") or ""))) if event in flow.events else event
    values = {"event": words, "frm": row.get("frm", ""), "to": row.get("to", "")}
    match row["outcome"]:
        case "transition":
            return gettext("%(event)s: %(frm)s → %(to)s") % values
        case "duplicate":
            return gettext("a repetition: already processed")
        case "opt_out":
            return gettext("the customer asked for no more messages")
        case "alert":
            return gettext("%(event)s: needs a person in %(frm)s") % values
    return gettext("%(event)s: nothing happens in %(frm)s") % values
