"""Settings with numbers and lists that nobody needs."""

from trial import trial
from wire import path

INT_MAX = 9223372036854775807


@trial("retention past the end of time")
def retention(t):
    """Every number of every setting at its extremes, then two writes."""
    values = [INT_MAX, INT_MAX - 1, 1 << 62, 1 << 32, 0, -1, -INT_MAX - 1, 1e300, 0.5, "1", None]
    names = [("retention", "seconds"), ("retention", "versions"), ("retention", "bytes")]
    names += [("dataCountAnimationThreshold", None), ("deltaCountAnimationThreshold", None)]
    for index, value in enumerate(values):
        for outer, inner in names:
            name = f"{outer}-{inner}-{index}"
            setting = {outer: {inner: value} if inner else value}
            first = t.put(name, {"settings": setting, "items": [{"id": 1}]})
            t.expect(first.status in (200, 201, 422), f"{setting} got {first.status}")
            if first.status in (200, 201):
                for n in range(3):
                    t.put(name, [{"id": 1, "n": n}, {"id": n + 2}], statuses={200})
                t.ask("GET", path(name, tail=f"/delta?since={first.version}"), statuses={200})


POINTERS = 200_000


def pointer_lists():
    many = [f"/p{k}" for k in range(POINTERS)]
    yield "sectionBy.path", {"sectionBy": {"path": ["/c"] * POINTERS}}
    yield "headerFrom", {"sectionBy": {"path": "/c", "headerFrom": many}}
    yield "equality.ignore", {"equality": {"ignore": many}}
    yield "sortBy", {"sortBy": [{"path": p} for p in many]}
    yield "bySection", {"animations": {"bySection": {p: {"rows": {"insert": "fade"}} for p in many}}}


@trial("200,000 pointers in settings")
def pointers(t):
    """Each list in the settings, with items that have to be held against all of it."""
    items = [{"id": k, "c": "abcdefg"[k % 7], "d": k} for k in range(t.n(2000, 20_000))]
    for name, setting in pointer_lists():
        seconds, answer = t.timed(t.put, "many", {"settings": setting, "items": items})
        t.expect(answer.status in (413, 422) or seconds < 5, f"{name} of {POINTERS} got {answer.status} in {seconds:.1f} s")
        seconds, _ = t.timed(t.put, "many", [dict(item, n=1) for item in items])
        t.expect(seconds < 5, f"a PUT after {name} takes {seconds:.1f} s")


@trial("long pointers in settings")
def long_pointers(t):
    """A pointer of a megabyte, and one of 300,000 steps."""
    rows = ["/" + "a" * 1_000_000, "/a" * 300_000, "/" + "~1" * 300_000, "/0" * 300_000]
    items = [{"id": k, "a": {"a": 1}} for k in range(1000)]
    for pointer in rows:
        for setting in ({"equality": {"ignore": [pointer]}}, {"sectionBy": {"path": pointer}},
                        {"sortBy": [{"path": pointer}]}, {"idPath": pointer}):
            seconds, answer = t.timed(t.put, "long", {"settings": setting, "items": items})
            t.expect(answer.status < 500 and seconds < 5, f"{list(setting)} got {answer.status} in {seconds:.1f} s")


@trial("derived section ids")
def derived_ids(t):
    """Sections made of items' members: their ids are held against the limit of ids."""
    setting = {"sectionBy": {"path": ["/a", "/b"]}}
    for size in (257, 5000, 500_000):
        answer = t.put("derived", {"settings": setting, "items": [{"id": 1, "a": "a" * size, "b": "b"}]})
        t.expect(answer.status in (413, 422), f"a section id of {size} bytes got {answer.status}")
    repeated = {"sectionBy": {"path": ["/a"] * 60}}
    answer = t.put("derived", {"settings": repeated, "items": [{"id": 1, "a": "a" * 250}]})
    t.expect(answer.status in (413, 422), f"a section id joined of 60 parts got {answer.status}")


@trial("animations of megabytes")
def animations(t):
    """Preferences of 8 MiB, which would come back with every delta."""
    t.put("animated", [{"id": 1}])
    blob = {"animations": {"rows": {"insert": "f" * (8 << 20)}}}
    deep = b'{"animations":' + b'{"a":' * 5000 + b"1" + b"}" * 5001
    for body in (blob, deep, {"animations": {f"k{k}": k for k in range(300_000)}}):
        answer = t.ask("PUT", path("animated", tail="/settings"), body)
        t.expect(answer.status < 500, f"animations got {answer.status}")
    version = t.put("animated", [{"id": 1, "n": 0}]).version
    for n in range(t.n(20, 300)):
        answer = t.put("animated", [{"id": 1, "n": n + 1}])
        t.ask("GET", path("animated", tail=f"/delta?since={version}"), statuses={200})
        version = answer.version
    answer = t.ask("GET", path("animated", tail="/delta?since="))
    t.expect(len(answer.body) < 2 << 20, f"a list of one item is told in {len(answer.body)} bytes")


@trial("settings that rearrange everything", quick=1.5)
def flips(t):
    """Sorting and sectioning of a large list, another way each time."""
    count = t.n(20_000, 100_000)
    t.put("flips", [{"id": k, "a": str(k % 5000), "n": (k * 7919) % count} for k in range(count)], statuses={201})
    ways = [{"sortBy": [{"path": "/n", "type": "number", "order": "desc"}]}, {"sectionBy": {"path": "/a"}},
            {"sortBy": [{"path": "/a", "type": "text"}, {"path": "/n", "type": "number"}]}, {"identity": "occurrence"}, {}]
    while t.is_running:
        for way in ways:
            t.ask("PUT", path("flips", tail="/settings"), way, statuses={200})
            if not t.is_running:
                return


@trial("settings of other shapes", limit=60)
def shapes(t):
    """Every setting with a value of every other type."""
    names = ["identity", "equality", "idPath", "itemsPath", "sectionsPath", "sectionBy", "sortBy", "emptySections",
             "dataCountAnimationThreshold", "animations", "retention"]
    values = [None, True, 1, -1, "", "x", "/", [], [[]], [{}], {}, {"path": 1}, {"path": ["/a"] * 100}, {"bytes": "x"}]
    t.put("shapes", [{"id": 1, "a": "x"}])
    while t.is_running:
        for name in names:
            for value in values:
                answer = t.ask("PUT", path("shapes", tail="/settings"), {name: value})
                t.expect(answer.status < 500, f"{name}={value} got {answer.status}")
                answer = t.ask("PATCH", path("shapes", tail="/settings"), {name: {"x": value}},
                               {"Content-Type": "application/merge-patch+json"})
                t.expect(answer.status < 500, f"{name}.x={value} got {answer.status}")
            t.put("shapes", [{"id": 1, "a": "y"}])
