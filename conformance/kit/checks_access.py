"""Sections 13 to 15: who may do what, on a guarded service. What a check needs besides a token is named by it."""

import base64
import hashlib
import hmac
import json
import time

from .asking import Service
from .checks import A, B, check, need
from .checks_writing import EDITS
from .document import parse, text

OPEN = {"sections": [{"id": "s", "title": "S", "items": [
    {"id": "a", "title": "A", "public": True, "n": 1}, {"id": "b", "title": "B", "public": False, "n": 2}]}], "meta": 1}


def caller(place, token):
    """The same service, asked with another credential, or with none."""
    return Service(place.service.url.geturl(), token)


def token(place, alg="HS256", kid=None, **claims):
    """A JSON Web Token of the service's issuer, signed by the kit; a claim of None is left out."""
    name, secret = place.service.signing
    whole = {"iss": place.service.issuer, "sub": place.name, "exp": int(time.time()) + 300, **claims}
    parts = [{"alg": alg, "typ": "JWT", "kid": kid or name}, {k: v for k, v in whole.items() if v is not None}]
    signed = b".".join(encoded(json.dumps(part).encode()) for part in parts)
    return (signed + b"." + encoded(hmac.new(secret, signed, hashlib.sha256).digest())).decode()


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


@check("§13 no credential, or an unknown one, is 401 with WWW-Authenticate, whether or not the thing exists", "token")
def unknown(place):
    place.put(A)
    for secret in (None, "x" * 40, "", "a.b.c"):
        for rest in ("list", "list/delta", "none", "none/delta"):
            answer = caller(place, secret).ask("GET", f"{place.base}/collections/{rest}")
            place.expect(answer, 401, "unauthenticated")
            need(answer.fields["WWW-Authenticate"].startswith("Bearer"), "WWW-Authenticate: Bearer")
            need(not secret or secret not in answer.body.decode(), "no secret in an error")
    for method, body in (("PUT", "["), ("POST", "x" * 100_000)):
        answer = caller(place, None).ask(method, place.path(), body, {"Content-Type": "application/json"})
        need(answer.status == 401, "it is decided before the body is read")
    stream, _ = caller(place, None).stream(place.path("/delta"))
    need(stream.status == 401, f"a stream without a credential: {stream.status}")


@check("§13 who may only read is refused writes, and other clients, with 403 whether or not they exist", "reader")
def reader(place):
    place.put(A)
    one = caller(place, place.service.reader)
    need(one.ask("GET", place.path()).status == 200 and one.ask("GET", place.path("/delta")).status == 200, "it reads")
    for method, rest, body in (("PUT", "", B), ("POST", "", B), ("PATCH", "", {"edits": []}), ("DELETE", "", None),
                               ("PUT", "/settings", {}), ("POST", "/revert", {"to": "x"})):
        for name in ("list", "none"):
            fields = EDITS if method == "PATCH" else None
            answer = one.ask(method, f"{place.base}/collections/{name}{rest}", body, fields)
            place.expect(answer, 403, "insufficient-scope")
    for path in ("/v1/clients/somebody/collections/list", "/v1/clients/%73omebody/collections/list", "/v1/clients/somebody/collections"):
        place.expect(one.ask("GET", path), 403, "insufficient-scope")
    place.expect(one.ask("GET", "/v1/changes"), 403, "insufficient-scope")
    place.expect(one.ask("DELETE", place.base), 403, "insufficient-scope")
    writes = {"atomic": True, "writes": [{"collection": "list", "put": []}]}
    place.expect(one.ask("POST", f"{place.base}/batch", writes), 403, "insufficient-scope")
    need(place.ask("GET").json["seq"] == "1", "nothing was written")


@check("§13 GET /v1/clients: with prefix and by pages, as scopes allow", "token")
def clients(place):
    place.put(A)
    found, cursor = [], ""
    while True:
        page = place.expect(place.service.ask("GET", f"/v1/clients?prefix={place.name}&limit=1{cursor}"), 200).json
        found += [one["client"] if isinstance(one, dict) and "client" in one else text(one) for one in page["clients"]]
        if "next" not in page:
            break
        cursor = f"&cursor={page['next']}"
    need(len(found) == 1 and place.name in found[0], f"{found}")


@check("§13 a token is verified: its algorithm is the key's, its kid known, its times and issuer right", "signing")
def verified(place):
    place.put(A)
    now = int(time.time())
    good = [{}, {"exp": now - 10}, {"nbf": now + 10}, {"sub": None, "clients": [f"{place.name[:9]}*"]},
            {"collections": ["l*"]}, {"ops": ["read"]}]
    for claims in good:
        answer = caller(place, token(place, **claims)).ask("GET", place.path())
        need(answer.status == 200, f"{claims}: {answer.status} {answer.body[:200]!r}")
    bad = [{"alg": "none"}, {"alg": "HS512"}, {"alg": "RS256"}, {"kid": "unknown"}, {"exp": None}, {"nbf": now + 300},
           {"iss": "somebody"}, {"aud": "another"}, {"exp": "soon"}]
    for claims in bad:
        place.expect(caller(place, token(place, **claims)).ask("GET", place.path()), 401, "unauthenticated")
    answer = caller(place, token(place, exp=now - 60)).ask("GET", place.path())
    need(place.expect(answer, 401, "token-expired").fields["WWW-Authenticate"].startswith("Bearer"), "expired")
    whole = token(place)
    forged = whole[:-2] + ("A" if whole[-2] != "A" else "B") + whole[-1]
    place.expect(caller(place, forged).ask("GET", place.path()), 401, "unauthenticated")


