//===- PassBase.td - Base class of passes ------------------*- tablegen -*-===//
//
// Base class of passes that create structured ops. It declares the dialects
// that such passes depend on.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_PASSBASE
#define MLIR_EXT_SUPPORT_PASSBASE

include "mlir/Pass/PassBase.td"

class LinalgExt_Pass<string name, string op = ""> : Pass<name, op> {
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::linalg_ext::LinalgExtDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // MLIR_EXT_SUPPORT_PASSBASE
