"""What mypy must refuse: an ignored line without an error fails its run (warn_unused_ignores)."""

from __future__ import annotations

from job_listing_client import Client


def refused_by_the_type_checker(client: Client) -> None:
    client.jobs.update(1, {"titel": "A typing error"})  # type: ignore[arg-type]
    client.jobs.put_by_reference({"title": "No reference"})  # type: ignore[typeddict-item]
    client.jobs.update(1, {"applicantRoutingType": {"id": 3}})  # type: ignore[typeddict-item]
    client.jobs.get(1, if_none_match='"1-a"').data  # type: ignore[union-attr]
    client.jobs.get(1).data["descriptionFormat"] == "markdown"  # type: ignore[comparison-overlap]
