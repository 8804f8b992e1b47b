//===- JoinParts.cpp - Moves concatenations before products ---------------===//
//
// A decoder computes the scores of a cache and those of new tokens by two
// products, masks the latter, and concatenates both for the softmax. Loops do
// not fuse the producers of a concatenation. So this step moves the
// concatenation before the products: one product reads concatenated keys, and
// loops read the parts of these in place (ReadParts.cpp).
//
//   1. Follow the input of an online reduction to a concatenation of scores.
//   2. Join the ops that compute the parts, from the products on. An op that
//      only one part has is computed where the position is in this part.
//   3. Replace products of slices of the weights, whose results are added, by
//      one product of all weights.
//
// A part may lack dimensions that the others have: keys of a prefix that all
// sequences of a batch share, for example. It is repeated along these
// dimensions, and read in place.
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"

#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Support/IndexPolynomial.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether exactly one op reads the elements of `value`.
static bool hasOneReader(Value value) {
  return llvm::count_if(value.getUsers(), [](Operation *user) {
           return !isa<tensor::DimOp>(user);
         }) == 1;
}

/// Returns the elementwise op that computes `value`, if its result has the
/// identity map. Null otherwise.
static linalg::GenericOp getElementwise(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !isElementwiseOnTensors(op) || op->getNumResults() != 1 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getIndexingMapsArray().back().isIdentity())
    return {};
  return op;
}

/// Returns `value` as a product that starts from a fill, or null.
static linalg::LinalgOp getProduct(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !linalg::isaContractionOpInterface(op) ||
      !isFill(op.getDpsInits().front().getDefiningOp()))
    return {};
  return op;
}

/// Returns the operand of `op` from which elementwise ops, each with one
/// reader, lead to a product. Null if there is none.
static OpOperand *findScores(linalg::GenericOp op) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!op.getMatchingIndexingMap(operand).isIdentity() ||
        !isa<RankedTensorType>(operand->get().getType()) ||
        !hasOneReader(operand->get()))
      continue;
    if (getProduct(operand->get()))
      return operand;
    if (linalg::GenericOp inner = getElementwise(operand->get()))
      if (findScores(inner))
        return operand;
  }
  return nullptr;
}

/// Returns the operand of `product` that has dimension `dim` of its result, and
/// the number of this dimension in the operand. Null if both or none have it.
static std::pair<OpOperand *, int64_t> findKeys(linalg::LinalgOp product,
                                                int64_t dim) {
  auto loop =
      dyn_cast<AffineDimExpr>(product.getIndexingMapsArray().back().getResult(
          static_cast<unsigned>(dim)));
  OpOperand *keys = nullptr;
  int64_t keysDim = -1;
  if (!loop)
    return {nullptr, -1};
  for (OpOperand *operand : product.getDpsInputOperands()) {
    FailureOr<int64_t> at =
        getOperandDim(cast<IndexingMapOpInterface>(product.getOperation()),
                      *operand, loop.getPosition());
    if (failed(at) || (*at != -1 && keys))
      return {nullptr, -1};
    if (*at == -1)
      continue;
    keys = operand;
    keysDim = *at;
  }
  return {keys, keysDim};
}

