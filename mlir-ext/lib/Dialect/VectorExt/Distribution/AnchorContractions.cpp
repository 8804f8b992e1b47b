//===- AnchorContractions.cpp - Requests layouts of contractions ----------===//
//
// Checks the configs of all contractions, then puts `vector_ext.to_layout` ops
// around contractions that have one, and before large writes.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/Analysis/ContractLayouts.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Contractions.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/StageTiles.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Layout/Conversion.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

/// Bytes of a thread below which it makes no difference how they are written.
/// Fewer make one where groups of threads take turns for several tiles: words
/// of a lane are in as many rows as runs of 16 bytes are, and stores take the
/// time of others (docs/Decisions/0130).
constexpr static int64_t minBytesOfWrite = 128, minBytesInTurns = 64;

/// Returns the contraction with a config from which `value` is computed by
/// elementwise ops only. Threads then hold `value` in the layout of the
/// instruction. Returns null if there is none.
static vector::ContractionOp getInstruction(Value value) {
  SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    auto result = dyn_cast<OpResult>(values[i]);
    if (!result)
      continue;
    Operation *op = result.getOwner();
    if (auto contract = dyn_cast<vector::ContractionOp>(op);
        contract && op->hasAttr(VectorExtDialect::getConfigAttrName()))
      return contract;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      values.insert(loop.getYieldedValues()[result.getResultNumber()]);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      values.insert(branch.thenYield().getOperand(result.getResultNumber()));
    else if (isa<ToLayoutOp, AwaitOp>(op) ||
             OpTrait::hasElementwiseMappableTraits(op))
      values.insert_range(op->getOperands());
  }
  return {};
}

/// Returns whether `value` is gathered, or is computed element by element from
/// a gathered value.
static bool isGathered(Value value) {
  SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (isa_and_nonnull<TransferGatherOp>(op))
      return true;
    if (op && OpTrait::hasElementwiseMappableTraits(op))
      values.insert_range(op->getOperands());
  }
  return false;
}

/// Lets lanes exchange what `write` writes until each has runs of 16 bytes, or
/// of 8 where registers of a lane cannot be halved twice, as with 176 columns.
/// Words stay where `contract` leaves them: lanes side by side write 32 bytes
/// then. Returns false, and does nothing, if `contract` computes something of
/// another shape, or if subgroups do not have such runs.
static bool widenByExchanges(RewriterBase &rewriter,
                             vector::TransferWriteOp write,
                             vector::ContractionOp contract,
                             const Workgroup &workgroup) {
  VectorType type = write.getVectorType();
  int64_t bits = type.getElementTypeBitWidth();
  auto config = contract->getAttrOfType<ContractConfigAttr>(
      VectorExtDialect::getConfigAttrName());
  linalg_ext::Refusal refusal;
  FailureOr<ContractLayouts> layouts =
      getContractLayouts(contract, config, workgroup, refusal);
  // Words of several elements are exchanged as one.
  if (failed(layouts) || bits < 8 || layouts->acc.getShape() != type.getShape())
    return false;
  // The layout in front decides that of what is computed.
  SmallVector<Layout> ends = {layouts->acc};
  if (bits <= 16) {
    std::optional<SmallVector<Layout>> steps;
    for (int64_t runBits : {128, 64})
      if (!steps)
        steps = layout::getWideningSteps(layouts->acc, type.getRank() - 1,
                                         runBits / bits);
    if (!steps)
      return false;
    if (!steps->empty())
      ends.push_back(steps->back());
  }
  Value value = write.getVector();
  for (const Layout &layout : ends)
    value = ToLayoutOp::create(rewriter, write.getLoc(), value,
                               LayoutAttr::get(rewriter.getContext(), layout));
  rewriter.modifyOpInPlace(
      write, [&] { write.getValueToStoreMutable().assign(value); });
  return true;
}

/// Returns whether `op` moves rows along the last dimension of a vector, and
/// nothing in them.
static bool movesRows(Operation *op) {
  if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
    ArrayRef<int64_t> order = transpose.getPermutation();
    return !order.empty() && order.back() == int64_t(order.size()) - 1;
  }
  auto cast = dyn_cast<vector::ShapeCastOp>(op);
  return cast && cast.getSourceVectorType().getRank() > 0 &&
         cast.getResultVectorType().getRank() > 0 &&
         cast.getSourceVectorType().getShape().back() ==
             cast.getResultVectorType().getShape().back();
}

