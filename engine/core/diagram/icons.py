"""The icons that diagrams use: the inside of an SVG symbol on a 24 grid, drawn with strokes of 1.75."""

from collections.abc import Mapping

from engine.core.flow import Look, Source

STROKE = {
    "fill": "none",
    "stroke": "currentColor",
    "stroke-width": "1.75",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
}
RING = "M20.5 12a8.5 8.5 0 1 1 -17 0a8.5 8.5 0 1 1 17 0z"
ICONS: Mapping[str, str] = {
    "enter": "M13 4.5h6.5v15H13M3.5 12h10.5M10 8l4 4-4 4",
    "message": "M4 5.5h16v11H10.5L6 20v-3.5H4z",
    "card": "M5.5 5.5h13a2.5 2.5 0 0 1 2.5 2.5v8a2.5 2.5 0 0 1-2.5 2.5h-13a2.5 2.5 0 0 1-2.5-2.5v-8"
    "a2.5 2.5 0 0 1 2.5-2.5zM3 10h18M7 15h3",
    "refresh": "M20 4v6h-6M4 20v-6h6M5 9a7.5 7.5 0 0 1 14.2 1M19 15a7.5 7.5 0 0 1-14.2-1",
    "hand": "M8 13V6.2a1.5 1.5 0 0 1 3 0V11M11 10.5V4.7a1.5 1.5 0 0 1 3 0V11M14 11V6.2a1.5 1.5 0 0 1 3 0v8.3"
    "a6 6 0 0 1-6 6c-2.6 0-4-1.2-5.2-3.4L4 13.6c-.8-1.5 1-2.7 2.2-1.4L8 14",
    "okc": RING + "M8 12.4l2.8 2.8L16 9.6",
    "noc": RING + "M9 9l6 6M15 9l-6 6",
    "ban": RING + "M6.2 6.2l11.6 11.6",
    "clock": RING + "M12 7v5.2l3.4 2",
    "loop": "M7 7.5h9.5a4 4 0 0 1 4 4M17 16.5H7.5a4 4 0 0 1-4-4M10 4.5l-3 3 3 3M14 13.5l3 3-3 3",
    "bolt": "M13 3L5 13.5h6L10.5 21 19 10h-6.2z",
    "undo": "M8.5 5L4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
    "user": "M15.8 8a3.8 3.8 0 1 1-7.6 0a3.8 3.8 0 1 1 7.6 0zM4.5 20c.8-4 3.6-6 7.5-6s6.7 2 7.5 6",
    "out": "M10.5 4.5H4.5v15h6M10 12h10.5M16.5 8l4 4-4 4",
    "code": "M8.5 7L3.5 12l5 5M15.5 7l5 5-5 5",
    "note": "M5 4h14v11l-5 5H5zM14 20v-5h5M8.5 8.5h7M8.5 12h4",
}
"""Each icon is the data of one path."""

STATE_ICONS: Mapping[Look, str] = {
    Look.ENTRY: "enter",
    Look.TALK: "message",
    Look.PAYMENT: "card",
    Look.RECOVERY: "refresh",
    Look.WON: "okc",
    Look.LOST: "noc",
    Look.OUT: "ban",
    Look.HUMAN: "hand",
}
EVENT_ICONS: Mapping[Source, str] = {
    Source.MESSAGE: "message",
    Source.PAYMENT: "card",
    Source.CLOCK: "clock",
    Source.HUMAN: "user",
    Source.EFFECT: "out",
    Source.API: "code",
}
