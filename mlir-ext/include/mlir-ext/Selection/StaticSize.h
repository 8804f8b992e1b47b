//===- StaticSize.h - The size of several dimensions ------------*- C++ -*-===//
//
// For the models, which take a size for all rows, or columns, or batches.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_STATICSIZE_H
#define MLIR_EXT_SELECTION_STATICSIZE_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::linalg_ext {

/// The product of the `sizes` of `dims`, at most 2^63 - 1; unset if one of them
/// is dynamic.
inline std::optional<int64_t> getStaticSize(ArrayRef<unsigned> dims,
                                            ArrayRef<int64_t> sizes) {
  uint64_t product = 1;
  for (unsigned dim : dims) {
    if (ShapedType::isDynamic(sizes[dim]))
      return std::nullopt;
    product = llvm::SaturatingMultiply<uint64_t>(product, sizes[dim]);
  }
  return std::min<uint64_t>(product, std::numeric_limits<int64_t>::max());
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SELECTION_STATICSIZE_H
