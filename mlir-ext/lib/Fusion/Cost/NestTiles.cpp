//===- NestTiles.cpp - Tiles of the ops of a fusion plan ------------------===//
//
// Tiles are computed from the root, use by use: the tile of an operand follows
// from the indexing maps of its user, and the tile of its producer from that.
//
//===----------------------------------------------------------------------===//

#include "NestTiles.h"

#include "mlir-ext/Fusion/Plan/LevelAnalysis.h"
#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using llvm::SmallBitVector;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

static uint64_t getElementBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * getElementBytes(complex.getElementType());
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return llvm::divideCeil(bits, 8);
}

uint64_t mlir::linalg_ext::countElements(const Tile &tile) {
  uint64_t count = 1;
  for (const TileDim &dim : tile)
    count = llvm::SaturatingMultiply<uint64_t>(count, dim.size);
  return count;
}

uint64_t mlir::linalg_ext::countBytes(const Tile &tile, Type type) {
  return llvm::SaturatingMultiply(countElements(tile), getElementBytes(type));
}

int64_t NestTiles::getSize(RankedTensorType type, unsigned dim) {
  if (!type.isDynamicDim(dim))
    return type.getDimSize(dim);
  assumed = true;
  return dynamicSize;
}

Tile NestTiles::getWholeDomain(Operation *op) {
  unsigned numRootDims = plan.levels.front().dims.size();
  auto makeDims = [&](unsigned count) {
    return Tile(count, TileDim{-1, SmallBitVector(numRootDims)});
  };
  // The loops of an op without indexing maps are the dimensions of its result.
  if (!hasMaps(op)) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    Tile tile = makeDims(type ? type.getRank() : 0);
    for (unsigned dim = 0; dim < tile.size(); ++dim)
      tile[dim].size = getSize(type, dim);
    return tile;
  }
  auto maps = cast<IndexingMapOpInterface>(op);
  Tile domain = makeDims(maps.getIndexingMapsArray().front().getNumDims());
  // The static size of a loop may be known from any operand.
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
      assumed = true;
      dim.size = dynamicSize;
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

Tile NestTiles::getOperandTile(OpOperand &operand, const Tile &domain) {
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
  // Without maps, assume that the op reads as many elements of the operand as
  // it computes, along the innermost dimensions.
  int64_t left = countElements(domain);
  for (unsigned dim = tile.size(); dim-- > 0;) {
    tile[dim].size = std::min(left, getSize(type, dim));
    left = llvm::divideCeil(left, std::max<int64_t>(tile[dim].size, 1));
    for (const TileDim &from : domain)
      tile[dim].rootDims |= from.rootDims;
  }
  return tile;
}

Tile NestTiles::getResultTile(OpResult result, const Tile &domain) {
  Operation *op = result.getOwner();
  if (!hasMaps(op))
    return domain;
  return getOperandTile(
      *cast<DestinationStyleOpInterface>(op).getDpsInitOperand(
          result.getResultNumber()),
      domain);
}

Tile NestTiles::getDomainTile(OpResult result, const Tile &tile) {
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

/// Returns the tile of the result of a reshape that has the elements of
/// `source`, a tile of its source.
Tile NestTiles::reshapeTile(Operation *op, const Tile &source) {
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

/// Returns the tile of the domain of `op`, a consumer of ops in `tiles`.
Tile NestTiles::getConsumerDomain(Operation *op, const Tiles &tiles) {
  Tile domain = getWholeDomain(op);
  if (isReshapeOrSlice(op)) {
    auto source = cast<OpResult>(op->getOperand(0));
    return reshapeTile(
        op, getResultTile(source, tiles.find(source.getOwner())->second));
  }
  for (OpOperand &operand : op->getOpOperands()) {
    auto it = tiles.find(operand.get().getDefiningOp());
    if (it == tiles.end() || (it->first != plan.root &&
                              !isConsumer(it->first) && !isLeft(operand.get())))
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

Tiles NestTiles::getTiles(unsigned depth, ArrayRef<int64_t> rootSizes) {
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
      // Merged dimensions have the product of the sizes. If a dimension is
      // split, the inner dimensions are filled first.
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

bool NestTiles::isInNest(Operation *op, unsigned level) const {
  if (op == plan.root)
    return true;
  const PlannedProducer *producer = plan.levels[level].lookup(op);
  return producer && producer->fused;
}

/// Returns whether the loops of `level` carry a state that `op` depends on.
/// They then compute `op` even if they do not cut it.
bool NestTiles::followsState(Operation *op, unsigned level) const {
  return level >= plan.firstLevel && level <= plan.lastLevel &&
         plan.isStateDependent(op);
}

/// A loop of the root may make an accumulation partial without cutting the
/// values that are accumulated. The dimension along which the accumulation is
/// cut then has the tile size of the root.
void NestTiles::cutAccumulation(Operation *op, ArrayRef<int64_t> rootSizes,
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

bool NestTiles::cuts(unsigned level, const Tile &tile) const {
  return llvm::any_of(tile, [&](const TileDim &dim) {
    return dim.rootDims.anyCommon(plan.levels[level].dims);
  });
}

bool NestTiles::cutsReduction(unsigned level, Operation *op,
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

bool NestTiles::isInternal(OpOperand &use, unsigned level, const Tiles &tiles) {
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

unsigned NestTiles::getDepth(Operation *op) const {
  unsigned depth = 0;
  while (depth < plan.levels.size() && isInNest(op, depth))
    ++depth;
  return depth;
}

std::optional<unsigned> NestTiles::getInnermostCut(unsigned depth,
                                                   const Tile &tile,
                                                   bool orForall) const {
  for (unsigned level = depth; level-- > 0;)
    if (cuts(level, tile) ||
        (orForall && plan.levels[level].level.kind != LoopKind::For))
      return level;
  return std::nullopt;
}

/// Returns the first level that carries `result` from one iteration to the
/// next.
std::optional<unsigned> NestTiles::getFirstCarry(OpResult result,
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

bool NestTiles::goesThroughMemory(OpResult result, const Tile &domain) {
  std::optional<unsigned> cut =
      getInnermostCut(getDepth(result.getOwner()),
                      getResultTile(result, domain), /*orForall=*/false);
  std::optional<unsigned> carry = getFirstCarry(result, domain);
  return carry && (!cut || *cut >= *carry);
}
