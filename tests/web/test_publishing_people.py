"""People in a publication on its pages: where they go, an hour to publish at, the way back, last week replayed."""

import asyncio
import json

from engine.core.flow import MINUTE
from engine.core.permissions import Role
from engine.services import edit, publish, schedule
from tests.services.small_flow import small, without_talk
from tests.services.standing import row, stand
from tests.services.work import settle
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

PATH = "/flows/pequeno/publish"
FIELD = "to:1:CONVERSA"


async def draft(runtime, tree):
    text = json.dumps(tree)
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t, revision = revision + 1", t=text))


async def form(editor, path=PATH):
    """The form of the page, with the fields that stand elsewhere on it."""
    html = (await editor.get(path)).text
    found = read(html).form(path)
    if f'name="{FIELD}"' in html:
        options = html.split(f'name="{FIELD}"')[1].split("</select>")[0]
        chosen = options.split(" selected")[0].rsplit('value="', 1)[1].split('"')[0] if " selected" in options else ""
        found.fields[FIELD] = [chosen]
    return found


async def test_who_stands_in_a_state_that_goes_away_needs_an_answer_before_it_is_published(runtime, editor, flow):
    await stand(runtime, "CONVERSA")
    await stand(runtime, "FIM", previous="CONVERSA")
    await draft(runtime, without_talk())

    page = (await editor.get(PATH)).text
    assert "1 conversa está em CONVERSA (v1), que deixa de existir. Mais 1 voltaria para lá." in page
    assert "Conversas em andamento 1 decisão Semana passada" in read(page).text, "what the page asks is said at its top"
    answer = await editor.post(PATH, (await form(editor)).data(note="sem conversa"))

    assert answer.status_code == 422
    assert "Diga para onde vão as pessoas de CONVERSA" in answer.text
    assert "sem conversa" in answer.text
    assert len(await publish.publications(runtime, flow)) == 1


async def test_people_go_where_the_page_was_told_and_nothing_is_sent(runtime, editor, flow):
    one = await stand(runtime, "CONVERSA")
    await draft(runtime, without_talk())

    answer = await editor.post(PATH, (await form(editor)).data(note="x", **{FIELD: "NOVO"}))

    assert answer.headers["location"] == "/flows/pequeno/versions/2"
    assert (await row(runtime, one))["state"] == "NOVO"
    assert await runtime.store.read(lambda tx: tx.value("SELECT count(*) FROM outbox")) == 0
    timeline = read((await editor.get(f"/conversations/{one}?tab=timeline")).text).text
    assert "CONVERSA → NOVO teste" not in timeline
    assert "publisher publicou a v2" in timeline


async def test_they_may_finish_on_their_version_instead(runtime, editor, flow):
    one = await stand(runtime, "CONVERSA")
    await draft(runtime, without_talk())

    await editor.post(PATH, (await form(editor)).data(note="x", **{FIELD: "="}))

    assert (await row(runtime, one))["flow_version"] == 1
    assert "CONVERSA" in (await editor.get(PATH)).text, "and the next publication asks again, as of an old version"


async def test_what_was_chosen_stays_when_the_note_is_missing(runtime, editor, flow):
    await stand(runtime, "CONVERSA")
    await draft(runtime, without_talk())

    answer = await editor.post(PATH, (await form(editor)).data(note="", **{FIELD: "FIM"}))

    assert answer.status_code == 422
    assert '<option value="FIM" selected>' in answer.text


async def test_a_renamed_state_is_proposed_and_its_deadline_told(runtime, editor, flow):
    one = await stand(runtime, "CONVERSA")
    await draft(runtime, json.loads(json.dumps(small()).replace('"CONVERSA"', '"PAPO"')))

    page = (await editor.get(PATH)).text
    assert '<option value="PAPO" selected>' in page
    assert "sem mandar mensagem · prazo novo de 2 dias" in page
    await editor.post(PATH, (await form(editor)).data(note="papo"))

    assert (await row(runtime, one))["state"] == "PAPO"


async def test_names_that_are_no_state_are_refused(runtime, editor, flow):
    await stand(runtime, "CONVERSA")
    await draft(runtime, without_talk())
    for name in ("NADA", "CONVERSA", "<b>"):
        answer = await editor.post(PATH, (await form(editor)).data(note="x", **{FIELD: name}))
        assert answer.status_code == 422
        assert "Ninguém pode ser posto em" in answer.text


async def test_each_change_leads_to_its_place_in_the_drawing_and_back(runtime, editor, flow):
    await draft(runtime, without_talk())

    html = (await editor.get(PATH)).text
    page = read(html)

    assert {"#d-s-CONVERSA", "#d-t-t3", "#c-s-CONVERSA", "#c-t-t3"} <= set(page.links)
    assert {"d-s-CONVERSA", "d-t-t3", "c-s-CONVERSA", "c-t-t3"} <= set(page.ids)
    assert "d-del" in html
    assert "quiet" in html
    before, after = [(await editor.get(f"{PATH}?show={show}")).text for show in ("before", "after")]
    assert "s-CONVERSA" in read(before).ids
    assert "s-CONVERSA" not in read(after).ids
    assert "d-del" not in before + after


