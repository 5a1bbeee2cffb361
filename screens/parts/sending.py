"""A button that sends a chosen file to a route of this app and returns the answer."""

from collections.abc import Mapping
from typing import Any

from screens import components
from screens.words import t


def send_file(url: str, *, key: str, label: str, accept: str) -> Mapping[str, Any] | None:
    """Draw a button that sends a file with PUT.

    Args:
        url: The path of the route; the file's name is added as `name`.
        key: Names the button on the screen.
        label: What the button says.
        accept: The kinds of files that the phone offers, as in HTML.

    Returns:
        The JSON of the route's answer, in the run after it came; else None.
    """
    data = {
        "url": url,
        "label": label,
        "accept": accept,
        "sending": t("file_sending"),
        "failed": t("file_failed"),
    }
    answer: Mapping[str, Any] | None = components.show(
        "file", key=key, data=data, on_answer_change=lambda: None
    ).answer
    return answer
