"""Full syncs of a company's jobs."""

from __future__ import annotations

from collections.abc import Sequence

from .http import Answer, Http, read_answer
from .models import BatchedJob, JobByReference, NewSync, Sync, SyncCommit


class Syncs:
    def __init__(self, http: Http) -> None:
        self._http = http

    def start(self, sync: NewSync, idempotency_key: str | None = None) -> Answer[Sync]:
        return read_answer(self._http.post("/syncs", sync, idempotency_key))

    def get(self, sync_id: int) -> Answer[Sync]:
        return read_answer(self._http.send("GET", f"/syncs/{sync_id:d}"))

    def add(
        self, sync_id: int, items: Sequence[JobByReference], idempotency_key: str | None = None
    ) -> Answer[list[BatchedJob]]:
        """Does what `jobs.batch` does, as part of a sync."""
        body = {"items": list(items)}
        return read_answer(self._http.post(f"/syncs/{sync_id:d}/items", body, idempotency_key))

    def commit(self, sync_id: int, commit: SyncCommit, idempotency_key: str | None = None) -> Answer[Sync]:
        """Closes or deletes the jobs that were not sent, unless the count is wrong or too many are missing."""
        return read_answer(self._http.post(f"/syncs/{sync_id:d}/commit", commit, idempotency_key))
