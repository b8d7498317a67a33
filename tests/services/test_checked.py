"""What is known of a flow: at once for most, after a moment with how far the proofs are for the largest."""

import asyncio
import threading

import pytest

from engine import samples
from engine.core.checks.run import check
from engine.core.document import read
from engine.services import checked
from tests.services.small_flow import small


def flow_called(slug):
    """A flow that nobody has asked about."""
    return read({**samples.tree("venda"), "slug": slug})


@pytest.fixture
def slow(monkeypatch):
    """Proofs that go on until they are let go; how often they were begun."""
    go, begun = threading.Event(), []

    def held(flow, memory, told):
        begun.append(flow.slug)
        told(3)
        assert go.wait(30)
        return check(flow, memory, told)

    monkeypatch.setattr(checked, "check", held)
    monkeypatch.setattr(checked, "MOMENT_S", 0.01)
    yield go, begun
    go.set()


async def test_a_small_flow_is_known_at_once_and_is_not_checked_again(monkeypatch):
    flow = read(small(slug="sabido-logo"))
    first = await checked.so_far(flow)
    assert first.going is None
    monkeypatch.setattr(checked, "check", None)
    assert await checked.so_far(flow) == first
    assert await checked.checked(flow) == first.findings


async def test_while_proofs_go_on_the_rest_is_told_with_how_far_they_are(slow):
    go, begun = slow
    tree = {**samples.tree("venda"), "slug": "devagar"}
    tree["states"] = {**tree["states"], "ILHA": {"deadline": "1d"}}
    flow = read(tree)
    soon = await checked.so_far(flow)
    assert soon.going == (3, len(flow.rules) + 1)
    assert {finding.code for finding in soon.findings} >= {"S1"}
    assert not {finding.code for finding in soon.findings} & {"R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "S7"}

    others = [asyncio.ensure_future(checked.checked(flow)) for _ in range(3)]
    await asyncio.sleep(0)
    others[0].cancel()
    go.set()
    assert await others[1] == await others[2] == check(flow)
    assert begun == ["devagar"], "made once for everybody, and not ended by one who goes away"
    assert (await checked.so_far(flow)).going is None


async def test_a_small_flow_does_not_wait_for_the_proofs_of_a_large_one(monkeypatch):
    go, real = threading.Event(), check

    def held(flow, memory, told):
        assert flow.slug != "grande" or go.wait(30)
        return real(flow, memory, told)

    monkeypatch.setattr(checked, "check", held)
    large = asyncio.ensure_future(checked.checked(flow_called("grande")))
    await asyncio.sleep(0)
    assert await asyncio.wait_for(checked.checked(read(small(slug="miudo"))), 20) == check(read(small(slug="miudo")))
    assert not large.done()
    go.set()
    assert await large == check(flow_called("grande"))


async def test_proofs_that_break_down_are_made_again_when_asked_again(monkeypatch):
    flow = flow_called("quebra")

    def broken(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(checked, "check", broken)
    with pytest.raises(RuntimeError):
        await checked.checked(flow)
    monkeypatch.undo()
    assert await checked.checked(flow) == check(flow)
