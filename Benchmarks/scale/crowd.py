#!/usr/bin/env python3
"""Readers that wait, by the ten thousand: a process of its own for each share of them. Standard library only.

As a program it holds readers and says what happened to them (see `Share`); as a module it starts such programs.
"""
import json, os, re, select, socket, subprocess, sys, tempfile, time

PORTS = 10_000  # connections from one address of this machine: past half of the 28,000 ports of each, the kernel looks for them one by one
SHARE = 16_000  # readers of a process, which may have 20,000 files open
TOKEN = re.compile(rb'"(?:to|version)":"([^"]+)"')
WRITTEN = re.compile(rb'"at":(\d+)')


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def path(collection):
    return f"/v1/clients/c{collection}/collections/list"


class Reader:
    __slots__ = ("socket", "collection", "token", "address", "data", "asked", "again")

    def __init__(self, collection, token, address):
        self.collection, self.token, self.address = collection, token, address
        self.socket, self.data, self.asked, self.again = None, b"", 0.0, 0.0


class Share:
    """The readers of one process, each of which waits for one collection at one address, and asks again when told."""

    def __init__(self, task):
        self.task, self.poll, self.readers, self.opened = task, select.epoll(), {}, 0
        self.waits, self.delays, self.failures, self.told = [], [], {}, 0
        self.later = []  # readers that try again, by time

    def open(self, reader):
        connection = socket.socket()
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The addresses of loopback are as many as one likes: each has its ports.
        connection.bind((f"127.{self.task['number'] + 1}.{self.opened // PORTS}.1", 0))
        self.opened += 1
        connection.connect_ex(tuple(reader.address))
        reader.socket, reader.asked, reader.data = connection, time.monotonic(), b""
        self.readers[connection.fileno()] = reader
        self.poll.register(connection, select.EPOLLOUT)

    def ask(self, reader):
        kind, since = self.task["kind"], f"?since={reader.token}" if reader.token else ""
        target, fields = path(reader.collection), ""
        if kind == "wait":
            target += f"/delta{since}&wait={self.task['wait']}"
        elif kind == "stream":
            target, fields = target + f"/delta{since}", "Accept: text/event-stream\r\n"
        elif kind == "poll":
            target += f"/delta{since}"
        reader.data = b""
        reader.socket.send(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())

    def lose(self, reader, why):
        self.failures[why] = self.failures.get(why, 0) + 1
        del self.readers[reader.socket.fileno()]
        reader.socket.close()
        reader.socket = None

    def turn(self, seconds):
        for descriptor, events in self.poll.poll(seconds, 4096):
            reader = self.readers.get(descriptor)
            if reader is None:
                continue
            if events & select.EPOLLOUT:
                error = reader.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                if error:
                    self.lose(reader, os.strerror(error))
                    continue
                self.poll.modify(descriptor, select.EPOLLIN)
                self.ask(reader)
                continue
            try:
                data = reader.socket.recv(1 << 16)
            except OSError as error:
                self.lose(reader, error.strerror)
                continue
            if not data:
                self.lose(reader, "closed")
                continue
            reader.data += data
            self.hear(reader)

    def hear(self, reader):
        head, end, body = reader.data.partition(b"\r\n\r\n")
        if not end:
            return
        now = time.monotonic()
        if self.task["kind"] == "stream":
            if b"\n\n" not in body or not (found := WRITTEN.findall(body)):
                return
            reader.data = head + end
            self.told += 1
            self.delays.append(now - int(found[-1]) / 1e9)
            return
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        if len(body) < length:
            return
        if head[9:12] != b"200":
            return self.lose(reader, head[9:12].decode())
        self.waits.append(now - reader.asked)
        if self.task["kind"] == "wait":
            if found := WRITTEN.search(body):  # otherwise there was nothing to tell for as long as one waits
                self.told += 1
                self.delays.append(now - int(found.group(1)) / 1e9)
            reader.token = TOKEN.search(body).group(1).decode()
            return self.ask(reader)
        self.told += 1
        if self.task["kind"] == "snapshot":
            return
        reader.again = now + self.task["pause"]
        self.later.append(reader)

    def run(self):
        task = self.task
        waiting = [Reader(c, t, a) for c, t, a in task["readers"]]
        waiting.reverse()
        begin, said, stop = time.monotonic(), 0.0, False
        count = len(waiting)
        words = open(0, "rb", buffering=0)
        self.poll.register(words, select.EPOLLIN)
        while not stop:
            due = count if not task["seconds"] else min(count, int(count * (time.monotonic() - begin) / task["seconds"]) + 1)
            for _ in range(min(100, due - (count - len(waiting)))):
                self.open(waiting.pop())
            now = time.monotonic()
            while self.later and self.later[0].again <= now:
                reader = self.later.pop(0)
                if reader.socket:
                    reader.asked = now
                    self.ask(reader)
            self.turn(0.002 if waiting or self.later else 0.05)
            if select.select([words], [], [], 0)[0]:
                word = words.readline().strip()
                if word in (b"", b"stop"):
                    stop = True
                elif word == b"mark":  # what follows counts
                    self.waits, self.delays, self.told, self.failures = [], [], 0, {}
                    print("{}", flush=True)
                elif word == b"tell":
                    print(json.dumps({"opened": self.opened, "left": len(waiting), "told": self.told,
                                      "failures": self.failures, "waits": self.waits, "delays": self.delays}), flush=True)


class Crowd:
    """Readers in as many processes as they need.

    - readers: a collection's number, the version that is held (or nothing) and the address, for each.
    - kind: `wait`, `stream`, `poll` (again after `pause` seconds) or `snapshot` (once).
    - seconds: over how long they come; 0 is at once.
    - wait: for how many seconds a question waits.
    """

    numbers = 0

    def __init__(self, readers, kind, seconds=0, pause=0.02, share=SHARE, wait=55):
        self.processes, self.count = [], len(readers)
        for first in range(0, len(readers), share):
            task = {"number": Crowd.numbers % 200, "kind": kind, "pause": pause, "seconds": seconds, "wait": wait,
                    "readers": readers[first:first + share]}
            Crowd.numbers += 1
            with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
                json.dump(task, file)
            self.processes.append(subprocess.Popen(
                [sys.executable, os.path.abspath(__file__), file.name], stdin=subprocess.PIPE, stdout=subprocess.PIPE))

    def say(self, word):
        for process in self.processes:
            process.stdin.write(word + b"\n")
            process.stdin.flush()

    def tell(self):
        """What happened since the last `mark`, of all together."""
        self.say(b"tell")
        total = {"opened": 0, "left": 0, "told": 0, "failures": {}, "waits": [], "delays": []}
        for process in self.processes:
            for key, value in json.loads(process.stdout.readline()).items():
                if key == "failures":
                    for why, number in value.items():
                        total[key][why] = total[key].get(why, 0) + number
                else:
                    total[key] += value
        return total

    def mark(self):
        self.say(b"mark")
        for process in self.processes:
            process.stdout.readline()

    def stop(self):
        for process in self.processes:
            process.stdin.close()
        for process in self.processes:
            process.wait()


if __name__ == "__main__":
    with open(sys.argv[1]) as task:
        share = Share(json.load(task))
    os.unlink(sys.argv[1])
    share.run()
