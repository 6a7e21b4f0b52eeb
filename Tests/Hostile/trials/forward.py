"""Forward-auth: readers whom a backend knows, beside callers with made-up cookies."""

import hashlib
import multiprocessing
import re
import select
import socket
import time

from backend import Backend
from service import Service
from trial import trial
from wire import Connection, message, path

BATCH = 500
FLOOD_CONNECTIONS = 1200
KEY = hashlib.sha256(b"operator").hexdigest()


def session(number):
    """A session that the backend knows, beside a cookie that says nothing."""
    return {"Cookie": f"theme=t{time.monotonic_ns()}; session=good{number}"}


class Guarded:
    """A service that asks a backend about callers, and its readers."""

    def __init__(self, t, count):
        self.trial, self.backend = t, Backend()
        settings = {
            "AUTH_FORWARD_URL": f"http://127.0.0.1:{self.backend.port}/may", "AUTH_FORWARD_COOKIES": "session",
            "AUTH_KEYS": f"operator sha256:{KEY} admin", "LOG_ACCESS": "off", "LIMITS_PARKED_MAX": "20000",
            "LIMITS_CONNECTIONS_MAX": "15000", "LIMITS_CONNECTIONS_PER_ADDRESS_MAX": "15000",
        }  # fmt: skip
        environment = {f"LIVEDELTA_{name}": value for name, value in settings.items()}
        self.service = Service(t.binary, environment=environment).wait_until_it_listens()
        self.writer = Connection(self.service.address, 15)
        self.turn, self.count = 0, count
        self.version = self.put()
        self.peers = []

    def put(self):
        """Writes a change; new each time."""
        self.turn += 1
        answer = self.writer.request("PUT", path("guarded"), [{"id": self.turn}], session("writer"))
        self.trial.expect(answer.status in (200, 201), f"PUT got {answer.status}")
        return answer.version

    def statistics(self):
        """Numbers of the metrics, by name and labels."""
        operations = Connection(self.service.operations)
        text = operations.request("GET", "/metrics", headers={"Authorization": "Bearer operator"}).body.decode()
        operations.close()
        return {name: float(value) for name, value in re.findall(r"^livedelta_(\S+) (\S+)$", text, re.MULTILINE)}

    def shown(self):
        """What tells why readers do not wait."""
        names = ("forward", "parked", "connections", "requests_total")
        return {name: value for name, value in self.statistics().items() if value and name.startswith(names)}

    def park(self, base):
        """Lets all readers wait, no faster than the backend can be asked about them."""
        target = path("guarded", tail=f"/delta?since={self.version}&wait=55")
        for start in range(0, self.count, BATCH):
            for number in range(start, min(start + BATCH, self.count)):
                if number == len(self.peers):
                    self.peers.append(Connection(self.service.address, 60))
                self.peers[number].send(message("GET", target, headers=session(number)))
            self.wait_until(lambda: self.statistics()["parked_requests"] - base >= min(start + BATCH, self.count))
        time.sleep(5.5)  # From then on the backend is asked about all of them again.

    def wait_until(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"what is waited for does not come: {self.shown()}"
            time.sleep(0.05)

    def tell(self):
        """Writes, and reads all answers; their statuses, and the seconds until the last."""
        start, statuses = time.monotonic(), {}
        self.version = self.put()
        poll, left = select.epoll(), {peer.socket.fileno(): peer for peer in self.peers}
        for number in left:
            poll.register(number, select.EPOLLIN)
        while left and time.monotonic() - start < 60:
            for number, _ in poll.poll(0.5):
                status = left.pop(number).response().status
                poll.unregister(number)
                statuses[status] = statuses.get(status, 0) + 1
        poll.close()
        return statuses, time.monotonic() - start

    def end(self):
        for peer in self.peers:
            peer.close()
        self.service.end()
        self.backend.end()


def flood(address, count):
    """Requests with made-up cookies from another address, each connection one after the other, without end."""
    poll, connections = select.epoll(), {}
    for number in range(count):
        peer = socket.socket()
        peer.bind(("127.0.0.2", 0))
        peer.connect(address)
        poll.register(peer, select.EPOLLIN)
        connections[peer.fileno()] = peer
    number = 0
    for peer in connections.values():
        number += 1
        peer.sendall(message("GET", path("guarded"), headers={"Cookie": f"session=bad{number}"}))
    while True:
        for descriptor, _ in poll.poll():
            number += 1
            connections[descriptor].recv(1 << 16)
            connections[descriptor].sendall(
                message("GET", path("guarded"), headers={"Cookie": f"session=bad{number}"})
            )


@trial("forward-auth beside made-up cookies", quick=1, full=1, limit=180)
def made_up_cookies(t):
    """Each waiting reader is told of a change, and newcomers come in, as if nobody else were there."""
    guarded = Guarded(t, t.n(1000, 10_000))
    try:
        streams = open_streams(guarded)
        guarded.park(len(streams))
        alone, alone_seconds = guarded.tell()
        guarded.park(len(streams))
        attacker = multiprocessing.Process(target=flood, args=(guarded.service.address, FLOOD_CONNECTIONS), daemon=True)
        attacker.start()
        guarded.wait_until(lambda: guarded.statistics()['forward_questions{state="waiting"}'] > 100)
        newcomers = [newcomer(guarded, f"new{k}") for k in range(50)]
        beside, beside_seconds = guarded.tell()
        attacker.kill()
        told = guarded.statistics()
        for statuses in (alone, beside):
            t.expect(statuses == {200: guarded.count}, f"of {guarded.count} readers: {statuses}")
        t.expect(newcomers.count(200) == 50, f"newcomers got {sorted(set(newcomers))}")
        t.expect(all(has_both(stream) for stream in streams), "a stream has missed a change, or ended")
        t.expect(told["forward_unverified_streams_total"] == 0, "streams ended unverified")
        t.note(f"{guarded.count} told after {alone_seconds:.1f} s, {beside_seconds:.1f} s beside the flood")
        t.note(f"{told['forward_refusals_total']:.0f} of the flood refused")
    finally:
        guarded.end()


def newcomer(guarded, name):
    """The status of a session's first request."""
    connection = Connection(guarded.service.address, 15)
    try:
        return connection.request("GET", path("guarded"), headers=session(name)).status
    finally:
        connection.close()


def open_streams(guarded):
    """Five streams of good sessions."""
    streams = [Connection(guarded.service.address, 10) for _ in range(5)]
    for number, stream in enumerate(streams):
        fields = {"Accept": "text/event-stream", **session(f"stream{number}")}
        stream.send(message("GET", path("guarded", tail="/delta"), headers=fields))
    guarded.wait_until(lambda: guarded.statistics()["streams"] == len(streams))
    return streams


def has_both(stream):
    """Whether a stream told both changes and did not end."""
    stream.socket.setblocking(False)
    text = b""
    try:
        while data := stream.socket.recv(1 << 16):
            text += data
    except BlockingIOError:
        return text.count(b"event: delta") == 2 and b"event: end" not in text
    return False
