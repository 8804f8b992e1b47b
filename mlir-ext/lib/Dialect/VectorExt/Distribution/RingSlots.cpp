//===- RingSlots.cpp - Slots of rings, and gets ---------------------------===//
//
// Which slot and which barriers belong to a position, the memory of a slot, and
// the ops that wait for its tiles.
//
//===----------------------------------------------------------------------===//

#include "RingLowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::vector_ext;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Builds which of `places`, slots or barriers, belongs to `position`.
Value RingLowering::getPlace(Location loc, Value position, int64_t places) {
  if (places == 1)
    return buildIndex(loc, 0);
  return b.createOrFold<arith::RemUIOp>(loc, position, buildIndex(loc, places));
}

/// Builds the last bit of the number of earlier uses of the place of
/// `position`.
Value RingLowering::getParity(Location loc, Value position, int64_t places) {
  Value round = places == 1 ? position
                            : b.createOrFold<arith::DivUIOp>(
                                  loc, position, buildIndex(loc, places));
  Value bit = b.createOrFold<arith::RemUIOp>(loc, round, buildIndex(loc, 2));
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, bit,
                                       buildIndex(loc, 0));
}

/// Builds the memory of tile `number` of `slot`.
Value RingLowering::getTile(Location loc, Ring &ring, unsigned number,
                            Value slot) {
  layout::SharedLayout layout = ring.getType().getLayouts()[number].getLayout();
  auto type = MemRefType::get(
      {layout.getSizeInBytes() / layout.getElementBytes()},
      ring.elements[number], MemRefLayoutAttrInterface(),
      cast<MemRefType>(ring.memories[number].getType()).getMemorySpace());
  Value shift = b.createOrFold<arith::MulIOp>(
      loc, slot, buildIndex(loc, ring.getType().getSlotBytes(number)));
  return memref::ViewOp::create(b, loc, type, ring.memories[number], shift,
                                ValueRange());
}

/// Builds the memory of those parts of tile `number` of `slot` that `copier`,
/// one of `copiers`, copies.
Value RingLowering::getOwnPart(Location loc, Ring &ring, unsigned number,
                               Value slot, int64_t copiers, Value copier) {
  if (copiers == 1)
    return getTile(loc, ring, number, slot);
  layout::SharedLayout layout = ring.getType().getLayouts()[number].getLayout();
  // Rows of a part are adjacent in each panel.
  SmallVector<int64_t> first(layout.getRank(), 0);
  first.front() = layout.getShape().front() / copiers;
  int64_t bytes = layout.getRow(first) * layout.getRowStride();
  auto type = MemRefType::get(
      {(layout.getSizeInBytes() - (copiers - 1) * bytes) /
       layout.getElementBytes()},
      ring.elements[number], MemRefLayoutAttrInterface(),
      cast<MemRefType>(ring.memories[number].getType()).getMemorySpace());
  Value shift = b.createOrFold<arith::AddIOp>(
      loc,
      b.createOrFold<arith::MulIOp>(
          loc, slot, buildIndex(loc, ring.getType().getSlotBytes(number))),
      b.createOrFold<arith::MulIOp>(loc, copier, buildIndex(loc, bytes)));
  return memref::ViewOp::create(b, loc, type, ring.memories[number], shift,
                                ValueRange());
}

/// Builds a wait until `slot` is free for the use with `parity`.
void RingLowering::waitForSlot(Location loc, Ring &ring, Value slot,
                               Value parity) {
  if (!ring.empty)
    return;
  // In the first use of a slot, the wait succeeds at once.
  Value before = arith::XOrIOp::create(
      b, loc, parity, arith::ConstantIntOp::create(b, loc, 1, 1));
  target.wait(b, loc, ring.empty, slot, before);
}

//===----------------------------------------------------------------------===//
// Gets
//===----------------------------------------------------------------------===//

