"""People, appointments and replays of a publication in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core import sentences
from engine.core.flow import Flow, Look
from engine.core.places import Places, Plan, open_places, plan_of
from engine.services.four_eyes import Request
from engine.services.publish_review import Gone, Review
from engine.services.schedule import Scheduled
from web import i18n
from web.i18n import gettext, ngettext
from web.words import moment

__all__ = [
    "STAY",
    "Appointment",
    "Asked",
    "Choice",
    "Wait",
    "appointment",
    "asked",
    "choices",
    "deadlines",
    "field_of",
    "plan_from",
    "unkept",
]

STAY = "="
"""What a choice sends for "they finish on their version"; no state is called that."""
DEADLINE, ANEW = "deadline", "anew"
"""The fields of deadlines, and what one sends for counting it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A state that goes away, for a page: who is there, and what can become of them. `after` says what happens there."""

    gone: Gone
    name: str
    look: Look | None
    title: str
    chosen: str
    options: tuple[tuple[str, str], ...]
    after: str


@dataclass(frozen=True, slots=True)
class Wait:
    """A state whose silence is counted otherwise from now on: its field, who is there, and what counting again means."""

    name: str
    state: str
    look: Look
    people: int
    anew: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """A publication at a set time: when, by whom, and why it was not kept, if it was not."""

    slug: str
    when: str
    who: str
    note: str
    why: str
    anew: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A publication that waits for a second person. `place` is where its review is; `outdated`: something changed since."""

    id: int
    who: str
    note: str
    when: str
    hour: str
    place: str
    here: bool
    outdated: bool
    own: bool
    anew: str


def asked(
    found: Request | None, now: Review, source: int | None, me: str, zone: str, names: Mapping[str, str]
) -> Asked | None:
    """It in words, for the page that reviews `now`; None when nothing waits. `names` are those of the team, by address."""
    if found is None:
        return None
    base = f"/flows/{found.slug}"
    return Asked(
        id=found.id,
        who=names.get(found.who, found.who),
        note=found.note,
        when=moment(found.created_at, zone),
        hour=moment(found.publish_at, zone) if found.publish_at is not None else "",
        place=f"{base}/publish" if found.source is None else f"{base}/versions/{found.source}/rollback",
        here=found.source == source,
        outdated=found.live != now.live or (found.source is None and found.revision != now.revision),
        own=found.who == me,
        anew=_anew(found.plan),
    )


def field_of(gone: Gone) -> str:
    """The form's field of a place."""
    return f"to:{gone.place[0]}:{gone.place[1]}"


def choices(found: Review, new: Flow, old: Mapping[int, Flow], typed: Mapping[str, str]) -> list[Choice]:
    """The states that go away; `old` are the versions that people stand on, `typed` what was chosen before."""
    return [_choice(gone, new, old[gone.place[0]], typed) for gone in found.gone]


def _choice(gone: Gone, new: Flow, old: Flow, typed: Mapping[str, str]) -> Choice:
    version, state = gone.place
    chosen = typed.get(field_of(gone), gone.proposal or ("" if gone.needed else STAY))
    stay = gettext("they finish on v%(n)s") % {"n": version}
    options = [(STAY, stay), *((name, name) for name in open_places(new))]
    if gone.needed and not chosen:
        options.insert(0, ("", gettext("Choose…")))
    there = new.states.get(chosen)
    ladder = sentences.ladder(there, i18n.current()) if there is not None else ""
    after = gettext("without a message")
    if ladder:
        after = gettext("without a message · new deadline of %(deadline)s") % {"deadline": ladder}
    known = old.states.get(state)
    return Choice(
        gone=gone,
        name=field_of(gone),
        look=known.look if known is not None else None,
        title=_title(gone),
        chosen=chosen,
        options=tuple(options),
        after=after,
    )


def _title(gone: Gone) -> str:
    version, state = gone.place
    values = {"state": state, "n": version}
    if not gone.people:
        text = ngettext(
            "%(num)s conversation would return to %(state)s (v%(n)s), which goes away.",
            "%(num)s conversations would return to %(state)s (v%(n)s), which goes away.",
            gone.returning,
        )
        return text % {**values, "num": gone.returning}
    text = ngettext(
        "%(num)s conversation is in %(state)s (v%(n)s), which goes away.",
        "%(num)s conversations are in %(state)s (v%(n)s), which goes away.",
        gone.people,
    ) % {**values, "num": gone.people}
    if gone.returning:
        more = ngettext("%(num)s more would return to it.", "%(num)s more would return to it.", gone.returning)
        return f"{text} {more % {'num': gone.returning}}"
    return text


def deadlines(found: Review, new: Flow, typed: Mapping[str, str]) -> list[Wait]:
    """The states whose people may get another deadline; `typed` what was chosen before."""
    made = []
    for one in found.waiting:
        state, name = new.states[one.state], f"{DEADLINE}:{one.state}"
        ladder = sentences.ladder(state, i18n.current())
        anew = gettext("Count it anew: %(deadline)s") % {"deadline": ladder} if ladder else gettext("Take it away")
        made.append(Wait(name, one.state, state.look, one.people, anew, typed.get(name) == ANEW))
    return made


def plan_from(form: Mapping[str, str]) -> Plan:
    """What a form says about people. A place that nobody chose for is not in the plan, and so keeps it from going on."""
    places: dict[tuple[int, str], str | None] = {}
    for name, value in form.items():
        kind, _, rest = name.partition(":")
        version, _, state = rest.partition(":")
        if kind == "to" and version.isascii() and version.isdecimal() and len(version) < 10 and value:
            places[int(version), state] = None if value == STAY else value
    found: Places = places
    anew = frozenset(
        name.partition(":")[2] for name, value in form.items() if name.startswith(DEADLINE) and value == ANEW
    )
    return Plan(follow=form.get("move", "yes") == "yes", places=found, anew=anew)


def appointment(found: Scheduled | None, zone: str) -> Appointment | None:
    """A publication at a set time, in the time zone of its flow."""
    if found is None:
        return None
    return Appointment(
        slug=found.slug, when=moment(found.publish_at, zone), who=found.who, note=found.note, why=unkept(found),
        anew=_anew(found.plan),
    )  # fmt: skip


def _anew(plan: Mapping[str, object]) -> str:
    """What was chosen for deadlines, for who looks at an appointment or a request; "" where nothing was."""
    states = sorted(plan_of(plan).anew)
    return gettext("Counts the deadline anew in %(states)s.") % {"states": ", ".join(states)} if states else ""


def unkept(found: Scheduled) -> str:
    """Why an appointment was not kept; "" for one that is to come."""
    states = found.facts.get("states")
    names = ", ".join(map(str, states)) if isinstance(states, list) else ""
    tests = found.facts.get("tests")
    differing = ", ".join(map(str, tests)) if isinstance(tests, list) else ""
    return {
        "": "",
        "draft_changed": gettext("The draft was changed after it was reviewed."),
        "live_changed": gettext("Another version was published after it was reviewed."),
        "author_may_not": gettext("%(who)s may not publish any more.") % {"who": found.who},
        "second_person_needed": gettext("Nobody else had approved it, and by then two people had to decide."),
        "checks": gettext("The checks or the message templates are against it now."),
        "tests_differ": gettext("These saved tests differ: %(names)s.") % {"names": differing},
        "people_without_place": gettext("Somebody came into %(states)s, for which nobody had chosen.")
        % {"states": names},
        "not_available_yet": gettext("The robot cannot do everything in it."),
        "nothing_changed": gettext("It is what is live already."),
    }.get(found.reason, gettext("It could not be published (%(reason)s).") % {"reason": found.reason})
