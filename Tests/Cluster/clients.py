"""Writers and readers, who go to any replica with each request and have the judge look at what they are told."""
import http.client
import json
import random
import threading
import time

from judge import seq

NAMES = ["a", "b", "c", "d"]
BOTH = ["left", "right"]  # written by batches only, which give both the same content
PATH = "/v1/clients/u/"
BROKEN = (OSError, http.client.HTTPException)


class Clients:
    def __init__(self, replicas, judge, figures, seed, rest=0.0, views=None):
        self.seconds, self.views = rest, views
        self.replicas, self.judge, self.figures = replicas, judge, figures
        self.random = random.Random(seed)
        self.ended = threading.Event()
        self.threads = []
        self.mayCut = False  # whether a program runs that may show half of a batch: those of the format before did

    def start(self):
        kinds = [(self.writer, 5), (self.batcher, 2), (self.reader, 8), (self.cutter, 2)]
        for work, count in kinds + ([(self.views.reader(self), 4), (self.editor, 2), (self.deleter, 1)] if self.views else []):
            self.threads += [threading.Thread(target=self.run, args=(work, number), daemon=True) for number in range(count)]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.ended.set()
        for thread in self.threads:
            thread.join(60)
            if thread.is_alive():
                self.judge.fault("a client hangs")

    def run(self, work, number):
        try:
            work(number, random.Random(self.random.random()))
        except Exception as error:  # pylint: disable=broad-except
            self.judge.fault(f"{work.__name__} {number}: {error!r}")

    def back_off(self):
        """What a client waits before it tries again, unless the run ends."""
        self.ended.wait(0.02)

    def rest(self):
        """What a client of a soak waits between two requests."""
        if self.seconds:
            self.ended.wait(self.seconds)

    # Writing

    def writer(self, number, choice):
        turn, held = 0, {}
        while not self.ended.is_set():
            self.rest()
            turn += 1
            name, key = choice.choice(NAMES), f"w{number}-{turn}"
            headers = {"Idempotency-Key": key}
            if name in held and choice.random() < 0.3:
                headers["Collection-If-Version"] = held[name]
            items = some_items(choice, key)
            receipt = self.write(choice, "PUT", f"collections/{name}", headers, {"items": items})
            if receipt:
                held[name] = token = receipt["version"]
                previous = receipt.get("previous") if receipt.get("changed") else None
                self.judge.receipt(f"writer {key}", name, key, token, previous, items)
                expected = headers.get("Collection-If-Version")
                if previous and expected and previous != expected:
                    self.judge.fault(f"writer {key}: {token} follows {previous}, though only {expected} was asked for")
            else:
                held.pop(name, None)

    def batcher(self, number, choice):
        turn = 0
        while not self.ended.is_set():
            self.rest()
            turn += 1
            key = f"b{number}-{turn}"
            items = some_items(choice, key)
            writes = [{"collection": name, "put": {"items": items}} for name in BOTH]
            answer = self.write(choice, "POST", "batch", {"Idempotency-Key": key}, {"atomic": True, "writes": writes})
            for result in answer["results"] if answer else []:
                self.judge.receipt(f"batch {key}", result["collection"], key, result["version"], None, items)

    def editor(self, number, choice):
        """Edits what it has read: an item of its own comes first, and another one is moved to the end."""
        turn = 0
        while not self.ended.is_set():
            self.rest()
            turn += 1
            name, key = choice.choice(NAMES), f"e{number}-{turn}"
            answer = self.ask(choice, f"editor {number}", "GET", f"{PATH}collections/{name}")
            items = [item for section in answer["sections"] for item in section["items"]] if answer else []
            if not items:
                continue
            moved, own = choice.choice(items), {"id": key, "by": key}
            edits = [{"op": "upsert", "items": [own], "section": "", "first": True},
                     {"op": "move", "ids": [moved["id"]], "section": "", "last": True}]
            headers = {"Idempotency-Key": key, "Collection-If-Version": answer["version"],
                       "Content-Type": "application/vnd.livedelta.edits+json"}
            receipt = self.write(choice, "PATCH", f"collections/{name}", headers, {"edits": edits})
            if receipt:
                written = [own, *(item for item in items if item is not moved), moved]
                self.judge.receipt(f"editor {key}", name, key, receipt["version"], None, written)

    def deleter(self, number, choice):
        """Deletes a collection and makes it again: it begins with its first version."""
        turn = 0
        while not self.ended.is_set():
            self.rest()
            turn += 1
            receipt = self.write(choice, "PUT", "collections/gone", {"Idempotency-Key": f"g{turn}"}, {"items": []})
            if receipt and seq(receipt["version"]) != 1:
                self.judge.fault(f"a collection that was deleted begins with {receipt['version']}")
            self.write(choice, "DELETE", "collections/gone", {"Idempotency-Key": f"d{turn}"}, None)

    def write(self, choice, method, path, headers, body):
        """Writes until an answer comes, at any replica, always with the same key; None if it is a refusal."""
        key, body = headers["Idempotency-Key"], body and json.dumps(body)
        in_doubt = False  # whether an attempt may have been written
        while True:
            begin = time.monotonic()
            try:
                status, told, text = choice.choice(self.replicas).request(method, PATH + path, body, headers)
            except BROKEN:
                self.figures.count("no answer")
                status = 0
            in_doubt = in_doubt or status == 0 or status == 503 and b"outcome-unknown" in text
            if status in (200, 201, 204):
                self.figures.took(time.monotonic() - begin)
                replayed = told.get("Idempotency-Replayed")
                self.figures.count("replayed" if replayed else "acknowledged")
                if replayed and not in_doubt:
                    self.judge.fault(f"writer {key}: replayed, though it was told that nothing was written")
                return json.loads(text) if text else None
            if status == 412:
                self.judge.denial(f"writer {key}", key)
                self.figures.count("412")
                return None
            if status == 503 and not told.get("Retry-After"):
                self.judge.fault(f"writer {key}: 503 without Retry-After: {text[:300]}")
            if status not in (0, 409, 503):
                self.judge.fault(f"writer {key}: {status} {text[:300]}")
                return None
            if status:
                self.figures.count(str(status))
            if self.ended.is_set():
                return None
            self.back_off()

    # Reading

    def ask(self, choice, where, *request):
        """The answer to a reader; None if it must ask again."""
        try:
            status, told, text = choice.choice(self.replicas).request(*request)
        except BROKEN:
            return self.back_off()
        if told.get("Collection-Stale"):
            self.figures.count("stale")
        if status == 200:
            return json.loads(text)
        if status == 503:
            self.figures.count("503 of readers")
        elif status != 404 or "since=&" not in request[1]:
            self.judge.fault(f"{where}: {status} to {request[1:]}: {text[:300]}")
        return self.back_off()

    def reader(self, number, choice):
        name = NAMES[number % len(NAMES)]
        where, token, held = f"reader {number}", None, None
        while not self.ended.is_set():
            self.rest()
            if choice.random() < 0.05:
                token, held = None, None
            query = f"since={token or ''}&dialect=splice&wait={choice.choice([0, 0, 2])}"
            answer = self.ask(choice, where, "GET", f"{PATH}collections/{name}/delta?{query}")
            if answer:
                token, held = self.judge.answer(where, name, token, held, answer)

    def cutter(self, number, choice):
        """Reads both collections of the batches in one cut, in which they must be the same."""
        where, held = f"cut {number}", {name: (None, None) for name in BOTH}
        while not self.ended.is_set():
            self.rest()
            if choice.random() < 0.05:
                held = {name: (None, None) for name in BOTH}
            body = {"collections": {name: held[name][0] for name in BOTH}, "wait": choice.choice([0, 1])}
            answer = self.ask(choice, where, "POST", PATH + "sync?dialect=splice", json.dumps(body))
            if answer:
                for name, told in answer["collections"].items():
                    if told["kind"] != "absent":
                        held = {**held, name: self.judge.answer(where, name, *held[name], told)}
                left, right = (held[name][1] and held[name][1].all_items() for name in BOTH)
                if left != right and not self.mayCut:
                    tokens = [held[name][0] for name in BOTH]
                    self.judge.suspect(tokens, f"{where}: half of a batch at {tokens}, {left} and {right}")


