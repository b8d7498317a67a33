"""The clipboard of the server: one parcel a person, kept, pasted as one change that can be taken back."""

import pytest

from engine.core.errors import NotFound, Refused
from engine.core.permissions import Actor
from engine.services import clipboard, edit, publish, undoing
from engine.services.clipboard import Held
from tests.services.small_flow import small

ANA, BRUNO = Actor("ana@example.com"), Actor("bruno@example.com")


async def test_the_last_copy_of_each_person_is_kept_as_it_was_and_pasted_as_one_change(runtime):
    await publish.add_draft(runtime, small(), ANA)
    await publish.add_draft(runtime, small(slug="outro"), ANA)
    await clipboard.copy(runtime, "pequeno", ("FIM",), ANA)
    assert await clipboard.copy(runtime, "pequeno", ("CONVERSA",), ANA) == Held("pequeno", ("CONVERSA",))
    await edit.edit(runtime, "pequeno", {"op": "set_state", "id": "CONVERSA", "field": "note", "value": "x"}, actor=ANA)
    before = (await edit.opened(runtime, "outro")).draft.document

    opened, carried = await clipboard.paste(runtime, "outro", ANA)

    assert carried.states == ("CONVERSA_2",)
    assert opened.tree["states"]["CONVERSA_2"]["note"] == "sobre o curso", "as it was when it was copied"
    told = (await undoing.standing(runtime, "outro", ANA.who)).back
    assert told.what == {"op": "paste", "id": "CONVERSA"}
    await undoing.turn(runtime, "outro", back=True, actor=ANA)
    assert (await edit.opened(runtime, "outro")).draft.document == before
    assert await clipboard.held(runtime, BRUNO.who) is None


async def test_nothing_is_pasted_from_an_empty_clipboard_and_nothing_that_is_not_there_is_copied(runtime):
    await publish.add_draft(runtime, small(), ANA)
    with pytest.raises(Refused, match="nothing_copied"):
        await clipboard.paste(runtime, "pequeno", ANA)
    with pytest.raises(NotFound):
        await clipboard.copy(runtime, "pequeno", ("LUA",), ANA)
    with pytest.raises(NotFound):
        await clipboard.copy(runtime, "nada", ("NOVO",), ANA)
