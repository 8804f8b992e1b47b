//===- FusionCost.cpp - The cost of a fusion plan -------------------------===//
//
// 1. Find how deep in the nest each op is computed, and which results are also
//    needed farther out.
// 2. Record charges. A charge is the cost of an op in one iteration of the
//    loops down to some depth, as a function of the tile sizes there.
// 3. Sum the charges over all iterations. A loop has at most two tile sizes for
//    each size that it divides, so it visits kinds of iterations instead of
//    single ones.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Fusion/Cost/FusionCost.h"

#include "mlir-ext/Fusion/Apply/DryRunCopy.h"
#include "mlir-ext/Fusion/Apply/PolynomialRepair.h"
#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

Cost &Cost::operator+=(const Cost &other) {
  flops = llvm::SaturatingAdd(flops, other.flops);
  bytesRead = llvm::SaturatingAdd(bytesRead, other.bytesRead);
  bytesWritten = llvm::SaturatingAdd(bytesWritten, other.bytesWritten);
  return *this;
}

Cost Cost::operator*(uint64_t times) const {
  return {llvm::SaturatingMultiply(flops, times),
          llvm::SaturatingMultiply(bytesRead, times),
          llvm::SaturatingMultiply(bytesWritten, times)};
}

uint64_t Cost::getBytes() const {
  return llvm::SaturatingAdd(bytesRead, bytesWritten);
}

Cost FusionCost::getBefore() const {
  Cost sum;
  for (const OpCost &op : ops)
    sum += op.before;
  return sum;
}

Cost FusionCost::getAfter() const {
  Cost sum = repairs;
  sum += derivatives;
  for (const OpCost &op : ops)
    sum += op.after;
  return sum;
}

//===----------------------------------------------------------------------===//
// What ops are like
//===----------------------------------------------------------------------===//

/// Returns whether `op` hands on a tensor without moving it.
static bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::EmptyOp>(op);
}

/// Returns whether the elements of `operand` are read, and not only their
/// number known.
static bool readsElements(OpOperand &operand) {
  if (!isa<RankedTensorType>(operand.get().getType()) ||
      operand.get().getDefiningOp<tensor::EmptyOp>())
    return false;
  Operation *op = operand.getOwner();
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  if (!dps || !dps.isDpsInit(&operand))
    return true;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.payloadUsesValueFromOperand(&operand);
  if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
    return llvm::is_contained(online.getStateResults(),
                              dps.getTiedOpResult(&operand).getResultNumber());
  return true;
}

static uint64_t getElementBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBytes(complex.getElementType());
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(bits, 8);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

namespace {
/// A dimension of a tile: its size in elements, and the dimensions of the root
/// that it depends on.
struct TileDim {
  int64_t size = 1;
  SmallBitVector rootDims;
};
using Tile = SmallVector<TileDim>;

/// The tiles of the iteration domains of the ops in the nest.
using Tiles = llvm::MapVector<Operation *, Tile>;

/// A cost that arises once in every iteration of the loops above `depth`.
struct Charge {
  unsigned depth;
  Cost *to;
  std::function<Cost(const Tiles &)> getCost;
};

class Estimator {
public:
  Estimator(const FusionPlan &plan, const FusionCostOptions &options)
      : plan(plan), options(options) {}

  FusionCost run();

private:
  // Sizes.
  int64_t getSize(RankedTensorType type, unsigned dim);
  Tile getWholeDomain(Operation *op);
  Tile getOperandTile(OpOperand &operand, const Tile &domain);
  Tile getResultTile(OpResult result, const Tile &domain);
  Tile getDomainTile(OpResult result, const Tile &tile);
  Tile reshapeTile(Operation *op, const Tile &source);
  Tile getConsumerDomain(Operation *op, const Tiles &tiles);
  Tiles getTiles(unsigned depth, ArrayRef<int64_t> rootSizes);

