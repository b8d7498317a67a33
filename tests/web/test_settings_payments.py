"""The pages of payment sources: what notices become, what they did, those that were refused or not understood.

SEC-S21.
"""

import json

import pytest
import pytest_asyncio

from engine.adapters.payments.registry import PLATFORMS
from engine.core.permissions import Role
from engine.services import channels, publish, receive, sources, take_payment
from engine.store import audit
from tests.payload_files import load
from tests.services.small_flow import small
from tests.services.work import settle
from tests.web.conftest import ACTOR
from tests.web.pages_read import read
from web.connection_names import described

PLACE = "/settings/payments"
BODIES = "/settings/webhooks"
SECRET = "canario-hottok"
PAYMENTS = {
    "msg_recebida": {"source": "message"},
    "pagamento_aprovado": {"source": "payment", "label": "pagou"},
    "devolveu": {"source": "payment"},
}


@pytest_asyncio.fixture
async def shop(runtime):
    """A flow that knows two payment events, one of which no arrow uses, and a source for it."""
    tree = small(events=PAYMENTS, globals=[{"id": "g1", "on": "pagamento_aprovado", "to": "FIM"}])
    await publish.publish_tree(runtime, tree, "primeira", ACTOR)
    return await sources.add(runtime, "hotmart", "Loja", "pequeno", ACTOR, values={"hottok": SECRET})


@pytest_asyncio.fixture
async def admin(signed_in, shop):
    return await signed_in(Role.ADMIN)


def notice(runtime, name="evt-1", event="PURCHASE_APPROVED", transaction="HP1"):
    body = load("hotmart/purchase_approved_card.json") | {"id": name, "event": event}
    body["creation_date"] = runtime.clock.now()
    body["data"]["purchase"]["transaction"] = transaction
    return json.dumps(body).encode()


async def sent(runtime, shop, raw, secret=SECRET):
    answer = await receive.payment(runtime, shop.token, {"x-hotmart-hottok": secret}, {}, raw)
    await settle(runtime)
    return answer.status


async def map_form(admin, outcome):
    page = read((await admin.get(PLACE)).text)
    return next(form for form in page.forms if form.fields.get("outcome") == [outcome])


async def of(runtime, shop):
    return await sources.SOURCES.by_id(runtime, shop.id)


async def test_a_source_is_added_with_plain_forms_and_its_address_is_shown(runtime, admin):
    assert f"{PLACE}/new?platform=hotmart" in read((await admin.get(f"{PLACE}/new")).text).links
    form = read((await admin.get(f"{PLACE}/new?platform=hotmart")).text).form(ident="connection")
    assert set(form.fields) == {"_csrf", "platform", "name", "flow", "key.hottok", "many.product."}

    response = await admin.post(form.action, form.data(**{"name": "Outra", "key.hottok": "segredo-novo"}))

    added = await sources.by_name(runtime, "Outra")
    assert response.headers["location"] == f"{PLACE}/{added.id}?done=added"
    assert added.config.secrets == {"hottok": "segredo-novo"}
    page = (await admin.get(response.headers["location"])).text
    assert f"http://trilho.test/hooks/pay/{added.token}" in page
    assert "segredo-novo" not in page


def test_every_key_of_every_platform_and_channel_is_described() -> None:
    keys = {(name, key.name) for name, platform in PLATFORMS.items() for key in platform.keys}
    keys |= {("", key) for known in channels.KEYS.values() for key in (*known.settings, *known.secrets)}
    keys.add(("json", "product."))

    assert [
        one for one in sorted(keys) if not described(one[1], one[0]).label or described(one[1], one[0]).label == one[1]
    ] == []


