//===- StagedReads.cpp - Tiles that are copied to shared memory -----------===//
//
// See StagedReads.h.
//
//===----------------------------------------------------------------------===//

#include "StagedReads.h"
#include "LastTiles.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Rings.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Layout/SharedAccess.h"
#include "mlir-ext/Layout/SharedDescriptor.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SharedLayout;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

namespace {
/// How an instruction reads an operand: `mnSize` x k elements along the
/// dimensions `mnDim` and `kDim`.
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

/// Fails if the copies that replace `read` could not be counted at its place.
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

/// Returns the dimension of the tile of `read` that is contiguous in memory, or
/// its last dimension.
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

/// Returns whether only asynchronous instructions use the tile of `read`, all
/// of them as one type.
static bool isOnlyInPlace(Operation *read) {
  auto isAsync = [](Operation *user) {
    return getAsyncIntrinsic(user) != nullptr;
  };
  auto first = dyn_cast<arith::BitcastOp>(*read->user_begin());
  return llvm::all_of(read->getUsers(), [&](Operation *user) {
    auto cast = dyn_cast<arith::BitcastOp>(user);
    if (!cast || !first)
      return !first && isAsync(user);
    return cast.getType() == first.getType() &&
           llvm::all_of(cast->getUsers(), isAsync);
  });
}

bool mlir::vector_ext::hasRoles(gpu::LaunchOp launch) {
  std::optional<KernelMark> mark = getKernelMark(launch);
  return mark && mark->way == ProductWay::Roles;
}

/// Returns whether `value` is read from memory and then put into another order.
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

/// Adds the right operand of `contract`, whose instruction is synchronous, to
/// `reads`: rows that threads of the copying role put into the order in which
/// others load them.
static LogicalResult addLoadedRows(vector::ContractionOp contract,
                                   gpu::LaunchOp launch, StagedReads &reads,
                                   Refusal &refusal) {
  Operation *read = contract.getRhs().getDefiningOp();
  VectorType type = contract.getRhsType();
  int64_t bits = type.getElementTypeBitWidth();
  std::optional<SharedLayout> shared;
  for (int64_t bytes : {128, 64, 32})
    if (!shared && type.getRank() == 2 &&
        type.getDimSize(1) * bits % (8 * bytes) == 0)
      shared = SharedLayout::getSwizzledPanels(type.getShape(), {0, 1}, bits,
                                               bytes);
  if (!shared || !read || !isReorderedRead(contract.getRhs()))
    return refusal.set(RefusalKind::Other, contract,
                       "the right operand has no rows that are read from "
                       "memory in another order");
  if (failed(checkPlace(read, launch, refusal)))
    return failure();
  StagedRead staged{read, std::nullopt, *shared};
  staged.isBeside = isa<scf::ForOp>(read->getParentOp());
  reads.insert({read, staged});
  return success();
}

LogicalResult mlir::vector_ext::addOperands(vector::ContractionOp contract,
                                            gpu::LaunchOp launch,
                                            StagedReads &reads,
                                            Refusal &refusal) {
  const MmaIntrinsic *intrinsic = getIntrinsicOfRoles(contract);
  if (!intrinsic)
    return success();
  if (!intrinsic->isAsynchronous)
    return addLoadedRows(contract, launch, reads, refusal);
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
    // The bits may be used as those of another type.
    VectorType usedAs;
    if (auto cast = operand.getDefiningOp<arith::BitcastOp>()) {
      usedAs = llvm::cast<VectorType>(cast.getType());
      operand = cast.getIn();
    }
    Operation *read = operand.getDefiningOp();
    auto gather = dyn_cast_or_null<TransferGatherOp>(read);
    bool isReordered = !isLhs && isReorderedRead(operand);
    bool isRead =
        gather || isReordered || isa_and_nonnull<vector::TransferReadOp>(read);
    // Threads hold computed values in registers.
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
    if (!isOnlyInPlace(read))
      return refusal.set(RefusalKind::Other, read,
                         "the tile is also used in registers");
    FailureOr<TileSource> source = failure();
    if (isReordered)
      (void)refusal.set(RefusalKind::Other, read,
                        "what is summed is read in another order");
    else
      source = gather ? TileSource::get(gather, launch, kMaxCopiedRank, refusal)
                      : TileSource::get(cast<vector::TransferReadOp>(read),
                                        launch, kMaxCopiedRank, refusal);
    if ((failed(source) && !hasRoles(launch)) ||
        failed(checkPlace(read, launch, refusal)))
      return failure();
    FailureOr<StagedRead> staged = failure();
    if (succeeded(source))
      staged = chooseLayout(read, *source, use, refusal);
    // Threads write tiles of the type that they read.
    if (failed(staged) && hasRoles(launch) && !usedAs)
      staged = chooseWrittenLayout(read, use, refusal);
    if (failed(staged))
      return failure();
    if (isLhs)
      staged->rows = use.mnDim;
    staged->usedAs = usedAs;
    staged->isBeside = isReordered && isa<scf::ForOp>(read->getParentOp());
    reads.insert({read, *staged});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Returns whether each row of a product in `launch` depends on only one row of
/// its left operand, and these rows are read from memory. Rows that are not
/// stored may then have any values.
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
                // These are masks of transfers, which move no other elements.
                if (isa<vector::TransferReadOp>(op))
                  isApart = true;
                return isApart ? WalkResult::advance()
                               : WalkResult::interrupt();
              })
              .wasInterrupted();
}

