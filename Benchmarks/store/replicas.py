#!/usr/bin/env python3
"""Replicas over one PostgreSQL: what one, two and three of them read, what they write, and what the database bears.

    Benchmarks/store/replicas.py PROGRAM [--share PERCENT] [--seconds N] [--only TABLE]
    Benchmarks/store/replicas.py PROGRAM --beside OTHER [--rounds N]   # writes of two builds by turns

Every replica has PERCENT of a processor, and so has PostgreSQL, by a cgroup each (as root; else it says that they have
none): what else the machine does then matters less. Each figure has the processor time beside it, which is what to
compare between machines. TABLE is reads, writes or waiting. It needs wrk and Debian's postgresql.
"""
import argparse, http.client, json, os, re, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Tests/Cluster"))
sys.dont_write_bytecode = True
from database import Server  # noqa: E402

SETTINGS = "listen_addresses = ''\nshared_buffers = 128MB\nmax_wal_size = 4GB\n"
ITEMS = 100  # of about 75 bytes


class Group:
    """A share of a processor, and what was used of it; nothing where cgroups cannot be made."""

    def __init__(self, name, percent):
        self.is_v1 = os.path.isdir("/sys/fs/cgroup/cpuacct")
        roots = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpuacct"] if self.is_v1 else ["/sys/fs/cgroup"]
        self.paths = [f"{root}/livedelta-{os.getpid()}-{name}" for root in roots]
        try:
            for path in self.paths:
                os.mkdir(path)
            file, text = ("cpu.cfs_quota_us", f"{percent * 1000}") if self.is_v1 else ("cpu.max", f"{percent * 1000} 100000")
            with open(f"{self.paths[0]}/{file}", "w") as limit:
                limit.write(text)
        except OSError as error:
            print(f"without shares of the processor: {error}")
            self.paths = []

    def command(self):
        """Puts what follows it into the group."""
        return ["sh", "-c", "".join(f"echo $$ >{path}/cgroup.procs; " for path in self.paths) + 'exec "$@"', "sh"]

    def seconds(self):
        """The processor time that was used."""
        if not self.paths:
            return 0.0
        if self.is_v1:
            return int(open(f"{self.paths[1]}/cpuacct.usage").read()) / 1e9
        return int(re.search(r"usage_usec (\d+)", open(f"{self.paths[0]}/cpu.stat").read()).group(1)) / 1e6

    def remove(self):
        for path in self.paths:
            os.rmdir(path)


