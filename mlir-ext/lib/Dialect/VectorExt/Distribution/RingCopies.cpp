//===- RingCopies.cpp - Copies of puts ------------------------------------===//
//
// Which boxes of which buffers a put copies, and which thread starts the
// copies.
//
//===----------------------------------------------------------------------===//

#include "RingLowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::vector_ext;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Returns the number of elements of a box of tile `number` along the dimension
/// along which the tile may end with its source: those that exist, but at least
/// one. Returns null if there is no such dimension.
OpFoldResult RingLowering::getCopied(RingPutOp put, unsigned number,
                                     const layout::TmaCopy &copy) {
  std::optional<unsigned> dim = put.getCutDim(number);
  if (!dim)
    return {};
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(launch);
  Location loc = put.getLoc();
  Value memory = put.getSources()[number];
  unsigned ofSource = put.getMap(number).getDimPosition(*dim);
  Value &most = copied[{memory, ofSource, copy.boxShape[*dim]}];
  if (!most) {
    Value size = b.createOrFold<memref::DimOp>(loc, memory, ofSource);
    most = b.createOrFold<arith::MaxUIOp>(
        loc,
        b.createOrFold<arith::MinUIOp>(loc, size,
                                       buildIndex(loc, copy.boxShape[*dim])),
        buildIndex(loc, 1));
  }
  return getAsOpFoldResult(most);
}

/// Builds the target's description of `memory` before the launch.
Value RingLowering::getDescription(Location loc, Value memory,
                                   ArrayRef<int64_t> box,
                                   ArrayRef<OpFoldResult> sizes,
                                   layout::SwizzleMode mode) {
  for (auto &[known, knownBox, knownSizes, knownMode, source] : sources)
    if (known == memory && ArrayRef(knownBox) == box &&
        ArrayRef(knownSizes) == sizes && knownMode == mode)
      return source;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(launch);
  Value source = target.describe(b, loc, memory, box, sizes, mode);
  sources.emplace_back(memory, box, sizes, mode, source);
  return source;
}

/// Builds the target's description of the source of tile `number`.
Value RingLowering::getSource(RingPutOp put, unsigned number,
                              const layout::TmaCopy &copy) {
  Value memory = put.getSources()[number];
  AffineMap map = put.getMap(number);
  SmallVector<int64_t> box(map.getNumDims(), 1);
  for (auto [i, size] : llvm::enumerate(copy.boxShape))
    box[map.getDimPosition(i)] = size;
  SmallVector<OpFoldResult> sizes = getAsIndexOpFoldResult(b.getContext(), box);
  if (OpFoldResult most = getCopied(put, number, copy))
    sizes[map.getDimPosition(*put.getCutDim(number))] = most;
  // If a matrix is multiplied with itself, both operands have boxes of it, and
  // only those of one operand may end with it.
  return getDescription(put.getLoc(), memory, box, sizes, copy.mode);
}

//===----------------------------------------------------------------------===//
// Copiers
//===----------------------------------------------------------------------===//

Value mlir::vector_ext::buildCopier(RewriterBase &b, Location loc, RoleOp role,
                                    int64_t copiers) {
  auto buildIndex = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  thread =
      b.createOrFold<arith::SubIOp>(loc, thread, buildIndex(role.getFirst()));
  return b.createOrFold<arith::DivUIOp>(
      loc, thread, buildIndex(role.getThreads() / copiers));
}

/// Builds the number of the thread among those threads of `role` that copy.
Value RingLowering::getCopier(Location loc, RoleOp role) {
  Value &known = copiers[role];
  if (!known) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&role.getBody().front());
    if (role.getSingle())
      known = RingCopierOp::create(b, loc);
    else
      known = buildCopier(b, loc, role, numCopiers.at(role));
  }
  return known;
}

