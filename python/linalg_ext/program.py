"""What compiled programs of all targets have in common."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

from .manifest import Collective, Entry, Launch, Manifest


class Function:
    """A function of a compiled program. Call it with arrays and numbers."""

    def __init__(self, program: "Program", entry: Entry) -> None:
        self.program = program
        self.entry = entry
        self.__name__ = entry.name
        self.__doc__ = str(entry)

    def __call__(self, *arguments: Any) -> Any:
        return self.program.prepare(self.entry.name, *arguments)()

    def prepare(self, *arguments: Any) -> Callable[[], Any]:
        """Checks the arguments, and returns a function that runs with them as often as
        it is called: what to measure."""
        return self.program.prepare(self.entry.name, *arguments)

    def check(self, *arguments: Any) -> None:
        """Raises what a call with these arguments would, and runs nothing."""
        self.program.check(self.entry.name, *arguments)

    def plan(
        self, *values: Any, process: Optional[int] = None
    ) -> Tuple[List[Tuple[int, ...]], List[Union[Launch, Collective]]]:
        """The shapes of the temporary buffers, and the launches, for arguments of these
        shapes and numbers; `process` is the index of this process, if several run the
        function. Functions for CPUs have none."""
        return self.entry.plan(values, process)

    def __repr__(self) -> str:
        return "<linalg_ext function %s>" % self.entry


class Program:
    """The functions of a manifest: `program.name`, or `program["name"]`."""

    #: The device that arrays are on: "cpu", "cuda:0".
    device: str = "cpu"
    #: What the compiler said, if linalg_ext.compile made this.
    report: str = ""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self.entries: Dict[str, Entry] = manifest.entries

    def __getitem__(self, name: str) -> Function:
        return Function(self, self.manifest.get_entry(name))

    def __getattr__(self, name: str) -> Function:
        if name.startswith("_") or name not in self.__dict__.get("entries", {}):
            raise AttributeError(
                "expected a function of the program (%s), got %s"
                % (", ".join(self.__dict__.get("entries", {})), name)
            )
        return self[name]

    def __iter__(self) -> Iterator[Function]:
        return (self[name] for name in self.entries)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.entries]

    def __call__(self, entry: str, *arguments: Any) -> Any:
        """Runs the function `entry`."""
        return self.prepare(entry, *arguments)()

    def prepare(self, entry: str, *arguments: Any) -> Callable[[], Any]:
        raise NotImplementedError

    def check(self, entry: str, *arguments: Any) -> None:
        raise NotImplementedError
