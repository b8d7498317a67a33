"""Waits and hours of a flow, as their page shows them: each with what it means and what it does, in words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import sentences
from engine.core.diagram.graph import graph
from engine.core.durations import human, parse
from engine.core.flow import Debounce, Flow, Look, Millis
from engine.services.draft_standing import Standing
from engine.services.edit import Opened
from web import i18n
from web.i18n import gettext
from web.timing_edits import DEBOUNCE, HUMAN_PAUSE, MAX_AGE, QUIET_HOURS
from web.words import duration

__all__ = ["Clash", "Timing", "Wrong", "timing"]

SECTIONS = ("debounce", "settings", "states", "timezone")


@dataclass(frozen=True, slots=True)
class Wrong:
    """What was typed into a card and why it was not taken."""

    field: str
    text: str
    typed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Clash:
    """Somebody changed the same card first: `typed` is mine, `theirs` the document's value now."""

    field: str
    typed: Mapping[str, str]
    theirs: object


@dataclass(frozen=True, slots=True)
class Input:
    """One field of a card. An hour is typed as a text: a field for times would show it as the browser's country does."""

    name: str
    label: str
    value: str
    hour: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One thing to be set. `seen` is the document's value as JSON; `theirs` is told when somebody was first."""

    field: str
    icon: str
    title: str
    effect: str
    inputs: tuple[Input, ...]
    seen: str
    always: bool | None = None
    problem: str = ""
    theirs: str = ""
    mine: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StateRow:
    """One state: its silences, their spread, its own burst wait where it has one."""

    name: str
    look: Look
    ladder: str
    jitter: str
    burst: str
    rests: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What the templates read."""

    slug: str
    title: str
    revision: int
    live: int | None
    changed: bool
    zone: str
    cards: tuple[Card, ...]
    states: tuple[StateRow, ...]


def timing(opened: Opened, standing: Standing, *, wrong: Wrong | None = None, clash: Clash | None = None) -> Timing:
    """The page of one flow's draft."""
    flow = opened.flow
    settings = opened.tree.get("settings")
    raw: Mapping[str, object] = settings if isinstance(settings, Mapping) else {}
    cards = (
        _burst(flow, opened.tree.get(DEBOUNCE), wrong, clash),
        _hours(flow, raw.get(QUIET_HOURS), wrong, clash),
        _pause(flow, raw.get(HUMAN_PAUSE), wrong, clash),
        _age(flow, raw.get(MAX_AGE), wrong, clash),
    )
    return Timing(
        slug=opened.draft.slug,
        title=flow.title.within(i18n.current()),
        revision=opened.revision,
        live=standing.live,
        changed=any(section in standing.changed for section in SECTIONS),
        zone=flow.timezone.replace("_", " "),
        cards=cards,
        states=tuple(_state(flow, box.name) for box in graph(flow).boxes),
    )


def _burst(flow: Flow, raw: object, wrong: Wrong | None, clash: Clash | None) -> Card:
    quiet, ceiling = flow.debounce.quiet, flow.debounce.ceiling
    told = {"quiet": duration(quiet), "ceiling": duration(ceiling)}
    effect = gettext(
        "Who writes in pieces gets one answer: it leaves %(quiet)s after the last piece, and %(ceiling)s after the first"
        " one even if the customer goes on writing."
    )
    inputs = (
        ("quiet", gettext("After the last message"), quiet),
        ("ceiling", gettext("At most, after the first"), ceiling),
    )
    return _card(DEBOUNCE, "message", gettext("Burst wait"), effect % told, inputs, raw, wrong, clash)


def _pause(flow: Flow, raw: object, wrong: Wrong | None, clash: Clash | None) -> Card:
    span = flow.settings.human_pause
    effect = gettext(
        "When somebody of the team answers, here or by phone, the bot is quiet for %(time)s and the silence clock stands"
        " still. Payments and requests to stop still count."
    ) % {"time": duration(span)}
    inputs = ((HUMAN_PAUSE, gettext("How long"), span),)
    return _card(HUMAN_PAUSE, "hand", gettext("Pause when a person answers"), effect, inputs, raw, wrong, clash)


