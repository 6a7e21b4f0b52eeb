"""Sections 2 to 8: what a reader gets."""

import threading
import time

from . import engine
from .checks import A, B, VECTORS, check, need
from .document import Version, parse, same, text
from .judge import apply_patch, judge, judge_patch

TOKEN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


@check("§2 GET /v1 tells the dialects, limits, and the bounds of waits and pings")
def capabilities(place):
    found = place.service.ask("GET", "/v1").json
    need(set(engine.DIALECTS) <= set(found["dialects"]), "all seven dialects")
    need({"limits", "wait", "ping"} <= set(found), "limits, wait and ping")
    need(int(found["wait"]["max"]) == 55 and int(found["ping"]["min"]) == 5, "a wait of 0..55, a ping of 5..120")


@check("§2 the index of a client has its collections, by pages")
def index(place):
    for name in "abc":
        place.service.ask("PUT", f"{place.base}/collections/{name}", [])
    names, cursor = [], ""
    while True:
        page = place.service.ask("GET", f"{place.base}/collections?limit=2{cursor}").json
        names += [one["name"] for one in page["collections"]]
        if "next" not in page:
            break
        cursor = f"&cursor={page['next']}"
    need(names == ["a", "b", "c"], f"three names in order, not {names}")


@check("§2 HEAD is as GET, without the body")
def head(place):
    place.put(A)
    one, two = place.ask("GET"), place.ask("HEAD")
    need(two.status == 200 and two.body == b"" and two.fields["ETag"] == one.fields["ETag"], "the same head")


@check("§2 names are decoded once; 128 bytes are taken")
def names(place):
    for name in ("x" * 128, "a.b_c~d:e@f-g", "%61"):
        answer = place.service.ask("PUT", f"{place.base}/collections/{name}", [])
        need(answer.status == 201, f"{name} is a name")
    need(place.service.ask("GET", f"{place.base}/collections/a").status == 200, "%61 is a")


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


def text_of(content):
    import json
    return json.dumps(content)


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


@check("§11 If-Match is looked at first, also when reading: 412, with what is current")
def matched(place):
    first = place.version(A)
    head = place.version(B)
    for rest in ("", "/settings", "/versions", f"/delta?since={first}", f"?version={head}"):
        for tag in (f'"{head}"', "*"):
            need(place.ask("GET", rest, headers={"If-Match": tag}).status == 200, f"{rest or 'GET'}: {tag}")
        both = {"If-Match": '"x"', "If-None-Match": f'"{head}"'}
        answer = place.expect(place.ask("GET", rest, headers=both), 412, "version-conflict")
        need(answer.json["current"] == head, "current")
    for path in ("/v1", "/openapi.json", "/"):
        need(place.service.ask("GET", path, headers={"If-Match": '"x"'}).status == 412, path)
    need(place.service.ask("DELETE", place.base, headers={"If-Match": '"x"'}).status == 412, "DELETE")
    need(place.ask("GET").json["version"] == head, "nothing was deleted")


@check("§4 tokens are lineage.seq.digest, at most 64 bytes; seq without gaps; a lineage is never used again")
def tokens(place):
    found = [place.version([{"id": str(n)}]) for n in range(4)]
    parts = [token.split(".") for token in found]
    need(all(len(token) <= 64 and set(token) <= TOKEN and len(token.split(".")) == 3 for token in found), "the form")
    need([int(p[1]) for p in parts] == [1, 2, 3, 4] and len({p[0] for p in parts}) == 1, "1, 2, 3, 4 of one lineage")
    need(place.ask("DELETE").status == 204, "DELETE: 204")
    again = place.version([{"id": "0"}]).split(".")
    need(again[0] != parts[0][0] and again[1] == "1", "another lineage, from 1")


@check("§5 nothing held: a snapshot without reset; the head: unchanged")
def fresh(place):
    token = place.version(A)
    for rest in ("/delta", "/delta?since="):
        found = place.ask("GET", rest).json
        need(found["kind"] == "snapshot" and "reset" not in found and found["version"] == token, "the initial load")
    found = place.ask("GET", f"/delta?since={token}").json
    need(set(found) == {"kind", "collection", "version", "seq"} and found["kind"] == "unchanged", "unchanged")


@check("§5 one delta over many versions, either way with from and to")
def many(place):
    first = place.version(A)
    for n in range(5):
        place.put([{"id": str(n)}])
    last = place.version(B)
    found = place.ask("GET", f"/delta?since={first}").json
    need(found["from"] == first and found["to"] == last and int(found["seq"]) == 7, "from the first to the last")
    old, new = Version(parse(text_of(A))), Version(parse(text_of(B)))
    judge(old, new, "staged", found)
    back = place.ask("GET", f"/delta?from={last}&to={first}")
    judge(new, old, "staged", back.json)
    need("immutable" in back.fields["Cache-Control"], "an answer that never changes says so")


