"""Templates of the platform: brought up to date, kept in step with its news, handed in, and looked for at publication."""

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.checks.templates import check_templates
from engine.core.document import read
from engine.core.errors import NotFound, Refused
from engine.core.platform_templates import Proposal, Template
from engine.services import channels, template_findings, templates
from engine.services.publish import review
from engine.services.scenarios.reference import document
from tests.fakes.graph_templates import template
from tests.fakes.whatsapp import FakeWhatsApp
from tests.services.shop import ACTOR, ANA
from tests.services.test_deliver import queued, statuses

OFFER = Proposal(
    name="oferta_maio", language="pt_BR", category="MARKETING", body="Oi {{1}}, a oferta volta hoje.", examples=("Ana",)
)
RETURN = {"name": "retomar_oferta", "language": "pt_BR", "params": []}


@pytest_asyncio.fixture
async def fake():
    async with FakeWhatsApp() as made:
        yield made


@pytest_asyncio.fixture
async def asked(shop, fake):
    """A shop whose number lies at a fake platform, while its sends still go to the provider."""
    values = {"waba_id": fake.account.account, "base_url": fake.base_url, "access_token": fake.access_token}
    await channels.change(shop.runtime, shop.channel_id, ACTOR, values=values)
    http, sends = Http(), shop.provider.request

    async def request(call):
        return await (http.request(call) if "message_templates" in call.url else sends(call))

    shop.provider.request = request
    yield shop
    await http.close()


async def known(shop):
    return {(k.template.name, k.template.language): k.template for k in await templates.everything(shop.runtime)}


async def synced(shop):
    return await templates.sync(shop.runtime, shop.channel_id, ACTOR)


async def tells(shop, name="retomar_oferta", field="message_template_status_update", **value):
    """The platform's news of a template."""
    told = {"message_template_id": 1, "message_template_name": name, "message_template_language": "pt_BR", **value}
    change = {"field": field, "value": told}
    body = {"object": "whatsapp_business_account", "entry": [{"id": "1", "changes": [change]}]}
    assert await shop.posts(body) == 200


async def test_all_pages_of_a_listing_are_read_and_no_address_of_theirs_is_followed(asked, fake):
    fake.account.page = 2
    fake.account.kept = [template(f"modelo_{n}", body=f"Texto {n}") for n in range(5)]

    told = await synced(asked)

    assert (told.templates, told.approved) == (5, 5)
    assert sorted(name for name, _ in await known(asked)) == [f"modelo_{n}" for n in range(5)]
    found = (await known(asked))["modelo_3", "pt_BR"]
    assert (found.category, found.quality, found.reason) == ("MARKETING", "GREEN", "")
    assert found.components == [{"type": "BODY", "text": "Texto 3"}]


async def test_what_the_platform_does_not_list_any_more_is_deleted_there(asked, fake):
    fake.account.kept = [template("fica"), template("some")]
    await synced(asked)
    asked.clock.advance(1)
    fake.account.kept.pop()

    await synced(asked)

    assert {name: found.status for (name, _), found in (await known(asked)).items()} == {
        "fica": "APPROVED",
        "some": "DELETED",
    }


@pytest.mark.parametrize(
    ("trouble", "code"),
    [("html", "platform_unreachable"), ("reset_before", "platform_unreachable"), ("error", "platform_refused")],
)
async def test_a_listing_that_fails_changes_nothing_and_says_why(asked, fake, trouble, code):
    fake.account.kept = [template("fica")]
    await synced(asked)
    fake.fail_next(trouble, times=2)  # a reading call may be repeated on a fresh connection

    with pytest.raises(Refused) as refusal:
        await synced(asked)

    assert refusal.value.code == code
    assert (await known(asked))["fica", "pt_BR"].status == "APPROVED"


async def test_without_the_account_or_with_another_kind_of_channel_nothing_is_asked(asked):
    await channels.change(asked.runtime, asked.channel_id, ACTOR, values={"waba_id": "../me"})
    with pytest.raises(Refused, match="waba_id_missing"):
        await synced(asked)
    phone = await channels.add(asked.runtime, "phone", "teste", ACTOR)
    with pytest.raises(NotFound):
        await templates.sync(asked.runtime, phone.id, ACTOR)


