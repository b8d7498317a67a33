"""Two people at once, or one who clicks twice: one of them is first, the other is told, and nothing is done twice."""

import asyncio
from collections import Counter

import pytest_asyncio

from engine.core.permissions import Role
from engine.services import edit, publish


@pytest_asyncio.fixture
async def colleague(signed_in, flow):
    return await signed_in(Role.PUBLISHER, "bruno@trilho.test")


def note_of(opened) -> object:
    return opened.tree["states"]["CONVERSA"].get("note")


async def test_of_two_editors_of_one_field_one_is_409_with_both_values(editor, colleague, runtime, flow):
    revision = (await edit.opened(runtime, flow)).revision
    told = {"field": "note", "seen": '"sobre o curso"', "revision": str(revision)}
    path = f"/flows/{flow}/draft/states/CONVERSA"

    answers = await asyncio.gather(
        editor.patch(path, {**told, "value": "dela"}), colleague.patch(path, {**told, "value": "dele"})
    )

    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 1}
    kept = note_of(await edit.opened(runtime, flow))
    lost = next(answer for answer in answers if answer.status_code == 409)
    assert kept in ("dela", "dele")
    assert "dela" in lost.text and "dele" in lost.text


async def test_of_many_editors_of_different_fields_nobody_loses_anything(editor, colleague, runtime, flow):
    revision = str((await edit.opened(runtime, flow)).revision)
    changes = [("NOVO", "note", "a"), ("CONVERSA", "note", "b"), ("FIM", "note", "c"), ("CONVERSA", "deadline", "3 d")]

    answers = await asyncio.gather(
        *(
            who.patch(
                f"/flows/{flow}/draft/states/{state}",
                {"field": field, "value": value, "revision": revision,
                 "seen": {"CONVERSAnote": '"sobre o curso"', "CONVERSAdeadline": '"2d"'}.get(state + field, "null")},
            )
            for who, (state, field, value) in zip((editor, colleague) * 2, changes, strict=True)
        )
    )  # fmt: skip

    assert [answer.status_code for answer in answers] == [200] * 4
    states = (await edit.opened(runtime, flow)).tree["states"]
    assert [states[name]["note"] for name in ("NOVO", "CONVERSA", "FIM")] == ["a", "b", "c"]
    assert states["CONVERSA"]["deadline"] == "3d"


async def test_clicking_publish_twice_publishes_once(editor, runtime, flow):
    await editor.patch(
        f"/flows/{flow}/draft/states/CONVERSA", {"field": "note", "value": "novo", "seen": '"sobre o curso"'}
    )
    revision = str((await edit.opened(runtime, flow)).revision)

    form = {"note": "mudei", "revision": revision}
    answers = await asyncio.gather(*(editor.post(f"/flows/{flow}/publish", form) for _ in range(5)))

    assert Counter(answer.status_code for answer in answers) == {303: 1, 422: 4}
    assert [version.number for version in await publish.publications(runtime, flow)] == [2, 1]


async def test_what_is_published_is_what_was_reviewed_also_while_somebody_edits(editor, colleague, runtime, flow):
    """The draft of the review, or 409: never a mixture."""
    path = f"/flows/{flow}/draft/states/CONVERSA"
    await editor.patch(path, {"field": "note", "value": "revisto", "seen": '"sobre o curso"'})
    revision = str((await edit.opened(runtime, flow)).revision)

    published, _ = await asyncio.gather(
        editor.post(f"/flows/{flow}/publish", {"note": "mudei", "revision": revision}),
        colleague.patch(path, {"field": "note", "value": "por cima", "seen": '"revisto"', "revision": revision}),
    )

    assert published.status_code in (303, 409)
    if published.status_code == 303:
        assert "revisto" in await publish.shown(runtime, flow, 2)
    assert note_of(await edit.opened(runtime, flow)) == "por cima"
