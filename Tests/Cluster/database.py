"""A primary and a standby of PostgreSQL, each with PgBouncer before it where there is one."""
import contextlib
import glob
import os
import pwd
import shutil
import signal
import subprocess
import sys

from proxy import Proxy

BOUNCER = shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin")
SETTINGS = """
listen_addresses = ''
fsync = off
max_connections = 100
wal_retrieve_retry_interval = '100ms'
"""
# Sessions are trusted: the sockets are in a directory of the test.
BOUNCER_SETTINGS = """
[databases]
* = host={home} user=livedelta
[pgbouncer]
listen_port = 6432
unix_socket_dir = {home}
auth_type = any
pool_mode = transaction
default_pool_size = 8
server_login_retry = 1
ignore_startup_parameters = extra_float_digits,options
logfile = {home}/bouncer.log
"""


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not found:
        print("PostgreSQL is not installed (apt-get install postgresql): left out")
        sys.exit(77)
    return os.path.dirname(found[-1])


class Server:
    """One server in a directory of its own; made by `initdb`, or of another server for its standby."""

    def __init__(self, home, is_pooled=bool(BOUNCER)):
        self.is_pooled = is_pooled
        self.bin, self.home, self.data, self.bouncer = programs(), home, home + "/data", None
        self.proxies = []  # in front of it
        os.mkdir(home)
        self.prefix = []
        if os.getuid() == 0:
            user = pwd.getpwnam("postgres")
            os.chown(home, user.pw_uid, user.pw_gid)
            self.prefix = ["runuser", "-u", "postgres", "--"]

    def run(self, program, *arguments):
        done = subprocess.run(
            self.prefix + [f"{self.bin}/{program}", *arguments], cwd=self.home, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "psql" else subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
        if done.returncode:
            raise RuntimeError(f"{program} {' '.join(arguments)} ended with {done.returncode}, see {self.home}/log")
        return (done.stdout or "").strip()

    def sql(self, text, database="postgres"):
        return self.run("psql", "-h", self.home, "-U", "livedelta", "-d", database, "-Atqc", text)

    def create(self, settings=SETTINGS):
        self.run("initdb", "-D", self.data, "-A", "trust", "-U", "livedelta", "--no-sync", "-E", "UTF8", "--wal-segsize=4")
        with open(self.data + "/postgresql.conf", "a") as file:
            file.write(settings)
        self.start()
        self.run("createdb", "-h", self.home, "-U", "livedelta", "livedelta")

    def follow(self, primary, proxy):
        """Becomes the standby of `primary`, which it reaches by a proxy."""
        self.run("pg_basebackup", "-h", primary.home, "-U", "livedelta", "-D", self.data, "-c", "fast", "--no-sync")
        with open(self.data + "/postgresql.auto.conf", "a") as file:
            file.write(f"primary_conninfo = 'host={proxy.host} port={proxy.port} user=livedelta application_name=standby sslmode=disable'\n")
        open(self.data + "/standby.signal", "w").close()
        self.start()

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-l", self.home + "/log", "-w", "-o", f"-k {self.home}", "start")
        if self.is_pooled and not self.bouncer:
            self.start_bouncer()
        self.let("5432", Proxy.mend)

    def let(self, port, do):
        """Has the proxies do something that are in front of the server, 5432, or of PgBouncer, 6432."""
        for proxy in self.proxies:
            if proxy.socket.endswith(port):
                do(proxy)

    def start_bouncer(self):
        with open(self.home + "/bouncer.ini", "w") as file:
            file.write(BOUNCER_SETTINGS.format(home=self.home))
        self.bouncer = subprocess.Popen(
            self.prefix + [BOUNCER, "-q", self.home + "/bouncer.ini"], cwd=self.home, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.let("6432", Proxy.mend)

    def kill_bouncer(self):
        if self.bouncer:
            os.killpg(self.bouncer.pid, signal.SIGKILL)
            self.bouncer.wait()
            self.let("6432", Proxy.refuse)
            self.bouncer = None
            if os.path.exists(self.home + "/.s.PGSQL.6432"):
                os.unlink(self.home + "/.s.PGSQL.6432")

    def stop(self, mode="immediate"):
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")
        self.let("5432", Proxy.refuse)

    def signal(self, number):
        """Sends a signal to the server and all its processes."""
        with open(self.data + "/postmaster.pid") as file:
            main = int(file.readline())
        with open(f"/proc/{main}/task/{main}/children") as file:
            for process in [main] + [int(word) for word in file.read().split()]:
                with contextlib.suppress(ProcessLookupError):  # a connection that has ended
                    os.kill(process, number)

    def remove(self):
        self.kill_bouncer()
        if os.path.exists(self.data + "/postmaster.pid"):
            self.stop()
        shutil.rmtree(self.home, ignore_errors=True)


class Pair:
    """A primary and its standby, in two slots by which replicas know them."""

    def __init__(self, directory):
        self.directory, self.made = directory, 0
        self.slots = [self.server(), None]
        self.primary = 0
        self.slots[0].create()
        self.replication = Proxy(self.slots[0].home + "/.s.PGSQL.5432")
        self.synchronous(True)  # before there is a standby, which has the settings of the primary
        self.restore()

    def server(self):
        self.made += 1
        return Server(f"{self.directory}/{self.made}")

    @property
    def now(self):
        return self.slots[self.primary]

    @property
    def standby(self):
        return self.slots[1 - self.primary]

    def proxy(self, slot, is_pooled, host=None):
        """A proxy to the server of a slot, whichever it is."""
        made = Proxy("", host)
        made.socket = "/.s.PGSQL.6432" if is_pooled else "/.s.PGSQL.5432"
        made.target = self.slots[slot].home + made.socket
        self.slots[slot].proxies.append(made)
        return made

    def synchronous(self, is_synchronous):
        self.now.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{'standby' if is_synchronous else ''}'")
        self.now.sql("SELECT pg_reload_conf()")

    def promote(self):
        """Makes the standby the primary; returns the old one, which is as it was."""
        self.standby.run("pg_ctl", "-D", self.standby.data, "-w", "promote")
        self.primary = 1 - self.primary
        # PgBouncer goes on telling clients `in_hot_standby`, which it learned at its first connection.
        if self.now.bouncer:
            self.now.kill_bouncer()
            self.now.start_bouncer()
        self.replication.target = self.now.home + "/.s.PGSQL.5432"
        return self.standby

    def restore(self):
        """Makes a new standby in the other slot; the proxies of the old server there are the new one's."""
        self.replication.mend()
        old, server = self.standby, self.server()
        self.slots[1 - self.primary] = server
        if old:
            server.proxies, old.proxies = old.proxies, []
        for proxy in server.proxies:
            proxy.refuse()
            proxy.target = server.home + proxy.socket
        server.follow(self.now, self.replication)

    def remove(self):
        for server in self.slots:
            if server:
                server.remove()
