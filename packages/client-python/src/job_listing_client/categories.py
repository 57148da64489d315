"""System categories, and custom ones of a company."""

from __future__ import annotations

import builtins
from typing import overload

from .http import Answer, Http, read_answer, read_changed
from .models import JobCategory, JobCategoryChanges, NewJobCategory


class Categories:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(self, category: NewJobCategory, idempotency_key: str | None = None) -> Answer[JobCategory]:
        return read_answer(self._http.post("/jobcategories", category, idempotency_key))

    @overload
    def get(self, category_id: int, if_none_match: None = None) -> Answer[JobCategory]: ...
    @overload
    def get(self, category_id: int, if_none_match: str | None) -> Answer[JobCategory] | None: ...
    def get(self, category_id: int, if_none_match: str | None = None) -> Answer[JobCategory] | None:
        """One category. With the ETag that you have: None if it is still the same."""
        headers = {"If-None-Match": if_none_match}
        return read_changed(self._http.send("GET", f"/jobcategories/{category_id:d}", headers=headers))

    def update(self, category_id: int, changes: JobCategoryChanges) -> Answer[JobCategory]:
        """Renames a custom category."""
        return read_answer(self._http.send("PUT", f"/jobcategories/{category_id:d}", body=changes))

    def delete(self, category_id: int) -> None:
        """Deletes a custom category that no job has."""
        self._http.send("DELETE", f"/jobcategories/{category_id:d}")

    def list(
        self, *, company_id: int | None = None, active: bool = False
    ) -> Answer[builtins.list[JobCategory]]:
        """System categories, and those of the company. `active`: only those of its published jobs."""
        query = {"company.id": company_id, "active": "true" if active else None}
        return read_answer(self._http.send("GET", "/jobcategories", query=query))
