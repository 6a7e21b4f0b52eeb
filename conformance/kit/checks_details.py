"""Single sentences of sections 3 to 15 that the other checks do not have."""

import itertools
import secrets
import socket
import time
import urllib.parse

from .asking import Service, events, raw
from .checks import A, B, check, need
from .checks_meanwhile import waiting
from .checks_more_writing import edit, numbered
from .checks_reading import waiting as waits
from .checks_views import has_views
from .checks_writing import content
from .document import Version, parse, text
from .judge import judge


@check("§3 equal content wakes nobody; `return=delta` is in the dialect that is accepted")
def unchanged(place):
    held = place.version(A)
    started = time.monotonic()
    found = waits(place, f"/delta?since={held}&wait=3", lambda: place.put(A))
    need(found.json["kind"] == "unchanged" and time.monotonic() - started >= 2.6, "it waits on")
    answer = place.put(B, 200, Prefer="return=delta", Accept="application/vnd.livedelta.splice+json")
    judge(Version(numbered(A)), Version(numbered(B)), "splice", answer.json)


@check("§4 the digest is salted with the lineage: equal content in another one has another")
def salted(place):
    first = place.version(A)
    place.ask("DELETE")
    again = place.version(A)
    need(first.split(".")[1] == again.split(".")[1] and first.split(".")[2] != again.split(".")[2], f"{first}, {again}")


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


@check("§7 what is no delta uses the envelope also where a JSON Patch is asked for")
def envelope(place):
    held = place.version(A)
    accept = {"Accept": "application/json-patch+json"}
    for rest, kind in (("/delta", "snapshot"), (f"/delta?since={held}", "unchanged"),
                       ("/delta?since=aaaaaaaa.1.aaaaaaaaaaaaaaaa", "snapshot")):
        found = place.expect(place.ask("GET", rest, None, accept), 200)
        need(found.json["kind"] == kind and found.json["version"] == held, f"{rest}: {found.body[:200]!r}")


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


@check("§9 at most 1,000 idempotency keys of a collection are kept, the newest")
def thousand(place):
    first = {"Idempotency-Key": secrets.token_hex(8)}
    place.put([], 201, Idempotency_Key=first["Idempotency-Key"])
    for number in range(999):
        edit(place, {"op": "append", "section": "", "items": []}, Idempotency_Key=f"{number}")
    need("Idempotency-Replayed" in place.ask("PUT", "", [], first).fields, "the first of 1,000 is kept")
    edit(place, {"op": "append", "section": "", "items": []}, Idempotency_Key="999")
    need("Idempotency-Replayed" not in place.ask("PUT", "", [], first).fields, "of 1,001 it is not")


@check("§9 a member that nothing has is 422 with a pointer and the nearest name, in every JSON that is taken")
def misspelt(place):
    held = place.version(A)
    rows = [(f"{place.base}/batch", {"writes": [{"collectoin": "list", "put": []}]}, "collection"),
            (f"{place.base}/batch", {"atomik": True, "writes": []}, "atomic"),
            (f"{place.base}/sync", {"collections": {"list": None}, "wiat": 1}, "wait"),
            (f"{place.base}/sync", {"collections": {"list": {"sinse": held}}}, "since"),
            (f"{place.base}/sync", {"colections": {"list": None}}, "collections"),
            ("/v1/diff", {"old": [], "new": [], "nwe": []}, "new"),
            ("/v1/diff", {"odl": [], "new": []}, "old"),
            (place.path("/revert"), {"too": held}, "to")]
    for path, body, name in rows:
        answer = place.service.ask("POST", path, body)
        need(answer.status == 422, f"{path} {text(numbered(body))}: {answer.status} {answer.body[:200]!r}")
        found = place.expect(answer, 422).json
        need(found["errors"][0]["pointer"] and f"{name}" in found["detail"] + text(found["errors"]), f"{path}: {text(found)}")