class Replica:
    def __init__(self, program, data, name, share, folder):
        self.group = Group(name, share)
        self.log = open(f"{folder}/{name}.log", "w+b")
        environment = dict(os.environ, LIVEDELTA_LOG_ACCESS="off", LIVEDELTA_LOG_LEVEL="error")
        self.process = subprocess.Popen(
            [*self.group.command(), program, "serve", "--json", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", data],
            stdout=subprocess.PIPE, stderr=self.log, env=environment)
        self.address = json.loads(self.process.stdout.readline())["listening"][0]

    def put(self, number, body):
        connection = http.client.HTTPConnection(self.address, timeout=60)
        connection.request("PUT", f"/v1/clients/client{number}/collections/list{number}", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        assert answer.status in (200, 201), text
        return json.loads(text)["version"]

    def megabytes(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read()).group(1)) / 1024

    def end(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.group.remove()


class Database:
    def __init__(self, folder, share, name="postgres"):
        self.group = Group(name, share)
        self.server = Server(folder + "/postgres", is_pooled=False)
        self.server.prefix = self.group.command() + self.server.prefix
        self.server.create(SETTINGS)
        self.uri = f"postgres:///livedelta?host={self.server.home}&user=livedelta"

    def number(self, sql):
        return int(float(self.server.sql(sql)))

    def transactions(self):
        return self.number("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = 'livedelta'")

    def written(self):
        return self.number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")

    def connections(self):
        return self.number("SELECT count(*) FROM pg_stat_activity WHERE datname = 'livedelta'")

    def end(self):
        self.server.remove()
        self.group.remove()


def body(mark=0):
    return json.dumps([{"id": f"item-{n}", "title": "A title of about the usual length", "mark": mark} for n in range(ITEMS)])


def load(addresses, connections, seconds, script, apart=0, **environment):
    """wrk at every address at once, `apart` collections from each other: requests and failures together."""
    environment = {**os.environ, **{key: str(value) for key, value in environment.items()}}
    runs = [subprocess.Popen(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, "http://" + address], stdout=subprocess.PIPE, text=True,
        env={**environment, "FIRST": str(number * apart)}) for number, address in enumerate(addresses)]
    count = failed = 0
    for run in runs:
        said = run.communicate()[0]
        count += int(re.search(r"(\d+) requests in", said).group(1))
        failed += sum(int(number) for number in re.findall(r"Non-2xx or 3xx responses: (\d+)", said))
    return count, failed


def measure(groups, work):
    """What `work` returns, the seconds it took, and the processor time of each group."""
    before, start = [group.seconds() for group in groups], time.monotonic()
    result = work()
    return result, time.monotonic() - start, [group.seconds() - used for group, used in zip(groups, before)]


def reads(options, folder):
    print(f"\n| replicas | collections | reads/s | of one replica's | µs of a replica a read | queries/s | µs of PostgreSQL a read |\n|{'---:|' * 7}")
    database, replicas = Database(folder, options.share), []
    script = folder + "/read.lua"
    with open(script, "w") as file:
        file.write(READ)
    try:
        rates = {}
        for count in (1, 2, 3):
            replicas.append(Replica(options.program, database.uri, f"r{count}", options.share, folder))
            for collections in (10, 1000):
                tokens = folder + f"/tokens-{collections}"
                if not os.path.exists(tokens):
                    with open(tokens, "w") as file:
                        for number in range(collections):
                            replicas[0].put(number, body())
                            file.write(replicas[0].put(number, body(1)) + "\n")
                addresses = [replica.address for replica in replicas]
                load(addresses, 16, 1, script, TOKENS=tokens)
                queries = database.transactions()
                groups = [replica.group for replica in replicas] + [database.group]
                (total, failed), seconds, used = measure(groups, lambda: load(addresses, 16, options.seconds, script, TOKENS=tokens))
                time.sleep(1.1)  # until PostgreSQL has counted
                queries = (database.transactions() - queries) / seconds
                rate = rates[count, collections] = total / seconds
                print(f"| {count} | {collections:,} | {rate:,.0f} | {rate / rates[1, collections]:.2f} | {sum(used[:-1]) / total * 1e6:.1f}"
                      f" | {queries:,.0f} | {used[-1] / total * 1e6:.2f} |" + (f" {failed} failed" if failed else ""), flush=True)
        print(f"\nconnections to PostgreSQL: {database.connections()} of {len(replicas)} replicas")
    finally:
        for replica in replicas:
            replica.end()
        database.end()


def writes(options, folder):
    print(f"\n| store | replicas, collections | writers | writes/s | µs of replicas a write | µs of PostgreSQL a write | bytes a write | failed |\n|---|{'---:|' * 7}")
    cases = [("SQLite", 1, "1", 0), ("PostgreSQL", 1, "1", 0), ("PostgreSQL", 3, "3, each its own", 1000), ("PostgreSQL", 3, "3, the same", 0)]
    for kind, count, what, apart in cases:
        database = Database(folder, options.share) if kind == "PostgreSQL" else None
        data = database.uri if database else folder + "/sqlite"
        replicas = [Replica(options.program, data, f"w{number}", options.share, folder) for number in range(count)]
        try:
            for writers in (1, 16, 64):
                if writers < count:
                    continue
                def work(seconds=options.seconds):
                    return load([replica.address for replica in replicas], -(-writers // count), seconds, f"{HERE}/put.lua",
                                apart, ITEMS=ITEMS, WRITERS=-(-writers // count))
                def written():
                    if database:
                        return database.written()
                    return int(re.search(r"^write_bytes: (\d+)", open(f"/proc/{replicas[0].process.pid}/io").read(), re.M).group(1))
                work(1)
                before = written()
                groups = [replica.group for replica in replicas] + ([database.group] if database else [])
                (total, failed), seconds, used = measure(groups, work)
                database_time = used.pop() if database else 0
                print(f"| {kind} | {what} | {writers} | {total / seconds:,.0f} | {sum(used) / total * 1e6:.0f}"
                      f" | {database_time / total * 1e6:.0f} | {(written() - before) // total:,} | {failed} |", flush=True)
        finally:
            for replica in replicas:
                replica.end()
            if database:
                database.end()


def waiting(options, folder):
    """Readers that wait for collections that nobody writes, then for ones that are written at another replica."""
    print(f"\n| readers that wait | collections | written/s | told/s | % of a core, their replica | % of a core, PostgreSQL | MB, their replica |\n|{'---:|' * 7}")
    database = Database(folder, options.share)
    replicas = [Replica(options.program, database.uri, f"p{number}", options.share, folder) for number in range(2)]
    try:
        for count in (0, 100, 1000):
            tokens = [replicas[1].put(number, body()) for number in range(count)]
            for rate in (0, 50):
                told, ended = [0], threading.Event()
                sockets = [ask(replicas[0].address, number, tokens[number]) for number in range(count)]
                reader = threading.Thread(target=hear, args=(sockets, replicas[0].address, told, ended))
                reader.start()
                time.sleep(3)  # until all of them wait
                heard, written = told[0], [0]
                def work():
                    end = time.monotonic() + options.seconds
                    while (now := time.monotonic()) < end:
                        if rate and count:
                            replicas[1].put(written[0] % count, body(written[0] + rate))
                            written[0] += 1
                        time.sleep(max(0, (1 / rate if rate else options.seconds) - (time.monotonic() - now)))
                _, seconds, used = measure([replicas[0].group, database.group], work)
                ended.set()
                reader.join()
                print(f"| {count:,} | {count:,} | {written[0] / seconds:.0f} | {(told[0] - heard) / seconds:.0f}"
                      f" | {used[0] / seconds * 100:.2f} | {used[1] / seconds * 100:.2f} | {replicas[0].megabytes():.1f} |", flush=True)
                tokens = [replicas[1].put(number, body(-1)) for number in range(count)]
                if not count:
                    break
    finally:
        for replica in replicas:
            replica.end()
        database.end()


def ask(address, number, token):
    host, port = address.rsplit(":", 1)
    connection = socket.create_connection((host, int(port)))
    connection.sendall(request(number, token))
    return connection, number


def request(number, token):
    return (f"GET /v1/clients/client{number}/collections/list{number}/delta?since={token}&wait=50 HTTP/1.1\r\n"
            "Host: localhost\r\n\r\n").encode()


def hear(sockets, address, told, ended):
    """Counts answers and asks again from the version of each."""
    import selectors
    with selectors.DefaultSelector() as selector:
        for connection, number in sockets:
            selector.register(connection, selectors.EVENT_READ, [number, b""])
        while not ended.is_set():
            for key, _ in selector.select(0.1):
                key.data[1] += key.fileobj.recv(1 << 16)
                head, end, rest = key.data[1].partition(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                if end and length and len(rest) >= int(length.group(1)):
                    told[0] += 1
                    answer = json.loads(rest)
                    key.data[1] = b""
                    key.fileobj.sendall(request(key.data[0], answer.get("to") or answer.get("version")))
    for connection, _ in sockets:
        connection.close()


def beside(options, folder):
    """Writes of two builds by turns, each over a database of its own; the ratio is of the medians."""
    print(f"\n| writers | writes/s, this | the other | ratio | µs of the replica, this | the other | µs of PostgreSQL, this | the other |\n|{'---:|' * 8}")
    pairs = []
    try:
        for name, program in (("this", options.program), ("other", options.beside)):
            os.mkdir(f"{folder}/{name}")
            os.chmod(f"{folder}/{name}", 0o755)
            database = Database(f"{folder}/{name}", options.share, f"postgres-{name}")
            pairs.append((Replica(program, database.uri, name, options.share, folder), database))
        for writers in (1, 16, 64):
            figures = [[], []]
            for turn in range(2 * options.rounds + 2):
                which = (turn + turn // 2) % 2  # this, other, other, this, …
                replica, database = pairs[which]
                (total, failed), seconds, used = measure(
                    [replica.group, database.group],
                    lambda: load([replica.address], writers, options.seconds, f"{HERE}/put.lua", ITEMS=ITEMS, WRITERS=writers))
                assert failed == 0, failed
                if turn >= 2:  # the first of each warms up
                    figures[which].append((total / seconds, used[0] / total * 1e6, used[1] / total * 1e6))
            this, other = ([statistics.median(column) for column in zip(*rows)] for rows in figures)
            print(f"| {writers} | {this[0]:,.0f} | {other[0]:,.0f} | {this[0] / other[0]:.3f}"
                  + "".join(f" | {a:.0f} | {b:.0f}" for a, b in zip(this[1:], other[1:])) + " |", flush=True)
    finally:
        for replica, database in pairs:
            replica.end()
            database.end()


# Reads for wrk: polls of collections one after the other, at the version that they have.
READ = """
function init()
  paths = {}
  for token in io.lines(os.getenv("TOKENS")) do
    local n = #paths
    paths[n + 1] = wrk.format("GET", string.format("/v1/clients/client%d/collections/list%d/delta?since=%s", n, n, token))
  end
  turn = 0
end
function request()
  turn = turn % #paths + 1
  return paths[turn]
end
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--share", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--only", choices=["reads", "writes", "waiting"])
    parser.add_argument("--beside", help="another build, whose writes are measured by turns with PROGRAM's")
    parser.add_argument("--rounds", type=int, default=6)
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    print(f"each replica and PostgreSQL have {options.share} % of a core; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for table in (beside,) if options.beside else (reads, writes, waiting):
        if options.only in (None, table.__name__):
            folder = tempfile.mkdtemp(prefix="livedelta-replicas-", dir="/var/tmp")
            os.chmod(folder, 0o755)
            try:
                table(options, folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
