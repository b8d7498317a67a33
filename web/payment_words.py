"""Payment sources in words: outcomes, what became of notices, why some were refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.flow import DAY, Flow, Millis
from engine.services.bodies import Fate, Notice
from engine.services.source_events import NOTHING
from engine.services.source_overview import Overview, Row
from web.body_words import ShownFate, fate_words, verdict_words
from web.connection_names import platform_name
from web.desk_words import moment_of, precisely
from web.flow_words import event_label
from web.i18n import gettext, ngettext
from web.words import ago, number

__all__ = ["ShownNotice", "ShownSource", "outcome_name", "shown_notice", "shown_source"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRow:
    """An outcome with the events that it may become; `warning` is "" where all is well."""

    outcome: str
    name: str
    event: str
    options: tuple[tuple[str, str], ...]
    times: str
    warning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """A source in the list. `receiving` is "" where nothing came yet."""

    id: int
    name: str
    letter: str
    sub: str
    receiving: str
    rows: tuple[ShownRow, ...]
    refused: str
    flow: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownNotice:
    """One line of the latest notices."""

    body_id: str
    when: str
    name: str
    source: str
    fate: ShownFate


def outcome_name(outcome: str) -> str:
    """What a platform tells."""
    return {
        "approved": gettext("payment approved"),
        "refused": gettext("payment refused"),
        "pix": gettext("Pix created"),
        "boleto": gettext("boleto created"),
        "abandoned": gettext("checkout left"),
        "refunded": gettext("refunded"),
        "charged_back": gettext("contested (chargeback)"),
        "expired": gettext("charge expired"),
    }.get(outcome, outcome.replace("_", " "))


def shown_source(one: Overview, now: Millis, title: str) -> ShownSource:
    """A source in the current language; `title` is its flow's."""
    name = one.record.config.name
    kind = platform_name(one.record.config.platform)
    return ShownSource(
        id=one.record.id,
        name=name,
        letter=kind[:1].upper(),
        sub=" · ".join(dict.fromkeys((kind, title))),
        receiving=ago(one.last_at, now) if one.last_at is not None else "",
        rows=tuple(
            ShownRow(
                outcome=row.outcome,
                name=outcome_name(row.outcome),
                event=row.event,
                options=_options(one, row.event),
                times=number(row.times),
                warning=_warning(row),
            )
            for row in one.rows
        ),
        refused=_refused(one.refused),
        flow=one.record.flow,
    )


def _options(one: Overview, now: str) -> tuple[tuple[str, str], ...]:
    """The events of the flow; the one that is set stays to be chosen though the flow does not have it."""
    known = tuple((name, _label(one.flows, name)) for name in one.events)
    strange = (
        () if now == NOTHING or now in one.events else ((now, gettext("%(event)s (not in the flow)") % {"event": now}),)
    )
    return (*known, *strange, (NOTHING, gettext("(ignore)")))


def _label(flows: Sequence[Flow], event: str) -> str:
    return next((event_label(flow, event) for flow in flows if event in flow.events), event)


def _warning(row: Row) -> str:
    """That an outcome came which leads nowhere."""
    if not row.times or row.used:
        return ""
    if row.known:
        words = ngettext("%(num)s came and no arrow uses it", "%(num)s came and no arrow uses it", row.times)
    else:
        words = ngettext(
            "%(num)s came and the flow has no such event", "%(num)s came and the flow has no such event", row.times
        )
    return words % {"num": number(row.times)}


def _refused(counts: Mapping[str, int]) -> str:
    """What knocked without proof in the last days, "" for nothing."""
    total = sum(counts.values())
    if not total:
        return ""
    words = ngettext(
        "%(num)s notice was refused in 7 days: what proves the sender was missing or wrong. See whether the secret here is"
        " the one at the platform.",
        "%(num)s notices were refused in 7 days: what proves the sender was missing or wrong. See whether the secret here"
        " is the one at the platform.",
        total,
    )
    return words % {"num": number(total)}


def shown_notice(notice: Notice, flows: Sequence[Flow], now: Millis, *, phones: bool) -> ShownNotice:
    """A notice in the current language."""
    fate, at = notice.fate, notice.body.received_at
    name = gettext("another notice")
    if fate is not None:
        name = outcome_name(fate.name) if fate.kind == "payment" else fate.reason or name
    return ShownNotice(
        body_id=notice.body.id,
        when=precisely(at) if now - at < DAY else moment_of(at, now),
        name=name,
        source=notice.source,
        fate=_told(notice, fate, flows, phones=phones),
    )


def _told(notice: Notice, fate: Fate | None, flows: Sequence[Flow], *, phones: bool) -> ShownFate:
    if fate is None or notice.body.verdict != "parsed":
        return verdict_words(notice.body.verdict, notice.body.reason)
    return fate_words(fate, flows, phones=phones)
