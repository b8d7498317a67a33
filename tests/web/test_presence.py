"""The editor's page says who else is there, also without scripts."""

from engine.core.permissions import Role

BASE = "/flows/pequeno/draft"
HTMX = {"hx-request": "true", "hx-current-url": f"http://trilho.test{BASE}?sel=t:t1"}


async def test_who_opens_the_page_is_told_to_the_others_with_the_selection(editor, signed_in, flow):
    other = await signed_in(Role.MARKETER)
    await editor.get(f"{BASE}?sel=s:NOVO")

    page = (await other.get(BASE)).text

    assert "Publisher está editando NOVO" in page
    assert "publisher@" not in page
    again = await editor.client.post(f"{BASE}/presence", headers={**HTMX, "x-csrf-token": editor.csrf})
    assert "Marketer está editando" in again.text
    assert "Publisher está editando t1" in (await other.get(BASE)).text
    await editor.post(f"{BASE}/presence/leave")
    assert "Publisher" not in (await other.get(BASE)).text


async def test_who_only_looks_is_not_editing(editor, signed_in, flow):
    reader = await signed_in(Role.SUPERVISOR)
    await reader.get(BASE)

    assert "Supervisor" not in (await editor.get(BASE)).text
    assert (await reader.post(f"{BASE}/presence")).status_code == 403
    assert (await editor.post("/flows/nada/draft/presence")).status_code == 404
