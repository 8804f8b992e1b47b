//===- StageTiles.cpp - Tiles that instructions read from shared memory ---===//
//
// An asynchronous instruction reads its operands from shared memory. If an
// operand is a tile of a buffer in global memory, the hardware can copy it
// there as a whole, without threads and registers.
//
//   1. Choose an arrangement for each operand of an asynchronous contraction,
//      which both the copy and the instruction support. Otherwise refuse.
//   2. Group reads that may be waited for together.
//   3. Choose rings: groups of loops that follow each other share the slots of
//      one, if their tiles are alike.
//   4. Choose the slots of each ring, and how many threads copy its tiles.
//   5. Replace each group by a put and a get. Positions count through all loops
//      of the ring.
//
// With roles, threads need not load a tile that they read to registers: it is
// copied in the same way, and they load it from shared memory, several elements
// at a time. This takes a ring of its own:
//
//   - a mask, for each iteration of a loop. If that leaves fewer than two slots
//     for the operands, threads read the memory.
//   - a residual, behind a loop with operands: it arrives during the last
//     iterations. It has one slot, which threads free once they have loaded it.
//     If that leaves fewer than three slots for the operands, threads read the
//     memory.
//
// Without roles, threads read a residual or a bias in front of the loop, if
// there are registers for it: it arrives during the loop.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "LastTiles.h"
#include "TileSource.h"
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
#include "llvm/ADT/SetVector.h"

#include <functional>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// A tile that is copied to shared memory.
struct StagedRead {
  /// A vector.transfer_read or a transfer_gather.
  Operation *read;
  /// Unset if threads copy the tile, since no copy of boxes can.
  std::optional<TileSource> from;
  SharedLayout layout;
  /// The view that `from` builds in front of the launch.
  Value source = {};
  /// Whether threads load the tile into registers.
  bool isLoaded = false;
  /// Whether threads copy the tile together with others of its loop: what
  /// products of converted bytes need beside these.
  bool isBeside = false;
  /// The rows of a product, if this is its left operand.
  std::optional<unsigned> rows = {};
  /// The dimension of the tile behind whose end nothing has to be copied.
  std::optional<unsigned> cut = {};

  VectorType getType() const {
    return cast<VectorType>(read->getResult(0).getType());
  }
};

using StagedReads = llvm::MapVector<Operation *, StagedRead>;

/// Tiles that are copied and waited for together.
struct Group {
  SmallVector<StagedRead *, 2> reads;
  /// The loop whose later iterations can be copied before, if there is one.
  scf::ForOp loop;

  Operation *getLast() const { return reads.back()->read; }
  bool isWritten() const { return !reads.front()->from; }
  bool isLoaded() const { return reads.front()->isLoaded; }
  /// Whether threads load the tile once for each result.
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

/// Groups whose tiles wait in the same slots, in the order of the program.
struct Ring {
  SmallVector<Group *, 2> groups;
  int64_t slots = 1;
  /// Threads that share the parts of a tile.
  int64_t copiers = 1;

