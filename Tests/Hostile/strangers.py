"""What processes that have nothing to do with a trial take of the processors meanwhile."""

import os
import resource
import time

TICKS = os.sysconf("SC_CLK_TCK")


class Strangers:
    """Counts from when it is made. Ours are this process, its children that have ended, and the service."""

    def __init__(self, service):
        self.service = service
        self.start = (time.monotonic(), self._seconds())

    def _seconds(self):
        return busy_seconds() - sum(
            usage.ru_utime + usage.ru_stime
            for usage in (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        ) - seconds_of(self.service)

    def share(self):
        """Of all processors, from 0 to 1. A service that has died counts as a stranger."""
        elapsed = time.monotonic() - self.start[0]
        used = self._seconds() - self.start[1]
        return min(1, max(0, used / (elapsed * os.cpu_count()))) if elapsed else 0


def busy_seconds():
    """The time that all processors have worked since the machine started, at any priority."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, interrupts, soft_interrupts, *_ = map(int, file.readline().split()[1:])
    return (user + nice + system + interrupts + soft_interrupts) / TICKS


def seconds_of(pid):
    """The time that a process has worked; 0 once it is no more."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / TICKS
