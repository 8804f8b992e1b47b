"""Checks that each test of the two lists of times exists."""

import os
import re
import sys

source = sys.argv[1]
count = unknown = 0
for suite in ("test", "unittests"):
    with open(os.path.join(source, suite, ".lit_test_times.txt")) as times:
        for line in times:
            name = line.split(maxsplit=1)[1].strip()
            path = os.path.join(source, suite, name)
            exists = os.path.exists(path)
            # A shard of an executable: Directory/./FooTests/0/2.
            shard = re.fullmatch(r"(.*)/\./(\w+Tests)/\d+/\d+", name)
            if shard:
                with open(os.path.join(source, suite, shard.group(1), "CMakeLists.txt")) as lists:
                    exists = "linalg_ext_add_unittest(" + shard.group(2) in lists.read()
            count += 1
            if not exists:
                unknown += 1
                print("%s/.lit_test_times.txt: no test %s" % (suite, name))
print("%d tests, %d unknown" % (count, unknown))
