"""Judges an answer: whether it turns one version into another, and keeps the laws (§§6 and 7).

`judge(old, new, dialect, answer)` raises `Wrong` with the law; how an answer gets there is the service's business
wherever the contract leaves that open.
"""

from .document import Difference, Number, same, size, text
from .engine import merge


class Wrong(Exception):
    """An answer that breaks the contract."""


def need(condition, what):
    if not condition:
        raise Wrong(what)


def judge(old, new, dialect, answer, *, headers=False, patches=False):
    difference = Difference(old, new)
    if dialect == "json-patch":
        return judge_patch(old.document("c", "v", 1), new.document("c", "v", 1), answer)
    if dialect == "snapshot":
        return need(same(answer["sections"], new.sections) and same(answer.get("meta"), new.meta), "the content")
    contents(difference, answer, patches)
    if dialect == "ops":
        return ops(difference, answer, headers)
    {"staged": staged, "splice": splice, "diffable": diffable}[dialect](difference, answer)
    return None


def contents(difference, answer, patches):
    """Law 9, `deleted` and `meta`."""
    new, old = difference.new, difference.old
    need(sorted(answer["deleted"]) == sorted(difference.deleted), "6: `deleted` lists exactly the ids that are gone")
    need(sorted(answer["items"]) == sorted(difference.inserted + difference.changed),
         "9: `items` has an entry for each id that was inserted or changed, and no other")
    need(sorted(answer["sections"]) == sorted(difference.sections_inserted + difference.sections_changed),
         "9: `sections` has an entry for each section that was inserted or changed, and no other")
    for name, value in answer["items"].items():
        if patches:
            value = decode(value, old.items.get(name), new.items[name])
        need(same(value, new.items[name]), f"5: the content of {name!r}")
    for name, value in answer["sections"].items():
        need(same(value, new.headers[name]), f"5: the header of {name!r}")
    need(("meta" in answer) == difference.meta_changed, "`meta` is there if it changed, and only then")
    if "meta" in answer:
        need(same(answer["meta"], new.meta), "5: `meta`")


def decode(entry, held, wanted):
    if list(entry) == ["~item"]:
        return entry["~item"]
    if list(entry) != ["~patch"]:
        need(list(wanted) != ["~patch"], "an item whose only member is `~patch` is sent wrapped")
        return entry
    need(held is not None, "a patch only of an item that `from` has")
    need(size(entry) < size(wanted), "a patch is shorter than the item")
    return merge(held, entry["~patch"])


# staged