class Wakes:
    """How long after the answer to a writer the readers that wait at the other replicas are told."""

    def __init__(self, clients):
        self.clients = clients
        self.heard = threading.Condition()
        self.number, self.origin, self.answered, self.waiting = 0, None, None, set()
        clients.threads.append(threading.Thread(target=clients.run, args=(self.write,), kwargs={"number": 0}, daemon=True))
        for number in range(len(clients.replicas)):
            clients.threads.append(threading.Thread(target=clients.run, args=(self.wait, number), daemon=True))

    def write(self, number, choice):
        clients = self.clients
        while not clients.ended.is_set():
            clients.rest()
            with self.heard:
                self.number, self.origin, self.answered = self.number + 1, choice.choice(clients.replicas), None
                self.waiting = set(range(len(clients.replicas)))
            body, headers = {"items": [{"id": "n", "n": self.number}]}, {"Idempotency-Key": f"wake-{self.number}"}
            try:
                status = self.origin.request("PUT", PATH + "collections/wake", json.dumps(body), headers)[0]
            except BROKEN:
                status = 0
            with self.heard:
                # Only where the writer knows when it was kept there is something to measure.
                self.answered = time.monotonic() if status in (200, 201) else None
                self.heard.notify_all()
                self.heard.wait_for(lambda: not self.waiting or clients.ended.is_set(), 4 if self.answered else 0.02)

    def wait(self, number, choice):
        clients, token, replica = self.clients, "", self.clients.replicas[number]
        while not clients.ended.is_set():
            try:
                status, _, text = replica.request("GET", f"{PATH}collections/wake/delta?dialect=splice&wait=5&since={token}")
            except BROKEN:
                clients.back_off()
                continue
            if status != 200:
                clients.back_off()
                continue
            now, told = time.monotonic(), json.loads(text)
            token = told.get("to") or told.get("version")
            items = told["items"].values() if told["kind"] == "delta" else [
                item for section in told.get("sections", []) for item in section["items"]]
            self.hear(number, max((item["n"] for item in items), default=0), now)

    def hear(self, number, told, now):
        with self.heard:
            if told != self.number or number not in self.waiting:
                return
            self.heard.wait_for(lambda: told != self.number or self.answered or self.clients.ended.is_set(), 1)
            isElsewhere = len(self.clients.replicas) == 1 or self.clients.replicas[number] is not self.origin
            if told == self.number and self.answered and isElsewhere:
                self.clients.figures.wake(max(0.0, now - self.answered))
            if told == self.number:
                self.waiting.discard(number)
            self.heard.notify_all()


def some_items(choice, key):
    ids = choice.sample(range(12), choice.randint(0, 10))
    return [{"id": str(item), "by": key} if choice.random() < 0.3 else {"id": str(item)} for item in ids] + [{"id": key}]
