//===- ProductsOfThreads.h - One product at a time --------------*- C++ -*-===//
//
// Private to the distribution of contractions. Those without an instruction,
// and outer products.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PRODUCTSOFTHREADS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PRODUCTSOFTHREADS_H

#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::vector_ext {

/// Distributes a contraction without an instruction: each thread computes all
/// products of its elements of the result.
FailureOr<Value> distributeByProducts(vector::ContractionOp op,
                                      Distributor &distributor);

/// Registers the model of `vector.outerproduct`.
void registerOuterProductModel(DialectRegistry &registry);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_PRODUCTSOFTHREADS_H
