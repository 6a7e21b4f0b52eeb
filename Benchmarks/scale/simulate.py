#!/usr/bin/env python3
"""Millions of readers on paper: a discrete-event model of replicas, a database and caches, with measured unit costs.

    Benchmarks/scale/simulate.py [--readers 1000000,10000000] [--only NAME]
    Benchmarks/scale/simulate.py --against PROGRAM [--readers 1000,10000,100000]   # the model beside real processes

The costs are those of costs.json, made by `costs.py`, each with a spread (lognormal, a sigma of 0.5). A replica has one
core and 50,000 readers, a core of a machine as the one that was measured. Whatever takes processor time queues for the
cores of its machine; nothing else takes time, but for the time that a connection takes to come.
"""
import argparse, heapq, json, math, os, random, shutil, statistics, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
CORE_DOLLARS, GIGABYTE_DOLLARS = 25, 3  # a month, about the list prices of the large clouds
READERS_OF_A_REPLICA = 50_000
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
        self.places = 1 if by_client else min(replicas, max(1, round(replicas * (1 - (1 - 1 / replicas) ** self.each))))

    def spread(self):
        return math.exp(self.random.gauss(-0.125, 0.5))  # a mean of one

    def at(self, when, what, *arguments):
        self.order += 1
        heapq.heappush(self.events, (when, self.order, what, arguments))

    def work(self, who, number, when, microseconds):
        machine = self.database if who == "database" else self.replicas[number]
        self.used[who] += microseconds * 1e-6
        if who == "database":
            when = max(when, self.database_back)
        return machine.take(when, microseconds)

    def run(self):
        step = 1 / (self.collections * self.rate)
        self.at(self.random.expovariate(1 / step), self.write, step)
        for number in range(len(self.replicas)):
            self.at(self.random.random(), self.confirm, number)
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

    def change(self, now, collection):
        costs = self.costs
        home = self.alive(collection % len(self.replicas))
        # What comes alone is committed and read alone; what comes meanwhile goes together, and costs less.
        write, read = ("write", "readByOther") if self.database.is_busy(now) else ("loneWrite", "loneReadByOther")
        committed = self.work("replicas", home, now, costs[write])
        committed = self.work("database", 0, committed, costs[write + "Database"])
        if self.caches:  # one question of each cache for each version
            self.tell(committed, home, self.caches, now)
            return
        share = self.each / self.places
        for place in range(self.places):
            number = self.alive((home + place * 7) % len(self.replicas))
            told = committed
            if place:  # each replica that has readers reads the change once
                told = self.work("database", 0, told, costs[read + "Database"])
                told = self.work("replicas", number, told, costs[read])
            self.tell(told, number, share, now)

    def tell(self, when, number, count, written):
        whole = int(count) + (self.random.random() < count - int(count))
        for _ in range(min(whole, 4)):  # of many, four stand for all
            end = self.work("replicas", number, when, self.costs["told"] * max(1, whole / 4))
            self.delays.append(end - written)

    def confirm(self, number):
        self.at(self.now + 1, self.confirm, number)
        watched = self.collections * self.places / len(self.replicas)
        if self.caches:
            watched = self.collections / len(self.replicas)
        for _ in range(math.ceil(watched / 500)):
            part = min(500, watched)
            done = self.work("database", 0, self.now, part * self.costs["confirmDatabase"])
            self.work("replicas", number, done, part * self.costs["confirm"])

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
        done = self.work("database", 0, self.now, self.costs["listDatabase"] * self.grain / max(1, self.each))
        done = self.work("replicas", number, done, self.costs["came"] * self.grain)
        self.others.append(done - self.now)

    def failover(self, seconds=8):
        """The database is away: writes wait no longer than they may, and readers are served from memory."""
        self.database_back = self.now + seconds

    # What it was like

    def figures(self):
        seconds = self.seconds
        readers = self.caches * self.collections if self.caches else self.readers
        gigabytes = (readers / len(self.replicas) * (self.costs["readerBytes"] + self.costs["kernelBytes"])
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


def load(name):
    """The costs, one number each: of the most readers that were measured."""
    with open(name) as file:
        measured = json.load(file)
    wait, shared = measured["wait"][-1], measured["shared"]
    return {"readerBytes": wait["bytes"], "kernelBytes": wait["kernelBytes"], "came": wait["came"], "told": wait["told"],
            "warmBytes": measured["collection"]["warmBytes"], "listDatabase": shared["listDatabase"], **shared}


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


def against(program, costs, counts, rate=40, seconds=20):
    """Real replicas over one PostgreSQL on this machine, and the model of the same: what each took, and was late."""
    from crowd import Crowd
    from service import Database, Replica, body
    print(f"load {os.getloadavg()[0]:.1f}; {rate} writes a second\n\n| readers, replicas, collections | % of a core, replicas: real | model | ratio "
          f"| % of a core, database: real | model | ratio | MB of all replicas: real | model | ratio |\n|---|{'---:|' * 9}")
    for count in counts:
        number, collections = max(2, math.ceil(count / 16_000)), max(100, count // 10)
        folder = tempfile.mkdtemp(prefix="livedelta-scale-", dir="/var/tmp")
        os.chmod(folder, 0o755)
        database, replicas = Database(folder), []
        try:
            replicas = [Replica(program, database.uri) for _ in range(number)]
            tokens = [replicas[n % number].put(n, body()) for n in range(collections)]
            before = sum(replica.megabytes() for replica in replicas)
            # Ten readers of each collection, one after the other at each replica: at any of them.
            crowd = Crowd([(n % collections, tokens[n % collections], replicas[(n // collections + n) % number].address)
                           for n in range(count)], "wait")
            while sum(replica.metric("parked_requests") for replica in replicas) < count:
                time.sleep(0.2)
            time.sleep(3)
            crowd.mark()
            megabytes = sum(replica.megabytes() for replica in replicas) - before
            used, used_there, begin, generator = sum(r.processor() for r in replicas), database.processor(), time.monotonic(), random.Random(1)
            written = 0
            while (now := time.monotonic() - begin) < seconds:
                if written < now * rate:
                    n = generator.randrange(collections)
                    replicas[n % number].put(n, body(time.monotonic_ns()))
                    written += 1
                else:
                    time.sleep(0.001)
            elapsed = time.monotonic() - begin
            used, used_there = sum(r.processor() for r in replicas) - used, database.processor() - used_there
            crowd.tell()
            crowd.stop()
        finally:
            for replica in replicas:
                replica.stop()
            database.stop()
            shutil.rmtree(folder, ignore_errors=True)
        world = World(costs, count, collections, number, by_client=False, rate=written / elapsed / collections, seconds=seconds).run()
        model, model_there = (world.used[who] / seconds for who in ("replicas", "database"))
        megabytes_there = (count * costs["readerBytes"] + world.places * collections * costs["watchedBytes"]) / 1e6
        pairs = ((used / elapsed * 100, model * 100), (used_there / elapsed * 100, model_there * 100), (megabytes, megabytes_there))
        print(f"| {count:,}, {number}, {collections:,} |" + "".join(f" {a:.1f} | {b:.1f} | {b / a:.2f} |" for a, b in pairs), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--costs", default=os.path.join(HERE, "costs.json"))
    parser.add_argument("--readers", default="")
    parser.add_argument("--only", help="the scenarios whose name has this in it")
    parser.add_argument("--against", metavar="PROGRAM")
    options = parser.parse_args()
    costs = load(options.costs)
    counts = [int(count) for count in (options.readers or ("1000,10000,100000" if options.against else "1000000,10000000")).split(",")]
    if options.against:
        return against(os.path.abspath(options.against), costs, counts)
    for count in counts:
        table(costs, count, options.only)


if __name__ == "__main__":
    main()
