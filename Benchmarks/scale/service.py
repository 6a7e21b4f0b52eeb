"""What these measurements start, and what they read of it: processes of livedelta, and PostgreSQL."""
import http.client, json, os, re, signal, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Tests/Cluster"))
sys.dont_write_bytecode = True
from crowd import path  # noqa: E402
from database import Server  # noqa: E402

ITEMS = 100
TICKS = os.sysconf("SC_CLK_TCK")


def body(mark=0):
    """A collection of 100 items, 7.5 KB, of which one item differs by `mark`, the nanosecond of the write."""
    rows = [{"id": f"item-{n}", "title": "A title of about the usual length", "mark": 0} for n in range(ITEMS)]
    rows[0]["at"] = mark
    return json.dumps(rows)


def processor(*pids, fields=2):
    """Seconds of processor time that processes have taken; with 4 fields, also their children that have ended."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat") as stat:
            total += sum(int(ticks) for ticks in stat.read().rpartition(")")[2].split()[11:11 + fields])
    return total / TICKS


class Replica:
    """A process of the service, with limits as high as its descriptors."""

    def __init__(self, program, data, **settings):
        most = "18000"
        settings = {"LIMITS_CONNECTIONS_MAX": most, "LIMITS_CONNECTIONS_PER_ADDRESS_MAX": most, "LIMITS_PARKED_MAX": most,
                    "LOG_ACCESS": "off", "LOG_LEVEL": "error", **settings}
        self.process = subprocess.Popen(
            [program, "serve", "--json", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", data],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, **{"LIVEDELTA_" + name: str(value) for name, value in settings.items()}})
        said = json.loads(self.process.stdout.readline())
        self.address, self.operations = (
            [host, int(port)] for host, port in (said[key][0].rsplit(":", 1) for key in ("listening", "operations")))
        self.writer, self.scraping = self.connect(), 0.0

    def connect(self):
        return http.client.HTTPConnection(*self.address, timeout=60)

    def put(self, collection, text, connection=None):
        connection = connection or self.writer
        connection.request("PUT", path(collection), text, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        said = answer.read()
        assert answer.status in (200, 201), said
        return json.loads(said)["version"]

    def metric(self, name):
        """A number of /metrics. A scrape reads every descriptor: what it takes is not counted as the replica's work."""
        used = processor(self.process.pid)
        connection = http.client.HTTPConnection(*self.operations, timeout=60)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        self.scraping += processor(self.process.pid) - used
        return float(re.search(rf"^livedelta_{name} (\S+)$", text, re.M).group(1))

    def processor(self):
        return processor(self.process.pid) - self.scraping

    def megabytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024

    def stop(self, how=signal.SIGKILL):
        self.process.send_signal(how)
        self.process.wait()


class Database:
    def __init__(self, folder):
        self.server = Server(folder + "/postgres", is_pooled=False)
        self.server.create("listen_addresses = ''\nshared_buffers = 256MB\nmax_wal_size = 4GB\n")
        self.uri = f"postgres:///livedelta?host={self.server.home}&user=livedelta"
        with open(self.server.data + "/postmaster.pid") as file:
            self.pid = int(file.readline())

    def processor(self):
        """Processor time of the server and its backends, with those that have ended, as the kernel adds it up."""
        while True:
            children = subprocess.run(["pgrep", "-P", str(self.pid)], capture_output=True, text=True).stdout.split()
            try:
                return processor(*children) + processor(self.pid, fields=4)
            except OSError:
                continue  # a backend has ended meanwhile

    def stop(self):
        self.server.remove()
