//===- LookUpAhead.cpp - Look-ups of the next iteration -------------------===//
//
// A thread that copies gathered rows reads entries of a table, and then copies
// what these name. It would wait for the entries of keys, and then for those of
// values, in each iteration. So they are read one iteration before:
//
//     %first = if lower < upper: table[lower]
//     for %i (%entries = %first):
//       %next = table[%i + step < upper ? %i + step : %i]
//       copy the rows of %entries
//       yield %next
//
//===----------------------------------------------------------------------===//

#include "LookUpAhead.h"
#include "OtherIteration.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// True if `op` reads integers at places that vectors tell.
static bool isLookup(Operation *op) {
  return isa<vector::GatherOp, TransferGatherOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isInteger();
}

/// True if `op` divides by numbers that are not known, which takes as long as
/// to read memory: pages may have any number of rows.
static bool isDivision(Operation *op) {
  return isa<arith::FloorDivSIOp>(op) &&
         isa<VectorType>(op->getResult(0).getType()) &&
         !matchPattern(op->getOperand(1), m_Constant());
}

/// The look-ups and divisions of `loop` whose results something else uses.
static SmallVector<Value> getLookups(scf::ForOp loop) {
  SmallVector<Value> lookups;
  for (Operation &op : loop.getBody()->without_terminator())
    if ((isDivision(&op) ||
         (isLookup(&op) && !llvm::all_of(op.getUsers(), isLookup))) &&
        followsFromIteration(op.getResult(0), loop, /*mayRead=*/true))
      lookups.push_back(op.getResult(0));
  return lookups;
}

void mlir::vector_ext::lookUpAhead(RewriterBase &b, scf::ForOp loop) {
  SmallVector<Value> lookups = getLookups(loop);
  if (lookups.empty())
    return;
  OpBuilder::InsertionGuard guard(b);
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  Value isExecuted =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto first =
      scf::IfOp::create(b, loc, TypeRange(ValueRange(lookups)), isExecuted,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  b.setInsertionPointToStart(first.thenBlock());
  OtherIteration atFirst(b, loop, loop.getLowerBound(), Value());
  scf::YieldOp::create(b, loc, llvm::map_to_vector(lookups, [&](Value lookup) {
                         return atFirst.build(lookup);
                       }));
  b.setInsertionPointToStart(first.elseBlock());
  scf::YieldOp::create(b, loc,
                       llvm::map_to_vector(lookups, [&](Value lookup) -> Value {
                         return arith::ConstantOp::create(
                             b, loc, b.getZeroAttr(lookup.getType()));
                       }));

  // What is carried is set below.
  b.setInsertionPoint(loop);
  auto ahead = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      b, first.getResults(), /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        return SmallVector<Value>(carried.begin(), carried.end());
      }));
  b.setInsertionPointToStart(ahead.getBody());
  Value iv = ahead.getInductionVar();
  Value later = arith::AddIOp::create(b, loc, iv, ahead.getStep());
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                        later, ahead.getUpperBound());
  Value next = arith::SelectOp::create(b, loc, isThere, later, iv);
  OtherIteration atNext(b, ahead, next, iv);
  SmallVector<Value> values = llvm::map_to_vector(
      lookups, [&](Value lookup) { return atNext.build(lookup); });
  auto yield = cast<scf::YieldOp>(ahead.getBody()->getTerminator());
  unsigned numBefore = yield.getNumOperands() - values.size();
  b.modifyOpInPlace(yield, [&] {
    yield.getResultsMutable().slice(numBefore, values.size()).assign(values);
  });
  for (auto [lookup, carried] : llvm::zip_equal(
           lookups, ahead.getRegionIterArgs().take_back(values.size())))
    b.replaceOp(lookup.getDefiningOp(), carried);
}
