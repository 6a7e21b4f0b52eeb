"""The scripted service: a collection, or several, over HTTP/1.1, with everything that §§5 and 8 allow, and what networks do."""

import collections
import json
import socket
import struct
import threading
import time
import urllib.parse
import zlib

from . import engine
from .document import parse, text
from .views import View

MEDIA = {f"application/vnd.livedelta.{d}+json": d for d in engine.DIALECTS if d != "json-patch"}
MEDIA["application/json-patch+json"] = "json-patch"


class Hangup(Exception):
    """The connection is over, as the script wants it."""


class Request:
    def __init__(self, line, fields, body=b""):
        self.method, target, _ = line.split(" ", 2)
        self.fields, self.body = fields, body
        parts = urllib.parse.urlsplit(target)
        self.path = urllib.parse.unquote(parts.path)
        self.query = {k: v[-1] for k, v in urllib.parse.parse_qs(parts.query, keep_blank_values=True).items()}
        self.view = View.of(parts.query)

    @property
    def is_stream(self):
        return "text/event-stream" in self.fields.get("accept", "")

    @property
    def since(self):
        return self.fields.get("last-event-id") if self.is_stream and self.fields.get("last-event-id") else (
            self.query.get("since", ""))

    @property
    def asked(self):
        kinds = [a.split(";")[0].strip() for a in self.fields.get("accept", "").split(",")]
        dialect = self.query.get("dialect") or next((MEDIA[k] for k in kinds if k in MEDIA), "staged")
        patches = self.query.get("items") == "patch" or "items=patch" in self.fields.get("prefer", "")
        return {"dialect": dialect, "headers": self.query.get("headers") == "1", "patches": patches, "view": self.view}


