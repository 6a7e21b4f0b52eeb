"""A client program under test: its process, and the blocks of four lines that it prints."""

import os
import subprocess
import threading
import time

from .document import loose, parse, text

NAMES = ("event", "version", "meta", "sections")


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
    def __init__(self, command, service, token):
        arguments = [service.url, service.client, service.history.collection, token or ""]
        names = ("CONFORM_URL", "CONFORM_CLIENT", "CONFORM_COLLECTION", "CONFORM_TOKEN")
        self.history = service.history
        self.blocks, self.wrong, self.errors = 0, None, []
        self.event, self.version, self.last_commit = None, None, -1
        self.process = subprocess.Popen(
            [*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, **dict(zip(names, arguments))})
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stderr:
            self.errors = self.errors[-20:] + [line.decode(errors="replace").rstrip()]

    def _read(self):
        block = {}
        try:
            for line in self.process.stdout:
                name, _, value = line.decode().rstrip("\n").partition(":")
                expected = NAMES[len(block)]
                if name != expected:
                    raise Failed(f"it printed {line[:80]!r} where a line `{expected}:` belongs")
                block[name] = value.strip()
                if len(block) == 4:
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
        with self.history.changed:
            self.blocks += 1
            self.event, self.version = block["event"], token
            if not token:
                if sections:
                    raise Failed("it holds sections, but no version")
            elif token not in self.history.versions:
                raise Failed(f"it shows the version {token}, which there never was")
            else:
                version = self.history.versions[token]
                if shown(sections, meta) != shown(version.sections, version.meta):
                    raise Failed(f"it shows as {token}\n      {text(sections)} meta {text(meta)}\n    what is\n"
                                 f"      {text(version.sections)} meta {text(version.meta)}")
                commit = self.history.commits.index(token)
                if commit < self.last_commit:
                    raise Failed(f"it shows {token} after a later version")
                self.last_commit = commit
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


