"""The manifest: what a compiled program has, and what a call of it launches.

Nothing here needs a GPU, torch or numpy. docs/Manifest.md describes the format.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import json
import math
import os
import re
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

from .errors import ManifestError

Number = Union[int, float]
#: What a plan takes for an argument: the sizes of a buffer, or a number.
Value = Union["Shape", Tuple[int, ...], Number]

#: Plans that an entry keeps: those that were used last. They have no more launches than this.
_MAX_PLANS = 128
_MAX_LAUNCHES = 1024
#: Several threads may call an entry.
_PLANS_LOCK = threading.Lock()


def _truncating_quotient(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_OPERATORS: Dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "ceildiv": lambda a, b: -(-a // b),
    "floordiv": lambda a, b: a // b,
    "div": _truncating_quotient,
    "mod": lambda a, b: a % b,
    "rem": lambda a, b: a - b * _truncating_quotient(a, b),
    "min": min,
    "max": max,
    "eq": lambda a, b: int(a == b),
    "ne": lambda a, b: int(a != b),
    "lt": lambda a, b: int(a < b),
    "le": lambda a, b: int(a <= b),
}
_DIVISIONS = ("ceildiv", "floordiv", "div", "mod", "rem")


def row_major_strides(sizes: Sequence[int]) -> Tuple[int, ...]:
    """The strides, in elements, of a dense row-major buffer."""
    strides: List[int] = []
    stride = 1
    for size in reversed(sizes):
        strides.insert(0, stride)
        stride *= max(size, 1)
    return tuple(strides)


def is_row_major(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """True if the elements are dense and row-major. Strides of dimensions with at most
    one element do not matter."""
    if 0 in sizes:
        return True
    dense = row_major_strides(sizes)
    return all(s == d or n == 1 for s, d, n in zip(strides, dense, sizes))


class Shape(Tuple[int, ...]):
    """The sizes of a buffer, its strides in elements (row-major if they are not given),
    how many elements its first one is behind a multiple of 16 bytes, and the only element,
    an integer, of a buffer on which launches depend (Entry.elements)."""

    strides: Tuple[int, ...]
    offset: int
    element: Optional[int]

    def __new__(
        cls,
        sizes: Sequence[int],
        strides: Optional[Sequence[int]] = None,
        offset: int = 0,
        element: Optional[int] = None,
    ) -> "Shape":
        self = super().__new__(cls, sizes)  # type: ignore[arg-type]
        self.strides = row_major_strides(self) if strides is None else tuple(strides)
        self.offset = offset
        self.element = element
        return self


class Values(List[Any]):
    """The arguments of an entry, the counters of its loops, its temporary buffers, and its
    values with numbers, which expressions name. Each of these values is evaluated when it
    is used for the first time: it may have no value where it is not used."""

    def __init__(
        self,
        arguments: Sequence[Any],
        named: Sequence[Any],
        temporaries: Sequence[Dict[str, Any]] = (),
    ) -> None:
        super().__init__(arguments)
        self.counters: Dict[int, int] = {}
        #: Of all loops so far.
        self.iterations = 0
        self._named = named
        self._known: Dict[int, Any] = {}
        #: Whether each value with a number depends on counters. It names earlier ones.
        self._named_counted: List[bool] = []
        for each in named if temporaries else ():
            self._named_counted.append(self._is_counted(each))
        self._described = temporaries
        self._counted = {n for n, t in enumerate(temporaries) if self._is_counted(t["shape"])}
        #: The shapes of temporary buffers.
        self.temporaries = [
            (0,) if n in self._counted else self._get_shape(n) for n in range(len(temporaries))
        ]

    def set_counters(self, numbers: Dict[int, int]) -> None:
        """Sets counters of a loop. Values may depend on them."""
        self.counters.update(numbers)
        self._known = {}

    def use_temporary(self, number: int) -> None:
        """A buffer whose size depends on counters is as large as the largest that a launch
        needs."""
        if number in self._counted:
            shape = self._get_shape(number)
            if math.prod(shape) > math.prod(self.temporaries[number]):
                self.temporaries[number] = shape

    def _get_shape(self, number: int) -> Tuple[int, ...]:
        return tuple(
            _evaluate_size(size, self, "a size of a temporary buffer")
            for size in self._described[number]["shape"]
        )

    def _is_counted(self, expression: Any) -> bool:
        if isinstance(expression, dict):
            if "value" in expression:
                return self._named_counted[expression["value"]]
            return "counter" in expression or self._is_counted(list(expression.values()))
        return isinstance(expression, list) and any(map(self._is_counted, expression))

    def get_named(self, number: int) -> Any:
        if number not in self._known:
            self._known[number] = evaluate(self._named[number], self)
        return self._known[number]


def evaluate(expression: Any, arguments: Sequence[Any]) -> Any:
    """The value of an expression of the manifest.

    `arguments` are those of the entry: a Shape for a buffer, a number for a scalar. They
    are Values if the entry has values with numbers.
    """
    if isinstance(expression, (int, float)):
        return expression
    if not isinstance(expression, dict) or len(expression) != 1:
        raise ManifestError("expected a number or one operator, got %r" % (expression,))
    ((operator, operands),) = expression.items()
    if operator == "dim":
        argument, dim = operands
        return arguments[argument][dim]
    if operator == "stride":
        argument, dim = operands
        return arguments[argument].strides[dim]
    if operator == "offset":
        return arguments[operands].offset
    if operator == "process_index":
        raise ManifestError("expected the index of this process, got none")
    if operator == "argument":
        return arguments[operands]
    if operator == "value":
        assert isinstance(arguments, Values)
        return arguments.get_named(operands)
    if operator == "counter":
        counters: Dict[int, int] = getattr(arguments, "counters", {})
        if operands not in counters:
            raise ManifestError("expected the counter of a loop that has begun, got %r" % operands)
        return counters[operands]
    if operator == "element":
        element = getattr(arguments[operands], "element", None)
        if element is None:
            raise ManifestError(
                "expected the element of argument %d, which launches depend on, got none"
                % operands
            )
        return element
    if operator == "select":
        condition, yes, no = operands
        return evaluate(yes if evaluate(condition, arguments) else no, arguments)
    if operator not in _OPERATORS:
        raise ManifestError("expected one of %s, got %r" % (", ".join(_OPERATORS), operator))
    values = [evaluate(operand, arguments) for operand in operands]
    result = values[0]
    for value in values[1:]:
        if value == 0 and operator in _DIVISIONS:
            raise ManifestError("'%s' divides by 0" % operator)
        result = _OPERATORS[operator](result, value)
        if not -(1 << 63) <= result < 1 << 63:
            raise ManifestError("expected integers of 64 bits, got more from '%s'" % operator)
    return result


def _evaluate_size(expression: Any, arguments: Sequence[Any], what: str, least: int = 0) -> int:
    """The value of an expression that is a size or a number of bytes."""
    value = evaluate(expression, arguments)
    if not isinstance(value, int) or value < least:
        raise ManifestError(
            "expected an integer of at least %d for %s, got %s" % (least, what, value)
        )
    return value


def _describe_found(condition: Any, arguments: Sequence[Any]) -> str:
    """", got 7 and 9" for a condition that compares sizes, and ", got 7" if the second one
    is a number, which the message has; empty for other conditions."""
    sides = condition.get("eq", []) if isinstance(condition, dict) else []
    sizes = [side for side in sides if isinstance(side, dict)]
    if not sizes or any("dim" not in size for size in sizes):
        return ""
    return ", got " + " and ".join(str(evaluate(size, arguments)) for size in sizes)


def _buffer(description: Dict[str, Any], arguments: Sequence[Any]) -> Tuple[str, Any, int]:
    """("argument", i), ("temporary", k) or ("constant", name), and an offset."""
    buffer = dict(description)
    offset = _evaluate_size(buffer.pop("offset", 0), arguments, "the offset of a buffer")
    ((kind, which),) = buffer.items()
    if kind == "temporary" and isinstance(arguments, Values):
        arguments.use_temporary(which)
    return kind, which, offset


class TensorMap:
    """How the hardware addresses boxes of a buffer, with all sizes known: the kind of
    the buffer, which one, its offset in bytes, and what cuTensorMapEncodeTiled takes."""

    def __init__(self, description: Dict[str, Any], arguments: Sequence[Any]) -> None:
        self.buffer = _buffer(description["buffer"], arguments)
        self.type: str = description["type"]

        def get_sizes(key: str, count: int) -> List[int]:
            what = "each of the %s of a tensor map" % key
            sizes = [_evaluate_size(e, arguments, what, 1) for e in description[key]]
            if len(sizes) != count:
                raise ManifestError("expected %d %s of a tensor map, got %d"
                                    % (count, key, len(sizes)))
            return sizes

        rank = max(len(description["sizes"]), 1)
        self.sizes = get_sizes("sizes", rank)
        self.strides = get_sizes("strides", rank - 1)
        self.box = get_sizes("box", rank)
        self.swizzle: int = description["swizzle"]

    def __str__(self) -> str:
        return "%s:%s sizes %s strides %s box %s swizzle %d" % (
            ":".join(map(str, self.buffer if self.buffer[-1] else self.buffer[:2])),
            self.type,
            "x".join(map(str, self.sizes)),
            "x".join(map(str, self.strides)),
            "x".join(map(str, self.box)),
            self.swizzle,
        )


def find_process_grid(description: Any) -> Optional[List[int]]:
    """The shape of the grid of processes, if an expression in `description` is the index
    of this process in it."""
    if isinstance(description, dict):
        if "process_index" in description:
            return list(description["process_index"])
        description = list(description.values())
    if isinstance(description, list):
        for member in description:
            grid = find_process_grid(member)
            if grid is not None:
                return grid
    return None


def _with_process(description: Any, process: int) -> Any:
    """`description` with the index of this process in place of expressions for it."""
    if isinstance(description, dict):
        if "process_index" in description:
            return process
        return {key: _with_process(member, process) for key, member in description.items()}
    if isinstance(description, list):
        return [_with_process(member, process) for member in description]
    return description


def _find_elements(description: Any) -> Set[int]:
    """The arguments whose elements expressions in `description` name."""
    if isinstance(description, dict):
        if isinstance(description.get("element"), int):
            return {description["element"]}
        description = list(description.values())
    if isinstance(description, list):
        return set().union(*map(_find_elements, description))
    return set()


class Collective:
    """A collective operation, in the place of a launch, with all sizes known: the name
    of the operation, the function of a library that all processes call, and its
    arguments. These are (buffer, shape), where buffer is as in a launch; ("numbers",
    numbers), a buffer in memory of the host; or (type, value)."""

    def __init__(self, call: Dict[str, Any], arguments: Sequence[Any]) -> None:
        self.name: str = call["collective"]
        self.function: str = call["function"]
        self.arguments: List[Tuple[Any, Any]] = []
        for argument in call["arguments"]:
            if "numbers" in argument:
                self.arguments.append(("numbers", tuple(argument["numbers"])))
            elif "buffer" in argument:
                shape = tuple(
                    _evaluate_size(size, arguments, "a size of a buffer")
                    for size in argument["shape"]
                )
                self.arguments.append((_buffer(argument["buffer"], arguments), shape))
            else:
                value = evaluate(argument["value"], arguments)
                self.arguments.append((argument["type"], value))

    def __str__(self) -> str:
        def describe(kind: Any, value: Any) -> str:
            if isinstance(kind, tuple):
                where = ":".join(map(str, kind if kind[-1] else kind[:2]))
                return "%s:%s" % (where, format_shape(value))
            if kind == "numbers":
                return "x".join(map(str, value))
            return "%s:%s" % (kind, value)

        return "%s %s args %s" % (
            self.name,
            self.function,
            " ".join(describe(*argument) for argument in self.arguments),
        )


#: The most iterations of the loops of a plan. It is a list of launches.
MAX_ITERATIONS = 1 << 17

# The most workgroups of a cluster.
MOST_IN_CLUSTER = 16


class Launch:
    """One launch with all sizes known: grid, block, shared memory, arguments.

    An argument is ("argument", i), ("temporary", k) or ("constant", name), a buffer,
    with its offset in bytes; or ("tensor_map", TensorMap); or (type, value). There are
    none if there is nothing to launch."""

    def __init__(self, launch: Dict[str, Any], arguments: Sequence[Any]) -> None:
        self.kernel: str = launch["kernel"]
        self.grid: Tuple[int, ...] = tuple(evaluate(e, arguments) for e in launch["grid"])
        self.block: Tuple[int, ...] = tuple(evaluate(e, arguments) for e in launch["block"])
        self.shared: int = evaluate(launch["shared_memory_bytes"], arguments)
        if 0 not in self.grid:
            for size in (*self.grid, *self.block, self.shared):
                what = "the sizes of the launch of kernel %r" % self.kernel
                _evaluate_size(size, arguments, what)
        # The workgroups of a cluster.
        self.cluster: Tuple[int, ...] = tuple(launch.get("cluster", (1, 1, 1)))
        for size, count in zip(self.cluster, self.grid):
            if count % size != 0:
                raise ManifestError(
                    "kernel %r: expected a multiple of the %d workgroups of a cluster, got %d"
                    % (self.kernel, size, count)
                )
        # Whether the kernel waits itself for what is in front of it.
        self.waits: bool = launch.get("waits", False)
        # If this is not 0, and the workgroups, distributed evenly, are at most so many on a
        # processor, no processor should take more of them than that.
        self.workgroups_per_processor: int = launch.get("workgroups_per_processor", 0)
        self.arguments: List[Tuple[Any, ...]] = []
        for argument in launch["arguments"] if 0 not in self.grid else []:
            if "buffer" in argument:
                self.arguments.append(_buffer(argument["buffer"], arguments))
            elif "tensor_map" in argument:
                tensor_map = TensorMap(argument["tensor_map"], arguments)
                self.arguments.append(("tensor_map", tensor_map))
            else:
                value = evaluate(argument["value"], arguments)
                self.arguments.append((argument["type"], value))

    def __str__(self) -> str:
        return "%s grid %s block %s shared %d args %s" % (
            self.kernel,
            "x".join(map(str, self.grid)),
            "x".join(map(str, self.block)),
            self.shared,
            " ".join(
                ":".join(map(str, argument if argument[-1] else argument[:2]))
                for argument in self.arguments
            ),
        )


def format_shape(sizes: Sequence[Optional[int]]) -> str:
    """"2x?x64"; "scalar" for a buffer without dimensions."""
    return "x".join("?" if size is None else str(size) for size in sizes) or "scalar"


def _is_number_of(type_name: str, value: Any) -> bool:
    """Whether `value` is a number of that type. Integers have a sign or none."""
    try:
        if type_name[0] in "fb":
            float(value)
            return True
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return False
    bits = 64 if type_name == "index" else int(type_name.lstrip("ui"))
    return bool(number == value) and -(1 << (bits - 1)) <= number < 1 << bits


def _check_value(value: Dict[str, Any], where: str) -> None:
    """Checks the description of an argument or of a result."""
    kind, type_name = value["kind"], value["type"]
    if kind not in ("buffer", "scalar"):
        raise ManifestError("%s: expected a buffer or a scalar, got %r" % (where, kind))
    if not isinstance(type_name, str) or not (
        kind == "buffer" or re.fullmatch(r"u?i[1-9]\d*|index|b?f[1-9]\w*", type_name)
    ):
        raise ManifestError("%s: expected the name of a type, got %r" % (where, type_name))
    if kind == "scalar":
        return
    for key in ("shape", "strides"):
        sizes = value.get(key) if key == "strides" else value[key]
        if sizes is None and key == "strides":
            continue
        if not isinstance(sizes, list) or len(sizes) != len(value["shape"]) or any(
            size is not None and (not isinstance(size, int) or size < 0) for size in sizes
        ):
            raise ManifestError("%s: expected null or a number for each of the %s, got %r"
                                % (where, "sizes" if key == "shape" else key, sizes))


#: The shapes of temporary buffers, and launches.
_Plan = Tuple[List[Tuple[int, ...]], List[Union[Launch, Collective]]]


class Entry:
    """A function of the manifest."""

    def __init__(self, description: Dict[str, Any]) -> None:
        self.name: str = description["name"]
        if not isinstance(self.name, str):
            raise ManifestError("expected the name of a function, got %r" % (self.name,))
        self.arguments: List[Dict[str, Any]] = description["arguments"]
        #: Of a function for a CPU: what it returns.
        self.results: List[Dict[str, Any]] = description.get("results", [])
        for number, argument in enumerate(self.arguments):
            _check_value(argument, "%s, argument %d" % (self.name, number))
        for number, result in enumerate(self.results):
            _check_value(result, "%s, result %d" % (self.name, number))
        self.temporaries: List[Dict[str, Any]] = description.get("temporaries", [])
        self.launches: List[Dict[str, Any]] = description.get("launches", [])
        self.checks: List[Dict[str, Any]] = description.get("checks", [])
        #: Expressions that others name by number.
        self.values: List[Any] = description.get("values", [])
        #: The arguments on whose elements launches depend. Each has one.
        self.elements: List[int] = sorted(
            _find_elements([self.launches, self.temporaries, self.checks, self.values])
        )
        self._text = self._describe()
        self._plans: "collections.OrderedDict[Any, _Plan]" = collections.OrderedDict()

    @functools.cached_property
    def grid_of_checks(self) -> Optional[List[int]]:
        """The grid of processes that conditions depend on."""
        return find_process_grid([self.checks, self.values])

    @functools.cached_property
    def grid(self) -> Optional[List[int]]:
        """The grid of processes that a plan depends on."""
        return self.grid_of_checks or find_process_grid([self.launches, self.temporaries])

    def __str__(self) -> str:
        return self._text

    def _describe(self) -> str:
        def describe(value: Dict[str, Any]) -> str:
            if value["kind"] != "buffer":
                return str(value["type"])
            sizes = ", ".join("?" if s is None else str(s) for s in value["shape"])
            written = "write" in value.get("access", "")
            return "%s[%s]%s" % (value["type"], sizes, " written" if written else "")

        arguments = ", ".join(
            "arg%d: %s" % item for item in enumerate(map(describe, self.arguments))
        )
        results = ", ".join(map(describe, self.results))
        return "%s(%s)%s" % (self.name, arguments, " -> " + results if results else "")

    def where(self, number: int) -> str:
        """How messages about argument `number` begin."""
        return "%s, argument %d: " % (self.name, number)

    def check(self, values: Sequence[Any]) -> None:
        """Checks shapes and numbers against the function's arguments."""
        if len(values) != len(self.arguments):
            raise ManifestError(
                "%s: expected %d arguments, got %d"
                % (self.name, len(self.arguments), len(values))
            )
        for number, (argument, value) in enumerate(zip(self.arguments, values)):
            where = self.where(number)
            if argument["kind"] != "buffer":
                # Types of numpy and torch are numbers, too, if they convert.
                if isinstance(value, tuple) or not hasattr(value, "__float__"):
                    raise ManifestError(
                        where + "expected a number (%s), got %s"
                        % (argument["type"], "an array" if isinstance(value, tuple)
                           else type(value).__name__)
                    )
                if not _is_number_of(argument["type"], value):
                    raise ManifestError(
                        where + "expected a number (%s), got %s" % (argument["type"], value)
                    )
                continue
            if not isinstance(value, tuple):
                raise ManifestError(
                    where + "expected an array of %s, got %s"
                    % (argument["type"], type(value).__name__)
                )
            shape = argument["shape"]
            if len(shape) != len(value) or any(
                size not in (None, actual) for size, actual in zip(shape, value)
            ):
                raise ManifestError(
                    where
                    + "expected the shape %s, got %s"
                    % (format_shape(shape), format_shape(value))
                )
            strides = getattr(value, "strides", None)
            # An argument without strides is dense: see check_arrays.
            for dim, stride in enumerate(argument.get("strides") or ()):
                if strides and stride not in (None, strides[dim]) and value[dim] > 1:
                    raise ManifestError(
                        where
                        + "expected the stride %d in dimension %d, got %d"
                        % (stride, dim, strides[dim])
                    )

    def check_conditions(self, values: Sequence[Any], process: Optional[int] = None) -> None:
        """Checks what the program asserts, and that sizes that must be equal are. The
        values have the right shapes (`check`)."""
        checks, named = self.checks, self.values
        if process is not None:
            checks, named = _with_process([checks, named], process)
        values = Values(values, named)
        for check in checks:
            if not evaluate(check["condition"], values):
                found = _describe_found(check["condition"], values)
                raise ManifestError("%s: %s%s" % (self.name, check["message"], found))

    def plan(self, values: Sequence[Any], process: Optional[int] = None) -> _Plan:
        """The shapes of the temporary buffers, and the launches, for arguments of
        these shapes (Shape, or tuples of dense buffers) and numbers. Loops are unrolled.
        `process` is the index of this process, for functions that several run together.

        The last plans are kept, unless they are long, for the next call of the same shapes,
        elements and numbers: the launches must not be changed."""
        plan = self.find_plan(values, process)
        if plan is None:
            values = self._normalize(values)
            plan = self._make_plan(values, process)
            if len(plan[1]) <= _MAX_LAUNCHES:
                with _PLANS_LOCK:
                    self._plans[self._make_key(values, process)] = plan
                    while len(self._plans) > _MAX_PLANS:
                        self._plans.popitem(last=False)
        return list(plan[0]), list(plan[1])

    def find_plan(self, values: Sequence[Any], process: Optional[int] = None) -> Optional[_Plan]:
        """The plan for `values`, if it is kept. If so, they have the right shapes, and
        the conditions hold. It must not be changed."""
        try:
            key = self._make_key(values, process)
        except (AttributeError, TypeError, ValueError, OverflowError):
            return None  # `check` says what is wrong, if anything is.
        with _PLANS_LOCK:
            plan = self._plans.get(key)
            if plan is not None:
                self._plans.move_to_end(key)
        return plan

    def _make_key(self, values: Sequence[Any], process: Optional[int]) -> Any:
        """What a plan is kept by: equal keys have equal plans. Raises something if a value
        is no shape, or no number of its type."""
        key: List[Any] = [process, len(values)]
        for argument, value in zip(self.arguments, values):
            if argument["kind"] == "buffer":
                if not isinstance(value, tuple):
                    raise TypeError
                shape = value if isinstance(value, Shape) else Shape(value)
                key += shape, shape.strides, shape.offset, shape.element
            elif argument["type"][0] in "fb":
                # Zeros of both signs are equal, and NaN is not equal to itself.
                key.append(repr(value.__float__()))
            else:
                key.append(value.__index__())
        return tuple(key)

    def _normalize(self, values: Sequence[Any]) -> List[Any]:
        """A Shape for each buffer, and numbers of Python, of the type that the function
        takes. Raises what `check` does."""
        values = [
            Shape(value) if isinstance(value, tuple) and not isinstance(value, Shape) else value
            for value in values
        ]
        self.check(values)
        return [
            value if argument["kind"] == "buffer"
            else float(value) if argument["type"][0] in "fb" else int(value)
            for argument, value in zip(self.arguments, values)
        ]

    def _make_plan(self, values: Sequence[Any], process: Optional[int]) -> _Plan:
        with _reading(self.name):
            self.check_conditions(values, process)
            described, launches, named = self.temporaries, self.launches, self.values
            if process is not None:
                described, launches, named = _with_process([described, launches, named], process)
            # Loops without their launches: too many iterations are found early.
            for _ in _unroll(_without_launches(launches), Values(values, named)):
                pass
            values = Values(values, named, described)
            unrolled = list(_unroll(launches, values))
            return values.temporaries, unrolled


