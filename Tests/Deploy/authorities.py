"""Commands and services that trust the certificates of an authority of their own."""

import http.server
import os
import ssl
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

from outages import until
from service import PROGRAM, Service


class Backend(http.server.BaseHTTPRequestHandler):
    """What a service asks or tells others, over HTTPS: its keys, its backend, webhooks and traces."""

    def do_GET(self):  # pylint: disable=invalid-name
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.asked.add(self.path.split("?")[0])
        body = b'{"keys":[]}' if self.path.startswith("/jwks") else b"{}"
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class Relay(http.server.BaseHTTPRequestHandler):
    """A service over HTTPS."""

    def do_GET(self):  # pylint: disable=invalid-name
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)) or None
        fields = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "accept-encoding")}
        request = urllib.request.Request(f"http://{self.server.target}{self.path}", body, fields, method=self.command)
        with urllib.request.urlopen(request, timeout=30) as answer:
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                    self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_PUT = do_GET

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def serve(handler, folder):
    """A server with a certificate of the authority in `folder`/ca.crt, and its URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "server.crt"), os.path.join(folder, "server.key"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.asked = set()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"https://localhost:{server.server_address[1]}"


def authority(folder):
    """Makes an authority and a certificate for localhost; returns the path of the authority's."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=folder)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=A house of its own", "-keyout", "ca.key", "-out", "ca.crt")
    openssl("req", *key, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
    with open(os.path.join(folder, "names"), "w", encoding="ascii") as names:
        names.write("subjectAltName=DNS:localhost")
    openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", "2", "-extfile", "names",
            "-out", "server.crt")
    return os.path.join(folder, "ca.crt")


def commands_trust_the_authority_that_they_are_given():
    with tempfile.TemporaryDirectory() as folder:
        trusted, service = authority(folder), Service(os.path.join(folder, "data"))
        relay, url = serve(Relay, folder)
        relay.target = service.address
        base = {name: value for name, value in os.environ.items() if name != "SSL_CERT_FILE"}

        def livedelta(*arguments, **environment):
            return subprocess.run([PROGRAM, *arguments, "--server", url], capture_output=True, text=True,
                                  env={**base, **environment}, input='[{"id":1}]', check=False)
        try:
            done = livedelta("put", "-", "-c", "u/c", "--cacert", trusted)
            assert done.returncode == 0, done.stderr
            for arguments, environment in [(["--cacert", trusted], {}), ([], {"SSL_CERT_FILE": trusted}),
                                           ([], {"LIVEDELTA_CA_FILE": trusted})]:
                done = livedelta("get", "u/c", *arguments, **environment)
                assert done.returncode == 0, done.stderr
            done = livedelta("get", "u/c")
            assert done.returncode == 69 and "certificate" in done.stderr and "--cacert" in done.stderr, done.stderr
            assert "is a service running" not in done.stderr, done.stderr
            done = livedelta("get", "u/c", SSL_CERT_FILE="/nonexistent")
            assert done.returncode == 69 and "/nonexistent" in done.stderr, done.stderr
            done = subprocess.run(  # without TLS it does not matter
                [PROGRAM, "get", "u/c", "--server", service.address], capture_output=True, text=True, check=False,
                env={**base, "SSL_CERT_FILE": "/nonexistent"})
            assert done.returncode == 0, done.stderr
            done = livedelta("get", "u/c", "--cacert", os.path.join(folder, "names"))
            assert done.returncode == 78 and "no certificate" in done.stderr, done.stderr
        finally:
            service.kill()
            relay.shutdown()


def a_service_trusts_the_authority_that_it_is_given():
    with tempfile.TemporaryDirectory() as folder:
        trusted = authority(folder)
        secret = os.path.join(folder, "secret")
        with open(secret, "w", encoding="ascii") as file:
            file.write("whsec_" + "A" * 43 + "=")
        for named in ({}, {"LIVEDELTA_CA_FILE": trusted}, {"SSL_CERT_FILE": trusted}):
            backend, url = serve(Backend, folder)
            service = Service(tempfile.mkdtemp(dir=folder), auth="keys", environment={
                "LIVEDELTA_AUTH_JWKS": url + "/jwks", "LIVEDELTA_AUTH_FORWARD_URL": url + "/forward",
                "LIVEDELTA_AUTH_FORWARD_COOKIES": "session",
                "LIVEDELTA_WEBHOOK_URL": url + "/hook", "LIVEDELTA_WEBHOOK_SECRET_FILE": secret,
                "LIVEDELTA_TRACES_URL": url + "/traces", "LIVEDELTA_TRACES_RATIO": "1", **named})
            try:
                request = urllib.request.Request(
                    f"http://{service.address}/v1/clients/u/collections/c", b"[]",
                    {"Content-Type": "application/json", "Cookie": "session=1"}, method="PUT")
                try:
                    status = urllib.request.urlopen(request, timeout=30).status
                except urllib.error.HTTPError as error:
                    status = error.code
                if named:
                    assert status == 201, status
                    every = {"/jwks", "/forward", "/hook", "/traces"}
                    until(lambda: backend.asked == every, f"asked only {backend.asked}")
                else:
                    def told():
                        with open(service.log, encoding="utf-8") as log:
                            text = log.read()
                        return [name for name in ("auth.jwks", "auth.forward.url", "traces.url")
                                if f"the certificate of what {name} names is not trusted" in text]
                    until(lambda: len(told()) == 3, "not all are told of")
                    assert not backend.asked, backend.asked
            finally:
                service.kill()
                backend.shutdown()


TESTS = [commands_trust_the_authority_that_they_are_given, a_service_trusts_the_authority_that_it_is_given]
