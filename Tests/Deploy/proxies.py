"""nginx, HAProxy, Caddy and Envoy with the files of deploy/proxy, in front of real servers: see scripts/test deploy."""

import os
import subprocess
import tempfile
import time

from load import Load
from service import Proxy, Service, listener


class Scene:
    """Servers and a proxy in a folder of their own, ended together."""

    def __init__(self, name, servers=1, scale=1, **options):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        self.started = []
        try:
            self.services, port = [], 0
            for number in range(servers):  # as on machines of their own: other addresses, the same port for operations
                data, host = os.path.join(self.folder.name, f"data{number}"), f"127.0.0.{number + 1}"
                self.services.append(self.add(Service(data, host=host, ops_port=port, **options)))
                port = self.services[0].ops.rsplit(":", 1)[1]
            self.proxy = self.add(Proxy(name, self.folder.name, self.services, scale))
        except BaseException:
            self.__exit__()
            raise

    def add(self, part):
        self.started.append(part)
        return part

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for part in reversed(self.started):
            part.kill()
        self.folder.cleanup()


def put(proxy, body, *options):
    return subprocess.run(
        proxy.curl("/v1/clients/u/collections/c", "-f", "-X", "PUT", "-H", "Content-Type: application/json", "-d", body, *options),
        check=True, capture_output=True, text=True).stdout


def streams_are_not_buffered(name):
    """Each event of a stream arrives before the next is written, over HTTP/2, and a stream outlasts the proxy's time-outs."""
    with Scene(name, scale=15) as scene:  # 10 s
        assert put(scene.proxy, "[]", "-o", "/dev/null", "-w", "%{http_version}") == "2"
        stream = subprocess.Popen(
            scene.proxy.curl("/v1/clients/u/collections/c/delta?ping=5", "-H", "Accept: text/event-stream", "--max-time", "60"),
            stdout=subprocess.PIPE, text=True)
        def next_event(*kinds):
            for line in stream.stdout:
                if line.startswith("event: ") and line.split()[1] in kinds:
                    return time.monotonic()
            raise AssertionError("the stream ended")
        start = next_event("snapshot")
        for number in range(3):  # would hang at the first one if events were held back
            put(scene.proxy, f'[{{"id":{number}}}]')
            next_event("delta")
        while next_event("ping") - start < 12:
            pass
        put(scene.proxy, "[]")
        next_event("delta")
        stream.kill()
        stream.wait()


def long_polls_outlast_time_outs(name):
    """A poll waits as long as the service lets it: all of the proxy's time-outs are longer, in scale."""
    with Scene(name, scale=15) as scene:  # a wait of 55 s is one of 3.7 s, a time-out of 150 s one of 10 s
        put(scene.proxy, '[{"id":1}]')
        version = subprocess.run(
            scene.proxy.curl("/v1/clients/u/collections/c", "-o", "/dev/null", "-w", "%header{collection-version}"),
            check=True, capture_output=True, text=True).stdout or None
        assert version, "no Collection-Version"
        polled = subprocess.run(
            scene.proxy.curl(f"/v1/clients/u/collections/c/delta?since={version}&wait=8", "-o", "/dev/null",
                             "-w", "%{http_code} %{time_total}"),
            check=True, capture_output=True, text=True).stdout.split()
        assert polled[0] in ("200", "204", "304") and float(polled[1]) > 6, f"the poll ended with {polled}"


def rolling_restart_fails_no_request(name):
    """Two servers behind the proxy end and start again one after the other, under load."""
    with Scene(name, servers=2) as scene:
        for service in scene.services:  # each has its own store here: a reader that changes over gets a snapshot
            for collection in ("c0", "c1"):
                subprocess.run(
                    ["curl", "-sSf", "-o", "/dev/null", "-X", "PUT", "-H", "Content-Type: application/json", "-d", "[]",
                     f"http://{service.address}/v1/clients/u/collections/{collection}"], check=True)
        load = Load(scene.proxy)
        load.run()
        try:
            drains = []
            for service in scene.services:
                load.pass_writes(25)
                drains.append(service.stop())
                service.start()
            load.pass_writes(25)
        finally:
            load.stop()
        report(f"{name}, rolling restart", load, drains)


def restart_behind_a_held_socket_fails_no_request(name):
    """One server with one store ends and starts again while a service manager holds its socket, under load."""
    with Scene(name, listener=listener(), delay=0) as scene:
        for collection in ("c0", "c1"):
            subprocess.run(
                scene.proxy.curl(f"/v1/clients/u/collections/{collection}", "-f", "-X", "PUT", "-H",
                                 "Content-Type: application/json", "-d", "[]"), check=True, capture_output=True)
        # Caddy cannot repeat a PUT: one may meet a connection that the service is just closing, and its writer repeats it.
        load = Load(scene.proxy, strict=True, repeats=1 if name == "caddy" else 0)
        load.run()
        try:
            drains = []
            for _ in range(2):
                load.pass_writes(25)
                drains.append(scene.services[0].stop())
                scene.services[0].start()
            load.pass_writes(25)
        finally:
            load.stop()
        report(f"{name}, restart behind a held socket", load, drains)


def report(what, load, drains):
    print(f"{what}: {load.summary()}; drained in {', '.join(f'{seconds:.1f} s' for seconds in drains)}", flush=True)
    assert not load.failures, "\n  ".join(["failed requests:"] + load.failures[:10])
    assert load.counts.get("PUT", 0) > 10 and load.counts.get("poll", 0) > 10 and load.counts.get("event", 0) > 10, "no load"


TESTS = [
    streams_are_not_buffered, long_polls_outlast_time_outs, rolling_restart_fails_no_request,
    restart_behind_a_held_socket_fails_no_request,
]
