//===- Combine.h - Combining kinds of reductions ----------------*- C++ -*-===//
//
// Evaluates a vector::CombiningKind. Reductions of a vector and of a subgroup
// use it.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_COMBINE_H
#define LINALG_EXT_TEST_LIB_SIMT_COMBINE_H

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::linalg_ext::simt {

uint64_t combine(vector::CombiningKind kind, uint64_t a, uint64_t b,
                 const ScalarFormat &format);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_COMBINE_H
