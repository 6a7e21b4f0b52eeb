"""Which parts a tier has, how long each may take, and what runs beside what.

Compilers and tests that compute alone run in a line at the lowest priority: of what waits for clocks and sockets beside them
the processors are as good as free. Tests in Swift that wait for clocks and sockets run when nothing else does, and so do
replicas. No part is run again.
"""

import os
import pathlib
import sys

from . import tests
from .machine import ROOT, output
from .parts import Part, Run
from .targets import Targets
from .tests import OWN

# CI ends a run after 85 minutes. Each part has several times what it takes on a quiet machine.
MINUTES = 83


def own(name, minutes, *arguments, title=None, **environment):
    """A part by its name, as `scripts/test NAME ...` runs it."""
    return Part(title or name, minutes, [sys.executable, "-m", "ld", name, *arguments], **environment)


def debug_build():
    return Part("the build", 45, ["swift", "build", "--build-tests"], is_base=True, **OWN)


def changed(commit):
    """The files that differ from a commit, and those that git does not know yet."""
    return sorted({*output("git", "diff", "--name-only", commit).splitlines(),
                   *output("git", "ls-files", "-o", "--exclude-standard").splitlines()})


# What else there is to run, by where files have changed.
HINTS = {"clients/web": "web", "clients/java": "java", "clients/python": "python", "conformance": "conformance",
         "deploy": "deploy", "docs/openapi.json": "contract", "scripts": "lint", "Tests/Hostile": "hostile",
         "Tests/Cluster": "replicas", "Tests/Deploy": "deploy", "Tests/Views": "views"}


def near(arguments):
    run, files, targets = Run(60, is_live=True), changed(*arguments or ["HEAD"]), Targets()
    if files:
        run.part(own("lint", 5, *files))
    if near_tests := targets.near(files):
        print(f"near: {', '.join(near_tests)}", flush=True)
        run.line(tests.alone(near_tests, SEEDS=100))
    if parts := sorted({part for folder, part in HINTS.items() if any(file.startswith(folder) for file in files)}):
        print(f"also concerned: {', '.join(f'scripts/test {part}' for part in parts)}")
    return run.finish()


def unit(arguments):
    run = Run(60, is_live=True)
    run.line(tests.alone(Targets().unit, SEEDS=100))
    return run.finish()


def program_parts(program, versions):
    """The clients and the kit against a program, in one line."""
    of_it = {"LIVEDELTA": program}
    return [
        own("web", 30, VERSIONS=300, **of_it),
        own("java", 30, VERSIONS=versions, **of_it),
        own("python", 15, VERSIONS=versions, **of_it),
        own("conformance", 30, "service", "python", "javascript", "java", **of_it),
    ]


def computing_parts(targets):
    """What computes alone, and needs the debug build."""
    return [
        own("adapters", 15),
        own("app", 15, title="the example app"),
        tests.part("the tests that compute", 40, "--skip-build", "--filter", tests.of(targets.pure)),
    ]


def waiting_parts(targets, program):
    """What waits for clocks and sockets with all that it has; it runs when nothing else does."""
    return [
        tests.part("the tests that wait", 40, "--skip-build", "--skip", tests.of(targets.pure)),
        own("conformance", 15, "swift", title="conformance of the Swift client", LIVEDELTA=program),
        own("replicas", 15, "--faults", "0", LIVEDELTA=program),
    ]


def everything(arguments):
    run = Run(MINUTES)
    tests.prepare_tests()
    if run.line([debug_build()]):
        program = os.environ.get("LIVEDELTA") or str(ROOT / ".build/debug/livedelta")
        targets = Targets()
        beside = run.beside(computing_parts(targets))
        run.line(program_parts(program, 60))
        beside.join()
        run.line(waiting_parts(targets, program))
    return run.finish()


def ci(arguments):
    run = Run(MINUTES)
    tests.prepare_tests()
    targets, build, folder = Targets(), debug_build(), ROOT / ".build/program"
    # The optimiser takes one module after the other: half of two processors is left for the other build.
    beside = run.beside([own("lint", 10), build, Part("scripts/house", 10, ["scripts/house"]), *computing_parts(targets)])
    if not run.line([Part("the release build", 30, ["scripts/build-release"], is_base=True, BUILD_FOLDER=folder)]):
        return run.finish()
    program = str(folder / "release/livedelta")
    release = pathlib.Path(run.folder.name, "release")
    run.line([
        Part("a release, with the image", 20, ["scripts/release", "--dry-run", release], LIVEDELTA=program),
        *program_parts(program, 60),
        own("contract", 30, "--quick", LIVEDELTA=program),
        own("deploy", 30, "--quick", LIVEDELTA=program),
    ])
    beside.join()
    # Those who attack have the lowest priority themselves.
    run.line([own("hostile", 30, "--quick", LIVEDELTA=program)])
    if build.name not in run.failed:
        run.line(waiting_parts(targets, program))
    return run.finish()


def long(arguments):
    """Everything in full, one part after the other; or the parts that have one of some words in their names."""
    run = Run(16 * 60)
    tests.prepare_tests()
    program = str(ROOT / ".build/release/livedelta")
    if not run.line([Part("the release build", 30, ["scripts/build-release"]), debug_build()]):
        return run.finish()
    of_it = {"LIVEDELTA": program}
    parts = [
        own("lint", 10),
        Part("scripts/house", 10, ["scripts/house"]),
        own("outcomes", 20),
        tests.part("all tests", 60, "--skip-build"),
        own("same-traces", 10),
        own("adapters", 30, "--guides"),
        own("app", 30, "native", "swiftbuild", title="the example app"),
        own("web", 30, VERSIONS=300, **of_it),
        own("java", 40, "--kotlin", VERSIONS=300, **of_it),
        own("python", 20, "--wheel", VERSIONS=300, **of_it),
        own("conformance", 90, "--full", **of_it),
        own("deploy", 60, **of_it),
        own("contract", 30, **of_it),
        own("generated-client", 10, **of_it),
        own("traces", 10, **of_it),
        own("views", 90, **of_it),
        own("hostile", 60, **of_it),
        own("routes", 20, title="the instructions of a poll", **of_it),
        own("lists", 30, title="the memory of many lists", **of_it),
        own("replicas", 90, "--minutes", "60", **of_it),
        own("soak", 90, "60", title="a soak of replicas", **of_it),
        own("soak", 60, "20", "--directory", title="a soak of one process", **of_it),
        own("crashes", 60),
        own("collections", 60),
        own("races", 60),
        Part("mutants", 240, ["scripts/mutants"]),
    ]
    run.line([part for part in parts if not arguments or any(word in part.name for word in arguments)])
    return run.finish()