/// Returns whether both ops have the same payload, and it does not use
/// positions.
static bool haveSamePayload(linalg::LinalgOp lhs, linalg::LinalgOp rhs) {
  auto readsPosition = [](Operation *op) {
    return op->walk([](linalg::IndexOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  return !readsPosition(lhs) && !readsPosition(rhs) &&
         OperationEquivalence::isRegionEquivalentTo(
             &lhs->getRegion(0), &rhs->getRegion(0),
             OperationEquivalence::IgnoreLocations);
}

/// Returns the indexing map of operand `number` of `product` with the loops of
/// `like`, a product with the same other operands. `maps` and `wanted` are the
/// maps of both. Null if their loops do not correspond.
static AffineMap getMapLike(linalg::LinalgOp product, ArrayRef<AffineMap> maps,
                            linalg::LinalgOp like, ArrayRef<AffineMap> wanted,
                            unsigned number) {
  if (maps.size() != wanted.size() ||
      product.getNumLoops() != like.getNumLoops())
    return {};
  // For each loop of `product`, the loop of `like`.
  SmallVector<int64_t> loops(product.getNumLoops(), -1);
  for (unsigned i = 0; i < maps.size(); ++i) {
    if (i == number)
      continue;
    if (maps[i].getNumResults() != wanted[i].getNumResults())
      return {};
    for (auto [a, b] :
         llvm::zip_equal(maps[i].getResults(), wanted[i].getResults())) {
      auto from = dyn_cast<AffineDimExpr>(a), to = dyn_cast<AffineDimExpr>(b);
      if (!from || !to)
        return {};
      int64_t &loop = loops[from.getPosition()];
      if (loop != -1 && loop != static_cast<int64_t>(to.getPosition()))
        return {};
      loop = to.getPosition();
    }
  }
  SmallVector<utils::IteratorType> kinds = product.getIteratorTypesArray(),
                                   wantedKinds = like.getIteratorTypesArray();
  llvm::SmallDenseSet<int64_t> taken;
  for (auto [loop, kind] : llvm::zip_equal(loops, kinds))
    if (loop == -1 || !taken.insert(loop).second || wantedKinds[loop] != kind)
      return {};
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : maps[number].getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      return {};
    results.push_back(
        getAffineDimExpr(loops[dim.getPosition()], product.getContext()));
  }
  return AffineMap::get(maps[number].getNumDims(), 0, results,
                        product.getContext());
}

static AffineMap getMapLike(linalg::LinalgOp product, linalg::LinalgOp like,
                            unsigned number) {
  return getMapLike(product, product.getIndexingMapsArray(), like,
                    like.getIndexingMapsArray(), number);
}

/// Returns the map with the most results, if it has those of all others; else
/// null.
static AffineMap getWidest(ArrayRef<AffineMap> maps) {
  AffineMap widest = maps.front();
  for (AffineMap map : maps)
    if (map.getNumResults() > widest.getNumResults())
      widest = map;
  bool hasAll = llvm::all_of(maps, [&](AffineMap map) {
    return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
      return llvm::is_contained(widest.getResults(), expr);
    });
  });
  return hasAll ? widest : AffineMap();
}

/// Concatenates operands of products along the loop `loop`. `maps` are their
/// indexing maps. Operands that lack dimensions of `widest`, such as a prefix
/// that several sequences share, are broadcast along these.
static Value concatOperands(RewriterBase &rewriter, Location loc,
                            ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
                            AffineMap widest, AffineExpr loop) {
  auto getPosition = [&](AffineExpr expr) {
    return llvm::find(widest.getResults(), expr) - widest.getResults().begin();
  };
  int64_t dim = getPosition(loop), rank = widest.getNumResults();
  Value like = operands[llvm::find(maps, widest) - maps.begin()];
  SmallVector<Value> parts;
  for (auto [operand, map] : llvm::zip_equal(operands, maps)) {
    if (map == widest) {
      parts.push_back(operand);
      continue;
    }
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, like);
    SmallVector<AffineExpr> results;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      results.push_back(
          getAffineDimExpr(getPosition(expr), rewriter.getContext()));
      if (expr == loop)
        sizes[dim] = tensor::getMixedSize(rewriter, loc, operand, i);
    }
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          getElementTypeOrSelf(operand));
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    auto repeated = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), operand, empty,
        ArrayRef<AffineMap>{
            AffineMap::get(rank, 0, results, rewriter.getContext()), identity},
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [](OpBuilder &b, Location loc, ValueRange args) {
          linalg::YieldOp::create(b, loc, args.front());
        });
    parts.push_back(repeated.getResult(0));
  }
  return tensor::ConcatOp::create(rewriter, loc, dim, parts);
}

namespace {
/// Joins the parts of a concatenation.
class Joiner {
public:
  Joiner(RewriterBase &rewriter, Location loc, int64_t dim,
         SmallVector<OpFoldResult> seams)
      : rewriter(rewriter), loc(loc), dim(dim), seams(std::move(seams)) {}

  /// Whether `parts` can be joined; builds nothing.
  bool canJoin(ArrayRef<Value> parts);
  Value join(ArrayRef<Value> parts);

private:
  /// The parts without their outermost ops, and these ops. An op is null if its
  /// part stays as it is.
  struct Layer {
    SmallVector<Value> inner;
    SmallVector<linalg::GenericOp> ops;
    SmallVector<OpOperand *> scores;
  };
  Layer peel(ArrayRef<Value> parts);
  Value joinProducts(ArrayRef<Value> parts);
  Value joinLayer(const Layer &layer);
  Value concat(ArrayRef<Value> parts, int64_t at);
  Value fillLike(Value value, int64_t at, unsigned part);
  SmallVector<OpFoldResult> getSizes(Value part);

