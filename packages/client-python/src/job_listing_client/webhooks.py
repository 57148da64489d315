"""Addresses that events are sent to."""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from .http import Answer, Http, Page, all_pages, idempotent, read_answer, read_page
from .models import (
    NewWebhook,
    ReplayRequest,
    Webhook,
    WebhookAttempt,
    WebhookChanges,
    WebhookReplay,
    WebhookWithSecret,
)


class Webhooks:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, webhook: NewWebhook, idempotency_key: str | None = None) -> Answer[WebhookWithSecret]:
        """Registers an address. Only this answer shows the secret."""
        return read_answer(self._http.post("/webhooks", webhook, idempotency_key))

    def list(self, *, company_id: int) -> Answer[builtins.list[Webhook]]:
        """The webhooks of a company."""
        return read_answer(self._http.send("GET", "/webhooks", query={"company.id": company_id}))

    def get(self, webhook_id: int) -> Answer[Webhook]:
        return read_answer(self._http.send("GET", f"/webhooks/{webhook_id:d}"))

    def update(self, webhook_id: int, changes: WebhookChanges) -> Answer[Webhook]:
        """Changes the properties that are given; `{"state": "enabled"}` enables it again."""
        return read_answer(self._http.send("PUT", f"/webhooks/{webhook_id:d}", body=changes))

    def delete(self, webhook_id: int) -> None:
        self._http.send("DELETE", f"/webhooks/{webhook_id:d}")

    def test(self, webhook_id: int, idempotency_key: str | None = None) -> Answer[WebhookAttempt]:
        """Sends a test event at once."""
        path = f"/webhooks/{webhook_id:d}/test"
        return read_answer(self._http.send("POST", path, headers=idempotent(idempotency_key)))

    def replay(
        self, webhook_id: int, events: ReplayRequest, idempotency_key: str | None = None
    ) -> Answer[WebhookReplay]:
        """Sends events of the log again: all after a cursor, or those of a time."""
        return read_answer(self._http.post(f"/webhooks/{webhook_id:d}/replay", events, idempotency_key))

    def rotate_secret(
        self, webhook_id: int, idempotency_key: str | None = None
    ) -> Answer[WebhookWithSecret]:
        """Replaces the secret. Only this answer shows the new one."""
        path = f"/webhooks/{webhook_id:d}/rotate-secret"
        return read_answer(self._http.send("POST", path, headers=idempotent(idempotency_key)))

    def attempts(self, webhook_id: int, *, page_size: int | None = None) -> Iterator[WebhookAttempt]:
        """What was sent and how it went, newest first."""
        return all_pages(lambda page: self._attempts(webhook_id, page_size, page))

    def _attempts(self, webhook_id: int, page_size: int | None, page: int) -> Page[WebhookAttempt]:
        query = {"pageSize": page_size, "page": page}
        return read_page(self._http.send("GET", f"/webhooks/{webhook_id:d}/attempts", query=query))
