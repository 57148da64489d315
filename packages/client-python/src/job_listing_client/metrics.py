"""What happens to jobs on a search site."""

from __future__ import annotations

from collections.abc import Sequence

from .http import Answer, Http, read_answer
from .models import MetricsEvent, MetricsReceipt


class Metrics:
    def __init__(self, http: Http) -> None:
        self._http = http

    def send(
        self, events: Sequence[MetricsEvent], idempotency_key: str | None = None
    ) -> Answer[MetricsReceipt]:
        """Reports up to 1000 events. Each counts once by its id, however often it is sent."""
        return read_answer(self._http.post("/metrics/events", {"events": events}, idempotency_key))
