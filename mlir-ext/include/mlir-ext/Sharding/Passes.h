//===- Passes.h - Programs on several processes -----------------*- C++ -*-===//
//
// Declarations of the passes for programs on several processes. See Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SHARDING_PASSES_H
#define MLIR_EXT_SHARDING_PASSES_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::linalg_ext {

#define GEN_PASS_DECL
#include "mlir-ext/Sharding/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mlir-ext/Sharding/Passes.h.inc"

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SHARDING_PASSES_H