  RingType getType() const { return groups.front()->getRingType(slots); }
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
static LogicalResult checkPlace(Operation *read, gpu::LaunchOp launch,
                                Refusal &refusal) {
  auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
  if (read->getParentOp() != launch && (!loop || loop->getParentOp() != launch))
    return refusal.set(RefusalKind::Other, read,
                       "the tile is read in a branch, or in a loop in a loop");
  return success();
}

/// Returns the arrangement with the widest swizzle in which `use` can read the
/// tile of `read`.
static FailureOr<StagedRead> chooseLayout(Operation *read,
                                          const TileSource &source,
                                          const OperandUse &use,
                                          Refusal &refusal) {
  AffineMap map = source.getMap();
  auto type = cast<VectorType>(read->getResult(0).getType());
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
    if (getTmaCopyOfParts(*shared, source.getNumParts(), &reason))
      return StagedRead{read, source, *shared};
  }
  return refusal.set(RefusalKind::Other, read,
                     "the instruction cannot read the tile as it is copied: " +
                         Twine(reason));
}

/// The dimension of the tile of `read` that is contiguous in memory, or its
/// last one.
static unsigned getContiguousDim(Operation *read) {
  auto type = cast<VectorType>(read->getResult(0).getType());
  auto gather = dyn_cast<TransferGatherOp>(read);
  if (!gather && !isa<vector::TransferReadOp>(read))
    return type.getRank() - 1;
  AffineMap map = gather
                      ? gather.getBaseMap()
                      : cast<vector::TransferReadOp>(read).getPermutationMap();
  if (gather) {
    if (auto dim = dyn_cast<AffineDimExpr>(map.getResults().back()))
      return dim.getPosition();
    return type.getRank() - 1;
  }
  AffineExpr last = getAffineDimExpr(map.getNumDims() - 1, map.getContext());
  std::optional<unsigned> position = map.getResultPosition(last);
  return position.value_or(type.getRank() - 1);
}

/// Returns the same arrangement for a tile that threads copy.
static FailureOr<StagedRead>
chooseWrittenLayout(Operation *read, const OperandUse &use, Refusal &refusal) {
  auto type = cast<VectorType>(read->getResult(0).getType());
  unsigned contiguous = getContiguousDim(read);
  SmallVector<unsigned> order;
  for (unsigned dim = 0; dim < type.getRank(); ++dim)
    if (dim != contiguous)
      order.push_back(dim);
  order.push_back(contiguous);
  int64_t bits = type.getElementTypeBitWidth();
  std::string reason = "its rows have no multiple of 32 bytes";
  for (int64_t bytes : {128, 64, 32}) {
    if (type.getDimSize(contiguous) * bits % (8 * bytes))
      continue;
    std::optional<SharedLayout> shared = SharedLayout::getSwizzledPanels(
        type.getShape(), order, bits, bytes, &reason);
    if (shared && use.isReadFrom(*shared, reason))
      return StagedRead{read, std::nullopt, *shared};
  }
  return refusal.set(
      RefusalKind::Other, read,
      "the instruction cannot read the tile as threads copy it: " +
          Twine(reason));
}

/// True if threads of a role of their own copy tiles of `launch`.
static bool hasRoles(gpu::LaunchOp launch) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  return mark && mark->way == ProductWay::Roles;
}

/// Whether `value` is read from memory, and then put into another order.
static bool isReorderedRead(Value value) {
  bool isReordered = false;
  while (Operation *op = value.getDefiningOp()) {
    if (!value.hasOneUse())
      return false;
    if (isa<vector::TransferReadOp>(op))
      return isReordered;
    if (!isa<vector::ShapeCastOp, vector::TransposeOp>(op))
      return false;
    isReordered = true;
    value = op->getOperand(0);
  }
  return false;
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
    Operation *read = operand.getDefiningOp();
    auto gather = dyn_cast_or_null<TransferGatherOp>(read);
    bool isReordered = !isLhs && isReorderedRead(operand);
    bool isRead =
        gather || isReordered || isa_and_nonnull<vector::TransferReadOp>(read);
    // Threads have what they compute in registers.
    if (!isRead && isLhs)
      continue;
    if (!isRead)
      return refusal.set(RefusalKind::Other, contract,
                         "the right operand is not read from memory");
    if (auto *known = reads.find(read); known != reads.end()) {
      std::string reason;
      if (!use.isReadFrom(known->second.layout, reason))
        return refusal.set(RefusalKind::Other, contract, reason);
      if (!isLhs || known->second.rows != use.mnDim)
        known->second.rows.reset();
      continue;
    }
    if (!llvm::all_of(read->getUsers(), [](Operation *user) {
          return getAsyncIntrinsic(user) != nullptr;
        }))
      return refusal.set(RefusalKind::Other, read,
                         "the tile is also used in registers");
    FailureOr<TileSource> source = failure();
    if (isReordered)
      refusal.set(RefusalKind::Other, read,
                  "what is summed is read in another order");
    else
      source = gather ? TileSource::get(gather, launch, maxRank, refusal)
                      : TileSource::get(cast<vector::TransferReadOp>(read),
                                        launch, maxRank, refusal);
    if ((failed(source) && !hasRoles(launch)) ||
        failed(checkPlace(read, launch, refusal)))
      return failure();
    FailureOr<StagedRead> staged = failure();
    if (succeeded(source))
      staged = chooseLayout(read, *source, use, refusal);
    if (failed(staged) && hasRoles(launch))
      staged = chooseWrittenLayout(read, use, refusal);
    if (failed(staged))
      return failure();
    if (isLhs)
      staged->rows = use.mnDim;
    staged->isBeside = isReordered && isa<scf::ForOp>(read->getParentOp());
    reads.insert({read, *staged});
  }
  return success();
}

