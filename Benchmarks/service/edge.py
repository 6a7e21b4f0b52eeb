#!/usr/bin/env python3
"""What a cache takes off the service, and whether its readers are told all and in time: against a release build of livedelta.

    Benchmarks/service/run edge [readers] [seconds]

Readers of 20 public collections, four of five by long polls and the others by a question a second, behind the caches of
deploy/edge, one write to each collection a second. Each reader applies what it is told to what it holds, and each list is
compared with what was written. Standard library only; caches that are not installed are left out.
"""
import collections, heapq, json, multiprocessing, os, re, resource, select, shutil, socket, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "..", "feed"), os.path.join(HERE, "..", "..", "Tests", "Serving")]
from feed import Connection, Service  # noqa: E402
from edges import Edge, Tap, installed, replaced  # noqa: E402

COLLECTIONS, ITEMS, WAIT, PROCESSES = 20, 50, 25, 2
# What is asked for in every scene: questions to the service for each version of a collection, its part of the processor
# time without a cache, and the seconds until all are told.
QUESTIONS_MAX, PROCESSOR_MAX, SECONDS_MAX = 3, 0.1, 1.2
SLOWED = 0.3
RECONNECT = 0.3  # readers whose connection was lost come again within so many seconds
NGINX_LOCK = 0.5  # how often nginx looks whether what another had asked for is there


def place(number):
    return f"/v1/clients/public/collections/c{number}"


class Reader:
    """A reader of one collection. What it holds is found by its version, for all of its process: applied once, checked once."""

    __slots__ = ("number", "polls", "version", "seq", "socket", "buffer", "asked", "asks", "repeats")

    def __init__(self, number, polls):
        self.number, self.polls = number, polls
        self.version, self.seq, self.socket, self.buffer, self.asked, self.asks, self.repeats = None, 0, None, b"", 0.0, False, 0


