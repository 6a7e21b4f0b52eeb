"""Sections 3 and 9: snapshots that are put, their refusals, preconditions and idempotency keys."""

import secrets
import threading

from ..asking import Service
from ..document import Version, parse, text
from ..judge import Wrong, judge, need
from ..place import A, B, EDITS, Place, VECTORS, check, edit, numbered
from ..waits import PATIENCE


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


@check("§3 PUT: 201 and Location when created, else 200; what changed is counted; equal content makes no version")
def put(place):
    first = place.put(A, 201)
    need("Location" in first.fields and first.json["previous"] is None and first.json["changed"] is True, "created")
    need(first.fields["Collection-Version"] == first.json["version"], "Collection-Version")
    equal = {"meta": A["meta"], "sections": [{"items": A["sections"][0]["items"], "title": "S", "id": "s"}]}
    same_again = place.put(equal, 200).json
    need(same_again["changed"] is False and same_again["version"] == first.json["version"], "equal content")
    second = place.put(B, 200).json
    need(second["previous"] == first.json["version"] and int(second["seq"]) == 2, "previous and seq")
    need(text(second["counts"], True) == '{"deleted":0,"inserted":1,"moved":1,"reloaded":1,"sectionsDeleted":0,'
         '"sectionsInserted":0,"sectionsMoved":0,"sectionsReloaded":0}', text(second["counts"]))


@check("§3 Prefer: return=minimal, representation, delta; each with Preference-Applied")
def prefer(place):
    minimal = place.put(A, 204, Prefer="return=minimal")
    need(minimal.fields["Preference-Applied"] == "return=minimal" and not minimal.body, "204")
    delta = place.put(B, 200, Prefer="return=delta")
    need(delta.fields["Preference-Applied"] == "return=delta", "return=delta")
    judge(Version(parse(text(numbered(A)))), Version(parse(text(numbered(B)))), "staged", delta.json)
    whole = place.put(A, 200, Prefer="return=representation")
    need(whole.json["kind"] == "snapshot", "return=representation")


@check("§3 every refusal of the vectors has its status and code, and changes nothing")
def errors(place):
    place.put({"sections": [{"id": "s", "items": [{"id": "a"}, {"id": "b"}]}]})
    before, wrong = place.ask("GET").body, []
    for vector in parse((VECTORS / "errors.json").read_text(encoding="utf-8")):
        body = vector.get("body")
        path = vector["path"].replace("{client}", place.name)
        answer = place.service.ask(vector["method"], path, text(body) if isinstance(body, (dict, list)) else body,
                                   vector.get("headers"))
        try:
            place.expect(answer, int(vector["status"]), vector["code"])
        except Wrong as error:
            wrong.append(f"{vector['name']}: {error}")
        if answer.status == 405:
            need("Allow" in answer.fields, "405 has Allow")
    need(not wrong, "\n    ".join(wrong))
    need(place.ask("GET").body == before, "nothing changed")


@check("§3 a duplicate has a pointer to each occurrence")
def duplicate(place):
    found = place.expect(place.ask("PUT", "", [{"id": "a"}, {"id": 1}, {"id": "a"}]), 422, "duplicate-id").json
    need([e["pointer"] for e in found["errors"]] == ["/items/0/id", "/items/2/id"] or
         [e["pointer"] for e in found["errors"]] == ["/0/id", "/2/id"], text(found["errors"]))


@check("§9 If-Match and Collection-If-Version: 412 with what is current; If-None-Match: * creates only")
def conditional(place):
    first = place.put(A, 201, If_None_Match="*").json["version"]
    second = place.put(B, 200, If_Match=f'"{first}"').json["version"]
    for headers in ({"If-Match": f'"{first}"'}, {"If-Match": first}, {"Collection-If-Version": first}):
        answer = place.expect(place.ask("PUT", "", A, headers), 412, "version-conflict")
        need(answer.json["current"] == second, "current")
    weak = place.expect(place.ask("PUT", "", A, {"If-Match": f'W/"{second}"'}), 412, "version-conflict")
    need("weak" in weak.json["detail"] and "Collection-If-Version" in weak.json["detail"], "a weak tag is told to be one")
    place.put(A, 200, Collection_If_Version=second)
    place.put(B, 200, If_Match=place.ask("GET").fields["ETag"])


