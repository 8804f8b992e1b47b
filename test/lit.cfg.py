# -*- Python -*-
"""Configuration of the lit tests.

Substitutions, besides lit's own:
  %plugin        LinalgExtPlugin.so
  %mlir_lib_dir  where libmlir_c_runner_utils.so and its like are
  %runner_libs   --shared-libs options for mlir-runner: the three of them that
                 the CPU tests need
  %cpu_passes    upstream passes, linalg-ext-decompose and -resolve-expand-shape, from
                 linalg on tensors to the LLVM dialect, for a pipeline on
                 builtin.module; naive, to be a second opinion on linalg-ext-to-llvm
  %simt_reference  the same for what the SIMT interpreter runs on the host, by
                 upstream alone
  %libomp        arguments of %host_cc that link LLVM's OpenMP runtime
  %libomp_dir    the directory that it is in
  %host_cc, %host_cxx
                 the C and the C++ compiler that build this project
  %cmake, %cpack, %cmake_generator
                 CMake, CPack, and the generator that it uses for this project
  %ccache        ccache, or nothing
  %clang         the clang of the LLVM that this project is built with
  %aarch64_cc    a C compiler for AArch64
  %qemu_aarch64, %qemu_x86_64
                 run a program of one of these, or on another x86-64 processor
  %python        the Python that runs lit
  %python_with_packages
                 the first of that and the system's that has most of mypy, numpy
                 and pip
  %src_root      the root of the source tree
  %build_root    the root of the build tree

Features, which a machine may lack (tests that require one it lacks are counted
as unsupported):
  ptxas          NVIDIA's assembler
  cuobjdump      NVIDIA's program that prints assembled code, beside ptxas or in PATH
  mypy, numpy, pip
                 that of %python_with_packages
  chromium       Debian's Chromium, which shows pages without a screen
  dpkg           CPack, and the programs that make and read packages of Debian
  openmp         LLVM's OpenMP runtime
  mlir-runner    MLIR's CPU runner and its runtime libraries
  avx2, avx512   the host executes them
  clang          that of this LLVM
  qemu-aarch64   programs for AArch64 can be linked and run
  qemu-x86-64    an x86-64 host can be another x86-64 processor
  mpi            MPICH or Open MPI, with its compiler
"""

import glob
import os
import platform
import re
import shutil
import subprocess
import sys

import lit.formats
import lit.llvm

lit.llvm.initialize(lit_config, config)
from lit.llvm import llvm_config  # exists only after initialize()

config.name = "LINALG_EXT"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.test_source_root = os.path.dirname(__file__)
# test/lib holds the sources of test-only ops and passes, not tests.
config.excludes = ["lib", "Inputs", "CMakeLists.txt"]

# Tools: ours first, then those of LLVM and MLIR, then the user's. In front of these is
# the Python that runs lit: one that is a wrapper takes a tenth of a second for each script.
llvm_config.with_environment(
    "PATH",
    [
        os.path.join(config.linalg_ext_binary_dir, "bin"),
        config.llvm_tools_dir,
        os.path.dirname(sys.executable),
    ],
    append_path=True,
)
llvm_config.with_environment(
    "PYTHONPATH", [os.path.join(config.linalg_ext_source_dir, "python")], append_path=True
)
# A crash prints a symbolised stack; looking symbols up takes seconds.
llvm_config.with_environment("LLVM_DISABLE_SYMBOLIZATION", "1")

runner_libs = [
    os.path.join(config.mlir_lib_dir, "lib%s%s" % (name, config.shlib_suffix))
    for name in ("mlir_c_runner_utils", "mlir_runner_utils", "mlir_float16_utils")
]

cpu_passes = [
    "linalg-ext-decompose",
    "canonicalize",
    "one-shot-bufferize{bufferize-function-boundaries "
    "function-boundary-type-conversion=identity-layout-map}",
    "buffer-deallocation-pipeline",
    "convert-bufferization-to-memref",
    "func.func(convert-linalg-to-loops)",
    "convert-scf-to-cf",
    "linalg-ext-legalize-buffers{steps=resolve-expand-shape}",
    "expand-strided-metadata",
    "lower-affine",
    "func.func(arith-expand{include-bf16=true})",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
]

# From what the SIMT interpreter runs on the host to the LLVM dialect, by upstream
# alone.
simt_reference = [
    "func.func(convert-vector-to-scf,math-expand-ops{ops=rsqrt}"
    ",lower-vector-multi-reduction)",
    "convert-math-to-funcs",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "convert-scf-to-cf",
    "expand-strided-metadata",
    "lower-affine",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
]

