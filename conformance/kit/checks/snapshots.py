"""Sections 3 and 4: what a snapshot keeps, which are equal, and the tokens of versions."""

import time

from ..document import Version, parse, same, text
from ..judge import judge, need
from ..place import A, B, JSON, check, delta, numbered, text_of
from ..waits import answer_after

TOKEN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


@check("§3 GET gives what was PUT: items as they were sent, minified; number texts stay")
def kept(place):
    sent = '{"items":[ {"id":7, "b":1.50,"a":[1e2,-0,12345678901234567890],"t":"\\u00e9\\/"} ],"meta":null}'
    place.put(sent, Content_Type="application/json")
    body = place.ask("GET").body.decode()
    need('{"id":7,"b":1.50,"a":[1e2,-0,12345678901234567890],"t":"\\u00e9\\/"}' in body, f"the item in {body}")
    place.put(A)
    found = place.ask("GET").json
    need(found["kind"] == "snapshot" and found["collection"] == "list", "kind and collection")
    need(same(found["sections"], parse(text_of(A))["sections"]) and same(found["meta"], {"m": parse("1")}), "the content")


@check("§3 what GET returned can be PUT back, and changes nothing")
def put_back(place):
    for content in (A, [{"id": "a"}]):
        place.put(content)
        answer = place.put(place.ask("GET").body.decode(), Content_Type="application/json")
        need(answer.json["changed"] is False, "nothing changed")


@check("§3 GET ?version gives a retained version; 304 where nothing changed")
def versions(place):
    first = place.version(A)
    second = place.version(B)
    old = place.ask("GET", f"?version={first}")
    need(old.json["version"] == first and same(old.json["sections"], parse(text_of(A))["sections"]), "the first version")
    now = place.ask("GET")
    need(now.fields["Collection-Version"] == second, "Collection-Version is the token")
    need(place.ask("GET", "", None, {"If-None-Match": now.fields["ETag"]}).status == 304, "304")
    need(place.ask("GET", "", None, {"If-None-Match": old.fields["ETag"]}).status == 200, "another ETag: 200")
    listed = [one["version"] for one in place.ask("GET", "/versions").json["versions"]]
    need(listed == [second, first], "the versions, newest first")


@check("§4 tokens are lineage.seq.digest, at most 64 bytes; seq without gaps; a lineage is never used again")
def tokens(place):
    found = [place.version([{"id": str(n)}]) for n in range(4)]
    parts = [token.split(".") for token in found]
    need(all(len(token) <= 64 and set(token) <= TOKEN and len(token.split(".")) == 3 for token in found), "the form")
    need([int(p[1]) for p in parts] == [1, 2, 3, 4] and len({p[0] for p in parts}) == 1, "1, 2, 3, 4 of one lineage")
    need(place.ask("DELETE").status == 204, "DELETE: 204")
    again = place.version([{"id": "0"}]).split(".")
    need(again[0] != parts[0][0] and again[1] == "1", "another lineage, from 1")


@check("§3 a bare list and {items} are one section \"\"; ids are compared and shown as texts, items keep theirs")
def ids(place):
    first = place.version([{"id": 7, "n": 1}])
    found = place.ask("GET").json
    need(found["sections"][0]["id"] == "" and len(found["sections"]) == 1, "a bare list")
    need(place.put({"items": [{"id": 7, "n": 1}]}).json["changed"] is False, "{items} is the same")
    place.put([{"id": "7", "n": 1}, {"id": 8}])
    found = delta(place, first).json
    need(found["deleted"] == [] and "8" in found["items"], "7 and \"7\" are one id, and 8 is \"8\"")
    need(text(found["items"]["8"]) == '{"id":8}', "the item keeps its number")
    place.put([{"id": "7", "n": 1}])
    need(place.ask("GET", f"/delta?since={found['to']}").json["deleted"] == ["8"], "deleted are texts")


@check("§3 an id has up to 256 bytes, an integer any sign; meta is opaque")
def bounds(place):
    place.put([{"id": "é" * 128}, {"id": -5}, {"id": 0}, {"id": 9007199254740993}])
    place.expect(place.ask("PUT", "", [{"id": "é" * 128 + "x"}]), 422, "bad-snapshot")
    for meta in ('null', '[1,{"id":1},{"id":1}]', '"x"', '1.0', 'false'):
        place.put('{"items":[],"meta":' + meta + '}', None, Content_Type="application/json")
        body = place.ask("GET").body.decode()
        need(meta == "null" or f'"meta":{meta}' in body, f"{meta} in {body}")


