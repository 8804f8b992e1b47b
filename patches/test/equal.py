"""Whether two outputs have the same numbers, up to a relative tolerance.

usage: equal.py A B TOLERANCE
"""

import re
import sys


def numbers(path):
    with open(path) as file:
        text = "\n".join(line for line in file if "base@" not in line)
    return [float(word) for word in
            re.findall(r"-?(?:nan|inf|\d[\d.]*(?:e[+-]?\d+)?)", text)]


a, b = numbers(sys.argv[1]), numbers(sys.argv[2])
tolerance = float(sys.argv[3])
scale = max([abs(x) for x in a + b if x == x] or [0.0])
# A NaN is equal to a NaN, and to nothing else.
differences = [abs(x - y) for x, y in zip(a, b) if x == x or y == y]
worst = max(differences + [0.0], key=lambda x: float("inf") if x != x else x)
nans = sum(x != x for x in b)
print("%d numbers, %d NaNs, difference %g of %g" % (len(a), nans, worst, scale))
if not a or len(a) != len(b) or not worst <= tolerance * scale:
    sys.exit("expected the same numbers, up to %g" % tolerance)
