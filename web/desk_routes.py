"""What the application answers around conversations: the live desk, approvals, doubts, search, figures, test phone."""

from web.routes import (
    analytics,
    approvals,
    found,
    live,
    live_filters,
    matching,
    phone,
    tagging,
    walls,
)

__all__ = ["DESK"]

DESK = (
    approvals.queue,
    approvals.news,
    approvals.accept,
    approvals.refuse,
    approvals.wait,
    analytics.first,
    analytics.analysis,
    analytics.wait,
    live.board,
    live.stream,
    live.let_go,
    live_filters.save,
    live_filters.delete,
    tagging.look,
    tagging.change,
    tagging.change_one,
    found.found,
    walls.listed,
    walls.add,
    walls.revoke,
    matching.pairs,
    matching.decide,
    matching.strays,
    matching.tie,
    phone.screen,
    phone.chat,
    phone.file,
    phone.say,
    phone.begin,
)
