#!/usr/bin/env python3
"""The routes of the service as it is out of the box, beside nginx with the same bytes as static files, and beside
what it costs to receive a request and to send the same bytes (floor.c).

  routes.py PROGRAM [PEER] [--seconds N] [--rounds N]   the table, by turns
  routes.py PROGRAM --check                             instructions and allocations a request, held against NOTED
  routes.py PROGRAM --auth [--seconds N] [--rounds N]   processor time without keys, with a key and with a token, by turns
  routes.py PROGRAM --auth --check                      the same by instructions alone
  routes.py PROGRAM --telemetry [--seconds N] [--rounds N]  the service alone, with 1 % of requests traced, and with its metrics
                                                         read each second, by turns
  routes.py PROGRAM --traced [--seconds N] [--rounds N]   the service alone, and with 0, 1 and 100 % of requests traced, by turns
  routes.py PROGRAM --traced --check                      the same by instructions alone

It needs wrk; nginx, valgrind, a C compiler and the peer are left out where they are not there.
"""
import base64, contextlib, hashlib, hmac, http.server, itertools, json, os, random, re, shutil, signal, socket, statistics, subprocess, sys, tempfile, threading, time

# Instructions and allocations a request under callgrind: a change may take a twentieth more of the ones, and half of one
# more of the others, some of which are the log's, which is written every 10 ms. Lower them when they fall.
HERE = os.path.dirname(os.path.abspath(__file__))
NOTED = json.load(open(f"{HERE}/routes.json"))

PATH = "/v1/clients/u42/collections/inbox"
# Requests under callgrind: before the counting, then counted so many times; the least counts, since a client that is kept
# waiting lets the loop fall asleep.
WARM, COUNTED, TIMES = 200, 500, 6
ROUTES = ["unchanged", "304", "delta", "snapshot"]
# An answer that is not remembered, so that the verdict about its credential is looked up for each request.
AUTH_ROUTES = ROUTES + ["unchanged, not remembered"]


def request(port, method, target, fields=(), body=b""):
    """One request on a connection of its own: the status, the fields, the body."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        head = [f"{method} {target} HTTP/1.1", "Host: localhost", "Connection: close", *fields]
        if body:
            head += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        connection.sendall("\r\n".join(head + ["", ""]).encode() + body)
        answer = b""
        while part := connection.recv(1 << 16):
            answer += part
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    return int(lines[0].split()[1]), fields, body


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Server:
    """A process that listens on a port, and the targets of its routes with their fields."""

    def __init__(self, name, command, port, environment=None, input=None):
        self.name, self.port, self.targets = name, port, {}
        # The log goes into a file, as it does where it is kept.
        self.log = tempfile.NamedTemporaryFile(mode="ab")
        self.process = subprocess.Popen(
            command, stdin=input, stdout=self.log, stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        for _ in range(600):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                time.sleep(0.05)
        sys.exit(f"{name} did not start")

    def seconds(self):
        """The processor time of it and its children so far."""
        own = self.process.pid
        children = open(f"/proc/{own}/task/{own}/children").read().split()
        ticks = 0
        for process in [own, *children]:
            fields = open(f"/proc/{process}/stat").read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def load(self, route, connections, seconds):
        """Requests a second, and microseconds of processor time a request."""
        target, fields = self.targets[route]
        before = self.seconds()
        command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s"]
        for field in fields:
            command += ["-H", field]
        text = subprocess.run(
            [*command, f"http://127.0.0.1:{self.port}{target}"], capture_output=True, text=True, check=True).stdout
        used = self.seconds() - before
        os.ftruncate(self.log.fileno(), 0)
        count = int(re.search(r"(\d+) requests in", text)[1])
        rate = float(re.search(r"Requests/sec:\s*([\d.]+)", text)[1])
        return rate, used * 1e6 / count

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def collection(number):
    """Some 1.9 KB of items."""
    items = [
        {"id": f"item-{index}", "title": f"Title of {index}", "subtitle": "", "price": 1.5, "unread": index == number}
        for index in range(24)]
    return json.dumps({"sections": [{"id": "s", "items": items}]}, separators=(",", ":")).encode()


class Access:
    """How requests are authorized: the environment of the service, and the fields of a request."""

    def __init__(self, name, environment=None, credential=""):
        self.name, self.environment = name, environment or {}
        self.fields = [f"Authorization: Bearer {credential}"] if credential else []


def accesses(folder):
    """No keys; a key; a token of some 480 bytes."""
    def base64url(data):
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    secret, signing = "ld_" + 43 * "k", os.urandom(32)
    claims = {
        "iss": "https://issuer.example/realms/livedelta", "aud": "livedelta", "sub": "u42", "exp": int(time.time()) + 86400,
        "ops": ["read", "write"], "sid": 36 * "s", "jti": 36 * "j", "name": "Some One", "email": "some.one@example.com"}
    signed = ".".join(base64url(json.dumps(part).encode()) for part in [{"alg": "HS256", "typ": "JWT", "kid": "k1"}, claims])
    token = signed + "." + base64url(hmac.digest(signing, signed.encode(), "sha256"))
    with open(f"{folder}/jwks", "w") as file:
        json.dump({"keys": [{"kty": "oct", "alg": "HS256", "kid": "k1", "k": base64url(signing)}]}, file)
    environment = {
        "LIVEDELTA_AUTH_KEYS": f"backend sha256:{hashlib.sha256(secret.encode()).hexdigest()} write:u*/**",
        "LIVEDELTA_AUTH_JWKS": f"file:{folder}/jwks", "LIVEDELTA_AUTH_AUDIENCE": "livedelta"}
    return [Access("without keys"), Access("key", environment, secret), Access("token", environment, token)]


def service(program, prefix=(), access=Access("livedelta"), operations=0):
    port = free_port()
    server = Server(
        access.name,
        [*prefix, program, "serve", "--listen", f"127.0.0.1:{port}", "--ops", f"127.0.0.1:{operations}", "--data", ":memory:"], port,
        access.environment)
    tokens = [request(port, "PUT", PATH, access.fields, collection(n))[1]["collection-version"] for n in (1, 2)]
    server.targets = targets(tokens, access.fields)
    return server


def scraped(program):
    """A service whose metrics are read each second, which counts as its processor time."""
    port = free_port()
    server = service(program, access=Access("scraped"), operations=port)

    def scrape():
        while server.process.poll() is None:
            with contextlib.suppress(OSError):
                request(port, "GET", "/metrics")
            time.sleep(1)

    threading.Thread(target=scrape, daemon=True).start()
    return server


class Collector(http.server.BaseHTTPRequestHandler):
    """A collector of traces that takes all and keeps nothing."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def traces():
    """No traces; then those of some requests, exported to a collector of this process."""
    collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{collector.server_port}/v1/traces"
    return [Access("off")] + [
        Access(f"ratio {ratio}", {"LIVEDELTA_TRACES_URL": url, "LIVEDELTA_TRACES_RATIO": ratio}) for ratio in ("0", "0.01", "1")]


