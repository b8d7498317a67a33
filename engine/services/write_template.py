"""An approved template written by a person: the only thing that leaves when the 24 hours are over (R28)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.adapters.channels.registry import CHANNELS
from engine.core.errors import NotFound, Refused
from engine.core.flow import Flow, Send, Value
from engine.core.permissions import Actor
from engine.core.platform_templates import APPROVED, Template, filled, sendable, wanted, words
from engine.core.templating import parameter, render
from engine.runtime import Runtime
from engine.services.canned import values_within
from engine.services.handwriting import queued
from engine.services.talk_unit import write
from engine.store import conversations, holds, templates
from engine.store.channels import kind_of
from engine.store.connection import Tx
from engine.store.conversations import Conversation

__all__ = ["LONGEST", "Choice", "choices", "write_template"]

LONGEST = 1_024
"""Characters of one value, and of the whole text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A template that may be sent here. `body` has its values as `{{1}}`; `values` are what the flow would put in, or
    nothing, one for each.
    """

    name: str
    language: str
    body: str
    values: tuple[str, ...]

    @property
    def key(self) -> str:
        """How a form names it."""
        return f"{self.name}/{self.language}"


async def choices(runtime: Runtime, conversation_id: int) -> tuple[Choice, ...]:
    """The templates that this conversation's channel would send now, by name; none on a channel without templates."""

    def unit(tx: Tx) -> tuple[Choice, ...]:
        conversation = conversations.load(tx, conversation_id, lock=False)
        if conversation is None:
            raise NotFound("conversation", conversation_id)
        flow = runtime.flows.within(tx, conversation.flow, conversation.flow_version)
        usable = _usable(tx, conversation)
        known = values_within(tx, runtime, conversation_id) if usable else {}
        return tuple(Choice(t.name, t.language, words(t), _given(flow, t, known)) for t in usable)

    return await runtime.store.read(unit)


async def write_template(
    runtime: Runtime,
    conversation_id: int,
    key: str,
    values: Sequence[str],
    form_token: str,
    actor: Actor,
    *,
    seen: str | None = None,
) -> bool:
    """Queue the template `name/language` with its values and pause the robot; False when this form did so already.

    Raises NotFound, and Refused: template_gone, template_value_missing, template_value_long, and what `queued` raises.
    """
    name, _, language = key.partition("/")
    given = [parameter(value) for value in values]

    def unit(tx: Tx) -> bool:
        conversation = conversations.load(tx, conversation_id)
        if conversation is None:
            raise NotFound("conversation", conversation_id)
        usable = {(t.name, t.language): t for t in _usable(tx, conversation)}
        chosen = usable.get((name, language))
        if chosen is None:
            raise Refused("template_gone")
        if len(given) != wanted(chosen) or not all(given):
            raise Refused("template_value_missing")
        said = filled(words(chosen), given)
        if len(said) > LONGEST:
            raise Refused("template_value_long", longest=LONGEST)
        # The words are for whoever reads the transcript: what leaves is the template.
        payload = {"text": said, "template": {"name": name, "language": language, "params": given}}
        return queued(tx, runtime, conversation_id, payload, form_token, actor, seen=seen, as_template=True)

    return await write(runtime, conversation_id, unit)


def _usable(tx: Tx, conversation: Conversation) -> list[Template]:
    kind = kind_of(tx, conversation.channel_id)
    if conversation.channel_id is None or kind is None or not CHANNELS[kind].capabilities.window:
        return []
    channel = conversation.channel_id
    return [
        known.template
        for _, known in sorted(templates.of_channel(tx, channel).items())
        if known.template.status == APPROVED
        and sendable(known.template)
        and not holds.of(tx, channel, {holds.TEMPLATE: f"{known.template.name}/{known.template.language}"})
    ]


def _given(flow: Flow, template: Template, known: Mapping[str, Value]) -> tuple[str, ...]:
    """What the flow itself would put into the template here."""
    for action in flow.actions.values():
        asked = action.template if isinstance(action, Send) else None
        if asked is not None and (asked.name, asked.language) == (template.name, template.language):
            values = [parameter(render(flow, text, known)) for text in asked.params]
            return tuple([*values, *[""] * wanted(template)][: wanted(template)])
    return ("",) * wanted(template)
