"""The plain commands of examples/cluster: PostgreSQL, three replicas and nginx, on sockets in a folder of the test."""

import glob
import json
import os
import pwd
import shutil
import signal
import subprocess
import tempfile

from service import PROGRAM, ROOT, replaced

PATH = "/v1/clients/u/collections/c"


def three_replicas_start_by_plain_commands():
    """What one replica is given the others know, and one that is killed is passed over."""
    if not glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        return print("the example of replicas is left out: PostgreSQL is not installed", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        example = shutil.copytree(os.path.join(ROOT, "examples/cluster"), folder + "/example")
        with open(example + "/nginx.conf") as file:
            text = replaced(file.read(), "listen 8080;", f"listen unix:{folder}/nginx.sock;")
        with open(example + "/nginx.conf", "w") as file:
            file.write(text)
        os.mkdir(folder + "/bin")
        shutil.copy(PROGRAM, folder + "/bin/livedelta")
        command, user = [example + "/start"], pwd.getpwuid(os.getuid()).pw_name
        if os.getuid() == 0:  # which PostgreSQL does not want to be
            user = "postgres"
            command = ["runuser", "-u", user, "--", *command]
            subprocess.run(["chown", "-R", user, folder], check=True)
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
            env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}"})
        try:
            for line in process.stdout:
                if line.startswith("three replicas"):
                    break
            else:
                raise AssertionError("the example did not start")
            use(folder)
        finally:
            os.killpg(process.pid, signal.SIGINT)
            said = process.stdout.read()
            status = process.wait(60)
        assert status == 0, f"it ended with {status}: {said}"


def request(folder, path, *options):
    # A replica that has not started yet is passed over or, while all have not, answered by 502.
    retry = ["--retry", "100", "--retry-all-errors", "--retry-delay", "1", "--retry-connrefused"]
    return json.loads(subprocess.run(
        ["curl", "-sSf", *retry, "--unix-socket", folder + "/nginx.sock", *options, "http://localhost" + path],
        check=True, capture_output=True, text=True).stdout)


def use(folder):
    put = ["-X", "PUT", "-H", "Content-Type: application/json", "-d"]
    for number in range(9):
        version = request(folder, PATH, *put, f'[{{"id":{number}}}]')["version"]
        for _ in range(3):
            told = request(folder, f"{PATH}/delta?since={version}")
            assert told["kind"] == "unchanged", told
        if number == 4:
            with open(folder + "/cluster/b.pid") as file:
                os.kill(int(file.read()), signal.SIGKILL)


TESTS = [three_replicas_start_by_plain_commands]
