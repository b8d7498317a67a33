"""The tables, declared once. Private to the store: nobody outside this folder sees a row class."""

from sqlmodel import SQLModel

from engine.store.tables.arrivals import EventRow, Inbound, Webhook
from engine.store.tables.conversations import Conversation, Log
from engine.store.tables.installation import Channel, FlowRow, FlowVersion, PaymentSource, ReviewedText, Setting
from engine.store.tables.people import ApiToken, Attempt, Audit, Contact, Identity, OneTimeLink, Session, User
from engine.store.tables.sending import Evidence, Hold, Outbox

__all__ = [
    "ApiToken",
    "Attempt",
    "Audit",
    "Channel",
    "Contact",
    "Conversation",
    "EventRow",
    "Evidence",
    "FlowRow",
    "FlowVersion",
    "Hold",
    "Identity",
    "Inbound",
    "Log",
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
