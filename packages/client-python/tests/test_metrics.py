from __future__ import annotations

import uuid

from conftest import System
from job_listing_client import Client
from job_listing_client.models import MetricsEvent


def test_send_counts_each_event_once(system: System, job_id: int) -> None:
    view: MetricsEvent = {"id": str(uuid.uuid4()), "jobId": job_id, "type": "view"}
    unknown: MetricsEvent = {"id": str(uuid.uuid4()), "jobId": 2_000_000_000, "type": "view"}
    with Client(system.baseUrl, consumer_key=system.consumerKey) as site:
        first = site.metrics.send([view, unknown]).data
        again = site.metrics.send([view]).data
    assert (first["accepted"], first["duplicates"]) == (1, 0)
    assert [(each["index"], each["code"]) for each in first["rejected"]] == [(1, "unknown_job")]
    assert (again["accepted"], again["duplicates"]) == (0, 1)
