//===- InvariantFactor.cpp - Factors of all terms of a sum ----------------===//
//
// See InvariantFactor.h.
//
//===----------------------------------------------------------------------===//

#include "InvariantFactor.h"

#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Whether `value`, of the payload of `op`, is the same in all iterations of
/// `dims`. Sets `reads` if it reads an operand that `isRead` accepts.
static bool isInvariant(linalg::LinalgOp op, Value value,
                        ArrayRef<unsigned> dims,
                        function_ref<bool(OpOperand &)> isRead, bool &reads) {
  if (auto arg = dyn_cast<BlockArgument>(value);
      arg && arg.getOwner() == op.getBlock()) {
    OpOperand &operand = op->getOpOperand(arg.getArgNumber());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    reads |= op.isDpsInput(&operand) && isRead(operand);
    return op.isDpsInput(&operand) && llvm::none_of(dims, [&](unsigned dim) {
             return map.isFunctionOfDim(dim);
           });
  }
  Operation *inner = value.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBlock())
    return true;
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    return !llvm::is_contained(dims, index.getDim());
  return isPure(inner) && inner->getNumRegions() == 0 &&
         llvm::all_of(inner->getOperands(), [&](Value operand) {
           return isInvariant(op, operand, dims, isRead, reads);
         });
}

Value mlir::linalg_ext::getInvariantFactor(
    linalg::LinalgOp op, unsigned number, ArrayRef<unsigned> dims,
    function_ref<bool(OpOperand &)> reads) {
  std::optional<CombinedReduction> reduction = getReduction(op, number);
  if (!reduction || !isa<arith::AddFOp>(reduction->combiner))
    return {};
  SmallVector<Value> products{reduction->term};
  while (!products.empty()) {
    auto product = products.pop_back_val().getDefiningOp<arith::MulFOp>();
    if (!product || product->getBlock() != op.getBlock() ||
        !product->hasOneUse())
      continue;
    for (Value factor : product->getOperands()) {
      bool isRead = false;
      if (isInvariant(op, factor, dims, reads, isRead) && isRead)
        return factor;
      products.push_back(factor);
    }
  }
  return {};
}
