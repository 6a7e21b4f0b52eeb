#!/usr/bin/env python3
"""Writes the vectors of the kit, and examples/vectors.json, a part of them for the guide. `--check` compares instead."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from kit import engine, judge, lists, view_vectors, written  # noqa: E402
from kit.document import Difference, Number, Version, text  # noqa: E402

SEED, COUNT = 35, 400
HERE = pathlib.Path(__file__).parent
FIRST, SECOND = "aaaaaaaa.1.aaaaaaaaaaaaaaaa", "aaaaaaaa.2.bbbbbbbbbbbbbbbb"


def pair(name, why, old_body, new_body):
    old, new = Version(old_body), Version(new_body)
    difference = Difference(old, new)
    answers = {}
    for dialect in engine.DIALECTS[:-1]:
        for headers in (False, True) if dialect == "ops" else (False,):
            for last in (False, True):  # where there are several valid ones, judge two; one is enough as an example
                found = engine.body(old, new, dialect, headers=headers, last=last)
                judge.judge(old, new, dialect, found, headers=headers)
            found = engine.body(old, new, dialect, headers=headers)
            own = found if dialect == "json-patch" else {
                k: v for k, v in found.items() if k not in ("items", "sections", "deleted", "meta")}
            answers["ops headers=1" if headers else dialect] = own
    patched = engine.body(old, new, "splice", patches=True)["items"]
    patches = {i: entry for i, entry in patched.items() if list(entry) in (["~patch"], ["~item"])}
    exact = {"steps": len(difference.plan), "moves": len(difference.moved),
             "sectionMoves": len(difference.sections_moved),
             "flatMoves": [difference.flat_moves(), difference.flat_moves(True)]}
    return {"name": name, "why": why or lists.described(difference), "old": old_body, "new": new_body,
            "exact": {k: v if isinstance(v, list) else Number(v) for k, v in exact.items()},
            "contents": engine.contents(difference), **({"patches": patches} if patches else {}), "answers": answers}


def numbers(value):
    """JSON of whole numbers as the kit writes it."""
    if isinstance(value, dict):
        return {k: numbers(v) for k, v in value.items()}
    if isinstance(value, list):
        return [numbers(v) for v in value]
    return Number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def snapshot(body, version, seq):
    return Version(body).document("list", version, seq)


def reader_vectors(pairs):
    """Thirty for the guide: what a reader of the dialect `splice` holds, gets, and must then hold."""
    found = []
    for name, _, old, new in pairs[:23] + [p for p in pairs if p[0].startswith("random")][:3]:
        held, result = snapshot(old, FIRST, 1), snapshot(new, SECOND, 2)
        envelope = {"kind": "delta", "collection": "list", "from": FIRST, "to": SECOND, "seq": Number(2)}
        answer = {**envelope, **engine.body(Version(old), Version(new), "splice")}
        found.append({"name": name, "held": held, "answer": answer, "result": result})
    held, answer, result = found[0]["held"], found[0]["answer"], found[0]["result"]
    same = {"kind": "unchanged", "collection": "list", "version": FIRST, "seq": Number(1)}
    return found + [
        {"name": "nothing has changed", "held": held, "answer": same, "result": held},
        {"name": "a delta from a version that is not held", "held": {**held, "version": SECOND}, "answer": answer,
         "result": None},
        {"name": "everything, because the version is unknown", "held": held,
         "answer": {**result, "reset": {"reason": "diverged"}}, "result": result},
        {"name": "the first answer", "held": None, "answer": result, "result": result}]


def main():
    pairs = lists.pairs(SEED, COUNT)
    files = {
        HERE / "vectors/pairs.json": [pair(*each) for each in pairs],
        HERE / "vectors/patches.json": numbers(written.PATCHES),
        HERE / "vectors/errors.json": numbers(written.ERRORS),
        HERE / "vectors/streams.json": numbers(written.streams()),
        HERE / "vectors/views.json": numbers(view_vectors.made(SEED)),
        HERE.parent / "examples/vectors.json": reader_vectors(pairs)}
    stale = 0
    for path, vectors in files.items():
        lines = "[\n" + ",\n".join(text(vector) for vector in vectors) + "\n]\n"
        if "--check" not in sys.argv:
            path.write_text(lines, encoding="utf-8")
            print(f"{path.name}: {len(vectors)}, {len(lines.encode())} bytes")
        elif path.read_text(encoding="utf-8") != lines:
            stale += 1
            print(f"{path} is not what conformance/make_vectors.py makes", file=sys.stderr)
    return min(stale, 1)


if __name__ == "__main__":
    sys.exit(main())
