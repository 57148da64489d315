"""The client of the Job Listing Service's HTTP API."""

from .client import Client
from .errors import JobListingError
from .http import Answer, CursorPage, Page

__all__ = ["Answer", "Client", "CursorPage", "JobListingError", "Page"]
