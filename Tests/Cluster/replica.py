"""A replica of the service, with a proxy between it and each server of the database."""
import email.utils
import http.client
import time

from serving import Serving

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


class Replica:
    """`programs` are the program and, if there is one, an older release of it; `before` is one that it starts with."""

    def __init__(self, programs, number, directory, database, proxies=(), cables=None, before=None, receiver=None, keys=None):
        self.keys, self.key = keys, keys and keys.secret
        self.programs, self.number, self.directory = programs, number, directory
        self.database, self.proxies, self.cables = database, proxies, cables
        self.webhook = receiver.settings(cables.here["clients"] if cables else "127.0.0.1") if receiver else {}
        self.host = cables.there["clients"] if cables else "127.0.0.1"
        self.start(program=before)

    @classmethod
    def of(cls, pair, programs, number, is_pooled, cables=None, before=None, receiver=None, keys=None):
        """A replica over a primary and its standby, by way of PgBouncer or not, in a namespace or not."""
        proxies = [pair.proxy(slot, is_pooled, cables and cables.here["database"]) for slot in (0, 1)]
        hosts = ",".join(f"{proxy.host}:{proxy.port}" for proxy in proxies)
        options = "target_session_attrs=read-write&sslmode=disable&gssencmode=disable"
        return cls(programs, number, pair.directory, f"postgres://livedelta@{hosts}/livedelta?{options}", proxies, cables, before, receiver,
                   keys)

    def start(self, clock=0, program=None):
        """Starts it; `clock` is how many seconds it is ahead of the others, `program` another than the newest one."""
        # The judge sees what a failover lost if what followed is still kept.
        environment = dict(LIVEDELTA_HISTORY_VERSIONS_MAX="300", **self.webhook)
        if clock:
            environment.update(LD_PRELOAD=FAKETIME, FAKETIME=f"{clock:+}", FAKETIME_DONT_FAKE_MONOTONIC="1")
        # By way of env: the library adds to the environment of what it is first in, where Swift finds its arguments.
        place = f"{self.host}:0"
        self.service = Serving(
            program or self.programs[0], self.database, f"{self.directory}/replica-{self.number}.log",
            *(("--keys", self.keys.path) if self.keys else ("--auth", "none")),
            listen=place, operations=place, before=[*(self.cables.within if self.cables else ()), "env"],
            environment=environment, cwd=self.directory).wait_until_it_listens()
        self.port, self.operations = self.service.address[1], self.service.operations[1]

    def kill(self):
        self.service.kill()

    def end(self):
        """Ends it as a deployment does: it drains."""
        self.service.stop()

    def authorization(self, key=None):
        return {"Authorization": f"Bearer {key or self.key}"} if self.key else {}

    def request(self, method, path, body=None, headers=(), port=None, key=None):
        connection = http.client.HTTPConnection(self.host, port or self.port, timeout=40)
        try:
            headers = {"Content-Type": "application/json", **dict(headers)} if body else dict(headers)
            headers.update(self.authorization(key))
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def events(self, path, since):
        """The events of a stream until it ends: the id, the kind, the data. It must be heard of within 15 s."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=15)
        try:
            connection.request("GET", path, headers={"Accept": "text/event-stream", **self.authorization(), **({"Last-Event-ID": since} if since else {})})
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
