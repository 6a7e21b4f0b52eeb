"""What a view shows of a version (§15), told in the slowest and most obvious way."""

from fractions import Fraction

from .document import Number, Version, parse, same, size, text

ABSENT = object()


def at(value, pointer):
    """The value at a JSON pointer; ABSENT where there is none."""
    for part in pointer.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(part, ABSENT)
        elif isinstance(value, list):
            value = value[int(part)] if part.isdigit() and str(int(part)) == part and int(part) < len(value) else ABSENT
        else:
            return ABSENT
        if value is ABSENT:
            return ABSENT
    return value


def kind(value):
    if isinstance(value, Number):
        return "number"
    return {dict: "object", list: "array", str: "text", bool: "bool", type(None): "null"}[type(value)]


def exact(number):
    return Fraction(str(number))


def equal(a, b):
    """Numbers by their value, also inside of arrays and objects."""
    if kind(a) != kind(b):
        return False
    if kind(a) == "number":
        return exact(a) == exact(b)
    if kind(a) == "array":
        return len(a) == len(b) and all(map(equal, a, b))
    if kind(a) == "object":
        return a.keys() == b.keys() and all(equal(a[k], b[k]) for k in a)
    return a == b


def compare(a, b):
    """-1, 0 or 1; None for values that do not order."""
    if kind(a) != kind(b) or kind(a) not in ("number", "text"):
        return None
    a, b = (exact(a), exact(b)) if kind(a) == "number" else (a.encode(), b.encode())
    return (a > b) - (a < b)


def satisfies(item, term):
    pointer, op, *rest = term
    value = at(item, pointer)
    if value is ABSENT:
        return op in ("absent", "ne")
    if op in ("exists", "absent"):
        return op == "exists"
    wanted = rest[0]
    order = compare(value, wanted) if op in ("lt", "le", "gt", "ge") else None
    return {
        "eq": lambda: equal(value, wanted), "ne": lambda: not equal(value, wanted),
        "lt": lambda: order == -1, "le": lambda: order in (-1, 0), "gt": lambda: order == 1, "ge": lambda: order in (0, 1),
        "in": lambda: any(equal(value, w) for w in wanted),
        "prefix": lambda: kind(value) == "text" and value.encode().startswith(wanted.encode()),
        "has": lambda: kind(value) == "array" and any(equal(v, wanted) for v in value),
    }[op]()


def selected(item, pointers):
    """The item with its id and what is at the pointers, members in their own order."""
    def keep(value, paths):
        if [] in paths:
            return value
        if not isinstance(value, dict):
            return ABSENT
        kept = {}
        for name, member in value.items():
            inner = [p[1:] for p in paths if p[0] == name]
            found = keep(member, inner) if inner else ABSENT
            if found is not ABSENT:
                kept[name] = found
        return kept
    paths = [[p.replace("~1", "/").replace("~0", "~") for p in pointer.split("/")[1:]] for pointer in ["/id", *pointers]]
    return keep(item, paths)


class View:
    """`where`: (pointer, op[, value]); `select`: pointers or None; `order`: (pointer, is descending, type); `sections`."""

    def __init__(self, where=(), select=None, order=(), sections=None):
        self.where, self.select, self.order = list(where), select, list(order)
        self.sections = sections or ("drop" if self.where else "keep")

    def parameters(self):
        found = [("where", ":".join([t[0], t[1], *[text(v) for v in t[2:]]])) for t in self.where]
        if self.select is not None:
            found.append(("select", ",".join(self.select)))
        found += [("order", f"{p}{':desc' if d else ''}:{k}") for p, d, k in self.order]
        return found + [("sections", self.sections)]

    def lists(self, version):
        """The whole list: (section id, header, ids)."""
        found = [(s, version.headers[s], [i for i in ids if all(satisfies(version.items[i], t) for t in self.where)])
                 for s, ids in version.lists]
        if self.sections == "flat":
            found = [("", {"id": ""}, [i for _, _, ids in found for i in ids])]
        for pointer, descending, how in reversed(self.order):
            key = lambda i: exact(at(version.items[i], pointer)) if how == "number" else at(version.items[i], pointer).encode()  # noqa: E731,B023
            found = [(s, h, sorted(ids, key=key, reverse=descending)) for s, h, ids in found]
        return [one for one in found if one[2] or self.sections != "drop"]

    def shown(self, version, window=None, before=None):
        """What is shown: a Version whose sections have `start` and `total` where they are shown in part, its numbers, and
        whether the window is that of every reader who asks for it."""
        whole = self.lists(version)
        flat = [i for _, _, ids in whole for i in ids]
        start, end, anchor, sure = place(flat, window, version, before and [i for _, _, x in self.lists(before) for i in x])
        if start is None:
            return None, {"total": len(flat), "start": None}, sure
        position, sections = 0, []
        for section, header, ids in whole:
            low, high = max(start, position), min(end, position + len(ids))
            run = ids[low - position:high - position] if low < high else []
            if run or window is None:
                part = {"start": Number(low - position), "total": Number(len(ids))} if len(run) < len(ids) else {}
                items = [version.items[i] if self.select is None else selected(version.items[i], self.select) for i in run]
                sections.append({**header, **part, "items": items})
            position += len(ids)
        numbers = {"total": len(flat), "start": start, "count": end - start}
        if anchor is not None:
            numbers["anchor"] = anchor
        body = {"sections": sections}
        if version.meta is not None:
            body["meta"] = version.meta
        return body, numbers, sure


def place(flat, window, version, older):
    total = len(flat)
    if window is None:
        return 0, total, None, True
    form, *rest = window
    if form == "first":
        return 0, min(rest[0], total), None, True
    if form == "last":
        return max(0, total - rest[0]), total, None, True
    if form == "at":
        return min(rest[0], total), min(rest[0] + rest[1], total), None, True
    name, before, after = rest
    if name in flat:
        at_, sure = flat.index(name), True
    else:
        at_, sure = None, False
        if older and name in older and name not in version.items:
            index = older.index(name)
            for near in older[:index][::-1] + older[index + 1:]:
                if near in flat:
                    at_ = flat.index(near)
                    break
            else:
                at_ = min(index, total - 1) if total else None
        else:
            return None, None, None, False  # where it stands is not told by the lists alone
    if at_ is None:
        return 0, 0, None, False
    return max(0, at_ - before), min(total, at_ + after + 1), flat[at_], sure


def window_text(window):
    return ":".join(str(part) for part in window)


def without_numbers(body):
    """The sections without `start` and `total`, which deltas do not have."""
    return Version({**body, "sections": [
        {k: v for k, v in s.items() if k not in ("start", "total")} for s in body["sections"]]})


__all__ = ["View", "parse", "same", "size", "window_text", "without_numbers"]
