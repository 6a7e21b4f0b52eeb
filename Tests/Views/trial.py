#!/usr/bin/env python3
"""Random versions, views and windows, and a judge of all that readers are told: see scripts/test views."""
import argparse
import collections
import contextlib
import http.client
import os
import random
import re
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, *parts) for parts in (("..", "..", "conformance"), ("..", "Cluster"), ("..", "Serving"))]

from imposed import Imposed, key, key_set, number  # noqa: E402
from kit import asking  # noqa: E402
from kit.checks.random_views import Question, check_snapshot, content, query  # noqa: E402
from kit.document import Version, parse, same  # noqa: E402
from kit.judge import Wrong, need  # noqa: E402
from serving import Serving  # noqa: E402

CLIENT, OTHERS = "trial", "others"
LIST = f"/v1/clients/{CLIENT}/collections/list"
# Few versions are kept, and the memory holds little more than one of them.
SETTINGS = {"LIVEDELTA_HISTORY_VERSIONS_MAX": "12", "LIVEDELTA_LIMITS_MEMORY_BYTES_MAX": str(160 << 10)}


class Services:
    """One service or several over one store; any of them may end by SIGKILL and start again."""

    def __init__(self, kind, program, folder, count=1):
        self.kind, self.program, self.folder, self.database = kind, program, folder, None
        self.data = ":memory:" if kind == "memory" else folder + "/data"
        if kind == "replicas":
            from database import Server  # which ends the process where PostgreSQL is missing
            self.database = Server(folder + "/postgres", is_pooled=False)
            self.database.create()
            self.data = f"postgres:///livedelta?host={self.database.home}&user=livedelta"
        self.keys = folder + "/keys"
        self.writer, self.admin = (key(program, self.keys, scope) for scope in ("write:**", "admin"))
        key_set(folder + "/jwks")
        self.running = [None] * count
        for number in range(count):
            self.start(number)

    def start(self, number):
        # Without a store there is nothing that memory could be made free by.
        settings = dict(SETTINGS, LIVEDELTA_AUTH_JWKS=f"file:{self.folder}/jwks")
        if self.kind == "memory":
            del settings["LIVEDELTA_LIMITS_MEMORY_BYTES_MAX"]
        self.running[number] = Serving(
            self.program, self.data, f"{self.folder}/log-{number}", "--keys", self.keys, environment=settings)
        self.running[number].wait_until_it_listens()

    def kill(self, number):
        self.running[number].kill()
        self.start(number)

    def evictions(self):
        """How many collections have left the memory of those that run now."""
        texts = [asking.Service("http://{}:{}".format(*one.operations), self.admin).ask("GET", "/metrics").body
                 for one in self.running]
        return sum(int(re.search(rb"^livedelta_collection_evictions_total (\d+)", text, re.M).group(1)) for text in texts)

    def url(self, number):
        host, port = self.running[number].address
        return f"http://{host}:{port}"

    def end(self):
        for service in self.running:
            if service:
                service.kill()
        if self.database:
            self.database.remove()


class Waiter:
    """A reader who waits for the next version that its view shows otherwise, by a poll or a stream."""

    def __init__(self, asked, imposed, service, is_stream):
        self.asked, self.imposed, self.is_stream, self.steps = asked, imposed, is_stream, 0
        self.connection = service.connect()
        wait = {} if is_stream else {"wait": 50}
        headers = {"Accept": "text/event-stream"} if is_stream else {}
        self.connection.request(
            "GET", service.base + LIST + "/delta" + asked.query(since=asked.since, **wait), headers=service.fields(headers))

    def told(self):
        """The bytes of what it is told, and its token and answer."""
        response = self.connection.getresponse()
        if not self.is_stream:
            body = response.read()
            return body, parse(body.decode())
        for event in asking.events(iter(response.readline, b"")):
            if event.get("event") in ("delta", "snapshot"):
                return event["data"].encode(), parse(event["data"])
            need(event.get("event") in (None, "bookmark", "ping"), f"the stream says {event}")
            if event.get("event") == "bookmark":  # a newer version that shows the same
                self.asked.since = event["id"]
        raise Wrong("the stream ended")


