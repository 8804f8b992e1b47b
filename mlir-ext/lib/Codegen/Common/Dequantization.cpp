//===- Dequantization.cpp - Operands that are stored narrower -------------===//
//
// See Dequantization.h. In a product of few rows, an element of the weights is
// used a few times, and memory delivers elements more slowly than they are
// converted. So the product converts what it has loaded, in registers, again
// for each block of rows. With more rows, tiles of the values are stored.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "FuseOperand.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Rows for which an element may be converted again.
static constexpr int64_t kFewRows = 8;
/// Ops one after another: a conversion, a zero point, a scale, a rounding, and
/// what unpacks, each in an op of its own.
static constexpr unsigned kMostOps = 8;

/// Whether `extract` goes along a row as the elements of the result of `op` do.
static bool isOfRow(linalg::LinalgOp op, tensor::ExtractOp extract) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (extract.getIndices().empty() || map.getNumResults() == 0)
    return false;
  auto index = extract.getIndices().back().getDefiningOp<linalg::IndexOp>();
  return index && map.getResults().back() ==
                      getAffineDimExpr(index.getDim(), map.getContext());
}

bool mlir::linalg_ext::isCheap(linalg::LinalgOp op, ElementReads reads) {
  auto payload = op.getBlock()->without_terminator();
  return llvm::all_of(payload, [&](Operation &each) {
    if (isa<linalg::IndexOp>(each) ||
        (reads == ElementReads::Any &&
         isa<affine::AffineApplyOp, tensor::ExtractOp>(each)))
      return true;
    if (auto extract = dyn_cast<tensor::ExtractOp>(each))
      return reads == ElementReads::OfRows && isOfRow(op, extract);
    return isa<arith::ArithDialect>(each.getDialect()) &&
           !isa<arith::DivFOp, arith::RemFOp, arith::DivSIOp, arith::DivUIOp,
                arith::RemSIOp, arith::RemUIOp, arith::CeilDivSIOp,
                arith::CeilDivUIOp, arith::FloorDivSIOp>(each);
  });
}

static int64_t getBits(Value value) {
  Type element = getElementTypeOrSelf(value);
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
}

/// The number of iterations that read each element of `operand`, or nothing if
/// it depends on sizes that are not known.
static std::optional<int64_t> getUses(linalg::LinalgOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  int64_t uses = 1;
  for (auto [dim, range] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (map.isFunctionOfDim(dim))
      continue;
    if (ShapedType::isDynamic(range) || llvm::MulOverflow(uses, range, uses))
      return std::nullopt;
  }
  return uses;
}

/// The bits of the tensors of which the payload of `op` reads single elements,
/// for each element of `type`; 0 if a size is not known.
static double getElementBits(linalg::LinalgOp op, RankedTensorType type) {
  double bits = 0;
  for (auto extract : op.getBlock()->getOps<tensor::ExtractOp>()) {
    RankedTensorType read = extract.getTensor().getType();
    if (read.hasStaticShape() && type.hasStaticShape())
      bits += static_cast<double>(getBits(extract.getTensor())) *
              read.getNumElements() /
              std::max<int64_t>(type.getNumElements(), 1);
  }
  return bits;
}

bool mlir::linalg_ext::isUnpackedFrom(linalg::LinalgOp op, OpOperand &operand) {
  return getElementTypeOrSelf(operand.get()).isSignlessInteger() &&
         llvm::any_of(
             op.getMatchingBlockArgument(&operand).getUsers(),
             llvm::IsaPred<arith::ShRUIOp, arith::ShRSIOp, arith::AndIOp>);
}

SmallVector<linalg::LinalgOp>
mlir::linalg_ext::getDequantization(Value value, ElementReads reads) {
  SmallVector<linalg::LinalgOp> ops;
  // Of what is stored, for each element of `value`.
  double bits = 0;
  struct Read {
    Value value;
    /// Elements of the result for each of its own.
    int64_t uses;
  };
  SmallVector<Read> worklist{{value, 1}};
  while (!worklist.empty()) {
    Read next = worklist.pop_back_val();
    auto op = next.value.getDefiningOp<linalg::LinalgOp>();
    bool isStep =
        op && next.value.hasOneUse() && ops.size() < kMostOps &&
        op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
        linalg::isElementwise(op) && !isa<linalg::FillOp>(op.getOperation()) &&
        !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
        op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
        isCheap(op, reads);
    if (!isStep) {
      // A tensor that is read whole; the rest is small.
      bits += static_cast<double>(getBits(next.value)) / next.uses;
      continue;
    }
    ops.push_back(op);
    bits += getElementBits(op, cast<RankedTensorType>(value.getType()));
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (!map.isProjectedPermutation(/*allowZeroInResults=*/true))
        return {};
      // Several integers are unpacked from each: at least a bit for each.
      std::optional<int64_t> uses = getUses(op, operand);
      int64_t all = 0;
      bool isWhole = uses && map.isProjectedPermutation() &&
                     !llvm::MulOverflow(next.uses, *uses, all) &&
                     (all == 1 || (isUnpackedFrom(op, *operand) &&
                                   all <= getBits(operand->get())));
      if (isWhole)
        worklist.push_back({operand->get(), all});
    }
  }
  // A tensor without dimensions, or with none read whole, is not narrow.
  if (bits == 0 || bits >= getBits(value))
    return {};
  return ops;
}

