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


class Scripted:
    """Answers each connection with the next of some bytes, the last of them again and again; `requests` has what came."""

    def __init__(self, *answers, context=None):
        self.answers = list(answers)
        self.context = context
        self.requests = []
        self.connections = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "%s://127.0.0.1:%d" % ("https" if context else "http", self.listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            try:
                near = self.context.wrap_socket(near, server_side=True) if self.context else near
                request = b""
                while b"\r\n\r\n" not in request:
                    request += near.recv(65536)
                self.requests.append(request)
                near.sendall(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
            except OSError:
                pass
            near.close()

    def close(self):
        self.listener.close()


def answer(status, body=b"", *fields):
    """The bytes of an answer; a refusal in JSON is a problem of the service unless a field says otherwise."""
    if not any(field.startswith("Content-Type") for field in fields):
        fields = (*fields, "Content-Type: application/" + ("problem+json" if status >= 400 else "json"))
    head = [f"HTTP/1.1 {status} X", *fields, f"Content-Length: {len(body)}", "Connection: close", "", ""]
    return "\r\n".join(head).encode() + body
