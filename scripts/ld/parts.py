"""A run of parts: each has a time limit, all together have one, and the last line tells what came of them."""

import atexit
import functools
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid

from .events import Outcome
from .machine import LEFT_OUT, ROOT

ENDS = 40  # lines of the end of a part that failed, which are shown once more at the end of all
GRACE = 30  # seconds between SIGTERM and SIGKILL
# Of the same session: the kernel may divide processors among sessions first, and `nice` would count for nothing.
GROUP = {"process_group": 0} if sys.version_info >= (3, 11) else {"preexec_fn": os.setpgrp}


class Part:
    """A command with a name and a limit in minutes. `tests`: a run of `swift test`, whose tests count; `is_base`: what
    comes after it in its line needs it, and is not run if it fails."""

    def __init__(self, name, minutes, command, tests=False, is_base=False, **environment):
        self.name, self.minutes, self.command = name, minutes, [str(word) for word in command]
        self.tests, self.is_base = tests, is_base
        self.environment = {key: str(value) for key, value in environment.items()}


def end_all(process, mark):
    """Ends a process and all that it started, wherever they went: each has the mark in its environment."""
    def send(number):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (folder / "environ").read_bytes():
                    os.kill(int(folder.name), number)
            except (OSError, ValueError):
                continue

    send(signal.SIGTERM)
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        pass
    send(signal.SIGKILL)
    process.wait()


class Run:
    """`minutes`: of all parts together. `is_live`: what parts print is shown at once, else when each has ended."""

    def __init__(self, minutes, is_live=False):
        self.deadline, self.is_live = time.monotonic() + minutes * 60, is_live
        self.outcome, self.failed, self.left_out, self.ends = Outcome(), [], [], []
        self.lock, self.is_over = threading.Lock(), False
        self.folder = tempfile.TemporaryDirectory(prefix="livedelta-run-")

    def part(self, part, is_nice=False):
        """Runs a part; whether it passed, or was left out. Others go first where it `is_nice`."""
        seconds = max(1, int(min(part.minutes * 60, self.deadline - time.monotonic())))
        started, file = time.monotonic(), pathlib.Path(self.folder.name, uuid.uuid4().hex)
        events = file.with_suffix(".events")
        command = [*(["nice", "-n", "19"] if is_nice else []), *part.command]
        if part.tests:
            events.touch()
            command += ["--event-stream-output-path", str(events), "--event-stream-version", "0"]
        print(f"part: {part.name} begins", flush=True)
        with open(file, "wb") as printed:
            status = self.execute(command, part.environment, seconds, None if self.is_live else printed)
        what = {0: "passed", LEFT_OUT: "was left out", None: f"FAILED: it did not end within {seconds} seconds"}.get(
            status, f"FAILED with the status {status}")
        text = file.read_text(errors="replace")
        with self.lock:
            if self.is_over:
                return False
            sys.stdout.write(text)
            print(f"part: {part.name} {what}, {time.monotonic() - started:.0f} s", flush=True)
            if part.tests:
                self.outcome.add(events, 124 if status is None else status, is_late=status is None)
                if keep := os.environ.get("KEEP_EVENTS"):
                    pathlib.Path(keep).write_bytes(events.read_bytes())
            elif status == LEFT_OUT:
                self.left_out.append(part.name)
            elif status != 0:
                self.fail(part.name, text)
        return status in (0, LEFT_OUT)

    def execute(self, command, environment, seconds, printed):
        """Runs a command to its end; its status, or None if it did not end in time."""
        mark = uuid.uuid4().hex
        environment = {**os.environ, **environment, "PART_OF_RUN": mark}
        try:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=printed,
                                       stderr=printed and subprocess.STDOUT, **GROUP)
        except OSError as error:
            print(f"{command[0]}: {error.strerror}", flush=True)
            return 127
        stop = functools.partial(end_all, process, mark.encode())
        atexit.register(stop)
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            end_all(process, mark.encode())
            return None
        finally:
            if process.returncode is not None:
                atexit.unregister(stop)

    def fail(self, name, text=""):
        self.failed.append(name)
        if text:
            self.ends.append(f"== the end of {name}\n" + "\n".join(text.splitlines()[-ENDS:]))

    def line(self, parts, is_nice=False):
        """Runs parts one after the other; what comes after a base that failed fails, too."""
        for number, part in enumerate(parts):
            if self.is_over:
                return False
            if not self.part(part, is_nice) and part.is_base:
                with self.lock:
                    if self.is_over:
                        return False
                    self.outcome.is_exact = False
                    for one in parts[number + 1:]:
                        print(f"part: {one.name} was not run: it needs {part.name}", flush=True)
                return False
        return True

    def beside(self, parts):
        """Runs parts in a line of its own, of which all others go first; it is joined before the end."""
        def work():
            try:
                self.line(parts, is_nice=True)
            except BaseException as error:  # nothing fails in silence
                with self.lock:
                    self.fail(f"the line beside ({error!r})")

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread

    def finish(self):
        """Prints what failed, and the last line; the status of the run. What still runs beside it is ended unheard."""
        with self.lock:
            self.is_over = True
        for line in self.ends + self.outcome.lines():
            print(line)
        if self.left_out:
            print(f"left out: {', '.join(self.left_out)}")
        print(self.outcome.last_line(self.failed), flush=True)
        self.folder.cleanup()
        return 1 if self.failed or self.outcome.has_failed else 0
