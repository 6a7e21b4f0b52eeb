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
    first = place.version(OPEN)
    found = ask("GET", "")
    need([text(i) for i in found.json["sections"][0]["items"]] == ['{"id":"a","title":"A"}'], found.body.decode())
    need(int(found.json["view"]["total"]) == 1, "the numbers are of what is seen")
    changed = parse(json.dumps(OPEN))
    changed["sections"][0]["items"][1]["n"] = 3
    second = place.version(changed)
    found = ask("GET", f"/delta?since={first}").json
    need(found["kind"] == "unchanged" or not found["items"], f"what is hidden changes nothing: {text(found)}")
    changed["sections"][0]["items"][0]["public"] = False
    changed["sections"][0]["items"][1]["public"] = True
    third = place.version(changed)
    for rest in (f"/delta?since={second}", f"/delta?from={second}&to={third}"):
        found = ask("GET", rest).json
        need(found["deleted"] == ["a"] and not found.get("left"), f"what leaves it is deleted: {text(found)}")
        need(text(found["items"]) == '{"b":{"id":"b","title":"B"}}', text(found["items"]))
    old = ask("GET", f"?version={first}")
    need(old.status == 200 and '"b"' not in old.body.decode() and "public" not in old.body.decode(), "older versions, too")
    found = ask("GET", "?where=/public:eq:false&select=/title,/n")
    need(found.status == 200 and not [i for s in found.json["sections"] for i in s["items"]], "the reader's terms are added")
    for rest in ("?where=/n:gt:0", "?order=/n"):
        need('"n"' not in ask("GET", rest).body.decode(), f"select is intersected: {rest}")
    place.expect(ask("PUT", "", OPEN), 403, "insufficient-scope")


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
    held = place.version(OPEN)
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


@check("§14 /livez, /readyz and /metrics: base units, the prefix livedelta_, no names of clients in labels", "ops")
def operations(place):
    place.put(A)
    ops = Service(place.service.ops, place.service.token)
    for path in ("/livez", "/readyz"):
        need(ops.ask("GET", path).status == 200, path)
    found = ops.ask("GET", "/metrics")
    need(found.status == 200, f"/metrics: {found.status}")
    names = {line.split("{")[0].split(" ")[0] for line in found.body.decode().splitlines() if line and line[0] != "#"}
    others = [name for name in names if not name.startswith(("livedelta_", "process_"))]  # the latter are Prometheus' own
    need(names and not others, f"names without the prefix: {others}")
    need(place.name not in found.body.decode() and "milliseconds" not in found.body.decode(), "no names, base units")
    need(ops.ask("POST", "/drain", None, {"Origin": "https://evil.example"}).status == 403, "not by a page of another origin")