def targets(tokens, fields=[]):
    """What is asked of a service that has these two versions."""
    unchanged = f"{PATH}/delta?since={tokens[1]}"
    return {
        "unchanged": (unchanged, fields),
        "304": (PATH, [f'If-None-Match: "{tokens[1]}"', *fields]),
        "delta": (f"{PATH}/delta?since={tokens[0]}", fields),
        "snapshot": (PATH, fields),
        "unchanged, not remembered": (unchanged, ["Request-Id: benchmark", *fields]),
    }


def nginx(ours):
    """nginx with the same bytes, its descriptors kept open and its log off."""
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    port = free_port()
    for route in ["unchanged", "delta", "snapshot"]:
        target, fields = ours.targets[route]
        with open(f"{folder}/{route}", "wb") as file:
            file.write(request(ours.port, "GET", target, fields)[2])
    os.chmod(folder, 0o755)
    with open(f"{folder}/conf", "w") as file:
        file.write(f"""daemon off; worker_processes 2; worker_rlimit_nofile 20000; pid {folder}/pid; error_log /dev/null;
events {{ worker_connections 12000; }}
http {{ access_log off; sendfile on; open_file_cache max=10; keepalive_requests 1000000000; etag on;
  default_type application/json; server {{ listen 127.0.0.1:{port}; root {folder}; }} }}
""")
    server = Server("nginx", [shutil.which("nginx") or "/usr/sbin/nginx", "-c", f"{folder}/conf"], port)
    tag = request(port, "GET", "/snapshot")[1]["etag"]
    server.targets = {route: (f"/{route}", []) for route in ["unchanged", "delta", "snapshot"]}
    server.targets["304"] = ("/snapshot", [f"If-None-Match: {tag}"])
    return server


class Floor:
    """The least that a server can do, a process for each route: it sends the bytes of our answer for whatever it receives."""
    name = "floor"

    def __init__(self, ours):
        self.targets = ours.targets
        folder = tempfile.mkdtemp()
        subprocess.run(["cc", "-O2", "-pthread", "-o", f"{folder}/floor", f"{HERE}/floor.c"], check=True)
        self.servers = {route: self.server(folder, ours, route) for route in ROUTES}

    def server(self, folder, ours, route):
        with open(f"{folder}/{route}", "wb") as file:
            file.write(answer(ours, route))
        port = free_port()
        server = Server(route, [f"{folder}/floor", str(port)], port, input=open(f"{folder}/{route}", "rb"))
        server.targets = ours.targets
        return server

    def load(self, route, connections, seconds):
        return self.servers[route].load(route, connections, seconds)

    def stop(self):
        for server in self.servers.values():
            server.stop()


