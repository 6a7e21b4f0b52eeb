"""Writers from elsewhere, and writers all at once."""

import random

from trial import trial
from wire import Connection, head, message, path


@trial("writes by a web page")
def web_page(t):
    """A foreign Origin stores nothing, whatever the type, and does not drain the service."""
    pages = [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
             {"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}]
    for fields in pages:
        for method, target, body in (
            ("POST", path("page"), b"[]"), ("PUT", path("page"), b"[]"), ("DELETE", path("page"), None),
            ("POST", "/v1/clients/hostile/batch", b'{"writes":[{"collection":"page","put":[]}]}'),
            ("DELETE", "/v1/clients/hostile", None), ("PUT", path("page", tail="/settings"), b"{}"),
        ):
            request = head(method, target, fields, len(body or b"")) + (body or b"")
            status = t.one(request)
            t.expect(status == 403, f"{method} {target[-20:]} with {fields} got {status}, not 403")
        peer = Connection(t.operations)
        peer.send(head("POST", "/drain", fields, 0))
        status = peer.response().status
        t.expect(status == 403, f"POST /drain with {fields} got {status}, not 403")
    t.expect(t.one(message("GET", "/v1", headers=pages[0])) == 200, "a page cannot read the capabilities")
    ready = Connection(t.operations).request("GET", "/readyz").status
    t.expect(ready == 200, f"/readyz is {ready} after the pages' requests")


@trial("one collection, 64 writers", quick=1.5)
def contended(t):
    """Conditional and plain writes of one collection by many peers."""
    t.put("contended", [{"id": 1}])

    def repeat(index):
        peer, turn, version = Connection(t.address, 20), 0, ""
        while t.is_running:
            fields = {"If-Match": f'"{version}"'} if version and index % 2 else {}
            answer = peer.request("PUT", path("contended"), [{"id": index, "n": turn}], fields)
            t.expect(answer.status in (200, 412, 503), f"PUT got {answer.status}")
            version, turn = answer.version or version, turn + 1
        return turn

    t.note(f"{sum(filter(None, t.together(t.n(16, 64), repeat)))} writes")


@trial("batches of everything", quick=1.5)
def batches(t):
    """Batches with 256 writes, with doubled names, with empty and unknown members."""
    rows = [
        {"writes": [{"collection": f"b{k}", "put": [{"id": k}, {"id": "x"}]} for k in range(256)]},
        {"writes": [{"collection": "b", "put": []}] * 256}, {"writes": [{}] * 256}, {"writes": []},
        {"atomic": True, "writes": [{"collection": f"b{k}", "delete": True} for k in range(256)]},
        {"atomic": "yes", "writes": [{"collection": "b", "put": []}]}, {"writes": [{"collection": "../x", "put": []}]},
        {"writes": [{"collection": "b", "put": [], "delete": True, "edits": []}]},
    ]
    while t.is_running:
        for body in rows:
            answer = t.ask("POST", "/v1/clients/hostile/batch", body)
            t.expect(answer.status < 500, f"{str(body)[:50]} got {answer.status}")


@trial("syncs of odd shapes")
def odd_syncs(t):
    """Names, versions and waits of every wrong kind."""
    t.put("odd", [{"id": 1}])
    rows = [
        {"collections": {"odd": 1}}, {"collections": {"odd": []}}, {"collections": []}, {"collections": {}},
        {"collections": {"..": None}}, {"collections": {"x" * 5000: None}}, {"collections": {"odd": "x" * 5000}},
        {"collections": {f"n{k}": None for k in range(5000)}}, {"collections": {"odd": None}, "wait": 1e308},
        {"collections": {"odd": None}, "wait": -1}, {"collections": {"odd": None}, "wait": "1"},
    ]
    queries = ["odd:", "odd:x", ",", ":" * 500, "odd," * 1000, "odd::", "%00:", "a.b:c.d.e:"]
    while t.is_running:
        for body in rows:
            answer = t.ask("POST", "/v1/clients/hostile/sync", body)
            t.expect(answer.status < 500, f"{str(body)[:50]} got {answer.status}")
        for query in queries:
            peer = Connection(t.address)
            peer.send(message("GET", f"/v1/clients/hostile/sync?collections={query}", headers={"Accept": "text/event-stream"}))
            t.expect(peer._head()[0] < 500, f"collections={query[:20]} got 5xx")
            peer.close()


@trial("random bytes")
def rubbish(t):
    """Random bytes, and good requests with some bytes changed."""
    t.note(f"seed {t.seed}")
    good = [message("PUT", path("rubbish"), [{"id": 1, "t": "x"}]), message("GET", path("rubbish", tail="/delta?since=")),
            message("PATCH", path("rubbish"), {"edits": [{"op": "merge", "id": 1, "value": {"t": 2}}]},
                    {"Content-Type": "application/vnd.livedelta.edits+json"}),
            message("POST", "/v1/diff", {"old": [], "new": [{"id": 1}]})]
    while t.is_running:
        for text in good:
            data = bytearray(text)
            for _ in range(random.randint(1, 4)):
                data[random.randrange(len(data))] = random.randrange(256)
            peer = Connection(t.address, 0.2)
            peer.send(bytes(data))
            try:
                status = peer.response().status
                t.expect(status != 500, f"{bytes(data)!r} got 500")
            except (OSError, ValueError, IndexError):
                pass
            peer.close()
        peer = Connection(t.address, 0.2)
        peer.send(random.randbytes(3000))
        peer.close()
