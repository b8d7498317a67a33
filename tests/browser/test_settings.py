"""What an administrator and a marketer do in the settings, in a real browser."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from engine.core.campaigns import Filter
from engine.core.permissions import Actor, Role
from engine.core.platform_templates import Template
from engine.runtime import Runtime
from engine.services import accounts, campaigns, channels, contact_files, edit, publish, receive, sign_in, sources
from engine.services.campaigns import Plan
from engine.services.channels import ChannelRecord
from engine.services.sources import SourceRecord
from engine.store import collisions, templates
from engine.store.connection import Tx
from tests.browser import looks
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.network import late
from tests.browser.serving import Site, serving
from tests.payload_files import load
from tests.runtimes import a_runtime
from tests.services.small_flow import small
from tests.services.work import settle

PASSWORD = "um trem azul no morro"
ACTOR = Actor("teste")
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
EVENTS = {
    "msg_recebida": {"source": "message", "label": "mandou mensagem"},
    "preco": {"source": "message", "falls_back_to": "msg_recebida", "priority": 20, "label": "pediu preço"},
    "pagamento_aprovado": {"source": "payment", "label": "pagamento aprovado"},
    "devolveu": {"source": "payment", "label": "pediu reembolso"},
}
OFFER = Template(
    name="oferta_da_turma_de_costura_de_maio",
    language="pt_BR",
    status="APPROVED",
    components=[{"type": "BODY", "text": "Oi {{1}}, voltou."}],
)
PEOPLE = b"phone;nome;tags;optin_proof\n11912345678;Ana;maio;site\n11912345679;Bia;maio;\n123;;;\n"
RULES = [{"event": "preco", "any": ["quanto custa", "valor"], "none": ["valor da entrega"]}]


@pytest_asyncio.fixture(loop_scope="session")
async def site(sqlite_url: str) -> AsyncIterator[Site]:
    """A flow, a number, a test phone, a payment source, and something in every list."""
    runtime = a_runtime(sqlite_url)
    tree = small(events=EVENTS, understanding=RULES, globals=[{"id": "g1", "on": "pagamento_aprovado", "to": "FIM"}])
    await publish.publish_tree(runtime, tree, "primeira", ACTOR)
    cloud = {"app_secret": "x", "number": "5511900000001", "phone_number_id": "1"}
    await channels.add(runtime, "whatsapp_cloud", "Principal", ACTOR, flow="pequeno", values=cloud)
    phone = await channels.add(runtime, "phone", "Telefone", ACTOR, flow="pequeno")
    shop = await sources.add(runtime, "hotmart", "Loja", "pequeno", ACTOR, values={"hottok": "h"})
    said = {"id": "m1", "contact": "5511900000142", "name": "Ana", "text": "faz por 250?", "at": runtime.clock.now()}
    await receive.webhook(runtime, phone.token, {}, json.dumps(said).encode())
    runtime.clock.advance(30_000)
    await _pay(runtime, shop.token, "PURCHASE_APPROVED", "T1")
    await _pay(runtime, shop.token, "PURCHASE_REFUNDED", "T2")
    await _pay(runtime, shop.token, "PURCHASE_MYSTERY", "T3")
    await receive.payment(runtime, shop.token, {"x-hotmart-hottok": "h"}, {}, b'{"event": "PURCH')
    async with serving(runtime) as running:
        yield running
    await runtime.close()


async def _pay(runtime: Runtime, token: str, event: str, transaction: str, **more: object) -> None:
    body = load("hotmart/purchase_approved_card.json") | {"id": transaction, "event": event}
    body["creation_date"] = runtime.clock.now()
    body["data"]["purchase"]["transaction"] = transaction
    body["data"] |= more
    if more:
        body["data"]["purchase"] |= {"tracking": {}, "sckPaymentLink": None}
    await receive.payment(runtime, token, {"x-hotmart-hottok": "h"}, {}, json.dumps(body).encode())
    await settle(runtime)


async def _full(site: Site) -> tuple[ChannelRecord, ChannelRecord, SourceRecord]:
    """Something in every table; the number of the official service, that of a gateway, and the payment source."""
    runtime = site.runtime
    cloud, shop = await channels.by_name(runtime, "Principal"), await sources.by_name(runtime, "Loja")
    gateway = await channels.add(runtime, "evolution", "Gateway", ACTOR, flow="pequeno", values={"instance": "loja"})
    await runtime.store.write("x", lambda tx: templates.put(tx, cloud.id, OFFER, runtime.clock.now()))
    for _ in range(2):
        number = await contact_files.upload(runtime, "lançamento de maio da turma de costura.csv", PEOPLE, ACTOR)
    await contact_files.take(runtime, number, "", ACTOR)
    plan = Plan(name="Turma de maio", flow="pequeno", channel_id=cloud.id, template=OFFER.name, language="pt_BR",
                params=("Ana",), filter=Filter(tag="maio"))  # fmt: skip
    await campaigns.start(runtime, plan, "0" * 16, (await campaigns.planned(runtime, plan)).reached, ACTOR)
    await _pay(runtime, shop.token, "PURCHASE_APPROVED", "T4", buyer={"name": "Zélia", "email": "zelia@example.com"})

    def collision(tx: Tx) -> None:
        one, other = (tx.value(f"SELECT {least}(id) FROM contact") for least in ("MIN", "MAX"))
        collisions.put(tx, one, other, "number_change", "5511912345678", runtime.clock.now())

    await runtime.store.write("x", collision)
    return cloud, gateway, shop


async def _enter(page: Page, site: Site, role: str = Role.ADMIN) -> None:
    runtime, email = site.runtime, f"{role}@trilho.test"
    if all(account.email != email for account in await accounts.everybody(runtime)):
        link = await accounts.invite(runtime, email, role, ACTOR, name=role.title())
        await accounts.use_link(runtime, link, PASSWORD)
    token = await sign_in.sign_in(runtime, email, PASSWORD, "127.0.0.1")
    await page.context.add_cookies([{"name": "trilho", "value": token, "url": site.url}])


async def test_a_number_is_connected_and_a_mistake_loses_nothing_not_even_the_secret(page: Page, site: Site) -> None:
    await _enter(page, site)
    await page.goto(site.url + "/settings")
    await page.get_by_role("link", name="Conectar número").click()
    await page.get_by_role("link", name="Evolution API").click()

    await page.get_by_label("Nome", exact=True).fill("Principal")
    await page.get_by_label("Instância").fill("loja")
    await page.get_by_label("Chave da API").fill("segredo-da-instancia")
    await page.get_by_role("button", name="Conectar o número").click()

    await expect(page.get_by_text("Já existe um com este nome")).to_be_visible()
    await expect(page.get_by_label("Nome", exact=True)).to_be_focused()
    await expect(page.get_by_label("Instância")).to_have_value("loja")
    await expect(page.get_by_label("Chave da API")).to_have_value("segredo-da-instancia")
    await page.get_by_label("Nome", exact=True).fill("Lançamentos")
    await page.get_by_role("button", name="Conectar o número").click()

    await expect(page.get_by_text("Número conectado.")).to_be_visible()
    added = await channels.by_name(site.runtime, "Lançamentos")
    assert added.config.secrets == {"api_key": "segredo-da-instancia"}
    await expect(page.get_by_label("Endereço do webhook")).to_have_value(f"{site.url}/hooks/wa/{added.token}")
    await expect(page.get_by_label("Chave da API")).to_have_value("")
    assert "segredo-da-instancia" not in await page.content()


async def test_the_address_is_copied_with_one_click(page: Page, site: Site) -> None:
    await _enter(page, site)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=site.url)
    await page.goto(site.url + "/settings/channels")

    await page.get_by_role("button", name="Copiar").first.click()

    await expect(page.get_by_role("button", name="Copiado")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith((await channels.by_name(site.runtime, "Principal")).token)


async def test_what_an_outcome_becomes_saves_by_itself(page: Page, site: Site) -> None:
    await _enter(page, site)
    await page.goto(site.url + "/settings/payments")
    await expect(page.get_by_text("Chegou 1 e o fluxo não tem este evento")).to_be_visible()

    await page.get_by_label("reembolso", exact=True).select_option("devolveu")

    await expect(page.get_by_text("Salvo agora")).to_be_visible()
    await expect(page.get_by_text("Chegou 1 e nenhuma seta usa")).to_be_visible()
    assert (await sources.by_name(site.runtime, "Loja")).events["refunded"] == "devolveu"
    await page.reload()
    await expect(page.get_by_label("reembolso", exact=True)).to_have_value("devolveu")


async def test_two_outcomes_chosen_quickly_are_both_saved(page: Page, site: Site) -> None:
    await _enter(page, site)
    await page.goto(site.url + "/settings/payments")
    async with late(page, "**/events"):
        await page.get_by_label("reembolso", exact=True).select_option("devolveu")
        await page.get_by_label("Pix gerado", exact=True).select_option("-")

    await expect(page.get_by_label("Pix gerado", exact=True)).to_have_value("-")
    await expect(page.get_by_text("Salvo agora")).to_be_visible()
    await page.wait_for_load_state("networkidle")
    await page.reload()
    await expect(page.get_by_label("reembolso", exact=True)).to_have_value("devolveu")
    await expect(page.get_by_label("Pix gerado", exact=True)).to_have_value("-")


async def test_a_message_of_a_misspelt_instance_is_processed_again_once_its_name_is_mended(
    page: Page, site: Site
) -> None:
    gateway = {"instance": "outra", "api_key": "k"}
    made = await channels.add(site.runtime, "evolution", "Lançamentos", ACTOR, flow="pequeno", values=gateway)
    body = load("evolution/in/upsert_conversation.json") | {"apikey": "k"}
    await receive.webhook(site.runtime, made.token, {}, json.dumps(body).encode())
    await _enter(page, site)
    await page.goto(site.url + "/settings/webhooks?verdict=unknown")
    await page.get_by_role("row", name="Lançamentos").get_by_role("link").click()
    await expect(page.get_by_text("confira o nome da instância").first).to_be_visible()
    await page.get_by_role("button", name="Processar de novo").click()
    await expect(page.get_by_text("Continua sem ser entendido.")).to_be_visible()
    notice = page.url

    await page.goto(f"{site.url}/settings/channels/{made.id}")
    await page.get_by_label("Instância").fill(str(body["instance"]))
    await page.get_by_role("button", name="Salvar as mudanças").click()
    await expect(page.get_by_text("Salvo. Vale a partir da próxima mensagem.")).to_be_visible()
    await page.goto(notice)
    await page.get_by_role("button", name="Processar de novo").click()

    await expect(page.get_by_text("Processado.")).to_be_visible()
    await expect(page.get_by_text("mensagem de cliente")).to_be_visible()
    await expect(page.get_by_role("button", name="Processar de novo")).to_have_count(0)
    await page.get_by_role("link", name="abrir a conversa").click()
    await expect(page.locator("#msgs .bub")).to_have_count(1)


async def test_a_text_is_tried_while_it_is_typed(page: Page, site: Site) -> None:
    await _enter(page, site, Role.MARKETER)
    await page.goto(site.url + "/settings/understanding")

    await page.get_by_role("textbox", name="Mensagem").fill("oi, quanto custa isso?")

    await expect(page.locator("#trial mark")).to_have_text("quanto custa")
    await expect(page.get_by_text("acertou no teste")).to_be_visible()
    await expect(page.locator("#trial .und-r", has_text="NOVO")).to_contain_text("não trata: vale como")
    await page.get_by_role("textbox", name="Mensagem").fill("me tira da lista")
    await expect(page.get_by_text("acertou no teste")).to_have_count(0)


async def test_a_text_to_review_is_taught_and_taken_back_and_what_is_typed_elsewhere_stays(
    page: Page, site: Site
) -> None:
    await _enter(page, site, Role.MARKETER)
    await page.goto(site.url + "/settings/understanding")
    await page.get_by_role("textbox", name="Mensagem").fill("faz por quanto?")
    await expect(page.locator("#trial")).to_contain_text("Nenhuma regra acerta")
    await page.get_by_label("outra frase").fill("meia fra")

    await page.get_by_text("Deveria ser outra coisa").click()
    await page.get_by_label("por esta frase").fill("faz por")
    await page.get_by_role("button", name="Juntar à regra").click()

    await expect(page.get_by_text("Nada para revisar")).to_be_visible()
    await expect(page.locator("#trial mark")).to_have_text("faz por")
    await expect(page.get_by_label("outra frase")).to_have_value("meia fra")
    await expect(page.get_by_text("Os clientes são respondidos pela v1")).to_be_visible()
    await page.get_by_role("button", name="Desfazer", exact=True).click()
    await expect(page.get_by_text("Deveria ser outra coisa")).to_be_visible()
    assert (await edit.opened(site.runtime, "pequeno")).tree["understanding"] == RULES


async def test_a_wait_is_changed_and_what_cannot_be_read_stays_typed(page: Page, site: Site) -> None:
    await _enter(page, site, Role.MARKETER)
    await page.goto(site.url + "/settings/timing")
    field = page.get_by_label("Por quanto tempo")

    await field.fill("logo")
    await field.press("Enter")
    await expect(page.get_by_text("“logo” não é um tempo.")).to_be_visible()
    await expect(field).to_have_value("logo")
    await field.fill("1 h")
    await field.press("Enter")

    await expect(page.get_by_text("quieto por 1 h")).to_be_visible()
    await expect(page.get_by_text("Salvo agora")).to_be_visible()


async def test_without_scripts_a_number_is_connected_and_a_text_is_tried(site: Site, browser: Browser) -> None:
    context = await browser.new_context(java_script_enabled=False, locale="pt-BR", base_url=site.url)
    page = await context.new_page()
    await _enter(page, site)
    await page.goto("/settings/channels/new?kind=phone")
    await page.get_by_label("Nome", exact=True).fill("Outro telefone")
    await page.get_by_role("button", name="Conectar o número").click()
    await expect(page.get_by_text("Número conectado.")).to_be_visible()

    await page.goto("/settings/payments")
    row = page.locator("tr", has_text="refunded")
    await row.get_by_role("combobox").select_option("-")
    await row.get_by_role("button", name="Salvar").click()
    await expect(page.locator("tr", has_text="refunded").get_by_role("combobox")).to_have_value("-")

    await page.goto("/settings/understanding")
    await page.get_by_role("textbox", name="Mensagem").fill("qual o valor?")
    await page.get_by_role("button", name="Testar").click()
    await expect(page.locator("#trial mark")).to_have_text("valor")
    await context.close()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
async def test_the_pages_fit_their_screens_and_pass_an_audit(
    site: Site, open_page: OpenPage, size: tuple[int, int], dark: bool
) -> None:
    cloud, gateway, shop = await _full(site)
    bodies = await site.runtime.store.read(lambda tx: tx.rows("SELECT id FROM webhook WHERE verdict <> 'parsed'"))
    places = (
        "/settings/channels", "/settings/channels/new", "/settings/channels/new?kind=whatsapp_cloud",
        f"/settings/channels/{cloud.id}", f"/settings/channels/{cloud.id}/remove", "/settings/payments",
        "/settings/payments/new", f"/settings/payments/{shop.id}", "/settings/webhooks",
        *(f"/settings/webhooks/{row['id']}" for row in bodies), "/settings/understanding", "/settings/timing",
        "/settings/templates", "/settings/templates/new", f"/settings/templates/{cloud.id}/{OFFER.name}/pt_BR",
        "/campaigns", "/campaigns/new", "/campaigns/1", "/contacts/import", "/contacts/import/1", "/contacts/import/2",
        "/matching", "/payments/unmatched", f"/settings/channels/{gateway.id}/pair",
    )  # fmt: skip
    assert len(bodies) == 2
    page = await open_page(size=size, dark=dark)
    await _enter(page, site)
    for place in places:
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.goto(site.url + place)
        if place.endswith("understanding"):
            await page.get_by_role("textbox", name="Mensagem").fill("quanto custa?")
            await expect(page.locator("#trial mark")).to_be_visible()
            await page.get_by_text("Deveria ser outra coisa").click()
        wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, place
        assert await looks.cut(page) == [], place
        assert await looks.outside(page) == [], place
        # The whole page at once: what lies half under the bar at the bottom would count as too small.
        await page.set_viewport_size({"width": size[0], "height": 4_000})
        found = await Axe().run(page, options={"runOnly": TAGS})
        told = [(v["id"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found.response["violations"]]
        assert told == [], place