@check("§10 sectionBy of several paths keeps apart what differs; dates are RFC 3339, a day, a local time or epoch seconds")
def derived(place):
    items = [{"id": "1", "a": "x/y", "b": "z"}, {"id": "2", "a": "x", "b": "y/z"}, {"id": "3", "a": "x/y", "b": "z"}]
    place.put({"items": items, "settings": {"sectionBy": {"path": ["/a", "/b"], "headerFrom": ["/a", "/b"]}}})
    need([ids for _, ids in content(place)] == [["1", "3"], ["2"]], text(content(place)))
    place.service.ask("DELETE", place.base)
    dates = ["2026-03-01T12:00:00", "2026-03-01T10:00:00-01:00", 1772362800.5, "2026-03-01", 0]  # 11:00:00.5 of that day
    settings = {"sortBy": [{"path": "/v", "type": "date"}]}
    place.put({"items": [{"id": f"i{n}", "v": v} for n, v in enumerate(dates)], "settings": settings})
    need(content(place)[0][1] == ["i4", "i3", "i1", "i2", "i0"], text(content(place)))


@check("§11 answers of less than 860 bytes are sent as they are")
def small(place):
    for count in (10, 200):
        place.put([{"id": "a", "t": "x" * count * 7}])
        answer = place.ask("GET", "", None, {"Accept-Encoding": "gzip"})
        is_coded = "Content-Encoding" in answer.fields
        need(is_coded == (count == 200), f"{len(answer.body)} bytes are {'' if is_coded else 'not '}coded")


@check("§12 what is no request of HTTP/1.1 is told so: 505, 501 and 400, each with its code")
def strange(place):
    rows = [("GET /v1 HTTP/2.0", 505, "version-not-supported"), ("BREW /v1 HTTP/1.1", 501, "method-not-implemented"),
            ("TRACE /v1 HTTP/1.1", 501, "method-not-implemented"), ('GET /v1?x=" HTTP/1.1', 400, "bad-request")]
    for line, status, code in rows:
        sent = f"{line}\r\nHost: {place.service.url.netloc}\r\nConnection: close\r\n\r\n"
        head, _, body = raw(place.service, sent.encode()).partition(b"\r\n\r\n")
        need(head.startswith(f"HTTP/1.1 {status} ".encode()), f"{line}: {head[:80]!r}")
        need(b"application/problem+json" in head and f'"code":"{code}"'.encode() in body, f"{line}: {body[:300]!r}")


@check("§15 the limits of a view's terms; `sync` takes a view of each collection; a change beside a view wakes nobody")
def views(place):
    if not has_views(place):
        return
    held = place.version([{"id": f"i{n}", "n": n} for n in range(5)])
    limits = [("select=" + ",".join(f"/m{n}" for n in range(count)), count > 32) for count in (32, 33)]
    limits += [("&".join(["order=/n"] * count), count > 4) for count in (4, 5)]
    limits += [("where=" + urllib.parse.quote(f"/n:in:{list(range(count))}"), count > 64) for count in (64, 65)]
    most = int(place.service.ask("GET", "/v1").json["limits"]["windowItemsMax"])
    limits += [(f"window=first:{count}", count > most) for count in (most, most + 1)]
    for parameters, is_over in limits:
        answer = place.ask("GET", f"?{parameters}")
        place.expect(answer, *((400, "bad-parameter") if is_over else (200,)))
        if is_over:
            need(parameters.split("=")[0] in answer.json["detail"] + text(answer.json.get("errors")), "the parameter is told")
    view = {"where": ["/n:ge:3"], "window": "first:1"}
    body = {"collections": {"list": {"since": held, "view": view}}}
    found = place.expect(place.service.ask("POST", f"{place.base}/sync", body), 200).json
    need(found["unchanged"] == ["list"], text(found))
    body["collections"]["list"]["since"] = None
    found = place.service.ask("POST", f"{place.base}/sync", body).json["collections"]["list"]
    need([text(i) for s in found["sections"] for i in s["items"]] == ['{"id":"i3","n":3}'], text(found))
    need(int(found["view"]["total"]) == 2, text(found["view"]))
    for seconds in (3, 12, 50):  # a busy machine may not write in less
        other, started = Service(place.service.url.geturl(), place.service.token), time.time()
        with waiting(other, place.path(f"/delta?since={held}&where=/n:ge:3&wait={seconds}")) as answers:
            time.sleep(0.3)
            newest = place.version([{"id": "i0", "n": -seconds}, *({"id": f"i{n}", "n": n} for n in range(1, 5))])
            written = time.time()
        if answers[0][1] > written:
            break
    found = answers[0][0].json
    need(found["kind"] == "unchanged" and answers[0][1] - started >= 0.85 * seconds, f"it waits on: {text(found)}")
    need(found["version"] == newest, f"the newest version: {text(found)}")
