"""What a campaign can be made of: live flows with their states, templates of channels, tags, files of people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.runtime import Runtime
from engine.services import contact_files, edit, templates
from engine.store import audience
from engine.store.contact_files import StoredFile
from engine.store.templates import Known

__all__ = ["Offered", "offered"]


@dataclass(frozen=True, slots=True)
class Offered:
    """`flows` are slug, title and states; `channels` names by id; `tags` lists of tags as contacts have them."""

    flows: Sequence[tuple[str, str, Sequence[str]]]
    templates: Sequence[Known]
    channels: Mapping[int, str]
    tags: Sequence[str]
    files: Sequence[StoredFile]


async def offered(runtime: Runtime) -> Offered:
    """Everything there is now."""
    live = [draft for draft in await edit.drafts(runtime) if draft.live is not None and draft.archived_at is None]
    flows = [
        (draft.slug, draft.title, tuple((await runtime.flow(draft.slug, draft.live or 0)).states)) for draft in live
    ]
    return Offered(
        flows=flows,
        templates=await templates.everything(runtime),
        channels={record.id: record.config.name for record in await templates.channels_with_templates(runtime)},
        tags=await runtime.store.read(audience.tags),
        files=await contact_files.done(runtime),
    )
