"""What each form of rule means, written a second time and for one concrete run: a monitor is told each step and says
whether the rule is broken by now. The checker, which judges all runs at once, is held against it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.core.durations import parse
from engine.core.flow import Agent, Flow, Rule, Send, Source
from engine.core.templating import render
from tests.core.corpus.runs import Done

Monitor = Callable[[Done], bool]


def broken_at(flow: Flow, rule: Rule, run: Iterable[Done]) -> int | None:
    """The number of the first step that breaks the rule, from 0."""
    monitor = MONITORS[rule.kind](flow, rule.body)
    return next((number for number, done in enumerate(run) if monitor(done)), None)


def breaking(flow: Flow, rule: Rule, number: int) -> Callable[[list[Done]], bool]:
    """Whether a run breaks the rule with the step of this number, and not before."""
    return lambda run: broken_at(flow, rule, run) == number


def sends(flow: Flow, done: Done) -> int:
    return sum(isinstance(flow.actions[name], Send | Agent) for name in done.step.actions)


def _counts_as(event: str, done: Done) -> bool:
    """Whether it is the event, or one that was taken for it."""
    return event in (done.event.type, done.step.event_type if done.step.taken is not None else "")


def _is(what: Mapping[str, str], done: Done) -> bool:
    """Whether `{state: …}`, `{event: …}` or `{do: …}` holds after the step."""
    (kind, name), *_ = what.items()
    if kind == "state":
        return done.step.snapshot.state == name
    return _counts_as(name, done) if kind == "event" else name in done.step.actions


def never(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R1: from the step after `after` on, until one of the `unless` leaves."""
    begun = body["after"] == {"state": flow.initial}

    def seen(done: Done) -> bool:
        nonlocal begun
        lifted = bool(set(body.get("unless", ())) & set(done.step.actions))
        broken = begun and body["never"]["do"] in done.step.actions and not lifted
        begun = (begun and not lifted) or _is(body["after"], done)
        return broken

    return seen


def always(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R2: the state after the event is a target, moved or not."""
    targets = [body["leads_to"]] if isinstance(body["leads_to"], str) else body["leads_to"]
    return lambda done: _counts_as(body["always"], done) and done.step.snapshot.state not in targets


def sends_without_reply(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R3: sends on other steps than messages, since the last message."""
    count = 0

    def seen(done: Done) -> bool:
        nonlocal count
        count = 0 if done.is_inbound else count + sends(flow, done)
        return count > body["at_most"]

    return seen


def window(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R4: a send without a template when the last message is as old as the window, or there is none."""
    longest = parse(body["window"]) or 0

    def seen(done: Done) -> bool:
        actions = [flow.actions[name] for name in done.step.actions]
        free = any(isinstance(action, Send) and action.template is None for action in actions)
        return free and (done.age is None or done.age >= longest)

    return seen


def at_most(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R5: executions with one value of `once_per`; without it, all of them."""
    once_per = getattr(flow.actions[body["do"]], "once_per", None)
    seen_before: Counter[str] = Counter()

    def seen(done: Done) -> bool:
        times = done.step.actions.count(body["do"])
        if once_per is not None:
            key = render(flow, once_per, {f"event.{name}": value for name, value in done.event.data.items()})
            times = int(times > 0 and not seen_before[key])  # what leaves a second time is held back by its key
        else:
            key = ""
        seen_before[key] += times
        return times > 0 and seen_before[key] > body["at_most"]

    return seen


def only_after(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R6: what has to come first comes no later than in the same step; an action, earlier in it."""
    begun = body["only_after"] == {"state": flow.initial}
    first, name = body["only_after"].get("do"), body["do"]

    def seen(done: Done) -> bool:
        nonlocal begun
        do, now = done.step.actions, _is(body["only_after"], done)
        in_time = now and (first is None or do.index(first) < (do.index(name) if name in do else 0))
        broken = name in do and not (begun or in_time)
        begun = begun or now
        return broken

    return seen


def echo(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R7: what is sent to messages in a row without leaving the state."""
    count = 0

    def seen(done: Done) -> bool:
        nonlocal count
        if done.step.snapshot.state != done.before.state:
            count = 0
        elif done.is_inbound:
            count += sends(flow, done)
        return count > body["echo"]

    return seen


def no_nudge_unanswered(flow: Flow, body: Mapping[str, Any]) -> Monitor:
    """R8: a send of the clock while the last message moved nothing."""
    unheard = False

    def seen(done: Done) -> bool:
        nonlocal unheard
        if done.is_inbound:
            unheard = done.step.taken is None
        return unheard and done.event.source is Source.CLOCK and sends(flow, done) > 0

    return seen


MONITORS: Mapping[str, Callable[[Flow, Mapping[str, Any]], Monitor]] = {
    "never": never,
    "always": always,
    "sends_without_reply": sends_without_reply,
    "window": window,
    "at_most": at_most,
    "only_after": only_after,
    "echo": echo,
    "no_nudge_unanswered": no_nudge_unanswered,
}
