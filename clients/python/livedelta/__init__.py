"""A client of LiveDelta for backends in Python, on the standard library alone.

    import livedelta

    service = livedelta.Service("http://127.0.0.1:8080", token="…")
    inbox = service.collection("u42", "inbox")
    inbox.put({"items": [{"id": "m1", "title": "Contract"}]})
    inbox.edit([{"op": "merge", "id": "m1", "value": {"unread": False}}])

Each write has an Idempotency-Key and is repeated with it while the service is away or the outcome is not known, so
that it is made once. Numbers that Python would write differently, such as 1.50 or -0, stay as they are in what is read
and written back.

A `Service` may be used by several threads; each has a connection of its own.
"""

from __future__ import annotations

import codecs
import http.client
import json
import logging
import random
import re
import secrets
import socket
import ssl
import threading
import time
import urllib.parse
from collections import deque
from dataclasses import dataclass, field, replace
from email.message import Message
from typing import (
    Any, Callable, Deque, Dict, Iterator, List, Literal, Mapping, NamedTuple, Optional, Sequence, Tuple, Union, overload,
)

__version__ = "0.1.0"
__all__ = [
    "Change", "Collection", "Disconnected", "OutcomeUnknown", "Problem", "Reader", "Receipt", "Service", "Snapshot",
    "View", "delete", "edits", "put",
]

Content = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]
Token = Union[str, Callable[[], str], None]

_JSON = "application/json"
_EDITS = "application/vnd.livedelta.edits+json"


class Problem(Exception):
    """The service refused a request: `code` is for programs and never changes, `detail` says what is wrong."""

    def __init__(self, status: int, body: Mapping[str, Any], retry_after: Optional[float] = None) -> None:
        self.status = status
        self.code: str = body.get("code", "")
        self.detail: str = body.get("detail", "")
        #: The newest version of the collection, with `version-conflict` and other refusals that name it.
        self.current: Optional[str] = body.get("current")
        #: The places of the errors: mappings with `pointer`, `code` and `detail`.
        self.errors: List[Mapping[str, Any]] = body.get("errors", [])
        #: Seconds after which the service wants to be asked again; None if it does not say.
        self.retry_after = retry_after
        places = "".join(f"\n  {e.get('pointer', '')}: {e.get('detail', '')}" for e in self.errors[:10])
        super().__init__(f"{status} {self.code or 'without a code'}: {self.detail}{places}")


class Disconnected(Exception):
    """The service cannot be reached, or a connection to it was lost, and repeating did not help.

    A certificate that cannot be verified is told at once: repeating does not help.
    """


