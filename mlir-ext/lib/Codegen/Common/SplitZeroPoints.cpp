//===- SplitZeroPoints.cpp - (a - z) b as a b - z (sum of b) --------------===//
//
// Importers subtract zero points from the elements of integer products. A
// difference of bytes has 9 bits, for which there are no instructions. The
// product of the elements, less a zero point times the sums of the other
// operand, is the same: sums of integers wrap around, so that the order does
// not matter.
//
// Matches the payload, whether the difference is in it or in elementwise ops
// that compute an operand, and named ops such as `linalg.quantized_matmul`.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/StructuredOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// What is added to or subtracted from all elements that are summed: a value,
/// or an element of a tensor, which casts then extend.
struct ZeroPoint {
  Value value;
  /// Of the loops of the product, if `value` is a tensor.
  AffineMap map;
  SmallVector<Operation *> casts;
  bool isAdded = false;
};

/// A factor of a product, `element` + zero points.
struct Factor {
  Value tensor;
  AffineMap map;
  bool isUnsigned = false;
  SmallVector<ZeroPoint> zeroPoints;
};

/// Reads the payload of an op of the loops of a product.
class Reader {
public:
  /// `toLoops` is a map from the loops of `op` to those of the product, as its
  /// inverse: it has a result for each loop of `op`.
  Reader(linalg::LinalgOp op, AffineMap toLoops, ArrayRef<unsigned> sums)
      : op(op), toLoops(toLoops), sums(sums) {}

  /// Whether `value` is a factor with elements of 8 bits.
  bool readFactor(Value value, Factor &factor);

private:
  /// Whether `value` is the same for all elements that are summed.
  bool readZeroPoint(Value value, ZeroPoint &zero);
  /// The operand that `value` is an element of, and its map; null if there is
  /// none.
  OpOperand *getOperand(Value value, AffineMap &map);
  /// The elementwise op that computes `operand`, to be read in its place, and
  /// the map to its loops. Null if there is none.
  static linalg::GenericOp getSource(OpOperand &operand, AffineMap read,
                                     AffineMap &toLoops);

  linalg::LinalgOp op;
  AffineMap toLoops;
  ArrayRef<unsigned> sums;
};
} // namespace

OpOperand *Reader::getOperand(Value value, AffineMap &map) {
  auto arg = dyn_cast<BlockArgument>(value);
  if (!arg || arg.getOwner() != op.getBlock() ||
      arg.getArgNumber() >= op.getNumDpsInputs())
    return nullptr;
  OpOperand *operand = op.getMatchingOpOperand(arg);
  map = op.getMatchingIndexingMap(operand).compose(toLoops);
  return operand;
}

linalg::GenericOp Reader::getSource(OpOperand &operand, AffineMap read,
                                    AffineMap &toLoops) {
  auto source = operand.get().getDefiningOp<linalg::GenericOp>();
  if (!source || source->getNumResults() != 1 ||
      source.getNumReductionLoops() != 0 || !source.hasPureTensorSemantics())
    return {};
  AffineMap written =
      source.getMatchingIndexingMap(source.getDpsInitOperand(0));
  if (!written.isPermutation())
    return {};
  toLoops = inversePermutation(written).compose(read);
  return source;
}

bool Reader::readZeroPoint(Value value, ZeroPoint &zero) {
  if (value.getParentBlock() != op.getBlock()) {
    zero.value = value;
    return true;
  }
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(def)) {
    if (!readZeroPoint(def->getOperand(0), zero))
      return false;
    zero.casts.push_back(def);
    return true;
  }
  if (isa_and_nonnull<arith::ConstantOp>(def)) {
    zero.casts.push_back(def);
    return true;
  }
  AffineMap map;
  OpOperand *operand = getOperand(value, map);
  if (!operand || llvm::any_of(sums, [&](unsigned dim) {
        return map.isFunctionOfDim(dim);
      }))
    return false;
  zero.value = operand->get();
  if (isa<RankedTensorType>(zero.value.getType()))
    zero.map = map;
  return true;
}

