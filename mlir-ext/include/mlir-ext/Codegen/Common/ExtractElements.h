//===- ExtractElements.h - Single elements of results -----------*- C++ -*-===//
//
// If a program reads only a few elements of a tensor (for example one logit per
// row in a loss), these patterns compute only those elements.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H
#define MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mlir::linalg_ext {

/// Adds four patterns for `tensor.extract` in the payload of a structured op:
///   - if it reads an elementwise result, and few elements of this result are
///     read, the payload of the elementwise op is inlined;
///   - if its indices are `linalg.index` ops, the tensor becomes an input of
///     the structured op;
///   - if it reads a contraction whose result is otherwise only reduced along
///     the one dimension in which the element is not at the position of the
///     iteration, it becomes a sum along this dimension, of 0 elsewhere;
///   - if it reads a `tensor.expand_shape` that only adds dimensions of size 1,
///     it reads the source instead.
/// Example of the first pattern:
///
///   %y = linalg.exp ins(%x : tensor<8x512xf32>) ...
///   linalg.generic ins(%label : tensor<8xindex>) ... {
///     %i = linalg.index 0 : index
///     %e = tensor.extract %y[%i, %l]
///
/// becomes a math.exp of the element of %x at [%i, %l].
void populateExtractElementsPatterns(RewritePatternSet &patterns);

/// Adds the one of these patterns that reads elements of what is padded.
void populateExtractFromPaddedPatterns(RewritePatternSet &patterns);

/// Adds a pattern for `tensor.extract` in the payload of a structured op in a
/// loop over workgroups. It applies if the tensor is a table of integers that
/// an elementwise op in the same loop computes. An example are entries of a
/// page table that count from the end if they are negative. The payload of the
/// elementwise op is inlined. Otherwise each workgroup would compute and store
/// the whole table.
void populateComputeTablesPatterns(RewritePatternSet &patterns);

/// Adds a pattern for `tensor.extract` in the payload of a structured op, of
/// integers that an elementwise op unpacks from words and that nothing else
/// reads, such as zero points of groups. The payload of the elementwise op is
/// inlined.
void populateUnpackExtractedPatterns(RewritePatternSet &patterns);

/// Returns whether dimension `dim` of `table` is known to be as long as `loop`
/// of `op`.
bool isAsLong(Value table, int64_t dim, linalg::LinalgOp op, unsigned loop);

/// Returns at which loop of `op` an operand has dimension `dim`, of size 1, of
/// what `extract` reads. `extract` is in the payload of `op`, and has a number
/// as its index along `dim`. This is a loop that runs once and that no other
/// operand dimension is read at, or 0.
AffineExpr getExprOfOne(linalg::LinalgOp op, tensor::ExtractOp extract,
                        int64_t dim);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_CODEGEN_COMMON_EXTRACTELEMENTS_H
