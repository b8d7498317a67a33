"""The audit log in words: what each code means, and where the thing that it names is."""

from urllib.parse import quote

from web.i18n import gettext

__all__ = ["GROUPS", "deed", "group_name", "place"]

GROUPS = ("account", "session", "factor", "token", "safeguards", "flow", "test", "sending", "conversation", "send",
          "contact", "contacts", "campaign", "channel", "source", "webhook", "payment", "template", "templates", "understanding",
          "transcription", "media", "mail", "reply", "retention", "business")  # fmt: skip


def deed(what: str) -> str:
    """What somebody did; the code itself where nobody gave it words."""
    return {
        "account.invited": gettext("invited somebody"),
        "account.password_changed": gettext("changed their password"),
        "account.password_set": gettext("set a password by a one-time link"),
        "account.reset": gettext("made a link for a new password"),
        "account.reset_mailed": gettext("asked for a new password by e-mail"),
        "account.role_changed": gettext("changed somebody's role"),
        "account.disabled": gettext("shut somebody out"),
        "account.enabled": gettext("let somebody in again"),
        "session.started": gettext("signed in"),
        "session.refused": gettext("did not get in"),
        "session.revoked": gettext("ended a session"),
        "session.not_proved": gettext("gave a wrong password when it was asked again"),
        "factor.on": gettext("set up a second factor"),
        "factor.off": gettext("took a second factor away"),
        "factor.codes": gettext("made new recovery codes"),
        "factor.recovery_used": gettext("used a recovery code"),
        "token.added": gettext("made an API token"),
        "token.revoked": gettext("revoked an API token"),
        "safeguards.changed": gettext("changed what is asked beyond a password"),
        "flow.added": gettext("added a flow"),
        "flow.edited": gettext("edited a draft"),
        "flow.published": gettext("published a version"),
        "flow.refused": gettext("tried to publish what errors keep back"),
        "flow.scheduled": gettext("scheduled a publication"),
        "flow.unscheduled": gettext("took a scheduled publication back"),
        "flow.schedule_refused": gettext("a scheduled publication was not kept"),
        "flow.archived": gettext("archived a flow"),
        "flow.brought_back": gettext("brought a flow back from the archive"),
        "flow.publish_asked": gettext("asked for a publication"),
        "flow.publish_approved": gettext("approved a publication"),
        "flow.publish_refused": gettext("refused a publication"),
        "flow.publish_withdrawn": gettext("took their request for a publication back"),
        "test.saved": gettext("saved a test"),
        "test.deleted": gettext("deleted a test"),
        "sending.stopped": gettext("stopped all sending"),
        "sending.resumed": gettext("let messages leave again"),
        "conversation.pause": gettext("paused the robot or took a conversation over"),
        "conversation.give_back": gettext("gave a conversation back to the robot"),
        "approval.approved": gettext("approved a message"),
        "approval.rejected": gettext("rejected a message"),
        "approval.extended": gettext("gave an approval more time"),
        "conversation.move": gettext("moved a conversation by hand"),
        "conversation.note": gettext("wrote a note in a conversation"),
        "conversation.assign": gettext("gave a conversation to somebody"),
        "conversation.give_back_at": gettext("set when the robot gets a conversation back"),
        "conversation.seen": gettext("said that a conversation needs nobody"),
        "send.decide_held": gettext("decided about a message that was held back"),
        "send.cancel": gettext("took a message back before it left"),
        "reply.changed": gettext("wrote a ready reply"),
        "reply.removed": gettext("removed a ready reply"),
        "send.decide": gettext("said whether a message had arrived"),
        "contact.merged": gettext("merged two contacts"),
        "contact.told_apart": gettext("told two contacts apart"),
        "contact.opt_in": gettext("noted that a customer wants messages"),
        "business.named": gettext("changed what the business is called"),
        "retention.changed": gettext("changed how long things are kept"),
        "retention.ran": gettext("took away what was older than it may be kept"),
        "contact.exported": gettext("exported the data of a contact"),
        "contact.erased": gettext("erased a contact"),
        "contact.tagged": gettext("changed the tags of a contact"),
        "wall_key.added": gettext("made a key for a wall screen"),
        "wall_key.revoked": gettext("revoked the key of a wall screen"),
        "contacts.imported": gettext("imported contacts"),
        "campaign.started": gettext("started a campaign"),
        "campaign.paused": gettext("paused a campaign"),
        "campaign.resumed": gettext("let a campaign go on"),
        "campaign.stopped": gettext("stopped a campaign"),
        "channel.connecting": gettext("connected a number"),
        "channel.let_go": gettext("let the held messages of a channel go"),
        "source.asked_again": gettext("had a payment platform asked again"),
        "webhook.replayed": gettext("read a stored notice again"),
        "payment.tied": gettext("tied a payment to a customer"),
        "payment.set_aside": gettext("set a payment aside"),
        "template.proposed": gettext("sent a template to Meta"),
        "templates.synced": gettext("fetched the templates from Meta"),
        "understanding.right": gettext("said that a message was understood rightly"),
        "transcription.changed": gettext("changed the transcription service"),
        "transcription.removed": gettext("removed the transcription service"),
        "media.limit": gettext("changed how large files may be"),
        "mail.changed": gettext("changed the mail server"),
        "mail.removed": gettext("removed the mail server"),
        "channel.added": gettext("added a channel"),
        "channel.changed": gettext("changed a channel"),
        "channel.removed": gettext("removed a channel"),
        "source.added": gettext("added a payment source"),
        "source.changed": gettext("changed a payment source"),
        "source.removed": gettext("removed a payment source"),
    }.get(what, what)


def group_name(group: str) -> str:
    """A kind of deeds, for the filter."""
    return {
        "account": gettext("Accounts"),
        "session": gettext("Signing in"),
        "factor": gettext("Second factor"),
        "token": gettext("API tokens"),
        "safeguards": gettext("Safeguards"),
        "flow": gettext("Flows"),
        "test": gettext("Saved tests"),
        "sending": gettext("Stop of all sending"),
        "conversation": gettext("Conversations"),
        "send": gettext("Sends"),
        "contact": gettext("Contacts"),
        "contacts": gettext("Imports"),
        "campaign": gettext("Campaigns"),
        "channel": gettext("Channels"),
        "source": gettext("Payment sources"),
        "webhook": gettext("Notices"),
        "payment": gettext("Payments"),
        "template": gettext("Templates"),
        "templates": gettext("Templates from Meta"),
        "understanding": gettext("Understanding"),
        "transcription": gettext("Transcription"),
        "media": gettext("Files"),
        "mail": gettext("Mail server"),
        "reply": gettext("Ready replies"),
        "retention": gettext("How long things are kept"),
        "business": gettext("The business"),
    }.get(group, group)


def place(what: str, subject: str) -> str:
    """The address of the thing that a row names, "" where it has none."""
    group = what.partition(".")[0]
    if group in ("flow", "test") and subject:
        return f"/flows/{quote(subject.partition('@')[0], safe='')}/versions"
    if group == "conversation" and subject.isascii() and subject.isdecimal():
        return f"/conversations/{subject}"
    return {
        "account": "/settings/people",
        "session": "/settings/people",
        "factor": "/settings/people",
        "token": "/settings/api",
        "channel": "/settings/channels",
        "source": "/settings/payments",
        "campaign": "/campaigns",
        "sending": "/emergency",
        "mail": "/settings/mail",
        "reply": "/settings/replies",
    }.get(group, "")
