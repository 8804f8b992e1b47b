//===- ViewAhead.h - What a later iteration reads ---------------*- C++ -*-===//
//
// Private to VectorizeBuffers. Prefetches ask for what comes a fixed number of
// bytes later. Where a loop looks up its view in memory, as pages are looked up
// in a table, that is not what the next iteration reads.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_CODEGEN_CPU_VIEWAHEAD_H
#define MLIR_EXT_LIB_CODEGEN_CPU_VIEWAHEAD_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlir::linalg_ext {

/// What later iterations of a loop read. Iterations form groups of as many
/// iterations as there are `views`. The iterations of the next group read these
/// views.
struct ViewsAhead {
  SmallVector<Value> views;
  /// The number of the current iteration in its group, as an index. Null if
  /// groups have one iteration.
  Value number;
  /// The number of parts of a group that are read at the same time, a multiple
  /// of the number of views. If it is one, the rows of a view are read in their
  /// order.
  int64_t numStreams = 1;

  explicit operator bool() const { return !views.empty(); }
};

/// Returns the buffers that `view` will be in later iterations. `view` depends
/// on a loop around the insertion point of `b`; take the innermost such loop.
/// Its next `group` iterations, or a divisor of `group` of them, get one buffer
/// each. If `group` is one, the buffer is that of `iterations` iterations
/// later. Behind the end of the loop its next runs follow, if the loops around
/// it have other iterations. Where nothing follows, the buffer is `view`.
/// Returns none if nothing that the loop reads from memory changes `view`, or
/// if it cannot be read earlier.
///
/// If `view` is in the loop `earlier`, which lies before the insertion point,
/// `group` must be one. The result is then the view in iteration `number` (a
/// value of the induction variable) of a later run of that loop, at least
/// `iterations` iterations later.
ViewsAhead buildViewsAhead(OpBuilder &b, Value view, int64_t iterations,
                           int64_t group, scf::ForOp earlier = {},
                           Value number = {});

/// Returns the buffer that `view` will be in the next iteration of the
/// innermost loop around the insertion point of `b` on which it depends, as
/// buildViewsAhead does. Returns null if there is no such loop, or if that
/// buffer cannot be found earlier.
Value buildNextView(OpBuilder &b, Value view);

/// Returns the view of `ahead`, and the row of it, that comes next while row
/// `row` of the current one is read. Views have `size` rows, a multiple of the
/// number of streams. A group reads all streams of the next one in turn, row by
/// row.
std::pair<Value, Value> buildRowAhead(OpBuilder &b, Location loc,
                                      const ViewsAhead &ahead, Value row,
                                      int64_t size);

/// Returns `view` if `condition` is true, and otherwise `other`, which has the
/// same type. If both are views of listed rows, selects the buffers that they
/// view.
Value selectView(OpBuilder &b, Location loc, Value condition, Value view,
                 Value other);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_CODEGEN_CPU_VIEWAHEAD_H
