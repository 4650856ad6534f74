"""Sends text that the programs would print to the logger "softalign". Notes have the level WARNING, the rest INFO."""

import logging

logger = logging.getLogger("softalign")


def receive(is_error: bool, text: bytes) -> None:
    """Logs the lines of a text. Lines that redraw the terminal, such as a progress bar, are left out."""
    for line in text.decode("utf-8", "replace").split("\n"):
        if not line.strip() or "\r" in line or "\x1b" in line:
            continue
        important = is_error and line.startswith(("note:", "warning:", "error:"))
        logger.log(logging.WARNING if important else logging.INFO, "%s", line)
