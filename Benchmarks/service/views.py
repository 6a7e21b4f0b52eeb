#!/usr/bin/env python3
"""What views cost: 100,000 items, of which a PUT changes one percent, with 0, 1, 100 and 1,000 distinct views, each with a
waiting reader; by turns in one run, against a release build of livedelta.

    Benchmarks/service/run views [--rounds N] [--items N]

Each view is `where=/n:lt:K` with a window of its own, so that no two readers share an answer. Then how many changes of
one item a second are made and told while 100 views wait whose terms are no `field = constant`. Standard library only.
"""
import argparse, json, random, re, resource, select, statistics, time, urllib.parse

from waiting import LIST, Connection, Service, collect, processor
EDITS = "application/vnd.livedelta.edits+json"
COUNTS = [0, 1, 100, 1000]


def content(generator, count):
    return [{"id": f"item-{n}", "n": generator.randrange(count), "title": f"Title of {n}", "r": 0,
             "unread": generator.random() < 0.2} for n in range(count)]


def view(number, count):
    """One of many views: some three quarters of the items, and 50 of them."""
    query = [("where", f"/n:lt:{count * 3 // 4 + number}"), ("window", f"at:{number * 40 % (count // 2)}:50")]
    return urllib.parse.urlencode(query)


def version(writer):
    answer = writer.call("GET", LIST + "/versions?limit=1")[1]
    return re.search(rb'"version":"([^"]+)"', answer).group(1).decode()


def change(generator, rows):
    """One percent of the items, of which one enters or leaves every view: all of their readers are told."""
    for at in generator.sample(range(1, len(rows)), len(rows) // 100 - 1):
        rows[at] = dict(rows[at], r=rows[at]["r"] + 1)
    rows[0] = dict(rows[0], n=0 if rows[0]["n"] else len(rows) * 2)
    return json.dumps(rows).encode()


def put(writer, body):
    head = f"PUT {LIST} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    sent = time.perf_counter()
    writer.socket.sendall(head.encode() + body)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += writer.socket.recv(1 << 16)
    length = int(re.search(rb"(?i)content-length: (\d+)", answer).group(1)) + answer.index(b"\r\n\r\n") + 4
    while len(answer) < length:
        answer += writer.socket.recv(1 << 16)
    return sent, time.perf_counter()


def changes(program, items, views=100, count=4000, under_way=16):
    """Changes of one item a second, of which each is in the view of one waiting reader, until all are told.

    A reader asks again as soon as it is answered. Changes that come while it is told of others are told together.
    """
    # Of the 64 versions that are kept by default, none would be older than some 50 ms.
    service = Service(program, 2000, HISTORY_VERSIONS_MAX=10_000)
    writers = [Connection(service.port) for _ in range(under_way)]
    rows = [{"id": f"item-{n}", "priority": n // views % 5, "title": f"{n % views:03} of {n}", "r": 0} for n in range(items)]
    assert writers[0].call("PUT", LIST, rows)[0] == 201
    since, told, answers = version(writers[0]), {}, 0
    readers = {}
    for number in range(views):
        reader = Connection(service.port)
        query = urllib.parse.urlencode([("where", "/priority:ge:3"), ("where", f"/title:prefix:{number:03}")])
        readers[reader.socket.fileno()] = reader, number, query
        reader.send("GET", f"{LIST}/delta?since={since}&wait=55&{query}", None, "")
    while service.metric("parked_requests") < views:
        time.sleep(0.02)
    # Those that are in a view.
    chosen = [n for n in range(items) if n // views % 5 >= 3]
    poll = select.epoll()
    for descriptor in readers:
        poll.register(descriptor, select.EPOLLIN)
    free = {writer.socket.fileno(): writer for writer in writers}
    by_descriptor, made, done, last = dict(free), 0, 0, {}
    for descriptor in free:
        poll.register(descriptor, select.EPOLLIN)
    used, start = processor(service), time.perf_counter()
    while done < count or any(told.get(view) != revision for view, revision in last.items()):
        while free and made < count:
            made += 1
            row = chosen[made * 7919 % len(chosen)]
            last[row % views] = made
            _, writer = free.popitem()
            body = json.dumps({"edits": [{"op": "merge", "id": f"item-{row}", "value": {"r": made}}]})
            writer.socket.sendall(f"PATCH {LIST} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {EDITS}\r\n"
                                  f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        for descriptor, _ in poll.poll():
            if descriptor in by_descriptor:
                status, body = by_descriptor[descriptor].receive()
                assert status == 200, body
                free[descriptor] = by_descriptor[descriptor]
                done += 1
                continue
            reader, number, query = readers[descriptor]
            answer = json.loads(reader.receive()[1])
            assert answer["kind"] == "delta", answer
            answers += 1
            told[number] = max([told.get(number, 0)] + [item["r"] for item in answer["items"].values()])
            reader.send("GET", f"{LIST}/delta?since={answer['to']}&wait=55&{query}", None, "")
    took = time.perf_counter() - start
    print(f"| {items:,} | {views} | {count / took:,.0f} | {answers / count:.2f} | {(processor(service) - used) / count * 1e3:.2f} |")
    service.kill()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--items", type=int, default=100_000)
    options = options.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (4000, 4000))
    service = Service(options.program, 2000)
    generator = random.Random(1)
    writer = Connection(service.port)
    rows = content(generator, options.items)
    status, body = writer.call("PUT", LIST, rows)
    assert status == 201, body
    readers = [Connection(service.port) for _ in range(max(COUNTS))]
    found = {count: [] for count in COUNTS}
    for _ in range(options.rounds):
        for count in COUNTS:
            since = version(writer)
            for number, reader in enumerate(readers[:count]):
                reader.send("GET", f"{LIST}/delta?since={since}&wait=55&{view(number, options.items)}", None, "")
            while service.metric("parked_requests") < count:
                time.sleep(0.02)
            body = change(generator, rows)
            used = processor(service)
            sent, written = put(writer, body)
            told = collect(readers[:count])[1] if count else written
            found[count].append((written - sent, told - sent, processor(service) - used))
    print("| views | PUT, ms | of none | told after PUT, ms | processor, ms | resident, MiB |\n|---:|---:|---:|---:|---:|---:|")
    none = statistics.median(p for p, _, _ in found[0])
    for count in COUNTS:
        puts, told, used = (statistics.median(values) * 1000 for values in zip(*found[count]))
        print(f"| {count} | {puts:.1f} | {puts / none / 1000:.2f} | {max(0, told - puts):.1f} | {used:.0f} | {service.resident():.0f} |")
    print("\n| a poll | ms |\n|---|---:|")
    for name, query in [
            ("window=at:50000:50 of a view that was not seen before", "where=/n:ge:7&window=at:50000:50"),
            ("another window of that view", "where=/n:ge:7&window=at:40000:50"),
            ("the same again, remembered", "where=/n:ge:7&window=at:40000:50"),
            ("the same window of no view of its own", "window=at:50000:50"), ("all, remembered by now", "")]:
        start = time.perf_counter()
        status, body = writer.call("GET", f"{LIST}?{query}")
        assert status == 200, body
        print(f"| {name} | {(time.perf_counter() - start) * 1000:.2f} |")
    service.kill()
    print("\n| items | views | changes a second | answers a change | processor, ms a change |\n|---:|---:|---:|---:|---:|")
    for items in (1000, options.items):
        changes(options.program, items)


if __name__ == "__main__":
    main()