class Crowd:
    """The readers of one process."""

    def __init__(self, target, numbers, until):
        self.target, self.until = target, until
        self.readers = [Reader(number % COLLECTIONS, number // COLLECTIONS % 5 == 4) for number in numbers]
        self.lists, self.known = {}, {}
        self.told = collections.defaultdict(lambda: [0, 0.0, 0.0])
        self.epoll, self.by_number, self.due = select.epoll(), {}, []
        self.counts = collections.Counter()
        self.circles = 0

    def run(self):
        for order, reader in enumerate(self.readers):
            heapq.heappush(self.due, (time.monotonic() + order / len(self.readers) * 2, order, reader))
        while (now := time.monotonic()) < self.until:
            while self.due and self.due[0][0] <= now:
                self.ask(heapq.heappop(self.due)[2])
            pause = min(self.due[0][0] if self.due else self.until, self.until) - now
            for number, _ in self.epoll.poll(max(pause, 0), 1024):
                if number in self.by_number:
                    self.receive(self.by_number[number])
        return self

    def later(self, reader, seconds):
        heapq.heappush(self.due, (time.monotonic() + seconds, id(reader), reader))

    def ask(self, reader):
        reader.asks = True
        try:
            if reader.socket is None:
                reader.socket = socket.socket(socket.AF_UNIX if isinstance(self.target, str) else socket.AF_INET)
                reader.socket.connect(self.target)
                reader.socket.setblocking(False)
                self.by_number[reader.socket.fileno()] = reader
                self.epoll.register(reader.socket.fileno(), select.EPOLLIN)
            wait = "" if reader.polls else f"&wait={WAIT}"
            query = f"/delta?dialect=splice&since={reader.version}{wait}" if reader.version else ""
            reader.socket.send(f"GET {place(reader.number)}{query} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n".encode())
            reader.asked = time.monotonic()
        except OSError:
            self.lose(reader)

    def lose(self, reader):
        self.counts["lost"] += 1
        if reader.socket:
            self.by_number.pop(reader.socket.fileno(), None)
            reader.socket.close()
        reader.socket, reader.buffer = None, b""
        # One that is between two questions asks the next one when it is time.
        if reader.asks:
            reader.asks = False
            self.later(reader, 0.05 + (id(reader) >> 4) % 100 / 400)

    def receive(self, reader):
        try:
            data = reader.socket.recv(1 << 18)
        except BlockingIOError:
            return  # the event was for a socket that is closed by now
        except OSError:
            data = b""
        if not data:
            return self.lose(reader)
        reader.buffer += data
        head, separator, body = reader.buffer.partition(b"\r\n\r\n")
        if not separator:
            return
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        if length:
            if len(body) < int(length.group(1)):
                return
        elif not body.endswith(b"0\r\n\r\n"):
            return
        else:
            body = chunks(body)
        reader.buffer, reader.asks = b"", False
        self.answered(reader, int(head[9:12]), body)

    def answered(self, reader, status, body):
        now = time.monotonic()
        if status != 200:
            self.counts[f"status {status}"] += 1
            return self.later(reader, 0.5)
        version, seq, kind = self.state(reader, body)
        self.counts[kind] += 1
        if version == reader.version:
            # Nothing new: at once, it is a circle.
            reader.repeats = reader.repeats + 1 if now - reader.asked < 0.1 and not reader.polls else 0
            self.circles = max(self.circles, reader.repeats)
        else:
            reader.repeats = 0
            if reader.version:
                for number in range(reader.seq + 1, seq + 1):
                    told = self.told[reader.number, number]
                    told[0] += 1
                    told[1 + reader.polls] = max(told[1 + reader.polls], now)
            if seq < reader.seq:
                self.counts["backwards"] += 1
            reader.version, reader.seq = version, seq
        if reader.polls:
            self.later(reader, max(0, reader.asked + 1 - now))
        else:
            self.ask(reader)

    def state(self, reader, body):
        """The version, its number and the kind of an answer to a reader."""
        key = (reader.version, body)
        if key in self.known:
            return self.known[key]
        answer = json.loads(body)
        kind, version = answer["kind"], answer.get("to") or answer["version"]
        if kind == "snapshot":
            self.hold(version, [(item["id"], item["n"]) for section in answer["sections"] for item in section["items"]])
        elif kind == "delta":
            assert answer["from"] == reader.version, f"a delta from {answer['from']} for {reader.version}"
            held = dict(self.lists[reader.version])
            rows = [i for i, _ in self.lists[reader.version] if i not in set(answer["removed"])]
            for _, index, added in answer["added"]:
                rows.insert(index, added)
            items = answer["items"]
            self.hold(version, [(i, items[i]["n"] if i in items else held[i]) for i in rows])
        else:
            assert kind == "unchanged" and version == reader.version, f"{kind} {version} for {reader.version}"
        if len(self.known) > 20_000:
            self.known.clear()
        self.known[key] = found = (version, answer["seq"], kind)
        return found

    def hold(self, version, rows):
        assert self.lists.setdefault(version, rows) == rows, f"two lists are {version}"


def chunks(body):
    """The content of a chunked body."""
    content = b""
    while True:
        size, _, body = body.partition(b"\r\n")
        if int(size, 16) == 0:
            return content
        content, body = content + body[:int(size, 16)], body[int(size, 16) + 2:]


def crowd(target, numbers, until, pipe):
    try:
        found = Crowd(target, numbers, until).run()
        pipe.send((dict(found.told), found.lists, found.counts, found.circles))
    except AssertionError as error:
        pipe.send(str(error))


class Scene:
    """A service, layers of caches, a crowd and a writer."""

    def __init__(self, program, layers, readers, seconds, change=lambda text: text):
        self.folder = tempfile.mkdtemp(prefix="livedelta-edge-")
        os.chmod(self.folder, 0o755)
        self.readers, self.seconds = readers, seconds
        limits = dict.fromkeys(("LIMITS_CONNECTIONS_MAX", "LIMITS_PARKED_MAX", "LIMITS_CONNECTIONS_PER_ADDRESS_MAX"), readers + 1000)
        self.service = Service(program, **limits, LOG_ACCESS="off")
        self.tap = Tap(os.path.join(self.folder, "tap"), ("127.0.0.1", self.service.port))
        self.edges, upstream = [], self.tap.path
        for number, kind in enumerate(layers):
            self.edges.append(Edge(kind, self.folder, upstream, f"edge{number}", change))
            upstream = self.edges[-1].socket
        self.target = upstream if layers else ("127.0.0.1", self.service.port)
        self.written = {}
        # What happens to the caches makes it later by no more than it must.
        self.seconds_max = SECONDS_MAX

    def write(self, connection, number, revision):
        rows = [{"id": f"i{n}", "n": 0} for n in range(ITEMS)]
        rows[revision % ITEMS]["n"] = revision
        moved = rows.pop(revision * 7 % ITEMS)
        rows.insert(revision * 3 % ITEMS, moved)
        if revision % 3:
            rows.pop()
        sent = time.monotonic()
        body = rows if revision else {"items": rows, "settings": {"audience": "public"}}
        status, text = connection.call("PUT", place(number), body)
        assert status in (200, 201), text
        answer = json.loads(text)
        self.written[number, answer["seq"]] = (sent, answer["version"], [(row["id"], row["n"]) for row in rows])

    def run(self, meanwhile):
        writer = Connection(self.service.port)
        for number in range(COLLECTIONS):
            self.write(writer, number, 0)
        start = time.monotonic()
        until = start + 8 + self.seconds + 4
        pipes = []
        for part in range(PROCESSES):
            near, far = multiprocessing.Pipe()
            share = [n for n in range(self.readers) if n // (5 * COLLECTIONS) % PROCESSES == part]
            multiprocessing.Process(target=crowd, args=(self.target, share, until, far), daemon=True).start()
            pipes.append(near)
        # All have come, and ask for what is new.
        time.sleep(8)
        asked, used, begun = len(self.tap.requests), processor(self.service), time.monotonic()
        threading.Thread(target=meanwhile, args=(self,), daemon=True).start()
        for second in range(1, self.seconds + 1):
            for number in range(COLLECTIONS):
                pause = begun + second + number / COLLECTIONS - time.monotonic()
                time.sleep(max(pause, 0))
                self.write(writer, number, second)
        used = (processor(self.service) - used) / self.seconds
        questions = collections.Counter(
            re.match(r"[^?]*/(c\d+)/delta.*since=([^&]+)", target).groups()
            for at, target in self.tap.requests[asked:] if "/delta?" in target)
        return self.judge([pipe.recv() for pipe in pipes], questions, used)

    def judge(self, found, questions, used):
        told, counts = collections.defaultdict(lambda: [0, 0.0, 0.0]), collections.Counter()
        checked = 0
        assert all(isinstance(part, tuple) for part in found), [part for part in found if isinstance(part, str)]
        for parts, lists, part_counts, _ in found:
            counts += part_counts
            for key, (count, poll, question) in parts.items():
                told[key] = [told[key][0] + count, max(told[key][1], poll), max(told[key][2], question)]
            rows = {version: rows for _, version, rows in self.written.values()}
            for version, held in lists.items():
                assert held == rows[version], f"{version} is not what was written"
                checked += 1
        late = [[], []]
        for key, (sent, _, _) in self.written.items():
            if key[1] == 1:
                continue
            for kind in (0, 1):
                late[kind].append(told[key][1 + kind] - sent)
            expected = sum(n % COLLECTIONS == key[0] for n in range(self.readers))
            assert told[key][0] == expected, f"{told[key][0]} of {expected} were told of {key}"
        per_version = [questions[f"c{number}", version] for (number, seq), (_, version, _) in self.written.items()
                       if 1 < seq <= self.seconds]
        return {
            "lists": checked, "told": [max(times) for times in late],
            "median": sorted(late[0])[len(late[0]) // 2], "questions": max(per_version),
            "mean": sum(per_version) / len(per_version), "used": used, "counts": dict(counts),
            "circle": max(circle for *_, circle in found)}

    def end(self):
        for edge in self.edges:
            edge.stop()
        self.tap.stop()
        self.service.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def processor(service):
    """Seconds of processor time that the service has taken."""
    with open(f"/proc/{service.process.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def quiet(scene):
    del scene


def restarted(scene):
    time.sleep(scene.seconds / 2)
    # Whoever asks it asks again once it is back.
    scene.seconds_max += scene.edges[-1].restart() + RECONNECT


def purged(scene):
    if any(edge.kind == "nginx" for edge in scene.edges):
        scene.seconds_max += NGINX_LOCK  # an answer that was there is asked for once more, and waited for as the first
    for _ in range(3):
        time.sleep(scene.seconds / 4)
        for edge in scene.edges:
            edge.purge()


def slowed(scene):
    scene.tap.delay = SLOWED
    scene.seconds_max += SLOWED


def stale(text):
    """The rules of Varnish, but it keeps whatever is public for a minute."""
    return replaced(text, "    # Its ages are the service's, stale-while-revalidate too, which Varnish calls grace.\n",
                    "    set beresp.ttl = 60s;\n")


def main(program, readers=5000, seconds=20):
    resource.setrlimit(resource.RLIMIT_NOFILE, (readers * 2 + 2000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    kinds = installed()
    scenes = [("no cache", [], quiet, None)]
    for kind in kinds:
        scenes += [(kind, [kind], quiet, None), (f"{kind}, restarted", [kind], restarted, None),
                   (f"{kind}, purged", [kind], purged, None), (f"{kind}, slowed by {SLOWED} s", [kind], slowed, None)]
    if len(kinds) == 2:
        scenes += [("varnish over nginx", ["nginx", "varnish"], quiet, None), ("nginx over varnish", ["varnish", "nginx"], quiet, None)]
    if "varnish" in kinds:
        scenes += [("varnish, a minute old", ["varnish"], quiet, stale)]
    wanted = sys.argv[4:]
    failures, alone = [], None
    print(f"{readers} readers of {COLLECTIONS} collections, a write a second to each, {seconds} s; load {os.getloadavg()[0]:.1f}")
    print("| | questions a version, mean and most | all waits told after, s | all polls | at most | service, ms a second | lists checked |")
    print("|---|---|---|---|---|---|---|")
    for name, layers, meanwhile, change in scenes:
        if wanted and not any(word in name for word in wanted) and name != "no cache":
            continue
        scene = Scene(program, layers, readers, seconds, *([change] if change else []))
        try:
            found = scene.run(meanwhile)
        except AssertionError as error:
            failures.append(f"{name}: {error}")
            continue
        finally:
            scene.end()
        alone = alone or found["used"]
        print(f"| {name} | {found['mean']:.2f}, {found['questions']} | {found['told'][0]:.2f} (median {found['median']:.2f}) "
              f"| {found['told'][1]:.2f} | {f'{scene.seconds_max:.2f}' if layers else '–'} "
              f"| {found['used'] * 1000:.0f} ({found['used'] / alone:.1%}) | {found['lists']} |", flush=True)
        print(f"  {found['counts']}, longest circle {found['circle']}", file=sys.stderr, flush=True)
        if found["circle"] > 9:
            failures.append(f"{name}: {found['circle']} answers in a circle")
        if layers:
            limits = [("questions", found["questions"], QUESTIONS_MAX), ("processor", found["used"] / alone, PROCESSOR_MAX),
                      ("seconds", max(found["told"]), scene.seconds_max)]
            failures += [f"{name}: {what} {value:.2f}, more than {most}" for what, value, most in limits if value > most]
    for failure in failures:
        print(f"✘ {failure}")
    for kind in {"nginx", "varnish"} - set(kinds):
        print(f"{kind}: left out, it is not installed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *(int(text) for text in sys.argv[2:4])))