  RewriterBase &rewriter;
  Location loc;
  int64_t dim;
  /// The offset of each part, and the end of the last one.
  SmallVector<OpFoldResult> seams;
};
} // namespace

Joiner::Layer Joiner::peel(ArrayRef<Value> parts) {
  Layer layer;
  for (Value part : parts) {
    linalg::GenericOp op =
        getProduct(part) ? linalg::GenericOp() : getElementwise(part);
    OpOperand *scores = op ? findScores(op) : nullptr;
    layer.ops.push_back(op);
    layer.scores.push_back(scores);
    layer.inner.push_back(scores ? scores->get() : part);
  }
  return layer;
}

bool Joiner::canJoin(ArrayRef<Value> parts) {
  for (Value part : parts)
    if (!hasOneReader(part) ||
        getElementTypeOrSelf(part) != getElementTypeOrSelf(parts.front()))
      return false;
  if (llvm::all_of(parts, [](Value part) { return !!getProduct(part); })) {
    linalg::LinalgOp first = getProduct(parts.front());
    auto [keys, keysDim] = findKeys(first, dim);
    if (!keys || first.getNumDpsInputs() != 2)
      return false;
    auto getFilling = [](linalg::LinalgOp product) {
      return product.getDpsInits()
          .front()
          .getDefiningOp<linalg::FillOp>()
          .value();
    };
    SmallVector<AffineMap> maps;
    for (Value part : parts) {
      linalg::LinalgOp product = getProduct(part);
      OpOperand *ofPart = findKeys(product, dim).first;
      if (!ofPart || ofPart->getOperandNumber() != keys->getOperandNumber() ||
          !haveSamePayload(product, first) ||
          getFilling(product) != getFilling(first))
        return false;
      maps.push_back(getMapLike(product, first, keys->getOperandNumber()));
      if (!maps.back())
        return false;
      for (OpOperand *operand : product.getDpsInputOperands()) {
        Value other = first->getOperand(operand->getOperandNumber());
        if (operand->getOperandNumber() == keys->getOperandNumber()
                ? getElementTypeOrSelf(operand->get()) !=
                      getElementTypeOrSelf(other)
                : operand->get() != other)
          return false;
      }
    }
    return !!getWidest(maps);
  }
  Layer layer = peel(parts);
  bool anyOp = false;
  for (auto [part, op, scores] :
       llvm::zip_equal(parts, layer.ops, layer.scores)) {
    if (getProduct(part))
      continue;
    // The joined op has one payload, which computes all parts at each position
    // and selects one of them.
    if (!op || !scores || !mayRunAnywhere(op))
      return false;
    anyOp = true;
    // Each operand has the dimension exactly once, or lacks it.
    for (OpOperand *operand : op.getDpsInputOperands())
      if (isa<RankedTensorType>(operand->get().getType()) &&
          failed(getOperandDim(cast<IndexingMapOpInterface>(op.getOperation()),
                               *operand, dim)))
        return false;
  }
  return anyOp && canJoin(layer.inner);
}

SmallVector<OpFoldResult> Joiner::getSizes(Value part) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, part);
  sizes[dim] = seams.back();
  return sizes;
}

Value Joiner::concat(ArrayRef<Value> parts, int64_t at) {
  return tensor::ConcatOp::create(rewriter, loc, at, parts).getResult();
}

/// Returns zeros with the shape of `value`, but with the size of `part` in
/// dimension `at`.
Value Joiner::fillLike(Value value, int64_t at, unsigned part) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value);
  sizes[at] = subtract(rewriter, loc, seams[part + 1], seams[part]);
  Type type = getElementTypeOrSelf(value);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, type);
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  return linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
}

