"""What a marketer does with safety rules and with messages that nobody answers, in a real browser."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from engine import samples
from engine.core.permissions import Role
from engine.services import edit, publish
from tests.browser.conftest import OpenPage
from tests.browser.desk import ACTOR, Shop
from tests.browser.serving import serving
from tests.runtimes import a_runtime
from tests.services.small_flow import small

DRAFT = "/flows/pequeno/draft"
RULES = f"{DRAFT}?view=rules"
LITERAL = "/flows/venda-literal/draft"


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    """The small flow with two rules, and a sale that breaks some of its own."""
    runtime = a_runtime(sqlite_url)
    rules = [{"at_most": 1, "do": "oi"}, {"window": "24h"}]
    await publish.publish_tree(runtime, small(rules=rules), "primeira", ACTOR)
    await publish.add_draft(runtime, {**samples.tree("venda-literal"), "slug": "venda-literal"}, ACTOR)
    async with serving(runtime) as site:
        yield Shop(site, "")
    await runtime.close()


async def _enter(page: Page, here: Shop, path: str = RULES) -> None:
    await here.sign_in(page, Role.PUBLISHER)
    await page.goto(here.site.url + path)


async def _rules(here: Shop) -> object:
    return (await edit.opened(here.site.runtime, "pequeno")).tree.get("rules")


async def test_a_number_in_a_rule_saves_by_itself_and_can_be_undone(page: Page, here: Shop) -> None:
    await _enter(page, here)

    await page.get_by_role("link", name="Oi no máximo 1 vez por conversa").click()
    await expect(page.locator("#rule-0")).to_have_attribute("aria-current", "true")
    times = page.get_by_label("Quantas vezes")
    await times.fill("2")
    await times.press("Tab")

    await expect(page.locator("#rule-0")).to_contain_text("Oi no máximo 2 vezes por conversa")
    await expect(page.locator("#rule-0").get_by_text("provada")).to_be_visible()
    await expect(page).to_have_url(here.site.url + f"{RULES}&sel=r:0")
    await page.get_by_role("button", name="Desfazer", exact=True).click()
    await expect(page.locator("#rule-0")).to_contain_text("Oi no máximo 1 vez por conversa")


async def test_a_rule_is_added_with_the_keyboard_alone(page: Page, here: Shop) -> None:
    await _enter(page, here)

    await page.keyboard.press("r")
    sentence = page.get_by_role("link", name="Depois de …, nunca …")
    await expect(sentence).to_be_visible()
    await sentence.focus()
    await page.keyboard.press("Enter")
    await page.get_by_label("A partir de quando").focus()
    await page.keyboard.type("FIM")
    await page.keyboard.press("Tab")
    await page.keyboard.type("oi")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")

    await expect(page.locator("#panel-title")).to_have_text("Depois de FIM, nunca oi")
    await expect(page.locator(".rule", has_text="Depois de FIM, nunca oi").get_by_text("provada")).to_be_visible()


async def test_what_cannot_be_read_is_said_beside_the_rule_and_stays_typed(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{RULES}&sel=r:1")

    wait = page.get_by_label("Quanto tempo depois da última mensagem do cliente")
    await wait.fill("logo mais")
    await wait.press("Enter")

    await expect(page.get_by_text("“logo mais” não é um tempo.")).to_be_visible()
    await expect(wait).to_have_value("logo mais")
    assert await _rules(here) == [{"at_most": 1, "do": "oi"}, {"window": "24h"}]


async def test_a_recommended_rule_is_one_click(page: Page, here: Shop) -> None:
    await edit.edit(here.site.runtime, "pequeno", {"op": "set_flow", "field": "rules", "value": None}, actor=ACTOR)
    await _enter(page, here)

    await page.get_by_role("button", name="Acrescentar: Mensagem livre nunca sai depois de 24 h").click()

    await expect(page.locator("ol .rule")).to_have_count(1)
    assert await _rules(here) == [{"window": "24h"}]


async def test_two_people_change_one_rule_and_the_second_chooses(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{RULES}&sel=r:0")
    other = {"op": "set_rule", "id": 0, "value": {"at_most": 7, "do": "oi"}}
    await edit.edit(here.site.runtime, "pequeno", other, actor=ACTOR)

    await page.get_by_label("Quantas vezes").fill("2")
    await page.get_by_label("Quantas vezes").press("Tab")
    await expect(page.get_by_text("agora é Oi no máximo 7 vezes por conversa")).to_be_visible()
    await page.get_by_role("button", name="Ficar com a minha: Oi no máximo 2 vezes por conversa").click()

    await expect(page.locator("#conflict")).to_have_count(0)
    await expect(page.locator("#rule-0")).to_contain_text("no máximo 2 vezes")


async def test_the_way_to_a_broken_rule_is_drawn_and_the_rest_is_grey(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{LITERAL}?view=rules")

    way = page.locator("#rule-4 .way li")
    await expect(way.first).to_have_text("NOVO, pagamento aprovado → PAGO, faz entregar o acesso")
    await way.first.get_by_role("link").click()

    await expect(page.locator("svg.fluxo.quiet")).to_be_visible()
    await expect(page.locator("#problems .way").first).to_be_visible()


async def test_a_link_to_a_rule_brings_it_into_sight_and_leaves_the_problems_closed(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{LITERAL}?view=rules&sel=r:8")

    await expect(page.locator("#rule-8")).to_be_in_viewport()
    await expect(page.locator("#problems article").first).to_be_hidden()


async def test_a_message_that_nobody_answers_is_settled_from_the_table(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{LITERAL}?view=lost")
    lost = page.locator(".mx .cov.lost")
    before = await lost.count()

    await page.locator('[data-sel="c:NOVO:pediu_preco"]').click()
    await expect(page.locator("#panel-title")).to_have_text("pediu o preço")
    await page.get_by_role("button", name="Ignorar aqui de propósito").click()

    await expect(lost).to_have_count(before - 1)
    await page.get_by_role("link", name="Tudo").click()
    await expect(page.locator('[data-sel="c:NOVO:pediu_preco"]')).to_contain_text("ignorado de propósito")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
async def test_no_page_of_rules_and_coverage_breaks_a_rule_of_accessibility(
    here: Shop, open_page: OpenPage, dark: bool
) -> None:
    """WCAG 2.2 A and AA as far as axe can tell."""
    tags = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
    page, found = await open_page(dark=dark), []
    await _enter(page, here)
    for path in (
        RULES, f"{RULES}&sel=r:0", f"{RULES}&sel=new:rule", f"{RULES}&sel=new:rule&form=always", f"{LITERAL}?view=rules",
        f"{LITERAL}?view=lost&sel=c:NOVO:pediu_preco", f"{DRAFT}?view=lost",
    ):  # fmt: skip
        await page.goto(here.site.url + path)
        result = await Axe().run(page, options=tags)
        found += [(path, one["id"], one["nodes"][0]["html"]) for one in result.response["violations"]]

    assert found == []
