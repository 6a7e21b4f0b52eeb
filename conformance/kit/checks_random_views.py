"""Views (§15): random versions, views and windows, answered by the service and judged by an evaluation of our own."""

import os
import random
import urllib.parse

from . import checks
from .checks import check
from .document import Number, Version, same
from .judge import Wrong, judge, judge_patch, need
from .shown import View, window_text, without_numbers

DIALECTS = ["staged", "ops", "splice", "diffable", "json-patch", "swift-diff"]
ROUNDS = int(os.environ.get("VIEW_VERSIONS", "150"))
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


def content(chance, last=None):
    """Another version: some items of the last one, some new, in some order."""
    held = [i for s in (last or {"sections": []})["sections"] for i in s["items"]]
    kept = [i if chance.random() < 0.7 else item(chance, i["id"]) for i in held if chance.random() < 0.85]
    names = {i["id"] for i in kept}
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
    return made


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
    orders = [(chance.choice(["/n"]), chance.random() < 0.5, "number"), ("/t", chance.random() < 0.5, "text")]
    return View(
        [term(chance) for _ in range(chance.choice([0, 1, 1, 2]))],
        chance.choice([None, None, ["/t"], ["/n", "/deep/a"], []]) or None,
        chance.sample(orders, chance.choice([0, 0, 0, 1, 2])), chance.choice([None, "keep", "drop", "flat"]))


def window(chance, version):
    count = chance.randrange(8)
    return chance.choice([
        lambda: None, lambda: ("first", count), lambda: ("last", count), lambda: ("at", chance.randrange(12), count),
        lambda: ("around", chance.choice(list(version.items) or ["x"]), chance.randrange(4), chance.randrange(4))])()


def query(shown, wanted, was=None, **others):
    parameters = shown.parameters() + list(others.items())
    if wanted:
        parameters.append(("window", window_text(wanted)))
    if was:
        parameters.append(("was", window_text(was)))
    return "?" + urllib.parse.urlencode(parameters)


def numbers_of(answer):
    return {k: v if k == "anchor" else int(v) for k, v in answer["view"].items()}


def check_snapshot(answer, expected, numbers):
    need(answer["kind"] == "snapshot", f"a snapshot, not {answer['kind']}")
    need(same(answer["sections"], expected["sections"]), f"the view shows {expected['sections']}, not {answer['sections']}")
    need(numbers_of(answer) == numbers, f"the numbers are {numbers}, not {answer['view']}")
    need(same(answer.get("meta"), expected.get("meta")), "meta")


def check_delta(dialect, answer, old, new, numbers, head, versions):
    """Judges what leads from one shown body to another."""
    if dialect == "json-patch":
        document = lambda body, found, token: {  # noqa: E731
            "kind": "snapshot", "collection": "list", "version": token, "seq": Number(token.split(".")[1]),
            "view": {k: Number(v) if k != "anchor" else v for k, v in found.items()}, **body}
        return judge_patch(document(*old, versions[0]), document(*new, versions[1]), answer, versions)
    need(answer["kind"] == "delta", f"a delta, not {answer['kind']}")
    need(numbers_of(answer) == new[1], f"the numbers are {new[1]}, not {answer['view']}")
    need(all(i in head.items for i in answer["left"]), "`left` are in the collection")
    need(not any(i in head.items for i in answer["deleted"]), "`deleted` are not")
    told = {**answer, "deleted": answer["deleted"] + answer["left"]}
    return judge(without_numbers(old[0]), without_numbers(new[0]), dialect, told)


@check("15: random views of random versions, in every dialect, from any version that is kept")
def random_views(place):
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))
    chance = random.Random(seed)
    versions, last = [], None
    try:
        for _ in range(ROUNDS):
            last = content(chance, last)
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


def one_view(place, chance, versions):
    shown = view(chance)
    (since, older), (token, head) = chance.choice(versions), versions[-1]
    wanted = window(chance, older)
    was = window(chance, older) if wanted and chance.random() < 0.3 else None
    body, numbers, _ = shown.shown(head, wanted)
    if numbers["total"] is not None and body is not None and numbers["start"] is not None:
        answer = place.expect(place.ask("GET", query(shown, wanted)), 200)
        check_snapshot(answer.json, body, numbers)
        again = place.ask("GET", query(shown, wanted), headers={"If-None-Match": answer.fields["ETag"]})
        place.expect(again, 304)
    held, had, sure = shown.shown(older, was or wanted)
    if chance.random() < 0.2 and had["start"] is not None:
        answer = place.ask("GET", query(shown, was or wanted, version=since))
        if answer.status != 410 or not is_gone(place, since):
            check_snapshot(place.expect(answer, 200).json, held, had)
    body, numbers, _ = shown.shown(head, wanted, older)
    if numbers["start"] is None:
        return
    dialect = chance.choice(DIALECTS)
    between = chance.random() < 0.3
    ends = {"from": since, "to": token} if between else {"since": since}
    answer = place.ask("GET", "/delta" + query(shown, wanted, was, dialect=dialect, **ends))
    if answer.status == 410 and is_gone(place, since):
        return
    answer = place.expect(answer, 200).json
    if isinstance(answer, dict) and answer.get("reset", {}).get("reason") == "history-compacted" and is_gone(place, since):
        body, numbers, _ = shown.shown(head, wanted)
        return numbers["start"] is None or check_snapshot(answer, body, numbers)
    if not sure and not (isinstance(answer, dict) and answer["kind"] == "unchanged"):
        need(isinstance(answer, dict) and answer["kind"] == "snapshot", "a reader of whom nobody knows what it has is reset")
        return check_snapshot(answer, body, numbers)
    if isinstance(answer, dict) and answer["kind"] == "unchanged":
        need(answer["version"] == token, "unchanged carries the newest version")
        need(same(held, body) and had == numbers, f"what is shown changed from {held} to {body}")
        return need(numbers_of(answer) == numbers, "the numbers")
    need(not same(held, body) or had != numbers or was, f"nothing changed, but there is {answer}")
    return check_delta(dialect, answer, (held, had), (body, numbers), numbers, head, (since, token))


assert checks  # the checks are registered by being read
