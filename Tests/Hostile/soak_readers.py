"""The readers of the soak: event streams, long polls and syncs that apply what they are told."""

import json
import multiprocessing
import os
import threading
import time

from content import Content
from soak_writers import CLIENT, NAMES
from wire import Connection, message, path

STREAMS_EACH, POLLS_EACH, SYNCS = 3, 1, 3
DIALECT = {"Accept": "application/vnd.livedelta.splice+json"}


class Readers:
    """All readers, in a process of their own so that the writers' clocks do not wait for them."""

    def __init__(self, address):
        self.pipe, there = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_run, args=(address, there), daemon=True)
        self.process.start()

    def take(self):
        """The times to tell since the last call, in seconds."""
        self.pipe.send("take")
        return self.pipe.recv()

    def end(self, written):
        """Waits until every reader holds what was written; returns what is wrong."""
        self.pipe.send(written)
        faults = self.pipe.recv() if self.pipe.poll(60) else ["the readers do not come to an end"]
        self.process.kill()
        return faults


def _run(address, pipe):
    room = Room(address)
    while (order := pipe.recv()) == "take":
        pipe.send(room.take())
    pipe.send(room.compare(order))
    os._exit(0)


class Room:
    """The readers' threads and what they found."""

    def __init__(self, address):
        self.address = address
        self.told, self.faults = [], []
        self.changed = threading.Condition()  # Notified when a replica took an answer.
        self.ended = threading.Event()  # Set when every reader has been compared.
        self.replicas = []
        readers = [(self.stream, STREAMS_EACH), (self.poll, POLLS_EACH)]
        for kind, count in readers:
            for name in NAMES * count:
                self.start(kind, name, self.replica(name))
        for _ in range(SYNCS):
            self.start(self.sync, {name: self.replica(name) for name in NAMES})

    def replica(self, name):
        self.replicas.append((name, Content()))
        return self.replicas[-1][1]

    def start(self, kind, *arguments):
        threading.Thread(target=self.repeat, args=(kind, arguments), daemon=True).start()

    def repeat(self, kind, arguments):
        """A reader that begins again when its connection ends; after a wrong answer too, but that is noted."""
        while not self.ended.is_set():
            try:
                kind(*arguments)
            except (ConnectionResetError, BrokenPipeError):
                pass
            except Exception as error:
                self.faults.append(f"{kind.__name__}: {type(error).__name__} {error}")
                self.ended.wait(1)

    def note(self, replica, answer):
        """Applies an answer; notes the time since it was written."""
        was = replica.version
        is_new = replica.take(answer)
        if is_new and was and replica.items and answer["kind"] == "delta":
            self.told.append(time.monotonic() - replica.items["at"]["t"])
        with self.changed:
            self.changed.notify_all()

    def stream(self, name, replica):
        peer = Connection(self.address, 60)
        target = path(name, CLIENT, f"/delta?since={replica.version or ''}&dialect=splice&missing=wait")
        peer.send(message("GET", target, headers={"Accept": "text/event-stream"}))
        status, _ = peer._head()
        if status != 200:
            raise ValueError(f"a stream got {status}")
        text = b""
        while size := int(peer._until(b"\r\n").split(b";")[0], 16):
            text += peer._exactly(size + 2)[:-2]
            while (end := text.find(b"\n\n")) >= 0:
                self.event(replica, text[:end].decode())
                text = text[end + 2:]
        peer.close()

    def event(self, replica, text):
        fields = dict(line.split(": ", 1) for line in text.split("\n") if ": " in line)
        if fields.get("event") in ("delta", "snapshot", "deleted"):
            self.note(replica, json.loads(fields["data"]))
        elif fields.get("event") == "problem":
            raise ValueError(fields["data"])

    def poll(self, name, replica):
        peer = Connection(self.address, 70)
        while True:
            tail = f"/delta?since={replica.version or ''}&wait=25&missing=wait"
            answer = peer.request("GET", path(name, CLIENT, tail), headers=DIALECT)
            if answer.status != 200:
                raise ValueError(f"a long poll got {answer.status} {answer.body[:200]!r}")
            self.note(replica, answer.json())

    def sync(self, replicas):
        peer = Connection(self.address, 70)
        while True:
            held = {name: replica.version for name, replica in replicas.items()}
            answer = peer.request("POST", f"/v1/clients/{CLIENT}/sync?dialect=splice", {"collections": held, "wait": 10}, DIALECT)
            if answer.status != 200:
                raise ValueError(f"a sync got {answer.status} {answer.body[:200]!r}")
            for name, one in answer.json()["collections"].items():
                self.note(replicas[name], one)

    def take(self):
        taken, self.told = self.told, []
        return taken

    def compare(self, written):
        """Every reader comes to what was written within 20 s; then they end."""
        end = time.monotonic() + 20
        left = self.replicas
        while left and time.monotonic() < end:
            with self.changed:
                left = [(name, r) for name, r in left if r.version != written[name][0]]
                if left:
                    self.changed.wait(max(0, end - time.monotonic()))
        self.ended.set()
        wrong = [f"a reader of {name} holds {r.version}, not {written[name][0]}" for name, r in left]
        wrong += [f"a reader of {name} holds other content than was written"
                  for name, r in self.replicas if r.version == written[name][0] and r.content() != written[name][1]]
        return self.faults + wrong
