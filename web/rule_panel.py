"""The panel of a safety rule: its sentence with fields in it, or the eight forms to choose from for a new one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.core.rule_sentences import KINDS
from web.desk import Desk
from web.fields import Conflict
from web.i18n import gettext
from web.rule_edits import as_json, fields_of
from web.rules_view import GOING, PROVED, rule_words
from web.transition_panel import actions, events

__all__ = ["RulePanel", "new_rule_panel", "rule_panel"]

Choices = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePanel:
    """A rule, or a new one where `number` is None. `form` holds its fields, "form" among them says which they are.

    `seen` is the rule as JSON and `of` how many there were: what the author saw. `gone`: somebody else took it out.
    """

    place: str
    number: int | None
    title: str
    form: Mapping[str, str]
    forms: tuple[tuple[str, str], ...]
    states: tuple[tuple[str, str], ...]
    moments: Choices
    events: Choices
    actions: tuple[tuple[str, str], ...]
    verdict: str = ""
    seen: str = ""
    of: int = 0
    problem: str | None = None
    conflict: Conflict | None = None
    gone: bool = False

    def chosen(self, field: str) -> list[str]:
        """The names of a field that takes several, with an empty one for one more."""
        return [*(name for name in self.form.get(field, "").split(",") if name), ""]


def rule_panel(
    desk: Desk, number: int, typed: Mapping[str, str] | None = None, problem: str | None = None,
    conflict: Conflict | None = None,
) -> RulePanel:  # fmt: skip
    """The panel of the rule with a number."""
    written = _rows(desk)
    row = written[number]
    found = next((finding for finding in desk.findings if finding.rule == number), None)
    return RulePanel(
        place=f"{desk.base}/rules/{number}",
        number=number,
        title=rule_words(desk.flow, row),
        form={**fields_of(row), **(typed or {})},
        forms=(),
        states=_states(desk),
        moments=_moments(desk),
        events=events(desk.flow),
        actions=actions(desk.flow),
        verdict=found.verdict if found is not None else GOING if desk.going else PROVED,
        seen=as_json(row),
        of=len(written),
        problem=problem,
        conflict=conflict,
    )


def new_rule_panel(
    desk: Desk, typed: Mapping[str, str], problem: str | None = None, *, gone: bool = False
) -> RulePanel:
    """The form for a new rule; without a known form in `typed` the forms to choose from."""
    form = {**fields_of(None), **typed}
    return RulePanel(
        place=f"{desk.base}/rules",
        number=None,
        title=gettext("New rule"),
        form=form if form["form"] in KINDS else {**form, "form": ""},
        forms=tuple(_forms().items()),
        states=_states(desk),
        moments=_moments(desk),
        events=events(desk.flow),
        actions=actions(desk.flow),
        problem=problem,
        gone=gone,
    )


def _rows(desk: Desk) -> Sequence[object]:
    written = desk.tree.get("rules")
    return written if isinstance(written, list) else []


def _states(desk: Desk) -> tuple[tuple[str, str], ...]:
    return tuple((state.name, state.name) for state in desk.states)


def _moments(desk: Desk) -> Choices:
    """From when on a rule counts: a state, an event or an action, as `state:PAGO`."""
    states = tuple((f"state:{state.name}", state.name) for state in desk.states)
    happened = tuple((f"event:{name}", label) for _, group in events(desk.flow) for name, label in group)
    done = tuple((f"do:{name}", label) for name, label in actions(desk.flow))
    groups = ((gettext("A state"), states), (gettext("An event"), happened), (gettext("An action"), done))
    return tuple((title, choices) for title, choices in groups if choices)


def _forms() -> dict[str, str]:
    """Each form as a sentence with gaps."""
    return {
        "never": gettext("After …, never …"),
        "always": gettext("Whenever …, the conversation goes to …"),
        "sends_without_reply": gettext("At most … messages in a row without a reply"),
        "window": gettext("A free-form message never leaves after …"),
        "at_most": gettext("… at most … times"),
        "only_after": gettext("… only after …"),
        "echo": gettext("At most … automatic answers in a row without leaving the state"),
        "no_nudge_unanswered": gettext("Never nudge somebody whose message got no answer"),
    }
