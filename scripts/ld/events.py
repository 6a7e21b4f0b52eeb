"""What came of `swift test`, by the events that it writes as they happen: so tests that ended before a crash count."""

import json
import re

LINES = 20  # of issues
UNDER_WAY = 40  # lines of tests that had not ended
# Functions count, suites do not: only a function's identifier ends with a place in a file.
FUNCTION = re.compile(r"\.swift:\d+:\d+$")


class Outcome:
    """Of one run of tests, or of several together."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.is_exact, self.reasons, self.issues, self.under_way = True, [], [], []

    @property
    def has_failed(self):
        return self.failed > 0 or not self.is_exact or bool(self.reasons)

    def add(self, path, status, is_late=False):
        """Adds a run: the file of its events, the status of `swift test`, and whether its time was over."""
        has_started = has_ended = False
        open_tests, ended, failed = set(), 0, 0
        for event in read(path):
            kind, test = event.get("kind"), event.get("testID", "")
            has_started |= kind == "runStarted"
            has_ended |= kind == "runEnded"
            if kind == "issueRecorded" and not event.get("issue", {}).get("isKnown"):
                text = "; ".join(message["text"] for message in event.get("messages", []))
                self.issues.append(f"{test}: {text}"[:600].replace("\n", " "))
            if not FUNCTION.search(test):
                continue
            if kind == "testStarted":
                open_tests.add(test)
            elif kind == "testSkipped":
                self.skipped += 1
            elif kind == "testEnded":
                open_tests.discard(test)
                ended += 1
                failed += any(message.get("symbol") == "fail" for message in event.get("messages", []))
        self.passed += ended - failed
        self.failed += failed
        if not status:
            return
        if not has_started:
            self.reasons.append("no test ran, see the error above")
        elif not has_ended:
            self.under_way += sorted(open_tests)
            self.reasons.append(
                f"the run {'stood still' if is_late else 'crashed'}, tests under way: {len(open_tests)}")
        elif not failed:
            self.reasons.append(f"swift test ended with status {status}")
        if not (has_ended and failed):
            self.is_exact = False
            self.failed += not failed

    def lines(self):
        """The first issues, and the tests that had not ended."""
        return [f"failed: {text}" for text in self.issues[:LINES]] + [
            f"under way: {test}" for test in self.under_way[:UNDER_WAY]]

    def last_line(self, parts=()):
        """`N passed, N failed`, in which each of the other parts that failed is one."""
        count = self.failed + len(parts)
        line = f"{self.passed} passed, {'' if self.is_exact else 'at least '}{count} failed"
        if self.skipped:
            line += f", {self.skipped} skipped"
        reasons = ([f"{', '.join(parts)} failed, see above"] if parts else []) + self.reasons
        return line + (": " + "; ".join(reasons) if reasons else "")


def read(path):
    """The events of a file; the last line of a run that was ended may be torn."""
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if found.get("kind") == "event":
                yield found["payload"]