void mlir::vector_ext::cutRows(gpu::LaunchOp launch, StagedReads &reads) {
  if (!areRowsApart(launch))
    return;
  for (auto &[op, staged] : reads) {
    if (!staged.from || !staged.rows || staged.from->getNumParts() != 1)
      continue;
    AffineMap map = staged.from->getMap();
    unsigned rows = *staged.rows, dim = map.getDimPosition(rows);
    int64_t size = staged.getType().getDimSize(*staged.rows);
    int64_t all = cast<MemRefType>(staged.source.getType()).getDimSize(dim);
    std::optional<layout::TmaCopy> copy = getTmaCopyOfParts(staged.layout, 1);
    // Otherwise smaller boxes would not be the first rows of the largest one.
    bool isOutermost = llvm::all_of(
        llvm::seq<unsigned>(0, map.getNumResults()), [&](unsigned other) {
          return other == rows || copy->boxShape[other] == 1 ||
                 map.getDimPosition(other) > dim;
        });
    if (dim + 1 != map.getNumDims() && isOutermost &&
        copy->boxShape[*staged.rows] == size &&
        (ShapedType::isDynamic(all) || all < size))
      staged.cut = staged.rows;
  }
}

//===----------------------------------------------------------------------===//
// Tiles that threads load
//===----------------------------------------------------------------------===//

/// The fewest bytes of a tile that is worth two barriers.
static constexpr int64_t kLeastLoadedBytes = 8192;

/// The same for bytes that threads convert to an operand.
static constexpr int64_t kLeastConvertedBytes = 2048;

/// Returns whether `value` depends only on numbers of the workgroup, and on
/// nothing that a loop computes. `seen` has the values on which others depend.
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

/// Returns whether the tile of `read` can be copied in advance: it is in an
/// iteration of a loop, or after a loop with tiles of `reads`.
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
         // The next iteration would read the tile after its release.
         !llvm::is_contained(loop.getYieldedValues(), read.getVector()) &&
         llvm::all_of(read.getIndices(), [&](Value index) {
           return followsFromIteration(index, loop, /*mayRead=*/false);
         });
}

