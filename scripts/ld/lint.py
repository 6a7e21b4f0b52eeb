"""What a change must keep beside what tests prove: format, lines of documents, errors that are dropped, what would make
two runs of a simulated seed differ, and where packages come from."""

import os
import pathlib
import re
import sys

from .machine import ROOT, Failed, output, run

COLUMNS = 120
FORMATTED = ["Package.swift", "Sources", "Tests", "examples", "Fuzz"]

# Where a dropped error needs a reason.
REASONED = ["Package.swift", "Sources", "examples"]
TOKEN = re.compile(r'//|/\*|\*/|#*"""|#*"|[()]|\btry\?|\bcatch\b[^{}\n]*\{\s*\}')
REASON = re.compile(r"//+\s*An error\b")

# What makes two runs differ: the time of the machine, threads, queues and tasks, and random numbers of the system.
DIFFERENT = re.compile("|".join([
    r"\bDate\(|\bDate\.now|DispatchTime|ContinuousClock|SuspendingClock|clock_gettime|gettimeofday|\btime\(nil\)",
    r"DispatchQueue|DispatchSource|\bTask(\.detached)?(\(.*\))? *\{|\bThread\b|concurrentPerform|pthread_create|\bawait\b",
    r"SystemRandomNumberGenerator|\.random\(in: *[^,)]*\)|\.random\(\)|shuffled\(\)|randomElement\(\)|\bUUID\(\)|getrandom",
]))
# The code that is simulated, and what of it is not. Queues of the system are made in one place; nothing simulated waits
# for what is asynchronous in the service. The seed of remembered answers decides where they are kept, not which. The
# tests of the simulation and its program need not be repeatable.
SIMULATED = {
    "Tests/Simulation": ["main.swift", "*Tests.swift"],
    "Sources/Service/CollectionService": [
        "WorkQueue.swift", "DeltaService+Unused.swift", "DeltaService+Usage.swift", "DeltaService+Jobs.swift",
        "DeltaService.swift"],
    **{f"Sources/Service/DeltaHTTP/{folder}": ["RememberedAnswers.swift"]
       for folder in ("Answer", "Decision", "Request", "Routes", "Encoding")},
    "Sources/Service/VersionedCollections": ["Transfer/*", "TimeSource.swift", "CollectionStore.swift"],
    "Sources/Client/LiveDeltaClient/Replica": [],
    "Sources/Client/LiveDeltaClient/Wire": [],
}


def swift_files(names):
    for name in names:
        if os.path.isfile(ROOT / name):
            yield ROOT / name
        for folder, folders, files in os.walk(ROOT / name):
            folders[:] = sorted(inner for inner in folders if not inner.startswith("."))
            yield from (pathlib.Path(folder, file) for file in sorted(files) if file.endswith(".swift"))


def shown(path, number):
    return f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{number}"


def end_of_string(text, quote, start, found):
    """Where a string ends; what is in its interpolations is code."""
    marks = quote.rstrip('"')
    end, hole, is_long = quote[len(marks):] + marks, "\\" + marks + "(", quote.endswith('"""')
    stop = re.compile(rf'{re.escape(hole)}|\\{marks}.|{end}|\n', re.DOTALL)
    while match := stop.search(text, start):
        start = match.end()
        if match[0] == hole:
            start = scan(text, start, found, is_nested=True)
        elif match[0] == end or match[0] == "\n" and not is_long:
            return start
    return len(text)


def scan(text, start, found, is_nested=False):
    """Notes where errors are dropped, outside of strings and comments, up to the end or the closing parenthesis."""
    depth = 0
    while match := TOKEN.search(text, start):
        start, token = match.end(), match[0]
        if token == "//":
            start = (text.find("\n", start) + 1 or len(text) + 1) - 1
        elif token == "/*":
            level = 1
            while level and (mark := re.compile(r"/\*|\*/").search(text, start)):
                start, level = mark.end(), level + (1 if mark[0] == "/*" else -1)
        elif token.endswith('"'):
            start = end_of_string(text, token, start, found)
        elif token[0] in "tc":
            found.append((text.count("\n", 0, match.start()), token[:5].rstrip("?") + "?" * (token[0] == "t")))
        elif is_nested and token in "()":
            depth += 1 if token == "(" else -1
            if depth < 0:
                return start
    return len(text)


