"""Sections 5, 6 and 9: edits, batches, reverts and deletions."""

import secrets

from ..document import Version, parse, same, text
from ..judge import judge, need
from ..place import A, B, EDITS, check, content, edit, numbered


@check("§9 each edit does what it says, all in one version; POST of the edits' type is PATCH")
def edits(place):
    def section(name, *ids):
        return {"id": name, "items": [{"id": i} for i in ids]}

    rows = [
        ({"op": "insert", "section": "s", "after": "a", "items": [{"id": "x"}]}, [("s", "axbc"), ("t", "d")]),
        ({"op": "insert", "section": "s", "before": "a", "items": [{"id": "x"}]}, [("s", "xabc"), ("t", "d")]),
        ({"op": "insert", "section": "s", "at": 1, "items": [{"id": "x"}, {"id": "y"}]}, [("s", "axybc"), ("t", "d")]),
        ({"op": "append", "section": "t", "items": [{"id": "x"}]}, [("s", "abc"), ("t", "dx")]),
        ({"op": "upsert", "section": "t", "first": True, "items": [{"id": "a"}, {"id": "x"}]}, [("s", "abc"), ("t", "xd")]),
        ({"op": "move", "ids": ["c"], "section": "s", "first": True}, [("s", "cab"), ("t", "d")]),
        ({"op": "move", "ids": ["a"], "section": "t", "last": True}, [("s", "bc"), ("t", "da")]),
        ({"op": "delete", "ids": ["b"]}, [("s", "ac"), ("t", "d")]),
        ({"op": "delete", "ids": ["z"], "missing": "ignore"}, [("s", "abc"), ("t", "d")]),
        ({"op": "insertSection", "id": "n", "first": True, "items": [{"id": "x"}]}, [("n", "x"), ("s", "abc"), ("t", "d")]),
        ({"op": "moveSection", "id": "s", "last": True}, [("t", "d"), ("s", "abc")]),
        ({"op": "deleteSection", "id": "s"}, [("t", "d")])]
    for n, (edit, wanted) in enumerate(rows):
        place.put({"sections": [section("s", *"abc"), section("t", "d")]})
        answer = place.ask("PATCH" if n % 2 else "POST", "", numbered({"edits": [edit]}), EDITS)
        place.expect(answer, 200)
        need(content(place) == [(s, list(ids)) for s, ids in wanted], f"{edit} gives {content(place)}")
    place.put([{"id": "a", "x": 1, "y": 2}])
    both = {"edits": [{"op": "merge", "id": "a", "value": {"x": None, "z": 3}}, {"op": "append", "section": "", "items": [{"id": "b"}]}]}
    seq = int(place.ask("GET").json["seq"])
    place.expect(place.ask("PATCH", "", numbered(both), EDITS), 200)
    found = place.ask("GET").json
    need(int(found["seq"]) == seq + 1 and same(found["sections"][0]["items"], numbered([{"id": "a", "y": 2, "z": 3}, {"id": "b"}])),
         "two edits, one version")


@check("§9 reload forces a reload of equal content")
def reload(place):
    first = place.version(A)
    place.expect(place.ask("PATCH", "", {"edits": [{"op": "reload", "ids": ["a"]}]}, EDITS), 200)
    found = place.ask("GET", f"/delta?since={first}").json
    need(found["kind"] == "delta" and list(found["items"]) == ["a"], text(found))


@check("§9 a JSON Patch is refused: 415 with Accept-Patch")
def json_patch(place):
    place.version(A)
    refused = place.expect(place.ask("PATCH", "", [], {"Content-Type": "application/json-patch+json", "If-Match": "*"}), 415)
    need("livedelta.edits" in refused.fields["Accept-Patch"], "Accept-Patch")


@check("§9 a batch is atomic: all, or none with the first failure's status")
def batch(place):
    writes = [{"collection": "one", "put": [{"id": "a"}]}, {"collection": "two", "edits": [{"op": "delete", "ids": ["x"]}]}]
    failed = place.service.ask("POST", f"{place.base}/batch", {"atomic": True, "writes": writes})
    need(failed.status == 404, f"the first failure's status, not {failed.status}")
    need(place.service.ask("GET", f"{place.base}/collections/one").status == 404, "nothing was written")
    done = place.service.ask("POST", f"{place.base}/batch", {"atomic": True, "writes": writes[:1]}).json
    need(int(done["results"][0]["status"]) == 201 and "version" in done["results"][0], "201")


@check("§5 revert makes a retained version the head: one delta, conditional as any write")
def revert(place):
    first, second = place.version(A), place.version(B)
    place.expect(place.ask("POST", "/revert", {"to": first}, {"If-Match": f'"{first}"'}), 412, "version-conflict")
    place.expect(place.ask("POST", "/revert", {"to": first}, {"If-Match": f'"{second}"'}), 200)
    judge(Version(numbered(B)), Version(numbered(A)), "staged", place.ask("GET", f"/delta?since={second}").json)


@check("§9 DELETE is 204 and ends the lineage; DELETE of a client forgets it")
def delete(place):
    token = place.version(A)
    need(place.ask("DELETE").status == 204 and place.ask("GET").status == 404, "gone")
    place.put(A, 201)
    need(place.ask("GET", f"/delta?since={token}").json["reset"]["reason"] == "lineage-changed", "another lineage")
    need(place.service.ask("DELETE", place.base).status == 204 and place.ask("GET").status == 404, "the client is gone")


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