bool mlir::linalg_ext::isUnpacked(Value value) {
  SmallVector<Value> worklist{value};
  for (unsigned steps = 0; !worklist.empty() && steps < 2 * kMostOps; ++steps) {
    Operation *def = worklist.pop_back_val().getDefiningOp();
    if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(def))
      worklist.push_back(def->getOperand(0));
    // Scales may be read at 0 of a dimension of size one, which upstream's
    // isElementwise does not know.
    auto op = dyn_cast_or_null<linalg::LinalgOp>(def);
    if (!op || !op.hasPureTensorSemantics() || !op.isAllParallelLoops() ||
        op->getNumResults() != 1 ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation())
      continue;
    bool shifts = llvm::any_of(op.getBlock()->without_terminator(),
                               llvm::IsaPred<arith::ShRUIOp, arith::ShRSIOp>);
    for (OpOperand *operand : op.getDpsInputOperands()) {
      std::optional<int64_t> uses = getUses(op, operand);
      if (shifts && uses && *uses > 1 &&
          getElementTypeOrSelf(operand->get()).isSignlessInteger() &&
          *uses <= getBits(operand->get()))
        return true;
      if (op.getMatchingIndexingMap(operand).isPermutation())
        worklist.push_back(operand->get());
    }
  }
  return false;
}

bool mlir::linalg_ext::isInGroups(tensor::CollapseShapeOp collapse) {
  // 1. The dimensions of more than one element that become one.
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  SmallVector<int64_t> merged;
  for (const ReassociationIndices &group : collapse.getReassociationIndices()) {
    SmallVector<int64_t> inner = llvm::filter_to_vector(
        group, [&](int64_t dim) { return shape[dim] != 1; });
    if (inner.size() < 2)
      continue;
    if (!merged.empty())
      return false;
    merged = std::move(inner);
  }
  if (merged.empty() || llvm::any_of(merged, [&](int64_t dim) {
        return ShapedType::isDynamic(shape[dim]);
      }))
    return false;
  // 2. Operands that are narrower, and those that lack the last of these. The
  // ops may read each other in another order of dimensions.
  struct Read {
    Value value;
    /// The dimension of the source that each dimension is, or -1.
    SmallVector<int64_t> dims;
  };
  SmallVector<Read> worklist{
      {collapse.getSrc(),
       llvm::to_vector(llvm::seq<int64_t>(0, shape.size()))}};
  bool isNarrower = false, hasGroups = false;
  for (unsigned steps = 0; !worklist.empty() && steps < 2 * kMostOps; ++steps) {
    Read next = worklist.pop_back_val();
    auto op = next.value.getDefiningOp<linalg::LinalgOp>();
    bool isStep =
        op && op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
        linalg::isElementwise(op) && !isa<linalg::FillOp>(op.getOperation()) &&
        op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isPermutation() &&
        isCheap(op, ElementReads::None);
    if (!isStep) {
      isNarrower |= getBits(next.value) < getBits(collapse.getSrc());
      continue;
    }
    SmallVector<int64_t> ofLoops(op.getNumLoops(), -1);
    AffineMap written = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    for (auto [dim, ofSource] : llvm::enumerate(next.dims))
      ofLoops[written.getDimPosition(dim)] = ofSource;
    auto reads = [&](AffineMap map, int64_t dim) {
      const auto *loop = llvm::find(ofLoops, dim);
      return loop != ofLoops.end() &&
             map.isFunctionOfDim(loop - ofLoops.begin());
    };
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (reads(map, merged.front()) && !reads(map, merged.back()))
        hasGroups = true;
      else if (map.isPermutation())
        worklist.push_back(
            {operand->get(),
             llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
               return ofLoops[cast<AffineDimExpr>(expr).getPosition()];
             })});
    }
  }
  return isNarrower && hasGroups;
}

namespace {
struct FuseDequantization : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        op->getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "is no contraction of tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      std::optional<int64_t> rows = getUses(op, operand);
      if (!map.isProjectedPermutation() || !rows || *rows > kFewRows ||
          getDequantization(operand->get(), ElementReads::OfRows).empty() ||
          operand->get().getDefiningOp()->getBlock() != op->getBlock())
        continue;
      // Upstream fuses generic ops. Each match makes one op generic.
      Operation *producer = operand->get().getDefiningOp();
      if (!isa<linalg::GenericOp>(producer))
        return linalg::generalizeNamedOp(rewriter,
                                         cast<linalg::LinalgOp>(producer));
      if (!isa<linalg::GenericOp>(op.getOperation())) {
        if (!linalg::isaContractionOpInterface(op))
          continue;
        return linalg::generalizeNamedOp(rewriter, op);
      }
      if (!linalg::areElementwiseOpsFusable(operand))
        continue;
      return fuseOperand(rewriter, op, operand);
    }
    return rewriter.notifyMatchFailure(
        op, "no operand is dequantized for few rows");
  }
};
} // namespace

void mlir::linalg_ext::populateFuseDequantizationPatterns(
    RewritePatternSet &patterns) {
  patterns.add<FuseDequantization>(patterns.getContext());
}
