"""Runs the hostile trials, each beside a friend and against a service of its own; see `scripts/test hostile --help`."""

import argparse
import multiprocessing
import os
import random
import sys
import time
from collections import namedtuple

import trials  # noqa: F401  registers them
from friend import Friend
from service import Service, raise_descriptors
from strangers import Strangers
from trial import TRIALS, Trial
from witness import Witness

# The friend's p99 may be ten times its quiet value and what the machine itself was late meanwhile. A
# quiet value below this counts as this: on two cores the scheduler takes a few milliseconds now and then.
# Where others keep all processors busy, what trial and service want of them takes them up to four times as long.
QUIET_SECONDS_MIN = 0.005
FACTOR_MAX = 10
BUSY_FACTOR_MAX = 4
SECONDS_MAX = (60, 120)
QUIET_COUNT = 15

Outcome = namedtuple("Outcome", "faults notes details latency peak")


def p99(latencies):
    ordered = sorted(latencies)
    return ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)] if ordered else 0.0


def by_kind(latencies):
    """The p99 of each kind of request."""
    kinds = sorted({kind for _, kind in latencies})
    return ", ".join(f"{kind} {p99(s for s, k in latencies if k == kind) * 1000:.0f}" for kind in kinds)


class Runner:
    """All trials, one after the other; the service of the next is started while one runs."""

    def __init__(self, options):
        self.options = options
        self.quiet = []
        self.passed = self.failed = 0
        self.next = None

    def run(self, chosen):
        print("| trial | outcome | friend p99 quiet, under, machine, ms | peak RSS, MiB | seconds |")
        print("|---|---|---|---|---|", flush=True)
        for index, function in enumerate(chosen):
            self.row(function, chosen[index + 1] if index + 1 < len(chosen) else None)
        print(f"{self.passed} passed, {self.failed} failed")

    def row(self, function, following):
        start = time.monotonic()
        outcome = self.attempt(function, following)
        self.passed, self.failed = self.passed + (not outcome.faults), self.failed + bool(outcome.faults)
        told = "; ".join((["FAILED: " + "; ".join(outcome.faults[:3])] if outcome.faults else ["passed"]) + outcome.notes)
        cells = [function.trial, told.replace("|", "/"), outcome.latency, outcome.peak, f"{time.monotonic() - start:.1f}"]
        print("| " + " | ".join(cells) + " |", *outcome.details, sep="\n    ", flush=True)

    def attempt(self, function, following):
        service = self.next or Service(self.options.binary, environment=function.environment)
        self.next = Service(self.options.binary, environment=following.environment) if following else None
        try:
            return self.beside_a_friend(function, service.wait_until_it_listens())
        finally:
            service.end()

    def beside_a_friend(self, function, service):
        friend = Friend(service.address)
        self.listen_quietly(friend, service)
        witness, strangers = Witness(service.directory), Strangers(service.process.pid)
        faults, notes, details = self.attack(function, service)
        under, friend_faults = friend.end()
        machine_p99, busy = p99(witness.end()), strangers.share()
        quiet_p99, under_p99 = sorted(self.quiet)[len(self.quiet) // 2], p99(seconds for seconds, _ in under)
        factor = FACTOR_MAX * (1 + (BUSY_FACTOR_MAX - 1) * busy)
        limit = factor * max(quiet_p99, QUIET_SECONDS_MIN) + 2 * machine_p99
        faults = self.faults(service, faults, friend_faults)
        if under_p99 > limit and not service.death():
            late = f"the friend's p99 is {under_p99 * 1000:.0f} ms, over {limit * 1000:.0f} ms ({by_kind(under)}); others used {busy:.0%} of the processors"
            # The short form has some 200 requests of the friend in a trial: its p99 is the second worst of them, which one
            # pause of the machine decides. It is told there, and judged by the whole.
            if self.options.quick:
                notes = notes + [late]
            else:
                faults.append(late)
        if busy >= 0.1:
            notes = notes + [f"others used {busy:.0%} of the processors"]
        latency = " ".join(f"{seconds * 1000:.1f}" for seconds in (quiet_p99, under_p99, machine_p99))
        return Outcome(faults, notes, details, latency, str(service.peak_bytes >> 20))

    def listen_quietly(self, friend, service):
        """Measures the friend alone. The value is the median of those before the last few trials."""
        service.death((0.2 if self.quiet else 1) if self.options.quick else 2)
        taken, _ = friend.mark()
        self.quiet = (self.quiet + [p99(seconds for seconds, _ in taken)])[-QUIET_COUNT:]

    def faults(self, service, faults, friend_faults):
        """Everything wrong with a trial; the end of the service explains all else."""
        if death := service.death():
            return [death]
        return faults + [f"the friend: {text}" for text in friend_faults[:2]]

    def attack(self, function, service):
        """Runs the trial in a process of its own, at the lowest priority, and bounds its time."""
        here, there = multiprocessing.Pipe()
        seconds = function.seconds[0 if self.options.quick else 1]
        limit = function.limit or SECONDS_MAX[0 if self.options.quick else 1]
        attacker = Trial(service, self.options.binary, self.options.quick, seconds, self.options.seed)
        process = multiprocessing.Process(target=_attack, args=(function, attacker, there))
        process.start()
        there.close()
        given = self.wait(here, service, limit)
        process.kill()
        process.join()
        return given or ([f"the trial did not end within {limit} s"], [], [])

    def wait(self, pipe, service, limit):
        end = time.monotonic() + limit
        while time.monotonic() < end and service.process.poll() is None:
            if pipe.poll(0.05):
                try:
                    return pipe.recv()
                except EOFError:
                    return ["the trial itself ended early"], [], []
        return None


def _attack(function, attacker, pipe):
    os.nice(function.niceness)
    random.seed(attacker.seed)
    try:
        function(attacker)
    except AssertionError as error:
        attacker.expect(False, str(error))
    except Exception as error:
        attacker.expect(False, f"{type(error).__name__}: {error} at line {error.__traceback__.tb_next.tb_lineno}")
    pipe.send((attacker.faults, attacker.notes, attacker.details))
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(prog="scripts/test hostile", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller figures, two minutes in all; the friend's latency is told and not judged")
    parser.add_argument("--only", action="append", help="trials whose name has this; may be repeated")
    parser.add_argument("--list", action="store_true", help="print the names of the trials, and end")
    parser.add_argument("--binary", required=True)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    chosen = [t for t in TRIALS if not options.only or any(word in t.trial for word in options.only)]
    if options.list:
        print("\n".join(t.trial for t in chosen))
        return 0
    if not chosen:
        parser.error("no trial has such a name; --list prints them")
    descriptors = raise_descriptors()
    print(f"seed {options.seed}, {descriptors} descriptors, {len(chosen)} trials")
    runner = Runner(options)
    try:
        runner.run(chosen)
    finally:
        if runner.next:
            runner.next.end()
    return 1 if runner.failed else 0


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    sys.exit(main())
