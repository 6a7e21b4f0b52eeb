"""Sections 5, 9, 10 and 12, sentence by sentence, as far as checks_writing does not have them."""

import json
import secrets
import time

from .asking import events
from .checks import A, B, check, need
from .checks_writing import EDITS, content
from .document import Version, parse, same, text
from .judge import judge

JSON = {"Content-Type": "application/json"}


def numbered(value):
    return parse(json.dumps(value))


def edit(place, *edits, **headers):
    return place.ask("PATCH", "", {"edits": list(edits)}, {**EDITS, **{k.replace("_", "-"): v for k, v in headers.items()}})


@check("§9 If-Match: any strong form of the ETag of now, quotes or none, a list, `*`; a weak one never")
def preconditions(place):
    place.expect(place.ask("PUT", "", A, {"If-Match": "*"}), 412)
    token = place.version({"sections": [{"id": "s", "items": [{"id": n, "t": "x" * 40} for n in range(40)]}]})
    for form in ("identity", "gzip", "{}", '"{}"', '"x.1.y", "{}"', "*"):
        value = form.format(token)
        if form in ("identity", "gzip"):
            value = place.ask("GET", "", None, {"Accept-Encoding": form}).fields["ETag"]
        need(edit(place, {"op": "reload", "ids": ["1"]}, If_Match=f'W/"{token}"').status == 412, "a weak one never")
        token = place.expect(edit(place, {"op": "reload", "ids": ["1"]}, If_Match=value), 200).json["version"]
    place.expect(place.ask("PUT", "", A, {"If-None-Match": "*"}), 412)
    answer = place.ask("PUT", "", A, {"Collection-If-Version": "aaaaaaaa.1.aaaaaaaaaaaaaaaa"})
    need(place.expect(answer, 412, "version-conflict").json["current"] == place.ask("GET").json["version"], "current")


@check("§9 Idempotency-Key: on edits and batches, with the representation that was asked for; 129 bytes are refused")
def keys(place):
    place.put(A)
    key = secrets.token_hex(8)
    first = edit(place, {"op": "append", "section": "s", "items": [{"id": "x"}]}, Idempotency_Key=key, Prefer="return=delta")
    place.put(B)
    again = edit(place, {"op": "append", "section": "s", "items": [{"id": "x"}]}, Idempotency_Key=key, Prefer="return=delta")
    need(again.fields["Idempotency-Replayed"] == "true" and again.json["kind"] == "delta", "its representation, too")
    need(again.json["to"] == first.json["to"], "the first answer")
    need(edit(place, {"op": "reload", "ids": ["a"]}, Idempotency_Key=key).code == "idempotency-key-reuse", "another body")
    body = {"atomic": True, "writes": [{"collection": "one", "put": []}]}
    for number in (0, 1):
        answer = place.service.ask("POST", f"{place.base}/batch", body, {"Idempotency-Key": key + "b"})
        need(int(answer.json["results"][0]["status"]) == 201, "the batch is made once")
        need(("Idempotency-Replayed" in answer.fields) == bool(number), "and replayed")
    need(place.put([], None, Idempotency_Key="k" * 128).status == 200, "128 bytes are taken")
    place.expect(place.ask("PUT", "", [], {"Idempotency-Key": "k" * 129}), 400)


@check("§9 edits: sections are changed and moved; upsert leaves an id in its place; merge is RFC 7396 and keeps the id")
def sections(place):
    start = {"sections": [{"id": "s", "title": "S", "items": [{"id": "a", "x": 1}, {"id": "b"}]}, {"id": "t", "items": []}]}
    rows = [({"op": "updateSection", "id": "s", "value": {"title": "T", "n": 1}}, "sections"),
            ({"op": "moveSection", "id": "t", "before": "s"}, [("t", []), ("s", ["a", "b"])]),
            ({"op": "moveSection", "id": "s", "at": 1}, [("t", []), ("s", ["a", "b"])]),
            ({"op": "insertSection", "id": "n", "title": "N", "after": "s"}, [("s", ["a", "b"]), ("n", []), ("t", [])]),
            ({"op": "upsert", "section": "t", "last": True, "items": [{"id": "a", "x": 2}]}, [("s", ["a", "b"]), ("t", [])]),
            ({"op": "insert", "section": "t", "last": True, "items": [{"id": "y"}, {"id": "z"}]},
             [("s", ["a", "b"]), ("t", ["y", "z"])]),
            ({"op": "move", "ids": ["b", "a"], "before": "a", "section": "s"}, None),
            ({"op": "move", "ids": ["b"], "section": "s", "before": "a"}, [("s", ["b", "a"]), ("t", [])])]
    for one, wanted in rows:
        place.put(start)
        answer = edit(place, one)
        if wanted is None:
            need(answer.status in (200, 409, 422), f"{one}: {answer.status}")
        elif wanted == "sections":
            header = {k: v for k, v in place.ask("GET").json["sections"][0].items() if k != "items"}
            need(same(header, numbered({"id": "s", "title": "T", "n": 1})), text(header))
        else:
            place.expect(answer, 200)
            need(content(place) == wanted, f"{one} gives {content(place)}")
    place.put(start)
    place.expect(edit(place, {"op": "merge", "id": "a", "value": {"o": {"p": 1, "q": None}, "x": None}}), 200)
    need(same(place.ask("GET").json["sections"][0]["items"][0], numbered({"id": "a", "o": {"p": 1}})), "RFC 7396")
    need(edit(place, {"op": "merge", "id": "a", "value": {"id": "c"}}).status in (409, 422), "the id cannot change")
    need(content(place) == [("s", ["a", "b"]), ("t", [])], "and nothing does")


