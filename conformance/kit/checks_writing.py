"""Sections 3 and 9 to 12: what a writer gets."""

import gzip
import secrets

from .checks import A, B, VECTORS, check, need
from .document import Version, parse, same, text
from .judge import Wrong, judge

EDITS = {"Content-Type": "application/vnd.livedelta.edits+json"}


def content(place):
    return [(s["id"], [str(i["id"]) for i in s["items"]]) for s in place.ask("GET").json["sections"]]


@check("§3 PUT: 201 and Location when created, else 200; what changed is counted; equal content makes no version")
def put(place):
    first = place.put(A, 201)
    need("Location" in first.fields and first.json["previous"] is None and first.json["changed"] is True, "created")
    need(first.fields["Collection-Version"] == first.json["version"], "Collection-Version")
    equal = {"meta": A["meta"], "sections": [{"items": A["sections"][0]["items"], "title": "S", "id": "s"}]}
    same_again = place.put(equal, 200).json
    need(same_again["changed"] is False and same_again["version"] == first.json["version"], "equal content")
    second = place.put(B, 200).json
    need(second["previous"] == first.json["version"] and int(second["seq"]) == 2, "previous and seq")
    need(text(second["counts"], True) == '{"deleted":0,"inserted":1,"moved":1,"reloaded":1,"sectionsDeleted":0,'
         '"sectionsInserted":0,"sectionsMoved":0,"sectionsReloaded":0}', text(second["counts"]))


@check("§3 Prefer: return=minimal, representation, delta; each with Preference-Applied")
def prefer(place):
    minimal = place.put(A, 204, Prefer="return=minimal")
    need(minimal.fields["Preference-Applied"] == "return=minimal" and not minimal.body, "204")
    delta = place.put(B, 200, Prefer="return=delta")
    need(delta.fields["Preference-Applied"] == "return=delta", "return=delta")
    judge(Version(parse(text(numbered(A)))), Version(parse(text(numbered(B)))), "staged", delta.json)
    whole = place.put(A, 200, Prefer="return=representation")
    need(whole.json["kind"] == "snapshot", "return=representation")


def numbered(value):
    import json
    return parse(json.dumps(value))


@check("§3 every refusal of the vectors has its status and code, and changes nothing")
def errors(place):
    place.put({"sections": [{"id": "s", "items": [{"id": "a"}, {"id": "b"}]}]})
    before, wrong = place.ask("GET").body, []
    for vector in parse((VECTORS / "errors.json").read_text(encoding="utf-8")):
        body = vector.get("body")
        path = vector["path"].replace("{client}", place.name)
        answer = place.service.ask(vector["method"], path, text(body) if isinstance(body, (dict, list)) else body,
                                   vector.get("headers"))
        try:
            place.expect(answer, int(vector["status"]), vector["code"])
        except Wrong as error:
            wrong.append(f"{vector['name']}: {error}")
        if answer.status == 405:
            need("Allow" in answer.fields, "405 has Allow")
    need(not wrong, "\n    ".join(wrong))
    need(place.ask("GET").body == before, "nothing changed")


@check("§3 a duplicate has a pointer to each occurrence")
def duplicate(place):
    found = place.expect(place.ask("PUT", "", [{"id": "a"}, {"id": 1}, {"id": "a"}]), 422, "duplicate-id").json
    need([e["pointer"] for e in found["errors"]] == ["/items/0/id", "/items/2/id"] or
         [e["pointer"] for e in found["errors"]] == ["/0/id", "/2/id"], text(found["errors"]))


@check("§3, §10 identity: occurrence gives the k-th occurrence the id `id#k`; equality.ignore leaves members out")
def occurrence(place):
    place.put({"items": [{"id": "a"}, {"id": "a"}], "settings": {"identity": "occurrence"}})
    first = place.ask("GET").json["version"]
    place.put([{"id": "a"}])
    need(place.ask("GET", f"/delta?since={first}").json["deleted"] == ["a#2"], "a#2 is gone")
    place.ask("PATCH", "/settings", {"equality": {"ignore": ["/at"]}})
    place.put([{"id": "a", "at": 1}])
    need(place.put([{"id": "a", "at": 2}]).json["changed"] is False, "what is ignored changes nothing")


@check("§9 If-Match and Collection-If-Version: 412 with what is current; If-None-Match: * creates only")
def conditional(place):
    first = place.put(A, 201, If_None_Match="*").json["version"]
    second = place.put(B, 200, If_Match=f'"{first}"').json["version"]
    for headers in ({"If-Match": f'"{first}"'}, {"If-Match": first}, {"Collection-If-Version": first}):
        answer = place.expect(place.ask("PUT", "", A, headers), 412, "version-conflict")
        need(answer.json["current"] == second, "current")
    weak = place.expect(place.ask("PUT", "", A, {"If-Match": f'W/"{second}"'}), 412, "version-conflict")
    need("weak" in weak.json["detail"] and "Collection-If-Version" in weak.json["detail"], "a weak tag is told to be one")
    place.put(A, 200, Collection_If_Version=second)
    place.put(B, 200, If_Match=place.ask("GET").fields["ETag"])


