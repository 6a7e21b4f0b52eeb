"""What happened, by the kind of fault during which it did."""
import collections
import statistics
import threading


class Figures:
    def __init__(self):
        self.changed = threading.Condition()
        self.kind = "none"
        self.injected = collections.Counter()
        self.counts = collections.defaultdict(collections.Counter)
        self.ready = collections.defaultdict(list)  # seconds until all was well again
        self.wakes = collections.defaultdict(list)  # seconds from a writer's answer to a reader's elsewhere
        self.writes = []  # seconds that a write took that was acknowledged, since they were taken last
        self.notes = collections.Counter()

    def begin(self, kind):
        with self.changed:
            self.kind = kind
            self.injected[kind] += 1

    def end(self, seconds):
        with self.changed:
            self.ready[self.kind].append(seconds)
            self.kind = "none"

    def count(self, what):
        with self.changed:
            self.counts[self.kind][what] += 1
            self.changed.notify_all()

    def wake(self, seconds):
        with self.changed:
            self.wakes[self.kind].append(seconds)
            self.changed.notify_all()

    def took(self, seconds):
        with self.changed:
            self.writes.append(seconds)

    def total(self, what):
        return sum(counts[what] for counts in self.counts.values())

    def until(self, more, *what, seconds=10):
        """Waits until so many more of some outcomes were counted; whether they were within `seconds`."""
        with self.changed:
            def now():
                return sum(self.total(one) for one in what)
            goal = now() + more
            return self.changed.wait_for(lambda: now() >= goal, seconds)

    def table(self):
        head = ["fault", "injected", "well again, s", "wake-up, ms", "acknowledged", "503", "no answer", "replayed", "deltas", "resets"]
        rows = [head, ["---"] + ["---:"] * (len(head) - 1)]
        for kind in ["none"] + sorted(self.injected):
            counts = self.counts[kind]
            resets = sum(counts[name] for name in counts if name.startswith("reset: "))
            rows.append([kind, self.injected[kind] or "", spread(self.ready[kind], 1, 2), spread(self.wakes[kind], 1000, 1, 0.99),
                         counts["acknowledged"], counts["503"] + counts["503 of readers"], counts["no answer"],
                         counts["replayed"], counts["deltas"], resets])
        return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)

    def report(self):
        total = sum(self.counts.values(), collections.Counter())
        wakes = [seconds for some in self.wakes.values() for seconds in some]
        return "\n".join([
            self.table(), "",
            f"faults: {sum(self.injected.values())} of {len(self.injected)} kinds",
            f"well again: median {spread(sum(self.ready.values(), []), 1, 2)} s (median, longest)",
            f"told at another replica after: {spread(wakes, 1000, 1, 0.99)} ms (median, p99) of {len(wakes)}",
            "counts: " + ", ".join(f"{count} {what}" for what, count in sorted(total.items())),
            *(f"{count} times: {note}" for note, count in self.notes.items())])


def spread(values, scale, digits, high=1.0):
    """The median and the longest, or another part."""
    if not values:
        return ""
    ordered = sorted(values)
    top = ordered[min(len(ordered) - 1, int(len(ordered) * high))]
    return f"{statistics.median(ordered) * scale:.{digits}f}, {top * scale:.{digits}f}"