@check("§9 an edit that cannot be made is told by a pointer to it; nothing is applied; a misspelt member by its nearest name")
def conflicts(place):
    place.put(A)
    before = place.ask("GET").body
    good = {"op": "delete", "ids": ["a"]}
    for bad in ({"op": "delete", "ids": ["z"]}, {"op": "move", "ids": ["b"], "section": "z", "first": True},
                {"op": "insert", "section": "s", "after": "z", "items": [{"id": "y"}]}, {"op": "merge", "id": "z", "value": {}}):
        found = place.expect(edit(place, good, bad), 409, "edit-conflict").json
        need(found["errors"][0]["pointer"].startswith("/edits/1"), text(found))
    for bad, name in (({"op": "delete", "idz": ["a"]}, "ids"), ({"op": "deleet", "ids": ["a"]}, "delete")):
        found = place.expect(edit(place, good, bad), 422).json
        need(found["errors"][0]["pointer"].startswith("/edits/1") and name in text(found), text(found))
    for position in ({}, {"at": 0, "last": True}, {"before": "a", "after": "b"}, {"at": 3}, {"at": -1}):
        answer = edit(place, good, {"op": "insert", "section": "s", "items": [{"id": "y"}], **position})
        need(answer.status in (409, 422), f"{position}: {answer.status}")
    need(place.ask("GET").body == before, "nothing was applied")
    refused = place.expect(place.ask("PATCH", "", "{}", {"Content-Type": "application/merge-patch+json"}), 415)
    need("livedelta.edits" in refused.fields["Accept-Patch"], "Accept-Patch")


@check("§9 a batch: results with version or problem, ifVersion, deletions; not atomic each for itself; 424 of the innocent")
def batches(place):
    def ask(atomic, *writes):
        return place.service.ask("POST", f"{place.base}/batch", {"atomic": atomic, "writes": list(writes)})

    token = place.version(A)
    done = place.expect(ask(True, {"collection": "list", "put": B, "ifVersion": token}, {"collection": "new", "put": []}), 200)
    need([int(r["status"]) for r in done.json["results"]] == [200, 201], text(done.json))
    need([r["collection"] for r in done.json["results"]] == ["list", "new"], "in order")
    failed = ask(True, {"collection": "new", "put": [{"id": 1}]}, {"collection": "list", "put": A, "ifVersion": token})
    place.expect(failed, 412, "version-conflict")
    results = failed.json["results"]
    need([int(r["status"]) for r in results] == [424, 412] and results[0]["problem"]["code"] == "not-applied", text(results))
    each = place.expect(ask(False, {"collection": "list", "put": A, "ifVersion": token}, {"collection": "new", "delete": True}), 200)
    need([int(r["status"]) for r in each.json["results"]][0] == 412, "each for itself")
    need(int(each.json["results"][1]["status"]) in (200, 204), "a deletion")
    need(place.service.ask("GET", f"{place.base}/collections/new").status == 404, "it is gone")


@check("§5 revert is idempotent as any write; §9 DELETE takes a precondition")
def reverts(place):
    first, second = place.version(A), place.version(B)
    key = {"Idempotency-Key": secrets.token_hex(8)}
    one = place.expect(place.ask("POST", "/revert", {"to": first}, key), 200)
    place.put(B)
    two = place.expect(place.ask("POST", "/revert", {"to": first}, key), 200)
    need(two.fields["Idempotency-Replayed"] == "true" and one.json["version"] == two.json["version"], "the first answer again")
    place.expect(place.ask("DELETE", "", None, {"If-Match": f'"{second}"'}), 412, "version-conflict")
    need(place.ask("DELETE", "", None, {"If-Match": place.ask("GET").fields["ETag"]}).status == 204, "204")