/// Whether `map` reads elements of windows: each result is a loop, or a sum of
/// multiples of two loops, and no loop is in two results.
static bool readsElementsOrWindows(AffineMap map) {
  llvm::SmallBitVector seen(map.getNumDims());
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
    if (sum && sum.getKind() != AffineExprKind::Add)
      return false;
    for (AffineExpr term :
         {sum ? sum.getLHS() : expr, sum ? sum.getRHS() : AffineExpr()}) {
      if (auto multiple = dyn_cast_if_present<AffineBinaryOpExpr>(term);
          sum && multiple && multiple.getKind() == AffineExprKind::Mul &&
          isa<AffineConstantExpr>(multiple.getRHS()))
        term = multiple.getLHS();
      if (!term)
        continue;
      auto dim = dyn_cast<AffineDimExpr>(term);
      if (!dim || seen.test(dim.getPosition()))
        return false;
      seen.set(dim.getPosition());
    }
    return true;
  });
}

bool Reader::readFactor(Value value, Factor &factor) {
  Operation *def = value.getDefiningOp();
  // 1. A sum, or a difference, with a zero point.
  if (isa_and_nonnull<arith::SubIOp, arith::AddIOp>(def) &&
      value.getType().isInteger(32)) {
    bool isAdded = isa<arith::AddIOp>(def);
    for (unsigned side : {0, 1}) {
      if (side == 1 && !isAdded)
        continue;
      Factor rest;
      ZeroPoint zero;
      zero.isAdded = isAdded;
      if (!readZeroPoint(def->getOperand(1 - side), zero) ||
          !readFactor(def->getOperand(side), rest))
        continue;
      factor = std::move(rest);
      factor.zeroPoints.push_back(std::move(zero));
      return true;
    }
    return false;
  }
  // 2. What is computed by another op.
  AffineMap map;
  if (OpOperand *operand = getOperand(value, map)) {
    AffineMap toLoops;
    linalg::GenericOp source = getSource(*operand, map, toLoops);
    return source && value.getType().isInteger(32) &&
           Reader(cast<linalg::LinalgOp>(source.getOperation()), toLoops, sums)
               .readFactor(source.getBlock()->getTerminator()->getOperand(0),
                           factor);
  }
  // 3. An element.
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(def) ||
      !value.getType().isInteger(32))
    return false;
  Value narrow = def->getOperand(0);
  OpOperand *operand = getOperand(narrow, map);
  if (!operand || !narrow.getType().isInteger(8) ||
      !isa<RankedTensorType>(operand->get().getType()) ||
      !readsElementsOrWindows(map) || llvm::any_of(sums, [&](unsigned dim) {
        return !map.isFunctionOfDim(dim);
      }))
    return false;
  factor.tensor = operand->get();
  factor.map = map;
  factor.isUnsigned = isa<arith::ExtUIOp>(def);
  return true;
}

/// Whether both factors of `op`, a sum of products, have elements of 8 bits.
static bool readFactors(linalg::LinalgOp op, ArrayRef<unsigned> sums,
                        Factor (&factors)[2]) {
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  BlockArgument acc = op.getRegionOutputArgs()[0];
  if (!isa_and_nonnull<arith::AddIOp>(add) || !acc.hasOneUse())
    return false;
  unsigned side = add->getOperand(0) == acc ? 1 : 0;
  auto product = add->getOperand(side).getDefiningOp<arith::MulIOp>();
  if (!product || add->getOperand(1 - side) != acc)
    return false;
  Reader reader(
      op, AffineMap::getMultiDimIdentityMap(op.getNumLoops(), op.getContext()),
      sums);
  return reader.readFactor(product.getLhs(), factors[0]) &&
         reader.readFactor(product.getRhs(), factors[1]);
}

/// The dimension of `factor` that loop `dim` alone indexes.
static std::optional<unsigned> findLoop(const Factor &factor, unsigned dim) {
  return factor.map.getResultPosition(
      getAffineDimExpr(dim, factor.map.getContext()));
}

