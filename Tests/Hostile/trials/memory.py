"""What is held for many peers at once, and for peers that do not take their answers."""

from trial import trial
from wire import Connection, message, path

MIB = 1 << 20


def large(mib, turn=0):
    """A list of so many mebibytes."""
    row = b"a" * (MIB - 64)
    return b"[" + b",".join(b'{"id":%d,"n":%d,"t":"%s"}' % (k, turn, row) for k in range(mib)) + b"]"


@trial("waiting readers of 15 MiB", quick=2, full=15)
def waiting_readers(t):
    """Readers who wait for all of a large collection, and then do not read."""
    t.put("large", large(15), statuses={201})
    version = t.ask("GET", path("large", tail="/delta?since=&dialect=ops"), statuses={200}).version
    peers = []
    for k in range(t.n(120, 600)):
        peer = t.connect(timeout=0.02, receive_bytes=4096)
        coding = ["gzip", "identity"][k % 2]
        peer.send(message("GET", path("large", tail=f"/delta?since={version}&wait=50&dialect=snapshot"), headers={"Accept-Encoding": coding}))
        peers.append(peer)
    t.wait_until_parked(len(peers))
    t.put("large", large(15, 1), statuses={200})
    t.hold()


@trial("readers that do not read", quick=1.5, full=15)
def no_reading(t):
    """Answers of 12 MiB, byte by byte into buffers of 4 KiB, while the content changes."""
    t.put("unread", large(12), statuses={201})
    peers, turn = [], 1
    while t.is_running:
        for _ in range(t.n(30, 60)):
            peer = t.connect(timeout=0.02, receive_bytes=4096)
            peer.send(message("GET", path("unread")))
            peers.append(peer)
        t.put("unread", large(12, turn))
        turn += 1
        for peer in peers[:: max(1, len(peers) // 50)]:
            try:
                peer.socket.recv(1)
            except OSError:
                pass


@trial("waiting readers with 192 KiB behind", quick=3, full=20)
def pipelined_behind(t):
    """4,600 requests that wait, each with as many bytes of further ones as the service takes."""
    version = t.put("behind", [{"id": 1}]).version
    wait = message("GET", path("behind", tail=f"/delta?since={version}&wait=50"))
    behind = b"GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 8000 + b"\r\n\r\n"
    peers = [t.connect() for _ in range(4600)]
    sent = 0
    for part in [wait + behind * 16] + [behind * 2] * 4:
        for peer in peers:
            peer.socket.setblocking(False)
            try:
                sent += peer.socket.send(part)
            except OSError:
                pass
        t.put("behind-too", [{"id": 1}], statuses={200, 201})
    t.note(f"{sent >> 20} MiB sent ahead")


@trial("bodies of 16 MiB at once", quick=2, full=15, limit=60)
def bodies_at_once(t):
    """Plain large bodies by many peers, to as many collections."""
    rounds = t.n(1, 4)
    body = large(15)

    def send(index):
        statuses = []
        for round in range(rounds):
            peer = Connection(t.address, 40)
            statuses.append(peer.request("PUT", path(f"b{(index + round) % 40}"), body).status)
            peer.close()
        return statuses

    given = [status for statuses in t.together(t.n(40, 100), send) for status in statuses or [None]]
    t.expect(all(s in (200, 201, 503, None) for s in given), f"statuses {set(given)}")
    t.note(f"{sum(s in (200, 201) for s in given)} of {len(given)} taken")


@trial("idempotency keys by the 10,000", quick=1.5, full=20)
def ledgers(t):
    """New keys on many collections, by several peers; then 16 MiB with a key."""
    def repeat(index):
        peer, turn = Connection(t.address, 30), 0
        while t.is_running:
            key = {"Idempotency-Key": f"{index}-{turn}-" + "k" * 100}
            status = peer.request("PUT", path(f"k{index}-{turn % 20}"), [{"id": turn}], key).status
            t.expect(status in (200, 201, 429, 503), f"a write with a key got {status}")
            turn += 1
        return turn

    t.note(f"{sum(filter(None, t.together(8, repeat)))} keys")


@trial("16 MiB with an idempotency key", quick=1.5)
def large_keys(t):
    """What has to be hashed must not hold up other requests."""
    body = large(15)

    def repeat(index):
        peer, turn = Connection(t.address, 30), 0
        while t.is_running:
            peer.request("PUT", path(f"hashed{index}"), body, {"Idempotency-Key": f"{turn // 2}"})
            turn += 1

    t.together(3, repeat)


@trial("an atomic batch of large collections", quick=4, full=40, limit=110)
def large_batch(t):
    """Small edits of many collections of 15 MiB, all in one atomic batch."""
    count = t.n(24, 100)
    for k in range(count):
        t.put(f"big{k}", large(15), statuses={201, 503, 413, 507})
    writes = [{"collection": f"big{k}", "edits": [{"op": "merge", "id": 0, "value": {"n": 5}}]} for k in range(count)]
    answer = t.ask("POST", "/v1/clients/hostile/batch", {"atomic": True, "writes": writes})
    t.expect(answer.status in (200, 413, 503, 404), f"the batch got {answer.status} {answer.body[:100]!r}")
    names = {f"big{k}": None for k in range(count)}
    peer = t.connect(timeout=30)
    peer.send(message("POST", "/v1/clients/hostile/sync", {"collections": names}))
    t.expect(peer.response().status in (200, 413, 503), "sync of it all is refused oddly")


@trial("sync of 256 large collections", quick=2, full=15)
def large_sync(t):
    """Many ask for 256 collections at once and take none of it."""
    body = large(1)
    for k in range(t.n(100, 256)):
        t.put(f"s{k}", body, statuses={201})
    ask = message("POST", "/v1/clients/hostile/sync", {"collections": {f"s{k}": None for k in range(256)}})
    while t.is_running and len(t.kept) < t.n(20, 200):
        t.connect(timeout=0.05, receive_bytes=4096).send(ask)
        t.pause(0.02)
    t.hold()


@trial("diffs of 15 MiB at once", quick=2, full=15, limit=60)
def diffs_at_once(t):
    """POST /v1/diff by many peers, whose two lists have nothing in common."""
    body = b'{"old":' + large(7) + b',"new":' + large(8, 1) + b"}"

    def send(_):
        return Connection(t.address, 40).request("POST", "/v1/diff", body).status

    given = t.together(t.n(40, 100), send)
    t.expect(all(s in (200, 503, None) for s in given), f"statuses {set(given)}")
    t.note(f"{given.count(200)} of {len(given)} taken")


@trial("answers to writes, not read", quick=2, full=15)
def unread_answers(t):
    """Writes that ask for all of a large collection back and take none of it."""
    t.put("asked", large(12), statuses={201})
    turn = 0
    while t.is_running and len(t.kept) < t.n(80, 400):
        edits = {"edits": [{"op": "merge", "id": 0, "value": {"n": turn}}]}
        fields = {"Content-Type": "application/vnd.livedelta.edits+json", "Prefer": "return=representation"}
        t.connect(timeout=2, receive_bytes=4096).send(message("PATCH", path("asked"), edits, fields))
        turn += 1
    t.hold()
    t.note(f"{turn} writes")


@trial("small collections by the 100,000", quick=4, full=60, limit=110)
def small_collections(t):
    """Clients with 256 collections each; all of it is more than memory is to hold."""
    clients = 0
    while t.is_running and clients < t.n(40, 400):
        writes = [{"collection": f"c{k}", "put": [{"id": e, "t": "x" * 100} for e in range(20)]} for k in range(256)]
        t.ask("POST", f"/v1/clients/small{clients}/batch", {"writes": writes}, statuses={200, 429, 503})
        clients += 1
    t.note(f"{clients * 256} collections")
