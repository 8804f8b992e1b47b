"""Mistakes in manifests, each made in one that is right. argv: a manifest."""

import contextlib
import ctypes
import io
import json
import os
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock

import linalg_ext
from linalg_ext import cuda
from linalg_ext.__main__ import main

with open(sys.argv.pop(1), encoding="utf-8") as file:
    RIGHT = file.read()


class Mistakes(unittest.TestCase):
    def expect(self, text, change):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "k.json")
            manifest = json.loads(RIGHT)
            open(os.path.join(directory, manifest["image"]), "w").close()
            manifest = change(manifest) or manifest
            with open(path, "w", encoding="utf-8") as file:
                file.write(manifest if isinstance(manifest, str) else json.dumps(manifest))
            if text is None:
                linalg_ext.check_manifest(linalg_ext.read_manifest(path))
                return
            with self.assertRaisesRegex(linalg_ext.ManifestError, text):
                linalg_ext.check_manifest(linalg_ext.read_manifest(path))

    def set_grid(self, expression):
        def change(manifest):
            manifest["entries"][0]["launches"][0]["grid"][0] = expression

        return change

    def set(self, **fields):
        return lambda manifest: {**manifest, **fields}

    def test_right(self):
        self.expect(None, lambda manifest: None)
        self.expect(None, self.set_grid({"select": [{"lt": [{"dim": [0, 1]}, 4]}, 1, {"max": [2]}]}))

    def test_values(self):
        # A value that is not used may have none.
        values = [{"add": [{"dim": [0, 0]}, 1]}, {"mul": [{"value": 0}, 2]}, {"mod": [1, 0]}]

        def add(expression):
            def change(manifest):
                manifest["version"] = 5
                manifest["entries"][0]["values"] = values
                manifest["entries"][0]["launches"][0]["grid"][0] = expression

            return change

        self.expect(None, add({"value": 1}))
        self.expect("expected one of 3 values, got", add({"value": 3}))
        self.expect("expected one of 0 values, got", self.set_grid({"value": 0}))
        manifest = json.loads(RIGHT)
        add({"select": [{"value": 1}, {"value": 1}, {"value": 2}]})(manifest)
        entry = linalg_ext.manifest.Entry(manifest["entries"][0])
        shapes = [
            tuple(3 if size is None else size for size in argument["shape"])
            if argument["kind"] == "buffer" else 0
            for argument in entry.arguments
        ]
        _, launches = entry.plan(shapes)
        self.assertEqual(launches[0].grid[0], 2 * (shapes[0][0] + 1))

    def test_boxes(self):
        # A box has as many rows as argument 0 has, up to 64.
        rows = {"max": [{"min": [{"dim": [0, 0]}, 64]}, 1]}

        def add(size):
            def change(manifest):
                manifest["version"] = 7
                manifest["entries"][0]["launches"][0]["arguments"].append({"tensor_map": {
                    "buffer": {"argument": 0}, "type": "f32", "sizes": [4, rows],
                    "strides": [16], "box": [4, size], "swizzle": 0}})

            return change

        self.expect(None, add(rows))
        self.expect("expected an integer, got 1.5", add(1.5))
        self.expect("expected one of 3 arguments", add({"dim": [7, 0]}))
        manifest = json.loads(RIGHT)
        add(rows)(manifest)
        entry = linalg_ext.manifest.Entry(manifest["entries"][0])
        for count, expected in [(1, 1), (40, 40), (100, 64)]:
            _, launches = entry.plan([(count, 4), (4,), (count, 4)])
            self.assertEqual(launches[0].arguments[-1][1].box, [4, expected])

    def test_loops(self):
        # Rows of argument 0, each as often as its number; the counters are known behind it.
        def add(last=None, end={"element": 1}, first=0, temporary=({"counter": 0}, 4), number=1):
            def change(manifest):
                entry = manifest["entries"][0]
                manifest["version"] = 6
                entry["arguments"] = [
                    {"kind": "buffer", "type": "f32", "shape": [None], "access": "read"},
                    {"kind": "buffer", "type": "i32", "shape": [1], "access": "read"}]
                entry["temporaries"] = [{"type": "f32", "shape": list(temporary)}]
                entry["values"] = [{"mul": [{"counter": 1}, 10]}]
                entry.pop("checks", None)

                def launch(size):
                    return {"kernel": "k", "grid": [size, {"value": 0}, 1], "block": [1, 1, 1],
                            "shared_memory_bytes": 0, "arguments": [{"buffer": {"temporary": 0}}]}

                inner = {"loop": {
                    "counters": [{"counter": number, "first": first,
                                  "next": {"add": [{"counter": 1}, 1]}}],
                    "while": {"lt": [{"counter": 1}, {"counter": 0}]},
                    "launches": [launch({"add": [{"counter": 0}, 1]})]}}
                entry["launches"] = [
                    {"loop": {"counters": [{"counter": 0, "first": 0,
                                            "next": {"add": [{"counter": 0}, 1]}}],
                              "while": {"lt": [{"counter": 0}, end]}, "launches": [inner]}},
                    launch(last or {"counter": 0})]

            return change

        self.expect(None, add())
        self.expect("expected one of 2 counters of loops, got", add(last={"counter": 2}))
        self.expect("launch 0: expected one of 0 counters", self.set_grid({"counter": 0}))
        self.expect("launch 0, launch 0: expected one of 1 counters", add(first={"counter": 1}))
        self.expect("expected counters from number 1 on, got .2.", add(number=2))
        self.expect("expected one of 2 arguments", add(end={"element": 7}))

        def plan(count, **changes):
            manifest = json.loads(RIGHT)
            add(**changes)(manifest)
            entry = linalg_ext.manifest.Entry(manifest["entries"][0])
            self.assertEqual(entry.elements, [1])
            shapes = [linalg_ext.manifest.Shape((5,)), linalg_ext.manifest.Shape((1,), element=count)]
            temporaries, launches = entry.plan(shapes)
            return temporaries, [launch.grid[:2] for launch in launches]

        temporaries, grids = plan(3)
        self.assertEqual(temporaries, [(3, 4)])
        self.assertEqual(grids, [(2, 0), (3, 0), (3, 10), (3, 20)])
        self.assertEqual(plan(1), ([(0,)], [(1, 0)]))
        with self.assertRaisesRegex(linalg_ext.ManifestError, "a loop that has begun, got 1"):
            plan(0)
        with self.assertRaisesRegex(linalg_ext.ManifestError, "element of argument 1, .* got none"):
            plan(None)
        with unittest.mock.patch("linalg_ext.manifest.MAX_ITERATIONS", 6):
            self.assertEqual(len(plan(3)[1]), 4)
            with self.assertRaisesRegex(linalg_ext.ManifestError, "expected at most 6 iterations"):
                plan(4)

        def without(*path):
            def change(manifest):
                add()(manifest)
                loop = manifest["entries"][0]["launches"][0]["loop"]
                for key in path[:-1]:
                    loop = loop[key]
                del loop[path[-1]]

            return change

        for path in [("while",), ("counters",), ("launches",), ("counters", 0, "next")]:
            self.expect("expected a well-formed manifest, got KeyError: '%s'" % path[-1],
                        without(*path))

    def test_iterations_are_counted_first(self):
        # Too many iterations are found before any launch is planned.
        manifest = json.loads(RIGHT)
        entry = manifest["entries"][0]
        entry["launches"] = [{"loop": {
            "counters": [{"counter": 0, "first": 0, "next": {"add": [{"counter": 0}, 1]}}],
            "while": {"lt": [{"counter": 0}, 1 << 20]},
            "launches": [*entry["launches"]]}}]
        entry = linalg_ext.manifest.Entry(entry)
        with unittest.mock.patch("linalg_ext.manifest.Launch", side_effect=AssertionError):
            with self.assertRaisesRegex(linalg_ext.ManifestError, "expected at most 131072"):
                entry.plan([(4, 4), (4,), (4, 4)])

    def test_mistakes_of_plans(self):
        # Whatever a member is replaced by, planning succeeds or says what is wrong.
        def find_members(description, path=()):
            members = description if isinstance(description, dict) else range(len(description))
            for key in members:
                yield (*path, key)
                if isinstance(description[key], (dict, list)):
                    yield from find_members(description[key], (*path, key))

        right = json.loads(RIGHT)
        shapes = ["4x4xf32", "4xf32", "4x4xf32"]
        counts = [0, 0]
        with tempfile.TemporaryDirectory() as directory:
            file_name = os.path.join(directory, "k.json")
            for path in find_members(right):
                for by in (None, -1, float("nan"), "x", [], {"x": 1}, {"value": 0}):
                    manifest = json.loads(RIGHT)
                    member = manifest
                    for key in path[:-1]:
                        member = member[key]
                    member[path[-1]] = by
                    with open(file_name, "w", encoding="utf-8") as file:
                        json.dump(manifest, file)
                    error = io.StringIO()
                    with contextlib.redirect_stderr(error), contextlib.redirect_stdout(None):
                        code = main(["plan", file_name, "bias_relu", *shapes])
                    self.assertEqual("error: " in error.getvalue(), code == 1, (path, by))
                    counts[code] += 1
        self.assertGreater(min(counts), 80)

    def test_numbers(self):
        # Integers have 64 bits, and counters that grow without end are none of them.
        evaluate = linalg_ext.manifest.evaluate
        least = -(1 << 63)
        self.assertEqual(evaluate({"rem": [least, -1]}, []), 0)
        for expression in ({"mul": [1 << 62, 2]}, {"sub": [least, 1]}, {"div": [least, -1]}):
            with self.assertRaisesRegex(linalg_ext.ManifestError, "expected integers of 64 bits"):
                evaluate(expression, [])
        with self.assertRaisesRegex(linalg_ext.ManifestError, "'mod' divides by 0"):
            evaluate({"mod": [1, 0]}, [])

    def test_many_uses_of_values(self):
        # Each value names the one before it many times: nothing visits each of these uses.
        values = [{"min": [{"value": n - 1}] * 16 if n else [1, 2]} for n in range(12)]
        entry = linalg_ext.manifest.Entry({
            "name": "f", "arguments": [], "values": values, "launches": [],
            "temporaries": [{"type": "i8", "shape": [{"value": 11}]}]})
        self.assertEqual(entry.plan([])[0], [(1,)])

    def test_sizes(self):
        # Sizes and numbers of bytes are integers that are not negative, whatever is computed.
        def plan(number, **fields):
            launch = {"kernel": "k", "grid": [1, 1, 1], "block": [1, 1, 1],
                      "shared_memory_bytes": 0, "arguments": [{"buffer": {"temporary": 0}}]}
            size = {"argument": 0}
            entry = {"name": "f", "arguments": [{"kind": "scalar", "type": "i64"}],
                     "temporaries": [{"type": "i8", "shape": [fields.pop("shape", 1)]}],
                     "launches": [{**launch, **fields}]}
            text = json.dumps(entry).replace('"SIZE"', json.dumps(size))
            return linalg_ext.manifest.Entry(json.loads(text)).plan([number])

        moved = [{"buffer": {"temporary": 0, "offset": "SIZE"}}]
        for text, fields in [
            ("a size of a temporary buffer", {"shape": "SIZE"}),
            ("the sizes of the launch of kernel 'k'", {"grid": [1, "SIZE", 1]}),
            ("the sizes of the launch of kernel 'k'", {"block": ["SIZE", 1, 1]}),
            ("the sizes of the launch of kernel 'k'", {"shared_memory_bytes": "SIZE"}),
            ("the offset of a buffer", {"arguments": moved}),
        ]:
            plan(2, **fields)
            with self.assertRaisesRegex(
                linalg_ext.ManifestError, "expected an integer of at least 0 for %s, got -3" % text
            ):
                plan(-3, **fields)
        # Nothing is launched, so the other sizes do not matter.
        plan(-3, grid=[0, "SIZE", 1])

    def test_types(self):
        def set_argument(**fields):
            return lambda manifest: manifest["entries"][0]["arguments"][0].update(fields)

        self.expect("argument 0: expected a buffer or a scalar, got 'box'", set_argument(kind="box"))
        self.expect("argument 0: expected the name of a type, got 3", set_argument(type=3))
        self.expect("argument 0: expected the name of a type, got 'x'",
                    set_argument(kind="scalar", type="x"))
        self.expect("argument 0: expected null or a number for each of the sizes, got \\[-1, 4\\]",
                    set_argument(shape=[-1, 4]))

    def test_files(self):
        self.expect("expected JSON", lambda manifest: "{")
        self.expect("expected an object", lambda manifest: "[]")
        self.expect("version 2 to 8 .* got version 9", self.set(version=9))
        for cluster in ([2, 1], [2, 1, 0], [2, 1, 17], [2, 1, {"dim": [0, 0]}]):
            def change(manifest, cluster=cluster):
                manifest["entries"][0]["launches"][0]["cluster"] = cluster

            self.expect("launch 0: expected 3 numbers of 1 to 16 for 'cluster'", change)
        for most in (0, True, "2", {"dim": [0, 0]}):
            def change(manifest, most=most):
                manifest["entries"][0]["launches"][0]["workgroups_per_processor"] = most

            self.expect("launch 0: expected a number of at least 1 for 'workgroups_per_processor'", change)
        self.expect("targets host, nvidia, amd, .*'tpu'", self.set(target="tpu"))
        self.expect("expected the file .*none.ptx, found none", self.set(image="none.ptx"))

    def test_collectives(self):
        def add(**argument):
            def change(manifest):
                manifest["version"] = 4
                manifest["entries"][0]["launches"].append(
                    {"collective": "all_reduce", "function": "f", "arguments": [
                        {"buffer": {"argument": 0}, "type": "f32", "shape": [{"dim": [0, 0]}]},
                        {"numbers": [2]}, argument]})

            return change

        self.expect(None, add(type="i64", value={"process_index": [2]}))
        self.expect("launch 2: expected the shape of a grid", add(type="i64", value={"process_index": 2}))
        self.expect("expected an argument, a temporary or a constant",
                    add(buffer={"temporary": 7}, type="f32", shape=[1]))

    def test_expressions(self):
        grid = self.set_grid
        self.expect("bias_relu, launch 0: expected a number or one operator, got null", grid(None))
        self.expect("expected one of dim, .*, got .*pow", grid({"pow": [1, 2]}))
        self.expect("expected one of 3 arguments", grid({"dim": [3, 0]}))
        self.expect("expected one of 2 dimensions", grid({"add": [1, {"stride": [0, 2]}]}))
        self.expect("expected an argument that is a scalar", grid({"argument": 0}))
        self.expect("expected 3 operands", grid({"select": [1, 2]}))
        self.expect("expected 2 operands", grid({"ceildiv": [1, 2, 3]}))
        self.expect("expected an argument and a dimension", grid({"dim": 0}))

    def test_launches(self):
        def change(key, value):
            return lambda manifest: manifest["entries"][0]["launches"][1].update({key: value})

        self.expect("launch 1: expected 3 sizes of the block, got 1", change("block", [1]))
        for buffer in ({"temporary": 1}, {"constant": "c"}, {"argument": 7}, {"temporary": 0, "argument": 0}):
            self.expect("expected an argument, a temporary or a constant of the manifest",
                        change("arguments", [{"buffer": buffer}]))


