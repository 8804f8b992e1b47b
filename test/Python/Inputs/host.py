"""Compiles functions.mlir for this CPU and calls them; a reference in f64 judges."""

import array
import gc
import pathlib
import sys
import tempfile
import threading
import unittest

import linalg_ext
import numpy

SOURCE = pathlib.Path(__file__).with_name("functions.mlir")
PROGRAM = linalg_ext.compile(SOURCE)
RNG = numpy.random.default_rng(23)


def attention(q, k, v, mask, scale):
    """In f64; rows that see nothing are NaN, as linalg.softmax says."""
    scores = numpy.einsum("bmd,bnd->bmn", q.astype("f8"), k.astype("f8")) * scale
    scores[~mask] = -numpy.inf
    with numpy.errstate(invalid="ignore"):
        weights = numpy.exp(scores - scores.max(-1, keepdims=True))
        return weights / weights.sum(-1, keepdims=True) @ v.astype("f8")


class Calls(unittest.TestCase):
    def draw(self, *shape):
        return RNG.standard_normal(shape).astype("f4")

    def test_attention(self):
        for b, m, n in [(1, 1, 1), (2, 33, 70), (3, 64, 128), (1, 5, 300), (2, 0, 4)]:
            q, k, v = self.draw(b, m, 32), self.draw(b, n, 32), self.draw(b, n, 32)
            mask = RNG.random((b, m, n)) < 0.5
            mask[..., :1] = True
            out = PROGRAM.attention(4 * q, k, v, mask, 0.25)
            self.assertEqual((out.shape, out.dtype), ((b, m, 32), numpy.float32))
            expected = attention(4 * q, k, v, mask, 0.25)
            self.assertLess(numpy.abs(out - expected).max(initial=0), 1e-5)

    def test_results_own_their_memory(self):
        q = self.draw(1, 40, 32)
        mask = numpy.ones((1, 40, 40), bool)
        outs = [PROGRAM["attention"](q, q, q, mask, 0.1) for _ in range(200)]
        part, first = outs[0][:, 3:], outs[0].copy()
        del outs[:]
        gc.collect()
        self.assertTrue((part == first[:, 3:]).all())

    def test_several_results(self):
        x = RNG.standard_normal(77).astype("f2")
        doubled, number, half, positions = PROGRAM.several(x, 5, True)
        self.assertTrue((doubled == x + x).all())
        self.assertEqual((number, half), (12, 0.5))
        self.assertTrue((positions == numpy.arange(77)).all())
        self.assertEqual(PROGRAM.several(x, -8, False)[1:3], (-1, 2.0))
        self.assertEqual(PROGRAM.several(x[:0], numpy.int64(1), 0)[0].shape, (0,))
        self.assertEqual(PROGRAM.answer(), 42)

    def test_bf16_as_bits(self):
        bits = lambda x: (x.astype("f4").view("u4") >> 16).astype("u2")
        x = numpy.arange(15).reshape(5, 3)
        out = PROGRAM.scale(bits(x), bits(numpy.array(2.0)))
        self.assertTrue((out == bits(2 * x)).all())

    def test_f8_as_bits(self):
        # 2 * x of e5m2 is one more in the exponent, behind 2 bits.
        program = linalg_ext.compile(
            "func.func @f(%x: tensor<?xf8E5M2>) -> tensor<?xf8E5M2> {\n"
            "  %r = arith.addf %x, %x : tensor<?xf8E5M2>\n"
            "  return %r : tensor<?xf8E5M2>\n}\n"
        )
        x = numpy.arange(4, 100, dtype="u1")
        self.assertTrue((program.f(x) == x + 4).all())
        self.assertEqual(program.f(x).dtype, numpy.uint8)
        with self.assertRaisesRegex(linalg_ext.ManifestError, "expected elements of f8E5M2, got i8"):
            program.f(x.view("i1"))

    def test_strides(self):
        x = self.draw(9, 14)
        for view in (x, x[2:, 1::3], x[::-1], x.T):
            y = numpy.zeros(view.T.shape, "f4")
            self.assertIsNone(PROGRAM.transpose(view, y))
            self.assertTrue((y == view.T).all())

    def test_buffers_of_others(self):
        x = array.array("i", range(5))
        doubled = linalg_ext.compile(
            "func.func @f(%x: memref<?xi32>) {\n"
            "  linalg.add ins(%x, %x : memref<?xi32>, memref<?xi32>) outs(%x : memref<?xi32>)\n"
            "  return\n}\n"
        )
        doubled.f(x)
        self.assertEqual(list(x), [0, 2, 4, 6, 8])
        with self.assertRaisesRegex(linalg_ext.ManifestError, "can be written, got one that is read-only"):
            doubled.f(memoryview(bytes(x)).cast("i"))

    def test_writes_of_called_functions(self):
        program = linalg_ext.compile(
            "func.func private @sum(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %e = tensor.empty() : tensor<4xf32>\n"
            "  %0 = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)"
            " -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n"
            "func.func @twice(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"
            "  %0 = call @sum(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
            "  %1 = call @sum(%0, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
            "  return %1 : tensor<4xf32>\n}\n"
            "func.func private @store(%n: index, %a: memref<4xf32>) {\n"
            "  %one = arith.constant 1.0 : f32\n"
            "  memref.store %one, %a[%n] : memref<4xf32>\n  return\n}\n"
            "func.func private @same(%a: memref<4xf32>) -> memref<4xf32> {\n"
            "  return %a : memref<4xf32>\n}\n"
            "func.func @direct(%a: memref<4xf32>, %n: index) {\n"
            "  call @store(%n, %a) : (index, memref<4xf32>) -> ()\n  return\n}\n"
            "func.func @indirect(%a: memref<4xf32>, %n: index) {\n"
            "  %0 = call @same(%a) : (memref<4xf32>) -> memref<4xf32>\n"
            "  call @store(%n, %0) : (index, memref<4xf32>) -> ()\n  return\n}\n"
        )
        self.assertNotIn("written", repr(program.twice))
        x = numpy.arange(4, dtype="f4")
        x.flags.writeable = False
        self.assertTrue((program.twice(x, x) == 3 * x).all())
        for function in (program.direct, program.indirect):
            self.assertIn("arg0: f32[4] written", repr(function))
            with self.assertRaisesRegex(linalg_ext.ManifestError, "got one that is read-only"):
                function(x, 0)

    def test_threads_call_at_once(self):
        q = self.draw(2, 50, 32)
        mask = numpy.ones((2, 50, 50), bool)
        expected = PROGRAM.attention(q, q, q, mask, 0.3)
        wrong = []

        def work():
            for _ in range(20):
                if not (PROGRAM.attention(q, q, q, mask, 0.3) == expected).all():
                    wrong.append(1)
                if PROGRAM.answer() != 42:
                    wrong.append(2)

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(wrong, [])

    def test_prepare_and_plan(self):
        x = self.draw(3, 4)
        y = numpy.zeros((4, 3), "f4")
        run = PROGRAM.transpose.prepare(x, y)
        x[:] = 7
        run()
        self.assertTrue((y == 7).all())
        self.assertEqual(PROGRAM.transpose.plan((3, 4), (4, 3)), ([], []))
        self.assertIn("arg1: f32[?, ?] written", repr(PROGRAM.transpose))
        self.assertEqual([f.entry.name for f in PROGRAM][1:3], ["several", "answer"])

    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is not here")
        x = torch.arange(6.0).reshape(2, 3)
        y = torch.zeros(3, 2)
        PROGRAM.transpose(x, y)
        self.assertTrue(torch.equal(y, x.T))
        PROGRAM.transpose(x.T, y.T.contiguous())
        bits = PROGRAM.scale(x.bfloat16(), torch.tensor(2.0).bfloat16())
        self.assertTrue((bits == (2 * x).numpy().view("u4") >> 16).all())

    def test_dlpack(self):
        class Other:
            """Has DLPack only."""

            def __init__(self, data):
                self.__dlpack__ = data.__dlpack__
                self.__dlpack_device__ = data.__dlpack_device__

        x = self.draw(6, 5)
        y = numpy.zeros((3, 6), "f4")
        PROGRAM.transpose(Other(x[:, ::2]), Other(y))
        self.assertTrue((y == x[:, ::2].T).all())


