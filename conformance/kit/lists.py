"""The pairs of versions, each with what it is about. Everything random comes from one seed."""

import itertools
import random

from .document import Number

LETTERS = "abcdefgh"


def items(*ids):
    return [{"id": i, "title": f"Item {i}"} for i in ids]


def section(name, *ids, **header):
    return {"id": name, "title": f"Section {name}", **header, "items": items(*ids)}


def sections(*all_of):
    return {"sections": list(all_of)}


def changed(content, *ids):
    """The same content, in which these items have another title."""
    if isinstance(content, list):
        return [{**item, "title": "Changed"} if item["id"] in ids else item for item in content]
    return {**content, "sections": [{**s, "items": changed(s["items"], *ids)} for s in content["sections"]]}


N = Number
ABC = items("a", "b", "c")
ST = sections(section("s", "a", "b"), section("t", "c"))

WRITTEN = [
    ("an item is inserted", "one insertion; nothing moves", items("a", "b"), items("a", "x", "b")),
    ("an item is deleted", "one deletion; nothing moves", ABC, items("a", "c")),
    ("an item moves down", "one move, not three", items("a", "b", "c", "d"), items("b", "c", "a", "d")),
    ("the order is reversed", "all but one move", items("a", "b", "c", "d"), items("d", "c", "b", "a")),
    ("an item changes", "one reload", ABC, changed(ABC, "b")),
    ("an item moves and changes", "a move refreshes nothing: a reload of its own, in a step of its own",
     ABC, changed(items("c", "a", "b"), "c")),
    ("an item changes between one that is deleted and one that is inserted",
     "one step; a reload's index is that before the step", ABC, changed(items("b", "x", "c"), "b")),
    ("everything is replaced", "no id is in both", items("a", "b"), items("x", "y", "z")),
    ("the last item is deleted", "a section without items stays", items("a"), []),
    ("the first item is inserted", "into a section that is there", [], items("a")),
    ("an id is a number, then its text", "7 and \"7\" are the same id; the item changed",
     [{"id": N(7), "title": "Item 7"}, {"id": N(8), "title": "Item 8"}],
     [{"id": "7", "title": "Item 7"}, {"id": N(8), "title": "Item 8"}]),
    ("ids that objects of some languages have by themselves", "ids are texts, and any text is one",
     items("__proto__", "constructor", "a b", "é/😀"), items("constructor", "é/😀", "__proto__", "toString")),
    ("members of an item come, go and become null", "a merge patch cannot say null: the item is sent whole",
     [{"id": "a", "x": N(1), "y": {"z": [N(1), N(2)]}}], [{"id": "a", "y": {"z": [N(2)]}, "w": None}]),
    ("an item moves to another section", "a move, never a deletion and an insertion",
     sections(section("s", "a", "b"), section("t", "c")), sections(section("s", "a"), section("t", "b", "c"))),
    ("two sections change places", "one section moves, with its items", sections(section("s", "a"), section("t", "b")),
     sections(section("t", "b"), section("s", "a"))),
    ("a section is inserted, with an item of another", "the sections come first: a survivor goes into an inserted one",
     sections(section("s", "a", "b")), sections(section("n", "b", "c"), section("s", "a"))),
    ("a section is deleted, and its item stays", "the section goes out after the items: a survivor leaves it",
     ST, sections(section("t", "c", "a"))),
    ("a section becomes empty", "its item is deleted, the section stays", sections(section("s", "a"), section("t")),
     sections(section("s"), section("t"))),
    ("a header changes", "a reload of the section", sections(section("s", "a")),
     sections(section("s", "a", title="Other", open=True))),
    ("meta appears", "`meta` is there if it changed", items("a"), {"items": items("a"), "meta": {"theme": "dark"}}),
    ("meta disappears", "null says that it is gone", {"items": items("a"), "meta": {"theme": "dark"}}, items("a")),
    ("a flat list becomes one of sections", "the anonymous section is one like any other; its items survive",
     items("a", "b"), sections(section("s", "b", "a"))),
    ("everything at once", "sections, items, sections out, reloads: the four steps that there can be",
     sections(section("s", "a", "b"), section("t", "c", "d"), section("u", "e")),
     changed(sections(section("n", "e", "x"), section("t", "d", "c", "a"), section("s", "y")), "d")),
    ("a swap of neighbours", "one of the two moves, not both", items("a", "b"), items("b", "a")),
    ("nothing changes but the order of members", "equal content: no operation at all",
     [{"id": "a", "x": N(1), "y": N(2)}], [{"y": N(2), "id": "a", "x": N(1)}]),
    ("1 becomes 1.0", "numbers compare by their text", [{"id": "a", "n": N("1")}], [{"id": "a", "n": N("1.0")}]),
    ("1e2 becomes 100", "numbers compare by their text", [{"id": "a", "n": N("1e2")}], [{"id": "a", "n": N("100")}]),
    ("a number that no double holds", "nothing passes through a Double",
     [{"id": "a", "n": N("12345678901234567890")}], [{"id": "a", "n": N("12345678901234567891")}]),
    ("an item whose only member but its id goes", "a merge patch with a null", [{"id": "a", "x": N(1)}], [{"id": "a"}]),
    ("a deep member changes", "the merge patch names the path alone",
     [{"id": "a", "deep": {"er": {"est": [N(1)], "other": "kept as it is, and long enough"}}}],
     [{"id": "a", "deep": {"er": {"est": [N(2)], "other": "kept as it is, and long enough"}}}]),
    ("a list in an item changes", "a merge patch replaces lists", [{"id": "a", "tags": ["x", "y"], "title": "long"}],
     [{"id": "a", "tags": ["x"], "title": "long"}]),
    ("an item has a member ~patch", "an ordinary member of the item", [{"id": "a", "~patch": {"b": N(1)}}],
     [{"id": "a", "~patch": {"b": N(2)}}]),
    ("texts that need escapes", "content is compared as values", [{"id": "a", "t": "\"\\/\b\f\n\r\t\u2028"}],
     [{"id": "a", "t": "\"\\/\b\f\n\r\t\u2029"}]),
    ("characters beyond the basic plane", "content is Unicode", [{"id": "😀", "t": "👩‍👩‍👧"}],
     [{"id": "😀", "t": "👩‍👩‍👦"}, {"id": "𝄞", "t": "𝄢"}]),
    ("two forms of one letter are two ids", "ids compare by their text, unnormalised", items("é"), items("é", "e\u0301")),
    ("ids that look like indices", "ids are no positions", items("0", "1", "2"), items("2", "0", "1")),
    ("ids with the characters of pointers", "no id is a path", items("a/b", "a~b", "~1"), items("~1", "a~b")),
    ("an id that is a section's too", "items and sections have names of their own",
     sections(section("a", "a", "b"), section("b", "c")), sections(section("b", "c", "a"), section("a", "b"))),
    ("a flat list is PUT back as it was got", "the section of a flat list has the empty id",
     items("a", "b"), sections({"id": "", "items": items("b", "a")})),
    ("from nothing to nothing but a section", "an inserted section without items", sections(), sections(section("s"))),
    ("the only section goes, with its items", "the items are not named: they go with it",
     sections(section("s", "a", "b")), sections()),
    ("a section with new items alone", "it carries its first items", sections(section("s", "a")),
     sections(section("s", "a"), section("t", "x", "y"))),
    ("two sections become one", "the items move, then the section goes", ST, sections(section("s", "a", "b", "c"))),
    ("one section becomes two", "the section comes, then the items move", sections(section("s", "a", "b", "c")), ST),
    ("items change places across sections", "two moves in one step", sections(section("s", "a"), section("t", "b")),
     sections(section("s", "b"), section("t", "a"))),
    ("a moved section whose item goes", "a step that moves sections has no item operations",
     sections(section("s", "a", "b"), section("t", "c")), sections(section("t", "c"), section("s", "a"))),
    ("a reload in a section whose header changes", "the section's reload redraws the item; `items` still has it",
     ST, changed(sections(section("s", "a", "b", title="New"), section("t", "c")), "a")),
    ("a reload beside a header that changes", "both in one step of reloads",
     ST, changed(sections(section("s", "a", "b", title="New"), section("t", "c")), "c")),
    ("an insertion beside a header that changes", "reloads do not join where a section is reloaded",
     ST, sections(section("s", "a", "b", "x", title="New"), section("t", "c"))),
    ("a deletion and a reload", "they share one step", ABC, changed(items("b", "c"), "c")),
    ("a move and a reload of another", "a step with a reload has no moves", ABC, changed(items("b", "c", "a"), "b")),
    ("meta changes within", "meta is opaque, and sent whole", {"items": [], "meta": {"a": N(1)}},
     {"items": [], "meta": {"a": N(1), "b": N(2)}}),
    ("meta is no object", "meta is any value", {"items": [], "meta": N(1)}, {"items": [], "meta": [True, None, "x"]}),
    ("a header loses a member", "a section's content is its members without `items`",
     sections(section("s", "a", open=True)), sections(section("s", "a"))),
    ("a header has a member id of another type", "the header changed, the id did not",
     sections({"id": N(1), "items": items("a")}), sections({"id": "1", "items": items("a")})),
]


