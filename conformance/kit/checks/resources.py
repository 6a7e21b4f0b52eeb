"""Section 2: which resources there are, their names, settings and pages."""

from .. import engine
from ..judge import need
from ..place import A, check


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
