//===- TestVectorOps.cpp - Test-only ops on vectors -----------------------===//
//
// An op on vectors that distribution reaches through `LayoutOpInterface` alone.
// docs/AddVectorOp.md explains it line by line.
//
//===----------------------------------------------------------------------===//

#include "TestOps.h"

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::linalg_ext::test;
using layout::Layout;

LogicalResult AddTransposedOp::verify() {
  VectorType lhs = getLhs().getType(), rhs = getRhs().getType();
  SmallVector<int64_t> expected(llvm::reverse(lhs.getShape()));
  if (rhs == lhs.cloneWith(expected, lhs.getElementType()))
    return success();
  return emitOpError() << "expected the second operand to have the type "
                       << lhs.cloneWith(expected, lhs.getElementType())
                       << ", got " << rhs;
}

/// The result decides. The second operand has its layout with the dimensions in
/// the other order.
std::optional<Layout>
AddTransposedOp::getOperandLayout(OpOperand &operand, const Layout &deciding) {
  if (&operand == &getRhsMutable())
    return deciding.permute({1, 0});
  return deciding;
}

/// A transpose is its own inverse.
std::optional<Layout> AddTransposedOp::getDecidingLayout(OpOperand &operand,
                                                         const Layout &layout) {
  return getOperandLayout(operand, layout);
}

/// Register r of the result has the element of register r of both operands.
LogicalResult
AddTransposedOp::distribute(vector_ext::Distributor &distributor) {
  Value sum = arith::AddFOp::create(distributor.getRewriter(), getLoc(),
                                    distributor.getDistributed(getLhs()),
                                    distributor.getDistributed(getRhs()));
  distributor.replace(*this, sum);
  return success();
}
