//===- DescribeLayouts.h - Layouts of a kernel, for programs ----*- C++ -*-===//
//
// Where the vectors of a kernel are, as JSON (docs/Explain.md): in registers of
// threads, and in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DESCRIBELAYOUTS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DESCRIBELAYOUTS_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "llvm/Support/JSON.h"

namespace mlir::vector_ext {

/// Describes operands and results of contractions and reductions in `scope`, in
/// the layouts of `analysis`, and tiles in shared memory that are read in
/// place.
llvm::json::Object describeLayouts(Operation *scope,
                                   const LayoutAnalysis &analysis,
                                   const Workgroup &workgroup);

/// Adds tiles that go through shared memory to what `describeLayouts` returned.
void describeExchanges(ArrayRef<SharedExchange> exchanges,
                       llvm::json::Object &object);

/// Emits `object` for programs, as what `scope` has: a kernel, or a role of one,
/// of the function around it, or else of `functionName`.
void emitLayouts(Operation *scope, StringRef functionName,
                 llvm::json::Object object);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DESCRIBELAYOUTS_H
