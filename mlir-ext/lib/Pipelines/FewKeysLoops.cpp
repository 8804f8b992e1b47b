//===- FewKeysLoops.cpp - Loops for few keys ------------------------------===//
//
// See FewKeysLoops.h.
//
//   1. Copy the ops that the plan fuses, and fuse the copies with the levels
//   for
//      few keys.
//   2. When the plan is applied, let its loops start from the results of those
//      of the copies. A comparison of estimates for the number of keys and of
//      tiles leaves the iterations to one of the two.
//
//===----------------------------------------------------------------------===//

#include "FewKeysLoops.h"
#include "LaunchNumbers.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Fusion/Apply/TileAndFuse.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

void FewKeysLoops::collect() {
  ops.push_back(plan.root);
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (producer.fused)
      ops.push_back(producer.op);
  for (const PlannedConsumer &consumer : plan.consumers)
    if (consumer.depth > 0)
      ops.push_back(consumer.op);
  // Each use of a fill has its own.
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
}

/// A tensor that is not copied, and the dimension of it that has the size of
/// dimension `dim` of the iterations of `op`.
std::optional<std::pair<Value, int64_t>>
FewKeysLoops::findSize(Operation *op, unsigned dim) const {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  AffineExpr wanted = getAffineDimExpr(dim, op->getContext());
  // Results have the sizes of what they start from.
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

/// Whether `other`, of the copies, fuses all of them.
bool FewKeysLoops::fusesAll(const FusionPlan &other,
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
         llvm::all_of(plan.consumers, [&](const PlannedConsumer &consumer) {
           return consumer.depth == 0 ||
                  other.lookupConsumer(mapping.lookup(consumer.op));
         });
}

/// The number of tiles of `tileSizes`, of which 0 is that of a dimension that
/// is not tiled.
static Value buildNumTiles(LaunchNumbers &n,
                           const llvm::MapVector<unsigned, Value> &sizes,
                           ArrayRef<int64_t> tileSizes) {
  Value tiles = n.constant(1);
  for (const auto &[dim, size] : sizes)
    if (tileSizes[dim] != 0)
      tiles = n.mul(tiles, n.ceilDiv(size, n.constant(tileSizes[dim])));
  return tiles;
}

FailureOr<bool> FewKeysLoops::build() {
  collect();
  ArrayRef<int64_t> tilesOfFew = few.levels.front().tileSizes,
                    tilesOfMany = plan.options.levels.front().tileSizes;
  SmallVector<std::tuple<unsigned, Value, int64_t>> sources;
  for (unsigned dim = 0; dim < tilesOfMany.size(); ++dim) {
    if (dim != few.keys && tilesOfMany[dim] == 0 && tilesOfFew[dim] == 0)
      continue;
    auto size = findSize(plan.root, dim);
    if (!size)
      return false;
    sources.emplace_back(dim, size->first, size->second);
  }
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = plan.root->getLoc();
  rewriter.setInsertionPoint(plan.root);
  llvm::MapVector<unsigned, Value> sizes;
  for (auto [dim, tensor, at] : sources)
    sizes[dim] = rewriter.createOrFold<tensor::DimOp>(loc, tensor, at);
  LaunchNumbers n{ImplicitLocOpBuilder(loc, rewriter)};
  Value isFew = isForFewKeys(n, buildNumTiles(n, sizes, tilesOfFew),
                             buildNumTiles(n, sizes, tilesOfMany),
                             sizes.lookup(few.keys), few.few, few.many);
  IRMapping mapping;
  SmallVector<Operation *> copies;
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    copies.push_back(rewriter.clone(*op, mapping));
  }
  rewriter.setInsertionPointAfter(ops.back());
  auto addUsers = [&](ValueRange values) {
    return UnrealizedConversionCastOp::create(rewriter, loc,
                                              rewriter.getI1Type(), values);
  };
  userOfChoice = addUsers(isFew);
  users = addUsers(results);
  usersOfCopies = addUsers(llvm::map_to_vector(
      results, [&](Value value) { return mapping.lookup(value); }));
  TileAndFuseOptions options = plan.options;
  options.levels = few.levels;
  if (Operation *&chained = options.chainedContraction)
    chained = mapping.lookup(chained);
  Refusal refusal;
  FailureOr<FusionPlan> other =
      planTileAndFuse(mapping.lookup(plan.root), options, refusal);
  if (succeeded(other))
    other = dryRunFusionPlan(*other, refusal);
  if (failed(other) || !fusesAll(*other, mapping)) {
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

Operation *FewKeysLoops::connect(Operation *ofPlan) {
  auto forFew = cast<scf::ForallOp>(loop),
       forMany = cast<scf::ForallOp>(ofPlan);
  SmallVector<std::pair<OpResult, Value>> starts;
  bool isAlike = forFew->getBlock() == forMany->getBlock() &&
                 forFew->isBeforeInBlock(forMany);
  for (auto [many, few] :
       llvm::zip_equal(users.getOperands(), usersOfCopies.getOperands())) {
    auto result = dyn_cast<OpResult>(many);
    isAlike &= result && result.getOwner() == forMany &&
               few.getDefiningOp() == forFew &&
               few.getType() == result.getType();
    starts.emplace_back(result, few);
  }
  Value isFew = userOfChoice.getOperand(0);
  rewriter.eraseOp(userOfChoice);
  rewriter.eraseOp(users);
  rewriter.eraseOp(usersOfCopies);
  // Others have no users.
  for (OpResult result : forMany.getResults())
    isAlike &= result.use_empty() ||
               llvm::is_contained(llvm::make_first_range(starts), result);
  if (!isAlike) {
    if (forFew->use_empty())
      rewriter.eraseOp(forFew);
    return nullptr;
  }
  for (auto [result, start] : starts)
    rewriter.modifyOpInPlace(forMany, [&, result = result, start = start] {
      forMany.getOutputsMutable()[result.getResultNumber()].set(start);
    });
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(forFew);
  Location loc = forFew.getLoc();
  Value isMany = rewriter.createOrFold<arith::XOrIOp>(
      loc, isFew, arith::ConstantIntOp::create(rewriter, loc, 1, 1));
  iterateIf(rewriter, forFew, isFew);
  iterateIf(rewriter, forMany, isMany);
  return forFew;
}
