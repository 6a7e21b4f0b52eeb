#!/usr/bin/env python3
"""What callgrind counts for a PUT of 10,000 items, of which 1 % changed, by the way it is written: puts.py PROGRAM

The ways are those of `put`. valgrind has no AVX-512, so that what is compiled for it is counted as AVX2.
"""
import json, random, sys
import routes

COUNT, ROUNDS = 10_000, 5
random = random.Random(7)


def members(number, revision):
    """An item's members, values as JSON."""
    return [
        ("id", f'"item-{number}"'), ("title", f'"Item nümber {number}"'),
        ("subtitle", f'"Something to read about it, revision {revision}"'),
        ("price", f"{number % 90}.5"), ("unread", json.dumps(number % 3 == 0))]


def change(items):
    """Of 100 items one: two fifths are updated, the others inserted, deleted or moved."""
    for index in range(COUNT // 100):
        place = random.randrange(len(items))
        if index % 5 == 0:
            items.insert(place, (COUNT + random.getrandbits(40), 0))
        elif index % 5 == 1:
            items.pop(place)
        elif index % 5 == 2:
            items.insert(random.randrange(len(items)), items.pop(place))
        else:
            items[place] = (items[place][0], items[place][1] + 1)


def joined(items, comma=",", colon=":", indent=""):
    texts = [
        f"{indent}{{{indent}" + comma.join(f'"{name}"{colon}{value}' for name, value in item) + f"{indent}}}"
        for item in items]
    return f'{{"sections"{colon}[{{"id"{colon}"all"{comma}"items"{colon}[{(comma if not indent else ",").join(texts)}]}}]}}'


def reordered(items):
    order = random.sample(range(5), 5)
    return joined([[item[place] for place in order] for item in items])


WAYS = {
    "minified": lambda items, _: joined(items),
    "with spaces": lambda items, _: joined(items, ", ", ": "),
    "indented": lambda items, _: joined(items, ",\n        ", ": ", "\n      "),
    "members in another order": lambda items, _: reordered(items),
    "in another order item by item": lambda items, _: joined([random.sample(item, 5) for item in items]),
    "other escapes": lambda items, is_odd: joined(items).replace("ü", "\\u00fc" if is_odd else "ü"),
    "the halves change places": lambda items, is_odd: joined(
        items[COUNT // 2:] + items[:COUNT // 2] if is_odd else items),
    "the first": lambda items, _: joined(items),
    "the first, received and refused unread": lambda items, _: joined(items),
}


def main():
    items = [(number, 0) for number in range(COUNT)]
    with routes.counting(sys.argv[1]) as (server, dump):
        for number in range(ROUNDS):
            lists = [members(*item) for item in items]
            counts = {}
            for index, (way, write) in enumerate(WAYS.items()):
                name = f"first-{number}" if way == "the first" else f"way-{index}"
                # A condition that cannot be read.
                fields = ["Collection-If-Version: none"] if "refused" in way else []
                body = write(lists, number % 2 == 1).encode()
                dump()
                status, _, answer = routes.request(
                    server.port, "PUT", f"/v1/clients/bench/collections/{name}", fields, body)
                if status not in ((400,) if fields else (200, 201)):
                    sys.exit(f"{way}: {status} {answer}")
                counts[way] = dump()[0]
            change(items)
    print("| 10,000 items | million instructions |\n|---|---:|")
    for way, count in counts.items():
        print(f"| {way} | {count / 1e6:.1f} |")


main()