  // The nest.
  bool isInNest(Operation *op, unsigned level) const;
  bool followsState(Operation *op, unsigned level) const;
  void cutAccumulation(Operation *op, ArrayRef<int64_t> rootSizes,
                       Tile &domain) const;
  bool cuts(unsigned level, const Tile &tile) const;
  bool cutsReduction(unsigned level, Operation *op, const Tile &domain) const;
  bool isInternal(OpOperand &use, unsigned level, const Tiles &tiles);
  unsigned getDepth(Operation *op) const;
  std::optional<unsigned> getInnermostCut(unsigned depth, const Tile &tile,
                                          bool orForall) const;
  std::optional<unsigned> getFirstCarry(OpResult result,
                                        const Tile &domain) const;
  bool goesThroughMemory(OpResult result, const Tile &domain);
  bool isConsumer(Operation *op) const {
    return plan.lookupConsumer(op) != nullptr;
  }
  void findCopies(unsigned level);

  // Charges.
  uint64_t getScalarOps(Operation *op, NormalizationForm form);
  Cost getWholeCost(Operation *op);
  void chargeFused(Operation *op, unsigned depth, Cost &to);
  void chargeResult(OpResult result, const Tile &domain, Cost &to);
  void chargeConsumer(Operation *op, Cost &to);
  void chargeRepair(const PlannedRepair &repair, Cost &to);
  void sumCharges(unsigned depth);

  const FusionPlan &plan;
  const FusionCostOptions &options;
  FusionCost cost;
  /// The sizes of the iteration domain of the root.
  SmallVector<int64_t> rootSizes;
  /// For each level, the ops in its loops that are also computed in front of
  /// them.
  std::vector<llvm::DenseSet<Operation *>> copies;
  std::vector<Charge> charges;
};
} // namespace

static uint64_t countElements(const Tile &tile) {
  uint64_t count = 1;
  for (const TileDim &dim : tile)
    count = llvm::SaturatingMultiply<uint64_t>(count, dim.size);
  return count;
}

static uint64_t countBytes(const Tile &tile, Type type) {
  return llvm::SaturatingMultiply(countElements(tile), getElementBytes(type));
}

int64_t Estimator::getSize(RankedTensorType type, unsigned dim) {
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  cost.assumesSizes = true;
  return options.dynamicSize;
}

Tile Estimator::getWholeDomain(Operation *op) {
  unsigned numRootDims = plan.levels.front().dims.size();
  auto makeDims = [&](unsigned count) {
    return Tile(count, TileDim{-1, SmallBitVector(numRootDims)});
  };
  // The loops of an op without maps are its result.
  if (!hasMaps(op)) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    Tile tile = makeDims(type ? type.getRank() : 0);
    for (unsigned dim = 0; dim < tile.size(); ++dim)
      tile[dim].size = getSize(type, dim);
    return tile;
  }
  auto maps = cast<IndexingMapOpInterface>(op);
  Tile domain = makeDims(maps.getIndexingMapsArray().front().getNumDims());
  // Any operand may know the size.
  for (bool known : {true, false})
    for (OpOperand &operand : op->getOpOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (!type)
        continue;
      AffineMap map = maps.getMatchingIndexingMap(&operand);
      for (auto [index, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        if (dim && domain[dim.getPosition()].size < 0 &&
            type.isDynamicDim(index) != known)
          domain[dim.getPosition()].size = getSize(type, index);
      }
    }
  for (TileDim &dim : domain)
    if (dim.size < 0) {
      cost.assumesSizes = true;
      dim.size = options.dynamicSize;
    }
  return domain;
}

/// The value of `expr` with every dimension at its first or last element.
static int64_t evaluate(AffineExpr expr, const Tile &domain, bool last) {
  SmallVector<AffineExpr> values;
  for (const TileDim &dim : domain)
    values.push_back(
        getAffineConstantExpr(last ? dim.size - 1 : 0, expr.getContext()));
  AffineExpr value = simplifyAffineExpr(expr.replaceDims(values), 0, 0);
  auto constant = dyn_cast<AffineConstantExpr>(value);
  return constant ? constant.getValue() : 0;
}