def pairs(seed, count):
    """Names, reasons, and the two versions as a writer PUTs them."""
    found = list(WRITTEN)
    for order in itertools.permutations("abcd"):
        if order != tuple("abcd"):
            found.append((f"the order abcd becomes {''.join(order)}", "as many moves as a longest common order leaves",
                          items(*"abcd"), items(*order)))
    found += combined() + section_orders()
    chance = random.Random(seed)
    while len(found) < count:
        old = random_content(chance)
        new = edited(chance, old) if chance.random() < 0.7 else random_content(chance)
        found.append((f"random {len(found)}", "", old, new))
    return found


def section_orders():
    full = {"s": "ab", "t": "cd", "u": "", "v": "e"}
    made = lambda order: sections(*(section(s, *full[s]) for s in order))  # noqa: E731
    return [(f"the sections stuv become {''.join(order)}", "sections move with their items, as few as can be",
             made("stuv"), made(order)) for order in list(itertools.permutations("stuv"))[1:]]


SECTION_CHANGES = {
    "comes": lambda s: s["n"].update(here=True), "goes": lambda s: s["u"].update(here=False),
    "moves": lambda s: s["t"].update(at=-1), "changes": lambda s: s["t"].update(title="Other"), "stays": lambda s: None}
ITEM_CHANGES = {
    "comes": lambda s: s["s"]["ids"].insert(1, "x"), "goes": lambda s: s["s"]["ids"].remove("b"),
    "moves": lambda s: s["s"]["ids"].reverse(), "changes": lambda s: s["s"].update(changed=["a"]),
    "goes to another section": lambda s: s["t"]["ids"].append(s["s"]["ids"].pop()),
    "goes into a new section": lambda s: s["n"].update(here=True, ids=[s["s"]["ids"].pop(0)]),
    "leaves a section that goes": lambda s: (s["u"].update(here=False), s["s"]["ids"].append("e"))}


