"""Compiles programs of linalg with linalg-ext-compile, and runs them.

    import linalg_ext
    program = linalg_ext.compile("attention.mlir")       # for this CPU
    out = program.attention(q, k, v)                     # arrays of numpy

    kernels = linalg_ext.load("attention.json")          # compiled for a GPU
    kernels.attention(q, k, v, out)                      # tensors of torch

On the command line, without a GPU, torch or numpy:

    python3 -m linalg_ext plan attention.json attention 2x8x100x64xf16 ... 0.125
    python3 -m linalg_ext check attention.json
"""

from .arrays import torch_type
from .compiler import Build, build, compile, find_compiler, load
from .errors import CompileError, DriverError, Error, ManifestError
from .host import Library
from .cuda import Driver, Kernels
from .collectives import Collectives
from .manifest import (
    Collective,
    Entry,
    Launch,
    Manifest,
    Shape,
    check_manifest,
    evaluate,
    read_manifest,
)
from .program import Function, Program
from .timing import Recorded, time_ms
from .torch_ops import register

__all__ = [
    "Collective",
    "Collectives",
    "Build",
    "CompileError",
    "Driver",
    "DriverError",
    "Entry",
    "Error",
    "Function",
    "Kernels",
    "Launch",
    "Library",
    "Manifest",
    "ManifestError",
    "Program",
    "Recorded",
    "Shape",
    "build",
    "check_manifest",
    "compile",
    "evaluate",
    "find_compiler",
    "load",
    "read_manifest",
    "register",
    "time_ms",
    "torch_type",
]


def _find_version() -> str:
    from importlib import metadata
    from pathlib import Path

    # In the source tree; else as it was installed.
    source = Path(__file__).resolve().parent.parent.parent / "VERSION"
    if source.exists():
        return source.read_text(encoding="utf-8").strip()
    try:
        return metadata.version("linalg-ext")
    except metadata.PackageNotFoundError:
        return "unknown"


__version__ = _find_version()
