"""Tests of scripts/ld/parts.py and events.py: a run tells what came of its parts, and nothing fails in silence."""

import contextlib
import io
import json
import os
import pathlib
import select
import tempfile
import time
import unittest

from ld.events import Outcome
from ld.parts import Part, Run

PLACE = "OutcomeTests.OutcomeTests/test()/OutcomeTests.swift:5:4"


def event(kind, test=None, symbol=None, is_known=None, text="as it should"):
    payload = {"kind": kind, "messages": [{"symbol": symbol, "text": text}] if symbol else []}
    if test:
        payload["testID"] = test
    if is_known is not None:
        payload["issue"] = {"isKnown": is_known}
    return json.dumps({"version": 0, "kind": "event", "payload": payload})


def test(number, symbol):
    name = PLACE.replace("test()", f"test{number}()")
    issue = [event("issueRecorded", name, "fail", False)] if symbol == "fail" else []
    return [event("testStarted", name), *issue, event("testEnded", name, symbol)]


class Outcomes(unittest.TestCase):
    def outcome(self, events, status, is_late=False):
        outcome = Outcome()
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("\n".join(events))
            file.flush()
            outcome.add(file.name, status, is_late)
        return outcome

    def test_functions_count_and_suites_do_not(self):
        suite = [event("testStarted", "OutcomeTests.OutcomeTests"), event("testEnded", "OutcomeTests.OutcomeTests", "pass")]
        skipped = [event("testSkipped", PLACE)]
        known = [event("issueRecorded", PLACE, "difference", True)]
        outcome = self.outcome([event("runStarted"), *suite, *test(1, "pass"), *skipped, *known, event("runEnded", None, "pass")], 0)
        self.assertEqual(outcome.last_line(), "1 passed, 0 failed, 1 skipped")
        self.assertFalse(outcome.has_failed)

    def test_a_failure_is_told_with_its_reason(self):
        outcome = self.outcome([event("runStarted"), *test(1, "pass"), *test(2, "fail"), event("runEnded")], 1)
        self.assertEqual(outcome.last_line(), "1 passed, 1 failed")
        self.assertEqual(outcome.lines(), [f"failed: {PLACE.replace('test()', 'test2()')}: as it should"])

    def test_a_run_that_crashed_tells_what_was_under_way(self):
        outcome = self.outcome([event("runStarted"), *test(1, "pass"), event("testStarted", PLACE), '{"torn":'], 139)
        self.assertEqual(outcome.last_line(), "1 passed, at least 1 failed: the run crashed, tests under way: 1")
        self.assertEqual(outcome.lines(), [f"under way: {PLACE}"])

    def test_a_run_that_stood_still_says_so(self):
        outcome = self.outcome([event("runStarted"), *test(1, "fail"), event("testStarted", PLACE)], 124, is_late=True)
        self.assertEqual(outcome.last_line(), "0 passed, at least 1 failed: the run stood still, tests under way: 1")

    def test_a_build_that_failed_has_no_tests(self):
        self.assertEqual(self.outcome([], 1).last_line(), "0 passed, at least 1 failed: no test ran, see the error above")

    def test_a_status_without_a_failed_test_is_a_failure(self):
        outcome = self.outcome([event("runStarted"), *test(1, "pass"), event("runEnded")], 1)
        self.assertEqual(outcome.last_line(), "1 passed, at least 1 failed: swift test ended with status 1")

    def test_runs_add_up_with_the_parts_that_failed(self):
        outcome = self.outcome([event("runStarted"), *test(1, "pass"), event("runEnded")], 0)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("\n".join([event("runStarted"), *test(2, "fail"), event("runEnded")]))
            file.flush()
            outcome.add(file.name, 1)
        self.assertEqual(outcome.last_line(["web", "deploy"]), "1 passed, 3 failed: web, deploy failed, see above")


class Runs(unittest.TestCase):
    def finished(self, *parts, beside=(), minutes=1):
        run, printed = Run(minutes), io.StringIO()
        with contextlib.redirect_stdout(printed):
            line = run.beside(beside)
            run.line(parts)
            line.join()
            status = run.finish()
        return status, printed.getvalue().splitlines()

    def test_what_passes_and_what_is_left_out_fail_nothing(self):
        status, lines = self.finished(Part("one", 1, ["true"]), Part("other", 1, ["sh", "-c", "exit 77"]))
        self.assertEqual((status, lines[-2:]), (0, ["left out: other", "0 passed, 0 failed"]))

    def test_a_part_that_fails_is_counted_and_its_end_shown_again(self):
        status, lines = self.finished(Part("one", 1, ["sh", "-c", "echo why; exit 3"]), Part("other", 1, ["true"]))
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed: one failed, see above"))
        self.assertEqual(lines[-3:-1], ["== the end of one", "why"])
        self.assertTrue(any(line.startswith("part: other passed") for line in lines))

    def test_a_part_that_fails_beside_is_counted_too(self):
        status, lines = self.finished(beside=[Part("one", 1, ["false"])])
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed: one failed, see above"))

    def test_what_needs_a_part_that_failed_is_not_run_and_said_to_be(self):
        status, lines = self.finished(Part("base", 1, ["false"], is_base=True), Part("other", 1, ["true"]))
        self.assertEqual((status, lines[-1]), (1, "0 passed, at least 1 failed: base failed, see above"))
        self.assertIn("part: other was not run: it needs base", lines)

    def test_a_program_that_is_not_there_is_a_failure(self):
        status, lines = self.finished(Part("one", 1, ["/no/such/program"]), Part("other", 1, ["true"]))
        self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed: one failed, see above"))

    def test_tests_that_are_late_stood_still(self):
        status, lines = self.finished(Part("tests", 1 / 60, ["sh", "-c", "sleep 1000"], tests=True))
        self.assertEqual((status, lines[-1]), (1, "0 passed, at least 1 failed: no test ran, see the error above"))

    def test_a_part_that_is_late_is_ended_with_all_that_it_started(self):
        with tempfile.TemporaryDirectory() as folder:
            script = f"setsid sleep 1000 & echo $! >{folder}/pid; wait"
            started = time.monotonic()
            status, lines = self.finished(Part("one", 1 / 30, ["sh", "-c", script]))
            self.assertLess(time.monotonic() - started, 60)
            self.assertEqual((status, lines[-1]), (1, "0 passed, 1 failed: one failed, see above"))
            self.assertIn("did not end within 2 seconds", "\n".join(lines))
            pid = int(pathlib.Path(folder, "pid").read_text())
            try:
                process = os.pidfd_open(pid)  # readable once it has ended
            except ProcessLookupError:
                return
            with open(process):
                command = pathlib.Path(f"/proc/{pid}/cmdline")
                ended = select.select([process], [], [], 60)[0] or b"sleep" not in command.read_bytes()
            self.assertTrue(ended, "what a late part started is still there")


if __name__ == "__main__":
    unittest.main()