Tile Estimator::getOperandTile(OpOperand &operand, const Tile &domain) {
  Operation *op = operand.getOwner();
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type)
    return {};
  Tile tile(type.getRank(),
            TileDim{1, SmallBitVector(plan.levels.front().dims.size())});
  if (hasMaps(op)) {
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
    for (auto [index, expr] : llvm::enumerate(map.getResults())) {
      for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
        if (expr.isFunctionOfDim(dim))
          tile[index].rootDims |= domain[dim].rootDims;
      int64_t span = evaluate(expr, domain, /*last=*/true) -
                     evaluate(expr, domain, /*last=*/false);
      tile[index].size = std::min(std::abs(span) + 1, getSize(type, index));
    }
    return tile;
  }
  // Without maps nothing is known but that what it computes comes from here: as
  // many elements, along the innermost dimensions.
  int64_t left = countElements(domain);
  for (unsigned dim = tile.size(); dim-- > 0;) {
    tile[dim].size = std::min(left, getSize(type, dim));
    left = llvm::divideCeil(left, std::max<int64_t>(tile[dim].size, 1));
    for (const TileDim &from : domain)
      tile[dim].rootDims |= from.rootDims;
  }
  return tile;
}

Tile Estimator::getResultTile(OpResult result, const Tile &domain) {
  Operation *op = result.getOwner();
  if (!hasMaps(op))
    return domain;
  return getOperandTile(
      *cast<DestinationStyleOpInterface>(op).getDpsInitOperand(
          result.getResultNumber()),
      domain);
}

Tile Estimator::getDomainTile(OpResult result, const Tile &tile) {
  Operation *op = result.getOwner();
  if (!hasMaps(op))
    return tile;
  Tile domain = getWholeDomain(op);
  AffineMap map = cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(
      cast<DestinationStyleOpInterface>(op).getDpsInitOperand(
          result.getResultNumber()));
  for (auto [index, expr] : llvm::enumerate(map.getResults())) {
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        domain[dim].rootDims |= tile[index].rootDims;
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      int64_t &size = domain[dim.getPosition()].size;
      size = std::min(size, tile[index].size);
    }
  }
  return domain;
}

/// The tile of the result of a reshape that a tile of its source is.
Tile Estimator::reshapeTile(Operation *op, const Tile &source) {
  SmallBitVector cut(source.size());
  SmallVector<int64_t> sizes;
  for (auto [dim, tileDim] : llvm::enumerate(source)) {
    if (tileDim.rootDims.any())
      cut.set(dim);
    sizes.push_back(tileDim.size);
  }
  ReshapedDims dims = getResultDims(op, cut, sizes);
  Tile tile = getWholeDomain(op);
  for (auto [dim, tileDim] : llvm::enumerate(tile)) {
    for (unsigned from : dims.cutBy[dim].set_bits())
      tileDim.rootDims |= source[from].rootDims;
    if (dims.tileSizes[dim] != 0)
      tileDim.size = std::min(tileDim.size, dims.tileSizes[dim]);
  }
  return tile;
}

/// The domain of `op`, which follows ops that `tiles` has.
Tile Estimator::getConsumerDomain(Operation *op, const Tiles &tiles) {
  Tile domain = getWholeDomain(op);
  if (isReshapeOrSlice(op)) {
    auto source = cast<OpResult>(op->getOperand(0));
    return reshapeTile(
        op, getResultTile(source, tiles.find(source.getOwner())->second));
  }
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = tiles.find(operand.get().getDefiningOp());
    if (it == tiles.end() || (it->first != plan.root && !isConsumer(it->first)))
      continue;
    Tile tile = getResultTile(cast<OpResult>(operand.get()), it->second);
    AffineMap map =
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(&operand);
    for (auto [expr, tileDim] : llvm::zip_equal(map.getResults(), tile)) {
      TileDim &dim = domain[cast<AffineDimExpr>(expr).getPosition()];
      dim.size = std::min(dim.size, tileDim.size);
      dim.rootDims |= tileDim.rootDims;
    }
  }
  return domain;
}

