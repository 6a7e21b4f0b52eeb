#!/usr/bin/env python3
"""All readers of a replica that has died come at once: what those notice who were there before.

    Benchmarks/scale/storm.py PROGRAM [--beside OTHER] [--readers 10000] [--rounds 3] [--only wait|snapshot]

10,000 readers of as many collections connect at once to a process that 32 others poll, each every 20 ms: readers with a
version, who wait for the next, and readers without one, who want all of it; to a process that has their collections in
memory, and to one that has just started. The times are of the slowest of a hundred polls of the others: before, while the
readers come to another process on the same machine, which is what they take of it, and while they come to theirs. SQLite.
"""
import argparse, concurrent.futures, os, shutil, statistics, tempfile, time

from costs import settled, told
from crowd import Crowd, quantile
from service import Replica, body


class Target:
    """A process with as many collections as readers are to come, in memory, or in the store alone."""

    def __init__(self, program, count, is_cold):
        self.folder = tempfile.mkdtemp(prefix="livedelta-storm-", dir="/var/tmp")
        self.replica = Replica(program, self.folder + "/data", DURABILITY="normal")
        self.tokens = [self.replica.put(n, body()) for n in range(count)]
        if is_cold:
            self.replica.stop()
            self.replica = Replica(program, self.folder + "/data", DURABILITY="normal")

    def readers(self, has_version=True, count=None):
        return [(n, token if has_version else None, self.replica.address) for n, token in enumerate(self.tokens[:count])]

    def remove(self):
        self.replica.stop()
        shutil.rmtree(self.folder)


def storm(program, count, kind, is_cold):
    """What others at a process notice of readers who come to another one, and of readers who come to it."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        targets = list(pool.map(lambda _: Target(program, count, is_cold), range(2)))
    target, other = targets
    others = None
    try:
        others = Crowd(target.readers(count=32), "poll")
        time.sleep(1)
        others.mark()
        time.sleep(3)
        before = others.tell()["waits"]
        elsewhere, _, _ = come(others, other, kind)
        time.sleep(1)  # the readers' process ends
        during, seconds, used = come(others, target, kind)
        return seconds, used / count * 1e6, *(quantile(waits, 0.99) * 1e3 for waits in (before, elsewhere, during)), max(during) * 1e3
    finally:
        if others:
            others.stop()
        for one in targets:
            one.remove()


def come(others, target, kind):
    """Has all come, and waits until they are served; returns what the others waited meanwhile, how long it took and cost."""
    others.mark()
    used, begin = target.replica.processor(), time.monotonic()
    readers = target.readers(has_version=kind == "wait")
    crowd = Crowd(readers, kind)
    if kind == "wait":
        # A scrape of so many connections would be noticed too: the others are asked before the first one.
        while crowd.tell()["left"]:
            time.sleep(0.05)
        time.sleep(1)
        waits = others.tell()["waits"]
        settled([target.replica], crowd, len(readers))
    else:
        told(crowd, len(readers))
        waits = others.tell()["waits"]
    seconds, used = time.monotonic() - begin, target.replica.processor() - used
    crowd.stop()
    return waits, seconds, used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--beside", help="another build, measured by turns with PROGRAM")
    parser.add_argument("--readers", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("wait", "snapshot"), help="readers with a version, or without one")
    options = parser.parse_args()
    programs = [os.path.abspath(program) for program in (options.program, options.beside) if program]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; medians of {options.rounds} rounds\n\n"
          "| readers who come | their collections | build | all are served after, s | µs each | others, p99 before, ms "
          f"| while they come to another process | while they come here | slowest, ms |\n|---|---|---|{'---:|' * 6}")
    for kind, what in (("wait", "with a version, and wait"), ("snapshot", "without a version")):
        for is_cold in (False, True) if options.only in (None, kind) else ():
            rows = [[] for _ in programs]
            for _ in range(options.rounds):
                for program, row in zip(programs, rows):
                    row.append(storm(program, options.readers, kind, is_cold))
            for name, row in zip(("this", "the other"), rows):
                seconds, used, before, elsewhere, during, slowest = (statistics.median(column) for column in zip(*row))
                print(f"| {what} | {'in the store' if is_cold else 'in memory'} | {name} | {seconds:.2f} | {used:.0f} "
                      f"| {before:.1f} | {elsewhere:.1f} | {during:.1f} | {slowest:.0f} |", flush=True)


if __name__ == "__main__":
    main()