class OutcomeUnknown(Disconnected):
    """A write may or may not have been made; repeat it with `key` to find out."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(f"{message}; repeat the write with key={key!r} to have it made once")
        self.key = key


@dataclass(frozen=True)
class Receipt:
    """What became of a write."""

    version: Optional[str]
    changed: bool
    #: The numbers of inserted, deleted, moved and reloaded items and sections.
    counts: Mapping[str, int] = field(default_factory=dict)
    previous: Optional[str] = None
    #: Whether an earlier attempt of the same write was the one that counted.
    replayed: bool = False


@dataclass
class Section:
    """A section: its id, its other members, and its items in order."""

    id: str
    header: Dict[str, Any]
    items: List[Dict[str, Any]]
    #: The ids of the items, as deltas name them.
    ids: List[str] = field(default_factory=list)


@dataclass
class Snapshot:
    """The content of a collection at one version; an empty one has no version."""

    version: Optional[str] = None
    sections: List[Section] = field(default_factory=list)
    meta: Any = None
    #: Where items, and sections, have their ids: a JSON pointer.
    id_path: str = "/id"
    #: Of a view: `total` items satisfy its conditions; its window begins at `start`, has `count` of them, and is
    #: around the item `anchor` if it is around one.
    view: Optional[Mapping[str, Any]] = None

    @property
    def items(self) -> List[Dict[str, Any]]:
        """The items of all sections, in order."""
        return [item for section in self.sections for item in section.items]

    @property
    def content(self) -> Dict[str, Any]:
        """The content as `put` takes it."""
        content: Dict[str, Any] = {
            "sections": [{"id": s.id, **s.header, "items": s.items} if _found(s.header, self.id_path) is None
                         else {**s.header, "items": s.items} for s in self.sections]}
        if self.meta is not None:
            content["meta"] = self.meta
        return content

    @classmethod
    def _of(cls, answer: Mapping[str, Any]) -> Snapshot:
        pointer = answer.get("idPath", "/id")
        counts: Dict[str, int] = {}
        sections = [
            Section(_section_id(s, pointer), _header(s, pointer), s["items"],
                    [_occurrence(_name(_found(i, pointer)), counts) for i in s["items"]])
            for s in answer["sections"]]
        return cls(answer["version"], sections, answer.get("meta"), pointer, answer.get("view"))


@dataclass(frozen=True)
class Change:
    """A collection that changed. With `reset` alone changes may have been missed: read the collections anew."""

    client: str = ""
    name: str = ""
    version: str = ""
    deleted: bool = False
    reset: bool = False
    #: Where a later `Service.changes` continues.
    position: str = ""


@dataclass(frozen=True)
class View:
    """What a reader sees of a collection: the service makes it, and sends what changes in it."""

    #: Conditions, all of which an item satisfies: `/unread:eq:true`.
    where: Sequence[str] = ()
    #: JSON pointers to the members that items have, besides their ids; all without any.
    select: Sequence[str] = ()
    #: Keys by which items are ordered within their sections: `/date:desc`.
    order: Sequence[str] = ()
    #: What becomes of sections: `keep`, `drop` (those without an item) or `flat` (there is one).
    sections: Optional[str] = None
    #: `first:N`, `last:N`, `at:INDEX:N` or `around:ID:BEFORE:AFTER`.
    window: Optional[str] = None

    def _query(self, window: Optional[str], was: Optional[str] = None) -> List[Tuple[str, str]]:
        one = (("select", ",".join(self.select)), ("sections", self.sections), ("window", window), ("was", was))
        return [*(("where", term) for term in self.where), *(("order", key) for key in self.order),
                *((name, value) for name, value in one if value)]


# Writes of a batch.

def put(collection: str, content: Content, if_version: Optional[str] = None) -> Dict[str, Any]:
    """The write of a batch that stores a whole collection."""
    return _write(collection, "put", content, if_version)


def edits(collection: str, edits: Sequence[Mapping[str, Any]], if_version: Optional[str] = None) -> Dict[str, Any]:
    """The write of a batch that edits a collection."""
    return _write(collection, "edits", list(edits), if_version)


def delete(collection: str, if_version: Optional[str] = None) -> Dict[str, Any]:
    """The write of a batch that deletes a collection."""
    return _write(collection, "delete", True, if_version)


def _write(collection: str, kind: str, value: Any, if_version: Optional[str]) -> Dict[str, Any]:
    return {"collection": collection, kind: value, **({"ifVersion": if_version} if if_version else {})}


class _Answer(NamedTuple):
    status: int
    fields: Message
    body: Any

    @property
    def json(self) -> Any:
        if not isinstance(self.body, dict):
            raise Disconnected(f"{self.status} without an object of JSON: this is not the service's answer")
        return self.body


class Service:
    """A LiveDelta service.

    Arguments:
        address: `http://host:port`, `https://host`, or `unix:/path` of a socket.
        token: the key or token for `Authorization`, or a function that returns the one of the moment.
        timeout: seconds without a byte after which a connection counts as lost.
        patience: seconds for which a request is repeated while the service is away or busy; 0 asks once.
        context: how to verify the certificate of an https address.
    """

    def __init__(
        self, address: str, *, token: Token = None, timeout: float = 30, patience: float = 30,
        context: Optional[ssl.SSLContext] = None,
    ) -> None:
        url = urllib.parse.urlsplit(address)
        if url.scheme not in ("http", "https", "unix") or not (url.path if url.scheme == "unix" else url.hostname):
            raise ValueError(f"{address!r} is not http://HOST[:PORT], https://HOST[:PORT] or unix:/PATH")
        self._url = url
        self._token = token
        self._timeout = timeout
        self._patience = patience
        self._context = context
        self._local = threading.local()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection of this thread; a later request opens another."""
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()

    def collection(self, client: str, name: str) -> Collection:
        """A collection, whether it exists or not."""
        return Collection(self, client, name)

    def collections(self, client: str) -> Iterator[Mapping[str, Any]]:
        """The collections of a client: `name`, `version`, `seq`, `items`, `bytes`."""
        return self._pages(f"/v1/clients/{_segment(client)}/collections", "collections")

    def clients(self, prefix: str = "") -> Iterator[str]:
        """The names of the clients that have collections."""
        for entry in self._pages("/v1/clients", "clients", {"prefix": prefix} if prefix else {}):
            yield entry["client"]

    def forget(self, client: str) -> None:
        """Deletes a client and all its collections."""
        self._ask("DELETE", f"/v1/clients/{_segment(client)}", missing=True)

    @overload
    def batch(
        self, client: str, writes: Sequence[Mapping[str, Any]], *, atomic: Literal[True] = True, key: Optional[str] = None,
    ) -> Mapping[str, Receipt]: ...

    @overload
    def batch(
        self, client: str, writes: Sequence[Mapping[str, Any]], *, atomic: bool, key: Optional[str] = None,
    ) -> Mapping[str, Union[Receipt, Problem]]: ...

    def batch(
        self, client: str, writes: Sequence[Mapping[str, Any]], *, atomic: bool = True, key: Optional[str] = None,
    ) -> Mapping[str, Union[Receipt, Problem]]:
        """Writes several collections of a client in one request.

        Arguments:
            writes: of `livedelta.put`, `livedelta.edits` and `livedelta.delete`.
            atomic: whether all are made or none; a refusal is then raised as the `Problem` of the first that failed.

        Returns the receipt of each collection; without `atomic`, the problem of each that was refused.
        """
        body = {"atomic": atomic, "writes": list(writes)}
        answer = self._ask("POST", f"/v1/clients/{_segment(client)}/batch", body, key=key or _new_key()).json
        return {
            result["collection"]: Problem(result["status"], result["problem"]) if "problem" in result
            else Receipt(result.get("version"), True)
            for result in answer["results"]}

    def changes(self, *, client: str = "", prefix: str = "", since: str = "") -> Iterator[Change]:
        """The collections of all clients as they change, for example to send push notifications; it never ends.

        It reconnects by itself. To go on after a restart of the program, save each change's `position` once it is
        dealt with, and give it as `since`. A change may come again; none is left out without a `reset`.
        """
        query = {name: value for name, value in (("client", client), ("prefix", prefix)) if value}
        attempt = 0
        loop = _Loop()
        while True:
            pause: Optional[float] = None
            try:
                for event, data, position in self._events("/v1/changes", query, since):
                    if event == "problem":
                        raise Problem(data.get("status", 200), data)
                    news = _news(event, data, position or since)
                    since = position or since
                    attempt = 0
                    yield from news
            except Problem as problem:
                if not _is_temporary(problem):
                    raise
                pause = problem.retry_after
            except ssl.SSLCertVerificationError as error:
                raise Disconnected(_untrusted(error)) from error
            except _LOST:
                pass
            time.sleep(_pause(attempt, pause) + loop.pause(since))
            attempt += 1

    # Requests

    def _pages(self, path: str, member: str, query: Mapping[str, str] = {}) -> Iterator[Any]:
        cursor: Optional[str] = None
        while True:
            fields = {**query, **({"cursor": cursor} if cursor else {})}
            answer = self._ask("GET", path + ("?" + urllib.parse.urlencode(fields) if fields else "")).json
            yield from answer[member]
            cursor = answer.get("next")
            if not cursor:
                return

    def _ask(
        self, method: str, path: str, body: Any = None, *, type: str = _JSON, key: Optional[str] = None,
        fields: Mapping[str, str] = {}, missing: bool = False, wait: float = 0,
    ) -> _Answer:
        """Asks once, and again while it is worth it.

        `key` makes it safe to repeat a write. With `missing` a 404 is an answer without a body.
        """
        text = None if body is None else _text(body).encode()
        headers = dict(fields)
        if text is not None:
            headers["Content-Type"] = type
        if key:
            headers["Idempotency-Key"] = key
        end: Optional[float] = None
        may_be_made = False
        attempt = 0
        while True:
            retry_after: Optional[float] = None
            try:
                status, answer_fields, answer = self._exchange(method, path, text, headers, wait)
                if 200 <= status < 300:
                    return _Answer(status, answer_fields, _read(answer) if answer else None)
                problem = _problem(status, answer_fields, answer)
                if missing and (status, problem.code) == (404, "collection-not-found"):
                    return _Answer(status, answer_fields, None)
                if not _is_temporary(problem):
                    raise problem
                retry_after = problem.retry_after
                error: Exception = problem
                may_be_made = may_be_made or problem.code in ("outcome-unknown", "idempotency-in-flight")
            except ssl.SSLCertVerificationError as untrusted:
                raise Disconnected(f"{method} {path}: {_untrusted(untrusted)}") from untrusted
            except _LOST as lost:
                error = Disconnected(f"{method} {path}: {lost or lost.__class__.__name__}")
                may_be_made = may_be_made or not isinstance(lost, ConnectionRefusedError)
            pause, now = _pause(attempt, retry_after), time.monotonic()
            end = end or now + self._patience
            if now + pause > end:
                if key and may_be_made:
                    raise OutcomeUnknown(str(error), key) from error
                raise error
            time.sleep(pause)
            attempt += 1

    def _exchange(
        self, method: str, path: str, body: Optional[bytes], headers: Mapping[str, str], wait: float,
    ) -> Tuple[int, Message, bytes]:
        connection, is_new = self._connection()
        try:
            if connection.sock:
                connection.sock.settimeout(self._timeout + wait)
            connection.timeout = self._timeout + wait
            connection.request(method, path, body, {**self._credential(), "Accept": "*/*", **headers})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except BaseException as error:
            self.close()
            # The service closes idle connections; what it did not begin to answer on one is asked on a new one.
            if not is_new and isinstance(error, (ConnectionError, http.client.RemoteDisconnected)):
                if method == "GET" or "Idempotency-Key" in headers:
                    return self._exchange(method, path, body, headers, wait)
            raise

    def _events(
        self, path: str, query: Mapping[str, str], since: str,
    ) -> Iterator[Tuple[str, Any, str]]:
        """The events of one stream: name, data and id."""
        target = path + ("?" + urllib.parse.urlencode(query) if query else "")
        connection = self._connect()
        try:
            headers = {**self._credential(), "Accept": "text/event-stream"}
            if since:
                headers["Last-Event-ID"] = since
            connection.request("GET", target, None, headers)
            answer = connection.getresponse()
            if not 200 <= answer.status < 300:
                raise _problem(answer.status, answer.headers, answer.read())
            for name, data, position in _server_sent(answer):
                # Whatever a proxy has made of an event, what follows can be relied on after a reconnection alone.
                content = _read(data.encode()) if data else {}
                if not isinstance(content, dict):
                    raise _Malformed("an event whose data is no object")
                yield name, content, position
        finally:
            connection.close()

    def _connection(self) -> Tuple[http.client.HTTPConnection, bool]:
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            return connection, False
        self._local.connection = self._connect()
        return self._local.connection, True

    def _connect(self) -> http.client.HTTPConnection:
        if self._url.scheme == "unix":
            return _SocketConnection(self._url.path, self._timeout)
        host, port = self._url.hostname or "", self._url.port
        if self._url.scheme == "https":
            return http.client.HTTPSConnection(host, port, timeout=self._timeout, context=self._context)
        return http.client.HTTPConnection(host, port, timeout=self._timeout)

    def _credential(self) -> Dict[str, str]:
        token = self._token() if callable(self._token) else self._token
        return {"Authorization": f"Bearer {token}"} if token else {}


