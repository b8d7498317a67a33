"""R1 to R8: every safety rule of the flow is proved, or told of with the run that breaks it, or told to be undecided."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.core.checks.findings import Finding, Where
from engine.core.checks.model.automata import automaton, names, table, whole
from engine.core.checks.model.repairs import repairs
from engine.core.checks.model.replay import Ran
from engine.core.checks.model.verdicts import Proved, Verdict, Violated, World, decide, run_breaks, too_late
from engine.core.checks.model.walks import shortest_break
from engine.core.checks.model.window import free_form, late_walk
from engine.core.checks.sentences import EN, PT, finding
from engine.core.durations import human, parse
from engine.core.flow import Flow, Rule, Source

CODES: Mapping[str, str] = {
    "never": "R1",
    "always": "R2",
    "sends_without_reply": "R3",
    "window": "R4",
    "at_most": "R5",
    "only_after": "R6",
    "echo": "R7",
    "no_nudge_unanswered": "R8",
}


def check_rules(world: World, told: Callable[[int], None] = lambda _: None) -> Iterator[Finding]:
    """A finding for each rule that is not proved. `facts["rule"]` is its number in the flow, from 0.

    `told` hears how many rules have been judged.
    """
    flow = world.lookups.flow
    for number, rule in enumerate(flow.rules):
        verdict = judge(world, rule)
        told(number + 1)
        if isinstance(verdict, Violated):
            yield _violated(world, number, rule, verdict.run)
        elif not isinstance(verdict, Proved):
            words = json.dumps(rule.body, ensure_ascii=False)
            code = CODES[rule.kind]
            yield finding(
                code, Where(), variant="unknown", verdict="unknown", rule=number, number=number + 1, words=words
            )


def judge(world: World, rule: Rule) -> Verdict:
    """The verdict on one rule."""
    if rule.kind == "window":
        window = parse(str(rule.body["window"])) or 0
        return decide(world, lambda p: late_walk(p, window), lambda run: too_late(window, run), late=True)
    made = automaton(world.lookups.flow, rule)
    return decide(world, lambda p: shortest_break(p, made), lambda run: run_breaks(made, run))


def told(run: Sequence[Ran]) -> tuple[Mapping[str, object], ...]:
    """The run as a finding holds it."""
    return tuple(
        {
            "event": ran.event,
            "from": ran.frm,
            "to": ran.to,
            "transition": None if ran.arrow is None else ran.arrow.id,
            "do": [] if ran.arrow is None else list(ran.arrow.do),
            "values": {n: list(v) if isinstance(v, tuple) else v for n, v in ran.values.items()},
        }
        for ran in run
    )


def _violated(world: World, number: int, rule: Rule, run: tuple[Ran, ...]) -> Finding:
    last, flow = run[-1], world.lookups.flow
    return finding(
        CODES[rule.kind],
        Where(last.frm, last.event, () if last.arrow is None else (last.arrow.id,)),
        path=told(run),
        fixes=tuple(repairs(world.lookups, rule, run))[:2],
        verdict="violated",
        rule=number,
        number=number + 1,
        **_facts(flow, rule, run),
    )


def _facts(flow: Flow, rule: Rule, run: Sequence[Ran]) -> dict[str, Any]:
    body, last = rule.body, run[-1]
    match rule.kind:
        case "never":
            return {"action": table(body["never"])["do"], "after": _one(body["after"])}
        case "always":
            return {"reached": last.to, "targets": names(body["leads_to"])}
        case "window":
            late = next(name for name in last.arrow.do if free_form(flow, (name,))) if last.arrow else ""
            if last.age is None:
                return {"action": late, "variant": "never"}
            return {"action": late, "age": {language: human(last.age, language) for language in (PT, EN)}}
        case "only_after":
            return {"action": body["do"], "before": _one(body["only_after"])}
        case "no_nudge_unanswered":
            return {"message": next(ran.event for ran in reversed(run) if ran.source is Source.MESSAGE)}
    limit = whole(body.get("at_most", body.get("echo")))
    return {"action": body.get("do"), "limit": limit, "count": limit + 1}


def _one(what: object) -> object:
    return next(iter(table(what).values()))
