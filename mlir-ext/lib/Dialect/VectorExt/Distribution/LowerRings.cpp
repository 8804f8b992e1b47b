//===- LowerRings.cpp - Rings to memory, barriers and copies --------------===//
//
// A slot has a *full* barrier, whose phase ends when its tiles have arrived.
// Position n is in slot n mod slots, and in phase n / slots of its barriers. Of
// full barriers there may be more (getNumFull).
//
// With roles, a slot also has an *empty* barrier, at which the threads that
// read the tiles arrive:
//
//   put      wait for phase n / slots - 1 of empty; start the copies
//   get      wait for phase n / slots of full
//   write    wait for phase n / slots - 1 of empty, unless another write of
//            the position has; all threads of the role write, and arrive at
//            full
//   release  a thread of each subgroup arrives at empty; of the group that has
//            the tile, if groups have tiles of their own. If threads load the
//            tile, a fence orders their loads before the next copy
//
// If several threads copy, each of them waits, and then starts its copies and
// arrives at full. Threads of one subgroup could only start copies in turn,
// each in its own branch. So each computes its places, and the first one gets
// them by shuffles and starts all copies.
//
// A get with ends then writes zeros behind them, and all threads that read the
// tile wait for each other.
//
// Workgroups of a cluster may share tiles. Each copies a part of such a tile to
// the slots of all, and waits at its own barriers only. So a slot is empty when
// threads of all of them have arrived there:
//
//   release  lane w of each subgroup arrives at empty of workgroup w
//
// The barriers of others exist behind a barrier of the cluster, and until they
// end, which they do behind another one.
//
// A tile that is stored through shared memory has memory of its own. Subgroups
// share nothing of it, so none waits for another one:
//
//   wait until the copies of this subgroup have read its last part; all lanes
//   write the part, and fence what they have written; one lane starts copies
//
// Without roles, one of the threads that compute starts the copies, and a
// barrier of all threads frees a slot. A put in a loop is moved forward by
// slots - 1 iterations:
//
//   before the loop: a barrier of all threads; puts of the first slots - 1
//                    iterations
//   iteration i: get of i
//                the first op that reads its tiles
//                a barrier of all threads; by then they have awaited the
//                products that read the tiles of iteration i - 1
//                put of i + slots - 1, to the slot of i - 1
//
//===----------------------------------------------------------------------===//

#include "CheckRings.h"
#include "CollapseSources.h"
#include "OtherIteration.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

/// Returns the number of workgroups of a cluster of `launch`.
static int64_t getClusterSize(gpu::LaunchOp launch) {
  return launch.hasClusterSize()
             ? getConstantIntValue(launch.getClusterSizeX()).value_or(1)
             : 1;
}

namespace {
/// Lowers the rings of a launch.
class Lowering {
public:
  Lowering(RewriterBase &b, gpu::LaunchOp launch, const TileCopies &target,
           int64_t lanes)
      : b(b), launch(launch), target(target), lanes(lanes),
        cluster(getClusterSize(launch)) {}

