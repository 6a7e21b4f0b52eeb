"""Follows the feed of changes at one replica after another: no acknowledged write is missed, and nothing but a failover makes a reset."""
import http.server
import json
import os
import threading

from clients import BROKEN
from judge import seq


class Told:
    """What was told of the changes. `mayReset` tells whether a reset of the feed is right now."""

    def __init__(self, who, judge, figures, mayReset):
        self.who, self.judge, self.figures, self.mayReset = who, judge, figures, mayReset
        self.told = threading.Condition()
        self.newest = {}  # collection -> the greatest number of a version that was told

    def reset(self, data):
        self.figures.count(f"reset: {self.who}")
        if not self.mayReset():
            self.judge.fault(f"{self.who}: a reset of the changes, {data}")

    def take(self, told):
        with self.told:
            self.newest[told["name"]] = max(self.newest.get(told["name"], 0), seq(told["version"]))
            self.told.notify_all()

    def expect(self, tokens, seconds=60):
        """Waits until versions of some collections, or later ones, were told."""
        with self.told:
            def missing():
                return [token for name, token in tokens.items() if self.newest.get(name, 0) < seq(token)]
            if not self.told.wait_for(lambda: not missing(), seconds):
                self.judge.fault(f"{self.who}: after {seconds} s the changes do not have {missing()}")


class Follower(Told):
    def __init__(self, clients, mayReset):
        super().__init__("changes", clients.judge, clients.figures, mayReset)
        self.clients = clients
        clients.threads.append(threading.Thread(target=clients.run, args=(self.follow,), kwargs={"number": 0}, daemon=True))

    def follow(self, number, choice):
        mark = ""
        while not self.clients.ended.is_set():
            try:
                for identifier, kind, data in choice.choice(self.clients.replicas).events("/v1/changes?ping=5", mark):
                    mark = identifier or mark
                    if kind == "reset":
                        self.reset(data)
                    if kind in ("change", "deleted"):
                        self.take(json.loads(data))
                    if choice.random() < 0.01 or self.clients.ended.is_set():
                        break  # and on at any replica
            except BROKEN:
                self.clients.back_off()


class Receiver(Told):
    """Is pushed the changes by whichever replica has its turn."""

    SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    def __init__(self, directory, judge, figures, mayReset):
        super().__init__("webhook", judge, figures, mayReset)
        self.secret = f"{directory}/webhook-secret"
        with open(self.secret, "w") as file:
            file.write(self.SECRET)
        os.chmod(self.secret, 0o600)
        self.pushed = set()  # each version with its collection
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                receiver.deliver(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self, host):
        """The environment of a replica that reaches the receiver at a host."""
        return {"LIVEDELTA_WEBHOOK_URL": f"http://{host}:{self.server.server_port}/", "LIVEDELTA_WEBHOOK_SECRET_FILE": self.secret}

    def deliver(self, body):
        if body["type"] == "collections.reset":
            return self.reset(body)
        for change in body["data"]["changes"]:
            name = change["client"], change["name"], change["version"]
            self.figures.count("pushed again" if name in self.pushed else "pushed")
            self.pushed.add(name)
            self.take(change)