class Collection:
    """A named list of sections of items."""

    def __init__(self, service: Service, client: str, name: str) -> None:
        self.service, self.client, self.name = service, client, name
        self._path = f"/v1/clients/{_segment(client)}/collections/{_segment(name)}"

    def get(self, version: Optional[str] = None, *, view: View = View()) -> Optional[Snapshot]:
        """The newest version, or a retained one; None if the collection does not exist."""
        query = urllib.parse.urlencode(([("version", version)] if version else []) + view._query(view.window))
        answer = self.service._ask("GET", self._path + ("?" + query if query else ""), missing=version is None)
        return None if answer.status == 404 else Snapshot._of(answer.json)

    def put(
        self, content: Content, *, if_version: Optional[str] = None, create: bool = False, key: Optional[str] = None,
    ) -> Receipt:
        """Stores the whole collection.

        Arguments:
            content: `{"sections": […]}`, `{"items": […]}` or a list of items.
            if_version: writes only if this is the newest version, else `Problem` with `code` `version-conflict`.
            create: writes only if the collection does not exist, else `code` `collection-exists`.
            key: the Idempotency-Key of an earlier attempt; a new one by default.
        """
        fields = {"If-None-Match": "*"} if create else {}
        return self._write("PUT", content, _JSON, if_version, key, fields)

    def edit(
        self, edits: Sequence[Mapping[str, Any]], *, if_version: Optional[str] = None, key: Optional[str] = None,
    ) -> Receipt:
        """Makes edits in order, all in one version or none."""
        return self._write("PATCH", {"edits": list(edits)}, _EDITS, if_version, key)

    def update(
        self, change: Callable[[Snapshot], Union[Content, Snapshot, None]], *, attempts: int = 20,
    ) -> Optional[Receipt]:
        """Reads the collection, and writes what `change` makes of it unless somebody else has written meanwhile.

        `change` is called again with the newer content then, `attempts` times at the most. It returns the new
        content, the snapshot that it was given (changed in place) included, or None to leave all as it is.
        """
        for attempt in range(1, attempts + 1):
            snapshot = self.get() or Snapshot()
            content = change(snapshot)
            if content is None:
                return None
            try:
                if isinstance(content, Snapshot):
                    content = content.content
                return self.put(content, if_version=snapshot.version, create=snapshot.version is None)
            except Problem as problem:
                if problem.status != 412 or attempt == attempts:
                    raise
            time.sleep(random.uniform(0, 0.01 * 2 ** min(attempt, 6)))
        raise ValueError(f"attempts must be at least 1, not {attempts}")

    def delete(self, *, if_version: Optional[str] = None, key: Optional[str] = None) -> bool:
        """Deletes the collection; false if there is none."""
        fields = {"Collection-If-Version": if_version} if if_version else {}
        answer = self.service._ask("DELETE", self._path, key=key or _new_key(), fields=fields, missing=True)
        return answer.status != 404

    def revert(self, to: str, *, if_version: Optional[str] = None, key: Optional[str] = None) -> Receipt:
        """Makes the content of a retained version the newest version."""
        return self._write("POST", {"to": to}, _JSON, if_version, key, path="/revert")

    def versions(self) -> List[Mapping[str, Any]]:
        """The retained versions, newest first."""
        versions: List[Mapping[str, Any]] = self.service._ask("GET", self._path + "/versions").json["versions"]
        return versions

    def settings(self, changes: Optional[Mapping[str, Any]] = None) -> Mapping[str, Any]:
        """The collection's settings, after `changes` to some of them."""
        if changes is None:
            answer = self.service._ask("GET", self._path + "/settings")
        else:
            answer = self.service._ask("PATCH", self._path + "/settings", changes, key=_new_key())
        settings: Mapping[str, Any] = answer.json
        return settings

    def reader(self, *, start: Optional[Snapshot] = None, view: View = View()) -> Reader:
        """A reader that keeps a copy of the collection, or of a view of it, up to date."""
        return Reader(self, start, view)

    def _write(
        self, method: str, body: Any, type: str, if_version: Optional[str], key: Optional[str],
        fields: Mapping[str, str] = {}, path: str = "",
    ) -> Receipt:
        if if_version:
            fields = {**fields, "Collection-If-Version": if_version}
        key = key or _new_key()
        answer = self.service._ask(method, self._path + path, body, type=type, key=key, fields=fields)
        receipt = answer.body
        if not isinstance(receipt, dict) or not {"version", "changed"} <= receipt.keys():
            raise OutcomeUnknown(f"{method} {self._path + path}: an answer that is no receipt", key)
        return Receipt(
            receipt["version"], receipt["changed"], receipt.get("counts", {}), receipt.get("previous"),
            answer.fields.get("Idempotency-Replayed") == "true")