@check("§5 resets: diverged, lineage-changed; with handling=strict 410")
def resets(place):
    first = place.version(A)
    lineage, _, digest = first.split(".")
    cases = [("diverged", f"{lineage}.1.{digest[::-1]}"), ("diverged", f"{lineage}.9.{digest}"),
             ("lineage-changed", f"{lineage[::-1]}x.1.{digest}")]
    for reason, since in cases:
        found = place.ask("GET", f"/delta?since={since}")
        need(found.json["kind"] == "snapshot" and found.json["reset"]["reason"] == reason, f"{since}: {reason}")
        need("no-store" in found.fields["Cache-Control"], "a reset is not kept")
        place.expect(place.ask("GET", f"/delta?since={since}", None, {"Prefer": "handling=strict"}), 410, reason)


@check("§5 reset: history-compacted, with the oldest that there is")
def compacted(place):
    first = place.version({"items": [], "settings": {"retention": {"versions": 2}}})
    for n in range(6):
        place.put([{"id": str(n)}])
    found = place.ask("GET", f"/delta?since={first}").json
    need(found["kind"] == "snapshot" and found["reset"]["reason"] == "history-compacted", text(found))
    need(found["reset"]["since"] == first and "oldest" in found["reset"], "since and oldest")


@check("§5 over a threshold a delta says that it is not to be animated, or the snapshot is shorter")
def thresholds(place):
    rows = [{"id": str(n), "text": "x" * 40} for n in range(30)]
    first = place.version({"items": rows, "settings": {"dataCountAnimationThreshold": 10}})
    place.put(rows[1:])
    found = place.ask("GET", f"/delta?since={first}").json
    need(found["kind"] == "delta" and found["animate"] is False, "animate is false")
    place.put([{"id": "x"}])
    found = place.ask("GET", f"/delta?since={first}").json
    need(found["kind"] == "delta" or found["reset"]["reason"] == "delta-too-large", "or everything")


@check("§5 deleted while waiting; then 404; missing=wait parks until it exists")
def deleted(place):
    token = place.version(A)
    place.expect(waiting(place, f"/delta?since={token}&wait=10", lambda: place.ask("DELETE")), 200)
    need(place.found.json["kind"] == "deleted", "deleted")
    place.expect(place.ask("GET", "/delta"), 404, "collection-not-found")
    waiting(place, "/delta?missing=wait&wait=10", lambda: place.put(B))
    need(place.found.json["kind"] == "snapshot", "a snapshot when it exists")


def waiting(place, rest, act):
    """The answer to a question that waits, while something is done."""
    other = type(place.service)(place.service.url.geturl(), place.service.token)

    def ask():
        place.found = other.ask("GET", place.path(rest))

    place.found = None
    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.3)  # so that it waits; if it does not yet, the answer is the same
    act()
    thread.join(300)
    need(place.found is not None, "the answer comes")
    return place.found


@check("§5, §6 items as merge patches")
def patches(place):
    first = place.version([{"id": "a", "long": "x" * 200, "n": 1}])
    place.put([{"id": "a", "long": "x" * 200, "n": 2}])
    found = place.ask("GET", f"/delta?since={first}", None, {"Prefer": "items=patch"})
    need(found.fields["Preference-Applied"] == "items=patch", "Preference-Applied")
    need(text(found.json["items"]) == '{"a":{"~patch":{"n":2}}}', text(found.json["items"]))
    need("~patch" not in text(place.ask("GET", f"/delta?since={first}").json), "not unless it is asked for")


@check("§6, §7 every pair of the vectors in each dialect, by POST /v1/diff, judged by the laws")
def vectors(place):
    for pair in parse((VECTORS / "pairs.json").read_text(encoding="utf-8")):
        old, new = Version(pair["old"]), Version(pair["new"])
        for dialect in engine.DIALECTS:
            for more in ("", "&headers=1") if dialect == "ops" else ("",):
                for patched in ("", "&items=patch"):
                    query = f"/v1/diff?dialect={dialect}{more}{patched}"
                    answer = place.expect(place.service.ask("POST", query, {"old": pair["old"], "new": pair["new"]}), 200)
                    try:
                        judge(old, new, dialect, answer.json, headers=bool(more), patches=bool(patched))
                    except Exception as error:
                        need(False, f"{pair['name']}, {query}: {error!r}\n      {answer.body.decode()}")


@check("§7 the same dialects of a collection, by Accept, each with its type")
def dialects(place):
    first = place.version(A)
    place.put(B)
    old, new = Version(parse(text_of(A))), Version(parse(text_of(B)))
    for dialect in engine.DIALECTS:
        kind = "application/json-patch+json" if dialect == "json-patch" else f"application/vnd.livedelta.{dialect}+json"
        answer = place.expect(place.ask("GET", f"/delta?since={first}", None, {"Accept": kind}), 200)
        if dialect != "json-patch":
            judge(old, new, dialect, answer.json)
            need("charset" not in answer.fields["Content-Type"], "no charset")
            continue
        need(answer.fields["Content-Type"] == "application/json-patch+json", "the type of a JSON Patch")
        before, after = place.ask("GET", f"?version={first}").json, place.ask("GET").json
        judge_patch(before, after, answer.json, (first, after["version"]))
        apply_patch(before, answer.json)


