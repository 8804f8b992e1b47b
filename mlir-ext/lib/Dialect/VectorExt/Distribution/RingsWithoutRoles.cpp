//===- RingsWithoutRoles.cpp - Rings of threads that compute --------------===//
//
// One of the threads that compute starts the copies, if possible some
// iterations ahead.
//
//===----------------------------------------------------------------------===//

#include "OtherIteration.h"
#include "RingLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::vector_ext;

/// Starts the copies of `put` for the iteration that is `ahead` iterations
/// after that of the induction variable `iteration`, if it exists. The first
/// iteration of the loop has none before it.
void RingLowering::startAhead(Ring &ring, RingPutOp put, Value iteration,
                              int64_t ahead, Value slot, bool isFirst) {
  auto loop = cast<scf::ForOp>(put->getParentOp());
  Location loc = loop.getLoc();
  auto getIteration = [&](int64_t distance) {
    Value offset = b.createOrFold<arith::MulIOp>(loc, loop.getStep(),
                                                 buildIndex(loc, distance));
    return b.createOrFold<arith::AddIOp>(loc, iteration, offset);
  };
  Value next = getIteration(ahead);
  Value exists = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                               next, loop.getUpperBound());
  Value isStarter = b.createOrFold<arith::AndIOp>(loc, isFirstThread, exists);
  OtherIteration other(b, loop, next,
                       isFirst ? Value() : getIteration(ahead - 1));
  IRMapping places;
  for (Value index : put.getIndices().join())
    places.map(index, other.build(index));
  startCopies(ring, put, isStarter, slot, slot, places);
}

/// Moves `put` forward by slots - 1 iterations, if it is in a loop without
/// other writes in which positions depend only on the number of the iteration.
bool RingLowering::moveAhead(Ring &ring, RingPutOp put, RingGetOp get) {
  auto loop = dyn_cast<scf::ForOp>(put->getParentOp());
  int64_t ahead = ring.getSlots() - 1;
  if (ahead == 0 || !loop || !get || writingLoops.contains(loop) ||
      llvm::count_if(
          ring.puts,
          [&](RingPutOp other) { return loop->isAncestor(other); }) != 1 ||
      !followsFromIteration(put.getPosition(), loop) ||
      !llvm::all_of(put.getIndices().join(), [&](Value index) {
        return followsFromIteration(index, loop);
      }))
    return false;

  Location loc = loop.getLoc();
  Operation *reader = nullptr;
  for (Operation *user : get->getUsers()) {
    Operation *here = loop.getBody()->findAncestorOpInBlock(*user);
    if (!reader || here->isBeforeInBlock(reader))
      reader = here;
  }
  b.setInsertionPoint(loop);
  // The memory is no longer used for earlier values, and all threads see the
  // barriers.
  gpu::BarrierOp::create(b, loc);
  Value position = OtherIteration(b, loop, loop.getLowerBound(), Value())
                       .build(put.getPosition());
  for (int64_t i = 0; i < ahead; ++i)
    startAhead(ring, put, loop.getLowerBound(), i,
               getSlot(loc, ring,
                       b.createOrFold<arith::AddIOp>(loc, position,
                                                     buildIndex(loc, i))),
               /*isFirst=*/i == 0);
  if (reader)
    b.setInsertionPointAfter(reader);
  else
    b.setInsertionPointAfter(get);
  // All threads have awaited the products that read the tiles of the previous
  // iteration.
  gpu::BarrierOp::create(b, loc);
  Value later = b.createOrFold<arith::AddIOp>(loc, put.getPosition(),
                                              buildIndex(loc, ahead));
  startAhead(ring, put, loop.getInductionVar(), ahead,
             getSlot(loc, ring, later), /*isFirst=*/false);
  return true;
}

/// Moves `get` to its first user if that is in a loop behind it, so that the
/// copies that are started in front of the loop are under way while threads
/// wait.
static void sinkWait(RingGetOp get) {
  Operation *first = nullptr;
  for (Operation *user : get->getUsers()) {
    Operation *here = get->getBlock()->findAncestorOpInBlock(*user);
    if (!here)
      return;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  if (isa_and_nonnull<scf::ForOp>(first))
    get->moveBefore(first);
}

void RingLowering::lowerShared(Ring &ring) {
  for (RingPutOp put : ring.puts) {
    if (!moveAhead(ring, put, findGet(ring, put))) {
      Location loc = put.getLoc();
      b.setInsertionPoint(put);
      // No thread still reads the old contents.
      gpu::BarrierOp::create(b, loc);
      Value slot = getSlot(loc, ring, put.getPosition());
      startCopies(ring, put, isFirstThread, slot, slot, IRMapping());
    }
  }
  for (RingPutOp put : ring.puts)
    b.eraseOp(put);
  for (RingGetOp get : ring.gets) {
    sinkWait(get);
    lowerGet(ring, get, /*needsFence=*/false);
  }
  for (RingReleaseOp release : ring.releases)
    b.eraseOp(release);
}