class Trial:
    def __init__(self, kind, program, seed, count, *, replicas=1, is_imposed=False, restarts=0):
        self.name = kind + (" imposed" if is_imposed else "")
        self.chance, self.seed, self.rounds, self.restarts = random.Random(seed), seed, count, restarts
        self.counts, self.versions, self.waiters, self.marks, self.asked = collections.Counter(), [], [], 0, ""
        self.folder = tempfile.mkdtemp(prefix="livedelta-views-")
        os.chmod(self.folder, 0o755)  # PostgreSQL runs as somebody else
        self.services = None
        self.services = Services(kind, program, self.folder, replicas)
        self.imposed = [None]
        if is_imposed:
            self.imposed = [Imposed(self.chance).scope(program, self.services.keys, f"{CLIENT}/list") for _ in range(8)]
            self.imposed += [Imposed(self.chance).claim(CLIENT) for _ in range(8)]
            for number in range(replicas):  # which read the keys when they start
                self.services.kill(number)
        self.others = 0

    def run(self):
        last = None
        try:
            for number in range(self.rounds):
                last = self.write(last)
                self.hear()
                for _ in range(4):
                    self.question()
                if self.chance.random() < 0.4:
                    self.wait()
                if self.restarts and number % self.restarts == self.restarts - 1:
                    self.restart()
                if number % 10 == 9:
                    self.crowd()
        except (Wrong, OSError, KeyError, ValueError, TypeError, IndexError, http.client.HTTPException) as error:
            said = "\n".join(service.said()[-400:] for service in self.services.running)
            raise Wrong(f"{self.name}, seed {self.seed}: {type(error).__name__}: {error}; asked last: {self.asked}\n{said}") from error
        finally:
            self.end()

    def end(self):
        if self.services:
            self.services.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Writing

    def service(self, token=None):
        number = self.chance.randrange(len(self.services.running))
        return asking.Service(self.services.url(number), token or self.services.writer, timeout=60)

    def write(self, last):
        made = content(self.chance, last)
        for section in made["sections"]:
            for item in section["items"]:
                if "mark" not in item:
                    self.marks += 1
                    item["mark"] = f"hush-{self.marks}"
        answer = self.ask(self.service(), "PUT", "", body=made)
        need(answer.status in (200, 201), f"PUT: {answer.status} {answer.body[:300]!r}")
        token = answer.json["version"]
        if not self.versions or self.versions[-1][0] != token:
            self.versions = [*self.versions[-14:], (token, Version(made))]
            self.counts["versions"] += 1
        return made

    def crowd(self):
        """Writes others, so that the list leaves the memory."""
        for _ in range(12):
            self.others += 1
            answer = self.service().ask("PUT", f"/v1/clients/{OTHERS}/collections/c{self.others % 60}", {
                "items": [{"id": f"o{n}", "text": "x" * 100, "n": self.others} for n in range(60)]})
            need(answer.status in (200, 201, 507), f"PUT of others: {answer.status} {answer.body[:300]!r}")
        self.counts["crowds"] += 1

    def restart(self):
        self.counts["evictions"] += self.services.evictions()
        for waiter in self.waiters:
            waiter.connection.close()
        self.waiters = []
        self.services.kill(self.chance.randrange(len(self.services.running)))
        self.counts["restarts by SIGKILL"] += 1

    # Reading

    def ask(self, service, method, rest, body=None, headers=None):
        self.asked = f"{method} {rest} {body if method == 'POST' else ''}"
        try:
            return service.ask(method, rest if rest.startswith("/v1") else LIST + rest, body, headers)
        finally:
            service.close()

    def is_gone(self, token):
        """Whether the contents of a version are no longer kept, as somebody is told who may see everything.

        A replica that does not know the newest version yet may still have them.
        """
        plain = {number(one): one for one, _ in self.versions}[number(token)]
        return any(
            asking.Service(self.services.url(n), self.services.writer).ask("GET", LIST + f"?version={plain}").status == 410
            for n in range(len(self.services.running)))

    def as_seen(self, imposed):
        return imposed.versions(self.versions, lambda: self.listed(imposed)) if imposed else self.versions

    def listed(self, imposed):
        """The tokens of the versions that a reader is told of, with their marks."""
        answer = self.ask(self.service(imposed.token), "GET", "/versions")
        need(answer.status == 200, f"{answer.status} {answer.body[:300]!r}")
        shown = [one["version"] for one in answer.json["versions"]]
        plain = {token for token, _ in self.versions}
        need(all(token not in plain and len(token.split(".")) == 4 for token in shown), f"{shown}")
        return shown

    def question(self):
        imposed = self.chance.choice(self.imposed)
        versions = self.as_seen(imposed)
        asked = Question(self.chance, versions, asks_for_something=not imposed)
        token, head = versions[-1]
        self.counts["views"] += 1
        self.counts["imposed"] += bool(imposed)
        for window in filter(None, (asked.wanted, asked.was)):
            self.counts["windows " + window.partition(":")[0]] += 1
        service = lambda: self.service(imposed and imposed.token)  # noqa: E731
        read = self.chance.choice([self.snapshot, self.version, self.poll, self.poll, self.ends, self.sync])
        read(asked, imposed, service, token, head)

    def snapshot(self, asked, imposed, service, token, head):
        rest = query(asked.parameters, asked.wanted)
        # A replica may not know the newest version unless it is told that there is one.
        answer = self.ask(service(), "GET", rest, headers={"Collection-Version": token})
        self.discreet(answer, asked, imposed, [head], rest)
        need(answer.status == 200, f"{answer.status} {answer.body[:300]!r}")
        known = dict(self.as_seen(imposed))
        found = answer.json["version"]
        need(found in known and (found == token or len(self.services.running) > 1), f"{found} is not the newest version")
        check_snapshot(answer.json, asked.now(known[found]))
        self.counts["snapshots"] += 1
        if len(self.services.running) == 1:
            again = self.ask(service(), "GET", rest, headers={"If-None-Match": answer.fields["ETag"]})
            self.discreet(again, asked, imposed, [head], rest)
            need(again.status == 304, f"{again.status}, not 304")
            self.counts["not modified"] += 1

    def version(self, asked, imposed, service, token, head):
        rest = query(asked.parameters, asked.was or asked.wanted, version=asked.since)
        answer = self.ask(service(), "GET", rest)
        self.discreet(answer, asked, imposed, [asked.older], rest)
        if imposed:
            need(answer.status == 403, f"{answer.status}: history is not read through an imposed view")
            self.counts["refused"] += 1
        elif answer.status == 410 and self.is_gone(asked.since):
            self.counts["gone"] += 1
        elif asked.held:
            need(answer.status == 200, f"{answer.status} {answer.body[:300]!r}")
            check_snapshot(answer.json, asked.held)
            self.counts["older snapshots"] += 1

    def poll(self, asked, imposed, service, token, head, **ends):
        # A reader of the newest version is told by a replica once that has it.
        rest = "/delta" + asked.query(**(ends or {"since": asked.since}))
        answer = self.ask(service(), "GET", rest)
        self.discreet(answer, asked, imposed, [asked.older, head], rest)
        if imposed and ends:
            need(answer.status == 403, f"{answer.status}: history is not read through an imposed view")
            self.counts["refused"] += 1
        elif answer.status == 410 and self.is_gone(asked.since):
            self.counts["gone"] += 1
        else:
            need(answer.status == 200, f"{answer.status} {answer.body[:300]!r}")
            self.judge(asked, imposed, answer.json)

    def ends(self, asked, imposed, service, token, head):
        self.poll(asked, imposed, service, token, head, **{"from": asked.since, "to": token})

    def sync(self, asked, imposed, service, token, head):
        view = {n: [v for m, v in asked.parameters if m == n] for n, _ in asked.parameters if n in ("where", "order")}
        view |= {n: v for n, v in asked.parameters if n in ("select", "sections")}
        view |= {n: v for n, v in (("window", asked.wanted), ("was", asked.was)) if v}
        body = {"collections": {"list": {"since": asked.since, "view": view}}}
        path = f"/v1/clients/{CLIENT}/sync?dialect={asked.dialect}"
        answer = self.ask(service(), "POST", path, body)
        self.discreet(answer, asked, imposed, [asked.older, head], str(body))
        need(answer.status == 200, f"{answer.status} {answer.body[:300]!r}")
        found = answer.json
        if "list" in found["collections"]:
            return self.judge(asked, imposed, found["collections"]["list"])
        need("list" in text_of(found["unchanged"]), f"the list is nowhere in {found}")
        need(asked.held is None or asked.is_same(head) or len(self.services.running) > 1, "what is shown changed")
        self.counts["unchanged"] += 1

    def judge(self, asked, imposed, answer):
        """Judges an answer by the version that it leads to."""
        known = dict(self.as_seen(imposed))
        if isinstance(answer, list):
            (found,) = [step["value"] for step in answer if step["path"] == "/version" and step["op"] != "test"] or [asked.since]
        else:
            found = answer.get("to") or answer["version"]
        need(found in known, f"nobody was told of {found}")
        newest = self.as_seen(imposed)[-1][0]
        need(found == newest or len(self.services.running) > 1, f"{found} is not the newest version")
        asked.judge(answer, found, known[found], lambda: self.is_gone(asked.since))
        kind = "json-patch" if isinstance(answer, list) else answer["kind"]
        self.counts[f"deltas {asked.dialect}" if kind in ("json-patch", "delta") else kind] += 1
        if kind == "snapshot":
            self.counts["resets"] += 1

    def discreet(self, answer, asked, imposed, versions, request):
        """Nothing of what a reader may not see is in an answer: neither a mark nor an id."""
        if not imposed:
            return
        said = answer if isinstance(answer, bytes) else f"{answer.fields}".encode() + answer.body
        for token, _ in self.versions:
            need(token.split(".")[2].encode() not in said, "the digest of what is hidden is for nobody")
        for token in imposed.tokens.values():  # whose digests may read as ids
            said = said.replace(token.encode(), b"")
        if len(self.services.running) > 1:  # an answer may lead to a version before the newest
            versions = [version for _, version in self.as_seen(imposed)]
        items = [item for version in versions for item in version.items.values()]
        marks = {item["mark"] for item in items if "mark" in item}
        ids = {item["id"] for item in items}
        for mark in re.findall(rb"hush-\d+", said):
            need(mark.decode() in marks, f"{mark} is not for this reader")
        for name in re.findall(rb"\bi\d+\b", said):
            need(name.decode() in ids or name.decode() in request, f"{name} is not for this reader")
        self.counts["discreet answers"] += 1

    # Waiting

    def wait(self):
        imposed = self.chance.choice(self.imposed)
        versions = self.as_seen(imposed)[-1:]
        asked = Question(self.chance, versions, asks_for_something=not imposed)
        # What a window around an item shows later depends on what it showed meanwhile.
        if asked.held and asked.was is None and not (asked.wanted or "").startswith("around"):
            service = self.service(imposed and imposed.token)
            self.waiters.append(Waiter(asked, imposed, service, self.chance.random() < 0.5))

    def hear(self):
        """Judges what those are told of whose views show something else now."""
        token, version = self.versions[-1]
        for waiter in list(self.waiters):
            asked, imposed = waiter.asked, waiter.imposed
            head = imposed.visible(token, version) if imposed else version
            waiter.steps += 1
            if not asked.is_same(head):
                self.asked = f"{'stream' if waiter.is_stream else 'wait'} {asked.query(since=asked.since)}"
                said, answer = waiter.told()
                self.discreet(said, asked, imposed, [asked.older, head], self.asked)
                self.judge(asked, imposed, answer)
                self.counts["told on a stream" if waiter.is_stream else "told at the end of a wait"] += 1
            elif waiter.steps < 15:
                continue
            waiter.connection.close()
            self.waiters.remove(waiter)


