"""Files of messages: who may do what is due, and their bytes in pieces (R26, R30)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.inbound import Message, Person
from engine.store import due, inbox, media, media_pieces
from engine.store.media import Fetching

NOW, LATER = 1_000, 61_000


async def _files(store, *kinds):
    """A message with a file of each kind, due at NOW; the ids."""

    def unit(tx):
        ids = []
        for n, kind in enumerate(kinds):
            message = Message(provider_id=f"m{n}", person=Person(phone="5511900000001"), at=NOW, kind=kind)
            (inbound_id,) = inbox.store(tx, [inbox.Arrived(1, 1, 1, message, NOW)])
            heard = "waiting" if kind == "audio" else None
            media.begin(tx, Fetching(inbound_id, None, heard), NOW)
            ids.append(inbound_id)
        return ids

    return await store.write("x", unit)


async def test_people_wait_for_audios_so_these_come_first(store):
    video, audio, picture = await _files(store, "video", "audio", "image")

    assert await store.write("x", lambda tx: media.lease(tx, NOW, NOW + 5_000, 1)) == [audio]
    assert await store.write("x", lambda tx: media.lease(tx, NOW, NOW + 5_000, 9)) == [video, picture]
    assert await store.write("x", lambda tx: media.lease(tx, NOW, NOW + 5_000, 9)) == []


async def test_r30_what_was_handed_out_and_not_begun_is_due_again(store):
    ids = await _files(store, "audio")
    await store.write("x", lambda tx: media.lease(tx, NOW, NOW + 5_000, 9))

    assert not await store.read(lambda tx: due.anything(tx, NOW + 4_999))
    assert await store.read(lambda tx: due.next_due(tx, NOW)) == NOW + 5_000
    assert await store.write("x", lambda tx: media.lease(tx, NOW + 5_000, LATER, 9)) == ids


async def test_r30_what_somebody_holds_is_left_alone_until_the_time_is_over(store):
    (number,) = await _files(store, "audio")
    held = await store.write("x", lambda tx: media.hold(tx, number, NOW, LATER, 9))

    assert (held.attempt, held.kind, held.transcript_state) == (1, "audio", "waiting")
    assert await store.write("x", lambda tx: media.hold(tx, number, LATER - 1, LATER + 1, 9)) is None
    assert await store.write("x", lambda tx: media.lease(tx, LATER - 1, LATER + 1, 9)) == []
    again = await store.write("x", lambda tx: media.hold(tx, number, LATER, LATER + 1, 9))
    assert again.attempt == 2


async def test_no_more_are_held_than_may_be(store):
    first, second, third = await _files(store, "audio", "audio", "audio")
    for number in (first, second):
        assert await store.write("x", lambda tx, n=number: media.hold(tx, n, NOW, LATER, 2)) is not None

    assert await store.write("x", lambda tx: media.hold(tx, third, NOW, LATER, 2)) is None
    assert await store.write("x", lambda tx: media.hold(tx, third, LATER, LATER + 1, 2)) is not None


async def test_r26_only_the_attempt_that_holds_it_may_settle_it(store):
    (number,) = await _files(store, "audio")
    first = await store.write("x", lambda tx: media.hold(tx, number, NOW, LATER, 9))
    second = await store.write("x", lambda tx: media.hold(tx, number, LATER, LATER * 2, 9))

    assert not await store.write("x", lambda tx: media.settle(tx, first, {"state": "kept"}))
    assert await store.write("x", lambda tx: media.settle(tx, second, {"state": "kept"}, due_at=LATER, attempt=0))
    third = await store.write("x", lambda tx: media.hold(tx, number, LATER, LATER * 2, 9))
    assert (third.attempt, third.state) == (1, "kept")
    assert not await store.write("x", lambda tx: media.settle(tx, first, {"state": "refused"}))


async def test_what_is_done_is_not_due(store):
    (number,) = await _files(store, "image")
    held = await store.write("x", lambda tx: media.hold(tx, number, NOW, LATER, 9))
    assert await store.write("x", lambda tx: media.settle(tx, held, {"state": "kept"}))

    assert await store.write("x", lambda tx: media.lease(tx, LATER, LATER, 9)) == []
    assert await store.write("x", lambda tx: media.hold(tx, number, LATER, LATER + 1, 9)) is None


async def test_bytes_come_back_from_any_place_to_any_other(store):
    content = bytes(range(256)) * 3_000
    size = media_pieces.PIECE

    def write(tx):
        media_pieces.write(tx, 1, 0, b"what an attempt before left")
        for n, piece in media_pieces.cut(content):
            media_pieces.write(tx, 1, n, piece)

    await store.write("x", write)
    last = len(content) - 1
    for first, end in ((0, last), (0, 0), (last, last), (size - 1, size), (size, size * 2 - 1), (5, last - 5)):
        assert await store.read(lambda tx, a=first, b=end: media_pieces.read(tx, 1, a, b)) == content[first : end + 1]
    await store.write("x", lambda tx: media_pieces.drop(tx, 1))
    assert await store.read(lambda tx: media_pieces.read(tx, 1, 0, last)) == b""


@given(st.binary(max_size=2_000), st.integers(1, 300))
def test_pieces_are_the_whole_in_order(content, size):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(media_pieces, "PIECE", size)
        pieces = list(media_pieces.cut(content))

    assert b"".join(piece for _, piece in pieces) == content
    assert [n for n, _ in pieces] == list(range(len(pieces)))
    assert all(len(piece) == size for _, piece in pieces[:-1])
