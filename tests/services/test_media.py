"""Files of messages: fetched once, looked at, kept or refused with a reason; audios become words (R23, R30, SEC-S20)."""

import asyncio
import hashlib
import io
import json
import zipfile

import pytest

from engine.core.flow import HOUR, MINUTE, SECOND
from engine.services import advance, channels, media, sweep, transcription
from engine.services.media_fetch import ATTEMPTS, backoff
from engine.store import installation
from engine.store import media as rows
from tests.core.test_picture_size import png
from tests.fakes.evolution import File
from tests.services.shop import ACTOR
from tests.services.voices import VOICE

PICTURE = png(64, 48) + bytes(600_000)


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("a.txt", "x")
    return packed.getvalue()


async def test_r23_a_burst_is_answered_with_the_words_of_its_audio(voices):
    await voices.open()
    await voices.audio(words="quanto custa?")
    await voices.writes("T1", "me diz")

    await voices.after(5 * SECOND)

    (decided,) = await voices.decided()
    assert (decided["event"], decided["batch"], decided.get("transcript")) == ("pediu_preco", ["A1", "T1"], None)
    assert await voices.medium() is None
    row = await voices.file()
    assert (row["state"], row["transcript_state"], row["transcript"]) == ("kept", "ready", "quanto custa?")
    assert (row["due_at"], row["transcribed_ms"], row["mime"]) == (None, 3_200, "audio/ogg")
    assert await voices.noted() == [("transcribed", None)]


async def test_a_file_is_kept_byte_for_byte_in_pieces(voices):
    await voices.open()
    await voices.sends("F1", {"imageMessage": {"mimetype": "image/png", "caption": "olha"}}, PICTURE, "image/png")

    await voices.works()

    row = await voices.file("F1")
    assert await voices.content("F1") == PICTURE
    assert (row["bytes"], row["sha256"]) == (len(PICTURE), hashlib.sha256(PICTURE).hexdigest())
    assert [r["n"] for r in await voices.rows("SELECT n FROM media_piece ORDER BY n")] == [0, 1, 2]


async def test_a_caption_is_the_messages_text(voices):
    await voices.open()
    await voices.sends("F1", {"imageMessage": {"mimetype": "image/png", "caption": "quanto custa?"}}, PICTURE)

    await voices.after(5 * SECOND)

    (decided,) = await voices.decided()
    assert (decided["event"], decided["media"]) == ("pediu_preco", "image")


async def test_a_file_that_came_along_is_not_asked_for(voices):
    await voices.open()
    encoded = "T2dnUwAC"  # OggS and two more bytes
    await voices.posts(voices.gateway.audio_from("5541900000001", "A1", voices.clock.now(), encoded))

    await voices.works()

    assert (await voices.file())["state"] == "kept"
    assert await voices.content() == b"OggS\x00\x02"
    assert voices.fetched == []
    assert "base64" not in (await voices.rows("SELECT body FROM webhook"))[0]["body"]


@pytest.mark.parametrize(
    ("message", "content", "why"),
    [
        ({"imageMessage": {"mimetype": "image/jpeg"}}, archive(), "not_what_it_says"),
        ({"imageMessage": {"mimetype": "image/jpeg"}}, b"<svg onload='alert(1)'/>", "not_what_it_says"),
        ({"imageMessage": {"mimetype": "image/png"}}, png(100_000, 100_000), "too_many_pixels"),
        ({"imageMessage": {"mimetype": "image/png"}}, png(64, 48)[:20], "not_what_it_says"),
        ({"imageMessage": {"mimetype": "image/svg+xml"}}, PICTURE, "type"),
        ({"stickerMessage": {}}, b"%PDF-1.7", "not_what_it_says"),
        ({"videoMessage": {"mimetype": "video/mp4"}}, PICTURE, "not_what_it_says"),
        ({"documentMessage": {"fileName": "nota.pdf"}}, b"<html><script>alert(1)</script>", "type"),
        ({"documentMessage": {"fileName": "nota.pdf"}}, b"MZ\x90\x00", "type"),
        ({"documentMessage": {"fileName": "nota.pdf", "mimetype": "text/html"}}, b"%PDF-1.7", "type"),
    ],
)
async def test_sec_s20_a_file_that_is_not_what_it_says_is_never_kept(voices, message, content, why):
    await voices.open()
    await voices.sends("F1", message, content)

    await voices.works()

    row = await voices.file("F1")
    assert (row["state"], row["reason"], row["due_at"], row["bytes"]) == ("refused", why, None, None)
    assert await voices.content("F1") == b""
    assert await voices.noted() == [("media_refused", why)]


async def test_sec_s20_what_came_along_is_looked_at_too(voices):
    await voices.open()
    await voices.posts(voices.gateway.audio_from("5541900000001", "A1", voices.clock.now(), "PHN2Zz4="))

    await voices.works()

    assert (await voices.file())["reason"] == "not_what_it_says"
    assert await voices.rows("SELECT n FROM media_piece") == []


