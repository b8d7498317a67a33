"""The `rules` section: what must be true of every possible run, in eight forms.

A rule is kept as written (`Rule.body`), after its names and numbers were checked. `Rule.kind` is the key that says the
form: never, always, sends_without_reply, window, at_most, only_after, echo, no_nudge_unanswered.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from engine.core.document_reader import Place, close
from engine.core.flow import Rule

FORMS = ("never", "always", "at_most", "window", "only_after", "echo", "no_nudge_unanswered")
_LABELS = ("label", "note")


@dataclass(frozen=True)
class Names:
    """What a rule may speak of."""

    states: Collection[str]
    events: Collection[str]
    actions: Collection[str]


def read_rules(place: Place, names: Names) -> tuple[Rule, ...]:
    """Every rule that is well formed."""
    rules = (_rule(entry, names) for entry in place.items(limit=500))
    return tuple(rule for rule in rules if rule is not None)


def kind_of(row: object) -> str | None:
    """The `Rule.kind` of a rule as it is written; None for what has no known form."""
    if not isinstance(row, Mapping):
        return None
    form = next((form for form in FORMS if form in row), None)
    return "sends_without_reply" if form == "at_most" and "do" not in row else form


def _rule(place: Place, names: Names) -> Rule | None:
    before = len(place.notes.mistakes)
    form = next((form for form in FORMS if form in place.entries()), None)
    if form is None:
        if isinstance(place.value, Mapping):
            hint = next((found for key in place.value if (found := close(str(key), FORMS))), "")
            place.wrong("rule_form", options=", ".join(FORMS), close=hint)
        return None
    kind = _FORMS[form](place, names)
    if len(place.notes.mistakes) > before or not isinstance(place.value, Mapping):
        return None
    body = {key: value for key, value in place.value.items() if key not in _LABELS and value is not None}
    return Rule(kind, body)


def _never(place: Place, names: Names) -> str:
    """`{never: {do: mandar_oferta}, after: {state: PAGO}, unless: [confirmar_saida]}` (check R1)."""
    keys = place.table(("never", "after", "unless", *_LABELS), ("never", "after"))
    if "never" in keys:
        _one_of(keys["never"], ("do",), names)
    if "after" in keys:
        _one_of(keys["after"], ("state", "event", "do"), names)
    if "unless" in keys:
        for action in keys["unless"].some(filled=True):
            action.known("action", names.actions)
    return "never"


def _always(place: Place, names: Names) -> str:
    """`{always: pediu_parar, leads_to: OPT_OUT}`, or to one of several states (check R2)."""
    keys = place.table(("always", "leads_to", *_LABELS), ("always", "leads_to"))
    if "always" in keys:
        keys["always"].known("event", names.events)
    for state in keys["leads_to"].some(filled=True) if "leads_to" in keys else ():
        state.known("state", names.states)
    return "always"


def _at_most(place: Place, names: Names) -> str:
    """`{at_most: 4, sends_without_reply: true}` (check R3) or `{at_most: 1, do: entregar}` (check R5)."""
    keys = place.table(("at_most", "sends_without_reply", "do", *_LABELS))
    keys["at_most"].integer(0, 10_000)
    if ("do" in keys) == ("sends_without_reply" in keys):
        place.wrong("rule_one_of", options="sends_without_reply, do")
    if "do" in keys:
        keys["do"].known("action", names.actions)
        return "at_most"
    if "sends_without_reply" in keys:
        _true(keys["sends_without_reply"])
    return "sends_without_reply"


def _window(place: Place, names: Names) -> str:
    """`{window: 24h}`: free-form sends never leave later than this after the lead's last message (check R4)."""
    del names
    place.table(("window", *_LABELS))["window"].duration()
    return "window"


def _only_after(place: Place, names: Names) -> str:
    """`{only_after: {event: pagamento_aprovado}, do: entregar}` (check R6)."""
    keys = place.table(("only_after", "do", *_LABELS), ("only_after", "do"))
    _one_of(keys["only_after"], ("state", "event", "do"), names)
    if "do" in keys:
        keys["do"].known("action", names.actions)
    return "only_after"


def _echo(place: Place, names: Names) -> str:
    """`{echo: 3}`: automatic answers in a row without leaving the state, judged by the table alone (check R7)."""
    del names
    place.table(("echo", *_LABELS))["echo"].integer(1, 10_000)
    return "echo"


def _no_nudge(place: Place, names: Names) -> str:
    """`{no_nudge_unanswered: true}`: no clock send while the last message went unanswered (check R8)."""
    del names
    _true(place.table(("no_nudge_unanswered", *_LABELS))["no_nudge_unanswered"])
    return "no_nudge_unanswered"


def _true(place: Place) -> None:
    if place.value is not True:
        place.wrong("rule_true")


def _one_of(place: Place, options: tuple[str, ...], names: Names) -> None:
    keys = place.table(options)
    if len(keys) != 1:
        if isinstance(place.value, Mapping):
            place.wrong("rule_one_of", options=", ".join(options))
        return
    (key, entry), *_ = keys.items()
    if key == "do":
        entry.known("action", names.actions)
    elif key == "event":
        entry.known("event", names.events)
    else:
        entry.known("state", names.states)


_FORMS: dict[str, Callable[[Place, Names], str]] = {
    "never": _never,
    "always": _always,
    "at_most": _at_most,
    "window": _window,
    "only_after": _only_after,
    "echo": _echo,
    "no_nudge_unanswered": _no_nudge,
}
