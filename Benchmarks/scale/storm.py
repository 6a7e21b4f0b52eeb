#!/usr/bin/env python3
"""All readers of a replica that has died come at once: what those notice who were there before.

    Benchmarks/scale/storm.py PROGRAM [--beside OTHER] [--readers 10000] [--rounds 3]

10,000 readers of as many collections connect at once to a process that 32 others poll, each every 20 ms: readers with a
version, who wait for the next, and readers without one, who want all of it; to a process that has their collections in
memory, and to one that has just started. The times are of the slowest of a hundred polls of the others. SQLite.
"""
import argparse, os, shutil, statistics, tempfile, time

from costs import settled, told
from crowd import Crowd, quantile
from service import Replica, body


def storm(program, count, kind, is_cold):
    folder = tempfile.mkdtemp(prefix="livedelta-storm-", dir="/var/tmp")
    replica = Replica(program, folder + "/data", DURABILITY="normal")
    try:
        tokens = [replica.put(n, body()) for n in range(count)]
        if is_cold:
            replica.stop()
            replica = Replica(program, folder + "/data", DURABILITY="normal")
        others = Crowd([(n, tokens[n], replica.address) for n in range(32)], "poll")
        time.sleep(1)
        others.mark()
        time.sleep(3)
        before = others.tell()["waits"]
        others.mark()
        used, begin = replica.processor(), time.monotonic()
        crowd = Crowd([(n, tokens[n] if kind == "wait" else None, replica.address) for n in range(count)], kind)
        if kind == "wait":
            settled([replica], crowd, count)
        else:
            told(crowd, count)
        seconds, used = time.monotonic() - begin, replica.processor() - used
        during = others.tell()["waits"]
        crowd.stop()
        others.stop()
        return seconds, used / count * 1e6, quantile(before, 0.99) * 1e3, quantile(during, 0.99) * 1e3, max(during) * 1e3
    finally:
        replica.stop()
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--beside", help="another build, measured by turns with PROGRAM")
    parser.add_argument("--readers", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    programs = [os.path.abspath(program) for program in (options.program, options.beside) if program]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; medians of {options.rounds} rounds\n\n"
          "| readers who come | their collections | build | all are served after, s | µs each | others, p99 before, ms "
          f"| p99 meanwhile, ms | slowest, ms |\n|---|---|---|{'---:|' * 5}")
    for kind, what in (("wait", "with a version, and wait"), ("snapshot", "without a version")):
        for is_cold in (False, True):
            rows = [[] for _ in programs]
            for _ in range(options.rounds):
                for program, row in zip(programs, rows):
                    row.append(storm(program, options.readers, kind, is_cold))
            for name, row in zip(("this", "the other"), rows):
                seconds, used, before, during, slowest = (statistics.median(column) for column in zip(*row))
                print(f"| {what} | {'in the store' if is_cold else 'in memory'} | {name} | {seconds:.2f} | {used:.0f} "
                      f"| {before:.1f} | {during:.1f} | {slowest:.0f} |", flush=True)


if __name__ == "__main__":
    main()
