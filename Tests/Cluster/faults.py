"""The faults, by kind. Each is given up again, but for clocks and versions, which stay until a replica is killed."""
import contextlib
import json
import os
import signal

from clients import BROKEN, PATH
from database import BOUNCER
from replica import FAKETIME, Replica


class Faults:
    def __init__(self, pair, clients):
        self.pair, self.clients, self.figures, self.judge = pair, clients, clients.figures, clients.judge

    def kinds(self):
        """Every kind by name, and what is left out and why."""
        kinds = {name[3:].replace("_", " "): getattr(self, name) for name in dir(self) if name.startswith("of_")}
        missing = {}
        if not BOUNCER:
            missing["PgBouncer killed"] = "PgBouncer is not installed (apt-get install pgbouncer)"
        if not os.path.exists(FAKETIME):
            missing["clock an hour off"] = "libfaketime is not installed (apt-get install faketime)"
        if not self.clients.replicas[0].cables:
            missing["cable to the database pulled"] = missing["all cables pulled"] = "network namespaces want root and iproute2"
        if len(self.clients.replicas[0].programs) == 1:
            missing["restarted as another version"] = "LIVEDELTA_OLD names no older program"
        return {name: kind for name, kind in kinds.items() if name not in missing}, missing

    def some(self):
        return self.clients.random.choice(self.clients.replicas)

    def requests(self, count, seconds=10):
        """Waits until so many requests have ended, in any way."""
        self.figures.until(
            count, "acknowledged", "replayed", "503", "409", "412", "503 of readers", "no answer", "deltas", seconds=seconds)

    # Replicas

    def of_replica_killed(self):
        replica = self.some()
        replica.kill()
        self.requests(30)
        replica.start()

    def of_killed_between_commit_and_answer(self):
        replica = self.some()
        self.hold(replica)
        replica.kill()
        self.requests(30)
        replica.start()

    def of_answer_of_the_database_lost(self):
        replica = self.some()
        self.hold(replica)
        self.requests(30)
        replica.proxies[self.pair.primary].cut()

    def hold(self, replica):
        """Returns when the database has committed a write of `replica`, which does not learn of it."""
        if not replica.proxies[self.pair.primary].hold().wait(10):
            self.judge.fault(f"replica {replica.number} wrote nothing in 10 s")

    def of_clock_an_hour_off(self):
        replica, clock = self.some(), self.clients.random.choice([-3600, 3600])
        replica.kill()
        replica.start(clock=clock)
        if abs(replica.clock_error() - clock) > 60:
            self.figures.notes["a clock was not moved: is the program static?"] += 1
        self.requests(100)

    def of_restarted_as_another_version(self):
        replica = self.some()
        replica.kill()
        replica.start(program=replica.programs[-1])
        self.requests(100)

    def upgrade(self):
        """Replaces replicas one by one; the first of the new program migrates the database under the others."""
        for replica in self.clients.replicas:
            replica.kill()
            self.requests(50)
            replica.start()
            self.requests(100)

    # Between a replica and the database

    def of_connections_cut(self):
        for _ in range(5):
            self.some().proxies[self.pair.primary].cut()
            self.requests(10)

    def of_cut_off(self):
        replica = self.some()
        for proxy in replica.proxies:
            proxy.refuse()
        self.requests(100)
        for proxy in replica.proxies:
            proxy.mend()

    def of_hung(self):
        replica = self.some()
        for proxy in replica.proxies:
            proxy.hang()
        self.requests(200)
        for proxy in replica.proxies:
            proxy.mend()

    def of_cable_to_the_database_pulled(self):
        """As if it hung, but nothing answers at all, and who connects is not let in."""
        self.pull("database")

    def of_all_cables_pulled(self):
        self.pull("clients", "database")

    def pull(self, *ends):
        cables = self.some().cables
        cables.pull(*ends)
        self.requests(200)
        cables.plug(*ends)

    def of_slow(self):
        proxy = self.some().proxies[self.pair.primary]
        proxy.slow(0.05)
        self.requests(150)
        proxy.mend()

    def of_listening_silently_cut(self):
        silenced = sum(replica.proxies[self.pair.primary].silence() for replica in self.clients.replicas)
        if not silenced:
            self.judge.fault("nobody listens to the database")
        self.requests(300)

    def of_PgBouncer_killed(self):
        self.pair.now.kill_bouncer()
        self.requests(50)
        self.pair.now.start_bouncer()

    # The database

    def of_database_restarted(self):
        self.pair.now.stop()
        self.requests(30)
        self.pair.now.start()

    def of_standby_lost(self):
        self.pair.standby.stop()
        self.figures.until(1, "503", seconds=15)  # nothing may be acknowledged meanwhile
        self.pair.standby.start()

    def of_standby_promoted(self):
        """The primary stops, the standby is promoted; when the old primary runs again it must acknowledge nothing."""
        self.pair.now.stop()
        self.requests(10)
        old = self.pair.promote()
        self.pair.restore()
        old.kill_bouncer()  # what is connected to it would read at the old primary
        old.start()
        with self.at(old) as replica:
            self.expect_no_acknowledgement(replica)
        old.remove()

    def of_primary_frozen_and_standby_promoted(self):
        """As above, but the old primary runs on, and a replica is connected to it that nobody has told."""
        old = self.pair.now
        with self.at(old) as replica:
            if self.put(replica) not in (200, 201):
                self.judge.fault("a replica at the primary does not write")
            old.signal(signal.SIGSTOP)
            try:
                self.requests(10)
                self.pair.promote()
                self.pair.restore()  # the replicas' connections to the old primary end
                old.kill_bouncer()
            finally:
                old.signal(signal.SIGCONT)
            self.expect_no_acknowledgement(replica)
        old.remove()

    def of_asynchronous_standby_promoted(self):
        """What the standby had not received is lost, and nobody may be told otherwise."""
        self.pair.synchronous(False)
        self.pair.replication.hang()
        if not self.figures.until(20, "acknowledged"):
            self.judge.fault("nothing was written without a synchronous standby")
        self.judge.lossy_until = float("inf")
        self.pair.now.stop()
        self.pair.replication.cut()
        old = self.pair.promote()
        self.pair.restore()
        self.pair.synchronous(True)
        old.remove()

    @contextlib.contextmanager
    def at(self, server):
        """A replica that knows this server only, and that no client knows."""
        programs, database = self.clients.replicas[0].programs, f"postgres:///livedelta?host={server.home}&user=livedelta"
        replica = Replica(programs, "old", self.pair.directory, database)
        try:
            yield replica
        finally:
            replica.kill()

    def put(self, replica):
        try:
            return replica.request("PUT", PATH + "collections/outside", json.dumps({"items": [{"id": os.urandom(4).hex()}]}))[0]
        except BROKEN as error:
            return self.judge.fault(f"replica {replica.number}: {error!r}")

    def expect_no_acknowledgement(self, replica):
        status = self.put(replica)
        if not status or status < 500:
            self.judge.fault(f"the old primary acknowledged a write: {status}")
