"""The vectors of views: what is seen of a version, and what a delta between two has."""

import random

from . import views
from .document import Number, Version

N = Number


def _mail(name, n, **members):
    return {"id": name, "n": N(n), **members}


FIRST = {"sections": [
    {"id": "pinned", "title": "Pinned", "items": [
        _mail("a", "1", unread=True, tags=["x", N("1.0")], from_={"name": "Ada", "at": "example"}),
        _mail("b", "2", title="b: with a colon")]},
    {"id": "today", "title": "Today", "items": [
        _mail("c", "1.0", unread=True, title="Ünder"), _mail("d", "-3", unread=False, tags=[]),
        _mail("e", "1e2", unread=None, title="")]},
    {"id": "empty", "title": "Empty", "items": []}], "meta": {"theme": "dark"}}

SEEN = [
    ("true is JSON", ["where=/unread:eq:true"]),
    ("numbers compare by their exact decimal value", ["where=/n:eq:1"]),
    ("an exponent is part of the value", ["where=/n:eq:100"]),
    ("what is missing satisfies `ne`", ["where=/unread:ne:true"]),
    ("what is missing satisfies `absent`, null does not", ["where=/unread:absent"]),
    ("null is there", ["where=/unread:exists"]),
    ("null is JSON", ["where=/unread:eq:null"]),
    ("all must hold", ["where=/n:ge:1", "where=/n:lt:2", "where=/unread:exists"]),
    ("negative numbers are less", ["where=/n:le:-3"]),
    ("values of two types never order", ["where=/n:lt:\"x\""]),
    ("a text that is no JSON is itself", ["where=/title:eq:b: with a colon"]),
    ("a text in quotes is JSON", ["where=/title:eq:\"\""]),
    ("texts order by their bytes in UTF-8", ["where=/title:gt:b"]),
    ("`prefix`", ["where=/title:prefix:Ün"]),
    ("`in` takes an array", ["where=/n:in:[2,3,-3]"]),
    ("`has` asks an array, by value", ["where=/tags:has:1"]),
    ("`has` of what is no array does not hold", ["where=/n:has:1"]),
    ("a pointer leads into an item", ["where=/from_/name:eq:Ada"]),
    ("nothing satisfies it", ["where=/n:gt:1e3"]),
    ("sections without an item are kept on demand", ["where=/unread:eq:true", "sections=keep"]),
    ("sections without an item are left out on demand", ["sections=drop"]),
    ("one section", ["sections=flat"]),
    ("items have some of their members, and their ids", ["select=/n"]),
    ("members of members, in their own order", ["select=/from_/at,/title"]),
    ("descending numbers, within sections", ["order=/n:desc:number"]),
    ("ascending numbers, of one section", ["order=/n:number", "sections=flat"]),
    ("ties by the collection's own order", ["order=/n:number", "sections=flat", "where=/n:in:[1,2]"]),
    ("the first", ["window=first:3"]),
    ("the last", ["window=last:2"]),
    ("from an index", ["window=at:1:3"]),
    ("an index behind the end", ["window=at:9:3"]),
    ("more than there are", ["window=first:50"]),
    ("the numbers alone", ["window=first:0"]),
    ("a window within conditions", ["where=/unread:exists", "window=last:1"]),
    ("around an item", ["window=around:c:1:1"]),
    ("around an item at the end", ["window=around:e:1:5"]),
    ("around an item that is not in the view: from the beginning", ["where=/n:ge:1", "window=around:d:1:1"]),
    ("around an item that there never was: from the beginning", ["window=around:nobody:1:1"]),
    ("everything together", ["where=/n:ge:-3", "select=/n", "order=/n:desc:number", "sections=flat", "window=at:1:2"]),
]

_VALUES = [N("10"), "b", N("2"), None, "10", True, N("-1"), "é", N("2.0"), "", N("1e1"), [N("1")], "B"]
MIXED = {"items": [{"id": "none"}, *({"id": f"i{n}", "v": value} for n, value in enumerate(_VALUES))]}

ORDERS = [
    ("numbers by value, texts by bytes, then the rest", ["order=/v"]),
    ("descending: texts, numbers, then the rest", ["order=/v:desc"]),
    ("texts alone are sorted", ["order=/v:text"]),
    ("numbers alone are sorted", ["order=/v:desc:number"]),
]


def _unread(*names):
    return {"items": [_mail(i, n, unread=i in names) for i, n in zip("abxcde", "192345")]}


def _repeated(*items):
    """Items `x`, each with its number; one that is negative is hidden."""
    return {"settings": {"identity": "occurrence"}, "items": [
        {"id": "x" if isinstance(n, int) else n, "n": N(n if isinstance(n, int) else 0)} for n in items]}


_MOVED = {"sections": [{**FIRST["sections"][1], "items": [
    _mail("x", "7", unread=True), FIRST["sections"][1]["items"][2], _mail("d", "-3", unread=True, tags=[])]},
    {**FIRST["sections"][0], "items": [FIRST["sections"][0]["items"][1], FIRST["sections"][0]["items"][0]]}]}

