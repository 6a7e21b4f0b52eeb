"""The soak: hours of readers, views, streams, webhooks and writers at a service, at a part of what it can; keys are exchanged and
replicas, if there are several, restarted by turns meanwhile, but for the first one, which shows what grows in hours."""
import hashlib
import json
import os
import re
import secrets
import signal
import threading
import time

from clients import BROKEN, NAMES, PATH
from content import Content, WrongDelta
from feed import Told
from witness import Witness

SCOPE = "write:u/** changes admin"
VIEW = "where=/by:exists"


def in_view(items):
    return [item for item in items if "by" in item]


class Keys:
    """The keys file of all replicas, with one key at a time, and two while they are exchanged."""

    def __init__(self, directory):
        self.path, self.kept, self.secret = f"{directory}/keys", [], None
        self.add()

    def add(self):
        self.secret = "ld_" + secrets.token_urlsafe(24)
        digest = hashlib.sha256(self.secret.encode()).hexdigest()
        self.kept = [*self.kept, f"soak{int(time.time())} sha256:{digest} {SCOPE}"]
        self.write()

    def drop(self):
        """Only the newest stays."""
        self.kept = self.kept[-1:]
        self.write()

    def write(self):
        with open(self.path + ".new", "w") as file:
            file.write("\n".join(self.kept) + "\n")
        os.replace(self.path + ".new", self.path)


class Views:
    """What readers of a view were told, to be compared with the view of what was written."""

    def __init__(self, judge):
        self.judge, self.told, self.count = judge, [], 0

    def reader(self, clients):
        def read(number, choice):
            name, token, held = NAMES[number % len(NAMES)], None, None
            where = f"reader {number} of a view"
            while not clients.ended.is_set():
                query = f"since={token or ''}&dialect=splice&wait=2&{VIEW}"
                answer = clients.ask(choice, where, "GET", f"{PATH}collections/{name}/delta?{query}")
                if answer and answer["kind"] == "unchanged":
                    token = answer["version"]  # a newer version of the same view, perhaps
                    if held:
                        held.version = token
                elif answer:
                    held = self.take(where, held, answer)
                    token = held.version if held else None
                clients.rest()
        return read

    def take(self, where, held, answer):
        held = held or Content()
        # What has left the view is gone from what is held of it.
        answer = {**answer, "deleted": answer.get("deleted", []) + answer.get("left", [])}
        try:
            held.take(answer)
        except (WrongDelta, LookupError, ValueError) as error:
            self.judge.fault(f"{where}: {error!r}")
            return None
        self.told.append((where, held.version, held.all_items()))
        return held

    def settle(self):
        """Compares what was told with the versions whose content is known by now."""
        told, self.told = self.told, []
        for where, token, items in told:
            written = self.judge.contents.get(token)
            if written is not None:
                self.count += 1
                if in_view(written) != items:
                    self.judge.fault(f"{where}: {token} is {items}, written was {in_view(written)}")


class Streamer(Told):
    """Holds one collection by its stream of events, from one replica after the other."""

    def __init__(self, name, clients):
        super().__init__(f"a stream of {name}", clients.judge, clients.figures, lambda: False)
        self.name, self.clients = name, clients
        clients.threads.append(threading.Thread(target=clients.run, args=(self.read,), kwargs={"number": 0}, daemon=True))

    def read(self, number, choice):
        token, held = None, None
        while not self.clients.ended.is_set():
            path = f"{PATH}collections/{self.name}/delta?dialect=splice&missing=wait&ping=5&since={token or ''}"
            try:
                for _, kind, data in choice.choice(self.clients.replicas).events(path, None):
                    if kind in ("snapshot", "delta"):
                        token, held = self.judge.answer(self.who, self.name, token, held, json.loads(data))
                        if not token:
                            break  # and from the beginning, after a fault
                        self.take({"name": self.name, "version": token})
                    if self.clients.ended.is_set():
                        break
            except BROKEN:
                self.clients.back_off()

    def expect(self, tokens, seconds=60):
        super().expect({self.name: tokens[self.name]}, seconds)