class Errors(unittest.TestCase):
    def expect(self, text, function, *arguments):
        for call in (function, function.check):
            with self.assertRaisesRegex(linalg_ext.ManifestError, text):
                call(*arguments)

    def test_arguments(self):
        q, mask = numpy.zeros((1, 2, 32), "f4"), numpy.ones((1, 2, 2), bool)
        f = PROGRAM.attention
        self.expect("attention: expected 5 arguments, got 4", f, q, q, q, mask)
        self.expect(r"argument 1: expected the shape \?x\?x32, got 1x2x31", f, q, q[..., :31], q, mask, 1)
        self.expect("argument 0: expected elements of f32, got f64", f, q.astype("f8"), q, q, mask, 1)
        self.expect("argument 3: expected elements of i1, got ui8", f, q, q, q, mask.view("u1"), 1)
        self.expect("argument 4: expected a number .f32., got an array|str", f, q, q, q, mask, "1")
        self.expect("argument 2: expected an array of f32, got float", f, q, q, 1.0, mask, 1)
        half = numpy.zeros(3, "f2")
        for number in (1.5, 1 << 32, float("nan"), numpy.zeros(2)):
            self.expect("argument 1: expected a number .i32., got", PROGRAM.several, half, number, True)
        self.expect("argument 2: expected a number .i1., got 2", PROGRAM.several, half, 1, 2)
        wide = numpy.zeros((1, 2, 64), "f4")[..., ::2]
        self.expect("argument 0: expected a contiguous array, got the strides", f, wide, q, q, mask, 1)
        y = numpy.zeros((4, 4), "f4")
        self.expect("argument 1, which is written, overlaps argument 0", PROGRAM.transpose, y, y)
        odd = numpy.zeros(4 * 9 + 1, "u1")[1:].view("f4").reshape(3, 3)
        self.expect("expected an array aligned to 4 bytes", PROGRAM.transpose, y[:3, :3], odd)

    def test_elements_of_no_type(self):
        y = numpy.zeros((2, 2), "f4")
        for kind, found in (("V0", "0x"), ("M8[s]", "ndarray of datetime64.s."), ("O", "O"), (">f4", ">f"), ("c8", "Zf")):
            self.expect("transpose, argument 0: expected .*, got " + found, PROGRAM.transpose,
                        numpy.zeros((2, 2), kind), y)

    def test_results_of_no_type(self):
        # Nothing reads a result as something that it is not.
        program = linalg_ext.compile(
            "func.func @numbers(%a: i8) -> (i8, i128) {\n"
            "  %c = arith.extui %a : i8 to i128\n  return %a, %c : i8, i128\n}\n"
            "func.func @buffer() -> tensor<4xf80> {\n"
            "  %c = arith.constant dense<1.0> : tensor<4xf80>\n  return %c : tensor<4xf80>\n}\n"
        )
        with self.assertRaisesRegex(linalg_ext.ManifestError, "numbers, result: expected a number of .*, got i128"):
            program.numbers(1)
        with self.assertRaisesRegex(linalg_ext.ManifestError, "buffer, result: expected elements that numpy has, got f80"):
            program.buffer()

    def test_sizes_that_must_be_equal(self):
        array = lambda *shape, type="f4": numpy.ones(shape, type)
        q, k, mask = array(2, 5, 32), array(2, 9, 32), array(2, 5, 9, type=bool)
        f = PROGRAM.attention
        f.check(q, k, k, mask, 1)
        self.expect("attention: expected dimension 1 of argument 2 to be as large as "
                    "dimension 1 of argument 1, got 7 and 9", f, q, k, array(2, 7, 32), mask, 1)
        self.expect("dimension 0 of argument 1 to be as large as dimension 0 of argument 0, got 3 and 2",
                    f, q, array(3, 9, 32), k, mask, 1)
        self.expect("dimension 2 of argument 3 to be as large as dimension 1 of argument 1, got 8 and 9",
                    f, q, k, k, mask[..., :8].copy(), 1)
        self.expect("dimension 1 of argument 3 to be as large as dimension 1 of argument 0, got 4 and 5",
                    f, q, k, k, mask[:, :4].copy(), 1)
        self.expect("dimension 0 of argument 1 to be as large as dimension 1 of argument 0, got 4 and 3",
                    PROGRAM.transpose, array(4, 3), array(4, 4))

    def test_names(self):
        with self.assertRaisesRegex(AttributeError, "expected a function of the program .attention, several.*got other"):
            PROGRAM.other
        with self.assertRaisesRegex(linalg_ext.ManifestError, "expected one of attention, .*, got other"):
            PROGRAM("other")

    def test_compiler(self):
        with self.assertRaisesRegex(linalg_ext.CompileError, "(?s)exit status 1.*undeclared SSA value"):
            linalg_ext.compile("func.func @f() -> f32 {\n  return %x : f32\n}\n")
        with self.assertRaisesRegex(linalg_ext.CompileError, "expected linalg-ext-compile, got /no/where"):
            linalg_ext.compile(SOURCE, compiler="/no/where")
        with self.assertRaisesRegex(linalg_ext.CompileError, "No such file"):
            linalg_ext.compile("missing.mlir")

    def test_numbers_of_16_bits(self):
        program = linalg_ext.compile("func.func @f(%x: f16) -> i32 {\n"
                                     "  %c = arith.constant 1 : i32\n  return %c : i32\n}\n")
        with self.assertRaisesRegex(linalg_ext.ManifestError, "got f16: pass it in a buffer"):
            program.f(1.0)


class Files(unittest.TestCase):
    def test_directory(self):
        with tempfile.TemporaryDirectory() as directory:
            program = linalg_ext.compile(SOURCE, directory=directory, options="fuse=false")
            self.assertEqual(linalg_ext.load(directory + "/program.json").answer(), 42)
            self.assertIn("attention", program.entries)

    def test_files_go_with_the_program(self):
        program = linalg_ext.compile("func.func @f() -> i32 {\n"
                                     "  %c = arith.constant 1 : i32\n  return %c : i32\n}\n")
        path = pathlib.Path(program.manifest.path)
        self.assertTrue(path.exists())
        self.assertIn("@f: ", program.report)
        del program
        gc.collect()
        self.assertFalse(path.parent.exists())


if __name__ == "__main__":
    unittest.main()
