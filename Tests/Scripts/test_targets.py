"""Tests of scripts/ld/targets.py: which tests a change concerns."""

import pathlib
import unittest

from ld import targets


def made():
    """A small house: a library, a service over it, a program over that, and their tests."""
    house = targets.Targets.__new__(targets.Targets)
    needs = {
        "Engine": set(), "Store": {"Engine"}, "program": {"Store"}, "Support": {"Engine"},
        "EngineTests": {"Engine", "Support"}, "StoreTests": {"Store", "Support"}, "ServiceTests": {"Service"}, "Service": {"Engine"},
        "StoreSQLiteTests": {"Store"}, "StoreSQLite": {"Store"}, "IntegrationTests": {"program"},
    }
    house.needs, house.tests = needs, {name for name in needs if name.endswith("Tests")}
    house.folders = {name: pathlib.PurePosixPath("Tests" if name in house.tests or name == "Support" else "Sources", name)
                     for name in needs}
    return house


class Near(unittest.TestCase):
    def test_a_module_has_its_tests_and_those_above_that_compute_alone(self):
        self.assertEqual(made().near(["Sources/Engine/A.swift"]), ["EngineTests", "ServiceTests", "StoreTests"])

    def test_its_own_tests_run_even_if_they_wait(self):
        self.assertEqual(made().near(["Sources/StoreSQLite/A.swift"]), ["StoreSQLiteTests"])

    def test_a_test_runs_itself_and_support_those_that_it_supports(self):
        self.assertEqual(made().near(["Tests/IntegrationTests/A.swift"]), ["IntegrationTests"])
        self.assertEqual(made().near(["Tests/Support/A.swift"]), ["EngineTests", "StoreTests"])

    def test_the_manifest_concerns_all_that_compute_alone(self):
        self.assertEqual(made().near(["Package.swift"]), ["EngineTests", "ServiceTests", "StoreTests"])

    def test_other_files_concern_none(self):
        self.assertEqual(made().near(["README.md", "clients/web/a.js"]), [])


if __name__ == "__main__":
    unittest.main()
