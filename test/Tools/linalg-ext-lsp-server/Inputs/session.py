"""A session of an editor with the language server, in the framing of the protocol.
argv: the server."""

import json
import subprocess
import sys
import unittest

TEXT = """\
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = tensor.empty() : tensor<4x8xf32>
  %s = tensor.empty() : tensor<4xf32>
  %0:4 = linalg_ext.softmax dimension(1) ins(%x : tensor<4x8xf32>) outs(%y, %s, %s, %s : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  return %0#0 : tensor<4x8xf32>
}
func.func @rows(%n: index) -> index {
  %r = vector_ext.assume %n multiple_of 8
  return %r : index
}
"""


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "--log=error"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.count = 0
        self.notes = []

    def send(self, **message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        for line in iter(self.process.stdout.readline, b"\r\n"):
            if not line:
                raise EOFError("the server has ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def request(self, method, **params):
        self.count += 1
        self.send(id=self.count, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.count:
                if "error" in message:
                    raise AssertionError(message["error"])
                return message["result"]
            self.notes.append(message)

    def notify(self, method, **params):
        self.send(method=method, params=params)

    def await_diagnostics(self, uri):
        """The diagnostics of the last notification about the file."""
        while True:
            while self.notes:
                note = self.notes.pop(0)
                if note["method"] == "textDocument/publishDiagnostics" and (
                    note["params"]["uri"] == uri
                ):
                    return note["params"]["diagnostics"]
            self.notes.append(self.receive())


def find(text, part, add=0):
    """The position of `part` in `text`, and so many characters behind it."""
    before = text[: text.index(part)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1 + add}


class Session(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(PROGRAM)
        capabilities = cls.server.request(
            "initialize", processId=None, rootUri=None, capabilities={}
        )["capabilities"]
        assert capabilities["hoverProvider"] and capabilities["completionProvider"]
        cls.server.notify("initialized")

    @classmethod
    def tearDownClass(cls):
        cls.server.request("shutdown")
        cls.server.notify("exit")
        cls.server.process.stdin.close()
        cls.server.process.stdout.close()
        status = cls.server.process.wait(timeout=60)
        assert status == 0, status

    def open(self, name, text):
        uri = "test:///" + name
        self.server.notify(
            "textDocument/didOpen",
            textDocument={"uri": uri, "languageId": "mlir", "version": 1, "text": text},
        )
        return uri, self.server.await_diagnostics(uri)

    def complete(self, name, text, position):
        uri, _ = self.open(name, text)
        items = self.server.request(
            "textDocument/completion", textDocument={"uri": uri}, position=position
        )["items"]
        return {item["label"]: item.get("detail", "") for item in items}

    def test_hover(self):
        uri, diagnostics = self.open("good.mlir", TEXT)
        self.assertEqual(diagnostics, [])
        for part in ("linalg_ext.softmax", "vector_ext.assume"):
            hover = self.server.request(
                "textDocument/hover",
                textDocument={"uri": uri},
                position=find(TEXT, part, 5),
            )
            self.assertIn('"%s"' % part, hover["contents"]["value"])

    def test_definition(self):
        uri, _ = self.open("definition.mlir", TEXT)
        (where,) = self.server.request(
            "textDocument/definition",
            textDocument={"uri": uri},
            position=find(TEXT, "%0#0", 1),
        )
        self.assertEqual(where["range"]["start"]["line"], 3)

    def test_diagnostics(self):
        """Mistakes that our verifiers find, where they are; mended, they are gone."""
        wrong = TEXT.replace("dimension(1)", "dimension(2)")
        uri, diagnostics = self.open("wrong.mlir", wrong)
        self.assertEqual(len(diagnostics), 1, diagnostics)
        self.assertIn("'linalg_ext.softmax' op", diagnostics[0]["message"])
        self.assertEqual(diagnostics[0]["range"]["start"]["line"], 3)
        self.server.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": 2},
            contentChanges=[{"text": TEXT}],
        )
        self.assertEqual(self.server.await_diagnostics(uri), [])

    def test_completion_of_dialects(self):
        text = "func.func @f() {\n  \n}\n"
        labels = self.complete("dialects.mlir", text, {"line": 1, "character": 2})
        for dialect in ("linalg", "linalg_ext", "vector_ext", "transform"):
            self.assertEqual(labels.get(dialect), "dialect")

    def test_completion_of_ops(self):
        for dialect, op in [("linalg_ext", "softmax"), ("vector_ext", "to_layout"),
                            ("transform", "linalg_ext.tile_and_fuse")]:
            text = "func.func @f() {\n  %s.\n}\n" % dialect
            labels = self.complete(
                dialect + ".mlir", text, {"line": 1, "character": 3 + len(dialect)}
            )
            self.assertEqual(labels.get(op), "operation", (dialect, sorted(labels)))

    def test_completion_of_values(self):
        text = TEXT.replace("return %r", "return %")
        labels = self.complete("values.mlir", text, find(text, "return % ", 8))
        self.assertIn("%r", labels)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