class ScriptedService:
    def __init__(self, history, client, token, chance, others=(), view=None):
        """`others` are the histories that are followed together with the first, `view` is what must be asked for."""
        self.history, self.client, self.token, self.chance = history, client, token, chance
        self.histories = {one.collection: one for one in (history, *others)}
        self.view = view
        self.faults = collections.deque()  # what happens to the next answers, one each
        self.always = {}  # what happens to all of them
        self.wrong = []  # requests that the contract has no answer for
        self.asked = []  # (time, since, is_stream) of each question
        self.not_before = 0.0
        self.parked = 0
        self.wait = 20.0
        self.connections, self.port, self.listener = set(), 0, None
        self.open()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def open(self):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", self.port))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()

    def close(self):
        """The service is away: nobody listens, and every connection is cut."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut_all()

    def cut_all(self):
        for peer in list(self.connections):
            self._reset(peer)
        with self.history.changed:
            self.history.changed.notify_all()

    @staticmethod
    def _reset(peer):
        try:
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it is over already

    def _accept(self, listener):
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return  # closed
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections.add(peer)
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer):
        lines = peer.makefile("rb")
        try:
            while line := lines.readline().decode("latin-1").rstrip("\r\n"):
                fields = {}
                while field := lines.readline().decode("latin-1").rstrip("\r\n"):
                    name, _, value = field.partition(":")
                    fields[name.strip().lower()] = value.strip()
                body = lines.read(int(fields.get("content-length") or 0))
                self._answer(Connection(peer, self), Request(line, fields, body))
        except (Hangup, OSError, ValueError):
            pass  # the script, or the client, ended it
        finally:
            self.connections.discard(peer)
            lines.close()
            peer.close()

    def note(self, what):
        if what not in self.wrong:
            self.wrong.append(what)

    def _answer(self, connection, request):
        base = f"/v1/clients/{self.client}/collections/{self.history.collection}"
        is_sync = request.path == f"/v1/clients/{self.client}/sync"
        if not is_sync and request.path not in (base, f"{base}/delta", f"{base}/settings"):
            return connection.problem(404, "not-found")
        if self.token and request.fields.get("authorization") != f"Bearer {self.token}":
            self.note(f"{request.path} was asked for without the token")
            return connection.problem(401, "unauthenticated", {"WWW-Authenticate": "Bearer"})
        if request.method != "GET" and not (is_sync and request.method == "POST"):
            self.note(f"a reader sent {request.method}")
            return connection.problem(405, "method-not-allowed", {"Allow": "GET"})
        if not is_sync and request.path != f"{base}/delta":
            return self._whole(connection, request, request.path == f"{base}/settings")
        now = time.monotonic()
        if now < self.not_before - 0.02:
            self.note(f"asked again {self.not_before - now:.2f} s before Retry-After was over")
        self.not_before = 0.0
        if is_sync:
            return self._sync(connection, request, now)
        with self.history.changed:
            self.asked.append((now, request.since, request.is_stream))
            if request.since and request.since not in self.history.versions:
                self.note(f"asked with the token {request.since!r}, which was never given")
        if (request.view or None) != self.view:
            self.note(f"asked for {request.query}, which is another view")
        if request.asked["dialect"] not in engine.DIALECTS:
            return connection.problem(406, "not-acceptable")
        return self._stream(connection, request) if request.is_stream else self._poll(connection, request)

    def _fault(self):
        with self.history.changed:
            return {**self.always, **(self.faults.popleft() if self.faults else {})}

    def _refuse(self, connection, fault):
        """What comes in place of an answer."""
        if fault.get("status"):
            retry = {"Retry-After": str(fault["retry"])} if "retry" in fault else {}
            self.not_before = time.monotonic() + fault.get("retry", 0)
            connection.problem(fault["status"], fault.get("code", "overloaded"), retry)
            return True
        if fault.get("silent"):
            raise Hangup
        return False

    def _whole(self, connection, request, is_settings):
        with self.history.changed:
            if not self.history.head:
                return connection.problem(404, "collection-not-found")
            if is_settings:
                return connection.json({"identity": "unique", "idPath": "/id"})
            tag = f'"{self.history.head}"'
            if request.fields.get("if-none-match") == tag:
                return connection.head(304, {"ETag": tag}, length=0)
            found = self.history.snapshot()
        return connection.json(found, {"ETag": tag})

    # several collections

    def _sync(self, connection, request, now):
        if request.method == "POST":
            body = parse(request.body.decode())
            held, wait = {name: since or "" for name, since in body["collections"].items()}, float(body.get("wait", 0))
        else:
            last = request.fields.get("last-event-id")
            parts = [part.partition(":") for part in (last or request.query["collections"]).split(",") if part]
            names = [part.partition(":")[0] for part in request.query["collections"].split(",")]
            held, wait = {**dict.fromkeys(names, ""), **{name: since for name, _, since in parts}}, 0
        with self.history.changed:
            self.asked.append((now, held, request.is_stream))
            for name, since in held.items():
                if name not in self.histories or (since and since not in self.histories[name].versions):
                    self.note(f"asked for {name!r} with the token {since!r}, which was never given")
                    return connection.problem(400, "bad-token")
        fault = self._fault()
        connection.prepare(request, fault)
        if request.is_stream:
            return self._sync_stream(connection, request, held, fault)
        end = time.monotonic() + min(wait, self.wait)
        with self.history.changed:
            while True:
                found = self._cut(held, request.asked)
                left = end - time.monotonic()
                if found["collections"] or left <= 0:
                    break
                self._park(connection, left)
            fault = self._fault()
            connection.prepare(request, fault)
        if not self._refuse(connection, fault):
            connection.json(found, {"Preference-Applied": "items=patch"} if request.asked["patches"] else {})
        return None

    def _cut(self, held, asked):
        """The answer about several collections, at one moment."""
        found, unchanged, missing = {}, [], []
        for name, since in held.items():
            history = self.histories[name]
            answer = history.answer(since, asked)
            if answer is None and since:
                found[name] = {"kind": "deleted", "collection": name}
            elif answer is None:
                missing.append(name)
            elif answer["kind"] == "unchanged":
                unchanged.append(name)
            else:
                found[name] = answer
        return {"kind": "sync", "collections": found, "unchanged": unchanged, **({"missing": missing} if missing else {})}

    def _sync_stream(self, connection, request, held, fault):
        if self._refuse(connection, fault):
            return
        connection.begin_stream(request.asked["patches"])
        connection.raw(f"retry: {fault.get('reconnect', 200)}\n\n")
        is_first = True
        while True:
            with self.history.changed:
                found = self._cut(held, request.asked)
                if not is_first and not found["collections"]:
                    before = [history.head for history in self.histories.values()]
                    self._park(connection, 5.0)
                    if before == [history.head for history in self.histories.values()]:
                        connection.event("ping", {})
                    continue
            if not is_first:
                fault = connection.fault = self._fault()
            is_first = False
            if fault.get("silent"):
                raise Hangup
            for name, answer in found["collections"].items():
                held[name] = answer.get("to") or answer.get("version", "")
            token = ",".join(f"{name}:{since}" for name, since in held.items() if since)
            connection.event("sync", found, token)
            if "end" in fault or fault.get("hangup"):
                connection.event("end", {"reason": fault.get("end", "rotate"), "reconnect": True})
                raise Hangup

    # long polls

    def _poll(self, connection, request):
        history, since = self.history, request.since
        end = time.monotonic() + min(float(request.query.get("wait", 0) or 0), self.wait)
        with history.changed:
            held = since in history.retained
            while True:
                found = history.answer(since, request.asked)
                if found is None and held:
                    found = {"kind": "deleted", "collection": history.collection}
                kind = found["kind"] if isinstance(found, dict) else "delta" if found else None
                idle = kind == "unchanged" or (found is None and request.query.get("missing") == "wait")
                left = end - time.monotonic()
                if not idle or left <= 0 or self._is_urgent():
                    break
                self._park(connection, left)
            fault = self._fault()
            connection.prepare(request, fault)
            # Who asks for everything is never given a delta.
            late = fault["late"](request) if "late" in fault and since else None
            found = late or found
            if "broken" in fault and kind == "delta":
                found = fault["broken"](found)
        if self._refuse(connection, fault):
            return
        if found is None:
            connection.problem(404, "collection-not-found")
        else:
            connection.json(found, {"Preference-Applied": "items=patch"} if request.asked["patches"] else {})

    def _is_urgent(self):
        """Whether the script has something for a reader who waits."""
        return bool(self.faults) and (self.faults[0].get("at_once") or "end" in self.faults[0])

    def _park(self, connection, seconds):
        self.parked += 1
        self.history.changed.notify_all()
        self.history.changed.wait(seconds)
        self.parked -= 1
        connection.need_peer()

    # streams

    def _stream(self, connection, request):
        fault = self._fault()
        connection.prepare(request, fault)
        if self._refuse(connection, fault):
            return
        connection.begin_stream(request.asked["patches"])
        connection.raw(f"retry: {fault.get('reconnect', 200)}\n\n")
        held, is_first, is_missing = request.since, True, False
        while True:
            with self.history.changed:
                kind, found = self._news(request, held, is_first, is_missing)
                if kind is None and self._is_urgent():
                    kind = "end"
                if kind is None:
                    before = len(self.history.commits), self.history.head
                    self._park(connection, 5.0)
                    if before != (len(self.history.commits), self.history.head) or self.faults:
                        continue
                    kind, found = "ping", {}
            if kind != "ping" and not is_first:
                fault = self._fault()
                connection.fault = fault
            if kind == "ping":
                connection.event("ping", {})
                continue
            is_first, is_missing = False, kind in ("problem", "deleted")
            held = self._send(connection, request, fault, kind, found)

    def _news(self, request, held, is_first, is_missing):
        """The next event, and its data; none if there is nothing to tell."""
        history = self.history
        found = history.answer(held, request.asked)
        if found is None:
            if is_missing:
                return None, None
            gone = {"kind": "deleted", "collection": history.collection}
            return ("problem", None) if is_first else ("deleted", gone)
        kind = found["kind"] if isinstance(found, dict) else "delta"
        if kind == "unchanged":
            return ("bookmark", found) if is_first or found["version"] != held else (None, None)
        old, new = history.versions.get(held), history.versions[history.head]
        if kind == "delta" and old is new and not request.view:
            return "bookmark", history.unchanged()
        return kind, found

    def _send(self, connection, request, fault, kind, found):
        """Sends an event as the script wants it, and returns what the client holds afterwards."""
        if fault.get("silent"):
            raise Hangup
        if fault.get("status") or kind == "end":
            connection.event("end", {"reason": fault.get("end", "overload"), "reconnect": True})
            raise Hangup
        if kind == "problem":
            connection.raw("retry: 300\n\n")
            connection.event("problem", {"status": 404, "code": "collection-not-found"})
            return ""
        if kind == "deleted":
            connection.event("deleted", found)
            return ""
        if kind == "delta":
            late = fault["late"](request) if "late" in fault else None
            if late:
                connection.event("delta", late, late["to"])
            if "broken" in fault:
                found = fault["broken"](found)
        token = found[-1]["value"] if isinstance(found, list) else found.get("to") or found["version"]
        for _ in range(2 if fault.get("double") else 1):
            connection.event(kind, found, token)
        if "end" in fault:
            connection.event("end", {"reason": fault["end"], "reconnect": True})
        if "end" in fault or fault.get("hangup"):
            raise Hangup
        return token


class Connection:
    """Writes answers, in the ways that HTTP and networks have."""

    def __init__(self, peer, service):
        self.peer, self.chance, self.fault = peer, service.chance, {}
        self.coding, self.is_chunked, self.deflater = None, False, None

    def prepare(self, request, fault):
        """How the next answer is written."""
        self.fault = fault
        accepted = request.fields.get("accept-encoding", "")
        self.coding = self.coding or ("gzip" if fault.get("gzip") and "gzip" in accepted else None)

    def need_peer(self):
        """Ends it if the client, or the script, has."""
        try:
            if self.peer.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b"":
                raise Hangup
        except BlockingIOError:
            pass  # it is there, and silent

    def head(self, status, fields, length=None):
        lines = [f"HTTP/1.1 {status} {'OK' if status == 200 else 'No'}", "Date: Tue, 24 Nov 2026 10:00:00 GMT"]
        lines += [f"{k}: {v}" for k, v in fields.items()]
        if length is not None:
            lines.append(f"Content-Length: {length}")
        if self.fault.get("close"):
            lines.append("Connection: close")
        self.peer.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())

    def problem(self, status, code, fields=None):
        body = json.dumps({"type": f"urn:livedelta:problem:{code}", "title": code, "status": status, "code": code,
                           "detail": "as the script wants it"}).encode()
        self.head(status, {"Content-Type": "application/problem+json", **(fields or {})}, len(body))
        self.peer.sendall(body)

    def json(self, value, fields=None):
        body = text(value).encode()
        fields = {"Content-Type": "application/json", "Cache-Control": "no-store", **(fields or {})}
        if self.coding:
            packer = zlib.compressobj(wbits=31)
            body, fields["Content-Encoding"] = packer.compress(body) + packer.flush(), "gzip"
        cut = int(len(body) * self.fault["cut"]) if "cut" in self.fault else None
        if self.fault.get("chunks"):
            self.head(200, {**fields, "Transfer-Encoding": "chunked"})
            self.is_chunked = True
            self.write(body[:cut])
            if cut is None:
                self.peer.sendall(b"0\r\n\r\n")
        else:
            self.head(200, fields, len(body))
            self.write(body[:cut])
        if cut is not None or self.fault.get("close"):
            raise Hangup

    def begin_stream(self, patches):
        fields = {"Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform",
                  "X-Accel-Buffering": "no", "Transfer-Encoding": "chunked"}
        if patches:
            fields["Preference-Applied"] = "items=patch"
        if self.coding:
            self.deflater, fields["Content-Encoding"] = zlib.compressobj(wbits=31), "gzip"
        self.head(200, fields)
        self.is_chunked = True

    def event(self, name, data, token=None):
        lines = [f"event: {name}"] + ([f"id: {token}"] if token else []) + [f"data: {text(data)}", "", ""]
        framed = "\n".join(lines)
        way = self.fault.get("framing")
        if way == "crlf":
            framed = framed.replace("\n", "\r\n")
        elif way == "tight":
            framed = "\n".join(line.replace(": ", ":", 1) for line in lines)
        elif way == "comment":
            framed = ": as a proxy may say\n\n" + framed.replace("data:", ": and here\ndata:", 1)
        if "cut" in self.fault and name != "ping":
            self.raw(framed[:max(1, int(len(framed) * self.fault["cut"]))])
            raise Hangup
        self.raw(framed)

    def raw(self, data):
        body = data.encode()
        if self.deflater:
            body = self.deflater.compress(body) + self.deflater.flush(zlib.Z_SYNC_FLUSH)
        self.write(body)

    def write(self, body):
        """Sends bytes in chunks of any size; slowly, if the script wants it."""
        pause = self.fault.get("slow", 0)
        size = max(1, len(body) // 12) if pause else None
        if size is None and not self.fault.get("chunks"):
            return self._chunk(body)
        while body:
            at = size or self.chance.choice((1, 1, 2, 3, 7, 40, 400))
            self._chunk(body[:at])
            body = body[at:]
            time.sleep(pause)
        return None

    def _chunk(self, part):
        if part:
            self.peer.sendall(b"%x\r\n%s\r\n" % (len(part), part) if self.is_chunked else part)
