"""Asks the programs below the root in argv for --help, and gives them an option that does
not exist: those in Python, and the shell scripts. They find no numpy: neither takes it."""

import os
import re
import subprocess
import sys
import tempfile

ROOT = sys.argv[1]


def read_first_line(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.readline()


def is_shell(path):
    return read_first_line(path).rstrip().endswith("bash")


def ask(path, *arguments):
    runs = [] if is_shell(path) else [sys.executable]
    with tempfile.TemporaryDirectory() as hidden:
        with open(os.path.join(hidden, "numpy.py"), "w") as file:
            file.write("raise ModuleNotFoundError('hidden')")
        paths = [hidden] + os.environ.get("PYTHONPATH", "").split(os.pathsep)
        return subprocess.run([*runs, path, *arguments], text=True, cwd=ROOT,
                              env=dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths))),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)


def find_programs():
    for top in ("bench", "examples", "utils"):
        for directory, subdirs, names in os.walk(os.path.join(ROOT, top)):
            subdirs.sort()
            for name in sorted(names):
                path = os.path.join(directory, name)
                first = read_first_line(path)
                is_program = os.access(path, os.X_OK)
                if first.startswith("#!") and not is_program:
                    print("%s: is not executable" % os.path.relpath(path, ROOT))
                if is_program and re.match("#!.*(python|bash)", first):
                    yield path


def main():
    count = wrong = 0
    for path in find_programs():
        count += 1
        reasons = []
        done = ask(path, "--help")
        if done.returncode:
            reasons.append("--help ends with %d" % done.returncode)
        if not re.search(r"^examples?:\n +\S", done.stdout, re.M):
            reasons.append("--help has no examples")
        done = ask(path, "--hepl")
        if done.returncode != 2:
            reasons.append("--hepl ends with %d" % done.returncode)
        expected = "unknown argument '--hepl'"
        if not is_shell(path):
            expected += ", did you mean '--help'?"
        if expected not in done.stdout:
            reasons.append("--hepl: " + done.stdout[-200:])
        for reason in reasons:
            print("%s: %s" % (os.path.relpath(path, ROOT), reason))
        wrong += bool(reasons)
    print("%d programs, %d wrong" % (count, wrong))
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
