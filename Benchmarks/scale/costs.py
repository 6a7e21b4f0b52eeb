#!/usr/bin/env python3
"""What one more of everything costs: bytes and processor time of a reader that waits, a stream, a collection, a write.

    Benchmarks/scale/costs.py PROGRAM [--only wait|stream|crowd|collection|poll|renewal|shared] [--readers 1000,4000,16000] [--out costs.json]

Each figure is that of a process with its default settings but for limits as high as its descriptors, over loopback;
processor time is the service's own (or PostgreSQL's), as the kernel counts it, with the kernel's part in it. `simulate.py`
reads the file that it writes. Standard library; PostgreSQL where it is installed.
"""
import argparse, concurrent.futures, json, math, os, shutil, tempfile, time

from crowd import SHARE, Crowd
from service import Database, Replica, body

PACE = 40  # writes a second that come one by one


def settled(replicas, crowd, count):
    """Returns once all have asked, and wait."""
    while crowd.tell()["left"]:
        time.sleep(0.05)
    while sum(replica.metric("parked_requests") for replica in replicas) < count:
        time.sleep(0.25)


def told(crowd, count):
    while (said := crowd.tell())["told"] < count:
        assert not said["failures"], said["failures"]
        time.sleep(0.05)
    return said


def waiting(program, kind, counts, collections=100):
    """Readers of 100 collections: what each costs while it waits, to come, and to be told of a change.

    Those of more than one process are at replicas over one PostgreSQL, and each of these reads each change once.
    """
    rows = []
    for count in counts:
        folder = tempfile.mkdtemp(prefix="livedelta-costs-", dir="/var/tmp")
        os.chmod(folder, 0o755)
        number, database, replicas = math.ceil(count / SHARE), None, []
        try:
            database = Database(folder) if number > 1 else None
            replicas = [Replica(program, database.uri if database else ":memory:") for _ in range(number)]
            rows.append({"readers": count, "processes": number, **crowded(replicas, kind, count, collections)})
        finally:
            for replica in replicas:
                replica.stop()
            if database:
                database.stop()
            shutil.rmtree(folder)
        row = rows[-1]
        print(f"| {kind} | {count:,}, {number} | {row['bytes']:,.0f} | {row['kernelBytes']:,.0f} | {row['came']:.1f} | {row['told']:.1f} "
              f"| {row['idle']:.2f} | {row['slowest'] * 1e3:.0f} |", flush=True)
    return rows