async def test_a_generic_platform_is_told_in_lines_what_its_notices_and_products_mean(runtime, admin):
    await publish.add_draft(runtime, small(slug="outro"), ACTOR)
    form = read((await admin.get(f"{PLACE}/new?platform=json")).text).form(ident="connection")
    lines = "sale.paid = approved\n\n  sale.refund=refunded "
    filled = {"name": "Minha", "key.event_path": "event", "many.outcome.": lines, "many.product.": "Curso A = outro"}

    await admin.post(form.action, form.data(**filled))

    added = await sources.by_name(runtime, "Minha")
    assert dict(added.config.settings) == {
        "event_path": "event", "outcome.sale.paid": "approved", "outcome.sale.refund": "refunded", "product.Curso A": "outro",
    }  # fmt: skip
    again = read((await admin.get(f"{PLACE}/{added.id}")).text).form(ident="connection")
    assert again.fields["many.outcome."][0].strip() == "sale.paid = approved\nsale.refund = refunded"
    await admin.post(again.action, again.data(**{"many.outcome.": "sale.paid = pix"}))
    kept = (await sources.by_name(runtime, "Minha")).config.settings
    assert (kept.get("outcome.sale.paid"), kept.get("outcome.sale.refund")) == ("pix", None)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"many.outcome.": "sale.paid"}, "many.outcome.", "“sale.paid” não diz nome e valor"),
        ({"many.outcome.": "sale.paid = paid"}, "many.outcome.", "Um tipo de aviso pode significar: approved"),
        ({"many.product.": "Curso = nada"}, "many.product.", "não existe mais"),
        ({"flow": "nada"}, "flow", "não existe mais"),
        ({"key.zone": "Mars"}, "key.zone", "Não existe este fuso"),
    ],
)
async def test_a_mistake_in_lines_and_zones_is_told_at_its_field(runtime, admin, changes, field, words):
    form = read((await admin.get(f"{PLACE}/new?platform=json")).text).form(ident="connection")

    response = await admin.post(form.action, form.data(name="Minha", **changes))

    assert response.status_code == 422
    assert words in response.text.split(f'id="e-{field}"')[1].split("</p>")[0]
    typed = read(response.text).form(ident="connection").fields
    assert all(typed[name][0].strip() in (value, "pequeno") for name, value in changes.items())
    assert [one.config.name for one in await sources.everything(runtime)] == ["Loja"]


async def test_a_payment_of_nobody_leads_to_where_it_is_tied_to_a_person(runtime, admin, shop):
    assert "/payments/unmatched" not in (await admin.get(PLACE)).text
    nobody = json.loads(notice(runtime, "evt-0", transaction="HP9"))
    nobody["data"]["buyer"] = {}
    for part in ("sckPaymentLink", "tracking", "origin"):
        nobody["data"]["purchase"].pop(part, None)
    await sent(runtime, shop, json.dumps(nobody).encode())

    page = read((await admin.get(PLACE)).text)

    assert "1 pagamento não é de ninguém conhecido." in page.text
    assert "não nomeia ninguém" in page.text
    assert page.links.count("/payments/unmatched") == 2


async def test_a_mistake_is_told_at_its_field_and_a_change_writes_only_what_differs(runtime, admin, shop):
    again = await admin.post(PLACE, {"platform": "hotmart", "name": "Loja", "flow": "pequeno", "key.hottok": "outro"})
    assert again.status_code == 422
    assert "Já existe um com este nome" in again.text.split('id="e-name"')[1]
    assert "outro" not in read(again.text).form(ident="connection").fields["key.hottok"]
    form = read((await admin.get(f"{PLACE}/{shop.id}")).text).form(ident="connection")

    await admin.post(form.action, form.data(name="Loja nova"))

    assert (await of(runtime, shop)).config.name == "Loja nova"
    assert (await of(runtime, shop)).config.secrets == {"hottok": SECRET}
    await admin.post(f"{PLACE}/{shop.id}/remove")
    assert (await admin.get(f"{PLACE}/{shop.id}")).status_code == 404


async def test_what_an_outcome_becomes_is_chosen_among_the_events_of_the_flow(runtime, admin, shop):
    form = await map_form(admin, "refunded")
    page = (await admin.get(PLACE)).text
    assert ">pagou</option>" in page
    assert "reembolso (não existe no fluxo)" in page

    response = await admin.post(form.action, form.data(value="devolveu"))

    assert response.headers["location"] == f"{PLACE}#source-{shop.id}"
    assert (await of(runtime, shop)).events["refunded"] == "devolveu"
    [entry] = await runtime.store.read(lambda tx: audit.listed(tx, what="source.changed"))
    assert json.loads(entry.facts)["keys"] == ["event.refunded"]


