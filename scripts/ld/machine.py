"""What this machine has and can be given: packages, virtual environments, the program; and the code in documents."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEFT_OUT = 77  # the status of a part that cannot be run here


class Failed(Exception):
    """Why a part failed, in a line."""


class LeftOut(Exception):
    """What a part needs that cannot be had here."""


def run(*command, **options):
    """Runs a command in the project's folder; fails if that does."""
    options.setdefault("cwd", ROOT)
    return subprocess.run([str(word) for word in command], check=True, stdin=subprocess.DEVNULL, **options)


def output(*command, **options):
    return run(*command, stdout=subprocess.PIPE, text=True, **options).stdout


def has(program):
    return any(os.access(os.path.join(folder, program), os.X_OK) for folder in os.environ["PATH"].split(":"))


def prepare(*packages):
    """Whether the machine has, or was given, what a build needs and these packages besides (scripts/prepare)."""
    return subprocess.run([ROOT / "scripts/prepare", *packages], stdin=subprocess.DEVNULL).returncode == 0


def prepared(*packages):
    """Sees to it that the machine has these packages."""
    if not prepare(*packages):
        raise Failed("what a build needs is missing")


def environment(name, *requirements, program=None):
    """The folder of programs of a virtual environment in .build that has what pip is asked for."""
    folder = ROOT / ".build" / name
    done = folder / f"bin/{program}" if program else folder / ".installed"
    if not done.exists():
        try:
            run(sys.executable, "-m", "venv", folder)
            run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout",
                "10", *requirements)
        except (OSError, subprocess.CalledProcessError):
            raise LeftOut(f"{', '.join(requirements)} cannot be installed") from None
        if not program:
            done.touch()
    return folder / "bin"


def program():
    """The program under test: the one that LIVEDELTA names, or a release build."""
    named = os.environ.get("LIVEDELTA")
    return str(pathlib.Path(named).resolve()) if named else output("scripts/build-release").splitlines()[-1]


def blocks(document, language):
    """The code of a document in a language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)
