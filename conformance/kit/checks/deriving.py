"""Section 10: what a service makes of a writer's own JSON: ids, sections, order."""

import json

from ..document import same, text
from ..judge import need
from ..place import check, content


@check("§3, §10 identity: occurrence gives the k-th occurrence the id `id#k`; equality.ignore leaves members out")
def occurrence(place):
    place.put({"items": [{"id": "a"}, {"id": "a"}], "settings": {"identity": "occurrence"}})
    first = place.ask("GET").json["version"]
    place.put([{"id": "a"}])
    need(place.ask("GET", f"/delta?since={first}").json["deleted"] == ["a#2"], "a#2 is gone")
    place.ask("PATCH", "/settings", {"equality": {"ignore": ["/at"]}})
    place.put([{"id": "a", "at": 1}])
    need(place.put([{"id": "a", "at": 2}]).json["changed"] is False, "what is ignored changes nothing")


@check("§10 sectionBy and sortBy derive sections and order; changing sortBy is a delta of moves")
def derived(place):
    items = [{"id": str(n), "k": "xy"[n % 2], "n": n} for n in range(5)]
    settings = {"sectionBy": {"path": "/k"}, "sortBy": [{"path": "/n", "type": "number", "order": "desc"}]}
    first = place.version({"items": items, "settings": settings})
    need(content(place) == [("x", ["4", "2", "0"]), ("y", ["3", "1"])], text(content(place)))
    place.expect(place.ask("PATCH", "/settings", {"sortBy": [{"path": "/n", "type": "number", "order": "asc"}]}), 200)
    found = place.ask("GET", f"/delta?since={first}").json
    need([list(step) for step in found["steps"]] == [["move", "counts"]] and not found["items"], text(found["steps"]))


@check("§10 idPath, itemsPath and sectionsPath are of the writer's own JSON; emptySections: drop")
def paths(place):
    settings = {"idPath": "/key", "itemsPath": "/rows", "sectionsPath": "/groups", "emptySections": "drop"}
    place.put({"groups": [{"key": "s", "rows": [{"key": 1}]}, {"key": "t", "rows": []}], "settings": settings}, 201)
    found = place.ask("GET").json
    sections = found.get("groups", found.get("sections"))
    need(len(sections) == 1 and "1" in text(sections), f"one section of one item: {text(found)}")
    token = place.version({"groups": [{"key": "s", "rows": [{"key": 2}]}]})
    need(token == found["version"] or place.ask("GET", f"/delta?since={found['version']}").json["deleted"] == ["1"], "1 is gone")


@check("§10 sectionBy: headers, `other`, several paths; sortBy: text, number, date, desc, fold, natural, ids break ties")
def orders(place):
    items = [{"id": "1", "k": "x", "t": "X"}, {"id": "2"}, {"id": "3", "k": "x"}]
    place.put({"items": items, "settings": {"sectionBy": {"path": "/k", "headerFrom": ["/t"], "other": "rest"}}})
    need(content(place) == [("x", ["1", "3"]), ("rest", ["2"])], text(content(place)))
    need('"t":"X"' in text(place.ask("GET").json["sections"][0]), "the header")
    place.put([])
    place.expect(place.ask("PUT", "/settings", {"sectionBy": {"path": "/k"}}), 200)
    need(place.ask("PUT", "", [{"id": 1}]).status == 422, "an item without text there, and no `other`")
    rows = [({"path": "/v", "type": "number"}, [2, 10, -1, 1.5], [-1, 1.5, 2, 10]),
            ({"path": "/v", "type": "number", "order": "desc"}, [2, 10, 1], [10, 2, 1]),
            ({"path": "/v", "type": "text"}, ["b", "B", "a"], ["B", "a", "b"]),
            ({"path": "/v", "type": "text", "fold": True}, ["b", "C", "A"], ["A", "b", "C"]),
            ({"path": "/v", "type": "text", "natural": True}, ["n10", "n9", "n1"], ["n1", "n9", "n10"]),
            ({"path": "/v", "type": "date"}, ["2026-03-01T00:00:00+02:00", "2026-02-28T23:30:00Z", "2026-02-28"],
             ["2026-02-28", "2026-03-01T00:00:00+02:00", "2026-02-28T23:30:00Z"])]
    for sort, given, wanted in rows:
        place.service.ask("DELETE", place.base)
        place.put({"items": [{"id": f"i{n}", "v": v} for n, v in enumerate(given)], "settings": {"sortBy": [sort]}})
        found = [json.loads(text(item["v"])) for item in place.ask("GET").json["sections"][0]["items"]]
        need(found == wanted, f"{sort}: {found}")
    place.put([{"id": i, "v": "2026-02-28"} for i in "cab"])
    need(content(place)[0][1] == ["a", "b", "c"], "the id breaks ties")


@check("§10 animations are given back; inline settings")
def animations(place):
    animations = {"rows": {"insert": "fade"}}
    first = place.version({"items": [{"id": "a"}], "settings": {"animations": animations}})
    place.put([{"id": "b"}])
    found = place.ask("GET", f"/delta?since={first}").json
    need(same(found["animations"], animations), f"the animations, in {text(found)}")


@check("§10 sectionBy of several paths keeps apart what differs; dates are RFC 3339, a day, a local time or epoch seconds")
def derived_of_paths(place):
    items = [{"id": "1", "a": "x/y", "b": "z"}, {"id": "2", "a": "x", "b": "y/z"}, {"id": "3", "a": "x/y", "b": "z"}]
    place.put({"items": items, "settings": {"sectionBy": {"path": ["/a", "/b"], "headerFrom": ["/a", "/b"]}}})
    need([ids for _, ids in content(place)] == [["1", "3"], ["2"]], text(content(place)))
    place.service.ask("DELETE", place.base)
    dates = ["2026-03-01T12:00:00", "2026-03-01T10:00:00-01:00", 1772362800.5, "2026-03-01", 0]  # 11:00:00.5 of that day
    settings = {"sortBy": [{"path": "/v", "type": "date"}]}
    place.put({"items": [{"id": f"i{n}", "v": v} for n, v in enumerate(dates)], "settings": settings})
    need(content(place)[0][1] == ["i4", "i3", "i1", "i2", "i0"], text(content(place)))
