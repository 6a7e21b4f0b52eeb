"""A replica of the service, with a proxy between it and each server of the database."""
import email.utils
import http.client
import json
import os
import shutil
import signal
import subprocess
import threading
import time

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


class Replica:
    """`programs` are the program and, if there is one, an older release of it; `before` is one that it starts with."""

    def __init__(self, programs, number, directory, database, proxies=(), cables=None, before=None, receiver=None):
        self.programs, self.number, self.directory = programs, number, directory
        self.database, self.proxies, self.cables = database, proxies, cables
        self.webhook = receiver.settings(cables.here["clients"] if cables else "127.0.0.1") if receiver else {}
        self.host = cables.there["clients"] if cables else "127.0.0.1"
        self.log = open(f"{directory}/replica-{number}.log", "ab")
        self.start(program=before)

    @classmethod
    def of(cls, pair, programs, number, is_pooled, cables=None, before=None, receiver=None):
        """A replica over a primary and its standby, by way of PgBouncer or not, in a namespace or not."""
        proxies = [pair.proxy(slot, is_pooled, cables and cables.here["database"]) for slot in (0, 1)]
        hosts = ",".join(f"{proxy.host}:{proxy.port}" for proxy in proxies)
        options = "target_session_attrs=read-write&sslmode=disable&gssencmode=disable"
        return cls(programs, number, pair.directory, f"postgres://livedelta@{hosts}/livedelta?{options}", proxies, cables, before, receiver)

    def start(self, clock=0, program=None):
        """Starts it; `clock` is how many seconds it is ahead of the others, `program` another than the newest one."""
        # The judge sees what a failover lost if what followed is still kept.
        environment = dict(os.environ, LIVEDELTA_HISTORY_VERSIONS_MAX="300", **self.webhook)
        if clock:
            environment.update(LD_PRELOAD=FAKETIME, FAKETIME=f"{clock:+}", FAKETIME_DONT_FAKE_MONOTONIC="1")
        # By way of env: the library adds to the environment of what it is first in, where Swift finds its arguments.
        self.process = subprocess.Popen(
            [*(self.cables.within if self.cables else ()), "env", program or self.programs[0], "serve", "--json", "--auth", "none",
             "--listen", f"{self.host}:0", "--ops", f"{self.host}:0", "--data", self.database],
            stdout=subprocess.PIPE, stderr=self.log, cwd=self.directory, env=environment)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"replica {self.number} did not start, see its log")
        said = json.loads(line)
        self.port = int(said["listening"][0].rsplit(":", 1)[1])
        self.operations = int(said["operations"][0].rsplit(":", 1)[1])
        # What follows are access lines, which must be read.
        self.reader = threading.Thread(target=shutil.copyfileobj, args=(self.process.stdout, self.log), daemon=True)
        self.reader.start()

    def kill(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()

    def request(self, method, path, body=None, headers=(), port=None):
        connection = http.client.HTTPConnection(self.host, port or self.port, timeout=40)
        try:
            headers = {"Content-Type": "application/json", **dict(headers)} if body else dict(headers)
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def events(self, path, since):
        """The events of a stream until it ends: the id, the kind, the data. It must be heard of within 15 s."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=15)
        try:
            connection.request("GET", path, headers={"Accept": "text/event-stream", **({"Last-Event-ID": since} if since else {})})
            response, event = connection.getresponse(), {}
            while response.status == 200 and (line := response.readline()):
                if line := line.decode().rstrip("\n"):
                    field, _, value = line.partition(": ")
                    event[field] = value
                else:
                    yield event.get("id"), event.get("event", "message"), event.get("data")
                    event = {}
            if response.status != 200:
                raise http.client.HTTPException(f"{response.status}")
        finally:
            connection.close()

    def is_ready(self):
        try:
            return self.request("GET", "/readyz", port=self.operations)[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def clock_error(self):
        """How many seconds its clock is ahead."""
        date = self.request("GET", "/livez", port=self.operations)[1]["Date"]
        return email.utils.parsedate_to_datetime(date).timestamp() - time.time()
