"""The caches of deploy/edge as tests start them: on Unix sockets, over a service or another cache."""
import json, os, re, shutil, socket, subprocess, threading

from service import replaced

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../deploy/edge")
KINDS = {"nginx": "nginx.conf", "varnish": "livedelta.vcl"}
PATH = os.environ["PATH"] + ":/usr/sbin"


def installed():
    """The caches that are here."""
    return [kind for kind in KINDS if shutil.which({"varnish": "varnishd"}.get(kind, kind), path=PATH)]


class Edge:
    """A cache with its file of deploy/edge, in a folder of its own; `change` may edit the file's text."""

    def __init__(self, kind, folder, upstream, name="edge", change=lambda text: text):
        self.kind, self.folder = kind, os.path.join(folder, name)
        self.socket = os.path.join(folder, name + ".sock")
        os.makedirs(self.folder)
        os.chmod(self.folder, 0o777)
        with open(os.path.join(FILES, KINDS[kind])) as file:
            text = change(file.read())
        self.command = getattr(self, "_" + kind)(text, upstream)
        self.start()

    def _nginx(self, text, upstream):
        text = replaced(text, "server 127.0.0.1:8080", f"server unix:{upstream}")
        text = replaced(text, "listen 80;", f"listen unix:{self.socket} backlog=8192;")
        text = replaced(text, "server 127.0.0.1:8079", f"server unix:{self.folder}/news")
        text = replaced(text, "listen 127.0.0.1:8079;", f"listen unix:{self.folder}/news;")
        text = replaced(text, "/var/cache/nginx/livedelta", self.folder + "/cache")
        text += f"server {{ listen unix:{self.folder}/status; location / {{ stub_status; }} }}"
        temporary = "".join(f"{kind}_temp_path {self.folder}/{kind};" for kind in
                            ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        path = self.folder + "/nginx.conf"
        with open(path, "w") as file:
            file.write(f"daemon off; worker_processes 1; worker_rlimit_nofile 30000; pid {self.folder}/pid;\n"
                       f"error_log {self.folder}/log warn;\nevents {{ worker_connections 15000; }}\n"
                       f"http {{ access_log off; keepalive_requests 1000000; {temporary}\n{text}\n}}\n")
        return ["nginx", "-c", path, "-e", self.folder + "/log"]

    def _varnish(self, text, upstream):
        text, count = re.subn(r'\.host = "127\.0\.0\.1";\s+\.port = "8080";', f'.path = "{upstream}";', text)
        assert count == 1
        path = self.folder + "/edge.vcl"
        with open(path, "w") as file:
            file.write(text)
        # Statistics at once, which tell how many wait.
        return ["varnishd", "-F", "-j", "none", "-n", self.folder + "/work", "-f", path, "-a", f"{self.socket},mode=666",
                "-s", "malloc,256m", "-p", "thread_pool_max=1000", "-p", "listen_depth=8192",
                "-p", "timeout_idle=120", "-p", "thread_stats_rate=0"]

    def start(self):
        """Returns when it accepts connections."""
        if os.path.exists(self.socket):
            os.unlink(self.socket)
        self.log = open(self.folder + "/output", "ab")
        self.process = subprocess.Popen(
            self.command, stdout=self.log, stderr=self.log, env={**os.environ, "PATH": PATH}, start_new_session=True)
        while not self._accepts():
            try:
                self.process.wait(0.02)
            except subprocess.TimeoutExpired:
                continue  # it has not ended, and is looked at again
            raise AssertionError(f"{self.kind} did not start: {open(self.folder + '/output').read()}")

    def _accepts(self):
        with socket.socket(socket.AF_UNIX) as attempt:
            return attempt.connect_ex(self.socket) == 0

    def restart(self):
        """Ends it and starts it again, without what it had kept."""
        self.stop()
        shutil.rmtree(self.folder + "/cache", ignore_errors=True)
        self.start()

    def purge(self):
        """Has it forget all that it has kept."""
        if self.kind == "varnish":
            self._run("varnishadm", "ban", "req.url ~ .")
        else:
            for folder, _, names in os.walk(self.folder + "/cache"):
                for name in names:
                    try:
                        os.unlink(os.path.join(folder, name))
                    except FileNotFoundError:
                        continue  # it was replaced just now

    def waiting(self, asked):
        """How many requests wait in it for the answers that others have asked for, which are `asked`."""
        if self.kind == "varnish":
            text = self._run("varnishstat", "-1", "-j", "-f", "MAIN.busy_*").decode()
            count = {name: value["value"] for name, value in json.loads(text)["counters"].items()}
            return count["MAIN.busy_sleep"] - count["MAIN.busy_wakeup"]
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(self.folder + "/status")
            connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
            text = connection.makefile("rb").read()
        # What is asked for it asks itself first; this one is another.
        return int(re.search(rb"Writing: (\d+)", text).group(1)) - 2 * asked - 1

    def _run(self, program, *arguments):
        return subprocess.run([program, "-n", self.folder + "/work", *arguments], check=True, capture_output=True,
                              env={**os.environ, "PATH": PATH}).stdout

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        self.log.close()


class Tap:
    """Relays connections to a service, and records what is asked of it."""

    def __init__(self, path, address):
        self.path, self.address, self.requests = path, address, []
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        os.chmod(path, 0o666)
        self.server.listen(1024)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return  # it was stopped
            try:
                far = socket.create_connection(self.address)
            except OSError:
                near.close()
                continue  # the service is not there
            for start, end, request in ((near, far, True), (far, near, False)):
                threading.Thread(target=self._relay, args=(start, end, request), daemon=True).start()

    def _relay(self, start, end, is_request):
        try:
            while data := start.recv(1 << 16):
                if is_request:
                    self.requests += [target.decode() for target in re.findall(rb"(?:GET|HEAD) (\S+) HTTP/1", data)]
                end.sendall(data)
        except OSError:
            pass  # either side has closed
        for side in (start, end):
            try:
                side.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it is closed already

    def asked(self, text):
        """How many questions have had this in their address."""
        return sum(text in target for target in list(self.requests))

    def stop(self):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
