"""Pictures and audios that a person sends: kept, handed to each channel as it takes them, and sent once (R27, SEC-S20)."""

import asyncio
import base64

import pytest
import pytest_asyncio

from engine.adapters.http_client import Http
from engine.core.errors import NotFound, Refused
from engine.services import channels, own_files
from engine.store.lanes import Store
from tests.core.test_picture_size import png
from tests.core.test_sent_kinds import MP3
from tests.fakes.whatsapp import FakeWhatsApp
from tests.runtimes import a_runtime
from tests.services.gateway_shop import Patient
from tests.services.shop import ACTOR, ANA, Shop, published
from tests.services.work import settle

PICTURE = png(64, 48) + bytes(600_000)
"""More than two pieces."""


class Cloud(Shop):
    """The shop on a Graph API that takes files."""

    def __init__(self, runtime, flow, fake):
        self.runtime, self.flow, self.fake, self.clock, self._count = runtime, flow, fake, runtime.clock, 0


@pytest_asyncio.fixture
async def cloud(database_url):
    async with FakeWhatsApp() as fake, Http() as http:
        runtime = a_runtime(database_url, store=Store(database_url, lanes=2), http=Patient(http))
        slug = await published(runtime)
        values = {
            "app_secret": "segredo", "access_token": "TOKEN", "verify_token": "v",
            "phone_number_id": fake.phone_number_id, "base_url": fake.base_url,
        }  # fmt: skip
        await channels.add(
            runtime, "whatsapp_cloud", "loja", ACTOR, token="canal-de-teste-um-dois", flow=slug, values=values
        )
        made = Cloud(runtime, slug, fake)
        await made.talks(ANA, "oi")
        fake.sent.clear()
        yield made
        await runtime.close()


async def send(shop, content=PICTURE, caption="a tabela", form="f1", name="C:\\fotos\\tabela.png", **more):
    number = (await shop.conversation()).id
    return await own_files.send_file(shop.runtime, number, name, content, caption, form, ACTOR, **more)


async def test_a_picture_is_handed_over_and_then_sent_by_its_number_with_its_caption(cloud):
    assert await send(cloud)
    await cloud.works()
    (sent,) = cloud.fake.sent
    number = sent.body["image"]["id"]
    assert sent.body["image"] == {"id": number, "caption": "a tabela"}
    assert cloud.fake.files[number].content == PICTURE
    assert cloud.fake.files[number].mime == "image/png"
    assert [one.status for one in await cloud.letters()] == ["sent", "sent"]
    assert (await cloud.person())["paused_until"] is not None
    (row,) = await cloud.rows("SELECT name FROM sent_file")
    assert row["name"] == "tabela.png"


async def test_an_audio_is_sent_as_one_and_has_no_words(cloud):
    assert await send(cloud, MP3, caption="", name="voz.mp3")
    await cloud.works()
    assert [set(one.body["audio"]) for one in cloud.fake.sent] == [{"id"}]
    with pytest.raises(Refused) as refused:
        await send(cloud, MP3, caption="oi", form="f2")
    assert refused.value.code == "caption_of_audio"


async def test_a_double_click_sends_one_file_and_keeps_one(cloud):
    """R25: two posts at the same time, as a page without scripts makes them."""
    sent = await asyncio.gather(*(send(cloud) for _ in range(3)))
    await cloud.works()
    assert sorted(sent) == [False, False, True]
    assert len(cloud.fake.sent) == 1
    assert len(await cloud.rows("SELECT id FROM sent_file")) == 1
    assert len(await cloud.rows("SELECT DISTINCT file_id FROM sent_piece")) == 1


@pytest.mark.parametrize("fault", ["reset_before", "reset_after", "error"])
async def test_while_the_platform_does_not_take_the_file_nothing_was_sent_and_it_is_tried_again(cloud, fault):
    """R27: handing a file over reaches nobody, so repeating it is safe."""
    cloud.fake.fail_next(fault, status=500, body={"error": {"code": 131000, "message": "x"}})
    await send(cloud)
    await settle(cloud.runtime)
    assert cloud.fake.sent == []
    assert [one.status for one in await cloud.letters()][-1] == "pending"
    await cloud.after(60_000)
    assert len(cloud.fake.sent) == 1


async def test_a_file_that_the_platform_refuses_fails_and_a_person_sees_it(cloud):
    cloud.fake.fail_with_code(131053)
    await send(cloud)
    await cloud.works()
    assert [one.status for one in await cloud.letters()][-1] == "failed"
    assert (await cloud.conversation()).attention == "send_failed"


@pytest.mark.parametrize(
    ("content", "caption", "code"),
    [
        (b"", "", "no_file_chosen"),
        (b"<script>alert(1)</script>", "", "file_kind"),
        (PICTURE + bytes(5 * 1024 * 1024), "", "file_large"),
        (PICTURE, "x" * 1_025, "caption_too_long"),
    ],
)
async def test_what_may_not_be_sent_is_neither_kept_nor_queued(cloud, content, caption, code):
    with pytest.raises(Refused) as refused:
        await send(cloud, content, caption)
    assert refused.value.code == code
    assert await cloud.rows("SELECT id FROM sent_file") == []


async def test_when_the_state_changed_meanwhile_the_file_is_not_kept(cloud):
    with pytest.raises(Refused) as refused:
        await send(cloud, seen="OUTRO")
    assert refused.value.code == "state_changed"
    assert await cloud.rows("SELECT id FROM sent_file") == await cloud.rows("SELECT n FROM sent_piece") == []


async def test_a_letter_whose_file_was_erased_is_refused_and_not_sent_empty(cloud):
    await send(cloud)
    await cloud.runtime.store.write("x", lambda tx: tx.run("DELETE FROM sent_piece"))
    await cloud.works()
    assert cloud.fake.sent == []
    assert [one.status for one in await cloud.letters()][-1] == "failed"


async def test_a_file_is_of_one_conversation(cloud):
    await send(cloud)
    number = (await cloud.rows("SELECT id FROM sent_file"))[0]["id"]
    found = await own_files.stored(cloud.runtime, number, (await cloud.conversation()).id)
    assert await own_files.part(cloud.runtime, found, 0, found.bytes - 1) == PICTURE
    for wrong in ((number, 999), (999, None)):
        with pytest.raises(NotFound):
            await own_files.stored(cloud.runtime, *wrong)


async def test_the_gateway_gets_a_picture_as_base64_and_an_audio_as_a_voice_message(gateway):
    await gateway.talks("oi")
    number = await gateway.runtime.store.read(lambda tx: tx.value("SELECT MAX(id) FROM conversation"))
    for content, caption, form in ((PICTURE, "a tabela", "f1"), (MP3, "", "f2")):
        await own_files.send_file(gateway.runtime, number, "x.png", content, caption, form, ACTOR)
    await gateway.after(60_000)
    bodies = [one.body for one in gateway.fake.sent[-2:]]
    assert base64.b64decode(bodies[0]["media"]) == PICTURE
    assert (bodies[0]["mediatype"], bodies[0]["mimetype"], bodies[0]["caption"]) == ("image", "image/png", "a tabela")
    assert base64.b64decode(bodies[1]["audio"]) == MP3
