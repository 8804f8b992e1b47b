//===- OtherLoops.cpp - Other loops of a root -----------------------------===//
//
// See OtherLoops.h.
//
//   1. Copy the ops that the plan fuses, and fuse the copies with the other
//      levels. If the levels are those that convert, copies of ops whose
//      results are stored before the loops of the plan are fused, too.
//   2. When the plan is applied, put its loops and those of the copies into the
//      regions of a branch. The branch compares estimates for the sizes of a
//      launch. The stored values are then computed in a branch, too.
//
//===----------------------------------------------------------------------===//

#include "OtherLoops.h"
#include "mlir-ext/Codegen/Common/ExpandF8.h"
#include "mlir-ext/Codegen/Common/WidenAccumulators.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"
#include "mlir-ext/Support/LaunchNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <climits>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns `op` and the elementwise ops whose results only it and these ops
/// read.
static SmallVector<Operation *> getChain(Operation *op) {
  llvm::SetVector<Operation *> chain;
  chain.insert(op);
  for (unsigned i = 0; i < chain.size(); ++i)
    for (Value operand : chain[i]->getOperands()) {
      auto producer = operand.getDefiningOp<linalg::LinalgOp>();
      if (producer && producer.isAllParallelLoops() &&
          !isa<linalg::FillOp>(producer.getOperation()) &&
          llvm::all_of(producer->getUsers(),
                       [&](Operation *user) { return chain.contains(user); }))
        chain.insert(producer);
    }
  return chain.takeVector();
}

/// Returns the ops whose results are stored for the other loops.
ArrayRef<Operation *> OtherLoops::getStored() const {
  return converting ? ArrayRef<Operation *>(converting->stored)
                    : ArrayRef<Operation *>();
}

/// Copies the stored values and reshapes of them, unless other ops read these.
bool OtherLoops::collectStored() {
  for (Operation *op : getStored())
    llvm::append_range(ops, getChain(op));
  SmallVector<Operation *> worklist(getStored());
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val()->getUsers()) {
      if (llvm::is_contained(ops, user))
        continue;
      if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
        return false;
      ops.push_back(user);
      worklist.push_back(user);
    }
  return true;
}

bool OtherLoops::collect() {
  ops.push_back(plan.root);
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (producer.fused)
      ops.push_back(producer.op);
  for (const PlannedConsumer &consumer : plan.consumers)
    if (consumer.depth > 0)
      ops.push_back(consumer.op);
  if (!collectStored())
    return false;
  // Each use of a fill has its own fill.
  for (Operation *op : SmallVector<Operation *>(ops))
    for (Value operand : op->getOperands())
      if (auto fill = operand.getDefiningOp<linalg::FillOp>())
        ops.push_back(fill);
  llvm::sort(ops, [](Operation *lhs, Operation *rhs) {
    return lhs != rhs && lhs->isBeforeInBlock(rhs);
  });
  ops.erase(llvm::unique(ops), ops.end());
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
            return !llvm::is_contained(ops, here);
          }))
        results.push_back(result);
  return true;
}

/// Returns a tensor that is not copied, and its dimension whose size is that of
/// loop `dim` of `op`.
std::optional<std::pair<Value, int64_t>>
OtherLoops::findSize(Operation *op, unsigned dim) const {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  AffineExpr wanted = getAffineDimExpr(dim, op->getContext());
  // Results have the sizes of their inits.
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<unsigned> at =
        linalgOp.getMatchingIndexingMap(&operand).getResultPosition(wanted);
    if (!at)
      continue;
    auto result = dyn_cast<OpResult>(operand.get());
    if (!result || !llvm::is_contained(ops, result.getOwner()))
      return std::pair(operand.get(), static_cast<int64_t>(*at));
    auto producer = dyn_cast<linalg::LinalgOp>(result.getOwner());
    if (!producer)
      continue;
    auto expr = dyn_cast<AffineDimExpr>(
        producer.getIndexingMapMatchingResult(result).getResult(*at));
    if (!expr)
      continue;
    if (auto size = findSize(producer, expr.getPosition()))
      return size;
  }
  return std::nullopt;
}

