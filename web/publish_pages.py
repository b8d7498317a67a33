"""The page before a publication, of a draft or of an older version again: everything that somebody decides on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from litestar.response import Response

from engine.core.flow import Flow
from engine.services import edit, entries, four_eyes, publish, saved_tests, schedule
from engine.services.differing import differing
from engine.services.edit import Opened
from engine.services.publish_review import Review
from engine.services.saved_tests import Result
from web import i18n
from web.behaviour_words import behaviours
from web.change_words import rows
from web.desk import people_by_state
from web.difference import AFTER, BOTH, difference
from web.findings import Shown, shown
from web.i18n import gettext, ngettext
from web.pages import page
from web.people_names import names
from web.publish_words import appointment, choices, deadlines
from web.publish_words import asked as asked_words
from web.sim_tests import shown_tests
from web.visitor import AppRequest, visitor

__all__ = ["Typed", "review_page", "tests_of"]

AMBIGUITY, ENDINGS, TEXTS, APPROVED = ("G1", "G6"), ("S5", "S6"), ("W1", "W2"), ("W3",)
RULES = tuple(f"R{number}" for number in range(1, 9))


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list beside the button."""

    good: bool
    bad: bool
    text: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """What was chosen and written before, and what stands against it."""

    form: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None

    @property
    def move(self) -> bool:
        """Whether people of the live version follow."""
        return self.form.get("move", "yes") == "yes"


async def review_page(
    request: AppRequest, slug: str, status: int = 200, *, source: int | None = None, typed: Typed | None = None
) -> Response[str]:
    """The page; `source` is the version that is to be published again, None for the draft. Raises NotFound."""
    runtime, said = request.app.state.runtime, typed or Typed()
    there, found = await edit.opened(runtime, slug), await publish.review(runtime, slug, source=source)
    new = there.flow if source is None else await runtime.flow(slug, source)
    old = await runtime.flow(slug, found.live) if found.live is not None else None
    findings = shown(new, found.findings, f"/flows/{slug}/draft", "diagram")
    people = people_by_state(found)
    stood = {number: await runtime.flow(slug, number) for number in {gone.place[0] for gone in found.gone}}
    asked = choices(found, new, stood, said.form)
    show = request.query_params.get("show", BOTH)
    booked, waits = await schedule.standing(runtime, slug), await four_eyes.standing(runtime, slug)
    there_is = visitor(request).there
    tests = shown_tests(new, await tests_of(request, slug, source, there), runtime.clock.now())
    return page(
        request,
        "publish/review.html",
        status,
        review=found,
        title=new.title.within(i18n.current()),
        findings=findings,
        svg=await difference(old, new, show),
        show=show if old is not None else AFTER,
        changes=rows(old, new, found.changes, people),
        before_name=gettext("v%(n)s") % {"n": found.live},
        after_name=gettext("v%(n)s") % {"n": found.number},
        behaviour=behaviours(await differing(old, new) if old is not None else (), people),
        standing=_standing(found, new, old),
        people=sum(people.values()),
        asked=asked,
        deadlines=deadlines(found, new, said.form),
        shared=await entries.shared(runtime, new),
        checks=_checks(findings, found, ruled=bool(new.rules)),
        tests=tests,
        failing=tuple(one.name for one in tests if not one.passed),
        typed=said,
        zone=new.timezone,
        booked=appointment(booked, new.timezone) if source is None else None,
        waits=asked_words(waits, found, source, visitor(request).actor.who, new.timezone, await names(runtime)),
        two=there_is is not None and there_is.rules.four_eyes,
    )


async def tests_of(request: AppRequest, slug: str, source: int | None, there: Opened | None) -> tuple[Result, ...]:
    """The saved tests, played on what would be published; `there` is the draft, where it is open already."""
    runtime = request.app.state.runtime
    if source is not None:
        tree = json.loads(await publish.shown(runtime, slug, source))
    else:
        tree = (there or await edit.opened(runtime, slug)).tree
    return await saved_tests.run_all(runtime, slug, tree)


def _standing(found: Review, new: Flow, old: Flow | None) -> list[dict[str, object]]:
    known = {**(old.states if old is not None else {}), **new.states}
    return [
        {
            "state": row.state,
            "version": row.version,
            "people": row.people,
            "fits": row.fits,
            "look": known[row.state].look if row.state in known else None,
        }
        for row in found.standing
    ]


def _first(findings: Sequence[Shown]) -> str:
    """The first of some findings, and how many more there are; all of them stand in the list of findings."""
    if len(findings) == 1:
        return findings[0].message
    more = len(findings) - 1
    rest = ngettext("and %(num)s more", "and %(num)s more", more) % {"num": more}
    return f"{findings[0].message} ({rest})"


def _checks(findings: tuple[Shown, ...], found: Review, *, ruled: bool) -> list[Check]:
    """What was looked at, good or bad; the rest of the errors in one line. `ruled`: the flow has safety rules."""
    errors = [finding for finding in findings if finding.severity == "error"]
    named: list[tuple[tuple[str, ...], str, str]] = [
        (AMBIGUITY, gettext("No ambiguity"), gettext("No combination of values fires two arrows.")),
        (ENDINGS, gettext("Nobody waits for ever"), gettext("Every state has a way on, a deadline or is the end.")),
        (TEXTS, gettext("Texts fit"), gettext("They are short enough for WhatsApp and use only fields that exist.")),
    ]
    if ruled:
        named += [(RULES, gettext("Safety rules hold"), gettext("Each is proved for every possible conversation."))]
    checks = []
    for codes, text, more in named:
        mine = [finding for finding in findings if finding.code in codes]
        worst = any(finding.severity == "error" for finding in mine)
        checks.append(Check(not mine, worst, text, _first(mine) if mine else more))
    if lacking := [finding for finding in findings if finding.code in APPROVED]:
        checks.append(Check(good=False, bad=False, text=gettext("Templates"), more=_first(lacking)))
    rest = [finding for finding in errors if not any(finding.code in codes for codes, _, _ in named)]
    if rest:
        checks.append(Check(good=False, bad=True, text=gettext("Other errors"), more=_first(rest)))
    if waiting := [gone.place[1] for gone in found.gone if gone.needed]:
        text = gettext("People need a place to go")
        checks.append(Check(good=False, bad=False, text=text, more=", ".join(waiting)))
    return checks
