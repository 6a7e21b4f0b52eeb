"""Tests of clients/python against the real service. Run by scripts/test python."""

import contextlib
import hashlib
import http.server
import io
import json
import os
import re
import ssl
import subprocess
import tempfile
import threading
import types
import unittest
import urllib.parse

import livedelta
from livedelta import Problem, Service
from service import Program, Proxy, Scripted, answer


class Test(unittest.TestCase):
    number = 0

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()  # in memory there are no older versions
        cls.program = Program(cls.folder.name)
        cls.service = Service(cls.program.address)

    @classmethod
    def tearDownClass(cls):
        cls.program.kill()
        cls.folder.cleanup()

    def list(self, content=None):
        Test.number += 1
        collection = self.service.collection("u42", f"list{Test.number}")
        if content is not None:
            collection.put(content)
        return collection

    def refused(self, code, work):
        with self.assertRaises(Problem) as caught:
            work()
        self.assertEqual(caught.exception.code, code)
        return caught.exception


class WritingTests(Test):
    def test_a_put_has_a_receipt(self):
        inbox = self.list()
        first = inbox.put({"items": [{"id": 1}, {"id": 2}]})
        self.assertEqual((first.changed, first.previous, first.counts["inserted"]), (True, None, 2))
        again = inbox.put([{"id": 1}, {"id": 2}])
        self.assertEqual((again.changed, again.version), (False, first.version))

    def test_conditions(self):
        inbox = self.list()
        first = inbox.put([], create=True)
        self.refused("collection-exists", lambda: inbox.put([], create=True))
        second = inbox.put([{"id": "a"}], if_version=first.version)
        problem = self.refused("version-conflict", lambda: inbox.put([], if_version=first.version))
        self.assertEqual((problem.status, problem.current), (412, second.version))
        self.refused("version-conflict", lambda: inbox.delete(if_version=first.version))
        self.assertTrue(inbox.delete(if_version=second.version))
        self.assertFalse(inbox.delete())
        self.assertIsNone(inbox.get())

    def test_edits(self):
        inbox = self.list([{"id": "a", "n": 1}])
        inbox.edit([{"op": "append", "section": "", "items": [{"id": "b"}]},
                    {"op": "merge", "id": "a", "value": {"n": 2}}])
        self.assertEqual(inbox.get().items, [{"id": "a", "n": 2}, {"id": "b"}])
        problem = self.refused("edit-conflict", lambda: inbox.edit([{"op": "delete", "ids": ["x"]}]))
        self.assertIn("/edits/0", problem.errors[0]["pointer"])
        self.assertIn("/edits/0", str(problem))

    def test_a_batch_is_whole(self):
        first, second = self.list([{"id": "a"}]), self.list()
        results = self.service.batch("u42", [
            livedelta.put(second.name, [{"id": 1}]),
            livedelta.edits(first.name, [{"op": "delete", "ids": ["a"]}], if_version=first.get().version)])
        self.assertEqual(results[second.name].version, second.get().version)
        self.assertEqual(first.get().items, [])
        writes = [livedelta.delete(first.name), livedelta.put(second.name, [{"id": 2}], if_version="aaaaaaaa.1.bbbbbbbbbbbbbbbb")]
        with self.assertRaises(Problem):
            self.service.batch("u42", writes)
        self.assertIsNotNone(first.get())
        results = self.service.batch("u42", writes, atomic=False)
        self.assertIsNone(first.get())
        self.assertEqual(results[second.name].code, "version-conflict")

    def test_a_key_makes_a_write_once(self):
        inbox = self.list()
        edit = [{"op": "append", "section": "", "items": [{"id": "a"}]}]
        inbox.put([])
        first = inbox.edit(edit, key="k1")
        again = inbox.edit(edit, key="k1")
        self.assertEqual((again.version, again.replayed), (first.version, True))
        self.refused("idempotency-key-reuse", lambda: inbox.edit([], key="k1"))

    def test_numbers_keep_their_texts(self):
        inbox = self.list()
        text = '{"items":[{"id":9007199254740993,"price":1.50,"zero":-0,"big":1e400,"tiny":0.1e-7}]}'
        inbox.put(livedelta._parse(text.encode()))
        before = inbox.get()
        inbox.update(lambda snapshot: snapshot)
        self.assertEqual(inbox.get().version, before.version)
        self.assertEqual(livedelta._text(before.items[0]), text[len('{"items":['):-2])
        with self.assertRaises(ValueError):
            inbox.put([{"id": 1, "n": float("nan")}])

    def test_updates_of_many_are_all_made(self):
        counter = self.list()
        def count():
            service = Service(self.program.address)
            for _ in range(20):
                def change(snapshot):
                    value = snapshot.items[0]["n"] if snapshot.items else 0
                    return [{"id": "count", "n": value + 1}]
                service.collection("u42", counter.name).update(change, attempts=1000)
        threads = [threading.Thread(target=count) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(counter.get().items, [{"id": "count", "n": 100}])
        self.assertIsNone(counter.update(lambda snapshot: None))

    def test_history(self):
        inbox = self.list([{"id": "a"}])
        first = inbox.get()
        inbox.put([{"id": "b"}])
        self.assertEqual(inbox.get(first.version).items, [{"id": "a"}])
        inbox.revert(first.version)
        self.assertEqual(inbox.get().items, [{"id": "a"}])
        self.assertEqual(len(inbox.versions()), 3)
        self.refused("unknown-version", lambda: inbox.get("aaaaaaaa.9.bbbbbbbbbbbbbbbb"))

    def test_settings_and_indexes(self):
        inbox = self.list([{"id": "b"}, {"id": "a"}])
        inbox.settings({"sortBy": [{"path": "/id"}]})
        self.assertEqual([item["id"] for item in inbox.get().items], ["a", "b"])
        self.assertIn("sortBy", inbox.settings())
        self.assertIn(inbox.name, [entry["name"] for entry in self.service.collections("u42")])
        self.service.collection("other", "one").put([])
        self.assertIn("other", list(self.service.clients()))
        self.assertEqual(list(self.service.clients(prefix="oth")), ["other"])
        self.service.forget("other")
        self.service.forget("other")
        self.assertNotIn("other", list(self.service.clients()))

    def test_names_are_encoded(self):
        collection = self.service.collection("a b", "c/d")
        self.refused("bad-identifier", lambda: collection.put([]))

    def test_an_address_is_checked(self):
        for address in ("127.0.0.1:8080", "ftp://x", "http://", "unix:"):
            with self.assertRaises(ValueError, msg=address):
                Service(address)


class ReadingTests(Test):
    def test_repeated_ids_and_ids_elsewhere(self):
        for settings, lists in (
            ({"identity": "occurrence"}, [[{"id": "a", "n": n} for n in range(k)] for k in (3, 1, 4)]),
            ({"idPath": "/key/0"}, [[{"key": [k], "n": n} for k in "abc"[n:]] for n in range(3)]),
        ):
            inbox = self.list()
            inbox.put({"items": [], "settings": settings})
            reader = inbox.reader()
            reader.poll()
            for items in lists:
                inbox.put(items)
                self.assertTrue(reader.poll())
                self.assertEqual(reader.snapshot.items, items)

    def test_sections_with_ids_elsewhere(self):
        for settings, first, second in (
            ({"idPath": "/key"},
             {"sections": [{"key": "s", "title": "One", "items": [{"key": "a"}, {"key": "b"}]}]},
             {"sections": [{"key": "t", "items": [{"key": "b"}]}, {"key": "s", "id": 7, "items": [{"key": "a"}]}]}),
            ({"idPath": "/key", "sectionBy": "/c"},
             {"items": [{"key": "a", "c": "s"}]}, {"items": [{"key": "b", "c": "t"}, {"key": "a", "c": "s"}]}),
        ):
            inbox = self.list()
            inbox.put({**first, "settings": settings})
            reader = inbox.reader()
            reader.poll()
            self.assertEqual([s.id for s in reader.snapshot.sections], ["s"])
            inbox.put(second)
            self.assertTrue(reader.poll())
            self.assertEqual([s.id for s in reader.snapshot.sections], ["t", "s"])
            self.assertEqual(reader.snapshot, inbox.get())
            if "sections" in second:
                self.assertEqual(reader.snapshot.content, second)
                self.assertFalse(inbox.put(reader.snapshot.content).changed)

    def test_a_reader_waits_for_a_collection_and_its_changes(self):
        inbox = self.list()
        reader = iter(inbox.reader())
        self.assertEqual(next(reader), livedelta.Snapshot())
        for work, items in (
            (lambda: inbox.put([{"id": "a"}]), [{"id": "a"}]),
            (lambda: inbox.edit([{"op": "delete", "ids": ["a"]}]), []),
            (inbox.delete, []), (lambda: inbox.put([{"id": "b"}]), [{"id": "b"}]),
        ):
            timer = threading.Timer(0.05, work)
            timer.start()
            self.assertEqual(next(reader).items, items)
            timer.join()

    def test_a_delta_that_does_not_fit_is_not_applied(self):
        inbox = self.list([{"id": "a"}])
        reader = inbox.reader()
        reader.poll()
        reader.snapshot.sections[0].ids[0] = "other"  # a copy that was damaged
        inbox.put([{"id": "a", "n": 1}])
        self.assertTrue(reader.poll())
        self.assertEqual(reader.snapshot, inbox.get())

    def test_a_reader_that_starts_from_what_was_kept(self):
        inbox = self.list([{"id": "a"}])
        kept = inbox.get()
        inbox.put([{"id": "a"}, {"id": "b"}])
        reader = inbox.reader(start=kept)
        self.assertTrue(reader.poll())
        self.assertFalse(reader.poll())
        self.assertEqual(reader.snapshot, inbox.get())

    def test_changes(self):
        service = Service(self.program.address)
        changes = service.changes(client="followed")
        collection = self.service.collection("followed", "list")
        seen = []
        def write():
            collection.put([])
            collection.delete()
        timer = threading.Timer(0.05, write)
        timer.start()
        for change in changes:
            if change.reset:
                continue
            seen.append(change)
            if change.deleted:
                break
        timer.join()
        self.assertEqual({(change.client, change.name) for change in seen}, {("followed", "list")})
        collection.put([{"id": 1}])
        later = next(service.changes(client="followed", since=seen[-1].position))
        self.assertEqual((later.name, later.deleted, later.version), ("list", False, collection.get().version))


class ViewTests(unittest.TestCase):
    """Views, against a service that answers by a script."""

    def reader(self, answers, **options):
        asked = []

        class Answering(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(urllib.parse.unquote(self.path.split("?")[1]))
                body = json.dumps(answers.pop(0)).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Answering)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        service = Service(f"http://127.0.0.1:{server.server_port}")
        return service.collection("u42", "list").reader(**options), asked

    def test_a_window_that_moves_is_asked_for_with_the_one_that_is_held(self):
        view = livedelta.View(["/n:ge:1", "/u:eq:1"], ["/n", "/t"], ["/n:desc"], "flat", "first:1")
        reader, asked = self.reader([
            _shown("v.1.a", 1, "a", 0),
            _moved("v.1.a", "v.1.a", 1, "a", "b", 4, left=["a"]),
            {"kind": "unchanged", "version": "v.2.b", "seq": 2, "view": {"total": 9, "start": 4, "count": 1}},
            _moved("v.2.b", "v.3.c", 3, "b", "c", 0, deleted=["b"]),
            _moved("v.3.c", "v.4.d", 4, "c", "d", 0),
            _shown("v.4.d", 4, "d", 0)], view=view)
        self.assertTrue(reader.poll())
        self.assertEqual((reader.snapshot.items, reader.snapshot.view["total"]), ([{"id": "a"}], 9))
        reader.window = "at:4:1"
        self.assertTrue(reader.poll())
        self.assertEqual((reader.snapshot.items, reader.snapshot.view["start"]), ([{"id": "b"}], 4))
        self.assertFalse(reader.poll())
        self.assertEqual(reader.snapshot.version, "v.2.b")
        reader.window = "last:1"
        self.assertTrue(reader.poll())
        self.assertEqual(reader.snapshot.items, [{"id": "c"}])
        self.assertTrue(reader.poll())  # an item neither stays nor leaves: the whole is asked for
        self.assertEqual(reader.snapshot.items, [{"id": "d"}])
        terms, rest = "where=/n:ge:1&where=/u:eq:1&order=/n:desc&select=/n,/t&sections=flat", "dialect=splice&missing=wait"
        self.assertEqual(asked, [
            f"since=&{terms}&window=first:1&{rest}", f"since=v.1.a&{terms}&window=at:4:1&was=at:0:1&{rest}",
            f"since=v.1.a&{terms}&window=at:4:1&{rest}", f"since=v.2.b&{terms}&window=last:1&was=at:4:1&{rest}",
            f"since=v.3.c&{terms}&window=last:1&{rest}", f"{terms}&window=last:1"])

    def test_a_window_around_an_item_that_is_gone_stays_where_it_stands(self):
        def at(anchor, answer):
            return {**answer, "view": {**answer["view"], "anchor": anchor}}

        reader, asked = self.reader([
            at("a:1", _shown("v.1.a", 1, "a:1", 4)), at("\\1", _moved("v.1.a", "v.2.b", 2, "a:1", "\\1", 3, deleted=["a:1"])),
            at("c", _moved("v.2.b", "v.3.c", 3, "\\1", "c", 3, deleted=["\\1"]))],
            view=livedelta.View(window="around:a:1:0:0"))
        for held in ("a:1", "\\1", "c"):
            self.assertTrue(reader.poll())
            self.assertEqual((reader.snapshot.items, reader.window), ([{"id": held}], f"around:{held}:0:0"))
        rest = "dialect=splice&missing=wait"
        self.assertEqual(asked, [
            f"since=&window=around:a:1:0:0&{rest}", f"since=v.1.a&window=around:a:1:0:0&{rest}",
            f"since=v.2.b&window=around:\\1:0:0&{rest}"])

    def test_each_delta_of_the_kit_makes_what_is_seen_afterwards(self):
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "../../../conformance/vectors/views.json"), "rb") as file:
            steps = [step for step in livedelta._parse(file.read()) if step["kind"] == "delta"]
        self.assertEqual(len(steps), 100)
        collection = Service("http://127.0.0.1:1").collection("u42", "list")
        for step in steps:
            held = livedelta.Snapshot._of({"version": "1", "sections": step["before"]})
            reader = livedelta.Reader(collection, held)
            delta = {"kind": "delta", "from": "1", "to": "2", "seq": 2, **step["contents"], **step["answers"]["splice"]}
            self.assertTrue(reader._apply(delta), step["why"])
            self.assertEqual(reader.snapshot.content["sections"], step["after"], step["why"])
            self.assertEqual(reader.snapshot.view, step["contents"]["view"])

    def test_answers_in_a_circle_are_reported_and_waited_for(self):
        answers = [_shown(f"v.{n % 2}.a", 1, "a", 0) for n in range(40)]
        reader, asked = self.reader(answers)
        pauses = []
        time, livedelta.time = livedelta.time, types.SimpleNamespace(sleep=pauses.append, monotonic=lambda: 0.0)
        self.addCleanup(setattr, livedelta, "time", time)
        with self.assertLogs("livedelta", "WARNING"):
            for _, _ in zip(range(20), reader):
                pass
        self.assertEqual([bool(pause) for pause in pauses].index(True), 11)  # two versions, then ten times nothing new


