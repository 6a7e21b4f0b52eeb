"""Section 14: health, metrics, traces and ids of requests."""

import secrets

from ..asking import Service
from ..judge import need
from ..place import A, B, check


@check("§14 Request-Id is echoed, or made")
def request_id(place):
    need(place.service.ask("GET", "/v1", None, {"Request-Id": "conform-1"}).fields["Request-Id"] == "conform-1", "echoed")
    need(place.service.ask("GET", "/v1").fields["Request-Id"], "made")


@check("§14 /livez, /readyz, /readyz/writes and /metrics: base units, the prefix livedelta_, no names of clients in labels", "ops")
def operations(place):
    place.put(A)
    ops = Service(place.service.ops, place.service.token)
    for path in ("/livez", "/readyz", "/readyz/writes"):
        need(ops.ask("GET", path).status == 200, path)
    found = ops.ask("GET", "/metrics")
    need(found.status == 200, f"/metrics: {found.status}")
    names = {line.split("{")[0].split(" ")[0] for line in found.body.decode().splitlines() if line and line[0] != "#"}
    others = [name for name in names if not name.startswith(("livedelta_", "process_"))]  # the latter are Prometheus' own
    need(names and not others, f"names without the prefix: {others}")
    need(place.name not in found.body.decode() and "milliseconds" not in found.body.decode(), "no names, base units")
    need(ops.ask("POST", "/drain", None, {"Origin": "https://evil.example"}).status == 403, "not by a page of another origin")


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
