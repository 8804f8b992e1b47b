//===- DropAssumes.cpp - Removes vector_ext.assume ------------------------===//
//
// Removes vector_ext.assume, after the last pass that uses ranges and divisors.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/Patterns.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::vector_ext;

void mlir::vector_ext::populateDropAssumesPatterns(
    RewritePatternSet &patterns) {
  patterns.add(+[](AssumeOp op, PatternRewriter &rewriter) {
    rewriter.replaceOp(op, op.getValue());
    return success();
  });
}
