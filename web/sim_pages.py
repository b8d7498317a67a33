"""The simulator's page assembled: the chat as the customer sees it, the drawing with the way, the log, what can be done."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_datetime
from markupsafe import Markup

from engine.core.diagram.graph import Drawing
from engine.core.document_events import DECISIONS
from engine.core.flow import Flow, Look, Millis, Source
from engine.services.simulator import runs
from engine.services.simulator.acts import NOBODY
from engine.services.simulator.play import Played
from engine.services.simulator.runs import Run
from engine.services.simulator.steps import Step
from engine.services.transcript import Page
from engine.services.transcript_lines import Line
from web import i18n
from web.desk_words import brief, moment_of
from web.diagram_view import drawn
from web.flow_words import event_label
from web.i18n import gettext
from web.sim_log import Done, steps_done
from web.talk_data import data_of
from web.talk_pages import Sending, sending
from web.talk_words import Bubble, bubbles, look_of
from web.words import clock

__all__ = ["Choice", "SimPage", "sim_page", "source_words"]

MOST_PHRASES = 6
STOP = "pare de me mandar mensagem"


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be tapped in the chat: its id, its words, and whether it is a row of a list."""

    id: str
    title: str
    medium: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SimPage:
    """What the templates of simulator/ read."""

    slug: str
    title: str
    run: Run
    base: str
    source: str
    at: int
    steps: int
    clock: str
    due: str
    since: str
    silence: str
    look: Look
    name: str
    email: str
    bubbles: tuple[Bubble, ...]
    choices: dict[str, tuple[Choice, ...]]
    phrases: tuple[str, ...]
    payments: tuple[tuple[str, str], ...]
    older: tuple[tuple[str, str], ...]
    untold: tuple[str, ...]
    events: tuple[tuple[str, str, tuple[str, ...]], ...]
    svg: Markup | None
    log: tuple[Done, ...]
    data: tuple[tuple[str, str], ...]
    queue: tuple[Sending, ...]
    asked: tuple[str, ...] | None
    taken: str
    """Until when a person answers, "" while the bot does."""
    talks: bool
    walked: tuple[int, int, int, int]
    state: str = ""
    problem: str = ""
    typed: str = ""
    typed_name: str = ""
    saved: str = ""
    stop: str = field(default=STOP)

    @property
    def past(self) -> bool:
        """Whether an earlier moment of the run is shown."""
        return self.at < self.steps


async def sim_page(run: Run, came: Played, at: int | None = None, **more: str) -> SimPage:
    """Everything, in the current language. `at` is after how many steps the run is looked at."""
    flow, page = run.flow, came.page
    shown = len(run.steps) if at is None else min(at, len(run.steps))
    steps = run.steps[:shown]
    walked = frozenset(str(h.entry.facts["transition"]) for h in came.log if h.entry.facts.get("transition"))
    state = page.state if page is not None else flow.initial
    look = Drawing(current=state, walked=walked & set(flow.arrows), quiet=True, language=i18n.current())
    svg, _ = await drawn(flow, look, None)
    visited = {flow.initial, *(str(h.entry.to) for h in came.log if h.entry.outcome == "transition")}
    person = next((step for step in reversed(steps) if step.kind == "person"), None)
    zone = flow.timezone
    payable = runs.payable(flow)
    return SimPage(
        slug=run.row.flow,
        title=flow.title.within(i18n.current()),
        run=run,
        base=f"/flows/{run.row.flow}/simulator/{run.row.id}",
        source=source_words(run.row.version),
        at=shown,
        steps=len(run.steps),
        clock=_clock(came.now, zone),
        due="" if came.next_at is None else moment_of(came.next_at, came.now, zone),
        state=state,
        since=clock(page.entered_at, zone) if page is not None else "",
        silence=_silence(came, zone),
        look=look_of(page, state) if page is not None else flow.states[flow.initial].look,
        name=person.name if person is not None else NOBODY,
        email=person.email if person is not None else "",
        bubbles=tuple(bubbles(_in_order(page))) if page is not None else (),
        choices=dict(_choices(came)),
        phrases=tuple(_phrases(flow)),
        payments=tuple((name, event_label(flow, name)) for name in payable),
        older=tuple((name, event_label(flow, name)) for name in _older(flow, steps)),
        untold=tuple(
            event_label(flow, n) for n, e in flow.events.items() if e.source is Source.PAYMENT and n not in payable
        ),
        events=tuple(
            (name, event_label(flow, name), tuple(event.data))
            for name, event in flow.events.items()
            if event.source in (Source.API, Source.HUMAN) and not (flow.decides and name in DECISIONS)
        ),
        svg=svg,
        log=steps_done(flow, steps, came),
        data=tuple(data_of(page, phones=True)["context"]) if page is not None else (),
        queue=tuple(sending(page, one) for one in page.letters if one["status"] != "sent") if page is not None else (),
        asked=None if came.asked is None else tuple(bubble.words for bubble in came.asked.content),
        taken=moment_of(page.paused_until, came.now, zone) if page is not None and page.paused_until else "",
        talks=page is not None,
        walked=(len(visited & set(flow.states)), len(flow.states), len(walked & set(flow.arrows)), len(flow.arrows)),
        **more,
    )


