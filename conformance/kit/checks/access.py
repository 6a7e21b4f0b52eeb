"""Section 13: who may do what. What a check needs besides a token is named by it."""

import subprocess
import time

from ..document import parse, text
from ..judge import need
from ..place import A, B, EDITS, check
from ..tokens import caller, token
from ..waits import PATIENCE, ended, waiting


@check("§13 a page of another origin may not write")
def origin(place):
    place.expect(place.ask("PUT", "", A, {"Origin": "https://evil.example"}), 403, "origin-not-allowed")
    place.expect(place.ask("PUT", "", A, {"Sec-Fetch-Site": "cross-site"}), 403, "origin-not-allowed")
    need(place.ask("GET").status == 404, "nothing was written")


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


@check("§13 a question that waits is decided again when it wakes: with a token that has ended it is 401, not the news", "signing")
def outlived(place):
    for seconds in (3, 10, 40):  # a busy machine may not ask in less
        held, end = place.version(A), time.time() + seconds
        one = caller(place, token(place, exp=int(end) - 30))  # it is taken for 30 seconds more than it says
        if one.ask("GET", place.path()).status == 200 and time.time() < end - 1.5:
            break
    with waiting(one, place.path(f"/delta?since={held}&wait=50")) as found:
        while time.time() < end + 1 and not found:
            time.sleep(0.1)
        need(not found or found[0][1] > end - 1, f"it waits: {found[0][0].status if found else ''}")
        place.put(B)
    place.expect(found[0][0], 401, "token-expired")
    need(found[0][0].fields["WWW-Authenticate"].startswith("Bearer"), "WWW-Authenticate: Bearer")


@check("§13 a key that is withdrawn while the service runs ends its streams and waiting questions, within seconds",
       "withdrawn")
def withdrawn(place):
    held, one = place.version(A), caller(place, place.service.withdrawn)
    need(one.ask("GET", place.path()).status == 200, "it reads")
    stream, told = one.stream(place.path("/delta"))
    need(stream.status == 200 and any(event.get("event") == "snapshot" for event in told), "it has a stream")
    with waiting(caller(place, place.service.withdrawn), place.path(f"/delta?since={held}&wait=50")) as found:
        time.sleep(0.3)  # so that it waits; if it does not yet, the answer is the same
        subprocess.run(place.service.withdraw, shell=True, check=True)  # noqa: S602  (the command is the caller's own)
        started = time.monotonic()
        need(ended(told)["reason"] == "token-expired", "its stream")
        need(time.monotonic() - started < PATIENCE, "soon")
        place.put(B)
    need(found[0][0].status == 401, f"what waits: {found[0][0].status} {found[0][0].body[:200]!r}")
    for method, rest, body in (("GET", "", None), ("GET", "/delta", None), ("PUT", "", A)):
        place.expect(caller(place, place.service.withdrawn).ask(method, place.path(rest), body), 401, "unauthenticated")
    need(place.ask("GET").status == 200, "other keys are as before")
