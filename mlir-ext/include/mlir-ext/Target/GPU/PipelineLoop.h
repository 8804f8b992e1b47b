//===- PipelineLoop.h - Reads of a loop ahead of their use ------*- C++ -*-===//
//
// Functions for all vendors, to let a loop read the tiles of later iterations:
// which memory its ops access, how to guard reads for iterations that do not
// exist, and the call of upstream's pipeliner.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_PIPELINELOOP_H
#define MLIR_EXT_TARGET_GPU_PIPELINELOOP_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

#include <utility>
#include <vector>

namespace mlir::linalg_ext {

/// Returns whether `value` is a buffer in workgroup memory.
bool isWorkgroupMemory(Value value);

/// Returns whether all effects of `op` are reads of memory that is not the
/// workgroup's.
bool onlyReadsGlobalMemory(Operation *op);

/// Returns whether `op`, or something in it, may write memory that is not the
/// workgroup's. Barriers, and ops on groups of asynchronous copies, do not.
bool mayWriteGlobalMemory(Operation *op);

/// Makes `load` read only if `predicate` is true. Returns the op that
/// has its result, which is `otherwise` if `predicate` is false: a constant, or
/// poison if it is null. A load from a buffer of static size reads an element
/// that exists instead.
Operation *guardLoad(RewriterBase &b, memref::LoadOp load, Value predicate,
                     TypedAttr otherwise = {});

/// Makes `branch` taken only if `predicate` is also true.
void guardBranch(RewriterBase &b, scf::IfOp branch, Value predicate);

/// Pipelines `loop` by upstream's pipeliner. `schedule` has the ops of the body
/// with their stages, and `guard` makes an op of a stage that an iteration does
/// not have do nothing. Returns the new loop. Fails if upstream's pipeliner
/// refuses `loop`, with an error that says that `what` cannot be pipelined.
FailureOr<scf::ForOp>
pipelineLoop(RewriterBase &rewriter, scf::ForOp loop,
             std::vector<std::pair<Operation *, unsigned>> schedule,
             scf::PipeliningOption::PredicateOpFn guard, StringRef what);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_PIPELINELOOP_H
