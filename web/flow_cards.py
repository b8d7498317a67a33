"""The cards of the list of flows: what is live, what waits, who is where, what sold, and the one next thing to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core import sentences
from engine.core.checks.findings import Severity
from engine.core.flow import Look, Millis
from engine.core.folding import fold
from engine.services.conversions import Conversion
from engine.services.flow_list import Listed
from web import i18n
from web.i18n import gettext, ngettext
from web.words import ago, decimal, percent

__all__ = ["TABS", "Card", "Next", "Part", "Sold", "bar", "card", "narrowed", "sold", "tab_of"]

ACTIVE, DRAFTS, ARCHIVED = "active", "drafts", "archived"
TABS = (ACTIVE, DRAFTS, ARCHIVED)
WIDE, HIGH = 100, 20


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of state in the bar; `x` and `width` are percents."""

    look: Look
    name: str
    people: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Sold:
    """The conversion of a week. `share` and `change` are phrases, "" where there is nothing to tell; `line` are the
    points of the little curve, in a box of 100 by 20.
    """

    share: str
    change: str
    up: bool
    line: str
    told: str


@dataclass(frozen=True, slots=True)
class Next:
    """What to do next, and where."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class Card:
    """One flow of the list. `published` is a phrase, "" when nothing is live; `errors` is None while nobody knows."""

    slug: str
    title: str
    live: int | None
    published: str
    archived: str
    changes: int
    errors: int | None
    people: int
    parts: tuple[Part, ...]
    sold: Sold | None
    next: Next


def tab_of(listed: Listed) -> str:
    """Under which heading a flow is listed."""
    if listed.draft.archived_at is not None:
        return ARCHIVED
    return ACTIVE if listed.live is not None else DRAFTS


def narrowed(listed: Iterable[Listed], words: str) -> list[Listed]:
    """The flows whose name or address has all the words, however they are cased and accented."""
    wanted = fold(words).split()
    return [one for one in listed if all(word in fold(f"{_title(one)} {one.draft.slug}") for word in wanted)]


def card(one: Listed, now: Millis) -> Card:
    """A flow as the list shows it."""
    published = ""
    if one.live is not None:
        when = ago(one.live.published_at, now)
        published = gettext("%(when)s by %(who)s") % {"when": when, "who": one.live.author}
    people = {name: count for name, count in one.people.items() if name in one.flow.states}
    looks = {name: state.look for name, state in one.flow.states.items()}
    found = one.findings
    errors = None if found is None else sum(finding.severity is Severity.ERROR for finding in found)
    return Card(
        slug=one.draft.slug,
        title=_title(one),
        live=None if one.live is None else one.live.number,
        published=published,
        archived="" if one.draft.archived_at is None else ago(one.draft.archived_at, now),
        changes=one.changes if one.live is not None else 0,
        errors=errors,
        people=sum(people.values()),
        parts=bar(people, looks),
        sold=None if one.conversion is None else sold(one.conversion),
        next=_next(one, errors or 0),
    )


def _title(one: Listed) -> str:
    return one.flow.title.within(i18n.current())


def _next(one: Listed, errors: int) -> Next:
    """The one thing that helps this flow most now."""
    base = f"/flows/{one.draft.slug}"
    if one.draft.archived_at is not None:
        return Next(gettext("Bring it back to take new conversations"), f"{base}/manage#archive")
    if one.attention:
        text = ngettext("%(num)s conversation needs you", "%(num)s conversations need you", one.attention)
        return Next(text % {"num": one.attention}, f"/live?flow={one.draft.slug}")
    if errors:
        text = ngettext("Solve %(num)s problem", "Solve %(num)s problems", errors)
        return Next(text % {"num": errors}, f"{base}/draft")
    if one.live is None:
        return Next(gettext("Publish the first version"), f"{base}/publish")
    if one.changes:
        return Next(gettext("Review what changed and publish"), f"{base}/publish")
    if not one.entered:
        return Next(gettext("Let a number lead to this flow"), "/settings/channels")
    return Next(gettext("Follow the conversations live"), f"/live?flow={one.draft.slug}")


def sold(found: Conversion) -> Sold:
    """The conversion in words and as a curve."""
    if not found.possible:
        return Sold("", "", True, "", gettext("no state is a win"))
    if not found.began:
        return Sold("", "", True, "", gettext("nobody began in 7 days"))
    share = 100 * found.won / found.began
    told = ngettext("%(won)s of %(num)s who began bought", "%(won)s of the %(num)s who began bought", found.began) % {
        "won": decimal(found.won),
        "num": decimal(found.began),
    }
    change, up = "", True
    if found.before[0]:
        points = share - 100 * found.before[1] / found.before[0]
        up = points >= 0
        change = gettext("%(points)s pts") % {"points": decimal(round(points, 1), signed=True)}
    shares = [won / began if began else 0.0 for began, won in found.days]
    top = max(*shares, 0.01)
    step = WIDE / (len(shares) - 1)
    line = " ".join(f"{n * step:.1f},{HIGH - 2 - (HIGH - 4) * one / top:.1f}" for n, one in enumerate(shares))
    return Sold(percent(share), change, up, line, told)


def bar(people: Mapping[str, int], looks: Mapping[str, Look]) -> tuple[Part, ...]:
    """The share of each kind of state, in the order of the sale; kinds without anybody are left out."""
    by_look = dict.fromkeys(Look, 0)
    for name, count in people.items():
        by_look[looks[name]] += count
    total, x, parts = sum(by_look.values()), 0.0, []
    for look, count in by_look.items():
        if count:
            width = 100 * count / total
            parts.append(Part(look, sentences.look_name(look, i18n.current()), count, round(x, 2), round(width, 2)))
            x += width
    return tuple(parts)