STEPS = [
    ("an item leaves a view, and the collection still has it", FIRST, _MOVED, ["where=/unread:ne:true"]),
    ("an item that is gone is deleted, one that entered is inserted", FIRST, _MOVED, ["where=/unread:eq:true"]),
    ("a member that is not selected changes nothing", FIRST, _MOVED, ["select=/n"]),
    ("a window of the first", FIRST, _MOVED, ["window=first:2"]),
    ("a window that moves within one version", FIRST, FIRST, ["window=at:2:2", "was=at:1:2"]),
    ("a window that moves, and what changed meanwhile", FIRST, _MOVED, ["window=last:2", "was=first:2"]),
    ("around an item that is gone: the nearest before it that survives", FIRST, _MOVED, ["window=around:c:1:1"]),
    ("around an item that left the view: the nearest before it in the view's order", _unread(*"abxcde"), _unread(*"abcde"),
     ["where=/unread:eq:true", "order=/n:number", "window=around:x:1:1"]),
    ("around an item that left the view with all before it: the nearest after it", _unread(*"abxcde"), _unread(*"bde"),
     ["where=/unread:eq:true", "order=/n:number", "window=around:x:1:1"]),
    ("around an item that is gone with all others: at its place", _unread(*"abx"), {"items": [
        _mail(i, n, unread=True) for i, n in zip("pqr", "123")]},
     ["where=/unread:eq:true", "order=/n:number", "window=around:x:0:0"]),
    ("repeated ids are numbered in the list that the view gives", _repeated(-1, 2, 3), _repeated(-1, 22, 3), ["where=/n:ge:0"]),
    ("a hidden item that goes changes no id", _repeated(-1, 2, 3), _repeated(2, 3), ["where=/n:ge:0"]),
    ("one of several items with an id leaves the view", _repeated(1, 2, 3), _repeated(1, -2, 3), ["where=/n:ge:0"]),
    ("one of several items with an id is deleted", _repeated(1, 2, 3), _repeated(1, 3), ["where=/n:ge:0"]),
    ("a window that moves numbers anew", _repeated(1, 2, 3, 4), _repeated(1, 2, 3, 4), ["window=at:2:2", "was=at:1:2"]),
    ("around one of several items with an id, counted in the whole view", _repeated(-1, 2, 3, 4), _repeated(2, 3, 4, 5),
     ["where=/n:ge:0", "window=around:x#2:0:1"]),
    ("an id that looks like that of a repeated one", _repeated(-1, "x#2"), _repeated(-1, "x#2", "x#2"), ["where=/n:ge:0"]),
    ("numbers alone", FIRST, _MOVED, ["where=/unread:eq:true", "window=first:0"]),
    ("the order within sections changes", FIRST, _MOVED, ["order=/n:desc:number"]),
    ("one section of what was two", FIRST, _MOVED, ["sections=flat", "order=/n:number"]),
]


def _parameters(texts):
    return [tuple(text.split("=", 1)) for text in texts]


def _random_list(chance):
    names = chance.sample([f"i{n}" for n in range(14)], chance.randrange(15))
    lists = {s: [] for s in chance.sample("stu", chance.randrange(1, 4))}
    for name in names:
        member = {"unread": chance.random() < 0.5} if chance.random() < 0.8 else {}
        chance.choice(list(lists.values())).append(_mail(name, str(chance.randrange(4)), **member, t=chance.choice("xyz")))
    return {"sections": [{"id": s, "title": chance.choice(["old", "new"]), "items": items} for s, items in lists.items()]}


def _random_terms(chance):
    terms = [t for t in ("where=/unread:eq:true", "where=/n:ge:1", "select=/n", "order=/n:desc:number", "sections=flat")
             if chance.random() < 0.35]
    window = lambda: chance.choice(["first", "last"]) + f":{chance.randrange(8)}" if chance.random() < 0.5 else (  # noqa: E731
        f"at:{chance.randrange(9)}:{chance.randrange(6)}")
    if chance.random() < 0.7:
        terms.append(f"window={window()}")
        if chance.random() < 0.4:
            terms.append(f"was={window()}")
    return terms


def _seen(why, content, texts):
    shown, numbers, parts = views.View(_parameters(texts)).shown(Version(content), dict(_parameters(texts)).get("window"))
    return {"why": why, "kind": "seen", "content": content, "parameters": texts, "sections": [
        {**section, **part} for section, part in zip(shown.sections, parts)], "view": numbers}


def _step(why, old, new, texts):
    view = views.View(_parameters(texts))
    one, other = Version(old), Version(new)
    whole = view.delta(one, other, "splice")
    common = {k: whole[k] for k in ("items", "sections", "deleted", "left", "meta", "view") if k in whole}
    answers = {}
    for dialect in ("ops", "splice", "staged", "diffable"):
        found = view.delta(one, other, dialect, headers=dialect == "ops")
        answers[dialect] = {k: v for k, v in found.items() if k not in common}
    return {"why": why, "kind": "delta", "old": old, "new": new, "parameters": texts,
            "before": view.shown(one, view.was or view.window)[0].sections,
            "after": view.shown(other, view.window, one)[0].sections, "contents": common, "answers": answers}


def made(seed):
    chance = random.Random(seed)
    found = [_seen(why, content, texts) for content, rows in ((FIRST, SEEN), (MIXED, ORDERS)) for why, texts in rows]
    found += [_step(*each) for each in STEPS]
    for number in range(80):
        old, texts = _random_list(chance), _random_terms(chance)
        new = _random_list(chance) if chance.random() < 0.8 else old
        found.append(_step(f"random {number}", old, new, texts))
    return found