class Checks(unittest.TestCase):
    def test_checks(self):
        manifest = json.loads(RIGHT)
        same = {"eq": [{"dim": [0, 0]}, {"dim": [0, 1]}]}
        description = {**manifest["entries"][0], "launches": [],
                       "checks": [{"condition": same, "message": "expected a square"}]}
        entry = linalg_ext.manifest.Entry(description)
        values = [tuple(5 for _ in argument["shape"]) for argument in entry.arguments]
        for number, argument in enumerate(entry.arguments):
            argument["shape"] = [None] * len(argument["shape"])
        entry.plan(values)
        values[0] = (5, 6)
        with self.assertRaisesRegex(linalg_ext.ManifestError, "bias_relu: expected a square"):
            entry.plan(values)


class Values(unittest.TestCase):
    def test_expressions(self):
        """Quotients and remainders of every sign, against their definitions."""
        for a in range(-7, 8):
            for b in (-3, -2, 2, 3):
                got = {op: linalg_ext.evaluate({op: [a, b]}, ()) for op in
                       ("div", "rem", "floordiv", "mod", "ceildiv", "eq", "ne", "lt", "le")}
                self.assertEqual(got["div"], int(a / b))
                self.assertEqual(got["div"] * b + got["rem"], a)
                self.assertEqual(got["floordiv"] * b + got["mod"], a)
                self.assertTrue(0 <= a / b - got["floordiv"] < 1)
                self.assertTrue(0 <= got["ceildiv"] - a / b < 1)
                self.assertEqual([got["eq"], got["ne"], got["lt"], got["le"]],
                                 [a == b, a != b, a < b, a <= b])
        x = linalg_ext.Shape((2, 3), (8, 1), 5)
        self.assertEqual(linalg_ext.evaluate(
            {"add": [{"dim": [0, 1]}, {"stride": [0, 0]}, {"offset": 0}, {"argument": 1}]}, (x, 100)), 116)
        # The other branch may have no value.
        self.assertEqual(linalg_ext.evaluate({"select": [0, {"div": [1, 0]}, 4]}, ()), 4)


