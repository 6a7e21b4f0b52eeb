"""Section 8: long polls, streams and `sync`; and the feed of changes (section 13)."""

import itertools
import socket
import time
import urllib.parse
import zlib

from ..asking import Service, events
from ..document import Version, parse, text
from ..judge import judge, need
from ..place import A, B, check, delta, text_of
from ..waits import answer_after, woken


@check("§5 deleted while waiting; then 404; missing=wait parks until it exists")
def deleted(place):
    token = place.version(A)
    place.expect(answer_after(place, f"/delta?since={token}&wait=10", lambda: place.ask("DELETE")), 200)
    need(place.found.json["kind"] == "deleted", "deleted")
    place.expect(place.ask("GET", "/delta"), 404, "collection-not-found")
    answer_after(place, "/delta?missing=wait&wait=10", lambda: place.put(B))
    need(place.found.json["kind"] == "snapshot", "a snapshot when it exists")


@check("§8 a long poll is answered when there is news; the effective wait is told; an idle one is unchanged")
def polls(place):
    token = place.version(A)
    found = answer_after(place, f"/delta?since={token}&wait=10", lambda: place.put(B))
    need(found.json["kind"] == "delta" and found.json["from"] == token, "a delta")
    need(0 < int(found.fields["Collection-Wait"]) <= 10, "Collection-Wait")
    started = time.monotonic()
    found = place.ask("GET", f"/delta?since={found.json['to']}&wait=1")
    need(found.json["kind"] == "unchanged" and 0.85 <= time.monotonic() - started <= 30, "after wait − rand(0, wait/10)")
    need("no-store" in found.fields["Cache-Control"], "unchanged is not kept")


@check("§8 a stream: its head, retry of 1000 to 4000, the first event at once, then each change")
def stream(place):
    token = place.version(A)
    answer, events = place.service.stream(place.path(f"/delta?since={token}"))
    need(answer.status == 200 and answer.headers["Content-Type"].startswith("text/event-stream"), "an event stream")
    need(answer.headers["Cache-Control"] == "no-store, no-transform", "Cache-Control")
    need(answer.headers["X-Accel-Buffering"] == "no", "X-Accel-Buffering")
    first = next(events)
    retry = first.get("retry")
    bookmark = first if "event" in first else next(events)
    need(retry and 1000 <= int(retry) <= 4000, f"retry is {retry}")
    need(bookmark["event"] == "bookmark" and bookmark["id"] == token, "a bookmark of the head")
    second = place.version(B)
    event = next(e for e in events if e["event"] != "ping")
    need(event["event"] == "delta" and event["id"] == second, "the delta, with its id")
    judge(Version(parse(text_of(A))), Version(parse(text_of(B))), "staged", parse(event["data"]))
    need(place.ask("DELETE").status == 204 and next(e for e in events if e["event"] != "ping")["event"] == "deleted",
         "the deletion")
    events.close()


@check("§8 Last-Event-ID wins over since; closeafter=event ends the answer")
def resumed(place):
    first, second = place.version(A), place.version(B)
    _, events = place.events(f"/delta?since={second}", 1, {"Last-Event-ID": first})
    need(events[0]["event"] == "delta" and parse(events[0]["data"])["from"] == first, "from Last-Event-ID")
    _, events = place.events(f"/delta?since={first}&closeafter=event", 5)
    need(len(events) == 1, "one event, then the end")


@check("§5, §8 in a stream trouble is told within it, with status 200")
def problems(place):
    answer, events = place.service.stream(place.path("/delta"))
    problem = next(e for e in events if "event" in e)
    need(answer.status == 200 and problem["event"] == "problem", "an event problem")
    need(parse(problem["data"])["code"] == "collection-not-found", "what it is")
    token = place.version(A)
    event = next(e for e in events if e.get("event") == "snapshot")
    need(event["id"] == token, "then it waits, as with missing=wait")
    events.close()
    answer, found = place.events("/delta?since=x.y", 1)
    need(answer.status == 200 and found[0]["event"] == "problem", "a bad token is one, too")
    need(parse(found[0]["data"])["code"] == "bad-token", "bad-token")


