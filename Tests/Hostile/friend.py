"""A well-behaved peer: small requests at a fixed rate, and a judge of every answer.

Each kind of request has a thread and a connection. A latency counts from when the request was due,
not from when it could be sent, so that one long stall is as many late requests as fell due in it.
"""

import multiprocessing
import os
import threading
import time

from content import Content
from wire import Connection, path

INTERVAL_SECONDS = 0.02
ITEMS = 12


def content(generation):
    """The list at a generation: rotated, one item replaced by another, all numbered."""
    ids = [f"i{(generation + k) % (ITEMS + 1)}" for k in range(ITEMS)]
    return [{"id": id, "n": generation} for id in ids]


class Friend:
    """The friend's requests, in a process of its own."""

    def __init__(self, address):
        here, there = multiprocessing.Pipe()
        self.pipe = here
        self.process = multiprocessing.Process(target=_run, args=(address, there), daemon=True)
        self.process.start()

    def mark(self):
        """Forgets the latencies so far, each with its kind, and returns them with the faults so far."""
        self.pipe.send("mark")
        return self._answer()

    def end(self):
        self.pipe.send("end")
        answer = self._answer()
        self.process.join(2)
        self.process.kill()
        return answer

    def _answer(self):
        if self.pipe.poll(15):
            return self.pipe.recv()
        return [], ["the friend itself hangs"]


def _run(address, pipe):
    judge = Judge(address)
    threads = [
        threading.Thread(target=judge.repeat, args=(step, every), daemon=True)
        for step, every in ((judge.put, 1), (judge.patch, 1), (judge.unchanged, 1), (judge.follow, 2))
    ]
    for thread in threads:
        thread.start()
    while (order := pipe.recv()) != "end":
        pipe.send(judge.take())
    judge.ended.set()
    for thread in threads:
        thread.join(11)
    pipe.send(judge.take(late=True))
    os._exit(0)


class Judge:
    """What the friend holds and what it found."""

    def __init__(self, address):
        self.address = address
        self.ended = threading.Event()
        self.latencies, self.faults = [], []
        self.connections = threading.local()
        self.generation = 0
        self.patches = 0
        self.put_version = self.patch_version = self.still_version = None
        self.replica = Content()
        self.lock = threading.Lock()
        self.make_collections()

    def make_collections(self):
        self.put()
        self.patch_version = self.ask("PUT", path("patched", "friend"), [{"id": "a", "n": 0}], (201,)).version
        self.still_version = self.ask("PUT", path("still", "friend"), [{"id": "a"}], (201,)).version
        self.latencies, self.faults = [], []

    def take(self, late=False):
        with self.lock:
            taken, self.latencies = self.latencies, []
            return taken, list(self.faults)

    def repeat(self, step, every):
        interval = INTERVAL_SECONDS * every
        due = time.monotonic()
        while not self.ended.wait(max(0, due - time.monotonic())):
            try:
                step()
            except Exception as error:
                self.fault(f"{step.__name__}: {type(error).__name__} {error}")
            due = self._note(due, interval, step.__name__)

    def _note(self, due, interval, kind):
        """Notes the latency of what was due then, and of all that fell due meanwhile."""
        now = time.monotonic()
        with self.lock:
            while due <= now:
                self.latencies.append((now - due, kind))
                due += interval
        return due

    def fault(self, text):
        with self.lock:
            if len(self.faults) < 20:
                self.faults.append(text)

    def ask(self, method, target, body=None, statuses=(200,), headers=None):
        """Sends a request, once more on a new connection if the old one was closed between requests."""
        for attempt in (1, 2):
            connection = getattr(self.connections, "open", None) or Connection(self.address)
            self.connections.open = connection
            try:
                answer = connection.request(method, target, body, headers)
                break
            except (BrokenPipeError, ConnectionResetError):
                connection.close()
                self.connections.open = None
                if attempt == 2:
                    raise
            except OSError:
                connection.close()
                self.connections.open = None
                raise
        if answer.headers.get("connection", "").lower() == "close":
            connection.close()
            self.connections.open = None
        if answer.status not in statuses:
            raise ValueError(f"{method} {target} got {answer.status} {answer.body[:160]!r}")
        return answer

    def put(self):
        generation = self.generation + 1
        answer = self.ask("PUT", path("put", "friend"), content(generation), (200, 201)).json()
        is_retried = not answer["changed"]
        if answer["previous"] != self.put_version and self.put_version and not is_retried:
            self.fault(f"put: previous is {answer['previous']}, not {self.put_version}")
        self.generation, self.put_version = generation, answer["version"]

    def patch(self):
        self.patches += 1
        edit = {"op": "merge", "id": "a", "value": {"n": self.patches}}
        headers = {"Content-Type": "application/vnd.livedelta.edits+json"}
        answer = self.ask("PATCH", path("patched", "friend"), {"edits": [edit]}, headers=headers).json()
        if answer["changed"] and answer["previous"] != self.patch_version:
            self.fault(f"patch: previous is {answer['previous']}, not {self.patch_version}")
        self.patch_version = answer["version"]

    def unchanged(self):
        answer = self.ask("GET", path("still", "friend", f"/delta?since={self.still_version}")).json()
        if answer["kind"] != "unchanged" or answer["version"] != self.still_version:
            self.fault(f"unchanged: got {answer}")

    def follow(self):
        """Applies a delta and compares with what the writer wrote."""
        target = path("put", "friend", f"/delta?since={self.replica.version or ''}&dialect=splice")
        answer = self.ask("GET", target).json()
        if not self.replica.take(answer):
            return
        items = self.replica.content()[0]
        if items != content(items[0]["n"]):
            self.fault(f"follow: {answer['kind']} to {self.replica.version} gave {items}")
