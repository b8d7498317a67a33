"""YAML as flow files use it: the plain types of JSON, nothing executable, no aliases, no key twice.

YAML 1.1 reads `on:` as true, `no` as false and `21:00` as a number of minutes; a flow file means the words. So only
true and false are flags, numbers are decimal, and everything else without quotes is a text.
"""

import re
from collections.abc import Hashable
from typing import Any

import yaml
from yaml.constructor import ConstructorError
from yaml.nodes import MappingNode, Node

__all__ = ["MAX_DEPTH", "PlainLoader", "load"]

MAX_DEPTH = 48


class PlainLoader(yaml.SafeLoader):
    """A safe loader that knows the types of JSON only. Raises yaml.YAMLError with the line and column."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012  PyYAML's own attribute

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: Node | None, index: int) -> Node | None:
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]  # PyYAML's stubs leave it out
        if self.check_event(yaml.AliasEvent):
            raise ConstructorError(None, None, "aliases are not allowed", mark)
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise ConstructorError(None, None, "too many levels", mark)
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[Hashable] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise ConstructorError(None, None, "a key has to be a text", key_node.start_mark)
            if key in seen:
                raise ConstructorError(None, None, f"the key {key!r} is there twice", key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep=deep)


for _tag, _pattern, _first in (
    ("bool", r"(?:true|false)", "tf"),
    ("int", r"-?(?:0|[1-9][0-9]{0,18})", "-0123456789"),
    ("float", r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]{1,3})?", "-0123456789"),
    ("null", r"(?:null|~|)", ["n", "~", ""]),
):
    PlainLoader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^{_pattern}$"), list(_first))


def load(text: str) -> object:
    """The tree of a YAML (or JSON) text. Raises yaml.YAMLError."""
    loader = PlainLoader(text)
    try:
        return loader.get_single_data()
    finally:
        loader.dispose()
