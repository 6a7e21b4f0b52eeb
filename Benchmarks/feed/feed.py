#!/usr/bin/env python3
"""What many readers, many collections and a long history cost: against a release build of livedelta.

    Benchmarks/feed/feed.py PROGRAM [history] [collections] [readers]

Each part starts a service of its own and reads its memory from /proc. Standard library only.
"""
import json, os, random, re, resource, select, shutil, socket, subprocess, sys, tempfile, time


class Service:
    def __init__(self, program, data=":memory:", **settings):
        environment = dict(os.environ, **{"LIVEDELTA_" + k: str(v) for k, v in settings.items()})
        self.process = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--json",
             "--data", data],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        line = json.loads(self.process.stdout.readline())
        self.port, self.ops = (
            int(re.search(r":(\d+)", str(line[k])).group(1)) for k in ("listening", "operations"))

    def resident(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024

    def metric(self, name):
        text = Connection(self.ops).call("GET", "/metrics")[1].decode()
        return int(float(re.search(rf"^livedelta_{name} (\S+)$", text, re.M).group(1)))

    def stop(self):
        self.process.kill()
        self.process.wait()


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

    def send(self, method, path, body=None, fields=""):
        data = json.dumps(body).encode() if body is not None else b""
        if body is not None:
            fields += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode() + data)

    def receive(self):
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(1 << 16)
        head, _, rest = self.buffer.partition(b"\r\n\r\n")
        match = re.search(rb"(?i)content-length: (\d+)", head)
        length = int(match.group(1)) if match else 0
        while len(rest) < length:
            rest += self.socket.recv(1 << 20)
        self.buffer = rest[length:]
        return int(head.split()[1]), rest[:length]

    def call(self, *arguments):
        self.send(*arguments)
        return self.receive()


def item(number, revision=0):
    return {"id": f"i{number}", "title": f"Item {number}", "unread": bool(revision % 2), "r": revision}


def path(client, name):
    return f"/v1/clients/c{client}/collections/{name}"


def history(program, collections=40, items=1000, versions=64, edits=10):
    """What 64 versions of 1,000 items with 10 edits each take beside the newest."""
    service = Service(program)
    generator = random.Random(1)
    connection = Connection(service.port)
    lists = {c: [item(n) for n in range(items)] for c in range(collections)}
    for c, rows in lists.items():
        connection.call("PUT", path(c, "main"), rows)
    before = service.resident()
    first = {}
    for version in range(1, versions):
        for c, rows in lists.items():
            for edit in range(edits):
                at = generator.randrange(len(rows))
                kind = edit % 4
                if kind == 0:
                    rows[at] = dict(rows[at], r=version * 100 + edit)
                elif kind == 1:
                    rows.insert(generator.randrange(len(rows)), rows.pop(at))
                elif kind == 2:
                    rows.insert(at, item(items + version * 100 + edit))
                else:
                    rows.pop(at)
            connection.call("PUT", path(c, "main"), rows)
    after = service.resident()
    status, body = connection.call("GET", path(0, "main") + "/versions")
    kept = json.loads(body)["versions"]
    times = []
    for version in kept[1:]:
        start = time.perf_counter()
        status, body = connection.call("GET", path(0, "main") + "/delta?since=" + version["version"])
        times.append(time.perf_counter() - start)
        assert status == 200 and json.loads(body)["kind"] == "delta", body[:200]
    print(f"history: {len(kept)} versions kept; {(after - before) / collections * 1024:.0f} KB a collection "
          f"for {versions - 1} older ones ({before:.0f} -> {after:.0f} MB); "
          f"a delta from the oldest {times[-1] * 1e3:.2f} ms, from any at most {max(times) * 1e3:.2f} ms")
    service.stop()


