"""The first start of an installation, and every later one."""

import asyncio
from pathlib import Path

from engine.services import accounts, channels, install, publish, tokens
from engine.settings import Settings
from engine.store import flows
from tests.runtimes import a_runtime
from tests.services.small_flow import small

TREES = {"venda": small(slug="venda"), "outro": small(slug="outro", title="Outro")}


async def test_the_first_start_publishes_venda_drafts_the_rest_and_lets_the_first_admin_in(runtime):
    token = await install.first_start(runtime, TREES)
    drafts = {draft.slug: draft.live for draft in await runtime.store.read(flows.drafts)}
    assert drafts == {"venda": 1, "outro": None}
    assert [version.author for version in await publish.publications(runtime, "venda")] == ["Trilho"]
    phones = await channels.everything(runtime)
    assert [(one.config.kind, one.config.name, one.flow) for one in phones] == [("phone", "Telefone de teste", "venda")]
    assert (await accounts.invitation(runtime, token)).purpose == "first_admin"


async def test_later_starts_change_nothing_and_give_a_fresh_link_until_there_is_an_admin(runtime):
    first = await install.first_start(runtime, TREES)
    phone = (await channels.everything(runtime))[0]
    await channels.remove(runtime, phone.id, install.AUTHOR)
    second = await install.first_start(runtime, {**TREES, "third": small(slug="third")})
    assert first != second
    assert len(await runtime.store.read(flows.drafts)) == 2
    assert await channels.everything(runtime) == []
    await accounts.use_link(runtime, second, "trem azul na serra", email="livia@example.com")
    assert await install.first_start(runtime, TREES) is None


async def test_a_flow_that_is_there_already_is_left_as_it_is(runtime):
    own = small(slug="venda", title="Minha venda")
    await publish.publish_tree(runtime, own, "", install.AUTHOR)
    await install.first_start(runtime, TREES)
    titles = {draft.slug: (draft.title, draft.live) for draft in await runtime.store.read(flows.drafts)}
    assert titles == {"venda": ("Minha venda", 1), "outro": ("Outro", None)}


async def test_several_processes_may_start_at_once(runtime, database_url):
    others = [a_runtime(database_url, ids=runtime.ids) for _ in range(2)]
    await asyncio.gather(*(install.first_start(one, TREES) for one in (runtime, *others)))
    assert len(await publish.publications(runtime, "venda")) == 1
    assert len(await channels.everything(runtime)) == 1
    for other in others:
        await other.close()


async def test_other_commands_learn_where_it_was_started_last(sqlite_url):
    """They print links to it: an address that nobody listens on helps nobody."""
    for base in ("http://127.0.0.1:9000", "https://vendas.example", None):
        settings = Settings(Path("unused"), database_url=sqlite_url, redis_url="redis://unused", base_url=base)
        runtime = a_runtime(sqlite_url, settings=settings)
        await install.first_start(runtime, TREES)
        assert await install.last_address(runtime.store) == (base or "https://vendas.example")
        await runtime.close()


async def test_the_token_of_the_environment_is_known(sqlite_url):
    plain = a_runtime(sqlite_url)
    settings = type(plain.settings)(
        data_dir=plain.settings.data_dir, database_url=sqlite_url, redis_url="redis://unused", api_token="t" * 40
    )
    runtime = a_runtime(sqlite_url, settings=settings)
    for _ in range(2):
        await install.first_start(runtime, TREES)
    assert await tokens.known(runtime, "t" * 40) == "TRILHO_API_TOKEN"
    await plain.close()
    await runtime.close()
