//===- LayoutAnalysis.h - A layout for every vector -------------*- C++ -*-===//
//
// Assigns a layout to every vector. Some layouts are requested: those of
// operands of instructions, and those of `vector_ext.to_layout`. The analysis
// chooses the others so that few elements move between threads. It knows no op:
// `LayoutOpInterface` says how the layouts of the vectors of an op depend on
// each other.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H
#define MLIR_EXT_DIALECT_VECTOREXT_ANALYSIS_LAYOUTANALYSIS_H

#include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.h"
#include "mlir-ext/Layout/Layout.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <set>

namespace mlir::vector_ext {

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

/// Returns the blocked layout of runs of 16 bytes, but with at most 128 bytes
/// of a row, a line of the cache, in lanes side by side. A thread has several
/// runs of a longer row, and fewer rows, of which it computes the addresses.
layout::Layout getLineLayout(ArrayRef<int64_t> shape, int64_t elementBytes,
                             const Workgroup &workgroup);

/// Returns the layout in which a workgroup reads a tile from global memory, if
/// the tile then goes through shared memory to threads that need it in layout
/// `to`. Usually this is the blocked layout of the shape of `to`. The exception
/// is a `to` with runs of registers along another dimension than the last one,
/// in a workgroup without matrix loads (which transpose) and asynchronous
/// copies. Then a thread has blocks of up to 8 bytes along that dimension by up
/// to 16 bytes along the last one, and stores and loads runs of these 8 bytes.
/// If the rows of the tile are gathered (`isGathered`), those of a subgroup are
/// next to each other.
layout::Layout getTileLayout(const layout::Layout &to, int64_t elementBytes,
                             const Workgroup &workgroup, bool isGathered);

/// Returns true if computing `value` again in another layout is cheap: its op
/// and those of its operands are rematerializable (`LayoutOpInterface`).
bool isRematerializable(Value value);

//===----------------------------------------------------------------------===//
// The analysis
//===----------------------------------------------------------------------===//

/// Finds the layouts of the vectors in a scope (a `gpu.launch` or a function).
///
///   1. Take the layouts that ops request.
///   2. Forward, in program order: the operands of an op determine the layout
///      of its result. If they disagree, choose the layout with the cheapest
///      conversions of the others.
///   3. Backward: an operand without a layout gets the layout that its user
///      needs.
///   4. If vectors without a layout remain, give the first one the layout that
///      its op prefers, or a blocked layout, and continue with 2.
///      Rematerialisable values come last. So do vectors that only follow from
///      the layouts of ops that prefer one, such as positions and masks of
///      reads.
class LayoutAnalysis {
public:
  LayoutAnalysis(Operation *scope, const Workgroup &workgroup);

  /// Runs the analysis. Fails, with an error at the op, if an op on vectors
  /// does not implement the interface, if a vector type is not supported, or if
  /// a requested layout does not fit.
  LogicalResult run();

  /// Inserts a `vector_ext.to_layout` for every change of layout. Clones a
  /// rematerialisable value for each of its layouts instead. If a value repeats
  /// a smaller one, converts this one, and repeats it again. Afterwards every
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
  LogicalResult takeRequest(Operation *op);
  bool waitsForUsers(Value value, unsigned depth) const;
  void chooseRemaining(Value value);
  std::optional<layout::Layout> chooseDeciding(LayoutOpInterface op);
  Value convert(RewriterBase &rewriter, Value value,
                const layout::Layout &layout);
  void convertResult(RewriterBase &rewriter, OpResult result,
                     const layout::Layout &given);
  /// Returns the cost of a conversion of `value` to `layout`.
  int64_t getCost(Value value, const layout::Layout &layout) const;
  /// If broadcasts, and ops that keep elements, compute `value` from a vector
  /// of at most half the elements that costs less to convert, so that `value`
  /// gets `layout`, returns this vector. Null otherwise.
  Value getRepeated(Value value, const layout::Layout &layout) const;
  /// Clones the ops that compute `value` so that the clone has `layout`.
  /// Converts `source`, if it is not null, and repeats only what follows from
  /// it.
  Value rematerialize(RewriterBase &rewriter, Operation *user, Value value,
                      const layout::Layout &layout, Value source);

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
