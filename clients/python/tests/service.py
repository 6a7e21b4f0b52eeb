"""A service for tests: the program that LIVEDELTA names, on a free port, with its data in memory or a folder."""

import json
import os
import signal
import socket
import subprocess
import threading


class Program:
    def __init__(self, data=":memory:", *options, listen="127.0.0.1:0"):
        self.process = subprocess.Popen(
            [os.environ["LIVEDELTA"], "serve", "--json", "--listen", listen, "--ops", "127.0.0.1:0", "--data", data,
             *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**os.environ, "LIVEDELTA_LOG_ACCESS": "off"})
        self.listening = json.loads(self.process.stdout.readline())["listening"]
        self.address = "http://" + self.listening[0]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()


class Proxy:
    """Passes bytes on, and cuts connections in place of the next `cut_answers` answers."""

    def __init__(self, target):
        host, port = target.rsplit(":", 1)
        self.target = (host, int(port))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
        self.cut_answers = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self.target)
            except OSError:
                near.close()
                continue
            threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _pass(self, source, sink, is_answer):
        try:
            while data := source.recv(65536):
                if is_answer and self.cut_answers > 0:
                    self.cut_answers -= 1
                    break
                sink.sendall(data)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def close(self):
        self.listener.close()