/// The tiles in one iteration of the loops above `depth` in which the tile of
/// the root has the sizes `rootSizes`. Several tiles of an op in one iteration
/// count as one that is as large as the largest along each dimension.
Tiles Estimator::getTiles(unsigned depth, ArrayRef<int64_t> rootSizes) {
  Tiles tiles;
  Tile rootTile;
  for (auto [dim, size] : llvm::enumerate(rootSizes)) {
    rootTile.push_back({size, SmallBitVector(rootSizes.size())});
    rootTile.back().rootDims.set(dim);
  }
  tiles[plan.root] = rootTile;
  unsigned level = depth == 0 ? 0 : depth - 1;
  for (const PlannedProducer &producer : plan.levels[level].producers) {
    if (!producer.fused)
      continue;
    Tile domain;
    if (const PlannedSibling *sibling = plan.lookupSibling(producer.op)) {
      domain = getWholeDomain(producer.op);
      // Merged dimensions have as many as both, and one that is split fills
      // the inner of those first.
      SmallVector<int64_t> left;
      for (const TileDim &dim : rootTile)
        left.push_back(dim.size);
      for (auto [dim, set] :
           llvm::reverse(llvm::zip_equal(domain, sibling->cutBy))) {
        if (set.none())
          continue;
        int64_t size = 1;
        for (unsigned rootDim : set.set_bits()) {
          size *= std::exchange(left[rootDim], 1);
          dim.rootDims |= rootTile[rootDim].rootDims;
        }
        dim.size = std::min(dim.size, size);
        left[set.find_first()] =
            llvm::divideCeil(size, std::max<int64_t>(dim.size, 1));
      }
      tiles[producer.op] = domain;
      continue;
    }
    for (OpResult result : producer.op->getResults())
      for (OpOperand &use : result.getUses()) {
        if (!isInternal(use, level, tiles))
          continue;
        Tile tile = getDomainTile(
            result, getOperandTile(use, tiles.find(use.getOwner())->second));
        if (domain.empty()) {
          domain = tile;
          continue;
        }
        for (auto [dim, other] : llvm::zip_equal(domain, tile)) {
          dim.size = std::max(dim.size, other.size);
          dim.rootDims |= other.rootDims;
        }
      }
    if (domain.empty())
      domain = getWholeDomain(producer.op);
    cutAccumulation(producer.op, rootSizes, domain);
    tiles[producer.op] = domain;
  }
  for (const PlannedConsumer &consumer : plan.consumers)
    if (depth >= 1 && consumer.depth >= depth)
      tiles[consumer.op] = getConsumerDomain(consumer.op, tiles);
  return tiles;
}

//===----------------------------------------------------------------------===//
// The nest
//===----------------------------------------------------------------------===//

bool Estimator::isInNest(Operation *op, unsigned level) const {
  if (op == plan.root)
    return true;
  const PlannedProducer *producer = plan.levels[level].lookup(op);
  return producer && producer->fused;
}

/// Returns whether the loops of `level` carry a state that `op` follows, so
/// that they compute it whether they cut it or not.
bool Estimator::followsState(Operation *op, unsigned level) const {
  return level >= plan.firstLevel && level <= plan.lastLevel &&
         plan.isStateDependent(op);
}

/// An accumulation that a loop cuts, although it does not cut what is
/// accumulated, takes up the tile that the loop cuts of the root.
void Estimator::cutAccumulation(Operation *op, ArrayRef<int64_t> rootSizes,
                                Tile &domain) const {
  if (!plan.lookupState(op) || isa<OnlineReductionOpInterface>(op))
    return;
  for (const PlannedLevel &level : plan.levels) {
    const PlannedProducer *producer = level.lookup(op);
    if (!producer || !producer->partial)
      continue;
    TileDim &dim = domain[producer->cutDim];
    for (unsigned rootDim : level.dims.set_bits()) {
      dim.size = std::min(dim.size, rootSizes[rootDim]);
      dim.rootDims.set(rootDim);
    }
  }
}

bool Estimator::cuts(unsigned level, const Tile &tile) const {
  return llvm::any_of(tile, [&](const TileDim &dim) {
    return dim.rootDims.anyCommon(plan.levels[level].dims);
  });
}

bool Estimator::cutsReduction(unsigned level, Operation *op,
                              const Tile &domain) const {
  auto tileable = dyn_cast<TilingInterface>(op);
  if (!tileable)
    return false;
  SmallVector<utils::IteratorType> iterators = tileable.getLoopIteratorTypes();
  if (iterators.size() != domain.size())
    return false;
  return llvm::any_of(llvm::zip(iterators, domain), [&](auto pair) {
    return std::get<0>(pair) == utils::IteratorType::reduction &&
           std::get<1>(pair).rootDims.anyCommon(plan.levels[level].dims);
  });
}

