"""W3 at publication: what the platform says about the templates of a flow, where anything was ever asked of it."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from engine.core.checks.findings import Finding
from engine.core.checks.run import order
from engine.core.checks.templates import check_templates
from engine.core.flow import Flow
from engine.core.platform_templates import Template
from engine.runtime import Runtime
from engine.store import channels, templates
from engine.store.connection import Tx

__all__ = ["Registry", "found", "registries", "with_templates"]

Registry: TypeAlias = Mapping[tuple[str, str], Template]


def registries(tx: Tx, slug: str) -> list[Registry]:
    """The templates of each channel whose newcomers enter the flow, or of all channels when none is its own."""
    used = channels.TABLE.everything(tx)
    mine = [channel for channel in used if channel.flow == slug] or used
    known = [templates.of_channel(tx, channel.id) for channel in mine]
    return [{key: one.template for key, one in of.items()} for of in known if of]


def with_templates(flow: Flow, findings: Sequence[Finding], known: Sequence[Registry]) -> tuple[Finding, ...]:
    """The findings with those about templates among them, each once."""
    told = {finding.message: finding for of in known for finding in check_templates(flow, of)}
    return tuple(sorted([*findings, *told.values()], key=order)) if told else tuple(findings)


async def found(runtime: Runtime, flow: Flow) -> tuple[Finding, ...]:
    """Only the findings about templates."""
    return with_templates(flow, (), await runtime.store.read(lambda tx: registries(tx, flow.slug)))
