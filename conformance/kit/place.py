"""Where a check is made: a client of its own at the service; and the list of all checks, to which each adds itself."""

import json
import pathlib
import secrets

from .document import parse
from .judge import Wrong, need

VECTORS = pathlib.Path(__file__).parent.parent / "vectors"
CHECKS = []
A = {"sections": [{"id": "s", "title": "S", "items": [{"id": "a", "n": 1}, {"id": "b", "n": 1.50}]}], "meta": {"m": 1}}
B = {"sections": [{"id": "s", "title": "S", "items": [{"id": "b", "n": 2}, {"id": "c"}, {"id": "a", "n": 1}]}]}

JSON = {"Content-Type": "application/json"}
EDITS = {"Content-Type": "application/vnd.livedelta.edits+json"}


def check(name, needs=None):
    """Adds a check; `needs` is what the service must be told to have for it, such as `token`."""
    def add(function):
        CHECKS.append((name, function, needs))
        return function
    return add


class Place:
    """A client of its own for a check, which is forgotten afterwards."""

    def __init__(self, service):
        self.service, self.name = service, f"conform-{secrets.token_hex(6)}"
        self.base = f"/v1/clients/{self.name}"
        self.asked = ""  # what was asked last, for messages

    def path(self, rest=""):
        return f"{self.base}/collections/list{rest}"

    def ask(self, method, rest="", body=None, headers=None):
        self.asked = f"{method} {rest}"
        return self.service.ask(method, self.path(rest), body, headers)

    def put(self, content, status=None, **headers):
        answer = self.ask("PUT", "", content, {k.replace("_", "-"): v for k, v in headers.items()})
        need(answer.status in ([status] if status else (200, 201)), f"PUT: {answer.status} {answer.body[:300]!r}")
        return answer

    def version(self, content):
        return self.put(content).json["version"]

    def expect(self, answer, status, code=None):
        need(answer.status == status, f"the status is {answer.status}, not {status}: {answer.body[:300]!r}")
        if code:
            need(answer.fields["Content-Type"] == "application/problem+json", "a problem is application/problem+json")
            found = answer.json
            need({"type", "title", "status", "code", "detail"} <= set(found), "type, title, status, code, detail")
            need(found["code"] == code and int(found["status"]) == status, f"the code is {found['code']}, not {code}")
        return answer

    def events(self, rest, count, headers=None):
        """The first events of a stream, without `retry` and pings."""
        answer, events = self.service.stream(self.path(rest), headers)
        found = []
        for event in events:
            if event.get("event") not in (None, "ping"):
                found.append(event)
            if len(found) == count:
                break
        events.close()
        return answer, found


def run(service, function):
    """Runs a check; returns what is wrong, or None."""
    place = Place(service)
    try:
        function(place)
        return None
    except Wrong as error:
        return str(error)
    except Exception as error:  # an answer of another shape can break any line of a check
        return f"{type(error).__name__}: {error}"
    finally:
        service.close()
        service.ask("DELETE", place.base)


def text_of(content):
    return json.dumps(content)


def numbered(value):
    return parse(json.dumps(value))


def delta(place, since, rest="", headers=None):
    return place.expect(place.ask("GET", f"/delta?since={since}{rest}", None, headers), 200)


def content(place):
    return [(s["id"], [str(i["id"]) for i in s["items"]]) for s in place.ask("GET").json["sections"]]


def edit(place, *edits, **headers):
    return place.ask("PATCH", "", {"edits": list(edits)}, {**EDITS, **{k.replace("_", "-"): v for k, v in headers.items()}})


def has_views(place):
    return "windowItemsMax" in place.service.ask("GET", "/v1").json["limits"]