@check("§8 sync: what changed of several collections, and what did not")
def sync(place):
    place.service.ask("PUT", f"{place.base}/collections/other", [])
    token = place.version(A)
    body = {"collections": {"list": token, "other": None}}
    found = place.service.ask("POST", f"{place.base}/sync", body).json
    need(found["kind"] == "sync" and found["unchanged"] == ["list"], "what did not")
    need(found["collections"]["other"]["kind"] == "snapshot" and "list" not in found["collections"], "what did")


@check("§8 wait is clamped to 55 and told; 0 is answered at once; what is no number is 400")
def clamped(place):
    first = place.version(A)
    place.put(B)
    need(delta(place, first, "&wait=999").fields["Collection-Wait"] == "55", "clamped")
    started = time.monotonic()
    last = place.ask("GET").json["version"]
    need(delta(place, last, "&wait=0").json["kind"] == "unchanged" and time.monotonic() - started < 40, "at once")
    for wait in ("x", "1s", "0x1"):
        place.expect(place.ask("GET", f"/delta?since={last}&wait={wait}"), 400, "bad-parameter")


@check("§8 a ping comes every `ping` seconds and sets no id; deflated events are flushed one by one")
def pings(place):
    first = place.version(A)
    connection = place.service.connect()
    connection.request("GET", place.service.base + place.path(f"/delta?since={first}&ping=5"), None,
                       place.service.fields({"Accept": "text/event-stream", "Accept-Encoding": "gzip"}))
    answer = connection.getresponse()
    need(answer.headers.get("Content-Encoding") == "gzip", "gzip, where it is accepted")
    inflater, received = zlib.decompressobj(31), b""

    def lines():
        nonlocal received
        while True:
            piece = answer.read1(65536)
            if not piece:
                return
            received += inflater.decompress(piece)
            *whole, received = received.split(b"\n")
            yield from (line + b"\n" for line in whole)

    found = events(lines())
    need(next(e for e in found if "event" in e)["event"] == "bookmark", "the first event comes through")
    second = place.version(B)
    need(next(e for e in found if e.get("event") == "delta")["id"] == second, "so does the next")
    need("id" not in next(e for e in found if e.get("event") == "ping"), "a ping has no id")
    connection.close()


@check("§8 sync waits; tells what is missing; a batch is never seen half; GET is the same as a stream")
def together(place):
    def ask(body):
        return place.expect(place.service.ask("POST", f"{place.base}/sync", body), 200).json

    one = place.version([{"id": 1}])
    found = ask({"collections": {"list": None, "other": None}})
    need(found["collections"]["list"]["kind"] == "snapshot" and found["missing"] == ["other"], text(found))
    writes = [{"collection": "list", "put": [{"id": 2}]}, {"collection": "other", "put": [{"id": 2}]}]

    def write():
        place.service.ask("POST", f"{place.base}/batch", {"atomic": True, "writes": writes})

    found = woken(place, {"collections": {"list": one, "other": None}, "wait": 20}, write)
    need(set(found["collections"]) == {"list", "other"}, f"both, not {text(found)}")
    tokens = [found["collections"][name].get("to") or found["collections"][name]["version"] for name in ("list", "other")]
    need(sorted(ask({"collections": dict(zip(("list", "other"), tokens))})["unchanged"]) == ["list", "other"], "unchanged")
    held = urllib.parse.quote(f"list:{one},other:")
    answer, stream = place.service.stream(f"{place.base}/sync?collections={held}")
    need(answer.status == 200, f"a stream: {answer.status}")
    event = next(e for e in stream if e.get("event") == "sync")
    found = parse(event["data"])
    need(found["collections"]["list"]["kind"] == "delta" and found["collections"]["other"]["kind"] == "snapshot", text(found))
    stream.close()


