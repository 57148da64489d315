"""Applications with their files, and copies of them by e-mail."""

from __future__ import annotations

import builtins
import json
from collections.abc import Iterator, Sequence
from typing import Literal

from .http import (
    Answer,
    Http,
    Page,
    Part,
    all_pages,
    idempotent,
    read_answer,
    read_page,
)
from .models import (
    Application,
    ApplicationCopy,
    ApplicationHeader,
    ErasedApplications,
    NewApplication,
    ReceivedApplication,
)

CopyState = Literal["queued", "sent", "deferred", "failed"]


class Applications:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        job_id: int,
        application: NewApplication,
        files: Sequence[tuple[str, bytes]] = (),
        idempotency_key: str | None = None,
    ) -> Answer[ReceivedApplication]:
        """Hands in an application with files, each as its name and content."""
        path = f"/jobs/{job_id:d}/applications"
        if not files:
            return read_answer(self._http.post(path, application, idempotency_key))
        parts: builtins.list[Part] = [
            ("application", (None, json.dumps(application).encode(), "application/json")),
            *(("file", (name, content, "application/octet-stream")) for name, content in files),
        ]
        return read_answer(self._http.send("POST", path, headers=idempotent(idempotency_key), parts=parts))

    def get(self, application_id: int) -> Answer[Application]:
        """One application, with its files and the state of each e-mail copy."""
        return read_answer(self._http.send("GET", f"/applications/{application_id:d}"))

    def file(self, application_id: int, file_id: int) -> bytes:
        """The content of a file."""
        return self._http.send("GET", f"/applications/{application_id:d}/files/{file_id:d}").content

    def delete(self, application_id: int) -> None:
        """Erases an application with its files and the copies that wait."""
        self._http.send("DELETE", f"/applications/{application_id:d}")

    def erase_applicant(self, *, company_id: int, email: str) -> Answer[ErasedApplications]:
        """Erases every application of one e-mail address in one company."""
        query = {"company.id": company_id, "email": email}
        return read_answer(self._http.send("DELETE", "/applications", query=query))

    def queue_copies(
        self,
        application_id: int,
        to: Literal["failed", "all"] = "failed",
        idempotency_key: str | None = None,
    ) -> Answer[builtins.list[ApplicationCopy]]:
        """Sends e-mail copies again: those that failed, or all."""
        path = f"/applications/{application_id:d}/copies"
        return read_answer(self._http.post(path, {"to": to}, idempotency_key))

    def list(
        self,
        *,
        company_id: int,
        job_id: int | None = None,
        status: CopyState | None = None,
        page_size: int | None = None,
    ) -> Iterator[ApplicationHeader]:
        """Every application of a company, newest first; `status` is that of an e-mail copy."""
        return all_pages(
            lambda page: self.page(
                company_id=company_id, job_id=job_id, status=status, page_size=page_size, page=page
            )
        )

    def page(
        self,
        *,
        company_id: int,
        job_id: int | None = None,
        status: CopyState | None = None,
        page_size: int | None = None,
        page: int = 1,
    ) -> Page[ApplicationHeader]:
        """One page of that list."""
        query = {
            "company.id": company_id,
            "job.id": job_id,
            "status": status,
            "pageSize": page_size,
            "page": page,
        }
        return read_page(self._http.send("GET", "/applications", query=query))