def make_entry(**fields):
    """Of a buffer, a float and an integer: a launch with a workgroup for each row, which
    takes both numbers."""
    buffer = {"kind": "buffer", "type": "f32", "shape": [None, None], "access": "write"}
    return linalg_ext.manifest.Entry({
        "name": "f",
        "arguments": [{**buffer, "strides": [None, 1], "offset": None},
                      {"kind": "scalar", "type": "f32"}, {"kind": "scalar", "type": "i32"}],
        "temporaries": [{"type": "f32", "shape": [{"dim": [0, 0]}]}],
        "launches": [{"kernel": "k", "grid": [{"dim": [0, 0]}, {"stride": [0, 0]}, {"add": [{"offset": 0}, 1]}],
                      "block": [1, 1, 1], "shared_memory_bytes": 0,
                      "arguments": [{"buffer": {"argument": 0}}, {"buffer": {"temporary": 0}},
                                    {"type": "f32", "value": {"argument": 1}},
                                    {"type": "i32", "value": {"argument": 2}}]}],
        **fields})


class Plans(unittest.TestCase):
    def test_kept(self):
        """One plan for equal shapes and numbers, and no other."""
        entry = make_entry()
        plan = lambda sizes, strides, offset, a, b: entry.plan(
            [linalg_ext.Shape(sizes, strides, offset), a, b])[1][0]
        first = plan((2, 3), None, 0, 1.0, 4)
        self.assertIs(plan((2, 3), (3, 1), 0, 1, True + 3), first)
        self.assertIs(plan((2, 3), None, 0, float("nan"), 4), plan((2, 3), None, 0, float("nan"), 4))
        for sizes, strides, offset, a, b in [
            ((3, 2), None, 0, 1.0, 4), ((2, 3), (8, 1), 0, 1.0, 4), ((2, 3), None, 1, 1.0, 4),
            ((2, 3), None, 0, 0.0, 4), ((2, 3), None, 0, -0.0, 4), ((2, 3), None, 0, 1.0, -4),
        ]:
            for _ in range(2):
                launch = plan(sizes, strides, offset, a, b)
                self.assertEqual(launch.grid, (sizes[0], (strides or sizes[1:])[0], offset + 1))
                self.assertEqual([repr(v) for _, v in launch.arguments[2:]], [repr(a), repr(b)])

    def test_elements(self):
        """A plan that depends on an element is that of no other, and a long one is not kept."""
        grid = [{"element": 0}, 1, 1]
        entry = make_entry()
        entry = make_entry(launches=[{**entry.launches[0], "grid": grid}])
        plan = lambda element: entry.plan([linalg_ext.Shape((1, 1), None, 0, element), 1.0, 4])[1][0]
        for element in (5, 7, 5):
            self.assertEqual(plan(element).grid[0], element)
        self.assertEqual(len(entry._plans), 2)
        most = linalg_ext.manifest._MAX_LAUNCHES
        for number in (most, most + 1):
            entry = make_entry(launches=make_entry().launches * number)
            self.assertEqual(len(entry.plan([(2, 3), 1.0, 4])[1]), number)
            self.assertEqual(len(entry._plans), number == most)

    def test_processes(self):
        """A plan of one process is that of no other."""
        grid = [{"add": [{"process_index": [4]}, 1]}, 1, 1]
        entry = make_entry()
        entry = make_entry(launches=[{**entry.launches[0], "grid": grid}])
        for process in (0, 3, 0):
            self.assertEqual(entry.plan([(2, 3), 1.0, 4], process)[1][0].grid[0], process + 1)

    def test_changes(self):
        """What a caller does with the lists that it gets changes no plan."""
        entry = make_entry()
        sizes, launches = entry.plan([(2, 3), 1.0, 4])
        sizes.clear(), launches.clear()
        self.assertEqual([len(part) for part in entry.plan([(2, 3), 1.0, 4])], [1, 1])

    def test_refused(self):
        """What is refused without a plan is refused with one."""
        entry = make_entry(checks=[{"condition": {"le": [{"dim": [0, 0]}, 2]}, "message": "few rows"}])
        entry.plan([(2, 3), 1.0, 4])
        for text, values in [
            ("few rows", [(3, 3), 1.0, 4]), ("an array of f32, got list", [[2, 3], 1.0, 4]),
            (r"a number \(f32\), got str", [(2, 3), "1.0", 4]),
            (r"a number \(i32\), got 4.5", [(2, 3), 1.0, 4.5]),
            ("3 arguments, got 2", [(2, 3), 1.0]), ("3 arguments, got 4", [(2, 3), 1.0, 4, 4]),
            ("the shape .x., got 2x3x1", [(2, 3, 1), 1.0, 4]),
        ]:
            for _ in range(2):
                with self.assertRaisesRegex(linalg_ext.ManifestError, "expected " + text
                                            if text != "few rows" else text):
                    entry.plan(values)

    def test_number(self):
        """The plans that were used last are kept."""
        entry, most = make_entry(), linalg_ext.manifest._MAX_PLANS
        get = lambda rows: entry.plan([(rows, 3), 1.0, 4])[1][0]
        first, second = get(1), get(2)
        for rows in range(3, most + 1):
            get(rows)
        self.assertIs(get(1), first)
        get(most + 1)
        self.assertIs(get(1), first)
        self.assertIsNot(get(2), second)
        self.assertEqual(len(entry._plans), most)

    def test_threads(self):
        """Threads plan at the same time, more sizes than are kept."""
        entry, wrong = make_entry(), []

        def work(start):
            for step in range(600):
                rows = 1 + (start + 7 * step) % 200
                (sizes,), (launch,) = entry.plan([(rows, 3), 1.0, 4])
                if sizes != (rows,) or launch.grid[0] != rows:
                    wrong.append(rows)

        threads = [threading.Thread(target=work, args=(50 * i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Calls(unittest.TestCase):
    """Calls without a GPU: modules that stand in for torch and for the driver."""

    class Tensor:
        device, dtype = "cuda:0", "torch.float32"

        def __init__(self, address, *shape):
            self.address, self.shape = address, shape

        def data_ptr(self):
            return self.address

        def element_size(self):
            return 4

        def stride(self):
            return linalg_ext.Shape(self.shape).strides

    def make_kernels(self, entry):
        kernels = cuda.Kernels.__new__(cuda.Kernels)
        linalg_ext.Program.__init__(kernels, types.SimpleNamespace(
            entries={"f": entry}, get_entry=lambda name: entry, constants={}))
        kernels.device, kernels._device_number, kernels.collectives = "cuda:0", 0, None
        kernels.functions, kernels.module = {}, None
        kernels._max_grid, kernels._max_threads, kernels._max_shared = [1 << 31] * 3, 1024, 1 << 17
        kernels._processors, kernels._processor_shared, kernels._reserved_shared = 4, 228 << 10, 1 << 10
        self.fixed, self.allowed = 0, 48 << 10
        self.launched = []

        def launch(grid, pointers):
            self.launched.append((grid, *(
                kind.from_address(where).value for kind, where in zip(
                    (ctypes.c_uint64, ctypes.c_uint64, ctypes.c_float, ctypes.c_int32), pointers))))

        def call(name, *arguments, context=None):
            if name == "cuLaunchKernel":
                launch(arguments[1:4], arguments[9])
            elif name == "cuFuncGetAttribute":
                self.assertEqual(arguments[1:], (1, "k"))
                arguments[0]._obj.value = self.fixed
            elif name == "cuFuncSetAttribute":
                self.assertEqual(arguments[:2], ("k", 8))
                self.allowed = arguments[2]
            elif name == "cuLaunchKernelEx":
                config = arguments[0]._obj
                self.early.append((tuple(config.block), config.shared, config.stream, config.count,
                                   config.attributes[0].id, config.attributes[0].values[0]))
                last = config.attributes[config.count - 1]
                self.clusters.append(tuple(last.values) if last.id == 4 else None)
                launch(tuple(config.grid), arguments[2])

        self.early, self.clusters = [], []
        kernels.driver = types.SimpleNamespace(
            call=call, launches_early=True, launches_with_attributes=True, use_primary_context=lambda device: None, restore_context=lambda context: None,
            on_device=lambda device: contextlib.nullcontext(), get_function=lambda module, name: name)
        return kernels

    def test_other_tensors(self):
        """A call of the same shapes has the addresses of its own tensors."""
        temporaries = iter(range(1 << 20, 1 << 21, 256))
        torch = types.ModuleType("torch")
        torch.Tensor, torch.float32 = self.Tensor, None
        torch.empty = lambda shape, dtype, device: self.Tensor(next(temporaries), *shape)
        torch.cuda = types.SimpleNamespace(
            current_stream=lambda device: types.SimpleNamespace(cuda_stream=0))
        entry = make_entry()
        with unittest.mock.patch.dict(sys.modules, torch=torch):
            kernels = self.make_kernels(entry)
            for address, rows, a in [(4096, 2, 1.5), (8192, 2, 1.5), (4096, 5, 1.5), (4096, 2, 2.5)]:
                kernels("f", self.Tensor(address, rows, 3), a, 7)
            # What has no plan is checked with one.
            elsewhere = self.Tensor(4096, 2, 3)
            elsewhere.device = "cuda:1"
            with self.assertRaisesRegex(linalg_ext.ManifestError, "array on cuda:0, got one on cuda:1"):
                kernels("f", elsewhere, 1.5, 7)
        self.assertEqual(self.launched, [
            ((2, 3, 1), 4096, 1 << 20, 1.5, 7), ((2, 3, 1), 8192, (1 << 20) + 256, 1.5, 7),
            ((5, 3, 1), 4096, (1 << 20) + 512, 1.5, 7), ((2, 3, 1), 4096, (1 << 20) + 768, 2.5, 7)])


    def test_early(self):
        """A kernel that waits itself may begin early, where the driver can do that."""
        torch = types.ModuleType("torch")
        torch.Tensor, torch.float32 = self.Tensor, None
        torch.empty = lambda shape, dtype, device: self.Tensor(1 << 20, *shape)
        torch.cuda = types.SimpleNamespace(
            current_stream=lambda device: types.SimpleNamespace(cuda_stream=77))
        entry = make_entry()
        entry = make_entry(launches=[{**entry.launches[0], "waits": True, "block": [32, 2, 1],
                                      "shared_memory_bytes": 512}])
        with unittest.mock.patch.dict(sys.modules, torch=torch):
            kernels = self.make_kernels(entry)
            kernels("f", self.Tensor(4096, 2, 3), 1.5, 7)
            kernels.driver.launches_early = False
            kernels("f", self.Tensor(4096, 2, 3), 1.5, 7)
        self.assertEqual(self.launched, 2 * [((2, 3, 1), 4096, 1 << 20, 1.5, 7)])
        self.assertEqual(self.early, [((32, 2, 1), 512, 77, 1, 6, 1)])

    def test_even(self):
        """A processor has no room for more workgroups than in an even distribution."""
        torch = types.ModuleType("torch")
        torch.Tensor, torch.float32 = self.Tensor, None
        torch.empty = lambda shape, dtype, device: self.Tensor(1 << 20, *shape)
        torch.cuda = types.SimpleNamespace(
            current_stream=lambda device: types.SimpleNamespace(cuda_stream=77))
        processor, reserved = 228 << 10, 1 << 10

        def get_shared(workgroups, most=2, shared=512, fixed=0, early=True):
            """What a launch on 4 processors asks for."""
            entry = make_entry()
            launch = {**entry.launches[0], "waits": True, "grid": [workgroups, 1, 1],
                      "shared_memory_bytes": shared}
            if most:
                launch["workgroups_per_processor"] = most
            entry = make_entry(launches=[launch])
            with unittest.mock.patch.dict(sys.modules, torch=torch):
                kernels = self.make_kernels(entry)
                kernels.driver.launches_early, self.fixed = early, fixed
                kernels("f", self.Tensor(4096, 2, 3), 1.5, 7)
            if not early:
                self.assertEqual(self.early, [])
                return shared
            (launched,) = self.early
            self.assertLessEqual(launched[1], self.allowed)
            # The plan is that of other devices, too.
            self.assertEqual(entry.plan([(2, 3), 1.5, 7])[1][0].shared, shared)
            return launched[1]

        for workgroups, fixed in [(1, 0), (4, 0), (4, 200), (5, 0), (8, 0), (8, 1000)]:
            shared = get_shared(workgroups, fixed=fixed)
            each = shared + -(-fixed // 128) * 128 + reserved
            even = -(-workgroups // 4)
            self.assertEqual(shared % 128, 0)
            self.assertLessEqual(even * each, processor)
            self.assertGreater((even + 1) * each, processor)
            self.assertLessEqual((even + 1) * (each - 128), processor)
        # More workgroups than that, no such number, and launches that do not begin early.
        self.assertEqual(get_shared(9), 512)
        self.assertEqual(get_shared(4, most=None), 512)
        self.assertEqual(get_shared(4, early=False), 512)
        # Without shared memory, more than half as many workgroups as processors.
        self.assertEqual(get_shared(2, shared=0), 0)
        self.assertGreater(get_shared(3, shared=0), 112 << 10)
        # The kernel takes more anyway, or too much for an even distribution.
        self.assertEqual(get_shared(4, shared=120 << 10), 120 << 10)
        self.assertEqual(get_shared(8, shared=120 << 10), 120 << 10)
        self.assertEqual(get_shared(1, fixed=127 << 10), 512)

    def test_clusters(self):
        """Workgroups of clusters are launched with their number."""
        torch = types.ModuleType("torch")
        torch.Tensor, torch.float32 = self.Tensor, None
        torch.empty = lambda shape, dtype, device: self.Tensor(1 << 20, *shape)
        torch.cuda = types.SimpleNamespace(
            current_stream=lambda device: types.SimpleNamespace(cuda_stream=77))
        entry = make_entry()
        launch = {**entry.launches[0], "cluster": [1, 3, 1]}
        with unittest.mock.patch.dict(sys.modules, torch=torch):
            for waits in (False, True):
                kernels = self.make_kernels(make_entry(launches=[{**launch, "waits": waits}]))
                kernels("f", self.Tensor(4096, 2, 3), 1.5, 7)
                self.assertEqual(self.launched, [((2, 3, 1), 4096, 1 << 20, 1.5, 7)])
                self.assertEqual(self.clusters, [(1, 3, 1)])
            kernels = self.make_kernels(make_entry(launches=[{**launch, "cluster": [2, 1, 1]}]))
            with self.assertRaisesRegex(
                    linalg_ext.ManifestError, "multiple of the 2 workgroups of a cluster, got 5"):
                kernels("f", self.Tensor(4096, 5, 3), 1.5, 7)
            kernels = self.make_kernels(make_entry(launches=[launch]))
            kernels.driver.launches_with_attributes = False
            with self.assertRaisesRegex(
                    cuda.DriverError, "expected a driver with clusters, CUDA 12 or later"):
                kernels("f", self.Tensor(4096, 2, 3), 1.5, 7)
            self.assertEqual(self.launched, [])


class Drivers(unittest.TestCase):
    def test_of_cuda_11(self):
        """A driver without `cuLaunchKernelEx` launches no kernels early."""

        def library(version, **entries):
            def get_version(where):
                where._obj.value = version
                return 0
            return types.SimpleNamespace(cuInit=lambda flags: 0, cuDriverGetVersion=get_version, cuCtxGetCurrent=None, **entries)

        for loaded, expected in [(library(11080), (False, False)),
                                 (library(12000, cuLaunchKernelEx=None), (True, False)),
                                 (library(12080, cuLaunchKernelEx=None), (True, True)),
                                 (library(12080), (False, False))]:
            with unittest.mock.patch.object(cuda.ctypes, "CDLL", lambda name, loaded=loaded: loaded):
                driver = cuda.Driver()
            self.assertEqual((driver.launches_with_attributes, driver.launches_early), expected)


class Contexts(unittest.TestCase):
    def test_of_threads(self):
        """A thread has the context that it had, or none, behind what runs on a device."""

        class Driver(cuda.Driver):
            def __init__(self, current):
                self._primary, self.current = {}, current
                self._get_current = lambda where: self.call("cuCtxGetCurrent", where) or 0

            def call(self, name, *arguments, context=None):
                if name == "cuDevicePrimaryCtxRetain":
                    arguments[0]._obj.value = 100 + arguments[1]
                elif name == "cuCtxGetCurrent":
                    arguments[0]._obj.value = self.current
                else:
                    self.current = arguments[0].value

        for before in (None, 100, 101):
            driver = Driver(before)
            with driver.on_device(1):
                self.assertEqual(driver.current, 101)
            self.assertEqual(driver.current, before)
            context = driver.use_primary_context(1)
            self.assertEqual(driver.current, 101)
            driver.restore_context(context)
            self.assertEqual(driver.current, before)


if __name__ == "__main__":
    unittest.main()
