"""Sections 4, 13 and 15: views that scopes and claims impose, on a guarded service."""

import json

from ..document import parse, text
from ..judge import need
from ..place import B, check
from ..tokens import caller, marked, token

OPEN = {"sections": [{"id": "s", "title": "S", "items": [
    {"id": "a", "title": "A", "public": True, "n": 1}, {"id": "b", "title": "B", "public": False, "n": 2}]}], "meta": 1}


def hidden(place, ask):
    """What somebody sees who may see public items, their id and title."""
    def put(content):
        """Puts a content; the version as its writer and as the reader is shown it."""
        plain, answer = place.version(content), ask("GET", "")
        shown = answer.fields["Collection-Version"]
        need(shown == answer.json["version"] and marked(shown), f"a token with a mark: {shown}")
        need(plain.split(".")[2] not in str(answer.fields) + answer.body.decode(), "the plain token is shown nowhere")
        return plain, shown

    plain, first = put(OPEN)
    found = ask("GET", "")
    need([text(i) for i in found.json["sections"][0]["items"]] == ['{"id":"a","title":"A"}'], found.body.decode())
    need(int(found.json["view"]["total"]) == 1, "the numbers are of what is seen")
    need(found.json["sections"][0]["title"] == "S" and "meta" not in found.json, "headers are shown, meta is not")
    changed = parse(json.dumps(OPEN))
    changed["sections"][0]["items"][1]["n"] = 3
    _, second = put(changed)
    need(marked(first) == marked(second) and first.split(".")[2] != second.split(".")[2], f"{first} {second}")
    found = ask("GET", f"/delta?since={first}").json
    need(found["kind"] == "unchanged" or not found["items"], f"what is hidden changes nothing: {text(found)}")
    changed["sections"][0]["items"][0]["public"] = False
    changed["sections"][0]["items"][1]["public"] = True
    _, third = put(changed)
    found = ask("GET", f"/delta?since={second}").json
    need(found["to"] == third and found["deleted"] == ["a"] and not found.get("left"), f"what leaves it is deleted: {text(found)}")
    need(text(found["items"]) == '{"b":{"id":"b","title":"B"}}', text(found["items"]))
    for rest in (f"?version={first}", f"/delta?from={second}&to={third}", "/settings"):
        place.expect(ask("GET", rest), 403, "insufficient-scope")
    listed = [one["version"] for one in ask("GET", "/versions").json["versions"]]
    need(listed[:3] == [third, second, first], f"versions: {listed}")
    for token in (plain, third[:-1] + ("A" if third[-1] != "A" else "B")):
        found = ask("GET", f"/delta?since={token}").json
        need(found["kind"] == "snapshot" and found["reset"]["reason"] == "view-changed", f"{token}: {text(found)}")
        need(found["version"] == third and found["reset"]["oldest"] == first, text(found))
    found = ask("GET", "?where=/public:eq:false&select=/title,/n")
    need(found.status == 200 and not [i for s in found.json["sections"] for i in s["items"]], "the reader's terms are added")
    for rest in ("?where=/n:gt:0", "?order=/n"):
        need('"n"' not in ask("GET", rest).body.decode(), f"select is intersected: {rest}")
    place.expect(ask("PUT", "", OPEN), 403, "insufficient-scope")
    place.put(B, 412, If_Match=f'"{second}"')
    place.put(B, 200, If_Match=f'"{third}"')
    place.expect(place.ask("POST", "/revert", {"to": third}), 200)
    found = place.ask("GET", f"/delta?since={third}").json
    need(found["kind"] == "snapshot" and found["reset"]["reason"] == "view-changed", f"who sees all: {text(found)}")


@check("§15 a scope imposes a view on every resource of a collection; it never writes", "seen")
def imposed(place):
    one = caller(place, place.service.seen)
    hidden(place, lambda method, rest, body=None: one.ask(method, place.path(rest), body))


@check("§15 so does the claim `view` of a token; in streams and `sync`, too", "signing")
def claimed(place):
    view = {"where": ["/public:eq:true"], "select": "/id,/title"}
    one = caller(place, token(place, view=view))
    hidden(place, lambda method, rest, body=None: one.ask(method, place.path(rest), body))
    place.service.ask("DELETE", place.base)
    place.put(OPEN)
    held = one.ask("GET", place.path()).json["version"]
    answer, events = one.stream(place.path("/delta"))
    data = next(event for event in events if event.get("event") == "snapshot")["data"]
    need(answer.status == 200 and '"b"' not in data and "public" not in data, f"a stream: {data}")
    place.put({"sections": [{"id": "s", "title": "S", "items": []}]})
    found = parse(next(event for event in events if event.get("event") in ("delta", "snapshot"))["data"])
    need(found["kind"] == "delta" and found["deleted"] == ["a"] and found["from"] == held, text(found))
    events.close()
    place.put(OPEN)
    found = one.ask("POST", f"{place.base}/sync", {"collections": {"list": None}})
    need('"a"' in found.body.decode() and '"b"' not in found.body.decode(), f"sync: {found.body!r}")