/// Returns whether the tile that `use` takes at `level` is computed in the same
/// loops. `tiles` has those of the user.
bool Estimator::isInternal(OpOperand &use, unsigned level, const Tiles &tiles) {
  Operation *producer = use.get().getDefiningOp(), *user = use.getOwner();
  auto it = tiles.find(user);
  if (!producer || it == tiles.end() || producer == plan.root ||
      isConsumer(producer) || isConsumer(user) || !isInNest(producer, level))
    return false;
  auto dps = dyn_cast<DestinationStyleOpInterface>(user);
  if (dps && dps.isDpsInit(&use) && cutsReduction(level, user, it->second))
    return false;
  return followsState(producer, level) ||
         cuts(level, getOperandTile(use, it->second));
}

/// The number of levels in whose loops `op` lies.
unsigned Estimator::getDepth(Operation *op) const {
  unsigned depth = 0;
  while (depth < plan.levels.size() && isInNest(op, depth))
    ++depth;
  return depth;
}

/// The innermost level above `depth` that cuts `tile`, or whose iterations do
/// not share what they read, being those of a forall or of a split.
std::optional<unsigned> Estimator::getInnermostCut(unsigned depth,
                                                   const Tile &tile,
                                                   bool orForall) const {
  for (unsigned level = depth; level-- > 0;)
    if (cuts(level, tile) ||
        (orForall && plan.levels[level].level.kind != LoopKind::For))
      return level;
  return std::nullopt;
}

/// The first level that carries `result` from one iteration to the next.
std::optional<unsigned> Estimator::getFirstCarry(OpResult result,
                                                 const Tile &domain) const {
  if (result.getOwner() == plan.root) {
    for (unsigned level = 0; level < plan.levels.size(); ++level)
      if (cutsReduction(level, plan.root, domain))
        return level;
    return std::nullopt;
  }
  if (plan.lookupState(result.getOwner()) &&
      llvm::is_contained(getStateResults(result.getOwner()),
                         result.getResultNumber()))
    return plan.firstLevel;
  return std::nullopt;
}

/// Returns whether loops carry `result` that do not keep its tile.
bool Estimator::goesThroughMemory(OpResult result, const Tile &domain) {
  std::optional<unsigned> cut =
      getInnermostCut(getDepth(result.getOwner()),
                      getResultTile(result, domain), /*orForall=*/false);
  std::optional<unsigned> carry = getFirstCarry(result, domain);
  return carry && (!cut || *cut >= *carry);
}

/// Finds the fused producers that are also computed in front of the loops of
/// `level`, for users that these do not serve.
void Estimator::findCopies(unsigned level) {
  Tiles tiles = getTiles(level + 1, rootSizes);
  Tiles around = getTiles(level, rootSizes);
  // Consumers come before their producers.
  for (const PlannedProducer &producer : plan.levels[level].producers) {
    if (!producer.fused)
      continue;
    bool stays = false;
    for (OpResult result : producer.op->getResults()) {
      unsigned number = result.getResultNumber();
      bool yields = llvm::is_contained(producer.yieldedResults, number);
      // Who needs a final state waits for the loops.
      if (yields && plan.lookupState(producer.op) && level >= plan.firstLevel)
        continue;
      for (OpOperand &use : result.getUses()) {
        Operation *user = use.getOwner();
        if (isa<tensor::DimOp>(user))
          continue;
        if (isInternal(use, level, tiles)) {
          stays |= copies[level].contains(user);
          continue;
        }
        // Farther users are served by what an enclosing level yields.
        if (level > 0 && !isInternal(use, level - 1, around))
          continue;
        Operation *later = plan.root->getBlock()->findAncestorOpInBlock(*user);
        stays |= !yields || (later && !plan.root->isBeforeInBlock(later));
      }
      stays |= level > 0 && !yields &&
               llvm::is_contained(
                   plan.levels[level - 1].lookup(producer.op)->yieldedResults,
                   number);
    }
    if (stays)
      copies[level].insert(producer.op);
  }
}

//===----------------------------------------------------------------------===//
// Charges
//===----------------------------------------------------------------------===//

uint64_t Estimator::getScalarOps(Operation *op, NormalizationForm form) {
  std::optional<uint64_t> count = countScalarOps(op);
  if (!count && options.countWithoutPayload)
    count = options.countWithoutPayload(op, form);
  if (!count && !llvm::is_contained(cost.uncounted, op))
    cost.uncounted.push_back(op);
  return count.value_or(0);
}

