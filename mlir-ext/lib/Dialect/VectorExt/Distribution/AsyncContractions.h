//===- AsyncContractions.h - Asynchronous contractions ----------*- C++ -*-===//
//
// Private to the distribution of contractions. Those whose instructions are
// asynchronous, and tiles in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ASYNCCONTRACTIONS_H
#define MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ASYNCCONTRACTIONS_H

#include "ContractSums.h"

namespace mlir::vector_ext {

/// Starts all instructions of `op`, one chain for each part of the result.
/// Waits for them if no other op of the workgroup does.
FailureOr<Value> distributeAsynchronously(ImplicitLocOpBuilder &b,
                                          vector::ContractionOp op,
                                          const MmaIntrinsic &intrinsic,
                                          Distributor &distributor,
                                          const InstructionOperand &lhs,
                                          const InstructionOperand &rhs,
                                          const InstructionOperand &acc);

/// Registers the models of the ops that wait for such instructions, and of
/// tiles in shared memory.
void registerAsyncLayoutModels(DialectRegistry &registry);

} // namespace mlir::vector_ext

#endif // MLIR_EXT_LIB_DIALECT_VECTOREXT_DISTRIBUTION_ASYNCCONTRACTIONS_H