/// Whether `op` sums products of bytes; if so, which loops it sums, and its
/// factors.
static bool readProduct(linalg::LinalgOp op, SmallVectorImpl<unsigned> &sums,
                        Factor (&factors)[2]) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumReductionLoops() == 0 ||
      !getElementTypeOrSelf(op->getResult(0)).isInteger(32))
    return false;
  op.getReductionDims(sums);
  AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  return written.isProjectedPermutation() &&
         written.getNumResults() + sums.size() == op.getNumLoops() &&
         readFactors(op, sums, factors) &&
         llvm::all_of(sums, [&](unsigned dim) {
           return llvm::any_of(factors, [&](const Factor &factor) {
             return findLoop(factor, dim).has_value();
           });
         });
}

/// The number of iterations of loop `dim`, which one of `factors` has.
static OpFoldResult getSize(OpBuilder &b, Location loc,
                            const Factor (&factors)[2], unsigned dim) {
  for (const Factor &factor : factors)
    if (std::optional<unsigned> position = findLoop(factor, dim))
      return tensor::getMixedSize(b, loc, factor.tensor, *position);
  llvm_unreachable("expected a factor with the loop");
}

/// Builds an op that reads `inputs` by `maps`, sums along the loops `sums`, and
/// adds the sums to `init` by the map `written`.
static Value
buildStructured(OpBuilder &b, Location loc, ValueRange inputs,
                ArrayRef<AffineMap> maps, Value init, AffineMap written,
                ArrayRef<unsigned> sums,
                function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<AffineMap> all(maps);
  all.push_back(written);
  SmallVector<utils::IteratorType> iterators(written.getNumDims(),
                                             utils::IteratorType::parallel);
  for (unsigned dim : sums)
    iterators[dim] = utils::IteratorType::reduction;
  return linalg::GenericOp::create(
             b, loc, init.getType(), inputs, init, all, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc, body(nested, loc, args));
             })
      .getResult(0);
}

static Value extend(OpBuilder &b, Location loc, Value value, bool isUnsigned) {
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, b.getI32Type(), value);
  return arith::ExtSIOp::create(b, loc, b.getI32Type(), value);
}

namespace {
/// The sums of a factor, over all loops that the product sums.
struct Sums {
  Value tensor;
  /// From the loops of the product.
  AffineMap map;
};

struct SplitZeroPoints : OpInterfaceRewritePattern<linalg::LinalgOp> {
  SplitZeroPoints(MLIRContext *context, int64_t mostFewRows)
      : OpInterfaceRewritePattern(context), mostFewRows(mostFewRows) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<unsigned> sums;
    Factor factors[2];
    if (!readProduct(op, sums, factors) ||
        (factors[0].zeroPoints.empty() && factors[1].zeroPoints.empty()))
      return rewriter.notifyMatchFailure(
          op, "does not multiply bytes less zero points");
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (unsigned i : {0, 1})
      if (!factors[i].zeroPoints.empty() &&
          isReadByFewRows(op, factors[1 - i].map))
        return rewriter.notifyMatchFailure(
            op, "few rows meet an operand, which would be read twice");
    rewrite(rewriter, op, sums, written, factors);
    return success();
  }

private:
  /// Whether an operand with `map` is multiplied by few rows: its sums would
  /// take as long as the product.
  bool isReadByFewRows(linalg::LinalgOp op, AffineMap map) const {
    return meetsFewRows(op, map, op.getStaticLoopRanges(), mostFewRows);
  }

  /// The sums of the elements of factor `number`, for a result that the map
  /// `written` writes to `init`.
  static Sums buildSums(OpBuilder &b, Location loc, const Factor (&factors)[2],
                        unsigned number, ArrayRef<unsigned> sums,
                        AffineMap written, Value init);

  static void rewrite(PatternRewriter &rewriter, linalg::LinalgOp op,
                      ArrayRef<unsigned> sums, AffineMap written,
                      const Factor (&factors)[2]);

  int64_t mostFewRows;
};
} // namespace