def source_words(version: int | None) -> str:
    """What is played: the draft, or a version."""
    return gettext("Draft") if version is None else gettext("v%(n)s") % {"n": version}


def _clock(at: Millis, zone: str) -> str:
    when, locale = datetime.fromtimestamp(at / 1000, UTC), i18n.current().replace("-", "_")
    return str(format_datetime(when, "EEE, d MMM · HH:mm:ss", tzinfo=ZoneInfo(zone), locale=locale))


def _silence(came: Played, zone: str) -> str:
    page = came.page
    if page is None or page.deadline_at is None:
        return gettext("no silence deadline here")
    values = {"when": moment_of(page.deadline_at, came.now, zone), "time": brief(page.deadline_at - came.now)}
    return gettext("silence ends %(when)s (in %(time)s)") % values


def _in_order(page: Page) -> Page:
    """The lines of one moment in the order of their events: here much happens at the very same moment."""
    first: dict[str, int] = {}
    for entry in page.entries:
        first.setdefault(entry.event_id or f"log-{entry.id}", entry.id)
    kinds = {"in": 0, "moved": 1, "note": 1, "out": 2}

    def place(line: Line) -> tuple[int, int, int]:
        known = first.get(line.event_id or line.ref)
        return line.at, len(page.entries) + page.cursor if known is None else known, kinds[line.kind]

    return replace(page, lines=tuple(sorted(page.lines, key=place)))


def _choices(came: Played) -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """What can be tapped under each bubble."""
    for letter in came.page.letters if came.page is not None else ():
        payload = letter["payload"]
        rows = [Choice(row["id"], row["title"], "button") for row in payload.get("buttons", ())]
        rows += [Choice(row["id"], row["title"], "list") for row in (payload.get("menu") or {}).get("rows", ())]
        if rows and letter["status"] == "sent" and not letter["as_template"]:
            yield f"out-{letter['id']}", tuple(rows)


def _phrases(flow: Flow) -> Iterator[str]:
    """Words of the flow's own rules to tap: the first phrase for each event."""
    told: set[str] = set()
    for rule in flow.understanding:
        if rule.any and rule.event not in told and rule.event not in flow.opt_out_events and len(told) < MOST_PHRASES:
            told.add(rule.event)
            yield rule.any[0]


def _older(flow: Flow, steps: tuple[Step, ...]) -> tuple[str, ...]:
    """The news of a purchase that may still come late: all but the latest."""
    paid = [step.event for step in steps if step.kind == "payment"]
    return tuple(name for name in runs.payable(flow) if name != paid[-1]) if paid else ()
