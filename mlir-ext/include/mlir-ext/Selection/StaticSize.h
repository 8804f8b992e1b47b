//===- StaticSize.h - Size of several dimensions ----------------*- C++ -*-===//
//
// The tile size models take one number for all row dimensions, one for all
// column dimensions and one for all batch dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SELECTION_STATICSIZE_H
#define MLIR_EXT_SELECTION_STATICSIZE_H

#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

namespace mlir::linalg_ext {

/// Returns the product of `sizes[dim]` over `dims`, or 2^63 - 1 if that is
/// smaller. Returns std::nullopt if one of these sizes is dynamic.
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