/// Builds whether this thread starts copies of `ring`, which has `copiers`
/// copiers. Returns null if all threads of its role do.
Value RingLowering::isCopying(Location loc, Ring &ring, int64_t copiers) {
  RoleOp role = ring.writer;
  if (role.getSingle() &&
      copiers == static_cast<int64_t>(role.getGroups().value_or(1)))
    return {};
  Value isCopier =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                            getCopier(loc, role), buildIndex(loc, copiers));
  if (role.getSingle())
    return isCopier;
  // This is the first thread of its subgroup, or of the threads with its
  // number.
  int64_t lanesOfCopier = role.getThreads() / numCopiers.at(role);
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  thread = b.createOrFold<arith::SubIOp>(loc, thread,
                                         buildIndex(loc, role.getFirst()));
  thread = arith::RemUIOp::create(
      b, loc, thread, buildIndex(loc, std::max(lanesOfCopier, lanes)));
  Value isFirst = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        thread, buildIndex(loc, 0));
  return arith::AndIOp::create(b, loc, isFirst, isCopier);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Returns those copies of `put` to `slot` that `copier` starts, `numBytes`
/// bytes in all. `places` maps values at the put to those for the copied tiles.
SmallVector<TileCopy> RingLowering::getCopies(Ring &ring, RingPutOp put,
                                              Value slot, Value copier,
                                              const IRMapping &places,
                                              OpFoldResult &numBytes) {
  Location loc = put.getLoc();
  SmallVector<TileCopy> copies;
  numBytes = b.getIndexAttr(0);
  for (auto [number, attr] : llvm::enumerate(ring.getType().getLayouts())) {
    layout::SharedLayout layout = attr.getLayout();
    int64_t workgroups = getNumWorkgroups(put, number);
    int64_t numParts = put.getNumParts(number) * workgroups;
    layout::TmaCopy copy = *getTmaCopyOfParts(layout, numParts);
    AffineMap map = put.getMap(number);
    Value tile =
        workgroups > 1
            ? getOwnPart(loc, ring, number, slot, workgroups, workgroup)
            : getOwnPart(loc, ring, number, slot, put.getNumCopiers(), copier);
    Value source = getSource(put, number, copy);
    int64_t elementBytes = layout.getElementBytes();
    int64_t partSize = layout.getShape().front() / numParts;
    SmallVector<ValueRange> parts = put.getIndicesOfParts(number);
    AffineExpr before, most;
    bindSymbols(b.getContext(), before, most);
    // The others copy their parts of a shared tile to this slot, too.
    int64_t bytes = copy.numBytes / put.getNumCopiers();
    OpFoldResult cut = getCopied(put, number, copy);
    numBytes = affine::makeComposedFoldedAffineApply(
        b, loc,
        cut ? before + most * (bytes / copy.boxShape[*put.getCutDim(number)])
            : before + bytes,
        cut ? ArrayRef<OpFoldResult>{numBytes, cut}
            : ArrayRef<OpFoldResult>{numBytes});
    for (const layout::TmaBox &box : copy.boxes) {
      int64_t part = box.coordinate.front() / partSize;
      if (part >= put.getNumOwnParts(number))
        continue;
      SmallVector<Value> coordinates;
      for (Value index : parts[part])
        coordinates.push_back(places.lookupOrDefault(index));
      for (auto [i, inTile] : llvm::enumerate(box.coordinate)) {
        int64_t at = i == 0 ? inTile - part * partSize : inTile;
        Value &coordinate = coordinates[map.getDimPosition(i)];
        if (at != 0)
          coordinate = b.createOrFold<arith::AddIOp>(loc, coordinate,
                                                     buildIndex(loc, at));
        if (i == 0 && workgroups > 1)
          coordinate = b.createOrFold<arith::AddIOp>(
              loc, coordinate,
              b.createOrFold<arith::MulIOp>(loc, workgroup,
                                            buildIndex(loc, partSize)));
      }
      copies.push_back({source, coordinates, tile,
                        box.byteOffset / elementBytes, workgroups});
    }
  }
  return copies;
}

/// Starts the copies of `put` to `slot`, in the thread for which `isStarter` is
/// true, or in all threads. The copies arrive at `barrier`, one of those for
/// full slots.
void RingLowering::startCopies(Ring &ring, RingPutOp put, Value isStarter,
                               Value slot, Value barrier,
                               const IRMapping &places) {
  Location loc = put.getLoc();
  OpFoldResult numBytes;
  Value copier =
      put.getNumCopiers() > 1 ? getCopier(loc, ring.writer) : Value();
  SmallVector<TileCopy> copies =
      getCopies(ring, put, slot, copier, places, numBytes);
  target.start(b, loc, isStarter, ring.full, barrier, numBytes, copies);
}

