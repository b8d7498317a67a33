"""What WhatsApp takes in one message: pieces, and characters as it counts them (UTF-16 units)."""

TEXT = 4_096
BODY = 1_024
"""The text above buttons or a list."""
CAPTION = 1_024
BUTTONS = 3
BUTTON_TITLE = 20
"""Of a reply button, and of the button that opens a list."""
BUTTON_ID = 256
ROWS = 10
ROW_TITLE = 24
ROW_ID = 200
ROW_DESCRIPTION = 72
