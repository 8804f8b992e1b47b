//===- DescribeLayouts.h - Layouts of a kernel, for programs ----*- C++ -*-===//
//
// Describes as JSON where the vectors of a kernel are: in registers of threads,
// and in shared memory (docs/Explain.md).
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

/// Adds tiles that go through shared memory to a result of `describeLayouts`.
void describeExchanges(ArrayRef<SharedExchange> exchanges,
                       llvm::json::Object &object);

/// Emits `object` for programs, as a description of `scope`: a kernel, or a
/// role of one. The function is the one around it or, if there is none,
/// `functionName`.
void emitLayouts(Operation *scope, StringRef functionName,
                 llvm::json::Object object);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_DESCRIBELAYOUTS_H
