"""The caches of deploy/edge in front of a real service: what they keep, and what they pass on."""

import http.client
import os
import socket
import tempfile
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import edges
from service import Service, replaced

PATH = "/v1/clients/public/collections/news"


class Scene:
    """A service, and a cache in front of it."""

    def __init__(self, kind, change=lambda text: text):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        self.service = Service(os.path.join(self.folder.name, "data"))
        host, port = self.service.address.rsplit(":", 1)
        self.tap = edges.Tap(os.path.join(self.folder.name, "tap.sock"), (host, int(port)))
        self.edge = edges.Edge(kind, self.folder.name, self.tap.path, change=change)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.edge.stop()
        self.tap.stop()
        self.service.kill()
        self.folder.cleanup()

    def ask(self, path, fields=None, method="GET", body=None):
        """Asks the cache; returns the status, the fields and the body."""
        connection = http.client.HTTPConnection("livedelta.example")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(60)
        connection.sock.connect(self.edge.socket)
        connection.request(method, path, body, fields or {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, text

    def put(self, items, settings='{"audience":"public"}'):
        """Writes the collection through the cache; returns its version."""
        body = f'{{"items":{items},"settings":{settings}}}'
        status, fields, text = self.ask(PATH, {"Content-Type": "application/json"}, "PUT", body)
        assert status in (200, 201), text
        return fields["Collection-Version"]

    def come(self, polls, earlier=0):
        """Returns once all these have come to the cache, and nobody has been answered; `earlier` questions were another's."""
        while True:
            asked = self.tap.asked("/delta?") - earlier
            if asked + self.edge.waiting(asked) >= len(polls):
                return
            assert not any(poll.done() for poll in polls), self.tap.requests


# A round of nginx may have ended among the questions of a test.
QUESTIONS = {"nginx": 2, "varnish": 1}


def many_waits_are_one_question(kind):
    """A hundred long polls of one version reach the service once, and all have the delta; later ones none at all."""
    with Scene(kind) as scene, ThreadPoolExecutor(100) as pool:
        first = scene.put('[{"id":1}]')
        path = f"{PATH}/delta?since={first}&wait=25"
        spellings = [{}, {"Accept": "*/*"}, {"Accept": "application/json", "Cookie": "a=b", "Prefer": "items=patch"}]
        polls = [pool.submit(scene.ask, path, spellings[number % 3]) for number in range(100)]
        scene.come(polls)
        scene.put('[{"id":1},{"id":2}]')
        for poll in polls:
            status, fields, body = poll.result()
            assert status == 200 and b'"kind":"delta"' in body, body
            assert fields["Cache-Control"] == "public, max-age=5, stale-while-revalidate=60", str(fields)
        assert scene.tap.asked("/delta?") <= QUESTIONS[kind], scene.tap.requests
        for _ in range(5):
            assert scene.ask(path)[2] == body
        assert scene.tap.asked("/delta?") <= QUESTIONS[kind] + 1, scene.tap.requests
        zipped = scene.ask(path, {"Accept-Encoding": "gzip"})[1]
        assert "gzip" in (zipped.get("Content-Encoding") or "gzip")


def what_is_not_to_be_kept_is_not(kind):
    """No news, refusals, streams, other collections and what asks for the service itself are answered by it each time."""
    with Scene(kind) as scene:
        head = scene.put('[{"id":1}]')
        scene.ask("/v1/clients/u/collections/c", {"Content-Type": "application/json"}, "PUT", "[]")
        for path, fields in [
            (f"{PATH}?maxage=0", {}), (f"{PATH}/delta?since={head}&maxage=0", {}), (f"{PATH}/versions", {}),
            ("/v1/clients/u/collections/c", {}), (PATH, {"Authorization": "Bearer nobody"}),
        ]:
            before = len(scene.tap.requests)
            for _ in range(3):
                assert scene.ask(path, fields)[0] == 200
            assert len(scene.tap.requests) == before + 3, f"{path} {fields}: {scene.tap.requests[before:]}"
        before = len(scene.tap.requests)
        for _ in range(3):
            scene.ask(PATH)
        assert len(scene.tap.requests) - before <= 1
        events = scene.ask(f"{PATH}/delta?closeafter=event", {"Accept": "text/event-stream"})
        assert b"event: snapshot" in events[2], events
        later = scene.ask(f"{PATH}/delta?since={head}&wait=1")
        assert b'"kind":"unchanged"' in later[2], later
        news = scene.put("[]")
        status, _, body = scene.ask(f"{PATH}/delta?since={head}&wait=25")
        assert status == 200 and news.encode() in body, body


def those_who_wait_for_nothing_do_not_go_round_in_circles(kind):
    """Readers for whom nothing came wait again, together: none has an answer that is from before its question."""
    with Scene(kind) as scene, ThreadPoolExecutor(50) as pool:
        path = f"{PATH}/delta?since={scene.put('[]')}&wait=1"

        def follow(_):
            start = time.monotonic()
            for _ in range(2):
                assert b'"kind":"unchanged"' in scene.ask(path)[2]
            return time.monotonic() - start
        for seconds in pool.map(follow, range(50)):
            assert seconds > 2, f"two waits took {seconds:.2f} s"
        assert scene.tap.asked("&wait=") <= {"varnish": 2, "nginx": 9}[kind], scene.tap.requests


def polls_of_what_has_not_changed_are_one_question(kind):
    """They wait for news, a few seconds, together with those who wait; the parameters may be in any order."""
    with Scene(kind) as scene, ThreadPoolExecutor(60) as pool:
        first = scene.put('[{"id":1}]')
        paths = [f"{PATH}/delta?{query}" for query in (
            f"since={first}", f"dialect=splice&since={first}", f"since={first}&wait=25", f"wait=7&dialect=splice&since={first}")]
        polls = [pool.submit(scene.ask, paths[number % 4]) for number in range(60)]
        scene.come(polls)
        scene.put('[{"id":1},{"id":2}]')
        for poll in polls:
            assert b'"kind":"delta"' in poll.result()[2], poll.result()
        assert scene.tap.asked("/delta?") <= 2 * QUESTIONS[kind], scene.tap.requests


def a_cache_that_is_restarted_asks_once_more(kind):
    """All who waited lose their connections, and ask again at once: their questions are one, and all are told."""
    with Scene(kind) as scene, ThreadPoolExecutor(100) as pool:
        path = f"{PATH}/delta?since={scene.put('[]')}&wait=25"
        again = threading.Event()

        def follow(_):
            while True:
                try:
                    answer = scene.ask(path)
                except (OSError, http.client.HTTPException):
                    answer = None
                if answer and answer[0] < 500:
                    return answer
                again.wait(60)
        polls = [pool.submit(follow, number) for number in range(100)]
        scene.come(polls)
        before = scene.tap.asked("/delta?")
        scene.edge.restart()
        again.set()
        scene.come(polls, before)
        scene.put('[{"id":1}]')
        for poll in polls:
            assert b'"kind":"delta"' in poll.result()[2], poll.result()
        # Of nginx, a round may have ended meanwhile.
        assert scene.tap.asked("/delta?") <= 1 + QUESTIONS[kind], scene.tap.requests


def a_purge_has_a_version_asked_for_once_more(kind):
    """Readers of two rounds wait for one version, and it is purged while they are told: all are, for one question more."""
    def rounds_by_field(text):
        return replaced(text, '"$livedelta_question $msec"', '"$livedelta_question $http_round"') if kind == "nginx" else text
    with Scene(kind, rounds_by_field) as scene, ThreadPoolExecutor(100) as pool:
        path = f"{PATH}/delta?since={scene.put('[]')}&wait=25"
        first, second = ([pool.submit(scene.ask, path, {"Round": at}) for _ in range(50)] for at in ("10.000", "15.000"))
        scene.come(first + second)
        while scene.tap.asked("/delta?") < QUESTIONS[kind]:
            assert not any(poll.done() for poll in first + second), scene.tap.requests
        scene.put('[{"id":1}]')
        for polls in (first, second):
            wait(polls, return_when=FIRST_COMPLETED)
        scene.edge.purge()
        for poll in first + second:
            assert b'"kind":"delta"' in poll.result()[2], poll.result()
        assert scene.tap.asked("/delta?") <= QUESTIONS[kind] + 1, scene.tap.requests


def no_news_before_its_time_is_not_kept(kind):
    """A service that ends answers all who wait: who asks again is not told the same by the cache, again and again."""
    with Scene(kind) as scene, ThreadPoolExecutor(20) as pool:
        path = f"{PATH}/delta?since={scene.put('[]')}&wait=25"
        polls = [pool.submit(lambda: (scene.ask(path), scene.ask(path))) for _ in range(20)]
        scene.come(polls)
        scene.service.stop()
        answers = [poll.result() for poll in polls]
        assert any(b'"kind":"unchanged"' in first[2] for first, _ in answers), answers
        assert all(second[0] >= 500 for _, second in answers), answers


TESTS = [many_waits_are_one_question, what_is_not_to_be_kept_is_not, those_who_wait_for_nothing_do_not_go_round_in_circles,
         polls_of_what_has_not_changed_are_one_question, a_cache_that_is_restarted_asks_once_more,
         a_purge_has_a_version_asked_for_once_more, no_news_before_its_time_is_not_kept]
