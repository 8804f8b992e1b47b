//===- MathInstructions.h - Instructions on f32 and vectors -----*- C++ -*-===//
//
// Builds what math functions become: constants, products and intrinsics, of f32
// or of vectors of it.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_MATHINSTRUCTIONS_H
#define MLIR_EXT_LIB_TARGET_GPU_MATHINSTRUCTIONS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::linalg_ext {

constexpr double log2e = 1.4426950408889634;

/// A constant, or a vector of it.
inline Value constant(ImplicitLocOpBuilder &b, Type type, double value) {
  FloatAttr number = b.getFloatAttr(getElementTypeOrSelf(type), value);
  return createScalarOrSplatConstant(b, b.getLoc(), type, number.getValue());
}

/// Applies an intrinsic on f32 to `operands`, or to each of their elements.
inline Value applyIntrinsic(ImplicitLocOpBuilder &b, StringRef name,
                            ValueRange operands) {
  Type resultType = operands.front().getType();
  auto call = [&](ValueRange scalars) -> Value {
    return LLVM::CallIntrinsicOp::create(b, b.getF32Type(),
                                         b.getStringAttr(name), scalars)
        .getResult(0);
  };
  auto extract = [&](ArrayRef<int64_t> position) {
    SmallVector<Value> elements;
    for (Value operand : operands)
      elements.push_back(vector::ExtractOp::create(b, operand, position));
    return elements;
  };
  auto type = dyn_cast<VectorType>(resultType);
  if (!type)
    return call(operands);
  if (type.getRank() == 0)
    return vector::BroadcastOp::create(b, type, call(extract({})));
  Value result =
      arith::ConstantOp::create(b, type, cast<TypedAttr>(b.getZeroAttr(type)));
  SmallVector<int64_t> strides = computeSuffixProduct(type.getShape());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<int64_t> position = delinearize(i, strides);
    result =
        vector::InsertOp::create(b, call(extract(position)), result, position);
  }
  return result;
}

/// Multiplies `x` by `factor`.
inline Value scaled(ImplicitLocOpBuilder &b, Value x, double factor) {
  return arith::MulFOp::create(b, x, constant(b, x.getType(), factor));
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_MATHINSTRUCTIONS_H
