#!/usr/bin/env python3
"""Follows the assembled code of kernels from their first instruction, and fails if one
whose manifest says that it waits for launches in front of it may access global memory
before it waits, or may end without a wait. Prints how many kernels it read.

usage: waits.py FILE.cubin ...    (each with FILE.json beside it)
"""

import json
import re
import subprocess
import sys

# Instructions that access global memory, or make an engine or a cache do so. Constant
# memory holds arguments, which a launch has of its own.
ACCESS = re.compile(r"(LDG|STG|LD|ST|LDGSTS|RED|REDG|ATOM|ATOMG|UTMA\w*|UBLK\w*|CCTL\w*)(\.|$)")
INSTRUCTION = re.compile(r"/\*([0-9a-f]{4,})\*/\s+(?:(@!?U?P\w+)\s+)?([A-Z][\w.]*)([^;]*);")


def read_kernels(cubin):
    """The instructions of each kernel: (address, predicate, name, operands)."""
    text = subprocess.run(
        ["cuobjdump", "-sass", cubin], check=True, stdout=subprocess.PIPE, universal_newlines=True
    ).stdout
    for function in re.split(r"^\s*Function : ", text, flags=re.M)[1:]:
        name, _, body = function.partition("\n")
        yield name.strip(), [
            (int(address, 16), predicate, opcode, operands)
            for address, predicate, opcode, operands in INSTRUCTION.findall(body)
        ]


def find_fault(instructions):
    """What may run before the wait though it must not, or None."""
    index = {address: i for i, (address, _, _, _) in enumerate(instructions)}
    seen, worklist = set(), [0]
    while worklist:
        i = worklist.pop()
        if i in seen:
            continue
        seen.add(i)
        if i >= len(instructions):
            return "its end"
        address, predicate, opcode, operands = instructions[i]
        if opcode.startswith("ACQBULK") and not predicate:
            continue
        if ACCESS.match(opcode) or opcode.startswith("EXIT"):
            return "%s at 0x%x" % (opcode, address)
        if opcode.startswith(("BRX", "JMX", "RET")):
            return "%s at 0x%x, which may go anywhere" % (opcode, address)
        isJump = opcode.startswith(("BRA", "CALL", "JMP"))
        if isJump:
            target = re.search(r"(0x[0-9a-f]+)\s*$", operands.strip())
            if not target or int(target.group(1), 16) not in index:
                return "%s at 0x%x, of which the target is not known" % (opcode, address)
            worklist.append(index[int(target.group(1), 16)])
        # Branches also have predicates among their operands.
        isAlways = isJump and not predicate and re.fullmatch(r"(BRA|JMP)(\.U)?", opcode) and "P" not in operands
        if not isAlways:
            worklist.append(i + 1)
    return None


def main():
    checked = wrong = 0
    for cubin in sys.argv[1:]:
        with open(re.sub(r"\.cubin$", ".json", cubin)) as file:
            entries = json.load(file)["entries"]
        waits = {launch["kernel"] for entry in entries for launch in entry["launches"] if launch.get("waits")}
        for name, instructions in read_kernels(cubin):
            if name not in waits:
                continue
            checked += 1
            fault = find_fault(instructions)
            if fault:
                print("%s: kernel %s may reach %s before it waits" % (cubin, name, fault))
                wrong += 1
    print("%d kernels that wait" % checked)
    return wrong > 0 or checked == 0


if __name__ == "__main__":
    sys.exit(main())