/// The cost of computing `op` as a whole on its own.
Cost Estimator::getWholeCost(Operation *op) {
  Cost whole;
  if (isView(op))
    return whole;
  Tile domain = getWholeDomain(op);
  whole.flops = llvm::SaturatingMultiply(
      countElements(domain), getScalarOps(op, NormalizationForm::Eager));
  auto count = [&](Type type, const Tile &tile) {
    return countBytes(tile, type);
  };
  for (OpOperand &operand : op->getOpOperands())
    if (readsElements(operand))
      whole.bytesRead = llvm::SaturatingAdd(
          whole.bytesRead,
          count(operand.get().getType(), getOperandTile(operand, domain)));
  for (OpResult result : op->getResults())
    whole.bytesWritten = llvm::SaturatingAdd(
        whole.bytesWritten,
        count(result.getType(), getResultTile(result, domain)));
  return whole;
}

/// Charges for reading and writing `result` of a fused op, and the init it is
/// tied to, if any.
void Estimator::chargeResult(OpResult result, const Tile &domain, Cost &to) {
  Operation *op = result.getOwner();
  unsigned depth = getDepth(op);
  Tile tile = getResultTile(result, domain);
  std::optional<unsigned> cut = getInnermostCut(depth, tile, false);

  // 1. Carried across loops that do not keep its tile, it is read and written
  // in every iteration; the first reads the init, the last writes the result.
  if (goesThroughMemory(result, domain)) {
    charges.push_back({cut ? *cut + 1 : depth, &to, [=](const Tiles &tiles) {
                         uint64_t bytes = countBytes(
                             getResultTile(result, tiles.find(op)->second),
                             result.getType());
                         return Cost{0, bytes, bytes};
                       }});
    return;
  }

  // 2. It leaves the nest once, unless only consumers want it.
  bool leaves =
      op == plan.root
          ? result.use_empty() ||
                !llvm::all_of(result.getUsers(),
                              [&](auto u) { return isConsumer(u); })
          : llvm::is_contained(plan.levels.front().lookup(op)->yieldedResults,
                               result.getResultNumber());
  if (leaves)
    charges.push_back({cut ? *cut + 1 : 0, &to, [=](const Tiles &tiles) {
                         uint64_t bytes = countBytes(
                             getResultTile(result, tiles.find(op)->second),
                             result.getType());
                         return Cost{0, 0, bytes};
                       }});
}

/// Charges for `op`, or a copy of it, in the loops above `depth`.
void Estimator::chargeFused(Operation *op, unsigned depth, Cost &to) {
  bool isCopy = depth < getDepth(op);
  Tiles tiles = getTiles(depth, rootSizes);
  Tiles outermost = getTiles(1, rootSizes);
  const Tile &domain = tiles.find(op)->second;

  // 1. Arithmetic.
  auto form = NormalizationForm::Eager;
  if (const PlannedState *state = isCopy ? nullptr : plan.lookupState(op))
    form = state->normalization;
  uint64_t scalarOps = getScalarOps(op, form);
  charges.push_back(
      {depth, &to, [=](const Tiles &tiles) {
         return Cost{llvm::SaturatingMultiply(
                         countElements(tiles.find(op)->second), scalarOps),
                     0, 0};
       }});

  // 2. Operands that come from outside.
  auto dps = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands()) {
    if (!readsElements(operand) || isInternal(operand, 0, outermost))
      continue;
    Tile tile = getOperandTile(operand, domain);
    if (dps && dps.isDpsInit(&operand) && !isCopy) {
      // Carried ones are charged with the result.
      if (goesThroughMemory(dps.getTiedOpResult(&operand), domain))
        continue;
    }
    unsigned at = depth;
    if (getInnermostCut(depth, tile, /*orForall=*/false))
      at = *getInnermostCut(depth, tile, /*orForall=*/true) + 1;
    charges.push_back(
        {at, &to, [this, op, &operand](const Tiles &tiles) {
           return Cost{
               0,
               countBytes(getOperandTile(operand, tiles.find(op)->second),
                          operand.get().getType()),
               0};
         }});
  }

  // 3. Results that leave, or are carried; once for all copies.
  if (isCopy)
    return;
  for (OpResult result : op->getResults())
    if (isa<RankedTensorType>(result.getType()) && !isView(op))
      chargeResult(result, domain, to);
}