CHANGES = [
    (None, {"where": ["/public:eq:true"]}, ["a"]), ({"where": ["/public:eq:true"]}, None, ["a", "b"]),
    ({"where": ["/public:eq:true"]}, {"where": ["/public:eq:false"]}, ["b"]),
    ({"select": "/title"}, {"select": "/title,/n"}, ["a", "b"]),
    ({"where": ["/public:eq:true"]}, {"where": ["/public:eq:true"], "show": "meta"}, ["a"]),
]


@check("§15 whose view changes begins anew with `view-changed`, however it asks; the same in other words does not", "signing")
def view_changed(place):
    place.put(OPEN)
    for number, (old, new, ids) in enumerate(CHANGES):
        path = f"{place.base}/collections/c{number}"
        place.expect(place.service.ask("PUT", path, OPEN), 201)
        before, after = (caller(place, token(place, view=view)) for view in (old, new))
        held = before.ask("GET", path).json["version"]
        need(bool(marked(held)) == (old is not None), held)
        strict = after.ask("GET", f"{path}/delta?since={held}", None, {"Prefer": "handling=strict"})
        place.expect(strict, 410, "view-changed")
        found = after.ask("GET", f"{path}/delta?since={held}&wait=20").json
        need(found["kind"] == "snapshot" and found["reset"]["reason"] == "view-changed", text(found))
        need([i["id"] for s in found["sections"] for i in s["items"]] == ids, text(found))
        need(bool(marked(found["version"])) == (new is not None), text(found))
        found = after.ask("GET", f"{path}/delta?since={found['version']}").json
        need(found["kind"] == "unchanged", f"and goes on from there: {text(found)}")
    same = [{"where": ["/n:le:1.0", '/title:eq:"A"']}, {"where": ["/title:eq:A", "/n:le:1", "/n:le:1"], "show": "headers"}]
    tokens = [caller(place, token(place, view=view)).ask("GET", place.path()).json["version"] for view in same]
    need(tokens[0] == tokens[1] and marked(tokens[0]), f"{tokens}")


@check("§15 a stream and a `sync` that resume with a token of another view begin anew, too", "signing")
def view_changed_streams(place):
    place.put(OPEN)
    old, new = ({"where": [f"/public:eq:{value}"]} for value in ("true", "false"))
    held = caller(place, token(place, view=old)).ask("GET", place.path()).json["version"]
    answer, events = caller(place, token(place, view=new)).stream(place.path("/delta"), {"Last-Event-ID": held})
    found = parse(next(event for event in events if event.get("event") == "snapshot")["data"])
    events.close()
    need(found["reset"]["reason"] == "view-changed" and found["sections"][0]["items"][0]["id"] == "b", text(found))
    found = caller(place, token(place, view=new)).ask("POST", f"{place.base}/sync", {"collections": {"list": held}})
    found = found.json["collections"]["list"]
    need(found["reset"]["reason"] == "view-changed" and marked(found["version"]), text(found))


@check("§15 a claim `view` that says nothing, stands twice or is not understood refuses: 403", "signing")
def no_view(place):
    place.put(OPEN)
    for view in ({}, [], "", 0, {"where": None}, {"where": []}, {"select": None}, {"where": ["/a:like:1"]}, {"show": "meta"},
                 {"where": ["/public:eq:true"], "order": ["/n"]}, {"where": ["/public:eq:true"], "select": None},
                 {"where": ["/public:eq:true"], "show": "settings"}):
        one = caller(place, token(place, view=view))
        for rest in ("", "/delta", "/versions", "?where=/n:exists"):
            answer = place.expect(one.ask("GET", place.path(rest)), 403, "insufficient-scope")
            need("public" not in answer.body.decode(), f"{view}")
        place.expect(one.ask("POST", f"{place.base}/sync", {"collections": {"list": None}}), 403, "insufficient-scope")


@check("§15 a view that tests a member which `equality.ignore` leaves out is refused", "signing")
def ignored(place):
    place.put({"settings": {"equality": {"ignore": ["/n"]}}, **OPEN})
    for where, status in (("/n:eq:1", 403), ("/n/x:absent", 403), ("/public:eq:true", 200)):
        one = caller(place, token(place, view={"where": [where]}))
        for rest in ("", "/delta"):
            need(one.ask("GET", place.path(rest)).status == status, f"{where} {rest}")


@check("§4 `changes` tells plain tokens only of what its credential may read whole", "seen")
def told_changes(place):
    streams = []
    for one in (place.service, caller(place, place.service.seen)):
        answer, events = one.stream(f"/v1/changes?client={place.name}")
        need(answer.status == 200, f"the feed: {answer.status}")
        need(next(event for event in events if event.get("event") not in (None, "ping"))["event"] == "bookmark", "at first")
        streams.append(events)
    plain = place.version(OPEN)
    found = [parse(next(event for event in events if event.get("event") == "change")["data"])["version"] for events in streams]
    for events in streams:
        events.close()
    need(found[0] == plain, f"{found}")
    need(marked(found[1]) and plain.split(".")[2] not in found[1], f"{found}")
