"""HAProxy with the file of deploy/proxy over services whose database is stopped, or whose disk is full: readers go on."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from proxies import Scene, put
from service import ROOT, Proxy, Service

sys.path.append(os.path.join(ROOT, "Tests/Cluster"))
import database  # noqa: E402  pylint: disable=wrong-import-position
from proxy import Proxy as Link  # noqa: E402  pylint: disable=wrong-import-position

POLLS = 40  # reads in a row, each a moment after the one before


def readiness(service, path):
    """The status and the line that a service answers a probe with."""
    try:
        with urllib.request.urlopen(f"http://{service.ops}{path}", timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def until(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def readers_are_answered(proxy):
    """Each of some reads through the proxy, over several of its health checks."""
    for _ in range(POLLS):
        answer = subprocess.run(
            proxy.curl("/v1/clients/u/collections/c", "-o", "/dev/null", "-w", "%{http_code}"), capture_output=True, text=True)
        assert answer.stdout == "200", f"a reader got {answer.stdout} {answer.stderr}"
        time.sleep(0.1)


def expect_writes_unavailable(services, reason):
    for service in services:
        until(lambda: readiness(service, "/readyz/writes")[0] == 503, "writes are still available")
        line = {"status": "ready", "writes": "unavailable", "reason": reason}
        assert readiness(service, "/readyz") == (200, line), readiness(service, "/readyz")
        assert readiness(service, "/readyz/writes") == (503, line)


def write_answer(proxy, method, body):
    """The status and the content type of the answer to a write through the proxy: a PUT of a list, or a PATCH of edits."""
    kind = "application/vnd.livedelta.edits+json" if method == "PATCH" else "application/json"
    done = subprocess.run(
        proxy.curl("/v1/clients/u/collections/c", "-X", method, "-H", f"Content-Type: {kind}", "-d", body,
                   "-o", "/dev/null", "-w", "%{http_code} %{content_type}"), capture_output=True, text=True, check=True)
    status, _, kind = done.stdout.partition(" ")
    return int(status), kind


class Replicas(Scene):
    """Two replicas over a database, which each reaches by a link of its own, behind HAProxy."""

    def __init__(self):  # pylint: disable=super-init-not-called
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        self.started = []
        self.server = database.Server(os.path.join(self.folder.name, "postgres"), is_pooled=False)
        self.server.create()
        self.services, self.links = [], []
        for number in range(2):
            log = os.path.join(self.folder.name, f"replica{number}")
            link = Link(f"{self.server.home}/.s.PGSQL.5432")
            self.links.append(link)
            data = f"postgres://livedelta@{link.host}:{link.port}/livedelta?sslmode=disable"
            self.services.append(self.add(Service(data, host=f"127.0.0.{number + 1}", log=log)))
        self.proxy = self.add(Proxy("haproxy", self.folder.name, self.services))

    def __exit__(self, *_):
        try:
            self.server.stop("immediate")
        except RuntimeError:
            pass  # It is stopped already.
        super().__exit__()


def with_the_database_stopped_readers_behind_haproxy_are_answered():
    with Replicas() as scene:
        put(scene.proxy, '[{"id":1}]')
        for service in scene.services:  # so that both have it in memory
            with urllib.request.urlopen(f"http://{service.address}/v1/clients/u/collections/c", timeout=10) as answer:
                assert answer.status == 200
            assert readiness(service, "/readyz/writes") == (200, {"status": "ready", "writes": "available"})
        scene.server.stop("immediate")
        expect_writes_unavailable(scene.services, "store-unavailable")
        readers_are_answered(scene.proxy)
        refusal = write_answer(scene.proxy, "PUT", "[]")
        assert refusal == (503, "application/problem+json"), f"a writer is not told by the service itself: {refusal}"
        scene.server.start()
        for service in scene.services:
            until(lambda: readiness(service, "/readyz/writes")[0] == 200, "writes are not available again")
        put(scene.proxy, '[{"id":2}]')


def writers_behind_haproxy_go_to_a_replica_that_reaches_the_database():
    with Replicas() as scene:
        put(scene.proxy, '[{"id":"a"}]')
        scene.links[1].refuse()
        until(lambda: readiness(scene.services[1], "/readyz/writes")[0] == 503, "writes are still available")
        assert readiness(scene.services[0], "/readyz/writes")[0] == 200

        edits = '{"edits":[{"op":"merge","id":"a","value":{"read":true}}]}'

        def ten_patches():  # HAProxy sends none of them twice
            return all(write_answer(scene.proxy, "PATCH", edits)[0] == 200 for _ in range(10))
        until(ten_patches, "writers still get to the one that cannot commit")
        readers_are_answered(scene.proxy)


def with_a_full_disk_readers_behind_haproxy_are_answered():
    if os.getuid():
        print("a small disk needs root: left out", flush=True)
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder], check=True)
        try:
            full_disk(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def full_disk(folder):
    class Full(Scene):
        """A service whose data are on the small disk; it is checked, although it is the only one."""

        def __init__(self):  # pylint: disable=super-init-not-called
            self.folder = tempfile.TemporaryDirectory()
            os.chmod(self.folder.name, 0o755)
            self.started = []
            log = os.path.join(self.folder.name, "service")
            self.services = [self.add(Service(os.path.join(folder, "data"), log=log))]
            self.proxy = self.add(Proxy("haproxy", self.folder.name, self.services, no_check=False))

    with Full() as scene:
        put(scene.proxy, '[{"id":1}]')
        address, text = scene.services[0].address, "x" * 60000

        def write(number):
            body = json.dumps([{"id": number, "text": text}]).encode()
            request = urllib.request.Request(
                f"http://{address}/v1/clients/f/collections/f{number}", body, {"Content-Type": "application/json"}, method="PUT")
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code
        statuses = []
        while not statuses or statuses[-1] == 201:
            statuses.append(write(len(statuses)))
        assert statuses[-1] == 507, statuses[-1]
        ended = threading.Event()
        writer = threading.Thread(target=lambda: [write(len(statuses)) for _ in iter(lambda: ended.wait(0.2), True)])
        writer.start()
        try:
            expect_writes_unavailable(scene.services, "storage-full")
            readers_are_answered(scene.proxy)
        finally:
            ended.set()
            writer.join()
        deleted = subprocess.run(
            scene.proxy.curl("/v1/clients/f/collections/f0", "-X", "DELETE", "-o", "/dev/null", "-w", "%{http_code}"),
            capture_output=True, text=True, check=True)
        assert deleted.stdout == "204", deleted.stdout


TESTS = [with_a_full_disk_readers_behind_haproxy_are_answered]
if shutil.which("pg_ctl") or database.glob.glob("/usr/lib/postgresql/*/bin/initdb"):
    TESTS += [
        with_the_database_stopped_readers_behind_haproxy_are_answered,
        writers_behind_haproxy_go_to_a_replica_that_reaches_the_database,
    ]