/// Charges for `op`, which follows the root in the loops of some levels: what
/// it does in one iteration of them.
void Estimator::chargeConsumer(Operation *op, Cost &to) {
  uint64_t scalarOps = getScalarOps(op, NormalizationForm::Eager);
  const Tile rootDomain =
      getTiles(plan.levels.size(), rootSizes).find(plan.root)->second;
  unsigned depth = plan.lookupConsumer(op)->depth;
  Tiles innermost = getTiles(depth, rootSizes);
  const Tile &domain = innermost.find(op)->second;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *source = operand.get().getDefiningOp();
    bool isThere =
        source &&
        (isConsumer(source) ||
         (source == plan.root &&
          !goesThroughMemory(cast<OpResult>(operand.get()), rootDomain)));
    if (!readsElements(operand) || isThere)
      continue;
    Tile tile = getOperandTile(operand, domain);
    unsigned at = depth;
    if (getInnermostCut(depth, tile, /*orForall=*/false))
      at = *getInnermostCut(depth, tile, /*orForall=*/true) + 1;
    charges.push_back(
        {at, &to, [this, op, &operand](const Tiles &tiles) {
           return Cost{
               0,
               countBytes(getOperandTile(operand, tiles.find(op)->second),
                          operand.get().getType()),
               0};
         }});
  }
  SmallVector<OpResult> written;
  for (OpResult result : op->getResults())
    if (result.use_empty() || !llvm::all_of(result.getUsers(), [&](auto user) {
          return isConsumer(user);
        }))
      written.push_back(result);
  charges.push_back({depth, &to, [=](const Tiles &tiles) {
                       const Tile &domain = tiles.find(op)->second;
                       Cost cost;
                       cost += Cost{countElements(domain), 0, 0} * scalarOps;
                       for (OpResult result : written)
                         cost += Cost{0, 0,
                                      countBytes(getResultTile(result, domain),
                                                 result.getType())};
                       return cost;
                     }});
}

/// The operations that a factor takes for each element of an accumulator: a
/// polynomial is evaluated by Horner's rule.
static uint64_t countOpsOfFactor(const PlannedFactor &factor) {
  if (factor.value.degree.kind != RepairKind::Polynomial)
    return 1;
  uint64_t degree = factor.derivatives.empty()
                        ? static_cast<uint64_t>(factor.value.degree.coefficient)
                        : factor.derivatives.size();
  return 2 * degree;
}

/// For each factor, its operations for each element of the accumulator where
/// the states move, unless it is deferred, and one at the end if it is, or if
/// normalisation is delayed; one more for a part that is added there.
void Estimator::chargeRepair(const PlannedRepair &repair, Cost &to) {
  OpResult accumulator = repair.accumulator->getResult(repair.resultNumber);
  auto getCost = [this, accumulator](const Tiles &tiles) {
    return Cost{countElements(getResultTile(
                    accumulator, tiles.find(accumulator.getOwner())->second)),
                0, 0};
  };
  for (const PlannedFactor &factor : repair.factors) {
    uint64_t times = countOpsOfFactor(factor);
    if (!factor.deferred)
      charges.push_back({plan.lastLevel + 1, &to, [=](const Tiles &tiles) {
                           return getCost(tiles) * times;
                         }});
    if (factor.unscaled)
      charges.push_back({plan.firstLevel, &to, getCost});
    bool isDelayed = factor.measure == Measure::Given &&
                     plan.lookupState(factor.source)->normalization ==
                         NormalizationForm::Delayed;
    if (factor.deferred || isDelayed)
      charges.push_back({plan.firstLevel, &to, getCost});
  }
}