async def book(editor, runtime, day, hour):
    found = (await form(editor)).data(note="amanhã", day=day, hour=hour)
    return await editor.post(f"{PATH}/schedule", found)


async def change(runtime, value="4h"):
    await edit.edit(
        runtime, "pequeno", {"op": "set_state", "id": "NOVO", "field": "deadline", "value": value}, actor=ACTOR
    )


async def test_a_publication_is_set_for_an_hour_of_the_flows_time_zone_and_shown_until_it_is_made(
    runtime, editor, flow
):
    await change(runtime)
    answer = await book(editor, runtime, "2025-11-30", "08:30")  # it is 07:53 in São Paulo

    assert answer.headers["location"] == PATH
    assert (await schedule.standing(runtime, flow)).publish_at == 1_764_502_200_000, "11:30 UTC"
    assert "Vai ao ar em 30 nov. 2025, 08:30" in read((await editor.get(PATH)).text).text
    assert "vai ao ar em 30 nov. 2025, 08:30" in read((await editor.get("/flows/pequeno/draft")).text).text
    runtime.clock.move_to(1_764_502_200_000)
    await settle(runtime)
    assert [one.note for one in await publish.publications(runtime, flow)] == ["amanhã", "primeira"]
    assert "Vai ao ar" not in (await editor.get(PATH)).text


async def test_an_hour_that_is_over_or_is_none_is_refused(runtime, editor, flow):
    await change(runtime)
    for day, hour in (("2020-01-01", "10:00"), ("", "10:00"), ("amanhã", "cedo"), ("2025-12-01", "")):
        answer = await book(editor, runtime, day, hour)
        assert answer.status_code == 422
        assert "Diga um dia e uma hora que ainda não passaram." in answer.text


async def test_it_can_be_taken_back(runtime, editor, flow):
    await change(runtime)
    await book(editor, runtime, "2025-11-30", "08:30")
    answer = await editor.post(f"{PATH}/unschedule")
    assert answer.headers["location"] == PATH
    assert await schedule.standing(runtime, flow) is None


async def test_one_that_was_not_made_says_why_on_the_page_the_chip_and_the_desk_until_it_was_seen(
    runtime, editor, flow
):
    await change(runtime)
    await book(editor, runtime, "2025-11-30", "08:30")
    await change(runtime, "5h")
    runtime.clock.advance(40 * MINUTE)
    await settle(runtime)

    why = "O rascunho mudou depois da revisão."
    for path in (PATH, "/live", "/flows/pequeno/draft"):
        assert why in (await editor.get(path)).text, path
    await editor.post(f"{PATH}/unschedule", {"back": "/live"})
    assert why not in (await editor.get("/live")).text


async def test_the_versions_page_leads_back_and_the_people_go_back(runtime, editor, flow):
    one = await stand(runtime, "CONVERSA")
    await draft(runtime, without_talk())
    await editor.post(PATH, (await form(editor)).data(note="sem", **{FIELD: "NOVO"}))
    runtime.clock.advance(10)
    path = "/flows/pequeno/versions/1/rollback"

    assert path in read((await editor.get("/flows/pequeno/versions")).text).links
    page = await editor.get(path)
    assert "1 conversa volta de NOVO para CONVERSA, onde estava antes." in page.text
    answer = await editor.post(path, read(page.text).form(path).data(note="não deu certo"))

    assert answer.headers["location"] == "/flows/pequeno/versions/3"
    found = await row(runtime, one)
    assert (found["state"], found["flow_version"]) == ("CONVERSA", 3)
    assert "CONVERSA" not in (await edit.opened(runtime, flow)).tree["states"], "the draft stays"


async def test_going_back_is_409_when_another_version_is_live_by_now(runtime, editor, flow):
    await change(runtime)
    await publish.publish(runtime, flow, "dois", ACTOR)
    path = "/flows/pequeno/versions/1/rollback"
    typed = read((await editor.get(path)).text).form(path)
    await change(runtime, "5h")
    await publish.publish(runtime, flow, "três", ACTOR)

    assert (await editor.post(path, typed.data(note="volta"))).status_code == 409
    assert (await editor.get("/flows/pequeno/versions/9/rollback")).status_code == 404


async def test_a_version_that_somebody_published_meanwhile_is_not_written_over_unread(runtime, editor, flow):
    await change(runtime)
    typed = await form(editor)
    await publish.publish_tree(runtime, small(title="De outra pessoa"), "", ACTOR)
    text = json.dumps(small(title="Meu"))
    await runtime.store.write("k", lambda tx: tx.run("UPDATE flow SET draft = :t, revision = 2", t=text))

    assert (await editor.post(PATH, typed.data(note="meu"))).status_code == 409
    assert len(await publish.publications(runtime, flow)) == 2


