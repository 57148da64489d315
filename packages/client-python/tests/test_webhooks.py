from __future__ import annotations

import pytest
from job_listing_client import Client, JobListingError

URL = "https://hooks.example.com/"


def test_a_webhook_is_registered_changed_and_deleted(client: Client, company_id: int) -> None:
    created = client.webhooks.create({"company": {"id": company_id}, "url": URL, "types": ["job.closed"]}).data
    webhook_id = created["id"]
    assert created["secret"].startswith("whsec_")
    assert webhook_id in [each["id"] for each in client.webhooks.list(company_id=company_id).data]
    assert client.webhooks.update(webhook_id, {"state": "disabled"}).data["disabledReason"] == "requested"
    assert client.webhooks.get(webhook_id).data["state"] == "disabled"
    assert client.webhooks.rotate_secret(webhook_id).data["secret"] != created["secret"]
    assert client.webhooks.replay(webhook_id, {"from": "2026-01-01T00:00:00Z"}).data["events"] >= 0
    assert list(client.webhooks.attempts(webhook_id)) == []
    client.webhooks.delete(webhook_id)
    with pytest.raises(JobListingError) as gone:
        client.webhooks.get(webhook_id)
    assert gone.value.code == "webhook_not_found"


def test_a_forbidden_address_is_refused_with_its_place(client: Client, company_id: int) -> None:
    with pytest.raises(JobListingError) as refused:
        client.webhooks.create({"company": {"id": company_id}, "url": "https://10.0.0.1/", "types": ["*"]})
    assert [each.get("pointer") for each in refused.value.violations] == ["#/url"]
