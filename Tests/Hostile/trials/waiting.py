"""Requests that wait."""

import select
import time

from trial import trial
from wire import message, path


def answers(peers, seconds):
    """Waits until each has had a byte of an answer, or closed; returns how many have not."""
    poll = select.epoll()
    left = {peer.socket.fileno(): peer for peer in peers}
    for number in left:
        poll.register(number, select.EPOLLIN)
    end = time.monotonic() + seconds
    while left and time.monotonic() < end:
        for number, _ in poll.poll(0.1):
            left.pop(number, None)
            poll.unregister(number)
    poll.close()
    return len(left)


def wait_for(t, count, request):
    """Sends a request that waits, on so many connections."""
    peers = [t.connect(timeout=5) for _ in range(count)]
    for peer in peers:
        peer.send(request)
    return peers


@trial("4,100 long polls, then a write", quick=1.5)
def long_polls(t):
    """All are answered within two seconds of the write."""
    version = t.put("polled", [{"id": 1}]).version
    peers = wait_for(t, t.n(1500, 4100), message("GET", path("polled", tail=f"/delta?since={version}&wait=50")))
    t.wait_until_parked(len(peers))
    seconds, _ = t.timed(t.put, "polled", [{"id": 2}], statuses={200})
    start = time.monotonic()
    missing = answers(peers, 10)
    t.expect(missing == 0, f"{missing} of {len(peers)} are not answered within 10 s")
    told = time.monotonic() - start
    t.expect(told < 2, f"the last is answered after {told:.1f} s")
    t.note(f"PUT {seconds * 1000:.0f} ms of the processor, the last told after {told * 1000:.0f} ms")


@trial("waiting for what never comes", quick=1.2)
def missing(t):
    """missing=wait on thousands of names, some of which then come."""
    for k in range(t.n(1000, 8000)):
        t.connect().send(message("GET", path(f"never{k}", f"m{k % 100}", "/delta?since=&missing=wait&wait=50")))
    while t.is_running:
        for k in range(100):
            t.put(f"never{k}", [{"id": 1}], client=f"m{k}", statuses={200, 201})


@trial("waiting and going", quick=1.2)
def going(t):
    """Peers that wait and leave at once, by the thousand, beside writes."""
    version = t.put("going", [{"id": 1}]).version
    request = message("GET", path("going", tail=f"/delta?since={version}&wait=50"))
    turn = 0
    while t.is_running:
        for peer in wait_for(t, 200, request):
            peer.reset()
        t.kept.clear()
        turn += 1
        version = t.put("going", [{"id": turn}], statuses={200}).version
        request = message("GET", path("going", tail=f"/delta?since={version}&wait=50"))


@trial("waiting for 256 collections", quick=1.5)
def wide_sync(t):
    """Syncs of 256 collections that wait, woken by writes and batches of 256."""
    names = [f"w{k}" for k in range(256)]
    writes = [{"collection": name, "put": [{"id": 1}]} for name in names]
    t.ask("POST", "/v1/clients/hostile/batch", {"writes": writes}, statuses={200})
    held = {name: t.ask("GET", path(name)).version for name in names}
    peers = wait_for(t, t.n(50, 500), message("POST", "/v1/clients/hostile/sync", {"collections": held, "wait": 50}))
    turn = 2
    while turn == 2 or t.is_running:
        writes = [{"collection": name, "put": [{"id": turn}]} for name in names]
        t.ask("POST", "/v1/clients/hostile/batch", {"atomic": True, "writes": writes}, statuses={200})
        turn += 1
    lost = answers(peers, 5)
    t.expect(lost == 0, f"{lost} of {len(peers)} syncs are not answered")


@trial("deleted while they wait", quick=1.2)
def deleted(t):
    """Long polls of a collection that is deleted and made anew all the time."""
    turn = 0
    while t.is_running:
        version = t.put("deleted", [{"id": turn}]).version
        peers = wait_for(t, t.n(50, 300), message("GET", path("deleted", tail=f"/delta?since={version}&wait=50")))
        t.ask("DELETE", path("deleted"), statuses={204})
        lost = answers(peers, 5)
        t.expect(lost == 0, f"{lost} of {len(peers)} are not told that it is deleted")
        for peer in peers:
            peer.close()
        turn += 1