@check("§8 a long poll is answered when there is news; the effective wait is told; an idle one is unchanged")
def polls(place):
    token = place.version(A)
    found = waiting(place, f"/delta?since={token}&wait=10", lambda: place.put(B))
    need(found.json["kind"] == "delta" and found.json["from"] == token, "a delta")
    need(0 < int(found.fields["Collection-Wait"]) <= 10, "Collection-Wait")
    started = time.monotonic()
    found = place.ask("GET", f"/delta?since={found.json['to']}&wait=1")
    need(found.json["kind"] == "unchanged" and 0.85 <= time.monotonic() - started <= 30, "after wait − rand(0, wait/10)")
    need("no-store" in found.fields["Cache-Control"], "unchanged is not kept")


@check("§8 a stream: its head, retry of 1000 to 4000, the first event at once, then each change")
def stream(place):
    token = place.version(A)
    answer, events = place.service.stream(place.path(f"/delta?since={token}"))
    need(answer.status == 200 and answer.headers["Content-Type"].startswith("text/event-stream"), "an event stream")
    need(answer.headers["Cache-Control"] == "no-store, no-transform", "Cache-Control")
    need(answer.headers["X-Accel-Buffering"] == "no", "X-Accel-Buffering")
    first = next(events)
    retry = first.get("retry")
    bookmark = first if "event" in first else next(events)
    need(retry and 1000 <= int(retry) <= 4000, f"retry is {retry}")
    need(bookmark["event"] == "bookmark" and bookmark["id"] == token, "a bookmark of the head")
    second = place.version(B)
    event = next(e for e in events if e["event"] != "ping")
    need(event["event"] == "delta" and event["id"] == second, "the delta, with its id")
    judge(Version(parse(text_of(A))), Version(parse(text_of(B))), "staged", parse(event["data"]))
    need(place.ask("DELETE").status == 204 and next(e for e in events if e["event"] != "ping")["event"] == "deleted",
         "the deletion")
    events.close()


@check("§8 Last-Event-ID wins over since; closeafter=event ends the answer")
def resumed(place):
    first, second = place.version(A), place.version(B)
    _, events = place.events(f"/delta?since={second}", 1, {"Last-Event-ID": first})
    need(events[0]["event"] == "delta" and parse(events[0]["data"])["from"] == first, "from Last-Event-ID")
    _, events = place.events(f"/delta?since={first}&closeafter=event", 5)
    need(len(events) == 1, "one event, then the end")


@check("§5, §8 in a stream trouble is told within it, with status 200")
def problems(place):
    answer, events = place.service.stream(place.path("/delta"))
    problem = next(e for e in events if "event" in e)
    need(answer.status == 200 and problem["event"] == "problem", "an event problem")
    need(parse(problem["data"])["code"] == "collection-not-found", "what it is")
    token = place.version(A)
    event = next(e for e in events if e.get("event") == "snapshot")
    need(event["id"] == token, "then it waits, as with missing=wait")
    events.close()
    answer, found = place.events("/delta?since=x.y", 1)
    need(answer.status == 200 and found[0]["event"] == "problem", "a bad token is one, too")
    need(parse(found[0]["data"])["code"] == "bad-token", "bad-token")


@check("§8 sync: what changed of several collections, and what did not")
def sync(place):
    place.service.ask("PUT", f"{place.base}/collections/other", [])
    token = place.version(A)
    body = {"collections": {"list": token, "other": None}}
    found = place.service.ask("POST", f"{place.base}/sync", body).json
    need(found["kind"] == "sync" and found["unchanged"] == ["list"], "what did not")
    need(found["collections"]["other"]["kind"] == "snapshot" and "list" not in found["collections"], "what did")


@check("§11 answers from 860 bytes up are compressed where that is accepted; the ETag differs by coding")
def compressed(place):
    import gzip
    place.put([{"id": str(n), "text": "long enough"} for n in range(100)])
    plain = place.ask("GET")
    need("Content-Encoding" not in plain.fields and "Accept-Encoding" in plain.fields["Vary"], "identity, and Vary")
    packed = place.ask("GET", "", None, {"Accept-Encoding": "gzip"})
    need(packed.fields["Content-Encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body, "gzip")
    need(packed.fields["ETag"] != plain.fields["ETag"], "another ETag")
    need(place.ask("GET", "", None, {"If-None-Match": packed.fields["ETag"]}).status == 304, "304 by any coding")
    refused = place.ask("GET", "", None, {"Accept-Encoding": "gzip;q=0"})
    need("Content-Encoding" not in refused.fields, "q=0 is honoured")


@check("§11 JSON answers are application/json, on one line")
def line(place):
    place.put(A)
    answer = place.ask("GET")
    need(answer.fields["Content-Type"] == "application/json" and b"\n" not in answer.body.rstrip(b"\n"), "one line")
