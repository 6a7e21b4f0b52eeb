"""Lists at the limits of the service, and changes of everything."""

import random

from trial import trial
from wire import Connection, path


def body(ids):
    return b"[" + b",".join(b'{"id":%d}' % id for id in ids) + b"]"


@trial("everything moves", quick=1.5)
def moves(t):
    """A long list reversed and shuffled with every PUT."""
    ids = list(range(t.n(20_000, 100_000)))
    t.put("moves", body(ids), statuses={201})
    while t.is_running:
        ids.reverse()
        t.put("moves", body(ids), statuses={200})
        random.shuffle(ids)
        t.put("moves", body(ids), {"Prefer": "return=delta"}, statuses={200})


@trial("entirely new lists", quick=1.5)
def new_lists(t):
    """100,000 items that have nothing to do with the 100,000 before."""
    count = t.n(50_000, 100_000)
    turn = 0
    while t.is_running:
        t.put("new", body(range(turn * count, (turn + 1) * count)), statuses={200, 201})
        turn += 1


@trial("ids of 256 bytes", quick=1.5)
def long_ids(t):
    """As many as a body holds, new ones each time; one of 257 bytes is refused."""
    count = t.n(20_000, 60_000)
    turn = 0
    while t.is_running:
        ids = (b"%06d-%s-%d" % (k, b"a" * 242, turn) for k in range(count))
        t.put("long", b"[" + b",".join(b'{"id":"%s"}' % id for id in ids) + b"]", statuses={200, 201})
        turn = (turn + 1) % 10
    t.put("long", [{"id": "x" * 257}], statuses={413, 422})


@trial("10,000 sections", quick=1.5)
def sections(t):
    """All sections shuffled, items spread anew over them; one section more is refused."""
    count = 10_000
    order, items = list(range(count)), list(range(count * t.n(2, 8)))
    while t.is_running:
        random.shuffle(order)
        random.shuffle(items)
        share = len(items) // count
        parts = [b'{"id":"s%d","items":%s}' % (s, body(items[k * share:(k + 1) * share])) for k, s in enumerate(order)]
        t.put("sections", b'{"sections":[' + b",".join(parts) + b"]}", statuses={200, 201})
    more = b",".join(b'{"id":"s%d","items":[]}' % k for k in range(count + 1))
    t.put("sections", b'{"sections":[' + more + b"]}", statuses={413, 422})


@trial("readers of every version", quick=1.5)
def every_version(t):
    """A large collection asked for from 64 versions, in all dialects and codings."""
    count = t.n(10_000, 60_000)
    versions = [t.put("versions", body(range(k, count + k * 50))).version for k in range(64)]
    dialects = ["staged", "ops", "splice", "diffable", "json-patch", "snapshot"]
    while t.is_running:
        version, other = random.choice(versions), random.choice(versions)
        coding = random.choice(["gzip", "identity"])
        tail = random.choice([f"/delta?since={version}", f"/delta?from={version}&to={other}"])
        target = path("versions", tail=f"{tail}&dialect={random.choice(dialects)}")
        t.ask("GET", target, headers={"Accept-Encoding": coding}, statuses={200, 410, 404})


@trial("diffs of two lists of 8 MiB", quick=2)
def diffs(t):
    """POST /v1/diff of two long lists, again and again, by several peers."""
    count = t.n(20_000, 150_000)
    ids = list(range(min(count, 100_000)))
    old = body(ids)
    random.shuffle(ids)
    both = b'{"old":' + old + b',"new":' + body(ids) + b"}"

    def repeat(_):
        while t.is_running:
            peer = Connection(t.address, 30)
            status = peer.request("POST", "/v1/diff", both).status
            t.expect(status in (200, 503), f"POST /v1/diff got {status}")
            peer.close()

    t.together(3, repeat)


@trial("duplicate ids by the 100,000")
def duplicates(t):
    """Refused with a short answer, or numbered where the setting says so."""
    same = b"[" + b",".join([b'{"id":"a"}'] * 100_000) + b"]"
    t.put("occurrence", b'{"settings":{"identity":"occurrence"},"items":[]}', statuses={201})
    while t.is_running:
        answer = t.put("duplicates", same, statuses={422})
        t.expect(len(answer.body) < 100_000, f"the refusal has {len(answer.body)} bytes")
        t.put("occurrence", same, statuses={200})
        t.put("occurrence", body(range(100_000)), statuses={200})


@trial("100,001 items")
def too_many(t):
    """Just at and just over the limits of items and of an item's bytes."""
    while t.is_running:
        t.put("many", body(range(100_001)), statuses={413, 422})
        t.put("many", [{"id": 1, "t": "x" * ((1 << 20) + 1)}], statuses={413, 422})
        t.put("many", b" " * ((16 << 20) + 1), statuses={413, 0})
    t.put("many", body(range(100_000)), statuses={200, 201})


@trial("old versions of a large collection", quick=1.5)
def old_versions(t):
    """?version= and revert of old versions by several peers."""
    count = t.n(10_000, 80_000)
    versions = [t.put("old", body(range(k * 100, count + k * 100))).version for k in range(10)]

    def repeat(index):
        peer = Connection(t.address, 30)
        while t.is_running:
            status = peer.request("GET", path("old", tail=f"?version={random.choice(versions)}")).status
            t.expect(status in (200, 404, 410, 503), f"?version= got {status}")
            if index == 0:
                status = peer.request("POST", path("old", tail="/revert"), {"to": random.choice(versions)}).status
                t.expect(status in (200, 404, 405, 410, 503), f"revert got {status}")

    t.together(4, repeat)
