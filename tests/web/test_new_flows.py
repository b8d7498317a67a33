"""A new flow from the page: samples with their pictures, files with every mistake told, hostile files refused."""

import json

import pytest
import yaml

from engine import samples
from engine.core.permissions import Role
from engine.services import edit, publish
from tests.services.small_flow import small
from tests.web.pages_read import read

NEW, IMPORT = "/flows/new", "/flows/import"


@pytest.fixture
async def marketer(signed_in):
    return await signed_in(Role.MARKETER)


def _file(content, name="fluxo.json"):
    return {"file": (name, content if isinstance(content, bytes) else content.encode())}


async def test_every_sample_is_offered_with_its_picture(marketer):
    page = (await marketer.get(NEW)).text

    for name in (*samples.names(), samples.EMPTY):
        assert f'value="{name}"' in page
        picture = await marketer.get(f"/flows/samples/{name}?theme=dark")
        assert picture.status_code == 200
        assert picture.headers["content-type"].startswith("image/svg+xml")
    assert (await marketer.get("/flows/samples/nenhum")).status_code == 404


@pytest.mark.parametrize("start", [*samples.names(), samples.EMPTY])
async def test_a_flow_is_made_and_opened(runtime, marketer, start):
    form = read((await marketer.get(f"{NEW}?start={start}")).text).form(NEW)

    answer = await marketer.post(NEW, form.data(title="Minha Oferta"))

    assert form.fields["start"] == [start]
    assert answer.headers["location"] == "/flows/minha-oferta/draft"
    assert (await marketer.get("/flows/minha-oferta/draft")).status_code == 200


async def test_a_taken_title_is_told_and_what_was_chosen_is_kept(runtime, marketer, flow):
    answer = await marketer.post(NEW, {"start": samples.EMPTY, "title": "Pequeno"})

    form = read(answer.text).form(NEW)
    assert answer.status_code == 422
    assert "Já existe um fluxo em /flows/pequeno" in answer.text
    assert (form.fields["start"], form.fields["title"]) == ([samples.EMPTY], ["Pequeno"])
    assert (await marketer.post(NEW, {"start": "nenhum", "title": "X"})).status_code == 404


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("fluxo.json", json.dumps(small(slug="de-fora"))),
        ("fluxo.yaml", yaml.safe_dump(small(slug="de-fora"), allow_unicode=True)),
        ("fluxo.txt", "\ufeff" + json.dumps(small(slug="de-fora"))),
    ],
)
async def test_a_file_in_json_or_yaml_becomes_a_flow(runtime, marketer, name, content):
    answer = await marketer.post(IMPORT, files=_file(content, name))

    assert answer.headers["location"] == "/flows/de-fora/draft"
    assert (await edit.opened(runtime, "de-fora")).flow.title.within("pt-BR") == "Pequeno"


async def test_every_mistake_of_a_file_is_told_with_its_place_and_the_text_is_kept(runtime, marketer):
    tree = small(initial="NADA", cor=1)
    tree["transitions"][0]["to"] = "LONGE"
    content = json.dumps(tree, indent=1)

    answer = await marketer.post(IMPORT, files=_file(content))

    assert answer.status_code == 422
    for told in ("É preciso corrigir 3 coisas", "cor", "initial", "transitions[0].to", "LONGE"):
        assert told in answer.text
    form = read(answer.text).form(IMPORT)
    assert form.fields["text"][0].strip() == content
    mended = content.replace("NADA", "NOVO").replace("LONGE", "CONVERSA").replace('"cor": 1', '"timezone": "UTC"')
    assert (await marketer.post(IMPORT, form.data(text=mended))).headers["location"] == "/flows/pequeno/draft"


async def test_a_file_that_cannot_be_read_says_the_line(marketer):
    answer = await marketer.post(IMPORT, files=_file('{"schema": 1,\n "slug": "oi}'))

    assert answer.status_code == 422
    assert "linha 2" in answer.text


BOMB = "a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nschema: *c\n"


@pytest.mark.parametrize(
    "content",
    [
        BOMB,
        "schema: !!python/object/apply:os.system ['true']",
        "{" * 100_000,
        "[" * 100_000,
        b"\xff\xfe\x00",
        b"\x89PNG\r\n\x1a\n",
        "schema: 1\nschema: 1\n",
        '{"schema": NaN}',
        "null",
        "[]",
        "7",
        "schema: " + "9" * 5000,
        "\x00",
    ],
)
async def test_a_hostile_file_is_refused_in_words(runtime, marketer, content):
    answer = await marketer.post(IMPORT, files=_file(content, "x.yaml"))

    assert answer.status_code == 422
    assert 'id="e-file"' in answer.text
    assert await edit.drafts(runtime) == []


async def test_nothing_and_too_much_are_told(marketer):
    assert "Escolha um arquivo, ou cole o texto" in (await marketer.post(IMPORT, {"text": "  "})).text
    answer = await marketer.post(IMPORT, files=_file(b" " * (5 * 1024 * 1024 + 1)))
    assert (answer.status_code, "passa de 5 MB" in answer.text) == (422, True)
    assert (await marketer.post(IMPORT, files=_file(b" " * (12 * 1024 * 1024)))).status_code == 413


async def test_a_taken_name_asks_what_to_do_and_does_it(runtime, marketer, flow):
    content = json.dumps(small(title="De fora"))

    asked = await marketer.post(IMPORT, files=_file(content))

    page = read(asked.text)
    assert asked.status_code == 422
    assert "Já existe um fluxo em /flows/pequeno." in asked.text
    assert "/flows/pequeno/diagram.json?version=draft" in page.links
    assert (await edit.opened(runtime, flow)).draft.title == "Pequeno", "nothing happened yet"
    beside = await marketer.post(IMPORT, page.form(IMPORT).data())
    assert beside.headers["location"] == "/flows/pequeno-2/draft"
    over = await marketer.post(IMPORT, page.form(IMPORT).data(clash="replace"))
    assert over.headers["location"] == "/flows/pequeno/draft"
    assert (await edit.opened(runtime, flow)).draft.title == "De fora"
    assert [one.number for one in await publish.publications(runtime, flow)] == [1]


async def test_who_may_not_edit_makes_no_flow(runtime, signed_in, flow):
    person = await signed_in(Role.SUPERVISOR)

    assert (await person.get(NEW)).status_code == 403
    assert (await person.post(NEW, {"start": "venda", "title": "X"})).status_code == 403
    assert (await person.post(IMPORT, {"text": "{}"})).status_code == 403
    assert len(await edit.drafts(runtime)) == 1
