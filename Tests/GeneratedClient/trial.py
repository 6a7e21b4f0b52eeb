"""What an app does with the client that openapi-python-client makes of /openapi.json: it PUTs, polls and reads a delta.

    ADDRESS=127.0.0.1:8080 python3 trial.py    with the generated package live_delta_client on the path
"""

import json
import os
import threading
import unittest

import httpx
from live_delta_client import Client
from live_delta_client.api.collections import patch, put, snapshot
from live_delta_client.api.deltas import delta
from live_delta_client.models import (
    Delta, DialectName, Edits, Problem, Receipt, SectionedSnapshot, SnapshotAnswer, Unchanged)

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")


def example(name):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        return SectionedSnapshot.from_dict(json.load(file))


class GeneratedClientTests(unittest.TestCase):
    def setUp(self):
        client = Client(base_url=f"http://{os.environ['ADDRESS']}", timeout=httpx.Timeout(60))
        self.addCleanup(client.get_httpx_client().close)
        self.inbox = {"client_path": "u42", "name": self.id().rsplit(".", 1)[-1], "client": client}

    def test_it_puts_polls_and_reads_a_delta(self):
        first = put.sync(**self.inbox, body=example("mail-1.json"))
        self.assertIsInstance(first, Receipt)
        self.assertEqual((first.seq, first.changed, first.counts.inserted), (1, True, 30))
        self.assertIsInstance(delta.sync(**self.inbox, since=first.version), Unchanged)
        polled = []
        poll = threading.Thread(
            target=lambda: polled.append(delta.sync(**self.inbox, since=first.version, wait=25)))
        poll.start()
        second = put.sync(**self.inbox, body=example("mail-2.json"), if_match=f'"{first.version}"')
        poll.join()
        (news,) = polled
        self.assertIsInstance(news, Delta)
        self.assertEqual((news.from_, news.to, news.deleted), (first.version, second.version, ["m3"]))
        moves, reloads = news.steps
        self.assertEqual(moves.move.items, [[2, 0, 0, 0]])
        self.assertEqual(moves.insert.items, [[1, 0, "m31"]])
        self.assertEqual(reloads.reload.items, [[1, 2, "m4"]])
        self.assertIs(news.items["m4"]["unread"], False)
        for dialect in DialectName:
            if dialect is not DialectName.JSON_PATCH:
                answer = delta.sync(**self.inbox, since=first.version, dialect=dialect)
                self.assertIsInstance(answer, (Delta, SnapshotAnswer))

    def test_it_reads_whole_lists_and_edits_them(self):
        put.sync(**self.inbox, body=example("mail-1.json"))
        held = snapshot.sync(**self.inbox)
        self.assertIsInstance(held, SnapshotAnswer)
        self.assertEqual([section["id"] for section in held.sections], ["pinned", "today", "earlier"])
        edits = Edits.from_dict({"edits": [{"op": "delete", "ids": ["m1"]}]})
        self.assertEqual(patch.sync(**self.inbox, body=edits).counts.deleted, 1)
        self.assertEqual(len(snapshot.sync(**self.inbox).sections[0].items), len(held.sections[0].items) - 1)

    def test_it_reads_refusals(self):
        first = put.sync(**self.inbox, body=example("mail-1.json"))
        put.sync(**self.inbox, body=example("mail-2.json"))
        refusal = put.sync(**self.inbox, body=example("mail-1.json"), if_match=f'"{first.version}"')
        self.assertIsInstance(refusal, Problem)
        self.assertEqual(refusal.code, "version-conflict")
        self.assertEqual(refusal.current, snapshot.sync(**self.inbox).version)


if __name__ == "__main__":
    unittest.main()
