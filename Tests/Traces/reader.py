"""Runs a service, makes some requests of it, and reads what it exports: see scripts/test traces."""
import base64, http.server, json, re, sys, tempfile, threading, urllib.error, urllib.request
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from serving import Serving

TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
COLLECTION = "/v1/clients/u42/collections/inbox"
bodies = []


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        bodies.append((self.path, self.headers["Content-Type"], self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def message(text):
    """The message of a JSON text: OTLP has ids in hexadecimal, where JSON of protobuf has base64."""
    tree = json.loads(text)
    for resource in tree["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for span in scope["spans"]:
                for name in ("traceId", "spanId", "parentSpanId"):
                    if name in span:
                        assert re.fullmatch("[0-9a-f]+", span[name]), span[name]
                        span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    return json_format.ParseDict(tree, ExportTraceServiceRequest())


def request(address, method, path, body=None, **fields):
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    given = urllib.request.Request(f"http://{address}{path}", body, {"Content-Type": "application/json", **fields}, method=method)
    try:
        with urllib.request.urlopen(given) as answer:
            return answer.headers
    except urllib.error.HTTPError as error:
        return error.headers


def main(program):
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    log = tempfile.NamedTemporaryFile(prefix="livedelta-traces-")
    service = Serving(program, ":memory:", log.name, environment={
        "LIVEDELTA_TRACES_URL": f"http://127.0.0.1:{collector.server_port}/v1/traces", "LIVEDELTA_TRACES_RATIO": "1"})
    address = "%s:%d" % service.wait_until_it_listens().address
    caller = {"traceparent": f"00-{TRACE}-{CALLER}-01", "tracestate": "vendor=1"}
    first = request(address, "PUT", COLLECTION, b'[{"id":1}]', **caller)["Collection-Version"]
    request(address, "PUT", COLLECTION, b'[{"id":2},{"id":1}]')
    request(address, "GET", f"{COLLECTION}/delta?since={first}")
    request(address, "GET", "/none")
    request(address, "PUT", COLLECTION, b"[")
    assert service.stop() == 0
    assert bodies and all(body[:2] == ("/v1/traces", "application/json") for body in bodies), bodies
    requests = [message(body) for _, _, body in bodies]
    resources = [resource for one in requests for resource in one.resource_spans]
    for resource in resources:
        names = {pair.key: pair.value.string_value for pair in resource.resource.attributes}
        assert names["service.name"] == "livedelta" and names["service.version"], names
    spans = [span for resource in resources for scope in resource.scope_spans for span in scope.spans]
    check(spans)
    print(f"scripts/test traces: {len(spans)} spans of {len({span.trace_id for span in spans})} traces are read")


def check(spans):
    ids = {span.span_id for span in spans}
    assert len(ids) == len(spans), "ids of spans are unique"
    for span in spans:
        assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8), span
        assert any(span.trace_id) and any(span.span_id), span
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span
        assert span.flags & 0x101 == 0x101, span
    servers = [span for span in spans if span.kind == Span.SPAN_KIND_SERVER]
    assert len(servers) == 5, [span.name for span in servers]
    first = next(span for span in servers if span.trace_id.hex() == TRACE)
    assert first.parent_span_id.hex() == CALLER and first.trace_state == "vendor=1" and first.flags & 0x200, first
    attributes = {pair.key: pair.value for pair in first.attributes}
    assert attributes["http.request.method"].string_value == "PUT"
    assert attributes["http.response.status_code"].int_value == 201
    assert all(span.status.code == Status.STATUS_CODE_UNSET for span in servers)
    assert spans == servers


if __name__ == "__main__":
    main(sys.argv[1])
