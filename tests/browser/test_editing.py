"""Editing that cannot lose work, in a real browser: undo and redo, two people, a lost line, names, copy and paste."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from engine.core.permissions import Role
from engine.services import edit, publish
from tests.browser.conftest import DESKTOP, PHONE, OpenPage
from tests.browser.desk import ACTOR, Shop
from tests.browser.serving import serving
from tests.browser.test_editor import DRAFT
from tests.runtimes import a_runtime
from tests.services.small_flow import small


@pytest_asyncio.fixture(loop_scope="session")
async def here(sqlite_url: str) -> AsyncIterator[Shop]:
    """The application with a published flow of buttons and another one."""
    runtime = a_runtime(sqlite_url)
    tree = small()
    tree["actions"]["oi"]["buttons"] = [{"id": "sim", "title": "Sim"}, {"id": "nao", "title": "Não"}]
    await publish.publish_tree(runtime, tree, "primeira", ACTOR)
    await publish.add_draft(runtime, small(slug="outro", title="Outro"), ACTOR)
    async with serving(runtime) as running:
        yield Shop(running, "")
    await runtime.close()


async def _enter(page: Page, here: Shop, path: str, role: str = Role.PUBLISHER) -> None:
    await here.sign_in(page, role)
    await page.goto(here.site.url + path)


async def _tree(here: Shop) -> dict:
    return dict((await edit.opened(here.site.runtime, "pequeno")).tree)


async def _set(here: Shop, op: str, ident: str, field: str, value: object) -> None:
    change = {"op": op, "id": ident, "field": field, "value": value}
    await edit.edit(here.site.runtime, "pequeno", change, actor=ACTOR)


async def test_keys_take_a_change_back_and_make_it_again_also_after_a_reload(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{DRAFT}?sel=s:NOVO")
    deadline = page.get_by_label("Prazo de silêncio", exact=True)
    await deadline.fill("4 h")
    await deadline.press("Tab")
    await expect(page.locator("#undo-button")).to_have_attribute("title", "Desfazer: prazo de NOVO 1 dia → 4 h")
    await page.reload()

    await page.locator("#panel-title").focus()
    await page.keyboard.press("Control+z")
    await expect(deadline).to_have_value("1 dia")
    await expect(page.get_by_text("Rascunho · igual ao publicado")).to_be_visible()
    await page.locator("#panel-title").focus()
    await page.keyboard.press("Control+Shift+Z")

    await expect(deadline).to_have_value("4 h")
    assert (await _tree(here))["states"]["NOVO"]["deadline"] == "4h"


async def test_in_a_text_field_the_keys_belong_to_the_field(page: Page, here: Shop) -> None:
    await _set(here, "set_state", "NOVO", "deadline", "4h")
    await _enter(page, here, f"{DRAFT}?sel=s:NOVO")
    waits = page.get_by_label("O que estamos esperando aqui")
    await waits.press_sequentially("abc")

    await page.keyboard.press("Control+z")

    assert (await _tree(here))["states"]["NOVO"]["deadline"] == "4h"
    await expect(waits).not_to_have_value("abc")


async def test_undoing_what_somebody_changed_since_shows_both_values_and_asks(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{DRAFT}?sel=s:NOVO")
    deadline = page.get_by_label("Prazo de silêncio", exact=True)
    await deadline.fill("4 h")
    await deadline.press("Tab")
    await expect(page.get_by_text("Salvo agora")).to_be_visible()
    await _set(here, "set_state", "NOVO", "deadline", "6h")

    await page.locator("#undo-button").click()
    await expect(page.locator("#conflict")).to_contain_text("agora: 6 h")
    await expect(page.locator("#conflict")).to_contain_text("o seu seria: 1 dia")
    await page.get_by_role("button", name="Desfazer mesmo assim").click()

    await expect(deadline).to_have_value("1 dia")


KINDS = [
    ("s:NOVO", "i-deadline", "4 h", ("set_state", "NOVO", "deadline", "6h"), "6 h"),
    ("s:NOVO", "i-waiting_for", "a minha", ("set_state", "NOVO", "waiting_for", "a dela"), "a dela"),
    ("s:NOVO", "i-note", "minha nota", ("set_state", "NOVO", "note", "nota dela"), "nota dela"),
    ("s:NOVO", "i-look", "lost", ("set_state", "NOVO", "look", "talk"), "em conversa"),
    ("t:t1", "i-when", "toques > 1", ("set_transition", "t1", "when", "toques > 2"), "toques > 2"),
    ("t:t1", "i-to", "FIM", ("set_transition", "t1", "to", "NOVO"), "NOVO"),
    ("t:t1", "i-text-oi", "meu texto", ("set_action", "oi", "text", "texto dela"), "texto dela"),
]


@pytest.mark.parametrize(("sel", "ident", "mine", "theirs", "shown"), KINDS, ids=[kind[1] for kind in KINDS])
async def test_two_people_at_one_field_of_any_kind_see_both_values_and_choose(
    page: Page, here: Shop, sel: str, ident: str, mine: str, theirs: tuple[str, str, str, object], shown: str
) -> None:
    await _enter(page, here, f"{DRAFT}?sel={sel}")
    await _set(here, *theirs)
    field = page.locator(f"#{ident}")
    await field.evaluate("field => field.closest('details.as-text')?.setAttribute('open', '')")
    if await field.evaluate("field => field.localName") == "select":
        await field.select_option(mine)
    else:
        await field.fill(mine)
        await page.locator("#panel-title").click()

    await expect(page.locator("#conflict")).to_contain_text(shown, ignore_case=True)
    await page.locator("#conflict").get_by_role("button").click()

    await expect(page.locator("#conflict")).to_have_count(0)
    await expect(page.locator(f"#{ident}")).to_have_value(mine)


async def test_a_condition_is_chosen_with_the_keyboard_and_says_what_is_missing_until_it_is_whole(
    page: Page, here: Shop
) -> None:
    await _enter(page, here, f"{DRAFT}?sel=t:t1")
    await page.locator("#i-left-1").focus()
    await page.locator("#i-left-1").select_option("toques")

    await expect(page.locator("#e-rows")).to_contain_text("diga com o que comparar")
    await expect(page.locator("#i-left-1")).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.locator("#i-sign-1")).to_be_focused()
    async with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        await page.locator("#i-sign-1").select_option(">=")
    await expect(page.locator("#i-sign-1 option:checked")).to_have_text("≥")
    await expect(page.locator("#i-sign-1")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.type("2")
    await page.keyboard.press("Enter")

    await expect(page.locator("#e-rows")).to_have_count(0)
    await expect(page.locator("#i-left-2")).to_have_value("")
    await expect(page.locator("#i-when")).to_have_value("toques >= 2")


@pytest.mark.parametrize("ident", ["i-deadline", "i-waiting_for", "i-look"])
async def test_a_lost_line_is_said_keeps_what_was_typed_and_sends_it_when_it_is_back(
    page: Page, here: Shop, ident: str
) -> None:
    await _enter(page, here, f"{DRAFT}?sel=s:NOVO")
    await page.context.set_offline(True)
    field, typed = (
        page.locator(f"#{ident}"),
        {"i-deadline": "4 h", "i-waiting_for": "a compra", "i-look": "lost"}[ident],
    )
    if ident == "i-look":
        await field.select_option(typed)
    else:
        await field.fill(typed)
        await page.locator("#panel-title").click()

    await expect(page.locator("#save-state")).to_have_text("Não salvo")
    await expect(page.get_by_text("O que você digitou continua aí")).to_be_visible()
    await page.get_by_role("button", name="Tentar de novo").click()
    await expect(page.locator("#save-state")).to_have_text("Não salvo")
    await expect(field).to_have_value(typed)
    await page.context.set_offline(False)

    await expect(page.locator("#save-state")).to_have_text("Salvo agora")
    kept = (await _tree(here))["states"]["NOVO"]
    assert {"i-deadline": "4h", "i-waiting_for": "a compra", "i-look": "lost"}[ident] in map(str, kept.values())
    await expect(page.get_by_text("O que você digitou continua aí")).to_have_count(0)


async def test_a_double_click_and_a_key_open_the_name_and_enter_changes_it_everywhere(page: Page, here: Shop) -> None:
    await _enter(page, here, DRAFT)

    await page.locator('a[data-sel="s:CONVERSA"]').first.dblclick()
    name = page.locator("#i-name")
    await expect(name).to_be_focused()
    await name.fill("FALANDO")
    await name.press("Enter")

    await expect(page.locator("#panel-title")).to_have_text("FALANDO")
    assert {row["to"] for row in (await _tree(here))["transitions"]} == {"FALANDO", "FIM"}
    await page.locator("#panel-title").focus()
    await page.keyboard.press("F2")
    await expect(name).to_be_focused()
    await name.fill("NOVO")
    await name.press("Enter")
    await expect(page.get_by_text("Já existe algo chamado NOVO")).to_be_visible()


async def test_deleting_asks_where_the_arrows_go_and_all_of_it_is_undone(page: Page, here: Shop) -> None:
    before = await _tree(here)
    await _enter(page, here, f"{DRAFT}?sel=s:FIM")

    await page.locator("#panel").get_by_role("button", name="Excluir").click()
    await expect(page.locator("#panel-title")).to_have_text("Para onde vão as setas que chegam em FIM?")
    await page.get_by_label("Todas").select_option("CONVERSA")
    await page.get_by_role("button", name="Excluir o estado").click()
    await expect(page.get_by_text("Estado FIM excluído.")).to_be_visible()
    assert "FIM" not in (await _tree(here))["states"]
    await page.get_by_role("button", name="Desfazer", exact=True).click()

    await expect(page.get_by_text("Rascunho · igual ao publicado")).to_be_visible()
    assert await _tree(here) == before


async def test_a_state_is_copied_with_a_key_and_pasted_in_another_flow(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{DRAFT}?sel=s:NOVO")
    await page.locator("#panel-title").focus()
    await page.keyboard.press("Control+c")
    await expect(page.get_by_text("NOVO copiado.")).to_be_visible()

    await page.goto(f"{here.site.url}/flows/outro/draft")
    await page.locator("#canvas").focus()
    await page.keyboard.press("Control+v")

    await expect(page.locator("#panel-title")).to_have_text("Colado: NOVO_2")
    await expect(page.locator('#canvas-svg a[data-sel="s:NOVO_2"]').first).to_be_visible()


async def test_several_states_are_chosen_with_the_mouse_or_a_key_and_pasted_with_the_arrows_among_them(
    page: Page, here: Shop
) -> None:
    await _enter(page, here, f"{DRAFT}?sel=s:NOVO")
    await page.locator('#canvas-svg a[data-sel="s:CONVERSA"]').first.click(modifiers=["Control"])
    await expect(page.locator("#chosen")).to_have_text("2 estados, 1 seta entre eles")
    await page.locator('#canvas-svg a[data-sel="s:FIM"]').first.click(modifiers=["Shift"])
    await expect(page.locator("#canvas-svg .node.picked")).to_have_count(3)
    await page.locator('#canvas-svg a[data-sel="s:FIM"]').first.focus()
    await page.keyboard.press("x")
    await expect(page.locator("#canvas-svg .node.picked")).to_have_count(2)
    await page.keyboard.press("Control+c")
    await expect(page.get_by_text("2 estados copiados.")).to_be_visible()

    await page.locator("#canvas").focus()
    await page.keyboard.press("Control+v")

    await expect(page.locator("#panel-title")).to_have_text("Colado: CONVERSA_2, NOVO_2")
    arrows = (await edit.opened(here.site.runtime, "pequeno")).flow.arrows.values()
    assert ("NOVO_2", "CONVERSA_2") in {(arrow.frm, arrow.to) for arrow in arrows}


async def test_what_is_typed_is_counted_and_shown_before_it_is_saved(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{DRAFT}?sel=t:t1")
    text, room = page.locator("#i-text-oi"), page.locator('[data-room="text-oi"]')

    await text.fill("*Oi* 🙂")

    await expect(room).to_contain_text("7/1024")
    await expect(page.locator("#preview-oi b", has_text="Oi")).to_be_visible()
    assert (await _tree(here))["actions"]["oi"]["text"] == "Oi!"
    await text.fill("palavra " * 130)
    await expect(room).to_contain_text("passa do limite")
    await expect(page.locator("#preview-oi")).to_contain_text("Sai em 2 mensagens")
    title = page.locator("#f-buttons-1-oi").get_by_label("Título")
    await title.fill("Um título longo demais")
    await expect(page.locator('[data-room="buttons-1-oi"][data-index="0"]')).to_contain_text("22/20")


async def test_a_button_of_a_message_is_shown_while_it_is_typed_moved_and_added(page: Page, here: Shop) -> None:
    await _enter(page, here, f"{DRAFT}?sel=t:t1")
    shown = page.locator("#preview-oi .wa-button")
    title = page.locator("#f-buttons-0-oi").get_by_label("Título")

    await title.fill("Quero")
    await expect(shown.first).to_have_text("Quero")
    assert (await _tree(here))["actions"]["oi"]["buttons"][0]["title"] == "Sim", "not stored yet"
    await title.press("Tab")
    await expect(page.locator("#undo-button")).to_have_attribute("title", "Desfazer: um botão de oi: mudança")
    await page.get_by_role("button", name="Descer: Botão 1").click()
    await expect(shown.first).to_have_text("Não")
    await page.locator("summary", has_text="Botão").click()
    await page.locator("#f-new-buttons-oi").get_by_label("Título").fill("Talvez")
    await page.get_by_role("button", name="Acrescentar à mensagem").click()

    await expect(shown).to_have_text(["Não", "Quero", "Talvez"])


async def test_who_else_is_there_is_said_and_gone_when_they_leave(open_page: OpenPage, here: Shop) -> None:
    ana, bruno = await open_page(), await open_page()
    await _enter(ana, here, f"{DRAFT}?sel=s:NOVO", Role.MARKETER)
    await _enter(bruno, here, DRAFT)
    await expect(bruno.locator("#presence")).to_contain_text("Marketer está editando NOVO")

    await ana.goto(f"{here.site.url}/flows")
    await bruno.wait_for_function(
        "() => fetch(location.href).then((a) => a.text()).then((t) => !t.includes('Marketer'))"
    )
    await bruno.reload()

    await expect(bruno.locator("#presence")).to_be_empty()


async def test_the_bar_and_the_card_fit_a_phone_and_can_be_touched(open_page: OpenPage, here: Shop) -> None:
    await _set(here, "set_state", "NOVO", "deadline", "6h")
    for size, least in ((DESKTOP, 24), (PHONE, 44)):
        page = await open_page(size=size)
        await _enter(page, here, f"{DRAFT}?sel=s:FIM")
        await page.locator("#panel").get_by_role("button", name="Excluir").click()
        await expect(page.get_by_label("Todas")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for name in ("#undo-button", "#redo-button"):
            box = await page.locator(name).bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= least