/// The op that computes each element of `tensor` from one of another tensor, in
/// the same place. Null if there is none.
static linalg::GenericOp getElementwiseSource(Value tensor) {
  auto source = tensor.getDefiningOp<linalg::GenericOp>();
  if (!source || source->getNumResults() != 1 ||
      source.getNumDpsInputs() != 1 || !source.isAllParallelLoops() ||
      !llvm::all_of(source.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }) ||
      !source.getRegionOutputArgs()[0].use_empty() ||
      source.hasIndexSemantics())
    return {};
  return source;
}

/// Lets `b` insert in front of the loops around, as far as these change neither
/// `value` nor what the region of `op`, if there is one, uses.
static void leaveLoops(OpBuilder &b, Value value, Operation *op) {
  SetVector<Value> used;
  used.insert(value);
  if (op)
    getUsedValuesDefinedAbove(op->getRegions(), used);
  while (auto loop = dyn_cast<LoopLikeOpInterface>(
             b.getInsertionBlock()->getParentOp())) {
    if (llvm::any_of(used, [&](Value each) {
          return !loop.isDefinedOutsideOfLoop(each);
        }))
      return;
    b.setInsertionPoint(loop);
  }
}

/// Builds the element of a factor: `element`, or what `source` makes of it.
static Value buildElement(OpBuilder &b, linalg::GenericOp source,
                          Value element) {
  if (!source)
    return element;
  IRMapping mapping;
  mapping.map(source.getBlock()->getArgument(0), element);
  for (Operation &op : source.getBlock()->without_terminator())
    b.clone(op, mapping);
  return mapping.lookupOrDefault(
      source.getBlock()->getTerminator()->getOperand(0));
}

Sums SplitZeroPoints::buildSums(OpBuilder &b, Location loc,
                                const Factor (&factors)[2], unsigned number,
                                ArrayRef<unsigned> sums, AffineMap written,
                                Value init) {
  // With two users, what is computed would be stored. The sums compute it, too.
  const Factor &factor = factors[number];
  linalg::GenericOp source = getElementwiseSource(factor.tensor);
  Value summed = source ? source.getDpsInputs().front() : factor.tensor;
  OpBuilder::InsertionGuard guard(b);
  // Only loops that the factor has: those of its dimensions, in their order,
  // and two of a dimension of windows.
  SmallVector<AffineExpr> toOwn(factor.map.getNumDims(),
                                b.getAffineConstantExpr(0));
  SmallVector<AffineExpr> kept, ofSums, windows;
  SmallVector<unsigned> reduced;
  SmallVector<OpFoldResult> sizes, windowSizes;
  unsigned numOwn = 0;
  bool isWindow = !factor.map.isProjectedPermutation();
  if (!isWindow)
    leaveLoops(b, summed, source);
  auto addLoop = [&](unsigned dim) {
    AffineExpr own = b.getAffineDimExpr(numOwn++);
    toOwn[dim] = own;
    std::optional<unsigned> position = findLoop(factor, dim);
    if (llvm::is_contained(sums, dim)) {
      reduced.push_back(numOwn - 1);
      if (position)
        return;
      windows.push_back(own);
      windowSizes.push_back(getSize(b, loc, factors, dim));
      return;
    }
    kept.push_back(own);
    ofSums.push_back(b.getAffineDimExpr(dim));
    sizes.push_back(position
                        ? tensor::getMixedSize(b, loc, summed, *position)
                        : tensor::getMixedSize(b, loc, init,
                                               *written.getResultPosition(
                                                   b.getAffineDimExpr(dim))));
  };
  for (AffineExpr expr : factor.map.getResults())
    for (unsigned dim = 0; dim < factor.map.getNumDims(); ++dim)
      if (expr.isFunctionOfDim(dim))
        addLoop(dim);
  SmallVector<Value> inputs{summed};
  SmallVector<AffineMap> maps{
      factor.map.compose(AffineMap::get(numOwn, 0, toOwn, b.getContext()))};
  if (!windows.empty()) {
    inputs.push_back(
        tensor::EmptyOp::create(b, loc, windowSizes, b.getIntegerType(8)));
    maps.push_back(AffineMap::get(numOwn, 0, windows, b.getContext()));
  }
  Value empty = tensor::EmptyOp::create(b, loc, sizes, b.getI32Type());
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value zeros = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  Value tensor = buildStructured(
      b, loc, inputs, maps, zeros,
      AffineMap::get(numOwn, 0, kept, b.getContext()), reduced,
      [&](OpBuilder &nested, Location loc, ValueRange args) -> Value {
        return arith::AddIOp::create(
            nested, loc, args.back(),
            extend(nested, loc, buildElement(nested, source, args[0]),
                   factor.isUnsigned));
      });
  return {tensor,
          AffineMap::get(factor.map.getNumDims(), 0, ofSums, b.getContext())};
}

