"""The long test of the running service, in `full` on a real disk; see scripts/soak-service.

Writers of every kind put the time into what they write; readers of every kind apply deltas and take
the time to tell from it. At the end all of a reader's content is what was written.
"""

import argparse
import os
import sys
import time

from service import Service, raise_descriptors
from soak_readers import Readers
from soak_writers import Writers
from witness import Witness

# A figure of the last minute may be a quarter more than that of the second. Below these, differences
# are the machine's: other processes on two cores, a disk that syncs for others too. So is twice what
# the machine itself was late in the last minute.
FACTOR_MAX = 1.25
NOISE = {"p50": 0.003, "p99": 0.05, "RSS": 16 << 20, "files": 64 << 20}
VERBS = ["PUT", "PATCH", "batch", "sync", "delete"]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


def files_bytes(directory):
    return sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(directory) for f in files)


class Minute:
    """The figures of one minute, by name; names end with the kind of noise that they have."""

    def __init__(self, service, told, latencies, machine):
        self.machine = {kind: percentile(machine, share) for kind, share in (("p50", 0.5), ("p99", 0.99))}
        self.counts = {verb: len(latencies.get(verb, [])) for verb in VERBS}
        self.figures = {}
        for name, values in [("told", told)] + [(verb, latencies.get(verb, [])) for verb in VERBS]:
            self.figures[f"{name} p50"] = percentile(values, 0.5)
            self.figures[f"{name} p99"] = percentile(values, 0.99)
        self.told_count = len(told)
        self.figures["RSS"] = service.resident_bytes()
        self.figures["files"] = files_bytes(service.data)

    def row(self, number):
        pairs = [f"{self.figures[f'{n} p50'] * 1000:.1f}/{self.figures[f'{n} p99'] * 1000:.1f}" for n in ["told"] + VERBS]
        sizes = [f"{self.figures[n] / (1 << 20):.0f}" for n in ("RSS", "files")]
        pairs.append(f"{self.machine['p50'] * 1000:.1f}/{self.machine['p99'] * 1000:.1f}")
        return "| " + " | ".join([str(number), str(self.told_count), str(sum(self.counts.values()))] + pairs + sizes) + " |"

    def worse_than(self, other):
        """What of this minute is more than a quarter over the other's, noise aside."""
        for name, value in self.figures.items():
            before, kind = other.figures[name], name.split()[-1]
            noise = NOISE[kind] + 2 * self.machine.get(kind, 0)
            if value > max(before * FACTOR_MAX, before + noise):
                yield f"{name} was {before:.4g} in the second minute and is {value:.4g} in the last"


def run(service, seconds):
    """Prints a row a minute; returns the minutes and the faults."""
    readers, writers = Readers(service.address), Writers(service.address)
    print("| minute | told | requests | " + " | ".join(f"{n} p50/p99, ms" for n in ["to tell"] + VERBS + ["machine"]) + " | RSS, MiB | files, MiB |")
    print("|" + "---|" * (len(VERBS) + 7), flush=True)
    witness = Witness(service.directory)
    minutes, end = [], time.monotonic() + seconds
    while time.monotonic() < end and service.death() is None:
        service.death(min(60, max(0, end - time.monotonic())))
        minutes.append(Minute(service, readers.take(), writers.take(), witness.take()))
        print(minutes[-1].row(len(minutes)), flush=True)
    faults = writers.end()
    faults += readers.end(writers.content()) if service.death() is None else [service.death()]
    return minutes, faults


def main():
    parser = argparse.ArgumentParser(prog="scripts/soak-service", description=__doc__)
    parser.add_argument("seconds", nargs="?", type=int, default=1200)
    parser.add_argument("--binary", required=True)
    options = parser.parse_args()
    raise_descriptors()
    service = Service(options.binary).wait_until_it_listens()
    try:
        minutes, faults = run(service, options.seconds)
    finally:
        service.end()
    if len(minutes) > 2:
        faults += minutes[-1].worse_than(minutes[1])
    for fault in faults[:20]:
        print(fault)
    told = sum(minute.told_count for minute in minutes)
    requests = sum(sum(minute.counts.values()) for minute in minutes)
    print(f"{len(minutes)} minutes, {requests} requests, {told} times told: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
