"""The composer of a conversation: a message, a template, a file or a note; what was typed comes back whatever happens."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.core.errors import Refused
from engine.core.platform_templates import filled
from engine.core.sent_kinds import ACCEPT
from engine.runtime import Runtime
from engine.services import canned, write_template
from engine.services.write_template import Choice
from web.desk_words import who
from web.i18n import gettext
from web.log_words import told
from web.refusals import sentence
from web.talk_pages import Talk

__all__ = ["MODES", "Composer", "Short", "composer", "lost"]

MODES = ("text", "template", "file", "note")


@dataclass(frozen=True, slots=True)
class Short:
    """A reply to choose: its number, its shortcut and how it begins."""

    id: int
    shortcut: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Composer:
    """What templates/conversations/_compose.html reads. `locked`: no free text may leave now; `chosen` is the template
    that is being filled in, `values` what is in its fields, `preview` how the customer reads it; `problem` is a refusal.
    """

    mode: str
    locked: bool
    seen: str
    text: str = ""
    problem: str = ""
    choices: tuple[Choice, ...] = ()
    chosen: Choice | None = None
    values: tuple[str, ...] = ()
    preview: str = ""
    replies: tuple[Short, ...] = ()
    accept: str = ACCEPT


async def composer(
    runtime: Runtime, talk: Talk, *, mode: str = "", given: Mapping[str, str] | None = None, problem: str = ""
) -> Composer:
    """The composer as a form left it. Outside of the 24 hours a message becomes a template; a note is always possible."""
    form = given or {}
    locked = bool(talk.bar.locked)
    shown = mode if mode in MODES else "text"
    if locked and shown in ("text", "file"):
        shown = "template"
    choices = await write_template.choices(runtime, talk.page.id)
    chosen = next((one for one in choices if one.key == form.get("template")), None)
    values: tuple[str, ...] = ()
    if chosen is not None:
        values = tuple(form.get(f"value.{n}", value) for n, value in enumerate(chosen.values, start=1))
    return Composer(
        mode=shown,
        locked=locked,
        seen=talk.page.state,
        text=form.get("text", ""),
        problem=problem,
        choices=choices,
        chosen=chosen,
        values=values,
        preview="" if chosen is None else filled(chosen.body, values),
        replies=tuple(
            Short(one.id, one.shortcut, " ".join(one.text.split())[:120]) for one in await canned.everything(runtime)
        ),
    )


def lost(refusal: Refused, talk: Talk) -> str:
    """Why nothing was sent; where the conversation moved on meanwhile, what happened to it."""
    if refusal.code == "taken_already":
        return sentence(Refused(refusal.code, who=who(str(refusal.facts.get("who") or ""))))
    if refusal.code != "state_changed":
        return sentence(refusal)
    was, now = refusal.facts.get("was"), refusal.facts.get("now")
    moved = next((one for one in reversed(talk.page.entries) if one.to == now and one.frm != one.to), None)
    because = "" if moved is None else f" ({told(moved, talk.page.flow, talk.page.now).text})"
    words = gettext(
        "While you were at it the conversation went from %(was)s to %(now)s%(because)s. Nothing was done, and what you "
        "typed is still here: look again, and send it if it still fits."
    )
    return words % {"was": was, "now": now, "because": because}
