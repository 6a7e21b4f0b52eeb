"""How late the machine itself is: what a service that did nothing else would wait for.

Every 20 ms a thread wakes, writes 4 KiB and syncs them. What it waits beyond 20 ms is the scheduler
and the disk, which other processes keep busy too; the friend's latency has all of it twice at most,
once for the turn and the sync of its own write and once for one that was under way.
"""

import os
import threading
import time

INTERVAL_SECONDS = 0.02


class Witness:
    """Starts at once; the file it writes goes with the directory."""

    def __init__(self, directory):
        self.file = os.open(os.path.join(directory, "witness"), os.O_CREAT | os.O_WRONLY, 0o600)
        self.latencies = []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self._repeat, daemon=True)
        self.thread.start()

    def _repeat(self):
        due = time.monotonic()
        while not self.ended.wait(max(0, due - time.monotonic())):
            os.pwrite(self.file, b"w" * 4096, 0)
            os.fdatasync(self.file)
            now = time.monotonic()
            while due <= now:
                self.latencies.append(now - due)
                due += INTERVAL_SECONDS

    def take(self):
        """The latencies since the last call, in seconds."""
        taken, self.latencies = self.latencies, []
        return taken

    def end(self):
        """The latencies that were not taken yet."""
        self.ended.set()
        self.thread.join()
        os.close(self.file)
        return self.take()
