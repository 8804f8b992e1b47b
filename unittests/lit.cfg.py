# -*- Python -*-
"""Runs every <name>Tests executable of the build tree as GoogleTests.

The tests find in their environment:
  LINALG_EXT_MLIR_LIB_DIR  where libmlir_c_runner_utils.so and its like are
"""

import os

import lit.formats

config.name = "LINALG_EXT-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.suffixes = []
config.excludes = ["CMakeFiles"]
config.test_source_root = os.path.join(config.linalg_ext_binary_dir, "unittests")
config.test_exec_root = config.test_source_root
config.environment["LINALG_EXT_MLIR_LIB_DIR"] = config.mlir_lib_dir
for name in os.environ:
    if name.startswith(("GTEST_", "LINALG_EXT_")):
        config.environment[name] = os.environ[name]
