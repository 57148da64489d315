"""The change log of a company."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .http import CursorPage, Http, read_cursor_page
from .models import Event

_WAIT_SECONDS = 25
_PAUSE_SECONDS = 1


class Events:
    def __init__(self, http: Http) -> None:
        self._http = http

    def page(
        self, *, company_id: int, after: str | None = None, limit: int | None = None, wait: int | None = None
    ) -> CursorPage[Event]:
        """The events after a cursor, oldest first; without one, from the oldest that is kept."""
        query = {"company.id": company_id, "after": after, "limit": limit, "wait": wait}
        return read_cursor_page(self._http.send("GET", "/events", query=query))

    def follow(
        self, *, company_id: int, after: str | None = None, limit: int | None = None
    ) -> Iterator[CursorPage[Event]]:
        """The pages of events after a cursor, and then each new one as it comes, without an end."""
        while True:
            started_at = time.monotonic()
            page = self.page(company_id=company_id, after=after, limit=limit, wait=_WAIT_SECONDS)
            after = page.paging["next"]
            if page.data:
                yield page
            # The service does not wait while it is busy, or stopping.
            elif time.monotonic() - started_at < _PAUSE_SECONDS:
                time.sleep(_PAUSE_SECONDS)
