//===- RingsOfRoles.cpp - Rings that roles fill and read ------------------===//
//
// The ops of rings with roles, except for gets: a role fills slots, by writes
// or by copies, and another one frees them.
//
//===----------------------------------------------------------------------===//

#include "RingLowering.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;

//===----------------------------------------------------------------------===//
// Uses of tiles
//===----------------------------------------------------------------------===//

/// Returns whether instructions read tile `number` of `ring` in place.
static bool isReadInPlace(const Ring &ring, int64_t number) {
  return llvm::any_of(ring.gets, [&](RingGetOp get) {
    return llvm::any_of(get->getResult(number).getUsers(), [](Operation *user) {
      return getAsyncIntrinsic(user) != nullptr;
    });
  });
}

/// Returns whether `write` may become asynchronous copies from memory.
static bool mayBeCopied(RingWriteOp write) {
  return isa_and_nonnull<TransferGatherOp, vector::TransferReadOp>(
      write.getTile().getDefiningOp());
}

/// Returns whether threads load tiles of `ring`, so that no instruction reads
/// them in place.
static bool isLoaded(const Ring &ring) {
  return llvm::any_of(ring.gets, [](RingGetOp get) {
    return llvm::any_of(get->getUsers(), [](Operation *user) {
      return getAsyncIntrinsic(user) == nullptr;
    });
  });
}

/// Returns whether `ring` has tiles of bytes.
static bool hasBytes(Ring &ring) {
  return llvm::any_of(ring.getType().getTiles(), [](VectorType tile) {
    return tile.getElementTypeBitWidth() == 8;
  });
}

Operation *mlir::vector_ext::getPlaceOfRelease(Ring &ring,
                                               RingReleaseOp release) {
  Operation *place = release;
  if (!isLoaded(ring) || !ring.writes.empty() || hasBytes(ring))
    return place;
  for (Operation *op = place->getNextNode(); op; op = op->getNextNode()) {
    if (isa<AwaitOp, RingGetOp>(op))
      return place;
    if (isMemoryEffectFree(op) && op->getNumRegions() == 0)
      place = op;
    else if (!isa<RingReleaseOp>(op))
      break;
  }
  // Threads wait for nothing before they store what they compute.
  return release;
}

//===----------------------------------------------------------------------===//
// Threads that free slots
//===----------------------------------------------------------------------===//

/// Builds whether this is the thread of its subgroup that frees slots. Returns
/// null if the role has only one thread.
Value RingLowering::isReleasing(Location loc, RoleOp role) {
  if (role.getSingle())
    return {};
  Value &known = releasers[role];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&role.getBody().front());
    Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
    Value lane = arith::RemUIOp::create(b, loc, thread, buildIndex(loc, lanes));
    known = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, lane,
                                  buildIndex(loc, 0));
  }
  return known;
}

/// Builds the number of the thread in its subgroup.
Value RingLowering::getLane(Location loc, RoleOp role) {
  Value &known = lanesOf[role];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&role.getBody().front());
    Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
    known = arith::RemUIOp::create(b, loc, thread, buildIndex(loc, lanes));
  }
  return known;
}

/// Frees a slot in all workgroups of the cluster.
void RingLowering::releaseInCluster(Ring &ring, RingReleaseOp release) {
  Location loc = release.getLoc();
  // Lane w has workgroup w.
  Value lane = getLane(loc, ring.reader);
  Value isArriving = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ult, lane, buildIndex(loc, cluster));
  if (Value condition = release.getCondition())
    isArriving = b.createOrFold<arith::AndIOp>(loc, isArriving, condition);
  ClusterArriveOp::create(b, loc, ring.empty,
                          getSlot(loc, ring, release.getPosition()), lane,
                          isArriving);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Returns those writes of `ring` in front of which, in their block, no other
