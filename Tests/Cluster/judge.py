"""Judges what writers and readers were told by any replica.

A version has one content. Versions of a lineage follow each other without gaps. A delta, applied to the
content of the version it leads from, gives the content of the version it leads to. A reader never sees
less than it has seen. A write that was acknowledged is there, and a key is used once.
"""
import threading


class Judge:
    def __init__(self):
        self.lock = threading.Lock()
        self.contents = {}  # token -> list of items
        self.previous = {}  # token -> the token before it, as a writer was told
        self.keys = {}      # key -> token
        self.faults = []
        self.deltas = 0
        self.resets = {}

    def fault(self, text):
        with self.lock:
            if len(self.faults) < 50:
                self.faults.append(text)

    def content(self, where, token, items):
        """Notes or compares the content of a version."""
        with self.lock:
            known = self.contents.setdefault(token, items)
        if known != items:
            self.fault(f"{where}: {token} is {items}, it was {known}")

    def receipt(self, where, receipt, key, items):
        """Notes what a writer was told."""
        token = receipt["version"]
        with self.lock:
            if self.keys.setdefault(key, token) != token:
                self.faults.append(f"{where}: key {key} gave {self.keys[key]}, now {token}")
        if items is not None:
            self.content(where, token, items)
        if receipt.get("changed") and receipt.get("previous"):
            with self.lock:
                known = self.previous.setdefault(token, receipt["previous"])
            if known != receipt["previous"]:
                self.fault(f"{where}: {token} follows {known} and {receipt['previous']}")

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
        if kind == "delta":
            if answer["from"] != since:
                self.fault(f"{where}: a delta from {answer['from']}, asked since {since}")
            token = answer["to"]
            items = apply(held, answer)
            self.deltas += 1
        else:
            token = answer["version"]
            items = [item for section in answer["sections"] for item in section["items"]]
            reset = answer.get("reset")
            if reset:
                reason = reset["reason"]
                self.resets[reason] = self.resets.get(reason, 0) + 1
                if reason in ("diverged", "lineage-changed"):
                    self.fault(f"{where}: {reason} since {since}, the head is {token}")
        if since and seq(token) < seq(since):
            self.fault(f"{where}: back from {since} to {token}")
        self.content(where, token, items)
        return token, items

    def chain(self, versions):
        """Checks the versions that are kept in the end: without gaps, and what writers were told."""
        for before, after in zip(versions, versions[1:]):
            if seq(after) != seq(before) + 1:
                self.fault(f"{after} follows {before}")
            known = self.previous.get(after)
            if known and known != before:
                self.fault(f"{after} follows {before}, a writer was told {known}")
        kept = {seq(token): token for token in versions}
        for token in self.keys.values():
            if token.split(".")[0] == versions[0].split(".")[0] and seq(token) in kept:
                if kept[seq(token)] != token:
                    self.fault(f"{token} was acknowledged, {kept[seq(token)]} is there")
            if seq(token) > seq(versions[-1]) and token.split(".")[0] == versions[-1].split(".")[0]:
                self.fault(f"{token} was acknowledged, the head is {versions[-1]}")


def seq(token):
    return int(token.split(".")[1])


def apply(held, delta):
    """Applies a delta of the dialect splice to a list of one section."""
    changed = set(delta["changed"])
    removed = set(delta["removed"])
    items = [
        delta["items"][str(item["id"])] if str(item["id"]) in changed else item
        for item in held if str(item["id"]) not in removed
    ]
    moved = {str(item["id"]): item for item in held}
    for _, index, name in delta["added"]:
        items.insert(index, delta["items"].get(name) or moved[name])
    return items