def _age(flow: Flow, raw: object, wrong: Wrong | None, clash: Clash | None) -> Card:
    span = flow.settings.max_age
    effect = gettext(
        "After a fall of the channel old messages arrive together. Those older than %(time)s are stored and shown, and not"
        " answered."
    ) % {"time": duration(span)}
    inputs = ((MAX_AGE, gettext("How old"), span),)
    return _card(MAX_AGE, "history", gettext("Messages too old to answer"), effect, inputs, raw, wrong, clash)


def _hours(flow: Flow, raw: object, wrong: Wrong | None, clash: Clash | None) -> Card:
    hours = flow.settings.quiet_hours
    effect = gettext(
        "What the clock sends leaves at any hour, also at night. Answers and deliveries always leave at once."
    )
    begin, end = "", ""
    if hours is not None:
        begin, end = (f"{minutes // 60:02d}:{minutes % 60:02d}" for minutes in hours)
        effect = gettext(
            "From %(begin)s to %(end)s what the clock wants to send waits and leaves at %(end)s. Answers to the customer and"
            " deliveries of a payment do not wait."
        ) % {"begin": begin, "end": end}
    typed = _typed(QUIET_HOURS, wrong, clash)
    always = typed.get("always") == "yes" if typed else hours is None
    inputs = (("begin", gettext("From"), begin), ("end", gettext("to"), end))
    return _card(QUIET_HOURS, "moon", gettext("Quiet hours"), effect, inputs, raw, wrong, clash, always=always)


def _card(
    field: str,
    icon: str,
    title: str,
    effect: str,
    inputs: tuple[tuple[str, str, Millis | str], ...],
    raw: object,
    wrong: Wrong | None,
    clash: Clash | None,
    *,
    always: bool | None = None,
) -> Card:
    typed = _typed(field, wrong, clash)
    clashes = clash is not None and clash.field == field
    return Card(
        field=field,
        icon=icon,
        title=title,
        effect=effect,
        inputs=tuple(
            Input(
                name,
                label,
                typed.get(name, value if isinstance(value, str) else human(value, i18n.current())),
                hour=isinstance(value, str),
            )
            for name, label, value in inputs
        ),
        seen=json.dumps(clash.theirs if clash is not None and clashes else raw, ensure_ascii=False),
        always=always,
        problem=wrong.text if wrong is not None and wrong.field == field else "",
        theirs=_spoken(clash.theirs) if clash is not None and clashes else "",
        mine=tuple(
            (name, typed[name]) for name in ("quiet", "ceiling", field, "begin", "end", "always") if name in typed
        )
        if clashes
        else (),
    )


def _typed(field: str, wrong: Wrong | None, clash: Clash | None) -> Mapping[str, str]:
    for one in (wrong, clash):
        if one is not None and one.field == field:
            return one.typed
    return {}


def _spoken(value: object) -> str:
    """A value of the document as people say it."""
    if isinstance(value, Mapping):
        return ", ".join(_spoken(part) for part in value.values())
    if value is None:
        return gettext("nothing")
    ms = parse(value) if isinstance(value, str) else None
    return duration(ms) if ms is not None else str(value)


def _state(flow: Flow, name: str) -> StateRow:
    state, language = flow.states[name], i18n.current()
    own: Debounce | None = state.debounce
    return StateRow(
        name=name,
        look=state.look,
        ladder=sentences.ladder(state, language),
        jitter=human(state.jitter, language) if state.jitter else "",
        burst=f"{human(own.quiet, language)} / {human(own.ceiling, language)}" if own is not None else "",
        rests=gettext("may rest, on purpose") if state.resting else "",
    )
