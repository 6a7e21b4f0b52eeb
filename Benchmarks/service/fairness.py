#!/usr/bin/env python3
"""What others pay for the views of strangers: against a release build of livedelta.

    Benchmarks/service/run fairness [--seconds N]

Four strangers, each with an address of its own, repeat the dearest views they can think of on a public collection of 7 MB,
and give up after 3 s. Meanwhile another tenant asks for views of 400 kB that nobody has asked for before, and writes that
list; beside the same without strangers. Then the dearest single answers; what 60 waiting polls cost the writers of their
shard when one member changes; and what 20 orders of 60,000 items cost others. Standard library only.
"""
import argparse, collections, json, multiprocessing, random, re, socket, statistics, threading, time, urllib.parse

from waiting import Connection, Service, processor

PUBLIC, TENANT = "/v1/clients/p/collections/wall", "/v1/clients/t/collections/list"
EDITS = "application/vnd.livedelta.edits+json"


def query(*terms):
    return urllib.parse.urlencode(terms)


def dearest(number):
    """Views that read all of a value: each of them another one, so that no answer is remembered."""
    arrays = ",".join(f"[{number},{other}]" for other in range(64))
    return [
        query(("where", f"/x:in:[{arrays}]")),
        query(*(("where", f"/x:has:{number * 8 + other + 2}") for other in range(8))),
        query(*(("where", f"/x:has:[{number * 8 + other}]") for other in range(8))),
        query(*(("where", f"/x:ne:[{number * 8 + other}]") for other in range(8)), ("order", f"/x/{number}:number")),
        query(("select", f"/x/{number},/id"), ("where", f"/x:ne:{number}"), ("window", "first:1")),
    ]


def rows(count, revision=0):
    generator = random.Random(count)
    return [{"id": f"i{n}", "n": n, "r": revision if n % 100 == 0 else 0, "text": f"{generator.getrandbits(320):080x}"}
            for n in range(count)]