def answer(server, route):
    """The bytes of an answer, head and all."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        return ask(connection, server, route, 1)


def peer(program):
    port = free_port()
    server = Server("Hummingbird", [program, str(port)], port)
    tokens = [json.loads(request(port, "PUT", PATH, body=collection(n))[2])["version"] for n in (1, 2)]
    server.targets = targets(tokens)
    return server


def ask(connection, server, route, count):
    """As many requests, one after the other, on one connection; the bytes of the last answer."""
    target, fields = server.targets[route]
    head = "\r\n".join([f"GET {target} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode()
    for _ in range(count):
        connection.sendall(head)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += connection.recv(1 << 16)
        fields, _, body = answer.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", fields)
        rest = int(length[1]) - len(body) if length else 0
        while rest > 0:
            part = connection.recv(rest)
            answer += part
            rest -= len(part)
    return answer


@contextlib.contextmanager
def counting(program, access=Access("livedelta")):
    """A service under callgrind, and a function that gives what was counted since it was called last, and begins anew."""
    with tempfile.TemporaryDirectory() as folder:
        out, stripped, shim = f"{folder}/out", f"{folder}/livedelta", f"{folder}/sigsuspend.so"
        # valgrind 3.19 cannot read what this compiler writes for debuggers.
        subprocess.run(["strip", "--strip-debug", "-o", stripped, program], check=True)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", shim, f"{HERE}/sigsuspend.c"], check=True)
        server = service(
            stripped,
            ["env", f"LD_PRELOAD={shim}", "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"], access)
        numbers = itertools.count(1)

        def dump():
            subprocess.run(["vgdb", f"--pid={server.process.pid}", "dump"], capture_output=True, check=True)
            return totals(f"{out}.{next(numbers)}")

        try:
            yield server, dump
        finally:
            server.stop()


def callgrind(program, routes=ROUTES, access=Access("livedelta")):
    """Instructions and allocations a request, counted once the route has been asked often enough to be remembered."""
    figures = {}
    with counting(program, access) as (server, dump):
        for route in routes:
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                ask(connection, server, route, WARM)
                dump()
                counts = []
                for _ in range(TIMES):
                    ask(connection, server, route, COUNTED)
                    counts.append(dump())
            instructions, allocations = (min(column) / COUNTED for column in zip(*counts))
            figures[route] = {"instructions": round(instructions), "allocations": round(allocations, 2)}
    return figures


def totals(file):
    """The instructions in a file of callgrind's, and the calls of what allocates."""
    names, instructions, allocations, callee = {}, 0, 0, ""
    wanted = re.compile(r"^(malloc|calloc|realloc|aligned_alloc|posix_memalign)(@.*)?$")
    for line in open(file, errors="replace"):
        if line.startswith("cfn="):
            number, _, name = line[4:].strip().partition(" ")
            callee = names.setdefault(number, name)
        elif line.startswith("fn="):
            number, _, name = line[3:].strip().partition(" ")
            names.setdefault(number, name)
        elif line.startswith("calls=") and wanted.match(callee):
            allocations += int(line[6:].split()[0])
        elif line.startswith(("totals:", "summary:")):
            instructions = int(line.split()[1])
    return instructions, allocations


def check(program):
    if not shutil.which("valgrind"):
        return print("routes: not counted, valgrind is not installed")
    figures = callgrind(program)
    print(json.dumps(figures, indent=2))
    for route, noted in NOTED.items():
        got = figures[route]
        if got["instructions"] > noted["instructions"] * 1.1 or got["allocations"] > min(4, noted["allocations"] + 0.5):
            sys.exit(f"{route}: {got}, noted {noted} in routes.json")


def table(programs, seconds, rounds):
    servers = [service(programs[0])]
    if shutil.which("nginx") or os.path.exists("/usr/sbin/nginx"):
        servers.append(nginx(servers[0]))
    if len(programs) > 1:
        servers.append(peer(programs[1]))
    if shutil.which("cc"):
        servers.append(Floor(servers[0]))
    rates_table(servers, ROUTES, "livedelta", "nginx", seconds, rounds)
    if shutil.which("valgrind"):
        print("\n| callgrind | instructions a request | allocations |\n|---|---:|---:|")
        for route, figures in callgrind(programs[0]).items():
            print(f"| {route} | {figures['instructions']:,} | {figures['allocations']} |")


