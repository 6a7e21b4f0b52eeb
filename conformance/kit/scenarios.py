"""What is done to a client. Each scenario is named by the section of the contract, and runs with a client of its own."""

import json
import pathlib
import random
import tempfile
import time

from . import lists
from .document import parse
from .follow import Client, Failed
from .history import History
from .scripted import ScriptedService
from .views import View

PAIRS = pathlib.Path(__file__).parent.parent / "vectors/pairs.json"
A = lists.items("a", "b", "c")
B = lists.changed(lists.items("c", "a", "x", "b"), "b")
LONG = [{"id": f"i{n}", "title": "Ünïcödé 😀 " * 3, "n": n} for n in range(60)]

SCENARIOS = []


def scenario(section, name, **options):
    def add(function):
        SCENARIOS.append((f"{section} {name}", function, options))
        return function
    return add


class Run:
    """One client, its service, and what the scenario does to both; `kinds` are those of a real service and its histories."""

    def __init__(self, command, seed, patience, pairs, program, token="secret", needs="", others=0, view=(), kinds=None):
        self.pairs = pairs
        self.chance = random.Random(seed)
        kind = kinds[1] if kinds else History
        self.history = kind("list", seed)
        self.others = [kind(f"other{n}", seed + 7 + n, self.history.changed) for n in range(others)]
        view = View(view(self.chance) if callable(view) else view)
        if kinds:
            self.service = kinds[0](program, [self.history, *self.others], "u1", view or None)
        else:
            self.service = ScriptedService(self.history, "u1", token, random.Random(seed + 1), self.others, view or None)
        self.folder = tempfile.TemporaryDirectory(prefix="livedelta-kept-") if kinds else None
        self.patience, self.command, self.token, self.client = patience, command, token, None

    def start(self, content=A):
        if content is not None:
            self.history.put(plain(content))
        self.client = Client(self.command, self.service, self.token, self.folder and self.folder.name)
        if content is not None:
            self.settle()

    def restart(self):
        """Another client comes, which may have what the one before has kept."""
        self.client.stop()
        before = self.client.all_windows
        self.start(None)
        for windows in (self.client.windows, self.client.all_windows):
            windows[:0] = before

    def settle(self):
        """Until the client shows the newest version of each collection, or that there is none."""
        for name, history in self.service.histories.items():
            what = f"it shows the version {history.head}" if history.head else "it shows nothing after a deletion"
            self.client.until(lambda name=name: self.client.shows_newest(name), self.patience, what)

    def waiting(self):
        """Until the client waits for news; so a client that asks from time to time alone is not waited for."""
        self.client.until(lambda: self.service.parked > 0, self.patience, "it waits for news")

    def change(self, *contents, fault=None):
        """Commits while the client waits; the fault is what happens to the answer."""
        self.waiting()
        with self.history.changed:
            if fault:
                self.service.faults.append(fault)
            self.history.put(*map(plain, contents))
        self.settle()

    def finish(self):
        if self.service.wrong:
            raise Failed("; ".join(self.service.wrong))


def plain(content):
    return parse(json.dumps(content))


def run(command, scenario, seed, patience, pairs, program=None):
    """Runs a scenario; returns what is wrong, or None."""
    name, function, options = scenario
    one = Run(command, seed, patience, pairs, program, **options)
    try:
        function(one)
        one.finish()
        return None
    except Failed as error:
        errors = one.client.errors if one.client else []
        return "\n    ".join([str(error), *(f"stderr: {line}" for line in errors[-15:])])
    finally:
        if one.client:
            one.client.stop()
        one.service.close()
        if one.folder:
            one.folder.cleanup()


@scenario("§5", "the initial load, unchanged, and a delta")
def initial(r):
    r.start()
    r.change(B)
    r.change(A)


@scenario("§5", "a token is sent with every question, and none where there is none", token=None)
def without_token(r):
    r.start()
    r.change(B)


