"""A client program under test: its process, and the blocks of four lines that it prints."""

import json
import os
import subprocess
import threading
import time

from .document import loose, parse, text

NAMES = ("event", "version", "meta", "sections")
SEVERAL = ("collection", *NAMES)


class Failed(Exception):
    """The client did what it must not, or not what it must."""


def shown(sections, meta):
    """What is compared: ids by their text, numbers as doubles."""
    def named(value):
        return {**value, "id": str(value["id"]) if "id" in value else None}

    return text_of([{**named(s), "items": [named(i) for i in s["items"]]} for s in sections], meta)


def text_of(sections, meta):
    return repr(_sorted(loose(sections))) + repr(_sorted(loose(meta)))


def _sorted(value):
    if isinstance(value, dict):
        return sorted((k, _sorted(v)) for k, v in value.items())
    return [_sorted(v) for v in value] if isinstance(value, list) else value


class Client:
    """`folder` is where it may keep what it holds from one start to the next."""

    def __init__(self, command, service, token, folder=None):
        arguments = [service.url, service.client, ",".join(service.histories), token or ""]
        names = ("CONFORM_URL", "CONFORM_CLIENT", "CONFORM_COLLECTION", "CONFORM_TOKEN")
        seen = {"CONFORM_VIEW": json.dumps(service.view.json)} if service.view else {}
        if folder:
            seen["CONFORM_FOLDER"] = folder
        self.history, self.histories, self.view = service.history, service.histories, service.view
        self.names = SEVERAL if len(service.histories) > 1 else NAMES
        self.blocks, self.wrong, self.errors = 0, None, []
        self.event, self.versions, self.last_commits = None, {}, {}
        # The windows that it may show, the newest last, and all that it was asked for: what it keeps may be of any.
        self.windows, self.held = [self.view.window if self.view else None], None
        self.all_windows = list(self.windows)
        self.process = subprocess.Popen(
            [*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **dict(zip(names, arguments)), **seen})
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def version(self):
        """What it shows of the first collection."""
        return self.versions.get(self.history.collection)

    def shows_newest(self, name):
        """Whether it shows the newest version of a collection, or one of which its view shows the same."""
        history, version = self.histories[name], self.versions.get(name)
        if not history.head or not version or version == history.head:
            return (version or None) == history.head
        return bool(self.view) and self.view.is_same(history.versions[version], history.versions[history.head])

    def move(self, window):
        """Has it move the window of its view."""
        with self.history.changed:
            self.windows.append(window)
            self.all_windows.append(window)
        self.process.stdin.write(f"window: {window}\n".encode())
        self.process.stdin.flush()

    def shows_window(self):
        """Whether it shows the newest version in the window that was asked for last; then it shows no other any more."""
        if self.held != self._seen(self.history.versions[self.history.head], self.windows[-1]):
            return False
        self.windows = self.windows[-1:]
        return True

    def _seen(self, version, window):
        found = self.view.shown(version, window)[0] if self.view else version
        return shown(found.sections, found.meta)

    def _listen(self):
        for line in self.process.stderr:
            self.errors = self.errors[-20:] + [line.decode(errors="replace").rstrip()]

    def _read(self):
        block = {}
        try:
            for line in self.process.stdout:
                name, _, value = line.decode().rstrip("\n").partition(":")
                expected = self.names[len(block)]
                if name != expected:
                    raise Failed(f"it printed {line[:80]!r} where a line `{expected}:` belongs")
                block[name] = value.strip()
                if len(block) == len(self.names):
                    self._take(block)
                    block = {}
        except (Failed, ValueError) as error:
            self._fail(str(error))
        with self.history.changed:
            self.history.changed.notify_all()

    def _fail(self, what):
        with self.history.changed:
            self.wrong = self.wrong or what
            self.history.changed.notify_all()

    def _take(self, block):
        token = block["version"]
        sections, meta = parse(block["sections"] or "[]"), parse(block["meta"] or "null")
        name = block.get("collection", self.history.collection)
        if name not in self.histories:
            raise Failed(f"it shows a collection {name!r} that it was not asked for")
        history = self.histories[name]
        with self.history.changed:
            self.blocks += 1
            self.event, self.versions[name] = block["event"], token
            if not token:
                if sections:
                    raise Failed("it holds sections, but no version")
            elif token not in history.versions:
                raise Failed(f"it shows the version {token}, which there never was")
            else:
                version = history.versions[token]
                if self.view:
                    # What a snapshot says of the parts of sections is true of it alone.
                    sections = [{k: v for k, v in s.items() if k not in ("start", "total")} for s in sections]
                self.held = shown(sections, meta)
                if self.held not in [self._seen(version, window) for window in self.windows]:
                    raise Failed(f"it shows as {token} of {self.view and self.view.parameters} in {self.windows}\n      {text(sections)} meta {text(meta)}\n"
                                 f"    of\n      {text(version.sections)} meta {text(version.meta)}")
                commit = history.commits.index(token)
                if commit < self.last_commits.get(name, -1):
                    raise Failed(f"it shows {token} after a later version")
                self.last_commits[name] = commit
            self.history.changed.notify_all()

    def until(self, condition, seconds, what):
        """Waits for what the client prints, or does; `condition` is asked under the lock."""
        end = time.monotonic() + seconds
        with self.history.changed:
            while True:
                if self.wrong:
                    raise Failed(self.wrong)
                if condition():
                    return
                left = end - time.monotonic()
                if self.process.poll() is not None:
                    raise Failed(f"it ended with the status {self.process.returncode}, before {what}")
                if left <= 0:
                    raise Failed(f"within {seconds} s it was not so that {what}; it shows {self.version or 'nothing'}")
                self.history.changed.wait(min(left, 0.5))

    def stop(self):
        self.process.kill()
        self.process.wait()


