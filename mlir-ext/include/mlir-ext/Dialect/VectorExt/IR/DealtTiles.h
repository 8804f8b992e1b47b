//===- DealtTiles.h - Tiles of persistent kernels ---------------*- C++ -*-===//
//
// The pass that numbers the tiles of a kernel and the pass that deals them to
// workgroups must agree on the order of tiles whose work decreases along a row.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_DEALTTILES_H
#define MLIR_EXT_DIALECT_VECTOREXT_IR_DEALTTILES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

namespace mlir::vector_ext {

/// How tiles are dealt (`KernelMark::persist`): one by one; in two directions,
/// since they get shorter along a row; or in pairs of a long part of a sum and
/// the rest of it, where all long ones have the first numbers.
constexpr int64_t kDealtInOrder = 1, kDealtInTwoDirections = 2,
                  kDealtInPairs = 3;

/// Builds how many of the `tiles` of a launch are dealt in pairs: a long and a
/// short tile of one row, which is good for caches. The work of the tiles
/// decreases along a row. If the last round of pairs leaves `processors` idle
/// for at least a 17th of the time, or a 65th if there are more than six
/// rounds, other tiles are dealt one by one, by their length, through all rows
/// that are left:
///
///   - all tiles, if there are at most three rounds of pairs
///     (docs/Decisions/0080);
///   - those of the last two rounds, if there are more (docs/Decisions/0149).
///     The tiles in pairs are whole rounds then.
inline Value buildTilesInPairs(OpBuilder &b, Location loc, Value tiles,
                               int64_t processors) {
  processors = std::max<int64_t>(processors, 1);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  auto select = [&](Value condition, Value a, Value c) {
    return b.createOrFold<arith::SelectOp>(loc, condition, a, c);
  };
  Value pairs = b.createOrFold<arith::CeilDivUIOp>(loc, tiles, constant(2));
  Value rounds =
      b.createOrFold<arith::CeilDivUIOp>(loc, pairs, constant(processors));
  auto isUneven = [&](int64_t parts) {
    return b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ugt,
        b.createOrFold<arith::MulIOp>(loc, rounds,
                                      constant(parts * processors)),
        b.createOrFold<arith::MulIOp>(loc, pairs, constant(parts + 1)));
  };
  auto isAtMost = [&](int64_t number) {
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ule, rounds,
                                         constant(number));
  };
  Value whole = b.createOrFold<arith::MulIOp>(
      loc, b.createOrFold<arith::SubIOp>(loc, rounds, constant(2)),
      constant(2 * processors));
  return select(select(isAtMost(6), isUneven(16), isUneven(64)),
                select(isAtMost(3), constant(0), whole), tiles);
}

} // namespace mlir::vector_ext

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_DEALTTILES_H
