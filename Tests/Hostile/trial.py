"""What a trial is given: connections, figures for the short and the long form, and expectations."""

import math
import os
import re
import select
import threading
import time

from wire import Connection, Response, path

TRIALS = []


def trial(name, quick=0.5, full=8, limit=None, niceness=19, environment=None):
    """Registers a trial. It repeats itself for `quick` or `full` seconds where it is one of repetitions,
    and is ended, as failed, after `limit` seconds (60 in the short form, 120 in the long one). Its
    service is started with `environment`."""

    def register(function):
        function.trial = name
        function.seconds = (quick, full)
        function.limit, function.niceness = limit, niceness
        function.environment = environment
        TRIALS.append(function)
        return function

    return register


class Trial:
    """The attacker's side of one trial."""

    def __init__(self, service, binary, is_quick, seconds, seed):
        self.address, self.operations = service.address, service.operations
        self.process_id, self.data = service.process.pid, service.data
        self.service_ended = service.ended
        self.binary, self.is_quick, self.seed = binary, is_quick, seed
        self.end = time.monotonic() + seconds
        self.faults, self.notes, self.details = [], [], []
        self.kept = []
        self.own = None

    def n(self, quick, full):
        """A figure: the first in the short form, the second in the long one."""
        return quick if self.is_quick else full

    @property
    def is_running(self):
        return time.monotonic() < self.end

    def pause(self, seconds):
        """Paces a load: waits so long, but not past the trial's time or the service's end."""
        poll = select.poll()
        poll.register(self.service_ended, select.POLLIN)
        poll.poll(max(0, min(seconds, self.end - time.monotonic())) * 1000)

    def hold(self):
        """Holds what is open until the trial's time is over or the service has ended."""
        self.pause(math.inf)

    def wait_until_parked(self, count):
        """Returns when so many requests wait in the service, or the trial's time is over."""
        operations = Connection(self.operations)
        while self.is_running:
            text = operations.request("GET", "/metrics").body.decode()
            parked = re.search(r"^livedelta_parked_requests (\d+)$", text, re.MULTILINE)
            if int(parked[1]) >= count:
                break
        operations.close()

    def expect(self, condition, text):
        if not condition and len(self.faults) < 10:
            self.faults.append(text)

    def note(self, text):
        """Something worth a word in the table."""
        self.notes.append(text)

    def detail(self, text):
        """A line below the trial's row."""
        self.details.append(text)

    def connect(self, timeout=15, **options):
        """A connection that stays open until the trial ends."""
        connection = Connection(self.address, timeout, **options)
        self.kept.append(connection)
        return connection

    def ask(self, method, target, body=None, headers=None, statuses=None):
        """One request on the trial's own connection; a status outside `statuses` is a fault."""
        try:
            answer = self._ask(method, target, body, headers)
        except TimeoutError:
            raise AssertionError(f"{method} {target[:60]} is not answered within 15 s")
        except (BrokenPipeError, ConnectionResetError):
            answer = Response(0, {}, b"")  # Refused by closing, before it read all of it.
        if answer.headers.get("connection", "").lower() == "close" or not answer.status:
            self.own.close()
            self.own = None
        if statuses:
            told = f"{method} {target[:60]} got {answer.status} {answer.body[:120]!r}, not {statuses}"
            self.expect(answer.status in statuses, told)
        return answer

    def _ask(self, method, target, body, headers):
        for attempt in (1, 2):
            is_new = self.own is None
            self.own = self.own or Connection(self.address, 15)
            try:
                return self.own.request(method, target, body, headers)
            except (BrokenPipeError, ConnectionResetError):
                if is_new:
                    raise
                self.own.close()
                self.own = None

    def put(self, name, body, headers=None, statuses=None, client="hostile"):
        return self.ask("PUT", path(name, client), body, headers, statuses)

    def patch(self, name, body, kind="vnd.livedelta.edits", headers=None, statuses=None):
        fields = {"Content-Type": f"application/{kind}+json", **(headers or {})}
        return self.ask("PATCH", path(name), body, fields, statuses)

    def timed(self, action, *arguments, **named):
        """The seconds of the processor that the service takes meanwhile, and what the action gives.

        The clock's would be those of the machine's other processes too.
        """
        start = self._processor_seconds()
        given = action(*arguments, **named)
        return self._processor_seconds() - start, given

    def _processor_seconds(self):
        with open(f"/proc/{self.process_id}/stat") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def together(self, count, action):
        """Runs `action(index)` in threads of its own and returns what each gave, None where it threw."""
        given = [None] * count

        def run(index):
            try:
                given[index] = action(index)
            except OSError:
                pass

        threads = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        return given

    def one(self, message_bytes, timeout=15):
        """Sends bytes on a new connection and returns the first answer's status, 0 if it just closes."""
        connection = Connection(self.address, timeout)
        try:
            connection.send(message_bytes)
        except OSError:
            pass
        try:
            return connection.response().status
        except (ConnectionResetError, BrokenPipeError):
            return 0
        finally:
            connection.close()