/// Returns whether elementwise ops compute `value` from reads of rows along its
/// last dimension, which may be moved.
static bool isReadByRows(Value value) {
  SetVector<Value> values;
  values.insert(value);
  bool isRead = false;
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!isa<VectorType>(values[i].getType()) || !op ||
        op->hasTrait<OpTrait::ConstantLike>())
      continue;
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      AffineMap map = read.getPermutationMap();
      isRead |= map.getNumResults() > 0 &&
                map.getResults().back() ==
                    getAffineDimExpr(map.getNumDims() - 1, map.getContext());
    } else if (OpTrait::hasElementwiseMappableTraits(op) || movesRows(op)) {
      values.insert_range(op->getOperands());
    } else {
      return false;
    }
  }
  return isRead;
}

/// Lets threads write the transposed vector of `write` in runs of up to 16
/// bytes. Threads read it in such runs along another dimension, so it is
/// exchanged through shared memory.
static void anchorTransposition(RewriterBase &rewriter,
                                vector::TransferWriteOp write,
                                const Workgroup &workgroup) {
  VectorType type = write.getVectorType();
  AffineMap map = write.getPermutationMap();
  std::optional<unsigned> contiguous = map.getResultPosition(
      getAffineDimExpr(map.getNumDims() - 1, map.getContext()));
  int64_t last = type.getRank() - 1;
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (write->getParentOfType<RoleOp>() || !contiguous ||
      static_cast<int64_t>(*contiguous) == last ||
      type.getDimSize(*contiguous) * bytes % 16 != 0 ||
      type.getDimSize(last) * bytes % 16 != 0 ||
      !isReadByRows(write.getVector()))
    return;
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(type.getRank()));
  std::swap(order[*contiguous], order[last]);
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[*contiguous], shape[last]);
  Layout layout = getBlockedLayout(shape, bytes, workgroup).permute(order);
  rewriter.setInsertionPoint(write);
  Value value = ToLayoutOp::create(
      rewriter, write.getLoc(), write.getVector(),
      LayoutAttr::get(rewriter.getContext(), layout), /*sharedMemory=*/true);
  rewriter.modifyOpInPlace(
      write, [&] { write.getValueToStoreMutable().assign(value); });
}

/// Lets threads write large results of instructions in runs of 16 bytes: an
/// instruction leaves them in shorter ones.
static void anchorWrites(RewriterBase &rewriter, Operation *scope,
                         const Workgroup &workgroup) {
  SmallVector<vector::TransferWriteOp> writes;
  scope->walk([&](vector::TransferWriteOp write) { writes.push_back(write); });
  int64_t leastBytes =
      workgroup.takesTurnsForTiles ? minBytesInTurns : minBytesOfWrite;
  for (vector::TransferWriteOp write : writes) {
    VectorType type = write.getVectorType();
    // An index has 8 bytes, and is no result of an instruction.
    if (!type.getElementType().isIntOrFloat())
      continue;
    int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    int64_t threads = workgroup.numLanes * workgroup.numSubgroups;
    auto memref = dyn_cast<MemRefType>(write.getBase().getType());
    if (type.getRank() >= 2 && memref && bytes < 8)
      anchorTransposition(rewriter, write, workgroup);
    if (type.getRank() < 2 || !memref || bytes >= 8 ||
        type.getShape().back() * bytes % 16 != 0 ||
        memref.getShape().back() * bytes % 16 != 0 ||
        type.getNumElements() * bytes < leastBytes * threads)
      continue;
    vector::ContractionOp contract = getInstruction(write.getVector());
    if (!contract)
      continue;
    rewriter.setInsertionPoint(write);
    // In a loop over tiles, groups of threads would wait for each other at the
    // barriers for shared memory. They may leave out a tile in a branch.
    Operation *around = write->getParentOp();
    if (isa<scf::IfOp>(around))
      around = around->getParentOp();
    if (write->getParentOfType<RoleOp>() && isa<scf::ForOp>(around) &&
        widenByExchanges(rewriter, write, contract, workgroup))
      continue;
    auto blocked =
        LayoutAttr::get(rewriter.getContext(),
                        getBlockedLayout(type.getShape(), bytes, workgroup));
    Value value = ToLayoutOp::create(rewriter, write.getLoc(),
                                     write.getVector(), blocked, true);
    rewriter.modifyOpInPlace(
        write, [&] { write.getValueToStoreMutable().assign(value); });
  }
}

