//===- StageTiles.cpp - Tiles that instructions read from shared memory ---===//
//
// An asynchronous instruction reads its operands from shared memory. If an
// operand is a tile of a buffer in global memory, the hardware can copy it
// there as a whole, without threads and registers.
//
//   1. Choose an arrangement for each operand of an asynchronous contraction,
//      which both the copy and the instruction support. Otherwise refuse.
//   2. Group reads that may be waited for together.
//   3. Choose the slots of each group: places for its tiles in as many
//      iterations of a loop.
//   4. Build descriptions of the buffers on the host, and tiles and barriers at
//      the start of the kernel.
//   5. Replace each group: one thread starts the copies, all threads wait. With
//      several slots, this is in a loop:
//
//        before: a barrier of all threads; copies of the first slots - 1
//                iterations
//        iteration i: wait for slot i mod slots
//                     contractions read it
//                     a barrier of all threads, which have awaited the
//                     contractions of iteration i - 1
//                     copies of iteration i + slots - 1, to the slot of i - 1
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "TileSource.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// A tile that is copied to shared memory.
struct StagedRead {
  vector::TransferReadOp read;
  TileSource from;
  SharedLayout layout;
  layout::TmaCopy copy;
  /// What the target needs to know of the buffer, and the memory of the slots.
  Value source = {}, memory = {};

  int64_t getSlotBytes() const {
    return llvm::alignTo(layout.getSizeInBytes(), layout.getAlignment());
  }
};

using StagedReads = llvm::MapVector<Operation *, StagedRead>;

/// Tiles that are copied and waited for together.
struct Group {
  SmallVector<StagedRead *, 2> reads;
  /// The loop whose later iterations can be copied before, if there is one, and
  /// the ops in it that compute the places of the tiles.
  scf::ForOp loop;
  llvm::SetVector<Operation *> placeOps;
  int64_t slots = 1;
  Value barriers;

  vector::TransferReadOp getLast() const { return reads.back()->read; }
  int64_t getSlotBytes() const {
    int64_t bytes = 0;
    for (const StagedRead *staged : reads)
      bytes += staged->getSlotBytes();
    return bytes;
  }
};

/// How an instruction reads an operand: `mnSize` x k elements of dimensions
/// `mnDim` and `kDim`.
struct OperandUse {
  unsigned mnDim, kDim;
  int64_t mnSize, kSize;