async def test_a_file_over_the_installations_limit_is_refused(voices):
    await voices.open()
    await voices.runtime.store.write("x", lambda tx: installation.set_value(tx, "media_limit", 100))
    await voices.audio()

    await voices.works()

    assert (await voices.file())["reason"] == "too_large"


async def test_a_message_that_was_taken_back_is_not_fetched(voices):
    await voices.open()
    await voices.audio()
    await voices.posts(
        voices.gateway.webhook("messages.delete", {"id": "A1", "remoteJid": "5541900000001@s.whatsapp.net"})
    )

    await voices.works()

    assert (await voices.file())["reason"] == "deleted"
    assert voices.fetched == []


async def test_a_channel_that_was_removed_has_no_files_any_more(voices):
    await voices.open()
    await voices.audio()
    there = await channels.by_name(voices.runtime, "voz")
    await channels.remove(voices.runtime, there.id, ACTOR)

    await voices.works()

    assert (await voices.file())["reason"] == "no_channel"


async def test_a_gateway_in_trouble_is_asked_again_later_and_later_and_not_for_ever(voices):
    await voices.open(hears=False)
    await voices.audio()
    voices.gateway.api_key = "trocada"
    waits = []
    for attempt in range(1, ATTEMPTS + 1):
        await voices.works()
        assert len(voices.fetched) == attempt
        row = await voices.file()
        if row["due_at"] is not None:
            waits.append(row["due_at"] - voices.clock.now())
            await voices.after(waits[-1] - 1)
            assert len(voices.fetched) == attempt
            voices.clock.advance(1)

    assert waits == [backoff(n) for n in range(1, ATTEMPTS)] == sorted(waits)
    assert waits[-1] == HOUR
    assert ((await voices.file())["state"], (await voices.file())["reason"]) == ("refused", "auth")


async def test_r23_a_service_in_trouble_is_asked_again_while_the_burst_waits(voices):
    await voices.open()
    voices.service.fail_next("error", status=500)
    await voices.audio(words="quanto custa?")

    await voices.after(5 * SECOND)
    assert await voices.decided() == []
    await voices.after(2 * SECOND)

    assert [(d["event"], d.get("transcript")) for d in await voices.decided()] == [("pediu_preco", None)]


async def test_r23_a_service_that_never_answers_is_given_up_and_the_burst_goes_on_at_once(voices):
    await voices.open(audio_wait="10m")
    voices.service.fail_next("html", times=9)
    await voices.audio()

    for _ in range(10):
        await voices.after(8 * SECOND)

    (decided,) = await voices.decided()
    assert (decided["event"], decided["media"], decided["transcript"]) == ("msg_recebida", "audio", "failed")
    assert await voices.medium() == "audio"
    assert len(voices.service.asked) == 4
    assert await voices.noted() == [("not_transcribed", "unreadable")]


async def test_r23_a_file_that_cannot_be_had_ends_the_wait(voices):
    await voices.open(audio_wait="10m")
    await voices.audio()
    voices.gateway.files.clear()

    await voices.after(5 * SECOND)

    assert [d["transcript"] for d in await voices.decided()] == ["failed"]
    row = await voices.file()
    assert (row["reason"], row["transcript_reason"]) == ("gone", "no_file")


async def test_r23_a_service_that_is_taken_away_ends_the_wait(voices):
    await voices.open(audio_wait="10m")
    await voices.audio()
    await transcription.remove(voices.runtime, ACTOR)

    await voices.after(5 * SECOND)

    assert [d["transcript"] for d in await voices.decided()] == ["none"]
    assert (await voices.file())["transcript_reason"] == "no_service"


async def test_r23_words_that_the_gateway_sent_along_are_not_asked_for_again(voices):
    await voices.open()
    message = {"audioMessage": {"mimetype": "audio/ogg"}, "speechToText": "[audio] quanto custa?"}
    await voices.sends("A1", message, VOICE)

    await voices.after(5 * SECOND)

    assert [d["event"] for d in await voices.decided()] == ["pediu_preco"]
    assert voices.service.asked == []
    assert (await voices.file())["state"] == "kept"


async def test_r31_an_audio_of_yesterday_is_kept_and_heard_and_not_answered(voices):
    await voices.open()
    voices.gateway.files["A1"] = File(VOICE)
    await voices.posts(voices.gateway.audio_from("5541900000001", "A1", voices.clock.now() - 9 * HOUR))

    await voices.after(MINUTE)

    assert await voices.decided() == []
    assert (await voices.file())["transcript"] == "oi"


async def _begun(voices):
    """An attempt whose worker is killed before it calls anybody."""
    work = await sweep.tick(voices.runtime)
    ((inbound_id,),) = work.media
    now = voices.clock.now()
    return await voices.runtime.store.write("x", lambda tx: rows.hold(tx, inbound_id, now, now + MINUTE, 9))


