"""What a browser calls itself, in two words: enough to know one's own devices again."""

from web.i18n import gettext

__all__ = ["device"]

BROWSERS = (("edg", "Edge"), ("opr", "Opera"), ("firefox", "Firefox"), ("chrom", "Chrome"), ("safari", "Safari"))
SYSTEMS = (
    ("iphone", "iPhone"), ("ipad", "iPad"), ("android", "Android"), ("windows", "Windows"), ("mac os", "macOS"),
    ("cros", "ChromeOS"), ("linux", "Linux"),
)  # fmt: skip


def device(agent: str) -> str:
    """Browser and system; "unknown device" where neither is said."""
    told = agent.casefold()
    browser = next((name for mark, name in BROWSERS if mark in told), "")
    system = next((name for mark, name in SYSTEMS if mark in told), "")
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("unknown device")
