//===- StageTiles.cpp - Tiles that instructions read from shared memory ---===//
//
// An asynchronous instruction reads its operands from shared memory. If an
// operand is a tile of a buffer in global memory, the hardware can copy it
// there as a whole, without threads and registers.
//
//   1. Choose an arrangement for each operand of an asynchronous contraction
//      that both the copy and the instruction support. Otherwise refuse.
//   2. Group reads that may be waited for together.
//   3. Choose rings. Groups of loops that follow each other share the slots of
//      one ring, if their tiles are alike.
//   4. Choose the slots of each ring, and how many threads copy its tiles.
//   5. Replace each group by a put and a get. Positions count through all loops
//      of the ring.
//
// With roles, threads need not load a tile that they read to registers. It is
// copied in the same way, and they load it from shared memory, several elements
// at a time. Such a tile has a separate ring:
//
//   - A mask, for each iteration of a loop. If that leaves fewer than two slots
//     for the operands, threads read global memory instead.
//   - A residual, after a loop with operands. It arrives during the last
//     iterations. It has one slot, which threads free once they have loaded it.
//     If that leaves fewer than three slots for the operands, threads read
//     global memory instead.
//
// Without roles, threads read a residual or a bias before the loop, if there
// are registers for it. It arrives during the loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "EarlyReads.h"
#include "LastTiles.h"
#include "StagedReads.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// Tiles that are copied and waited for together.
struct Group {
  SmallVector<StagedRead *, 2> reads;
  /// The loop whose later iterations can be copied in advance, or null.
  scf::ForOp loop;

  Operation *getLast() const { return reads.back()->read; }
  bool isWritten() const { return !reads.front()->from; }
  bool isLoaded() const { return reads.front()->isLoaded; }
  /// Returns whether threads load the tile once for each result.
  bool isLoadedOnce() const { return isLoaded() && !loop; }
  bool hasEnds() const {
    return llvm::any_of(reads, [](const StagedRead *staged) {
      return staged->from && staged->from->hasEnd();
    });
  }
  RingType getRingType(int64_t slots) const {
    SmallVector<VectorType> tiles;
    SmallVector<SharedAttr> layouts;
    for (StagedRead *staged : reads) {
      tiles.push_back(staged->getType());
      layouts.push_back(
          SharedAttr::get(staged->read->getContext(), staged->layout));
    }
    return RingType::get(getLast()->getContext(), slots, tiles, layouts);
  }
};

/// Groups whose tiles wait in the same slots, in program order.
struct Ring {
  SmallVector<Group *, 2> groups;
  int64_t slots = 1;
  /// The number of threads that share the parts of a tile.
  int64_t copiers = 1;

  RingType getType() const { return groups.front()->getRingType(slots); }
};

} // namespace

