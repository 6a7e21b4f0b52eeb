"""The tests of the clients: for browsers, for the JVM, for Python."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.etree import ElementTree

from .machine import ROOT, Failed, LeftOut, blocks, environment, has, output, prepare, program, run

JAVA = pathlib.Path("/usr/share/java")
JUNIT = [f"junit-jupiter-{name}" for name in ("api", "engine", "params")] + [
    f"junit-platform-{name}" for name in ("commons", "console", "engine", "launcher", "reporting")] + [
    "opentest4j", "opentest4j-reporting-events", "opentest4j-reporting-schema", "apiguardian-api", "picocli", "univocity-parsers"]
CORE_BYTES_MAX = 60_000  # everybody who reads loads the core


def has_node():
    return has("node") and int(output("node", "-p", "process.versions.node.split('.')[0]")) >= 20


def has_jdk():
    if not has("javac"):
        return False
    version = subprocess.run(["javac", "-version"], capture_output=True, text=True)
    return int(re.search(r"\d+", version.stdout + version.stderr)[0]) >= 17


def web(arguments):
    """Tests clients/web: the logic in Node, the adapters in Chromium and React. Arguments are files and options of
    `node --test`. VERSIONS=200 SEED=1: versions of random tests; UPDATE_IMAGES=1 takes the pictures of docs/images anew."""
    if not has_node():
        raise LeftOut("Node 20 or later is needed")
    missing = [name for name in ("esbuild", "chromium") if not has(name)] + (["node-typescript"] if not has("tsc") else [])
    missing += [f"node-{name}" for name in ("react", "react-dom")
                if not pathlib.Path(f"/usr/share/nodejs/{name}/package.json").exists()]
    if missing and not prepare(*missing):
        print("Some tests are left out: they need these packages.")
    files = [] if any(not word.startswith("-") for word in arguments) else sorted(
        str(path.relative_to(ROOT)) for path in (ROOT / "clients/web/test").glob("*.test.js"))
    run("node", "--test", "--test-concurrency=1", "--test-timeout=600000", "--test-reporter=spec", *arguments, *files,
        env={**os.environ, "LIVEDELTA": program()})


def jars_in(folder):
    return ":".join(str(path) for path in sorted(folder.rglob("*[0-9].jar")))


def compiled_java(release, classpath, folder, files, *options):
    folder.mkdir(exist_ok=True)
    run("javac", "--release", release, *options, *(["-cp", classpath] if classpath else []), "-d", folder, *files)


def stand_ins(work):
    files = [path for name in ("compile-only", "test/standins") for path in (ROOT / "clients/java" / name).rglob("*.java")]
    compiled_java(11, "", work / "stand-ins", files)
    return str(work / "stand-ins")


def java(arguments):
    """Builds clients/java and tests it over both transports, and compiles the Java of its documents. Arguments are names
    of classes; --kotlin also compiles its use in Kotlin (see `kotlin`). VERSIONS=200 SEED=1: versions of random tests."""
    classes = [word for word in arguments if word != "--kotlin"]
    missing = ([] if has_jdk() else ["default-jdk-headless"]) + (
        [] if (JAVA / "junit-platform-console.jar").exists() else ["junit5"])
    if missing and not prepare(*missing):
        raise LeftOut(f"needs: {' '.join(missing)}")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        run("clients/java/build", work / "jars")
        sizes(work / "jars")
        path = f"{jars_in(work / 'jars')}:{stand_ins(work)}"
        documents(work / "documents", path)
        junit = ":".join(f"{JAVA}/{name}.jar" for name in JUNIT)
        tests = work / "tests"
        compiled_java(17, f"{path}:{junit}", tests, (ROOT / "clients/java/test/java").rglob("*.java"), "-Xlint:all,-path",
                      "-Werror")
        shutil.copy(ROOT / "clients/java/test/junit-platform.properties", tests)
        select = [f"--select-class=org.livedelta.{name}" for name in classes] or ["--scan-classpath", tests]
        try:
            run("java", "-cp", f"{tests}:{path}:{junit}", "org.junit.platform.console.ConsoleLauncher", "--disable-banner",
                "--details=tree", "--disable-ansi-colors", "--reports-dir", work / "reports", *select,
                env={**os.environ, "LIVEDELTA": program()})
        except subprocess.CalledProcessError:
            report(work / "reports")
            raise
        if "--kotlin" in arguments:
            kotlin([work / "jars"])


def sizes(jars):
    core, = jars.glob("livedelta-core-*[0-9].jar")
    # A mere reference to java.net.http ends an app on Android.
    if (needs := output("jdeps", "--ignore-missing-deps", "--print-module-deps", core).strip()) != "java.base":
        raise Failed(f"livedelta-core refers to {needs}")
    if (size := core.stat().st_size) > CORE_BYTES_MAX:
        raise Failed(f"livedelta-core has {size} bytes, more than {CORE_BYTES_MAX}")


def documents(folder, path):
    """Each block of Java in the documents is a file of its own."""
    folder.mkdir()
    for document in ("clients/java/README.md", "docs/guides/android.md"):
        for code in blocks(document, "java"):
            name = re.search(r"^(?:public |final |abstract )*(?:class|interface) (\w+)", code, re.M)[1]
            (folder / f"{name}.java").write_text(code)
    compiled_java(11, path, folder, folder.glob("*.java"), "-Xlint:all", "-Werror")


def report(folder):
    """Names what failed: of a long run only the end may be read."""
    for file in sorted(folder.glob("*.xml")):
        for test in ElementTree.parse(file).iter("testcase"):
            for failure in test.findall("failure") + test.findall("error"):
                message = failure.get("message") or (failure.text or "").strip().split("\n")[0] or failure.get("type")
                print(f"FAILED {test.get('classname')}.{test.get('name')}: {message}")


def kotlin(arguments):
    """Compiles a use of clients/java in Kotlin, and the Kotlin of the documents, runs the first, and sees that the compiler
    refuses what forgets that a value may be null. It takes a compiler from pip's package kotlin-jupyter-kernel; AndroidX is
    stand-ins with the signatures that it documents. An argument is a folder with what clients/java/build makes."""
    if not has_jdk():
        raise LeftOut("a JDK of 17 or later is needed")
    tools = environment("kotlin", "--no-deps", "kotlin-jupyter-kernel").parent
    libraries = ":".join(str(path) for path in sorted(tools.rglob("*.jar")) if path.parent.name == "jars")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if not arguments:
            run("clients/java/build", work / "jars")
        path = f"{libraries}:{jars_in(pathlib.Path(arguments[0]) if arguments else work / 'jars')}:{stand_ins(work)}"
        compiler = ["java", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", libraries,
                    "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-jvm-target", "11", "-Werror",
                    "-cp", path, "-d", work / "classes"]
        imports = "androidx.standins.* java.io.File kotlinx.coroutines.flow.* org.livedelta.*".split()
        (work / "Guide.kt").write_text(
            "".join(f"import {name}\n" for name in imports) + "".join(blocks("docs/guides/android.md", "kotlin")), encoding="utf-8")
        sources = ROOT / "clients/java/test/kotlin"
        run(*compiler, work / "Guide.kt", sources / "StandIns.kt", sources / "Use.kt")
        run("java", "-cp", f"{work / 'classes'}:{path}", "UseKt")
        lines = (sources / "Refused.kt").read_text().splitlines()
        expected = [number for number, line in enumerate(lines, 1) if line.endswith("// refused")]
        refused = subprocess.run([*map(str, compiler), sources / "Refused.kt"], capture_output=True, text=True)
        errors = refused.stdout + refused.stderr
        found = sorted({int(number) for number in re.findall(r"Refused\.kt:(\d+):.*error:", errors)})
        if found != expected:
            raise Failed(f"{errors}refused are the lines {found}, not {expected}")
        print(f"Kotlin: compiled, run, and {len(found)} lines refused that forget null")


def python(arguments):
    """Tests clients/python, and runs the guide's code. Arguments are names of tests. With --wheel the types of both are
    checked by mypy, and the wheel is built and tried in an environment of its own."""
    tests = [word for word in arguments if word != "--wheel"]
    with tempfile.TemporaryDirectory() as folder:
        work, user = pathlib.Path(folder), sys.executable
        code = "\n".join(blocks("docs/guides/python.md", "python"))
        code = code.replace('"http://127.0.0.1:8080"', '"http://" + os.environ["ADDRESS"]')
        (work / "guide.py").write_text(code.replace("import livedelta", "import os\nimport livedelta"), encoding="utf-8")
        named = {**os.environ, "LIVEDELTA": program(), "PYTHONPATH": str(ROOT / "clients/python")}
        if "--wheel" in arguments:
            user = wheel(work)
            del named["PYTHONPATH"]
        run(sys.executable, "Tests/Serving/serving.py", named["LIVEDELTA"], user, work / "guide.py", env=named)
        run(user, "-W", "ignore::ResourceWarning", "-m", "unittest", *(tests and [f"test_livedelta.{name}" for name in tests]),
            cwd=ROOT / "clients/python/tests", env=named)


def wheel(work):
    """The Python of an environment that has the wheel."""
    tools = environment("python-tools", "mypy", "setuptools", "wheel")
    mypy = [tools / "mypy", "--strict", "--cache-dir", work / "mypy"]
    run(*mypy, "clients/python/livedelta")
    shutil.copytree(ROOT / "clients/python", work / "source")  # what a build leaves stays out of the tree
    run(tools / "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "-w", work / "wheel",
        work / "source")
    run(sys.executable, "-m", "venv", work / "user")
    run(work / "user/bin/pip", "install", "-q", "--disable-pip-version-check", *(work / "wheel").glob("livedelta-*.whl"))
    run(*mypy, "--python-executable", work / "user/bin/python", work / "guide.py")
    return str(work / "user/bin/python")