/// Returns the number of contractions in `loop`, if it is not null, that have a
/// config.
static unsigned getNumInstructions(scf::ForOp loop) {
  unsigned count = 0;
  if (loop)
    loop.walk([&](vector::ContractionOp contract) {
      count += contract->hasAttr(VectorExtDialect::getConfigAttrName());
    });
  return count;
}

/// Lets the threads of the workgroup share the merge of the parts that the loop
/// of `contract`, or `contract` without a loop, leaves: through shared memory
/// each gets some elements of all parts. Otherwise each subgroup would merge
/// the whole.
static void anchorMerge(RewriterBase &rewriter, vector::ContractionOp contract,
                        const Workgroup &workgroup) {
  linalg_ext::Refusal refusal;
  FailureOr<ContractDims> dims = getContractDims(contract, refusal);
  auto loop = dyn_cast<scf::ForOp>(contract->getParentOp());
  SmallVector<int64_t> bounds;
  contract.getIterationBounds(bounds);
  int64_t parts = succeeded(dims) ? dims->getNumParts(bounds) : 1;
  if (parts == 1)
    return;
  // Without a loop, the result has been given the layout of the instruction.
  Operation *producer = loop;
  if (!loop && contract->hasOneUse())
    producer = dyn_cast<ToLayoutOp>(*contract->user_begin());
  if (!producer)
    return;
  // Elements are merged one after the other, so as many threads as possible
  // take part.
  constexpr int64_t kBytesOfRun = 16;
  auto getMerged = [&](VectorType type) {
    return getBlockedLayout(type.getShape().drop_front(), kBytesOfRun,
                            workgroup)
        .broadcast(0, parts);
  };
  // Each thread needs the extremes and sums of the rows that it merges. If no
  // other instruction computes the scores, from which they follow, they would
  // have the layout of the merge in the loop, and be converted in each
  // iteration.
  VectorType accumulator = cast<VectorType>(contract.getResultType());
  auto getMergedRows = [&](VectorType type) {
    SmallVector<bool> columns(accumulator.getRank(), false);
    std::fill(columns.begin() + type.getRank(), columns.end(), true);
    return getMerged(accumulator).project(columns);
  };
  for (Value result : producer->getResults()) {
    auto type = dyn_cast<VectorType>(result.getType());
    if (!type || type.getRank() < 2 || type.getDimSize(0) != parts ||
        !llvm::all_of(result.getUsers(), [](Operation *user) {
          auto extract = dyn_cast<vector::ExtractOp>(user);
          return extract && extract.getNumIndices() == 1 &&
                 !extract.hasDynamicPosition();
        }))
      continue;
    bool isLarge = type.getNumElements() >= parts * workgroup.numLanes;
    if (!isLarge &&
        (getNumInstructions(loop) > 1 ||
         accumulator.getShape().take_front(type.getRank()) != type.getShape()))
      continue;
    Layout layout = isLarge ? getMerged(type) : getMergedRows(type);
    rewriter.setInsertionPointAfter(producer);
    auto merged = ToLayoutOp::create(
        rewriter, contract.getLoc(), result,
        LayoutAttr::get(rewriter.getContext(), layout), /*sharedMemory=*/true);
    rewriter.replaceAllUsesExcept(result, merged.getResult(), merged);
  }
}

namespace {
/// A contraction with a config, and its layouts.
struct Anchor {
  vector::ContractionOp contract;
  ContractConfigAttr config;
  ContractLayouts layouts;
};

/// Gives operands and results of contractions the layouts of their configs.
class Anchorer {
public:
  Anchorer(RewriterBase &rewriter, const Workgroup &workgroup)
      : rewriter(rewriter), workgroup(workgroup) {}

