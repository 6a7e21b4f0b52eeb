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
    """`programs` are the program and, if there is one, an older release of it."""

    def __init__(self, programs, number, directory, database, proxies=()):
        self.programs, self.number, self.directory = programs, number, directory
        self.database, self.proxies = database, proxies
        self.log = open(f"{directory}/replica-{number}.log", "ab")
        self.start()

    @classmethod
    def of(cls, pair, programs, number, is_pooled):
        """A replica over a primary and its standby, by way of PgBouncer or not."""
        proxies = [pair.proxy(slot, is_pooled) for slot in (0, 1)]
        hosts = ",".join(f"{proxy.host}:{proxy.port}" for proxy in proxies)
        options = "target_session_attrs=read-write&sslmode=disable&gssencmode=disable"
        return cls(programs, number, pair.directory, f"postgres://livedelta@{hosts}/livedelta?{options}", proxies)

    def start(self, clock=0, is_old=False):
        """Starts it; `clock` is how many seconds it is ahead of the others."""
        # The judge sees what a failover lost if what followed is still kept.
        environment = dict(os.environ, LIVEDELTA_HISTORY_VERSIONS_MAX="300")
        if clock:
            environment.update(LD_PRELOAD=FAKETIME, FAKETIME=f"{clock:+}", FAKETIME_DONT_FAKE_MONOTONIC="1")
        # By way of env: the library adds to the environment of what it is first in, where Swift finds its arguments.
        self.process = subprocess.Popen(
            ["env", self.programs[-1 if is_old else 0], "serve", "--json", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0",
             "--data", self.database],
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
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=40)
        try:
            headers = {"Content-Type": "application/json", **dict(headers)} if body else dict(headers)
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
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
