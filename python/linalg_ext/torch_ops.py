"""Compiled functions as ops of torch, which torch.compile keeps."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence

from .errors import ManifestError
from .manifest import format_shape
from .program import Function

_SCALARS = {"f": "float", "b": "float", "i": "SymInt", "u": "SymInt"}


def make_schema(function: Function, num_results: int) -> str:
    """The schema of the op: arg0, arg1, ...; arguments that are written are marked."""
    arguments: List[str] = []
    entry = function.entry
    inputs = len(entry.arguments) - num_results
    for number, argument in enumerate(entry.arguments[:inputs]):
        if argument["kind"] != "buffer":
            kind = "bool" if argument["type"] == "i1" else _SCALARS[argument["type"][0]]
        elif "write" in argument["access"]:
            kind = "Tensor(a%d!)" % number
        else:
            kind = "Tensor"
        arguments.append("%s arg%d" % (kind, number))
    results = ["Tensor"] * num_results
    result = results[0] if num_results == 1 else "(%s)" % ", ".join(results)
    return "(%s) -> %s" % (", ".join(arguments), result)


def register(
    name: str,
    function: Function,
    results: Optional[Callable[..., Sequence[Any]]] = None,
) -> Any:
    """Registers `function` as the op `name`, "namespace::op", and returns the op.

    The last arguments of a function for a GPU are its results. By default, the op takes
    them like the function, marks them as written, and returns nothing:

        attention = register("my::attention", kernels.attention)
        attention(q, k, v, out)

    With `results`, the op makes them itself. `results` gets the other arguments and
    returns one new tensor for each:

        attention = register("my::attention", kernels.attention,
                             results=lambda q, k, v: [torch.empty_like(q)])
        out = attention(q, k, v)

    The op has a fake implementation, so torch.compile keeps it in its graph, also with
    dynamic shapes. It has no derivative.
    """
    import torch

    entry = function.entry
    if entry.results:
        raise ManifestError(
            "%s: expected results as arguments, got %d results; compile it with "
            "--options=out-params=true" % (entry.name, len(entry.results))
        )
    count = 0
    if results is not None:
        # The results are at the end, and all that is only written there.
        while count < len(entry.arguments) and (
            entry.arguments[-1 - count].get("access") == "write"
        ):
            count += 1
        if count == 0:
            raise ManifestError(
                "%s: expected last arguments that are written, found none: no `results`"
                % entry.name
            )

    def check_fake(arguments: Sequence[Any]) -> None:
        """Ranks and static sizes; sizes of traced tensors may be symbols."""
        for number, (described, value) in enumerate(zip(entry.arguments, arguments)):
            if described["kind"] == "buffer":
                shape = described["shape"]
                if len(shape) != value.dim() or any(
                    size is not None and size != actual
                    for size, actual in zip(shape, value.shape)
                ):
                    raise ManifestError(
                        entry.where(number) + "expected the shape %s, got %s"
                        % (format_shape(shape), "x".join(map(str, value.shape)))
                    )

    def allocate(arguments: Sequence[Any]) -> List[Any]:
        made = list(results(*arguments)) if results is not None else []
        if len(made) != count:
            raise ManifestError(
                "%s: expected %d results, got %d" % (entry.name, count, len(made))
            )
        return made

    def give(made: List[Any]) -> Any:
        return None if not made else made[0] if count == 1 else tuple(made)

    def run(*arguments: Any) -> Any:
        made = allocate(arguments)
        function(*arguments, *made)
        return give(made)

    def run_fake(*arguments: Any) -> Any:
        made = allocate(arguments)
        check_fake([*arguments, *made])
        return give(made)

    inputs = len(entry.arguments) - count
    written = [
        "arg%d" % number
        for number, argument in enumerate(entry.arguments[:inputs])
        if "write" in argument.get("access", "")
    ]
    op = torch.library.custom_op(
        name,
        run,
        mutates_args=written,
        device_types=function.program.device.split(":")[0],
        schema=make_schema(function, count),
    )
    op.register_fake(run_fake)
    return op
