//===- Sharding.h - Programs on several processes ---------------*- C++ -*-===//
//
// Sharding of this project's ops, and of tensor ops that upstream does not
// cover, among the processes of a `shard.grid`. docs/Sharding.md describes the
// whole.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SHARDING_SHARDING_H
#define MLIR_EXT_SHARDING_SHARDING_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
class ModuleOp;

namespace linalg_ext {
/// Registers shard::ShardingInterface
///
/// - for LinalgExt ops. If the processes share a dimension that an
///   OnlineReductionOpInterface reduces, each of them reduces its part. They
///   gather their states, which they combine with `buildCombine`, and repair
///   their partial results with `buildStateRepair`;
/// - for tensor.expand_shape and collapse_shape, where the processes share the
///   outermost dimension of a group, and for tensor.extract_slice and concat,
///   where they share dimensions that are not cut;
/// - for tensor.dim, bufferization.alloc_tensor and arithmetic on numbers: they
///   are those of the whole; and
/// - the models of upstream for func, linalg, arith and tensor ops.
void registerShardingExternalModels(DialectRegistry &registry);

/// Annotates the public functions of `module` with the shardings that `text`
/// describes (see `linalg-ext-complete-sharding`). Fails, with an error and the
/// module unchanged, if it cannot.
LogicalResult annotateSharding(ModuleOp module, StringRef text);

/// Rewrites ops for which upstream's propagation has no models. Uninitialised
/// tensors of dynamic size become bufferization.alloc_tensor. Scalars from
/// outside that payloads use are moved into the payloads. Fails, with an error
/// and the module unchanged, at a structured op on buffers, which cannot be
/// sharded.
LogicalResult prepareForPropagation(ModuleOp module);

/// Checks that `shard-partition` computes what the function computes on one
/// process. `function` must be annotated, as `sharding-propagation` leaves it.
/// Arguments that nothing uses are annotated first. Emits an error at the first
/// op where that is not so:
///
/// - an operand or a result that is a ranked tensor is not annotated;
/// - an axis is not one of the grid, or is used twice for one tensor;
/// - a sharding has halos or offsets, or one of another grid follows it;
/// - several axes cut a dimension, and one of them is striped;
/// - a constant tensor has elements that differ;
/// - the number of processes does not divide a static size, or is dynamic;
/// - a payload reads elements of a sharded tensor that is not an operand;
/// - a reduction over a sharded dimension has several results, or is not one
///   of sum, product, minimum and maximum;
/// - a contraction over a sharded dimension computes what an online reduction
///   reads: the processes would exchange the scores. This is the case if the
///   head dimension of an attention is sharded.
LogicalResult verifySharding(FunctionOpInterface function);

/// Prepares a function for `shard-partition`. `function` is annotated, and has
/// been verified.
///
/// - Where a sharding follows another one, and they differ in several axes,
///   shardings in between follow each other: `shard-partition` would change one
///   axis, and leave the others.
/// - `linalg.index` of a sharded dimension counts from the start of the whole
///   tensor: the position of the process is added.
/// - Where a sharded dimension is reduced, constants move into the payload.
///   Upstream's model of linalg ops would lose them.
void prepareShardedPayloads(FunctionOpInterface function);

/// Lowers the ops of the shard dialect: communication becomes calls of the
/// runtime library, the rest becomes arithmetic. Moves ops that depend on
/// communication behind ops that do not. See `linalg-ext-complete-sharding`. On
/// failure, an error says why.
LogicalResult lowerShardedProgram(ModuleOp module);
} // namespace linalg_ext
} // namespace mlir

#endif // MLIR_EXT_SHARDING_SHARDING_H