/// Returns whether `other`, a plan for the copies, fuses all of them.
bool OtherLoops::fusesAll(const FusionPlan &other,
                          const IRMapping &mapping) const {
  auto isFused = [&](Operation *op) {
    const PlannedProducer *producer = other.levels.front().lookup(op);
    return producer && producer->fused;
  };
  return llvm::all_of(plan.levels.front().producers,
                      [&](const PlannedProducer &producer) {
                        return !producer.fused ||
                               isFused(mapping.lookup(producer.op));
                      }) &&
         llvm::all_of(
             getStored(),
             [&](Operation *op) { return isFused(mapping.lookup(op)); }) &&
         llvm::all_of(plan.consumers, [&](const PlannedConsumer &consumer) {
           return consumer.depth == 0 ||
                  other.lookupConsumer(mapping.lookup(consumer.op));
         });
}

/// Builds the number of tiles for `tileSizes`. A tile size of 0 means that the
/// dimension is not tiled.
static Value buildNumTiles(LaunchNumbers &n,
                           const llvm::MapVector<unsigned, Value> &sizes,
                           ArrayRef<int64_t> tileSizes) {
  Value tiles = n.constant(1);
  for (const auto &[dim, size] : sizes)
    if (tileSizes[dim] != 0)
      tiles = n.mul(tiles, n.ceilDiv(size, n.constant(tileSizes[dim])));
  return tiles;
}

/// Builds the number of bytes that are moved to store the results of `ops`,
/// which convert operands of 8 bits.
static Value buildStoredBytes(LaunchNumbers &n, ArrayRef<Operation *> ops) {
  Value bytes = n.constant(0);
  for (Operation *op : ops) {
    Value init = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
    auto type = cast<RankedTensorType>(init.getType());
    Value ofOp = n.constant(
        1 + llvm::divideCeil(type.getElementTypeBitWidth(), CHAR_BIT));
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      ofOp = n.mul(ofOp, n.b.createOrFold<tensor::DimOp>(init, dim));
    bytes = n.add(bytes, ofOp);
  }
  return bytes;
}

