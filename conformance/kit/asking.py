"""The requests of the checks: one connection, answers with their JSON, streams with their events."""

import http.client
import json
import socket
import urllib.parse

from .document import parse, text


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    @property
    def json(self):
        return parse(self.body.decode())

    @property
    def code(self):
        return self.json.get("code") if self.body else None


class Service:
    """A service that is asked. What is known of it besides its URL and token is None where it is not told."""

    reader = seen = signing = issuer = origin = ops = conditional = withdrawn = withdraw = None

    def __init__(self, url, token=None, timeout=300):
        self.url = urllib.parse.urlsplit(url)
        self.base, self.token, self.timeout, self.connection = self.url.path.rstrip("/"), token, timeout, None

    def has(self, name):
        """Whether what a check needs is told: a credential, or that none is needed (`open`)."""
        return name is None or (not self.token if name == "open" else getattr(self, name) is not None)

    def connect(self):
        kind = http.client.HTTPSConnection if self.url.scheme == "https" else http.client.HTTPConnection
        return kind(self.url.hostname, self.url.port, timeout=self.timeout)

    def fields(self, headers):
        credential = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**credential, **(headers or {})}

    def ask(self, method, path, body=None, headers=None):
        """A text or bytes are sent as they are, anything else as JSON."""
        headers = dict(headers or {})
        if body is not None and not isinstance(body, (str, bytes)):
            body = text(body)
            headers.setdefault("Content-Type", "application/json")
        body = body.encode() if isinstance(body, str) else body
        for attempt in (0, 1):
            if self.connection is None:
                self.connection = self.connect()
            try:
                self.connection.request(method, self.base + path, body, self.fields(headers))
                answer = self.connection.getresponse()
                return Answer(answer.status, answer.headers, answer.read())
            except (ConnectionError, http.client.HTTPException):
                self.close()
                if attempt:
                    raise
        raise AssertionError

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def stream(self, path, headers=None):
        """The answer of a stream, and its events."""
        connection = self.connect()
        connection.request("GET", self.base + path, None, self.fields({"Accept": "text/event-stream", **(headers or {})}))
        answer = connection.getresponse()
        return answer, self._events(connection, answer)

    @staticmethod
    def _events(connection, answer):
        try:
            for event in events(iter(answer.readline, b"")):
                yield event
        finally:
            connection.close()


def events(lines):
    """Server-sent events of lines as the service writes them; `retry` is an event of its own here."""
    found = {}
    for line in lines:
        name, _, value = line.decode().rstrip("\n").partition(":")
        if name:
            found[name] = value.removeprefix(" ")
        elif found:
            yield found
            found = {}


def raw(service, data, patience=5):
    """The bytes of the answer to bytes, for what no client would send."""
    with socket.create_connection((service.url.hostname, service.url.port or 80), patience) as peer:
        peer.sendall(data)
        received = b""
        try:
            while part := peer.recv(65536):
                received += part
        except (TimeoutError, ConnectionError):
            pass  # what came until then is the answer
    return received


def plain(value):
    """A value with ordinary numbers."""
    return json.loads(text(value))
