"""Prints the launch_manifest attributes of a module in a form that tests can
match: JSON without quotes, a line for each part."""

import json
import re
import sys


def show(value):
    return json.dumps(value, sort_keys=True).replace('"', "")


def print_launches(launches):
    for number, launch in enumerate(launches):
        if "loop" in launch:
            loop = launch["loop"]
            print("loop %d: while %s" % (number, show(loop["while"])))
            for counter in loop["counters"]:
                print(show(counter))
            print_launches(loop["launches"])
            print("end of loop %d" % number)
            continue
        waits = " waits" if launch.get("waits") else ""
        even = launch.get("workgroups_per_processor")
        waits += " even up to %d" % even if even else ""
        print("launch %d: %s%s" % (number, launch["kernel"], waits))
        print("grid", show(launch["grid"]))
        if "cluster" in launch:
            print("cluster", show(launch["cluster"]))
        print("block", show(launch["block"]))
        print("shared", show(launch["shared_memory_bytes"]))
        for argument in launch["arguments"]:
            print(show(argument))


for text in re.findall(r'launch_manifest = "((?:[^"\\]|\\.)*)"', sys.stdin.read()):
    entry = json.loads(re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), text))
    print("name:", entry["name"])
    for kind, key in (("argument", "arguments"), ("temporary", "temporaries")):
        for number, value in enumerate(entry[key]):
            print("%s %d: %s" % (kind, number, show(value)))
    print_launches(entry["launches"])
