"""Message templates as WhatsApp has them: what they say, how many values they want, and whether a new one may be proposed.

`components` is the platform's own JSON: a list of header, body, footer and buttons. Only HEADER and BODY hold values.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

APPROVED, DELETED = "APPROVED", "DELETED"
OFF = frozenset({"PAUSED", "DISABLED", "REJECTED", DELETED, "PENDING_DELETION", "LOCKED", "ARCHIVED"})
"""States in which the platform refuses a send: letters wait, a person is told."""
CATEGORIES = ("MARKETING", "UTILITY", "AUTHENTICATION")
PROPOSED = ("MARKETING", "UTILITY")
"""What can be proposed here; codes to sign in need buttons of their own and are made at the platform."""
QUALITIES = ("GREEN", "YELLOW", "RED", "UNKNOWN")
NAME_LONGEST, BODY_LONGEST, FOOTER_LONGEST, BUTTON_LONGEST, BUTTONS, VALUES = 512, 1_024, 60, 25, 3, 20

_NAME = re.compile(r"[a-z0-9_]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")
_VALUE = re.compile(r"\{\{\s*([A-Za-z0-9_]+)\s*\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One template of a channel; `status`, `category` and `quality` are the platform's words."""

    name: str
    language: str
    category: str = ""
    status: str = ""
    components: Sequence[Mapping[str, object]] = ()
    quality: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A new template as somebody typed it. `examples` are the values of the body in order."""

    name: str
    language: str
    category: str
    body: str
    footer: str = ""
    buttons: tuple[str, ...] = ()
    examples: tuple[str, ...] = field(default=())


def part(template: Template, kind: str) -> Mapping[str, object]:
    """The component of a kind; an empty one where there is none."""
    found = (c for c in template.components if str(c.get("type", "")).upper() == kind)
    return next(found, {})


def words(template: Template, kind: str = "BODY") -> str:
    """The text of a component, its values as `{{1}}`."""
    text = part(template, kind).get("text")
    return text if isinstance(text, str) else ""


def button_titles(template: Template) -> tuple[str, ...]:
    """What its buttons say."""
    buttons = part(template, "BUTTONS").get("buttons")
    listed = buttons if isinstance(buttons, list | tuple) else ()
    return tuple(str(b.get("text", "")) for b in listed if isinstance(b, Mapping))


def values_of(text: str) -> tuple[str, ...]:
    """The names of the values in a text, each once, in order of appearance."""
    return tuple(dict.fromkeys(_VALUE.findall(text)))


def wanted(template: Template) -> int:
    """How many values the body wants."""
    return len(values_of(words(template)))


def head_wanted(template: Template) -> str:
    """What a send puts into the head: "" for nothing, text, or the kind of file."""
    head = part(template, "HEADER")
    kind = str(head.get("format", "TEXT")).lower()
    if kind == "text":
        return "text" if values_of(words(template, "HEADER")) else ""
    return kind


def numbered(template: Template) -> bool:
    """Whether its values are numbered: values with names are sent in another way, which we do not speak."""
    return all(name.isdigit() for name in values_of(words(template)))


def sendable(template: Template) -> bool:
    """Whether a campaign can send it: values in the body alone, numbered, and nothing to put into its head."""
    return numbered(template) and not head_wanted(template)


def filled(text: str, values: Sequence[str]) -> str:
    """The text as a person reads it; a value that is not given stays as it is written."""

    def value(found: re.Match[str]) -> str:
        place = found.group(1)
        at = int(place) - 1 if place.isdigit() else -1
        return values[at] if 0 <= at < len(values) and values[at] else found.group(0)

    return _VALUE.sub(value, text)


def problems(proposal: Proposal) -> Iterator[tuple[str, str]]:
    """(field, code) of everything that the platform would refuse, and we know."""
    if not _NAME.fullmatch(proposal.name) or len(proposal.name) > NAME_LONGEST:
        yield "name", "template_name"
    if not _LANGUAGE.fullmatch(proposal.language):
        yield "language", "template_language"
    if proposal.category not in PROPOSED:
        yield "category", "template_category"
    yield from _body_problems(proposal)
    if len(proposal.footer) > FOOTER_LONGEST or "{{" in proposal.footer:
        yield "footer", "template_footer"
    titles = proposal.buttons
    if len(titles) > BUTTONS or len(set(titles)) < len(titles) or any(len(t) > BUTTON_LONGEST for t in titles):
        yield "buttons", "template_buttons"


def _body_problems(proposal: Proposal) -> Iterator[tuple[str, str]]:
    body = proposal.body.strip()
    if not body or len(body) > BODY_LONGEST:
        yield "body", "template_body"
        return
    names = values_of(body)
    if (
        "{{" in _VALUE.sub("", body)
        or "}}" in _VALUE.sub("", body)
        or sorted(names) != sorted(str(n) for n in range(1, len(names) + 1))
        or len(names) > VALUES
    ):
        yield "body", "template_values"
    elif names and (_VALUE.match(body) or body.endswith("}}")):
        yield "body", "template_value_at_edge"
    if len([example for example in proposal.examples if example.strip()]) != len(names):
        yield "examples", "template_examples"


def components_of(proposal: Proposal) -> list[Mapping[str, object]]:
    """The platform's JSON of a proposal without problems."""
    body: dict[str, object] = {"type": "BODY", "text": proposal.body.strip()}
    if proposal.examples:
        body["example"] = {"body_text": [list(proposal.examples)]}
    made: list[Mapping[str, object]] = [body]
    if proposal.footer:
        made.append({"type": "FOOTER", "text": proposal.footer})
    if proposal.buttons:
        made.append({"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": t} for t in proposal.buttons]})
    return made
