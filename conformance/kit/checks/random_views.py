"""Views (§15): random versions, views and windows, answered by the service and judged by an evaluation of our own."""

import os
import random
import urllib.parse

from ..place import check
from ..document import Number, Version, same, text
from ..judge import Wrong, judge, judge_patch, need
from ..views import View

DIALECTS = ["staged", "ops", "splice", "diffable", "json-patch"]
ROUNDS = int(os.environ.get("VIEW_VERSIONS", "100"))
NUMBERS = ["0", "1", "1.0", "10e-1", "2", "-1", "1e2", "100", "3.14", "12345678901234567890", "12345678901234567891"]
TEXTS = ["a", "b", "ab", "é", "", "true", "1"]


def number(chance):
    return Number(chance.choice(NUMBERS))


def value(chance):
    return chance.choice([
        lambda: number(chance), lambda: chance.choice(TEXTS), lambda: chance.random() < 0.5, lambda: None,
        lambda: [chance.choice([number(chance), chance.choice(TEXTS)]) for _ in range(chance.randrange(3))],
        lambda: {"x": number(chance)}])()


def item(chance, name):
    made = {"id": name, "n": number(chance), "t": chance.choice(TEXTS)}
    if chance.random() < 0.7:
        made["v"] = value(chance)
    if chance.random() < 0.5:
        made["unread"] = chance.random() < 0.5
    if chance.random() < 0.3:
        made["deep"] = {"a": value(chance), "b": chance.choice(TEXTS)}
    return made


def content(chance, last=None, repeats=False):
    """Another version: some items of the last one, some new, in some order; their ids may repeat."""
    held = [i for s in (last or {"sections": []})["sections"] for i in s["items"]]
    kept = [i if chance.random() < 0.7 else item(chance, i["id"]) for i in held if chance.random() < 0.85]
    names = {i["id"] for i in kept}
    if repeats:  # one looks as if it were numbered
        kept += [item(chance, chance.choice(["i1", "i1", "i2", "i3#2"])) for _ in range(chance.randrange(6))]
    else:
        kept += [item(chance, f"i{n}") for n in chance.sample(range(40), chance.randrange(6)) if f"i{n}" not in names]
    if chance.random() < 0.4:
        chance.shuffle(kept)
    sections = chance.sample("stuv", chance.randrange(1, 4))
    lists = {s: [] for s in sections}
    places = {i["id"]: s["id"] for s in (last or {"sections": []})["sections"] for i in s["items"]}
    for one in kept:
        before = places.get(one["id"])
        lists[before if before in lists and chance.random() < 0.9 else chance.choice(sections)].append(one)
    made = {"sections": [{"id": s, "title": chance.choice("TU") + s, "items": lists[s]} for s in sections]}
    if chance.random() < 0.3:
        made["meta"] = {"m": number(chance)}
    return {**made, "settings": {"identity": "occurrence"}} if repeats else made


def term(chance):
    pointer = chance.choice(["/n", "/t", "/v", "/unread", "/deep/a", "/deep/b", "/v/0", "/v/x"])
    op = chance.choice(["eq", "ne", "lt", "le", "gt", "ge", "in", "prefix", "has", "exists", "absent"])
    if op in ("exists", "absent"):
        return pointer, op
    if op == "in":
        return pointer, op, [value(chance) for _ in range(chance.randrange(4))]
    if op == "prefix":
        return pointer, op, chance.choice(TEXTS)
    if op in ("lt", "le", "gt", "ge"):
        return pointer, op, chance.choice([number(chance), chance.choice(TEXTS)])
    return pointer, op, value(chance)


def view(chance):
    """The parameters of a view, without its window."""
    found = [("where", ":".join([t[0], t[1], *map(text, t[2:])])) for t in (term(chance) for _ in range(chance.choice([0, 1, 1, 2])))]
    select = chance.choice([None, None, "/t", "/n,/deep/a"])
    orders = [chance.choice(["/n:number", "/n:desc:number"]), chance.choice(["/t:text", "/t:desc:text"]),
              chance.choice(["/v", "/v:desc"])]
    found += [("order", order) for order in chance.sample(orders, chance.choice([0, 0, 0, 1, 2]))]
    sections = chance.choice([None, "keep", "drop", "flat"])
    return found + [(name, value) for name, value in (("select", select), ("sections", sections)) if value]


def window(chance, version):
    count = chance.randrange(8)
    return chance.choice([
        lambda: None, lambda: f"first:{count}", lambda: f"last:{count}", lambda: f"at:{chance.randrange(12)}:{count}",
        lambda: f"around:{chance.choice(list(version.items) or ['x'])}:{chance.randrange(4)}:{chance.randrange(4)}"])()


def query(parameters, wanted, was=None, **others):
    return "?" + urllib.parse.urlencode(
        [*parameters, *others.items(), *((n, v) for n, v in (("window", wanted), ("was", was)) if v)])


def seen(shown, version, window, held=None):
    """What is seen: the version, the document's sections, the numbers."""
    found, numbers, parts = shown.shown(version, window, held)
    sections = [{**{k: v for k, v in s.items() if k != "items"}, **part, "items": s["items"]}
                for s, part in zip(found.sections, parts)]
    return found, sections, numbers


def check_snapshot(answer, expected):
    found, sections, numbers = expected
    need(answer["kind"] == "snapshot", f"a snapshot, not {answer['kind']}")
    need(same(answer["sections"], sections), f"the view shows {text(sections)}, not {text(answer['sections'])}")
    need(same(answer["view"], numbers), f"the numbers are {numbers}, not {answer['view']}")
    need(same(answer.get("meta"), found.meta), "meta")