@check("§9, §12 limits hold for what comes of edits too; edits have at most 1,000; bounds of settings are told")
def bounds(place):
    told = place.service.ask("GET", "/v1").json
    place.put([{"id": "a", "x": ""}])
    item = int(told["limits"]["itemBytes"])
    answer = edit(place, {"op": "merge", "id": "a", "value": {"x": "x" * item}})
    need(answer.status in (413, 422), f"a large item of an edit: {answer.status}")
    answer = edit(place, *[{"op": "reload", "ids": ["a"]}] * (int(told["limits"]["edits"]) + 1))
    need(answer.status in (413, 422), f"1,001 edits: {answer.status}")
    need(edit(place, {"op": "append", "section": "", "items": [{"id": "x" * 257}]}).status == 422, "an id of 257 bytes")
    deep = json.loads("[" * 64 + "]" * 64)
    place.expect(edit(place, {"op": "merge", "id": "a", "value": {"x": deep}}), 422, "too-deep")
    need(int(place.ask("GET").json["seq"]) == 1, "nothing changed")
    for name, bounds_of in told["settings"].items():
        if "max" in bounds_of:
            answer = place.ask("PATCH", "/settings", {name: int(bounds_of["max"]) + 1})
            place.expect(answer, 422)
    many = {"equality": {"ignore": [f"/{n}" for n in range(int(told["limits"]["settingsListMax"]) + 1)]}}
    place.expect(place.ask("PATCH", "/settings", many), 422)


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


@check("§13 the feed of changes tells client, name and version of each, from Last-Event-ID on, by client or prefix")
def feed(place):
    def follow(query, headers=None):
        connection = place.service.connect()
        connection.request("GET", f"{place.service.base}/v1/changes{query}", None,
                           place.service.fields({"Accept": "text/event-stream", **(headers or {})}))
        answer = connection.getresponse()
        need(answer.status == 200, f"changes: {answer.status}")
        return connection, (e for e in events(iter(answer.readline, b"")) if e.get("event") in ("change", "deleted"))

    connection, found = follow(f"?client={place.name}")
    token = place.version(A)
    event = next(found)
    told = parse(event["data"])
    need((told["client"], told["name"], told["version"]) == (place.name, "list", token), text(told))
    connection.close()
    place.put(B)
    place.ask("DELETE")
    connection, found = follow(f"?prefix={place.name[:12]}", {"Last-Event-ID": event["id"]})
    ours = (e for e in found if parse(e["data"])["client"] == place.name)
    started = time.monotonic()
    kinds = [next(ours)["event"]]
    if kinds == ["change"]:
        kinds.append(next(ours)["event"])
    need(kinds[-1] == "deleted" and time.monotonic() - started < 60, f"what came since: {kinds}")
    connection.close()


@check("§6 after edits of any kind the delta obeys the laws, and so do deltas over many versions")
def laws(place):
    versions = [(place.version(A), A)]
    for one in ({"op": "move", "ids": ["b"], "section": "s", "first": True},
                {"op": "insertSection", "id": "n", "first": True, "items": [{"id": "x"}]},
                {"op": "move", "ids": ["a"], "section": "n", "last": True}, {"op": "merge", "id": "b", "value": {"n": 9}},
                {"op": "deleteSection", "id": "s"}):
        edit(place, numbered(one))
        now = place.ask("GET").json
        versions.append((now["version"], {"sections": now["sections"], "meta": now["meta"]}))
    for number, (token, old) in enumerate(versions):
        for later, (_, new) in enumerate(versions[number + 1:], number + 1):
            found = place.ask("GET", f"/delta?from={token}&to={versions[later][0]}").json
            judge(Version(parse(text(old)) if number else numbered(old)), Version(parse(text(new))), "staged", found)


@check("§12 a collection has at most as many items and sections as is told, and a client as many collections")
def many(place):
    told = place.service.ask("GET", "/v1").json["limits"]
    items = int(told["items"])
    found = place.ask("PUT", "", "[" + ",".join('{"id":%d}' % n for n in range(items + 1)) + "]", JSON)
    place.expect(found, found.status, "too-many-items")
    need(found.status in (413, 422) and int(found.json["limit"]) == items, f"{items} items: {found.body[:200]!r}")
    sections = ",".join('{"id":%d,"items":[]}' % n for n in range(int(told["sections"]) + 1))
    found = place.ask("PUT", "", '{"sections":[' + sections + "]}", JSON)
    need(found.status in (413, 422) and found.json["limit"] == told["sections"], f"sections: {found.body[:200]!r}")
    need(place.ask("GET").status == 404, "nothing was written")
    statuses = [place.service.ask("PUT", f"{place.base}/collections/c{n}", "[]", JSON).status
                for n in range(int(told["collectionsPerClient"]) + 1)]
    need(set(statuses[:-1]) == {201} and statuses[-1] in (413, 422, 429), f"the last collection: {statuses[-1]}")
