"""The adapters of UIKit and AppKit, and the example app, by the modules of the debug build."""

import difflib
import json
import os
import pathlib
import re
import subprocess
import tempfile

from .machine import ROOT, Failed, blocks, output, run

DEBUG = ROOT / ".build/debug"
STAND_INS = ROOT / "Tests/Library/StandIns"
DOCUMENTS = ["README.md", "docs/views.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs/guides").glob("*.md"))]
ISOLATIONS = ["MainActor", "nonisolated"]
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
            "InferIsolatedConformances"]


def flags():
    # SwiftPM calls a package at the root as its folder.
    words = ["-swift-version", "6", "-package-name", ROOT.name.lower(), "-warnings-as-errors"]
    return words + [word for feature in FEATURES for word in ("-enable-upcoming-feature", feature)]


def objects(*modules):
    """The objects of modules in the debug build; a build leaves those of files that are gone."""
    found = []
    for module in modules:
        folder = DEBUG / f"{module}.build"
        if (outputs := folder / "output-file-map.json").exists():
            found += [entry["object"] for source, entry in json.loads(outputs.read_text()).items() if source]
        else:
            found += [path for path in folder.rglob("*.o") if any((ROOT / "Sources/System" / module).rglob(path.stem))]
    return sorted(map(str, found))


class Compiler:
    """Compiles modules into folders, over the debug build's engine, which the adapters do not change."""

    def __init__(self, work):
        self.work = work
        if not (DEBUG / "Modules/DeltaEngine.swiftmodule").exists():
            raise Failed("there is no debug build: swift build --traits Server --build-tests")
        (work / "DeltaEngine.swiftmodule").symlink_to(DEBUG / "Modules/DeltaEngine.swiftmodule")

    def module(self, folder, name, *files):
        folder.mkdir(parents=True, exist_ok=True)
        run("swiftc", *flags(), "-parse-as-library", "-I", self.work, "-I", folder, "-wmo", "-module-name", name,
            "-emit-module", "-emit-module-path", folder / f"{name}.swiftmodule", "-c", *files, "-o", folder / f"{name}.o")

    def check(self, *files, framework="UIKit", options=()):
        run("swiftc", *options, "-typecheck", "-I", self.work, "-I", self.work / framework, *files)


def swift(folder):
    return sorted((ROOT / folder).rglob("*.swift"))