Value Joiner::joinProducts(ArrayRef<Value> parts) {
  linalg::LinalgOp first = getProduct(parts.front());
  auto [keys, keysDim] = findKeys(first, dim);
  unsigned number = keys->getOperandNumber();
  SmallVector<Value> joined;
  SmallVector<AffineMap> ofParts, maps = first.getIndexingMapsArray();
  for (Value part : parts) {
    joined.push_back(getProduct(part)->getOperand(number));
    ofParts.push_back(getMapLike(getProduct(part), first, number));
  }
  AffineExpr loop = maps[number].getResult(static_cast<unsigned>(keysDim));
  maps[number] = getWidest(ofParts);
  SmallVector<Value> inputs = first.getDpsInputs();
  inputs[number] =
      concatOperands(rewriter, loc, joined, ofParts, maps[number], loop);
  auto fill = first.getDpsInits().front().getDefiningOp<linalg::FillOp>();
  Value empty = tensor::EmptyOp::create(rewriter, loc, getSizes(parts.front()),
                                        getElementTypeOrSelf(parts.front()));
  Value init =
      linalg::FillOp::create(rewriter, loc, fill.value(), empty).getResult(0);
  auto product = linalg::GenericOp::create(rewriter, first.getLoc(),
                                           init.getType(), inputs, init, maps,
                                           first.getIteratorTypesArray());
  rewriter.cloneRegionBefore(first->getRegion(0), product.getRegion(),
                             product.getRegion().begin());
  return product.getResult(0);
}

/// Builds one op that replaces the ops of a layer. It reads the joined scores.
Value Joiner::joinLayer(const Layer &layer) {
  Value scores = join(layer.inner);
  int64_t rank = cast<RankedTensorType>(scores.getType()).getRank();
  SmallVector<Value> inputs{scores};
  SmallVector<AffineMap> maps{rewriter.getMultiDimIdentityMap(rank)};
  // 1. Extend the operands of each op to the size of all parts together.
  struct Argument {
    unsigned part, ofOp, ofJoined;
  };
  SmallVector<Argument> arguments;
  unsigned numParts = layer.ops.size();
  Type type;
  for (unsigned part = 0; part < numParts; ++part) {
    linalg::GenericOp op = layer.ops[part];
    if (!op)
      continue;
    type = getElementTypeOrSelf(op->getResult(0));
    for (OpOperand *operand : op.getDpsInputOperands()) {
      unsigned number = operand->getOperandNumber();
      if (operand == layer.scores[part]) {
        arguments.push_back({part, number, 0});
        continue;
      }
      Value value = operand->get();
      int64_t at = -1;
      if (isa<RankedTensorType>(value.getType()))
        at = *getOperandDim(cast<IndexingMapOpInterface>(op.getOperation()),
                            *operand, dim);
      if (at != -1) {
        SmallVector<Value> parts;
        for (unsigned other = 0; other < numParts; ++other)
          parts.push_back(other == part ? value : fillLike(value, at, other));
        value = concat(parts, at);
      }
      arguments.push_back({part, number, static_cast<unsigned>(inputs.size())});
      inputs.push_back(value);
      maps.push_back(op.getMatchingIndexingMap(operand));
    }
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(rank));
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, scores);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes, type);
  SmallVector<Value> starts;
  for (OpFoldResult seam : seams)
    starts.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, seam));
  // 2. Compute the payloads, and select the one of the part that has the
  // position. If all are the same op on the same values, nothing is selected.
  linalg::GenericOp first = layer.ops.front();
  bool isSame = llvm::all_of(layer.ops, [&](linalg::GenericOp op) {
    return first && op && op.getNumDpsInputs() == 1 &&
           haveSamePayload(first, op);
  });
  auto joined = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value position, result;
        if (!isSame)
          position = linalg::IndexOp::create(b, loc, dim);
        for (unsigned part = isSame ? numParts - 1 : 0; part < numParts;
             ++part) {
          Value value = args.front();
          if (linalg::GenericOp op = layer.ops[part]) {
            IRMapping mapping;
            for (const Argument &argument : arguments)
              if (argument.part == part)
                mapping.map(op.getBody()->getArgument(argument.ofOp),
                            args[argument.ofJoined]);
            for (Operation &nested : op.getBody()->without_terminator()) {
              Operation *copy = b.clone(nested, mapping);
              auto index = dyn_cast<linalg::IndexOp>(copy);
              if (index && index.getDim() == static_cast<uint64_t>(dim))
                mapping.map(nested.getResult(0),
                            arith::SubIOp::create(b, loc, index, starts[part])
                                .getResult());
            }
            value = mapping.lookupOrDefault(
                op.getBody()->getTerminator()->getOperand(0));
          }
          if (!result) {
            result = value;
            continue;
          }
          Value isBehind = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::uge, position, starts[part]);
          result = arith::SelectOp::create(b, loc, isBehind, value, result);
        }
        linalg::YieldOp::create(b, loc, result);
      });
  return joined.getResult(0);
}