def has_reason(lines, number, dropped):
    if REASON.search(lines[number]):
        return True
    above = number - 1
    while above >= 0 and lines[above].lstrip().startswith("//"):
        if REASON.match(lines[above].lstrip()):
            return True
        above -= 1
    return above == number - 1 and above in dropped and has_reason(lines, above, dropped)


def swallowed(files):
    """Errors that are dropped without a word: every "try?" and every empty "catch" without a comment that begins "An
    error", on its line or right above it, and says why nothing is lost. Lines that follow each other share one."""
    for path in files:
        text, found = path.read_text(), []
        scan(text, 0, found)
        lines, dropped = text.split("\n"), {number for number, _ in found}
        for number, what in found:
            if not has_reason(lines, number, dropped):
                yield f'{shown(path, number + 1)}: "{what}" without a comment "// An error …" that says why nothing is lost'


def simulated():
    for folder, others in SIMULATED.items():
        if not (ROOT / folder).is_dir():
            raise Failed(f"scripts/ld/lint.py names {folder}, which is not there")
        for path in sorted((ROOT / folder).rglob("*.swift")):
            inner = path.relative_to(ROOT / folder)
            if not any(inner.match(one) or inner.parts[0] + "/*" == one for one in others):
                yield path


def different(files):
    """What would make two runs of a simulated seed differ; comments may name it."""
    for path in files:
        for number, line in enumerate(path.read_text().split("\n"), 1):
            if DIFFERENT.search(line) and not line.lstrip().startswith("//"):
                yield f"{shown(path, number)}: simulated code has time and chance of its caller, and starts nothing: {line.strip()}"


def wide(files):
    """Lines of documents that are too long, but for rows of tables."""
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if len(line) > COLUMNS and not line.lstrip().startswith("|"):
                yield f"{shown(path, number)}: {len(line)} columns"


def packages():
    """What is wrong with Package.resolved: a mirror that somebody builds with is not where others get packages from, and
    a build without the service's trait takes what the service alone needs out of the file."""
    resolved, manifest = (ROOT / "Package.resolved").read_text(), (ROOT / "Package.swift").read_text()
    for location in re.findall(r'"location" *: *"([^"]*)"', resolved):
        if not location.startswith("https://github.com/"):
            yield f"Package.resolved: packages come from github.com alone, not {location}"
    for package in re.findall(r'https://github\.com/[^"]*\.git', manifest):
        if f'"{package}"' not in resolved:
            yield f"Package.resolved: {package} is missing"


def format_of(files):
    if files:
        run("swift", "format", "lint", "--strict", "--recursive", "--parallel", *files)


def lint(arguments):
    """Checks the whole project, or the files that are named."""
    names = set(arguments or output("git", "ls-files", "-co", "--exclude-standard").splitlines())
    names = sorted(name for name in names if (ROOT / name).is_file())
    swift = [name for name in names if name.endswith(".swift") and name.split("/")[0] in FORMATTED]
    reasoned = [ROOT / name for name in swift if name.split("/")[0] in REASONED and "Tests" not in name.split("/")]
    wrong = [
        *wide(ROOT / name for name in names if name.endswith(".md")),
        *swallowed(reasoned), *different(path for path in simulated() if str(path.relative_to(ROOT)) in names),
        *(packages() if {"Package.swift", "Package.resolved"} & set(names) else ()),
    ]
    print("\n".join(wrong), end="\n" if wrong else "")
    format_of(FORMATTED if not arguments else swift)
    if not arguments:
        run(sys.executable, "-m", "unittest", "discover", "-s", "Tests/Scripts",
            env={**os.environ, "PYTHONPATH": str(ROOT / "scripts"), "PYTHONDONTWRITEBYTECODE": "1"})
    if wrong:
        raise Failed(f"{len(wrong)} lines are wrong")
    print(f"{len(names)} files: format, columns, dropped errors, simulated code and packages are right")