/// one of the same position has waited for the slot.
static llvm::DenseSet<Operation *> getWaitingWrites(const Ring &ring) {
  llvm::DenseSet<Operation *> waiting;
  for (RingWriteOp write : ring.writes)
    if (llvm::none_of(ring.writes, [&](RingWriteOp other) {
          return other != write && other->getBlock() == write->getBlock() &&
                 other.getPosition() == write.getPosition() &&
                 other->isBeforeInBlock(write);
        }))
      waiting.insert(write);
  return waiting;
}

void RingLowering::lowerInRoles(Ring &ring) {
  SmallVector<int64_t> copied;
  llvm::DenseSet<Operation *> waiting = getWaitingWrites(ring);
  for (RingWriteOp write : ring.writes) {
    Location loc = write.getLoc();
    b.setInsertionPoint(write);
    if (mayBeCopied(write))
      copied.push_back(write.getNumber());
    Value slot = getSlot(loc, ring, write.getPosition()), parity;
    if (ring.empty)
      parity = getParity(loc, write.getPosition(), ring.getSlots());
    if (waiting.contains(write))
      waitForSlot(loc, ring, slot, parity);
    WriteTileOp::create(
        b, loc, write.getTile(), getTile(loc, ring, write.getNumber(), slot),
        ring.full, getFull(loc, ring, write.getPosition(), slot),
        ring.getType().getLayouts()[write.getNumber()],
        isReadInPlace(ring, write.getNumber()) && !mayBeCopied(write));
    b.eraseOp(write);
  }
  for (RingPutOp put : ring.puts) {
    Location loc = put.getLoc();
    b.setInsertionPoint(put);
    Value isStarter = ring.copiersOfStarter > 1
                          ? Value()
                          : isCopying(loc, ring, put.getNumCopiers());
    // Other threads must not wait: the slot may be filled and freed twice
    // before they look, and a barrier only tells the last bit of its phase.
    Value slot = getSlot(loc, ring, put.getPosition()), parity;
    Value barrier = getFull(loc, ring, put.getPosition(), slot);
    if (ring.empty)
      parity = getParity(loc, put.getPosition(), ring.getSlots());
    OpBuilder::InsertionGuard guard(b);
    if (isStarter && ring.empty) {
      auto branch =
          scf::IfOp::create(b, loc, isStarter, /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenYield());
      isStarter = {};
    }
    if (ring.copiersOfStarter > 1) {
      startCopiesOfOthers(ring, put, slot, parity, barrier);
    } else {
      waitForSlot(loc, ring, slot, parity);
      startCopies(ring, put, isStarter, slot, barrier, IRMapping());
    }
    b.eraseOp(put);
  }
  for (RingReleaseOp release : ring.releases) {
    Location loc = release.getLoc();
    b.setInsertionPointAfter(placesOfReleases.lookup(release));
    if (ring.empty) {
      // Instructions have been waited for. If threads load the tile, each of
      // them has its own data.
      if (isLoaded(ring)) {
        // Copies to the slot may start at once, before loads have ended: only
        // a fence orders ordinary loads before them.
        if (ring.writes.empty())
          target.fence(b, loc);
        target.syncSubgroup(b, loc);
      }
      if (ring.isShared) {
        releaseInCluster(ring, release);
        b.eraseOp(release);
        continue;
      }
      Value isReleasingThread = isReleasing(loc, ring.reader);
      if (Value condition = release.getCondition())
        isReleasingThread = isReleasingThread
                                ? b.createOrFold<arith::AndIOp>(
                                      loc, isReleasingThread, condition)
                                : condition;
      target.arrive(b, loc, isReleasingThread, ring.empty,
                    getSlot(loc, ring, release.getPosition()));
    }
    b.eraseOp(release);
  }
  bool needsFence = llvm::any_of(
      copied, [&](int64_t number) { return isReadInPlace(ring, number); });
  for (RingGetOp get : ring.gets)
    lowerGet(ring, get, needsFence);
}