Value Joiner::join(ArrayRef<Value> parts) {
  if (llvm::all_of(parts, [](Value part) { return !!getProduct(part); }))
    return joinProducts(parts);
  return joinLayer(peel(parts));
}

/// Joins the scores that `online` reduces, if they are a concatenation.
static bool joinScores(RewriterBase &rewriter,
                       OnlineReductionOpInterface online) {
  SmallVector<unsigned> dims = online.getOnlineDims();
  auto maps = dyn_cast<IndexingMapOpInterface>(online.getOperation());
  auto dps = dyn_cast<DestinationStyleOpInterface>(online.getOperation());
  if (!maps || !dps || !dps.hasPureTensorSemantics() || dims.size() != 1)
    return false;
  for (OpOperand *operand : dps.getDpsInputOperands()) {
    FailureOr<int64_t> dim = getOperandDim(maps, *operand, dims.front());
    Value value = operand->get();
    // Elementwise ops on all scores stay behind the concatenation.
    while (succeeded(dim) && *dim != -1 && hasOneReader(value)) {
      std::optional<Concatenation> concatenation = getConcatenation(value);
      if (concatenation && concatenation->dim == *dim) {
        Operation *op = value.getDefiningOp();
        rewriter.setInsertionPoint(op);
        Joiner joiner(rewriter, op->getLoc(), *dim,
                      concatenation->getSeams(rewriter));
        if (!joiner.canJoin(concatenation->parts))
          break;
        rewriter.setInsertionPoint(op);
        Value joined = joiner.join(concatenation->parts);
        if (joined.getType() != value.getType())
          joined = tensor::CastOp::create(rewriter, op->getLoc(),
                                          value.getType(), joined);
        rewriter.replaceOp(op, joined);
        return true;
      }
      linalg::GenericOp op = getElementwise(value);
      if (!op)
        break;
      OpOperand *next = nullptr;
      for (OpOperand *input : op.getDpsInputOperands())
        if (!next && op.getMatchingIndexingMap(input).isIdentity() &&
            input->get().getDefiningOp())
          next = input;
      if (!next)
        break;
      value = next->get();
    }
  }
  return false;
}

namespace {
/// A result of a product that a sum adds, and its dimensions as a permutation
/// of those of the sum.
struct Summand {
  Value value;
  AffineMap dims;

  /// Returns the indexing maps of the product. The last one is for a result
  /// with the dimensions of the sum.
  SmallVector<AffineMap> getMaps() const {
    SmallVector<AffineMap> maps = getProduct(value).getIndexingMapsArray();
    maps.back() = inversePermutation(dims).compose(maps.back());
    return maps;
  }
};
} // namespace

/// Adds the summands of `value` to `leaves`: results of products, which sums
/// add element by element. `dims` are the dimensions of `value` as those of the
/// whole sum.
static bool collectSummands(Value value, AffineMap dims,
                            SmallVectorImpl<Summand> &leaves) {
  if (getProduct(value)) {
    leaves.push_back({value, dims});
    return true;
  }
  linalg::GenericOp op = getElementwise(value);
  if (!op || op.getNumDpsInputs() != 2 ||
      !llvm::hasSingleElement(op.getBody()->without_terminator()) ||
      !isa<arith::AddFOp>(op.getBody()->front()) ||
      op.getBody()->front().getOperand(0) ==
          op.getBody()->front().getOperand(1))
    return false;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (!map.isPermutation() || !hasOneReader(operand->get()) ||
        getElementTypeOrSelf(operand->get()) !=
            getElementTypeOrSelf(op->getResult(0)) ||
        !collectSummands(operand->get(), map.compose(dims), leaves))
      return false;
  }
  return true;
}

bool mlir::linalg_ext::isOfOnlineReduction(Value value) {
  // The most ops to look through: enough for a mask, a scale and a rounding.
  constexpr unsigned kMostOps = 4;
  SmallVector<Value> values{value};
  for (unsigned i = 0; i < values.size(); ++i) {
    if (isa_and_nonnull<OnlineReductionOpInterface>(values[i].getDefiningOp()))
      return true;
    linalg::GenericOp op = getElementwise(values[i]);
    if (op && i < kMostOps)
      for (OpOperand *operand : op.getDpsInputOperands())
        if (op.getMatchingIndexingMap(operand).isIdentity())
          values.push_back(operand->get());
  }
  return false;
}

