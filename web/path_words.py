"""The way to where something goes wrong, one sentence a step: "NOVO, mensagem → ENGAJADO, faz boas vindas"."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import quote

from engine.core.checks.examples import sample
from engine.core.flow import Flow
from engine.core.sentences import action_name
from web import i18n
from web.flow_words import event_label
from web.i18n import gettext

__all__ = ["Step", "steps"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its sentence, and the arrow that it takes with a link to it; "" where nothing answers.

    `times` is how often in a row it is made.
    """

    words: str
    arrow: str
    href: str
    times: int = 1


def steps(flow: Flow, path: Iterable[Mapping[str, object]], link: str) -> tuple[Step, ...]:
    """The steps of `Finding.path`; `link` is the address to which a selection is added."""
    alike = groupby(_step(flow, step, link) for step in path)
    return tuple(replace(step, times=len(list(same))) for step, same in alike)


def _step(flow: Flow, step: Mapping[str, object], link: str) -> Step:
    frm, event, to = (str(step.get(key) or "") for key in ("from", "event", "to"))
    arrow = str(step.get("transition") or "")
    facts = {"state": frm, "event": event_label(flow, event, flow.states.get(frm)), "to": to}
    if not arrow:
        words = gettext("%(state)s, %(event)s: no arrow fires") % facts
    elif frm == to:
        words = gettext("%(state)s, %(event)s, stays") % facts
    else:
        words = gettext("%(state)s, %(event)s → %(to)s") % facts
    done = step.get("do")
    names = [action_name(flow, str(name), i18n.current()) for name in done] if isinstance(done, list | tuple) else []
    if names:
        words = gettext("%(step)s, does %(actions)s") % {"step": words, "actions": ", ".join(names)}
    values = step.get("values")
    if isinstance(values, Mapping) and values:
        language = "en" if i18n.current() == "en" else "pt-BR"
        needed = ", ".join(f"{name} = {value}" for name, value in sample(values, language))
        words = gettext("%(step)s (with %(values)s)") % {"step": words, "values": needed}
    return Step(words, arrow, f"{link}t:{quote(arrow)}" if arrow else "")
