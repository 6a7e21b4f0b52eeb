"""Section 12: limits that are told and held, and refusals that name what is wrong."""

import http.client
import json

from ..asking import raw
from ..document import parse, same, text
from ..judge import need
from ..place import JSON, check, edit


@check("§12 limits are told, and held: header block, fields, target, ids, depth; each says what and where")
def limits(place):
    found = place.service.ask("GET", "/v1").json["limits"]
    need({"bodyBytes", "items", "sections", "idBytes", "itemBytes", "depth", "edits", "collectionBytes", "headerBytes", "fields",
          "targetBytes", "collectionsPerClient", "connections", "parked"} <= set(found), f"the limits: {text(found)}")
    place.put([])
    target = place.ask("GET", "?x=" + "x" * (int(found["targetBytes"]) + 10))
    need(target.status == 414, f"a long target: {target.status}")
    for fields in ({"X": "x" * (int(found["headerBytes"]) + 10)}, {f"X-{n}": "" for n in range(int(found["fields"]) + 10)}):
        try:
            need(place.ask("GET", "", None, fields).status == 431, "431")
        except (ConnectionError, http.client.HTTPException):
            need(False, "431 is answered")
        place.service.close()
    deep = "[" * int(found["depth"]) + "]" * int(found["depth"])
    answer = place.ask("PUT", "", '[{"id":1,"x":' + deep + "}]", JSON)
    place.expect(answer, 422, "too-deep")
    size = int(found["bodyBytes"]) + 1
    head = f"PUT {place.service.base}{place.path()} HTTP/1.1\r\nHost: {place.service.url.netloc}\r\n"
    for name, value in place.service.fields({**JSON, "Content-Length": str(size)}).items():
        head += f"{name}: {value}\r\n"
    received = raw(place.service, (head + "\r\n").encode())
    need(received.startswith(b"HTTP/1.1 413 ") and b"body-too-large" in received, f"413 before the body: {received[:60]}")
    need(parse(received.split(b"\r\n\r\n", 1)[1].decode())["limit"] == str(size - 1), "the limit is told")
    item = int(found["itemBytes"])
    place.expect(place.ask("PUT", "", [{"id": 1, "x": "x" * item}]), 413 if item else 422)


@check("§12 a parameter that is wrong is told by its name; a member that nothing has with the nearest known")
def told(place):
    place.put([])
    found = place.expect(place.ask("GET", "/delta?wait=soon"), 400, "bad-parameter").json
    need("wait" in found["detail"], found["detail"])
    found = place.expect(place.ask("PATCH", "/settings", {"identitty": "unique"}), 422).json
    need("identity" in found["detail"] + text(found.get("errors", [])), text(found))
    found = place.expect(place.ask("PUT", "", {"sectoins": []}), 422).json
    need("sections" in found["detail"] + text(found.get("errors", [])), text(found))
    need(same(place.ask("GET").json["sections"], [{"id": "", "items": []}]), "nothing changed")


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


@check("§12 what is no request of HTTP/1.1 is told so: 505, 501 and 400, each with its code")
def strange(place):
    rows = [("GET /v1 HTTP/2.0", 505, "version-not-supported"), ("BREW /v1 HTTP/1.1", 501, "method-not-implemented"),
            ("TRACE /v1 HTTP/1.1", 501, "method-not-implemented"), ('GET /v1?x=" HTTP/1.1', 400, "bad-request")]
    for line, status, code in rows:
        sent = f"{line}\r\nHost: {place.service.url.netloc}\r\nConnection: close\r\n\r\n"
        head, _, body = raw(place.service, sent.encode()).partition(b"\r\n\r\n")
        need(head.startswith(f"HTTP/1.1 {status} ".encode()), f"{line}: {head[:80]!r}")
        need(b"application/problem+json" in head and f'"code":"{code}"'.encode() in body, f"{line}: {body[:300]!r}")
