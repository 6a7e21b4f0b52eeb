"""Judges what writers and readers were told by any replica.

A version has one content. Versions of a lineage follow each other without gaps. A delta, applied to the
content of the version it leads from, gives the content of the version it leads to. A reader never sees
less than it has seen. What was told is there afterwards, a key is used once, a refused write never shows.
Only what a failover without a synchronous standby has lost may be contradicted, and then by a reset.
"""
import threading
import time

from content import Content, WrongDelta


class Judge:
    def __init__(self, count):
        self.lock = threading.RLock()
        self.count = count   # called with "deltas" and "reset: REASON"
        self.contents = {}   # token -> list of items
        self.previous = {}   # token -> the token before it, as a writer was told
        self.keys = {}       # collection and key -> token
        self.shown = {}      # key of a write -> a token whose content has it
        self.known = {}      # collection -> tokens told since what is kept -> when first
        self.denied = set()  # keys of writes that were told that their precondition failed
        self.suspects = []   # what is wrong unless one of some tokens was lost
        self.lost = set()
        self.lossy_until = 0.0
        self.faults = []

    def fault(self, text):
        with self.lock:
            if len(self.faults) < 20:
                self.faults.append(text)

    def suspect(self, tokens, text):
        with self.lock:
            self.suspects.append((set(tokens), text))

    def content(self, where, name, token, items):
        """Notes or compares the content of a version."""
        with self.lock:
            self.note(name, token)
            known = self.contents.setdefault(token, items)
            for item in items:
                self.shown.setdefault(str(item["id"]), token)
                if item["id"] in self.denied:
                    self.suspect([token], f"{where}: {token} has the write {item['id']}, which was refused by 412")
        if known != items:
            self.fault(f"{where}: {token} is {items}, it was {known}")

    def note(self, name, token):
        with self.lock:
            self.known.setdefault(name, {}).setdefault(token, time.monotonic())

    def receipt(self, where, name, key, token, previous=None, items=None):
        """Notes what a writer was told."""
        with self.lock:
            self.note(name, token)
            known = self.keys.setdefault((name, key), token)
            if known != token:
                self.suspect([known], f"{where}: key {key} of {name} gave {known}, now {token}")
                self.keys[name, key] = token
            if items is not None:
                self.content(where, name, token, items)
            if previous:
                if seq(token) != seq(previous) + 1:
                    self.fault(f"{where}: {token} follows {previous}")
                known = self.previous.setdefault(token, previous)
                if known != previous:
                    self.suspect([known, previous], f"{where}: {token} follows {known} and {previous}")

    def denial(self, where, key):
        """Notes that a write was told that its precondition failed."""
        with self.lock:
            self.denied.add(key)
            if key in self.shown:
                self.suspect([self.shown[key]], f"{where}: {key} is in {self.shown[key]}, but it is told 412")

    def answer(self, where, name, since, held, answer):
        """Checks a reader's answer; returns the version and the content it then holds."""
        kind = answer["kind"]
        if kind == "unchanged":
            if answer["version"] != since:
                self.fault(f"{where}: unchanged at {answer['version']}, asked since {since}")
            return since, held
        if kind == "deleted":
            self.fault(f"{where}: deleted, which nobody did")
            return None, None
        held = held or Content()
        try:
            held.take(answer)
        except (WrongDelta, LookupError) as error:
            self.fault(f"{where}: {error!r} in a {kind}, asked since {since}")
            return None, None
        token, items = held.version, held.all_items()
        if kind == "delta":
            self.count("deltas")
        elif answer.get("reset"):
            self.reset(where, since, token, answer["reset"]["reason"])
        if since and (lineage(token) != lineage(since) or seq(token) < seq(since)):
            self.suspect([since], f"{where}: back from {since} to {token}")
        self.content(where, name, token, items)
        return token, held

    def reset(self, where, since, token, reason):
        self.count(f"reset: {reason}")
        if reason in ("diverged", "lineage-changed"):
            self.suspect([since], f"{where}: {reason} since {since}, the head is {token}")

    def audit(self, name, token, kept):
        """Compares what was told with what is kept now, from the oldest version: `kept`, which has `token`."""
        for before, after in zip(kept, kept[1:]):
            if seq(after) != seq(before) + 1:
                self.fault(f"{name}: {after} follows {before}")
            known = self.previous.get(after)
            if known and known != before:
                self.suspect([known], f"{name}: {after} follows {before}, a writer was told {known}")
        if token not in kept:
            self.fault(f"{name}: {token} was just acknowledged, but kept are {kept[-3:]}")

    def settle(self, name, told, kept):
        """Finds what is gone of `told`, the versions told before `kept` was read."""
        for token, date in told.items():
            is_old = lineage(token) == lineage(kept[0]) and seq(token) < seq(kept[0])
            if not is_old and token not in kept and token not in self.lost:
                self.lost.add(token)
                if date > self.lossy_until:
                    self.fault(f"{name}: {token} was told, kept are {kept[0]} to {kept[-1]}")
            if is_old or token in self.lost:
                with self.lock:
                    self.known[name].pop(token, None)

    def forget(self):
        """Forgets the contents of versions that are no longer kept, which nobody can be told any more."""
        with self.lock:
            kept = {token for tokens in self.known.values() for token in tokens}
            self.contents = {token: items for token, items in self.contents.items() if token in kept}
            self.previous = {token: before for token, before in self.previous.items() if token in kept}
            self.keys = {key: token for key, token in self.keys.items() if token in kept}
            self.shown = {key: token for key, token in self.shown.items() if token in kept}

    def settle_suspects(self):
        with self.lock:
            suspects, self.suspects = self.suspects, []
        for tokens, text in suspects:
            if not tokens & self.lost:
                self.fault(text)


def lineage(token):
    return token.split(".")[0]


def seq(token):
    return int(token.split(".")[1])
