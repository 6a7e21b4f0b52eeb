"""The tests in Swift: those of some targets, and what long runs make of them."""

import glob
import os

from .machine import ROOT, Failed, has, output, prepare, prepared, run
from .parts import Part, Run

OWN = {"WARNINGS_AS_ERRORS": "1"}  # what Package.swift makes of it: the one set of flags of our own builds
# All tests at once have 2,800 descriptors open; many systems allow a process 1,024.
WIDTH = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": os.environ.get("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16")}
TEST = ["swift", "test", "--disable-xctest"]
BUNDLE = "LiveDeltaPackageTests"  # as SwiftPM calls it


def of(targets):
    """The option of `swift test` that names the tests of targets."""
    return "^(" + "|".join(targets) + r")\."


def prepare_tests():
    """Documents' examples call curl; tests of the store in PostgreSQL start a server of their own, and Debian's promtool
    judges the metrics: where these cannot be had their tests are left out, and say so."""
    prepared("curl", "python3")
    if not glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        prepare("postgresql")
    if not has("promtool"):
        prepare("prometheus")


def part(name, minutes, *arguments, **environment):
    return Part(name, minutes, [*TEST, *arguments], tests=True, **OWN, **WIDTH, **environment)


def alone(targets, **environment):
    """Builds and runs the tests of some targets, and nothing else."""
    prepared()
    named = {"TESTS": ",".join(targets), **environment}
    build = Part("the build", 45, ["swift", "build", "--product", BUNDLE], is_base=True, **OWN, **named)
    return [build, part("the tests", 40, "--skip-build", **named)]


def filtered(arguments):
    """scripts/test --filter NAME: as `swift test` has it."""
    run_of_it = Run(80, is_live=True)
    prepare_tests()
    run_of_it.part(part("the tests", int(os.environ.get("TEST_SECONDS", "2400")) / 60, *arguments))
    return run_of_it.finish()


def repeated(rounds, names, arguments):
    """Tests with so many times their rounds."""
    prepared()
    run(*TEST, "--filter", names, env={**os.environ, **OWN, "ROUNDS": arguments[0] if arguments else str(rounds)})


def collections(arguments):
    """100,000 updates of collections from several threads with the simulator attached, and half a million deltas. FACTOR: 50
    times what the tests do."""
    repeated(50, "SoakTests|DeltaEngineTests.RandomTests|ReplicaTests", arguments)


def crashes(arguments):
    """The program ended by SIGKILL and SIGTERM at 300 random moments under writers and readers, and readers who race with
    writers. FACTOR: 10 times what the tests do. LIVEDELTA_CRASH_SEED repeats a run."""
    repeated(10, "CrashTests|ReadRaceTests", arguments)


def races(arguments):
    """The tests of the libraries and the server under ThreadSanitizer; arguments go to `swift test` in place of that choice,
    as in --filter HTTP1Tests. The libraries' lock is one that the sanitizer sees, and nothing is suppressed for them: the
    collections and the client. The engine has no threads of its own; the collections' tests run it in many. The server and
    the examples lock by the standard library's Mutex, which the sanitizer does not see: for them, and for tests that are
    named, what Tests/thread-sanitizer.supp tells is not reported."""
    prepared()

    def sanitized(*words, is_suppressed=False):
        more = f"suppressions={ROOT}/Tests/thread-sanitizer.supp {os.environ.get('TSAN_OPTIONS', '')}"
        environment = {**os.environ, **OWN, **({"TSAN_OPTIONS": more} if is_suppressed else {})}
        run(*TEST, "--sanitize=thread", "--scratch-path", ".build-races", *words, env=environment)

    if arguments:
        sanitized(*arguments, is_suppressed=True)
        return
    sanitized("--filter", "LiveCollectionsTests")
    sanitized("--skip-build", "--filter", "LiveDeltaClientTests")
    sanitized("--skip-build", "--filter", "ScenarioTests|HTTP1Tests|SocketServerTests", is_suppressed=True)


def same_traces(arguments):
    """Seeds of the simulation have the same traces in two processes; the order of hashes is part of a trace, and fixed."""
    def traces():
        printed = output(*TEST, "--filter", "SimulationTests/printTraces",
                         env={**os.environ, **OWN, "PRINT_TRACES": "1", "SWIFT_DETERMINISTIC_HASHING": "1"})
        return [line for line in printed.splitlines() if line.startswith("traces: ")]

    one, other = traces(), traces()
    if not one or one != other:
        raise Failed(f"the traces differ:\n{one}\n{other}")
    print(f"the same traces: {len(one[0])} characters of hashes")


def outcomes(arguments):
    """scripts/test tells the truth: it is run on a small package whose tests pass, fail, crash, stand still or do not build,
    and its last line and its status are compared."""
    run("Tests/Scripts/outcomes", env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
