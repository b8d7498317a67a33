"""People out of a file: all or nothing, known people found again, consent kept with its proof and never overruled."""

import pytest

from engine.core.errors import NotFound, Refused, StoreUnavailable
from engine.services import contact_files
from engine.store import contact_files as stored
from engine.store import contacts, proofs
from tests.services.shop import ACTOR, ANA, BIA

FILE = f"phone;name;tags;optin_at;optin_proof\n{ANA};Ana Nova;vip;01/02/2024;feira de maio\n{BIA};Bia;;;\n"


async def taken(shop, text=FILE, proof="", columns=None):
    number = await contact_files.upload(shop.runtime, "lista.csv", text.encode(), ACTOR)
    return await contact_files.take(shop.runtime, number, proof, ACTOR, columns)


async def proved(shop, phone):
    def unit(tx):
        found = contacts.find(tx, phone)
        return [] if found is None else [(p.source, p.words, p.at) for p in proofs.of(tx, found)]

    return await shop.runtime.store.read(unit)


async def test_a_file_makes_contacts_and_keeps_the_proof_of_each(shop):
    file = await taken(shop)

    assert file.facts == {
        "people": 2, "new": 2, "known": 0, "proved": 1, "no_proof": 1, "opted_out": 0, "refused": 0,
    }  # fmt: skip
    assert file.problems == [[3, "no_proof", BIA]]
    [(source, words, at)] = await proved(shop, ANA)
    assert (source, words) == ("import", "feira de maio")
    assert at < shop.clock.now()
    assert await proved(shop, BIA) == []
    assert file.content == "", "the text is not needed any more"


async def test_a_proof_for_all_covers_those_without_their_own(shop):
    await taken(shop, proof="cadastro do site")
    assert [words for _, words, _ in await proved(shop, ANA)] == ["feira de maio"]
    assert [words for _, words, _ in await proved(shop, BIA)] == ["cadastro do site"]


async def test_known_people_are_found_in_another_spelling_and_keep_what_they_have(shop):
    await shop.talks(ANA, "oi")
    spelled = f"({ANA[2:4]}) {ANA[4:9]}-{ANA[9:]}"

    file = await taken(shop, f"phone;name;email;tags\n{spelled};Outra;ana@loja.com;vip\n", proof="site")

    person = await shop.person()
    assert (file.facts["known"], file.facts["new"]) == (1, 0)
    assert (person["name"], person["email"], person["tags"]) == ("Ana Lima", "ana@loja.com", '["vip"]')
    assert len(await shop.rows("SELECT id FROM contact")) == 1


async def test_a_file_never_ends_an_opt_out_and_says_who_is_out(shop):
    await shop.talks(ANA, "oi", "parar")
    assert (await shop.person())["opt_out_at"] is not None

    file = await taken(shop, proof="site")

    assert (await shop.person())["opt_out_at"] is not None
    assert await proved(shop, ANA) == []
    assert [2, "opted_out", ANA] in file.problems


async def test_the_same_file_twice_adds_nobody_and_no_second_proof(shop):
    await taken(shop)
    await taken(shop)
    assert len(await shop.rows("SELECT id FROM contact")) == 2
    assert len(await proved(shop, ANA)) == 1
    assert len(await shop.rows("SELECT * FROM from_file")) == 4


async def test_a_draft_is_looked_at_before_and_gone_after(shop):
    await shop.talks(ANA, "oi", "parar")
    number = await contact_files.upload(shop.runtime, "../../l\nista.csv", FILE.encode(), ACTOR)

    look = await contact_files.look(shop.runtime, number)

    assert (len(look.reading.people), look.known, look.opted_out, look.without_proof) == (2, 1, 1, 1)
    assert look.file.name == "../../lista.csv"
    await contact_files.take(shop.runtime, number, "", ACTOR)
    with pytest.raises(NotFound):
        await contact_files.take(shop.runtime, number, "", ACTOR)
    rows = await shop.rows("SELECT facts FROM audit WHERE what = 'contacts.imported'")
    assert len(rows) == 1 and ANA not in rows[0]["facts"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "file_empty"), ("nome\nAna\n", "no_phone_column"), ("phone\nabc\n", "nobody_in_file")],
)
async def test_a_file_of_nobody_is_refused_and_nothing_is_kept(shop, text, code):
    with pytest.raises(Refused, match=code):
        await taken(shop, text)
    assert await shop.rows("SELECT id FROM contact") == []


async def test_a_file_that_fails_half_way_leaves_nothing(shop, monkeypatch):
    def cut(*_given):
        raise StoreUnavailable("cut")

    monkeypatch.setattr(stored, "finish", cut)
    with pytest.raises(StoreUnavailable):
        await taken(shop)
    for table in ("contact", "identity", "consent_proof", "from_file"):
        assert await shop.rows(f"SELECT * FROM {table}") == []


async def test_a_thousand_people_are_taken_in_at_once(small_shop):
    text = "phone;tags\n" + "".join(f"119{n:08d};maio\n" for n in range(1_000))
    file = await taken(small_shop, text, proof="site")
    assert (file.facts["new"], file.facts["proved"]) == (1_000, 1_000)
    again = await taken(small_shop, text, proof="site")
    assert (again.facts["new"], again.facts["known"]) == (0, 1_000)
    assert len(await small_shop.rows("SELECT id FROM consent_proof")) == 1_000


async def test_what_was_not_taken_comes_back_as_a_table_without_formulas(shop):
    file = await taken(shop, f"phone;name\n=cmd|' /C calc'!A0;x\n{ANA};Ana\n", proof="site")
    text = contact_files.problems_table(file, ("linha", "motivo", "valor"), {"phone_unreadable": "não é telefone"})
    assert "2;não é telefone;'=cmd|" in text