class Strict:
    """Carries out steps, and refuses what a list view would crash at."""

    def __init__(self, version):
        self.lists = [(s, list(ids)) for s, ids in version.lists]
        self.moved, self.reloaded, self.redrawn, self.in_and_out = [], [], [], []
        self.sections_moved = []

    def item(self, place, what):
        s, i = int(place[0]), int(place[1])
        need(0 <= s < len(self.lists) and 0 <= i < len(self.lists[s][1]), f"1: {what} {place} does not exist")
        return s, i

    def section(self, index, what):
        need(0 <= int(index) < len(self.lists), f"1: {what} {index} does not exist")
        return int(index)

    def step(self, step):
        need(set(step) <= {"delete", "insert", "move", "reload", "counts"}, "a step has four operations and counts")
        parts = {op: step.get(op, {}) for op in ("delete", "insert", "move", "reload")}
        for op in parts:
            need(op not in step or step[op], f"empty members are left out: {op}")
            need(set(parts[op]) <= {"sections", "items"} and all(parts[op].values()), f"the members of {op}")
        get = lambda op, what: parts[op].get(what, [])  # noqa: E731
        section_operations = any(get(op, "sections") for op in ("delete", "insert", "move"))
        item_operations = any(get(op, "items") for op in parts)
        need(not (get("move", "sections") and item_operations), "3: a step that moves sections has no item operations")
        if parts["reload"]:
            need(not parts["move"] and not section_operations, "2: a step with a reload has no moves or section operations")
        deletes, moves = set(map(int, get("delete", "sections"))), get("move", "sections")
        sources = {self.section(i, "the section") for i, _ in moves}
        for index in deletes:
            self.section(index, "the section")
        need(not deletes & sources and len(sources) == len(moves), "1: a section has one role before")
        self._ascend(parts)
        gone = self._reload(get) if parts["reload"] else set()
        taken = [self.item(p, "the item") for p in get("delete", "items")]
        taken += [self.item(m[:2], "the item") for m in get("move", "items")]
        need(len(set(taken)) == len(taken) and not set(taken) & gone, "1: an item has one role before")
        need(not any(s in deletes for s, _ in taken), "3: a deleted section's items are not named")
        self.in_and_out += [self.lists[s][1][i] for s, i in taken[:len(get("delete", "items"))]]
        self.in_and_out += [i for s in deletes for i in self.lists[s][1]]
        self._go(get, deletes, sources, taken)
        counts = [len(ids) for _, ids in self.lists]
        need(list(map(int, step["counts"])) == counts, f"4: counts are {counts} after the step")

    def _ascend(self, parts):
        keys = lambda op, what, of: [of(e) for e in parts[op].get(what, [])]  # noqa: E731
        orders = [keys("delete", "sections", int), keys("insert", "sections", lambda e: int(e["at"])),
                  keys("reload", "sections", lambda e: int(e[0])), keys("move", "sections", lambda e: int(e[1]))]
        orders += [keys(op, "items", lambda e: (int(e[0]), int(e[1]))) for op in ("delete", "insert", "reload")]
        orders.append(keys("move", "items", lambda e: (int(e[2]), int(e[3]))))
        for order in orders:
            need(order == sorted(set(order)), "1: operations ascend, each index once")

    def _reload(self, get):
        redrawn, found = set(), set()
        for index, name in get("reload", "sections"):
            s = self.section(index, "the section")
            need(self.lists[s][0] == name, "the id of a reloaded section")
            redrawn.add(s)
            self.redrawn.append(name)
        for s, i, name in get("reload", "items"):
            place = self.item([s, i], "the item")
            need(self.lists[place[0]][1][place[1]] == name, "the id of a reloaded item")
            need(place[0] not in redrawn, "2: no item operation in a section that is reloaded")
            found.add(place)
            self.reloaded.append(name)
        for op in ("delete", "insert", "move"):
            need(not any(int(e[0]) in redrawn for e in get(op, "items")), "2: no item operation in such a section")
        return found

    def _go(self, get, deletes, sources, taken):
        ids = {place: self.lists[place[0]][1][place[1]] for place in taken}
        before, out = self.lists, set(taken)
        rest = [(s, [i for n, i in enumerate(items) if (p, n) not in out])
                for p, (s, items) in enumerate(before) if p not in deletes and p not in sources]
        placed = {int(j): before[int(i)] for i, j in get("move", "sections")}
        self.sections_moved += [s for s, _ in placed.values()]
        inserts = {int(e["at"]): (e["id"], list(e["items"])) for e in get("insert", "sections")}
        need(not set(placed) & set(inserts), "1: a section has one role after")
        placed.update(inserts)
        after = _filled(placed, rest, "sections")
        coming = [(int(s2), int(i2), ids[int(s), int(i)]) for s, i, s2, i2 in get("move", "items")]
        self.moved += [i for _, _, i in coming]
        arriving = [(int(s), int(i), name) for s, i, name in get("insert", "items")]
        self.in_and_out += [name for _, _, name in arriving] + [i for _, items in inserts.values() for i in items]
        by_section = {}
        for s, i, name in coming + arriving:
            need(0 <= s < len(after), f"1: there is no section {s} after the step")
            need(s not in inserts, "3: a step does not put items into a section that it inserts")
            need(i not in by_section.setdefault(s, {}), "1: an item has one role after")
            by_section[s][i] = name
        self.lists = [(s, _filled(by_section.get(p, {}), items, "items")) for p, (s, items) in enumerate(after)]


def _filled(placed, rest, what):
    size = len(placed) + len(rest)
    need(all(0 <= at < size for at in placed), f"1: an index of {what} does not exist after the step")
    left = iter(rest)
    return [placed[at] if at in placed else next(left) for at in range(size)]


def staged(difference, answer):
    state, both = Strict(difference.old), set(difference.old.items) & set(difference.new.items)
    for step in answer["steps"]:
        state.step(step)
    need(state.lists == [(s, list(ids)) for s, ids in difference.new.lists], "5: the steps lead to the new version")
    need(not both & set(state.in_and_out), "6: an id in both versions is never deleted and inserted")
    need(len(set(state.moved)) == len(state.moved), "7: an id moves at most once")
    need(len(state.moved) == len(difference.moved), f"7: {len(difference.moved)} items move, not {len(state.moved)}")
    need(len(state.sections_moved) == len(difference.sections_moved), "7: the moves of sections are minimal")
    need(sorted(state.redrawn) == sorted(difference.sections_changed), "5: each changed section is reloaded once")
    redrawn, place = set(state.redrawn), difference.new.place
    wanted = [i for i in difference.changed if place[i][0] not in redrawn]
    need(sorted(state.reloaded) == sorted(wanted), "5: each changed item is reloaded once, and no other")
    need(len(answer["steps"]) == len(difference.plan), f"8: {len(difference.plan)} steps are enough")


# the others