class Reader:
    """A copy of a collection that is kept up to date by deltas.

        for snapshot in service.collection("u42", "inbox").reader():
            show(snapshot.sections)
    """

    def __init__(self, collection: Collection, start: Optional[Snapshot] = None, view: View = View()) -> None:
        self._collection = collection
        self._view = view
        self._held: Optional[str] = None  # the window of what it has
        #: The window of its view; another one counts from the next `poll` on, and is one change with what is new.
        #: Once the item that it is around is gone, it becomes one around the neighbor that the service names.
        self.window = view.window
        #: What the reader has; empty before the first `poll`, and while the collection does not exist.
        self.snapshot = start or Snapshot()

    def __iter__(self) -> Iterator[Snapshot]:
        """The content now and after each change; it waits for changes, and for the collection to exist."""
        loop = _Loop()
        self.poll()
        yield self.snapshot
        while True:
            is_changed = self.poll(wait=25)
            time.sleep(loop.pause(f"{self.snapshot.version} {self._held}"))
            if is_changed:
                yield self.snapshot

    def poll(self, wait: int = 0) -> bool:
        """Asks for what changed, and waits up to `wait` seconds (55 at the most) for a change.

        Returns whether there was one. After a deletion the snapshot is empty.
        """
        window, numbers = self.window, self.snapshot.view
        was = f"at:{numbers['start']}:{numbers['count']}" if numbers and window != self._held else None
        query = [("since", self.snapshot.version or ""), *self._view._query(window, was), ("dialect", "splice"),
                 ("missing", "wait"), *([("wait", str(wait))] if wait else [])]
        service, path = self._collection.service, self._collection._path
        asked = service._ask("GET", f"{path}/delta?" + urllib.parse.urlencode(query), missing=True, wait=wait)
        missing = {"kind": "deleted" if self.snapshot.version else "unchanged"}
        answer: Mapping[str, Any] = missing if asked.status == 404 else asked.json
        kind: str = answer["kind"]
        if kind == "snapshot":
            self.snapshot = Snapshot._of(answer)
        elif kind == "delta" and not self._apply(answer):
            view = replace(self._view, window=window)
            self.snapshot = self._collection.get(view=view) or Snapshot()
        elif kind == "deleted":
            self.snapshot = Snapshot()
        elif self.snapshot.version:  # perhaps a later version, of which the view shows the same
            version, numbers = answer.get("version", self.snapshot.version), answer.get("view", numbers)
            self.snapshot = replace(self.snapshot, version=version, view=numbers)
        held, anchor = window, (self.snapshot.view or {}).get("anchor")
        if window and anchor:  # once the item is gone, the window is around its neighbor, which the service names
            held = re.sub(r"(?s)^around:.*(?=(:\d+){2}$)", lambda _: f"around:{anchor}", window)
        if self.window == window:
            self.window = held
        self._held = held
        return kind != "unchanged"

    def _apply(self, delta: Mapping[str, Any]) -> bool:
        """Applies a delta of the dialect `splice`; false if it is not from the version that is here."""
        if delta["from"] != self.snapshot.version:
            return False
        news, removed = delta["items"], set(delta["removed"])
        gone = removed - {identifier for _, _, identifier in delta["added"]}
        if gone != {*delta["deleted"], *delta.get("left", ())}:
            return False
        held = {i: item for section in self.snapshot.sections for i, item in zip(section.ids, section.items)}
        if not removed | set(delta["changed"]) <= held.keys():
            return False
        sections = {section.id: section for section in self.snapshot.sections}
        after: Dict[str, Section] = {}
        for name in delta["order"]:
            section = sections.get(name) or Section(name, {}, [])
            header = _header(delta["sections"][name], self.snapshot.id_path) if name in delta["sections"] else section.header
            ids = [i for i in section.ids if i not in removed]
            after[name] = Section(name, header, [news.get(i, held[i]) for i in ids], ids)
        for name, index, identifier in delta["added"]:
            item = news.get(identifier, held.get(identifier))
            if item is None or name not in after or index > len(after[name].ids):
                return False
            after[name].items.insert(index, item)
            after[name].ids.insert(index, identifier)
        self.snapshot = Snapshot(
            delta["to"], list(after.values()), delta.get("meta", self.snapshot.meta), self.snapshot.id_path,
            delta.get("view"))
        return True


