"""What a transition may ask for: sends and the other kinds of action, as frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.core.values import SECOND, Millis, Text


@dataclass(frozen=True, slots=True)
class Button:
    """A reply button, at most 20 characters of title on WhatsApp."""

    id: str
    title: Text


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of an interactive list."""

    id: str
    title: Text
    description: Text | None = None


@dataclass(frozen=True, slots=True)
class ListMenu:
    """An interactive list: the text of its opening button and its rows."""

    button: Text
    rows: tuple[ListRow, ...]


@dataclass(frozen=True, slots=True)
class Media:
    """A file sent by address. `kind` is image, audio, video or document. `url` is an address, perhaps with gaps, or the
    number under which the platform already has the file.
    """

    kind: str
    url: str
    caption: Text | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One bubble of a send of several parts: a text or a medium."""

    text: Text | None = None
    media: Media | None = None


@dataclass(frozen=True, slots=True)
class TemplateButton:
    """What one button of a template is given, in the buttons' order: what a reply button sends back when it is tapped
    (`payload`), the end of an address (`url`), or nothing.
    """

    payload: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A template approved by the platform, the only thing that leaves outside 24 h (R28). `params` fill its body,
    `header` is the text or the file of its head.
    """

    name: str
    language: str
    params: tuple[str, ...] = ()
    header: str | Media | None = None
    buttons: tuple[TemplateButton, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Send:
    """Say something to the lead. `parts` replaces `text` and `media` when there are several bubbles."""

    id: str
    text: Text | None = None
    template: Template | None = None
    buttons: tuple[Button, ...] = ()
    menu: ListMenu | None = None
    media: Media | None = None
    parts: tuple[Part, ...] = ()
    once_per: str | None = None
    repeat_ok: bool = False
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """An HTTP effect (R40 to R42); the engine acts on it from the effects capability on."""

    id: str
    url: str
    method: str = "POST"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    once_per: str | None = None
    undo: str | None = None
    verify: str | None = None
    timeout: Millis = 30 * SECOND
    on_ok: str | None = None
    on_error: str | None = None
    on_timeout: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A language model answers (R50 to R53). Tools are split by what they may do."""

    id: str
    prompt: str
    tools: tuple[str, ...] = ()
    write_tools: tuple[str, ...] = ()
    fallback: str | None = None
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Notify:
    """Tell a person of the team."""

    id: str
    text: Text
    to: str | None = None
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """Put tags on the contact, or take them off."""

    id: str
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetPause:
    """Pause the robot for this contact (R74)."""

    id: str
    duration: Millis
    once_per: str | None = None
    label: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OptIn:
    """Clear the contact's opt-out (R75)."""

    id: str
    once_per: str | None = None
    label: Text | None = None


Action: TypeAlias = Send | Call | Agent | Notify | Tag | SetPause | OptIn