@scenario("§6, §7", "every pair of the vectors, in the client's dialect")
def vectors(r):
    pairs = parse(PAIRS.read_text(encoding="utf-8"))
    r.start([])
    step = max(1, len(pairs) // r.pairs)
    for pair in pairs[r.chance.randrange(step)::step]:
        for content in (pair["old"], pair["new"]):
            r.waiting()
            r.history.put(content)
            r.settle()


@scenario("§5", "one delta over many versions")
def gaps(r):
    r.start()
    r.change(B, LONG, A, B)
    r.change(LONG, A)


@scenario("§5", "a long poll ends unchanged, again and again")
def idle(r):
    r.service.wait = 0.3
    r.start()
    for content in (B, A):
        time.sleep(0.7)
        r.change(content)


@scenario("§5", "a delta to be applied, and shown without animation")
def without_animation(r):
    r.start()
    r.history.animate = False
    r.change(B)


@scenario("§5", "reset: delta-too-large")
def too_large(r):
    r.start()
    r.waiting()
    with r.history.changed:
        r.history.too_large = True
        r.history.put(plain(B))
    r.settle()
    r.change(A)


@scenario("§5", "reset: history-compacted")
def compacted(r):
    r.start()
    away(r, lambda: (r.history.put(plain(B)), r.history.forget()))
    r.change(A)


@scenario("§5", "reset: diverged, with the same number")
def diverged(r):
    r.start()
    away(r, lambda: r.history.fork(plain(B)))
    r.change(A)


@scenario("§5", "reset: lineage-changed, of a collection that was deleted and made again meanwhile")
def lineage(r):
    r.start()
    away(r, lambda: (r.history.delete(), r.history.put(plain(B))))
    r.change(A)


@scenario("§5", "deleted while waiting, and made again")
def deleted(r):
    r.start()
    for content in (B, A):
        r.waiting()
        r.history.delete()
        r.settle()
        time.sleep(0.2)
        r.history.put(plain(content))
        r.settle()
    r.change(B)


@scenario("§5", "a collection that does not exist yet")
def missing(r):
    r.start(None)
    r.client.until(lambda: r.service.asked, r.patience, "it asks")
    time.sleep(0.3)
    r.history.put(plain(A))
    r.settle()
    r.change(B)


@scenario("§5", "a late answer: a delta from a version that is no longer held")
def late(r):
    r.start()
    first = r.history.head
    r.change(B)
    second = r.history.head
    r.change(LONG, fault={"late": lambda request: r.history.delta(first, second, request.asked)})
    r.change(A)


@scenario("§5", "an answer out of order: a delta from a version that is not held yet")
def early(r):
    r.start()
    r.waiting()
    with r.history.changed:
        r.history.put(plain(lists.changed(A, "a")))
        second = r.history.head
        # Applied to the first version it fits, and keeps the old content of an item.
        r.history.put(plain(lists.changed(lists.items("c", "a", "b"), "a")))
        third = r.history.head
        r.service.faults.append({"late": lambda request: r.history.delta(second, third, request.asked)})
    r.settle()
    r.change(A)


@scenario("§5", "an answer that comes twice")
def doubled(r):
    r.start()
    first = r.history.head
    r.change(B, fault={"double": True})
    second = r.history.head
    again = {"late": lambda request: None if request.is_stream else r.history.delta(first, second, request.asked),
             "double": True}
    r.change(A, fault=again)
    r.change(LONG)


@scenario("§5", "a delta that does not fit what is held is dropped, never shown")
def broken(r):
    def without_contents(found):
        if isinstance(found, list):
            return found[:1] + [{"op": "remove", "path": "/sections/9"}] + found[1:]
        return {**found, "items": {}}

    r.start()
    r.change(lists.items("n", "o", "a"), fault={"broken": without_contents})
    r.change(A)


@scenario("§8", "a version of equal content, which a bookmark tells")
def bookmark(r):
    r.start()
    r.waiting()
    r.history.advance()
    r.change(B)
    away(r, r.history.advance)
    r.change(A)


@scenario("§8", "the connection is cut: in the body, before it, between answers")
def cut(r):
    r.start()
    for fault in ({"cut": 0.5}, {"cut": 0.97}, {"silent": True}, {"cut": 0.02}):
        r.change(r.chance.choice((LONG, B)), fault=fault)
        r.waiting()
        r.service.cut_all()
        r.change(A)


@scenario("§8", "the service is restarted, and something changed meanwhile")
def restart(r):
    r.start()
    for content in (B, A):
        away(r, lambda: r.history.put(plain(content)))
    r.change(LONG)


@scenario("§8", "bodies in odd chunks, of single bytes too")
def chunks(r):
    r.service.always = {"chunks": True}
    r.start(LONG)
    r.change(A)
    r.change(LONG)


@scenario("§8", "a body that is slow")
def slow(r):
    r.start(A)
    r.change(LONG, fault={"slow": 0.15})
    r.change(A, fault={"slow": 0.1, "chunks": True})


@scenario("§11", "answers in gzip, each event whole as it comes")
def gzip(r):
    r.service.always = {"gzip": True}
    r.start(LONG)
    for content in (A, B, LONG):
        r.change(content)


@scenario("§8", "an answer that ends its connection")
def close(r):
    r.service.always = {"close": True, "chunks": True}
    r.start(A)
    r.change(LONG)
    r.change(A)


@scenario("§12", "503 and 429 with Retry-After, which is kept")
def refused(r):
    r.start()
    r.change(B, fault={"status": 503, "retry": 1})
    r.service.faults.extend([{"status": 503, "retry": 1}, {"status": 429, "retry": 1, "code": "rate-limited"}])
    away(r, lambda: r.history.put(plain(A)))
    r.change(LONG)


@scenario("§12", "500 and 502 pass, too")
def failures(r):
    r.start()
    r.service.faults.extend([{"status": 503, "code": "store-unavailable"}, {"status": 502, "code": "bad-gateway"}])
    away(r, lambda: r.history.put(plain(B)))
    r.change(A)


@scenario("§8", "`end`: rotate, drain and overload")
def end(r):
    r.start()
    for reason, content in (("rotate", B), ("drain", A), ("overload", LONG)):
        r.change(content, fault={"end": reason})
        r.waiting()
        with r.history.changed:
            r.service.faults.append({"end": reason, "at_once": True})
            r.history.changed.notify_all()
        r.client.until(lambda: not r.service.faults, r.patience, "the stream takes its end")


@scenario("§8", "events as the standard allows them: other line ends, comments, no space")
def framing(r):
    r.start()
    for way, content in (("crlf", B), ("comment", A), ("tight", LONG), ("crlf", A)):
        r.change(content, fault={"framing": way, "chunks": True})


@scenario("§5, §8", "random versions, and random troubles")
def chaos(r):
    r.start()
    troubles = [{"cut": 0.3}, {"cut": 0.9}, {"silent": True}, {"chunks": True}, {"double": True}, {"end": "rotate"},
                {"gzip": True}, {"close": True}, {"slow": 0.01}]
    content = lists.random_content(r.chance)
    for _ in range(r.pairs):
        content = lists.edited(r.chance, content) if r.chance.random() < 0.8 else lists.random_content(r.chance)
        what = r.chance.random()
        if what < 0.1:
            with r.history.changed:
                r.service.faults.append(r.chance.choice(troubles))
        elif what < 0.13:
            r.service.cut_all()
        elif what < 0.15:
            r.history.delete()
        elif what < 0.18:
            r.history.forget()
        r.history.put(content)
        time.sleep(r.chance.choice((0, 0, 0.002, 0.02)))
    r.settle()


@scenario("§8 sync", "several collections: loads, deltas, and nothing new", needs="sync", others=2)
def several(r):
    r.others[0].put(plain(LONG))
    r.start()
    r.change(B)
    r.waiting()
    r.others[0].put(plain(A))
    r.settle()
    r.waiting()
    r.others[1].put(plain(B))
    r.settle()
    batch(r, A, B)


@scenario("§8 sync", "one is deleted and made again, the others go on", needs="sync", others=1)
def several_deleted(r):
    r.others[0].put(plain(LONG))
    r.start()
    for content in (B, A):
        r.waiting()
        r.others[0].delete()
        r.settle()
        r.change(content)
        r.others[0].put(plain(content))
        r.settle()


@scenario("§8 sync", "resets of one of several, and connections that are cut", needs="sync", others=1)
def several_reset(r):
    r.others[0].put(plain(B))
    r.start()
    away(r, lambda: (r.others[0].put(plain(A)), r.others[0].forget()))
    away(r, lambda: (r.others[0].delete(), r.others[0].put(plain(LONG)), r.history.put(plain(B))))
    for fault in ({"cut": 0.5}, {"silent": True}, {"gzip": True}, {"chunks": True}, {"slow": 0.05}, {"end": "rotate"}):
        r.change(r.chance.choice((LONG, A, B)), fault=fault)
    batch(r, B, A)


@scenario("§8 sync", "random versions of three", needs="sync", others=2)
def several_chaos(r):
    r.start()
    contents = [lists.random_content(r.chance) for _ in range(3)]
    for _ in range(r.pairs):
        at = r.chance.randrange(3)
        contents[at] = lists.edited(r.chance, contents[at]) if r.chance.random() < 0.8 else lists.random_content(r.chance)
        what = r.chance.random()
        if what < 0.05:
            r.service.cut_all()
        elif what < 0.1:
            [r.history, *r.others][at].delete()
        [r.history, *r.others][at].put(contents[at])
        time.sleep(r.chance.choice((0, 0, 0.002, 0.02)))
    r.settle()


def batch(r, *contents):
    """What is written together arrives together."""
    r.waiting()
    with r.history.changed:
        for history, content in zip([r.history, *r.others], contents):
            history.put(plain(content))
    r.settle()


VIEWED = [("where", "/n:ge:1"), ("order", "/n:desc:number"), ("select", "/n"), ("window", "first:3")]


def random_mails(chance):
    names = chance.sample("abcdefghijkl", chance.randrange(13))
    return [{"id": name, "n": chance.randrange(4), "t": chance.choice("xyz")} for name in names]


@scenario("§15", "a view: what it shows of random versions, with its window", needs="views", view=VIEWED)
def viewed(r):
    r.start(random_mails(r.chance))
    for _ in range(r.pairs):
        r.waiting()
        r.history.put(plain(random_mails(r.chance)))
        r.settle()


@scenario("§15", "a version of which a view shows the same, and a delta after it", needs="views",
          view=[("where", "/n:ge:1"), ("sections", "flat")])
def viewed_same(r):
    r.start([{"id": "a", "n": 1}, {"id": "b", "n": 0}])
    r.change([{"id": "a", "n": 1}, {"id": "b", "n": 0.5}])
    r.change([{"id": "a", "n": 1}, {"id": "b", "n": 2}])
    away(r, lambda: r.history.put(plain([{"id": "a", "n": 1}, {"id": "b", "n": 2}, {"id": "c", "n": 0}])))
    r.change([{"id": "b", "n": 2}, {"id": "c", "n": 0}])
    away(r, lambda: (r.history.put(plain(A)), r.history.forget()))


def away(r, change):
    """While the service is away something happens; then it comes back."""
    r.waiting()
    r.service.close()
    with r.history.changed:
        change()
    r.service.open()
    r.settle()