# Events, addresses and refusals

def _server_sent(body: Any) -> Iterator[Tuple[str, str, str]]:
    """The events of a body (WHATWG HTML §9.2): name, data, and the last id. One that is cut off is dropped."""
    name, position = "", ""
    data: List[str] = []
    for line in _lines(body):
        kind, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if kind == "event":
            name = value
        elif kind == "data":
            data.append(value)
        elif kind == "id" and "\0" not in value:
            position = value
        elif not line:
            if data:
                yield name or "message", "\n".join(data), position
            name, data = "", []


def _lines(body: Any) -> Iterator[str]:
    """The lines of a body, which end with CR LF, CR or LF, each as soon as it has ended; what is not UTF-8 is U+FFFD."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
    rest, ended = "", False  # whether a CR came last
    while True:
        piece = body.read1(65536)
        if not piece:
            return
        text = decoder.decode(piece)
        if ended and text.startswith("\n"):
            text = text[1:]
        ended = text.endswith("\r")
        *whole, rest = (rest + text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        yield from whole


class _SocketConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._socket_path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._socket_path)


class _Malformed(http.client.HTTPException):
    """An answer that the service did not send like this."""


_LOST = (OSError, http.client.HTTPException)


def _untrusted(error: ssl.SSLCertVerificationError) -> str:
    return f"the certificate of the service cannot be verified: {error.verify_message or error}"


def _read(body: bytes) -> Any:
    try:
        return _parse(body)
    except ValueError as error:
        raise _Malformed(f"an answer that is not JSON: {body[:200].decode(errors='replace')}") from error


def _segment(name: str) -> str:
    return urllib.parse.quote(name, safe="~:@")


def _new_key() -> str:
    return secrets.token_urlsafe(16)


def _news(event: str, data: Mapping[str, Any], position: str) -> List[Change]:
    """The changes that an event tells of."""
    if event == "reset" and "changes" not in data:
        return [Change(reset=True, position=position)]
    if event not in ("change", "deleted", "reset"):
        return []  # a bookmark, a ping, or an event of another release
    changes = data["changes"] if event == "reset" else [{**data, "deleted": event == "deleted"}]
    try:
        return [Change(change["client"], change["name"], change["version"], bool(change.get("deleted")), False, position)
                for change in changes]
    except (AttributeError, KeyError, TypeError) as error:
        raise _Malformed(f"an event that tells of no change: {error}") from error


def _problem(status: int, fields: Message, body: bytes) -> Problem:
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    is_problem = fields.get_content_type() == "application/problem+json"
    if not is_problem or not isinstance(document, dict):  # of a proxy, say
        detail = body[:200].decode(errors="replace")
        if 300 <= status < 400:
            place = fields["Location"]
            detail = f"a redirect{' to ' + place if place else ''}, which is not followed: use the service's own address"
        document = {"detail": detail}
    seconds = fields["Retry-After"] or ""
    # Longer pauses than an hour are none that anybody waits for.
    retry_after = min(float(seconds), 3600) if re.fullmatch("[0-9]{1,9}", seconds) else None
    return Problem(status, document, retry_after)


def _is_temporary(problem: Problem) -> bool:
    return problem.status in (429, 502, 503, 504) or problem.code == "idempotency-in-flight"


def _pause(attempt: int, retry_after: Optional[float]) -> float:
    """Full jitter, from a tenth of a second to thirty; not before `retry_after`."""
    backoff = random.uniform(0, min(30, 0.1 * 2 ** min(attempt, 10)))
    return (retry_after or 0) + backoff


class _Loop:
    """Notices answers that lead nowhere, or in a circle as between two caches: ten in a second without progress."""

    def __init__(self) -> None:
        self._seen: Deque[str] = deque(maxlen=64)
        self._times: Deque[float] = deque(maxlen=10)
        self._count = 0

    def pause(self, state: str) -> float:
        """Notes what is held after an answer; returns the seconds to wait before the next question."""
        if state not in self._seen:
            self._seen.append(state)
            self._times.clear()
            self._count = 0
            return 0
        self._times.append(time.monotonic())
        if len(self._times) < 10 or self._times[-1] - self._times[0] > 1:
            return 0
        self._times.clear()
        self._count += 1
        logging.getLogger("livedelta").warning("ten answers in a second brought nothing new; is there a cache between?")
        return _pause(3 + self._count, None)


# JSON whose numbers keep their texts

class _Float(float):
    """A number whose text Python would not write."""

    text: str


class _Int(int):
    text: str


def _float(text: str) -> float:
    value = float(text)
    if repr(value) == text:
        return value
    exact = _Float(value)
    exact.text = text
    return exact


def _int(text: str) -> int:
    value = int(text)
    if str(value) == text:
        return value
    exact = _Int(value)
    exact.text = text
    return exact


def _parse(body: bytes) -> Any:
    return json.loads(body, parse_float=_float, parse_int=_int)


def _text(value: Any) -> str:
    """JSON as the service takes it; raises ValueError for NaN and infinities."""
    if isinstance(value, (_Float, _Int)):
        return value.text
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(str(name))}:{_text(member)}" for name, member in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(_text, value)) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


# Ids

def _name(value: Any) -> str:
    return value.text if isinstance(value, _Int) else str(value)


def _found(value: Any, pointer: str) -> Any:
    """What a JSON pointer leads to; None if there is nothing."""
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else None
        else:
            value = value.get(part) if isinstance(value, dict) else None
    return value


def _section_id(section: Mapping[str, Any], pointer: str) -> str:
    """A section's id. What the setting `sectionBy` makes has it in `id`, wherever those of items are."""
    found = _found(section, pointer)
    return _name(section["id"] if found is None else found)


def _occurrence(identifier: str, counts: Dict[str, int]) -> str:
    """With the setting `identity: "occurrence"`, the second item of an id is `id#2`, and so on."""
    count = counts[identifier] = counts.get(identifier, 0) + 1
    return identifier if count == 1 else f"{identifier}#{count}"


def _header(section: Mapping[str, Any], pointer: str) -> Dict[str, Any]:
    dropped = ("items",) if pointer != "/id" and _found(section, pointer) is not None else ("id", "items")
    return {name: value for name, value in section.items() if name not in dropped}