def auth_table(program, isCheck, seconds, rounds):
    """The routes without keys, with a key and with a token."""
    with tempfile.TemporaryDirectory() as folder:
        ways_table(program, accesses(folder), isCheck, seconds, rounds)


def ways_table(program, ways, isCheck, seconds, rounds):
    """Processor time in several ways by turns, then instructions, and how many times the first way's the last one's are."""
    if not isCheck:
        way_times([service(program, access=way) for way in ways], AUTH_ROUTES, seconds, rounds)
    if not shutil.which("valgrind"):
        return print("routes: not counted, valgrind is not installed")
    counts = {way.name: callgrind(program, AUTH_ROUTES, way) for way in ways}
    first, *others = counts
    print("\n| instructions, allocations a request | " + " | ".join(counts) + " | " + " | ".join(
        f"{way} / {first}" for way in others) + " |")
    print("|---|" + "---:|" * (len(counts) + len(others)))
    for route in AUTH_ROUTES:
        cells = [f"{counts[way][route]['instructions']:,}, {counts[way][route]['allocations']}" for way in counts]
        cells += [f"{counts[way][route]['instructions'] / counts[first][route]['instructions']:.3f}" for way in others]
        print(f"| {route} | " + " | ".join(cells) + " |", flush=True)


def way_times(servers, routes, seconds, rounds):
    """Processor time a request of servers by turns, and the per cent more than the first one's in the same round; stops
    them."""
    first, *others = servers
    try:
        print(
            "| µs of processor time a request | " + " | ".join(s.name for s in servers) + " | "
            + " | ".join(f"{s.name}: % more, median (least to most)" for s in others) + " |")
        print("|---|" + "---:|" * (len(servers) + len(others)))
        for connections in (64, 512):
            for route in routes:
                for server in servers:
                    server.load(route, connections, 1)
                times = {server: [] for server in servers}
                for _ in range(rounds):
                    for server in random.sample(servers, len(servers)):
                        times[server].append(server.load(route, connections, seconds)[1])
                cells = [f"{statistics.median(times[server]):.2f}" for server in servers]
                for server in others:
                    more = [100 * (one / none - 1) for one, none in zip(times[server], times[first])]
                    cells.append(f"{statistics.median(more):+.1f} ({min(more):+.1f} to {max(more):+.1f})")
                print(f"| {route}, {connections} | " + " | ".join(cells) + " |", flush=True)
    finally:
        for server in servers:
            server.stop()


def rates_table(servers, routes, one, other, seconds, rounds):
    """The rates of servers by turns, and the ratio of two of them; stops them."""
    try:
        print(
            "| requests/s, µs of processor time a request | " + " | ".join(s.name for s in servers) + f" | {one} / {other} |")
        print("|---|" + "---:|" * (len(servers) + 1))
        for connections in (64, 512):
            for route in routes:
                results = {server: [] for server in servers if route in server.targets}
                for server in results:
                    server.load(route, connections, 1)
                for _ in range(rounds):
                    for server in results:
                        results[server].append(server.load(route, connections, seconds))
                cells, rates = [], {}
                for server in servers:
                    if server not in results:
                        cells.append("–")
                        continue
                    rates[server.name] = statistics.median(rate for rate, _ in results[server])
                    used = statistics.median(used for _, used in results[server])
                    cells.append(f"{rates[server.name] / 1000:.1f} k, {used:.1f}")
                ratio = f"{rates[one] / rates[other]:.2f}" if other in rates else "–"
                print(f"| {route}, {connections} | " + " | ".join(cells) + f" | {ratio} |", flush=True)
    finally:
        for server in servers:
            server.stop()


def main():
    arguments, options, programs = sys.argv[1:], {"--seconds": 3, "--rounds": 3}, []
    isCheck, isAuth, isTelemetry, isTraced = False, False, False, False
    while arguments:
        argument = arguments.pop(0)
        if argument == "--check":
            isCheck = True
        elif argument == "--auth":
            isAuth = True
        elif argument == "--telemetry":
            isTelemetry = True
        elif argument == "--traced":
            isTraced = True
        elif argument in options:
            options[argument] = int(arguments.pop(0))
        else:
            programs.append(argument)
    if not programs:
        sys.exit(__doc__)
    if isAuth:
        return auth_table(programs[0], isCheck, options["--seconds"], options["--rounds"])
    if isTelemetry:
        alone, _, traced, _ = traces()
        servers = [service(programs[0], access=alone), service(programs[0], access=traced), scraped(programs[0])]
        return way_times(servers, ROUTES, options["--seconds"], options["--rounds"])
    if isTraced:
        return ways_table(programs[0], traces(), isCheck, options["--seconds"], options["--rounds"])
    if isCheck:
        return check(programs[0])
    table(programs, options["--seconds"], options["--rounds"])


if __name__ == "__main__":
    main()
