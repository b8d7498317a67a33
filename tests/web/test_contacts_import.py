"""Files of people on pages: chosen, looked at with other columns, taken in, and what was left out comes back as a file."""

import pytest
import pytest_asyncio

from engine.core.contact_table import LARGEST
from engine.core.permissions import Role
from tests.web.pages_read import read

PLACE = "/contacts/import"
FILE = "celular;nome;consentimento\n11 91234-5678;Ana <b>Lima</b>;site\n=1+1;Bia;site\n(21) 99876-5432;Caio;\n"


@pytest_asyncio.fixture
async def publisher(signed_in, flow):
    return await signed_in(Role.PUBLISHER)


async def sent(person, text=FILE, name="lista.csv"):
    raw = text if isinstance(text, bytes) else text.encode("cp1252")
    files = {"file": (name, raw, "text/csv")}
    return await person.client.post(PLACE, data={"_csrf": person.csrf}, files=files)


async def test_a_file_is_looked_at_taken_in_and_remarks_come_back(publisher, runtime):
    where = (await sent(publisher)).headers["location"]
    seen = await publisher.get(where)
    assert "+55 11 91234-5678" in seen.text and "Ana &lt;b&gt;Lima&lt;/b&gt;" in seen.text
    page = read(seen.text)
    assert "Importar 2 pessoas" in page.text and "não é um telefone" in page.text
    assert await runtime.store.read(lambda tx: tx.value("SELECT COUNT(*) FROM contact")) == 0

    form = page.form(ident="take")
    assert (await publisher.post(form.action, form.data())).headers["location"] == where

    done = read((await publisher.get(where)).text)
    assert "sem prova de consentimento" in done.text
    table = await publisher.get(f"{where}/problems.csv")
    assert table.headers["content-disposition"].startswith("attachment")
    assert ";'=1+1" in table.text
    assert "lista.csv" in (await publisher.get(PLACE)).text


async def test_other_columns_may_be_chosen_and_nothing_is_taken_in_by_looking(publisher, runtime):
    where = (await sent(publisher, "a;b\nAna;11912345678\n")).headers["location"]
    page = read((await publisher.get(where)).text)
    assert "nenhuma coluna é o telefone" in page.text
    form = page.form(ident="take")
    refused = await publisher.post(form.action, form.data())
    assert refused.status_code == 422 and "Diga qual coluna é o telefone" in refused.text

    chosen = form.data(**{"column.phone": "1", "column.name": "0", "proof": "feira"})
    again = read((await publisher.post(f"{where}/columns", chosen)).text)

    assert "+55 11 91234-5678" in again.text
    assert again.form(ident="take").fields["proof"] == ["feira"]
    await publisher.post(where, chosen)
    names = await runtime.store.read(lambda tx: tx.rows("SELECT name, phone FROM contact"))
    assert names == [{"name": "Ana", "phone": "5511912345678"}]


async def test_a_draft_can_be_thrown_away(publisher):
    where = (await sent(publisher)).headers["location"]
    assert (await publisher.post(f"{where}/drop")).status_code == 303
    assert (await publisher.get(where)).status_code == 404


@pytest.mark.parametrize(
    ("raw", "said"), [(b"", "Não há nada no arquivo"), (b"a" * (LARGEST + 1), "O arquivo passa de 4 MB")]
)
async def test_what_is_no_file_of_people_is_refused(publisher, raw, said):
    answer = await sent(publisher, raw)
    assert answer.status_code == 422 and said in answer.text


async def test_a_form_without_a_file_and_bytes_of_any_kind_are_no_error_of_ours(publisher):
    assert (await publisher.post(PLACE)).status_code == 422
    for raw in (b"\xff\xfe\x00\xd8", b'"', b"\x00\x01\x02;\r\r\n", "telefone\n\ud800".encode("utf-8", "surrogatepass")):
        answer = await sent(publisher, raw)
        assert answer.status_code in (303, 422)
        if answer.status_code == 303:
            assert (await publisher.get(answer.headers["location"])).status_code == 200


@pytest.mark.parametrize("role", [Role.READONLY, Role.SUPERVISOR, Role.MARKETER])
async def test_only_who_publishes_takes_people_in(signed_in, flow, role):
    person = await signed_in(role)
    assert (await person.get(PLACE)).status_code == 403
    assert (await sent(person)).status_code == 403


async def test_a_file_without_the_token_of_the_form_is_refused(publisher):
    files = {"file": ("lista.csv", FILE.encode(), "text/csv")}
    headers = {"Sec-Fetch-Site": "same-origin"}
    assert (await publisher.client.post(PLACE, data={"_csrf": "x"}, files=files, headers=headers)).status_code == 403