  void run(MutableArrayRef<Ring> rings, ArrayRef<StoreTileOp> stores);

private:
  Value buildIndex(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value getPlace(Location loc, Value position, int64_t places);
  Value getParity(Location loc, Value position, int64_t places);
  Value getSlot(Location loc, Ring &ring, Value position) {
    return getPlace(loc, position, ring.getSlots());
  }
  Value getFull(Location loc, Ring &ring, Value position, Value slot) {
    return ring.numFull == ring.getSlots()
               ? slot
               : getPlace(loc, position, ring.numFull);
  }
  Value getTile(Location loc, Ring &ring, unsigned number, Value slot);
  Value getOwnPart(Location loc, Ring &ring, unsigned number, Value slot,
                   int64_t copiers, Value copier);
  int64_t getNumWorkgroups(RingPutOp put, unsigned number) {
    return put.isShared(number) ? cluster : 1;
  }
  OpFoldResult getCopied(RingPutOp put, unsigned number,
                         const layout::TmaCopy &copy);
  Value getDescription(Location loc, Value memory, ArrayRef<int64_t> box,
                       ArrayRef<OpFoldResult> sizes, layout::SwizzleMode mode);
  Value getSource(RingPutOp put, unsigned number, const layout::TmaCopy &copy);
  Value getCopier(Location loc, RoleOp role);
  Value isCopying(Location loc, Ring &ring, int64_t copiers);
  Value isReleasing(Location loc, RoleOp role);
  Value getLane(Location loc, RoleOp role);
  void releaseInCluster(Ring &ring, RingReleaseOp release);

  SmallVector<TileCopy> getCopies(Ring &ring, RingPutOp put, Value slot,
                                  Value copier, const IRMapping &places,
                                  OpFoldResult &numBytes);
  void startCopies(Ring &ring, RingPutOp put, Value isStarter, Value slot,
                   Value barrier, const IRMapping &places);
  void startCopiesOfOthers(Ring &ring, RingPutOp put, Value slot, Value parity,
                           Value barrier);
  void startAhead(Ring &ring, RingPutOp put, Value iteration, int64_t ahead,
                  Value slot, bool isFirst);
  bool moveAhead(Ring &ring, RingPutOp put, RingGetOp get);
  void lowerShared(Ring &ring);
  void waitForSlot(Location loc, Ring &ring, Value slot, Value parity);
  void lowerInRoles(Ring &ring);
  void lowerGet(Ring &ring, RingGetOp get, bool needsFence);
  void clearBehind(Ring &ring, RingGetOp get, unsigned number, Value slot,
                   Value end);
  void startStores(StoreTileOp store, Value memory);
  void lowerStore(StoreTileOp store);

  RewriterBase &b;
  gpu::LaunchOp launch;
  const TileCopies &target;
  int64_t lanes;
  /// The workgroups of a cluster, and the number of this one in it. Null if
  /// none is needed.
  int64_t cluster;
  Value workgroup;
  /// Whether this is the first thread of the workgroup.
  Value isFirstThread;
  /// For each role, the number of the thread among those that copy, and whether
  /// the thread frees slots, and its number in its subgroup.
  llvm::DenseMap<Operation *, Value> copiers, releasers, lanesOf;
  /// For each role, the smallest of these numbers in the subgroup of the
  /// thread.
  llvm::DenseMap<Operation *, Value> firstCopiers;
  /// For each role, the largest number of copiers of a ring.
  llvm::DenseMap<Operation *, int64_t> numCopiers;
  /// The target's descriptions of buffers, by the buffer, the largest box, the
  /// sizes of the box in a launch, and the swizzle.
  SmallVector<std::tuple<Value, SmallVector<int64_t>, SmallVector<OpFoldResult>,
                         layout::SwizzleMode, Value>>
      sources;
  /// The results of `getCopied`, by the source, its dimension and the largest
  /// number.
  llvm::DenseMap<std::tuple<Value, unsigned, int64_t>, Value> copied;
  /// The op behind which each slot is freed.
  llvm::DenseMap<Operation *, Operation *> placesOfReleases;
  /// The memory of stored tiles, by the role and the size.
  llvm::DenseMap<std::pair<Operation *, int64_t>, Value> storeMemories;
};
} // namespace

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

/// Returns the op behind which the slot of `release` is freed. At the fence of a
/// tile that threads load, they wait for all loads. So they first use the tile,
/// up to where they wait for something else. Kernels that convert bytes wait for
/// copies, and free slots at once (docs/Decisions/0145, 0150).
static Operation *getPlaceOfRelease(Ring &ring, RingReleaseOp release) {
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
// Slots
//===----------------------------------------------------------------------===//

/// Builds which of `places`, slots or barriers, belongs to `position`.
Value Lowering::getPlace(Location loc, Value position, int64_t places) {
  if (places == 1)
    return buildIndex(loc, 0);
  return b.createOrFold<arith::RemUIOp>(loc, position, buildIndex(loc, places));
}

/// Builds the last bit of the number of earlier uses of the place of
/// `position`.
Value Lowering::getParity(Location loc, Value position, int64_t places) {
  Value round = places == 1 ? position
                            : b.createOrFold<arith::DivUIOp>(
                                  loc, position, buildIndex(loc, places));
  Value bit = b.createOrFold<arith::RemUIOp>(loc, round, buildIndex(loc, 2));
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, bit,
                                       buildIndex(loc, 0));
}

/// Builds the memory of tile `number` of `slot`.
Value Lowering::getTile(Location loc, Ring &ring, unsigned number, Value slot) {
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
Value Lowering::getOwnPart(Location loc, Ring &ring, unsigned number,
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

/// Returns the number of elements of a box of tile `number` along the dimension
/// along which the tile may end with its source: those that exist, but at least
/// one. Returns null if there is no such dimension.
OpFoldResult Lowering::getCopied(RingPutOp put, unsigned number,
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
Value Lowering::getDescription(Location loc, Value memory,
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
Value Lowering::getSource(RingPutOp put, unsigned number,
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
// Copies
//===----------------------------------------------------------------------===//

/// Returns those copies of `put` to `slot` that `copier` starts, `numBytes`
/// bytes in all. `places` maps values at the put to those for the copied tiles.
SmallVector<TileCopy> Lowering::getCopies(Ring &ring, RingPutOp put, Value slot,
                                          Value copier, const IRMapping &places,
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
    Value tile = workgroups > 1 ? getOwnPart(loc, ring, number, slot,
                                             workgroups, workgroup)
                                : getOwnPart(loc, ring, number, slot,
                                             put.getNumCopiers(), copier);
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
void Lowering::startCopies(Ring &ring, RingPutOp put, Value isStarter,
                           Value slot, Value barrier, const IRMapping &places) {
  Location loc = put.getLoc();
  OpFoldResult numBytes;
  Value copier =
      put.getNumCopiers() > 1 ? getCopier(loc, ring.writer) : Value();
  SmallVector<TileCopy> copies =
      getCopies(ring, put, slot, copier, places, numBytes);
  target.start(b, loc, isStarter, ring.full, barrier, numBytes, copies);
}

/// Returns whether `value`, in a role, may differ among the threads of a
/// subgroup.
static bool mayVary(Value value, RoleOp role) {
  if (!role.getBody().isAncestor(value.getParentRegion()))
    return false;
  Operation *op = value.getDefiningOp();
  // All threads run the same iterations.
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(value.getParentBlock()->getParentOp());
    return !loop || value != loop.getInductionVar();
  }
  if (op->getNumRegions() != 0 || isa<gpu::ThreadIdOp, gpu::LaneIdOp>(op))
    return true;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return mayVary(operand, role); });
}

/// The number of copiers of a subgroup whose places a thread holds at the same
/// time.
static constexpr int64_t kCopiersAtATime = 4;

/// Starts the copies of `put` to `slot` for all copiers of a subgroup, in one
/// of its threads, once the slot is free for the use with `parity`. They arrive
/// at `barrier`, one of those for full slots.
void Lowering::startCopiesOfOthers(Ring &ring, RingPutOp put, Value slot,
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
  for (int64_t at = 0; at < ring.copiersOfStarter; at += kCopiersAtATime) {
    SmallVector<std::pair<Value, IRMapping>> others;
    for (int64_t i = at;
         i < std::min(at + kCopiersAtATime, ring.copiersOfStarter); ++i) {
      Value copier =
          b.createOrFold<arith::AddIOp>(loc, first, buildIndex(loc, i));
      IRMapping places;
      for (Value index : put.getIndices().join())
        if (!places.contains(index) && mayVary(index, role))
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

/// Writes zeros to the rows of tile `number` of `slot` from `end` on, if there
/// are any. The threads that get the tile share the rows.
void Lowering::clearBehind(Ring &ring, RingGetOp get, unsigned number,
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

void Lowering::lowerGet(Ring &ring, RingGetOp get, bool needsFence) {
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

//===----------------------------------------------------------------------===//
// Without roles
//===----------------------------------------------------------------------===//

/// Starts the copies of `put` for the iteration that is `ahead` iterations
/// after that of the induction variable `iteration`, if it exists. The first
/// iteration of the loop has none before it.
void Lowering::startAhead(Ring &ring, RingPutOp put, Value iteration,
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
bool Lowering::moveAhead(Ring &ring, RingPutOp put, RingGetOp get) {
  auto loop = dyn_cast<scf::ForOp>(put->getParentOp());
  int64_t ahead = ring.getSlots() - 1;
  if (ahead == 0 || !loop || !get || mayWrite(loop) ||
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

void Lowering::lowerShared(Ring &ring) {
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
  for (RingGetOp get : ring.gets)
    lowerGet(ring, get, /*needsFence=*/false);
  for (RingReleaseOp release : ring.releases)
    b.eraseOp(release);
}

//===----------------------------------------------------------------------===//
// With roles
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
Value Lowering::getCopier(Location loc, RoleOp role) {
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
Value Lowering::isCopying(Location loc, Ring &ring, int64_t copiers) {
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

/// Builds whether this is the thread of its subgroup that frees slots. Returns
/// null if the role has only one thread.
Value Lowering::isReleasing(Location loc, RoleOp role) {
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
Value Lowering::getLane(Location loc, RoleOp role) {
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
void Lowering::releaseInCluster(Ring &ring, RingReleaseOp release) {
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

/// Builds a wait until `slot` is free for the use with `parity`.
void Lowering::waitForSlot(Location loc, Ring &ring, Value slot, Value parity) {
  if (!ring.empty)
    return;
  // In the first use of a slot, the wait succeeds at once.
  Value before = arith::XOrIOp::create(
      b, loc, parity, arith::ConstantIntOp::create(b, loc, 1, 1));
  target.wait(b, loc, ring.empty, slot, before);
}

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

void Lowering::lowerInRoles(Ring &ring) {
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

/// The alignment of tiles of a ring: theirs, and that of boxes if there are
/// some.
static int64_t getAlignment(const layout::SharedLayout &layout) {
  return layout::getTmaCopy(layout)
             ? std::max(layout.getAlignment(), layout::kBoxAlignment)
             : layout.getAlignment();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Starts the copies of this subgroup's part of `memory`, in one of its lanes.
void Lowering::startStores(StoreTileOp store, Value memory) {
  Location loc = store.getLoc();
  auto role = store->getParentOfType<RoleOp>();
  layout::SharedLayout layout = store.getLayout().getLayout();
  int64_t parts = store.getParts();
  int64_t partSize = layout.getShape().front() / parts;
  layout::TmaCopy copy = *getTmaCopyOfParts(layout, parts);
  AffineMap map = store.getMap();
  SmallVector<int64_t> box(map.getNumDims(), 1);
  for (auto [i, size] : llvm::enumerate(copy.boxShape))
    box[map.getDimPosition(i)] = size;
  Value described =
      getDescription(loc, store.getMemory(), box,
                     getAsIndexOpFoldResult(b.getContext(), box), copy.mode);
  auto branch = scf::IfOp::create(b, loc, target.elect(b, loc),
                                  /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(branch.thenYield());
  Value part = buildCopier(b, loc, role, parts);
  // Rows of a part are adjacent in each panel.
  SmallVector<int64_t> first(layout.getRank(), 0);
  first.front() = partSize;
  int64_t bytes = layout.getRow(first) * layout.getRowStride();
  auto type = MemRefType::get(
      {(layout.getSizeInBytes() - (parts - 1) * bytes) /
       layout.getElementBytes()},
      cast<VectorType>(store.getTile().getType()).getElementType(),
      MemRefLayoutAttrInterface(),
      cast<MemRefType>(memory.getType()).getMemorySpace());
  Value own = memref::ViewOp::create(
      b, loc, type, memory,
      b.createOrFold<arith::MulIOp>(loc, part, buildIndex(loc, bytes)),
      ValueRange());
  SmallVector<Value> start(store.getIndices());
  Value &row = start[map.getDimPosition(0)];
  row = b.createOrFold<arith::AddIOp>(
      loc, row,
      b.createOrFold<arith::MulIOp>(loc, part, buildIndex(loc, partSize)));
  SmallVector<TileCopy> copies;
  for (const layout::TmaBox &boxOfTile : copy.boxes) {
    if (boxOfTile.coordinate.front() >= partSize)
      continue;
    SmallVector<Value> coordinates = start;
    for (auto [i, at] : llvm::enumerate(boxOfTile.coordinate)) {
      Value &coordinate = coordinates[map.getDimPosition(i)];
      if (at != 0)
        coordinate =
            b.createOrFold<arith::AddIOp>(loc, coordinate, buildIndex(loc, at));
    }
    copies.push_back({described, coordinates, own,
                      boxOfTile.byteOffset / layout.getElementBytes()});
  }
  target.startStores(b, loc, copies);
}

void Lowering::lowerStore(StoreTileOp store) {
  Location loc = store.getLoc();
  auto role = store->getParentOfType<RoleOp>();
  SharedAttr attr = store.getLayout();
  layout::SharedLayout layout = attr.getLayout();
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  // Stores of a role share their memory: each waits for those before it.
  Value &memory = storeMemories[{role, layout.getSizeInBytes()}];
  if (!memory) {
    b.setInsertionPointToStart(&launch.getBody().front());
    memory = memref::AllocOp::create(
        b, loc,
        MemRefType::get({layout.getSizeInBytes()}, b.getI8Type(),
                        MemRefLayoutAttrInterface(), space),
        b.getI64IntegerAttr(getAlignment(layout)));
    // The memory is there until all of it has been read.
    b.setInsertionPoint(role.getBody().front().getTerminator());
    target.waitForStores(b, loc);
  }

  b.setInsertionPoint(store);
  target.waitForStores(b, loc);
  target.syncSubgroup(b, loc);
  Type element = cast<VectorType>(store.getTile().getType()).getElementType();
  Value tile = memref::ViewOp::create(
      b, loc,
      MemRefType::get({layout.getSizeInBytes() / layout.getElementBytes()},
                      element, MemRefLayoutAttrInterface(), space),
      memory, buildIndex(loc, 0), ValueRange());
  WriteTileOp::create(b, loc, store.getTile(), tile, /*barriers=*/Value(),
                      /*index=*/Value(), attr, /*inPlace=*/false);
  target.fence(b, loc);
  target.syncSubgroup(b, loc);
  startStores(store, memory);
  b.eraseOp(store);
}

void Lowering::run(MutableArrayRef<Ring> rings, ArrayRef<StoreTileOp> stores) {
  Location loc = launch.getLoc();
  b.setInsertionPointToStart(&launch.getBody().front());
  Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
  isFirstThread = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                        thread, buildIndex(loc, 0));
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  for (Ring &ring : rings)
    for (auto [number, layout] : llvm::enumerate(ring.getType().getLayouts())) {
      auto type = MemRefType::get(
          {ring.getSlots() * ring.getType().getSlotBytes(number)},
          b.getI8Type(), MemRefLayoutAttrInterface(), space);
      auto memory = memref::AllocOp::create(
          b, ring.create.getLoc(), type,
          b.getI64IntegerAttr(getAlignment(layout.getLayout())));
      if (ring.writer)
        memory->setAttr(getRingAttrName(), b.getUnitAttr());
      ring.memories.push_back(memory);
    }
  for (Ring &ring : rings) {
    int64_t &most = numCopiers[ring.writer];
    most = std::max(most, ring.getNumCopiers());
  }
  bool hasRoles = false;
  for (Ring &ring : rings) {
    if (ring.writer && !ring.writer.getSingle())
      ring.copiersOfStarter =
          std::gcd(ring.getNumCopiers(),
                   std::max<int64_t>(lanes * numCopiers.at(ring.writer) /
                                         ring.writer.getThreads(),
                                     1));
    ring.full = target.createBarriers(b, loc, isFirstThread, ring.numFull,
                                      ring.getNumArrivals());
    if (!ring.writer)
      continue;
    hasRoles = true;
    if (!ring.isReused())
      continue;
    ring.empty = target.createBarriers(
        b, loc, isFirstThread, ring.getSlots(),
        (ring.isShared ? cluster : 1) *
            (ring.reader.getSingle()
                 ? 1
                 : llvm::divideCeil(ring.reader.getGroupThreads(), lanes)));
  }
  // Without roles, there is a barrier of all threads before the first copy.
  if (llvm::any_of(rings, [](const Ring &ring) { return ring.isShared; })) {
    workgroup = gpu::ClusterBlockIdOp::create(b, loc, gpu::Dimension::x);
    ClusterBarrierOp::create(b, loc);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(launch.getBody().front().getTerminator());
    ClusterBarrierOp::create(b, loc);
  } else if (hasRoles) {
    gpu::BarrierOp::create(b, loc);
  }
  for (Ring &ring : rings)
    for (RingReleaseOp release : ring.releases)
      placesOfReleases[release] = getPlaceOfRelease(ring, release);
  for (Ring &ring : rings) {
    if (ring.writer)
      lowerInRoles(ring);
    else
      lowerShared(ring);
    b.eraseOp(ring.create);
  }
  for (StoreTileOp store : stores)
    lowerStore(store);
}

/// Returns the stores of `launch` through shared memory. Fails, with the reason
/// in `refusal`, if the subgroups of the role around one are not as many as its
/// parts, or no boxes can copy these.
static FailureOr<SmallVector<StoreTileOp>>
checkStores(gpu::LaunchOp launch, int64_t lanes, Refusal &refusal) {
  SmallVector<StoreTileOp> stores;
  launch.walk([&](StoreTileOp store) { stores.push_back(store); });
  for (StoreTileOp store : stores) {
    int64_t parts = store.getParts();
    auto role = store->getParentOfType<RoleOp>();
    if (!role || role.getSingle() || role.getGroups() ||
        static_cast<int64_t>(role.getThreads()) != parts * lanes)
      return refusal.set(RefusalKind::Other, store,
                         "expected a role of " + Twine(parts) +
                             " subgroups around a store of as many parts");
    std::string reason;
    if (!getTmaCopyOfParts(store.getLayout().getLayout(), parts, &reason))
      return refusal.set(RefusalKind::Other, store,
                         "no boxes can copy the parts: " + Twine(reason));
  }
  return stores;
}

FailureOr<int64_t> mlir::vector_ext::lowerRings(RewriterBase &rewriter,
                                                gpu::LaunchOp launch,
                                                Refusal &refusal) {
  const TileCopies &target = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
  SmallVector<RingCreateOp> creates;
  launch.walk([&](RingCreateOp create) { creates.push_back(create); });
  bool anyStores =
      launch.walk([](StoreTileOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (creates.empty() && !anyStores)
    return 0;
  if (!target.start)
    return refusal.set(RefusalKind::Other, launch,
                       "the target has registered no copies of tiles");
  FailureOr<linalg_ext::GPUTarget> device = linalg_ext::getGPUTarget(launch);
  if (failed(device))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  FailureOr<SmallVector<StoreTileOp>> stores =
      checkStores(launch, device->lanes, refusal);
  if (failed(stores))
    return failure();
  SmallVector<Ring, 0> rings;
  for (RingCreateOp create : creates) {
    FailureOr<Ring> ring = checkRing(create, launch, refusal);
    if (failed(ring))
      return failure();
    rings.push_back(*ring);
  }
  for (Ring &ring : rings)
    for (RingPutOp &put : ring.puts)
      put = collapseSources(rewriter, launch, put);
  Lowering(rewriter, launch, target, device->lanes).run(rings, *stores);
  return static_cast<int64_t>(rings.size());
}
