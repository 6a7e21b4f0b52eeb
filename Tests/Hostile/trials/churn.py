"""Connections that come and go, or only come."""

import resource

from service import Service
from trial import trial
from wire import Connection, message, path


@trial("idle connections", quick=1.5, full=15)
def idle(t):
    """9,000 connections that say nothing."""
    for _ in range(t.n(3000, 9000)):
        t.connect()
    t.hold()


@trial("connections past the limit", quick=1.5, full=10)
def past_limit(t):
    """More than are taken: the newest are refused or closed, those there are serve on."""
    refused = 0
    for _ in range(11_000):
        try:
            t.connect(timeout=1)
        except OSError:
            refused += 1
    t.hold()


@trial("connections opened and reset")
def resets(t):
    """As fast as one peer can; some in the middle of a request."""
    count = 0
    halves = [b"", b"GET /v1", message("GET", "/v1"), message("PUT", path("reset"), b"[" * 5000)[:-1], b"\r\n\r\n"]
    while t.is_running:
        for half in halves:
            peer = Connection(t.address)
            if half:
                peer.send(half)
            peer.reset()
            count += 1
    t.note(f"{count} connections")


@trial("collections made and deleted", quick=1.5)
def made_and_deleted(t):
    """Many clients, 200 collections each, then forgotten, round and round."""
    def repeat(index):
        peer, turn = Connection(t.address, 20), 0
        while t.is_running:
            client = f"churn{index}-{turn}"
            for k in range(50):
                status = peer.request("PUT", path(f"c{k}", client), [{"id": k}]).status
                t.expect(status in (201, 429, 503), f"PUT got {status}")
            for k in range(25):
                t.expect(peer.request("DELETE", path(f"c{k}", client)).status == 204, "DELETE is not 204")
            t.expect(peer.request("DELETE", f"/v1/clients/{client}").status == 204, "DELETE of a client is not 204")
            turn += 1
        return turn * 50

    t.note(f"{sum(filter(None, t.together(6, repeat)))} collections")


@trial("collections past the limit of a client")
def past_collections(t):
    """The 257th is refused, in batches too; the index stays in pages."""
    writes = [{"collection": f"l{k}", "put": []} for k in range(256)]
    t.ask("POST", "/v1/clients/full/batch", {"writes": writes}, statuses={200})
    t.put("one-more", [], client="full", statuses={413, 422, 429})
    more = [{"collection": f"m{k}", "put": []} for k in range(257)]
    t.ask("POST", "/v1/clients/full/batch", {"writes": more}, statuses={413, 422})
    while t.is_running:
        for limit in (1, 100, 1000):
            t.ask("GET", f"/v1/clients/full/collections?limit={limit}", statuses={200})
        t.ask("GET", "/v1/clients/full/collections?cursor=" + "z" * 120, statuses={200, 400})


def operations_status(service, target):
    try:
        return Connection(service.operations, 3).request("GET", target).status
    except OSError as error:
        return str(error)


@trial("few descriptors", quick=2, full=6)
def descriptors(t):
    """A service started with 1,024 descriptors: its store and its operations listener never lack one."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    own = Service(t.binary, descriptors=(1024, hard)).wait_until_it_listens()
    try:
        peers = []
        for _ in range(1500):
            try:
                peers.append(Connection(own.address, 1))
            except OSError:
                break
        for target in ("/livez", "/readyz", "/metrics"):
            status = operations_status(own, target)
            t.expect(status == 200, f"{target} is {status} beside {len(peers)} connections")
        for k in range(20):
            status = peers[k].request("PUT", path(f"d{k}"), [{"id": k}]).status
            t.expect(status == 201, f"PUT beside {len(peers)} connections got {status}")
    finally:
        own.end()
