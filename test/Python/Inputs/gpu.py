"""Launches kernels.mlir, compiled as kernels.ptx and kernels.cubin into a directory, on a
GPU, directly and as ops of torch. No test of lit: it needs a GPU and torch 2.4.

    linalg-ext-compile kernels.mlir --target=sm_90a -o DIR/kernels.cubin
    linalg-ext-compile kernels.mlir --target=sm_90a --emit=ptx -o DIR/kernels.ptx \\
        --manifest=DIR/kernels-ptx.json
    python3 gpu.py DIR
"""

import os
import sys
import threading
import unittest

import linalg_ext
import torch

DIRECTORY = sys.argv.pop(1)
KERNELS = linalg_ext.load(os.path.join(DIRECTORY, "kernels.json"))


def draw(*shape):
    return torch.randn(*shape, device="cuda").half()


def attention(q, k, v, scale):
    scores = torch.einsum("bmd,bnd->bmn", q.double(), k.double()) * scale
    return torch.softmax(scores, -1) @ v.double()


class Calls(unittest.TestCase):
    def check(self, kernels, b, m, n):
        q, k, v = draw(b, m, 64), draw(b, n, 64), draw(b, n, 64)
        out = torch.full_like(q, float("nan"))
        kernels.attention(q, k, v, 0.125, out)
        error = (out.double() - attention(q, k, v, 0.125)).abs().max().item()
        self.assertLess(error, 4e-3)

    def test_attention(self):
        for sizes in [(1, 1, 1), (2, 100, 70), (3, 128, 1000), (1, 2048, 2048)]:
            self.check(KERNELS, *sizes)

    def test_ptx(self):
        self.check(linalg_ext.load(os.path.join(DIRECTORY, "kernels-ptx.json")), 2, 33, 77)

    def test_other_stream(self):
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            self.check(KERNELS, 2, 64, 64)

    def test_other_thread(self):
        # CUDA has a context for each thread, which torch sets when it needs it.
        q = draw(2, 100, 64)
        k, v, out, errors = draw(2, 70, 64), draw(2, 70, 64), torch.zeros_like(q), []
        run = KERNELS.attention.prepare(q, k, v, 0.125, out)
        torch.cuda.synchronize()

        def work():
            try:
                run()
                torch.cuda.synchronize()
                KERNELS.attention(q, k, v, 0.125, out)
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(errors, [])
        torch.cuda.synchronize()
        self.assertLess((out.double() - attention(q, k, v, 0.125)).abs().max().item(), 4e-3)

    def test_dlpack(self):
        class Other:
            def __init__(self, tensor):
                self.__dlpack__, self.__dlpack_device__ = tensor.__dlpack__, tensor.__dlpack_device__

        q, k, v = draw(2, 50, 64), draw(2, 60, 64), draw(2, 60, 64)
        out = torch.zeros_like(q)
        KERNELS.attention(Other(q), Other(k), Other(v), 0.125, Other(out))
        self.assertLess((out.double() - attention(q, k, v, 0.125)).abs().max().item(), 4e-3)

    def test_graph(self):
        q, out = draw(1, 256, 64), torch.empty(1, 256, 64, device="cuda").half()
        run = KERNELS.attention.prepare(q, q, q, 0.125, out)
        self.assertGreater(linalg_ext.time_ms(run, batches=1, milliseconds=1), 0)

    def test_errors(self):
        q = draw(1, 8, 64)
        f = KERNELS.attention
        for text, arguments in [
            ("argument 0: expected an array on cuda:0, got one on cpu", (q.cpu(), q, q, 1, q)),
            ("argument 4, which is written, overlaps argument 0", (q, q.clone(), q.clone(), 1, q)),
            ("argument 1: expected elements of f16, got f32", (q, q.float(), q, 1, q.clone())),
            ("argument 1: expected a contiguous array", (q, draw(64, 8, 1).transpose(0, 2), q, 1, q.clone())),
            ("argument 2: expected the shape .x.x64, got 1x8x32", (q, q, draw(1, 8, 32), 1, q.clone())),
            ("argument 0: expected an array aligned to 16 bytes",
             (draw(8 * 64 + 1)[1:].view(1, 8, 64), q, q, 1, q.clone())),
            ("argument 3: expected a number", (q, q, q, "x", q.clone())),
        ]:
            with self.assertRaisesRegex(linalg_ext.ManifestError, text):
                f.check(*arguments)


OUT_OP = linalg_ext.register("linalg_ext_test::attention_out", KERNELS.attention)
OP = linalg_ext.register(
    "linalg_ext_test::attention", KERNELS.attention, results=lambda q, k, v, scale: [torch.empty_like(q)]
)


class Ops(unittest.TestCase):
    def test_eager(self):
        q, k, v = draw(2, 40, 64), draw(2, 30, 64), draw(2, 30, 64)
        expected = attention(q, k, v, 0.25)
        out = torch.zeros_like(q)
        self.assertIsNone(OUT_OP(q, k, v, 0.25, out))
        self.assertLess((out.double() - expected).abs().max().item(), 4e-3)
        self.assertLess((OP(q, k, v, 0.25).double() - expected).abs().max().item(), 4e-3)

    def test_opcheck(self):
        q = draw(2, 40, 64)
        tests = ("test_schema", "test_faketensor")
        torch.library.opcheck(OP, (q, q, q, 0.25), test_utils=tests)
        torch.library.opcheck(OUT_OP, (q, q.clone(), q.clone(), 0.25, torch.zeros_like(q)), test_utils=tests)

    def test_compile(self):
        """One graph with the op in it, for sizes that change."""
        seen = []

        def backend(module, inputs):
            seen.append([str(node.target) for node in module.graph.nodes])
            return module

        def layer(q, k, v):
            out = torch.zeros_like(q)
            OUT_OP(q, k, v, 0.125, out)
            return OP(q + 1, k, v, 0.125) + out

        for kind in (backend, "inductor"):
            torch._dynamo.reset()
            compiled = torch.compile(layer, fullgraph=True, dynamic=True, backend=kind)
            for m, n in [(40, 30), (130, 70), (64, 64)]:
                q, k, v = draw(2, m, 64), draw(2, n, 64), draw(2, n, 64)
                self.assertLess((compiled(q, k, v) - layer(q, k, v)).abs().max().item(), 1e-2)
        self.assertTrue(any("linalg_ext_test" in target for target in seen[0]), seen)

    def test_fake_refuses(self):
        with self.assertRaisesRegex(Exception, "expected the shape .x.x64, got 2x8x32"):
            torch.compile(lambda q: OP(q, q, q, 1.0), fullgraph=True, backend="eager")(draw(2, 8, 32))


if __name__ == "__main__":
    unittest.main()
