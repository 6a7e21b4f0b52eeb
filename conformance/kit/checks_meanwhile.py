"""What is decided while something else is under way: keys of requests that are running, credentials that end while they are
used, bookmarks of views in which nothing happens; and what a service does that was started for it (`--conditional`)."""

import contextlib
import secrets
import subprocess
import threading
import time

from .asking import Service
from .checks import A, B, Place, check, need
from .checks_access import caller, token
from .checks_views import has_views
from .checks_writing import EDITS
from .document import parse, text

PATIENCE = 60  # seconds in which a busy machine does what the contract says is done at once


@contextlib.contextmanager
def waiting(service, path):
    """A question that waits in a thread of its own; gives a list that will have its answer and when that came."""
    found = []

    def ask():
        found.append((service.ask("GET", path), time.time()))

    thread = threading.Thread(target=ask)
    thread.start()
    yield found
    thread.join(PATIENCE)
    need(found, "the question that waits is answered")


def ended(events):
    """The data of the event `end` of a stream."""
    for event in events:
        if event.get("event") == "end":
            return parse(event["data"])
    return need(False, "the stream ends with `end`")


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


@check("§14 traceparent is continued: the answer has the caller's trace, and a span of its own; what is none is ignored")
def traces(place):
    place.put(A)
    trace, span = secrets.token_hex(16), secrets.token_hex(8)
    spans = {span}
    for method, rest, body, flags in (("GET", "", None, "00"), ("GET", "", None, "01"), ("GET", "/delta", None, "01"),
                                      ("PUT", "", B, "01"), ("GET", "/nothing", None, "00"), ("PUT", "", "[", "00")):
        answer = place.ask(method, rest, body, {"traceparent": f"00-{trace}-{span}-{flags}", "Content-Type": "application/json"})
        parts = answer.fields.get("traceparent", "").split("-")
        need(len(parts) == 4 and parts[:2] == ["00", trace], f"{method} {rest}: {answer.fields.get('traceparent')}")
        need(len(parts[2]) == 16 and int(parts[2], 16) and parts[2] not in spans, f"a span of its own: {parts[2]}")
        spans.add(parts[2])
    for wrong in (f"00-{'0' * 32}-{span}-01", f"00-{trace}-{'0' * 16}-01", f"ff-{trace}-{span}-01", f"00-{trace.upper()}X-{span}-01",
                  trace, "", f"00-{trace}-{span}"):
        answer = place.ask("GET", "", None, {"traceparent": wrong})
        need(answer.status == 200, f"{wrong}: {answer.status}")
        need(trace not in answer.fields.get("traceparent", ""), f"{wrong} is not continued")


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
