"""The colours of the diagram: one token per meaning, a light and a dark value, and a placeholder for theming by CSS.

Every pair of text and background was measured: 4.7 to 1 or better; lines and borders 3.1 to 1 or better.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from engine.core.flow import Look

Theme: TypeAlias = Literal["web", "light", "dark"]

LIGHT: Mapping[str, str] = {
    "canvas": "#FAFAFC", "ink": "#1C2030", "muted": "#565D6E", "edge": "#5C6475", "hair": "#C9CDD8",
    "clock": "#6A5B8C", "pay": "#8F5B00", "global": "#3A3F4D",
    "entrada-bg": "#EDF0F5", "entrada-bd": "#64748B", "entrada-fg": "#1F2937",
    "conversa-bg": "#E0EFFB", "conversa-bd": "#0072B2", "conversa-fg": "#053B5D",
    "pagto-bg": "#FFF0CC", "pagto-bd": "#643E00", "pagto-fg": "#4C3200",
    "recupera-bg": "#F8E3EF", "recupera-bd": "#8A3765", "recupera-fg": "#5A1840",
    "ganho-bg": "#D8F3E7", "ganho-bd": "#00805C", "ganho-fg": "#003D2B",
    "perdido-bg": "#FBE4D6", "perdido-bd": "#A64600", "perdido-fg": "#582500",
    "saida-bg": "#E3E4E9", "saida-bd": "#3A3D47", "saida-fg": "#1E2027",
    "humano-bg": "#FBF5BE", "humano-bd": "#968A00", "humano-fg": "#3F3900",
    "heat0": "#FFFFFF", "heat0-fg": "#3B4152", "heat1": "#E2E6FF", "heat1-fg": "#28308A",
    "heat2": "#B4BEFF", "heat2-fg": "#171E5E", "heat3": "#5B67DD", "heat3-fg": "#FFFFFF",
    "heat4": "#2B2F9E", "heat4-fg": "#FFFFFF",
    "add": "#0B7A43", "add-bg": "#DDF6E6", "del": "#B42318", "del-bg": "#FDE5E2", "chg": "#0A5FB4",
    "chg-bg": "#E3F0FD", "accent": "#4338CA", "fade": "#687082", "fadeline": "#AEB4C1", "err": "#C22617",
}  # fmt: skip
DARK: Mapping[str, str] = {
    "canvas": "#13151B", "ink": "#E9EBF2", "muted": "#A3AABA", "edge": "#98A0B2", "hair": "#3A3F4C",
    "clock": "#B9A7E0", "pay": "#EDB84A", "global": "#D0D4DF",
    "entrada-bg": "#252A34", "entrada-bd": "#B4C6E2", "entrada-fg": "#E6EAF2",
    "conversa-bg": "#0E2D44", "conversa-bd": "#4DA3D3", "conversa-fg": "#D3EBFB",
    "pagto-bg": "#382A08", "pagto-bd": "#FFBD1B", "pagto-fg": "#FFE8B3",
    "recupera-bg": "#3A1A2E", "recupera-bd": "#A8658C", "recupera-fg": "#FBDCED",
    "ganho-bg": "#06332A", "ganho-bd": "#32CB9F", "ganho-fg": "#C6F3E4",
    "perdido-bg": "#3F210F", "perdido-bd": "#D97F45", "perdido-fg": "#FFDFCB",
    "saida-bg": "#2A2C33", "saida-bd": "#A4A7B3", "saida-fg": "#E4E5EA",
    "humano-bg": "#36320A", "humano-bd": "#B3A822", "humano-fg": "#F5EFAE",
    "heat0": "#1D2029", "heat0-fg": "#C9CEDA", "heat1": "#262B55", "heat1-fg": "#CBD2FF",
    "heat2": "#39429A", "heat2-fg": "#FFFFFF", "heat3": "#8792FF", "heat3-fg": "#10133A",
    "heat4": "#D3D8FF", "heat4-fg": "#14184A",
    "add": "#4CC38A", "add-bg": "#0F2F22", "del": "#FF8577", "del-bg": "#3D1714", "chg": "#6CB6FF",
    "chg-bg": "#0F2A45", "accent": "#A5A8FF", "fade": "#858D9E", "fadeline": "#4A505E", "err": "#FF8577",
}  # fmt: skip

TOKENS: tuple[str, ...] = tuple(LIGHT)
PLACEHOLDERS: Mapping[str, str] = {token: f"#0f{number:02x}7b" for number, token in enumerate(TOKENS)}
"""One unlikely colour per token: the web drawing carries these and CSS gives them their value."""

KINDS: Mapping[Look, str] = {
    Look.ENTRY: "entrada",
    Look.TALK: "conversa",
    Look.PAYMENT: "pagto",
    Look.RECOVERY: "recupera",
    Look.WON: "ganho",
    Look.LOST: "perdido",
    Look.OUT: "saida",
    Look.HUMAN: "humano",
}
FINISHED = frozenset({Look.WON, Look.LOST, Look.OUT})
"""Looks whose number of conversations only grows, so that it is never hot."""


def colours(theme: Theme) -> Mapping[str, str]:
    """Token to colour: placeholders for the web, real colours for the exports."""
    return {"web": PLACEHOLDERS, "light": LIGHT, "dark": DARK}[theme]


def heat(count: int) -> int:
    """The step of the count's pill, 0 (none) to 4 (51 and more)."""
    return sum(count > limit for limit in (0, 10, 25, 50))
