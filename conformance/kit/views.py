"""Views (§15): what a reader sees of a version, as a function of it; written from the contract alone."""

import decimal
import urllib.parse

from . import engine
from .document import Number, Version, numbered, parse, same

OPERATORS = ("eq", "ne", "lt", "le", "gt", "ge", "in", "prefix", "has", "exists", "absent")
MISSING = object()


class View:
    """The terms of a view; `parameters` are pairs of name and value, as a query has them."""

    def __init__(self, parameters=()):
        every = [(name, value) for name, value in parameters]
        self.parameters = sorted(every)
        one = dict(every)
        self.terms = [self._term(value) for name, value in every if name == "where"]
        self.order = [self._key(value) for name, value in every if name == "order"]
        self.select = one["select"].split(",") if "select" in one else None
        self.sections = one.get("sections", "drop" if self.terms else "keep")
        self.window, self.was = one.get("window"), one.get("was")

    @classmethod
    def of(cls, query):
        names = ("where", "select", "order", "sections", "window", "was")
        return cls((n, v) for n, v in urllib.parse.parse_qsl(query, keep_blank_values=True) if n in names)

    def __bool__(self):
        return bool(self.parameters)

    def __eq__(self, other):
        return isinstance(other, View) and self.parameters == other.parameters

    @property
    def json(self):
        """As `sync` takes it."""
        names = dict.fromkeys(name for name, _ in self.parameters)
        return {name: [v for n, v in self.parameters if n == name] if name in ("where", "order") else dict(self.parameters)[name]
                for name in names}

    @staticmethod
    def _term(text):
        parts = text.split(":")
        at = next(n for n, part in enumerate(parts) if n and part in OPERATORS)
        return ":".join(parts[:at]), parts[at], _json(":".join(parts[at + 1:])) if at + 1 < len(parts) else None

    @staticmethod
    def _key(text):
        parts = text.split(":")
        kind = parts.pop() if parts[-1] in ("text", "number", "date") else None
        is_descending = parts[-1] == "desc"
        return ":".join(parts[:-1] if is_descending else parts), is_descending, kind

    def item(self, item):
        """What is shown of an item."""
        return item if self.select is None else _selected(item, ["/id", *self.select])

    def rows(self, version):
        """All that satisfy the terms, in order: sections and items, as the version names them."""
        lists = []
        for section, ids in version.lists:
            shown = [i for i in ids if all(_holds(term, version.items[i]) for term in self.terms)]
            lists.append((section, shown))
        if self.sections == "flat":
            lists = [("", [i for _, ids in lists for i in ids])]
        for pointer, is_descending, kind in reversed(self.order):
            for _, ids in lists:
                keys = {i: _sort_key(at(version.items[i], pointer), kind) for i in ids}
                # Items without such a value come last, in either direction.
                ids[:] = sorted((i for i in ids if keys[i] is not None), key=keys.get, reverse=is_descending) + [
                    i for i in ids if keys[i] is None]
        return lists

    def shown(self, version, window, held=None):
        """What is seen of a version: a version with the sections of the window, the parts of each, and the numbers.

        `held` is the version that the reader has, where a window is around an item that is gone from the view.
        """
        lists = self.rows(version)
        flat = self.names(version)
        start, end, anchor = self._run(window, flat, held)
        sections, parts, position = [], [], 0
        for section, ids in lists:
            first, last = max(start - position, 0), min(end - position, len(ids))
            position += len(ids)
            within = ids[first:last] if first < last else []
            if not within and (window is not None or self.sections == "drop"):
                continue
            header = {"id": ""} if self.sections == "flat" else version.headers[section]
            sections.append({**header, "items": [self.item(version.items[i]) for i in within]})
            is_part = len(within) < len(ids)
            parts.append({"start": Number(first), "total": Number(len(ids))} if is_part else {})
        seen = Version({"sections": sections, **({} if version.meta is None else {"meta": version.meta})})
        numbers = {"total": Number(len(flat)), "start": Number(start), "count": Number(end - start)}
        return seen, {**numbers, **({} if anchor is None else {"anchor": anchor})}, parts

    def _run(self, window, flat, held):
        kind, _, rest = (window or "").partition(":")
        if kind == "first":
            return 0, min(int(rest), len(flat)), None
        if kind == "last":
            return max(0, len(flat) - int(rest)), len(flat), None
        if kind == "at":
            index, count = map(int, rest.split(":"))
            return min(index, len(flat)), min(index + count, len(flat)), None
        if kind == "around" and not flat:
            return 0, 0, None
        if kind == "around":
            name, before, after = rest.rsplit(":", 2)
            place = self._place(name, flat, held)
            return max(0, place - int(before)), min(len(flat), place + int(after) + 1), flat[place]
        return 0, len(flat), None

    def names(self, version):
        """The ids of all items in the view, as a reader of all of it numbers them."""
        sent = version.sent
        return list(numbered(sent[i] for _, ids in self.rows(version) for i in ids))

    def _place(self, name, flat, held):
        """Where a window around an item stands: at it, else at the nearest before it in the list of the reader's version
        that survives, else after it, else at its place; at the beginning where that version did not show it."""
        if name in flat:
            return flat.index(name)
        known = self.names(held) if held else []
        if name not in known:
            return 0
        at = known.index(name)
        near = [*reversed(known[:at]), *known[at + 1:]]
        return next((flat.index(i) for i in near if i in flat), min(at, len(flat) - 1))

    def delta(self, old, new, dialect, **options):
        """The part of a delta that a dialect defines, from the old window of one version to the new one of another."""
        before, _, _ = self.shown(old, self.was or self.window)
        after, numbers, _ = self.shown(new, self.window, old)
        found = engine.body(before, after, dialect, **options)
        if dialect == "json-patch":
            return found
        gone = found.pop("deleted")
        there, sent = set(new.sent.values()), before.sent
        left = [i for i in gone if sent[i] in there]
        found["deleted"] = [i for i in gone if sent[i] not in there]
        return {**found, **({"left": left} if left else {}), "view": numbers}

    def is_same(self, old, new):
        """Whether a reader sees the same of two versions."""
        (one, numbers, _), (other, others, _) = self.shown(old, self.window), self.shown(new, self.window, old)
        return same(one.sections, other.sections) and same(one.meta, other.meta) and same(numbers, others)