# What may grow from the second third to the last is a quarter, or this: of one process over a directory twice what the machine
# was late itself comes in addition, and of replicas, whose times follow what else the machine does, no more than this.
NOISE = {"MB": 16, "collections": 4000, "answers": 200, "descriptors": 20}
NOISE_OF_DIRECTORY = {**NOISE, "files": 64, "p50": 3, "p99": 50, "write p50": 3, "write p99": 50}
NOISE_OF_REPLICAS = {**NOISE, "files": 8, "p99": 200}


class Soak:
    def __init__(self, pair, clients, auditor, figures, judge, keys, receiver, directory):
        self.pair, self.clients, self.auditor, self.figures, self.judge = pair, clients, auditor, figures, judge
        self.keys, self.views, self.receiver, self.rows, self.used = keys, clients.views, receiver, [], 0.0
        self.directory, self.witness = directory, Witness(directory)

    def run(self, minutes, picture):
        """Runs so long, or until SIGTERM; the picture is drawn again each minute."""
        print("| minute | acknowledged | after, ms: median, p99 | told after, ms: median, p99 | the machine late, ms: p99 "
              "| MB of each replica | kB of collections and of answers, the first | % of a core | its descriptors "
              "| MB of files, or of tables but the feed | pushed | deltas, of views | resets | load |\n|" + "---:|" * 14, flush=True)
        stopped = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
        begin = time.monotonic()
        for minute in range(1, minutes + 1):
            if minute % 5 == 0 and len(self.clients.replicas) > 1:
                self.restart(self.clients.replicas[1 + minute // 5 % (len(self.clients.replicas) - 1)])
            if minute % 7 == 0:
                self.exchange()
            stopped.wait(max(0, begin + minute * 60 - time.monotonic()))
            if stopped.is_set():
                break
            self.auditor.until_well()
            self.views.settle()
            self.judge.forget()
            self.receiver.pushed.clear()
            self.row(minute)
            if picture:
                draw(self.rows, picture)
            if self.judge.faults:
                return
        if len(self.rows) > 4:
            self.compare()
        written, told = (sum(row[name] for row in self.rows) for name in ("acknowledged", "deltas"))
        print(f"{len(self.rows)} minutes: {written:,} writes acknowledged, {told:,} deltas and {self.views.count:,} views judged, "
              f"{len(self.judge.faults)} wrong")

    def restart(self, replica):
        """As a deployment does: it drains, ends, and another one comes."""
        replica.end()
        replica.start()

    def exchange(self):
        """Another key is added, used once all replicas know it, and the one before is withdrawn."""
        self.keys.add()
        for replica in self.clients.replicas:
            while replica.request("GET", PATH + "collections/a/versions", key=self.keys.secret)[0] == 401:
                self.clients.back_off()
        for replica in self.clients.replicas:
            replica.key = self.keys.secret
        self.clients.ended.wait(5)  # whoever waits with the one before has been answered by then
        self.keys.drop()

    def row(self, minute):
        with self.figures.changed:
            waits, self.figures.wakes["none"] = sorted(self.figures.wakes["none"]), []
            writes, self.figures.writes = sorted(self.figures.writes), []
            counts, self.figures.counts["none"] = self.figures.counts["none"], type(self.figures.counts["none"])()
        sizes = [self.size(replica.service.process.pid) for replica in self.clients.replicas]
        late = sorted(self.witness.take())
        collections, answers = self.memory(self.clients.replicas[0])
        used, self.used = sizes[0][2] - self.used, sizes[0][2]
        row = {"minute": minute, "acknowledged": counts["acknowledged"], "MB": sizes[0][0], "collections": collections, "answers": answers,
               "core": used / 60 * 100, "descriptors": sizes[0][1], "files": self.stored() / 1e6, "deltas": counts["deltas"]}
        for name, seconds in (("", waits), ("write ", writes), ("late ", late)):
            row.update({f"{name}p50": quantile(seconds, 0.5) * 1e3, f"{name}p99": quantile(seconds, 0.99) * 1e3})
        self.rows.append(row)
        resets = sum(counts[name] for name in counts if name.startswith("reset: "))
        resident = ", ".join(f"{size[0]:.0f}" for size in sizes)
        print(f"| {minute} | {row['acknowledged']:,} | {row['write p50']:.0f}, {row['write p99']:.0f} | {row['p50']:.0f}, {row['p99']:.0f} "
              f"| {row['late p99']:.0f} | {resident} | {collections:,.0f}, {answers:,.0f} | {row['core']:.1f} "
              f"| {row['descriptors']} | {row['files']:.1f} | {counts['pushed']:,} | {counts['deltas']:,}, {self.views.count:,} | {resets} "
              f"| {os.getloadavg()[0]:.1f} |", flush=True)

    def stored(self):
        """The bytes of the tables but the feed, or of the directory's files."""
        if self.pair:
            return int(self.pair.now.sql(
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'livedelta'::regnamespace AND relkind = 'r' AND relname <> 'feed'", "livedelta"))
        return sum(file.stat().st_size for file in os.scandir(f"{self.directory}/data") if file.is_file())

    def memory(self, replica):
        """The kilobytes that a replica counts itself: collections with their histories and receipts, and kept answers."""
        text = replica.request("GET", "/metrics", port=replica.operations)[2].decode()
        return [int(re.search(rf'^livedelta_memory_bytes{{owner="{owner}"}} (\d+)', text, re.M).group(1)) / 1e3 for owner in ("collections", "answers")]

    def size(self, pid):
        """The megabytes, the descriptors and the seconds of processor time of a process."""
        with open(f"/proc/{pid}/status") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        with open(f"/proc/{pid}/stat") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return resident / 1024, len(os.listdir(f"/proc/{pid}/fd")), (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def compare(self):
        """The last third against the second: what has grown by more than a quarter, and is not noise, is a fault."""
        third = len(self.rows) // 3
        middle, last = self.rows[third:2 * third], self.rows[-third:]
        for name, noise in (NOISE_OF_REPLICAS if self.pair else NOISE_OF_DIRECTORY).items():
            before, after = (sum(row[name] for row in rows) / third for rows in (middle, last))
            late = 0 if self.pair or not name.split()[-1].startswith("p") else 2 * sum(row["late " + name.split()[-1]] for row in last) / third
            if after > max(before * 1.25, before + noise + late):
                self.judge.fault(f"{name} grew from {before:.1f} to {after:.1f}")


def quantile(ordered, share):
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else float("nan")


def draw(rows, name):
    """The curves, each over its own greatest value, as a picture."""
    width, height, curves = 720, 90, (("MB", "MB of the replica that stays"), ("collections", "kB of its collections"),
                                      ("answers", "kB of its kept answers"),
                                      ("descriptors", "its descriptors"),
                                      ("core", "its share of a core, %"), ("p50", "told elsewhere after, median, ms"),
                                      ("p99", "told elsewhere after, p99, ms"), ("files", "MB of tables but the feed"),
                                      ("acknowledged", "writes a minute"))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height * len(curves)}" font-family="sans-serif" font-size="12">',
             "<style>text{fill:#57606a}polyline{fill:none;stroke:#0969da;stroke-width:1.5}line{stroke:#d0d7de}"
             "@media(prefers-color-scheme:dark){text{fill:#8d96a0}polyline{stroke:#4493f8}line{stroke:#3d444d}}</style>"]
    for number, (key, title) in enumerate(curves):
        values, top = [row[key] for row in rows], height * number + 20
        most = max(values) or 1
        points = " ".join(f"{10 + (width - 20) * at / max(1, len(values) - 1):.1f},{top + 60 - 55 * value / most:.1f}"
                          for at, value in enumerate(values))
        parts.append(f'<text x="10" y="{top - 6}">{title}: at most {most:,.0f}</text><line x1="10" x2="{width - 10}" '
                     f'y1="{top + 60}" y2="{top + 60}"/><polyline points="{points}"/>')
    with open(name, "w") as file:
        file.write("\n".join(parts) + "\n</svg>\n")