  bool isReadFrom(const SharedLayout &shared, std::string &reason) const {
    std::optional<layout::WgmmaOperand> operand =
        getWgmmaOperand(shared, mnDim, kDim, mnSize, &reason);
    return operand && operand->kSize == kSize;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Arrangements
//===----------------------------------------------------------------------===//

/// Dimensions of a buffer that copies of boxes know.
static constexpr int64_t maxRank = 5;

/// Fails if `read` is where its copies cannot be counted.
static LogicalResult checkPlace(vector::TransferReadOp read,
                                gpu::LaunchOp launch, Refusal &refusal) {
  auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
  if (read->getParentOp() != launch && (!loop || loop->getParentOp() != launch))
    return refusal.set(RefusalKind::Other, read,
                       "the tile is read in a branch, or in a loop in a loop");
  return success();
}

/// Returns the arrangement with the widest swizzle in which `use` can read the
/// tile of `read`.
static FailureOr<StagedRead> chooseLayout(vector::TransferReadOp read,
                                          const TileSource &source,
                                          const OperandUse &use,
                                          Refusal &refusal) {
  AffineMap map = read.getPermutationMap();
  VectorType type = read.getVectorType();
  auto order = llvm::to_vector(llvm::seq<unsigned>(type.getRank()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return map.getDimPosition(a) < map.getDimPosition(b);
  });
  std::string reason = "the rows of the buffer are not contiguous in it";
  bool isContiguous = map.getDimPosition(order.back()) + 1 == map.getNumDims();
  int64_t bits = type.getElementTypeBitWidth();
  for (int64_t bytes : {128, 64, 32}) {
    if (!isContiguous || type.getDimSize(order.back()) * bits % (8 * bytes))
      continue;
    std::optional<SharedLayout> shared = SharedLayout::getSwizzledPanels(
        type.getShape(), order, bits, bytes, &reason);
    if (!shared || !use.isReadFrom(*shared, reason))
      continue;
    if (std::optional<layout::TmaCopy> copy = getTmaCopy(*shared, &reason))
      return StagedRead{read, source, *shared, *copy};
  }
  return refusal.set(RefusalKind::Other, read,
                     "the instruction cannot read the tile as it is copied: " +
                         Twine(reason));
}

/// Adds the operands of `contract` to `reads`, if its instruction is
/// asynchronous.
static LogicalResult addOperands(vector::ContractionOp contract,
                                 gpu::LaunchOp launch, StagedReads &reads,
                                 Refusal &refusal) {
  const MmaIntrinsic *intrinsic = getAsyncIntrinsic(contract);
  if (!intrinsic)
    return success();
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  if (failed(dims))
    return failure();
  SmallVector<AffineMap> maps = contract.getIndexingMapsArray();
  auto getPosition = [&](AffineMap map, unsigned dim) -> unsigned {
    return *map.getResultPosition(getAffineDimExpr(dim, contract.getContext()));
  };
  for (bool isLhs : {true, false}) {
    Value operand = isLhs ? contract.getLhs() : contract.getRhs();
    AffineMap map = maps[isLhs ? 0 : 1];
    OperandUse use{getPosition(map, isLhs ? dims->m : dims->n),
                   getPosition(map, dims->k),
                   isLhs ? intrinsic->m : intrinsic->n, intrinsic->k};
    auto read = operand.getDefiningOp<vector::TransferReadOp>();
    // Threads have what they compute in registers.
    if (!read && isLhs)
      continue;
    if (!read)
      return refusal.set(RefusalKind::Other, contract,
                         "the right operand is not read from memory");
    if (auto *known = reads.find(read); known != reads.end()) {
      std::string reason;
      if (!use.isReadFrom(known->second.layout, reason))
        return refusal.set(RefusalKind::Other, contract, reason);
      continue;
    }
    if (!llvm::all_of(read->getUsers(), [](Operation *user) {
          return getAsyncIntrinsic(user) != nullptr;
        }))
      return refusal.set(RefusalKind::Other, read,
                         "the tile is also used in registers");
    FailureOr<TileSource> source =
        TileSource::get(read, launch, maxRank, refusal);
    if (failed(source) || failed(checkPlace(read, launch, refusal)))
      return failure();
    FailureOr<StagedRead> staged = chooseLayout(read, *source, use, refusal);
    if (failed(staged))
      return failure();
    reads.insert({read, *staged});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Groups reads that can all be done where the last one of them is: nothing in
/// between uses them, or writes.
static SmallVector<Group> getGroups(gpu::LaunchOp launch, StagedReads &reads) {
  SmallVector<Group> groups;
  launch.walk([&](Block *block) {
    bool isOpen = false;
    for (Operation &op : *block) {
      if (auto *it = reads.find(&op); it != reads.end()) {
        if (!isOpen)
          groups.emplace_back();
        groups.back().reads.push_back(&it->second);
        isOpen = true;
        continue;
      }
      isOpen &= !getAsyncIntrinsic(&op) && op.getNumRegions() == 0 &&
                (isMemoryEffectFree(&op) ||
                 hasSingleEffect<MemoryEffects::Read>(&op));
    }
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Adds to `ops` what computes `value` in `loop`, operands first. Returns false
/// if that needs more than the number of the iteration.
static bool addPlaceOps(Value value, scf::ForOp loop,
                        llvm::SetVector<Operation *> &ops) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() != 0 ||
      !isPure(op))
    return false;
  if (!llvm::all_of(op->getOperands(), [&](Value operand) {
        return addPlaceOps(operand, loop, ops);
      }))
    return false;
  ops.insert(op);
  return true;
}

/// Sets the loop of `group` if tiles of later iterations can be copied: nobody
/// writes to memory in it, and the number of an iteration tells the places.
static void findLoop(Group &group) {
  auto loop = dyn_cast<scf::ForOp>(group.getLast()->getParentOp());
  if (!loop)
    return;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(loop);
  if (!effects ||
      llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
        return isa<MemoryEffects::Write>(effect.getEffect());
      }))
    return;
  for (StagedRead *staged : group.reads)
    for (Value index : staged->read.getIndices())
      if (!addPlaceOps(index, loop, group.placeOps))
        return;
  group.loop = loop;
}

/// Threads of a processor that hide each other's waits (docs/Hopper.md).
static constexpr int64_t enoughThreads = 256;

/// Returns as many slots, 1 to 4, as fit into shared memory with as many
/// workgroups of `launch` on a processor as it takes for enough threads. A slot
/// has `slotBytes`; tiles without slots have `otherBytes`.
static int64_t chooseSlots(gpu::LaunchOp launch,
                           const linalg_ext::GPUTarget &target,
                           int64_t slotBytes, int64_t otherBytes) {
  int64_t threads = 1;
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {block.x, block.y, block.z})
    threads *= std::max<int64_t>(getConstantIntValue(size).value_or(1), 1);
  int64_t workgroups = llvm::divideCeil(enoughThreads, threads);
  // The barriers take no more than the reserve again.
  int64_t bytes = target.processorSharedBytes / workgroups -
                  2 * target.reservedSharedBytes - otherBytes;
  return std::clamp<int64_t>(bytes / slotBytes, 1, 4);
}

/// Sets the slots of each group to `slots`, or, if that is 0, chooses. Fails,
/// with an error, if the module describes its device wrongly.
static LogicalResult setSlots(gpu::LaunchOp launch,
                              MutableArrayRef<Group> groups, int64_t slots) {
  int64_t slotBytes = 0, otherBytes = 0;
  for (Group &group : groups) {
    findLoop(group);
    (group.loop ? slotBytes : otherBytes) += group.getSlotBytes();
  }
  if (slots == 0 && slotBytes != 0) {
    FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
    if (failed(target))
      return failure();
    slots = chooseSlots(launch, *target, slotBytes, otherBytes);
  }
  for (Group &group : groups)
    if (group.loop)
      group.slots = slots;
  return success();
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

/// The size of a box along each dimension of the memory.
static SmallVector<int64_t> getBox(StagedRead &staged) {
  SmallVector<int64_t> box(staged.from.getRank(), 1);
  for (auto [i, size] : llvm::enumerate(staged.copy.boxShape))
    box[staged.from.getDim(i)] = size;
  return box;
}

static Value buildIndex(RewriterBase &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// The number of the iteration of the loop around `op`, or 0.
static Value getIteration(RewriterBase &b, Operation *op) {
  Location loc = op->getLoc();
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return buildIndex(b, loc, 0);
  Value done = b.createOrFold<arith::SubIOp>(loc, loop.getInductionVar(),
                                             loop.getLowerBound());
  return b.createOrFold<arith::DivUIOp>(loc, done, loop.getStep());
}

/// The slot of iteration `iteration`.
static Value getSlot(RewriterBase &b, Location loc, Value iteration,
                     int64_t slots) {
  if (slots == 1)
    return buildIndex(b, loc, 0);
  return b.createOrFold<arith::RemUIOp>(loc, iteration,
                                        buildIndex(b, loc, slots));
}

/// The last bit of how often the slot of iteration `iteration` was used before.
static Value getParity(RewriterBase &b, Location loc, Value iteration,
                       int64_t slots) {
  Value round = slots == 1 ? iteration
                           : b.createOrFold<arith::DivUIOp>(
                                 loc, iteration, buildIndex(b, loc, slots));
  Value bit = b.createOrFold<arith::RemUIOp>(loc, round, buildIndex(b, loc, 2));
  return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, bit,
                                       buildIndex(b, loc, 0));
}

/// The copies of the boxes of a tile to `tile`. `places` maps values of this
/// iteration to those of the iteration that the tile is for.
static void addCopies(RewriterBase &b, StagedRead &staged, Value tile,
                      const IRMapping &places, SmallVector<TileCopy> &copies) {
  Location loc = staged.read.getLoc();
  SmallVector<Value> start = staged.from.buildCoordinates(
      b, loc, llvm::map_to_vector(staged.read.getIndices(), [&](Value index) {
        return places.lookupOrDefault(index);
      }));
  for (const layout::TmaBox &box : staged.copy.boxes) {
    SmallVector<Value> coordinates = start;
    for (auto [i, at] : llvm::enumerate(box.coordinate)) {
      Value &coordinate = coordinates[staged.from.getDim(i)];
      if (at != 0)
        coordinate = b.createOrFold<arith::AddIOp>(loc, coordinate,
                                                   buildIndex(b, loc, at));
    }
    copies.push_back({staged.source, coordinates, tile,
                      box.byteOffset / staged.layout.getElementBytes()});
  }
}

static Attribute getWorkgroupSpace(MLIRContext *context) {
  return gpu::AddressSpaceAttr::get(
      context, gpu::GPUDialect::getWorkgroupAddressSpace());
}

/// Builds the memory of the slots of a tile.
static Value buildMemory(RewriterBase &b, const StagedRead &staged,
                         int64_t slots) {
  auto type = MemRefType::get({slots * staged.getSlotBytes()}, b.getI8Type(),
                              MemRefLayoutAttrInterface(),
                              getWorkgroupSpace(b.getContext()));
  return memref::AllocOp::create(
      b, staged.read->getLoc(), type,
      b.getI64IntegerAttr(staged.layout.getAlignment()));
}

/// The memory of one slot of a tile.
static Value getTile(RewriterBase &b, StagedRead &staged, Value slot) {
  Location loc = staged.read.getLoc();
  auto type = MemRefType::get(
      {staged.layout.getSizeInBytes() / staged.layout.getElementBytes()},
      staged.read.getVectorType().getElementType(), MemRefLayoutAttrInterface(),
      getWorkgroupSpace(b.getContext()));
  Value shift = b.createOrFold<arith::MulIOp>(
      loc, slot, buildIndex(b, loc, staged.getSlotBytes()));
  return memref::ViewOp::create(b, loc, type, staged.memory, shift,
                                ValueRange());
}

/// One thread, for which `isStarter` is true, starts the copies of `group` for
/// the iteration whose loop has the induction variable `position` and whose
/// tiles are in `slot`. A null `position` is that of this iteration.
static void startCopies(RewriterBase &b, Group &group, const TileCopies &target,
                        Value isStarter, Value position, Value slot) {
  Location loc = group.getLast().getLoc();
  IRMapping places;
  if (position) {
    places.map(group.loop.getInductionVar(), position);
    for (Operation *op : group.placeOps)
      b.clone(*op, places);
  }
  SmallVector<TileCopy> copies;
  int64_t numBytes = 0;
  for (StagedRead *staged : group.reads) {
    addCopies(b, *staged, getTile(b, *staged, slot), places, copies);
    numBytes += staged->copy.numBytes;
  }
  target.start(b, loc, isStarter, group.barriers, slot, numBytes, copies);
}

/// Starts the copies of `ahead` iterations after the one at `position`, by the
/// thread for which `isFirst` is true, if there is such an iteration.
static void startAhead(RewriterBase &b, Group &group, const TileCopies &target,
                       Value isFirst, Value position, int64_t ahead,
                       Value slot) {
  Location loc = group.loop.getLoc();
  Value distance = b.createOrFold<arith::MulIOp>(loc, group.loop.getStep(),
                                                 buildIndex(b, loc, ahead));
  Value next = b.createOrFold<arith::AddIOp>(loc, position, distance);
  Value exists = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::slt, next, group.loop.getUpperBound());
  Value isStarter = b.createOrFold<arith::AndIOp>(loc, isFirst, exists);
  startCopies(b, group, target, isStarter, next, slot);
}

/// Builds the copies of all iterations but the current one: of the first ones
/// in front of the loop, and of a later one behind the op that reads the tiles
/// first. `iteration` is the number of the current one.
static void buildCopiesAhead(RewriterBase &b, Group &group,
                             const TileCopies &target, Value isFirst,
                             Value iteration) {
  OpBuilder::InsertionGuard guard(b);
  scf::ForOp loop = group.loop;
  Location loc = loop.getLoc();
  Operation *reader = nullptr;
  for (StagedRead *staged : group.reads)
    for (Operation *user : staged->read->getUsers()) {
      Operation *here = loop.getBody()->findAncestorOpInBlock(*user);
      if (!reader || here->isBeforeInBlock(reader))
        reader = here;
    }
  b.setInsertionPoint(loop);
  // Nobody still uses what was here before, and all see the barriers.
  gpu::BarrierOp::create(b, loc);
  for (int64_t i = 0; i < group.slots - 1; ++i)
    startAhead(b, group, target, isFirst, loop.getLowerBound(), i,
               buildIndex(b, loc, i));
  b.setInsertionPointAfter(reader);
  // All have awaited what read the tiles of the iteration before.
  gpu::BarrierOp::create(b, loc);
  int64_t ahead = group.slots - 1;
  Value later =
      b.createOrFold<arith::AddIOp>(loc, iteration, buildIndex(b, loc, ahead));
  startAhead(b, group, target, isFirst, loop.getInductionVar(), ahead,
             getSlot(b, loc, later, group.slots));
}

/// Replaces the reads of `group`.
static void replaceGroup(RewriterBase &b, Group &group,
                         const TileCopies &target, Value isFirst) {
  vector::TransferReadOp last = group.getLast();
  Location loc = last.getLoc();
  b.setInsertionPoint(last);
  Value iteration = getIteration(b, last);
  Value slot = getSlot(b, loc, iteration, group.slots);
  if (group.slots > 1) {
    buildCopiesAhead(b, group, target, isFirst, iteration);
  } else {
    // Nobody still reads what was here before.
    gpu::BarrierOp::create(b, loc);
    startCopies(b, group, target, isFirst, /*position=*/Value(), slot);
  }
  target.wait(b, loc, group.barriers, slot,
              getParity(b, loc, iteration, group.slots));
  for (StagedRead *staged : group.reads)
    b.replaceOp(
        staged->read,
        SharedTileOp::create(b, loc, staged->read.getVectorType(),
                             getTile(b, *staged, slot),
                             SharedAttr::get(b.getContext(), staged->layout)));
}

FailureOr<int64_t> mlir::vector_ext::stageTiles(RewriterBase &rewriter,
                                                gpu::LaunchOp launch,
                                                int64_t slots,
                                                Refusal &refusal) {
  if (slots < 0)
    return refusal.set(RefusalKind::Other, launch,
                       "expected at least 0 slots, got " + Twine(slots));
  const TileCopies &target = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
  StagedReads reads;
  WalkResult walk = launch.walk([&](vector::ContractionOp contract) {
    return WalkResult(addOperands(contract, launch, reads, refusal));
  });
  if (walk.wasInterrupted())
    return failure();
  if (reads.empty())
    return 0;
  if (!target.start)
    return refusal.set(RefusalKind::Other, launch,
                       "the target has registered no copies of tiles");

  SmallVector<Group> groups = getGroups(launch, reads);
  if (failed(setSlots(launch, groups, slots)))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  Location loc = launch.getLoc();
  rewriter.setInsertionPoint(launch);
  for (auto &[op, staged] : reads)
    staged.source =
        target.describe(rewriter, op->getLoc(),
                        staged.from.buildView(rewriter, op->getLoc()),
                        getBox(staged), staged.copy.mode);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value thread = gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        thread, buildIndex(rewriter, loc, 0));
  for (Group &group : groups)
    for (StagedRead *staged : group.reads)
      staged->memory = buildMemory(rewriter, *staged, group.slots);
  for (Group &group : groups)
    group.barriers = target.createBarriers(rewriter, loc, isFirst, group.slots);
  // A barrier of all threads is in front of the first copy.
  for (Group &group : groups)
    replaceGroup(rewriter, group, target, isFirst);
  return static_cast<int64_t>(reads.size());
}
