"""`trilho replay`: recorded conversations decided again by another version of their flow."""

from typing import TYPE_CHECKING

import click

from engine.cli.answers import Unusable, as_json, instant, language, say, say_json
from engine.cli.opening import with_runtime
from engine.cli.reading import flow_meant

if TYPE_CHECKING:
    from engine.core.flow import Flow
    from engine.core.replaying import Decision
    from engine.runtime import Runtime
    from engine.services.replay import Replayed

_WORDS = {
    "pt-BR": {
        "tally": "{conversations} conversas, {decisions} decisões: {differing} seriam outras, {unclear} não dá para repetir.",
        "more": "e mais {more}",
        "caveat": "Os clientes poderiam ter respondido outra coisa.",
        "line": "conversa {conversation} em {at}, {state}, {event}: {was}; agora {now}",
        "moved": "vai para {to}",
        "stays": "fica",
        "does": ", faz {actions}",
        "wait": ", espera {wait} s",
        "gone": "o estado não existe",
        "no_transition": "sem seta",
        "ignored": "ignora de propósito",
        "ambiguous": "duas setas",
        "known_as": " (entendido como {event})",
    },
    "en": {
        "tally": "{conversations} conversations, {decisions} decisions: {differing} would differ, {unclear} cannot be repeated.",
        "more": "and {more} more",
        "caveat": "Customers might have answered differently.",
        "line": "conversation {conversation} at {at}, {state}, {event}: {was}; now {now}",
        "moved": "goes to {to}",
        "stays": "stays",
        "does": ", does {actions}",
        "wait": ", waits {wait} s",
        "gone": "there is no such state",
        "no_transition": "no arrow",
        "ignored": "ignored on purpose",
        "ambiguous": "two arrows",
        "known_as": " (understood as {event})",
    },
}
DRAFT = "draft"


@click.command(short_help="Recorded conversations decided again by another version.")
@click.argument("flow", metavar="FLOW")
@click.option("--against", required=True, metavar="VERSION", help="A version's number, `draft`, or a flow file.")
@click.option("--days", type=click.IntRange(1, 3650), default=7, show_default=True, help="How far back.")
@language
@as_json
def replay(flow: str, against: str, days: int, language: str, json_: bool) -> int:
    """Decide the recorded conversations of the flow FLOW (a slug) again by VERSION and tell every decision that differs.

    Nothing is sent and nothing is changed. Exit code 0 when no decision would differ, 1 when some would.
    """
    other = _meant(flow, against, language)
    if other.slug != flow:
        raise Unusable(("--against", f"It is a version of {other.slug}, not of {flow}."))

    async def work(runtime: "Runtime") -> "Replayed":
        from engine.core.errors import NotFound
        from engine.core.flow import DAY
        from engine.services.replay import replayed
        from engine.store import flows

        if await runtime.store.read(lambda tx: flows.draft(tx, flow)) is None:
            raise NotFound("flow", flow)
        return await replayed(runtime, flow, other, runtime.clock.now() - days * DAY)

    found = with_runtime(work)
    if json_:
        told = found.as_json()
        told["differences"] = [{**one, "at": instant(one["at"])} for one in told["differences"]]
        say_json({"flow": flow, "against": {"name": against, "sha256": other.sha256}, "days": days, **told})
    else:
        _tell(found, _WORDS[language])
    return int(found.differing > 0)


def _meant(slug: str, against: str, language: str) -> "Flow":
    name = slug if against == DRAFT else f"{slug}@{against}" if against.isascii() and against.isdigit() else against
    return flow_meant(name, language).flow


def _tell(found: "Replayed", words: dict[str, str]) -> None:
    for one in found.differences:
        say(
            words["line"].format(
                conversation=one.conversation,
                at=instant(one.at),
                state=one.state,
                event=one.was.event,
                was=_said(one.was, one.state, words),
                now=_said(one.now, one.state, words)
                + (words["known_as"].format(event=one.now.event) if one.now.event != one.was.event else ""),
            )
        )
    if found.differing > len(found.differences):
        say(words["more"].format(more=found.differing - len(found.differences)))
    counts = {name: getattr(found, name) for name in ("conversations", "decisions", "differing", "unclear")}
    say(words["tally"].format(**counts))
    if found.differing:
        say(words["caveat"])


def _said(made: "Decision", state: str, words: dict[str, str]) -> str:
    if made.to is None:
        return words[made.outcome]
    told = words["stays"] if made.to == state else words["moved"].format(to=made.to)
    told += words["does"].format(actions=", ".join(made.actions)) if made.actions else ""
    return told + (words["wait"].format(wait=made.wait // 1000) if made.wait is not None else "")