/// The number of products that are summed along `sums`, in 32 bits.
static Value buildCount(OpBuilder &b, Location loc, const Factor (&factors)[2],
                        ArrayRef<unsigned> sums) {
  Value all = arith::ConstantIndexOp::create(b, loc, 1);
  for (unsigned dim : sums) {
    Value size =
        getValueOrCreateConstantIndexOp(b, loc, getSize(b, loc, factors, dim));
    all = b.createOrFold<arith::MulIOp>(loc, all, size);
  }
  return b.createOrFold<arith::IndexCastOp>(loc, b.getI32Type(), all);
}

/// What is subtracted from all elements of `factor`; null if nothing is.
/// `getRead` says what a zero point is read as.
static Value buildZero(OpBuilder &b, Location loc, const Factor &factor,
                       llvm::function_ref<Value(const ZeroPoint &)> getRead) {
  Value all;
  for (const ZeroPoint &zero : factor.zeroPoints) {
    Value value = getRead(zero);
    for (Operation *cast : zero.casts) {
      IRMapping mapping;
      if (cast->getNumOperands() == 1)
        mapping.map(cast->getOperand(0), value);
      value = b.clone(*cast, mapping)->getResult(0);
    }
    if (zero.isAdded)
      value = arith::SubIOp::create(
          b, loc, arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0)),
          value);
    all = all ? arith::AddIOp::create(b, loc, all, value).getResult() : value;
  }
  return all;
}

void SplitZeroPoints::rewrite(PatternRewriter &b, linalg::LinalgOp op,
                              ArrayRef<unsigned> sums, AffineMap written,
                              const Factor (&factors)[2]) {
  Location loc = op.getLoc();
  Value init = op.getDpsInits().front();
  // 1. The product of the elements.
  SmallVector<Value> inputs{buildStructured(
      b, loc, {factors[0].tensor, factors[1].tensor},
      {factors[0].map, factors[1].map}, init, written, sums,
      [&](OpBuilder &nested, Location loc, ValueRange args) -> Value {
        Value lhs = extend(nested, loc, args[0], factors[0].isUnsigned);
        Value rhs = extend(nested, loc, args[1], factors[1].isUnsigned);
        Value product = arith::MulIOp::create(nested, loc, lhs, rhs);
        return arith::AddIOp::create(nested, loc, args[2], product);
      })};

  // 2. Sums of elements, for zero points of the other factor, and their number.
  SmallVector<AffineMap> maps{written};
  std::optional<unsigned> sumsOf[2];
  for (unsigned i : {0, 1})
    if (!factors[1 - i].zeroPoints.empty()) {
      Sums ofFactor = buildSums(b, loc, factors, i, sums, written, init);
      sumsOf[i] = inputs.size();
      inputs.push_back(ofFactor.tensor);
      maps.push_back(ofFactor.map);
    }
  Value count;
  if (sumsOf[0] && sumsOf[1])
    count = buildCount(b, loc, factors, sums);
  // What zero points read.
  llvm::SmallDenseMap<const ZeroPoint *, unsigned> readBy;
  for (const Factor &factor : factors)
    for (const ZeroPoint &zero : factor.zeroPoints)
      if (zero.map) {
        readBy[&zero] = inputs.size();
        inputs.push_back(zero.value);
        maps.push_back(zero.map);
      }

  // 3. The result, on loops of its own.
  SmallVector<AffineExpr> toResult(op.getNumLoops(),
                                   b.getAffineConstantExpr(0));
  for (auto [position, expr] : llvm::enumerate(written.getResults()))
    toResult[cast<AffineDimExpr>(expr).getPosition()] =
        b.getAffineDimExpr(position);
  unsigned rank = written.getNumResults();
  for (AffineMap &map : maps)
    map = map.compose(AffineMap::get(rank, 0, toResult, b.getContext()));
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, init), b.getI32Type());
  Value result = buildStructured(
      b, loc, inputs, maps, empty, b.getMultiDimIdentityMap(rank), {},
      [&](OpBuilder &nested, Location loc, ValueRange args) -> Value {
        auto getRead = [&](const ZeroPoint &zero) {
          return zero.map ? args[readBy.lookup(&zero)] : zero.value;
        };
        Value value = args[0];
        Value zeros[2] = {buildZero(nested, loc, factors[0], getRead),
                          buildZero(nested, loc, factors[1], getRead)};
        for (unsigned i : {0, 1})
          if (sumsOf[i])
            value = arith::SubIOp::create(
                nested, loc, value,
                arith::MulIOp::create(nested, loc, args[*sumsOf[i]],
                                      zeros[1 - i]));
        if (count)
          value = arith::AddIOp::create(
              nested, loc, value,
              arith::MulIOp::create(
                  nested, loc, count,
                  arith::MulIOp::create(nested, loc, zeros[0], zeros[1])));
        return value;
      });
  b.replaceOp(op, result);
}

