"""Files that customers sent: for whoever may read, whole or in part, and so that nothing in them runs (SEC-S20)."""

import re
from urllib.parse import unquote

import pytest
import pytest_asyncio

from engine.core.inbound import Message, Person
from engine.core.permissions import Role
from engine.services import publish
from engine.services.take_file import Attached, files
from engine.store import inbox, marks, media, media_pieces
from tests.services.small_flow import small
from tests.web.conftest import ACTOR
from tests.web.leads import phone_for
from tests.web.pages_read import read

VOICE = bytes(range(256)) * 1_200
"""More than one piece."""


@pytest_asyncio.fixture
async def leads(runtime):
    await publish.publish_tree(runtime, small(), "primeira", ACTOR)
    return await phone_for(runtime, "pequeno")


class Files:
    """Puts messages with files into a conversation."""

    def __init__(self, leads, conversation):
        self.leads, self.conversation, self.count = leads, conversation, 0

    async def add(self, kind, mime, content=VOICE, *, name=None, text=None, waits=False, **more):
        """A kept file; `more` are columns that differ. The id of its message, which waits for an answer or does not."""
        self.count += 1
        item = Message(
            provider_id=f"F{self.count}", person=Person(phone="5511900000142"), at=self.leads.clock.now(), kind=kind,
            text=text, media={} if name is None else {"filename": name},
        )  # fmt: skip

        def unit(tx):
            contact = tx.value("SELECT contact_id FROM conversation WHERE id = :id", id=self.conversation)
            channel = self.leads.channel.id
            ignored = None if waits else "too_old"
            arrived = inbox.Arrived(channel, self.conversation, contact, item, item.at, ignored=ignored)
            (inbound_id,) = inbox.store(tx, [arrived])
            files(tx, [Attached(inbound_id, item, item.at)])
            for n, piece in media_pieces.cut(content):
                media_pieces.write(tx, inbound_id, n, piece)
            kept = {"state": "kept", "mime": mime, "bytes": len(content), **more}
            assert media.settle(tx, media.of_message(tx, inbound_id), kept)
            if waits:
                marks.note_arrivals(tx, [marks.Waits(self.conversation, channel, item.at, item.at, item.at, item.at)])
            return inbound_id

        return await self.leads.runtime.store.write("x", unit)


@pytest_asyncio.fixture
async def kept(leads):
    return Files(leads, await leads.greet())


async def test_an_audio_comes_whole_or_in_the_part_that_a_player_asks_for(kept, supervisor):
    number = await kept.add("audio", "audio/ogg")

    whole = await supervisor.get(f"/media/{number}")
    part = await supervisor.get(f"/media/{number}", headers={"range": "bytes=262000-262500"})
    none = await supervisor.get(f"/media/{number}", headers={"range": "bytes=999999999-"})

    assert (whole.status_code, whole.content, whole.headers["accept-ranges"]) == (200, VOICE, "bytes")
    assert (part.status_code, part.content) == (206, VOICE[262_000:262_501])
    assert part.headers["content-range"] == f"bytes 262000-262500/{len(VOICE)}"
    assert (none.status_code, none.headers["content-range"]) == (416, f"bytes */{len(VOICE)}")


@pytest.mark.parametrize(
    ("kind", "mime", "shown", "how"),
    [
        ("image", "image/png", "image/png", "inline"),
        ("audio", "audio/ogg", "audio/ogg", "inline"),
        ("video", "video/mp4", "video/mp4", "inline"),
        ("document", "application/pdf", "application/pdf", "attachment"),
        ("document", "text/plain", "application/octet-stream", "attachment"),
        ("document", "application/x-ole-storage", "application/octet-stream", "attachment"),
    ],
)
async def test_sec_s20_nothing_but_pictures_sound_and_film_is_shown_and_nothing_runs(
    kept, supervisor, kind, mime, shown, how
):
    response = await supervisor.get(f"/media/{await kept.add(kind, mime)}")

    assert response.headers["content-type"] == shown
    assert response.headers["content-disposition"].split(";")[0] == how
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
    assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("recibo março.pdf", "recibo março.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Windows\\system.ini", "system.ini"),
        ('a"; filename=b\r\nX-Evil: 1.pdf', 'a"; filename=b\nX-Evil: 1.pdf'.replace("\n", "")),
        ("..", "document-{id}.pdf"),
        (None, "document-{id}.pdf"),
    ],
)
async def test_sec_s20_a_files_name_is_a_name_and_nothing_else(kept, supervisor, given, named):
    number = await kept.add("document", "application/pdf", name=given)

    response = await supervisor.get(f"/media/{number}")

    told = response.headers["content-disposition"].removeprefix("attachment; filename*=UTF-8''")
    assert "x-evil" not in response.headers
    assert told.isascii() and not set(told) & set('"; \r\n/')
    assert unquote(told) == named.format(id=number)


