"""A TCP proxy to a Unix socket, which can be told to cut, delay, hang, silence or hold what goes through it."""
import itertools
import selectors
import socket
import threading

# What a write of the service sends before anything else, and what the database sends after a transaction.
WRITE, READY = b"synchronous_commit", b"Z\x00\x00\x00\x05I"


class Proxy:
    numbers = itertools.count(16)

    def __init__(self, target, host=None):
        self.target = target
        self.delay = 0.0  # seconds before each part is passed on, or until there is no delay any more
        self.is_prompt = threading.Event()
        self.is_prompt.set()
        self.passes = threading.Event()
        self.passes.set()
        self.is_refusing = False
        self.held = None
        self.pairs = {}  # the ends of a connection -> what is known of it
        self.lock = threading.Lock()
        # Nobody else may take its port while the proxy refuses connections: it has an address of its own, or one that only
        # the proxies of a replica have.
        self.host, self.port = host or f"127.0.1.{next(Proxy.numbers)}", 0
        self.listen()

    def listen(self):
        self.listener = socket.create_server((self.host, self.port), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def refuse(self):
        """Ends all connections and refuses others, as a server does that has stopped."""
        if not self.is_refusing:
            self.is_refusing = True
            shut(self.listener)
            self.listener.close()
        self.cut()

    def slow(self, delay):
        """Passes each part on so many seconds later."""
        self.delay = delay
        self.is_prompt.clear()

    def hang(self):
        """Takes connections and forwards nothing."""
        self.passes.clear()

    def mend(self):
        """As if nothing had been."""
        self.is_prompt.set()
        self.passes.set()
        if self.is_refusing:
            self.is_refusing = False
            self.listen()

    def silence(self):
        """From now on nothing passes on the connections that listen; nobody is told. Returns how many there are."""
        with self.lock:
            listening = [known for known in self.pairs.values() if "listens" in known]
            for known in listening:
                known.add("silent")
        return len(listening)

    def hold(self):
        """Keeps back the answer to the next write; returns what is set when the database has sent it."""
        self.held = threading.Event()
        return self.held

    def accept(self, listener):
        try:
            while True:
                threading.Thread(target=self.serve, args=(listener.accept()[0],), daemon=True).start()
        except OSError:
            pass

    def serve(self, client):
        self.passes.wait()
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.target)
        except OSError:
            client.close()
            return
        pair, known = (client, server), set()
        with self.lock:
            self.pairs[pair] = known
        try:
            with selectors.DefaultSelector() as selector:
                for end in pair:
                    selector.register(end, selectors.EVENT_READ)
                while True:
                    for key, _ in selector.select():
                        data = key.fileobj.recv(65536)
                        self.passes.wait()
                        self.is_prompt.wait(self.delay)
                        if not data:
                            return
                        if self.may_pass(data, key.fileobj is client, known):
                            (server if key.fileobj is client else client).sendall(data)
        except OSError:
            pass
        finally:
            self.close(pair)

    def may_pass(self, data, is_from_client, known):
        if is_from_client and b"LISTEN " in data:
            known.add("listens")
        if is_from_client and WRITE in data:
            known.add("writes")
        if self.held and "writes" in known and not is_from_client and data.endswith(READY):
            known.add("silent")
            self.held.set()
            self.held = None
        return "silent" not in known

    def close(self, pair):
        with self.lock:
            self.pairs.pop(pair, None)
        for end in pair:
            shut(end)
            end.close()

    def cut(self):
        """Ends all connections; some are in the middle of a transaction."""
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for end in pair:
                shut(end)


def shut(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