/// The fewest slots of operands beside a tile that is loaded after their loop.
static constexpr int64_t kLeastSlotsOfLoop = 3;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// Groups reads that can all be done at the last one of them: no op in between
/// uses them, or writes to memory.
static SmallVector<Group> getGroups(gpu::LaunchOp launch, StagedReads &reads) {
  SmallVector<Group> groups;
  launch.walk([&](Block *block) {
    bool isOpen = false;
    for (Operation &op : *block) {
      if (auto *it = reads.find(&op); it != reads.end()) {
        bool isBeside = it->second.isBeside,
             isAlone = !isBeside && (!it->second.from || it->second.isLoaded);
        if (!isOpen || isAlone ||
            groups.back().reads.front()->isBeside != isBeside)
          groups.emplace_back();
        groups.back().reads.push_back(&it->second);
        isOpen = !isAlone;
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
// Loops
//===----------------------------------------------------------------------===//

/// Sets the loop of `group` if tiles of later iterations can be copied: nothing
/// in it writes to memory, and the number of an iteration determines the
/// places.
static void findLoop(Group &group) {
  auto loop = dyn_cast<scf::ForOp>(group.getLast()->getParentOp());
  if (!loop || mayWrite(loop))
    return;
  for (StagedRead *staged : group.reads) {
    auto read = staged->from ? dyn_cast<vector::TransferReadOp>(staged->read)
                             : vector::TransferReadOp();
    ValueRange places = read ? ValueRange(read.getIndices())
                             : ValueRange(staged->read->getOperands());
    for (Value place : places)
      // Gathers are copied by separate threads, which read tables in advance.
      if (!followsFromIteration(place, loop, /*mayRead=*/!read))
        return;
  }
  group.loop = loop;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// Returns whether the tiles of `group` can wait in the slots of `ring`: they
/// are alike, and the loop of `group` follows those of the ring.
static bool canJoin(const Ring &ring, const Group &group) {
  const Group *last = ring.groups.back();
  return last->loop && group.loop && last->loop != group.loop &&
         last->loop->getBlock() == group.loop->getBlock() &&
         last->loop->isBeforeInBlock(group.loop) &&
         last->isWritten() == group.isWritten() &&
         last->isLoaded() == group.isLoaded() &&
         last->getRingType(1) == group.getRingType(1) &&
         llvm::equal(last->reads, group.reads,
                     [](const StagedRead *before, const StagedRead *after) {
                       return before->read->getResultTypes() ==
                              after->read->getResultTypes();
                     });
}

static SmallVector<Ring> getRings(MutableArrayRef<Group> groups) {
  SmallVector<Ring> rings;
  for (Group &group : groups) {
    findLoop(group);
    auto *ring = llvm::find_if(
        rings, [&](const Ring &ring) { return canJoin(ring, group); });
    if (ring == rings.end())
      rings.push_back({{&group}});
    else
      ring->groups.push_back(&group);
  }
  return rings;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// Returns the registers of a workgroup of `threads` threads for the products
/// of a loop, and for the computations between them. Returns 0 if there is no
/// such product.
static int64_t getComputingRegisters(gpu::LaunchOp launch, int64_t threads,
                                     const linalg_ext::GPUTarget &target) {
  llvm::DenseMap<Block *, int64_t> words;
  llvm::DenseSet<Block *> computing;
  launch.walk([&](vector::ContractionOp contract) {
    if (!getAsyncIntrinsic(contract) ||
        !isa<scf::ForOp>(contract->getParentOp()))
      return;
    Block *block = contract->getBlock();
    words[block] += cast<VectorType>(contract.getResultType()).getNumElements();
    if (contract.getLhs().getDefiningOp<vector::TransferReadOp>())
      return;
    computing.insert(block);
    VectorType type = contract.getLhsType();
    words[block] += type.getNumElements() * type.getElementTypeBitWidth() / 32;
  });
  int64_t most = 0;
  for (Block *block : computing)
    most = std::max(most, words[block] + target.asyncOtherRegisters * threads);
  return most;
}

/// Returns the number of slots, 1 to 4 (8 if groups of threads have tiles of
/// their own, or workgroups share tiles; 16 if a workgroup with roles is alone
/// on its processor), for which shared memory has room. So
/// many workgroups of `launch` run on a processor that there are enough threads.
/// A slot takes `slotBytes`, and tiles without slots take `otherBytes`.
static int64_t chooseSlots(gpu::LaunchOp launch,
                           const linalg_ext::GPUTarget &target,
                           int64_t slotBytes, int64_t otherBytes) {
  int64_t threads = 1;
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (Value size : {block.x, block.y, block.z})
    threads *= std::max<int64_t>(getConstantIntValue(size).value_or(1), 1);
  int64_t workgroups = llvm::divideCeil(target.waitingThreads, threads);
  std::optional<KernelMark> mark = getKernelMark(launch);
  int64_t groups = mark ? mark->groups : 1;
  if (mark && (mark->alone || groups > 1))
    workgroups = 1;
  else if (int64_t registers = getComputingRegisters(launch, threads, target))
    workgroups =
        std::clamp<int64_t>(target.processorRegisters / registers, 1,
                            llvm::divideCeil(target.computingThreads, threads));
  // The barriers take no more than the size of the reserve.
  int64_t bytes = target.processorSharedBytes / workgroups -
                  2 * target.reservedSharedBytes - otherBytes;
  // Groups that take turns need tiles for both (docs/Decisions/0124), and
  // workgroups that share tiles wait for each other (docs/Decisions/0151).
  bool hasMany = groups > 1 || (mark && mark->cluster > 1);
  // Small tiles need many copies on their way (docs/Decisions/0189).
  bool hasMost = mark && mark->alone && mark->way == ProductWay::Roles &&
                 mark->cluster == 1;
  return std::clamp<int64_t>(bytes / slotBytes, 1,
                             hasMost   ? 16
                             : hasMany ? 8
                                       : 4);
}

/// Sets the slots of each ring to `slots`, or chooses them if that is 0, beside
/// `storedBytes` of other memory. Returns the slots of rings in loops. Fails,
/// with an error, if the module describes its device incorrectly.
static FailureOr<int64_t> setSlots(gpu::LaunchOp launch,
                                   MutableArrayRef<Ring> rings, int64_t slots,
                                   int64_t storedBytes) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  bool persists = mark && mark->persist != 0;
  int64_t slotBytes = 0, otherBytes = 0, onceBytes = storedBytes;
  int64_t otherSlots = persists ? 2 : 1;
  for (Ring &ring : rings) {
    const Group &group = *ring.groups.front();
    int64_t &bytes = group.loop             ? slotBytes
                     : group.isLoadedOnce() ? onceBytes
                                            : otherBytes;
    bytes += ring.getType().getSlotBytes();
  }
  if (slots == 0 && slotBytes != 0) {
    FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
    if (failed(target))
      return failure();
    slots = chooseSlots(launch, *target, slotBytes,
                        otherSlots * otherBytes + onceBytes);
    // The next tile of a persistent kernel is copied while this one is
    // computed, if that leaves two slots for each loop.
    if (persists && slots < 2) {
      otherSlots = 1;
      slots = chooseSlots(launch, *target, slotBytes, otherBytes + onceBytes);
    }
    // A previous attempt may have had too many slots.
    if (mark && mark->slots > 0)
      slots = std::min(slots, mark->slots);
  }
  for (Ring &ring : rings) {
    const Group &group = *ring.groups.front();
    ring.slots = group.loop ? slots : group.isLoadedOnce() ? 1 : otherSlots;
  }
  return slots;
}

/// Returns whether memory for `stored` leaves the rings of `launch` the slots
/// that they have: those that were chosen (`slots` is 0) would be chosen again,
/// and there is room for others.
static bool leavesSlots(gpu::LaunchOp launch, ArrayRef<Ring> rings,
                        int64_t slots, const StagedWrite &stored) {
  if (slots != 0) {
    FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
    int64_t bytes = stored.layout.getSizeInBytes();
    for (const Ring &ring : rings)
      bytes += ring.slots * ring.getType().getSlotBytes();
    return succeeded(target) && bytes <= target->processorSharedBytes -
                                             2 * target->reservedSharedBytes;
  }
  SmallVector<Ring> others(rings);
  return succeeded(
             setSlots(launch, others, slots, stored.layout.getSizeInBytes())) &&
         llvm::equal(rings, others, [](const Ring &ring, const Ring &other) {
           return ring.slots == other.slots;
         });
}

//===----------------------------------------------------------------------===//
// Copiers
//===----------------------------------------------------------------------===//

/// Sets the number of copiers of each ring, at most `copiers`, such that it
/// divides the parts of all its tiles. If `copiers` is 0, a kernel with roles
/// has at most as many copiers as the copying role has threads: starting a copy
/// takes a thread 60 to 100 cycles, and it waits for what it looks up
/// (docs/Decisions/0054).
static LogicalResult setCopiers(gpu::LaunchOp launch,
                                MutableArrayRef<Ring> rings, int64_t copiers) {
  if (copiers == 0) {
    if (!hasRoles(launch))
      return success();
    FailureOr<linalg_ext::GPUTarget> target = linalg_ext::getGPUTarget(launch);
    if (failed(target))
      return failure();
    copiers = target->groupThreads;
  }
  for (Ring &ring : rings) {
    ring.copiers = copiers;
    for (Group *group : ring.groups)
      for (StagedRead *staged : group->reads)
        ring.copiers = std::gcd(ring.copiers,
                                staged->from ? staged->from->getNumParts() : 1);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// IR
//===----------------------------------------------------------------------===//

static Value buildIndex(RewriterBase &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

/// Builds the number of the iteration of the loop around `op`, or 0.
static Value getIteration(RewriterBase &b, Operation *op) {
  Location loc = op->getLoc();
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop)
    return buildIndex(b, loc, 0);
  Value done = loop.getInductionVar();
  if (!isConstantIntValue(loop.getLowerBound(), 0))
    done = b.createOrFold<AssumeOp>(
        loc, b.createOrFold<arith::SubIOp>(loc, done, loop.getLowerBound()),
        /*atLeast=*/0, /*atMost=*/std::nullopt);
  return b.createOrFold<arith::DivUIOp>(loc, done, loop.getStep());
}

Value mlir::vector_ext::buildNumIterations(RewriterBase &b, Location loc,
                                           scf::ForOp loop) {
  Value zero = buildIndex(b, loc, 0), one = buildIndex(b, loc, 1);
  Value extent = b.createOrFold<arith::MaxSIOp>(
      loc,
      b.createOrFold<arith::SubIOp>(loc, loop.getUpperBound(),
                                    loop.getLowerBound()),
      zero);
  Value rounded = b.createOrFold<arith::AddIOp>(
      loc, extent, b.createOrFold<arith::SubIOp>(loc, loop.getStep(), one));
  return b.createOrFold<arith::DivUIOp>(loc, rounded, loop.getStep());
}

/// Builds the end of the rows of `staged`. If there is no end, builds one after
/// the tile, as a value of the iteration. Loops of one ring are then alike,
/// which lets vector-ext-rotate-loops rotate them together.
static Value buildEnd(RewriterBase &b, Location loc, const Group &group,
                      const StagedRead &staged) {
  Value end = staged.from ? staged.from->buildEnd(b, loc) : Value();
  if (end)
    return end;
  Value size = buildIndex(b, loc, staged.getType().getDimSize(0));
  if (!group.loop)
    return size;
  return arith::MaxSIOp::create(b, loc,
                                scf::ForOp(group.loop).getInductionVar(), size);
}

/// Returns whether `op` gives a value that is written to a ring its layout.
static bool isWritten(Operation *op) {
  return isa<ToLayoutOp>(op) &&
         llvm::any_of(op->getUsers(), llvm::IsaPred<RingWriteOp>);
}

/// Replaces the read of `staged` by `tile`. Sets `reader` to the last op that
/// uses it, if that op is after `reader`.
static void replaceRead(RewriterBase &b, const StagedRead &staged, Value tile,
                        Operation *&reader) {
  // Users of bits of another type are those of casts.
  SmallVector<Operation *> users(staged.read->getUsers());
  if (staged.usedAs)
    for (Operation *cast : std::exchange(users, {})) {
      llvm::append_range(users, cast->getUsers());
      b.replaceOp(cast, tile);
    }
  Operation *first = nullptr;
  for (Operation *user : users) {
    if (isa<RingWriteOp>(user) || isWritten(user))
      continue;
    Operation *here = reader->getBlock()->findAncestorOpInBlock(*user);
    if (reader->isBeforeInBlock(here))
      reader = here;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  if (staged.isOfBooleans() && first) {
    // Registers hold bytes, which are 0 or 1, up to the first use.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(first);
    reader = arith::TruncIOp::create(b, staged.read->getLoc(),
                                     staged.read->getResult(0).getType(), tile,
                                     arith::IntegerOverflowFlags::nuw);
    tile = reader->getResult(0);
  }
  if (staged.usedAs)
    return b.eraseOp(staged.read);
  if (staged.from)
    return b.replaceOp(staged.read, tile);
  b.replaceUsesWithIf(staged.read->getResult(0), tile, [](OpOperand &use) {
    return !isa<RingWriteOp>(use.getOwner()) && !isWritten(use.getOwner());
  });
}

/// The layout in which threads of the copying role load the tile of `staged`:
/// each of them has other rows. Elements of a row that are adjacent in memory
/// are loaded together.
static layout::Layout getLoadedLayout(const StagedRead &staged,
                                      const linalg_ext::GPUTarget &target) {
  VectorType type = staged.getType();
  Workgroup workgroup{target.lanes, target.groupThreads / target.lanes};
  // A run of 16 bytes is one element, unless a row is contiguous.
  int64_t run = 1;
  auto read = dyn_cast<vector::TransferReadOp>(staged.read);
  AffineMap map = read ? read.getPermutationMap() : AffineMap();
  if (read && map.getNumResults() > 1 && map.isProjectedPermutation() &&
      map.getDimPosition(map.getNumResults() - 1) == map.getNumDims() - 1)
    run = std::clamp<int64_t>(
        llvm::bit_floor<uint64_t>(type.getNumElements() / target.groupThreads),
        1, 128 / type.getElementTypeBitWidth());
  return getBlockedLayout(type.getShape(), /*elementBytes=*/16 / run,
                          workgroup);
}

/// Replaces the read of `group`, which threads copy, by the tile of `ring` at
/// `position`.
static void replaceWritten(RewriterBase &b, Group &group, Value ring,
                           Value position) {
  Operation *last = group.getLast();
  Location loc = last->getLoc();
  b.setInsertionPointAfter(last);
  for (auto [number, staged] : llvm::enumerate(group.reads)) {
    Value tile = staged->read->getResult(0);
    if (staged->isBeside && staged->isLoaded)
      if (FailureOr<linalg_ext::GPUTarget> target =
              linalg_ext::getGPUTarget(last);
          succeeded(target))
        tile = ToLayoutOp::create(
            b, loc, tile,
            LayoutAttr::get(b.getContext(), getLoadedLayout(*staged, *target)));
    RingWriteOp::create(b, loc, tile, ring, position, number);
  }
  auto get = RingGetOp::create(b, loc, ring, position, ValueRange(),
                               /*condition=*/Value());
  Operation *reader = get;
  for (auto [staged, tile] : llvm::zip_equal(group.reads, get.getTiles()))
    replaceRead(b, *staged, tile, reader);
  b.setInsertionPointAfter(reader);
  RingReleaseOp::create(b, loc, ring, position, /*condition=*/Value());
}

/// Returns the last of the elementwise ops that are applied to what `op`
/// computes, one after the other.
static Operation *getEndOfChain(Operation *op) {
  while (op->getNumResults() == 1 && op->hasOneUse()) {
    Operation *user = *op->user_begin();
    if (!OpTrait::hasElementwiseMappableTraits(user) ||
        user->getBlock() != op->getBlock())
      break;
    op = user;
  }
  return op;
}

/// Replaces the reads of `group` by the tiles of `ring` at `position`, which
/// `copiers` threads copy. The tiles have ends if `hasEnds` is true.
static void replaceGroup(RewriterBase &b, Group &group, Value ring,
                         Value position, int64_t copiers, bool hasEnds) {
  if (group.isWritten())
    return replaceWritten(b, group, ring, position);
  Operation *last = group.getLast();
  Location loc = last->getLoc();
  b.setInsertionPoint(last);
  SmallVector<Value> sources, ends;
  SmallVector<SmallVector<Value>> indices;
  SmallVector<AffineMap> maps;
  SmallVector<int64_t> parts, cut;
  Value copier;
  if (copiers > 1)
    copier = RingCopierOp::create(b, loc);
  for (StagedRead *staged : group.reads) {
    sources.push_back(staged->source);
    llvm::append_range(indices,
                       staged->from->buildCoordinates(b, loc, copier, copiers));
    maps.push_back(staged->from->getMap());
    parts.push_back(staged->from->getNumParts());
    cut.push_back(staged->cut ? static_cast<int64_t>(*staged->cut) : -1);
    if (hasEnds)
      ends.push_back(buildEnd(b, loc, group, *staged));
  }
  bool hasParts = llvm::any_of(parts, [](int64_t count) { return count > 1; });
  RingPutOp::create(
      b, loc, ring, position, sources,
      llvm::map_to_vector(indices, [](auto &list) { return ValueRange(list); }),
      b.getAffineMapArrayAttr(maps),
      hasParts ? b.getDenseI64ArrayAttr(parts) : nullptr,
      copiers > 1 ? b.getI64IntegerAttr(copiers) : nullptr,
      !hasParts && llvm::any_of(cut, [](int64_t dim) { return dim >= 0; })
          ? b.getDenseI64ArrayAttr(cut)
          : nullptr,
      /*shared=*/nullptr);
  auto get = RingGetOp::create(b, loc, ring, position, ends,
                               /*condition=*/Value());
  Operation *reader = get;
  for (auto [staged, tile] : llvm::zip_equal(group.reads, get.getTiles()))
    replaceRead(b, *staged, tile, reader);
  // Threads load what they need just before its use. In front of the release,
  // they would need registers for a tile of 32 bits beside the results.
  constexpr unsigned kWordBits = 32;
  if (group.isLoadedOnce() && reader != get &&
      group.getRingType(1).getTiles().front().getElementTypeBitWidth() ==
          kWordBits)
    reader = getEndOfChain(reader);
  b.setInsertionPointAfter(reader);
  RingReleaseOp::create(b, loc, ring, position, /*condition=*/Value());
}

/// Builds `ring` at the insertion point, and replaces its groups.
static RingCreateOp replaceRing(RewriterBase &b, Ring &ring) {
  Location loc = ring.groups.front()->getLast()->getLoc();
  bool hasEnds = llvm::any_of(
      ring.groups, [](const Group *group) { return group->hasEnds(); });
  auto create = RingCreateOp::create(b, loc, ring.getType());
  OpBuilder::InsertionGuard guard(b);
  // The position of the first tile of a group, or null for 0.
  Value first;
  Group *before = nullptr;
  for (Group *group : ring.groups) {
    if (before) {
      b.setInsertionPoint(group->loop);
      Value count = buildNumIterations(b, loc, before->loop);
      first = first ? b.createOrFold<arith::AddIOp>(loc, first, count) : count;
    }
    b.setInsertionPoint(group->getLast());
    Value position = getIteration(b, group->getLast());
    if (first)
      position = b.createOrFold<arith::AddIOp>(loc, first, position);
    replaceGroup(b, *group, create, position, ring.copiers, hasEnds);
    before = group;
  }
  return create;
}

/// Replaces the write of `stored` by a store through shared memory.
static void replaceWrite(RewriterBase &b, StagedWrite &stored) {
  vector::TransferWriteOp write = stored.write;
  Location loc = write.getLoc();
  Value view = stored.to.buildView(b, loc);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(write);
  SmallVector<Value> places =
      stored.to.buildCoordinates(b, loc, /*copier=*/Value(), /*copiers=*/1)
          .front();
  // In tiles without products, no instruction says which rows a subgroup has.
  Value tile =
      ToLayoutOp::create(b, loc, write.getVector(),
                         LayoutAttr::get(b.getContext(), stored.ofThreads));
  b.replaceOpWithNewOp<StoreTileOp>(
      write, tile, view, places, stored.to.getMap(),
      SharedAttr::get(b.getContext(), stored.layout), stored.parts);
}

/// Lets reads of `launch` from a buffer whose last dimensions have size 1, such
/// as the weights of a convolution by single elements, read a view without
/// these. Otherwise its rows would have one element.
static void dropLastUnitDims(RewriterBase &rewriter, gpu::LaunchOp launch) {
  SmallVector<vector::TransferReadOp> reads;
  launch.walk([&](vector::TransferReadOp read) { reads.push_back(read); });
  for (vector::TransferReadOp read : reads) {
    auto type = dyn_cast<MemRefType>(read.getBase().getType());
    AffineMap map = read.getPermutationMap();
    if (!type || !type.getLayout().isIdentity() ||
        launch->isAncestor(read.getBase().getParentRegion()->getParentOp()))
      continue;
    int64_t rank = type.getRank();
    while (rank > 1 && type.getDimSize(rank - 1) == 1 &&
           !map.isFunctionOfDim(rank - 1) &&
           isConstantIntValue(read.getIndices()[rank - 1], 0))
      --rank;
    if (rank == type.getRank())
      continue;
    SmallVector<ReassociationIndices> groups(rank);
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      groups[std::min(dim, rank - 1)].push_back(dim);
    rewriter.setInsertionPoint(launch);
    Value view = memref::CollapseShapeOp::create(rewriter, read.getLoc(),
                                                 read.getBase(), groups);
    rewriter.modifyOpInPlace(read, [&] {
      read.getBaseMutable().assign(view);
      read.getIndicesMutable().assign(
          SmallVector<Value>(read.getIndices().take_front(rank)));
      read.setPermutationMap(
          AffineMap::get(rank, 0, map.getResults(), map.getContext()));
    });
  }
}

/// Fails if a number that is chosen is negative.
static LogicalResult checkCounts(gpu::LaunchOp launch, int64_t slots,
                                 int64_t copiers, Refusal &refusal) {
  if (slots < 0)
    return refusal.set(RefusalKind::Other, launch,
                       "expected at least 0 slots, got " + Twine(slots));
  if (copiers < 0)
    return refusal.set(RefusalKind::Other, launch,
                       "expected at least 0 copiers, got " + Twine(copiers));
  return success();
}

FailureOr<int64_t> mlir::vector_ext::stageTiles(RewriterBase &rewriter,
                                                gpu::LaunchOp launch,
                                                int64_t slots, int64_t copiers,
                                                Refusal &refusal) {
  if (failed(checkCounts(launch, slots, copiers, refusal)))
    return failure();
  const TileCopies &target = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
  dropLastUnitDims(rewriter, launch);
  StagedReads reads;
  vector::ContractionOp last;
  bool anyAsync = false;
  auto collectOperands = [&] {
    reads.clear();
    WalkResult walk = launch.walk([&](vector::ContractionOp contract) {
      last = contract;
      anyAsync |= getAsyncIntrinsic(contract) != nullptr;
      return WalkResult(addOperands(contract, launch, reads, refusal));
    });
    return failure(walk.wasInterrupted());
  };
  if (failed(collectOperands()))
    return failure();
  if (isMarkedAsync(launch) && last && !anyAsync)
    return refusal.set(RefusalKind::Other, last,
                       "expected a contraction with an asynchronous "
                       "instruction");
  if (reads.empty())
    return 0;
  if (!target.start)
    return refusal.set(RefusalKind::Other, launch,
                       "the target has registered no copies of tiles");

  // Operands are then read from other places.
  if (isMarkedAsync(launch) && beginLastTileEarlier(rewriter, launch) &&
      failed(collectOperands()))
    return failure();

  bool isChosen = slots == 0;
  StagedReads operands = reads;
  if (hasRoles(launch))
    addLoaded(launch, reads);
  moveBeside(rewriter, reads);
  SmallVector<Group> groups = getGroups(launch, reads);
  SmallVector<Ring> rings = getRings(groups);
  FailureOr<int64_t> used = setSlots(launch, rings, slots, /*storedBytes=*/0);
  auto stageAgain = [&](StagedReads fewer) {
    reads = std::move(fewer);
    groups = getGroups(launch, reads);
    rings = getRings(groups);
    used = setSlots(launch, rings, slots, /*storedBytes=*/0);
  };
  if (succeeded(used) && isChosen && *used < kLeastSlotsOfLoop &&
      llvm::any_of(groups, std::mem_fn(&Group::isLoadedOnce))) {
    StagedReads fewer = reads;
    fewer.remove_if([&](const auto &staged) {
      return staged.second.isLoaded && staged.first->getParentOp() == launch;
    });
    stageAgain(std::move(fewer));
  }
  if (succeeded(used) && isChosen && *used < 2 &&
      reads.size() > operands.size())
    stageAgain(operands);
  if (failed(used) || failed(setCopiers(launch, rings, copiers)))
    return refusal.set(RefusalKind::Other, launch,
                       "the description of the device is wrong");
  if (std::optional<KernelMark> mark = getKernelMark(launch);
      mark && ((isChosen && *used != 0) || mark->copied)) {
    if (isChosen && *used != 0)
      mark->slots = *used;
    if (mark->copied && readsTiles(launch, reads))
      mark->rotate = false;
    setKernelMark(launch, *mark);
  }
  rewriter.setInsertionPoint(launch);
  if (std::optional<StagedWrite> stored = findStored(launch, operands);
      stored && leavesSlots(launch, rings, slots, *stored))
    replaceWrite(rewriter, *stored);
  for (auto &[op, staged] : reads)
    if (staged.from)
      staged.source = staged.from->buildView(rewriter, op->getLoc());
  cutRows(launch, reads);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  // The op at the insertion point may be a read that is erased.
  for (Ring &ring : rings)
    rewriter.setInsertionPointAfter(replaceRing(rewriter, ring));
  if (hasRoles(launch)) {
    readEarly(rewriter, launch);
  } else if (FailureOr<linalg_ext::GPUTarget> device =
                 linalg_ext::getGPUTarget(launch);
             succeeded(device)) {
    for (auto loop : launch.getBody().front().getOps<scf::ForOp>())
      readInFront(rewriter, launch, loop, *device);
  }
  return static_cast<int64_t>(reads.size());
}