def stranger(port, number, ends, told, patience=3):
    """Repeats the dearest views from an address of its own, and gives each up after some seconds; tells what became of them."""
    asked, statuses = 0, collections.Counter()
    while not ends.is_set():
        asked += 1
        views = dearest(asked * 100 + number)
        with socket.create_connection(("127.0.0.1", port), source_address=(f"127.0.0.{number + 2}", 0)) as one:
            one.settimeout(patience)
            one.sendall(f"GET {PUBLIC}?{views[asked % len(views)]} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            try:
                statuses[int(one.recv(1 << 16).split()[1])] += 1
            except TimeoutError:
                statuses["given up"] += 1
    told.put(dict(statuses))


def text(method, path, body, kind="application/json"):
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def timed(connection, request):
    """Milliseconds from a request, which is made already, to its answer."""
    start = time.perf_counter()
    connection.socket.sendall(request)
    status, body = connection.receive()
    assert status in (200, 201), (status, body[:300])
    return (time.perf_counter() - start) * 1000


def put(connection, path, body):
    return timed(connection, text("PUT", path, json.dumps(body).encode()))


def percentiles(times):
    times = sorted(times)
    return f"{statistics.median(times):.1f} | {times[min(len(times) - 1, len(times) * 99 // 100)]:.1f} | {times[-1]:.1f}"


def tenant(service, seconds, first):
    """Milliseconds of views that nobody has asked for before, and of PUTs, in turn."""
    connection, end, views, puts = Connection(service.port), time.monotonic() + seconds, [], []
    while time.monotonic() < end:
        number = first + len(views)
        view = query(("where", f"/n:ge:{number % 2900}"), ("window", f"at:{number}:50"))
        views.append(timed(connection, f"GET {TENANT}?{view} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()))
        puts.append(put(connection, TENANT, rows(3000, number)))
    return views, puts


def strangers(program, seconds):
    service = Service(program, 2000)
    writer = Connection(service.port)
    wall = [{"id": f"i{n}", "x": [1] * 450_000} for n in range(8)]
    put(writer, PUBLIC, {"items": wall, "settings": {"audience": "public"}})
    put(writer, TENANT, rows(3000))
    print("| a single GET of the dearest views | ms | status |\n|---|---:|---:|")
    for name, view in zip(["64 arrays of `in`", "8 `has` of numbers", "8 `has` of arrays", "8 `ne` of arrays, and an order",
                           "a selection"], dearest(0)):
        start = time.perf_counter()
        status, _ = writer.call("GET", f"{PUBLIC}?{view}")
        print(f"| {name} | {(time.perf_counter() - start) * 1000:.0f} | {status} |")
    print("\n| another tenant, ms | median | p99 | most |\n|---|---:|---:|---:|")
    for name in ("undisturbed", "beside four strangers"):
        ends, told = multiprocessing.Event(), multiprocessing.Queue()
        others = [multiprocessing.Process(target=stranger, args=(service.port, number, ends, told), daemon=True)
                  for number in range(4)] if name != "undisturbed" else []
        for one in others:
            one.start()
        time.sleep(1 if others else 0)
        views, puts = tenant(service, seconds, 10_000 if others else 0)
        print(f"| view, {name} | {percentiles(views)} |\n| PUT, {name} | {percentiles(puts)} |", flush=True)
        ends.set()
        if others:
            print(f"\nStrangers: {[told.get() for _ in others]}")
    service.kill()


class Writer(threading.Thread):
    """PUTs a small list of another tenant, until it is stopped."""

    def __init__(self, port, path="/v1/clients/w/collections/list"):
        super().__init__(daemon=True)
        self.connection, self.path, self.ends, self.times = Connection(port), path, False, []

    def run(self):
        while not self.ends:
            self.times.append((time.perf_counter(), put(self.connection, self.path, [{"id": "a", "r": len(self.times)}])))
            time.sleep(0.0005)

    def most(self, start, end):
        return max(took for at, took in self.times if at + took / 1000 >= start and at <= end)


def version(connection, path):
    return re.search(rb'"version":"([^"]+)"', connection.call("GET", path + "/versions?limit=1")[1]).group(1).decode()


def park(service, path, queries):
    since = version(Connection(service.port), path)
    readers = []
    for view in queries:
        reader = Connection(service.port)
        reader.send("GET", f"{path}/delta?since={since}&wait=55&{view}", None, "")
        readers.append(reader)
    while service.metric("parked_requests") < len(readers):
        time.sleep(0.02)
    return readers


def beside(service, readers, change):
    """Milliseconds of the longest PUT of another tenant before and while readers are told of a change, and until all are."""
    author = Connection(service.port)
    writer = Writer(service.port)
    writer.start()
    time.sleep(1)
    start, used = time.perf_counter(), processor(service)
    timed(author, change)
    for reader in readers:
        reader.socket.settimeout(120)
        reader.receive()
    end = time.perf_counter()
    time.sleep(0.2)
    writer.ends = True
    writer.join()
    return (writer.most(start - 0.9, start - 0.01), writer.most(start, end), (end - start) * 1000, (processor(service) - used) * 1000)


def polls(program):
    service = Service(program, 2000, SHARDS=1)
    writer = Connection(service.port)
    item = {"id": "a", "v": 0, "m": [[n] for n in range(1500)]}
    put(writer, PUBLIC, [item])
    views = []
    for number in range(60):
        arrays = ",".join(f"[{number * 64 + other}]" for other in range(63))
        views.append(query(("where", f"/m/{number}:in:[{arrays},[{number}]]"), ("where", f"/m:ne:[{number}]")))
    readers = park(service, PUBLIC, views)
    edit = json.dumps({"edits": [{"op": "merge", "id": "a", "value": {"v": 1}}]}).encode()
    found = beside(service, readers, text("PATCH", PUBLIC, edit, EDITS))
    print(f"| 60 polls with 64 arrays each, a PATCH of one member | {' | '.join(f'{ms:.1f}' for ms in found)} |", flush=True)
    service.kill()


def orders(program):
    service = Service(program, 2000, SHARDS=1)
    writer = Connection(service.port)
    generator = random.Random(1)
    items = [{"id": f"i{n}", "a": generator.randrange(1000), "b": f"20{n % 90 + 10}-01-{n % 28 + 1:02}T10:00:00Z", "r": 0,
              "c": f"{generator.getrandbits(480):0120x}"} for n in range(60_000)]
    put(writer, PUBLIC, items)
    views = [query(("order", f"/a{':desc' if number % 2 else ''}:number"), ("order", f"/b{':desc' if number % 4 > 1 else ''}:date"),
                   ("order", "/c"), ("where", f"/a:ge:{number}"), ("window", "first:50")) for number in range(20)]
    start = time.perf_counter()
    four = query(("order", "/a:number"), ("order", "/b:date"), ("order", "/c"), ("order", "/r:number"), ("window", "first:50"))
    status, _ = Connection(service.port).call("GET", f"{PUBLIC}?{four}")
    print(f"| a single GET with 4 orders of 60,000 items: status {status} | | | {(time.perf_counter() - start) * 1000:.1f} | |")
    readers = park(service, PUBLIC, views)
    # They are in all views, whose numbers change.
    items += [dict(items[at], id=f"new{at}", a=999) for at in range(100)]
    found = beside(service, readers, text("PUT", PUBLIC, json.dumps(items).encode()))
    print(f"| 20 orders of 60,000 items, a PUT that adds 100 | {' | '.join(f'{ms:.1f}' for ms in found)} |", flush=True)
    service.kill()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--seconds", type=float, default=30)
    options = options.parse_args()
    strangers(options.program, options.seconds)
    print("\n| waiting readers are told, ms | another's longest PUT before | meanwhile | until all are told | of the processor |\n"
          "|---|---:|---:|---:|---:|")
    polls(options.program)
    orders(options.program)


if __name__ == "__main__":
    main()