namespace {
/// Products of slices of the same weights, which are added.
struct ProductsOfSlices {
  SmallVector<Summand> leaves;
  /// The first product, and which of its operands are slices and which are the
  /// other ones.
  linalg::LinalgOp first;
  unsigned weights = 0, values = 1;
  /// The indexing maps of the first product. For each product: its slice, and
  /// the map of its other operand in the loops of the first product.
  SmallVector<AffineMap> maps;
  SmallVector<tensor::ExtractSliceOp> slices;
  SmallVector<AffineMap> ofLeaves;
};

/// The other operands of `ProductsOfSlices`, in the order of the slices, and
/// the map of each.
struct ValueParts {
  SmallVector<Value> parts;
  SmallVector<AffineMap> maps;
};
} // namespace

/// Collects what `sum` adds, if each product reads a slice of the same weights,
/// and nothing but zero is added to it.
static std::optional<ProductsOfSlices>
getProductsOfSlices(RewriterBase &rewriter, linalg::GenericOp sum) {
  ProductsOfSlices products;
  SmallVector<Summand> &leaves = products.leaves;
  int64_t rank = cast<RankedTensorType>(sum->getResult(0).getType()).getRank();
  if (!collectSummands(sum->getResult(0), rewriter.getMultiDimIdentityMap(rank),
                       leaves) ||
      leaves.size() < 2)
    return std::nullopt;
  linalg::LinalgOp first = getProduct(leaves.front().value);
  products.first = first;
  products.maps = leaves.front().getMaps();
  unsigned weights = 0;
  for (; weights < first.getNumDpsInputs(); ++weights)
    if (first->getOperand(weights).getDefiningOp<tensor::ExtractSliceOp>())
      break;
  if (first.getNumDpsInputs() != 2 || weights == 2)
    return std::nullopt;
  products.weights = weights;
  products.values = 1 - weights;
  SmallVector<tensor::ExtractSliceOp> &slices = products.slices;
  for (const Summand &leaf : leaves) {
    linalg::LinalgOp product = getProduct(leaf.value);
    products.ofLeaves.push_back(getMapLike(product, leaf.getMaps(), first,
                                           products.maps, products.values));
    if (!products.ofLeaves.back())
      return std::nullopt;
    auto slice =
        product->getOperand(weights).getDefiningOp<tensor::ExtractSliceOp>();
    auto fill = product.getDpsInits().front().getDefiningOp<linalg::FillOp>();
    if (!haveSamePayload(product, first) || !slice || !slice.hasUnitStride() ||
        slice.getDroppedDims().any() ||
        !isOfOnlineReduction(slice.getSource()) || !fill ||
        !matchPattern(fill.value(), m_AnyZeroFloat()) ||
        (!slices.empty() && slices.front().getSource() != slice.getSource()))
      return std::nullopt;
    slices.push_back(slice);
  }
  return products;
}

/// Returns the one dimension in which `slices` and their source differ in size.
/// Nothing if there are several or none.
static std::optional<unsigned>
getSlicedDim(ArrayRef<tensor::ExtractSliceOp> slices, IndexAnalysis &analysis) {
  std::optional<unsigned> dim;
  for (tensor::ExtractSliceOp slice : slices)
    for (auto [at, size] : llvm::enumerate(slice.getMixedSizes())) {
      if (analysis.getSize(slice.getSource(), at) == analysis.get(size))
        continue;
      if (dim && *dim != at)
        return std::nullopt;
      dim = at;
    }
  return dim;
}

/// Returns whether the products sum over `loop`, along which they read their
/// slices, and their other operands have this dimension.
static bool isSummedWithValues(const ProductsOfSlices &products,
                               AffineExpr loop) {
  linalg::LinalgOp first = products.first;
  auto position = dyn_cast<AffineDimExpr>(loop);
  if (!position || !linalg::isReductionIterator(
                       first.getIteratorTypesArray()[position.getPosition()]))
    return false;
  FailureOr<int64_t> dim = getOperandDim(
      cast<IndexingMapOpInterface>(first.getOperation()),
      first->getOpOperand(products.values), position.getPosition());
  return succeeded(dim) && *dim != -1;
}