/// Returns whether `value`, in a role, may differ among the threads of a
/// subgroup. `uniform` are values that do not.
static bool mayVary(Value value, RoleOp role, llvm::DenseSet<Value> &uniform) {
  if (!role.getBody().isAncestor(value.getParentRegion()) ||
      uniform.contains(value))
    return false;
  Operation *op = value.getDefiningOp();
  // All threads run the same iterations.
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return !loop || value != loop.getInductionVar();
  }
  if (op->getNumRegions() != 0 || isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return true;
  if (llvm::any_of(op->getOperands(), [&](Value operand) {
        return mayVary(operand, role, uniform);
      }))
    return true;
  uniform.insert(value);
  return false;
}

/// The number of copiers of a subgroup whose places a thread holds at the same
/// time.
static constexpr int64_t kCopiersAtATime = 4;

/// Starts the copies of `put` to `slot` for all copiers of a subgroup, in one
/// of its threads, once the slot is free for the use with `parity`. They arrive
/// at `barrier`, one of those for full slots.
void RingLowering::startCopiesOfOthers(Ring &ring, RingPutOp put, Value slot,
                                       Value parity, Value barrier) {
  Location loc = put.getLoc();
  RoleOp role = ring.writer;
  int64_t lanesOfCopier = role.getThreads() / numCopiers.at(role);
  Type i32 = b.getI32Type();
  auto buildI32 = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, i32, value);
  };
  auto shuffle = [&](Value value, int64_t lane) -> Value {
    Value word = b.createOrFold<arith::IndexCastOp>(loc, i32, value);
    word = gpu::ShuffleOp::create(b, loc, word, buildI32(lane), buildI32(lanes),
                                  gpu::ShuffleMode::IDX)
               .getShuffleResult();
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), word);
  };
  Value &first = firstCopiers[role];
  if (!first) {
    OpBuilder::InsertionGuard guard(b);
    Value copier = getCopier(loc, role);
    b.setInsertionPointAfterValue(copier);
    first = shuffle(copier, 0);
  }
  OpBuilder::InsertionGuard guard(b);
  if (put.getNumCopiers() < numCopiers.at(role)) {
    Value isCopying =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, first,
                              buildIndex(loc, put.getNumCopiers()));
    auto branch =
        scf::IfOp::create(b, loc, isCopying, /*withElseRegion=*/false);
    b.setInsertionPoint(branch.thenYield());
  }
  waitForSlot(loc, ring, slot, parity);
  llvm::DenseSet<Value> uniform;
  for (int64_t at = 0; at < ring.copiersOfStarter; at += kCopiersAtATime) {
    SmallVector<std::pair<Value, IRMapping>> others;
    for (int64_t i = at;
         i < std::min(at + kCopiersAtATime, ring.copiersOfStarter); ++i) {
      Value copier =
          b.createOrFold<arith::AddIOp>(loc, first, buildIndex(loc, i));
      IRMapping places;
      for (Value index : put.getIndices().join())
        if (!places.contains(index) && mayVary(index, role, uniform))
          places.map(index, shuffle(index, i * lanesOfCopier));
      others.emplace_back(copier, places);
    }
    auto branch = scf::IfOp::create(b, loc, target.elect(b, loc),
                                    /*withElseRegion=*/false);
    OpBuilder::InsertionGuard inBranch(b);
    b.setInsertionPoint(branch.thenYield());
    SmallVector<TileCopy> copies;
    OpFoldResult numBytes;
    for (auto &[copier, places] : others)
      llvm::append_range(copies,
                         getCopies(ring, put, slot, copier, places, numBytes));
    target.start(b, loc, /*isStarter=*/Value(), ring.full, barrier,
                 b.getIndexAttr(at == 0 ? *getConstantIntValue(numBytes) *
                                              ring.copiersOfStarter
                                        : 0),
                 copies);
  }
}
