"""Jobs of a company."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from .http import Answer, Http, Page, all_pages, read_answer, read_changed, read_page
from .models import (
    BatchedJob,
    Job,
    JobByReference,
    JobChanges,
    JobHeader,
    JobMetrics,
    JobReference,
    NewJob,
)
from .http import (
    Answer,
    CursorPage,
    Http,
    Page,
    all_pages,
    read_answer,
    read_changed,
    read_cursor_page,
    read_page,
)
from .models import Job, JobByReference, JobChange, JobChanges, JobHeader, JobMetrics, JobReference, NewJob


class Jobs:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self, job: NewJob | Job, idempotency_key: str | None = None, *, dry_run: bool = False
    ) -> Answer[Job]:
        """Creates a job. `put_by_reference` is the better way if it has a referenceId."""
        return read_answer(self._http.post("/jobs", job, idempotency_key, _dry(dry_run)))

    @overload
    def get(self, job_id: int, if_none_match: None = None) -> Answer[Job]: ...
    @overload
    def get(self, job_id: int, if_none_match: str | None) -> Answer[Job] | None: ...
    def get(self, job_id: int, if_none_match: str | None = None) -> Answer[Job] | None:
        """One job in full. With the ETag that you have: None if it is still the same."""
        headers = {"If-None-Match": if_none_match}
        return read_changed(self._http.send("GET", f"/jobs/{job_id:d}", headers=headers))

    def update(
        self, job_id: int, changes: JobChanges | Job, if_match: str | None = None, *, dry_run: bool = False
    ) -> Answer[Job]:
        """Changes the properties that are given, and no others."""
        return self._put(f"/jobs/{job_id:d}", changes, if_match, dry_run)

    def put_by_reference(
        self, job: JobByReference, if_match: str | None = None, *, dry_run: bool = False
    ) -> Answer[Job]:
        """Creates the job with this referenceId, or changes the properties that are given."""
        return self._put("/jobs", job, if_match, dry_run)

    def batch(
        self, items: Sequence[JobByReference], idempotency_key: str | None = None, *, dry_run: bool = False
    ) -> Answer[list[BatchedJob]]:
        """Does what `put_by_reference` does for up to 500 jobs.

        Each has its own answer: look at `status` of all of them, and send those with 5xx again.
        """
        body = {"items": list(items)}
        return read_answer(self._http.post("/jobs/batch", body, idempotency_key, _dry(dry_run)))

    def _put(self, path: str, body: object, if_match: str | None, dry_run: bool) -> Answer[Job]:
        headers = {"If-Match": if_match}
        return read_answer(self._http.send("PUT", path, query=_dry(dry_run), headers=headers, body=body))

    def delete(self, job_id: int, if_match: str | None = None) -> None:
        self._http.send("DELETE", f"/jobs/{job_id:d}", headers={"If-Match": if_match})

    def delete_by_reference(self, reference: JobReference, if_match: str | None = None) -> None:
        self._http.send("DELETE", "/jobs", headers={"If-Match": if_match}, body=reference)

    def metrics(
        self, job_id: int, *, from_date: str | None = None, to_date: str | None = None
    ) -> Answer[JobMetrics]:
        """The counts of a job by day and source: of the last 30 days, or of those from and to these dates."""
        query = {"from": from_date, "to": to_date}
        return read_answer(self._http.send("GET", f"/jobs/{job_id:d}/metrics", query=query))

    def changes(
        self, *, company_id: int, after: str | None = None, limit: int | None = None
    ) -> Iterator[CursorPage[JobChange]]:
        """Pages of all jobs as they are now or, after a cursor, of those that changed since."""
        while True:
            query = {"company.id": company_id, "after": after, "limit": limit}
            page = read_cursor_page(self._http.send("GET", "/jobs/changes", query=query))
            yield page
            after = page.paging["next"]
            if not page.paging["hasMore"]:
                return

    def list(
        self,
        *,
        company_id: int,
        status_id: int | None = None,
        reference_id: str | None = None,
        page_size: int | None = None,
    ) -> Iterator[JobHeader]:
        """Every job of a company, newest displayDate first. At most one has a given `reference_id`."""
        return all_pages(
            lambda page: self.page(
                company_id=company_id,
                status_id=status_id,
                reference_id=reference_id,
                page_size=page_size,
                page=page,
            )
        )

    def page(
        self,
        *,
        company_id: int,
        status_id: int | None = None,
        reference_id: str | None = None,
        page_size: int | None = None,
        page: int = 1,
    ) -> Page[JobHeader]:
        """One page of that list."""
        query = {
            "company.id": company_id,
            "status.id": status_id,
            "referenceId": reference_id,
            "pageSize": page_size,
            "page": page,
        }
        return read_page(self._http.send("GET", "/jobs", query=query))


def _dry(dry_run: bool) -> dict[str, str]:
    return {"dryRun": "true"} if dry_run else {}
