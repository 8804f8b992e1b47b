"""Checks the commands of pages: each program exists, and knows the options that it is given.

usage: commands.py SOURCE BIN PAGE...

A command is a span or a line of a block of code that begins with a program of BIN, or with a
path of a program in utils/, bench/ or examples/.
"""

import os
import re
import subprocess
import sys

source, binaries, pages = sys.argv[1], sys.argv[2], sys.argv[3:]
help_texts = {}


def find_program(word):
    """The path of a program, or None if `word` is no name of one."""
    name = re.sub(r"^(build/bin/|\./)", "", word)
    if re.fullmatch(r"(utils|bench|examples)/[\w./-]+", name):
        path = os.path.join(source, name)
        return None if os.path.isdir(path) or name.endswith((".md", ".mlir", ".json")) else path
    if re.fullmatch(r"linalg-ext-(opt|compile|reduce|lsp-server|simt-runner|check-program|\w+-tester)", name):
        return os.path.join(binaries, name)
    return None


def get_help(program):
    if program not in help_texts:
        command = [program, "--help"]
        if os.path.dirname(program) == binaries:
            command = [program, "--help-hidden"]
        elif b"python" in open(program, "rb").readline():
            command = [sys.executable] + command
        done = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )  # fmt: skip
        help_texts[program] = done.stdout
    return help_texts[program]


def commands_of(text):
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        yield from re.sub(r"\\\n", " ", block).splitlines()
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for span in re.findall(r"`([^`]+)`", text):
        yield " ".join(span.split())


checked = wrong = 0
for page in pages:
    for command in commands_of(open(os.path.join(source, page)).read()):
        words = [w for w in command.split() if not re.match(r"[A-Z_]+=", w)]
        program = find_program(words[0]) if words else None
        if not program:
            continue
        checked += 1
        if not os.access(program, os.X_OK):
            wrong += 1
            print("%s: no program %s: %s" % (page, words[0], command))
            continue
        for option in re.findall(r"(?<=\s)--[a-z][\w-]*", command.split("|")[0]):
            if not re.search(re.escape(option) + r"(?![\w-])", get_help(program)):
                wrong += 1
                print("%s: %s has no option %s: %s" % (page, words[0], option, command))
print("%d commands checked, %d wrong" % (checked, wrong))