def text_of(value):
    return value if isinstance(value, dict) else str(value)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", required=True)
    options.add_argument("--versions", type=int, default=20_000, help="of all trials together")
    options.add_argument("--quick", action="store_const", const=400, dest="versions")
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options.add_argument("--only", default="", help="the trials whose names have this text")
    options = options.parse_args()
    trials = {
        "memory": {}, "file": {"restarts": 25}, "file imposed": {"restarts": 35, "is_imposed": True},
        "replicas": {"replicas": 3, "restarts": 35}, "replicas imposed": {"replicas": 2, "restarts": 45, "is_imposed": True},
    }
    if not shutil.which("pg_config") and not os.path.isdir("/usr/lib/postgresql"):
        print("without PostgreSQL there are no replicas: left out")
        trials = {name: more for name, more in trials.items() if "replicas" not in name}
    chosen = {name: more for name, more in trials.items() if options.only in name}
    total, failed = collections.Counter(), 0
    for number, (name, more) in enumerate(chosen.items()):
        started, trial = time.monotonic(), None
        try:
            trial = Trial(name.split()[0], options.binary, options.seed + number, options.versions // len(chosen), **more)
            trial.run()
            print(f"passed  {name}, {time.monotonic() - started:.0f} s", flush=True)
        except Wrong as error:
            failed += 1
            print(f"FAILED  {error}", flush=True)
        if trial:
            total += trial.counts
    for name, count in sorted(total.items()):
        print(f"{count:>8,}  {name}")
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
