//===- DropAssumes.cpp - Removes vector_ext.assume ------------------------===//
//
// The last step for vector_ext.assume, when no pass asks for ranges and
// divisors any more.
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