/// Builds, before the root, whether a launch takes the loops of the copies.
/// Fails if the sizes that decide are not available there.
FailureOr<Value> OtherLoops::buildChoice() {
  // 1. Find the sizes of the dimensions that any of the levels tile.
  ArrayRef<int64_t> tiles = plan.options.levels.front().tileSizes, tilesOfFew,
                    tilesOfConverting;
  if (few)
    tilesOfFew = few->levels.front().tileSizes;
  if (converting)
    tilesOfConverting = converting->levels.front().tileSizes;
  unsigned keys = converting ? converting->keys : few->keys;
  SmallVector<std::tuple<unsigned, Value, int64_t>> sources;
  for (unsigned dim = 0; dim < tiles.size(); ++dim) {
    bool isTiled = dim == keys;
    for (ArrayRef<int64_t> sizes : {tiles, tilesOfFew, tilesOfConverting})
      isTiled |= !sizes.empty() && sizes[dim] != 0;
    if (!isTiled)
      continue;
    auto size = findSize(plan.root, dim);
    if (!size)
      return failure();
    sources.emplace_back(dim, size->first, size->second);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = plan.root->getLoc();
  rewriter.setInsertionPoint(plan.root);
  llvm::MapVector<unsigned, Value> sizes;
  for (auto [dim, tensor, at] : sources)
    sizes[dim] = rewriter.createOrFold<tensor::DimOp>(loc, tensor, at);
  // 2. Build the estimated times.
  LaunchNumbers n{ImplicitLocOpBuilder(loc, rewriter)};
  Value numKeys = sizes.lookup(keys), numTiles = buildNumTiles(n, sizes, tiles);
  Value numOfFew, isForFew;
  if (few) {
    numOfFew = buildNumTiles(n, sizes, tilesOfFew);
    isForFew =
        isForFewKeys(n, numOfFew, numTiles, numKeys, few->few, few->many);
  }
  if (!converting)
    return isForFew;
  Value timeOfStored =
      estimateOnlineLaunch(n, numTiles, numKeys, converting->ofStored.cost);
  if (few)
    timeOfStored = n.select(
        isForFew, estimateOnlineLaunch(n, numOfFew, numKeys, few->few.cost),
        timeOfStored);
  Value time =
      estimateOnlineLaunch(n, buildNumTiles(n, sizes, tilesOfConverting),
                           numKeys, converting->version.cost);
  // The pass that selected the levels has already read the target.
  FailureOr<GPUTarget> target = getGPUTarget(plan.root);
  return convertsAsItReads(n, time, timeOfStored,
                           buildStoredBytes(n, converting->stored),
                           succeeded(target) ? *target : GPUTarget());
}

/// Returns whether `op` multiplies two operands of f8 and sums in f32.
static bool multipliesF8(Operation *op) {
  auto contraction = dyn_cast<linalg::LinalgOp>(op);
  return contraction && linalg::isaContractionOpInterface(contraction) &&
         contraction.getNumDpsInputs() == 2 &&
         getElementTypeOrSelf(op->getResult(0)).isF32() &&
         llvm::all_of(
             contraction.getDpsInputs(),
             [](Value input) { return isF8(getElementTypeOrSelf(input)); }) &&
         llvm::all_of(*contraction.getBlock(),
                      llvm::IsaPred<arith::ExtFOp, arith::MulFOp, arith::AddFOp,
                                    linalg::YieldOp>);
}

/// Copies `op`, a contraction of f8. The copy reads f16, which is exact:
/// otherwise synchronous products would convert each operand at each use.
/// Appends the ops that widen operands, and the copy, to `copies`.
static void copyWidened(RewriterBase &rewriter, linalg::LinalgOp op,
                        IRMapping &mapping,
                        SmallVectorImpl<Operation *> &copies) {
  Location loc = op.getLoc();
  SmallVector<Value> operands;
  for (Value input : op.getDpsInputs()) {
    Value operand = mapping.lookupOrDefault(input);
    linalg::GenericOp wide =
        convertElements(rewriter, loc, operand, rewriter.getF16Type());
    copies.push_back(wide);
    operands.push_back(wide.getResult(0));
  }
  auto copy = linalg::ContractOp::create(
      rewriter, loc, op->getResultTypes(), operands,
      mapping.lookupOrDefault(op.getDpsInits().front()),
      rewriter.getAffineMapArrayAttr(op.getIndexingMapsArray()));
  // Attributes of the linalg dialect, such as memoized maps, belong to the
  // named op.
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()))
      copy->setDiscardableAttr(attr.getName(), attr.getValue());
  mapping.map(op.getOperation(), copy.getOperation());
  mapping.map(op->getResult(0), copy->getResult(0));
  copies.push_back(copy);
}

FailureOr<bool> OtherLoops::build() {
  if (!collect())
    return false;
  FailureOr<Value> choice = buildChoice();
  if (failed(choice))
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = plan.root->getLoc();
  IRMapping mapping;
  SmallVector<Operation *> copies, widened;
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    if (converting && multipliesF8(op)) {
      copyWidened(rewriter, cast<linalg::LinalgOp>(op), mapping, copies);
      widened.append(copies.end() - 3, copies.end() - 1);
    } else {
      copies.push_back(rewriter.clone(*op, mapping));
    }
  }
  rewriter.setInsertionPointAfter(ops.back());
  auto addUsers = [&](ValueRange values) {
    return UnrealizedConversionCastOp::create(rewriter, loc,
                                              rewriter.getI1Type(), values);
  };
  userOfChoice = addUsers(*choice);
  users = addUsers(results);
  usersOfCopies = addUsers(llvm::map_to_vector(
      results, [&](Value value) { return mapping.lookup(value); }));
  TileAndFuseOptions options = plan.options;
  options.levels = converting ? converting->levels : few->levels;
  if (Operation *&chained = options.chainedContraction)
    chained = mapping.lookup(chained);
  Refusal refusal;
  FailureOr<FusionPlan> other =
      planTileAndFuse(mapping.lookup(plan.root), options, refusal);
  if (succeeded(other))
    other = dryRunFusionPlan(*other, refusal);
  bool isFused = succeeded(other) && fusesAll(*other, mapping) &&
                 llvm::all_of(widened, [&](Operation *op) {
                   const PlannedProducer *producer =
                       other->levels.front().lookup(op);
                   return producer && producer->fused;
                 });
  if (!isFused) {
    rewriter.eraseOp(userOfChoice);
    rewriter.eraseOp(users);
    rewriter.eraseOp(usersOfCopies);
    for (Operation *copy : llvm::reverse(copies))
      rewriter.eraseOp(copy);
    return false;
  }
  FailureOr<TileAndFuseResult> result =
      applyCheckedPlan(rewriter, *other, refusal);
  if (failed(result))
    return failure();
  loop = result->loops.front();
  return true;
}

