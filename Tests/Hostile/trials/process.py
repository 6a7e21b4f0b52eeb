"""The process itself: how it starts, starts again, and what it leaves on disk."""

import os
import subprocess
import stat

from service import Service
from trial import trial
from wire import Connection, path


@trial("restart after the worst settings", quick=4, full=4)
def restart(t):
    """A service with every number at its extreme serves on, and again after a restart."""
    own = Service(t.binary).wait_until_it_listens()
    again = None
    try:
        peer = Connection(own.address)
        limit = 9223372036854775807
        setting = {"retention": {"seconds": limit, "versions": limit, "bytes": limit},
                   "dataCountAnimationThreshold": limit, "deltaCountAnimationThreshold": limit}
        try:
            for n in range(3):
                peer.request("PUT", path("worst"), {"settings": setting, "items": [{"id": n}]})
                peer.request("PUT", path("plain"), [{"id": n}])
        except OSError:
            t.expect(False, f"{own.death(0.5) or 'no answer'}")
        own.process.kill()
        own.process.wait()
        again = Service(t.binary, data=own.data).wait_until_it_listens()
        peer = Connection(again.address)
        for name in ("plain", "worst"):
            status = peer.request("GET", path(name)).status
            t.expect(status in (200, 404), f"after the restart {name} got {status}")
            status = peer.request("PUT", path(name), [{"id": "after"}]).status
            t.expect(status in (200, 201), f"after the restart a PUT of {name} got {status}")
    except OSError:
        t.expect(False, f"after the restart: {again.death(0.5) if again else 'it does not start'}")
    finally:
        for service in (own, again):
            if service:
                service.end()


@trial("files that others read", quick=0.5, full=1)
def file_modes(t):
    """What is on disk is the service's own, whatever the umask."""
    t.put("secret", [{"id": 1}], statuses={201})
    for directory, _, files in os.walk(t.data):
        for name in [directory] + [os.path.join(directory, file) for file in files]:
            mode = stat.S_IMODE(os.stat(name).st_mode)
            t.expect(mode & 0o077 == 0, f"{os.path.relpath(name, t.data)} has mode {mode:o}")


@trial("header limits past 16 bits", quick=2, full=2)
def header_limits(t):
    """A limit that positions in a head cannot hold is refused at start, or holds."""
    own = Service(t.binary, environment={"LIVEDELTA_LIMITS_HEADER_BYTES_MAX": "131072"})
    try:
        own.wait_until_it_listens()
    except RuntimeError:
        t.expect(own.process.poll() not in (None, 0) and own.process.poll() > 0, f"it ended with {own.process.poll()}")
        own.end()
        return
    try:
        fields = {"X-A": "a" * 65_530, "Accept": "text/event-stream", "If-Match": '"x"', "X-B": "b" * 2000}
        for _ in range(5):
            answer = Connection(own.address, 3).request("PUT", path("wide"), [{"id": 1}], fields)
            t.expect(answer.status in (412, 404), f"If-Match past 64 KiB of fields got {answer.status}, not 412")
    except OSError:
        t.expect(False, own.death(0.5) or "fields past 64 KiB are not answered")
    finally:
        own.end()


@trial("back-ups beside writes", quick=2, full=20)
def backups(t):
    """Back-ups of the running service, one after the other, while its log grows."""
    text = "x" * 900_000
    turn = 0
    while t.is_running or turn == 0:
        file = os.path.join(os.path.dirname(t.data), f"copy{turn}.sqlite")
        copy = subprocess.Popen([t.binary, "backup", file, "--data", t.data], stdout=subprocess.DEVNULL)
        for n in range(t.n(3, 8)):
            t.put(f"backed{n}", [{"id": k, "n": turn, "t": text} for k in range(12)], statuses={200, 201, 503})
        t.expect(copy.wait(60) == 0, f"back-up {turn} ended with {copy.returncode}")
        os.remove(file)
        turn += 1
    t.note(f"{turn} back-ups")