@check("§9 Idempotency-Key: the first answer again; another body: 422")
def idempotent(place):
    key = secrets.token_hex(8)
    first = place.put(A, 201, Idempotency_Key=key)
    place.put(B)
    again = place.put(A, 201, Idempotency_Key=key)
    need(again.fields["Idempotency-Replayed"] == "true" and again.json["version"] == first.json["version"], "replayed")
    need(int(place.ask("GET").json["seq"]) == 2, "it was made once")
    place.expect(place.ask("PUT", "", B, {"Idempotency-Key": key}), 422, "idempotency-key-reuse")
    typed = {"Content-Type": "application/json", "Idempotency-Key": secrets.token_hex(8)}
    place.expect(place.ask("PUT", "", '[{"id":"a","n":1}]', typed), 200)
    spelled = place.expect(place.ask("PUT", "", '[ {"n" : 1, "\\u0069d":"a"} ]', typed), 200)
    need(spelled.fields["Idempotency-Replayed"] == "true", "the same JSON, spelled otherwise, is the same request")


@check("§9 a member that stands twice is refused in every JSON that is taken: 422 with a pointer")
def doubled(place):
    place.put(A)
    typed = {"Content-Type": "application/json"}
    rows = [
        ("PUT", place.path(), '{"items":[],"items":[]}', typed, "/items"),
        ("PUT", place.path("/settings"), '{"audience":"private","audience":"public"}', typed, "/audience"),
        ("PATCH", place.path(), '{"edits":[{"op":"reload","op":"delete","ids":["a"]}]}', EDITS, "/edits/0/op"),
        ("PATCH", place.path(), '{"edits":[],"edits":[]}', EDITS, "/edits"),
        ("POST", place.path("/revert"), '{"to":"x","to":"y"}', typed, "/to"),
        ("POST", f"{place.base}/batch", '{"writes":[{"collection":"c","collection":"d","put":[]}]}', typed, "/writes/0/collection"),
        ("POST", f"{place.base}/sync", '{"collections":{"list":null,"list":null}}', typed, "/collections/list"),
        ("POST", "/v1/diff", '{"old":[],"new":[],"old":[]}', typed, "/old")]
    for method, path, body, fields, pointer in rows:
        answer = place.service.ask(method, path, body, fields)
        need(answer.status == 422, f"{body}: {answer.status}")
        need(answer.json["errors"][0]["pointer"] == pointer, f"{pointer}, not {text(answer.json)}")


@check("§3 half of a surrogate pair is refused: 400 bad-json with the pointer and the id of the item")
def half(place):
    answer = place.ask("PUT", "", '[{"id":"x","t":"Hi \\ud83d"}]', {"Content-Type": "application/json"})
    place.expect(answer, 400, "bad-json")
    need(answer.json["errors"][0]["pointer"] == "/0/t" and '"x"' in answer.json["detail"], text(answer.json))


@check("§9 a parameter that names no dialect is refused, whatever the write is answered with")
def parameters(place):
    token = place.version(A)
    need(place.ask("PUT", "?dialect=nope", B).status == 406, "406")
    need(place.ask("PUT", "?items=nope", B).status == 400, "400")
    need(place.ask("GET").json["version"] == token, "nothing was written")


