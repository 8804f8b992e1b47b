# -*- Python -*-
"""Programs through the mlir-opt that utils/check-patches has built, executed.

Run by utils/check-patches, which sets the environment that is read here.
Substitutions: %opt, the patched mlir-opt; %schedule, its passes to apply the
transform script of a file; %plain, to leave it out; %run, from linalg on tensors
to its execution; %ext, this project's linalg-ext-opt (feature linalg-ext), of which
%ext_lower is to get rid of its ops; %equal, whether two outputs have the same
numbers.
"""

import os
import shutil
import sys

import lit.formats

config.name = "PATCHES"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ["PATCHES_TEST_OUT"]

prefix = os.environ["LLVM_PREFIX"]
opt = os.environ["PATCHED_MLIR_OPT"]
libraries = ",".join(
    os.path.join(prefix, "lib", "lib%s.so" % name)
    for name in ("mlir_runner_utils", "mlir_c_runner_utils",
                 "mlir_float16_utils"))
passes = [
    "func.func(linalg-generalize-named-ops)",
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map}",
    "buffer-deallocation-pipeline",
    "convert-bufferization-to-memref",
    "func.func(convert-linalg-to-loops)",
    "convert-scf-to-cf",
    "expand-strided-metadata",
    "lower-affine",
    "func.func(arith-expand{include-bf16=true})",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
]
runner = os.path.join(prefix, "bin", "mlir-runner")
config.substitutions += [
    ("%schedule", "-transform-interpreter "
                  "-test-transform-dialect-erase-schedule -canonicalize -cse"),
    ("%plain", "-test-transform-dialect-erase-schedule"),
    ("%opt", opt),
    ("%run", "%s -pass-pipeline='builtin.module(%s)' | %s -e main "
             "-entry-point-result=void -shared-libs=%s"
             % (opt, ",".join(passes), runner, libraries)),
    ("%ext_lower", "--linalg-ext-decompose"),
    ("%equal", "%s %s" % (sys.executable,
                          os.path.join(config.test_source_root, "equal.py"))),
]
ext = os.path.join(os.environ["LINALG_EXT_BUILD"], "bin", "linalg-ext-opt")
if os.path.exists(ext):
    config.available_features.add("linalg-ext")
    config.substitutions.append(("%ext\\b", ext))
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(prefix, "bin"), config.environment.get("PATH", "")])
