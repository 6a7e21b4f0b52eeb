"""Edits and JSON Patches that cost more than they say."""

import json

from trial import trial
from wire import path


def json_patch(t, name, operations, statuses=None):
    headers = {"If-Match": "*"}
    version = t.ask("GET", path(name, tail="/delta?since=")).version
    return t.patch(name, operations, "json-patch", {"Collection-If-Version": version}, statuses)


@trial("JSON Patch that doubles")
def doubling(t):
    """Copies of a document into itself: 40 lines ask for a terabyte."""
    refused = {400, 409, 413, 422}
    t.put("doubling", {"items": [{"id": 1, "a": ["x" * 50]}], "meta": ["x" * 50]}, statuses={201})
    for count in (27, 40, 900):
        into = [{"op": "copy", "from": "/meta", "path": "/meta/-"}] * count
        json_patch(t, "doubling", into, refused)
        into = [{"op": "copy", "from": "/sections/0/items/0/a", "path": "/sections/0/items/0/a/-"}] * count
        json_patch(t, "doubling", into, refused)
    around = [{"op": "copy", "from": "/meta", "path": "/meta/0"}, {"op": "move", "from": "/meta/0", "path": "/meta/1"}] * 40
    json_patch(t, "doubling", around, refused)


@trial("JSON Patch that nests")
def nesting(t):
    """A list copied into its own innermost element doubles its depth each time."""
    t.put("nesting", {"items": [{"id": 1}], "meta": [[]]}, statuses={201})
    operations, depth = [], 2
    while depth < 40_000 and len(json.dumps(operations)) < 400_000:
        operations.append({"op": "copy", "from": "/meta", "path": "/meta" + "/0" * (depth - 1) + "/-"})
        depth *= 2
    json_patch(t, "nesting", operations, {400, 409, 413, 422})
    long = [{"op": "add", "path": "/meta" + "/0" * 50_000, "value": 1}]
    json_patch(t, "nesting", long, {400, 409, 413, 422})


@trial("JSON Patch that compares numbers")
def comparing(t):
    """`test` compares numbers by value, RFC 6902 §4.6, and large values in time."""
    t.put("comparing", {"items": [{"id": 1}], "meta": {"n": 1, "e": 100, "l": [1] * 50_000}}, statuses={201})
    for name, value in (("n", b"1.0"), ("e", b"1e2"), ("n", b"10e-1")):
        body = b'[{"op":"test","path":"/meta/%s","value":%s}]' % (name.encode(), value)
        answer = json_patch(t, "comparing", body)
        t.expect(answer.status in (200, 204), f"test of {value!r} got {answer.status}")
    many = [{"op": "test", "path": "/meta/l", "value": [1] * 50_000}] * 60
    seconds, _ = t.timed(json_patch, t, "comparing", many)
    t.expect(seconds < 5, f"60 tests of 50,000 numbers take {seconds:.1f} s")
    edge = b'[{"op":"test","path":"/meta/n","value":1e%s}]' % (b"9" * 400)
    t.expect(json_patch(t, "comparing", edge).status < 500, "an exponent of 400 digits is 5xx")


@trial("JSON Patch of many steps")
def many_steps(t):
    """Insertions at the front of a long list, 1,000 a request."""
    t.put("steps", [{"id": k} for k in range(t.n(20_000, 90_000))], statuses={201})
    while t.is_running:
        front = [{"op": "add", "path": "/sections/0/items/0", "value": {"id": f"a{k}"}} for k in range(900)]
        seconds, answer = t.timed(json_patch, t, "steps", front)
        t.expect(answer.status < 500 and seconds < 5, f"900 insertions got {answer.status} in {seconds:.1f} s")
        back = [{"op": "remove", "path": "/sections/0/items/0"}] * 900
        seconds, answer = t.timed(json_patch, t, "steps", back)
        t.expect(answer.status < 500 and seconds < 5, f"900 removals got {answer.status} in {seconds:.1f} s")


def compare_with_put(t, name, before, edit, after):
    """An edit may take ten times as long as the PUT of its result, a quarter of a second at least."""
    t.put(name, before, statuses={201})
    edit_seconds, answer = t.timed(t.patch, name, {"edits": [edit]})
    t.expect(answer.status == 200, f"{name} got {answer.status}")
    t.put(f"{name}-put", before, statuses={201})
    put_seconds, answer = t.timed(t.put, f"{name}-put", after)
    t.expect(edit_seconds < max(0.25, 10 * put_seconds), f"{name} takes {edit_seconds:.2f} s, PUT {put_seconds:.2f} s")


