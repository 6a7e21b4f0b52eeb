"""Requests that are wrong, endless or odd before their body."""

from trial import trial
from wire import Connection, message, path


@trial("slow heads")
def slow_heads(t):
    """Thousands of heads, a byte at a time."""
    peers = [t.connect() for _ in range(t.n(400, 3000))]
    text = b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nX-Slow: " + b"a" * 4000
    for index, peer in enumerate(peers):
        peer.send(text[:20])
    position = 20
    while t.is_running:
        for peer in peers:
            try:
                peer.send(text[position:position + 1])
            except OSError:
                pass
        position += 1
        t.pause(0.05)


@trial("heads without end")
def heads_without_end(t):
    """A target, a field and a list of fields that never end: refused at their limits."""
    rows = [
        (b"GET /" + b"a" * 200_000, {414, 400, 431, 0}),
        (b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000, {431, 0}),
        (b"GET /v1 HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 40_000, {431, 0}),
        (b"A" * 200_000, {400, 501, 414, 0}),
        (b"\r\n" * 100_000 + b"GET /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n", {200, 400, 0}),
    ]
    while t.is_running:
        for data, statuses in rows:
            status = t.one(data)
            t.expect(status in statuses, f"{data[:24]!r}… got {status}, not {statuses}")


@trial("framing")
def framing(t):
    """Both lengths, wrong lengths, other versions, no host: never two requests out of one."""
    smuggled = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
    start = b"POST /v1/diff HTTP/1.1\r\nHost: localhost\r\n"
    rows = [
        start + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
        start + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + smuggled,
        start + b"Content-Length: -1\r\n\r\n" + smuggled,
        start + b"Content-Length: 99999999999999999999999\r\n\r\n" + smuggled,
        start + b"Transfer-Encoding: gzip, identity\r\n\r\n" + smuggled,
        start + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + smuggled,
        start + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n" + smuggled,
        b"GET /v1 HTTP/1.1\r\n\r\n",
        b"GET /v1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"GET /v1 HTTP/9.9\r\nHost: a\r\n\r\n",
        b"GET /v1\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]
    while t.is_running:
        for data in rows:
            status = t.one(data)
            t.expect(status == 0 or 400 <= status < 600 and status != 500, f"{data[:60]!r} got {status}")


@trial("old and odd requests")
def odd_requests(t):
    """HTTP/1.0 with keep-alive, OPTIONS *, absolute targets, unknown methods, half-closed peers."""
    rows = [
        (b"GET /v1 HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n", {200}),
        (b"GET /v1 HTTP/1.0\r\n\r\n", {200}),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", set(range(200, 500))),
        (b"GET http://localhost/v1 HTTP/1.1\r\nHost: localhost\r\n\r\n", {200}),
        (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", set(range(400, 600)) - {500}),
        (b"TRACE /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n", {405, 501}),
        (b"M" * 100 + b" /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n", {405, 501, 400}),
        (message("GET", "/v1", headers={"Expect": "200-ok"}), {417, 200}),
    ]
    while t.is_running:
        for data, statuses in rows:
            status = t.one(data)
            t.expect(status in statuses, f"{data[:40]!r} got {status}")
        peer = Connection(t.address)
        peer.send(message("GET", "/v1"))
        peer.socket.shutdown(1)
        t.expect(peer.response().status == 200, "a peer that half-closed gets no answer")
        peer.close()


@trial("pipelining")
def pipelining(t):
    """Thousands of requests sent ahead by peers that read nothing."""
    flood = message("GET", "/v1") * 400
    while t.is_running:
        peers = [t.connect(timeout=0.05, receive_bytes=4096) for _ in range(t.n(20, 100))]
        for _ in range(t.n(5, 50)):
            for peer in peers:
                try:
                    peer.send(flood)
                except OSError:
                    pass
        for peer in peers:
            peer.reset()


@trial("fields of 16 KiB")
def long_fields(t):
    """If-Match lists, Accept ranges, encodings and cookies as long as a head may be."""
    version = t.put("fields", [{"id": 1}]).version
    tags = ", ".join(f'"x{k}.1.aaaaaaaaaaaaaaaa"' for k in range(500))
    ranges = ", ".join(f"application/x{k};q=0.{k % 10}" for k in range(500))
    codings = ", ".join(f"x{k};q=0.001" for k in range(700))
    fields = [
        {"If-Match": tags}, {"If-None-Match": tags}, {"Accept": ranges}, {"Accept-Encoding": codings},
        {"Prefer": "a," * 7000}, {"Accept": "," * 15000}, {"Cookie": "a=b;" * 3500}, {"Range": "bytes=" + "0-1," * 3000},
        {"Last-Event-ID": "x" * 15000, "Accept": "text/event-stream"}, {"Idempotency-Key": "k" * 15000},
        {"Collection-If-Version": "v" * 15000}, {"traceparent": "0" * 15000}, {"Request-Id": "r" * 15000},
    ]
    while t.is_running:
        for field in fields:
            answer = t.ask("GET", path("fields", tail=f"/delta?since={version}&closeafter=event"), headers=field)
            t.expect(answer.status < 500, f"{list(field)} got {answer.status}")
            answer = t.ask("PUT", path("fields"), [{"id": 1}], headers=field)
            t.expect(answer.status < 500, f"PUT with {list(field)} got {answer.status}")


@trial("targets")
def targets(t):
    """Query strings of 8 KiB, percent tricks, dots and slashes, bytes that are no UTF-8."""
    rows = [
        "/v1/clients/a/collections/b?" + "a=b&" * 2000, "/v1/clients/a/collections/b/delta?since=" + "%41" * 2500,
        "/v1/clients/%2e%2e/collections/b", "/v1/clients/a%2fb/collections/c", "/v1/clients/a/collections/%00",
        "/v1/clients/a/collections/%252e", "/v1/clients/a/collections/%ff%fe", "/v1/clients/a/collections/%",
        "/v1/clients/a/collections/%4", "/v1//clients/a", "/v1/clients/a/../b/collections/c", "/v1/../../etc/passwd",
        "/v1/clients/" + "a" * 8000, "/v1/clients/a/collections/b?since=%zz", "/" + "/" * 8000, "/v1?" + "%" * 8000,
        "/v1/clients?" + "&" * 8000, "/v1/clients/a/collections?limit=-1", "/v1/clients/a/collections?cursor=%00",
    ]
    while t.is_running:
        for target in rows:
            answer = t.ask("GET", target)
            t.expect(answer.status < 500, f"GET {target[:50]} got {answer.status}")
        raw = b"GET /v1/clients/\xff\xfe\x80/collections/\xc0\xaf HTTP/1.1\r\nHost: localhost\r\n\r\n"
        t.expect(t.one(raw) == 400, "bytes past ASCII in a target are taken")


@trial("numbers of requests")
def numbers(t):
    """Sequence numbers, waits, pings and limits past every integer."""
    version = t.put("numbers", [{"id": 1}]).version
    lineage, _, digest = version.split(".")
    big = ["9223372036854775807", "9223372036854775808", "18446744073709551616", "9" * 40, "-1", "0", "1e9", "+1", "0x1", "00"]
    while t.is_running:
        for value in big:
            for tail in (
                f"/delta?since={lineage}.{value}.{digest}", f"/delta?from={version}&to={lineage}.{value}.{digest}",
                f"?version={lineage}.{value}.{digest}", f"/delta?since=&wait={value}", f"/delta?since=&wait=0&headers={value}",
            ):
                answer = t.ask("GET", path("numbers", tail=tail))
                t.expect(answer.status < 500, f"{tail[:60]} got {answer.status}")
            answer = t.ask("GET", f"/v1/clients/hostile/collections?limit={value}")
            t.expect(answer.status < 500, f"limit={value} got {answer.status}")
            stream = path("numbers", tail=f"/delta?since=&closeafter=event&ping={value}")
            answer = t.ask("GET", stream, headers={"Accept": "text/event-stream"})
            t.expect(answer.status < 500, f"ping={value} got {answer.status}")
            if not t.is_running:
                return


@trial("operations listener")
def operations_listener(t):
    """Slow heads and floods at the operations listener; it still tells that the service lives."""
    peers = [Connection(t.operations) for _ in range(100)]
    for peer in peers:
        peer.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ")
    while t.is_running:
        for target in ("/livez", "/readyz", "/metrics"):
            own = Connection(t.operations, timeout=5)
            t.expect(own.request("GET", target).status == 200, f"{target} is not 200 beside {len(peers)} slow heads")
            own.close()
