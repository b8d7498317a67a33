"""Channels and payment sources: added, found by token, changed and removed at once for every process (SEC-S21)."""

import pytest

from engine.adapters.secrets import Vault
from engine.core.errors import BadSettings, NotFound, Refused
from engine.core.permissions import Actor
from engine.services import channels, connections, sources
from engine.store import audit
from tests.runtimes import a_runtime

LIVIA = Actor("livia@example.com", "10.0.0.1")
KEYS = {"app_secret": "canary-secret", "phone_number_id": "123", "base_url": "http://127.0.0.1:9000"}


async def add(runtime, name="Principal", **more):
    return await channels.add(runtime, "whatsapp_cloud", name, LIVIA, **{"values": KEYS, **more})


async def by_token(runtime, token):
    return await runtime.store.read(lambda tx: channels.by_token(tx, runtime.vault, token))


async def test_a_channel_is_found_by_its_token_with_its_secrets_in_clear(runtime):
    added = await add(runtime)
    assert len(added.token) >= 32
    found = await by_token(runtime, added.token)
    assert found == added
    assert (found.flow, found.state) == ("venda", "ok")
    assert found.config.secrets == {"app_secret": "canary-secret"}
    assert found.config.settings == {"phone_number_id": "123", "base_url": "http://127.0.0.1:9000"}
    assert "canary-secret" not in repr(found)
    assert await by_token(runtime, "another") is None
    config = await runtime.store.read(lambda tx: channels.config_within(tx, runtime.vault, added.id))
    assert config == added.config


async def test_a_secret_stands_nowhere_in_the_database_and_opens_only_in_its_place(runtime, database_url):
    first, second = await add(runtime), await add(runtime, "Segundo")

    def everything(tx):
        return repr([tx.rows("SELECT * FROM channel"), tx.rows("SELECT * FROM audit")])

    assert "canary-secret" not in await runtime.store.read(everything)
    swap = "UPDATE channel SET secrets = (SELECT secrets FROM channel WHERE id = :one) WHERE id = :other"
    await runtime.store.write("k", lambda tx: tx.run(swap, one=first.id, other=second.id))
    with pytest.raises(BadSettings):
        await by_token(runtime, second.token)
    stranger = a_runtime(database_url, vault=Vault(b"x" * 32))
    with pytest.raises(BadSettings, match="another key"):
        await by_token(stranger, first.token)
    await stranger.close()


async def test_a_change_holds_for_every_process_at_once_and_an_empty_value_takes_a_key_away(runtime, database_url):
    added = await add(runtime)
    other = a_runtime(database_url)
    changed = await channels.change(
        other, added.id, LIVIA, name="Novo", values={"app_secret": "second", "phone_number_id": "", "number": "55"}
    )
    assert await by_token(runtime, added.token) == changed
    assert changed.config.name == "Novo"
    assert changed.config.secrets == {"app_secret": "second"}
    assert changed.config.settings == {"number": "55", "base_url": "http://127.0.0.1:9000"}
    assert (await channels.by_name(runtime, "Novo")).id == added.id
    await other.close()


async def test_a_removed_channel_is_unknown_and_its_name_and_token_are_free_again(runtime):
    added = await add(runtime, token="my-token")
    await channels.remove(runtime, added.id, LIVIA)
    assert await by_token(runtime, "my-token") is None
    assert await channels.everything(runtime) == []
    with pytest.raises(NotFound):
        await channels.remove(runtime, added.id, LIVIA)
    with pytest.raises(NotFound):
        await channels.by_name(runtime, "Principal")
    again = await add(runtime, token="my-token")
    assert again.id != added.id
    stored = await runtime.store.read(lambda tx: tx.value("SELECT secrets FROM channel WHERE id = :id", id=added.id))
    assert stored == "{}"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"values": {"app_secert": "x"}}, "key_unknown"),
        ({"values": {"base_url": "file:///etc/passwd"}}, "base_url_unreadable"),
        ({"values": {"app_secret": "x" * 5_000}}, "value_too_long"),
        ({"values": {"max_body": "abc"}}, "number_unreadable"),
        ({"values": {"max_body": "-1"}}, "number_unreadable"),
        ({"name": "  "}, "name_unusable"),
        ({"token": "a/b"}, "token_unusable"),
        ({"token": "taken"}, "name_or_token_taken"),
        ({"name": "There"}, "name_or_token_taken"),
    ],
)
async def test_what_cannot_be_used_is_refused_and_nothing_is_stored(runtime, more, code):
    await add(runtime, "There", token="taken")
    with pytest.raises(Refused) as caught:
        await add(runtime, **more)
    assert caught.value.code == code
    assert len(await channels.everything(runtime)) == 1


async def test_kinds_and_flows_that_do_not_exist_are_refused(runtime):
    with pytest.raises(NotFound):
        await channels.add(runtime, "telegraph", "N", LIVIA)
    with pytest.raises(NotFound):
        await sources.add(runtime, "no-such-platform", "N", "venda", LIVIA)
    insert = (
        "INSERT INTO flow (slug, title, draft, revision, created_at, edited_at) VALUES ('venda', 'V', '{}', 1, 0, 0)"
    )
    await runtime.store.write("k", lambda tx: tx.run(insert))
    with pytest.raises(NotFound):
        await add(runtime, flow="vendda")


async def test_a_payment_source_maps_outcomes_to_the_events_of_its_flow(runtime):
    values = {"hottok": "canary-hottok", "event.approved": "comprou"}
    added = await sources.add(runtime, "hotmart", "Loja", "venda", LIVIA, values=values)
    found = await runtime.store.read(lambda tx: sources.source_by_token(tx, runtime.vault, added.token))
    assert found == added
    assert found.config.secrets == {"hottok": "canary-hottok"}
    assert (found.events["approved"], found.events["pix"]) == ("comprou", "pix_gerado")
    changed = await sources.change(runtime, added.id, LIVIA, values={"event.approved": "", "hottok": "other"})
    assert changed.events["approved"] == "pagamento_aprovado"
    assert changed.config.secrets == {"hottok": "other"}
    with pytest.raises(Refused):
        await sources.change(runtime, added.id, LIVIA, values={"event.aproved": "x"})
    assert [one.id for one in await sources.everything(runtime)] == [added.id]
    await sources.remove(runtime, added.id, LIVIA)
    assert await runtime.store.read(lambda tx: sources.source_by_token(tx, runtime.vault, added.token)) is None


async def test_every_change_is_in_the_audit_log_with_names_of_keys_and_never_their_values(runtime):
    added = await add(runtime)
    await channels.change(runtime, added.id, LIVIA, values={"app_secret": "second"})
    await channels.remove(runtime, added.id, LIVIA)
    entries = await runtime.store.read(audit.listed)
    assert [entry.what for entry in reversed(entries)] == ["channel.added", "channel.changed", "channel.removed"]
    assert '"keys":["app_secret","base_url","phone_number_id"]' in entries[2].facts


class OneMadeMeanwhile:
    """A transaction that sees what others commit: no flow at its first look, `venda` at every later one."""

    dialect = "postgresql"

    def __init__(self):
        self.there = []

    def rows(self, sql, **params):
        seen, self.there = self.there, [dict.fromkeys(("title", "document", "live", "edited_by"), "") | FIRST]
        return seen

    def one(self, sql, **params):
        return next(iter(self.rows(sql, **params)), None)


FIRST = {"slug": "venda", "revision": 1, "created_at": 0, "edited_at": 0}


def test_the_first_flow_being_made_by_another_process_refuses_no_channel():
    assert connections.usable_flow(OneMadeMeanwhile(), "venda") == "venda"