/// Whether rows of products in `launch` are computed from no other rows of left
/// operands, and each of these from memory: then what others have does not
/// matter for those that are stored.
static bool areRowsApart(gpu::LaunchOp launch) {
  auto isVector = llvm::IsaPred<VectorType>;
  return !launch
              .walk([&](Operation *op) {
                bool isApart =
                    llvm::none_of(op->getOperandTypes(), isVector) ||
                    OpTrait::hasElementwiseMappableTraits(op) ||
                    isa<scf::ForOp, scf::YieldOp, vector::TransferWriteOp,
                        vector::BroadcastOp>(op);
                if (auto contract = dyn_cast<vector::ContractionOp>(op))
                  isApart =
                      getAsyncIntrinsic(contract) &&
                      llvm::all_of(
                          ValueRange{contract.getLhs(), contract.getRhs()},
                          [](Value operand) {
                            return operand
                                .getDefiningOp<vector::TransferReadOp>();
                          });
                // Masks of transfers, which place no other elements.
                if (isa<vector::TransferReadOp>(op))
                  isApart = true;
                return isApart ? WalkResult::advance()
                               : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Lets copies of left operands end with the rows that there are, if these are
/// fewer than the rows of a tile or not known, and boxes are whole rows:
/// filling the others with zeros takes longer than copying them
/// (docs/Decisions/0119).
static void cutRows(gpu::LaunchOp launch, StagedReads &reads) {
  if (!areRowsApart(launch))
    return;
  for (auto &[op, staged] : reads) {
    if (!staged.from || !staged.rows || staged.from->getNumParts() != 1)
      continue;
    AffineMap map = staged.from->getMap();
    unsigned dim = map.getDimPosition(*staged.rows);
    int64_t size = staged.getType().getDimSize(*staged.rows);
    int64_t all = cast<MemRefType>(staged.source.getType()).getDimSize(dim);
    std::optional<layout::TmaCopy> copy = getTmaCopyOfParts(staged.layout, 1);
    // Other boxes would not be the first rows of the largest one.
    bool isOutermost = llvm::all_of(
        llvm::seq<unsigned>(0, map.getNumResults()), [&](unsigned other) {
          return other == *staged.rows || copy->boxShape[other] == 1 ||
                 map.getDimPosition(other) > dim;
        });
    if (dim + 1 != map.getNumDims() && isOutermost &&
        copy->boxShape[*staged.rows] == size &&
        (ShapedType::isDynamic(all) || all < size))
      staged.cut = staged.rows;
  }
}

/// The fewest bytes of a tile that is worth two barriers.
static constexpr int64_t kLeastLoadedBytes = 8192;

/// The same of bytes that threads convert to an operand.
static constexpr int64_t kLeastConvertedBytes = 2048;

/// The fewest slots of operands beside a tile that is loaded behind their loop.
static constexpr int64_t kLeastSlotsOfLoop = 3;

/// Whether `value` is computed from numbers of the workgroup, and nothing that
/// a loop computes. `seen` has what others are computed from.
static bool followsFromWorkgroup(Value value, gpu::LaunchOp launch,
                                 llvm::DenseSet<Value> &seen) {
  if (!launch.getBody().isAncestor(value.getParentRegion()) ||
      !seen.insert(value).second)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() == &launch.getBody().front();
  return op->getNumRegions() == 0 && isPure(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return followsFromWorkgroup(operand, launch, seen);
         });
}

/// Whether `read` is where its tile can be copied ahead: in an iteration of a
/// loop, or behind a loop with tiles of `reads`.
static bool isAhead(vector::TransferReadOp read, gpu::LaunchOp launch,
                    const StagedReads &reads) {
  llvm::DenseSet<Value> seen;
  if (read->getParentOp() == launch)
    return llvm::any_of(reads,
                        [&](const auto &staged) {
                          Operation *loop = staged.first->getParentOp();
                          return isa<scf::ForOp>(loop) &&
                                 loop->isBeforeInBlock(read);
                        }) &&
           !mayWriteTo(launch, read.getBase()) &&
           llvm::all_of(read.getIndices(), [&](Value index) {
             return followsFromWorkgroup(index, launch, seen);
           });
  auto loop = dyn_cast<scf::ForOp>(read->getParentOp());
  return loop && loop->getParentOp() == launch && !mayWrite(loop) &&
         // The next iteration would read it after its release.
         !llvm::is_contained(loop.getYieldedValues(), read.getVector()) &&
         llvm::all_of(read.getIndices(), [&](Value index) {
           return followsFromIteration(index, loop, /*mayRead=*/false);
         });
}

/// Whether what `value` holds goes to the left operand of an asynchronous
/// instruction, by way of ops that threads compute.
static bool isConverted(Value value) {
  SmallVector<Value> values{value};
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (getAsyncIntrinsic(user) && use.getOperandNumber() == 0 &&
          !isa<vector::TransferReadOp>(next.getDefiningOp()))
        return true;
      if ((OpTrait::hasElementwiseMappableTraits(user) ||
           isa<vector::ShapeCastOp, vector::TransposeOp, vector::BroadcastOp,
               vector::ExtractOp, ToLayoutOp>(user)) &&
          seen.insert(user->getResult(0)).second)
        values.push_back(user->getResult(0));
    }
  }
  return false;
}

