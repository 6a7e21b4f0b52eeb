"""Sections 5 to 7: deltas and resets, the laws that deltas keep, and their dialects."""

import time

from .. import engine
from ..document import Version, parse, text
from ..judge import apply_patch, judge, judge_patch, need
from ..place import A, B, VECTORS, check, delta, numbered, text_of


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


@check("§5 versions that a reader cannot have: diverged above the head after 1 s; handling=strict turns each reset into 410")
def resets_by_reason(place):
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


@check("§7 what is no delta uses the envelope also where a JSON Patch is asked for")
def envelope(place):
    held = place.version(A)
    accept = {"Accept": "application/json-patch+json"}
    for rest, kind in (("/delta", "snapshot"), (f"/delta?since={held}", "unchanged"),
                       ("/delta?since=aaaaaaaa.1.aaaaaaaaaaaaaaaa", "snapshot")):
        found = place.expect(place.ask("GET", rest, None, accept), 200)
        need(found.json["kind"] == kind and found.json["version"] == held, f"{rest}: {found.body[:200]!r}")
