"""Makes a series of five patches for files that do not exist elsewhere, and a later
version of these files.

usage: make-series.py DIR

DIR/patches is the series, DIR/later the version: lines of A.cpp have moved, B.cpp has
changed where its patch does, C.cpp is gone, and D.cpp has what its patch brings. The
fifth patch changes A.cpp, too, and needs that of B.cpp.
"""

import os
import shutil
import subprocess
import sys


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def lines(name, **changed):
    """Forty lines, of which some are changed."""
    return "".join("%s\n" % changed.get("line%d" % i, "%s %d" % (name, i)) for i in range(40))


def main():
    top = os.path.abspath(sys.argv[1])
    base, patches, later = (os.path.join(top, name) for name in ("base", "patches", "later"))

    def git(*arguments):
        subprocess.run(["git", "-C", base, "-c", "user.name=test", "-c", "user.email=none@invalid",
                        *arguments], check=True, stdout=subprocess.DEVNULL)

    for name in "ABCD":
        write(os.path.join(base, "mlir/lib/%s.cpp" % name), lines(name))
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "base")
    shutil.copytree(os.path.join(base, "mlir"), os.path.join(later, "mlir"))

    changes = [("A", {"line10": "first"}), ("B", {"line10": "second"}), ("C", {"line10": "third"}),
               ("D", {"line10": "fourth"}), ("A", {"line10": "first", "line30": "fifth"})]
    for number, (name, changed) in enumerate(changes, 1):
        write(os.path.join(base, "mlir/lib/%s.cpp" % name), lines(name, **changed))
        write(os.path.join(base, "mlir/test/%d.mlir" % number), "// RUN: true\n")
        git("add", "-A")
        git("commit", "-q", "-m", "[mlir][test] Change %s %d\n\n```mlir\nmodule\n```" % (name, number))
    git("format-patch", "-q", "-o", patches, "--root", "HEAD~5..HEAD")

    names = sorted(os.listdir(patches))
    write(os.path.join(patches, "series"), "".join(name + "\n" for name in names))
    write(os.path.join(patches, "BASE"), "".join(
        "%s: none\n" % key for key in ("tag", "version", "tarball", "sha256", "tree")))
    write(os.path.join(patches, "README.md"), "".join(
        "| `%s` | what | where | %s | why |\n" % (name[:4], "`0002`" if name[:4] == "0005" else "")
        for name in names))

    write(os.path.join(later, "mlir/lib/A.cpp"), "more\n" * 7 + lines("A"))
    write(os.path.join(later, "mlir/lib/B.cpp"), lines("B", line10="other", line11="other"))
    os.remove(os.path.join(later, "mlir/lib/C.cpp"))
    write(os.path.join(later, "mlir/lib/D.cpp"), lines("D", line10="fourth"))
    write(os.path.join(later, "mlir/test/4.mlir"), "// RUN: true\n")


if __name__ == "__main__":
    main()