@check("§3 equal are values whatever the order of members, white space and escapes; numbers by their text")
def equality(place):
    def put(body):
        return place.put(body, None, Content_Type="application/json").json

    first = put('{"items":[{"id":"a","t":"é/","o":{"x":1,"y":[1.0]}}]}')
    again = put('{"items":[ {"o":{"y":[1.0],"x":1},\n"t":"\\u00e9\\/","id":"\\u0061"} ]}')
    need(again["changed"] is False and again["version"] == first["version"], "the same value")
    need(put('{"items":[{"id":"a","t":"é/","o":{"x":1,"y":[1]}}]}')["changed"] is True, "1.0 and 1 differ")
    need(put('{"items":[{"id":"a","t":"é/","o":{"x":1,"y":[1]}}],"meta":1}')["changed"] is True, "meta counts")
    first = put('{"sections":[{"id":"s","t":1,"items":[]}]}')["version"]
    put('{"sections":[{"items":[],"t":2,"id":"s"}]}')
    need(list(delta(place, first).json["sections"]) == ["s"], "a section's content is its members without items")


@check("§3 bad-json tells the byte, bad-snapshot a pointer")
def pointers(place):
    found = place.expect(place.ask("PUT", "", '[{"id":1}', JSON), 400, "bad-json").json
    need("9" in found["detail"], f"the byte, in {found['detail']}")
    found = place.expect(place.ask("PUT", "", '{"sections":[{"id":"s","items":[{"id":"a"},{"id":[]}]}]}', JSON), 422).json
    need(found["errors"][0]["pointer"] == "/sections/0/items/1/id", text(found))


@check("§3 every answer about a collection carries Collection-Version; Prefer: precondition=version is If-Match")
def carried(place):
    first = place.version(A)
    whole = place.ask("GET")
    place.expect(place.ask("PUT", "", whole.body, {**JSON, "Prefer": "precondition=version"}), 200)
    second = place.version(B)
    for method, rest, fields in (("GET", "", {}), ("HEAD", "", {}), ("GET", "/delta", {}), ("GET", f"/delta?since={first}", {}),
                                 ("GET", "", {"If-None-Match": place.ask("GET").fields["ETag"]}), ("GET", "/versions", {}),
                                 ("GET", "/settings", {}), ("PUT", "", {"If-Match": '"x.1.y"'})):
        answer = place.ask(method, rest, B if method == "PUT" else None, fields)
        need(answer.fields["Collection-Version"] == second, f"{method} {rest}: {answer.fields['Collection-Version']}")
    answer = place.ask("PUT", "", whole.body, {**JSON, "Prefer": "precondition=version"})
    place.expect(answer, 412, "version-conflict")


@check("§3 ?version of a version that is gone is 410, of one that never was 404; idPath is told where it is not /id")
def gone(place):
    first = place.version({"items": [{"id": 1}], "settings": {"retention": {"versions": 1}}})
    for n in range(2, 5):
        last = place.version([{"id": n}])
    for rest in (f"?version={first}", f"/delta?from={first}&to={last}"):
        place.expect(place.ask("GET", rest), 410, "history-compacted")
    need("idPath" not in place.ask("GET").json, "/id is not told")
    place.service.ask("DELETE", place.base)
    place.put({"items": [{"key": 1}], "settings": {"idPath": "/key"}})
    need(place.ask("GET").json["idPath"] == "/key", "idPath")


@check("§3 equal content wakes nobody; `return=delta` is in the dialect that is accepted")
def unchanged(place):
    held = place.version(A)
    started = time.monotonic()
    found = answer_after(place, f"/delta?since={held}&wait=3", lambda: place.put(A))
    need(found.json["kind"] == "unchanged" and time.monotonic() - started >= 2.6, "it waits on")
    answer = place.put(B, 200, Prefer="return=delta", Accept="application/vnd.livedelta.splice+json")
    judge(Version(numbered(A)), Version(numbered(B)), "splice", answer.json)


@check("§4 the digest is salted with the lineage: equal content in another one has another")
def salted(place):
    first = place.version(A)
    place.ask("DELETE")
    again = place.version(A)
    need(first.split(".")[1] == again.split(".")[1] and first.split(".")[2] != again.split(".")[2], f"{first}, {again}")
