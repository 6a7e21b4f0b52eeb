#!/usr/bin/env python3
"""Three replicas over one PostgreSQL with a standby, faults between them, and a judge of all that anybody is told; or hours without
faults, also of one process over a directory."""
import argparse
import json
import os
import shutil
import sys
import tempfile
import time

from cables import Cables, enter
from clients import BOTH, BROKEN, NAMES, PATH, Clients, Wakes
from database import BOUNCER, Pair
from faults import Faults
from feed import Follower, Receiver
from figures import Figures
from judge import Judge
from replica import Replica
from soak import Keys, Soak, Streamer, Views


class Auditor:
    """Writes through every replica until all are well, and compares what is kept with what was told."""

    def __init__(self, clients, readers):
        self.clients, self.readers, self.judge, self.number = clients, readers, clients.judge, 0

    def until_well(self, seconds=60):
        """Waits until each replica is ready and has acknowledged a write of each collection; returns how long."""
        start = time.monotonic()
        last = {}  # name -> what was told before the last write of it, and the version that gave
        for replica in self.clients.replicas:
            for name in NAMES + BOTH:
                while True:
                    with self.judge.lock:
                        told = dict(self.judge.known.get(name, {}))
                    if token := self.write(replica, name):
                        break
                    if time.monotonic() - start > seconds:
                        self.judge.fault(f"replica {replica.number} is not well after {seconds} s")
                        return seconds
                    self.clients.back_off()
                last[name] = told, token
        took = time.monotonic() - start
        if self.judge.lossy_until == float("inf"):
            # Every replica knows now what is left; answers that are on their way come within that time.
            self.judge.lossy_until = time.monotonic() + 1
        for name, (told, token) in last.items():
            self.audit(name, told, token)
        for reader in self.readers:
            reader.expect({name: token for name, (_, token) in last.items()})
        self.judge.settle_suspects()
        return took

    def write(self, replica, name):
        if not replica.is_ready():
            return None
        self.number += 1
        key = f"audit-{self.number}"
        items = [{"id": key}]
        try:
            if name in BOTH:
                writes = [{"collection": one, "put": {"items": items}} for one in BOTH]
                status, _, text = replica.request(
                    "POST", PATH + "batch", json.dumps({"atomic": True, "writes": writes}), {"Idempotency-Key": key})
                token = status == 200 and [
                    result["version"] for result in json.loads(text)["results"] if result["collection"] == name][0]
            else:
                status, _, text = replica.request(
                    "PUT", f"{PATH}collections/{name}", json.dumps({"items": items}), {"Idempotency-Key": key})
                token = status in (200, 201) and json.loads(text)["version"]
        except BROKEN:
            return None
        if status >= 400 and status != 503:
            self.judge.fault(f"audit of {name}: {status} {text[:300]}")
        if token:
            self.judge.receipt("audit", name, key, token, None, items)
        return token

    def audit(self, name, told, token):
        """Reads at the replica that has just acknowledged `token`, so that what it tells is no older."""
        try:
            status, _, text = self.clients.replicas[-1].request("GET", f"{PATH}collections/{name}/versions")
        except BROKEN as error:
            return self.judge.fault(f"versions of {name}: {error!r}")
        if status != 200:
            return self.judge.fault(f"versions of {name}: {status} {text[:200]}")
        kept = [version["version"] for version in json.loads(text)["versions"]][::-1]
        self.judge.audit(name, token, kept)
        self.judge.settle(name, told, kept)


def order(kinds, count, random):
    """Each kind once in a random order, then any."""
    names = sorted(kinds)
    random.shuffle(names)
    return (names + [random.choice(names) for _ in range(count)])[:count]