def _shown(version, seq, item, start):
    return {"kind": "snapshot", "version": version, "seq": seq, "view": {"total": 9, "start": start, "count": 1},
            "sections": [{"id": "", "items": [{"id": item}]}]}


def _moved(old, new, seq, gone, added, start, **why):
    return {"kind": "delta", "from": old, "to": new, "seq": seq, "view": {"total": 9, "start": start, "count": 1},
            "order": [""], "removed": [gone], "added": [["", 0, added]], "changed": [], "items": {added: {"id": added}},
            "sections": {}, **{"deleted": [], **why}}


class EventTests(unittest.TestCase):
    def test_the_streams_of_the_kit_are_read_however_they_are_cut(self):
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(folder, "../../../conformance/vectors/streams.json"), "rb") as file:
            streams = json.load(file)
        self.assertGreaterEqual(len(streams), 70)
        for stream in streams:
            data = bytes.fromhex(stream["hex"]) if "hex" in stream else stream["stream"].encode()
            wanted = [(e["event"], e["data"], e["id"]) for e in stream["events"]]
            cuts = [(data[:cut], data[cut:]) for cut in range(0, len(data) + 1, 97 if len(data) > 1000 else 1)]
            for cut in [*cuts, [data[at:at + 1] for at in range(len(data))]]:
                pieces = [piece for piece in cut if piece]
                body = types.SimpleNamespace(read1=lambda most: pieces.pop(0) if pieces else b"")
                self.assertEqual(list(livedelta._server_sent(body)), wanted, f"{stream['name']}: {cut}")

    def test_an_event_is_told_as_soon_as_its_last_line_has_ended(self):
        for end in ("\n\n", "\r\r", "\r\n\r\n", "\n\r"):
            pieces = [b"data: x" + end.encode()]
            events = livedelta._server_sent(types.SimpleNamespace(read1=lambda most: pieces.pop(0)))
            self.assertEqual(next(events), ("message", "x", ""))


