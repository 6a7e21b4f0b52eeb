"""Network namespaces: the test is in one, and each replica in another, with a cable to its clients and one to the database."""
import os
import shutil
import subprocess
import sys

INSIDE = "CLUSTER_TEST_NAMESPACE"


def enter():
    """Starts the program again in a namespace of its own, if the machine allows it; whether it is in one."""
    if not os.environ.get(INSIDE):
        if os.getuid() or not (shutil.which("ip") and shutil.which("nsenter") and shutil.which("unshare")):
            return False
        probe = "ip link set lo up && ip link add name left type veth peer name right"
        if subprocess.run(["unshare", "--net", "sh", "-c", probe], stderr=subprocess.DEVNULL).returncode:
            return False
        os.environ[INSIDE] = "1"
        os.execvp("unshare", ["unshare", "--net", sys.executable, *sys.argv])
    del os.environ[INSIDE]
    ip("link", "set", "lo", "up")
    return True


def ip(*arguments, within=()):
    subprocess.run([*within, "ip", *arguments], check=True, stdin=subprocess.DEVNULL)


class Cables:
    """The namespace of a replica, which ends with the test, however that ends."""

    def __init__(self, number):
        # It is there when the first line comes, and ends with its input.
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.within = ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net"]
        ip("link", "set", "lo", "up", within=self.within)
        self.names, self.here, self.there = {}, {}, {}
        for index, end in enumerate(("clients", "database")):
            self.names[end] = name = f"{end}{number}"
            net = f"10.77.{2 * number + index}"
            self.here[end], self.there[end] = f"{net}.1", f"{net}.2"
            ip("link", "add", "name", name, "type", "veth", "peer", "name", end, "netns", str(self.holder.pid))
            ip("address", "add", f"{net}.1/24", "dev", name)
            ip("address", "add", f"{net}.2/24", "dev", end, within=self.within)
            ip("link", "set", end, "up", within=self.within)
            self.plug(end)

    def pull(self, *ends):
        """From now on nothing passes; the replica is not told, by no packet."""
        for end in ends:
            ip("link", "set", self.names[end], "down")

    def plug(self, *ends):
        for end in ends:
            ip("link", "set", self.names[end], "up")

    def remove(self):
        self.holder.stdin.close()
        self.holder.stdout.close()
        self.holder.wait()
