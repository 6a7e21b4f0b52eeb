"""Event streams: many, unread, short-lived, and beside many writes."""

import select
import time

from trial import trial
from wire import Connection, message, path

EVENTS = {"Accept": "text/event-stream"}


def listeners(t, count, name, version="", **options):
    """Streams of a collection, opened but not read."""
    request = message("GET", path(name, tail=f"/delta?since={version}"), headers=EVENTS)
    peers = []
    for _ in range(count):
        peer = t.connect(**options)
        peer.send(request)
        peers.append(peer)
    return peers


def take(peers, mark, seconds):
    """Reads from all until each has the mark in what is new; the seconds it took, None if some have not."""
    poll, start = select.epoll(), time.monotonic()
    left = {peer.socket.fileno(): [peer, b""] for peer in peers}
    for number in left:
        poll.register(number, select.EPOLLIN)
    while left and time.monotonic() - start < seconds:
        for number, _ in poll.poll(0.1):
            peer, tail = left[number]
            data = peer.socket.recv(1 << 16)
            left[number][1] = tail = tail[-100:] + data
            if mark in tail or not data:
                poll.unregister(number)
                del left[number]
    poll.close()
    return None if left else time.monotonic() - start


@trial("streams beside writes", quick=4, full=20, limit=60)
def beside_writes(t):
    """The time to tell the last of many streams stays what it was at the first writes."""
    version = t.put("told", [{"id": 1, "n": 0}]).version
    peers = listeners(t, t.n(100, 500), "told", version)
    take(peers, b"\n\n", 5)
    times = []
    for n in range(1, t.n(150, 300)):
        token = t.put("told", [{"id": 1, "n": n}], statuses={200}).version
        seconds = take(peers, f"id: {token}".encode(), 10)
        if seconds is None:
            t.expect(False, f"at write {n} of {len(peers)} streams some were not told within 10 s")
            return
        times.append(seconds)
    first, last = (sorted(part)[len(part) // 2] for part in (times[5:25], times[-20:]))
    t.expect(last < max(4 * first, 0.02), f"told within {first * 1000:.1f} ms at first, {last * 1000:.1f} ms at last")
    t.note(f"told within {first * 1000:.1f}, {last * 1000:.1f} ms")


@trial("streams that never read", quick=1.5, full=15)
def never_read(t):
    """Writes of some KiB to streams whose peers take nothing."""
    version = t.put("unread", [{"id": 1}]).version
    listeners(t, t.n(300, 2000), "unread", version, receive_bytes=4096)
    turn = 0
    while t.is_running and turn < t.n(300, 1000):
        rows = [{"id": k, "n": turn, "t": "x" * 1000} for k in range(20)]
        t.put("unread", rows, statuses={200})
        turn += 1
    t.note(f"{turn} writes")


@trial("streams opened and reset")
def opened_and_reset(t):
    """Streams that are gone before their first event is out."""
    version = t.put("reset", [{"id": 1}]).version
    request = message("GET", path("reset", tail=f"/delta?since={version}"), headers=EVENTS)
    count = 0
    while t.is_running:
        peers = [Connection(t.address) for _ in range(100)]
        for peer in peers:
            peer.send(request)
        for peer in peers:
            peer.reset()
        t.put("reset", [{"id": count}], statuses={200})
        count += 100
    t.note(f"{count} streams")


@trial("changes with slow readers", quick=1.5)
def slow_changes(t):
    """/v1/changes of all clients, not read, while collections come and go."""
    for _ in range(t.n(100, 1000)):
        t.connect(receive_bytes=4096).send(message("GET", "/v1/changes", headers=EVENTS))
    turn = 0
    while t.is_running:
        for client in range(20):
            t.put(f"c{turn % 50}", [{"id": turn}], client=f"c{client}", statuses={200, 201})
        turn += 1


@trial("resume ids that never were")
def resume_ids(t):
    """Last-Event-ID of every odd kind, on streams of collections and of changes."""
    t.put("resume", [{"id": 1}])
    odd = ["x" * 8000, "~", "a.b.c", "a.1.b~" + "z" * 500, "9" * 30, "-1", "%00", "\u00ff", "a.99999999999999999999.AAAAAAAAAAAAAAAA"]
    while t.is_running:
        for value in odd:
            for target in (path("resume", tail="/delta?closeafter=event"), "/v1/changes"):
                peer = Connection(t.address)
                peer.send(message("GET", target, headers={**EVENTS, "Last-Event-ID": value}))
                t.expect(peer._head()[0] < 500, f"Last-Event-ID {value[:20]} on {target} got 5xx")
                peer.close()


@trial("streams of collections that vanish", quick=1.2)
def vanishing(t):
    """A collection deleted and made anew under its streams."""
    while t.is_running:
        t.put("vanishing", [{"id": 1}], statuses={201})
        peers = listeners(t, t.n(50, 500), "vanishing")
        t.expect(take(peers, b"event: snapshot", 10) is not None, "some streams do not begin within 10 s")
        t.ask("DELETE", path("vanishing"), statuses={204})
        t.expect(take(peers, b"event: problem", 10) is not None, "some streams were not told of it within 10 s")
        t.put("vanishing", [{"id": 2}], statuses={201})
        t.expect(take(peers, b'"id":2', 10) is not None, "some streams did not see the next life within 10 s")
        t.ask("DELETE", path("vanishing"), statuses={204})
        for peer in peers:
            peer.close()