/// The op that sums all elements of `factor`, which is signed, along the loops
/// `sums` of a product, in i32, from 0; null if there is none.
static linalg::GenericOp findSums(const Factor &factor,
                                  ArrayRef<unsigned> sums) {
  if (!factor.map.isProjectedPermutation())
    return {};
  for (Operation *user : factor.tensor.getUsers()) {
    auto op = dyn_cast<linalg::GenericOp>(user);
    if (!op || op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
        !op.hasPureTensorSemantics() ||
        op.getNumReductionLoops() != sums.size() ||
        !op.getMatchingIndexingMap(op.getDpsInputOperand(0)).isIdentity())
      continue;
    // 1. The same dimensions, and all others in their order.
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    SmallVector<AffineExpr> kept;
    bool isAlike = true;
    for (auto [position, expr] : llvm::enumerate(factor.map.getResults())) {
      bool isSum =
          llvm::is_contained(sums, cast<AffineDimExpr>(expr).getPosition());
      isAlike &= isSum == linalg::isReductionIterator(iterators[position]);
      if (!isSum)
        kept.push_back(getAffineDimExpr(position, op.getContext()));
    }
    if (!isAlike || SmallVector<AffineExpr>(written.getResults()) != kept)
      continue;
    // 2. The elements, from 0.
    auto add = op.getBlock()
                   ->getTerminator()
                   ->getOperand(0)
                   .getDefiningOp<arith::AddIOp>();
    auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
    if (!add || !add.getType().isInteger(32) || !fill ||
        !matchPattern(fill.value(), m_Zero()))
      continue;
    unsigned side = add.getLhs() == op.getRegionOutputArgs()[0] ? 1 : 0;
    auto element = add->getOperand(side).getDefiningOp<arith::ExtSIOp>();
    if (add->getOperand(1 - side) == op.getRegionOutputArgs()[0] && element &&
        element.getIn() == op.getRegionInputArgs()[0])
      return op;
  }
  return {};
}

