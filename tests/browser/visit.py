"""A page in the browser, and what went wrong on it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Page, Request


@dataclass
class Visit:
    """A page in the browser, and what went wrong on it."""

    page: "Page"
    base_url: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("request", self.note_request)
        self.page.on("console", self.note_message)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def note_request(self, request: "Request") -> None:
        if not request.url.startswith((self.base_url, "data:", "blob:")):
            self.foreign.append(request.url)

    def note_message(self, message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def go(self, path: str) -> None:
        self.page.goto(self.base_url + path)

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.base_url)
