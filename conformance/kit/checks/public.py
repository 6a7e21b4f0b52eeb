"""Section 16: what anybody may read, and what shared caches are told of it. A service that tells no bounds of `ages` has
none, and passes."""

import threading

from ..asking import Service
from ..place import A, B, check, need
from ..document import text

STATE = "public, max-age=1, stale-while-revalidate=30"
NEWS = "public, max-age=5, stale-while-revalidate=60"
VERSION = "public, max-age=31536000, immutable"


def public(name):
    """A check of services that have public collections."""
    def add(function):
        def held(place):
            if "ages" in place.service.ask("GET", "/v1").json["settings"]:
                function(place)
        check(name)(held)
        return function
    return add


def publish(place):
    """Puts a public collection with two versions; gives both."""
    first = place.version(A)
    answer = place.ask("PATCH", "/settings", {"audience": "public"}, {"Content-Type": "application/merge-patch+json"})
    place.expect(answer, 200)
    return first, place.version(B)


@public("§16 answers that anybody may have tell caches how long to keep them, and have one Vary")
def ages(place):
    first, head = publish(place)
    for rest, cache in [
        ("", STATE), ("?dialect=splice", STATE), ("?window=first:1", STATE), (f"?version={head}", VERSION),
        (f"/delta?from={first}&to={head}", VERSION), (f"/delta?since={first}", NEWS),
        (f"/delta?since={first}&wait=5", NEWS), (f"/delta?items=patch&since={first}", NEWS),
        (f"/delta?dialect=splice&since={first}", NEWS),
    ]:
        answer = place.ask("GET", rest)
        need(answer.fields["Cache-Control"] == cache, f"{rest or 'GET'} is {cache}, not {answer.fields['Cache-Control']}")
        vary = {name.strip().lower() for name in answer.fields["Vary"].split(",")}
        need(vary == {"accept-encoding", "accept"}, f"Vary has Accept-Encoding and Accept, not {vary}")
        need("Set-Cookie" not in answer.fields, "no cookies")


@public("§16 no news, resets, refusals, streams and answers with maxage=0 are kept by nobody")
def moments(place):
    first, head = publish(place)
    lineage = "z" * len(head.split(".", maxsplit=1)[0])
    for rest, headers in [
        (f"/delta?since={head}", {}), (f"/delta?since={lineage}.1.AAAAAAAAAAAAAAAA", {}), ("/delta?since=!", {}),
        (f"/delta?since={lineage}.1.AAAAAAAAAAAAAAAA", {"Prefer": "handling=strict"}),
        (f"/delta?since={first}&maxage=0", {}), ("?maxage=0", {}), (f"?version={head}&maxage=0", {}),
        ("/delta?closeafter=event", {"Accept": "text/event-stream"}),
    ]:
        cache = place.ask("GET", rest, headers=headers).fields["Cache-Control"]
        need(cache.split(",")[0] == "no-store", f"{rest} is no-store, not {cache}")
    answer = place.ask("GET", "?maxage=1")
    place.expect(answer, 400, "bad-parameter")


@public("§16 a delta that was waited for may be kept")
def waited(place):
    _, head = publish(place)
    found, other = [], Service(place.service.url.geturl(), place.service.token)
    path = place.path(f"/delta?since={head}&wait=20")
    reader = threading.Thread(target=lambda: found.append(other.ask("GET", path)))
    reader.start()
    place.version(A)
    reader.join()
    other.close()
    need(found[0].json["kind"] == "delta" and found[0].fields["Cache-Control"] == NEWS, "a delta to be kept")


@public("§16 a preference that the address does not name is in no answer that others may have")
def preferences(place):
    first, _ = publish(place)
    answer = place.ask("GET", f"/delta?since={first}", headers={"Prefer": "items=patch"})
    is_kept = answer.fields["Cache-Control"].startswith("public")
    need(not (is_kept and "Preference-Applied" in answer.fields), "patches by Prefer are nobody else's")


@public("§16 the settings name other ages, within bounds that GET /v1 tells; private again, answers are as before")
def settings(place):
    first, _ = publish(place)
    merge = {"Content-Type": "application/merge-patch+json"}
    place.expect(place.ask("PATCH", "/settings", {"ages": {"delta": 7, "deltaStale": 0}}, merge), 200)
    need(place.ask("GET", f"/delta?since={first}").fields["Cache-Control"] == "public, max-age=7", "the age that was named")
    most = int(place.service.ask("GET", "/v1").json["settings"]["ages"]["delta"]["max"])
    need(place.ask("PATCH", "/settings", {"ages": {"delta": most + 1}}, merge).status == 422, "not beyond the bound")
    place.expect(place.ask("PATCH", "/settings", {"audience": "private"}, merge), 200)
    answer = place.ask("GET")
    need("public" not in answer.fields["Cache-Control"] and "authorization" in answer.fields["Vary"].lower(), "private")