@check("§9 If-Match: any strong form of the ETag of now, quotes or none, a list, `*`; a weak one never")
def preconditions(place):
    place.expect(place.ask("PUT", "", A, {"If-Match": "*"}), 412)
    token = place.version({"sections": [{"id": "s", "items": [{"id": n, "t": "x" * 40} for n in range(40)]}]})
    for form in ("identity", "gzip", "{}", '"{}"', '"x.1.y", "{}"', "*"):
        value = form.format(token)
        if form in ("identity", "gzip"):
            value = place.ask("GET", "", None, {"Accept-Encoding": form}).fields["ETag"]
        need(edit(place, {"op": "reload", "ids": ["1"]}, If_Match=f'W/"{token}"').status == 412, "a weak one never")
        token = place.expect(edit(place, {"op": "reload", "ids": ["1"]}, If_Match=value), 200).json["version"]
    place.expect(place.ask("PUT", "", A, {"If-None-Match": "*"}), 412)
    answer = place.ask("PUT", "", A, {"Collection-If-Version": "aaaaaaaa.1.aaaaaaaaaaaaaaaa"})
    need(place.expect(answer, 412, "version-conflict").json["current"] == place.ask("GET").json["version"], "current")


@check("§9 Idempotency-Key: on edits and batches, with the representation that was asked for; 129 bytes are refused")
def keys(place):
    place.put(A)
    key = secrets.token_hex(8)
    first = edit(place, {"op": "append", "section": "s", "items": [{"id": "x"}]}, Idempotency_Key=key, Prefer="return=delta")
    place.put(B)
    again = edit(place, {"op": "append", "section": "s", "items": [{"id": "x"}]}, Idempotency_Key=key, Prefer="return=delta")
    need(again.fields["Idempotency-Replayed"] == "true" and again.json["kind"] == "delta", "its representation, too")
    need(again.json["to"] == first.json["to"], "the first answer")
    need(edit(place, {"op": "reload", "ids": ["a"]}, Idempotency_Key=key).code == "idempotency-key-reuse", "another body")
    body = {"atomic": True, "writes": [{"collection": "one", "put": []}]}
    for number in (0, 1):
        answer = place.service.ask("POST", f"{place.base}/batch", body, {"Idempotency-Key": key + "b"})
        need(int(answer.json["results"][0]["status"]) == 201, "the batch is made once")
        need(("Idempotency-Replayed" in answer.fields) == bool(number), "and replayed")
    need(place.put([], None, Idempotency_Key="k" * 128).status == 200, "128 bytes are taken")
    place.expect(place.ask("PUT", "", [], {"Idempotency-Key": "k" * 129}), 400)


@check("§9 where a precondition is required, a write of any kind without one is 428; with one it is made", "conditional")
def required(place):
    other = Place(Service(place.service.conditional, place.service.token))
    bodies = [("PUT", "", [], None), ("POST", "", [], None), ("PATCH", "", {"edits": []}, EDITS), ("POST", "", {"edits": []}, EDITS),
              ("DELETE", "", None, None), ("PUT", "/settings", {}, None), ("PATCH", "/settings", {}, None)]
    batch = {"writes": [{"collection": "list", "put": []}]}
    try:
        for when in ("before there is any", "afterwards"):
            for method, rest, body, fields in bodies:
                answer = other.ask(method, rest, body, fields)
                need(answer.status == 428, f"{method} {rest} {when}: {answer.status} {answer.body[:200]!r}")
                other.expect(answer, 428, "precondition-required")
            other.expect(other.service.ask("POST", f"{other.base}/batch", batch), 428, "precondition-required")
            if when == "afterwards":
                break
            need(other.ask("GET").status == 404, "nothing was written")
            held = other.put(A, 201, If_None_Match="*").json["version"]
        need(other.ask("GET").json["version"] == held, "nothing was changed")
        held = other.put(B, 200, If_Match=f'"{held}"').json["version"]
        held = other.put(A, 200, Collection_If_Version=held).json["version"]
        batch["writes"][0]["ifVersion"] = held
        other.expect(other.service.ask("POST", f"{other.base}/batch", batch), 200)
        held = other.ask("GET").json["version"]
        other.expect(other.ask("POST", "/revert", {"to": held}), 428, "precondition-required")
        need(other.ask("DELETE", "", None, {"If-Match": f'"{held}"'}).status == 204, "a deletion with one")
    finally:
        other.service.ask("DELETE", other.base)
        other.service.close()


