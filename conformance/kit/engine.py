"""One valid answer in each dialect (§§6 and 7). A service may give others: `judge` tells which."""

from .document import Difference, Number, increasing, same, size

DIALECTS = ["staged", "ops", "splice", "diffable", "json-patch", "snapshot"]


def number(value):
    return Number(value)


def body(old, new, dialect, *, headers=False, patches=False, last=False):
    """The part of a delta that the dialect defines, with the contents that all but JSON Patch share."""
    difference = Difference(old, new, last)
    if dialect == "json-patch":
        return json_patch(difference)
    own = {"staged": staged, "splice": splice, "diffable": diffable,
           "ops": lambda found: ops(found, headers)}[dialect](difference)
    return {**own, **contents(difference, patches)}


def contents(difference, patches=False):
    old, new = difference.old, difference.new
    wanted = set(difference.inserted) | set(difference.changed)
    members = {
        "items": {i: entry(old.items.get(i), new.items[i], patches) for i in new.rows() if i in wanted},
        "sections": {s: new.headers[s] for s in new.order
                     if s in difference.sections_inserted or s in difference.sections_changed},
        "deleted": difference.deleted}
    return {**members, "meta": new.meta} if difference.meta_changed else members


def entry(old, new, patches):
    """An entry of `items`: the item, or with `items=patch` a shorter merge patch that gives exactly it."""
    if not patches:
        return new
    patch = None if old is None else merge_patch(old, new)
    if patch is not None and same(merge(old, patch), new) and size({"~patch": patch}) < size(new):
        return {"~patch": patch}
    return {"~item": new} if list(new) in (["~patch"], ["~item"]) else new


def merge(target, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merge(result.get(name), value)
    return result


def merge_patch(old, new):
    """A merge patch from one object to the other; it may be none that gives exactly that (a `null`, say)."""
    patch = {name: None for name in old if name not in new}
    for name, value in new.items():
        held = old.get(name)
        if name not in old or not same(held, value):
            both = isinstance(held, dict) and isinstance(value, dict)
            patch[name] = merge_patch(held, value) if both else value
    return patch


# staged

def staged(difference):
    state = [(s, list(ids)) for s, ids in difference.old.lists]
    steps, late = [], difference.deferred
    for position, kinds in enumerate(difference.plan):
        is_late = bool(late) and kinds == {"sections"} and position > 0
        after = _target(difference, state, kinds, late, is_late)
        step = _step(difference, state, after, kinds, set() if is_late else set(difference.sections_moved))
        state = after
        steps.append({**step, "counts": [number(len(ids)) for _, ids in state]})
    return {"steps": steps}


def _target(difference, state, kinds, late, is_late):
    """The list after a step."""
    new = difference.new
    if is_late:
        return [(s, ids) for s, ids in state if s not in late]
    here = dict(state)
    if "sections" in kinds:
        order = _with_late(difference, late)
        fresh = set(difference.inserted)
        first = {s: [i for i in ids if i in fresh] for s, ids in new.lists}
        state = [(s, here[s] if s in here else first[s]) for s in order]
        here = dict(state)
    if "items" in kinds:
        final = dict(new.lists)
        stay = set(difference.moved)
        state = [(s, final[s] if s in final else [i for i in ids if i not in stay]) for s, ids in state]
    return state


def _with_late(difference, late):
    """The new sections, and in their old places those that go out later."""
    order = list(difference.new.order)
    before = difference.old.order
    for section in late:
        earlier = [s for s in before[:before.index(section)] if s in order and s not in difference.sections_moved]
        order.insert(order.index(earlier[-1]) + 1 if earlier else 0, section)
    return order


def _step(difference, before, after, kinds, moved):
    here, there = dict(before), dict(after)
    at = {s: position for position, (s, _) in enumerate(before)}
    to = {s: position for position, (s, _) in enumerate(after)}
    old = {i: (at[s], n) for s, ids in before for n, i in enumerate(ids)}
    new = {i: (to[s], n) for s, ids in after for n, i in enumerate(ids)}
    pair = lambda place: [number(place[0]), number(place[1])]  # noqa: E731
    step = {"delete": {}, "insert": {}, "move": {}, "reload": {}}
    if "sections" in kinds:
        step["delete"]["sections"] = [number(at[s]) for s in at if s not in to]
        step["insert"]["sections"] = [
            {"at": number(to[s]), "id": s, "items": list(there[s])} for s in to if s not in at]
        step["move"]["sections"] = [[number(at[s]), number(to[s])] for s in to if s in moved]
    if "items" in kinds:
        movers = set(difference.moved)
        step["delete"]["items"] = [
            pair(old[i]) for i in old if i not in new and before[old[i][0]][0] in to]
        step["move"]["items"] = [pair(old[i]) + pair(new[i]) for i in new if i in movers and i in old]
        step["insert"]["items"] = [
            pair(new[i]) + [i] for i in new if i not in old and after[new[i][0]][0] in at]
    if "reloads" in kinds:
        redrawn = set(difference.sections_changed)
        step["reload"]["sections"] = [[number(at[s]), s] for s in at if s in redrawn]
        changed = set(difference.changed)
        step["reload"]["items"] = [
            pair(old[i]) + [i] for i in old if i in changed and before[old[i][0]][0] not in redrawn]
    full = {op: {k: v for k, v in parts.items() if v} for op, parts in step.items()}
    return {op: parts for op, parts in full.items() if parts}


# the others

def ops(difference, headers):
    old, new = difference.old.rows(headers), difference.new.rows(headers)
    fresh, stays = set(new) - set(old), set(new)
    out, row = [], list(old)
    position = len(row)
    while position:
        end = position
        while position and row[position - 1] not in stays:
            position -= 1
        if position < end:
            out.append(["r", number(position), number(end - position)])
            del row[position:end]
        position -= 1 if position else 0
    at = {name: n for n, name in enumerate(row)}
    target = [name for name in new if name in at]
    kept = increasing([at[name] for name in target])
    for n, name in enumerate(target):
        if n in kept:
            continue
        source = row.index(name)
        row.pop(source)
        to = row.index(target[n - 1]) + 1 if n else 0
        row.insert(to, name)
        out.append(["m", number(source), number(to)])
    shown = lambda name: list(name) if isinstance(name, tuple) else name  # noqa: E731
    changed = set(difference.changed) | {("s", s) for s in difference.sections_changed if headers}
    for kind, wanted in (("i", fresh), ("c", changed)):
        last = None
        for position, name in enumerate(new):
            if name not in wanted:
                continue
            if last == position - 1:
                out[-1][2].append(shown(name))
            else:
                out.append([kind, number(position), [shown(name)]])
            last = position
    return {"ops": out}


def splice(difference):
    moved, before = set(difference.moved), difference.old.rows()
    gone = set(difference.deleted) | moved
    coming = set(difference.inserted) | moved
    return {"order": difference.new.order, "removed": [i for i in before if i in gone],
            "added": [[s, number(n), i] for s, ids in difference.new.lists for n, i in enumerate(ids) if i in coming],
            "changed": difference.changed}


def diffable(difference):
    return {"order": [[s, ids] for s, ids in difference.new.lists], "reconfigure": difference.changed}


def json_patch(difference):
    """Of the content alone: what tests and sets the version is added where there is one."""
    old, new = difference.old, difference.new
    patch = [] if same(old.sections, new.sections) else [
        {"op": "replace", "path": "/sections", "value": new.sections}]
    if difference.meta_changed:
        op = "remove" if new.meta is None else "replace" if old.meta is not None else "add"
        patch.append({"op": op, "path": "/meta", **({} if new.meta is None else {"value": new.meta})})
    return patch
