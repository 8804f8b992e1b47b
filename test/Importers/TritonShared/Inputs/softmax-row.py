"""Runs softmax-row.mlir for each row, as the launcher of Triton would."""

import pathlib

import linalg_ext
import numpy

program = linalg_ext.compile(pathlib.Path(__file__).with_name("softmax-row.mlir"))
rng = numpy.random.default_rng(1)
for rows, columns in [(1, 1), (5, 37), (3, 64)]:
    x = (30 * rng.standard_normal((rows, columns))).astype("f4")
    x[0, 0] = -numpy.inf if columns > 1 else 3
    out = numpy.full((rows, 64), numpy.nan, "f4")
    for row in range(rows):
        program.softmax_rows(out.reshape(-1), x.reshape(-1), columns, 64, columns, rows, 1, 1, row, 0, 0)
    wide = numpy.exp(x.astype("f8") - x.max(-1, keepdims=True))
    error = numpy.abs(out[:, :columns] - wide / wide.sum(-1, keepdims=True)).max()
    assert error < 1e-6, (rows, columns, error)
    assert numpy.isnan(out[:, columns:]).all(), "wrote behind the row"
    print("right:", rows, columns)