class AnswerTests(unittest.TestCase):
    """Answers of something between the client and the service."""

    def ask(self, answers, call, patience=0):
        scripted = Scripted(*answers)
        try:
            return call(Service(scripted.address, patience=patience).collection("u42", "inbox"))
        finally:
            scripted.close()
            self.requests = scripted.requests

    calls = [
        lambda c: c.get(), lambda c: c.get("v"), lambda c: c.put([]), lambda c: c.edit([]), lambda c: c.delete(),
        lambda c: c.revert("v"), lambda c: c.versions(), lambda c: c.settings(), lambda c: c.reader().poll(),
        lambda c: c.update(lambda snapshot: []), lambda c: c.service.forget("u42"),
        lambda c: c.service.batch("u42", [livedelta.delete("inbox")]),
        lambda c: next(c.service.changes()), lambda c: list(c.service.clients()),
    ]

    def test_a_redirect_is_no_success_and_is_not_followed(self):
        for status in (301, 302, 303, 307, 308):
            for call in self.calls:
                with self.assertRaises(livedelta.Problem) as caught:
                    self.ask([answer(status, b"", "Location: https://login.example.org/")], call, patience=30)
                self.assertEqual(caught.exception.status, status)
                self.assertIn("https://login.example.org/, which is not followed", str(caught.exception))
                self.assertEqual(len(self.requests), 1)

    def test_other_answers_than_successes_are_none(self):
        for status in (304, 300, 399, 600):
            with self.assertRaises(livedelta.Problem) as caught:
                self.ask([answer(status)], lambda c: c.put([]))
            self.assertEqual(caught.exception.status, status)

    def test_only_the_service_says_that_there_is_no_collection(self):
        missing = answer(404, b'{"status":404,"code":"collection-not-found"}')
        self.assertIsNone(self.ask([missing], lambda c: c.get()))
        self.assertFalse(self.ask([missing], lambda c: c.delete()))
        for page in (answer(404, b"default backend - 404", "Content-Type: text/html"), answer(404, b""),
                     answer(404, b'{"code":"collection-not-found"}', "Content-Type: application/json"),
                     answer(404, b'{"status":404,"code":"not-found"}')):
            for call in (lambda c: c.get(), lambda c: c.delete(), lambda c: c.reader().poll(), lambda c: c.service.forget("u")):
                with self.assertRaises(livedelta.Problem) as caught:
                    self.ask([page], call)
                self.assertEqual(caught.exception.status, 404)

    def test_a_success_without_json_is_no_answer(self):
        page = answer(200, b"<p>Log in</p>", "Content-Type: text/html")
        for call in (lambda c: c.get(), lambda c: c.versions(), lambda c: c.reader().poll()):
            for success in (page, answer(204), answer(200, b"[]"), answer(200, b"null")):
                with self.assertRaises(livedelta.Disconnected):
                    self.ask([success], call)
        for call in (lambda c: c.put([]), lambda c: c.edit([]), lambda c: c.revert("v")):
            for success in (page, answer(204), answer(200, b"[]"), answer(200, b'{"ok":true}')):
                with self.assertRaises(livedelta.OutcomeUnknown) as caught:
                    self.ask([success], call)
                self.assertIn(caught.exception.key.encode(), self.requests[-1])

    def test_pauses_that_make_no_sense_are_none(self):
        receipt = answer(200, b'{"version":"v","changed":true}')
        for value in ("-5", "nan", "inf", "1e9", "soon", "", "-inf"):
            busy = answer(503, b"{}", f"Retry-After: {value}")
            self.assertEqual(self.ask([busy, receipt], lambda c: c.put([]), patience=30).version, "v")
        with self.assertRaises(livedelta.Problem) as caught:
            self.ask([answer(503, b"{}", "Retry-After: 999999999")], lambda c: c.put([]))
        self.assertEqual(caught.exception.retry_after, 3600)

    def test_changes_go_on_after_events_that_are_none(self):
        def stream(*events):
            body = b"".join(events)
            return b"HTTP/1.1 200 X\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + body

        good = b'event: change\nid: 2\ndata: {"client":"a","name":"b","version":"c"}\n\n'
        for bad in (b"data: {\n\n", b"event: change\nid: 1\ndata: \xff\n\n", b"event: change\nid: 1\ndata: 5\n\n",
                    b"event: change\nid: 1\ndata: {}\n\n", b'event: reset\nid: 1\ndata: {"changes":5}\n\n',
                    b'event: reset\nid: 1\ndata: {"changes":[5]}\n\n', b"event: deleted\nid: 1\ndata\n\n"):
            change = self.ask([stream(bad), stream(good)], lambda c: next(c.service.changes(since="0")))
            self.assertEqual((change.client, change.name, change.version, change.position), ("a", "b", "c", "2"))
            self.assertIn(b"Last-Event-ID: 0", self.requests[1])  # nothing is left out

    def test_a_reset_because_the_view_changed_replaces_everything(self):
        marked = "k3f9m2qx.123456789012345678." + "Z" * 36 + ".v0a1B2c3d"  # as long as a token may be
        self.assertEqual(len(marked), 74)

        def snapshot(version, name, **more):
            return {"kind": "snapshot", "version": version, "seq": 1, "sections": [{"id": "", "items": [{"id": name}]}], **more}

        answers = [
            snapshot("k.1.a", "hidden"), snapshot(marked, "shown", reset={"reason": "view-changed", "since": "k.1.a"}),
            {"kind": "delta", "from": marked, "to": "k.2.b.v0a1B2c3d", "seq": 2, "order": [""], "removed": [], "deleted": [],
             "added": [["", 1, "new"]], "changed": [], "items": {"new": {"id": "new"}}, "sections": {}}]

        def follow(collection):
            reader = collection.reader()
            for expected in (["hidden"], ["shown"], ["shown", "new"]):
                self.assertTrue(reader.poll())
                self.assertEqual([item["id"] for item in reader.snapshot.items], expected)

        self.ask([answer(200, json.dumps(each).encode()) for each in answers], follow)
        self.assertIn(("since=" + marked).encode(), self.requests[2])

    def test_a_certificate_that_cannot_be_verified_is_told_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = os.path.join(folder, "key"), os.path.join(folder, "certificate")
            try:
                subprocess.run(
                    ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                     "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                    check=True, capture_output=True)
            except FileNotFoundError:
                self.skipTest("openssl is needed")
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            scripted = Scripted(answer(200, b'{"version":"v","sections":[]}'), context=context)
            try:
                for call in self.calls:
                    count = scripted.connections
                    with self.assertRaises(livedelta.Disconnected) as caught:
                        call(Service(scripted.address, patience=600).collection("u42", "inbox"))
                    self.assertIn("certificate", str(caught.exception))
                    self.assertEqual(scripted.connections, count + 1)
                trusted = ssl.create_default_context(cafile=certificate)
                collection = Service(scripted.address, context=trusted).collection("u42", "inbox")
                self.assertEqual(collection.get().version, "v")
            finally:
                scripted.close()


class FaultTests(unittest.TestCase):
    def test_writes_over_cut_connections_are_made_once(self):
        program = Program()
        proxy = Proxy(program.listening[0])
        try:
            collection = Service(proxy.address).collection("u42", "log")
            collection.put([])
            for number in range(60):
                proxy.cut_answers = number % 3
                collection.edit([{"op": "append", "section": "", "items": [{"id": f"e{number}"}]}])
            proxy.cut_answers = 0
            snapshot = Service(program.address).collection("u42", "log").get()
            self.assertEqual([item["id"] for item in snapshot.items], [f"e{n}" for n in range(60)])
            self.assertIn(".61.", snapshot.version)
        finally:
            proxy.close()
            program.kill()

    def test_readers_and_changes_go_on_after_a_restart(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Program(folder)
            service = Service(program.address, patience=60)
            collection = service.collection("u42", "log")
            timer = threading.Timer(0.05, lambda: collection.put([{"id": "a"}]))
            timer.start()
            changes = service.changes()
            self.assertEqual(next(changes).name, "log")
            timer.join()
            reader = collection.reader()
            reader.poll()
            program.kill()
            program = Program(folder, listen=program.listening[0])
            version = collection.put([{"id": "a"}, {"id": "b"}]).version
            self.assertTrue(reader.poll(wait=10))
            self.assertEqual([item["id"] for item in reader.snapshot.items], ["a", "b"])
            while next(changes).version != version:
                pass
            program.kill()

    def test_what_is_not_known_is_told(self):
        program = Program()
        proxy = Proxy(program.listening[0])
        proxy.cut_answers = 1000
        with self.assertRaises(livedelta.OutcomeUnknown) as caught:
            Service(proxy.address, patience=0.2).collection("u42", "log").put([{"id": "a"}])
        proxy.cut_answers = 0
        receipt = Service(proxy.address).collection("u42", "log").put([{"id": "a"}], key=caught.exception.key)
        self.assertTrue(receipt.replayed and receipt.changed)
        program.kill()
        with self.assertRaises(livedelta.Disconnected) as caught:
            Service(program.address, patience=0).collection("u42", "log").get()
        self.assertNotIsInstance(caught.exception, livedelta.OutcomeUnknown)
        proxy.close()

    def test_keys_and_sockets(self):
        with tempfile.TemporaryDirectory() as folder:
            keys = os.path.join(folder, "keys")
            with open(keys, "w") as file:
                digest = hashlib.sha256(b"a-secret-of-the-writer").hexdigest()
                file.write(f"backend sha256:{digest} write:u42/**\n")
            program = Program(":memory:", "--keys", keys, listen=f"unix:{folder}/socket")
            tokens = iter(["a-secret-of-the-writer", "another"])
            with Service(f"unix:{folder}/socket", token=lambda: next(tokens)) as service:
                collection = service.collection("u42", "log")
                self.assertTrue(collection.put([]).changed)
                with self.assertRaises(Problem) as caught:
                    collection.get()
                self.assertEqual((caught.exception.status, caught.exception.code), (401, "unauthenticated"))
            program.kill()


class DocumentTests(unittest.TestCase):
    def test_the_documents_run_as_they_stand(self):
        folder = os.path.dirname(os.path.abspath(__file__))
        for path in ("../README.md", "../../../docs/guides/python.md"):
            with open(os.path.join(folder, path)) as file:
                blocks = re.findall(r"^```python\n(.*?)^```", file.read(), re.M | re.S)
            self.assertTrue(blocks, path)
            program = Program()
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec("\n".join(blocks).replace("http://127.0.0.1:8080", program.address), {})
            program.kill()
            if "guides" in path:
                self.assertRegex(output.getvalue(), r"^\['Contract', 'Lunch\?'\]\n\w+\.1\.\S+\n\w+\.3\.\S+ 1\n$")


if __name__ == "__main__":
    unittest.main()
