#!/usr/bin/env python3
"""Millions of readers on paper: a discrete-event model of replicas, a database and caches, with measured unit costs.

    Benchmarks/scale/simulate.py [--readers 1000000,10000000] [--only NAME]
    Benchmarks/scale/simulate.py --against PROGRAM [--readers 1000,10000,100000]   # the model beside real processes

The costs are those of costs.json, made by `costs.py`, each with a spread (lognormal, a sigma of 0.5). A replica has one
core and 50,000 readers, a core of a machine as the one that was measured. Whatever takes processor time queues for the
cores of its machine; nothing else takes time, but for the time that a connection takes to come.
"""
import argparse, heapq, json, math, os, random, shutil, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
CORE_DOLLARS, GIGABYTE_DOLLARS = 25, 3  # a month, about the list prices of the large clouds
READERS_OF_A_REPLICA = 50_000
WATCHED_MAX = 10_000  # of all real replicas together: each confirms each of its collections once a second
WAIT = 52.25  # seconds that a question waits: 55, which the service shortens by up to a tenth
CACHE_READERS = 200_000  # what one cache holds in connections; it has four cores


class Machine:
    """Cores that do what comes, first come, first served."""

    def __init__(self, cores, world):
        self.cores, self.world, self.busy, self.worst = [0.0] * cores, world, 0.0, 0.0

    def is_busy(self, now):
        return self.cores[0] > now

    def take(self, now, microseconds):
        """When work that comes now is done."""
        seconds = microseconds * 1e-6 * self.world.spread()
        free = heapq.heappop(self.cores)
        end = max(now, free) + seconds
        heapq.heappush(self.cores, end)
        self.busy += seconds
        self.worst = max(self.worst, end - now)
        return end