/// Writes zeros to the rows of tile `number` of `slot` from `end` on, if there
/// are any. The threads that get the tile share the rows.
void RingLowering::clearBehind(Ring &ring, RingGetOp get, unsigned number,
                               Value slot, Value end) {
  Location loc = get.getLoc();
  if (!get.mayEnd(number))
    return;
  layout::SharedLayout layout = ring.getType().getLayouts()[number].getLayout();
  int64_t size = layout.getShape().front();
  Value isCut = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, end,
                                      buildIndex(loc, size));
  auto branch = scf::IfOp::create(b, loc, isCut, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  // Write eight bytes at a time. A swizzle stays within the row of a panel.
  Type word = b.getI64Type();
  SmallVector<int64_t> one(layout.getRank(), 0);
  one.front() = 1;
  int64_t step = layout.getRow(one) * layout.getRowStride() / 8;
  auto type = MemRefType::get(
      {layout.getSizeInBytes() / 8}, word, MemRefLayoutAttrInterface(),
      cast<MemRefType>(ring.memories[number].getType()).getMemorySpace());
  Value shift = b.createOrFold<arith::MulIOp>(
      loc, slot, buildIndex(loc, ring.getType().getSlotBytes(number)));
  Value words = memref::ViewOp::create(b, loc, type, ring.memories[number],
                                       shift, ValueRange());
  RoleOp role = ring.reader;
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  thread = b.createOrFold<arith::SubIOp>(loc, thread,
                                         buildIndex(loc, role.getFirst()));
  Value numThreads = buildIndex(loc, role.getSingle() ? 1 : role.getThreads());
  Value from = b.createOrFold<arith::MaxSIOp>(loc, end, buildIndex(loc, 0));
  Value zero = arith::ConstantIntOp::create(b, loc, word, 0);
  for (int64_t panel = 0; panel < layout.getNumPanels(); ++panel) {
    int64_t start = panel * layout.getPanelStride() / 8;
    AffineExpr row, of;
    bindSymbols(b.getContext(), row, of);
    Value first = affine::AffineApplyOp::create(
        b, loc, AffineMap::get(0, 2, row * step + of + start),
        ValueRange{from, thread});
    auto loop = scf::ForOp::create(
        b, loc, first, buildIndex(loc, start + size * step), numThreads);
    OpBuilder::InsertionGuard inLoop(b);
    b.setInsertionPointToStart(loop.getBody());
    memref::StoreOp::create(b, loc, zero, words, loop.getInductionVar());
  }
  target.fence(b, loc);
  if (!role.getSingle())
    createBarrier(b, loc);
}

void RingLowering::lowerGet(Ring &ring, RingGetOp get, bool needsFence) {
  Location loc = get.getLoc();
  b.setInsertionPoint(get);
  Value slot = getSlot(loc, ring, get.getPosition());
  Value barrier = getFull(loc, ring, get.getPosition(), slot);
  Value parity = getParity(loc, get.getPosition(), ring.numFull);
  {
    OpBuilder::InsertionGuard guard(b);
    Value condition = get.getCondition();
    bool mayWait = !condition || getConstantIntValue(condition) != 0;
    if (condition && mayWait) {
      auto branch =
          scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenYield());
    }
    if (mayWait)
      target.wait(b, loc, ring.full, barrier, parity);
  }
  // Values that threads have written are not yet visible to asynchronous
  // instructions, but they are to threads that load them.
  if (needsFence)
    target.fence(b, loc);
  for (auto [number, end] : llvm::enumerate(get.getEnds()))
    clearBehind(ring, get, number, slot, end);
  SmallVector<Value> tiles;
  for (auto [number, type] : llvm::enumerate(ring.getType().getTiles()))
    tiles.push_back(SharedTileOp::create(b, loc, type,
                                         getTile(loc, ring, number, slot),
                                         ring.getType().getLayouts()[number]));
  b.replaceOp(get, tiles);
}
