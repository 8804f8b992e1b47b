//===- LayoutAnalysis.h - A layout for every vector -------------*- C++ -*-===//
//
// Assigns a layout to every vector. Some layouts are given: those of operands
// of instructions, and those that `vector_ext.to_layout` requests. The analysis
// chooses the others so that few elements move between threads.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H

#include "mlir-ext/Layout/Layout.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

#include <set>

namespace mlir::vector_ext {

/// The threads of a workgroup, and what they can do.
struct Workgroup {
  int64_t numLanes = 32;
  int64_t numSubgroups = 1;
  /// Subgroups can load matrices from shared memory (`vector_ext.load_matrix`).
  bool hasMatrixLoads = false;
  /// Threads can copy from global to shared memory without registers, as the
  /// target has registered it (`AsyncCopies`).
  bool hasAsyncCopies = false;
  /// The number of shared-memory buffers of each tile that a loop copies
  /// asynchronously. With several, iterations use them in turn, so that copies
  /// for later iterations can be in flight.
  int64_t numBuffers = 1;
  /// Large results of instructions go through shared memory, so that threads
  /// write 16 bytes at a time.
  bool hasWideWrites = false;
};

/// Returns the default layout of a vector of shape `shape` with elements of
/// `elementBytes` bytes. The digits are, from the fastest on:
/// 1. registers, for a run of consecutive elements of the last dimension. A run
///    has 16 bytes. It has 8 or 4 bytes if the vector has at least 16 bytes for
///    each thread and only shorter runs avoid replicas;
/// 2. lanes, from the last dimension to the first;
/// 3. subgroups, from the first dimension to the last;
/// 4. registers, for the rest.
///
/// If the size of a dimension does not divide evenly, threads hold replicas.
layout::Layout getBlockedLayout(ArrayRef<int64_t> shape, int64_t elementBytes,
                                const Workgroup &workgroup);

//===----------------------------------------------------------------------===//
// What an op asks of the layouts of its values
//===----------------------------------------------------------------------===//

/// An operand or a result of an op.
using OperandOrResult = llvm::PointerUnion<OpOperand *, OpResult>;

/// Returns the value whose layout determines the layouts of all other values of
/// the op. It is mostly the result. It is the source of a reduction, and the
/// vector of a write. Null if the op has no vector, has regions or is a
/// terminator.
Value getDecidingValue(Operation *op);

/// Returns the layout that the vector `operand` must have if the deciding value
/// of its op has layout `deciding`. Returns std::nullopt if the op is not
/// known, or if no layout of the operand fits.
std::optional<layout::Layout> getOperandLayout(OpOperand &operand,
                                               const layout::Layout &deciding);

/// Returns the layout of `result` if the deciding value of its op has layout
/// `deciding`.
std::optional<layout::Layout> getResultLayout(OpResult result,
                                              const layout::Layout &deciding);

/// Returns the layout of the deciding value for which `getOperandLayout`
/// (`getResultLayout`) returns `layout`. Returns std::nullopt if there are
/// several or none.
std::optional<layout::Layout> getDecidingLayout(OpOperand &operand,
                                                const layout::Layout &layout);
std::optional<layout::Layout> getDecidingLayout(OpResult result,
                                                const layout::Layout &layout);

/// For an op whose operands cannot follow every layout: returns a layout of the
/// deciding value that they can follow. Returns std::nullopt for all other ops.
std::optional<layout::Layout> getPossibleLayout(Operation *op,
                                                const Workgroup &workgroup);

/// Returns true if computing `value` again in another layout is cheap: splat
/// constants, masks, positions, and elementwise ops of these.
bool isRematerializable(Value value);

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// Finds the layouts of the vectors in a scope (a `gpu.launch` or a function).
///
///   1. Take the layouts of `vector_ext.to_layout` ops and of contractions with
///      a `vector_ext.config`.
///   2. Forward, in program order: the operands of an op determine the layout
///      of its result. If they disagree, choose the layout with the cheapest
///      conversions of the others.
///   3. Backward: an operand without a layout gets the layout that its user
///      needs.
///   4. If vectors without a layout remain, give the first one a blocked layout
///      and go on with 2. Rematerialisable values come last.
class LayoutAnalysis {
public:
  LayoutAnalysis(Operation *scope, const Workgroup &workgroup);

  /// Runs the analysis. Fails, with an error at the op, if an op on vectors or
  /// a vector type is not supported, or if a given layout does not fit.
  LogicalResult run();

  /// Inserts a `vector_ext.to_layout` for every change of layout. Clones a
  /// rematerialisable value for each of its layouts instead. Afterwards every
  /// operand has the layout that its op needs. Fails, with an error at the op,
  /// if no layouts of the operands fit the op.
  LogicalResult materialize(RewriterBase &rewriter);

  /// Returns the layout of `value`, a vector in the scope. `lookup` returns
  /// std::nullopt if there is none.
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