config.substitutions += [
    ("%simt_reference", ",".join(simt_reference)),
    ("%cpu_passes", ",".join(cpu_passes)),
    (
        "%plugin",
        os.path.join(
            config.linalg_ext_binary_dir, "lib", "LinalgExtPlugin" + config.shlib_suffix
        ),
    ),
    ("%mlir_lib_dir", config.mlir_lib_dir),
    ("%runner_libs", " ".join("--shared-libs=" + lib for lib in runner_libs)),
    ("%libomp_dir", os.path.dirname(config.libomp)),
    ("%libomp", '"%s" -Wl,-rpath,"%s"' % (config.libomp, os.path.dirname(config.libomp))),
    ("%host_cxx", config.host_cxx),
    ("%host_cc", config.host_cc),
    ("%cmake_generator", config.cmake_generator),
    ("%cpack", os.path.join(os.path.dirname(config.cmake), "cpack")),
    ("%cmake", config.cmake),
    ("%ccache", config.ccache),
    ("%python", '"%s"' % sys.executable),
    ("%clang", os.path.join(config.llvm_tools_dir, "clang")),
    ("%aarch64_cc", "aarch64-linux-gnu-gcc -static"),
    ("%qemu_aarch64", "qemu-aarch64"),
    ("%qemu_x86_64", "qemu-x86_64"),
    ("%src_root", config.linalg_ext_source_dir),
    ("%build_root", config.linalg_ext_binary_dir),
]

# Features.


def find_ptxas():
    """The directory of ptxas: PATH, then where CUDA installs itself."""
    roots = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")]
    roots += ["/usr/local/cuda"] + sorted(glob.glob("/usr/local/cuda-*"), reverse=True)
    path = [os.environ.get("PATH", "")]
    path += [os.path.join(root, "bin") for root in roots if root]
    found = shutil.which("ptxas", path=os.pathsep.join(path))
    return os.path.dirname(found) if found else None


def host_cpu_flags():
    try:
        with open("/proc/cpuinfo") as cpuinfo:
            match = re.search(r"^flags\s*:(.*)$", cpuinfo.read(), re.MULTILINE)
    except OSError:
        return set()
    return set(match.group(1).split()) if match else set()


ptxas_dir = find_ptxas()
if ptxas_dir:
    config.available_features.add("ptxas")
    llvm_config.with_environment("PATH", ptxas_dir, append_path=True)
if shutil.which("cuobjdump", path=os.pathsep.join([os.environ.get("PATH", ""), ptxas_dir or ""])):
    config.available_features.add("cuobjdump")

def find_packages(python):
    """Those of the packages that tests need which `python` has."""
    has = lambda package: not subprocess.call(
        [python, "-c", "import " + package], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return {package for package in ("mypy", "numpy", "pip") if has(package)}


pythons = [sys.executable] + [p for p in ["/usr/bin/python3"] if os.path.exists(p)]
packages = {python: find_packages(python) for python in pythons}
python_with_packages = max(pythons, key=lambda python: len(packages[python]))
config.available_features |= packages[python_with_packages]
config.substitutions.insert(0, ("%python_with_packages", '"%s"' % python_with_packages))

if os.path.exists(config.libomp):
    config.available_features.add("openmp")

if os.path.exists(os.path.join(config.llvm_tools_dir, "mlir-runner")) and all(
    os.path.exists(lib) for lib in runner_libs
):
    config.available_features.add("mlir-runner")

if os.path.exists(os.path.join(config.llvm_tools_dir, "clang")):
    config.available_features.add("clang")
if shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc"):
    config.available_features.add("qemu-aarch64")
if shutil.which("qemu-x86_64") and platform.machine() == "x86_64":
    config.available_features.add("qemu-x86-64")

if any(
    shutil.which("mpirun." + mpi) and shutil.which("mpicc." + mpi) for mpi in ("mpich", "openmpi")
):
    config.available_features.add("mpi")

if shutil.which("chromium"):
    config.available_features.add("chromium")

if all(shutil.which(name) for name in ("cpack", "dpkg-deb", "dpkg-shlibdeps")):
    config.available_features.add("dpkg")

cpu_flags = host_cpu_flags()
if {"avx2", "fma"} <= cpu_flags:
    config.available_features.add("avx2")
if {"avx512f", "avx512bw", "avx512vl", "avx512dq"} <= cpu_flags:
    config.available_features.add("avx512")
