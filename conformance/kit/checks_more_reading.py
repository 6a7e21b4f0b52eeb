"""Sections 2 to 8, 11 and 12, sentence by sentence, as far as checks_reading does not have them."""

import gzip
import http.client
import json
import threading
import time
import urllib.parse
import zlib

from .asking import events, raw
from .checks import A, B, check, need
from .document import Version, parse, same, text
from .judge import judge

JSON = {"Content-Type": "application/json"}


def numbered(value):
    return parse(json.dumps(value))


def delta(place, since, rest="", headers=None):
    return place.expect(place.ask("GET", f"/delta?since={since}{rest}", None, headers), 200)


@check("§2 POST of a snapshot is PUT; what a resource cannot do is 405 with Allow")
def post(place):
    place.expect(place.ask("POST", "", A), 201)
    need(place.ask("POST", "", A).json["changed"] is False, "the same again")
    for path, method in ((place.path(), "TRACE"), (place.path("/delta"), "PUT"), (place.path("/versions"), "DELETE"),
                         (place.base, "GET"), (f"{place.base}/batch", "GET"), ("/v1/diff", "GET"), ("/v1", "POST")):
        answer = place.service.ask(method, path)
        need(answer.status in (405, 501), f"{method} {path}: {answer.status}")
        need(answer.status == 501 or "Allow" in answer.fields, f"{method} {path}: no Allow")


@check("§2 an empty segment, an empty name, `.` and other bytes are 400 `bad-identifier`, in names of clients too")
def identifiers(place):
    for path in (f"{place.base}/collections//delta", f"{place.base}/collections/%2E", f"{place.base}/collections/%252F",
                 f"{place.base}/collections/a%00", f"{place.base}/collections/%C3%A9", "/v1/clients//collections/list",
                 f"/v1/clients/{'x' * 129}/collections/list", "/v1/clients/a%2Fb/collections/list"):
        place.expect(place.service.ask("GET", path), 400, "bad-identifier")


@check("§2 settings are read, replaced by PUT, and changed by PATCH; they tell all that there are")
def settings(place):
    place.put([])
    found = place.expect(place.ask("GET", "/settings"), 200).json
    wanted = {"identity", "equality", "idPath", "itemsPath", "sectionsPath", "emptySections", "retention",
              "dataCountAnimationThreshold", "deltaCountAnimationThreshold"}
    need(wanted <= set(found), f"they have {', '.join(sorted(wanted - set(found)))}")
    need(found["identity"] == "unique" and found["idPath"] == "/id" and found["emptySections"] == "keep", "the defaults")
    need(int(found["dataCountAnimationThreshold"]) == int(found["deltaCountAnimationThreshold"]) == 10000, "10,000")
    need(int(found["retention"]["versions"]) == 64 and int(found["retention"]["seconds"]) == 7 * 86400, "64 and 7 d")
    place.expect(place.ask("PATCH", "/settings", {"equality": {"ignore": ["/at"]}}), 200)
    place.expect(place.ask("PATCH", "/settings", {"emptySections": "drop"}), 200)
    found = place.ask("GET", "/settings").json
    need(found["equality"]["ignore"] == ["/at"] and found["emptySections"] == "drop", "PATCH leaves the others")
    place.expect(place.ask("PUT", "/settings", {"identity": "occurrence"}), 200)
    found = place.ask("GET", "/settings").json
    need(found["identity"] == "occurrence" and found["equality"]["ignore"] == [], "PUT replaces all")


@check("§2 the description and the page")
def pages(place):
    need("paths" in place.expect(place.service.ask("GET", "/openapi.json"), 200).json, "openapi.json")
    page = place.service.ask("GET", "/ui")
    need(page.status == 200 and page.fields["Content-Type"].startswith("text/html"), "/ui is a page")


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


@check("§5 versions that a reader cannot have: diverged above the head after 1 s; handling=strict turns each reset into 410")
def resets(place):
    first = place.version({"items": [{"id": n, "t": "x" * 9} for n in range(9)], "settings": {
        "retention": {"versions": 2}, "deltaCountAnimationThreshold": 0}})
    lineage, _, digest = first.split(".")
    started = time.monotonic()
    found = delta(place, f"{lineage}.99.{digest}").json
    need(found["reset"]["reason"] == "diverged" and time.monotonic() - started >= 0.9, "after waiting 1 s")
    last = place.version([{"id": f"n{n}"} for n in range(2)])
    found = delta(place, first).json
    strict = place.ask("GET", f"/delta?since={first}", None, {"Prefer": "handling=strict"})
    if found["kind"] == "snapshot":
        need(found["reset"]["reason"] == "delta-too-large", text(found["reset"]))
        place.expect(strict, 410, "delta-too-large")
    for n in range(3):
        last = place.version([{"id": n}])
    place.expect(place.ask("GET", f"/delta?since={first}", None, {"Prefer": "handling=strict"}), 410, "history-compacted")
    need(delta(place, last).json["kind"] == "unchanged", "the head")


