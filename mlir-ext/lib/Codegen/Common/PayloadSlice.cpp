//===- PayloadSlice.cpp - What computes a value of a payload --------------===//

#include "mlir-ext/Codegen/Common/PayloadSlice.h"

using namespace mlir;

llvm::SetVector<Value> mlir::linalg_ext::getPayloadSlice(linalg::LinalgOp op,
                                                         Value value) {
  llvm::SetVector<Value> slice;
  slice.insert(value);
  for (size_t i = 0; i < slice.size(); ++i) {
    Operation *def = slice[i].getDefiningOp();
    if (!def || !op->getRegion(0).isAncestor(def->getParentRegion()))
      continue;
    slice.insert_range(def->getOperands());
    for (Region &region : def->getRegions())
      slice.insert_range(region.front().getTerminator()->getOperands());
  }
  return slice;
}
