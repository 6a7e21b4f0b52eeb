"""A TCP proxy to a Unix socket, which can be told to cut, delay or hang what goes through it."""
import os
import selectors
import socket
import threading
import time


class Proxy:
    def __init__(self, target):
        self.target = target
        self.delay = 0.0
        self.state = "open"  # or "hung": takes connections and forwards nothing; "refused"
        self.pairs = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            if self.state == "refused":
                client.close()
                continue
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        while self.state == "hung":
            time.sleep(0.01)
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.target)
        except OSError:
            client.close()
            return
        pair = (client, server)
        with self.lock:
            self.pairs.add(pair)
        other = {client: server, server: client}
        try:
            with selectors.DefaultSelector() as selector:
                for end in pair:
                    selector.register(end, selectors.EVENT_READ)
                while True:
                    for key, _ in selector.select():
                        data = key.fileobj.recv(65536)
                        while self.state == "hung":
                            time.sleep(0.01)
                        if self.delay:
                            time.sleep(self.delay)
                        if not data:
                            return
                        other[key.fileobj].sendall(data)
        except OSError:
            pass
        finally:
            self.close(pair)

    def close(self, pair):
        with self.lock:
            self.pairs.discard(pair)
        for end in pair:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def cut(self):
        """Ends all connections; some are in the middle of a transaction."""
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
