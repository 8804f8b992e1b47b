"""What the programs of this project say on a terminal. Not for other projects: it may
change at any time."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import re
import sys
from typing import Any, Callable, Iterator, List, NoReturn, Optional, Sequence, TextIO, TypeVar

T = TypeVar("T")


class ArgumentParser(argparse.ArgumentParser):
    """Parses the description as it is laid out, and names what is nearest to an unknown
    option or command."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)

    def _known_options(self) -> List[str]:
        known = list(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for parser in action.choices.values():
                    known += parser._option_string_actions
        return known

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        args = sys.argv[1:] if args is None else list(args)
        known = self._known_options()
        # Before anything is said to be missing.
        for text in args[: args.index("--")] if "--" in args else args:
            name = text.split("=")[0]
            # The beginning of an option is one, too.
            if text.startswith("--") and not any(each.startswith(name) for each in known):
                self.error("unknown argument '%s'%s" % (text, suggest(name, known)))
        return super().parse_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        choice = re.search(r"invalid choice: '?(.*?)'? \(choose from (.*)\)", message)
        if choice:
            message += suggest(choice[1], re.findall(r"[^\s',]+", choice[2]))
        super().error(message)


def suggest(name: str, known: Sequence[str]) -> str:
    """", did you mean '...'?" with the nearest of the known names; "" if none is near."""
    near = difflib.get_close_matches(name, known, 1)
    return ", did you mean '%s'?" % near[0] if near else ""


class Progress:
    """Says on the standard error output how far long work is: on a terminal in one line
    that changes, elsewhere in a line for each step."""

    def __init__(self, work: str, count: int, stream: Optional[TextIO] = None) -> None:
        self.work, self.count = work, count
        self.stream = stream or sys.stderr
        self.number = 0
        self.is_terminal = self.stream.isatty()
        self._is_shown = False

    def begin(self, what: str = "") -> None:
        """The next step."""
        self.clear()
        self.number += 1
        text = "%s %d of %d%s" % (self.work, self.number, self.count, what and ": " + what)
        if self.is_terminal:
            # It must not go on in the next line, where it could not be removed. What is
            # written next begins at its start.
            self.stream.write(text[:78] + "\r")
            self._is_shown = True
        else:
            self.stream.write(text + "\n")
        self.stream.flush()

    def clear(self) -> None:
        """Removes the line, before something else is written."""
        if self._is_shown:
            self.stream.write("\r\033[K")
            self.stream.flush()
        self._is_shown = False


class _Output:
    """A standard output that removes the line of a Progress first."""

    def __init__(self, stream: TextIO, progress: Progress) -> None:
        self._stream, self._progress = stream, progress

    def write(self, text: str) -> int:
        self._progress.clear()
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def describe(item: object) -> str:
    """The text of an item, or of those of a tuple, with spaces in between."""
    return " ".join(map(describe, item)) if isinstance(item, tuple) else str(item)


def track(items: Sequence[T], work: str, name: Callable[[T], str] = describe) -> Iterator[T]:
    """The items, one after the other, with progress. What the body of the loop prints is
    not disturbed."""
    progress = Progress(work, len(items))
    with contextlib.ExitStack() as stack:
        stack.callback(progress.clear)
        if progress.is_terminal:
            output: Any = _Output(sys.stdout, progress)
            stack.enter_context(contextlib.redirect_stdout(output))
        for item in items:
            progress.begin(name(item))
            yield item


class _MissingNumpy:
    """Ends the program when it first uses numpy: --help needs none."""

    def __getattr__(self, name: str) -> Any:
        sys.exit("%s: error: expected a Python with numpy (Debian: python3-numpy), got %s"
                 % (sys.argv[0], sys.executable))


def import_numpy() -> Any:
    """Numpy, or what says that it is missing as soon as it is used."""
    try:
        import numpy
    except ImportError:
        return _MissingNumpy()
    return numpy