@check("§9 of requests with one key at once one is made; while it is running the others are 409 `idempotency-in-flight`")
def running(place):
    refused, rows = 0, 2_000
    for attempt in range(40):
        key, answers = {"Idempotency-Key": secrets.token_hex(8)}, []
        content = [{"id": n, "round": attempt} for n in range(rows)]
        before = int(place.put([]).json["seq"])

        def write(key=key, content=content, answers=answers):
            answers.append(Service(place.service.url.geturl(), place.service.token).ask("PUT", place.path(), content, key))

        writers = [threading.Thread(target=write) for _ in range(4)]
        for one in writers:
            one.start()
        for one in writers:
            one.join(PATIENCE)
        need(len(answers) == len(writers), "each is answered")
        done = [answer for answer in answers if answer.status != 409]
        need(done and {answer.status for answer in done} == {200}, f"{[answer.status for answer in answers]}")
        for answer in answers:
            if answer.status == 409:
                place.expect(answer, 409, "idempotency-in-flight")
                refused += 1
        made = {answer.json["version"] for answer in done}
        need(len(made) == 1 and int(done[0].json["seq"]) == before + 1, f"one version: {made}")
        need(sum("Idempotency-Replayed" not in answer.fields for answer in done) == 1, "the others have the first answer again")
        again = place.put(content, 200, **{name.replace("-", "_"): value for name, value in key.items()})
        need(again.fields["Idempotency-Replayed"] == "true" and {again.json["version"]} == made, "so has who asks later")
        if refused:
            return
        rows = min(rows * 2, 50_000)
    need(refused, "none is refused while another is running")


@check("§9 at most 1,000 idempotency keys of a collection are kept, the newest")
def thousand(place):
    first = {"Idempotency-Key": secrets.token_hex(8)}
    place.put([], 201, Idempotency_Key=first["Idempotency-Key"])
    for number in range(999):
        edit(place, {"op": "append", "section": "", "items": []}, Idempotency_Key=f"{number}")
    need("Idempotency-Replayed" in place.ask("PUT", "", [], first).fields, "the first of 1,000 is kept")
    edit(place, {"op": "append", "section": "", "items": []}, Idempotency_Key="999")
    need("Idempotency-Replayed" not in place.ask("PUT", "", [], first).fields, "of 1,001 it is not")


@check("§9 a member that nothing has is 422 with a pointer and the nearest name, in every JSON that is taken")
def misspelt(place):
    held = place.version(A)
    rows = [(f"{place.base}/batch", {"writes": [{"collectoin": "list", "put": []}]}, "collection"),
            (f"{place.base}/batch", {"atomik": True, "writes": []}, "atomic"),
            (f"{place.base}/sync", {"collections": {"list": None}, "wiat": 1}, "wait"),
            (f"{place.base}/sync", {"collections": {"list": {"sinse": held}}}, "since"),
            (f"{place.base}/sync", {"colections": {"list": None}}, "collections"),
            ("/v1/diff", {"old": [], "new": [], "nwe": []}, "new"),
            ("/v1/diff", {"odl": [], "new": []}, "old"),
            (place.path("/revert"), {"too": held}, "to")]
    for path, body, name in rows:
        answer = place.service.ask("POST", path, body)
        need(answer.status == 422, f"{path} {text(numbered(body))}: {answer.status} {answer.body[:200]!r}")
        found = place.expect(answer, 422).json
        need(found["errors"][0]["pointer"] and f"{name}" in found["detail"] + text(found["errors"]), f"{path}: {text(found)}")
