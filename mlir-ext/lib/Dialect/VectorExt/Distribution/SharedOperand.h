//===- SharedOperand.h - Operands in shared memory --------------*- C++ -*-===//
//
// Private to the distribution of contractions. An operand that threads compute,
// and that instructions read from shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDOPERAND_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDOPERAND_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Layout/SharedDescriptor.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::vector_ext {

/// The right operand of instructions that read it from shared memory.
struct SharedOperand {
  Value buffer;
  layout::SharedLayout layout;
  layout::WgmmaOperand access;
  unsigned kDim, nDim;

  /// Returns where the instruction whose first element is (k, n) finds the
  /// operand.
  MatrixDescriptorAttr getDescriptor(MLIRContext *context, int64_t k,
                                     int64_t n) const {
    SmallVector<int64_t> coordinate(layout.getRank(), 0);
    coordinate[kDim] = k;
    coordinate[nDim] = n;
    return MatrixDescriptorAttr::get(
        context, layout.getLinearByteOffset(coordinate),
        access.leadingByteOffset, access.strideByteOffset,
        getSwizzleBytes(access.mode), access.isKMajor);
  }
};

/// Stores `registers`, in `from`, to shared memory. Fails, with an error, if
/// instructions can read it nowhere.
FailureOr<SharedOperand>
storeSharedOperand(ImplicitLocOpBuilder &b, vector::ContractionOp op,
                   Distributor &distributor, Value registers,
                   const layout::Layout &from, unsigned kDim, unsigned nDim,
                   const MmaIntrinsic &intrinsic);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_SHAREDOPERAND_H
