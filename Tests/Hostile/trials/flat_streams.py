"""Thousands of streams and thousands of writes: what one write costs stays what it was.

Each write waits until the last stream was told of the one before. The streams are read by a process
of its own, so that the writer's clock does not wait for them.
"""

import multiprocessing
import os
import select
import time

from service import MEMORY_BYTES_MAX
from trial import trial
from wire import Connection, message, path

HUNDRED = 100
TOLD_SECONDS_MAX = 20
# What scheduling alone may add on two busy cores.
NOISE_SECONDS, NOISE_BYTES, NOISE_FACTOR = 0.01, 16 << 20, 1.5


class Listeners:
    """Streams of one collection; opened again when the service rotates them."""

    def __init__(self, address, target, count):
        self.address = address
        self.request = message("GET", target, headers={"Accept": "text/event-stream"})
        self.poll = select.epoll()
        self.open = {}
        for _ in range(count):
            self.add()

    def add(self):
        peer = Connection(self.address)
        peer.send(self.request)
        peer.socket.setblocking(False)
        self.open[peer.socket.fileno()] = [peer, b""]
        self.poll.register(peer.socket, select.EPOLLIN)

    def wait(self, seq):
        """When the last stream has this version or a newer one; None if some have not in time."""
        mark, left = b'"seq":%d,' % seq, set(self.open)
        end = time.monotonic() + TOLD_SECONDS_MAX
        while left:
            if time.monotonic() > end:
                return None
            for number, _ in self.poll.poll(0.1):
                self.read(number, mark, left)
        return time.monotonic()

    def read(self, number, mark, left):
        entry = self.open[number]
        try:
            data = entry[0].socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.again(number, left)
            return
        entry[1] = text = entry[1][-64:] + data
        if b"event: end\n" in text:
            self.again(number, left)
        elif mark in text:
            left.discard(number)

    def again(self, number, left):
        self.poll.unregister(number)
        self.open.pop(number)[0].close()
        left.discard(number)
        self.add()
        left.add(next(reversed(self.open)))


def listen(address, target, count, pipe):
    try:
        listeners = Listeners(address, target, count)
        pipe.send("open")
        while (seq := pipe.recv()) is not None:
            pipe.send(listeners.wait(seq))
    except (EOFError, OSError):
        pass  # The trial or its service has ended.
    os._exit(0)


def median(values):
    return sorted(values)[len(values) // 2]


def resident_bytes(process_id):
    with open(f"/proc/{process_id}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def write(peer, n, name="flat"):
    """When the write began, the seconds it took, and the version's number."""
    start = time.monotonic()
    answer = peer.request("PUT", path(name), [{"id": "a", "n": n}, {"id": "b"}])
    return start, time.monotonic() - start, answer.json()["seq"]


@trial("streams and writes, flat", quick=20, full=3600, limit=3600, niceness=0, environment={
    "LIVEDELTA_LIMITS_CONNECTIONS_MAX": "10100", "LIVEDELTA_LIMITS_CONNECTIONS_PER_ADDRESS_MAX": "10100",
    "LIVEDELTA_LIMITS_PARKED_MAX": "10100"})
def flat(t):
    """The time to tell the last stream, the latency of PUT and memory, per hundred writes."""
    count = int(os.environ.get("LIVEDELTA_STREAMS", t.n(500, 10_000)))
    writes = int(os.environ.get("LIVEDELTA_WRITES", t.n(300, 10_000)))
    writer = Connection(t.address)
    write(writer, 0)
    here, there = multiprocessing.Pipe()
    target = path("flat", tail="/delta")
    reader = multiprocessing.Process(target=listen, args=(t.address, target, count, there), daemon=True)
    reader.start()
    there.close()
    here.recv()
    rows = []
    for first in range(0, writes, HUNDRED):
        row = hundred(t, here, writer, 1 + first)
        if row is None or not t.is_running and not t.is_quick:
            t.expect(False, f"{first} to {first + HUNDRED} of {writes} writes: not all of {count} streams were told in time")
            break
        rows.append(row)
        t.detail("writes {}–{}: told p50 {:.1f} ms, max {:.1f} ms; PUT p50 {:.1f} ms, {:.1f} ms without streams; RSS {:.0f} MiB".format(
            first + 1, first + HUNDRED, *(seconds * 1000 for seconds in row[:4]), row[4] / (1 << 20)))
        if not t.is_running:  # how many a machine does in the time of the short form is not judged
            t.note(f"{first + HUNDRED} of {writes} writes")
            break
    here.send(None)
    compare(t, rows, count)


def hundred(t, reader, writer, first):
    """Told p50 and max, PUT p50 with streams and without, resident bytes; None if somebody was not told.

    Before each write a collection that nobody listens to is written, to compare with.
    """
    told, latencies, alone = [], [], []
    for n in range(first, first + HUNDRED):
        try:
            alone.append(write(writer, n, "alone")[1])
            reader.send(n + 1)
            start, latency, seq = write(writer, n)
        except TimeoutError:
            raise AssertionError(f"write {n} is not answered within 10 s")
        assert seq == n + 1, f"write {n} has seq {seq}"
        when = reader.recv()
        if when is None:
            return None
        told.append(when - start)
        latencies.append(latency)
    return median(told), max(told), median(latencies), median(alone), resident_bytes(t.process_id)


def compare(t, rows, count):
    """Holds the last hundred writes against the second hundred, and PUT against PUT without streams."""
    if len(rows) < 2:
        return
    (told, _, _, _, size), (last_told, _, latency, alone, last_size) = rows[1], rows[-1]
    t.note(f"{count} streams told within {told * 1000:.1f}, {last_told * 1000:.1f} ms; PUT {latency * 1000:.1f} ms, {alone * 1000:.1f} ms without")
    t.expect(last_told < told * NOISE_FACTOR + NOISE_SECONDS, "the time to tell grows with the writes")
    t.expect(last_size < size * NOISE_FACTOR + NOISE_BYTES < MEMORY_BYTES_MAX, "memory grows with the writes")
    t.expect(latency < alone * NOISE_FACTOR + NOISE_SECONDS, "PUT is slower beside the streams")
