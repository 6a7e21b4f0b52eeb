"""The writers of the soak: PUT, PATCH, batch and delete at fixed rates, and what they wrote."""

import random
import threading
import time

from wire import Connection, path

CLIENT = "soak"
EDITS = {"Content-Type": "application/vnd.livedelta.edits+json"}
# Collections by who writes them.
PUTS = [f"put{k}" for k in range(6)]
PATCHES = [f"patch{k}" for k in range(6)]
BATCHES = [f"batch{k}" for k in range(4)]
DELETED = ["deleted0", "deleted1"]
NAMES = PUTS + PATCHES + BATCHES + DELETED
ITEMS = 200


def items(now, count=ITEMS):
    """Items in a random order, some new, the first of which tells the time."""
    ids = random.sample(range(count * 2), count)
    return [{"id": "at", "t": now}] + [{"id": f"i{id}", "text": f"item {id % 7}", "n": id % 3} for id in ids]


class Writers:
    """Threads with a connection each; contents are sections of items, by collection."""

    def __init__(self, address):
        self.address = address
        self.lock = threading.Lock()
        self.latencies, self.faults, self.written = {}, [], {}
        self.ended = threading.Event()
        self.connections = threading.local()
        for name in NAMES:
            self.put(name, verb=None)
        steps = [(self.a_put, 0.05), (self.a_patch, 0.05), (self.a_batch, 0.2), (self.a_sync, 0.2)]
        steps.append((self.a_delete, 0.5))
        self.threads = [threading.Thread(target=self.repeat, args=step, daemon=True) for step in steps]
        for thread in self.threads:
            thread.start()

    def repeat(self, step, interval):
        due = time.monotonic()
        while not self.ended.wait(max(0, due - time.monotonic())):
            try:
                step()
            except Exception as error:
                self.faults.append(f"{step.__name__}: {type(error).__name__} {error}")
                self.connections.own = None
                self.ended.wait(1)
            due = max(due + interval, time.monotonic() - 1)

    def ask(self, verb, method, target, body=None, headers=None):
        if getattr(self.connections, "own", None) is None:
            self.connections.own = Connection(self.address, 30)
        start = time.monotonic()
        answer = self.connections.own.request(method, target, body, headers)
        with self.lock:
            self.latencies.setdefault(verb, []).append(time.monotonic() - start)
        if answer.status >= 300:
            raise ValueError(f"{method} {target} got {answer.status} {answer.body[:200]!r}")
        return answer

    def put(self, name, verb="PUT"):
        content = items(time.monotonic())
        version = self.ask(verb, "PUT", path(name, CLIENT), content).version
        self.written[name] = version, [content]

    def a_put(self):
        self.put(random.choice(PUTS))

    def a_patch(self):
        """Two items merged, one moved to the end."""
        name = random.choice(PATCHES)
        _, (content,) = self.written[name]
        content = [dict(item) for item in content]
        content[0]["t"] = time.monotonic()
        changed = random.choice(content[1:])
        changed["n"] = random.randrange(1000)
        content.remove(changed)
        content.append(changed)
        edits = [{"op": "merge", "id": "at", "value": {"t": content[0]["t"]}},
                 {"op": "merge", "id": changed["id"], "value": {"n": changed["n"]}},
                 {"op": "move", "ids": [changed["id"]], "section": "", "last": True}]
        version = self.ask("PATCH", "PATCH", path(name, CLIENT), {"edits": edits}, EDITS).version
        self.written[name] = version, [content]

    def a_batch(self):
        contents = {name: items(time.monotonic(), 50) for name in random.sample(BATCHES, 2)}
        writes = [{"collection": name, "put": content} for name, content in contents.items()]
        answer = self.ask("batch", "POST", f"/v1/clients/{CLIENT}/batch", {"atomic": True, "writes": writes})
        for result in answer.json()["results"]:
            self.written[result["collection"]] = result["version"], [contents[result["collection"]]]

    def a_delete(self):
        name = random.choice(DELETED)
        self.ask("delete", "DELETE", path(name, CLIENT))
        self.put(name)

    def a_sync(self):
        """What differs from versions that were just written: mostly nothing."""
        held = {name: version for name, (version, _) in self.written.items()}
        self.ask("sync", "POST", f"/v1/clients/{CLIENT}/sync", {"collections": held})

    def take(self):
        """The latencies since the last call, by verb."""
        with self.lock:
            taken, self.latencies = self.latencies, {}
            return taken

    def end(self):
        self.ended.set()
        for thread in self.threads:
            thread.join(40)
        return self.faults

    def content(self):
        """The version and the content of each collection that was written last."""
        return self.written
