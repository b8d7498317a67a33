"""The figures of a flow over a range: one read of the database, counted by `engine/core/analysis` (R22, R45, R53)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.core.analysis.accounts import Account, accounts
from engine.core.analysis.bursts import WhatIf, histogram, horizon, what_if
from engine.core.analysis.funnel import Funnel, funnel
from engine.core.analysis.spans import Span, span
from engine.core.analysis.stays import Ends, Entry, History, Stay, history
from engine.core.analysis.waiting import Waited, waited
from engine.core.conversion import Rate, best, rate
from engine.core.errors import NotFound
from engine.core.flow import Debounce, Flow, Look, Millis, StateKind
from engine.core.splits import Branch
from engine.runtime import Runtime
from engine.services.analysis_letters import Letters, letters
from engine.services.analysis_splits import Tested, tested
from engine.services.live import in_order
from engine.store import analysis as stored
from engine.store import flows
from engine.store.analysis import Arrival
from engine.store.connection import Tx
from engine.store.flows import Draft

__all__ = ["Bursts", "Question", "Report", "analyse"]

READ_BACK = "batched"
"""What became of a message that was decided about, alone or with others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a page is asked: a range, versions (none: all of them), the arrow of a branch, a burst wait to try."""

    range: str = ""
    versions: frozenset[int] = frozenset()
    branch: str = ""
    wait: Millis | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bursts:
    """Gaps between messages in a row up to `within`, in bins; what the live wait did with them and what another would.

    `received` messages were decided about in `decisions`; those that were not (too old, or still waiting) are `aside`.
    """

    within: Millis
    bins: tuple[int, ...]
    live: Debounce
    now: WhatIf
    tried: Debounce | None
    then: WhatIf | None
    own_waits: tuple[str, ...]
    received: int
    decisions: int
    aside: int

    @property
    def saved(self) -> int:
        """Answers that were not needed because messages were answered together."""
        return self.received - self.aside - self.decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything that the page shows. `flow` is the live version, or the newest one; None while nothing is published."""

    draft: Draft
    now: Millis
    zone: str
    span: Span
    published: tuple[int, ...]
    question: Question
    flow: Flow | None = None
    branches: tuple[Branch, ...] = ()
    states: tuple[str, ...] = ()
    funnel: Funnel = field(default_factory=lambda: Funnel(0, {}, 0, 0))
    accounts: Mapping[str, Account] = field(default_factory=dict)
    waited: Mapping[str, Waited] = field(default_factory=dict)
    versions: tuple[tuple[int, Rate], ...] = ()
    ahead: int | None = None
    splits: tuple[Tested, ...] = ()
    bursts: Bursts | None = None
    letters: Letters = ()

    @property
    def empty(self) -> bool:
        """Whether nothing was anywhere within the range."""
        received = self.bursts is not None and self.bursts.received
        return not (self.accounts or received or self.letters)


async def analyse(runtime: Runtime, slug: str, question: Question) -> Report:
    """The figures of a flow. Raises NotFound for one that there is not."""
    now = runtime.clock.now()
    return await runtime.store.read(lambda tx: _report(tx, runtime, slug, question, now))


