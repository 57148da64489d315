"""The shapes of what is sent and answered, in the names of the API. All are plain dicts at run time."""

from typing import TypedDict

from ._generated import (
    Application,
    ApplicationCopy,
    ApplicationFile,
    ApplicationHeader,
    ErrorConflict as Conflict,
    Job,
    JobByReference,
    # The plain names are those of the categories inside jobs.
    JobCategory1 as JobCategory,
    JobCategoryChanges,
    JobChanges,
    JobHeader,
    JobReference,
    MetricsEvent,
    MetricsReceipt,
    NewApplication,
    NewJob,
    NewJobCategory1 as NewJobCategory,
    Paging,
    ReceivedApplication,
    Violation,
    Warning,
)


class ErasedApplications(TypedDict):
    erased: int


__all__ = [
    "Application",
    "ApplicationCopy",
    "ApplicationFile",
    "ApplicationHeader",
    "Conflict",
    "ErasedApplications",
    "Job",
    "JobByReference",
    "JobCategory",
    "JobCategoryChanges",
    "JobChanges",
    "JobHeader",
    "JobReference",
    "MetricsEvent",
    "MetricsReceipt",
    "NewApplication",
    "NewJob",
    "NewJobCategory",
    "Paging",
    "ReceivedApplication",
    "Violation",
    "Warning",
]