  void run(Anchor &anchor);

private:
  /// Gives `operand` of `contract` the layout `layout`. With `promote`, it goes
  /// through shared memory.
  void anchorOperand(vector::ContractionOp contract, OpOperand &operand,
                     const Layout &layout, bool promote);
  /// Builds the copy of `value` from which a tile of `layout` is stored. A word
  /// of the tile has `perWord` elements.
  Value buildTile(Location loc, Value value, const Layout &layout,
                  int64_t perWord);
  /// Stores the left operand once for all contractions that read it.
  void storeLeft(vector::ContractionOp contract, const Layout &layout);
  void anchorResult(vector::ContractionOp contract, const Layout &layout);

  RewriterBase &rewriter;
  const Workgroup &workgroup;
  /// Operands that several contractions of a block read in the same way go
  /// through shared memory only once, and are loaded from there only once.
  llvm::DenseMap<std::pair<Value, Attribute>, Value> promoted, stored;
};
} // namespace

Value Anchorer::buildTile(Location loc, Value value, const Layout &layout,
                          int64_t perWord) {
  auto type = cast<VectorType>(value.getType());
  Layout blocked = getTileLayout(
      layout, llvm::divideCeil(type.getElementTypeBitWidth(), 8 * perWord),
      workgroup, isGathered(value));
  // Copies without registers need an address for each row.
  auto gather = value.getDefiningOp<TransferGatherOp>();
  if (gather && workgroup.hasAsyncCopies && blocked.getReplication() == 1)
    rewriter.modifyOpInPlace(gather, [&] {
      gather->setAttr(getSharesLookupsAttrName(), rewriter.getUnitAttr());
    });
  // Build it where the value is computed, which may be before loops.
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  return ToLayoutOp::create(rewriter, loc, value,
                            LayoutAttr::get(rewriter.getContext(), blocked));
}

void Anchorer::anchorOperand(vector::ContractionOp contract, OpOperand &operand,
                             const Layout &layout, bool promote) {
  Value value = operand.get();
  // The instruction reads it in place.
  if (value.getDefiningOp<SharedTileOp>())
    return;
  Location loc = contract.getLoc();
  auto wanted = LayoutAttr::get(rewriter.getContext(), layout);
  std::pair<Value, Attribute> key(value, wanted);
  // The value is read, or computed from read values, and then cut into parts.
  auto cut = value.getDefiningOp<vector::ShapeCastOp>();
  // Integers that are unpacked are merged: each thread has whole words.
  int64_t perWord = 1;
  if (cut && cut.getSourceVectorType().getShape().back() <
                 cut.getResultVectorType().getShape().back()) {
    perWord = cut.getSourceVectorType().getShape().back();
    cut = nullptr;
  }
  std::optional<Layout> ofWhole =
      promote && cut ? layout.reshape(cut.getSourceVectorType().getShape())
                     : std::nullopt;
  Value known = promoted.lookup(key);
  if (promote && known && known.getParentBlock() == contract->getBlock()) {
    rewriter.modifyOpInPlace(contract, [&] { operand.set(known); });
    return;
  }
  if (ofWhole) {
    value = cut.getSource();
    wanted = LayoutAttr::get(rewriter.getContext(), *ofWhole);
  }
  if (promote)
    value = buildTile(loc, value, wanted.getLayout(), perWord);
  Value converted = ToLayoutOp::create(rewriter, loc, value, wanted, promote);
  if (ofWhole)
    converted = vector::ShapeCastOp::create(
        rewriter, loc, cut.getResultVectorType(), converted);
  if (promote)
    promoted[key] = converted;
  rewriter.modifyOpInPlace(contract, [&] { operand.set(converted); });
}

void Anchorer::storeLeft(vector::ContractionOp contract, const Layout &layout) {
  // The tile is stored once for all contractions that read it, including those
  // in branches and loops.
  Value value = contract.getLhs();
  auto wanted = LayoutAttr::get(rewriter.getContext(), layout);
  Value &tile = stored[{value, wanted}];
  if (!tile) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfterValue(value);
    auto type = cast<VectorType>(value.getType());
    Layout blocked =
        getTileLayout(layout, type.getElementTypeBitWidth() / 8, workgroup,
                      /*isGathered=*/false);
    tile = ToLayoutOp::create(rewriter, contract.getLoc(), value,
                              LayoutAttr::get(rewriter.getContext(), blocked));
    tile = ToLayoutOp::create(rewriter, contract.getLoc(), tile, wanted,
                              /*sharedMemory=*/true);
  }
  rewriter.modifyOpInPlace(contract,
                           [&] { contract.getLhsMutable().set(tile); });
}

