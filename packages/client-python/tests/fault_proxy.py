"""An HTTP proxy in front of the service that refuses requests and cuts connections as told."""

from __future__ import annotations

import json
import socket
import time
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Refusal:
    """An answer in place of the service's."""

    status: int
    retry_after: int | None = None
    body: str = json.dumps(
        {
            "data": None,
            "warnings": [],
            "code": "unavailable",
            "detail": "Away",
            "reason": "bus_away",
            "errors": [],
        }
    )


@dataclass(frozen=True)
class Cut:
    """The connection ends without an answer; the service may have got the request."""

    after_forwarding: bool = False


@dataclass(frozen=True)
class Hang:
    """No answer comes, and the connection stays open until the client ends it."""


Fault = Refusal | Cut | Hang


@dataclass(frozen=True)
class Recorded:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float


class FaultProxy:
    def __init__(self, target: str) -> None:
        self.faults: list[Fault] = []
        """What happens to the next requests, in order; those after them go through."""
        self.requests: list[Recorded] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self, urlsplit(target).netloc))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> FaultProxy:
        Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(proxy: FaultProxy, target: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_request(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = dict(self.headers)
            proxy.requests.append(Recorded(self.command, self.path, headers, body, time.monotonic()))
            fault = proxy.faults.pop(0) if proxy.faults else None
            if isinstance(fault, Refusal):
                self.refuse(fault)
            elif isinstance(fault, Hang):
                self.close_connection = True
                self.rfile.read(1)
            elif fault is None or fault.after_forwarding:
                self.forward(headers, body, cut=fault is not None)
            else:
                self.cut()

        do_GET = do_POST = do_PUT = do_DELETE = handle_request

        def refuse(self, refusal: Refusal) -> None:
            content = refusal.body.encode()
            self.send_response(refusal.status)
            if refusal.retry_after is not None:
                self.send_header("Retry-After", str(refusal.retry_after))
            self.send_header("Content-Type", "application/json; charset=utf-8")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def forward(self, headers: dict[str, str], body: bytes, *, cut: bool) -> None:
            connection = HTTPConnection(target, timeout=30)
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            connection.close()
            if cut:
                return self.cut()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"connection", "keep-alive", "transfer-encoding", "content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def cut(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: object) -> None:
            """Logs nothing."""

    return Handler
