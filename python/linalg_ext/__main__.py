"""The command line: python3 -m linalg_ext."""

from __future__ import annotations

import sys
from typing import List, Tuple, Union

from . import __version__
from ._terminal import ArgumentParser
from .errors import ManifestError
from .manifest import Entry, Shape, check_entry, check_manifest, read_manifest


def parse_argument(text: str) -> Union[Tuple[int, ...], int, float]:
    """"4x8xf16" is a shape with an element type, and "i32=5" also has the element;
    anything else is a number."""
    shape, _, element = text.partition("=")
    parts = shape.split("x")
    try:
        if parts[-1] and parts[-1][0] in "fbiu":
            sizes = [int(part) for part in parts[:-1]]
            return Shape(sizes, element=int(element) if element else None)
        return float(text) if "." in text or "e" in text else int(text)
    except ValueError:
        raise ManifestError("expected 2x100x64xf16 or a number, got %s" % text) from None


def check_types(entry: Entry, texts: List[str]) -> None:
    """Checks the element types in the texts of shapes."""
    for number, (argument, text) in enumerate(zip(entry.arguments, texts)):
        given = text.partition("=")[0].split("x")[-1]
        if argument["kind"] == "buffer" and given[:1].isalpha() and given != argument["type"]:
            raise ManifestError(
                entry.where(number) + "expected elements of %s, got %s" % (argument["type"], given)
            )


def main(arguments: List[str]) -> int:
    parser = ArgumentParser(
        prog="python3 -m linalg_ext",
        description="Says what a manifest would launch, without a GPU.",
        epilog="Exit status: 0; 1 with an error in the manifest or the arguments; 2 with "
        "an error in the command line.\n\nexamples:\n"
        "  python3 -m linalg_ext check attention.json\n"
        "  python3 -m linalg_ext plan attention.json attention 16x1024x64xf16 "
        "16x1024x64xf16 \\\n      16x1024x64xf16 16x1024x64xf16",
    )
    parser.add_argument("--version", action="version", version="linalg_ext " + __version__)
    commands = parser.add_subparsers(dest="command", required=True)
    plan = commands.add_parser(
        "plan",
        help="print temporary buffers and launches of a call",
        description="For example: plan attention.json attention 2x8x100x64xf16 "
        "2x8x100x64xf16 2x8x100x64xf16 2x8x100x64xf16",
    )
    plan.add_argument("manifest")
    plan.add_argument("entry", help="the function")
    plan.add_argument(
        "--process", type=int, help="the index of this process, for programs of several"
    )
    plan.add_argument("argument", nargs="*", help="a shape (2x100x64xf16), a buffer "
                      "of one integer and its element (i32=5), or a number")
    check = commands.add_parser(
        "check", help="check that a manifest is well-formed, and list its functions"
    )
    check.add_argument("manifest")
    options = parser.parse_args(arguments)
    try:
        manifest = read_manifest(options.manifest)
        if options.command == "check":
            check_manifest(manifest)
            for entry in manifest.entries.values():
                print(entry)
            return 0
        entry = manifest.get_entry(options.entry)
        check_entry(entry, manifest)
        values = [parse_argument(a) for a in options.argument]
        check_types(entry, options.argument)
        temporaries, launches = entry.plan(values, options.process)
    except (ManifestError, OSError) as error:
        print("linalg_ext: error: %s" % error, file=sys.stderr)
        return 1
    for number, shape in enumerate(temporaries):
        print("temporary %d: %s" % (number, "x".join(map(str, shape))))
    for launch in launches:
        print(launch)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
