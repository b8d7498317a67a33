"""The `actions` section: what a transition may ask for, kind by kind."""

from collections.abc import Callable, Collection
from enum import StrEnum

from engine.core.document_reader import Place
from engine.core.document_sends import read_send
from engine.core.flow import SECOND, Action, Agent, Call, Notify, OptIn, SetPause, Tag


class Kind(StrEnum):
    """The kinds of action."""

    SEND = "send"
    CALL = "call"
    AGENT = "agent"
    NOTIFY = "notify"
    TAG = "tag"
    SET_PAUSE = "set_pause"
    OPT_IN = "opt_in"


class Method(StrEnum):
    """The HTTP verbs of a call."""

    GET = "GET"
    POST = "POST"
    PUT = "PUT"
    PATCH = "PATCH"
    DELETE = "DELETE"


_ALWAYS = ("kind", "once_per", "label")
_CALL = ("url", "method", "headers", "body", "undo", "verify", "timeout", "on_ok", "on_error", "on_timeout")


def read_actions(place: Place, events: Collection[str]) -> dict[str, Action]:
    """Every action by its id. `events` are the names that a call's results may have."""
    actions: dict[str, Action] = {}
    ids = place.value if isinstance(place.value, dict) else {}

    def one(name: str, entry: Place) -> None:
        kind_place = (
            Place(entry.value.get("kind"), entry.at("kind"), entry.notes) if isinstance(entry.value, dict) else None
        )
        if kind_place is None or kind_place.value is None:
            entry.table(_ALWAYS, ("kind",))
            return
        kind = kind_place.choice(Kind)
        if kind is None:
            return
        made = read_call(name, entry, events, ids) if kind is Kind.CALL else _READERS[kind](name, entry, ids)
        if made is not None:
            actions[name] = made

    place.named(5_000, one)
    return actions


def _once(keys: dict[str, Place]) -> str | None:
    return keys["once_per"].string() if "once_per" in keys else None


def read_call(name: str, place: Place, events: Collection[str], ids: Collection[str]) -> Call | None:
    """An HTTP effect (R40 to R42)."""
    keys = place.table((*_ALWAYS, *_CALL), ("url",))
    address = keys["url"].string() if "url" in keys else None
    if address is not None and not address.startswith(("https://", "http://", "{{")):
        keys["url"].wrong("not_an_address", value=address[:64])
    undo = keys["undo"].known("action", ids) if "undo" in keys else None
    if undo == name:
        keys["undo"].wrong("undo_itself")
    results = {key: keys[key].known("event", events) for key in ("on_ok", "on_error", "on_timeout") if key in keys}
    headers = keys["headers"].entries(50) if "headers" in keys else {}
    method = keys["method"].choice(Method) if "method" in keys else None
    if address is None:
        return None
    return Call(
        id=name,
        url=address,
        method=method or Method.POST,
        headers={key: entry.string() or "" for key, entry in headers.items()},
        body=keys["body"].string() if "body" in keys else None,
        once_per=_once(keys),
        undo=undo,
        verify=keys["verify"].string() if "verify" in keys else None,
        timeout=(keys["timeout"].duration() if "timeout" in keys else None) or 30 * SECOND,
        label=keys["label"].text() if "label" in keys else None,
        **results,
    )


def _send(name: str, place: Place, ids: Collection[str]) -> Action | None:
    del ids
    return read_send(name, place)


def _agent(name: str, place: Place, ids: Collection[str]) -> Action | None:
    keys = place.table((*_ALWAYS, "prompt", "tools", "fallback"), ("prompt",))
    prompt = keys["prompt"].string() if "prompt" in keys else None
    reading, writing = _tools(keys["tools"]) if "tools" in keys else ((), ())
    fallback = keys["fallback"].known("action", ids) if "fallback" in keys else None
    if fallback == name:
        keys["fallback"].wrong("fallback_itself")
    if prompt is None:
        return None
    return Agent(
        id=name,
        prompt=prompt,
        tools=reading,
        write_tools=writing,
        fallback=fallback,
        once_per=_once(keys),
        label=keys["label"].text() if "label" in keys else None,
    )


def _tools(place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names alone only read; the long form says which ones write (R50)."""
    if isinstance(place.value, list | tuple):
        return place.strings(), ()
    keys = place.table(("read", "write"))
    reading = keys["read"].strings() if "read" in keys else ()
    return reading, keys["write"].strings() if "write" in keys else ()


def _notify(name: str, place: Place, ids: Collection[str]) -> Action | None:
    del ids
    keys = place.table((*_ALWAYS, "text", "to"), ("text",))
    text = keys["text"].text() if "text" in keys else None
    to = keys["to"].string() if "to" in keys else None
    label = keys["label"].text() if "label" in keys else None
    return None if text is None else Notify(id=name, text=text, to=to, once_per=_once(keys), label=label)


def _tag(name: str, place: Place, ids: Collection[str]) -> Action | None:
    del ids
    keys = place.table((*_ALWAYS, "add", "remove"))
    adding = keys["add"].strings() if "add" in keys else ()
    removing = keys["remove"].strings() if "remove" in keys else ()
    if not adding and not removing:
        place.wrong("tags_missing")
    label = keys["label"].text() if "label" in keys else None
    return Tag(id=name, add=adding, remove=removing, once_per=_once(keys), label=label)


def _set_pause(name: str, place: Place, ids: Collection[str]) -> Action | None:
    del ids
    keys = place.table((*_ALWAYS, "duration"), ("duration",))
    wait = keys["duration"].duration() if "duration" in keys else None
    label = keys["label"].text() if "label" in keys else None
    return None if wait is None else SetPause(id=name, duration=wait, once_per=_once(keys), label=label)


def _opt_in(name: str, place: Place, ids: Collection[str]) -> Action | None:
    del ids
    keys = place.table(_ALWAYS)
    return OptIn(id=name, once_per=_once(keys), label=keys["label"].text() if "label" in keys else None)


_READERS: dict[Kind, Callable[[str, Place, Collection[str]], Action | None]] = {
    Kind.SEND: _send,
    Kind.AGENT: _agent,
    Kind.NOTIFY: _notify,
    Kind.TAG: _tag,
    Kind.SET_PAUSE: _set_pause,
    Kind.OPT_IN: _opt_in,
}
