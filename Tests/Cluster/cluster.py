#!/usr/bin/env python3
"""Three replicas over one PostgreSQL, faults between them, and a judge of all that anybody is told."""
import argparse
import glob
import http.client
import json
import os
import pwd
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from judge import Judge
from proxy import Proxy

NAMES = ["a", "b", "c", "d"]


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found:
        print("PostgreSQL is not installed (apt-get install postgresql): left out")
        sys.exit(77)
    return os.path.dirname(found[-1])


class Database:
    def __init__(self, directory):
        self.bin = programs()
        self.directory = directory
        self.data = directory + "/data"
        self.prefix = []
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(directory, user.pw_uid, user.pw_gid)
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "livedelta", "--no-sync", "-E", "UTF8")
        self.start()
        self.run("createdb", "-h", directory, "-U", "livedelta", "livedelta")

    def run(self, program, *arguments):
        subprocess.run(
            self.prefix + [f"{self.bin}/{program}", *arguments], check=True, cwd=self.directory,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        options = f"-c listen_addresses= -c unix_socket_directories={self.directory}"
        self.run("pg_ctl", "-D", self.data, "-l", self.directory + "/log", "-w", "-o", options, "start")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")


class Replica:
    def __init__(self, program, number, database, directory):
        self.program, self.number = program, number
        self.proxy = Proxy(database.directory + "/.s.PGSQL.5432")
        self.log = open(f"{directory}/replica-{number}.log", "ab")
        self.directory = directory
        self.start()

    def start(self):
        uri = f"postgres://livedelta@127.0.0.1:{self.proxy.port}/livedelta?sslmode=disable&gssencmode=disable"
        self.process = subprocess.Popen(
            [self.program, "serve", "--json", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", uri],
            stdout=subprocess.PIPE, stderr=self.log, cwd=self.directory)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"replica {self.number} did not start, see its log")
        said = json.loads(line)
        self.port = int(said["listening"][0].rsplit(":", 1)[1])
        self.operations = int(said["operations"][0].rsplit(":", 1)[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def request(self, method, path, body=None, headers={}, port=None):
        connection = http.client.HTTPConnection("127.0.0.1", port or self.port, timeout=40)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def is_ready(self):
        try:
            return self.request("GET", "/readyz", port=self.operations)[0] == 200
        except OSError:
            return False


class Run:
    def __init__(self, replicas, seed):
        self.replicas = replicas
        self.judge = Judge()
        self.random = random.Random(seed)
        self.ended = threading.Event()
        self.counts = {"acknowledged": 0, "refused": 0, "lost": 0, "replayed": 0, "stale": 0}
        self.news = threading.Condition()

    def count(self, what):
        with self.news:
            self.counts[what] += 1
            self.news.notify_all()

    def until_requests(self, more, seconds=10):
        """Waits until so many more requests have ended, at any replica and in any way."""
        with self.news:
            goal = sum(self.counts.values()) + more
            self.news.wait_for(lambda: sum(self.counts.values()) >= goal, seconds)

    def back_off(self):
        """What a client waits before it tries again, unless the run ends."""
        self.ended.wait(0.02)

    def writer(self, number):
        choice = random.Random(self.random.random())
        turn = 0
        while not self.ended.is_set():
            turn += 1
            name, key = choice.choice(NAMES), f"w{number}-{turn}"
            ids = choice.sample(range(12), choice.randint(0, 10))
            items = [{"id": str(item), "by": key} if choice.random() < 0.3 else {"id": str(item)} for item in ids]
            items.append({"id": key})
            self.write(choice, name, key, items)

    def write(self, choice, name, key, items):
        """Writes until an answer comes, at any replica, always with the same key."""
        body = json.dumps({"items": items})
        for _ in range(2000):
            try:
                status, headers, text = choice.choice(self.replicas).request(
                    "PUT", f"/v1/clients/u/collections/{name}", body,
                    {"Idempotency-Key": key, "Content-Type": "application/json"})
            except (OSError, http.client.HTTPException):
                self.count("lost")
                status = 0
            if status in (200, 201):
                self.judge.receipt(f"writer {key}", json.loads(text), f"{name}/{key}", items)
                self.count("replayed" if headers.get("Idempotency-Replayed") else "acknowledged")
                return
            if status not in (0, 409, 503):
                self.judge.fault(f"writer {key}: {status} {text[:300]}")
                return
            if status:
                self.count("refused")
            if self.ended.is_set():
                return
            self.back_off()

    def reader(self, number):
        choice = random.Random(self.random.random())
        name = NAMES[number % len(NAMES)]
        token, items = None, None
        while not self.ended.is_set():
            if choice.random() < 0.05:
                token, items = None, None
            wait = choice.choice([0, 0, 2])
            where = f"reader {number}"
            try:
                status, headers, text = choice.choice(self.replicas).request(
                    "GET", f"/v1/clients/u/collections/{name}/delta?dialect=splice&wait={wait}&since={token or ''}")
            except (OSError, http.client.HTTPException):
                self.back_off()
                continue
            if headers.get("Collection-Stale"):
                self.count("stale")
            if status == 200:
                token, items = self.judge.answer(where, name, token, items, json.loads(text))
            elif status == 503 or (status == 404 and token is None):
                self.back_off()
            else:
                self.judge.fault(f"{where}: {status} since {token}: {text[:300]}")
                token, items = None, None

    def until_ready(self, seconds=30):
        """The time until all replicas are ready again."""
        start = time.monotonic()
        while not all(replica.is_ready() for replica in self.replicas):
            if time.monotonic() - start > seconds:
                self.judge.fault(f"not ready after {seconds} s")
                break
            self.back_off()
        return time.monotonic() - start


def faults(database, run):
    """The faults by name; each ends in a state without any."""
    def some():
        return run.random.choice(run.replicas)

    def killed():
        replica = some()
        replica.kill()
        run.until_requests(20)
        replica.start()

    def cut():
        for _ in range(5):
            some().proxy.cut()
            run.until_requests(8)

    def away():
        replica = some()
        replica.proxy.state = "refused"
        replica.proxy.cut()
        run.until_requests(100)
        replica.proxy.state = "open"

    def hung():
        replica = some()
        replica.proxy.state = "hung"
        run.until_requests(200)
        replica.proxy.state = "open"

    def slow():
        replica = some()
        replica.proxy.delay = 0.05
        run.until_requests(150)
        replica.proxy.delay = 0

    def restarted():
        database.stop()
        run.until_requests(30)
        database.start()

    return [killed, cut, away, hung, slow, restarted]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    directory = tempfile.mkdtemp(prefix="livedelta-cluster-", dir="/tmp")
    os.chmod(directory, 0o755)
    os.mkdir(directory + "/postgres")
    database = Database(directory + "/postgres")
    replicas = []
    try:
        for number in range(3):
            replicas.append(Replica(options.binary, number, database, directory))
        run = Run(replicas, options.seed)
        threads = [threading.Thread(target=run.writer, args=(number,), daemon=True) for number in range(6)]
        threads += [threading.Thread(target=run.reader, args=(number,), daemon=True) for number in range(8)]
        for thread in threads:
            thread.start()
        kinds = faults(database, run)
        injected, recovery = {}, []
        for number in range(options.faults):
            fault = kinds[number % len(kinds)] if number < len(kinds) else run.random.choice(kinds)
            run.until_requests(run.random.randrange(50))
            fault()
            injected[fault.__name__] = injected.get(fault.__name__, 0) + 1
            recovery.append(run.until_ready())
            if run.judge.faults:
                break
        run.until_requests(50)
        run.ended.set()
        for thread in threads:
            thread.join(60)
        for name in NAMES:
            status, _, text = replicas[0].request("GET", f"/v1/clients/u/collections/{name}/versions")
            if status == 200:
                run.judge.chain([version["version"] for version in json.loads(text)["versions"]][::-1])
            else:
                run.judge.fault(f"versions of {name}: {status} {text[:200]}")
        print("faults injected:", json.dumps(injected))
        print("requests:", json.dumps(run.counts), "deltas applied:", run.judge.deltas, "resets:", run.judge.resets)
        recovery.sort()
        if recovery:
            print(f"ready again: median {recovery[len(recovery) // 2]:.2f} s, longest {recovery[-1]:.2f} s")
        for fault in run.judge.faults:
            print("WRONG", fault)
        sys.exit(1 if run.judge.faults else 0)
    finally:
        for replica in replicas:
            if replica.process.poll() is None:
                replica.kill()
        database.stop()
        if sys.exc_info()[0] is SystemExit and sys.exc_info()[1].code == 0:
            shutil.rmtree(directory, ignore_errors=True)
        else:
            print("logs are in", directory)


if __name__ == "__main__":
    main()
