"""A backend for forward-auth: knows the sessions whose cookie begins with a word, and takes its time."""

import asyncio
import multiprocessing
import re

PAUSE_SECONDS = 0.02


class Answering(asyncio.Protocol):
    """One connection, whose questions are answered in order."""

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""

    def data_received(self, data):
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head, self.buffer = self.buffer[:end], self.buffer[end + 4 :]
            is_good = re.search(rb"^cookie: session=good", head, re.IGNORECASE | re.MULTILINE)
            asyncio.get_running_loop().call_later(PAUSE_SECONDS, self.answer, bool(is_good))

    def answer(self, is_good):
        status = "204 No Content" if is_good else "401 Unauthorized"
        length = "" if is_good else "Content-Length: 0\r\n"
        if not self.transport.is_closing():
            self.transport.write(f"HTTP/1.1 {status}\r\n{length}\r\n".encode())


class Backend:
    """The backend, in a process of its own, which ends with this one."""

    def __init__(self):
        here, there = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_run, args=(there,), daemon=True)
        self.process.start()
        self.port = here.recv()

    def end(self):
        self.process.kill()
        self.process.join()


def _run(pipe):
    async def serve():
        server = await asyncio.get_running_loop().create_server(Answering, "127.0.0.1", 0, backlog=512)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())