@pytest.mark.parametrize("columns", [{"state": "waiting"}, {"state": "refused", "reason": "type"}])
async def test_what_is_not_kept_cannot_be_had(kept, supervisor, columns):
    assert (await supervisor.get(f"/media/{await kept.add('image', 'image/png', **columns)}")).status_code == 404
    assert (await supervisor.get("/media/999")).status_code == 404


async def test_what_was_taken_back_is_gone_from_the_page_too(kept, supervisor, leads):
    number = await kept.add("image", "image/png")
    await leads.change("UPDATE inbound SET deleted_at = 1 WHERE id = :id", id=number)

    assert (await supervisor.get(f"/media/{number}")).status_code == 404
    assert f"/media/{number}" not in (await supervisor.get(f"/conversations/{kept.conversation}")).text


async def test_who_may_read_the_conversation_may_have_its_files_and_nobody_else(kept, signed_in, stranger):
    number = await kept.add("image", "image/png")

    for role in Role:
        assert (await (await signed_in(role)).get(f"/media/{number}")).status_code == 200
    assert (await stranger.get(f"/media/{number}")).status_code == 401


@pytest.mark.parametrize(
    ("kind", "mime", "columns", "words"),
    [
        ("image", None, {"state": "waiting"}, "Buscando o arquivo"),
        ("image", None, {"state": "refused", "reason": "too_large"}, "Sem arquivo: é grande demais"),
        ("audio", "audio/ogg", {"transcript_state": "waiting"}, "Sendo transcrito"),
        ("audio", "audio/ogg", {"transcript_state": "failed", "transcript_reason": "no_words"}, "ninguém fala nele"),
        ("audio", "audio/ogg", {"transcript_state": "none"}, "nenhum serviço configurado"),
        ("audio", "audio/ogg", {"transcript_state": "ready", "transcript": "oi <b>"}, "Transcrição oi <b>"),
        ("document", "application/pdf", {}, "nota.pdf 307 kB"),
    ],
)
async def test_the_transcript_says_how_a_file_stands(kept, supervisor, kind, mime, columns, words):
    number = await kept.add(kind, mime, name="nota.pdf" if kind == "document" else None, **columns)

    page = (await supervisor.get(f"/conversations/{kept.conversation}")).text

    assert words in " ".join(read(page).text.split())
    tag = {"image": "<img", "audio": "<audio", "document": "<a"}[kind]
    shown = re.search(rf'{tag} [^>]*"/media/{number}"', page) is not None
    assert shown == ("state" not in columns)


async def test_words_that_the_gateway_heard_stand_under_the_audio(kept, supervisor):
    await kept.add("audio", "audio/ogg", text="quanto custa?", transcript_state="none")

    page = read((await supervisor.get(f"/conversations/{kept.conversation}")).text)

    assert " ".join(page.text.split()).count("quanto custa?") >= 1
    assert "Transcrição" in page.text


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("waiting", "Seguiu sem as palavras de um áudio: demoraram demais"),
        ("failed", "Seguiu sem as palavras de um áudio: não deu para entender"),
        ("none", "Seguiu sem as palavras de um áudio: nenhum serviço transcreve"),
    ],
)
async def test_r23_why_says_that_the_burst_went_on_without_an_audios_words(kept, supervisor, leads, state, words):
    number = await kept.add("audio", "audio/ogg", waits=True, transcript_state=state)
    await leads.work(60_000)

    page = read((await supervisor.get(f"/conversations/{kept.conversation}?msg=in-{number}")).text)

    assert words in page.text


async def test_r23_why_says_what_was_heard(kept, supervisor, leads):
    number = await kept.add("audio", "audio/ogg", waits=True, transcript_state="ready", transcript="oi, tudo bem?")
    await leads.work()

    page = read((await supervisor.get(f"/conversations/{kept.conversation}?msg=in-{number}")).text)

    assert "Bruna Azeredo falou “oi, tudo bem?”" in page.text
    assert "Seguiu sem" not in page.text