/// Returns the arrangement of the tile of `read`, with which threads load it
/// from shared memory, if boxes copy it ahead.
static std::optional<StagedRead> getLoaded(vector::TransferReadOp read,
                                           gpu::LaunchOp launch,
                                           const StagedReads &reads) {
  VectorType type = read.getVectorType();
  if (type.getRank() != 2 || !type.getElementType().isIntOrFloat() ||
      read->use_empty())
    return std::nullopt;
  // TMA knows floats, and integers of so many bits.
  int64_t bits = type.getElementTypeBitWidth();
  bool isBytes = bits == 8 && isConverted(read.getVector());
  if ((bits != 16 && bits != 32 && !isBytes) ||
      type.getNumElements() * bits / 8 <
          (isBytes ? kLeastConvertedBytes : kLeastLoadedBytes) ||
      !isAhead(read, launch, reads))
    return std::nullopt;
  Refusal refusal;
  FailureOr<TileSource> source =
      TileSource::get(read, launch, maxRank, refusal);
  if (failed(source))
    return std::nullopt;
  AffineMap map = source->getMap();
  bool isInOrder = map.getDimPosition(0) < map.getDimPosition(1) &&
                   map.getDimPosition(1) + 1 == map.getNumDims();
  if (isBytes ? !isInOrder : !map.isMinorIdentity())
    return std::nullopt;
  for (int64_t bytes : {128, 64, 32}) {
    if (type.getDimSize(1) * bits % (8 * bytes))
      continue;
    std::optional<SharedLayout> shared =
        SharedLayout::getSwizzledPanels(type.getShape(), {0, 1}, bits, bytes);
    if (!shared || !getTmaCopyOfParts(*shared, source->getNumParts()))
      continue;
    StagedRead staged{read, *source, *shared};
    staged.isLoaded = true;
    return staged;
  }
  return std::nullopt;
}

/// Returns the arrangement of what `read` reads for each row of converted
/// bytes, such as their scales, if the threads that copy bring it to shared
/// memory ahead.
static std::optional<StagedRead> getWritten(vector::TransferReadOp read,
                                            gpu::LaunchOp launch,
                                            const StagedReads &reads) {
  VectorType type = read.getVectorType();
  constexpr int64_t kMostOfRow = 16;
  if (type.getRank() == 0 || type.getRank() > 2 ||
      (type.getRank() == 2 && type.getDimSize(1) > kMostOfRow) ||
      !type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() % 8 != 0 || read->use_empty() ||
      !isa<scf::ForOp>(read->getParentOp()) || !isAhead(read, launch, reads))
    return std::nullopt;
  auto order = llvm::to_vector(llvm::seq<unsigned>(type.getRank()));
  std::optional<SharedLayout> shared =
      SharedLayout::get(type.getShape(), order, type.getElementTypeBitWidth());
  if (!shared)
    return std::nullopt;
  StagedRead staged{read, std::nullopt, *shared};
  staged.isLoaded = staged.isBeside = true;
  return staged;
}

