"""Section 15: views. A service that tells no `windowItemsMax` has none, and passes."""

import time
import urllib.parse

from ..asking import Service
from ..document import Version, parse, same, text
from ..judge import judge, need
from ..place import VECTORS, check, has_views
from ..waits import PATIENCE, waiting


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


@check("§15 first:0 gives the numbers alone; ETag differs by view; parameters stand in any order; scrolling alone is a delta")
def numbers(place):
    if not has_views(place):
        return
    token = place.version([{"id": f"i{n}", "n": n} for n in range(9)])
    found = place.ask("GET", "?where=/n:ge:3&window=first:0").json
    need(int(found["view"]["total"]) == 6 and not [i for s in found["sections"] for i in s["items"]], text(found))
    tags = [place.ask("GET", rest).fields["ETag"] for rest in (
        "", "?where=/n:ge:3", "?where=/n:ge:3&window=first:2", "?window=first:2&where=/n:ge:3", "?select=/n", "?order=/n:desc")]
    need(tags[2] == tags[3] and len(set(tags)) == 5, f"one for each view: {tags}")
    need(place.ask("GET", "?select=/n", None, {"If-None-Match": tags[1]}).status == 200, "the ETag of another view")
    found = place.ask("GET", f"/delta?since={token}&window=at:2:3&was=at:0:3&dialect=splice").json
    need(found["kind"] == "delta" and found["from"] == token == found["to"], "`from` may equal `to`")
    need(found["left"] == ["i0", "i1"] and not found["deleted"], f"what left the window is still there: {text(found)}")
    need([entry[2] for entry in found["added"]] == ["i3", "i4"] and int(found["view"]["start"]) == 2, text(found))
    found = place.ask("GET", f"/delta?since={token}&window=around:i4:1:1").json
    need(found["kind"] == "unchanged" or found["view"]["anchor"] == "i4", text(found))
    need(place.ask("GET", "?window=around:i4:1:1").json["view"]["anchor"] == "i4", "the anchor")
    place.put([{"id": f"i{n}", "n": n} for n in range(9) if n != 4])
    found = place.ask("GET", f"/delta?since={token}&window=around:i4:1:1").json
    need(found["view"]["anchor"] == "i3", f"the nearest before it: {text(found)}")
    view = place.ask("GET", "?window=around:i4:1:1").json["view"]
    need(view["anchor"] == "i0" and int(view["start"]) == 0, f"nobody who showed it: from the beginning: {text(view)}")


@check("§15 a change that does not touch a view wakes nobody; `unchanged` then has the newest token that gives the same")
def quiet(place):
    if not has_views(place):
        return
    token = place.version([{"id": "a", "n": 1}, {"id": "b", "n": 2}])
    newest = place.version([{"id": "a", "n": 1}, {"id": "b", "n": 3}])
    found = place.expect(place.ask("GET", f"/delta?since={token}&where=/n:eq:1&wait=1"), 200).json
    need(found["kind"] == "unchanged" and found["version"] == newest, text(found))
    last = place.version([{"id": "a", "n": 4}, {"id": "b", "n": 3}])
    found = place.ask("GET", f"/delta?since={token}&where=/n:eq:1&dialect=json-patch").json
    operations = found if isinstance(found, list) else found.get("patch", found)
    need('"remove"' in text(operations) and last in text(operations), f"json-patch is of the view's document: {text(found)}")
    refused = place.service.ask("GET", f"{place.base}/sync?collections=list:&where=/n:eq:1", None, {"Accept": "text/event-stream"})
    need(refused.status == 400, f"the URL of several collections has no views: {refused.status}")


@check("§15 a stream of a view in which nothing happens gets a bookmark with the newest version, at least once a minute")
def bookmarks(place):
    if not has_views(place):
        return
    held = place.version([{"id": "a", "n": 1}, {"id": "b", "n": 2}])
    answer, events = place.service.stream(place.path(f"/delta?since={held}&where=/n:eq:1&ping=5"))
    need(answer.status == 200, f"a stream: {answer.status}")
    told = (event for event in events if event.get("event") not in (None, "ping"))
    need(next(told)["event"] == "bookmark", "the first event")
    for number in (3, 4):
        newest = place.version([{"id": "a", "n": 1}, {"id": "b", "n": number}])
    started, event = time.monotonic(), next(told)
    while event["id"] != newest:
        need(event["event"] == "bookmark", f"nothing else: {text(event)}")
        event = next(told)
    need(event["event"] == "bookmark" and time.monotonic() - started < 60 + PATIENCE, f"a bookmark: {text(event)}")
    last = place.version([{"id": "a", "n": 1, "new": True}, {"id": "b", "n": 5}])
    event = next(told)
    need(event["event"] == "delta" and event["id"] == last, text(event))
    found = parse(event["data"])
    need(found["from"] == newest and list(found["items"]) == ["a"], f"from what the bookmark said: {text(found)}")
    events.close()


@check("§15 the limits of a view's terms; `sync` takes a view of each collection; a change beside a view wakes nobody")
def views(place):
    if not has_views(place):
        return
    held = place.version([{"id": f"i{n}", "n": n} for n in range(5)])
    limits = [("select=" + ",".join(f"/m{n}" for n in range(count)), count > 32) for count in (32, 33)]
    limits += [("&".join(["order=/n"] * count), count > 4) for count in (4, 5)]
    limits += [("where=" + urllib.parse.quote(f"/n:in:{list(range(count))}"), count > 64) for count in (64, 65)]
    most = int(place.service.ask("GET", "/v1").json["limits"]["windowItemsMax"])
    limits += [(f"window=first:{count}", count > most) for count in (most, most + 1)]
    for parameters, is_over in limits:
        answer = place.ask("GET", f"?{parameters}")
        place.expect(answer, *((400, "bad-parameter") if is_over else (200,)))
        if is_over:
            need(parameters.split("=")[0] in answer.json["detail"] + text(answer.json.get("errors")), "the parameter is told")
    view = {"where": ["/n:ge:3"], "window": "first:1"}
    body = {"collections": {"list": {"since": held, "view": view}}}
    found = place.expect(place.service.ask("POST", f"{place.base}/sync", body), 200).json
    need(found["unchanged"] == ["list"], text(found))
    body["collections"]["list"]["since"] = None
    found = place.service.ask("POST", f"{place.base}/sync", body).json["collections"]["list"]
    need([text(i) for s in found["sections"] for i in s["items"]] == ['{"id":"i3","n":3}'], text(found))
    need(int(found["view"]["total"]) == 2, text(found["view"]))
    for seconds in (3, 12, 50):  # a busy machine may not write in less
        other, started = Service(place.service.url.geturl(), place.service.token), time.time()
        with waiting(other, place.path(f"/delta?since={held}&where=/n:ge:3&wait={seconds}")) as answers:
            time.sleep(0.3)
            newest = place.version([{"id": "i0", "n": -seconds}, *({"id": f"i{n}", "n": n} for n in range(1, 5))])
            written = time.time()
        if answers[0][1] > written:
            break
    found = answers[0][0].json
    need(found["kind"] == "unchanged" and answers[0][1] - started >= 0.85 * seconds, f"it waits on: {text(found)}")
    need(found["version"] == newest, f"the newest version: {text(found)}")
