#!/usr/bin/env python3
"""Prints a program without its annotations: that of one process.

usage: strip_sharding.py PROGRAM
"""

import re
import sys

values = {}
for line in open(sys.argv[1]):
    if re.search(r"= shard\.sharding |^ *shard\.grid ", line):
        continue
    line = re.sub(r"%\w+", lambda name: values.get(name[0], name[0]), line)
    annotated = re.match(r"\s*(%\w+) = shard\.shard (%\w+) to ", line)
    if annotated:
        values[annotated[1]] = annotated[2]
        continue
    sys.stdout.write(line.replace(" {shard.ring}", ""))