@check("§9 Idempotency-Key: the first answer again; another body: 422")
def idempotent(place):
    key = secrets.token_hex(8)
    first = place.put(A, 201, Idempotency_Key=key)
    place.put(B)
    again = place.put(A, 201, Idempotency_Key=key)
    need(again.fields["Idempotency-Replayed"] == "true" and again.json["version"] == first.json["version"], "replayed")
    need(int(place.ask("GET").json["seq"]) == 2, "it was made once")
    place.expect(place.ask("PUT", "", B, {"Idempotency-Key": key}), 422, "idempotency-key-reuse")
    typed = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(8)}
    place.expect(place.ask("PUT", "", '[{"id":"a","n":1}]', typed), 200)
    spelled = place.expect(place.ask("PUT", "", '[ {"n" : 1, "\\u0069d":"a"} ]', typed), 200)
    need(spelled.fields["Idempotency-Replayed"] == "true", "the same JSON, spelled otherwise, is the same request")


@check("§9 a member that stands twice is refused in every JSON that is taken: 422 with a pointer")
def doubled(place):
    place.put(A)
    typed = {"Content-Type": "application/json"}
    rows = [
        ("PUT", place.path(), '{"items":[],"items":[]}', typed, "/items"),
        ("PUT", place.path("/settings"), '{"audience":"private","audience":"public"}', typed, "/audience"),
        ("PATCH", place.path(), '{"edits":[{"op":"reload","op":"delete","ids":["a"]}]}', EDITS, "/edits/0/op"),
        ("PATCH", place.path(), '{"edits":[],"edits":[]}', EDITS, "/edits"),
        ("POST", place.path("/revert"), '{"to":"x","to":"y"}', typed, "/to"),
        ("POST", f"{place.base}/batch", '{"writes":[{"collection":"c","collection":"d","put":[]}]}', typed, "/writes/0/collection"),
        ("POST", f"{place.base}/sync", '{"collections":{"list":null,"list":null}}', typed, "/collections/list"),
        ("POST", "/v1/diff", '{"old":[],"new":[],"old":[]}', typed, "/old")]
    for method, path, body, fields, pointer in rows:
        answer = place.service.ask(method, path, body, fields)
        need(answer.status == 422, f"{body}: {answer.status}")
        need(answer.json["errors"][0]["pointer"] == pointer, f"{pointer}, not {text(answer.json)}")


@check("§3 half of a surrogate pair is refused: 400 bad-json with the pointer and the id of the item")
def half(place):
    answer = place.ask("PUT", "", '[{"id":"x","t":"Hi \\ud83d"}]', {"Content-Type": "application/json"})
    place.expect(answer, 400, "bad-json")
    need(answer.json["errors"][0]["pointer"] == "/0/t" and '"x"' in answer.json["detail"], text(answer.json))


@check("§9 a parameter that names no dialect is refused, whatever the write is answered with")
def parameters(place):
    token = place.version(A)
    need(place.ask("PUT", "?dialect=nope", B).status == 406, "406")
    need(place.ask("PUT", "?items=nope", B).status == 400, "400")
    need(place.ask("GET").json["version"] == token, "nothing was written")


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


@check("§10 sectionBy and sortBy derive sections and order; changing sortBy is a delta of moves")
def derived(place):
    items = [{"id": str(n), "k": "xy"[n % 2], "n": n} for n in range(5)]
    settings = {"sectionBy": {"path": "/k"}, "sortBy": [{"path": "/n", "type": "number", "order": "desc"}]}
    first = place.version({"items": items, "settings": settings})
    need(content(place) == [("x", ["4", "2", "0"]), ("y", ["3", "1"])], text(content(place)))
    place.expect(place.ask("PATCH", "/settings", {"sortBy": [{"path": "/n", "type": "number", "order": "asc"}]}), 200)
    found = place.ask("GET", f"/delta?since={first}").json
    need([list(step) for step in found["steps"]] == [["move", "counts"]] and not found["items"], text(found["steps"]))


@check("§11 bodies in gzip are taken; one that inflates more than 200 times is 413")
def packed(place):
    coded = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    place.expect(place.ask("PUT", "", gzip.compress(b'[{"id":"a"}]'), coded), 201)
    bomb = gzip.compress(b'[{"id":"a","x":"' + b"x" * 4_000_000 + b'"}]')
    place.expect(place.ask("PUT", "", bomb, coded), 413, "body-too-large")


@check("§13 a page of another origin may not write")
def origin(place):
    place.expect(place.ask("PUT", "", A, {"Origin": "https://evil.example"}), 403, "origin-not-allowed")
    place.expect(place.ask("PUT", "", A, {"Sec-Fetch-Site": "cross-site"}), 403, "origin-not-allowed")
    need(place.ask("GET").status == 404, "nothing was written")


@check("§14 Request-Id is echoed, or made")
def request_id(place):
    need(place.service.ask("GET", "/v1", None, {"Request-Id": "conform-1"}).fields["Request-Id"] == "conform-1", "echoed")
    need(place.service.ask("GET", "/v1").fields["Request-Id"], "made")
