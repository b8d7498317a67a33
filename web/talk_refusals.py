"""Refusals of what people do in a conversation, in sentences."""

from collections.abc import Mapping

from web.i18n import gettext

__all__ = ["talk_refusals"]


def talk_refusals(given: Mapping[str, object]) -> dict[str, str]:
    """Code to sentence; `given` fills their places."""
    return {
        "window_shut": gettext("%(since)s: only an approved template reaches the customer now. Your text is kept.")
        % given,
        "state_changed": gettext("You saw %(was)s, and now it is in %(now)s. Nothing was done.") % given,
        "state_gone": gettext("The flow has no state %(state)s any more. Choose another.") % given,
        "already_there": gettext("It is in %(state)s already.") % given,
        "reason_missing": gettext("Say why: the reason stays in the timeline and in the audit."),
        "reason_too_long": gettext("The reason is too long: at most %(longest)s characters.") % given,
        "arrow_gone": gettext("This arrow does not leave from here any more. Choose again."),
        "opted_out": gettext("The customer asked for no more messages: move it without a message."),
        "held_undecided": gettext("Say what becomes of the messages that were held back."),
        "taken_already": gettext("%(who)s took over a moment ago and answers this customer.") % given,
        "assigned_meanwhile": gettext("You chose %(mine)s, and meanwhile it was given to %(theirs)s. Choose again.")
        % given,
        "empty_note": gettext("Write something before you note it down."),
        "talk_note_long": gettext("The note is too long: at most %(longest)s characters.") % given,
        "template_gone": gettext("This template cannot be sent any more. Choose another."),
        "template_value_missing": gettext("Fill in every value of the template."),
        "template_value_long": gettext("With these values the text is too long: at most %(longest)s characters.")
        % given,
        "no_file_chosen": gettext("Choose a file."),
        "file_kind": gettext("This is neither a picture (JPG, PNG) nor an audio that WhatsApp takes."),
        "file_large": gettext("The file is too large: a picture up to %(image)s MB, an audio up to %(audio)s MB.")
        % given,
        "file_pixels": gettext("The picture has too many points to be shown safely."),
        "caption_too_long": gettext("The words under the picture are too long: at most %(longest)s characters.")
        % given,
        "caption_of_audio": gettext("An audio has no words under it: send them as a message."),
        "shortcut_unusable": gettext("A shortcut has 1 to %(longest)s letters, digits, _ or -.") % given,
        "shortcut_taken": gettext("There is a reply /%(shortcut)s already.") % given,
        "reply_unusable": gettext("A reply has 1 to %(longest)s characters.") % given,
        "reply_gaps": gettext("Nobody knows what goes into %(gaps)s.") % given,
        "too_many_replies": gettext("There are %(most)s replies already: remove some first.") % given,
    }
