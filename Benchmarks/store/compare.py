#!/usr/bin/env python3
"""Two builds of the service by turns: bytes written a PUT, database size and resident memory.

    Benchmarks/store/compare.py OLD NEW [PUTS [COLLECTIONS]]

Each case is a collection of so many items, of which so many get other contents with each PUT, by one
writer; then so many collections get one version each. Bytes written are `write_bytes` of
/proc/PID/io, images and checkpoints included, until the service has ended.
"""
import http.client, json, os, shutil, subprocess, sys, tempfile

CASES = [(20, 20), (100, 1), (100, 10), (1000, 10), (1000, 1000)]


class Service:
    def __init__(self, binary, folder):
        environment = dict(os.environ, LIVEDELTA_LOG_LEVEL="error", LIVEDELTA_LOG_ACCESS="off")
        self.process = subprocess.Popen(
            [binary, "serve", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0", "--json", "--data",
             folder, "--durability", "normal"], stdout=subprocess.PIPE, env=environment)
        host = json.loads(self.process.stdout.readline())["listening"][0]
        self.connection = http.client.HTTPConnection(host)

    def put(self, name, body):
        client, collection = name
        self.connection.request(
            "PUT", f"/v1/clients/{client}/collections/{collection}", body,
            {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        answer.read()
        assert answer.status in (200, 201), answer.status

    def status(self, file, key):
        for line in open(f"/proc/{self.process.pid}/{file}"):
            if line.startswith(key):
                return int(line.split()[1])

    def end(self):
        written = self.status("io", "write_bytes")
        self.process.send_signal(2)
        self.process.wait()
        return written


def body(marks):
    return json.dumps([
        {"id": f"item-{n}", "title": "A title of about the usual length", "mark": mark}
        for n, mark in enumerate(marks)])


def size(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


def history(binary, items, changed, puts):
    folder = tempfile.mkdtemp(dir=".")
    try:
        service = Service(binary, folder)
        marks = [0] * items
        service.put(("u", "c"), body(marks))
        for version in range(1, puts + 1):
            for change in range(changed):
                marks[(version * changed + change) % items] = version
            service.put(("u", "c"), body(marks))
        written = service.end()
        return written // puts, size(folder)
    finally:
        shutil.rmtree(folder)


def fill(binary, collections):
    folder = tempfile.mkdtemp(dir=".")
    try:
        service = Service(binary, folder)
        for number in range(collections):
            service.put((f"u{number // 200}", f"c{number}"), body([0] * 10))
        memory = service.status("status", "VmRSS")
        return service.end() // collections, memory
    finally:
        shutil.rmtree(folder)


builds = {"old": sys.argv[1], "new": sys.argv[2]}
puts = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
collections = int(sys.argv[4]) if len(sys.argv) > 4 else 100_000
print("| items | changed | build | bytes written a PUT | database, KiB |\n|---:|---:|---|---:|---:|")
for items, changed in CASES:
    for turn in range(2):
        for name, binary in builds.items():
            count = puts if items * changed < 100_000 else puts // 10
            written, database = history(binary, items, changed, count)
            print(f"| {items} | {changed} | {name} | {written} | {database // 1024} |", flush=True)
print("\n| collections | build | bytes written a PUT | resident, KiB |\n|---:|---|---:|---:|")
for turn in range(2 if collections else 0):
    for name, binary in builds.items():
        written, memory = fill(binary, collections)
        print(f"| {collections} | {name} | {written} | {memory} |", flush=True)