def combined():
    """Each change of a section beside each change, or two, of an item."""
    found = []
    for what, change in SECTION_CHANGES.items():
        for one, other in itertools.combinations_with_replacement(ITEM_CHANGES, 2):
            state = {"s": {"at": 0, "ids": list("abcd")}, "t": {"at": 1, "ids": ["f"]},
                     "u": {"at": 2, "ids": ["e", "g"]}, "n": {"at": 3, "ids": ["y"], "here": False}}
            old = _content(state)
            change(state)
            ITEM_CHANGES[one](state)
            if other != one:
                ITEM_CHANGES[other](state)
            both = f"an item {one}" + (f", another {other}" if other != one else "")
            found.append((f"a section {what}; {both}", "which operations share a step is law 8", old, _content(state)))
    return found


def _content(state):
    here = sorted((s["at"], name, s) for name, s in state.items() if s.get("here", True))
    return sections(*(
        {"id": name, "title": s.get("title", f"Section {name}"), "items": changed(items(*s["ids"]), *s.get("changed", []))}
        for _, name, s in here))


def random_content(chance):
    names = chance.sample("stuv", chance.randint(1, 4))
    lists = {name: [] for name in names}
    for i in chance.sample(LETTERS, chance.randint(0, 8)):
        lists[chance.choice(names)].append({"id": i, "n": Number(chance.choice("1112"))})
    made = [{"id": name, "t": Number(chance.choice("1112")), "items": lists[name]} for name in names]
    return {"sections": made, **({"meta": chance.choice("xy")} if chance.random() < 0.1 else {})}


def edited(chance, content):
    """A few changes of a content."""
    made = [{**s, "items": list(s["items"])} for s in content["sections"]]
    for _ in range(chance.randint(1, 4)):
        kind, target = chance.randint(0, 5), chance.choice(made)
        held = {item["id"] for s in made for item in s["items"]}
        free = [i for i in LETTERS if i not in held]
        if kind == 0 and free:
            target["items"].insert(chance.randint(0, len(target["items"])), {"id": free[0], "n": Number(1)})
        elif kind == 1 and target["items"]:
            target["items"].pop(chance.randrange(len(target["items"])))
        elif kind == 2 and target["items"]:
            goal = chance.choice(made)
            item = target["items"].pop(chance.randrange(len(target["items"])))
            goal["items"].insert(chance.randint(0, len(goal["items"])), item)
        elif kind == 3 and target["items"]:
            at = chance.randrange(len(target["items"]))
            target["items"][at] = {**target["items"][at], "n": Number(chance.randint(3, 9))}
        elif kind == 4:
            made.insert(chance.randint(0, len(made) - 1), made.pop(made.index(target)))
        else:
            target["t"] = Number(chance.randint(3, 9))
    return {**content, "sections": made}


def described(difference):
    """What a pair is about, in a line."""
    numbers = [(difference.inserted, "inserted"), (difference.deleted, "deleted"), (difference.moved, "moved"),
               (difference.changed, "changed"), (difference.sections_moved, "sections moved"),
               (difference.sections_changed, "headers changed")]
    what = ", ".join(f"{len(found)} {name}" for found, name in numbers if found) or "nothing but what is equal"
    steps = "; ".join(" and ".join(sorted(step)) for step in difference.plan) or "none"
    return f"{what}; steps: {steps}"
