#!/usr/bin/env python3
"""Runs the checks of programs of importers for another GPU than their RUN lines say.

usage: check-on-chip.py --chip=NAME PROGRAM...

Takes the RUN lines with linalg-ext-check-program of each program. Fails if a check does.
"""

import argparse
import re
import shlex
import subprocess
import sys


def get_commands(path):
    """The arguments of each check of the GPU in `path`."""
    with open(path) as file:
        lines = re.findall(r"^(?://|#) RUN:(.*)$", file.read(), re.M)
    commands = re.sub(r"\\\n", " ", "\n".join(lines)).split("\n")
    for command in commands:
        words = shlex.split(command)
        if not words or words[0] != "linalg-ext-check-program" or "|" in words:
            continue
        arguments, options, runs = [], "", True
        for word in words:
            name, _, value = word.partition("=")
            if name == "--targets":
                runs = "gpu" in value.split(",")
            elif name == "--gpu-options":
                options = value
            elif name == "--expect":
                value = ",".join(v for v in value.split(",") if not v.startswith("cpu:"))
                if value:
                    arguments.append(name + "=" + value)
            elif name != "--cpu-options":
                arguments.append(path if word == "%s" else word)
        if runs:
            yield arguments, re.sub(r"\bchip=\w+", "", options)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chip", required=True)
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    wrong = checked = 0
    for path in options.programs:
        for arguments, others in get_commands(path):
            command = arguments + ["--targets=gpu", "--gpu-options=chip=%s %s" % (options.chip, others)]
            result = subprocess.run(command, capture_output=True, text=True)
            checked += 1
            if result.returncode != 0:
                wrong += 1
                print("%s\n%s%s" % (shlex.join(command), result.stdout, result.stderr))
    print("%d of %d checks for %s failed" % (wrong, checked, options.chip))
    return wrong > 0 or checked == 0


if __name__ == "__main__":
    sys.exit(main())