def collections(program, count=100_000, items=100):
    """How much memory 100,000 collections of 100 items take, and what a PUT to one costs then."""
    # A store on disk has them all; memory is a cache of those used last.
    directory = tempfile.mkdtemp(prefix="livedelta-")
    service = Service(program, directory, DURABILITY="normal", LIMITS_MEMORY_BYTES_MAX=144 << 20)
    rows = [{"id": f"i{n}", "n": n} for n in range(items)]
    connection = Connection(service.port)

    def put_time(client):
        times = []
        for revision in range(200):
            changed = rows[:50] + [{"id": "i50", "n": -revision}] + rows[51:]
            start = time.perf_counter()
            status, _ = connection.call("PUT", path(client, "main"), changed)
            times.append(time.perf_counter() - start)
            assert status < 300
        return sorted(times)[len(times) // 2] * 1e6

    empty = service.resident()
    alone = put_time("alone")
    start = time.perf_counter()
    # Several at a time share a transaction of the store.
    writers = [Connection(service.port) for _ in range(32)]
    for base in range(0, count, len(writers)):
        numbers = range(base, min(base + len(writers), count))
        for number, writer in zip(numbers, writers):
            writer.send("PUT", path(number % 1000, f"n{number // 1000}"), rows)
        for _, writer in zip(numbers, writers):
            status, body = writer.receive()
            assert status == 201, body
    elapsed = time.perf_counter() - start
    full = service.resident()
    among = put_time("alone")
    print(f"collections: {count} of {items} items in {full:.0f} MB ({(full - empty) / count * 1024:.2f} KB each), "
          f"{count / elapsed:.0f} PUTs/s; a PUT alone {alone:.0f} us, among them {among:.0f} us")
    service.stop()
    shutil.rmtree(directory)


def readers(program, count=10_000, items=100):
    """10,000 readers parked on one collection; one write; how long until the last has its answer."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (count + 1000, count + 1000))
    service = Service(program, LIMITS_CONNECTIONS_MAX=count + 100,
                      LIMITS_CONNECTIONS_PER_ADDRESS_MAX=count + 100, LIMITS_PARKED_MAX=count + 100)
    writer = Connection(service.port)
    rows = [item(n) for n in range(items)]
    status, body = writer.call("PUT", path(0, "main"), rows)
    version = json.loads(body)["version"]
    parked = [Connection(service.port) for _ in range(count)]
    for dialects in (["staged"], ["staged", "ops", "splice", "diffable"]):
        poll = select.epoll()
        for number, reader in enumerate(parked):
            dialect = dialects[number % len(dialects)]
            coding = "Accept-Encoding: gzip\r\n" if number % 2 else ""
            reader.send("GET", path(0, "main") + f"/delta?since={version}&wait=50&dialect={dialect}", None, coding)
            poll.register(reader.socket, select.EPOLLIN)
        while service.metric("parked_requests") < count:
            time.sleep(0.05)
        quiet = service.resident()
        deltas, encodings = service.metric("deltas_total"), service.metric("encodings_total")
        rows = rows[:50] + [item(50, int(time.time() * 1000) % 100000)] + rows[51:]
        start = time.perf_counter()
        writer.send("PUT", path(0, "main"), rows)
        left, first, last = count, None, None
        by_socket = {reader.socket.fileno(): reader for reader in parked}
        while left:
            for descriptor, _ in poll.poll():
                data = by_socket[descriptor].socket.recv(1 << 16)
                assert data.startswith(b"HTTP/1.1 200"), data[:200]
                last = time.perf_counter()
                first = first or last
                left -= 1
                poll.unregister(descriptor)
        status, body = writer.receive()
        version = json.loads(body)["version"]
        print(f"readers: {count} in {len(dialects)} dialects x 2 codings: first after {(first - start) * 1e3:.0f} ms, "
              f"last after {(last - start) * 1e3:.0f} ms; {service.metric('deltas_total') - deltas} diff(s), "
              f"{service.metric('encodings_total') - encodings} encoding(s); {quiet:.0f} MB parked, {service.resident():.0f} MB after")
    service.stop()


if __name__ == "__main__":
    program = sys.argv[1]
    parts = sys.argv[2:] or ["history", "collections", "readers"]
    for part in parts:
        {"history": history, "collections": collections, "readers": readers}[part](program)
