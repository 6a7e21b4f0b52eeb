"""Drives the reader of clients/python in the kit: backend.py URL CLIENT COLLECTION [TOKEN]"""

import json
import os
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
sys.dont_write_bytecode = True

import livedelta  # noqa: E402

url, client, collection, token = sys.argv[1:5]
seen = json.loads(os.environ.get("CONFORM_VIEW", "{}"))
if "select" in seen:
    seen["select"] = seen["select"].split(",")
reader = livedelta.Service(url, token=token or None).collection(client, collection).reader(view=livedelta.View(**seen))


def move():
    for line in sys.stdin:
        reader.window = line.rstrip("\n").removeprefix("window: ")


threading.Thread(target=move, daemon=True).start()
for snapshot in reader:
    text = livedelta._text
    sections = [{"id": s.id, **s.header, "items": s.items} for s in snapshot.sections]
    meta = "" if snapshot.meta is None else text(snapshot.meta)
    print(f"event: change\nversion: {snapshot.version or ''}\nmeta: {meta}\nsections: {text(sections)}", flush=True)
