//===- EmulateMma.h - Instructions of matrices, emulated --------*- C++ -*-===//
//
// The interpreter does not know wgmma nor MFMA. Here `vector_ext.mma` of these
// becomes stores of the fragments to shared memory and loops over it, by the
// formulas of the vendors' manuals: the layouts that the distribution uses take
// no part.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_EMULATEMMA_H
#define LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_EMULATEMMA_H

#include "mlir/IR/Operation.h"

namespace linalg_ext_test {

/// Emulates every wgmma and MFMA in `root`.
void emulateMma(mlir::Operation *root);

} // namespace linalg_ext_test

#endif // LINALG_EXT_UNITTESTS_DIALECT_VECTOREXT_DISTRIBUTION_EMULATEMMA_H
