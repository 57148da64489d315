from __future__ import annotations

import pytest
from job_listing_client import Client, JobListingError
from job_listing_client.models import NewJob


def cursor_of(client: Client, company_id: int) -> str:
    """The cursor at the end of all jobs."""
    return list(client.jobs.changes(company_id=company_id))[-1].paging["next"]


def test_changes_has_all_jobs_and_then_those_that_changed(
    client: Client, company_id: int, new_job: NewJob
) -> None:
    changed = client.jobs.create(new_job).data["id"]
    deleted = client.jobs.create(new_job).data["id"]
    after = None
    jobs = {}
    for page in client.jobs.changes(company_id=company_id, limit=2):
        jobs.update({each["id"]: each for each in page.data})
        after = page.paging["next"]
    assert jobs[changed].get("title") == new_job["title"]
    client.jobs.update(changed, {"title": "Florist"})
    client.jobs.delete(deleted)
    while jobs[changed].get("title") != "Florist" or deleted in jobs:
        for page in client.jobs.changes(company_id=company_id, after=after):
            for each in page.data:
                jobs[each["id"]] = each
                if each.get("deleted"):
                    del jobs[each["id"]]
            after = page.paging["next"]


def test_follow_yields_events_as_they_come(client: Client, company_id: int, new_job: NewJob) -> None:
    after = cursor_of(client, company_id)
    job_id = client.jobs.create(new_job).data["id"]
    client.jobs.update(job_id, {"title": "Florist"})
    seen: list[str] = []
    for page in client.events.follow(company_id=company_id, after=after, limit=1):
        seen += [each["type"] for each in page.data if each.get("job", {}).get("id") == job_id]
        if len(seen) == 2:
            break
    assert seen == ["job.created", "job.updated"]


def test_a_cursor_that_the_log_does_not_have(client: Client, company_id: int) -> None:
    with pytest.raises(JobListingError) as refused:
        client.events.page(company_id=company_id, after="x")
    assert (refused.value.code, refused.value.snapshot) == ("invalid_parameter", None)