async def test_a_template_is_handed_in_and_waits_for_the_platform(asked, fake):
    made = await templates.propose(asked.runtime, asked.channel_id, OFFER, ACTOR)

    assert (made.status, made.category) == ("PENDING", "MARKETING")
    assert fake.account.kept[0]["components"][0]["example"] == {"body_text": [["Ana"]]}
    assert (await known(asked))["oferta_maio", "pt_BR"].status == "PENDING"
    with pytest.raises(Refused, match="template_there"):
        await templates.propose(asked.runtime, asked.channel_id, OFFER, ACTOR)
    rows = await asked.rows("SELECT what, subject FROM audit WHERE what = 'template.proposed'")
    assert [row["subject"] for row in rows] == ["oferta_maio"]


async def test_news_of_state_quality_and_category_reach_the_registry(asked, fake):
    fake.account.kept = [template("retomar_oferta")]
    await synced(asked)

    await tells(asked, field="message_template_quality_update", previous_quality_score="GREEN", new_quality_score="RED")
    await tells(asked, field="template_category_update", previous_category="MARKETING", new_category="UTILITY")
    await tells(asked, event="REJECTED", reason="ABUSIVE_CONTENT")

    found = (await known(asked))["retomar_oferta", "pt_BR"]
    assert (found.quality, found.category, found.status, found.reason) == (
        "RED", "UTILITY", "REJECTED", "ABUSIVE_CONTENT",
    )  # fmt: skip


@pytest.mark.parametrize("way", ["news", "listing"])
async def test_letters_of_a_template_that_was_switched_off_wait_until_it_is_approved_again(asked, fake, way):
    fake.account.kept = [template("retomar_oferta")]
    await asked.talks(ANA, "oi")
    await asked.runtime.store.write("x", lambda tx: tx.run("UPDATE conversation SET deadline_at = NULL"))

    async def turns(status):
        asked.clock.advance(1)
        if way == "news":
            await tells(asked, event=status)
        else:
            fake.account.kept = [template("retomar_oferta", status=status)]
            await synced(asked)

    await turns("PAUSED")
    await queued(asked, "um", as_template=True, payload={"text": None, "template": RETURN})
    await asked.works()
    assert await statuses(asked) == ["held"]
    assert (await asked.letters())[-1].reason == "template_held"

    await turns("APPROVED")
    await asked.works()
    assert await statuses(asked) == ["sent"]
    assert asked.provider.texts[-1] == "[retomar_oferta]"


def shown(findings):
    return [(f.code, f.severity.value, f.facts.get("variant"), f.facts["name"]) for f in findings]


def test_templates_are_only_missed_where_a_flow_uses_them():
    flow = read(document("venda", {}))
    used = sorted({f.facts["name"] for f in check_templates(flow, {})})
    assert used
    name = used[0]
    fits = next(a.template for a in flow.actions.values() if getattr(a, "template", None) and a.template.name == name)

    def told(**more):
        made = Template(name=name, language=fits.language, **{"status": "APPROVED", **more})
        return {f.facts.get("variant") for f in check_templates(flow, {(name, fits.language): made})
                if f.facts["name"] == name}  # fmt: skip

    body = " ".join(f"{{{{{n}}}}}" for n in range(1, len(fits.params) + 1)) + "."
    assert told(components=[{"type": "BODY", "text": body}]) == set()
    assert told(components=[{"type": "BODY", "text": body + " {{9}}."}]) == {"values"}
    assert told(status="PAUSED") == {"status"}
    assert told(status="DELETED") == {None}
    assert told(components=[{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": body}]) == {"shape"}


async def test_publication_warns_of_templates_only_when_the_platform_was_asked(asked, fake):
    before = (await review(asked.runtime, "venda")).findings
    assert not [f for f in before if f.code == "W3"]
    fake.account.kept = [template("outro")]
    await synced(asked)

    found = await review(asked.runtime, "venda")

    warned = [f for f in found.findings if f.code == "W3"]
    assert warned and not found.blocked
    assert {f.severity.value for f in warned} == {"warning"}
    flow = await asked.runtime.flow("venda", 1)
    assert len(await template_findings.found(asked.runtime, flow)) == len(warned)
