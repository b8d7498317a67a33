"""What conversations answer: reading, writing, handling, their files, and the replies to choose from."""

from web.routes import conversations, media, replies, talk_handling, talk_writing

__all__ = ["TALK"]

TALK = (
    conversations.conversation,
    conversations.facts,
    conversations.news,
    conversations.pause,
    conversations.take,
    conversations.resume,
    conversations.seen,
    talk_handling.give_back,
    talk_handling.put,
    talk_handling.give,
    talk_handling.look,
    talk_handling.leave,
    talk_handling.needing,
    talk_writing.opened,
    talk_writing.filled_in,
    talk_writing.write,
    talk_writing.template,
    talk_writing.file,
    talk_writing.note,
    conversations.decide,
    conversations.opt_in,
    media.file,
    media.sent,
    replies.listed,
    replies.write,
    replies.remove,
)