async def test_r30_a_killed_worker_only_costs_time(voices):
    await voices.open()
    await voices.audio(words="quanto custa?")
    assert await _begun(voices) is not None

    await voices.after(59 * SECOND)
    assert (await voices.file())["state"] == "waiting"
    assert [d["transcript"] for d in await voices.decided()] == ["late"]
    await voices.after(SECOND)

    assert (await voices.file())["transcript"] == "quanto custa?"
    assert len(await voices.decided()) == 1


@pytest.mark.parametrize(("step", "state"), [("waiting", "refused"), ("kept", "kept")])
async def test_a_file_that_kills_whoever_touches_it_is_given_up(voices, step, state):
    await voices.open(audio_wait="10m")
    await voices.audio()
    if step == "kept":
        ((inbound_id,),) = (await sweep.tick(voices.runtime)).media
        await media.run(voices.runtime, [inbound_id])
    for _ in range(ATTEMPTS):
        assert await _begun(voices) is not None
        voices.clock.advance(MINUTE)

    await voices.works()

    row = await voices.file()
    assert (row["state"], row["transcript_state"], row["due_at"]) == (state, "failed", None)
    assert [d["transcript"] for d in await voices.decided()] == ["failed"]


async def test_r23_a_burst_does_not_wait_for_an_audio_that_was_taken_back(voices):
    await voices.open(audio_wait="10m")
    voices.service.fail_next("error", times=9)
    await voices.audio()
    await voices.writes("T1", "quanto custa?")
    await voices.after(6 * SECOND)
    assert await voices.decided() == []

    await voices.posts(
        voices.gateway.webhook("messages.delete", {"id": "A1", "remoteJid": "5541900000001@s.whatsapp.net"})
    )
    await voices.works()

    assert [(d["event"], d["batch"]) for d in await voices.decided()] == [("pediu_preco", ["T1"])]


async def test_r30_a_hint_that_gets_lost_is_given_again(voices):
    await voices.open()
    await voices.audio()
    assert (await sweep.tick(voices.runtime)).media
    assert not (await sweep.tick(voices.runtime)).media

    await voices.after(sweep.LEASE)

    assert (await voices.file())["state"] == "kept"


async def test_r26_what_an_older_attempt_brings_back_is_not_written(voices):
    await voices.open(hears=False)
    await voices.audio()
    zombie = await _begun(voices)
    await voices.after(MINUTE)
    kept = await voices.file()

    def late(tx):
        return rows.settle(tx, zombie, {"state": "refused", "reason": "gone"})

    assert not await voices.runtime.store.write("x", late)
    assert await voices.file() == kept


async def test_two_workers_with_one_hint_fetch_once(voices):
    await voices.open(hears=False)
    await voices.audio()
    ((inbound_id,),) = (await sweep.tick(voices.runtime)).media

    await asyncio.gather(*(media.run(voices.runtime, [inbound_id]) for _ in range(4)))

    assert voices.fetched == ["A1"]


async def test_only_so_many_files_are_worked_on_at_once(voices, monkeypatch):
    monkeypatch.setattr(media, "AT_ONCE", 1)
    await voices.open(hears=False)
    await voices.audio("A1")
    await voices.audio("A2", VOICE + b"2")
    ids = [ids[0] for ids in (await sweep.tick(voices.runtime)).media]
    now = voices.clock.now()
    held = await voices.runtime.store.write("x", lambda tx: rows.hold(tx, ids[0], now, now + MINUTE, 1))

    await media.run(voices.runtime, ids[1:])
    assert held is not None
    assert voices.fetched == []
    await voices.after(2 * MINUTE)

    assert sorted(voices.fetched) == ["A1", "A2"]


@pytest.mark.parametrize("turn", range(4))
async def test_r26_words_that_come_with_the_decision_are_answered_once_or_not_at_all(voices, turn):
    """Whichever is first, the audio is in one event, and the event has its words or says that they are late."""
    await voices.open()
    await voices.audio(words="quanto custa?")
    for _ in range(2):
        ((inbound_id,),) = (await sweep.tick(voices.runtime)).media
        if (await voices.file())["state"] == "waiting":
            await media.run(voices.runtime, [inbound_id])
    voices.clock.advance(30 * SECOND)
    ((conversation,),) = await voices.runtime.store.write(
        "x", lambda tx: [sweep.claim(tx, voices.clock.now()).advance[0]]
    )
    both = [media.run(voices.runtime, [inbound_id]), advance.run(voices.runtime, [conversation])]
    await asyncio.gather(*(both if turn % 2 else reversed(both)))
    await voices.after(MINUTE)

    events = await voices.rows("SELECT id FROM event WHERE source = 'message'")
    (decided,) = await voices.decided()
    assert len(events) == 1
    assert (decided["event"], decided.get("transcript")) in [("pediu_preco", None), ("msg_recebida", "late")]
    assert (await voices.file())["transcript"] == "quanto custa?"


async def test_words_and_files_never_reach_the_log(voices):
    await voices.open()
    await voices.audio(words="segredo do cliente")
    await voices.after(5 * SECOND)

    assert "segredo" not in json.dumps(await voices.rows("SELECT outcome, reason, facts FROM log"))
