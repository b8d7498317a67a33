"""Publishing a draft: the review of what would happen, and the act; the versions that were published."""

from dataclasses import dataclass

from litestar import get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from engine.core import sentences
from engine.core.diagram.graph import Drawing, natural
from engine.core.errors import NotFound, NotPublishable, Refused, Stale
from engine.core.flow import Flow
from engine.services import edit, entries, publish, saved_tests
from engine.services.differing import differing
from engine.services.publish import Review
from web import forms, i18n
from web.behaviour_words import behaviours
from web.change_words import rows
from web.desk import drawn, people_by_state
from web.findings import Shown, shown
from web.i18n import gettext
from web.pages import go, page
from web.permissions import Permission
from web.refusals import sentence
from web.sim_tests import shown_tests
from web.visitor import AppRequest, visitor


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the list beside the button."""

    good: bool
    bad: bool
    text: str
    more: str = ""


AMBIGUITY, ENDINGS, TEXTS, APPROVED = ("G1", "G6"), ("S5", "S6"), ("W1", "W2"), ("W3",)
RULES = tuple(f"R{number}" for number in range(1, 9))


@get("/flows/{slug:str}/publish", permission=Permission.VIEW, include_in_schema=False)
async def review(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """What publishing would do."""
    return await _page(request, slug, 200)


async def _page(
    request: AppRequest,
    slug: str,
    status: int,
    *,
    note: str = "",
    move: bool = True,
    problem: str | None = None,
    anyway: bool = False,
) -> Response[str]:
    runtime = request.app.state.runtime
    there, found = await edit.opened(runtime, slug), await publish.review(runtime, slug)
    old = await runtime.flow(slug, found.live) if found.live is not None else None
    findings = shown(there.flow, found.findings, f"/flows/{slug}/draft", "diagram")
    svg, _ = await drawn(there.flow, Drawing(language=i18n.current()), f"/flows/{slug}/draft")
    people = people_by_state(found)
    return page(
        request,
        "publish/review.html",
        status,
        review=found,
        title=there.flow.title.within(i18n.current()),
        findings=findings,
        svg=svg,
        changes=rows(old, there.flow, found.changes, people),
        behaviour=behaviours(await differing(old, there.flow) if old is not None else (), people),
        standing=_standing(found, there.flow, old),
        people=sum(people.values()),
        shared=await entries.shared(runtime, there.flow),
        checks=_checks(findings, ruled=bool(there.flow.rules)),
        tests=shown_tests(there.flow, await saved_tests.run_all(runtime, slug, there.tree), runtime.clock.now()),
        anyway=anyway,
        note=note,
        move=move,
        problem=problem,
    )


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


def _checks(findings: tuple[Shown, ...], *, ruled: bool) -> list[Check]:
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
        checks.append(Check(not mine, worst, text, mine[0].message if mine else more))
    checks += [
        Check(good=False, bad=False, text=gettext("Templates"), more=f.message) for f in findings if f.code in APPROVED
    ]
    rest = [finding for finding in errors if not any(finding.code in codes for codes, _, _ in named)]
    if rest:
        checks.append(Check(good=False, bad=True, text=gettext("Other errors"), more=rest[0].message))
    return checks


@post("/flows/{slug:str}/publish", permission=Permission.PUBLISH, include_in_schema=False, status_code=200)
async def act(request: AppRequest, slug: FromPath[str]) -> Response[str] | Redirect:
    """Publish; 422 with the review again when the checks or the note stand against it, 409 when the draft moved on."""
    form = await forms.fields(request)
    note, move = form.get("note", "").strip(), form.get("move", "yes") == "yes"
    if not note:
        return await _page(request, slug, 422, move=move, problem=sentence(Refused("note_missing")))
    if form.get("tests") != "anyway" and (differing_tests := await _differing_tests(request, slug)):
        words = gettext("These saved tests differ: %(names)s.") % {"names": ", ".join(differing_tests)}
        return await _page(request, slug, 422, note=note, move=move, problem=words)
    try:
        number = await publish.publish(
            request.app.state.runtime,
            slug,
            note,
            visitor(request).actor,
            forms.whole(form.get("revision")),
            move=move,
        )
    except NotPublishable:
        words = gettext("The errors above keep it from being published.")
        return await _page(request, slug, 422, note=note, move=move, problem=words)
    except Refused as error:
        return await _page(request, slug, 422, note=note, move=move, problem=sentence(error))
    except Stale:
        words = gettext("The draft was changed while you were looking: read the review again.")
        return await _page(request, slug, 409, note=note, move=move, problem=words)
    return go(f"/flows/{slug}/versions/{number}")


async def _differing_tests(request: AppRequest, slug: str) -> list[str]:
    """The names of the saved tests that the draft does not pass."""
    runtime = request.app.state.runtime
    opened = await edit.opened(runtime, slug)
    return [one.test.name for one in await saved_tests.run_all(runtime, slug, opened.tree) if not one.passed]


@get("/flows/{slug:str}/versions", permission=Permission.VIEW, include_in_schema=False)
async def versions(request: AppRequest, slug: FromPath[str]) -> Response[str]:
    """Every published version, the newest first."""
    runtime = request.app.state.runtime
    there, found = await edit.opened(runtime, slug), await publish.review(runtime, slug)
    people: dict[int, int] = {}
    for row in found.standing:
        people[row.version] = people.get(row.version, 0) + row.people
    return page(
        request,
        "versions/list.html",
        slug=slug,
        title=there.flow.title.within(i18n.current()),
        versions=await publish.publications(runtime, slug),
        live=found.live,
        people=people,
    )


@get("/flows/{slug:str}/versions/{number:int}", permission=Permission.VIEW, include_in_schema=False)
async def version(request: AppRequest, slug: FromPath[str], number: FromPath[int]) -> Response[str]:
    """One version as it was published: its drawing and its arrows as sentences. Nothing here can be changed."""
    runtime = request.app.state.runtime
    found = next((one for one in await publish.publications(runtime, slug) if one.number == number), None)
    if found is None:
        raise NotFound("version", f"{slug}@{number}")
    flow = await runtime.flow(slug, number)
    there = await edit.opened(runtime, slug)
    svg, _ = await drawn(flow, Drawing(language=i18n.current()), None)
    arrows = sorted(flow.arrows.values(), key=lambda t: natural(t.id))
    return page(
        request,
        "versions/version.html",
        slug=slug,
        title=flow.title.within(i18n.current()),
        v=found,
        live=there.draft.live,
        svg=svg,
        sentences=[sentences.transition_sentence(flow, t, i18n.current()) for t in arrows],
    )