@check("§13 the feed of changes tells client, name and version of each, from Last-Event-ID on, by client or prefix")
def feed(place):
    def follow(query, headers=None):
        connection = place.service.connect()
        connection.request("GET", f"{place.service.base}/v1/changes{query}", None,
                           place.service.fields({"Accept": "text/event-stream", **(headers or {})}))
        answer = connection.getresponse()
        need(answer.status == 200, f"changes: {answer.status}")
        return connection, (e for e in events(iter(answer.readline, b"")) if e.get("event") in ("change", "deleted"))

    connection, found = follow(f"?client={place.name}")
    token = place.version(A)
    event = next(found)
    told = parse(event["data"])
    need((told["client"], told["name"], told["version"]) == (place.name, "list", token), text(told))
    connection.close()
    place.put(B)
    place.ask("DELETE")
    connection, found = follow(f"?prefix={place.name[:12]}", {"Last-Event-ID": event["id"]})
    ours = (e for e in found if parse(e["data"])["client"] == place.name)
    started = time.monotonic()
    kinds = [next(ours)["event"]]
    if kinds == ["change"]:
        kinds.append(next(ours)["event"])
    need(kinds[-1] == "deleted" and time.monotonic() - started < 60, f"what came since: {kinds}")
    connection.close()


@check("§5 in a stream trouble that lasts has a `retry` of 15 seconds; a reset for `diverged` is counted", "ops")
def lasting(place):
    _, told = place.service.stream(place.path("/delta"))
    need(any(event.get("retry") == "15000" for event in itertools.takewhile(lambda e: e.get("event") != "ping", told)),
         "retry: 15000")
    told.close()
    first = place.version(A)
    lineage, _, digest = first.split(".")

    def counted():
        lines = Service(place.service.ops, place.service.token).ask("GET", "/metrics").body.decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith("livedelta_") and '"diverged"' in line)

    before = counted()
    place.ask("GET", f"/delta?since={lineage}.1.{digest[::-1]}")
    need(counted() > before, "more than before")


@check("§8 nothing is sent of a long poll until it is decided")
def silent(place):
    held = place.version(A)
    lines = [f"GET {place.service.base}{place.path(f'/delta?since={held}&wait=20')} HTTP/1.1", f"Host: {place.service.url.netloc}",
             *(f"{name}: {value}" for name, value in place.service.fields({}).items()), "", ""]
    with socket.create_connection((place.service.url.hostname, place.service.url.port or 80), 1.5) as peer:
        peer.sendall("\r\n".join(lines).encode())
        try:
            need(False, f"it began with {peer.recv(100)!r}")
        except TimeoutError:
            pass
        place.put(B)
        peer.settimeout(60)
        need(peer.recv(12) == b"HTTP/1.1 200", "then it is answered")


@check("§8 events are never queued: a slow reader gets one delta from where it was to the head")
def slow(place):
    padding, count = "x" * 200_000, 120  # more than what sockets on the way hold
    held = place.version({"items": [{"id": "a", "n": 0, "padding": padding}], "settings": {"retention": {"versions": 200}}})
    connection = place.service.connect()
    connection.sock = socket.socket()
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.sock.connect((place.service.url.hostname, place.service.url.port or 80))
    connection.request("GET", place.service.base + place.path(f"/delta?since={held}"), None,
                       place.service.fields({"Accept": "text/event-stream"}))
    for number in range(1, count + 1):
        newest = place.version([{"id": "a", "n": number, "padding": f"{number}{padding}"}])
    deltas = 0
    for event in events(iter(connection.getresponse().readline, b"")):
        if event.get("event") == "delta":
            found, deltas = parse(event["data"]), deltas + 1
            need(found["from"] == held, f"from what was sent last: {found['from']}")
            held = found["to"]
            if held == newest:
                break
    connection.close()
    need(deltas < count, f"{deltas} deltas of {count} versions")
