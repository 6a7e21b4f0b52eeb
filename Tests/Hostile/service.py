"""A service process of its own with 1 GiB of memory, and what is measured of it."""

import os
import resource
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from serving import C, Serving

MEMORY_BYTES_MAX = 1 << 30
PR_SET_PDEATHSIG = 1
CGROUPS = (
    # directory of groups, file of the limit, file of the limit with swap, its value
    ("/sys/fs/cgroup", "memory.max", "memory.swap.max", "0"),
    ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.memsw.limit_in_bytes", str(MEMORY_BYTES_MAX)),
)


class MemoryGroup:
    """A cgroup with `MEMORY_BYTES_MAX`, where this machine lets us make one.

    Where it does not, only the watch of resident memory holds the bound: `ulimit -v` would count
    the address space that glibc and Swift reserve and never touch (0.45 GiB in an idle service,
    64 MiB more for each thread that allocates).
    """

    def __init__(self):
        self.directory = next(filter(None, map(self._make, CGROUPS)), None)

    def _make(self, kind):
        parent, limit, swap_limit, swap = kind
        directory = os.path.join(parent, f"livedelta-{os.getpid()}-{time.monotonic_ns()}")
        try:
            if not os.path.exists(os.path.join(parent, "cgroup.procs")):
                return None
            os.mkdir(directory)
            self._write(directory, limit, str(MEMORY_BYTES_MAX))
        except OSError:
            if os.path.isdir(directory):
                os.rmdir(directory)
            return None
        try:
            self._write(directory, swap_limit, swap)
        except OSError:
            pass  # A machine without swap accounting.
        return directory

    def _write(self, directory, name, text):
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)

    def take(self, process_id):
        if self.directory:
            self._write(self.directory, "cgroup.procs", str(process_id))

    def remove(self):
        """Removes the group, whose process has been waited for; waits for its threads to leave it."""
        if not self.directory:
            return
        try:
            with open(os.path.join(self.directory, "cgroup.events")) as events:
                poll = select.poll()
                poll.register(events, select.POLLPRI)
                while "populated 1" in events.read() and poll.poll(1000):
                    events.seek(0)
        except OSError:
            pass  # The first version of cgroups has no events: its processes leave before they are waited for.
        os.rmdir(self.directory)


def raise_descriptors():
    """Raises this process's descriptor limit as far as it may go, and returns it."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


class Service(Serving):
    """A running service with 1 GiB. Its settings are the defaults but for what `environment` names."""

    def __init__(self, binary, data=None, environment=None, descriptors=None):
        self.directory = tempfile.mkdtemp(prefix="livedelta-hostile-")
        self.data = data or os.path.join(self.directory, "data")
        self.group = MemoryGroup()

        def prepare():
            C.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # It never outlasts the script.
            self.group.take(os.getpid())
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, descriptors)

        super().__init__(
            binary, self.data, os.path.join(self.directory, "log"), environment=environment, prepare=prepare)
        self.peak_bytes = 0
        self._is_watched = True
        threading.Thread(target=self._watch, daemon=True).start()

    def said(self):
        return self.last_words()

    def resident_bytes(self):
        try:
            with open(f"/proc/{self.process.pid}/statm") as file:
                return int(file.read().split()[1]) * resource.getpagesize()
        except (OSError, IndexError):
            return 0

    def _watch(self):
        """Ends the service as soon as it passes its memory."""
        while self._is_watched and self.process.poll() is None:
            self.peak_bytes = max(self.peak_bytes, self.resident_bytes())
            if self.peak_bytes > MEMORY_BYTES_MAX:
                self.process.kill()
            self.death(0.05)

    def death(self, seconds=0):
        """How the service ended, within these seconds, or None while it runs."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        if code == -signal.SIGKILL:
            return "out of 1 GiB of memory"
        return f"the service ended with {signal.Signals(-code).name if code < 0 else f'status {code}'}"

    def last_words(self):
        """The last line of its log that is not of the access log."""
        with open(self.log.name, "rb") as file:
            file.seek(max(0, os.path.getsize(self.log.name) - 65536))
            lines = [line for line in file.read().split(b"\n") if line and not line.startswith(b'{"')]
        return lines[-1][:200].decode("utf-8", "replace") if lines else "nothing in its log"

    def end(self):
        """Kills it, and removes its directory."""
        self._is_watched = False
        self.kill()
        self.group.remove()
        shutil.rmtree(self.directory, ignore_errors=True)