/// Returns whether `value` becomes the left operand of an asynchronous
/// instruction, by ops that threads compute.
static bool isConverted(Value value) {
  SmallVector<Value> values{value};
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      if (getIntrinsicOfRoles(user) && use.getOperandNumber() == 0 &&
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

/// The instruction in `launch` whose result has the elements of `type` in the
/// same places; null if there is none.
static const MmaIntrinsic *getIntrinsicBeside(gpu::LaunchOp launch,
                                              VectorType type) {
  const MmaIntrinsic *found = nullptr;
  launch.walk([&](vector::ContractionOp contract) {
    const MmaIntrinsic *intrinsic = getAsyncIntrinsic(contract);
    auto result = dyn_cast<VectorType>(contract.getType());
    if (!intrinsic || !result || result.getShape() != type.getShape())
      return WalkResult::advance();
    found = intrinsic;
    return WalkResult::interrupt();
  });
  return found;
}

/// The bytes of all banks.
static constexpr int64_t kBanksBytes = layout::kNumBanks * layout::kBankBytes;

/// Returns `shared`, or an arrangement of the same tile whose rows have room
/// for a few more elements, if threads that load it where the result of
/// `intrinsic` is have fewer bank conflicts then. A box fills the room with
/// what follows in the source.
static SharedLayout avoidConflicts(const SharedLayout &shared,
                                   const MmaIntrinsic &intrinsic) {
  int64_t columns = shared.getNumColumns(), bits = shared.getBitWidth();
  // Of the rows and columns of one instruction.
  auto getWavefronts = [&](int64_t panelColumns, layout::Swizzle swizzle) {
    std::optional<SharedLayout> part =
        SharedLayout::get({intrinsic.m, intrinsic.n}, {0, 1}, bits,
                          panelColumns, /*padding=*/0, swizzle);
    return layout::getCost(layout::getVectorAccesses(intrinsic.acc, *part),
                           intrinsic.acc, *part)
        .numWavefronts;
  };
  int64_t least = getWavefronts(shared.getPanelColumns(), shared.getSwizzle());
  SharedLayout best = shared;
  constexpr int64_t kRowAlignment = 16;
  for (int64_t room = kRowAlignment; room < kBanksBytes;
       room += kRowAlignment) {
    int64_t panelColumns = columns + room * 8 / bits;
    std::optional<SharedLayout> wider = SharedLayout::get(
        shared.getShape(), shared.getOrder(), bits, panelColumns);
    // Slots follow each other.
    if (!wider || !layout::getTmaCopy(*wider) ||
        wider->getSizeInBytes() % layout::kBoxAlignment != 0)
      continue;
    int64_t wavefronts = getWavefronts(panelColumns, {});
    if (wavefronts >= least)
      continue;
    least = wavefronts;
    best = *wider;
  }
  return best;
}

/// Returns the arrangement of a row of booleans that threads read in a loop for
/// all rows of a tile, such as those that say which keys exist. Threads would
/// load each of them from global memory alone.
static std::optional<StagedRead> getLoadedRow(vector::TransferReadOp read,
                                              gpu::LaunchOp launch,
                                              const StagedReads &reads) {
  VectorType type = read.getVectorType();
  if (type.getRank() != 1 || !type.getElementType().isInteger(1) ||
      read->use_empty() || !isa<scf::ForOp>(read->getParentOp()) ||
      !isAhead(read, launch, reads))
    return std::nullopt;
  Refusal refusal;
  FailureOr<TileSource> source =
      TileSource::get(read, launch, kMaxCopiedRank, refusal);
  if (failed(source) || !source->getMap().isMinorIdentity())
    return std::nullopt;
  // Slots follow each other, so rows of fewer booleans have room, which the box
  // fills with what follows in memory.
  int64_t columns = llvm::alignTo(type.getNumElements(), layout::kBoxAlignment);
  std::optional<SharedLayout> shared = SharedLayout::get(
      type.getShape(), {0}, linalg_ext::getStoredBits(type), columns);
  if (!shared || !getTmaCopyOfParts(*shared, source->getNumParts()) ||
      shared->getSizeInBytes() % layout::kBoxAlignment != 0)
    return std::nullopt;
  StagedRead staged{read, *source, *shared};
  staged.isLoaded = true;
  return staged;
}

/// Returns the arrangement of the tile of `read`, with which threads load it
/// from shared memory, if boxes copy it ahead.
static std::optional<StagedRead> getLoaded(vector::TransferReadOp read,
                                           gpu::LaunchOp launch,
                                           const StagedReads &reads) {
  VectorType type = read.getVectorType();
  if (type.getRank() == 1)
    return getLoadedRow(read, launch, reads);
  if (type.getRank() != 2 || !type.getElementType().isIntOrFloat() ||
      read->use_empty())
    return std::nullopt;
  // TMA supports floats, and integers of these widths.
  int64_t bits = linalg_ext::getStoredBits(type);
  bool isOfBooleans = type.getElementType().isInteger(1);
  bool isBytes = bits == 8 && !isOfBooleans && isConverted(read.getVector());
  if ((bits != 16 && bits != 32 && !isBytes && !isOfBooleans) ||
      type.getNumElements() * bits / 8 <
          (isBytes ? kLeastConvertedBytes : kLeastLoadedBytes) ||
      !isAhead(read, launch, reads))
    return std::nullopt;
  Refusal refusal;
  FailureOr<TileSource> source =
      TileSource::get(read, launch, kMaxCopiedRank, refusal);
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
    // Of 16 bits, ldmatrix loads rows, which the swizzle spreads over all
    // banks.
    const MmaIntrinsic *intrinsic =
        bits == 32 && isa<scf::ForOp>(read->getParentOp()) &&
                source->getNumParts() == 1
            ? getIntrinsicBeside(launch, type)
            : nullptr;
    if (intrinsic)
      staged.layout = avoidConflicts(*shared, *intrinsic);
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

void mlir::vector_ext::addLoaded(gpu::LaunchOp launch, StagedReads &reads) {
  llvm::SmallSetVector<Block *, 2> blocks;
  for (auto &[op, staged] : reads)
    if (isa<scf::ForOp>(op->getParentOp()))
      blocks.insert(op->getBlock());
  blocks.insert(&launch.getBody().front());
  // Threads that copy read what they write in another order.
  llvm::DenseSet<Operation *> reordered;
  for (auto &[op, staged] : reads) {
    Operation *read = op;
    while (isa_and_nonnull<vector::ShapeCastOp, vector::TransposeOp>(read))
      read = read->getOperand(0).getDefiningOp();
    reordered.insert(read);
  }
  for (Block *block : blocks)
    for (auto read : block->getOps<vector::TransferReadOp>())
      if (!reads.contains(read) && !reordered.contains(read))
        if (std::optional<StagedRead> staged = getLoaded(read, launch, reads))
          reads.insert({read, *staged});
  // It must be beside bytes that are copied and converted.
  for (Block *block : blocks) {
    bool converts = llvm::any_of(reads, [&](const auto &staged) {
      return staged.first->getBlock() == block && staged.second.isLoaded &&
             !staged.second.isOfBooleans() &&
             staged.second.getType().getElementTypeBitWidth() == 8;
    });
    for (auto read : block->getOps<vector::TransferReadOp>())
      if (converts && !reads.contains(read))
        if (std::optional<StagedRead> staged = getWritten(read, launch, reads))
          reads.insert({read, *staged});
  }
}

bool mlir::vector_ext::readsTiles(gpu::LaunchOp launch,
                                  const StagedReads &reads) {
  return launch
      .walk([&](vector::TransferReadOp read) {
        VectorType type = read.getVectorType();
        return isa<scf::ForOp>(read->getParentOp()) && !reads.contains(read) &&
                       type.getRank() == 2 &&
                       type.getElementType().isIntOrFloat() &&
                       type.getNumElements() *
                               linalg_ext::getStoredBits(type) >=
                           8 * kLeastLoadedBytes
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

