"""A running livedelta: the one way in which the tests in Python start it.

    python3 Tests/Serving/serving.py PROGRAM COMMAND...    runs a command beside a service in memory, whose address is
                                                           in its environment as ADDRESS
"""

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time

IN_MODIFY = 2
C = ctypes.CDLL(None)


class LogWatch:
    """Waits for more of a file, or for the end of the process that writes it."""

    def __init__(self, path, ended):
        self.events = C.inotify_init1(os.O_CLOEXEC)
        C.inotify_add_watch(self.events, path.encode(), IN_MODIFY)
        self.poll = select.poll()
        for descriptor in (self.events, ended):
            self.poll.register(descriptor, select.POLLIN)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.events)

    def wait(self, seconds):
        if (self.events, select.POLLIN) in self.poll.poll(seconds * 1000):
            os.read(self.events, 4096)


class Serving:
    """A process that serves. All that it says goes to a file, which may be that of processes before it.

    `listen` and `operations` are where it listens, free ports by default; `options` are more arguments; `before` is a
    command that runs it. Its settings are the defaults but for what `environment` names. `prepare` is called in the
    process that becomes the service; other arguments are those of Popen.
    """

    def __init__(
        self, program, data, log, *options, listen="127.0.0.1:0", operations="127.0.0.1:0", before=(), environment=None,
        prepare=None, **more,
    ):
        self.log = open(log, "ab+")
        self.start = os.path.getsize(log)
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("LIVEDELTA_")}
        self.process = subprocess.Popen(
            [*before, program, "serve", "--json", "--listen", listen, "--ops", operations, "--data", data, *options],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, preexec_fn=prepare,
            env={**inherited, **(environment or {})}, **more)
        self.ended = os.pidfd_open(self.process.pid)  # Readable once it has ended.

    def wait_until_it_listens(self, seconds=60):
        """Returns itself once it listens, with `address` and `operations` as hosts and ports; raises if it does not."""
        with LogWatch(self.log.name, self.ended) as watch:
            end = time.monotonic() + seconds
            while self.process.poll() is None and (left := end - time.monotonic()) > 0:
                if line := self._announcement():
                    places = json.loads(line)
                    self.address = self._address(places["listening"][0])
                    self.operations = self._address(places["operations"][0])
                    return self
                watch.wait(left)
        raise RuntimeError(f"the service does not start: {self.said()}")

    def _announcement(self):
        """The line that tells where it listens, once all of it is in the log."""
        with open(self.log.name, "rb") as file:
            file.seek(self.start)
            return next((line for line in file if line.startswith(b'{"listening"') and line.endswith(b"\n")), None)

    @staticmethod
    def _address(text):
        host, _, port = text.removeprefix("http://").rpartition(":")
        return host, int(port)

    def said(self):
        """The end of its log."""
        with open(self.log.name, "rb") as file:
            file.seek(max(self.start, os.path.getsize(self.log.name) - 2000))
            return file.read().decode("utf-8", "replace")

    def stop(self, seconds=30):
        """Ends it by SIGTERM; returns its status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(seconds)
        self.kill()
        return status

    def kill(self):
        """Ends it by SIGKILL, if it has not ended."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if not self.log.closed:
            os.close(self.ended)
            self.log.close()


def main(program, *command):
    """Returns the status of the command, whose service has the settings of its environment."""
    settings = {name: value for name, value in os.environ.items() if name.startswith("LIVEDELTA_")}
    with tempfile.NamedTemporaryFile(prefix="livedelta-") as log:
        service = Serving(program, ":memory:", log.name, environment=settings)
        try:
            host, port = service.wait_until_it_listens().address
            return subprocess.run(command, env={**os.environ, "ADDRESS": f"{host}:{port}"}, check=False).returncode
        finally:
            service.kill()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
