"""What becomes of people when a version goes live: they follow, are put where the plan says, or finish on theirs (R61).

Everything here runs inside the publishing transaction and sends nothing. Who is put into another state enters it now:
its deadline is armed anew and counted from now, so that none fires because of where somebody stood before. Who merely
follows keeps state and deadline, unless the plan counts the deadline of that state anew.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from engine.core.adapting import adapting
from engine.core.errors import Refused
from engine.core.events import Snapshot
from engine.core.flow import Flow, Millis, Value
from engine.core.interpreter import armed
from engine.core.permissions import Actor
from engine.core.places import Plan, open_places
from engine.runtime import Runtime
from engine.services.carry_deadlines import ANEW, counted_anew
from engine.store import conversations, moves
from engine.store.connection import Tx
from engine.store.conversations import Conversation
from engine.store.journal import Record
from engine.store.moves import Moved, Origin

__all__ = ["Carrying", "carry", "without_place"]

FOLLOWED, PLACED, TAKEN_BACK = "new_version", "moved_by_publication", "taken_back"
"""Why a conversation's log has a row about a publication."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrying:
    """A publication that is being stored: version `number` of `flow` follows `live`. `back_to`: the version whose content
    it has again, when it takes people back.
    """

    flow: Flow
    live: int
    number: int
    plan: Plan
    author: Actor
    now: Millis
    back_to: int | None = None


def carry(tx: Tx, runtime: Runtime, to: Carrying) -> int:
    """Take people along; returns how many went.

    Raises Refused: place_unknown for a state that nobody can be put into, or in which nobody's deadline can be counted
    anew, people_without_place when somebody of the
    live version stands, or would return, where the plan has no answer.
    """
    slug, places = to.flow.slug, to.plan.places or {}
    unknown = sorted(
        {name for name in places.values() if name is not None} - {*open_places(to.flow)}
        | to.plan.anew - {*to.flow.states}
    )
    if unknown:
        raise Refused("place_unknown", states=unknown)
    placed = _placed(tx, runtime, to)
    moves.write(tx, [moved for moved, _ in placed], to.now)
    adapted = _followed(tx, runtime, to, {moved.before.id for moved, _ in placed}) if to.plan.follow else (0, [])
    moves.remember(tx, slug, to.number, [origin for _, origin in placed] + adapted[1], to.now)
    return len(placed) + adapted[0]


def _placed(tx: Tx, runtime: Runtime, to: Carrying) -> list[tuple[Moved, Origin]]:
    """Everybody who goes to another state, or would return to another one."""
    slug, places = to.flow.slug, to.plan.places or {}
    chosen: dict[int, list[str]] = {}
    for (version, state), name in places.items():
        if name is not None and state not in to.flow.states and (version != to.live or to.plan.follow):
            chosen.setdefault(version, []).append(state)
    back = _origins(tx, to)
    people = {one.id: one for version, states in chosen.items() for one in moves.standing_in(tx, slug, version, states)}
    people |= {one.id: one for one in moves.these(tx, sorted(i for i, one in back.items() if _returns(one, to.flow)))}
    adapt: dict[int, Callable[[Mapping[str, Value]], dict[str, Value]]] = {}
    found = []
    for one in (people[i] for i in sorted(people)):
        version = one.flow_version
        if version not in adapt:
            adapt[version] = adapting(runtime.flows.within(tx, slug, version), to.flow) or _known_to(to.flow)
        origin = back.get(one.id)
        place = _place(one, to, origin)
        if place is not None:
            context = adapt[version]({**(origin.context if origin else {}), **one.snapshot.context})
            old = runtime.flows.within(tx, slug, version)
            found.append(_moved(one, place, context, to, origin, old))
    return found


def _known_to(flow: Flow) -> Callable[[Mapping[str, Value]], dict[str, Value]]:
    return lambda context: {name: value for name, value in context.items() if name in flow.context}


def _origins(tx: Tx, to: Carrying) -> dict[int, Origin]:
    if to.back_to is None or not to.plan.follow:
        return {}
    return moves.origins(tx, to.flow.slug, live=to.live, back_to=to.back_to)


def _returns(origin: Origin, flow: Flow) -> bool:
    return origin.unmoved and origin.frm_state != origin.to_state and origin.frm_state in flow.states


