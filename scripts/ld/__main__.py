"""Runs tests.

    scripts/test                what proves the product on a bare machine: the tests in Swift with processes and PostgreSQL,
                                the clients for browsers, for the JVM and for Python, the kit of the protocol
    scripts/test near [COMMIT]  the tests of the modules whose files differ from a commit (HEAD), and of the modules above
                                them that compute alone; the format of these files
    scripts/test unit           the tests in Swift that start no processes, and 100 seeds of the simulation
    scripts/test long [WORD...] what takes hours, each part in full; or those with one of the words in their names
    scripts/test ci             what CI runs (.ci/run): scripts/test from a clean clone, lint, the graph of modules, a release
                                with its image, deploy/, and short forms of the contract and of hostile peers
    scripts/test --filter NAME  some tests in Swift; arguments go to `swift test`
    scripts/test PART [...]     one part of these; PART --help tells its arguments

LIVEDELTA names a program that is built already; without it `scripts/test` takes the debug build's, parts make a release
build. ROUNDS=20: random tests in Swift with 20 times their rounds. SEEDS=100: of the simulation.

A run of parts ends with the ends of those that failed, a line for each of the first twenty failures in Swift, and the line
"N passed, N failed": tests in Swift, and one failure for each other part. It fails if anything did. A run that crashed or
stood still, or a build that failed, ends with "N passed, at least 1 failed" and what is known of it.
"""

import inspect
import os
import subprocess
import sys
import textwrap

from . import clients, kit, lint, service, stand_ins, tests, tiers
from .machine import LEFT_OUT, ROOT, Failed, LeftOut

PARTS = {
    "adapters": stand_ins.adapters, "app": stand_ins.app, "collections": tests.collections, "conformance": kit.conformance,
    "contract": service.contract, "crashes": tests.crashes, "deploy": service.deploy, "generated-client": service.generated_client,
    "hostile": service.hostile, "java": clients.java, "kotlin": clients.kotlin, "lint": lint.lint, "lists": service.lists,
    "outcomes": tests.outcomes, "python": clients.python, "races": tests.races, "replicas": service.replicas,
    "routes": service.routes, "same-traces": tests.same_traces, "soak": service.soak, "traces": service.traces,
    "views": service.views, "web": clients.web,
}
TIERS = {"all": tiers.everything, "near": tiers.near, "unit": tiers.unit, "long": tiers.long, "ci": tiers.ci}


def main(arguments):
    os.chdir(ROOT)
    if arguments[:1] in (["--help"], ["-h"], ["help"]):
        print(__doc__ + "\nParts:\n")
        for name, function in PARTS.items():
            print(textwrap.fill(
                f"{name:<18}{first_sentence(function)}", 120, initial_indent="    ", subsequent_indent=" " * 22))
        return 0
    name, *rest = arguments or ["all"]
    if name.startswith("-") or name in TIERS:
        try:
            return tests.filtered(arguments) if name.startswith("-") else TIERS[name](rest)
        except (Failed, subprocess.CalledProcessError) as reason:
            print(f"0 passed, at least 1 failed: {reason}")
            return 1
    if name not in PARTS:
        print(f"scripts/test: there is no part {name}; scripts/test --help names all", file=sys.stderr)
        return 64
    if rest == ["--help"]:
        print(inspect.getdoc(PARTS[name]))
        return 0
    try:
        PARTS[name](rest)
        return 0
    except LeftOut as reason:
        print(f"scripts/test {name}: left out, {reason}", file=sys.stderr)
        return LEFT_OUT
    except Failed as reason:
        print(f"scripts/test {name}: {reason}", file=sys.stderr)
    except subprocess.CalledProcessError as error:
        command = " ".join(map(str, error.cmd))[:200]
        print(f"scripts/test {name}: status {error.returncode} of {command}", file=sys.stderr)
    return 1


def first_sentence(function):
    return inspect.getdoc(function).replace("\n", " ").partition(". ")[0].rstrip(".")


sys.exit(main(sys.argv[1:]))