async def finished():
    """Until what goes on in the background is over."""
    others = {task for task in asyncio.all_tasks() if "replay_jobs" in repr(task)}
    await asyncio.gather(*others)


async def test_last_week_is_decided_again_by_the_draft_with_counts_and_each_difference(runtime, editor, flow):
    leads = await phone_for(runtime, flow)
    one = await leads.greet()
    await edit.edit(runtime, flow, {"op": "set_transition", "id": "t1", "field": "to", "value": "FIM"}, actor=ACTOR)

    answer = await editor.post(f"{PATH}/replay")
    place = answer.headers["location"]
    await finished()
    page = read((await editor.get(place)).text)

    assert place.startswith(f"{PATH}/replay/")
    assert "1 decisões seriam outras" in page.text
    assert "Bruna Azeredo" in page.text
    assert f"/conversations/{one}" in page.links
    assert "vai para CONVERSA → oi · prazo 2 dias" in page.text
    assert "vai para FIM → oi · sem prazo" in page.text
    assert "poderiam ter respondido diferente" in page.text


async def test_scripts_get_a_fragment_that_asks_again_until_it_is_over(runtime, editor, flow):
    headers = {"hx-request": "true"}
    await (await phone_for(runtime, flow)).greet()
    first = (await editor.post(f"{PATH}/replay", headers=headers)).text
    assert 'hx-trigger="every 1s"' in first
    assert "<html" not in first
    await finished()
    place = first.split('hx-get="')[1].split("?")[0]
    assert "Toda decisão seria a mesma" in (await editor.get(place, headers=headers)).text
    assert (await editor.get(f"{PATH}/replay/nada")).status_code == 404


async def test_phones_are_masked_for_who_may_not_see_them(runtime, signed_in, flow):
    person = await signed_in(Role.MARKETER)
    await (await phone_for(runtime, flow)).greet(name="")
    await runtime.store.write("k", lambda tx: tx.run("UPDATE contact SET name = NULL"))
    await edit.edit(runtime, flow, {"op": "set_transition", "id": "t1", "field": "to", "value": "FIM"}, actor=ACTOR)
    place = (await person.post(f"{PATH}/replay")).headers["location"]
    await finished()

    text = read((await person.get(place)).text).text

    assert "90000-0142" not in text
    assert "•" in text or "*" in text


async def test_who_may_not_publish_sees_the_choices_and_cannot_make_them(runtime, signed_in, flow):
    person = await signed_in(Role.MARKETER)
    await stand(runtime, "CONVERSA")
    await draft(runtime, without_talk())

    assert f'name="{FIELD}" form="publish" disabled' in (await person.get(PATH)).text
    for path in (f"{PATH}/schedule", f"{PATH}/unschedule", "/flows/pequeno/versions/1/rollback"):
        assert (await person.post(path, {"note": "x"})).status_code == 403
    watcher = await signed_in(Role.READONLY)
    assert (await watcher.post(f"{PATH}/replay")).status_code == 403


def slower():
    tree = small()
    tree["states"]["CONVERSA"]["deadline"] = "4h"
    return tree


async def test_the_deadline_of_who_waits_is_kept_or_counted_anew_as_the_page_was_told(runtime, editor, flow):
    one = await stand(runtime, "CONVERSA")
    before = (await row(runtime, one))["deadline_at"]
    await draft(runtime, slower())
    page = (await editor.get(PATH)).text
    assert "Prazo de quem já está em CONVERSA (1): Manter o prazo já marcado Recalcular para 4 h" in read(page).text
    assert 'name="deadline:NOVO"' not in page, "its deadline is the same"

    answer = await editor.post(PATH, (await form(editor)).data(note="", **{"deadline:CONVERSA": "anew"}))
    assert 'name="deadline:CONVERSA" value="anew" form="publish" checked' in answer.text, "what was chosen stays"
    assert (await row(runtime, one))["deadline_at"] == before
    await editor.post(PATH, (await form(editor)).data(note="x", **{"deadline:CONVERSA": "anew"}))

    assert (await row(runtime, one))["deadline_at"] == runtime.clock.now() + 240 * MINUTE
    timeline = read((await editor.get(f"/conversations/{one}?tab=timeline")).text).text
    assert "publisher publicou a v2: o silêncio conta de novo a partir daqui" in timeline


async def test_what_was_chosen_for_deadlines_is_kept_with_the_hour_and_said_there(runtime, editor, flow):
    one = await stand(runtime, "CONVERSA", wait=100 * MINUTE)
    await draft(runtime, slower())
    sent = (await form(editor)).data(note="x", day="2026-12-31", hour="10:00", **{"deadline:CONVERSA": "anew"})

    await editor.post(f"{PATH}/schedule", sent)

    assert "Recalcula o prazo em CONVERSA." in (await editor.get(PATH)).text
    found = await schedule.standing(runtime, flow)
    runtime.clock.advance(found.publish_at - runtime.clock.now())
    await schedule.run(runtime, [found.id])
    assert (await row(runtime, one))["deadline_at"] == found.publish_at + 240 * MINUTE