void Estimator::sumCharges(unsigned depth) {
  // 1. For each dimension of the root, how many tiles there are of each size.
  SmallVector<SmallVector<std::pair<int64_t, uint64_t>>> kinds;
  for (auto [dim, whole] : llvm::enumerate(rootSizes)) {
    std::map<int64_t, uint64_t> counts = {{whole, 1}};
    for (const PlannedLevel &level : ArrayRef(plan.levels).take_front(depth)) {
      int64_t tile = level.level.tileSizes[dim];
      if (tile == 0 || ShapedType::isDynamic(tile))
        continue; // what is not known is not cut
      std::map<int64_t, uint64_t> smaller;
      for (auto [size, count] : counts) {
        if (size >= tile)
          smaller[tile] += count * (size / tile);
        if (size % tile != 0)
          smaller[size % tile] += count;
      }
      counts = std::move(smaller);
    }
    kinds.emplace_back(counts.begin(), counts.end());
  }

  // 2. Every combination of sizes.
  SmallVector<int64_t> sizes;
  std::function<void(uint64_t)> visit = [&](uint64_t count) {
    if (sizes.size() < kinds.size()) {
      for (auto [size, times] : kinds[sizes.size()]) {
        sizes.push_back(size);
        visit(llvm::SaturatingMultiply(count, times));
        sizes.pop_back();
      }
      return;
    }
    Tiles tiles = getTiles(depth, sizes);
    for (const Charge &charge : charges)
      if (charge.depth == depth)
        *charge.to += charge.getCost(tiles) * count;
  };
  visit(1);
}

FusionCost Estimator::run() {
  for (const TileDim &dim : getWholeDomain(plan.root))
    rootSizes.push_back(dim.size);
  copies.resize(plan.levels.size());
  for (unsigned level = 0; level < plan.levels.size(); ++level)
    findCopies(level);

  cost.ops.push_back({plan.root, {}, {}});
  for (const PlannedProducer &producer : plan.levels.front().producers)
    if (producer.fused || isa<TilingInterface>(producer.op))
      cost.ops.push_back({producer.op, {}, {}});
  for (const PlannedConsumer &consumer : plan.consumers)
    if (consumer.depth > 0)
      cost.ops.push_back({consumer.op, {}, {}});
  for (OpCost &entry : cost.ops) {
    entry.before = getWholeCost(entry.op);
    if (isConsumer(entry.op)) {
      chargeConsumer(entry.op, entry.after);
      continue;
    }
    unsigned depth = getDepth(entry.op);
    if (depth == 0 || copies.front().contains(entry.op))
      entry.after = entry.before;
    for (unsigned level = 1; level < depth; ++level)
      if (copies[level].contains(entry.op))
        chargeFused(entry.op, level, entry.after);
    if (depth > 0)
      chargeFused(entry.op, depth, entry.after);
  }
  for (const PlannedRepair &repair : plan.repairs)
    chargeRepair(repair, cost.repairs);
  for (unsigned depth = 0; depth <= plan.levels.size(); ++depth)
    sumCharges(depth);
  return cost;
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

/// The cost of what is fused but the repairs.
static Cost getAfterOfOps(const FusionCost &cost) {
  Cost sum;
  for (const OpCost &op : cost.ops)
    sum += op.after;
  return sum;
}

/// Adds what the derivatives cost that `plan` lacks: the difference between a
/// copy with them and one without. (Who else uses what the loops compute is not
/// copied, so that neither is this cost.)
static void addDerivatives(const FusionPlan &plan,
                           const FusionCostOptions &options, FusionCost &cost) {
  if (!plan.root->getParentWithTrait<OpTrait::IsIsolatedFromAbove>())
    return;
  DryRun dryRun = makeDryRun(plan);
  Cost without = getAfterOfOps(Estimator(dryRun.plan, options).run());
  IRRewriter rewriter(plan.root->getContext());
  Refusal refusal;
  FailureOr<CompletePlan> complete =
      buildDerivatives(rewriter, dryRun.plan, refusal);
  if (failed(complete))
    return;
  FusionCost completeCost = Estimator(complete->plan, options).run();
  Cost with = getAfterOfOps(completeCost);
  auto subtract = [](uint64_t lhs, uint64_t rhs) {
    return lhs > rhs ? lhs - rhs : 0;
  };
  cost.derivatives = {subtract(with.flops, without.flops),
                      subtract(with.bytesRead, without.bytesRead),
                      subtract(with.bytesWritten, without.bytesWritten)};
  cost.repairs = completeCost.repairs;
}

FusionCost
mlir::linalg_ext::estimateFusionCost(const FusionPlan &plan,
                                     const FusionCostOptions &options) {
  FusionCost cost = Estimator(plan, options).run();
  if (plan.needsDerivatives)
    addDerivatives(plan, options, cost);
  return cost;
}