def _place(one: Conversation, to: Carrying, origin: Origin | None) -> tuple[str, str | None] | None:
    """State and the state to return to on the new version; None when the person stays on theirs."""
    states, places, version = to.flow.states, to.plan.places or {}, one.flow_version
    if origin is not None and _returns(origin, to.flow):
        return origin.frm_state, origin.frm_previous if origin.frm_previous in states else None
    state, previous = one.snapshot.state, one.snapshot.previous
    there = state if state in states else places.get((version, state))
    back = previous if previous is None or previous in states else places.get((version, previous))
    return None if there is None or (back is None and previous is not None) else (there, back)


def _moved(
    one: Conversation,
    place: tuple[str, str | None],
    context: Mapping[str, Value],
    to: Carrying,
    origin: Origin | None,
    old: Flow,
) -> tuple[Moved, Origin]:
    before = one.snapshot
    after = replace(before, state=place[0], previous=place[1], context=context)
    if place[0] != before.state:
        deadline, rung = armed(to.flow, place[0], 0, to.now, _seed(one, to))
        after = replace(after, deadline_at=deadline, rung=rung, entered_at=to.now)
    elif _counts(after.state, to, origin):
        after = counted_anew(after, old, to.flow, to.now, _seed(one, to))
    reason = TAKEN_BACK if origin is not None and _returns(origin, to.flow) else PLACED
    return _with_row(one, after, reason, to)


def _with_row(one: Conversation, after: Snapshot, reason: str, to: Carrying) -> tuple[Moved, Origin]:
    """What is written of one conversation, and what the publication remembers of it."""
    before = one.snapshot
    facts = {"flow_version": to.number, "before_version": one.flow_version, "by": to.author.who}
    entry = Record(
        outcome="note",
        reason=reason,
        frm=before.state,
        to=after.state,
        facts={**facts, "after": conversations.moment(after, to.flow.hidden)},
    )
    origin = Origin(
        conversation_id=one.id,
        frm_version=one.flow_version,
        frm_state=before.state,
        frm_previous=before.previous,
        to_state=after.state,
        context={name: value for name, value in before.context.items() if name not in to.flow.context},
    )
    return Moved(one, after, to.number, entry), origin


def _followed(tx: Tx, runtime: Runtime, to: Carrying, placed: set[int]) -> tuple[int, list[Origin]]:
    """Everybody else of the live version, as they are, their fields as the new version has them."""
    slug = to.flow.slug
    if lacking := without_place(tx, to.flow, to.live, to.plan):
        raise Refused("people_without_place", states=lacking)
    went = moves.follow(tx, to.flow, old=to.live, number=to.number)
    old = runtime.flows.within(tx, slug, to.live)
    adapted, back = adapting(old, to.flow), _origins(tx, replace(to, live=to.number))
    again = to.plan.anew | {one.to_state for one in back.values() if one.anew}
    if not went or (adapted is None and not again):
        return went, []
    rewritten = []
    for one in moves.followers(tx, slug, to.number):
        if one.id in placed:
            continue
        origin, after = back.get(one.id), one.snapshot
        if adapted is not None:
            after = replace(after, context=adapted({**(origin.context if origin else {}), **after.context}))
        if _counts(after.state, to, origin):
            after = counted_anew(after, old, to.flow, to.now, _seed(one, to))
        if after != one.snapshot:
            reason = FOLLOWED if after.deadline_at == one.snapshot.deadline_at else ANEW
            rewritten.append(_with_row(replace(one, flow_version=to.live), after, reason, to))
    moves.write(tx, [moved for moved, _ in rewritten], to.now)
    return went, [origin for moved, origin in rewritten if origin.context or moved.entry.reason == ANEW]


def _seed(one: Conversation, to: Carrying) -> str:
    """What spreads the deadlines of a publication."""
    return f"publication:{to.flow.slug}:{to.number}:{one.id}"


def _counts(state: str, to: Carrying, origin: Origin | None) -> bool:
    """Whether the deadline of who stays in a state is counted anew: it was chosen, or a publication that is taken back did."""
    return state in to.plan.anew or (origin is not None and origin.anew)


def without_place(tx: Tx, flow: Flow, live: int | None, plan: Plan) -> list[str]:
    """The states of the live version in which somebody stands, or to which somebody would return, and of which neither
    the new version nor the plan knows anything. None is lacking when nobody was asked, or nobody follows.
    """
    if plan.places is None or not plan.follow:
        return []
    known = {state for version, state in plan.places if version == live} | {*flow.states}
    return sorted(
        {
            name
            for version, state, previous, _ in moves.crowds(tx, flow.slug)
            for name in (state, previous)
            if version == live and name is not None and name not in known
        }
    )
