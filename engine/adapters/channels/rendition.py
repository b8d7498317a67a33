"""What a message says on a channel without buttons, and so by which words it is recognised when it is seen outside."""

from engine.adapters.channels.protocol import Outgoing

__all__ = ["rendition"]


def rendition(outgoing: Outgoing) -> str:
    """The words as a channel without buttons sends them: titles of buttons or rows are numbered lines under the text.

    Of a medium it is the caption.
    """
    if outgoing.media is not None and outgoing.media.caption:
        return outgoing.media.caption
    menu_rows = outgoing.menu.rows if outgoing.menu is not None else ()
    titles = [button.title for button in outgoing.buttons] or [row.title for row in menu_rows]
    lines = [f"{position}. {title}" for position, title in enumerate(titles, start=1)]
    return "\n\n".join(part for part in (outgoing.text or "", "\n".join(lines)) if part)
