"""Bodies that are slow, inflated, deep, endless or no JSON."""

import gzip
import zlib

from trial import trial
from wire import Connection, head, path

MIB = 1 << 20
BODY_BYTES_MAX = 16 * MIB


@trial("slow bodies")
def slow_bodies(t):
    """Bodies of 1 MiB, some bytes at a time."""
    peers = [t.connect() for _ in range(t.n(200, 2000))]
    for peer in peers:
        peer.send(head("PUT", path("slow"), {"Content-Type": "application/json"}, MIB))
    while t.is_running:
        for peer in peers:
            try:
                peer.send(b"[" * 8)
            except OSError:
                pass
        t.pause(0.05)


@trial("stalled bodies of 16 MiB", quick=1.5, full=45)
def stalled_bodies(t):
    """Most of a large body at once, then silence: others still write, and silence ends."""
    part = b"[" + b" " * (BODY_BYTES_MAX - MIB)
    peers = []
    for _ in range(t.n(36, 60)):
        peer = t.connect(timeout=2)
        peers.append(peer)
        try:
            peer.send(head("PUT", path("stalled"), {"Content-Type": "application/json"}, BODY_BYTES_MAX))
            peer.send(part)
        except OSError:
            pass  # Refused or held back.
    t.hold()
    if t.is_quick:
        return
    for peer in peers:
        peer.socket.settimeout(1)
        try:
            t.expect(peer.response().status in (408, 503, 413), "a body that stalls is neither 408 nor 503")
        except (ConnectionResetError, BrokenPipeError):
            pass
        except TimeoutError:
            t.expect(False, "a body that stalls for 45 s is left open")


@trial("Expect: 100-continue, and nothing")
def expect_nothing(t):
    """Peers that announce bodies of 16 MiB and send none."""
    field = {"Content-Type": "application/json", "Expect": "100-continue"}
    while t.is_running:
        peers = [Connection(t.address) for _ in range(t.n(100, 500))]
        for peer in peers:
            peer.send(head("PUT", path("expect"), field, BODY_BYTES_MAX))
        t.pause(0.2)
        for peer in peers:
            peer.reset()


@trial("chunks")
def chunks(t):
    """Chunks of one byte, chunk extensions and trailers past their limits."""
    start = head("POST", "/v1/diff", {"Transfer-Encoding": "chunked", "Content-Type": "application/json"})
    ones = start + b"1\r\n \r\n" * t.n(50_000, 500_000) + b"2\r\n{}\r\n0\r\n\r\n"
    extended = start + b"1;" + b"a" * 1_000_000 + b"\r\n \r\n"
    spread = start + b"".join(b"1;" + b"a" * 4000 + b"\r\n \r\n" for _ in range(1000))
    trailers = start + b"2\r\n{}\r\n0\r\n" + b"a: b\r\n" * 200_000
    sizes = start + b"0" * 1_000_000 + b"1\r\n \r\n"
    while t.is_running:
        for data in (ones, extended, spread, trailers, sizes):
            status = t.one(data)
            t.expect(status == 0 or 400 <= status < 500, f"{data[130:160]!r} got {status}")


