"""What the commands of channels and of payment sources have in common: their options, and what they do and say."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from engine.cli.answers import as_json, listing, say, say_json
from engine.cli.opening import actor, base_url, settings_now, with_runtime

if TYPE_CHECKING:
    from engine.runtime import Runtime
    from engine.services.connect import Connections

__all__ = ["Commands", "address", "name_of", "named", "pairs", "shared"]


def pairs(_context: click.Context, _parameter: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    """`--set key=value` as a table. What is not a pair is not repeated: it may be a secret."""
    found: dict[str, str] = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise click.BadParameter("write it as key=value")
        if key.strip() in found:
            raise click.BadParameter(f"the key {key.strip()} is given twice")
        found[key.strip()] = value
    return found


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of adding and of changing."""
    return click.option(
        "--set", "values", multiple=True, callback=pairs, metavar="KEY=VALUE", help="A key; may be given many times."
    )(command)


def named(command: Callable[..., Any]) -> Callable[..., Any]:
    """The name of one that is there already: as the argument or as `--name`."""
    command = click.option("--name", "name_option", metavar="N", help="The same as NAME.")(command)
    return click.argument("name", required=False)(command)


def name_of(argument: str | None, option: str | None) -> str:
    """The one name that was given."""
    if (argument is None) == (option is None):
        raise click.UsageError("Say one NAME", click.get_current_context())
    return argument or option or ""


def address(path: str, token: str) -> str:
    """The webhook address with a token."""
    return f"{base_url(settings_now())}/hooks/{path}/{token}"


def _cell(value: object) -> object:
    """A table as `key=value, …`, anything else as it is."""
    return ", ".join(f"{key}={one}" for key, one in value.items()) if isinstance(value, dict) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The commands of one sort: `add` takes options of its own, the others differ in nothing but words.

    `connections` imports the services when a command runs, `shown` is a record without its secrets, `told` the sentence
    about one, `flow` what its flow is.
    """

    connections: "Callable[[], Connections[Any, Any]]"
    called: str
    plural: str
    columns: Sequence[str]
    shown: Callable[[Any], dict[str, Any]]
    told: str
    flow: str

    def add(self, kind: str, name: str, flow: str, token: str | None, values: dict[str, str], json_: bool) -> None:
        """Add one and tell its webhook address."""
        added = with_runtime(
            lambda runtime: self.connections().add(runtime, kind, name, flow, actor(), token=token, values=values)
        )
        self._tell(added, "added", json_)

    def onto(self, group: click.Group) -> None:
        """Give a group `list`, `set` and `remove`."""

        @group.command("list", help=f"List the {self.called}s, without their secrets.")
        @as_json
        def _list(json_: bool) -> None:
            found = [self.shown(one) for one in with_runtime(lambda runtime: self.connections().everything(runtime))]
            if json_:
                say_json({self.plural: found})
            else:
                listing([[_cell(row[column]) for column in self.columns] for row in found], self.columns)

        @group.command("set", help=f"Change a {self.called}; `--set key=` takes a key away.")
        @named
        @click.option("--rename", help="A new name.")
        @click.option("--flow", help=f"{self.flow} from now on.")
        @shared
        @as_json
        def _set(
            name: str | None,
            name_option: str | None,
            rename: str | None,
            flow: str | None,
            values: dict[str, str],
            json_: bool,
        ) -> None:
            chosen = name_of(name, name_option)

            async def work(runtime: "Runtime") -> Any:
                connections = self.connections()
                there = await connections.by_name(runtime, chosen)
                return await connections.change(runtime, there.id, actor(), name=rename, flow=flow, values=values)

            self._tell(with_runtime(work), "changed", json_)

        @group.command("remove", help=f"Take a {self.called} out of use: its webhook address is unknown from now on.")
        @named
        @as_json
        def _remove(name: str | None, name_option: str | None, json_: bool) -> None:
            chosen = name_of(name, name_option)

            async def work(runtime: "Runtime") -> None:
                connections = self.connections()
                await connections.remove(runtime, (await connections.by_name(runtime, chosen)).id, actor())

            with_runtime(work)
            if json_:
                say_json({"removed": chosen})
            else:
                say(f"{self.called.capitalize()} {chosen} removed.")

    def _tell(self, record: Any, what: str, json_: bool) -> None:
        shown = self.shown(record)
        if json_:
            say_json(shown)
            return
        say(self.told.format(what=what, **shown))
        say(f"Webhook address: {shown['address']}")