def _without_launches(launches: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """The loops in `launches`, with nothing in them but loops."""
    loops = [launch["loop"] for launch in launches if "loop" in launch]
    return [{"loop": {**loop, "launches": _without_launches(loop["launches"])}} for loop in loops]


def _unroll(
    launches: Sequence[Dict[str, Any]], values: Values
) -> Iterator[Union[Launch, Collective]]:
    """The launches, and those of each iteration of loops, in order."""
    for launch in launches:
        if "loop" not in launch:
            yield (
                Collective(launch, values) if "collective" in launch else Launch(launch, values)
            )
            continue
        loop = launch["loop"]

        def get_counters(key: str) -> Dict[int, int]:
            return {c["counter"]: evaluate(c[key], values) for c in loop["counters"]}

        values.set_counters(get_counters("first"))
        while evaluate(loop["while"], values):
            values.iterations += 1
            if values.iterations > MAX_ITERATIONS:
                raise ManifestError(
                    "expected at most %d iterations of loops around kernels, got more"
                    % MAX_ITERATIONS
                )
            yield from _unroll(loop["launches"], values)
            values.set_counters(get_counters("next"))


class Manifest:
    """A manifest that was read, and where the files that it names are."""

    def __init__(self, description: Dict[str, Any], path: str) -> None:
        self.path = path
        self.target: str = description["target"]
        self.chip: str = description.get("chip", "")
        self.format: str = description.get("format", "")
        self.constants: Dict[str, Any] = description.get("constants") or {}
        self.kernels: Dict[str, Any] = description.get("kernels") or {}
        self.entries = {e["name"]: Entry(e) for e in description["entries"]}
        self.image = self._resolve(description.get("image"))
        self.constants_image = self._resolve(description.get("constants_image"))

    def _resolve(self, name: Optional[str]) -> Optional[str]:
        """The names in a manifest are relative to it."""
        directory = os.path.dirname(os.path.abspath(self.path))
        return name and os.path.join(directory, name)

    def get_entry(self, name: str) -> Entry:
        if name not in self.entries:
            raise ManifestError("expected one of %s, got %s" % (", ".join(self.entries), name))
        return self.entries[name]


TARGETS = ("host", "nvidia", "amd")


@contextlib.contextmanager
def _reading(where: str) -> Iterator[None]:
    """What is missing in a manifest, or of another type, is an error of the manifest."""
    try:
        yield
    except (
        ArithmeticError, AttributeError, IndexError, KeyError, RecursionError, TypeError,
        ValueError,
    ) as error:
        raise ManifestError(
            "%s: expected a well-formed manifest, got %s: %s"
            % (where, type(error).__name__, error)
        ) from error


def read_manifest(path: Union[str, "os.PathLike[str]"]) -> Manifest:
    """Reads a manifest of any target."""
    path = os.fspath(path)
    with open(path, encoding="utf-8") as file:
        try:
            description = json.load(file)
        except (ValueError, RecursionError) as error:
            raise ManifestError("%s: expected JSON: %s" % (path, error)) from None
    if not isinstance(description, dict):
        raise ManifestError("%s: expected an object, got %r" % (path, description))
    version, target = description.get("version"), description.get("target")
    if version not in range(2, 9) or target not in TARGETS:
        raise ManifestError(
            "%s: expected a manifest of version 2 to 8 for one of the targets %s, got "
            "version %r, %r" % (path, ", ".join(TARGETS), version, target)
        )
    with _reading(path):
        return Manifest(description, path)


# ---------------------------------------------------------------------------
# Is it well-formed?
# ---------------------------------------------------------------------------


def _check_expression(
    expression: Any,
    entry: Entry,
    where: str,
    number_of_values: Optional[int] = None,
    number_of_counters: int = 0,
) -> None:
    """Checks an expression, which may name the first `number_of_values` values of the
    entry (all, if that is not given), and the counters of the loops that have begun."""
    if number_of_values is None:
        number_of_values = len(entry.values)

    def fail(expected: str) -> None:
        raise ManifestError("%s: expected %s, got %s" % (where, expected, json.dumps(expression)))

    def check_argument(number: Any, kind: str, dim: Any = None) -> None:
        if not isinstance(number, int) or not 0 <= number < len(entry.arguments):
            fail("one of %d arguments" % len(entry.arguments))
        argument = entry.arguments[number]
        if argument["kind"] != kind:
            fail("an argument that is a " + kind)
        if dim is not None and not 0 <= dim < len(argument["shape"]):
            fail("one of %d dimensions" % len(argument["shape"]))

    if isinstance(expression, (int, float)) and not isinstance(expression, bool):
        return
    if not isinstance(expression, dict) or len(expression) != 1:
        fail("a number or one operator")
    ((operator, operands),) = expression.items()
    if operator == "process_index":
        if not isinstance(operands, list) or not all(isinstance(n, int) for n in operands):
            fail("the shape of a grid")
    elif operator in ("dim", "stride"):
        if not isinstance(operands, list) or len(operands) != 2:
            fail("an argument and a dimension")
        check_argument(operands[0], "buffer", operands[1])
    elif operator in ("offset", "argument", "element"):
        check_argument(operands, "scalar" if operator == "argument" else "buffer")
    elif operator == "counter":
        if not isinstance(operands, int) or not 0 <= operands < number_of_counters:
            fail("one of %d counters of loops" % number_of_counters)
    elif operator == "value":
        if not isinstance(operands, int) or not 0 <= operands < number_of_values:
            fail("one of %d values" % number_of_values)
    else:
        if operator != "select" and operator not in _OPERATORS:
            fail("one of dim, stride, offset, argument, element, counter, value, select, "
                 + ", ".join(_OPERATORS))
        any_number = operator in ("add", "mul", "min", "max")
        count = 3 if operator == "select" else 2
        if not isinstance(operands, list) or not (
            len(operands) == count or (any_number and operands)
        ):
            fail("%d operands" % count)
        for operand in operands:
            _check_expression(operand, entry, where, number_of_values, number_of_counters)


def _check_size(size: Any, entry: Entry, where: str, number_of_counters: int) -> None:
    """Checks an expression that is a size, a stride or a number of bytes."""
    if isinstance(size, float):
        raise ManifestError("%s: expected an integer, got %s" % (where, json.dumps(size)))
    _check_expression(size, entry, where, None, number_of_counters)


def _check_buffer(
    buffer: Dict[str, Any], entry: Entry, manifest: Manifest, where: str, counters: int
) -> None:
    kinds = [kind for kind in buffer if kind != "offset"]
    which = buffer[kinds[0]] if len(kinds) == 1 else None
    known = {
        "argument": range(len(entry.arguments)),
        "temporary": range(len(entry.temporaries)),
        "constant": manifest.constants,
    }
    if len(kinds) != 1 or which not in known.get(kinds[0], ()):
        raise ManifestError(
            "%s: expected an argument, a temporary or a constant of the manifest, got %s"
            % (where, json.dumps(buffer))
        )
    _check_size(buffer.get("offset", 0), entry, where, counters)


def _count_counters(launches: Sequence[Dict[str, Any]]) -> int:
    loops = [launch["loop"] for launch in launches if "loop" in launch]
    return sum(len(loop["counters"]) + _count_counters(loop["launches"]) for loop in loops)


def _check_launches(
    launches: Sequence[Dict[str, Any]], entry: Entry, manifest: Manifest, name: str, counters: int
) -> int:
    """Checks launches, and loops around them, behind loops that have `counters` counters.
    Returns the number of counters so far."""

    def check(expression: Any, where: str) -> None:
        _check_expression(expression, entry, where, None, counters)

    def check_size(size: Any, where: str) -> None:
        _check_size(size, entry, where, counters)

    for number, launch in enumerate(launches):
        where = "%s, launch %d" % (name, number)
        if "loop" in launch:
            loop, begin = launch["loop"], counters
            for counter in loop["counters"]:
                check(counter["first"], where)
            numbers = [counter["counter"] for counter in loop["counters"]]
            counters += len(numbers)
            if numbers != list(range(begin, counters)):
                raise ManifestError("%s: expected counters from number %d on, got %s"
                                    % (where, begin, numbers))
            check(loop["while"], where)
            counters = _check_launches(loop["launches"], entry, manifest, where, counters)
            for counter in loop["counters"]:
                check(counter["next"], where)
            continue
        if "collective" in launch:
            for argument in launch["arguments"]:
                if "buffer" in argument:
                    _check_buffer(argument["buffer"], entry, manifest, where, counters)
                    for size in argument["shape"]:
                        check_size(size, where)
                elif "numbers" not in argument:
                    check(argument["value"], where)
            continue
        if not isinstance(launch["kernel"], str):
            raise ManifestError("%s: expected the name of a kernel, got %r"
                                % (where, launch["kernel"]))
        if not isinstance(launch.get("waits", False), bool):
            raise ManifestError("%s: expected true or false for 'waits', got %r"
                                % (where, launch["waits"]))
        most = launch.get("workgroups_per_processor", 1)
        if not isinstance(most, int) or isinstance(most, bool) or most < 1:
            raise ManifestError("%s: expected a number of at least 1 for "
                                "'workgroups_per_processor', got %r" % (where, most))
        cluster = launch.get("cluster", [1, 1, 1])
        if len(cluster) != 3 or any(
            not isinstance(size, int) or not 1 <= size <= MOST_IN_CLUSTER for size in cluster
        ):
            raise ManifestError("%s: expected 3 numbers of 1 to %d for 'cluster', got %r"
                                % (where, MOST_IN_CLUSTER, cluster))
        for key in ("grid", "block"):
            if len(launch[key]) != 3:
                raise ManifestError("%s: expected 3 sizes of the %s, got %d"
                                    % (where, key, len(launch[key])))
        for size in [*launch["grid"], *launch["block"], launch["shared_memory_bytes"]]:
            check_size(size, where)
        for argument in launch["arguments"]:
            tensor_map = argument.get("tensor_map", {})
            for key in ("sizes", "strides", "box"):
                for size in tensor_map.get(key, ()):
                    check_size(size, where)
            if "buffer" in argument or tensor_map:
                buffer = argument.get("buffer") or tensor_map["buffer"]
                _check_buffer(buffer, entry, manifest, where, counters)
            elif not isinstance(argument["type"], str):
                raise ManifestError("%s: expected the name of a type, got %r"
                                    % (where, argument["type"]))
            else:
                check(argument["value"], where)
    return counters


def check_manifest(manifest: Manifest) -> None:
    """Checks that all expressions are well-formed, that all arguments, temporary buffers
    and constants exist, and the files, too. Raises ManifestError at the first mistake."""
    with _reading(manifest.path):
        _check_files(manifest)
    for entry in manifest.entries.values():
        check_entry(entry, manifest)


def check_entry(entry: Entry, manifest: Manifest) -> None:
    """The same for one function, without the files."""
    with _reading(manifest.path):
        _check_entry(entry, manifest)


def _check_files(manifest: Manifest) -> None:
    for name in (manifest.image, manifest.constants_image):
        if name is not None and not os.path.exists(name):
            raise ManifestError("%s: expected the file %s, found none" % (manifest.path, name))


def _check_entry(entry: Entry, manifest: Manifest) -> None:
    counters = _count_counters(entry.launches)
    for number, value in enumerate(entry.values):
        _check_expression(value, entry, entry.name, number, counters)
    for temporary in entry.temporaries:
        for size in temporary["shape"]:
            _check_size(size, entry, entry.name, counters)
    for check in entry.checks:
        _check_expression(check["condition"], entry, entry.name)
    _check_launches(entry.launches, entry, manifest, entry.name, 0)
