"""Checks docs/Importing.md and docs/Importing/ against the files that they show. argv: root of the source.

Below <!-- from: FILE -->, the lines of a block are in FILE, in that order; "..." stands
for any lines, and lines without it in between follow each other. Below <!-- run -->, lines
that begin with "$" are run, and print what follows.
"""

import os
import re
import subprocess
import sys
import tempfile


def squeeze(text):
    return " ".join(text.split())


def find_excerpt(lines, source):
    """Whether the parts of the excerpt, between lines of "...", are in the source."""
    parts = "\n".join(map(squeeze, lines)).split("\n...\n")
    text, position = "\n".join(map(squeeze, source.splitlines())), 0
    for part in parts:
        position = text.find(part, position)
        if position < 0:
            return part
        position += len(part)
    return None


def main():
    root = sys.argv[1]
    pages = os.path.join(root, "docs", "Importing")
    text = ""
    for path in [pages + ".md"] + [os.path.join(pages, name) for name in sorted(os.listdir(pages))]:
        with open(path, encoding="utf-8") as file:
            text += file.read() + "\n"
    failed = counted = 0
    with tempfile.TemporaryDirectory() as directory:
        os.symlink(os.path.join(root, "test"), os.path.join(directory, "test"))
        blocks = re.findall(r"^<!-- (from: (\S+)|run) -->\n```\w*\n(.*?)^```", text, re.M | re.S)
        for kind, name, block in blocks:
            counted += 1
            lines = block.splitlines()
            if name:
                with open(os.path.join(root, name), encoding="utf-8") as file:
                    missing = find_excerpt(lines, file.read())
                if missing is not None:
                    failed += 1
                    print("%s does not have:\n%s" % (name, missing))
                continue
            printed = []
            for line in lines:
                if not line.startswith("$ "):
                    continue
                done = subprocess.run(
                    line[2:], shell=True, cwd=directory, text=True,
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                )  # fmt: skip
                printed += [line] + done.stdout.splitlines()
                if done.returncode != 0:
                    printed.append("exit status %d" % done.returncode)
            if list(map(squeeze, printed)) != list(map(squeeze, lines)):
                failed += 1
                print("expected\n%s\ngot\n%s" % ("\n".join(lines), "\n".join(printed)))
    print("%d blocks, %d wrong" % (counted, failed))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