/// Orders the products by the offsets of their slices in dimension `dim`.
/// Returns nothing if the slices overlap or do not cover the weights.
static std::optional<ValueParts> orderParts(const ProductsOfSlices &products,
                                            unsigned dim,
                                            IndexAnalysis &analysis) {
  ArrayRef<tensor::ExtractSliceOp> slices = products.slices;
  ValueParts values;
  IndexPolynomial end;
  while (values.parts.size() < slices.size()) {
    const auto *next = llvm::find_if(slices, [&](tensor::ExtractSliceOp slice) {
      return analysis.get(slice.getMixedOffsets()[dim]) == end;
    });
    if (next == slices.end())
      return std::nullopt;
    size_t number = next - slices.begin();
    values.parts.push_back(
        getProduct(products.leaves[number].value)->getOperand(products.values));
    values.maps.push_back(products.ofLeaves[number]);
    tensor::ExtractSliceOp slice = *next;
    end = end + analysis.get(slice.getMixedSizes()[dim]);
  }
  Value all = tensor::ExtractSliceOp(slices.front()).getSource();
  if (!(end == analysis.getSize(all, dim)))
    return std::nullopt;
  return values;
}

/// Returns the init of the product that replaces `sum`: that of the first
/// product, or zeros if its dimensions are in another order.
static Value getZeros(RewriterBase &rewriter, linalg::GenericOp sum,
                      const ProductsOfSlices &products) {
  linalg::LinalgOp first = products.first;
  Value init = first.getDpsInits().front();
  if (products.leaves.front().dims.isIdentity())
    return init;
  Value empty = tensor::EmptyOp::create(
      rewriter, sum.getLoc(),
      tensor::getMixedSizes(rewriter, sum.getLoc(), sum.getDpsInits().front()),
      getElementTypeOrSelf(sum->getResult(0)));
  return linalg::FillOp::create(rewriter, sum.getLoc(),
                                init.getDefiningOp<linalg::FillOp>().value(),
                                empty)
      .getResult(0);
}

/// If `sum` adds products of all slices of the weights of one online
/// reduction, makes it one product.
static bool joinProductsOfSlices(RewriterBase &rewriter,
                                 linalg::GenericOp sum) {
  std::optional<ProductsOfSlices> products = getProductsOfSlices(rewriter, sum);
  AffineMap widest = products ? getWidest(products->ofLeaves) : AffineMap();
  if (!widest)
    return false;
  IndexAnalysis analysis;
  std::optional<unsigned> dim = getSlicedDim(products->slices, analysis);
  if (!dim)
    return false;
  linalg::LinalgOp first = products->first;
  AffineExpr loop =
      first.getIndexingMapsArray()[products->weights].getResult(*dim);
  if (!isSummedWithValues(*products, loop))
    return false;
  std::optional<ValueParts> values = orderParts(*products, *dim, analysis);
  if (!values)
    return false;

  rewriter.setInsertionPoint(sum);
  SmallVector<Value> inputs = first.getDpsInputs();
  inputs[products->weights] = products->slices.front().getSource();
  inputs[products->values] = concatOperands(
      rewriter, sum.getLoc(), values->parts, values->maps, widest, loop);
  SmallVector<AffineMap> maps = products->maps;
  maps[products->values] = widest;
  Value init = getZeros(rewriter, sum, *products);
  auto product =
      linalg::GenericOp::create(rewriter, sum.getLoc(), init.getType(), inputs,
                                init, maps, first.getIteratorTypesArray());
  rewriter.cloneRegionBefore(first->getRegion(0), product.getRegion(),
                             product.getRegion().begin());
  Value result = product.getResult(0);
  if (result.getType() != sum->getResult(0).getType())
    result = tensor::CastOp::create(rewriter, sum.getLoc(),
                                    sum->getResult(0).getType(), result);
  rewriter.replaceOp(sum, result);
  return true;
}

unsigned mlir::linalg_ext::joinParts(RewriterBase &rewriter, Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<OnlineReductionOpInterface> reductions;
  SmallVector<linalg::GenericOp> sums;
  scope->walk([&](Operation *op) {
    if (auto online = dyn_cast<OnlineReductionOpInterface>(op))
      reductions.push_back(online);
    else if (auto sum = dyn_cast<linalg::GenericOp>(op))
      sums.push_back(sum);
  });
  if (reductions.empty())
    return 0;
  unsigned numJoined = 0;
  // The last sum has the others as summands.
  for (linalg::GenericOp sum : llvm::reverse(sums))
    if (!sum->use_empty())
      numJoined += joinProductsOfSlices(rewriter, sum);
  for (OnlineReductionOpInterface online : reductions)
    numJoined += joinScores(rewriter, online);
  return numJoined;
}