class World:
    """One deployment and what happens to it, from one seed."""

    def __init__(self, costs, readers, collections, replicas, by_client=True, caches=0, rate=1 / 60, database_cores=4, seed=1,
                 seconds=10, machine=None):
        self.costs, self.readers, self.collections, self.by_client, self.caches = costs, readers, collections, by_client, caches
        self.random, self.rate, self.seconds, self.now = random.Random(seed), rate, seconds, 0.0
        self.replicas = [machine or Machine(1, self) for _ in range(replicas)]
        self.database = machine or Machine(database_cores, self)
        self.shared_machine, self.events, self.order, self.delays, self.others = machine, [], 0, [], []
        self.grain = max(1, readers // 1_000_000)  # of readers who come, one stands for so many
        self.is_dead, self.used = set(), {"replicas": 0.0, "database": 0.0}
        self.database_back = 0.0
        # Readers of a collection at each replica that has some.
        self.each = readers / collections
        self.readers_of_a_replica = (caches * collections if caches else readers) / replicas
        self.places = 1 if by_client else min(replicas, max(1, round(replicas * (1 - (1 - 1 / replicas) ** self.each))))

    def spread(self):
        return math.exp(self.random.gauss(-0.125, 0.5))  # a mean of one

    def at(self, when, what, *arguments):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, what, arguments))

    def work(self, who, number, microseconds, then=None, *arguments):
        """What comes now queues for a machine; `then` happens when it is done, and so `now` is never late."""
        machine, when = (self.database, max(self.now, self.database_back)) if who == "database" else (self.replicas[number], self.now)
        self.used[who] += microseconds * 1e-6
        end = machine.take(when, microseconds)
        if then:
            self.at(end, then, *arguments)
        return end

    def run(self):
        step = 1 / (self.collections * self.rate)
        self.at(self.random.expovariate(1 / step), self.write, step)
        for number in range(len(self.replicas)):
            self.at(self.random.random(), self.second, number)
        while self.events and self.events[0][0] < self.seconds:
            self.now, _, what, arguments = heapq.heappop(self.events)
            what(*arguments)
        return self

    # What happens

    def alive(self, number):
        while number in self.is_dead:
            number = (number + 1) % len(self.replicas)
        return number

    def write(self, step):
        self.at(self.now + self.random.expovariate(1 / step), self.write, step)
        self.change(self.now, self.random.randrange(self.collections))

    def change(self, written, collection):
        home = self.alive(collection % len(self.replicas))
        # What comes alone is committed and read alone; what comes meanwhile goes together, and costs less.
        write, read = ("write", "readByOther") if self.database.is_busy(self.now) else ("loneWrite", "loneReadByOther")
        self.work("replicas", home, self.costs[write], self.commit, home, write, read, written)

    def commit(self, home, write, read, written):
        self.work("database", 0, self.costs[write + "Database"], self.committed, home, read, written)

    def committed(self, home, read, written):
        if self.caches:  # one question of each cache for each version
            return self.tell(home, self.caches, written)
        share = self.each / self.places
        self.tell(home, share, written)
        for place in range(1, self.places):  # each replica that has readers reads the change once
            number = self.alive((home + place * 7) % len(self.replicas))
            self.work("database", 0, self.costs[read + "Database"], self.read, number, read, share, written)

    def read(self, number, read, share, written):
        self.work("replicas", number, self.costs[read], self.tell, number, share, written)

    def tell(self, number, count, written):
        whole = int(count) + (self.random.random() < count - int(count))
        for _ in range(min(whole, 4)):  # of many, four stand for all
            end = self.work("replicas", number, self.costs["told"] * max(1, whole / 4))
            self.delays.append(end - written)

    def second(self, number):
        """What each replica does once a second: it confirms what its readers watch, and some have waited for long."""
        self.at(self.now + 1, self.second, number)
        costs, watched = self.costs, self.collections * (1 if self.caches else self.places) / len(self.replicas)
        self.work("replicas", number, costs["idle"] + costs["waiting"] * self.readers_of_a_replica)
        for _ in range(100):  # not all at once
            self.at(self.now + self.random.random(), self.renew, number)
        self.work("database", 0, costs["idleDatabase"])
        self.confirm(number, watched)

    def renew(self, number):
        """Whoever was told nothing for as long as a question waits asks again; writes come at random."""
        ended = self.rate / math.expm1(self.rate * WAIT) * self.readers_of_a_replica
        self.work("replicas", number, self.costs["renewal"] * ended / 100)

    def confirm(self, number, left):
        """One query after the other, of 500 each."""
        if left > 0:
            part = min(500, left)
            self.work("database", 0, part * self.costs["confirmDatabase"], self.confirmed, number, left, part)

    def confirmed(self, number, left, part):
        self.work("replicas", number, part * self.costs["confirm"], self.confirm, number, left - part)

    def burst(self):
        """Every collection of a hundred is written within a second."""
        for _ in range(self.collections // 100):
            when = self.now + self.random.random()
            self.at(when, self.change, when, self.random.randrange(self.collections))

    def die(self, number):
        """A replica dies; its readers come to the others, each after a random part of a second."""
        count = int(self.readers / len(self.replicas))
        if len(self.replicas) > 1:
            self.is_dead.add(number)
        for reader in range(0, count, self.grain):
            self.at(self.now + self.random.random(), self.come, reader, number)

    def cache_dies(self):
        """A cache dies; its readers come to the others, which ask the service once for each collection."""
        for collection in range(self.collections):
            self.at(self.now + self.random.random(), self.come, collection, 0)

    def deploy(self):
        """The replicas are replaced one after the other; each releases its readers over five seconds."""
        pause = self.seconds / (len(self.replicas) + 2)
        for number in range(len(self.replicas)):
            for reader in range(0, int(self.readers / len(self.replicas)), self.grain):
                when = self.now + number * pause + self.random.random() * 5
                self.at(when, self.come, reader, number)

    def come(self, reader, dead):
        # Spread over those that are left; a client's first reader has its list read from the database.
        number = self.alive((dead + 1 + reader // self.grain) % len(self.replicas))
        self.work("database", 0, self.costs["listDatabase"] * self.grain / max(1, self.each), self.came, number, self.now)

    def came(self, number, begun):
        self.others.append(self.work("replicas", number, self.costs["came"] * self.grain) - begun)

    def failover(self, seconds=8):
        """The database is away: writes wait no longer than they may, and readers are served from memory."""
        self.database_back = self.now + seconds

    # What it was like

    def figures(self):
        seconds = self.seconds
        gigabytes = (self.costs["baseBytes"] + self.readers_of_a_replica * (self.costs["readerBytes"] + self.costs["kernelBytes"])
                     + self.collections * self.places / len(self.replicas) * self.costs["warmBytes"]) / 1e9
        replicas = max(machine.busy for machine in self.replicas) / seconds / len(self.replicas[0].cores)
        database = self.database.busy / seconds / len(self.database.cores)
        return {"replica": replicas, "database": database, "gigabytes": gigabytes,
                "p50": quantile(self.delays, 0.5), "p99": quantile(self.delays, 0.99), "come": quantile(self.others, 0.99)}


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def full(share):
    """What a machine is asked for that has queues without end is not what it does."""
    return f"{share:.0%}" if share < 1 else "**over 100%**"


def load(name, count=None):
    """The costs, one number each: of the number of readers that was measured and is nearest to `count`, or the most."""
    with open(name) as file:
        measured = json.load(file)
    waits, shared = measured["wait"], measured["shared"]
    wait = min(waits, key=lambda row: abs(math.log(row["readers"] / count))) if count else waits[-1]
    # What the first readers take is not taken again by the others.
    few, most = waits[0], waits[-1]
    each = (most["bytes"] * most["readers"] - few["bytes"] * few["readers"]) / (most["readers"] - few["readers"])
    shared["baseBytes"] += (few["bytes"] - each) * few["readers"]
    return {"readerBytes": each, "kernelBytes": wait["kernelBytes"], "came": wait["came"], "told": wait["told"],
            "waiting": wait["idle"], "renewal": measured["renewal"], "warmBytes": measured["collection"]["warmBytes"], **shared}


def scenarios(costs, readers):
    """Each with its name, the world, and what happens to it after two seconds."""
    collections, replicas = readers // 10, max(2, readers // READERS_OF_A_REPLICA)
    cores = max(4, math.ceil(readers / 250_000))
    private = dict(costs=costs, readers=readers, collections=collections, replicas=replicas, database_cores=cores,
                   seconds=10 if readers < 5_000_000 else 4)
    public = dict(costs=costs, readers=readers, collections=100, replicas=2, caches=max(2, readers // CACHE_READERS), rate=1,
                  database_cores=2)
    few = "ten to a collection, each written once a minute"
    yield f"private, {few}; by client", private, None
    yield "the same, readers at any replica", {**private, "by_client": False}, None
    yield "by client, a hundredth of all written within a second", private, World.burst
    yield "by client, a replica dies", private, lambda world: world.die(0)
    yield "by client, all replicas replaced in a minute", {**private, "seconds": 60}, World.deploy
    yield "by client, the database is away for 8 s", {**private, "seconds": 20}, World.failover
    yield "public, 100 collections at caches, each written once a second", public, None
    yield "the same, a cache dies", public, World.cache_dies


def table(costs, readers, only):
    print(f"\n**{readers:,} readers.**\n\n| what | replicas, cores of the database | a replica's core | the database's "
          f"| GB a replica | told, ms: median, p99 | come again, p99, ms | dollars a month |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, options, what in scenarios(costs, readers):
        if only and only not in name:
            continue
        world = World(**options)
        if what:
            world.at(2.0, what, world)
        figures = world.run().figures()
        price = (len(world.replicas) * (CORE_DOLLARS + GIGABYTE_DOLLARS * max(1, math.ceil(figures["gigabytes"])))
                 + 2 * len(world.database.cores) * (CORE_DOLLARS + 4 * GIGABYTE_DOLLARS) + 4 * world.caches * CORE_DOLLARS)
        said = "–" if math.isnan(figures["come"]) else f"{figures['come'] * 1e3:.0f}"
        print(f"| {name} | {len(world.replicas)}, {len(world.database.cores)} | {full(figures['replica'])} | {full(figures['database'])} "
              f"| {figures['gigabytes']:.1f} | {figures['p50'] * 1e3:.1f}, {figures['p99'] * 1e3:.1f} | {said} | {price:,.0f} |",
              flush=True)


# The model beside real processes


def against(program, file, counts, rate=40, seconds=WAIT):
    """Real replicas over one PostgreSQL on this machine, and the model of the same: what each took, and was late.

    - seconds: as long as a wait, so that all who are told nothing ask again once.
    """
    from costs import settled
    from crowd import Crowd
    from service import Database, Replica, body
    print(f"load {os.getloadavg()[0]:.1f}; {rate} writes a second\n\n| readers, replicas, collections | % of a core, replicas: real | model | ratio "
          f"| % of a core, database: real | model | ratio | MB of all replicas: real | model | ratio |\n|---|{'---:|' * 9}")
    for count in counts:
        number = max(2, math.ceil(count / 16_000))
        # Ten readers of each, but no more than what one machine can confirm each second beside all else.
        collections = min(max(100, count // 10), WATCHED_MAX // number)
        folder = tempfile.mkdtemp(prefix="livedelta-scale-", dir="/var/tmp")
        os.chmod(folder, 0o755)
        database, replicas, crowd = Database(folder), [], None
        try:
            replicas = [Replica(program, database.uri) for _ in range(number)]
            tokens = [replicas[n % number].put(n, body()) for n in range(collections)]
            # The readers of each collection, one after the other at each replica: at any of them.
            crowd = Crowd([(n % collections, tokens[n % collections], replicas[(n // collections + n) % number].address)
                           for n in range(count)], "wait", seconds=count / 5000)
            settled(replicas, crowd, count)
            time.sleep(3)
            crowd.mark()
            megabytes = sum(replica.megabytes() for replica in replicas)
            used, used_there, begin, generator = sum(r.processor() for r in replicas), database.processor(), time.monotonic(), random.Random(1)
            written = 0
            while (now := time.monotonic() - begin) < seconds:
                if written <= now * rate:
                    n = generator.randrange(collections)
                    replicas[n % number].put(n, body(time.monotonic_ns()))
                    written += 1
                else:
                    time.sleep(0.001)
            elapsed = time.monotonic() - begin
            used, used_there = sum(r.processor() for r in replicas) - used, database.processor() - used_there
            delays = crowd.tell()["delays"]
        finally:
            if crowd:
                crowd.stop()
            for replica in replicas:
                replica.stop()
            database.stop()
            shutil.rmtree(folder, ignore_errors=True)
        costs = load(file, count / number)
        world = World(costs, count, collections, number, by_client=False, rate=written / elapsed / collections, seconds=seconds).run()
        model, model_there = (world.used[who] / seconds for who in ("replicas", "database"))
        # A replica that has taken the writes of a collection has it in memory already.
        megabytes_there = (number * costs["baseBytes"] + count * costs["readerBytes"]
                           + collections * (costs["warmBytes"] + (world.places - 1) * costs["watchedBytes"])) / 1e6
        pairs = ((used / elapsed * 100, model * 100), (used_there / elapsed * 100, model_there * 100), (megabytes, megabytes_there))
        print(f"| {count:,}, {number}, {collections:,} |" + "".join(f" {a:.1f} | {b:.1f} | {b / a:.2f} |" for a, b in pairs), flush=True)
        print(f"  {written} written, told after {quantile(delays, 0.5) * 1e3:.0f} ms, 99 of 100 after {quantile(delays, 0.99) * 1e3:.0f}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--costs", default=os.path.join(HERE, "costs.json"))
    parser.add_argument("--readers", default="")
    parser.add_argument("--only", help="the scenarios whose name has this in it")
    parser.add_argument("--against", metavar="PROGRAM")
    parser.add_argument("--rate", type=float, default=40, help="writes a second of the real processes")
    options = parser.parse_args()
    counts = [int(count) for count in (options.readers or ("1000,10000,100000" if options.against else "1000000,10000000")).split(",")]
    if options.against:
        return against(os.path.abspath(options.against), options.costs, counts, options.rate)
    for count in counts:
        table(load(options.costs), count, options.only)


if __name__ == "__main__":
    main()
