"""Every refusal in a sentence: what was asked is understood and not done, and why."""

from collections.abc import Mapping

from engine.core.errors import Refused
from engine.core.flow import DAY
from web.account_refusals import account_refusals
from web.approval_refusals import approval_refusals
from web.campaign_words import STANDING, standing
from web.i18n import gettext, ngettext
from web.retention_words import class_name
from web.talk_refusals import talk_refusals
from web.words import duration

__all__ = ["sentence"]


def sentence(refused: Refused) -> str:
    """What a refusal says to the person; a code without a sentence says that it did not work."""
    facts = {name: _shown(value) for name, value in refused.facts.items()}
    found = _known(facts).get(refused.code)
    return found if found is not None else gettext("This did not work. Try again.")


def _shown(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _wait(facts: Mapping[str, object]) -> str:
    wait = facts.get("wait")
    return duration(-(-wait // 1000) * 1000) if isinstance(wait, int) else ""


def _count(facts: Mapping[str, object], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) else 0


def _known(facts: Mapping[str, object]) -> dict[str, str]:
    """Code to sentence. Everything is looked up at once: an unknown placeholder would be a mistake in a test."""
    given = _Facts({**facts, "wait": _wait(facts), "class": class_name(facts.get("kind", ""))})
    return {
        # entering
        "sign_in_failed": gettext("The e-mail or the password is not right."),
        "sign_in_wait": gettext("Too many attempts. Wait %(wait)s and try again.") % given,
        "link_unusable": gettext("This link was used already or is too old. Ask for another."),
        "email_unreadable": gettext("This is not an e-mail address."),
        "account_exists": gettext("There is an account with this e-mail already."),
        "password_short": gettext("The password needs at least 12 characters. A sentence of your own is good."),
        "password_long": gettext("The password is too long."),
        "password_common": gettext("This password is easy to guess. Choose another."),
        **account_refusals(given),
        **approval_refusals(given),
        **talk_refusals(given),
        # the live desk
        "tag_unreadable": gettext("A tag is a short text: one line, at most %(most)s characters.") % given,
        "too_many_tags": gettext("One person has at most %(most)s tags. Take one away first.") % given,
        "filter_name": gettext("Give the filter a name of at most %(most)s characters.") % given,
        "too_many_filters": gettext("You have %(most)s filters. Delete one first.") % given,
        "wall_name": gettext("Say where the screen hangs, in at most %(most)s characters.") % given,
        # a field of the editor
        "not_a_time": gettext("“%(text)s” is not a time. Write, for example, 30 min, 4 h or 2 days.") % given,
        "not_positive": gettext("The time has to be longer than zero."),
        "name_missing": gettext("A state needs a name."),
        "word_missing": gettext("A name is missing."),
        "clock_name": gettext("%(name)s belongs to the clock: its name is fixed.") % given,
        "name_of_button": gettext("A button or an option of a list has the id %(name)s: it would mean this event.")
        % given,
        "field_used": gettext("It is still used: %(places)s.") % given,
        "value_missing": gettext("Nothing changed yet: say what to compare it with."),
        "not_a_real": gettext("“%(text)s” is not a number.") % given,
        "noted_twice": gettext("A field is noted down twice. Keep one of the two."),
        "choice_missing": gettext("Choose %(what)s.") % given,
        "values_few": gettext("Give at least two values, separated by commas."),
        "row_field": gettext("This field does not exist here. Choose another."),
        "business_name_long": gettext("The name has at most %(longest)s characters.") % given,
        "retention_unusable": gettext("%(class)s: between %(least)s and %(most)s days.") % given,
        "erase_unsure": gettext("Write %(number)s to erase this person.") % given,
        "text_missing": gettext("A message needs a text."),
        "address_missing": gettext("A file needs an address that begins with https://."),
        "piece_changed": gettext("Somebody else changed or took away this piece of the message: look at it again."),
        "too_many_pieces": gettext("There is room for %(most)s here, not more.") % given,
        "bad_name": gettext("“%(name)s” does not serve as a name: use letters, digits and _, beginning with a letter.")
        % given,
        "name_taken": gettext("There is something called %(name)s already.") % given,
        # an A/B test
        "shares_sum": gettext("The shares have to be whole numbers from 0 to 100 that make 100 together."),
        "not_split": gettext("This arrow is not part of an A/B test any more."),
        "too_many_variants": gettext("The last variant has too small a share to be divided once more."),
        # an edit
        "nothing_to_undo": gettext("There is nothing of yours to undo here."),
        "nothing_to_redo": gettext("There is nothing of yours to redo here."),
        "changed_since": gettext(
            "Somebody else changed this since: undo it in the editor, where both values are shown."
        ),
        "nothing_copied": gettext("Nothing is copied yet: choose a state and copy it."),
        "empty_cell_copied": gettext("There is nothing to copy from: that cell has no arrow."),
        "stale_fix": gettext("This repair does not fit the draft any more."),
        "initial_state": gettext("Every conversation begins in %(state)s. Choose another state for that first.")
        % given,
        "used_by_rule": gettext("A safety rule speaks of it: change the rule first."),
        "used_by_transition": gettext("Arrows still use it: %(transitions)s.") % given,
        "rule_there": gettext("The flow has this rule already."),
        "rule_incomplete": gettext("Choose what the rule speaks of."),
        "same_state": gettext("The conversations have to go to another state."),
        # a flow as a whole
        "title_unusable": gettext("A title has 1 to %(longest)s characters that can be seen.") % given,
        "flow_exists": gettext("There is a flow at /flows/%(slug)s already: choose another title.") % given,
        "flow_archived": gettext("The flow is archived: bring it back first."),
        "flow_is_led_into": gettext(
            "New conversations still come in by %(names)s: let them lead to another flow first."
        )
        % given,
        # publishing
        "nothing_changed": gettext("This draft is what is live already."),
        "not_available_yet": gettext("The robot cannot do this yet, so it cannot be published: %(places)s.") % given,
        "note_missing": gettext("Say in one sentence what changed."),
        "people_without_place": gettext("Say where the people of %(states)s go, or that they finish on their version.")
        % given,
        "place_unknown": gettext("Nobody can be put into %(states)s.") % given,
        "not_a_moment": gettext("Say a day and an hour that are still to come."),
        "note_too_long": gettext("The sentence is too long: at most %(longest)s characters.") % given,
        # a conversation
        "empty_message": gettext("Write something before sending."),
        "message_too_long": gettext("The message is too long: at most %(limit)s characters.") % given,
        "number_in_use": gettext("This number is of a real customer: choose another."),
        # connecting a number
        "cannot_pair": gettext("%(name)s has no session that could be connected.") % given,
        "gateway_unset": gettext("The channel needs the keys %(keys)s first.") % given,
        "phone_unreadable": gettext("This is not a telephone number."),
        "send_is_settled": gettext("This send was settled already."),
        "talk_followed": gettext("This talk goes on in another conversation of the same person: write there."),
        # people and payments
        "question_settled": gettext("Somebody decided about these two already."),
        "payment_settled": gettext("Somebody settled this payment already."),
        "no_live_flow": gettext("The flow of this payment is not live: publish it first."),
        # a channel or a payment source
        "name_unusable": gettext("A name has 1 to %(longest)s characters that can be seen.") % given,
        "name_or_token_taken": gettext("There is one with this name already: choose another."),
        "key_unknown": gettext("This platform has no key %(key)s.") % given,
        "value_too_long": gettext("This is too long: at most %(longest)s characters.") % given,
        "base_url_unreadable": gettext("This is not an address. Write, for example, https://evolution.example.com."),
        # a template
        "waba_id_missing": gettext("The channel lacks the id of its business account, so Meta cannot be asked."),
        "number_id_missing": gettext("The id of the number at Meta is missing: fill it in below."),
        "platform_unreachable": gettext("Meta did not answer. Nothing changed; try again in a moment."),
        "platform_refused": gettext("Meta refused: %(detail)s") % given,
        "template_there": gettext("There is a template with this name in this language already."),
        "template_name": gettext("Use small letters, digits and _ only."),
        "template_language": gettext("This is not a language of templates."),
        "template_category": gettext("Choose Marketing or Utility."),
        "template_body": gettext("A text has 1 to 1,024 characters."),
        "template_values": gettext("Number the values from {{1}} on, without a gap."),
        "template_value_at_edge": gettext("Put some words before the first value and after the last."),
        "template_examples": gettext("Each value needs one example, and no more."),
        "template_footer": gettext("At most 60 characters, and no values."),
        "template_buttons": gettext("At most 3 different titles of 25 characters."),
        # a file of people
        "file_missing": gettext("Choose a file."),
        "file_too_large": gettext("The file is larger than %(limit)s MB. Split it.") % given,
        "file_empty": gettext("There is nothing in the file."),
        "no_phone_column": gettext("Say which column is the telephone."),
        "nobody_in_file": gettext("No line of the file is a person."),
        "proof_too_long": gettext("The proof is too long: at most %(longest)s characters.") % given,
        # a campaign
        "campaign_flow": gettext("Choose a flow that is live."),
        "campaign_template": gettext("Choose a template that is approved."),
        "campaign_shape": gettext("This template wants a file or named values; campaigns cannot send those."),
        "campaign_values": ngettext(
            "This template wants one value.", "This template wants %(wanted)s values.", _count(facts, "wanted")
        )
        % given,
        "campaign_value_unknown": gettext("There is no field called %(name)s.") % given,
        "campaign_pace": gettext("From 1 to %(minute)s people a minute, and to %(day)s a day.") % given,
        "campaign_changed": gettext("It reaches another number of people by now. Look again and confirm."),
        "campaign_nobody": gettext("It reaches nobody."),
        "campaign_unsure": gettext("Confirm that it may be sent."),
        "campaign_over": gettext("This campaign is over."),
        **{code: standing(code) for code in STANDING},
        "number_unreadable": gettext("Write a whole number, such as 20."),
        "choice_unreadable": gettext("Write one of these: %(choices)s.") % given,
        "hours_unreadable": gettext("Write two hours, such as 08:00-21:00."),
        "line_unreadable": gettext("“%(line)s” says no name and value: write, for example, name = value.") % given,
        "zone_unknown": gettext("There is no such time zone. Write, for example, America/Sao_Paulo."),
        "outcome_unknown": gettext("A kind of notice can mean: %(outcomes)s.") % given,
        "event_unknown": gettext("The flow has no payment event %(event)s. It has: %(events)s.") % given,
        "chosen_otherwise": gettext("Somebody else chose %(event)s first. Choose again if you want another.") % given,
        # the path of a problem as a scenario
        "path_missing": gettext("There is no path to save."),
        "path_event": gettext("No scenario can make %(event)s happen.") % given,
        "path_words": gettext("Nothing that could be said is understood as %(event)s.") % given,
        "path_differs": gettext("No moment and no value was found for %(event)s in %(state)s.") % given,
        # the simulator
        "step_unknown": gettext("The simulator does not know this step."),
        "clock_too_far": gettext("The clock moves by at most %(days)s days at a time.")
        % {"days": _count(facts, "longest") // DAY},
        "too_many_steps": gettext("A run has at most %(most)s steps: go back, or begin again.") % given,
        "nothing_due": gettext("Nothing is due: no deadline and no message waits."),
        "nothing_again": gettext("Nothing arrived yet that could arrive again."),
        "nothing_bought": gettext("There was no payment yet that older news could follow."),
        "nobody_wrote": gettext("Nobody wrote yet: there is no conversation to take over."),
        "nothing_sent": gettext("Nothing was sent yet that could be read."),
        "too_much_happens": gettext("Too much falls due in this time: the silences of the flow are very short."),
        "amount_unreadable": gettext("Write an amount, such as 297,00."),
        "test_name": gettext("Give the test a name of 1 to %(longest)s characters.") % given,
        "test_there": gettext("There is a test called “%(name)s” already.") % given,
        "test_empty": gettext("Do something first: a test of nothing shows nothing."),
        "too_many_tests": gettext("A flow has at most %(most)s saved tests.") % given,
        # what the bot understands
        "phrase_missing": gettext("Write the words that mean it."),
        "phrase_too_long": gettext("This is too long for a phrase: at most %(longest)s characters.") % given,
        "phrase_without_words": gettext("There is no word in it that could be recognised."),
        "phrase_taken": gettext("The rule has “%(phrase)s” already.") % given,
        "rule_missing": gettext("Write first what means it, then what speaks against it."),
        "event_missing": gettext("Choose what it means."),
        "not_a_number": gettext("Write a whole number, such as 20."),
        # waits and hours
        "not_hours": gettext("“%(text)s” is not an hour. Write, for example, 21:00.") % given,
        "same_hours": gettext("The two hours are the same: then there would be no quiet hours at all."),
        # a kept notice
        "body_not_whole": gettext("Only its beginning was kept: ask the platform to send it again."),
        "door_removed": gettext("The channel or the source that it came by was removed."),
    }


class _Facts(dict[str, object]):
    """Facts for the placeholders; those of other sentences are empty."""

    def __missing__(self, _key: str) -> str:
        return ""
