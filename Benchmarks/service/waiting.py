#!/usr/bin/env python3
"""What one write costs while 1,000 readers of a long list wait for it: against a release build of livedelta.

    Benchmarks/service/run waiting [readers]

Lists over the animation threshold are answered by deltas with "animate":false. Standard library only.
"""
import gzip, json, os, random, re, resource, select, socket, sys, tempfile, time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Tests/Serving"))
from serving import Serving  # noqa: E402

LIST = "/v1/clients/c0/collections/main"


class Service(Serving):
    """A service in memory that logs no requests and takes `connections` from one address."""

    def __init__(self, program, connections, **settings):
        limits = {name: connections for name in ("CONNECTIONS_MAX", "PARKED_MAX", "CONNECTIONS_PER_ADDRESS_MAX")}
        settings.update({f"LIMITS_{name}": value for name, value in limits.items()}, LOG_ACCESS="off")
        self.file = tempfile.NamedTemporaryFile()
        super().__init__(program, ":memory:", self.file.name, environment={f"LIVEDELTA_{k}": str(v) for k, v in settings.items()})
        self.port = self.wait_until_it_listens().address[1]

    def resident(self):
        return memory(self, "VmRSS")

    def metric(self, name):
        text = Connection(self.operations[1]).call("GET", "/metrics")[1].decode()
        return int(float(re.search(rf"^livedelta_{name} (\S+)$", text, re.M).group(1)))


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


def processor(service):
    """Seconds of processor time that the service has taken."""
    with open(f"/proc/{service.process.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(service, name):
    with open(f"/proc/{service.process.pid}/status") as status:
        return int(re.search(rf"{name}:\s+(\d+)", status.read()).group(1)) / 1024


def park(service, readers, version, coding):
    fields = "Accept-Encoding: gzip\r\n" if coding else ""
    for reader in readers:
        reader.send("GET", f"{LIST}/delta?since={version}&wait=55", None, fields)
    while service.metric("parked_requests") < len(readers):
        time.sleep(0.02)


def collect(readers):
    """Reads until every reader has its answer; gives when the first and the last had."""
    poll = select.epoll()
    by_socket = {reader.socket.fileno(): [reader, 0, None] for reader in readers}
    for descriptor in by_socket:
        poll.register(descriptor, select.EPOLLIN)
    first, left = None, len(readers)
    while left:
        for descriptor, _ in poll.poll():
            entry = by_socket[descriptor]
            data = entry[0].socket.recv(1 << 18)
            if entry[2] is None:
                head = data.partition(b"\r\n\r\n")[0]
                entry[2] = int(re.search(rb"(?i)content-length: (\d+)", head).group(1)) + len(head) + 4
            entry[1] += len(data)
            if entry[1] >= entry[2]:
                poll.unregister(descriptor)
                left -= 1
                first = first or time.perf_counter()
    return first, time.perf_counter()


def measure(program, items, changes, count):
    resource.setrlimit(resource.RLIMIT_NOFILE, (count + 1000, count + 1000))
    service = Service(program, count + 100)
    generator = random.Random(items + changes)
    writer = Connection(service.port)
    rows = [{"id": f"i{n}", "title": f"Item {n}", "unread": False, "r": 0, "text": f"{generator.getrandbits(240):060x}"}
            for n in range(items)]
    status, body = writer.call("PUT", LIST, rows)
    assert status == 201, body
    readers = [Connection(service.port) for _ in range(count)]
    for coding in (False, True):
        version = re.search(rb'"version":"([^"]+)"', writer.call("GET", LIST + "/delta")[1]).group(1).decode()
        park(service, readers, version, coding)
        deltas, encodings = service.metric("deltas_total"), service.metric("encodings_total")
        with open(f"/proc/{service.process.pid}/clear_refs", "w") as file:
            file.write("5")
        quiet, used = service.resident(), processor(service)
        for at in generator.sample(range(items), changes):
            rows[at] = dict(rows[at], r=rows[at]["r"] + 1)
        body = json.dumps(rows).encode()
        head = f"PUT {LIST} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        writer.socket.sendall(head.encode() + body)
        sent = time.perf_counter()
        first, last = collect(readers)
        status, body = writer.receive()
        assert status == 200, body
        deltas, encodings = service.metric("deltas_total") - deltas, service.metric("encodings_total") - encodings
        used = processor(service) - used
        peak, after = memory(service, "VmHWM"), service.resident()
        fields = "Accept-Encoding: gzip\r\n" if coding else ""
        delta = writer.call("GET", f"{LIST}/delta?since={version}", None, fields)[1]
        text = gzip.decompress(delta) if delta.startswith(b"\x1f\x8b") else delta  # What is short is not coded.
        assert text.startswith(b'{"kind":"delta"') and b'"animate":false' in text[:300], text[:300]
        whole = writer.call("GET", LIST, None, fields)[1]
        print(f"| {items:,} | {changes:,} | {'gzip' if coding else 'plain'} | {len(delta):,} | {len(whole):,} "
              f"| {(first - sent) * 1e3:.0f} | {(last - sent) * 1e3:.0f} | {used * 1e3:.0f} "
              f"| {deltas} and {encodings} "
              f"| {quiet:.0f}, {peak:.0f}, {after:.0f} |", flush=True)
    service.kill()


if __name__ == "__main__":
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    print("| items | changed | coding | bytes of the delta | of the snapshot | first reader, ms | last, ms "
          "| processor time, ms | diffs and encodings | memory before, most, after, MB |")
    print("|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|")
    for items in (20_000, 100_000):
        for changes in (1, 100, 1000):
            measure(sys.argv[1], items, changes, count)
