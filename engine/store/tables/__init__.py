"""The tables, declared once. Private to the store: nobody outside this folder sees a row class."""

from sqlmodel import SQLModel

from engine.store.tables.arrivals import EventRow, Inbound, Inquiry, Webhook
from engine.store.tables.conversations import Conversation, Log
from engine.store.tables.installation import (
    Channel,
    ChannelPace,
    FlowRow,
    FlowVersion,
    PaymentSource,
    ReviewedText,
    Setting,
)
from engine.store.tables.media import Media, MediaPiece
from engine.store.tables.people import (
    ApiToken,
    Attempt,
    Audit,
    Collision,
    Contact,
    Identity,
    OneTimeLink,
    Session,
    User,
)
from engine.store.tables.sending import Evidence, Hold, Outbox

__all__ = [
    "ApiToken",
    "Attempt",
    "Audit",
    "Channel",
    "ChannelPace",
    "Collision",
    "Contact",
    "Conversation",
    "EventRow",
    "Evidence",
    "FlowRow",
    "FlowVersion",
    "Hold",
    "Identity",
    "Inbound",
    "Inquiry",
    "Log",
    "Media",
    "MediaPiece",
    "OneTimeLink",
    "Outbox",
    "PaymentSource",
    "ReviewedText",
    "SQLModel",
    "Session",
    "Setting",
    "User",
    "Webhook",
]