@check("§5 an item whose only member is ~patch is wrapped; patches are shorter, and another representation")
def wrapped(place):
    first = place.version({"items": [{"key": 1, "~patch": {}}, {"key": 2, "t": "x" * 50, "n": 1}, {"key": 3, "n": 1}],
                           "settings": {"idPath": "/key"}})
    place.put([{"key": 1, "~patch": 1}, {"key": 2, "t": "x" * 50, "n": 2}, {"key": 3, "n": 22}])
    whole, parts = delta(place, first), delta(place, first, "&items=patch")
    need(parts.fields["Preference-Applied"] == "items=patch" and "Preference-Applied" not in whole.fields, "applied")
    need(text(parts.json["items"]["2"]) == '{"~patch":{"n":2}}', text(parts.json["items"]))
    need("~patch" not in text(whole.json["items"]["2"]), "whole where nobody asked")
    for name, entry in parts.json["items"].items():
        need(len(text(entry)) <= len(text(whole.json["items"][name])) or "~item" in entry, "it is shorter")
    need("ETag" not in whole.fields or whole.fields["ETag"] != parts.fields["ETag"], "the ETag differs")
    place.service.ask("DELETE", place.base)
    first = place.version({"items": [], "settings": {"idPath": "/~0patch"}})
    place.put([{"~patch": "a"}])
    found = delta(place, first, "&items=patch").json["items"]
    need(text(found) == '{"a":{"~item":{"~patch":"a"}}}', text(found))


@check("§5 from and to: either way, private and immutable; equal versions and unknown ones")
def between(place):
    first, second = place.version(A), place.version(B)
    for one, two, old, new in ((first, second, A, B), (second, first, B, A)):
        found = place.expect(place.ask("GET", f"/delta?from={one}&to={two}"), 200)
        judge(Version(numbered(old)), Version(numbered(new)), "staged", found.json)
        need(found.fields["Cache-Control"] == "private, max-age=31536000, immutable", found.fields["Cache-Control"])
    need(place.ask("GET", f"/delta?from={first}&to={first}").json["kind"] in ("unchanged", "delta"), "from = to")
    lineage = first.split(".")[0]
    need(place.ask("GET", f"/delta?from={first}&to={lineage}.9.{first.split('.')[2]}").status in (404, 410), "never was")


@check("§7 q-values choose the dialect; 406 lists them; ?dialect; headers=1 counts headers; snapshot is always one")
def chosen(place):
    first = place.version(A)
    place.put(B)
    kind = "application/vnd.livedelta.{}+json".format
    accept = f"{kind('splice')};q=0.5, {kind('ops')};q=0.9, application/json;q=0.1"
    found = delta(place, first, "", {"Accept": accept})
    need("ops" in found.json and found.fields["Content-Type"] == kind("ops"), "the one of the highest q")
    refused = place.expect(place.ask("GET", f"/delta?since={first}", None, {"Accept": f"{kind('ops')};q=0"}), 406)
    need("splice" in refused.json["detail"] or "splice" in text(refused.json), "406 lists them")
    need("steps" in delta(place, first, "", {"Accept": "*/*"}).json, "staged by default")
    for dialect, member in (("ops", "ops"), ("splice", "removed"), ("diffable", "order"), ("staged", "steps")):
        need(member in delta(place, first, f"&dialect={dialect}").json, dialect)
    need(delta(place, first, "&dialect=snapshot").json["kind"] == "snapshot", "always a snapshot")
    found = delta(place, first, "&dialect=ops&headers=1").json
    judge(Version(numbered(A)), Version(numbered(B)), "ops", found, headers=True)


@check("§8 wait is clamped to 55 and told; 0 is answered at once; what is no number is 400")
def clamped(place):
    first = place.version(A)
    place.put(B)
    need(delta(place, first, "&wait=999").fields["Collection-Wait"] == "55", "clamped")
    started = time.monotonic()
    last = place.ask("GET").json["version"]
    need(delta(place, last, "&wait=0").json["kind"] == "unchanged" and time.monotonic() - started < 40, "at once")
    for wait in ("x", "1s", "0x1"):
        place.expect(place.ask("GET", f"/delta?since={last}&wait={wait}"), 400, "bad-parameter")


@check("§8 a ping comes every `ping` seconds and sets no id; deflated events are flushed one by one")
def pings(place):
    first = place.version(A)
    connection = place.service.connect()
    connection.request("GET", place.service.base + place.path(f"/delta?since={first}&ping=5"), None,
                       place.service.fields({"Accept": "text/event-stream", "Accept-Encoding": "gzip"}))
    answer = connection.getresponse()
    need(answer.headers.get("Content-Encoding") == "gzip", "gzip, where it is accepted")
    inflater, received = zlib.decompressobj(31), b""

    def lines():
        nonlocal received
        while True:
            piece = answer.read1(65536)
            if not piece:
                return
            received += inflater.decompress(piece)
            *whole, received = received.split(b"\n")
            yield from (line + b"\n" for line in whole)

    found = events(lines())
    need(next(e for e in found if "event" in e)["event"] == "bookmark", "the first event comes through")
    second = place.version(B)
    need(next(e for e in found if e.get("event") == "delta")["id"] == second, "so does the next")
    need("id" not in next(e for e in found if e.get("event") == "ping"), "a ping has no id")
    connection.close()