/// Moves the stored values into branches that are taken if `condition` is true.
void OtherLoops::storeIf(Value condition) {
  for (Operation *op : getStored()) {
    rewriter.setInsertionPointAfterValue(condition);
    Location loc = op->getLoc();
    Value result = op->getResult(0);
    Value init = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
    auto branch = scf::IfOp::create(rewriter, loc, result.getType(), condition,
                                    /*withElseRegion=*/true);
    rewriter.replaceUsesWithIf(result, init, [](OpOperand &use) {
      return isa<tensor::DimOp>(use.getOwner());
    });
    rewriter.replaceAllUsesWith(result, branch.getResult(0));
    rewriter.setInsertionPointToStart(branch.thenBlock());
    auto yield = scf::YieldOp::create(rewriter, loc, result);
    SmallVector<Operation *> chain = getChain(op);
    llvm::sort(chain, [](Operation *lhs, Operation *rhs) {
      return lhs != rhs && lhs->isBeforeInBlock(rhs);
    });
    for (Operation *each : chain)
      rewriter.moveOpBefore(each, yield);
    // Otherwise the value takes no memory.
    rewriter.setInsertionPointToStart(branch.elseBlock());
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, init);
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (type.isDynamicDim(dim)) {
        size = arith::ConstantIndexOp::create(rewriter, loc, 0).getResult();
        break;
      }
    SmallVector<Value> dynamicSizes;
    for (auto [dim, size] : llvm::enumerate(sizes))
      if (type.isDynamicDim(dim))
        dynamicSizes.push_back(
            getValueOrCreateConstantIndexOp(rewriter, loc, size));
    Value none = tensor::EmptyOp::create(rewriter, loc, type, dynamicSizes);
    scf::YieldOp::create(rewriter, loc, none);
  }
}

Operation *OtherLoops::connect(Operation *&ofPlan) {
  auto others = cast<scf::ForallOp>(loop);
  SmallVector<std::pair<OpResult, OpResult>> results;
  bool isAlike = others->getBlock() == ofPlan->getBlock() &&
                 others->isBeforeInBlock(ofPlan);
  for (auto [value, copy] :
       llvm::zip_equal(users.getOperands(), usersOfCopies.getOperands())) {
    auto result = dyn_cast<OpResult>(value), other = dyn_cast<OpResult>(copy);
    isAlike &= result && result.getOwner() == ofPlan && other &&
               other.getOwner() == others &&
               other.getType() == result.getType();
    results.emplace_back(result, other);
  }
  Value isOther = userOfChoice.getOperand(0);
  rewriter.eraseOp(userOfChoice);
  rewriter.eraseOp(users);
  rewriter.eraseOp(usersOfCopies);
  // Other results have no users.
  for (OpResult result : ofPlan->getResults())
    isAlike &= result.use_empty() ||
               llvm::is_contained(llvm::make_first_range(results), result);
  if (!isAlike) {
    if (others->use_empty())
      rewriter.eraseOp(others);
    return nullptr;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(isOther);
  Location loc = others.getLoc();
  storeIf(rewriter.createOrFold<arith::XOrIOp>(
      loc, isOther, arith::ConstantIntOp::create(rewriter, loc, 1, 1)));
  ofPlan = runIf(rewriter, isOther, others, ofPlan, results);
  return others;
}
