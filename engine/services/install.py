"""The first start of an installation: sample flows, a test phone, and the way in for the first admin."""

from collections.abc import Coroutine, Mapping
from contextlib import suppress

from engine import samples
from engine.core.errors import Refused
from engine.core.permissions import Actor
from engine.runtime import Runtime
from engine.services import channels, publish, tokens
from engine.services.accounts import first_admin_link
from engine.store import flows, installation
from engine.store.lanes import Store

__all__ = ["AUTHOR", "first_start", "last_address"]

AUTHOR = Actor("Trilho")
LOADED = "samples_loaded"
ADDRESS = "address"
FIRST_FLOW = "venda"
PHONE_NAME = "Telefone de teste"
FIRST_TOKEN = "TRILHO_API_TOKEN"  # noqa: S105 - the name of a setting, which is how the token is called in lists


async def first_start(runtime: Runtime, trees: Mapping[str, Mapping[str, object]] | None = None) -> str | None:
    """Prepare an empty installation; the one-time token of the first admin, or None when an admin can sign in.

    Loads `venda` published and the other samples as drafts, each unless there is a flow of that name, with a built-in
    phone for `venda`; once for ever. May be called at every start, and by several processes at once. The schema must
    be current. Raises NotPublishable when the sample itself does not pass the checks.
    """
    if not await runtime.store.read(lambda tx: installation.value(tx, LOADED)):
        await _load(runtime, {name: samples.tree(name) for name in samples.names()} if trees is None else trees)
        await runtime.store.write(LOADED, lambda tx: installation.set_value(tx, LOADED, True))
    if (base := runtime.settings.base_url) is not None and await last_address(runtime.store) != base:
        await runtime.store.write(ADDRESS, lambda tx: installation.set_value(tx, ADDRESS, base))
    if runtime.settings.api_token is not None:
        await tokens.add(runtime, FIRST_TOKEN, AUTHOR, runtime.settings.api_token)
    return await first_admin_link(runtime)


async def last_address(store: Store) -> str | None:
    """Where the pages were when the installation was started last: other commands print links to them."""
    found = await store.read(lambda tx: installation.value(tx, ADDRESS))
    return found if isinstance(found, str) else None


async def _load(runtime: Runtime, trees: Mapping[str, Mapping[str, object]]) -> None:
    there = {draft.slug for draft in await runtime.store.read(flows.drafts)}
    for slug, tree in trees.items():
        if slug in there:
            continue
        if slug == FIRST_FLOW:
            await _quietly(channels.add(runtime, "phone", PHONE_NAME, AUTHOR, flow=slug))
            await _quietly(publish.publish_tree(runtime, tree, "", AUTHOR))
        else:
            await _quietly(publish.add_draft(runtime, tree, AUTHOR))


async def _quietly(step: Coroutine[object, object, object]) -> None:
    """A step that may have been done before, by a start that was cut short or by another process."""
    with suppress(Refused):
        await step
