"""What the scripted service has: the versions of one collection, and the answer that the contract has for each reader."""

import random
import threading

from . import engine
from .document import Number, Version

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


class History:
    """Guarded by `changed`, a condition that is notified of each change."""

    def __init__(self, collection, seed, changed=None):
        """Several that are followed together share the condition."""
        self.collection, self.chance = collection, random.Random(seed)
        self.changed = changed or threading.Condition()
        self.versions = {}  # every token that there ever was: its version
        self.commits = []  # the tokens in the order in which they were made
        self.retained, self.lineage, self.seq = [], None, 0
        self.was_deleted = False
        self.too_large = False  # whether the next answer to a retained version is a snapshot
        self.animate = True

    @property
    def head(self):
        return self.retained[-1] if self.retained else None

    def _text(self, size):
        return "".join(self.chance.choice(ALPHABET) for _ in range(size))

    def put(self, *contents):
        """Commits versions, of which a reader sees the last one first."""
        with self.changed:
            if not self.retained:
                self.lineage, self.seq, self.was_deleted = self._text(8), 0, False
            for content in contents:
                self.seq += 1
                self._commit(f"{self.lineage}.{self.seq}.{self._text(16)}", Version(content))
            self.changed.notify_all()

    def _commit(self, token, version):
        self.versions[token] = version
        self.commits.append(token)
        self.retained.append(token)

    def advance(self):
        """A version of equal content: readers are told by a bookmark."""
        with self.changed:
            version = self.versions[self.head]
            self.seq += 1
            self._commit(f"{self.lineage}.{self.seq}.{self._text(16)}", version)
            self.changed.notify_all()

    def delete(self):
        with self.changed:
            self.retained, self.was_deleted = [], True
            self.changed.notify_all()

    def forget(self):
        """Compacts the history down to the head."""
        with self.changed:
            self.retained = self.retained[-1:]

    def fork(self, content):
        """The head was lost: another version takes its number."""
        with self.changed:
            self.retained.pop()
            self._commit(f"{self.lineage}.{self.seq}.{self._text(16)}", Version(content))
            self.changed.notify_all()

    def reason(self, since):
        lineage, seq = since.split(".")[0], int(since.split(".")[1])
        if lineage != self.lineage:
            return "lineage-changed"
        oldest = int(self.retained[0].split(".")[1])
        return "history-compacted" if seq < oldest else "diverged"

    def snapshot(self, reason=None, since=None, view=None):
        token = self.head
        seen = self.versions[token]
        if view:
            seen, numbers, parts = view.shown(seen, view.window, self.versions.get(since))
        found = seen.document(self.collection, token, int(token.split(".")[1]))
        if view:
            found["sections"] = [{**s, **part} for s, part in zip(found["sections"], parts)]
            found["view"] = numbers
        if reason:
            oldest = {"oldest": self.retained[0]} if reason == "history-compacted" else {}
            found["reset"] = {"reason": reason, "since": since, **oldest}
        return found

    def unchanged(self, view=None):
        token = self.head
        numbers = {"view": view.shown(self.versions[token], view.window)[1]} if view else {}
        return {"kind": "unchanged", "collection": self.collection, "version": token,
                "seq": Number(token.split(".")[1]), **numbers}

    def delta(self, since, to, asked):
        """`asked`: dialect, headers, patches, view."""
        old, new = self.versions[since], self.versions[to]
        options = {"headers": asked["headers"], "patches": asked["patches"], "last": self.chance.random() < 0.5}
        view = asked["view"]
        made = view.delta(old, new, asked["dialect"], **options) if view else (
            engine.body(old, new, asked["dialect"], **options))
        seq = Number(to.split(".")[1])
        if asked["dialect"] == "json-patch":
            return [{"op": "test", "path": "/version", "value": since}, *made,
                    {"op": "replace", "path": "/seq", "value": seq}, {"op": "replace", "path": "/version", "value": to}]
        extra = {} if self.animate else {"animate": False}
        return {"kind": "delta", "collection": self.collection, "from": since, "to": to, "seq": seq, **made, **extra}

    def answer(self, since, asked):
        """The answer to a reader who holds `since`; None if there is no collection."""
        if not self.retained:
            return None
        view = asked["view"]
        if not since:
            return self.snapshot(view=view)
        is_moved = view and view.was not in (None, view.window)
        if since == self.head and not is_moved:
            return self.unchanged(view)
        if since not in self.retained:
            return self.snapshot(self.reason(since), since, view)
        if view and not is_moved and view.is_same(self.versions[since], self.versions[self.head]):
            return self.unchanged(view)
        if self.too_large:
            self.too_large = False
            return self.snapshot("delta-too-large", since, view)
        if asked["dialect"] == "snapshot":
            return self.snapshot(view=view)
        return self.delta(since, self.head, asked)
