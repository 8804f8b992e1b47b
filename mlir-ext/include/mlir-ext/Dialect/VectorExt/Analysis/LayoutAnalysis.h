//===- LayoutAnalysis.h - A layout for every vector -------------*- C++ -*-===//
//
// Some vectors have their layouts given: the operands of instructions, and what
// `vector_ext.to_layout` asks for. The analysis finds layouts for the others,
// so that as little as possible has to move between threads.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

#include <set>

namespace mlir::vector_ext {

/// The threads that a workgroup's program is for.
struct Workgroup {
  int64_t numLanes = 32;
  int64_t numSubgroups = 1;
  /// The subgroup can load matrices from shared memory
  /// (`vector_ext.load_matrix`).
  bool hasMatrixLoads = false;
  /// Threads can copy from global to shared memory without registers
  /// (`nvgpu.device_async_copy`).
  bool hasAsyncCopies = false;
  /// How many buffers a tile has that is copied so in each iteration of a loop,
  /// for the next iterations' copies to be under way.
  int64_t numBuffers = 1;
  /// Large results of instructions go through shared memory to be written 16
  /// bytes at a time.
  bool hasWideWrites = false;
};

/// A layout for a vector of `shape` of which nothing is known: consecutive
/// elements of the last dimension, `elementBytes` bytes each, go to a lane
/// until it has 16 bytes (or 8 or 4, if there are 16 for each thread, but only
/// fewer leave none of them without an element of its own), then to the next
/// lanes, then to other dimensions; subgroups take the slowest dimensions,
/// registers what is left. What does not divide is replicated.
layout::Layout getBlockedLayout(ArrayRef<int64_t> shape, int64_t elementBytes,
                                const Workgroup &workgroup);

//===----------------------------------------------------------------------===//
// What an op asks of the layouts of its values
//===----------------------------------------------------------------------===//

/// An operand or a result of an op.
using OperandOrResult = llvm::PointerUnion<OpOperand *, OpResult>;

/// The value whose layout decides the layouts of all others of the op: mostly
/// the result; the source of a reduction; the vector that is written. Null if
/// the op has no vector, or has regions.
Value getDecidingValue(Operation *op);

/// The layout that `operand`, a vector, must have if the deciding value of its
/// op has `deciding`. Null if the op is not known.
std::optional<layout::Layout> getOperandLayout(OpOperand &operand,
                                               const layout::Layout &deciding);

/// The layout that `result` has if the deciding value of its op has `deciding`.
std::optional<layout::Layout> getResultLayout(OpResult result,
                                              const layout::Layout &deciding);

/// The layout of the deciding value of the op of `operand` (or `result`) that
/// makes `getOperandLayout` (`getResultLayout`) give `layout`. Null if several
/// do, or none does.
std::optional<layout::Layout> getDecidingLayout(OpOperand &operand,
                                                const layout::Layout &layout);
std::optional<layout::Layout> getDecidingLayout(OpResult result,
                                                const layout::Layout &layout);

/// A layout of the deciding value of `op` that its operands can follow, for an
/// op of which not every layout is one. Null if the op is not such an op.
std::optional<layout::Layout> getPossibleLayout(Operation *op,
                                                const Workgroup &workgroup);

/// True if it costs nothing much to compute `value` once more in another layout
/// (constants, masks, indices).
bool isRematerializable(Value value);

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// Layouts of the vectors in a scope (a `gpu.launch`, a function).
///
///   1. `vector_ext.to_layout`, contractions with a `vector_ext.config` and
///      constants that are not splats have theirs.
///   2. Forward, in program order: the result of an op has the layout that its
///      operands decide. Where they disagree, it is the one that costs least
///      to convert the others to.
///   3. Backward: what has none yet has the layout that its user asks for.
///   4. If there are still vectors without one, the first gets a blocked
///      layout, and 2 goes on.
class LayoutAnalysis {
public:
  LayoutAnalysis(Operation *scope, const Workgroup &workgroup);

  /// Runs the analysis. Fails, with an error at the op, if an op with vectors
  /// is not known to it.
  LogicalResult run();

  /// Makes every change of layout a `vector_ext.to_layout`, and computes what
  /// is rematerializable once for each layout. Afterwards every operand has the
  /// layout that its op wants.
  LogicalResult materialize(RewriterBase &rewriter);

  /// The layout of `value`, a vector in the scope.
  const layout::Layout &getLayout(Value value) const;
  std::optional<layout::Layout> lookup(Value value) const;
  void setLayout(Value value, const layout::Layout &layout) {
    layouts.insert_or_assign(value, layout);
  }

private:
  void assign(Value value, const layout::Layout &layout);
  void propagateForward(Operation *op);
  void propagateBackward(Operation *op);
  void propagateTied(Value value);
  std::optional<layout::Layout> chooseDeciding(Operation *op);
  Value convert(RewriterBase &rewriter, Value value,
                const layout::Layout &layout);
  void convertResult(RewriterBase &rewriter, OpResult result,
                     const layout::Layout &given);
  Value rematerialize(RewriterBase &rewriter, Operation *user, Value value,
                      const layout::Layout &layout);

  Operation *scope;
  Workgroup workgroup;
  llvm::DenseMap<Value, layout::Layout> layouts;
  llvm::DenseMap<Operation *, unsigned> order;
  SmallVector<Operation *> ops;
  std::set<unsigned> forward;
  std::set<unsigned, std::greater<unsigned>> backward;
};

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H
