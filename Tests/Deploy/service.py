"""A LiveDelta under test, the proxies in front of it, and requests that go through curl."""

import json
import os
import socket
import subprocess
import time

import yaml
from serving import Serving

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ["LIVEDELTA"]
DRAIN = {"DELAY": 2, "WINDOW": 2}  # seconds


class Service:
    """A server process; after a restart it has the same addresses and data."""

    def __init__(
        self, data, listener=None, delay=DRAIN["DELAY"], host="127.0.0.1", ops_port=0, log=None, auth="none", environment=None,
    ):
        self.data, self.listener, self.auth, self.log = data, listener, auth, (log or data) + ".log"
        self.address, self.ops = f"{host}:0", f"{host}:{ops_port}"
        drain = {f"LIVEDELTA_DRAIN_{name}_SECONDS": str(value) for name, value in {**DRAIN, "DELAY": delay}.items()}
        self.environment = {"LIVEDELTA_ALLOWED_HOSTS": "livedelta.example", **drain, **(environment or {})}
        self.start()

    def start(self):
        """Returns when it listens."""
        before, descriptors = (), ()
        if self.listener:  # as a service manager passes it: as descriptor 3
            number = self.listener.fileno()
            passed = "" if number == 3 else f"exec 3<&{number} {number}<&-; "
            before = ["bash", "-c", f'{passed}LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', "bash"]
            descriptors = (number,)
        self.process = Serving(
            PROGRAM, self.data, self.log, "--auth", self.auth, listen=self.address, operations=self.ops,
            before=before, environment=self.environment, pass_fds=descriptors).wait_until_it_listens()
        self.address, self.ops = (f"{host}:{port}" for host, port in (self.process.address, self.process.operations))

    def said(self):
        return self.process.said()

    def stop(self):
        """SIGTERM; returns the seconds that it took to end."""
        before = time.monotonic()
        status = self.process.stop()
        assert status == 0, f"SIGTERM ended the service with {status}"
        return time.monotonic() - before

    def kill(self):
        self.process.kill()


def certificate(folder):
    """Makes a certificate for livedelta.example; returns the paths of certificate, key, and both in one."""
    names = [os.path.join(folder, name) for name in ("livedelta.crt", "livedelta.key", "livedelta.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=livedelta.example", "-addext", "subjectAltName=DNS:livedelta.example", "-keyout", names[1],
         "-out", names[0]], check=True, capture_output=True)
    with open(names[2], "w") as both:
        for name in names[:2]:
            both.write(open(name).read())
    return names