def adapters(arguments):
    """Compiles LiveCollections against stand-ins for UIKit and for AppKit, for machines without these, and holds the
    adapters against what they are to tell list views. With --guides also the Swift of the README and the guides, isolated
    to the main actor and not, the code in the libraries' comments, and what migrating.md names."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        compiler = Compiler(work)
        compiler.module(work, "ListStandIn", *swift(STAND_INS / "ListStandIn"))
        for framework in ("UIKit", "AppKit"):
            here = work / framework
            compiler.module(here, framework, *swift(STAND_INS / framework))
            compiler.module(here, "LiveCollections", *swift("Sources/Library/LiveCollections"))
            run("swiftc", *flags(), "-parse-as-library", "-I", work, "-I", here, STAND_INS / "Adapters/Support.swift",
                *(STAND_INS / "Adapters").glob(f"{framework}*Tests.swift"), *objects("DeltaEngine"), *work.glob("*.o"),
                *here.glob("*.o"), "-o", here / "tests")
            run(here / "tests")
        if arguments == ["--guides"]:
            guides(compiler)


def guides(compiler):
    here = compiler.work / "UIKit"
    compiler.module(compiler.work, "SnapshotJSON", *swift("Sources/Common/SnapshotJSON"))
    compiler.module(here, "SwiftUI", *swift(STAND_INS / "SwiftUI"))
    for name, folder in (("LiveDeltaClient", "Client"), ("LiveDeltaURLSession", "Client"), ("LiveCollectionsTesting", "Library")):
        compiler.module(here, name, *swift(f"Sources/{folder}/{name}"))

    # Another library's names on the system's views and values, which ours leave alone.
    adapters_folder = STAND_INS / "Adapters"
    compiler.module(here, "OtherLibrary", adapters_folder / "OtherLibrary.swift")
    for name in ("OwnNames", "Migration"):
        compiler.check(adapters_folder / f"{name}.swift", options=[*flags(), "-parse-as-library"])
    names_of_migration()
    named = comments(compiler)

    # Each Swift block of a guide is a file, compiled as an app has it.
    count = 0
    for document in DOCUMENTS:
        for number, code in enumerate(blocks(document, "swift"), 1):
            file = compiler.work / f"{pathlib.Path(document).stem}-{number}.swift"
            file.write_text(code)
            options = ["-swift-version", "6", "-warnings-as-errors"]
            options += ["-parse-as-library"] if re.search("^@main", code, re.M) else []
            for isolation in ISOLATIONS:
                compiler.check(file, framework="AppKit" if re.search("^import AppKit", code, re.M) else "UIKit",
                               options=[*options, "-default-isolation", isolation])
            count += 1
    print(f"{count} Swift blocks of the README and the guides compile, and those in the comments of {named} files")


def names_of_migration():
    """Of each row of the guide: what it is called here, or the same as there."""
    known = set(re.findall(r"\w+", (STAND_INS / "Adapters/Migration.swift").read_text()))
    for line in (ROOT / "docs/guides/migrating.md").read_text().splitlines():
        cells = line.split("|")
        if len(cells) <= 3:
            continue
        named = cells[2] + (cells[1] if "the same" in cells[2] else "")
        for quoted in re.findall("`[^`]*`", named):
            for name in re.findall("[A-Za-z_][A-Za-z0-9_]*", quoted):
                if name not in known:
                    raise Failed(f"migrating.md: {name} is not in Migration.swift")


def comments(compiler):
    """Compiles the code in comments, in place of the line that names its file; how many files have some."""
    template = (STAND_INS / "DocComments/DocComments.swift").read_text()
    named = sorted(re.findall(r"^ *//: (.*)$", template, re.M))
    found = sorted(
        str(path.relative_to(ROOT / "Sources")) for floor in ("Library", "Client") for path in swift(f"Sources/{floor}")
        if re.search(r"^ */// ```swift$", path.read_text(), re.M))
    if named != found:
        print("\n".join(difflib.unified_diff(named, found, "DocComments.swift", "Sources", lineterm="")))
        raise Failed("DocComments.swift does not name these files")

    def code(match):
        text = (ROOT / "Sources" / match[1]).read_text()
        lines = "\n".join(re.findall(r"^ */// ```swift\n(.*?)^ */// ```$", text, re.M | re.S)).split("\n")
        lines = [re.sub(r"^ */// ?", "", line) for line in lines if not re.match(r" */// import ", line)]
        return "\n".join(lines)

    file = compiler.work / "DocComments.swift"
    file.write_text(re.sub(r"^ *//: (.*)$", code, template, flags=re.M))
    for isolation in ISOLATIONS:
        compiler.check(file, options=["-swift-version", "6", "-suppress-warnings", "-default-isolation", isolation,
                                      "-parse-as-library"])
    return len(named)


APP = ["LiveCollections", "LiveCollectionsTesting", "LiveDeltaClient", "LiveDeltaURLSession"]
PROGRAMS = {"Movies": ["-default-isolation", "MainActor"], "MoviesNonisolated": []}
HIDDEN = ["curl", "x86_64-linux-gnu/curl", "simdjson.h", "xxhash.h", "sqlite3.h", "zlib.h"]


def app(arguments):
    """Compiles examples/app against the modules of the debug build and runs it, isolated to the main actor and not. With
    build systems (native, swiftbuild) builds it as its users would, as root without the headers that only the service
    needs; nothing but LiveDelta itself may be fetched for it."""
    if arguments:
        return built_app(arguments)
    maps = [*ROOT.glob("Sources/System/*/module.modulemap"), *ROOT.glob("Sources/System/*/include/module.modulemap"),
            *DEBUG.glob("C*.build/module.modulemap")]
    with tempfile.TemporaryDirectory() as folder:
        for name, isolation in PROGRAMS.items():
            program = pathlib.Path(folder, name)
            run("swiftc", "-swift-version", "6", *isolation, "-module-name", name, "-I", DEBUG / "Modules",
                *[word for path in maps for word in ("-I", path.parent)],
                *swift("examples/app/Sources/Movies"), *objects(*APP, "SnapshotJSON", "DeltaEngine", "CSimdJSON", "CXXHash"),
                "-lsimdjson", "-lstdc++", "-o", program)
            tried(program)
    print("examples/app: compiled against the debug build, and run")


def tried(program):
    printed = output(program)
    for wanted, meaning in (("ItemInsert", "no delta"), ("\ninbox: Hello, -\n", "no inbox")):
        if wanted not in printed:
            raise Failed(f"{program.name} prints {meaning}:\n{printed}")


def built_app(systems):
    if "LIVEDELTA_HIDDEN" not in os.environ and os.geteuid() == 0 and subprocess.run(["unshare", "-m", "true"]).returncode == 0:
        run("unshare", "-m", ROOT / "scripts/test", "app", *systems, env={**os.environ, "LIVEDELTA_HIDDEN": "1"})
        return
    if "LIVEDELTA_HIDDEN" in os.environ:
        for name in HIDDEN:
            path = pathlib.Path("/usr/include", name)
            if path.is_dir():
                run("mount", "-t", "tmpfs", "none", path)
            elif path.is_file():
                run("mount", "--bind", "/dev/null", path)
    environment = {name: value for name, value in os.environ.items() if name != "WARNINGS_AS_ERRORS"}  # as its users build it
    with tempfile.TemporaryDirectory() as folder:
        for system in systems:
            scratch = pathlib.Path(folder, system)
            run("swift", "build", "--package-path", ROOT / "examples/app", "--scratch-path", scratch, "--build-system", system,
                env=environment)
            if (scratch / "checkouts").is_dir() and (fetched := os.listdir(scratch / "checkouts")):
                raise Failed(f"examples/app fetches {', '.join(fetched)}")
            if system == "native":
                for name in PROGRAMS:
                    tried(scratch / "debug" / name)
    print(f"examples/app: built by {', '.join(systems)}, nothing else fetched")