@check("§8 sync waits; tells what is missing; a batch is never seen half; GET is the same as a stream")
def together(place):
    def ask(body):
        return place.expect(place.service.ask("POST", f"{place.base}/sync", body), 200).json

    one = place.version([{"id": 1}])
    found = ask({"collections": {"list": None, "other": None}})
    need(found["collections"]["list"]["kind"] == "snapshot" and found["missing"] == ["other"], text(found))
    writes = [{"collection": "list", "put": [{"id": 2}]}, {"collection": "other", "put": [{"id": 2}]}]

    def write():
        place.service.ask("POST", f"{place.base}/batch", {"atomic": True, "writes": writes})

    found = woken(place, {"collections": {"list": one, "other": None}, "wait": 20}, write)
    need(set(found["collections"]) == {"list", "other"}, f"both, not {text(found)}")
    tokens = [found["collections"][name].get("to") or found["collections"][name]["version"] for name in ("list", "other")]
    need(sorted(ask({"collections": dict(zip(("list", "other"), tokens))})["unchanged"]) == ["list", "other"], "unchanged")
    held = urllib.parse.quote(f"list:{one},other:")
    answer, stream = place.service.stream(f"{place.base}/sync?collections={held}")
    need(answer.status == 200, f"a stream: {answer.status}")
    event = next(e for e in stream if e.get("event") == "sync")
    found = parse(event["data"])
    need(found["collections"]["list"]["kind"] == "delta" and found["collections"]["other"]["kind"] == "snapshot", text(found))
    stream.close()


def woken(place, body, act):
    """The answer of a sync that waits while something is written."""
    answers = []
    connection = type(place.service)(place.service.url.geturl(), place.service.token)
    thread = threading.Thread(target=lambda: answers.append(connection.ask("POST", f"{place.base}/sync", body)))
    thread.start()
    time.sleep(0.3)
    act()
    thread.join(60)
    need(answers, "the answer comes")
    return answers[0].json


@check("§11 gzip, in and out; q-values and *; the ETag differs by dialect and coding, and 304 whichever it was")
def codings(place):
    coded = {**JSON, "Content-Encoding": "gzip"}
    place.expect(place.ask("PUT", "", gzip.compress(json.dumps([{"id": n, "t": "x" * 30} for n in range(99)]).encode()), coded), 201)
    plain = place.ask("GET", "", None, {"Accept-Encoding": "identity"})
    tags = {plain.fields["ETag"]}
    for accepted, coding in (("gzip", "gzip"), ("gzip;q=0, *;q=0.5", ""), ("*", None), ("br;q=0.9, gzip;q=0.1", "gzip"),
                             ("*;q=0, identity", ""), ("br", ""), ("deflate", "")):
        answer = place.ask("GET", "", None, {"Accept-Encoding": accepted})
        got = answer.fields.get("Content-Encoding", "")
        need(coding is None or got == coding, f"{accepted}: {got}")
        body = {"gzip": gzip.decompress}.get(got, bytes)(answer.body)
        need(body == plain.body, f"{accepted}: the same body")
        tags.add(answer.fields["ETag"])
        same_state = place.ask("GET", "", None, {"If-None-Match": answer.fields["ETag"], "Accept-Encoding": "identity"})
        need(same_state.status == 304 and not same_state.body, f"{accepted}: 304")
    need(len(tags) == 2 and not any(tag.startswith("W/") for tag in tags), f"strong, one for each coding: {tags}")
    need({"Accept-Encoding", "Accept", "Authorization"} <= set(plain.fields["Vary"].replace(" ", "").split(",")), "Vary")
    for unknown in ("br", "deflate"):
        refused = place.expect(place.ask("PUT", "", b"x", {**JSON, "Content-Encoding": unknown}), 415, "unsupported-media-type")
    need("gzip" in refused.fields["Accept-Encoding"], "Accept-Encoding tells what is taken")


@check("§11 what may be kept: delta at once `private, no-cache`; the rest and errors `no-store`")
def kept(place):
    first = place.version(A)
    place.put(B)
    need(delta(place, first).fields["Cache-Control"] == "private, no-cache", "a delta at once")
    for rest in (f"/delta?since={first}&wait=5", f"/delta?since={place.ask('GET').json['version']}", "/delta?since=x.1.y",
                 "?version=%20"):
        need("no-store" in place.ask("GET", rest).fields["Cache-Control"], f"{rest} is not kept")
    need("no-store" in place.service.ask("GET", f"{place.base}/collections/none").fields["Cache-Control"], "nor an error")
    sync = place.service.ask("POST", f"{place.base}/sync", {"collections": {"list": None}})
    need("no-store" in sync.fields["Cache-Control"], "nor sync")


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
