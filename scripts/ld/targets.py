"""The targets of Package.swift: which tests need processes, and which a change concerns."""

import json
import os
import pathlib

from .machine import Failed, output

# Test targets that start processes, servers or databases; all others are unit tests.
WITH_PROCESSES = {"IntegrationTests", "LiveDeltaCommandTests", "StorePostgresTests"}
# Unit tests that wait for sockets, files or clocks: others may not take the processor from them.
TIMED = {"SocketServerTests", "DeltaHTTPTests", "StoreSQLiteTests", "LiveDeltaClientTests", "LiveCollectionsTests"}
SIMULATION = "SimulationTests"


class Targets:
    def __init__(self):
        environment = {name: value for name, value in os.environ.items() if name != "TESTS"}
        manifest = json.loads(output("swift", "package", "dump-package", env=environment))
        self.folders, self.needs, self.tests = {}, {}, set()
        for target in manifest["targets"]:
            name = target["name"]
            self.folders[name] = pathlib.PurePosixPath(target.get("path") or f"Sources/{name}")
            self.needs[name] = {next(iter(one.values()))[0] for one in target["dependencies"]}
            if target["type"] == "test":
                self.tests.add(name)
        if unknown := (WITH_PROCESSES | TIMED | {SIMULATION}) - self.tests:
            raise Failed(f"scripts/ld/targets.py names test targets that are not there: {', '.join(sorted(unknown))}")

    @property
    def unit(self):
        return sorted(self.tests - WITH_PROCESSES)

    @property
    def pure(self):
        """Those that compute, and wait for nothing."""
        return sorted(self.tests - WITH_PROCESSES - TIMED)

    def target(self, path):
        """The target that a file is of; None if it is of none."""
        path = pathlib.PurePosixPath(path)
        found = [name for name, folder in self.folders.items() if folder in path.parents]
        return max(found, key=lambda name: len(self.folders[name].parts), default=None)

    def above(self, names):
        """All targets that depend on some, near or far, and these."""
        found, grows = set(names), True
        while grows:
            more = {name for name, needs in self.needs.items() if needs & found} - found
            found, grows = found | more, bool(more)
        return found

    def near(self, paths):
        """The test targets that changes of files concern: those of the modules themselves, which are named as these are,
        or need them as their tests' support; and those of the modules above that compute alone."""
        if "Package.swift" in paths:
            return self.pure
        touched = {target for target in map(self.target, paths) if target}
        own = {test for test in self.tests if test in touched or test.removesuffix("Tests") in touched
               or any(str(self.folders[one]).startswith("Tests/") for one in self.needs[test] & touched)}
        modules = {name for name in self.above(touched - self.tests) if name not in self.tests}
        pure = {test for test in self.pure if test.removesuffix("Tests") in modules and test != SIMULATION}
        return sorted(own | pure)
