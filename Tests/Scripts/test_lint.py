"""Tests of scripts/ld/lint.py: it finds what drops an error and what makes two runs differ, and nothing else."""

import pathlib
import tempfile
import unittest

from ld import lint


def lines(check, text):
    """The lines of a source that a check names."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "Source.swift")
        path.write_text(text)
        return [int(found.split(":")[1]) for found in check([path])]


class DroppedErrors(unittest.TestCase):
    def test_those_without_a_reason_are_found(self):
        self.assertEqual(lines(lint.swallowed, DROPPED), [1, 4, 8, 9, 10])

    def test_those_with_a_reason_are_not(self):
        self.assertEqual(lines(lint.swallowed, EXPLAINED), [])

    def test_comments_and_strings_are_no_code(self):
        self.assertEqual(lines(lint.swallowed, QUOTED), [])

    def test_what_a_string_interpolates_is_code(self):
        self.assertEqual(lines(lint.swallowed, INTERPOLATED), [1, 4, 6])


class SimulatedCode(unittest.TestCase):
    def test_each_way_to_make_two_runs_differ_is_found(self):
        self.assertEqual(lines(lint.different, DIFFERENT), list(range(1, DIFFERENT.count("\n") + 1)))

    def test_nothing_else_is(self):
        self.assertEqual(lines(lint.different, SAME), [])


DROPPED = """\
let one = try? read()
// It may fail.
let two = read()
let three = (try? read()) ?? 0

// An error is told elsewhere.

let four = try? read()
do { try read() } catch {}
do { try read() } catch is CancellationError {
}
"""
EXPLAINED = """\
// An error means that there is none.
let one = try? read()
let two = try? read()  // An error means that there is none.
/// A document.
// An error means that there is none, as for
// what is empty.
guard let three = try? read(),
  let four = try? read(three)
else { return }
do { try read() } catch { print(error) }
// An error means that it was there.
do { try read() } catch {}
"""
QUOTED = r'''
// try? in a comment, and "/* in one
/* try? /* catch {} */ try? */
let text = "try? \" catch {} // try?" + #"try? \(" \#(1) try?"# + ""
let long = """
  try? read("\(one("try?"))") \
  catch {} // "
  """
let regex = /[^"]*retry?/
struct Retry { var retry: Int? }
let value = retry?.count
'''
INTERPOLATED = r'''let text = "value: \(try? read(("a")))"
let more = "\("\("try?")")"
let slashes = "// http://"
let url = "http://\(try? read())"
let quotes = #"" "#
let last = try? read()
'''
DIFFERENT = """\
let now = Date()
let now = Date.now
let start = ContinuousClock().now
DispatchQueue.global().async { work() }
Task { await work() }
Task.detached(priority: .low) { work() }
let thread = Thread { work() }
let id = UUID()
let number = Int.random(in: 0..<9)
let number = UInt64.random(in: 0...UInt64.max)
let one = list.randomElement()
let list = list.shuffled()
var generator = SystemRandomNumberGenerator()
"""
SAME = """\
let number = Int.random(in: 0..<9, using: &generator)
  // Date() would differ
func update(_ date: Int64)
case badDate(String)
"""

if __name__ == "__main__":
    unittest.main()
