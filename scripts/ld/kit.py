"""The service and the clients held to the protocol by conformance/."""

import base64
import contextlib
import hashlib
import os
import pathlib
import re
import subprocess
import tempfile
import time

from .clients import has_jdk, has_node, jars_in
from .machine import ROOT, Failed, blocks, has, program, run

ALL = ["service", "guide", "python", "javascript", "chromium", "java", "swift"]
KEYS = {  # of a guarded service
    "writer": "admin write:conform-*/** changes", "reader": "read:conform-*/**",
    "seen": "read:conform-*/**?where=/public:eq:true&select=/id,/title changes", "withdrawn": "write:conform-*/**",
}
SECRET = "a-secret-of-the-kit-of-32-bytes!"
START_SECONDS = 300
# No client is judged by the speed of this machine.
PATIENCE = 300


def token(name):
    return f"{name}-of-the-kit-and-of-nobody-else"


class Kit:
    def __init__(self, work, is_full):
        self.work, self.program = work, program()
        self.form = [*([] if is_full else ["--quick"]), "--program", self.program, "--patience", str(PATIENCE)]
        self.is_full, self.passed, self.failed, self.failures = is_full, 0, 0, []

    def hold(self, name, *arguments, **environment):
        """One run of the kit, and what came of it."""
        print(f"== {name}", flush=True)
        ended = subprocess.run(
            [str(word) for word in ("conformance/livedelta-conform", *arguments)], cwd=ROOT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env={**os.environ, **environment})
        lines = ended.stdout.splitlines()
        print("\n".join(line for line in lines if not line.startswith("passed")), flush=True)
        self.failures += [f"FAILED {name}: {line[8:]}" for line in lines if line.startswith("FAILED  ")]
        if last := re.fullmatch(r"(\d+) passed, (\d+) failed", lines[-1] if lines else ""):
            self.passed += int(last[1])
            self.failed += int(last[2])
        else:
            self.failed += 1
            self.failures.append(f"FAILED {name}: it did not end")

    def client(self, name, *command, options=(), **environment):
        self.hold(name, "client", *self.form, *options, "--", *command, **environment)

    @contextlib.contextmanager
    def serving(self, name, *options, **environment):
        """Starts a service; gives its address and that for operations."""
        log = self.work / f"{name}.log"
        with open(log, "wb") as errors, open(self.work / name, "wb") as printed:
            service = subprocess.Popen(
                [self.program, "serve", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--data", self.work / f"{name}.data",
                 "--json", *options], stdin=subprocess.DEVNULL, stdout=printed, stderr=errors,
                env={**{key: value for key, value in os.environ.items() if not key.startswith("LIVEDELTA")}, **environment})
        try:
            end = time.monotonic() + START_SECONDS
            while not (found := re.findall(r"127\.0\.0\.1:\d+", (self.work / name).read_text())):
                if service.poll() is not None or time.monotonic() > end:
                    raise Failed(f"{log.read_text(errors='replace')}0 passed, 1 failed: no service")
                time.sleep(0.1)
            yield f"http://{found[0]}", f"http://{found[-1]}"
        finally:
            service.terminate()
            service.wait()

    def service(self):
        """An open service, and one that is guarded by keys and by tokens, which the kit signs."""
        with self.serving("conditional", "--require-precondition") as (conditional, _), self.serving("open") as (address, ops):
            self.hold("service", "server", address, "--ops", ops, "--conditional", conditional)
        keys, sets = self.work / "keys", self.work / "jwks"
        keys.write_text("".join(
            f"{name} sha256:{hashlib.sha256(token(name).encode()).hexdigest()} {scopes}\n" for name, scopes in KEYS.items()))
        secret = base64.urlsafe_b64encode(SECRET.encode()).rstrip(b"=").decode()
        sets.write_text(f'{{"keys":[{{"kty":"oct","kid":"kit","alg":"HS256","k":"{secret}"}}]}}')
        settings = {"LIVEDELTA_AUTH_JWKS": f"file:{sets}", "LIVEDELTA_AUTH_ISSUER": "kit",
                    "LIVEDELTA_CORS_ORIGINS": "https://app.example"}
        with self.serving("guarded", "--keys", keys, **settings) as (address, ops):
            self.hold("guarded service", "server", address, "--ops", ops, "--origin", "https://app.example",
                      "--token", token("writer"), "--reader", token("reader"), "--seen", token("seen"),
                      "--signing", f"kit:{SECRET}", "--issuer", "kit", "--withdrawn", token("withdrawn"),
                      "--withdraw", f"sed -i '/^withdrawn /d' '{keys}'")

    def guide(self):
        (self.work / "client.py").write_text(blocks("docs/guides/own-client.md", "python")[0], encoding="utf-8")
        self.client("guide", "python3", self.work / "client.py")

    def python(self):
        self.client("python", "python3", "conformance/clients/backend.py", options=["--views"])

    def javascript(self):
        if not has_node():
            return "Node 20"
        return self.client("javascript", "node", "conformance/clients/javascript.mjs", options=["--sync", "--views"])

    def chromium(self):
        if not has_node() or not has("chromium"):
            return "Node 20 and Chromium"
        # A browser that is killed leaves its profile.
        return self.client("chromium", "node", "conformance/clients/chromium.mjs", TMPDIR=str(self.work))

    def java(self):
        if not has_jdk():
            return "a JDK of 17 or later"
        jars, classes = self.work / "jars", self.work / "java"
        run("clients/java/build", jars, env={**os.environ, "DOCUMENTS": "0"}, stdout=subprocess.DEVNULL)
        classes.mkdir()
        run("javac", "--release", "17", "-Xlint:all,-path", "-Werror", "-cp", jars_in(jars), "-d", classes,
            "clients/java/test/java/org/livedelta/ConformanceClient.java")
        for way in ("url ops stream", "http splice poll"):
            self.client(f"java {way}", "java", "-XX:TieredStopAtLevel=1", "-cp", f"{jars_in(jars)}:{classes}",
                        "org.livedelta.ConformanceClient", *way.split(), options=["--sync", "--views"])
        return None

    def swift(self):
        client = pathlib.Path(os.environ.get("CONFORMANCE_CLIENT", ROOT / ".build/debug/ConformanceClient"))
        if not client.exists():
            return "the program ConformanceClient of a debug build"
        ways = [("curl", "stream"), ("urlsession", "poll")]
        for transport, way in [*ways, ("curl", "poll"), ("urlsession", "stream")] if self.is_full else ways:
            self.client(f"swift {transport} {way}", client, transport, way)
        return None


def conformance(arguments):
    """Holds the service and the clients to the protocol. Arguments are of: service guide python javascript chromium java
    swift; without any it is all of them. The short form has a part of the vectors and of the random versions, and of the
    Swift client each transport once; --full has all. A client is left out, and said so, where what runs it cannot be had."""
    chosen = [word for word in arguments if word != "--full"] or ALL
    if unknown := set(chosen) - set(ALL):
        raise Failed(f"no client is called {', '.join(sorted(unknown))}: {' '.join(ALL)}")
    with tempfile.TemporaryDirectory() as folder:
        kit = Kit(pathlib.Path(folder), "--full" in arguments)
        vectors = subprocess.run(["conformance/make_vectors.py", "--check"], cwd=ROOT).returncode
        kit.passed, kit.failed = int(vectors == 0), int(vectors != 0)
        for name in ALL:
            if name in chosen and (missing := getattr(kit, name)()):
                print(f"conformance: without {name}, which needs {missing}")
        # Again what failed: of a long run only the end may be read.
        print("".join(f"{line}\n" for line in kit.failures) + f"{kit.passed} passed, {kit.failed} failed", flush=True)
        if kit.failed:
            raise SystemExit(1)
