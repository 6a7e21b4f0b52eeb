"""Edits that cost more than they say."""

from trial import trial
from wire import path


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
    merge_patch = {"Content-Type": "application/merge-patch+json"}
    t.ask("PATCH", path("numbers", tail="/settings"), {"idPath": "/v/0"}, merge_patch, {413})
    while t.is_running:
        t.patch("numbers", {"edits": [{"op": "merge", "id": "0-0", "value": {"n": 1}}]}, statuses={200})
