"""Runs the commands of a page of documentation, and checks what it says they print.

usage: check-page.py PAGE.md DIRECTORY

Each block of code has a comment in front of it:

    <!-- file: NAME -->    the block is written to DIRECTORY/NAME
    <!-- run -->           a shell command, run in DIRECTORY
    <!-- run with: P -->   the same if the program P is in the path
    <!-- output -->        what the last command prints, among other things
    <!-- not run: WHY -->  not checked

In outputs a line that is `...` stands for any lines, and `...` in a line for any text.
Lines that follow each other in the block do so in the output. A name like %scores stands
for whatever name that value has, the same each time, and #0 behind it for that result.
FileCheck does the comparison. A block without a comment is an error.
"""

import os
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"(?:^<!-- (.*?) -->\n)?^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def make_checks(text):
    """The lines of FileCheck for an output."""
    names = set()

    def replace(match):
        name = match.group(1).upper()
        if name in names:
            return "%%[[%s]]" % name
        names.add(name)
        return "%%[[%s:[a-z0-9_]+]]" % name

    checks, follows = [], False
    for line in text.splitlines():
        line = line.strip()
        if line == "...":
            follows = False
            continue
        if not line:
            continue
        line = line.replace("[[", "{{\\[\\[}}").replace("{{{", "{{[{]}}{{")
        line = re.sub(r"%([a-zA-Z_]\w*)", replace, line)
        line = re.sub(r"\s*\.\.\.\s*", "{{.*}}", line)
        checks.append(("CHECK-NEXT: " if follows else "CHECK: ") + line)
        follows = True
    return "\n".join(checks) + "\n"


def main():
    page, directory = sys.argv[1], sys.argv[2]
    os.makedirs(directory, exist_ok=True)
    text, printed, failures, checked, ran = open(page).read(), None, 0, 0, 0
    for match in BLOCK.finditer(text):
        what, _, block = match.groups()
        where = "%s:%d" % (page, text.count("\n", 0, match.start()) + 1)
        if what and what.startswith("file: "):
            with open(os.path.join(directory, what[len("file: ") :]), "w") as file:
                file.write(block)
        elif what and what.startswith("not run: "):
            continue
        elif what == "run" or what and what.startswith("run with: "):
            if what != "run" and not shutil.which(what[len("run with: ") :]):
                continue
            ran += 1
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", block],
                cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            printed = done.stdout
            if done.returncode != 0:
                sys.exit("%s: exit status %d\n%s" % (where, done.returncode, printed))
        elif what == "output":
            checks = os.path.join(directory, "checks")
            with open(checks, "w") as file:
                file.write(make_checks(block))
            done = subprocess.run(
                ["FileCheck", checks], input=printed, text=True, capture_output=True
            )
            checked += 1
            if done.returncode != 0:
                failures += 1
                print("%s: not what is printed\n%s" % (where, done.stderr))
        else:
            sys.exit("%s: expected a comment that says what the block is" % where)
    print("%d commands run, %d outputs checked, %d differ" % (ran, checked, failures))
    return 1 if failures or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
