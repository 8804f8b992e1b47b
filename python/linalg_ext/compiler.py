"""Finds linalg-ext-compile, and calls it."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
import weakref
from typing import Any, List, NamedTuple, Optional, Sequence, Union

from .cuda import Kernels
from .errors import CompileError, ManifestError
from .host import Library
from .manifest import read_manifest
from .program import Program

Path = Union[str, "os.PathLike[str]"]


class Build(NamedTuple):
    """What `build` leaves: the path of the manifest, and what the compiler remarked."""

    manifest: str
    report: str


def load(path: Path, collectives: Optional[Path] = None) -> Program:
    """Loads a manifest and the code that it names: Kernels for an NVIDIA GPU, a Library
    for this CPU. `collectives` is the library of collective operations that a program of
    several processes calls (docs/Sharding.md)."""
    manifest = read_manifest(path)
    if manifest.target == "host":
        if collectives is not None:
            # Its functions are those that the program lacks.
            ctypes.CDLL(os.fspath(collectives), mode=ctypes.RTLD_GLOBAL)
        return Library(manifest)
    if manifest.target != "nvidia":
        raise ManifestError(
            "%s: expected a program for the target host or nvidia, got %s"
            % (manifest.path, manifest.target)
        )
    return Kernels(manifest, collectives)


def find_compiler(given: Optional[Path] = None) -> str:
    """linalg-ext-compile: `given`, $LINALG_EXT_COMPILE, in PATH, or in build/bin of the
    source tree that this package is in."""
    name = given or os.environ.get("LINALG_EXT_COMPILE")
    if name:
        found = shutil.which(os.fspath(name))
        if found is None:
            raise CompileError("expected linalg-ext-compile, got %s" % os.fspath(name))
        return found
    found = shutil.which("linalg-ext-compile")
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    built = os.path.join(root, "build", "bin", "linalg-ext-compile")
    if found is None and os.access(built, os.X_OK):
        found = built
    if found is None:
        raise CompileError(
            "expected linalg-ext-compile in PATH or in $LINALG_EXT_COMPILE, found none"
        )
    return found


def build(
    program: Path,
    directory: Path,
    target: str = "host",
    *,
    options: str = "",
    emit: Optional[str] = None,
    flags: Sequence[str] = (),
    compiler: Optional[Path] = None,
) -> Build:
    """Compiles a program of linalg into `directory`, and loads nothing: the machine needs
    no GPU. The arguments are those of `compile`.

    Returns a Build: `load(build.manifest)`, on the machine that has what `target` names,
    loads the program. `build.report` is what the compiler remarked. Raises CompileError
    with the compiler's errors.
    """
    text = program if isinstance(program, str) and "\n" in program else None
    os.makedirs(directory, exist_ok=True)
    base = os.path.join(directory, "program")
    kind = emit or ("shared" if target == "host" else "cubin")
    suffix = {"shared": ".so"}.get(kind, "." + kind)
    command: List[str] = [
        find_compiler(compiler),
        "-" if text is not None else os.fspath(program),
        "--target=" + target,
        "--emit=" + kind,
        "--options=" + options,
        "--manifest=" + base + ".json",
        "-o",
        base + suffix,
        *flags,
    ]
    done = subprocess.run(command, input=text, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise CompileError(
            "linalg-ext-compile failed (exit status %d):\n%s"
            % (done.returncode, done.stderr.strip())
        )
    return Build(base + ".json", done.stderr)


def compile(
    program: Path,
    target: str = "host",
    *,
    options: str = "",
    emit: Optional[str] = None,
    flags: Sequence[str] = (),
    compiler: Optional[Path] = None,
    directory: Optional[Path] = None,
) -> Program:
    """Compiles a program of linalg, and loads it.

    `program` is the text of a module, if it has a line break, or the path of a file.
    `target` is "host", or a chip: "sm_90a". `options` are those of the pipeline,
    "threads=openmp fuse=false". `emit` is "ptx" or "cubin" for a chip; "ptx" needs no
    ptxas. `flags` are other options of linalg-ext-compile. With `directory`, the files
    are left there.

    Returns a Program: call its functions with arrays. Its `report` has what the compiler
    remarked, such as what was not fused. Raises CompileError with the compiler's errors.
    """
    created = None
    if directory is None:
        created = directory = tempfile.mkdtemp(prefix="linalg-ext-")
    try:
        built = build(
            program,
            directory,
            target,
            options=options,
            emit=emit,
            flags=flags,
            compiler=compiler,
        )
        loaded: Any = load(built.manifest)
    except BaseException:
        if created is not None:
            shutil.rmtree(created, ignore_errors=True)
        raise
    loaded.report = built.report
    if created is not None:
        weakref.finalize(loaded, shutil.rmtree, created, ignore_errors=True)
    return loaded  # type: ignore[no-any-return]
