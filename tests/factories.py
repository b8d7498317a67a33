"""Small flows for tests, built without a document: `a_flow(states, arrows)`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.core.flow import (
    Action,
    Assignment,
    Debounce,
    EventType,
    Field,
    FieldType,
    Flow,
    Notify,
    PhraseRule,
    Rule,
    Send,
    Settings,
    Source,
    State,
    StateKind,
    Text,
    Transition,
)
from engine.core.guards.language import parse, parse_guard
from engine.core.guards.scope import declare

HOUR = 3_600_000
DAY = 24 * HOUR


@dataclass(frozen=True)
class Arrow:
    """An arrow with its condition still as text; `frm` None makes it global."""

    id: str
    frm: str | None
    on: str
    to: str
    when: str | None = None
    set: Mapping[str, str] = field(default_factory=dict)
    do: tuple[str, ...] = ()
    excepting: frozenset[str] = frozenset()
    keep_deadline: bool = False
    share: int | None = None


def text(words: str) -> Text:
    return Text((("", words),))


def message(name: str = "msg", *, falls_back_to: str | None = None, priority: int = 0, **data: FieldType) -> EventType:
    return EventType(name=name, source=Source.MESSAGE, falls_back_to=falls_back_to, priority=priority, data=data)


def payment(name: str = "pago", **data: FieldType) -> EventType:
    return EventType(name=name, source=Source.PAYMENT, data=data)


def clock(name: str) -> EventType:
    return EventType(name=name, source=Source.CLOCK)


def state(
    name: str, *deadline: int, kind: StateKind = StateKind.NORMAL, jitter: int = 0, resting: bool = False
) -> State:
    return State(name=name, kind=kind, deadline=deadline, jitter=jitter, resting=resting)


def final(name: str) -> State:
    return State(name=name, kind=StateKind.FINAL)


def number(name: str, low: int | None = None, high: int | None = None, default: int = 0) -> Field:
    return Field(name=name, type=FieldType.INT, default=default, min=low, max=high)


def say(name: str, words: str = "oi") -> Send:
    return Send(id=name, text=text(words))


def notify(name: str, words: str = "oi") -> Notify:
    return Notify(id=name, text=text(words))


def a_flow(
    states: Iterable[State],
    arrows: Iterable[Arrow] = (),
    *,
    events: Iterable[EventType] = (),
    context: Iterable[Field] = (),
    actions: Iterable[Action] = (),
    ignored: Iterable[tuple[str, str]] = (),
    understanding: Iterable[PhraseRule] | None = None,
    rules: Iterable[Rule] = (),
    slug: str = "teste",
) -> Flow:
    """A flow whose first state is the initial one.

    There is always a general message `msg`, a payment `pago`, `timeout` and `exhausted`. Every other message event
    gets an understanding rule, unless `understanding` is given.
    """
    states = tuple(states)
    arrows = tuple(arrows)
    known = {e.name: e for e in (message(), payment(), clock("timeout"), clock("exhausted"), *events)}
    fields = {f.name: f for f in context}
    named = {action for arrow in arrows for action in arrow.do}
    transitions = tuple(_transition(arrow, fields, known) for arrow in arrows)
    if understanding is None:
        understanding = [
            PhraseRule(e.name, (e.name,)) for e in known.values() if e.source is Source.MESSAGE and e.name != "msg"
        ]
    return Flow(
        slug=slug,
        title=text(slug),
        timezone="America/Sao_Paulo",
        initial=states[0].name,
        debounce=Debounce(),
        context=fields,
        events=known,
        understanding=tuple(understanding),
        actions={**{name: say(name) for name in sorted(named)}, **{a.id: a for a in actions}},
        states={s.name: s for s in states},
        transitions=tuple(t for t in transitions if not t.is_global),
        globals=tuple(t for t in transitions if t.is_global),
        ignored=frozenset(ignored),
        rules=tuple(rules),
        settings=Settings(),
        sha256="0" * 64,
    )


def _transition(arrow: Arrow, fields: Mapping[str, Field], events: Mapping[str, EventType]) -> Transition:
    scope = declare(fields, events[arrow.on].data if arrow.on in events else {})
    otherwise = arrow.when == "otherwise"
    return Transition(
        id=arrow.id,
        frm=arrow.frm,
        on=arrow.on,
        to=arrow.to,
        when=None if arrow.when is None or otherwise else parse_guard(arrow.when, scope),
        otherwise=otherwise,
        set=tuple(Assignment(name, parse(value, scope)) for name, value in arrow.set.items()),
        do=arrow.do,
        excepting=arrow.excepting,
        keep_deadline=arrow.keep_deadline,
        share=arrow.share,
    )
