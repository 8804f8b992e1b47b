//===- AffineMaps.h - Forms of indexing maps --------------------*- C++ -*-===//
//
// Questions about indexing maps that upstream does not answer.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_AFFINEMAPS_H
#define MLIR_EXT_SUPPORT_AFFINEMAPS_H

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::linalg_ext {

/// Returns whether each result of `map` is a dimension of its own, or 0.
/// Upstream's isProjectedPermutation(/*allowZeroInResults=*/true) also wants no
/// more results than dimensions.
inline bool isProjection(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return map.getNumSymbols() == 0 &&
         llvm::all_of(map.getResults(), [&](AffineExpr expr) {
           if (auto constant = dyn_cast<AffineConstantExpr>(expr))
             return constant.getValue() == 0;
           auto dim = dyn_cast<AffineDimExpr>(expr);
           if (!dim || seen.test(dim.getPosition()))
             return false;
           seen.set(dim.getPosition());
           return true;
         });
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_AFFINEMAPS_H
