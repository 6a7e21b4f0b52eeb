#!/usr/bin/env python3
"""What memory many small lists take: a PUT of three small items to each of 400,000 clients, then reads of any of them,
against a release build of livedelta with its default settings and a directory.

    Benchmarks/service/run lists [--lists N] [--items N] [--check]

A row every 40,000 lists: how many are in memory, the megabytes (MiB) that the service counts, and those that the process
has. `--check` fails where the process ever had more than `limits.memoryBytesMax` and 128 MiB. Where this may use control
groups, the service runs under a limit of 1 GiB, swap included, as in a container. Standard library only.
"""
import argparse, contextlib, json, os, random, re, select, sys, tempfile, time

from waiting import Connection, memory
from serving import Serving

BOUND, BESIDE, CONTAINER, WRITERS = 256, 128, 1024, 16
# Of both versions of control groups; memory.max_usage counts what the kernel caches for the process, which it gives up first.
GROUPS = {
    "/sys/fs/cgroup/memory": {"memory.limit_in_bytes": CONTAINER << 20, "memory.swappiness": 0},
    "/sys/fs/cgroup": {"memory.max": CONTAINER << 20, "memory.swap.max": 0},
}
TABLE = "| lists stored | in memory | counted, MiB | the process has, MiB | at most, MiB | a second |\n|---:|---:|---:|---:|---:|---:|"


def content(number, count):
    return json.dumps([{"id": f"item-{n}", "title": f"Item {n} of {number}", "unread": n % 2 == 0} for n in range(count)]).encode()


def path(number):
    return f"/v1/clients/user-{number:07}/collections/inbox"


def request(method, number, body=b""):
    fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    return f"{method} {path(number)} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode() + body


class Service(Serving):
    def __init__(self, program, directory, group):
        def enter():
            if group:
                with open(f"{group}/cgroup.procs", "w") as file:
                    file.write("0")
        super().__init__(program, f"{directory}/data", f"{directory}/log", prepare=enter)
        self.port = self.wait_until_it_listens().address[1]

    def metrics(self, *names):
        text = Connection(self.operations[1]).call("GET", "/metrics")[1].decode()
        return [float(re.search(rf"^livedelta_{name} (\S+)$", text, re.M).group(1)) for name in names]

    def row(self, stored, rate):
        collections, counted = self.metrics("resident_collections", "resident_bytes")
        print(f"| {stored:,} | {collections:,.0f} | {counted / 2**20:.0f} | {memory(self, 'VmRSS'):.0f} "
              f"| {memory(self, 'VmHWM'):.0f} | {rate:,.0f} |", flush=True)


def send_all(connections, requests):
    """Sends requests by all connections, one at a time each; returns how many a second were answered."""
    requests, start, count = iter(requests), time.perf_counter(), 0
    poll, idle = select.epoll(), {connection.socket.fileno(): connection for connection in connections}
    for descriptor in idle:
        poll.register(descriptor, select.EPOLLIN)
    busy = {}
    while True:
        while idle and (data := next(requests, None)):
            descriptor, connection = idle.popitem()
            connection.socket.sendall(data)
            busy[descriptor] = connection
        if not busy:
            return count / (time.perf_counter() - start)
        for descriptor, _ in poll.poll():
            status, body = busy[descriptor].receive()
            assert status in (200, 201), (status, body)
            count += 1
            idle[descriptor] = busy.pop(descriptor)


@contextlib.contextmanager
def container():
    """A control group with the memory of a container; None where that is not possible."""
    group = None
    for path, limits in GROUPS.items():
        if os.path.exists(f"{path}/cgroup.procs"):
            try:
                os.mkdir(group := f"{path}/livedelta-{os.getpid()}")
                for name, value in limits.items():
                    with open(f"{group}/{name}", "w") as file:
                        file.write(str(value))
                break
            except OSError as error:
                print(f"{path}: {error}")
                if group and os.path.isdir(group):
                    os.rmdir(group)
                group = None
    print(f"under a limit of {CONTAINER} MiB" if group else "without a limit on the process")
    try:
        yield group
    finally:
        if group:
            os.rmdir(group)


def measure(program, count, items):
    generator = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="livedelta-") as directory, container() as group:
        service = Service(program, directory, group)
        connections = [Connection(service.port) for _ in range(WRITERS)]
        print(TABLE)
        service.row(0, 0)
        step = max(1, count // 10)
        for first in range(0, count, step):
            last = min(first + step, count)
            service.row(last, send_all(connections, (request("PUT", n, content(n, items)) for n in range(first, last))))
        print("\nreads of any list, then writes of any list:\n\n" + TABLE)
        chosen = [generator.randrange(count) for _ in range(step)]
        service.row(count, send_all(connections, (request("GET", n) for n in chosen)))
        service.row(count, send_all(connections, (request("PUT", n, content(-n, items)) for n in chosen)))
        peak = memory(service, "VmHWM")
        service.kill()
        return peak


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--lists", type=int, default=400_000)
    parser.add_argument("--items", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    most = measure(options.program, options.lists, options.items)
    if options.check and most > BOUND + BESIDE:
        sys.exit(f"the process had {most:.0f} MiB, over {BOUND} and {BESIDE}")
