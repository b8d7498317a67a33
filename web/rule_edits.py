"""From the sentence of a rule, as a form has it, to the rule as the document has it, and back.

Raises Refused where words cannot be read: `not_a_number`, `not_a_time`, `rule_incomplete`.
"""

import json
from collections.abc import Mapping, Sequence

from engine.core.document_rules import kind_of
from engine.core.durations import human, parse, parse_human
from engine.core.errors import Refused
from engine.core.flow import HOUR
from web import i18n
from web.draft_edits import Edit, seen_value
from web.forms import whole

__all__ = ["LISTS", "MOMENTS", "added", "as_json", "deletion", "fields_of", "replaced", "typed_rule"]

MOMENTS = ("state", "event", "do")
"""What a rule may be counted from; a select says it in one value: `state:PAGO`."""
LISTS = ("states", "unless")
"""Fields that take several names, kept as one text with commas: no name has one."""
_LABELS = ("label", "note")


def typed_rule(form: Mapping[str, str], kept: Mapping[str, object] | None = None) -> dict[str, object]:
    """The rule that a form says; a label or a note of the rule that it replaces stays."""
    body = _body(form)
    return {**body, **{name: value for name, value in (kept or {}).items() if name in _LABELS}}


def _body(form: Mapping[str, str]) -> dict[str, object]:
    match form.get("form"):
        case "never":
            unless = _several(form, "unless")
            rule = {"never": {"do": _chosen(form, "action")}, "after": _moment(form)}
            return {**rule, "unless": unless} if unless else dict(rule)
        case "always":
            states = _several(form, "states")
            if not states:
                raise Refused("rule_incomplete")
            return {"always": _chosen(form, "event"), "leads_to": states[0] if len(states) == 1 else states}
        case "sends_without_reply":
            return {"at_most": _count(form), "sends_without_reply": True}
        case "window":
            return {"window": _wait(form)}
        case "at_most":
            return {"at_most": _count(form), "do": _chosen(form, "action")}
        case "only_after":
            return {"only_after": _moment(form), "do": _chosen(form, "action")}
        case "echo":
            return {"echo": _count(form)}
        case "no_nudge_unanswered":
            return {"no_nudge_unanswered": True}
        case _:
            raise Refused("rule_incomplete")


def _chosen(form: Mapping[str, str], field: str) -> str:
    if not (name := form.get(field, "")):
        raise Refused("rule_incomplete")
    return name


def _moment(form: Mapping[str, str]) -> dict[str, str]:
    kind, _, name = form.get("after", "").partition(":")
    if kind not in MOMENTS or not name:
        raise Refused("rule_incomplete")
    return {kind: name}


def _several(form: Mapping[str, str], field: str) -> list[str]:
    return list(dict.fromkeys(name for name in form.get(field, "").split(",") if name))


def _count(form: Mapping[str, str]) -> int:
    number = whole(form.get("n", "").strip())
    if number is None:
        raise Refused("not_a_number")
    return number


def _wait(form: Mapping[str, str]) -> str:
    """A window as people speak of it, in hours where it is whole ones."""
    text = form.get("wait", "").strip()
    ms = parse_human(text)
    if ms is None:
        raise Refused("not_a_time", text=text)
    return f"{ms // HOUR}h" if ms % HOUR == 0 else f"{ms // 1000}s"


def fields_of(rule: object) -> dict[str, str]:
    """What the fields of the form hold for a rule of the document."""
    row = rule if isinstance(rule, Mapping) else {}
    found = {"form": kind_of(row) or "", "after": "", "action": "", "event": "", "n": "", "wait": ""}
    never, count = row.get("never"), row.get("at_most", row.get("echo"))
    moment = row.get("after", row.get("only_after"))
    if isinstance(moment, Mapping) and moment:
        found["after"] = ":".join(map(str, next(iter(moment.items()))))
    found["action"] = str(never.get("do", "") if isinstance(never, Mapping) else row.get("do", ""))
    found["event"] = str(row.get("always", ""))
    found["n"] = "" if count is None else str(count)
    wait = parse(str(row.get("window", "")))
    found["wait"] = "" if wait is None else f"{wait // HOUR} h" if wait % HOUR == 0 else human(wait, i18n.current())
    return {**found, "states": _listed(row.get("leads_to")), "unless": _listed(row.get("unless"))}


def _listed(value: object) -> str:
    names: Sequence[object] = value if isinstance(value, list | tuple) else () if value is None else (value,)
    return ",".join(map(str, names))


def added(rule: object) -> Edit:
    """The edit that adds a rule."""
    return {"op": "add_rule", "rule": rule}


def replaced(number: int, form: Mapping[str, str]) -> Edit:
    """The edit that a rule's form asks for: `value` as JSON where a person chose between two, else its fields."""
    seen = seen_value(form.get("seen"))
    if "value" not in form:
        value: object = typed_rule(form, seen if isinstance(seen, Mapping) else None)
    elif (value := seen_value(form["value"])) is None:
        return deletion(number, form)
    return {"op": "set_rule", "id": number, "was": seen, "of": whole(form.get("of")), "value": value, "seen": seen}


def deletion(number: int, form: Mapping[str, str]) -> Edit:
    """The edit that takes a rule out."""
    return {"op": "delete_rule", "id": number, "was": seen_value(form.get("seen")), "of": whole(form.get("of"))}


def as_json(rule: object) -> str:
    """A rule as its author saw it, for a hidden field."""
    return json.dumps(rule, ensure_ascii=False)