def inject(options, pair, clients, readers, figures, judge):
    faults, auditor = Faults(pair, clients), Auditor(clients, readers)
    kinds, missing = faults.kinds()
    for name, reason in missing.items():
        print(f"left out: {name}, {reason}")
    if options.before:
        clients.mayCut = True
        figures.begin("upgraded")
        faults.upgrade()
        clients.mayCut = False
        figures.end(auditor.until_well())
        print("upgraded", flush=True)
    if options.only:
        kinds = {name: kind for name, kind in kinds.items() if options.only in name}
    auditor.until_well()
    figures.until(20, "acknowledged")
    end = time.monotonic() + (options.minutes or float("inf")) * 60
    count = 1000 * options.minutes if options.minutes else options.faults or len(kinds)
    for number, name in enumerate(order(kinds, count, clients.random), 1):
        if time.monotonic() > end:
            break
        figures.begin(name)
        kinds[name]()
        took = auditor.until_well()
        figures.end(took)
        print(f"{number}: {name}, well again after {took:.2f} s", flush=True)
        if judge.faults:
            return
        figures.until(clients.random.randrange(20, 60), "acknowledged")
    auditor.until_well()


def soak(options, pair, clients, readers, figures, judge, keys, directory):
    auditor = Auditor(clients, readers)
    auditor.until_well()
    Soak(pair, clients, auditor, figures, judge, keys, readers[1], directory).run(options.soak, options.picture)
    auditor.until_well()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--old", help="an older release of the program")
    parser.add_argument("--before", help="the program that all replicas are of at first, and are upgraded from")
    parser.add_argument("--faults", type=int, default=200, help="how many; 0: one of each kind")
    parser.add_argument("--minutes", type=int, help="as many faults as there are in so many minutes")
    parser.add_argument("--only", help="only the kinds with this in their names")
    parser.add_argument("--soak", type=int, help="no faults: so many minutes at a part of what the cluster can do, with "
                        "views, keys that are exchanged and replicas that are restarted")
    parser.add_argument("--directory", action="store_true", help="the soak is of one process over a directory")
    parser.add_argument("--rest", type=float, default=0.1, help="what each client of the soak waits between two requests, in seconds; "
                        "with 0 it shows what the cluster can do")
    parser.add_argument("--picture", help="the soak's curves, as SVG")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    isInside = not options.directory and enter()
    print(f"seed {options.seed}", flush=True)
    directory = tempfile.mkdtemp(prefix="livedelta-cluster-", dir="/tmp")
    os.chmod(directory, 0o755)
    figures = Figures()
    judge = Judge(figures.count)
    pair, replicas, cables, isFine = None, [], [], False
    try:
        pair = None if options.directory else Pair(directory)
        programs = [os.path.abspath(program) for program in (options.binary, options.old) if program]
        options.before = options.before and os.path.abspath(options.before)

        def mayReset():
            # An older program may have a feed of its own, and a server that was promoted another order.
            return len(programs) > 1 or figures.kind == "upgraded" or "promoted" in figures.kind

        keys = Keys(directory) if options.soak else None
        receiver = Receiver(directory, judge, figures, mayReset)
        if options.directory:
            replicas.append(Replica(programs, 0, directory, f"{directory}/data", receiver=receiver, keys=keys))
        for number in range(3 if pair else 0):
            cables.append(Cables(number) if isInside else None)
            replicas.append(Replica.of(pair, programs, number, bool(BOUNCER) and number == 2, cables[-1], options.before, receiver, keys))
        clients = Clients(replicas, judge, figures, options.seed, *((options.rest, Views(judge)) if options.soak else ()))
        Wakes(clients)
        readers = [Follower(clients, mayReset), receiver] + [Streamer(name, clients) for name in NAMES if options.soak]
        clients.start()
        try:
            if options.soak:
                soak(options, pair, clients, readers, figures, judge, keys, directory)
            else:
                inject(options, pair, clients, readers, figures, judge)
        finally:
            clients.stop()
        judge.settle_suspects()
        if not options.soak:
            print(figures.report())
            print(f"versions pushed: {len(receiver.pushed)}")
        print(f"versions lost by asynchronous failovers, each told as a reset or to nobody: {len(judge.lost)}")
        for fault in judge.faults:
            print("WRONG", fault)
        isFine = not judge.faults
    finally:
        for replica in replicas:
            replica.kill()
        if pair:
            pair.remove()
        for one in cables:
            if one:
                one.remove()
        if isFine:
            shutil.rmtree(directory, ignore_errors=True)
        else:
            print("logs are in", directory)
    sys.exit(0 if isFine else 1)


if __name__ == "__main__":
    main()