@public("§16 nothing of who asked first is in what shared caches may keep")
def askers(place):
    first, head = publish(place)
    mine = {"Request-Id": "mine", "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    for rest in ("", f"?version={head}", f"/delta?since={first}", f"/delta?from={first}&to={head}"):
        for headers in (mine, {}):
            fields = place.ask("GET", rest, headers=headers).fields
            need("Request-Id" not in fields and "traceparent" not in fields, f"{rest or 'GET'}: {fields}")


@public("§16 after a lost history the version has an r mark, which is repeated and counts for nothing else")
def renewed(place):
    first, head = publish(place)
    lost = f"{head.split('.', maxsplit=1)[0]}.2.AAAAAAAAAAAAAAAA"
    for since, reason in ((lost, "diverged"), ("zzzzzzzz.1.AAAAAAAAAAAAAAAA", "lineage-changed")):
        found = place.ask("GET", f"/delta?since={since}").json
        marked = found["version"]
        need(found["reset"]["reason"] == reason and marked.startswith(head + ".r") and len(marked) == len(head) + 10, text(found))
        refused = place.ask("GET", f"/delta?since={since}", headers={"Prefer": "handling=strict"})
        place.expect(refused, 410, reason)
        snapshot = place.service.ask("GET", refused.json["next"])
        need(snapshot.fields["Cache-Control"] == "no-store" and snapshot.json["version"].startswith(head + ".r"), "next")
    same = place.ask("GET", f"/delta?since={marked}").json
    need(same["kind"] == "unchanged" and same["version"] == marked, text(same))
    place.put(A, 200, If_Match=f'"{marked}"')
    news = place.ask("GET", f"/delta?since={marked}").json
    need(news["kind"] == "delta" and news["from"] == marked and news["to"].count(".") == 2, text(news))
    need(place.ask("GET", f"?version={first}.r00000000").json["version"] == first, "it names the version")


@public("§16 strangers read no version from before the collection became public")
def before(place):
    old = place.version(A)
    first, head = place.version(B), None
    merge = {"Content-Type": "application/merge-patch+json"}
    place.expect(place.ask("PATCH", "/settings", {"audience": "public"}, merge), 200)
    head = place.version(A)
    stranger = Service(place.service.url.geturl())
    if stranger.ask("GET", f"{place.base}/collections").status == 200:
        return  # the service is open to all
    for rest in (f"?version={old}", f"/delta?from={old}&to={head}"):
        place.expect(stranger.ask("GET", place.path(rest)), 410, "history-compacted")
        own = place.ask("GET", rest)
        need(own.status == 200 and "public" not in own.fields["Cache-Control"], "its owner's alone")
    reset = stranger.ask("GET", place.path(f"/delta?since={old}")).json["reset"]
    need(reset["reason"] == "history-compacted" and reset["oldest"] == first, text(reset))
    need(stranger.ask("GET", place.path(f"?version={first}")).status == 200, "the one that it became public with")


@public("§16 reading needs no credential, and nobody without one learns of what is private")
def strangers(place):
    first, head = publish(place)
    stranger = Service(place.service.url.geturl())
    for rest in ("", f"?version={head}", f"/delta?since={first}", f"/delta?from={first}&to={head}"):
        answer = stranger.ask("GET", place.path(rest))
        need(answer.status == 200, f"{rest or 'GET'} is answered")
    if stranger.ask("GET", f"{place.base}/collections").status == 200:
        return  # the service is open to all
    place.expect(stranger.ask("PUT", place.path(), []), 401)
    place.expect(stranger.ask("PATCH", place.path(), "x", {"Content-Type": "text/plain"}), 401)
    place.expect(stranger.ask("GET", place.path("?dialect=nope")), 406, "not-acceptable")
    merge = {"Content-Type": "application/merge-patch+json"}
    place.expect(place.ask("PATCH", "/settings", {"audience": "private"}, merge), 200)
    private, absent = (stranger.ask("GET", path) for path in (place.path(), f"{place.base}/collections/none"))
    need(private.status == absent.status == 401 and private.code == absent.code, "one refusal for both")