@trial("long edits", limit=100)
def long_edits(t):
    """Appending 49,000 items, deleting 90,000 of 99,000."""
    items = [{"id": f"i{k}"} for k in range(99_000)]
    compare_with_put(t, "append", items[:49_000], {"op": "append", "section": "", "items": items[49_000:98_000]}, items[:98_000])
    ids = [item["id"] for item in items[9_000:]]
    compare_with_put(t, "delete", items, {"op": "delete", "ids": ids}, items[:9_000])
    if not t.is_quick:
        ids = [item["id"] for item in items]
        compare_with_put(t, "move", items, {"op": "move", "ids": ids[::-1], "section": "", "first": True}, items[::-1])
        compare_with_put(t, "upsert", items, {"op": "upsert", "section": "", "last": True,
                         "items": [dict(i, n=1) for i in items]}, [dict(i, n=1) for i in items])


@trial("merge of 20,000 members")
def merging(t):
    """A merge patch of as many members as the item has."""
    count = t.n(20_000, 50_000)
    t.put("merging", [{"id": 1, "o": {f"m{k}": 1 for k in range(count)}}], statuses={201})
    patch = {f"m{k}": 2 for k in reversed(range(count))}
    seconds, answer = t.timed(t.patch, "merging", {"edits": [{"op": "merge", "id": 1, "value": {"o": patch}}]})
    t.expect(answer.status == 200 and seconds < 1.5, f"the merge got {answer.status} in {seconds:.1f} s")
    deep = b'{"edits":[{"op":"merge","id":1,"value":' + b'{"a":' * 60_000 + b"1" + b"}" * 60_000 + b"}]}"
    t.patch("merging", deep, statuses={400, 413, 422})


@trial("1,000 edits of everything", quick=1.5)
def everything(t):
    """As many edits as are taken, each of which touches the whole list."""
    count = t.n(20_000, 90_000)
    t.put("everything", [{"id": k} for k in range(count)], statuses={201})
    kinds = [{"op": "move", "ids": [count - 1], "section": "", "first": True},
             {"op": "move", "ids": [*range(100)], "section": "", "last": True}]
    while t.is_running:
        for edit in kinds:
            seconds, answer = t.timed(t.patch, "everything", {"edits": [edit] * 999})
            t.expect(answer.status < 500 and seconds < 5, f"999 × {edit['op']} got {answer.status} in {seconds:.1f} s")


@trial("a collection that grows by PATCH", quick=6, full=30, limit=60)
def growing(t):
    """Fifteen mebibytes more with each PATCH: refused with 413 somewhere below 200 MiB."""
    t.put("growing", [], statuses={201})
    text, statuses = "x" * 1_000_000, []
    for round in range(t.n(13, 60)):
        items = [{"id": f"{round}-{k}", "t": text} for k in range(15)]
        statuses.append(t.patch("growing", {"edits": [{"op": "append", "section": "", "items": items}]}).status)
        if statuses[-1] != 200:
            break
    if statuses[0] in (404, 409):
        t.expect(False, f"the first PATCH got {statuses[0]}")
    t.expect(statuses[-1] == 413, f"{len(statuses) * 15} MB by PATCH: the last got {statuses[-1]}, not 413")
    if statuses[-1] == 413:
        t.note(f"413 after {15 * (len(statuses) - 1)} MB")


@trial("short numbers by the million", quick=1, full=4, limit=60)
def short_numbers(t):
    """Lists of one-digit numbers take many times their bytes when a whole collection is read at once."""
    numbers = "[" + ",".join("0" * (500_000)) + "]"
    lists = [",".join('{"id":"%d-%d","v":%s}' % (turn, k, numbers) for k in range(13)) for turn in range(t.n(2, 5))]
    t.put("numbers", [], statuses={201})
    for items in lists:
        body = '{"edits":[{"op":"append","section":"","items":[%s]}]}' % items
        t.patch("numbers", body.encode(), statuses={200})
    json_patch(t, "numbers", [{"op": "add", "path": "/meta", "value": {"a": 1}}], {413})
    merge_patch = {"Content-Type": "application/merge-patch+json"}
    t.ask("PATCH", path("numbers", tail="/settings"), {"idPath": "/v/0"}, merge_patch, {413})
    while t.is_running:
        t.patch("numbers", {"edits": [{"op": "merge", "id": "0-0", "value": {"n": 1}}]}, statuses={200})
