"""Readers and a writer behind a proxy, all at once. What goes wrong is in `failures`."""

import json
import re
import subprocess
import threading

FINE = {200, 201, 204, 304}


class Load:
    """Each client is a thread; a request is one run of curl, a stream too.

    So many PUTs that a proxy answers with 502 are repeated with their keys, and must then be taken.
    """

    def __init__(self, proxy, strict=False, repeats=0):
        self.proxy, self.strict, self.repeats = proxy, strict, repeats
        self.failures, self.counts, self.slowest = [], {}, 0.0
        self.ended = threading.Event()
        self.guard = threading.Condition()
        self.last = {}  # what was acknowledged last, by collection
        self.threads, self.streams = [], []

    def run(self, polls=2, streams=2, writers=2):
        for number in range(writers):
            self.spawn(self.write, f"c{number}")
        for number in range(polls):
            self.spawn(self.poll, f"c{number % writers}", "--http2" if number % 2 else "--http1.1")
        for number in range(streams):
            self.spawn(self.stream, f"c{number % writers}")

    def spawn(self, work, *arguments):
        def guarded():
            try:
                work(*arguments)
            except Exception as error:  # pylint: disable=broad-except
                self.fail(f"{work.__name__}: {error!r}")
        self.threads.append(threading.Thread(target=guarded))
        self.threads[-1].start()

    def fail(self, text):
        with self.guard:
            self.failures.append(text)

    def count(self, what, seconds=0.0):
        with self.guard:
            self.counts[what] = self.counts.get(what, 0) + 1
            self.slowest = max(self.slowest, seconds)
            self.guard.notify_all()

    def pass_writes(self, count):
        """Returns once so many more writes were acknowledged."""
        with self.guard:
            end = self.counts.get("PUT", 0) + count
            assert self.guard.wait_for(lambda: self.failures or self.counts.get("PUT", 0) >= end, 60), "writes hang"

    def stop(self):
        """Lets every client finish what it is at; returns when all have."""
        self.ended.set()
        with self.guard:
            for process in self.streams:
                process.terminate()
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive(), "a client hangs"

    def request(self, what, path, *options, http="--http2"):
        """Returns the body of the answer, `None` if it failed."""
        mark = "\n%{http_code} %{time_total}"
        run = subprocess.run(
            self.proxy.curl(path, "-w", mark, "--max-time", "40", *options, http=http), capture_output=True, text=True)
        body, _, last = run.stdout.rpartition("\n")
        status, seconds = last.split()
        if what == "PUT" and status == "502" and self.repeats > 0:
            self.repeats -= 1
            self.count("repeated PUT")
            return self.request(what, path, *options, http=http)
        if run.returncode != 0 or int(status) not in FINE:
            self.fail(f"{what} {path}: {status} {run.stderr.strip()} {body[:300]}")
            return None
        self.count(what, float(seconds) if what == "PUT" else 0)
        return body

    def write(self, name):
        number = 0
        while not self.ended.is_set():
            number += 1
            body = json.dumps([{"id": n} for n in range(number % 7)] + [{"id": "n", "number": number}])
            answer = self.request(
                "PUT", f"/v1/clients/u/collections/{name}", "-X", "PUT", "-H", "Content-Type: application/json", "-d", body,
                "-H", f"Idempotency-Key: {name}-{number}")
            if answer:
                with self.guard:
                    before, self.last[name] = self.last.get(name), (json.loads(answer), number)
                if self.strict and before and json.loads(answer)["previous"] != before[0]["version"]:
                    self.fail(f"PUT {number} of {name} follows {answer}, not {before[0]['version']}")
            self.ended.wait(0.1)

    def poll(self, name, http):
        path, version, sequence = f"/v1/clients/u/collections/{name}/delta", None, 0
        while not self.ended.is_set():
            answer = self.request("poll", path + (f"?since={version}&wait=5" if version else ""), http=http)
            if answer is None:
                return
            if not answer:
                continue
            told = json.loads(answer)
            self.check(f"poll {name}", version, sequence, told)
            version, sequence = told.get("to") or told.get("version") or version, told.get("seq", sequence)

    def check(self, who, version, sequence, told):
        """With one store a reader that holds a version gets deltas from there, and never goes back."""
        if self.strict and version and told["kind"] == "snapshot":
            self.fail(f"{who}: a snapshot in place of a delta from {version}: {str(told)[:200]}")
        if self.strict and told.get("seq", sequence) < sequence:
            self.fail(f"{who}: from {sequence} back to {told['seq']}")

    def stream(self, name):
        path, version, sequence = f"/v1/clients/u/collections/{name}/delta", None, 0
        while not self.ended.is_set():
            options = ["-H", "Accept: text/event-stream"] + (["-H", f"Last-Event-ID: {version}"] if version else [])
            with self.guard:
                if self.ended.is_set():
                    return
                process = subprocess.Popen(
                    self.proxy.curl(path, "-f", *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                self.streams.append(process)
            self.count("stream")
            event = None
            for line in process.stdout:
                field, _, value = line.rstrip("\n").partition(": ")
                if field == "id":
                    version = value
                elif field == "event":
                    event = value
                    self.count("event")
                elif field == "data" and event in ("delta", "snapshot"):
                    told = json.loads(value)
                    self.check(f"stream {name}", version if sequence else None, sequence, told)
                    sequence = told["seq"]
            errors = process.stderr.read()
            if process.wait() != 0 and not self.ended.is_set():
                return self.fail(f"stream {path}: {errors.strip()}")
            if event != "end" and not self.ended.is_set():
                return self.fail(f"stream {path}: its last event is {event}, not end")

    def summary(self):
        counts = ", ".join(f"{count} {re.sub('stream$', 'streams', what)}" for what, count in sorted(self.counts.items()))
        return f"{counts}; {len(self.failures)} failed; slowest PUT {self.slowest:.2f} s"