def near_limit(bytes_per_item=1 << 19):
    """A list of nearly 16 MiB whose gzip is a little less than 1:200."""
    rows = [b'{"id":%d,"t":"%s"}' % (k, b"a" * (bytes_per_item - 40)) for k in range(BODY_BYTES_MAX // bytes_per_item - 1)]
    return b"[" + b",".join(rows) + b"]"


def pad(data, ratio):
    """A gzip of data with a ratio just below: a comment field pads it, which inflates to nothing."""
    packed = gzip.compress(data, 9, mtime=0)
    missing = len(data) // ratio + 64 - len(packed)
    name = b"n" * max(0, missing) + b"\0"
    return packed[:3] + b"\x08" + packed[4:10] + name + packed[10:]


@trial("gzip bombs")
def gzip_bombs(t):
    """1,000:1, just below and just above 200:1, coding in coding, and rubbish."""
    bomb = gzip.compress(b" " * (64 * MIB))
    nested = gzip.compress(gzip.compress(b" " * (64 * MIB)))
    edge = near_limit()
    rows = [
        (pad(edge, 198), "gzip", {200, 201}), (pad(edge, 205), "gzip", {413, 0}),
        (bomb, "gzip", {413, 0}), (nested, "gzip, gzip", {413, 415, 400, 0}),
        (bomb[: len(bomb) // 2], "gzip", {413, 400, 0}), (b"\x1f\x8b" + b"\xff" * 1000, "gzip", {400}),
        (zlib.compress(b"[]"), "deflate", {415}), (bomb, ", ".join(["gzip"] * 50), {400, 413, 415, 0}),
        (gzip.compress(b"[]") * 10_000, "gzip", {200, 201, 400, 413}),
    ]
    while t.is_running:
        for body, coding, statuses in rows:
            answer = t.put("bomb", body, {"Content-Encoding": coding})
            t.expect(answer.status in statuses, f"{coding[:20]} of {len(body)} bytes got {answer.status}, not {statuses}")


@trial("gzipped bodies of 16 MiB at once", quick=2, full=10, limit=60)
def gzip_flood(t):
    """Many bodies of 80 KiB that inflate to 16 MiB each, at the same time."""
    body = pad(near_limit(), 195)
    count = t.n(60, 120)

    def send(index):
        peer = Connection(t.address, timeout=40)
        answer = peer.request("PUT", path(f"g{index}"), body, {"Content-Encoding": "gzip"})
        peer.close()
        return answer.status

    statuses = t.together(count, send)
    t.expect(all(status in (200, 201, 503, None) for status in statuses), f"statuses {sorted(set(map(str, statuses)))}")
    t.note(f"{sum(s in (200, 201) for s in statuses)} of {count} taken, {statuses.count(503)} refused with 503")


@trial("deep JSON", quick=1)
def deep(t):
    """Arrays and objects 100,000 and 8 million deep, whole and cut off."""
    rows = [b"[" * 100_000 + b"]" * 100_000, b"[" * (8 * MIB), b'{"a":' * 1_000_000, b'[{"id":1,"a":' + b"[" * 65 + b"]" * 65 + b"}]"]
    while t.is_running:
        for body in rows:
            t.put("deep", body, statuses={400, 413, 422, 0})
            t.ask("POST", "/v1/diff", b'{"old":[],"new":' + body + b"}", statuses={400, 413, 422, 0})


@trial("16 MiB of empty lists and objects", quick=1)
def empties(t):
    rows = [b"[" + b"[]," * (BODY_BYTES_MAX // 3 - 2) + b"[]]", b"[" + b"{}," * (BODY_BYTES_MAX // 3 - 2) + b"{}]"]
    inside = b'[{"id":1,"a":[' + b"[]," * (MIB // 3 - 20) + b"[]]}]"
    while t.is_running:
        for body in rows:
            t.put("empties", body, statuses={422, 413, 400, 0})
        t.put("empties", inside, statuses={200, 201})


@trial("16 MiB of one string with escapes", quick=1)
def escapes(t):
    whole = b'["' + b"\\u0041" * (BODY_BYTES_MAX // 6 - 10) + b'"]'
    long_id = b'[{"id":"' + b"\\u0041" * 100_000 + b'"}]'
    item = b'[{"id":1,"a":"' + b"\\ud83d\\ude00" * (MIB // 12 - 10) + b'"}]'
    lone = b'[{"id":"\\ud800"},{"id":"\\udc00"}]'
    while t.is_running:
        t.put("escapes", whole, statuses={422, 413, 400, 0})
        t.put("escapes", long_id, statuses={422, 413})
        t.put("escapes", item, statuses={200, 201, 413})
        t.put("escapes", lone, statuses={400, 422, 200, 201})


@trial("numbers of a million digits")
def digits(t):
    """As ids, as contents, and to sort by; exponents that no number type holds."""
    sort = {"sortBy": [{"path": "/n", "type": "number"}]}
    long, exponent = b"9" * 500_000, b"1e" + b"9" * 18
    items = b",".join(b'{"id":%d,"n":%de%d}' % (k, k, 900_000_000 - k) for k in range(20_000))
    while t.is_running:
        t.put("digits", b'[{"id":%s}]' % long, statuses={400, 422, 413})
        t.put("digits", b'{"settings":%s,"items":[{"id":1,"n":%s},{"id":2,"n":%s.5},{"id":3,"n":-%s}]}' % (
            str(sort).replace("'", '"').encode(), long, long, long), statuses={200, 201, 413, 422})
        t.put("exponents", b'{"settings":%s,"items":[%s,{"id":"x","n":%s},{"id":"y","n":-%s},{"id":"z","n":1e-%s}]}' % (
            str(sort).replace("'", '"').encode(), items, exponent, exponent, b"9" * 30), statuses={200, 201, 400, 422})


@trial("member names by the 100,000")
def members(t):
    """The same name again and again, and as many different ones, in an item and outside."""
    same = b",".join([b'"a":1'] * 100_000)
    other = b",".join(b'"m%d":1' % k for k in range(80_000))
    while t.is_running:
        t.put("members", b'[{"id":1,%s}]' % same, statuses={200, 201, 400, 422, 413})
        t.put("members", b'[{"id":1,%s}]' % other, statuses={200, 201, 413})
        t.put("members", b'{"items":[],%s}' % other, statuses={422})
        t.put("members", b'{"items":[],"settings":{%s}}' % other, statuses={422})
        t.put("members", b'[{%s}]' % b",".join([b'"id":1'] * 100_000), statuses={200, 201, 400, 422})


@trial("no UTF-8")
def no_utf8(t):
    """Bytes that are no UTF-8 in ids, contents, member names, settings and edits."""
    bad = [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x00", b"\x1f"]
    t.put("utf8", [{"id": "a"}])
    while t.is_running:
        for text in bad:
            for body in (b'[{"id":"%s"}]', b'[{"id":1,"t":"%s"}]', b'[{"id":1,"%s":1}]', b'{"items":[],"meta":"%s"}'):
                t.put("utf8", body % text, statuses={400, 422})
            t.patch("utf8", b'{"edits":[{"op":"delete","ids":["%s"]}]}' % text, statuses={400, 409, 422})
            t.patch("utf8", b'{"edits":[{"op":"merge","id":"a","value":{"t":"%s"}}]}' % text, statuses={400, 422})
        for prefix in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff\x00"):
            t.put("utf8", prefix + b"[]", statuses={400, 200})
