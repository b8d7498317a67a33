"""The templates of a WhatsApp business account: all of them, page by page, and one more proposed."""

from collections.abc import Mapping
from urllib.parse import urlencode

from engine.adapters.channels.cloud_address import root
from engine.adapters.channels.cloud_asking import asked
from engine.adapters.channels.protocol import ChannelConfig
from engine.adapters.http import HttpRequest, Transport
from engine.adapters.reading import mapping, objects, word
from engine.core.errors import Refused
from engine.core.platform_templates import Proposal, Template, components_of

PAGE, PAGES = 100, 60
"""Templates asked for at once, and how often at most: an account may have 6,000."""
FIELDS = "name,language,category,status,components,quality_score,rejected_reason"


async def listing(http: Transport, config: ChannelConfig) -> list[Template]:
    """Every template of the account. Raises Refused: waba_id_missing, platform_unreachable, platform_refused."""
    found: list[Template] = []
    after: str | None = None
    for _ in range(PAGES):
        query = {"fields": FIELDS, "limit": str(PAGE), **({"after": after} if after else {})}
        answer = await asked(http, config, HttpRequest(method="GET", url=f"{_place(config)}?{urlencode(query)}"))
        found += [made for item in objects(answer.get("data")) if (made := _template(mapping(item))) is not None]
        # The cursor and not the address that comes with it: we only ever go where an admin sent us.
        paging = mapping(answer.get("paging"))
        following = word(mapping(paging.get("cursors")).get("after"))
        if not paging.get("next") or following is None or following == after:
            return found
        after = following
    return found


async def propose(http: Transport, config: ChannelConfig, proposal: Proposal) -> Template:
    """Hand in a new template; it comes back with the platform's first word on it. Raises as `listing` does."""
    made = components_of(proposal)
    body = {"name": proposal.name, "language": proposal.language, "category": proposal.category, "components": made}
    answer = await asked(http, config, HttpRequest(method="POST", url=_place(config), json=body))
    return Template(
        name=proposal.name,
        language=proposal.language,
        category=word(answer.get("category")) or proposal.category,
        status=word(answer.get("status")) or "PENDING",
        components=made,
    )


def _place(config: ChannelConfig) -> str:
    account = config.settings.get("waba_id", "")
    if not (account.isascii() and account.isalnum()):
        raise Refused("waba_id_missing", channel=config.name)
    return f"{root(config)}/{account}/message_templates"


def _template(item: Mapping[str, object]) -> Template | None:
    called, language = word(item.get("name")), word(item.get("language"))
    if called is None or language is None:
        return None
    reason = word(item.get("rejected_reason")) or ""
    return Template(
        name=called,
        language=language,
        category=word(item.get("category")) or "",
        status=word(item.get("status")) or "UNKNOWN",
        components=[mapping(component) for component in objects(item.get("components"))],
        quality=word(mapping(item.get("quality_score")).get("score")) or "",
        reason="" if reason == "NONE" else reason,
    )