def at(value, pointer):
    """What a JSON pointer leads to."""
    for name in pointer.split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name, MISSING)
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return MISSING
    return value


def _json(text):
    try:
        return parse(text)
    except ValueError:
        return text


def _kind(value):
    if isinstance(value, Number):
        return "number"
    return "text" if isinstance(value, str) else type(value).__name__


def _equal(one, other):
    """Equality of values: numbers by their exact value, whatever their texts."""
    if _kind(one) != _kind(other):
        return False
    if isinstance(one, Number):
        return decimal.Decimal(one) == decimal.Decimal(other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(v, other[k]) for k, v in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return one == other


def _holds(term, item):
    pointer, operator, wanted = term
    value = at(item, pointer)
    if value is MISSING:
        return operator in ("absent", "ne")
    if operator in ("exists", "absent"):
        return operator == "exists"
    if operator in ("eq", "ne"):
        return _equal(value, wanted) == (operator == "eq")
    if operator == "in":
        return any(_equal(value, one) for one in wanted)
    if operator == "has":
        return isinstance(value, list) and any(_equal(one, wanted) for one in value)
    if operator == "prefix":
        return _kind(value) == "text" and value.startswith(wanted)
    if _kind(value) != _kind(wanted) or _kind(value) not in ("number", "text"):
        return False  # values of two types never order
    one, other = (decimal.Decimal(value), decimal.Decimal(wanted)) if _kind(value) == "number" else (
        value.encode(), wanted.encode())
    return {"lt": one < other, "le": one <= other, "gt": one > other, "ge": one >= other}[operator]


def _selected(value, pointers):
    """The members that pointers lead to, in their own order."""
    below = {}
    for pointer in pointers:
        name, _, rest = pointer[1:].partition("/")
        below.setdefault(name.replace("~1", "/").replace("~0", "~"), []).append(rest)
    found = {}
    for name, member in value.items():
        if name not in below:
            continue
        if "" in below[name]:
            found[name] = member
        elif isinstance(member, dict):
            found[name] = _selected(member, ["/" + rest for rest in below[name]])
    return found


def _sort_key(value, kind):
    """What a value is sorted by: without a type numbers come before texts."""
    if _kind(value) == "number" and kind != "text":
        return 0, decimal.Decimal(value)
    return (1, value.encode()) if _kind(value) == "text" and kind != "number" else None
