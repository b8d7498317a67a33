"""Where a document's tree names a state, an action or an event, and how to replace the name everywhere."""

from collections.abc import Callable, Mapping

from engine.core.errors import Refused

Tree = dict[str, object]
Change = Callable[[object], object]
_ARROWS = ("transitions", "globals")


def renamed_state(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Every mention of a state: arrows, exceptions, `ignore`, rules, `initial`."""
    swap = _swap(name, to)
    made = _arrows(tree, {"from": swap, "to": swap, "except": swap})
    made = _listed(made, "ignore", {"state": swap})
    made = _listed(
        made, "rules", {"leads_to": swap, "after": _inside("state", swap), "only_after": _inside("state", swap)}
    )
    return {**made, "initial": swap(made["initial"])} if "initial" in made else made


def renamed_action(tree: Mapping[str, object], name: str, to: str) -> Tree:
    """Every mention of an action: arrows, rules, fallbacks and compensations."""
    swap = _swap(name, to)
    made = _arrows(tree, {"do": swap})
    inner = _inside("do", swap)
    made = _listed(made, "rules", {"never": inner, "after": inner, "only_after": inner, "do": swap, "unless": swap})
    return _entries(made, "actions", {"fallback": swap, "undo": swap, "verify": swap})


def renamed_event(tree: Mapping[str, object], name: str, to: str, *, choices: bool = True) -> Tree:
    """Every mention of an event: arrows, fallbacks, understanding, `ignore`, rules, results of calls, and with
    `choices` buttons and rows whose id is the event that they mean.
    """
    swap = _swap(name, to)
    made = _arrows(tree, {"on": swap})
    made = _listed(made, "ignore", {"on": swap})
    made = _listed(made, "understanding", {"event": swap, **({"buttons": swap} if choices else {})})
    inner = _inside("event", swap)
    made = _listed(made, "rules", {"always": swap, "after": inner, "only_after": inner})
    made = _entries(made, "events", {"falls_back_to": swap})
    inside: dict[str, Change] = {"on_ok": swap, "on_error": swap, "on_timeout": swap}
    if choices:
        ids = _each(_inside("id", swap))
        payloads = _inside("buttons", _each(_inside("payload", swap)))
        inside |= {"buttons": ids, "list": _inside("rows", ids), "template": payloads}
    return _entries(made, "actions", inside)


def without_state(tree: Mapping[str, object], name: str, redirect_to: str | None) -> Tree:
    """No mention of a state any more; where it stood as a target stands `redirect_to`, if there is one."""
    made: Tree = {**tree}
    for key in _ARROWS:
        if isinstance(rows := tree.get(key), list | tuple):
            made[key] = [
                _without_exception(row, name)
                for row in rows
                if not _is(row, "from", name) and (redirect_to is not None or not _is(row, "to", name))
            ]
    if isinstance(rows := tree.get("ignore"), list | tuple):
        made["ignore"] = [row for row in rows if not _is(row, "state", name)]
    if redirect_to is not None:
        return renamed_state(made, name, redirect_to)
    if renamed_state(made, name, "_") != made:
        raise Refused("used_by_rule", state=name)
    return made


def _is(row: object, key: str, name: str) -> bool:
    return isinstance(row, Mapping) and row.get(key) == name


def _without_exception(row: object, name: str) -> object:
    if not isinstance(row, Mapping) or "except" not in row:
        return row
    given = row["except"]
    left = [entry for entry in (given if isinstance(given, list | tuple) else [given]) if entry != name]
    kept = {key: value for key, value in row.items() if key != "except"}
    return {**kept, "except": left} if left else kept


def _swap(name: str, to: str) -> Change:
    def change(value: object) -> object:
        if isinstance(value, list | tuple):
            return [to if entry == name else entry for entry in value]
        return to if value == name else value

    return change


def _inside(key: str, change: Change) -> Change:
    def deeper(value: object) -> object:
        return _changed(value, {key: change})

    return deeper


def _each(change: Change) -> Change:
    def change_all(value: object) -> object:
        return [change(entry) for entry in value] if isinstance(value, list | tuple) else value

    return change_all


def _changed(row: object, changes: Mapping[str, Change]) -> object:
    if not isinstance(row, Mapping):
        return row
    return {key: changes[key](value) if key in changes else value for key, value in row.items()}


def _arrows(tree: Mapping[str, object], changes: Mapping[str, Change]) -> Tree:
    made: Tree = {**tree}
    for key in _ARROWS:
        made = _listed(made, key, changes)
    return made


def _listed(tree: Mapping[str, object], section: str, changes: Mapping[str, Change]) -> Tree:
    rows = tree.get(section)
    if not isinstance(rows, list | tuple):
        return {**tree}
    return {**tree, section: [_changed(row, changes) for row in rows]}


def _entries(tree: Mapping[str, object], section: str, changes: Mapping[str, Change]) -> Tree:
    entries = tree.get(section)
    if not isinstance(entries, Mapping):
        return {**tree}
    return {**tree, section: {name: _changed(entry, changes) for name, entry in entries.items()}}