def ops(difference, answer, headers):
    rows, moves, news, gone, changed = difference.old.rows(headers), 0, [], [], []
    name = lambda row: tuple(row) if isinstance(row, list) else row  # noqa: E731
    for op in answer["ops"]:
        at = int(op[1])
        if op[0] == "r":
            need(0 <= at and int(op[2]) > 0 and at + int(op[2]) <= len(rows), f"{op} is outside of the list")
            gone += rows[at:at + int(op[2])]
            del rows[at:at + int(op[2])]
        elif op[0] == "m":
            need(0 <= at < len(rows) and 0 <= int(op[2]) < len(rows), f"{op} is outside of the list")
            rows.insert(int(op[2]), rows.pop(at))
            moves += 1
        elif op[0] == "i":
            need(0 <= at <= len(rows), f"{op} is outside of the list")
            news += map(name, op[2])
            rows[at:at] = map(name, op[2])
        else:
            need(op[0] == "c" and rows[at:at + len(op[2])] == list(map(name, op[2])), f"{op} names other rows")
            changed += map(name, op[2])
    old, new = difference.old.rows(headers), difference.new.rows(headers)
    need(rows == new, "the operations lead to the new list")
    key = text
    need(sorted(map(key, news)) == sorted(key(r) for r in new if r not in set(old)), "6: only what is new is inserted")
    need(sorted(map(key, gone)) == sorted(key(r) for r in old if r not in set(new)), "6: only what is gone is removed")
    wanted = difference.changed + [("s", s) for s in difference.sections_changed if headers]
    need(sorted(map(key, changed)) == sorted(map(key, wanted)), "5: what changed, each once")
    need(moves == difference.flat_moves(headers), f"7: {difference.flat_moves(headers)} rows move, not {moves}")


def splice(difference, answer):
    need(answer["order"] == difference.new.order, "`order` has the sections of the new version")
    removed, here = set(answer["removed"]), dict(difference.old.lists)
    need(len(removed) == len(answer["removed"]) and removed <= set(difference.old.items), "`removed` has held ids, once")
    lists = {s: [i for i in here.get(s, []) if i not in removed] for s in answer["order"]}
    seen = {}
    for section, index, name in answer["added"]:
        need(section in lists and 0 <= int(index) <= len(lists[section]), f"{name!r} is added outside of its section")
        need(int(index) > seen.get(section, -1), "`added` ascends by final position")
        seen[section] = int(index)
        lists[section].insert(int(index), name)
    need([(s, lists[s]) for s in answer["order"]] == [(s, list(ids)) for s, ids in difference.new.lists],
         "5: the additions lead to the new version")
    need(sorted(answer["changed"]) == sorted(difference.changed), "`changed` has what changed, each once")


def diffable(difference, answer):
    need(answer["order"] == [[s, list(ids)] for s, ids in difference.new.lists], "`order` is the new list")
    need(sorted(answer["reconfigure"]) == sorted(difference.changed), "`reconfigure` has what changed, each once")


# JSON Patch (RFC 6902)

def judge_patch(old, new, patch, versions=None):
    """`versions` are those that the patch tests first and sets last; None where there are none (`/v1/diff`)."""
    if versions:
        need(patch and patch[0] == {"op": "test", "path": "/version", "value": versions[0]}, "first a test of /version")
        last = [(op["op"], op["path"]) for op in patch[-2:]]
        need(last == [("replace", "/seq"), ("replace", "/version")], "last the replacements of /seq and /version")
    need(same(apply_patch(old, patch), new), "5: the patch gives the new document")


def apply_patch(document, patch):
    root = {"": copy(document)}
    for op in patch:
        kind, path = op["op"], op["path"]
        if kind in ("move", "copy"):
            value = copy(_get(root, op["from"]))
            if kind == "move":
                _remove(root, op["from"])
            _add(root, path, value)
        elif kind == "test":
            need(same(_get(root, path), op["value"]), f"the test of {path}")
        elif kind == "remove":
            _remove(root, path)
        elif kind == "replace":
            _get(root, path)
            parent, key = _parent(root, path)
            parent[key] = copy(op["value"])
        else:
            need(kind == "add", f"there is no operation {kind}")
            _add(root, path, copy(op["value"]))
    return root[""]


def copy(value):
    if isinstance(value, dict):
        return {k: copy(v) for k, v in value.items()}
    return [copy(v) for v in value] if isinstance(value, list) else value


def _parent(root, path, adds=False):
    value = root
    *before, last = [""] + [p.replace("~1", "/").replace("~0", "~") for p in path.split("/")[1:]]
    for part in before:
        value = value[int(part)] if isinstance(value, list) else value.get(part)
        need(isinstance(value, (dict, list)), f"{path} does not exist")
    if isinstance(value, list):
        last = len(value) if last == "-" and adds else int(last)
        need(0 <= last < len(value) + adds, f"{path} does not exist")
    else:
        need(adds or last in value, f"{path} does not exist")
    return value, last


def _get(root, path):
    parent, key = _parent(root, path)
    return parent[key]


def _remove(root, path):
    parent, key = _parent(root, path)
    del parent[key]


def _add(root, path, value):
    parent, key = _parent(root, path, adds=True)
    if isinstance(parent, list):
        parent.insert(key, value)
    else:
        parent[key] = value
