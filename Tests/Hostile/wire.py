"""A blocking HTTP/1.1 connection that sends whatever it is given, right or wrong."""

import json
import socket
import struct


class Response:
    """An answer: status, header fields by lower-case name, and body bytes."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    @property
    def version(self):
        return self.headers.get("collection-version")


def path(name, client="hostile", tail=""):
    """The target of a collection."""
    return f"/v1/clients/{client}/collections/{name}{tail}"


def head(method, target, headers=None, length=None):
    """The bytes of a request's head."""
    lines = [f"{method} {target} HTTP/1.1", "Host: localhost"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def message(method, target, body=None, headers=None):
    """A whole request; a body that is not bytes is written as JSON."""
    if body is None:
        return head(method, target, headers)
    if not isinstance(body, bytes):
        body = json.dumps(body, separators=(",", ":")).encode()
    fields = {"Content-Type": "application/json", **(headers or {})}
    return head(method, target, fields, len(body)) + body


class Connection:
    """One connection, opened at once. `timeout` bounds each call, in seconds."""

    def __init__(self, address, timeout=10, receive_bytes=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self.socket.connect(address)
        except OSError:
            self.socket.close()
            raise
        self.buffer = b""

    def send(self, data):
        self.socket.sendall(data)

    def request(self, method, target, body=None, headers=None):
        """Sends a request and reads its answer, also one that comes before the body is taken."""
        try:
            self.send(message(method, target, body, headers))
        except (BrokenPipeError, ConnectionResetError):
            pass  # An early refusal may already be here to read.
        return self.response(method)

    def response(self, method="GET"):
        """Reads one answer; informational ones are skipped."""
        while True:
            status, headers = self._head()
            if status >= 200:
                return Response(status, headers, self._body(method, status, headers))

    def _head(self):
        text = self._until(b"\r\n\r\n").decode("latin-1")
        first, *lines = text[:-4].split("\r\n")
        pairs = (line.partition(":") for line in lines)
        return int(first.split(" ", 2)[1]), {n.lower(): v.strip() for n, _, v in pairs}

    def _body(self, method, status, headers):
        if method == "HEAD" or status in (204, 304):
            return b""
        if headers.get("transfer-encoding") == "chunked":
            return self._chunks()
        if "content-length" in headers:
            return self._exactly(int(headers["content-length"]))
        return self._to_end()

    def _chunks(self):
        parts = []
        while size := int(self._until(b"\r\n").split(b";")[0], 16):
            parts.append(self._exactly(size + 2)[:-2])
        self._until(b"\r\n")
        return b"".join(parts)

    def _more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionResetError("the service closed the connection")
        self.buffer += data

    def _until(self, mark):
        while (end := self.buffer.find(mark)) < 0:
            self._more()
        return self._take(end + len(mark))

    def _exactly(self, count):
        parts, held = [self.buffer], len(self.buffer)
        while held < count:
            data = self.socket.recv(1 << 20)
            if not data:
                raise ConnectionResetError("the service closed the connection inside an answer")
            parts.append(data)
            held += len(data)
        self.buffer = b"".join(parts)
        return self._take(count)

    def _to_end(self):
        while data := self.socket.recv(1 << 18):
            self.buffer += data
        return self._take(len(self.buffer))

    def _take(self, count):
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def close(self):
        self.socket.close()

    def reset(self):
        """Ends the connection with RST in place of FIN."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