/// Adds to `reads` what threads of a kernel with roles read to registers beside
/// them.
static void addLoaded(gpu::LaunchOp launch, StagedReads &reads) {
  llvm::SmallSetVector<Block *, 2> blocks;
  for (auto &[op, staged] : reads)
    if (isa<scf::ForOp>(op->getParentOp()))
      blocks.insert(op->getBlock());
  blocks.insert(&launch.getBody().front());
  for (Block *block : blocks)
    for (auto read : block->getOps<vector::TransferReadOp>())
      if (!reads.contains(read))
        if (std::optional<StagedRead> staged = getLoaded(read, launch, reads))
          reads.insert({read, *staged});
  // Beside bytes that are copied, and are converted.
  for (Block *block : blocks) {
    bool converts = llvm::any_of(reads, [&](const auto &staged) {
      return staged.first->getBlock() == block && staged.second.isLoaded &&
             staged.second.getType().getElementTypeBitWidth() == 8;
    });
    for (auto read : block->getOps<vector::TransferReadOp>())
      if (converts && !reads.contains(read))
        if (std::optional<StagedRead> staged = getWritten(read, launch, reads))
          reads.insert({read, *staged});
  }
}

/// Whether threads of `launch` read tiles from memory in its loops.
static bool readsTiles(gpu::LaunchOp launch, const StagedReads &reads) {
  return launch
      .walk([&](vector::TransferReadOp read) {
        VectorType type = read.getVectorType();
        return isa<scf::ForOp>(read->getParentOp()) && !reads.contains(read) &&
                       type.getRank() == 2 &&
                       type.getElementType().isIntOrFloat() &&
                       type.getNumElements() * type.getElementTypeBitWidth() >=
                           8 * kLeastLoadedBytes
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Adds what `op` follows from in the body of `loop` to `ops`. Returns false if
/// that is no number of the iteration and nothing from outside, or takes more
/// than computing and reading.
static bool collectBefore(Operation *op, scf::ForOp loop,
                          llvm::SetVector<Operation *> &ops) {
  if (ops.contains(op))
    return true;
  if (op->getNumRegions() != 0 ||
      (!isPure(op) && !hasSingleEffect<MemoryEffects::Read>(op)))
    return false;
  for (Value operand : op->getOperands()) {
    if (operand.getParentBlock() != loop.getBody() ||
        operand == loop.getInductionVar())
      continue;
    Operation *before = operand.getDefiningOp();
    if (!before || isa<vector::ContractionOp, RingGetOp>(before) ||
        !collectBefore(before, loop, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

/// Moves what is copied beside converted bytes to the start of its loop, so
/// that it is one group.
static void moveBeside(RewriterBase &b, const StagedReads &reads) {
  for (auto &[op, staged] : reads) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    llvm::SetVector<Operation *> ops;
    if (!staged.isBeside || !loop || mayWrite(loop) ||
        !collectBefore(op, loop, ops))
      continue;
    for (Operation *before : llvm::reverse(ops))
      b.moveOpBefore(before, loop.getBody(), loop.getBody()->begin());
  }
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

/// Sets the loop of `group` if tiles of later iterations can be copied: nobody
/// writes to memory in it, and the number of an iteration tells the places.
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
      // Gathers are copied by threads of their own, which read tables ahead.
      if (!followsFromIteration(place, loop, /*mayRead=*/!read))
        return;
  }
  group.loop = loop;
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// True if the tiles of `group` can wait in the slots of `ring`: they are
/// alike, and the loop of `group` follows those of the ring.
static bool canJoin(const Ring &ring, const Group &group) {
  const Group *last = ring.groups.back();
  return last->loop && group.loop && last->loop != group.loop &&
         last->loop->getBlock() == group.loop->getBlock() &&
         last->loop->isBeforeInBlock(group.loop) &&
         last->isWritten() == group.isWritten() &&
         last->isLoaded() == group.isLoaded() &&
         last->getRingType(1) == group.getRingType(1);
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

/// Registers of a workgroup of `threads` threads for the products of a loop,
/// and for what threads compute between them; 0 if there is no such product.
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
  int64_t workgroups = llvm::divideCeil(target.waitingThreads, threads);
  if (std::optional<KernelMark> mark = getKernelMark(launch);
      mark && mark->alone)
    workgroups = 1;
  else if (int64_t registers = getComputingRegisters(launch, threads, target))
    workgroups =
        std::clamp<int64_t>(target.processorRegisters / registers, 1,
                            llvm::divideCeil(target.computingThreads, threads));
  // The barriers take no more than the reserve again.
  int64_t bytes = target.processorSharedBytes / workgroups -
                  2 * target.reservedSharedBytes - otherBytes;
  return std::clamp<int64_t>(bytes / slotBytes, 1, 4);
}

/// Sets the slots of each ring to `slots`, or, if that is 0, chooses. Returns
/// those of rings in loops. Fails, with an error, if the module describes its
/// device wrongly.
static FailureOr<int64_t> setSlots(gpu::LaunchOp launch,
                                   MutableArrayRef<Ring> rings, int64_t slots) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  bool persists = mark && mark->persist != 0;
  int64_t slotBytes = 0, otherBytes = 0, onceBytes = 0;
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
    // There may have been too many.
    if (mark && mark->slots > 0)
      slots = std::min(slots, mark->slots);
  }
  for (Ring &ring : rings) {
    const Group &group = *ring.groups.front();
    ring.slots = group.loop ? slots : group.isLoadedOnce() ? 1 : otherSlots;
  }
  return slots;
}

//===----------------------------------------------------------------------===//
// Copiers
//===----------------------------------------------------------------------===//

/// Sets as many copiers of each ring as divide the parts of all its tiles, at
/// most `copiers`. If that is 0, a kernel with roles has at most the threads of
/// the role that copies: to start a copy takes a thread 60 to 100 cycles, and
/// it waits for what it looks up (docs/Decisions/0054).
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

/// The number of the iteration of the loop around `op`, or 0.
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

/// Builds the end of the rows of `staged`. Where there is none it is behind the
/// tile, and a value of the iteration: loops of one ring are alike then, which
/// lets vector-ext-rotate-loops rotate them together.
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

/// Whether `op` gives what is written to a ring its layout.
static bool isWritten(Operation *op) {
  return isa<ToLayoutOp>(op) &&
         llvm::any_of(op->getUsers(), llvm::IsaPred<RingWriteOp>);
}

/// Replaces what `staged` reads by `tile`. Makes `reader` the last op that uses
/// it, if that is behind it.
static void replaceRead(RewriterBase &b, const StagedRead &staged, Value tile,
                        Operation *&reader) {
  for (Operation *user : staged.read->getUsers()) {
    if (isa<RingWriteOp>(user) || isWritten(user))
      continue;
    Operation *here = reader->getBlock()->findAncestorOpInBlock(*user);
    if (reader->isBeforeInBlock(here))
      reader = here;
  }
  if (staged.from)
    return b.replaceOp(staged.read, tile);
  b.replaceUsesWithIf(staged.read->getResult(0), tile, [](OpOperand &use) {
    return !isa<RingWriteOp>(use.getOwner()) && !isWritten(use.getOwner());
  });
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
    // Each thread of the role that copies has other rows.
    if (staged->isBeside && staged->isLoaded)
      if (FailureOr<linalg_ext::GPUTarget> target =
              linalg_ext::getGPUTarget(last);
          succeeded(target))
        tile = ToLayoutOp::create(
            b, loc, tile,
            LayoutAttr::get(
                b.getContext(),
                getBlockedLayout(
                    staged->getType().getShape(), /*elementBytes=*/16,
                    {target->lanes, target->groupThreads / target->lanes})));
    RingWriteOp::create(b, loc, tile, ring, position, number);
  }
  auto get = RingGetOp::create(b, loc, ring, position, ValueRange());
  Operation *reader = get;
  for (auto [staged, tile] : llvm::zip_equal(group.reads, get.getTiles()))
    replaceRead(b, *staged, tile, reader);
  b.setInsertionPointAfter(reader);
  RingReleaseOp::create(b, loc, ring, position);
}

/// Replaces the reads of `group` by the tiles of `ring` at `position`, which
/// `copiers` threads copy. The tiles have ends if `hasEnds`.
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
          : nullptr);
  auto get = RingGetOp::create(b, loc, ring, position, ends);
  Operation *reader = get;
  for (auto [staged, tile] : llvm::zip_equal(group.reads, get.getTiles()))
    replaceRead(b, *staged, tile, reader);
  b.setInsertionPointAfter(reader);
  RingReleaseOp::create(b, loc, ring, position);
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

/// Moves what threads read to registers in loops of `launch` in front of the
/// first wait for a tile: it arrives while they wait, and multiply.
static void readEarly(RewriterBase &b, gpu::LaunchOp launch) {
  launch.walk([&](scf::ForOp loop) {
    auto gets = loop.getBody()->getOps<RingGetOp>();
    if (gets.empty() || mayWrite(loop))
      return;
    Operation *first = *gets.begin();
    for (auto read : llvm::make_early_inc_range(
             loop.getBody()->getOps<vector::TransferReadOp>())) {
      llvm::SetVector<Operation *> ops;
      if (!first->isBeforeInBlock(read) || !collectBefore(read, loop, ops))
        continue;
      for (Operation *op : ops)
        if (first->isBeforeInBlock(op))
          b.moveOpBefore(op, first);
    }
  });
}

/// Adds what `op`, which is behind `loop`, follows from between the two to
/// `ops`. Returns false if it follows from the loop, or from more than
/// computing and reading.
static bool collectBehind(Operation *op, scf::ForOp loop,
                          llvm::SetVector<Operation *> &ops) {
  if (ops.contains(op))
    return true;
  if (op == loop || op->getNumRegions() != 0 ||
      (!isPure(op) && !hasSingleEffect<MemoryEffects::Read>(op)))
    return false;
  for (Value operand : op->getOperands()) {
    Operation *before = operand.getDefiningOp();
    if (before && before->getBlock() == loop->getBlock() &&
        !before->isBeforeInBlock(loop) && !collectBehind(before, loop, ops))
      return false;
  }
  ops.insert(op);
  return true;
}

/// Moves what threads read behind a loop of products in front of it, if they
/// have registers for it beside the sums: it arrives during the loop.
static void readInFront(RewriterBase &b, gpu::LaunchOp launch, scf::ForOp loop,
                        const linalg_ext::GPUTarget &target) {
  std::optional<int64_t> threads =
      getConstantIntValue(launch.getBlockSizeOperandValues().x);
  auto getWords = [](VectorType type) {
    return llvm::divideCeil(
        type.getNumElements() * type.getElementTypeBitWidth(), 32);
  };
  int64_t left = 0;
  for (auto contract : loop.getBody()->getOps<vector::ContractionOp>())
    if (getAsyncIntrinsic(contract))
      left -= getWords(cast<VectorType>(contract.getResultType()));
  if (!threads || left == 0 || mayWrite(loop))
    return;
  left += (target.threadRegisters - target.asyncOtherRegisters) * *threads;
  SmallVector<vector::TransferReadOp> reads;
  for (Operation *op = loop->getNextNode();
       op && (isMemoryEffectFree(op) || isa<vector::TransferReadOp>(op));
       op = op->getNextNode())
    if (auto read = dyn_cast<vector::TransferReadOp>(op))
      reads.push_back(read);
  for (vector::TransferReadOp read : reads) {
    VectorType type = read.getVectorType();
    // Of a row, a thread has a quarter of the elements, or less.
    int64_t words = getWords(type) * (type.getRank() < 2 ? *threads / 4 : 1);
    llvm::SetVector<Operation *> ops;
    if (words > left || mayWriteTo(launch, read.getBase()) ||
        !collectBehind(read, loop, ops))
      continue;
    left -= words;
    for (Operation *op : ops)
      b.moveOpBefore(op, loop);
  }
}

FailureOr<int64_t> mlir::vector_ext::stageTiles(RewriterBase &rewriter,
                                                gpu::LaunchOp launch,
                                                int64_t slots, int64_t copiers,
                                                Refusal &refusal) {
  if (slots < 0)
    return refusal.set(RefusalKind::Other, launch,
                       "expected at least 0 slots, got " + Twine(slots));
  if (copiers < 0)
    return refusal.set(RefusalKind::Other, launch,
                       "expected at least 0 copiers, got " + Twine(copiers));
  const TileCopies &target = launch.getContext()
                                 ->getLoadedDialect<VectorExtDialect>()
                                 ->getTileCopies();
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

  // Operands are read from other places then.
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
  FailureOr<int64_t> used = setSlots(launch, rings, slots);
  auto stageAgain = [&](StagedReads fewer) {
    reads = std::move(fewer);
    groups = getGroups(launch, reads);
    rings = getRings(groups);
    used = setSlots(launch, rings, slots);
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
    stageAgain(std::move(operands));
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
  for (auto &[op, staged] : reads)
    if (staged.from)
      staged.source = staged.from->buildView(rewriter, op->getLoc());
  cutRows(launch, reads);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  // The op at the insertion point may be a read, which is erased.
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
