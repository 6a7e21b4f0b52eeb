"""JSON that keeps number texts, and the versions of a collection (§3)."""

import json


class Number(str):
    """A number, as it was written: `1` and `1.0` differ."""


def parse(text):
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_no_constant)


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def text(value, sort=False):
    """JSON on one line; with `sort` the form in which equal values are the same text."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        members = sorted(value.items()) if sort else value.items()
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{text(v, sort)}" for k, v in members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(text(v, sort) for v in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def same(a, b):
    """Equality of content: regardless of the order of members; numbers by their text."""
    return text(a, True) == text(b, True)


def size(value):
    """The bytes of its JSON."""
    return len(text(value).encode())


def loose(value):
    """A value as a reader may hold it whose numbers are doubles: 1 and 1.0 are then one."""
    if isinstance(value, Number):
        return ["number", float(value)]
    if isinstance(value, dict):
        return {name: loose(member) for name, member in value.items()}
    return [loose(member) for member in value] if isinstance(value, list) else value


def identifier(value):
    """Ids are compared by their text."""
    return str(value)


def numbered(ids):
    """The names of a list's ids: the k-th of several equal ones is `id#k`."""
    counts = {}
    for name in ids:
        counts[name] = counts.get(name, 0) + 1
        yield name if counts[name] == 1 else f"{name}#{counts[name]}"


class Version:
    """One version of a collection: sections of items in order, and `meta`; repeated ids are numbered."""

    def __init__(self, body):
        if isinstance(body, list):
            body = {"items": body}
        sections = body["sections"] if "sections" in body else [{"id": "", "items": body["items"]}]
        self.meta = body.get("meta")
        names = numbered(identifier(item["id"]) for s in sections for item in s["items"])
        self.lists = [(name, [next(names) for _ in s["items"]])
                      for name, s in zip(numbered(identifier(s["id"]) for s in sections), sections)]
        self.headers = {name: {k: v for k, v in s.items() if k != "items"} for (name, _), s in zip(self.lists, sections)}
        self.items = dict(zip(self.rows(), (item for s in sections for item in s["items"])))

    @property
    def sections(self):
        return [{**self.headers[s], "items": [self.items[i] for i in ids]} for s, ids in self.lists]

    @property
    def sent(self):
        """The id that each item was sent with."""
        return {name: identifier(item["id"]) for name, item in self.items.items()}

    @property
    def place(self):
        """Where each item is: section and index."""
        return {item: (s, i) for s, ids in self.lists for i, item in enumerate(ids)}

    @property
    def order(self):
        return [s for s, _ in self.lists]

    def rows(self, headers=False):
        """The flattened list; with headers a section's is the row `["s", id]`."""
        return [row for s, ids in self.lists for row in ([("s", s)] if headers else []) + ids]

    def document(self, collection, version, seq):
        """What a GET of the collection returns."""
        members = {"kind": "snapshot", "collection": collection, "version": version, "seq": Number(seq),
                   "sections": self.sections}
        return members if self.meta is None else {**members, "meta": self.meta}


def increasing(numbers, last=False):
    """The positions of a longest increasing subsequence; with `last` another one, where there are several."""
    if last:
        size = len(numbers)
        return {size - 1 - p for p in increasing([-n for n in reversed(numbers)])}
    tails, previous = [], [None] * len(numbers)
    for position, number in enumerate(numbers):
        low, high = 0, len(tails)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if numbers[tails[middle]] < number else (low, middle)
        previous[position] = tails[low - 1] if low else None
        tails[low:low + 1] = [position]
    kept, position = set(), tails[-1] if tails else None
    while position is not None:
        kept.add(position)
        position = previous[position]
    return kept


class Difference:
    """What differs between two versions, and the fewest moves that lead from one to the other (§6, law 7)."""

    def __init__(self, old, new, last=False):
        self.old, self.new = old, new
        before, after = old.place, new.place
        self.inserted = [i for i in new.rows() if i not in before]
        self.deleted = [i for i in old.rows() if i not in after]
        self.changed = [i for i in new.rows() if i in before and not same(old.items[i], new.items[i])]
        self.sections_inserted = [s for s in new.order if s not in old.headers]
        self.sections_deleted = [s for s in old.order if s not in new.headers]
        self.sections_changed = [
            s for s in new.order if s in old.headers and not same(old.headers[s], new.headers[s])]
        self.sections_moved = self._moved(old.order, new.order, last)
        self.moved = [i for i in new.rows() if i in before and before[i][0] != after[i][0]]
        self.entering = [i for i in self.moved if after[i][0] not in old.headers]
        self.leaving = [i for i in self.moved if before[i][0] not in new.headers]
        here = dict(old.lists)
        for section, ids in new.lists:
            self.moved += self._moved(here.get(section, []), ids, last)
        self.meta_changed = not same(old.meta, new.meta)

    @staticmethod
    def _moved(old, new, last):
        at = {name: position for position, name in enumerate(old)}
        both = [name for name in new if name in at]
        kept = increasing([at[name] for name in both], last)
        return [name for position, name in enumerate(both) if position not in kept]

    def flat_moves(self, headers=False):
        return len(self._moved(self.old.rows(headers), self.new.rows(headers), False))

    @property
    def deferred(self):
        """The sections that go out after the items, because a survivor leaves them."""
        before = self.old.place
        left = {before[i][0] for i in self.leaving}
        return [s for s in self.sections_deleted if s in left]

    @property
    def plan(self):
        """Law 8: the steps as sets of what they may have."""
        late = self.deferred
        sections = bool(self.sections_inserted or self.sections_moved or set(self.sections_deleted) - set(late))
        before, after = self.old.place, self.new.place
        inserts = any(after[i][0] in self.old.headers for i in self.inserted)
        deletes = any(before[i][0] in self.new.headers for i in self.deleted)
        items = bool(self.moved or inserts or deletes)
        apart = sections and items and bool(self.sections_moved or self.entering)
        steps = [{"sections"}, {"items"}] if apart else [{"sections"} if sections else set()]
        if items and not apart:
            steps[-1].add("items")
        steps = [step for step in steps if step]
        joins = items and not self.moved and "sections" not in steps[-1] and not self.sections_changed
        if late:
            steps.append({"sections"})
        if self.changed or self.sections_changed:
            if joins and self.changed:
                steps[-1].add("reloads")
            else:
                steps.append({"reloads"})
        return steps
