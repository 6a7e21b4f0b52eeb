"""A program of the service in place of the scripted one: what it is given is the history by which clients are judged."""

import json
import pathlib
import subprocess
import tempfile

from . import lists
from .asking import Service
from .checks import random_views
from .document import Version
from .history import History
from .scenarios import scenario


class RealHistory(History):
    """Commits to the program what is put; the versions have the tokens that it gives them."""

    service = None

    def put(self, *contents):
        with self.changed:
            for content in contents:
                body = content if isinstance(content, dict) else {"items": content}
                answer = self.service.write("PUT", self.collection, {**body, "settings": {"retention": {"versions": 8}}})
                if answer.json["version"] != self.head:
                    self._commit(answer.json["version"], Version(content))
            self.changed.notify_all()

    def delete(self):
        with self.changed:
            self.service.write("DELETE", self.collection)
            super().delete()


class RealService:
    """Runs the program over a directory, always at one port."""

    wrong = ()

    def __init__(self, program, histories, client, view):
        self.program, self.client, self.view = program, client, view
        self.history, self.histories = histories[0], {one.collection: one for one in histories}
        self.folder, self.port = tempfile.TemporaryDirectory(prefix="livedelta-conform-"), 0
        self.open()
        for history in histories:
            history.service = self

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def open(self):
        with open(pathlib.Path(self.folder.name) / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve", "--json", "--listen", f"127.0.0.1:{self.port}", "--ops", "127.0.0.1:0",
                 "--data", str(pathlib.Path(self.folder.name) / "data")],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        said = json.loads(self.process.stdout.readline())
        self.port = int(said["listening"][0].rpartition(":")[2])
        self.asking = Service(self.url)

    def write(self, method, name, body=None):
        answer = self.asking.ask(method, f"/v1/clients/{self.client}/collections/{name}", body)
        if answer.status not in (200, 201, 204):
            raise AssertionError(f"{method} {body}: {answer.status} {answer.body[:300]!r}")
        return answer

    def kill(self):
        """Ends it by SIGKILL."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.asking.close()

    def close(self):
        self.kill()
        self.folder.cleanup()


REAL = {"needs": "program", "token": None, "kinds": (RealService, RealHistory)}


@scenario("§5, §8", "random versions of a real service that is killed, and clients that come back", **REAL)
def real(r):
    content = lists.random_content(r.chance)
    r.start(content)
    for _ in range(r.pairs):
        content = trouble(r, r.history, content)
        r.history.put(content)
        if r.chance.random() < 0.5:
            r.settle()
    r.settle()


@scenario("§8 sync", "random versions of three collections of a real service that is killed", others=2,
          **{**REAL, "needs": "program sync"})
def several_real(r):
    contents = [lists.random_content(r.chance) for _ in range(3)]
    r.start(contents[0])
    for _ in range(r.pairs):
        at = r.chance.randrange(3)
        history = [r.history, *r.others][at]
        contents[at] = trouble(r, history, contents[at])
        history.put(contents[at])
        if r.chance.random() < 0.5:
            r.settle()
    r.settle()


def trouble(r, history, content):
    """Another content; the service, the collection or the client may end before it."""
    what = r.chance.random()
    if what < 0.03:
        r.service.kill()
        r.service.open()
    elif what < 0.06 and history.head:
        history.delete()
    elif what < 0.16:
        r.restart()
    return lists.edited(r.chance, content) if r.chance.random() < 0.8 else lists.random_content(r.chance)


def random_window(chance):
    count = chance.randrange(7)
    return chance.choice([f"first:{count}", f"last:{count}", f"at:{chance.randrange(9)}:{count}"])


def random_view(chance):
    return [*random_views.view(chance), ("window", random_window(chance))]


def viewed_real(r):
    content = random_views.content(r.chance)
    r.start(content)
    for _ in range(r.pairs // 4):
        content = random_views.content(r.chance, content)
        if r.chance.random() < 0.3:
            r.client.move(random_window(r.chance))
        if r.chance.random() < 0.03:
            r.service.kill()
            r.service.open()
        r.history.put(content)
        r.client.until(r.client.shows_window, r.patience, f"it shows {r.history.head} in {r.client.windows}")
        if r.chance.random() < 0.1:
            r.restart()


for number in range(8):
    scenario("§15", f"a random view of a real service, and a window that moves, {number + 1}", view=random_view,
             **{**REAL, "needs": "program views"})(viewed_real)