async def test_with_htmx_the_answer_is_the_source_alone(runtime, admin, shop):
    form = await map_form(admin, "refunded")

    response = await admin.client.post(
        form.action, data=form.data(value="devolveu"), headers={"hx-request": "true", "x-csrf-token": admin.csrf}
    )

    assert response.status_code == 200
    assert response.text.lstrip().startswith(f'<section class="card" id="source-{shop.id}">')
    assert "Salvo agora" in response.text


@pytest.mark.parametrize("event", ["nada_disso", "msg_recebida", "timeout"])
async def test_an_event_that_is_no_payment_of_the_flow_is_refused_beside_its_outcome(runtime, admin, shop, event):
    response = await admin.post(f"{PLACE}/{shop.id}/events", {"outcome": "refunded", "value": event})

    assert response.status_code == 422
    told = response.text.split(f'id="e-m-{shop.id}-refunded"')[1].split("</p>")[0]
    assert f"não tem o evento de pagamento {event}" in told
    assert "devolveu" in told
    assert (await of(runtime, shop)).events["refunded"] == "reembolso"


async def test_the_usual_event_is_not_written_down(runtime, admin, shop):
    await sources.change(runtime, shop.id, ACTOR, values={"event.approved": "devolveu"})

    await admin.post(f"{PLACE}/{shop.id}/events", {"outcome": "approved", "value": "pagamento_aprovado"})

    stored = await runtime.store.read(lambda tx: tx.value("SELECT events FROM payment_source"))
    assert stored == "{}"


async def test_somebody_else_first_is_409_with_what_they_chose(runtime, admin, shop):
    form = await map_form(admin, "refunded")
    await sources.change(runtime, shop.id, ACTOR, values={"event.refunded": "devolveu"})

    response = await admin.post(form.action, form.data(value="-"))

    assert response.status_code == 409
    assert "Outra pessoa escolheu devolveu antes" in response.text
    assert (await of(runtime, shop)).events["refunded"] == "devolveu"


async def test_an_ignored_outcome_is_recorded_and_reaches_nobody(runtime, admin, shop):
    await admin.post(f"{PLACE}/{shop.id}/events", {"outcome": "approved", "value": "-"})

    assert await sent(runtime, shop, notice(runtime)) == 200

    rows = await runtime.store.read(lambda tx: tx.rows("SELECT outcome, reason, conversation_id FROM event"))
    assert rows == [{"outcome": "ignored", "reason": "by_source", "conversation_id": None}]
    assert "ignorado, como escolhido nesta plataforma" in (await admin.get(PLACE)).text


async def test_outcomes_are_counted_and_those_that_nothing_uses_stand_out(runtime, admin, shop):
    await sources.change(runtime, shop.id, ACTOR, values={"event.refunded": "devolveu"})
    for number in range(2):
        await sent(runtime, shop, notice(runtime, f"r{number}", "PURCHASE_REFUNDED", f"T{number}"))
        await sent(runtime, shop, notice(runtime, f"c{number}", "PURCHASE_CHARGEBACK", f"C{number}"))
    await sent(runtime, shop, notice(runtime))
    await sent(runtime, shop, notice(runtime))  # a repetition counts once

    page = read((await admin.get(PLACE)).text).text

    assert "pagamento aprovado approved" in page
    assert "Chegaram 2 e nenhuma seta usa" in page
    assert "Chegaram 2 e o fluxo não tem este evento" in page
    rows = await runtime.store.read(lambda tx: tx.rows("SELECT notice, COUNT(*) AS n FROM event GROUP BY notice"))
    assert {row["notice"]: row["n"] for row in rows} == {"approved": 1, "refunded": 2, "charged_back": 2}
    runtime.clock.advance(8 * 86_400_000)
    assert "Chegaram 2" not in (await admin.get(PLACE)).text


async def test_the_latest_notices_say_what_they_did_with_a_link_to_the_conversation(runtime, admin, shop):
    await sent(runtime, shop, notice(runtime))
    runtime.clock.advance(1_000)
    await sent(runtime, shop, notice(runtime))

    page = read((await admin.get(PLACE)).text)

    number = await runtime.store.read(lambda tx: tx.value("SELECT id FROM conversation"))
    assert "NOVO foi para FIM" in page.text
    assert "repetido, já processado" in page.text
    assert page.links.count(f"/conversations/{number}") == 2
    assert "Recebendo" in page.text