class Proxy:
    """A proxy with its file of deploy/proxy, on a Unix socket, over some services."""

    FILES = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "caddy": "Caddyfile", "envoy": "envoy.yaml"}

    def __init__(self, name, folder, services, scale=1, no_check=True):
        self.no_check = no_check  # of a server that is alone, as HAProxy's file says
        self.name, self.socket, self.certificate = name, os.path.join(folder, name + ".sock"), certificate(folder)[0]
        text = open(os.path.join(ROOT, "deploy/proxy", self.FILES[name])).read()
        text = text.replace("150s", f"{150 // scale}s")
        path = os.path.join(folder, name + ".conf")
        command = getattr(self, name)(text, path, folder, services)
        self.log = open(path + ".log", "w+b")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT)
        while not self.listens():
            try:
                self.process.wait(0.01)
            except subprocess.TimeoutExpired:
                continue  # it has not ended, and is looked at again
            raise AssertionError(f"{name} did not start: {open(path + '.log').read()}")

    def listens(self):
        """Whether a connection is accepted; the socket's file may be there before."""
        with socket.socket(socket.AF_UNIX) as attempt:
            return attempt.connect_ex(self.socket) == 0

    def nginx(self, text, path, folder, services):
        text = replaced(text, "server 127.0.0.1:8080 max_fails=0;", f"server {services[0].address} max_fails=0;")
        text = replaced(
            text, "  server 127.0.0.1:8090 max_fails=0;",
            "".join(f"  server {service.address} max_fails=0;\n" for service in services[1:]))
        text = replaced(text, "listen 443 ssl http2;", f"listen unix:{self.socket} ssl http2;")
        text = text.replace("/etc/nginx/tls", folder)
        with open(path, "w") as file:
            file.write(
                f"daemon off; master_process off; pid {folder}/nginx.pid; error_log stderr;\n"
                "events { worker_connections 1000; }\n"
                f"http {{ access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;\n"
                f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;\n{text}\n}}\n")
        return ["nginx", "-c", path, "-e", "stderr"]

    def haproxy(self, text, path, folder, services):
        alone = " no-check" if len(services) == 1 and self.no_check else ""
        lines = [
            f"  server s{number} {service.address} port {service.ops.rsplit(':', 1)[1]}{alone}"
            for number, service in enumerate(services)]
        servers = "  server a 127.0.0.1:8080 port 8081\n  server b 127.0.0.1:8090 port 8091\n"
        text = replaced(text, servers, "\n".join(lines) + "\n", count=2)  # for readers, and for writers
        text = replaced(text, "maxconn 20000", "maxconn 500")
        text = replaced(text, "bind :443 ssl", f"bind unix@{self.socket} ssl").replace("/etc/haproxy/tls", folder)
        with open(path, "w") as file:
            file.write(text)
        return ["haproxy", "-db", "-f", path]

    def caddy(self, text, path, folder, services):
        text = replaced(text, "127.0.0.1:8080 127.0.0.2:8080", " ".join(service.address for service in services))
        if len(services) == 1:
            text = "".join(line for line in text.splitlines(True) if "health_" not in line)
        else:
            text = replaced(text, "health_port 8081", "health_port " + services[0].ops.rsplit(":", 1)[1])
        text = replaced(
            text, "livedelta.example {\n",
            f"{{\n\tadmin off\n\tauto_https off\n\tstorage file_system {folder}/caddy\n}}\n"
            f"livedelta.example {{\n\tbind unix/{self.socket}\n\ttls {folder}/livedelta.crt {folder}/livedelta.key\n")
        with open(path, "w") as file:
            file.write(text)
        return ["caddy", "run", "--config", path, "--adapter", "caddyfile"]

    def envoy(self, text, path, folder, services):
        tree = yaml.safe_load(text.replace("/etc/envoy/tls", folder))
        resources = tree["static_resources"]
        resources["listeners"][0]["address"] = {"pipe": {"path": self.socket}}
        cluster = resources["clusters"][0]
        endpoints = cluster["load_assignment"]["endpoints"][0]
        endpoints["lb_endpoints"] = [{"endpoint": endpoint(service)} for service in services]
        if len(services) == 1:
            del cluster["health_checks"]
        with open(path, "w") as file:
            json.dump(tree, file)
        return ["envoy", "-c", path, "--disable-hot-restart", "--concurrency", "1", "--log-level", "warning"]

    def curl(self, path, *options, http="--http2"):
        """The command of a request through the proxy."""
        return ["curl", "-sS", "-N", http, "--unix-socket", self.socket, "--cacert", self.certificate, *options,
                "https://livedelta.example" + path]

    def kill(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()


def endpoint(service):
    """Where Envoy finds a service, and asks whether it is ready."""
    host, port = service.address.rsplit(":", 1)
    return {"address": {"socket_address": {"address": host, "port_value": int(port)}},
            "health_check_config": {"port_value": int(service.ops.rsplit(":", 1)[1])}}


def replaced(text, old, new, count=1):
    assert text.count(old) == count, f"{old!r} is in the file {text.count(old)} times"
    return text.replace(old, new)


def listener():
    """A socket on a free port that listens, as a service manager holds it."""
    held = socket.create_server(("127.0.0.1", 0), backlog=1024)
    return held
