"""Section 11: compression, and what caches may keep."""

import gzip
import json

from ..judge import need
from ..place import A, B, JSON, check, delta


@check("§11 answers from 860 bytes up are compressed where that is accepted; the ETag differs by coding")
def compressed(place):
    place.put([{"id": str(n), "text": "long enough"} for n in range(100)])
    plain = place.ask("GET")
    need("Content-Encoding" not in plain.fields and "Accept-Encoding" in plain.fields["Vary"], "identity, and Vary")
    packed = place.ask("GET", "", None, {"Accept-Encoding": "gzip"})
    need(packed.fields["Content-Encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body, "gzip")
    need(packed.fields["ETag"] != plain.fields["ETag"], "another ETag")
    need(place.ask("GET", "", None, {"If-None-Match": packed.fields["ETag"]}).status == 304, "304 by any coding")
    refused = place.ask("GET", "", None, {"Accept-Encoding": "gzip;q=0"})
    need("Content-Encoding" not in refused.fields, "q=0 is honoured")


@check("§11 JSON answers are application/json, on one line")
def line(place):
    place.put(A)
    answer = place.ask("GET")
    need(answer.fields["Content-Type"] == "application/json" and b"\n" not in answer.body.rstrip(b"\n"), "one line")


@check("§11 gzip, in and out; q-values and *; the ETag differs by dialect and coding, and 304 whichever it was")
def codings(place):
    coded = {**JSON, "Content-Encoding": "gzip"}
    place.expect(place.ask("PUT", "", gzip.compress(json.dumps([{"id": n, "t": "x" * 30} for n in range(99)]).encode()), coded), 201)
    plain = place.ask("GET", "", None, {"Accept-Encoding": "identity"})
    tags = {plain.fields["ETag"]}
    for accepted, coding in (("gzip", "gzip"), ("gzip;q=0, *;q=0.5", ""), ("*", None), ("br;q=0.9, gzip;q=0.1", "gzip"),
                             ("*;q=0, identity", ""), ("br", ""), ("deflate", "")):
        answer = place.ask("GET", "", None, {"Accept-Encoding": accepted})
        got = answer.fields.get("Content-Encoding", "")
        need(coding is None or got == coding, f"{accepted}: {got}")
        body = {"gzip": gzip.decompress}.get(got, bytes)(answer.body)
        need(body == plain.body, f"{accepted}: the same body")
        tags.add(answer.fields["ETag"])
        same_state = place.ask("GET", "", None, {"If-None-Match": answer.fields["ETag"], "Accept-Encoding": "identity"})
        need(same_state.status == 304 and not same_state.body, f"{accepted}: 304")
    need(len(tags) == 2 and not any(tag.startswith("W/") for tag in tags), f"strong, one for each coding: {tags}")
    need({"Accept-Encoding", "Accept", "Authorization"} <= set(plain.fields["Vary"].replace(" ", "").split(",")), "Vary")
    for unknown in ("br", "deflate"):
        refused = place.expect(place.ask("PUT", "", b"x", {**JSON, "Content-Encoding": unknown}), 415, "unsupported-media-type")
    need("gzip" in refused.fields["Accept-Encoding"], "Accept-Encoding tells what is taken")


@check("§11 what may be kept: delta at once `private, no-cache`; the rest and errors `no-store`")
def kept(place):
    first = place.version(A)
    place.put(B)
    need(delta(place, first).fields["Cache-Control"] == "private, no-cache", "a delta at once")
    for rest in (f"/delta?since={first}&wait=5", f"/delta?since={place.ask('GET').json['version']}", "/delta?since=x.1.y",
                 "?version=%20"):
        need("no-store" in place.ask("GET", rest).fields["Cache-Control"], f"{rest} is not kept")
    need("no-store" in place.service.ask("GET", f"{place.base}/collections/none").fields["Cache-Control"], "nor an error")
    sync = place.service.ask("POST", f"{place.base}/sync", {"collections": {"list": None}})
    need("no-store" in sync.fields["Cache-Control"], "nor sync")


@check("§11 bodies in gzip are taken; one that inflates more than 200 times is 413")
def packed(place):
    coded = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    place.expect(place.ask("PUT", "", gzip.compress(b'[{"id":"a"}]'), coded), 201)
    bomb = gzip.compress(b'[{"id":"a","x":"' + b"x" * 4_000_000 + b'"}]')
    place.expect(place.ask("PUT", "", bomb, coded), 413, "body-too-large")


@check("§11 answers of less than 860 bytes are sent as they are")
def small(place):
    for count in (10, 200):
        place.put([{"id": "a", "t": "x" * count * 7}])
        answer = place.ask("GET", "", None, {"Accept-Encoding": "gzip"})
        is_coded = "Content-Encoding" in answer.fields
        need(is_coded == (count == 200), f"{len(answer.body)} bytes are {'' if is_coded else 'not '}coded")