namespace {
/// Subtracts 128 from unsigned elements that an op computes for a product with
/// signed ones, and adds 128 times the sums of the signed ones to the product.
/// A zero point needs these sums in any case. Then both factors are signed, as
/// some instructions want it.
struct MakeFactorsSigned : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<unsigned> sums;
    Factor factors[2];
    if (!readProduct(op, sums, factors) || !factors[0].zeroPoints.empty() ||
        !factors[1].zeroPoints.empty() ||
        factors[0].isUnsigned == factors[1].isUnsigned)
      return rewriter.notifyMatchFailure(
          op, "does not multiply signed and unsigned bytes");
    unsigned position = factors[0].isUnsigned ? 0 : 1;
    Factor &unsignedFactor = factors[position],
           &signedFactor = factors[1 - position];
    auto source = unsignedFactor.tensor.getDefiningOp<linalg::GenericOp>();
    if (!source || !source.isAllParallelLoops() ||
        !unsignedFactor.tensor.hasOneUse())
      return rewriter.notifyMatchFailure(op, "no op computes the unsigned one");
    linalg::GenericOp ofSigned = findSums(signedFactor, sums);
    if (!ofSigned || ofSigned->getBlock() != op->getBlock() ||
        failed(moveValueDefinitions(rewriter, ofSigned->getResult(0), op)))
      return rewriter.notifyMatchFailure(op, "needs no sums of the signed one");

    // 1. The elements, less 128: their highest bit is flipped.
    Location loc = op.getLoc();
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    auto getEmpty = [&](Value like, Type type) {
      return tensor::EmptyOp::create(
          rewriter, loc, tensor::getMixedSizes(rewriter, loc, like), type);
    };
    AffineMap all =
        rewriter.getMultiDimIdentityMap(unsignedFactor.map.getNumResults());
    unsignedFactor.tensor = buildStructured(
        rewriter, loc, unsignedFactor.tensor, all,
        getEmpty(unsignedFactor.tensor, rewriter.getI8Type()), all, {},
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value bit =
              arith::ConstantOp::create(b, loc, b.getI8IntegerAttr(-128));
          return arith::XOrIOp::create(b, loc, args[0], bit);
        });
    // 2. The product.
    Value product = buildStructured(
        rewriter, loc, {factors[0].tensor, factors[1].tensor},
        {factors[0].map, factors[1].map}, op.getDpsInits().front(), written,
        sums, [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          Value lhs = extend(b, loc, args[0], /*isUnsigned=*/false);
          Value rhs = extend(b, loc, args[1], /*isUnsigned=*/false);
          return arith::AddIOp::create(b, loc, args[2],
                                       arith::MulIOp::create(b, loc, lhs, rhs));
        });
    // 3. What it lacks.
    unsigned rank = written.getNumResults();
    AffineMap toLoops = AffineMap::get(
        rank, 0,
        llvm::map_to_vector(llvm::seq<unsigned>(0, op.getNumLoops()),
                            [&](unsigned loop) -> AffineExpr {
                              std::optional<unsigned> result =
                                  written.getResultPosition(
                                      rewriter.getAffineDimExpr(loop));
                              return result ? rewriter.getAffineDimExpr(*result)
                                            : rewriter.getAffineConstantExpr(0);
                            }),
        rewriter.getContext());
    SmallVector<AffineExpr> kept;
    for (AffineExpr expr : signedFactor.map.getResults())
      if (!llvm::is_contained(sums, cast<AffineDimExpr>(expr).getPosition()))
        kept.push_back(expr);
    AffineMap ofSums =
        AffineMap::get(op.getNumLoops(), 0, kept, rewriter.getContext())
            .compose(toLoops);
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    rewriter.replaceOp(
        op,
        buildStructured(
            rewriter, loc, {product, ofSigned->getResult(0)},
            {identity, ofSums}, getEmpty(product, rewriter.getI32Type()),
            identity, {},
            [](OpBuilder &b, Location loc, ValueRange args) -> Value {
              Value by =
                  arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(128));
              return arith::AddIOp::create(
                  b, loc, args[0], arith::MulIOp::create(b, loc, args[1], by));
            }));
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateSplitZeroPointsPatterns(
    RewritePatternSet &patterns) {
  constexpr int64_t kFewRows = 8;
  patterns.add<SplitZeroPoints>(patterns.getContext(), kFewRows);
}

void mlir::linalg_ext::populateSplitAllZeroPointsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<SplitZeroPoints>(patterns.getContext(), /*mostFewRows=*/0);
  patterns.add<MakeFactorsSigned>(patterns.getContext());
}