@check("§13 a token reads its own client, and writes where `ops` say so", "signing")
def own(place):
    place.put(A)
    place.expect(caller(place, token(place, sub="somebody")).ask("GET", place.path()), 403, "insufficient-scope")
    place.expect(caller(place, token(place, collections=["x*"])).ask("GET", place.path()), 403, "insufficient-scope")
    place.expect(caller(place, token(place)).ask("PUT", place.path(), B), 403, "insufficient-scope")
    need(caller(place, token(place, ops=["read", "write"])).ask("PUT", place.path(), B).status == 200, "it may write")
    place.expect(caller(place, token(place, ops=["read", "write"])).ask("GET", "/v1/changes"), 403, "insufficient-scope")


@check("§13 a credential that ends ends its stream with `end` and its waiting request with 401, within seconds", "signing")
def expires(place):
    held = place.version(A)
    for seconds in (3, 10, 60):  # a busy machine may not get there in less
        end = time.time() + seconds
        one = caller(place, token(place, exp=int(end) - 30))  # it is taken for 30 seconds more than it says
        answer, events = one.stream(place.path(f"/delta?since={held}"))
        if answer.status == 200:
            break
        events.close()
    need(answer.status == 200, f"it is taken: {answer.status}")
    found = next(event for event in events if event.get("event") == "end")
    need(parse(found["data"])["reason"] == "token-expired", text(found))
    need(time.time() - end < 30, "soon after its end")
    place.expect(one.ask("GET", place.path()), 401, "token-expired")


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


def marked(token):
    """The mark that says under which restriction a token was given; None without one."""
    parts = token.split(".")
    return parts[3] if len(parts) == 4 and len(parts[3]) == 9 and parts[3][0] == "v" and len(token) <= 74 else None


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


@check("§13 CORS: an origin that is allowed is told so, another is not; a preflight needs no credential", "origin")
def origins(place):
    place.put(A)
    nobody, allowed = caller(place, None), place.service.origin
    asked = {"Origin": allowed, "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization,if-match"}
    found = nobody.ask("OPTIONS", place.path(), None, asked)
    need(found.status in (200, 204) and found.fields["Access-Control-Allow-Origin"] == allowed, f"{found.status}")
    need("PUT" in found.fields["Access-Control-Allow-Methods"], "the method")
    need("authorization" in found.fields["Access-Control-Allow-Headers"].lower(), "the fields")
    need("Access-Control-Allow-Credentials" not in found.fields, "credentials only when asked for")
    found = place.ask("GET", "", None, {"Origin": allowed})
    need(found.fields["Access-Control-Allow-Origin"] == allowed, "an answer")
    need("Origin" in ", ".join(found.fields.get_all("Vary")), "Vary: Origin")
    exposed = found.fields["Access-Control-Expose-Headers"].lower()
    need(all(name in exposed for name in ("collection-version", "etag", "retry-after", "preference-applied")), exposed)
    found = nobody.ask("OPTIONS", place.path(), None, {**asked, "Origin": "https://evil.example"})
    need("Access-Control-Allow-Origin" not in found.fields, "another origin")
    need(place.ask("PUT", "", B, {"Origin": allowed}).status == 200, "it may write")
    place.expect(place.ask("PUT", "", A, {"Origin": "null"}), 403, "origin-not-allowed")


@check("§13 without authentication only a Host of this machine is served: 421", "open")
def host(place):
    place.expect(place.ask("GET", "", None, {"Host": "evil.example"}), 421, "misdirected")
    for name in ("localhost", "127.0.0.1", "[::1]"):
        need(place.ask("GET", "", None, {"Host": f"{name}:{place.service.url.port}"}).status == 404, name)


@check("§14 /livez, /readyz, /readyz/writes and /metrics: base units, the prefix livedelta_, no names of clients in labels", "ops")
def operations(place):
    place.put(A)
    ops = Service(place.service.ops, place.service.token)
    for path in ("/livez", "/readyz", "/readyz/writes"):
        need(ops.ask("GET", path).status == 200, path)
    found = ops.ask("GET", "/metrics")
    need(found.status == 200, f"/metrics: {found.status}")
    names = {line.split("{")[0].split(" ")[0] for line in found.body.decode().splitlines() if line and line[0] != "#"}
    others = [name for name in names if not name.startswith(("livedelta_", "process_"))]  # the latter are Prometheus' own
    need(names and not others, f"names without the prefix: {others}")
    need(place.name not in found.body.decode() and "milliseconds" not in found.body.decode(), "no names, base units")
    need(ops.ask("POST", "/drain", None, {"Origin": "https://evil.example"}).status == 403, "not by a page of another origin")