void Anchorer::anchorResult(vector::ContractionOp contract,
                            const Layout &layout) {
  // No op uses the result before it is awaited.
  Value finished = contract.getResult();
  if (auto await = finished.hasOneUse()
                       ? dyn_cast<AwaitOp>(*finished.user_begin())
                       : AwaitOp())
    finished = await.getResult(finished.use_begin()->getOperandNumber());
  rewriter.setInsertionPointAfterValue(finished);
  auto result =
      ToLayoutOp::create(rewriter, contract.getLoc(), finished,
                         LayoutAttr::get(rewriter.getContext(), layout));
  rewriter.replaceUsesWithIf(finished, result, [&](OpOperand &use) {
    return use.getOwner() != result && !isa<AwaitEarlierOp>(use.getOwner());
  });
}

void Anchorer::run(Anchor &anchor) {
  vector::ContractionOp contract = anchor.contract;
  const ContractLayouts &layouts = anchor.layouts;
  rewriter.setInsertionPoint(contract);
  ArrayRef<bool> promote = anchor.config.getPromote();
  bool promotesLeft = !promote.empty() && promote[0];
  if (promotesLeft && canStoreLeftOnce(contract))
    storeLeft(contract, layouts.lhs);
  else
    anchorOperand(contract, contract.getLhsMutable(), layouts.lhs,
                  promotesLeft);
  anchorOperand(contract, contract.getRhsMutable(), layouts.rhs,
                !promote.empty() && promote[1]);
  // If the contraction continues another one, its accumulator already has the
  // layout of the same instruction.
  if (!getContinued(contract))
    anchorOperand(contract, contract.getAccMutable(), layouts.acc, false);
  if (!getContinuation(contract))
    anchorResult(contract, layouts.acc);
}

/// Finds the contractions with a config. Fails, with an error, if one does not
/// fit its config.
static FailureOr<std::vector<Anchor>> findAnchors(RewriterBase &rewriter,
                                                  Operation *scope,
                                                  const Workgroup &workgroup) {
  std::vector<Anchor> anchors;
  WalkResult walk = scope->walk([&](vector::ContractionOp contract) {
    auto config = contract->getAttrOfType<ContractConfigAttr>(
        VectorExtDialect::getConfigAttrName());
    if (!config)
      return WalkResult::advance();
    auto *dialect = scope->getContext()->getLoadedDialect<VectorExtDialect>();
    const MmaIntrinsic *intrinsic =
        dialect->lookupIntrinsic(config.getIntrinsic());
    if (intrinsic && intrinsic->lhsType(scope->getContext()) !=
                         contract.getLhsType().getElementType())
      foldExtensions(rewriter, contract);
    linalg_ext::Refusal refusal;
    FailureOr<ContractLayouts> layouts =
        getContractLayouts(contract, config, workgroup, refusal);
    if (failed(layouts)) {
      contract.emitOpError() << "does not fit its config: " << refusal.text;
      return WalkResult::interrupt();
    }
    anchors.push_back({contract, config, *layouts});
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return anchors;
}

LogicalResult mlir::vector_ext::anchorContractions(RewriterBase &rewriter,
                                                   Operation *scope,
                                                   const Workgroup &workgroup) {
  FailureOr<std::vector<Anchor>> anchors =
      findAnchors(rewriter, scope, workgroup);
  if (failed(anchors))
    return failure();
  Anchorer anchorer(rewriter, workgroup);
  for (Anchor &anchor : *anchors)
    anchorer.run(anchor);
  for (Anchor &anchor : *anchors)
    anchorMerge(rewriter, anchor.contract, workgroup);
  if (workgroup.hasWideWrites)
    anchorWrites(rewriter, scope, workgroup);
  return success();
}
