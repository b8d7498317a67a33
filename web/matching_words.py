"""Two people side by side, and payments without one, as the templates show them."""

from dataclasses import dataclass

from engine.core.flow import Look, Millis
from engine.core.spoofing import revealed
from engine.services.matching import Question, Side, Standing
from engine.services.unmatched import Stray
from engine.store.finding import Found
from web import i18n
from web.desk_words import called, emailed, moment_of, money, named, phoned
from web.i18n import gettext
from web.words import initials, moment

__all__ = ["Candidate", "ShownPair", "ShownSide", "ShownStray", "ShownTalk", "candidates", "pair", "stray", "talks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownTalk:
    """One talk of a person. `ended`: another took its place."""

    id: int
    flow: str
    state: str
    look: Look
    when: str
    ended: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSide:
    """One of the two. `facts` are (name, value), `lines` (theirs, text, when)."""

    id: int
    name: str
    initials: str
    facts: tuple[tuple[str, str], ...]
    talks: tuple[ShownTalk, ...]
    lines: tuple[tuple[bool, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPair:
    """A pair that waits for a decision."""

    id: int
    why: str
    when: str
    sides: tuple[ShownSide, ShownSide]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStray:
    """A payment without a person: `who` as the platform calls them, `what` was bought."""

    id: str
    event: str
    platform: str
    who: str
    email: str
    code: str
    what: str
    amount: str
    when: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody to whom a payment may belong."""

    id: int
    name: str
    initials: str
    phone: str
    email: str
    conversation: int | None


def pair(question: Question, now: Millis, *, phones: bool) -> ShownPair:
    """A pair in the current language. `phones`: whether whole numbers may be seen."""
    return ShownPair(
        id=question.id,
        why=_why(question, phones=phones),
        when=moment_of(question.at, now),
        sides=(_side(question.one, now, phones=phones), _side(question.other, now, phones=phones)),
    )


def stray(found: Stray, now: Millis, *, phones: bool) -> ShownStray:
    """A payment in the current language."""
    return ShownStray(
        id=found.id,
        event=found.type,
        platform=found.platform,
        who=revealed(found.name or "") or gettext("no name"),
        email=emailed(found.email, whole=phones),
        code=found.reference or "",
        what=" · ".join(part for part in (found.product, found.transaction) if part),
        amount=money(found.cents) if found.cents is not None else "",
        when=moment_of(found.at, now),
    )


def candidates(found: list[Found], *, phones: bool) -> tuple[Candidate, ...]:
    """Those to whom a payment may belong."""
    return tuple(
        Candidate(
            each.id,
            called(each.name, each.phone, whole=phones),
            initials(each.name or ""),
            phoned(each.phone, whole=phones),
            emailed(each.email, whole=phones),
            each.conversation_id,
        )
        for each in found
    )


def talks(standings: tuple[Standing, ...], now: Millis) -> tuple[ShownTalk, ...]:
    """The talks of one person."""
    return tuple(
        ShownTalk(
            id=each.id,
            flow=each.flow.title.within(i18n.current()),
            state=each.state,
            look=each.flow.states[each.state].look if each.state in each.flow.states else Look.HUMAN,
            when=moment_of(each.active_at, now),
            ended=each.followed_by is not None,
        )
        for each in standings
    )


def _why(question: Question, *, phones: bool) -> str:
    name = phoned(question.wanted, whole=phones) if question.wanted else ""
    values = {"name": revealed(name or "") or gettext("the same name")}
    known = {
        "number_change": gettext("WhatsApp says that one of them moved to %(name)s, which is the other's."),
        "payment": gettext("A payment by the link of one of them gives %(name)s, which is the other's."),
        "message": gettext("A message came with names of both, %(name)s among them."),
    }
    return known.get(question.via, gettext("Something came with names of both, %(name)s among them.")) % values


def _side(side: Side, now: Millis, *, phones: bool) -> ShownSide:
    facts = [
        (named(kind), phoned(seen, whole=phones) if kind != "reference" else seen) for kind, seen in side.identities
    ]
    if email := emailed(side.email, whole=phones):
        facts.append((named("email"), email))
    facts.append((gettext("known since"), moment(side.known_since)))
    if side.opted_out:
        facts.append((gettext("consent"), gettext("asked for no more messages")))
    if side.paused:
        facts.append((gettext("bot"), gettext("paused")))
    return ShownSide(
        id=side.id,
        name=called(side.name, side.phone, whole=phones),
        initials=initials(side.name or ""),
        facts=tuple(facts),
        talks=talks(side.talks, now),
        lines=tuple((theirs, text, moment_of(at, now)) for theirs, text, at in side.lines),
    )
