"""The tables, declared once. Private to the store: nobody outside this folder sees a row class."""

from sqlmodel import SQLModel

from engine.store.tables.approving import Approval
from engine.store.tables.arrivals import EventRow, Inbound, Inquiry, Webhook
from engine.store.tables.campaigns import Campaign, Member, Template
from engine.store.tables.consent import ContactFile, FromFile, Proof
from engine.store.tables.conversations import Conversation, Log
from engine.store.tables.editing import Clipboard, DraftChange, Presence
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
    AnchorRow,
    ApiToken,
    Attempt,
    Audit,
    Collision,
    Contact,
    Identity,
    OneTimeLink,
    RecoveryCode,
    SecondStep,
    Session,
    User,
)
from engine.store.tables.publishing import PublicationMove, PublicationRequest, Replay, ScheduledPublication
from engine.store.tables.sending import Evidence, Hold, Outbox
from engine.store.tables.simulating import SavedTest, Simulation
from engine.store.tables.supervising import Findable, SavedFilter, Tag, WallKey
from engine.store.tables.talking import Assignment, CannedReply, SentFile, SentPiece, TalkNote

__all__ = [
    "AnchorRow",
    "ApiToken",
    "Approval",
    "Assignment",
    "Attempt",
    "Audit",
    "Campaign",
    "CannedReply",
    "Channel",
    "ChannelPace",
    "Clipboard",
    "Collision",
    "Contact",
    "ContactFile",
    "Conversation",
    "DraftChange",
    "EventRow",
    "Evidence",
    "Findable",
    "FlowRow",
    "FlowVersion",
    "FromFile",
    "Hold",
    "Identity",
    "Inbound",
    "Inquiry",
    "Log",
    "Media",
    "MediaPiece",
    "Member",
    "OneTimeLink",
    "Outbox",
    "PaymentSource",
    "Presence",
    "Proof",
    "PublicationMove",
    "PublicationRequest",
    "RecoveryCode",
    "Replay",
    "ReviewedText",
    "SQLModel",
    "SavedFilter",
    "SavedTest",
    "ScheduledPublication",
    "SecondStep",
    "SentFile",
    "SentPiece",
    "Session",
    "Setting",
    "Simulation",
    "Tag",
    "TalkNote",
    "Template",
    "User",
    "WallKey",
    "Webhook",
]
