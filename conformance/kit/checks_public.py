"""Section 16: what anybody may read, and what shared caches are told of it. A service that tells no bounds of `ages` has
none, and passes."""

import threading

from .asking import Service
from .checks import A, B, check, need

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
    merge = {"Content-Type": "application/merge-patch+json"}
    place.expect(place.ask("PATCH", "/settings", {"audience": "private"}, merge), 200)
    private, absent = (stranger.ask("GET", path) for path in (place.path(), f"{place.base}/collections/none"))
    need(private.status == absent.status == 401 and private.code == absent.code, "one refusal for both")
