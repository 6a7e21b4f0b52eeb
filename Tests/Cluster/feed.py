"""Follows the feed of changes at one replica after another: no acknowledged write is missed, and nothing but a failover makes a reset."""
import json
import threading

from clients import BROKEN
from judge import seq


class Follower:
    """`mayReset` tells whether a reset of the feed is right now."""

    def __init__(self, clients, mayReset):
        self.clients, self.mayReset = clients, mayReset
        self.told = threading.Condition()
        self.newest = {}  # collection -> the greatest number of a version that was told
        clients.threads.append(threading.Thread(target=clients.run, args=(self.follow,), kwargs={"number": 0}, daemon=True))

    def follow(self, number, choice):
        mark = ""
        while not self.clients.ended.is_set():
            try:
                for identifier, kind, data in choice.choice(self.clients.replicas).events("/v1/changes?ping=5", mark):
                    mark = identifier or mark
                    self.take(kind, data)
                    if choice.random() < 0.01 or self.clients.ended.is_set():
                        break  # and on at any replica
            except BROKEN:
                self.clients.back_off()

    def take(self, kind, data):
        if kind == "reset":
            self.clients.figures.count("reset: changes")
            if not self.mayReset():
                self.clients.judge.fault(f"follower: a reset of the changes, {data}")
        if kind in ("change", "deleted"):
            told = json.loads(data)
            with self.told:
                self.newest[told["name"]] = max(self.newest.get(told["name"], 0), seq(told["version"]))
                self.told.notify_all()

    def expect(self, tokens, seconds=60):
        """Waits until versions of some collections, or later ones, were told."""
        with self.told:
            def missing():
                return [token for name, token in tokens.items() if self.newest.get(name, 0) < seq(token)]
            if not self.told.wait_for(lambda: not missing(), seconds):
                self.clients.judge.fault(f"follower: after {seconds} s the changes do not have {missing()}")