async def test_refused_notices_are_counted_with_what_to_do(runtime, admin, shop):
    for _ in range(3):
        assert await sent(runtime, shop, notice(runtime), "errado") == 401

    page = read((await admin.get(PLACE)).text)

    assert "3 avisos foram recusados em 7 dias" in page.text
    assert "Trocar o segredo" in page.text


async def test_what_cannot_be_read_shows_its_beginning_and_offers_no_replay(runtime, admin, shop):
    raw = b'{"id": "<script>alert(1)</script>'
    assert await sent(runtime, shop, raw) == 400

    [row] = await runtime.store.read(lambda tx: tx.rows("SELECT id FROM webhook"))
    listed, one = await admin.get(BODIES), await admin.get(f"{BODIES}/{row['id']}")

    assert "não deu para ler" in listed.text
    assert f"{BODIES}/{row['id']}" in read(listed.text).links
    assert "&lt;script&gt;" in one.text and "<script>alert" not in one.text
    assert "Processar de novo" not in one.text
    refused = await admin.post(f"{BODIES}/{row['id']}/replay")
    assert refused.status_code == 422
    assert "peça à plataforma que mande de novo" in refused.text


async def test_a_failed_notice_is_processed_again_and_a_second_press_does_nothing(runtime, admin, shop, monkeypatch):
    def broken(*_given):
        raise ZeroDivisionError

    with monkeypatch.context() as mended:
        mended.setattr(take_payment, "cycle", broken)
        with pytest.raises(ZeroDivisionError):
            await receive.payment(runtime, shop.token, {"x-hotmart-hottok": SECRET}, {}, notice(runtime))
    page = read((await admin.get(BODIES)).text)
    assert "um defeito do Trilho impediu" in page.text
    place = next(link for link in page.links if link.startswith(f"{BODIES}/"))
    form = read((await admin.get(place)).text).form(f"{place}/replay")

    first = await admin.post(form.action, form.data())
    second = await admin.post(form.action, form.data())

    assert first.headers["location"] == f"{place}?done=parsed"
    assert second.headers["location"] == f"{place}?done=already"
    after = read((await admin.get(first.headers["location"])).text)
    assert "Processado." in after.text
    assert "espera a vez" in after.text
    assert len(await runtime.store.read(lambda tx: tx.rows("SELECT id FROM event"))) == 1
    assert "Nada a revisar" in (await admin.get(BODIES)).text


async def test_the_list_is_filtered_and_says_when_the_filter_left_nothing(runtime, admin, shop):
    await sent(runtime, shop, b"{half")
    await sent(runtime, shop, notice(runtime, event="SOMETHING_NEW"))

    both, unknown = await admin.get(BODIES), await admin.get(f"{BODIES}?verdict=unknown&door=source:{shop.id}")
    nothing = await admin.get(f"{BODIES}?verdict=failed")

    assert both.text.count(f'href="{BODIES}/') == 2
    assert unknown.text.count(f'href="{BODIES}/') == 1
    assert "Nada com este filtro" in nothing.text
    assert (await admin.get(f"{BODIES}?verdict=x&door=y&before=z")).text.count(f'href="{BODIES}/') == 2


async def test_a_body_whose_door_is_gone_is_still_shown(runtime, admin, shop):
    await sent(runtime, shop, notice(runtime, event="SOMETHING_NEW"))
    [row] = await runtime.store.read(lambda tx: tx.rows("SELECT id FROM webhook"))
    await sources.remove(runtime, shop.id, ACTOR)

    page = await admin.get(f"{BODIES}/{row['id']}")

    assert "removido depois" in page.text
    assert "SOMETHING_NEW" in page.text
    assert (await admin.post(f"{BODIES}/{row['id']}/replay")).status_code == 422
    assert (await admin.get(f"{BODIES}/nada")).status_code == 404


@pytest.mark.parametrize("role", [Role.READONLY, Role.SUPERVISOR, Role.MARKETER, Role.PUBLISHER])
async def test_only_administrators_see_connections(signed_in, shop, role):
    person = await signed_in(role)

    for path in (PLACE, BODIES, "/settings/channels", f"{PLACE}/{shop.id}"):
        assert (await person.get(path)).status_code == 403