def check_delta(dialect, answer, old, new, head, versions):
    """Judges what leads from one list that is seen to another."""
    if dialect == "json-patch":
        def document(one, token):
            members = {"kind": "snapshot", "collection": "list", "version": token, "seq": Number(token.split(".")[1]),
                       "view": one[2], "sections": one[1]}
            return members if one[0].meta is None else {**members, "meta": one[0].meta}
        return judge_patch(document(old, versions[0]), document(new, versions[1]), answer, versions)
    need(answer["kind"] == "delta", f"a delta, not {answer['kind']}")
    need(same(answer["view"], new[2]), f"the numbers are {new[2]}, not {answer['view']}")
    sent, there = old[0].sent, set(head.sent.values())
    need(all(sent[i] in there for i in answer["left"]), "`left` are in the collection")
    need(not any(sent[i] in there for i in answer["deleted"]), "`deleted` are not")
    return judge(old[0], new[0], dialect, {**answer, "deleted": answer["deleted"] + answer["left"]})


@check("§15 random views of random versions, in every dialect, from any version that is kept")
def random_views(place):
    views_at_random(place)


@check("§15 random views of random versions with repeated ids, which are numbered in the list that is given")
def repeated(place):
    views_at_random(place, repeats=True)


def views_at_random(place, repeats=False):
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))
    chance = random.Random(seed)
    versions, last = [], None
    try:
        for _ in range(ROUNDS):
            last = content(chance, last, repeats)
            token = place.version(last)
            if not versions or versions[-1][0] != token:
                versions.append((token, Version(last)))
            versions = versions[-30:]
            for _ in range(4):
                one_view(place, chance, versions)
    except (Wrong, KeyError, ValueError, TypeError, IndexError) as error:
        raise Wrong(f"seed {seed}: {type(error).__name__}: {error}; asked last: {place.asked}") from error


def is_gone(place, token):
    """Whether the contents of a version are no longer kept, as a reader of all of it is told."""
    return place.ask("GET", f"?version={token}").status == 410


class Question:
    """A view at random, asked by a reader of one version; `versions` are tokens and versions, the newest last."""

    def __init__(self, chance, versions, *, asks_for_something=True):
        self.parameters = view(chance)
        self.since, self.older = chance.choice(versions)
        self.wanted = window(chance, self.older)
        if asks_for_something and not self.parameters and not self.wanted:
            self.wanted = "first:5"
        self.was = window(chance, self.older) if self.wanted and chance.random() < 0.3 else None
        self.dialect = chance.choice(DIALECTS)
        self.shown = View(self.parameters)
        # What a window shows around an item that is not in the view depends on what the reader had before.
        kind, _, rest = (self.was or self.wanted or "").partition(":")
        is_known = kind != "around" or rest.rsplit(":", 2)[0] in self.shown.names(self.older)
        self.held = seen(self.shown, self.older, self.was or self.wanted) if is_known else None

    def now(self, version):
        """What a reader sees who holds nothing."""
        return seen(self.shown, version, self.wanted)

    def next(self, version):
        return seen(self.shown, version, self.wanted, self.older)

    def is_same(self, version):
        """Whether the reader sees the same of a version as of its own."""
        held, new = self.held, self.next(version)
        return bool(held) and same(held[1:], new[1:]) and same(held[0].meta, new[0].meta)

    def query(self, **others):
        return query(self.parameters, self.wanted, self.was, dialect=self.dialect, **others)

    def judge(self, answer, token, head, is_gone):
        """Judges an answer that leads to a version; `is_gone` is called for whether the reader's own is kept no more."""
        held, new = self.held, self.next(head)
        if isinstance(answer, list):
            need(held, "a reader of whom nobody knows what it has is reset")
            return check_delta(self.dialect, answer, held, new, head, (self.since, token))
        if answer["kind"] == "unchanged":
            need(answer["version"] == token, "unchanged carries the newest version")
            need(same(answer["view"], new[2]), "the numbers")
            return need(held is None or self.is_same(head), "what is shown changed")
        if answer["kind"] == "snapshot":
            is_old = answer.get("reset", {}).get("reason") == "history-compacted" and is_gone()
            need(is_old or not held, f"a reader is reset without a reason: {text(answer.get('reset'))}")
            return check_snapshot(answer, self.now(head) if is_old else new)
        need(held, "a reader of whom nobody knows what it has is reset")
        need(self.was or not self.is_same(head), "nothing changed")
        check_delta(self.dialect, answer, held, new, head, (self.since, token))


def one_view(place, chance, versions):
    asked = Question(chance, versions)
    token, head = versions[-1]
    answer = place.expect(place.ask("GET", query(asked.parameters, asked.wanted)), 200)
    check_snapshot(answer.json, asked.now(head))
    again = place.ask("GET", query(asked.parameters, asked.wanted), headers={"If-None-Match": answer.fields["ETag"]})
    place.expect(again, 304)
    if asked.held and chance.random() < 0.2:
        answer = place.ask("GET", query(asked.parameters, asked.was or asked.wanted, version=asked.since))
        if answer.status != 410 or not is_gone(place, asked.since):
            check_snapshot(place.expect(answer, 200).json, asked.held)
    ends = {"from": asked.since, "to": token} if chance.random() < 0.3 else {"since": asked.since}
    answer = place.ask("GET", "/delta" + asked.query(**ends))
    if answer.status == 410 and is_gone(place, asked.since):
        return
    asked.judge(place.expect(answer, 200).json, token, head, lambda: is_gone(place, asked.since))