def _report(tx: Tx, runtime: Runtime, slug: str, question: Question, now: Millis) -> Report:
    draft = flows.draft(tx, slug)
    if draft is None:
        raise NotFound("flow", slug)
    published = tuple(one.number for one in flows.publications(tx, slug))
    number = draft.live or (published[0] if published else None)
    if number is None:
        nowhere = span(question.range, "UTC", now)
        return Report(draft=draft, now=now, zone="UTC", span=nowhere, published=(), question=question)
    flow = runtime.flows.within(tx, slug, number)
    asked = span(question.range, flow.timezone, now)
    rows = stored.entries(tx, slug, asked.window.since)
    branches = tuple(flow.branches.values())
    arrow = question.branch if any(one.arrow.id == question.branch for one in branches) else None
    rest = stored.resting(tx, slug, asked.window.since, arrow)
    known = {n: runtime.flows.within(tx, slug, n) for n in sorted({number, *_versions(rows, rest)} & {*published})}
    ends = _ends(known.values())
    told = history(rows, ends)
    wanted = question.versions & {*published}
    stays = [s for s in told.stays if (not wanted or s.version in wanted) and (arrow is None or arrow in s.arrows)]
    standing = Counter[str]()
    for version, state, people in rest:
        if not wanted or version in wanted:
            standing[state] += people
    began = [s for s in told.stays if s.began and s.since in asked.window]
    cohort = {s.conversation for s in began if not wanted or s.version in wanted}
    walked = told.stays if arrow is None else [s for s in told.stays if arrow in s.arrows]
    counts = accounts(stays, standing, asked.window)
    rates = _by_version(told, began, ends.won, asked.window.until, wanted)
    arrived = stored.arrivals(tx, slug, asked.window)
    return Report(
        draft=draft,
        now=now,
        zone=flow.timezone,
        span=asked,
        published=published,
        question=Question(range=asked.key, versions=wanted, branch=arrow or "", wait=question.wait),
        flow=flow,
        branches=branches,
        states=tuple(in_order(flow, counts)),
        funnel=funnel(walked, cohort, asked.window, ends, told.opted_out),
        accounts=counts,
        waited=waited(stays, asked.window),
        versions=rates,
        ahead=_ahead(rates),
        splits=tested(tx, runtime.flows, flow, number, told, asked.window, ends.won, wanted),
        bursts=_bursts(flow, arrived, asked.window.until, question.wait),
        letters=letters(stored.bubbles(tx, slug, asked.window), told, known, _moments(arrived), wanted),
    )


def _versions(rows: Iterable[Entry], rest: Iterable[tuple[int | None, str, int]]) -> set[int]:
    return {row.version for row in rows if row.version} | {version for version, _, _ in rest if version}


def _ends(known: Iterable[Flow]) -> Ends:
    """What states of a name mean in any version."""
    states = [state for flow in known for state in flow.states.values()]
    final = [state for state in states if state.kind is StateKind.FINAL]
    return Ends(
        won=frozenset(state.name for state in final if state.look is Look.WON),
        lost=frozenset(state.name for state in final if state.look is Look.LOST),
        opt_out=frozenset(state.name for state in states if state.kind is StateKind.OPTOUT),
    )


def _by_version(
    told: History, began: Sequence[Stay], won: frozenset[str], until: Millis, wanted: frozenset[int]
) -> tuple[tuple[int, Rate], ...]:
    """Of who began on each version, how many won; the newest version first."""
    winners = {stay.conversation for stay in told.stays if stay.state in won and stay.since < until}
    people = Counter(stay.version for stay in began)
    wins = Counter(stay.version for stay in began if stay.conversation in winners)
    numbers = sorted((n for n in people if not wanted or n in wanted), reverse=True)
    return tuple((number, rate(people[number], wins[number])) for number in numbers)


def _ahead(rates: Sequence[tuple[int, Rate]]) -> int | None:
    place = best([(one.people, one.won) for _, one in rates])
    return None if place is None else rates[place][0]


def _moments(arrived: Iterable[Arrival]) -> dict[int, list[Millis]]:
    found: dict[int, list[Millis]] = {}
    for one in arrived:
        found.setdefault(one.conversation, []).append(one.at)
    return found


def _bursts(flow: Flow, arrived: Sequence[Arrival], until: Millis, wait: Millis | None) -> Bursts:
    """Only messages that were decided about, or wait for it, can be answered together."""
    inside = [one for one in arrived if one.at < until]
    decided = [one.event_id for one in inside if one.outcome == READ_BACK]
    talks = _moments(one for one in inside if one.outcome in (READ_BACK, None)).values()
    live, within = flow.debounce, horizon(flow.debounce.ceiling)
    tried = None if wait is None else Debounce(wait, max(wait, live.ceiling))
    return Bursts(
        within=within,
        bins=histogram(talks, within),
        live=live,
        now=what_if(talks, live, within),
        tried=tried,
        then=None if tried is None else what_if(talks, tried, within),
        own_waits=tuple(state.name for state in flow.states.values() if state.debounce is not None),
        received=len(inside),
        decisions=len({*decided}),
        aside=len(inside) - len(decided),
    )
