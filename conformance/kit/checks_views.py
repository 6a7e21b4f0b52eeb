"""Section 15: views. A service that tells no `windowItemsMax` has none, and passes."""

import urllib.parse

from .checks import VECTORS, check, need
from .document import Version, parse, same, text
from .judge import judge


def has_views(place):
    return "windowItemsMax" in place.service.ask("GET", "/v1").json["limits"]


def query(parameters):
    return "&".join(f"{name}={urllib.parse.quote(value)}" for name, _, value in (p.partition("=") for p in parameters))


@check("§15 what GET gives of a view, and its numbers, are those of the vectors")
def seen(place):
    if not has_views(place):
        return
    for step in parse((VECTORS / "views.json").read_text(encoding="utf-8")):
        if step["kind"] != "seen":
            continue
        place.put(step["content"])
        found = place.expect(place.ask("GET", "?" + query(step["parameters"])), 200).json
        need(same(found["sections"], step["sections"]), f"{step['why']}: {text(found['sections'])}, not {text(step['sections'])}")
        need(same(found["view"], step["view"]), f"{step['why']}: the numbers are {text(found['view'])}")


@check("§15 a delta of a view leads from what was seen to what is seen, by each dialect")
def deltas(place):
    if not has_views(place):
        return
    for number, step in enumerate(parse((VECTORS / "views.json").read_text(encoding="utf-8"))):
        if step["kind"] != "delta" or not step["parameters"]:  # a request without parameters has no view
            continue
        place.service.ask("DELETE", place.base)
        since = place.version(step["old"])
        place.put(step["new"])
        for dialect in ("staged", "ops", "splice", "diffable"):
            rest = f"/delta?since={since}&dialect={dialect}&{query(step['parameters'])}"
            found = place.expect(place.ask("GET", rest), 200).json
            view_of(found, step, dialect, number)


def view_of(found, step, dialect, number):
    why = f"{step['why']}, {dialect}"
    before = Version({"sections": step["before"], "meta": step["old"].get("meta")})
    after = Version({"sections": step["after"], "meta": step["new"].get("meta")})
    need(found["kind"] in ("delta", "unchanged"), f"{why}: a delta, not {found['kind']}")
    need(same(found["view"], step["contents"]["view"]), f"{why}: the numbers are {text(found['view'])}")
    if found["kind"] == "unchanged":
        need(same(step["before"], step["after"]), f"{why}: something changed")
        return
    wanted = step["contents"]
    need(set(found["deleted"]) == set(wanted["deleted"]), f"{why}: deleted are {found['deleted']}")
    need(set(found.get("left", [])) == set(wanted.get("left", [])), f"{why}: left are {found.get('left')}")
    whole = {**found, "deleted": [*found["deleted"], *found.get("left", [])]}
    order = before.rows()
    whole["deleted"].sort(key=order.index)
    judge(before, after, dialect, whole, headers=False)


@check("§15 what is no view is 400 `bad-parameter`")
def wrong(place):
    if not has_views(place):
        return
    place.put([{"id": "a"}])
    for parameters in ("where=/a:is:1", "where=a:eq:1", "select=a", "order=/a:up", "sections=all", "window=all",
                       "window=first:100000", "&".join(["where=/a:exists"] * 9)):
        place.expect(place.ask("GET", "?" + parameters), 400, "bad-parameter")
