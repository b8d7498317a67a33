"""Messages of their own for a variant: copies of what an arrow sends, which every safety rule holds just as well."""

from collections.abc import Mapping
from copy import deepcopy

from engine.core.document_names import renamed_action
from engine.core.edits_tree import Tree, entry_of, names_of, rows_of, table_of

__all__ = ["with_own_messages"]


def with_own_messages(
    tree: Mapping[str, object], row: Mapping[str, object], letter: str
) -> tuple[Tree, Mapping[str, object]]:
    """The tree with a copy of each message that the arrow sends, and the arrow sending the copies. Names end on `_b`."""
    made: Tree = {**tree}
    named: list[object] = []
    for name in names_of(row.get("do")) if row.get("do") is not None else ():
        action = entry_of(table_of(made, "actions").get(str(name)))
        if action.get("kind") == "send":
            copy = _free(made, f"{name}_{letter}")
            made = {**made, "actions": {**table_of(made, "actions"), copy: deepcopy(dict(action))}}
            made = _ruled(made, str(name), copy)
            named.append(copy)
        else:
            named.append(name)
    return made, {**row, "do": named} if named else row


def _free(tree: Mapping[str, object], wanted: str) -> str:
    taken, name = table_of(tree, "actions"), wanted
    while name in taken:
        name += "_"
    return name


def _ruled(tree: Tree, name: str, copy: str) -> Tree:
    """What is said of the message is said of its copy: in rules of its own, and where one message excuses, both do."""
    if not rows_of(tree, "rules"):
        return tree
    rules = [_excused(rule, name, copy) for rule in rows_of(tree, "rules")]
    told = [{key: value for key, value in rule.items() if key != "unless"} for rule in rules]
    renamed = rows_of(renamed_action({"rules": told}, name, copy), "rules")
    more = [
        {**new, **{key: rule[key] for key in ("unless",) if key in rule}}
        for rule, old, new in zip(rules, told, renamed, strict=True)
        if new != old
    ]
    return {**tree, "rules": [*rules, *more]}


def _excused(rule: Mapping[str, object], name: str, copy: str) -> Mapping[str, object]:
    names = names_of(rule["unless"]) if "unless" in rule else []
    return {**rule, "unless": [*names, copy]} if name in names else rule
