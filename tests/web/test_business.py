"""The name of the business in the bar, and how many conversations need a person beside the live desk."""

import pytest

from engine.core.permissions import Role
from tests.web.leads import phone_for
from tests.web.pages_read import read

PATH = "/settings/business"


async def test_the_name_stands_in_the_bar_of_every_page_until_it_is_taken_away(runtime, signed_in, flow):
    admin, reader = await signed_in(Role.ADMIN), await signed_in(Role.READONLY)
    form = read((await admin.get(PATH)).text).form(action=PATH)

    answer = await admin.post(PATH, form.data(name="  Ateliê <b>Rio</b>   Doce "))

    assert answer.status_code == 303
    for path in ("/flows", "/live"):
        page = (await reader.get(path)).text
        assert "Ateliê &lt;b&gt;Rio&lt;/b&gt; Doce" in page
    await admin.post(PATH, form.data(name=""))
    assert "Ateliê" not in (await reader.get("/flows")).text
    what = await runtime.store.read(lambda tx: tx.rows("SELECT what FROM audit WHERE what = 'business.named'"))
    assert len(what) == 2


async def test_a_name_that_is_too_long_is_told_and_kept(signed_in, flow):
    admin = await signed_in(Role.ADMIN)

    answer = await admin.post(PATH, {"name": "x" * 61})

    assert answer.status_code == 422
    assert "no máximo 60" in answer.text
    assert 'value="' + "x" * 61 in answer.text


async def test_nobody_signed_in_learns_it(signed_in, stranger, flow):
    admin = await signed_in(Role.ADMIN)
    await admin.post(PATH, {"name": "Ateliê Rio Doce"})

    assert "Ateliê" not in (await stranger.get("/login")).text
    assert (await (await signed_in(Role.PUBLISHER)).get(PATH)).status_code == 403


@pytest.mark.parametrize(("people", "shown"), [(0, None), (3, "3"), (120, "99+")])
async def test_the_bar_counts_who_needs_a_person(runtime, signed_in, flow, people, shown):
    leads = await phone_for(runtime, flow)
    talk = await leads.greet()
    copied = "contact_id, channel_id, flow, flow_version, state, context, entered_at, opened_at, updated_at, attention"
    for _ in range(people):
        await leads.change(
            f"""INSERT INTO conversation ({copied}, armed_at, rung, last_inbound_at, lease_until, send_lease_until, version,
                  log_n, log_hash, replies_in_state, active_at, salt)
                SELECT contact_id, channel_id, flow, flow_version, state, context, entered_at, opened_at, updated_at,
                  'asked_for_person', 0, 0, 0, 0, 0, 0, 0, '', 0, 0, '' FROM conversation WHERE id = :id""",
            id=talk,
        )
    page = (await (await signed_in(Role.SUPERVISOR)).get("/flows")).text

    assert ('class="count need"' in page) is (shown is not None)
    if shown:
        assert f'<span class="count need" aria-hidden="true">{shown}</span>' in page
        assert "precisam de uma pessoa" in page