def crowded(replicas, kind, count, collections):
    def used():
        return sum(replica.processor() for replica in replicas)

    def megabytes():
        return sum(replica.megabytes() for replica in replicas)

    def write():
        for n in range(collections):
            replicas[0].put(n, body(time.monotonic_ns()))

    tokens = [replicas[0].put(n, body()) for n in range(collections)]
    spent, before, kernel = used(), megabytes(), memory()
    crowd = Crowd([(n % collections, tokens[n % collections], replicas[n // collections % len(replicas)].address)
                   for n in range(count)], kind, seconds=count / 5000 if len(replicas) > 1 else 0)
    settled(replicas, crowd, count)
    came, bytes_each = (used() - spent) / count, (megabytes() - before) * 1e6 / count
    kernel = (memory() - kernel) * 1e3 / count
    spent = used()
    time.sleep(5)
    idle = (used() - spent) / 5 / count
    rounds, spent, slowest = min(5, max(1, 5 * SHARE // count)), 0.0, 0.0
    for _ in range(rounds):
        crowd.mark()
        begin = used()
        write()
        slowest = max(slowest, *told(crowd, count)["delays"])
        settled(replicas, crowd, count)  # they have asked again, which is part of it
        spent += used() - begin
    crowd.stop()
    # What the writes cost without readers:
    begin = used()
    for _ in range(rounds):
        write()
    spent -= used() - begin
    return {"bytes": bytes_each, "kernelBytes": kernel, "came": came * 1e6, "told": spent / rounds / count * 1e6, "idle": idle * 1e6,
            "slowest": slowest}


def memory():
    """Kilobytes of the kernel's objects for connections, of one of both ends."""
    names = {"TCP", "TCPv6", "sock_inode_cache", "filp", "eventpoll_epi"}
    with open("/proc/slabinfo") as info:
        rows = [line.split() for line in info]
    return sum(int(row[1]) * int(row[3]) for row in rows if row[0] in names) / 2048


def collections(program, count=10_000):
    """A collection in the store alone, and in memory; a poll that finds it in the store, in memory, among the answers."""
    folder = tempfile.mkdtemp(prefix="livedelta-costs-", dir="/var/tmp")
    try:
        replica = Replica(program, folder + "/data", DURABILITY="normal")
        empty = replica.megabytes()
        used = replica.processor()
        tokens = [replica.put(n, body()) for n in range(count)]
        first = (replica.processor() - used) / count
        used = replica.processor()
        for n in range(2000):
            tokens[n] = replica.put(n, body(time.monotonic_ns()))
        write = (replica.processor() - used) / 2000
        stored = sum(os.path.getsize(f"{where}/{name}") for where, _, names in os.walk(folder) for name in names) / count
        replica.stop()
        replica = Replica(program, folder + "/data", LIMITS_MEMORY_BYTES_MAX=2 << 30, LIMITS_CACHE_BYTES_MAX=1 << 20)
        cold = replica.megabytes()
        figures = {}
        for name in ("cold", "warm"):
            readers = [(n, None, replica.address) for n in range(count)]
            used = replica.processor()
            crowd = Crowd(readers, "snapshot", seconds=5)
            told(crowd, count)
            crowd.stop()
            figures[name] = (replica.processor() - used) / count * 1e6
        warm = (replica.megabytes() - cold) * 1e6 / count
        replica.stop()
    finally:
        shutil.rmtree(folder)
    result = {"storedBytes": stored, "coldBytes": max(0, (cold - empty)) * 1e6 / count, "warmBytes": warm,
              "snapshotCold": figures["cold"], "snapshotWarm": figures["warm"], "firstWrite": first * 1e6, "write": write * 1e6}
    print(f"\n| a collection of 100 items | in the store, bytes | in memory, bytes | a new connection's snapshot, µs: cold | warm "
          f"| a first write, µs | a write, µs |\n|---|{'---:|' * 6}\n| SQLite | {stored:,.0f} | {warm:,.0f} | {figures['cold']:.0f} "
          f"| {figures['warm']:.0f} | {first * 1e6:.0f} | {write * 1e6:.0f} |", flush=True)
    return result


def polls(program):
    """Polls of what has not changed, on connections that stay."""
    replica = Replica(program, ":memory:")
    tokens = [replica.put(n, body()) for n in range(100)]
    crowd = Crowd([(n % 100, tokens[n % 100], replica.address) for n in range(200)], "poll", pause=0.05)
    time.sleep(2)
    crowd.mark()
    used = replica.processor()
    time.sleep(5)
    said = crowd.tell()
    spent = (replica.processor() - used) / said["told"] * 1e6
    crowd.stop()
    replica.stop()
    print(f"\na poll that finds nothing new, on a connection that stays: {spent:.1f} µs")
    return spent


def renewals(program, count=4000):
    """A wait that ends because there is nothing new, and the next question."""
    replica = Replica(program, ":memory:")
    tokens = [replica.put(n, body()) for n in range(100)]
    crowd = Crowd([(n % 100, tokens[n % 100], replica.address) for n in range(count)], "wait", seconds=2, wait=4)
    settled([replica], crowd, count)
    time.sleep(4)
    crowd.mark()
    used = replica.processor()
    time.sleep(16)
    spent, ended = replica.processor() - used, len(crowd.tell()["waits"])
    crowd.stop()
    replica.stop()
    print(f"\na wait that ends without news, and the next question: {spent / ended * 1e6:.1f} µs of {ended:,}", flush=True)
    return spent / ended * 1e6


def shared(program, reader, watched=1000):
    """Over PostgreSQL: a write, a version confirmed a second, a change that another replica reads.

    - reader: what one costs that is told beside, which is not in these figures.
    """
    folder = tempfile.mkdtemp(prefix="livedelta-costs-", dir="/var/tmp")
    os.chmod(folder, 0o755)
    database = replicas = None
    try:
        database = Database(folder)
        replicas = [Replica(program, database.uri) for _ in range(2)]
        writer, other = replicas
        tokens = [writer.put(n, body()) for n in range(watched)]

        def times():
            return writer.processor(), other.processor(), database.processor()

        def spent(work, meanwhile=(0, 0, 0)):
            """Microseconds of each for one of what `work` does and counts, without what they take `meanwhile` in a second."""
            used, begin = times(), time.monotonic()
            count = work()
            seconds = time.monotonic() - begin
            return [(after - before - rest * seconds) / count * 1e6 for before, after, rest in zip(used, times(), meanwhile)]

        def resting(seconds=15):
            used = times()
            time.sleep(seconds)
            return [(after - before) / seconds for before, after in zip(used, times())]

        def together(writers=16):
            """So many writers, each with a share of the collections: what they write together is committed together."""
            def some(first):
                connection = writer.connect()
                for n in range(first, watched, writers):
                    writer.put(n, body(time.monotonic_ns()), connection)
                connection.close()
            with concurrent.futures.ThreadPoolExecutor(writers) as threads:
                list(threads.map(some, range(writers)))
            return watched

        def alone(count=400):
            """One after the other with pauses, as many clients do: each finds processes that sleep."""
            begin = time.monotonic()
            for n in range(count):
                time.sleep(max(0, begin + n / PACE - time.monotonic()))
                writer.put(n, body(time.monotonic_ns()))
            return count

        idle, base = resting(), other.megabytes() * 1e6
        write, lone = spent(together, idle), spent(alone, idle)
        tokens = [writer.put(n, body()) for n in range(watched)]
        empty, crowd = other.megabytes(), None

        def come():
            nonlocal crowd
            crowd = Crowd([(n, tokens[n], other.address) for n in range(watched)], "wait")
            settled([other], crowd, watched)
            return watched

        came, watching = spent(come, idle), (other.megabytes() - empty) * 1e6 / watched - reader["bytes"]
        time.sleep(2)
        waiting = resting()

        def told_elsewhere(writes):
            def work():
                count = writes()
                told(crowd, count)
                settled([other], crowd, watched)
                return count
            crowd.mark()
            return spent(work, waiting)

        read, read_alone = told_elsewhere(together), told_elsewhere(alone)
        # What more of them cost: the first ones have all those seconds awake in them that would be rest otherwise.
        waiting = resting()
        more = range(watched, 4 * watched)
        rest = Crowd([(n, writer.put(n, body()), other.address) for n in more], "wait")
        settled([other], rest, 4 * watched)
        time.sleep(2)
        confirm, confirm_there = ((most - few) / len(more) * 1e6 for few, most in zip(waiting[1:], resting()[1:]))
        rest.stop()
        crowd.stop()
        result = {"write": write[0], "writeDatabase": write[2], "loneWrite": lone[0], "loneWriteDatabase": lone[2],
                  "loneReadByOther": read_alone[1] - reader["told"], "loneReadByOtherDatabase": read_alone[2] - lone[2],
                  "watchedBytes": watching, "confirm": confirm, "confirmDatabase": confirm_there,
                  "readByOther": read[1] - reader["told"], "readByOtherDatabase": read[2] - write[2], "listDatabase": came[2],
                  "baseBytes": base, "idle": idle[1] * 1e6, "idleDatabase": idle[2] * 1e6 / 2}
    finally:
        for replica in replicas or []:
            replica.stop()
        if database:
            database.stop()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"\n| over PostgreSQL | µs of a replica | of the database |\n|---|---:|---:|\n"
          f"| a second of a replica for which nothing happens | {result['idle']:.0f} | {result['idleDatabase']:.0f} |\n"
          f"| a write, {PACE} a second | {result['loneWrite']:.0f} | {result['loneWriteDatabase']:.0f} |\n"
          f"| a write, by 16 writers | {result['write']:.0f} | {result['writeDatabase']:.0f} |\n"
          f"| a reader who comes to a client's first collection | {came[1]:.0f} | {came[2]:.0f} |\n"
          f"| one more watched collection, each second | {result['confirm']:.1f} | {result['confirmDatabase']:.1f} |\n"
          f"| a change that another replica reads, {PACE} a second | {result['loneReadByOther']:.0f} "
          f"| {result['loneReadByOtherDatabase']:.0f} |\n"
          f"| the same, of 16 writers | {result['readByOther']:.0f} | {result['readByOtherDatabase']:.0f} |\n\n"
          f"a replica for which nothing has happened: {result['baseBytes'] / 1e6:.0f} MB; a watched collection that is not in memory, "
          f"without its reader: {watching:,.0f} bytes", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--readers", default="1000,4000,16000")
    parser.add_argument("--crowd", default="32000,100000", help="readers who wait at several processes over one PostgreSQL")
    parser.add_argument("--only", choices=("wait", "stream", "crowd", "collection", "poll", "renewal", "shared"), help="one kind; the others stay as they are")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "costs.json"))
    options = parser.parse_args()
    program, counts = os.path.abspath(options.program), [int(count) for count in options.readers.split(",")]
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n\n| kind | readers, processes | bytes each | of the kernel "
          f"| to come, µs | to be told, µs | a second of waiting, µs | the last of a round is told after, ms |\n|---|{'---:|' * 7}")
    kinds = {"wait": lambda: waiting(program, "wait", counts), "stream": lambda: waiting(program, "stream", counts),
             "crowd": lambda: waiting(program, "wait", [int(count) for count in options.crowd.split(",")]),
             "collection": lambda: collections(program), "poll": lambda: polls(program), "renewal": lambda: renewals(program),
             "shared": lambda: shared(program, result["wait"][0])}
    result = {}
    if options.only:
        kinds = {options.only: kinds[options.only]}
        with open(options.out) as file:
            result = json.load(file)
    for kind, measure in kinds.items():
        try:
            result[kind] = measure()
        except SystemExit:
            pass  # it has said that PostgreSQL is not installed
    with open(options.out, "w") as file:
        json.dump(result, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
