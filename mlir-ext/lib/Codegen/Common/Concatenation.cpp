//===- Concatenation.cpp - Slices of concatenations -----------------------===//
//
// See Concatenation.h.
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"
#include "SlicePadding.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"
#include "mlir-ext/Support/IndexPolynomial.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static OpFoldResult add(OpBuilder &b, Location loc, OpFoldResult lhs,
                        OpFoldResult rhs) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  return affine::makeComposedFoldedAffineApply(b, loc, s0 + s1, {lhs, rhs});
}

OpFoldResult mlir::linalg_ext::subtract(OpBuilder &b, Location loc,
                                        OpFoldResult lhs, OpFoldResult rhs) {
  AffineExpr s0, s1;
  bindSymbols(b.getContext(), s0, s1);
  return affine::makeComposedFoldedAffineApply(b, loc, s0 - s1, {lhs, rhs});
}

SmallVector<OpFoldResult> Concatenation::getSeams(OpBuilder &b) const {
  Location loc = result.getLoc();
  SmallVector<OpFoldResult> seams{b.getIndexAttr(0)};
  for (Value part : parts)
    seams.push_back(
        add(b, loc, seams.back(), tensor::getMixedSize(b, loc, part, dim)));
  return seams;
}

/// Returns the chain of inserts that starts from a `tensor.empty` and ends in
/// `value`, last one first. Between two inserts, only the sizes of the value
/// may have another use.
static SmallVector<tensor::InsertSliceOp> getInserts(Value value) {
  SmallVector<tensor::InsertSliceOp> inserts;
  auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
  while (insert) {
    inserts.push_back(insert);
    Value dest = insert.getDest();
    if (dest.getDefiningOp<tensor::EmptyOp>())
      return inserts;
    if (llvm::count_if(dest.getUsers(), [](Operation *user) {
          return !isa<tensor::DimOp>(user);
        }) != 1)
      break;
    insert = dest.getDefiningOp<tensor::InsertSliceOp>();
  }
  return {};
}

/// Returns the dimension along which `inserts` insert parts, if it is the only
/// one: along all others, each insert covers the whole tensor.
static std::optional<int64_t>
getInsertedDim(ArrayRef<tensor::InsertSliceOp> inserts,
               IndexAnalysis &analysis) {
  std::optional<int64_t> result;
  for (tensor::InsertSliceOp insert : inserts) {
    if (!insert.hasUnitStride() ||
        insert.getSourceType().getRank() != insert.getType().getRank())
      return std::nullopt;
    for (auto [dim, size] : llvm::enumerate(insert.getMixedSizes())) {
      if (analysis.get(size) == analysis.getSize(insert.getDest(), dim))
        continue;
      if (result && *result != static_cast<int64_t>(dim))
        return std::nullopt;
      result = dim;
    }
  }
  return result;
}

/// Drops parts that must be empty. A slice of such a part does not verify, even
/// if the slice is empty. Fails if fewer than two parts are left, or if the
/// parts are longer than the whole.
static std::optional<Concatenation> dropEmptyParts(Concatenation all) {
  int64_t whole =
      cast<RankedTensorType>(all.result.getType()).getDimSize(all.dim);
  auto getSize = [&](Value part) {
    return cast<RankedTensorType>(part.getType()).getDimSize(all.dim);
  };
  int64_t known = 0;
  for (Value part : all.parts)
    if (int64_t size = getSize(part); ShapedType::isStatic(size))
      known += size;
  if (ShapedType::isStatic(whole) && known > whole)
    return std::nullopt;
  llvm::erase_if(all.parts, [&](Value part) {
    int64_t size = getSize(part);
    return size == 0 || (ShapedType::isDynamic(size) && known == whole);
  });
  if (all.parts.size() < 2)
    return std::nullopt;
  return all;
}

std::optional<Concatenation> mlir::linalg_ext::getConcatenation(Value value) {
  if (auto concat = value.getDefiningOp<tensor::ConcatOp>())
    return dropEmptyParts({value, static_cast<int64_t>(concat.getDim()),
                           llvm::to_vector(concat.getInputs())});
  SmallVector<tensor::InsertSliceOp> inserts = getInserts(value);
  if (inserts.size() < 2)
    return std::nullopt;
  IndexAnalysis analysis;
  std::optional<int64_t> dim = getInsertedDim(inserts, analysis);
  if (!dim)
    return std::nullopt;
  Concatenation result{value, *dim, {}};
  IndexPolynomial end;
  while (!inserts.empty()) {
    auto *next = llvm::find_if(inserts, [&](tensor::InsertSliceOp insert) {
      return analysis.get(insert.getMixedOffsets()[*dim]) == end;
    });
    if (next == inserts.end())
      return std::nullopt;
    result.parts.push_back(next->getSource());
    end = end + analysis.get(next->getMixedSizes()[*dim]);
    inserts.erase(next);
  }
  if (!(end == analysis.getSize(value, *dim)))
    return std::nullopt;
  return dropEmptyParts(result);
}

std::optional<unsigned>
mlir::linalg_ext::findPart(const Concatenation &concatenation,
                           OpFoldResult offset, OpFoldResult size) {
  IndexAnalysis analysis;
  IndexPolynomial start, first = analysis.get(offset),
                         end = first + analysis.get(size);
  for (auto [number, part] : llvm::enumerate(concatenation.parts)) {
    IndexPolynomial next = start + analysis.getSize(part, concatenation.dim);
    if (analysis.isNonNegative(first - start) &&
        analysis.isNonNegative(next - end))
      return number;
    start = next;
  }
  return std::nullopt;
}

void mlir::linalg_ext::foldSizes(RewriterBase &rewriter, Operation *op) {
  OpBuilder::InsertionGuard guard(rewriter);
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    auto dimOp = dyn_cast<tensor::DimOp>(user);
    std::optional<int64_t> dim =
        dimOp ? dimOp.getConstantIndex() : std::nullopt;
    if (!dim)
      continue;
    rewriter.setInsertionPoint(dimOp);
    FailureOr<OpFoldResult> size = reifyDimOfResult(rewriter, op, 0, *dim);
    if (succeeded(size))
      rewriter.replaceOp(dimOp, getValueOrCreateConstantIndexOp(
                                    rewriter, dimOp.getLoc(), *size));
  }
}

bool mlir::linalg_ext::takesWhole(tensor::ExtractSliceOp slice, int64_t dim) {
  IndexAnalysis analysis;
  return analysis.getSize(slice.getSource(), dim) ==
             analysis.get(slice.getMixedSizes()[dim]) &&
         isOneInteger(slice.getMixedStrides()[dim]);
}

bool mlir::linalg_ext::isWholeSlice(tensor::ExtractSliceOp slice) {
  return llvm::all_of(llvm::seq<int64_t>(slice.getSourceType().getRank()),
                      [&](int64_t dim) { return takesWhole(slice, dim); });
}

Value mlir::linalg_ext::getFilling(Value part) {
  auto fill = part.getDefiningOp<linalg::FillOp>();
  return fill && fill->getNumResults() == 1 ? fill.getInputs().front()
                                            : Value();
}

/// Returns the map from dimensions of a broadcast to dimensions of its operand.
/// Null for other ops.
static AffineMap getRepeatedMap(linalg::LinalgOp op) {
  if (!op || !isElementwiseOnTensors(op) || op->getNumResults() != 1 ||
      op.getNumDpsInputs() != 1 ||
      !op.getIndexingMapsArray().back().isIdentity())
    return {};
  Operation *yield = op.getBlock()->getTerminator();
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  int64_t last = -1;
  for (AffineExpr expr : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim || static_cast<int64_t>(dim.getPosition()) <= last)
      return {};
    last = dim.getPosition();
  }
  return yield->getOperand(0) == op.getBlock()->getArgument(0) ? map
                                                               : AffineMap();
}

/// If `slice`, of a broadcast, has one element along each broadcast dimension,
/// returns it as a slice of the operand of the broadcast. Null otherwise. So a
/// batch that shares keys reads them in place.
static Value takeRepeated(RewriterBase &rewriter,
                          tensor::ExtractSliceOp slice) {
  auto op = slice.getSource().getDefiningOp<linalg::LinalgOp>();
  AffineMap map = getRepeatedMap(op);
  if (!map || !slice.hasUnitStride())
    return {};
  SmallVector<OpFoldResult> sizes = slice.getMixedSizes(), offsets, taken, kept;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    bool isRepeated = !map.isFunctionOfDim(dim);
    if (isRepeated && !isOneInteger(size))
      return {};
    if (!isRepeated) {
      offsets.push_back(slice.getMixedOffsets()[dim]);
      taken.push_back(size);
    }
    if (dropped.test(dim))
      continue;
    pending.push_back(kept.size());
    kept.push_back(size);
    if (isRepeated)
      continue;
    shape.push_back(slice.getStaticSizes()[dim]);
    groups.push_back(std::exchange(pending, {}));
  }
  if (!groups.empty())
    llvm::append_range(groups.back(), pending);
  Location loc = slice.getLoc();
  RankedTensorType type = slice.getType();
  SmallVector<OpFoldResult> strides(taken.size(), rewriter.getIndexAttr(1));
  Value part = tensor::ExtractSliceOp::create(
      rewriter, loc, RankedTensorType::get(shape, type.getElementType()),
      op.getDpsInputs().front(), offsets, taken, strides);
  if (shape.size() == kept.size())
    return part;
  return tensor::ExpandShapeOp::create(rewriter, loc, type, part, groups, kept);
}

Value mlir::linalg_ext::takeSlice(RewriterBase &rewriter, Location loc,
                                  RankedTensorType type, Value source,
                                  ArrayRef<OpFoldResult> offsets,
                                  ArrayRef<OpFoldResult> sizes) {
  auto slice = tensor::ExtractSliceOp::create(
      rewriter, loc, type, source, offsets, sizes,
      SmallVector<OpFoldResult>(sizes.size(), rewriter.getIndexAttr(1)));
  Value filling = getFilling(source);
  if (!filling) {
    Value repeated = takeRepeated(rewriter, slice);
    if (repeated && repeated.getType() == type) {
      rewriter.eraseOp(slice);
      return repeated;
    }
    return slice;
  }
  SmallVector<OpFoldResult> kept;
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  rewriter.eraseOp(slice);
  for (auto [dim, size] : llvm::enumerate(sizes))
    if (!dropped.test(dim))
      kept.push_back(size);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, kept, type.getElementType());
  Value filled =
      linalg::FillOp::create(rewriter, loc, filling, empty).getResult(0);
  if (filled.getType() != type)
    filled = tensor::CastOp::create(rewriter, loc, type, filled);
  return filled;
}

/// Returns the dimension that `op` pads, if it pads only one, with a constant,
/// and provably by no negative number.
static std::optional<int64_t> getPaddedDim(tensor::PadOp op,
                                           IndexAnalysis &analysis) {
  Value padding = op.getConstantPaddingValue();
  if (!padding || op.getRegion().isAncestor(padding.getParentRegion()) ||
      op.getNofold())
    return std::nullopt;
  std::optional<int64_t> result;
  for (auto [dim, low, high] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad())) {
    if (isZeroInteger(low) && isZeroInteger(high))
      continue;
    if (result)
      return std::nullopt;
    if (!isNonNegativePadding(op, dim, analysis))
      return std::nullopt;
    result = dim;
  }
  return result;
}

void mlir::linalg_ext::viewPaddingAsParts(
    RewriterBase &rewriter, Operation *scope,
    function_ref<bool(tensor::PadOp)> filter) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<std::pair<tensor::PadOp, int64_t>> pads;
  IndexAnalysis analysis;
  scope->walk([&](tensor::PadOp op) {
    if (std::optional<int64_t> dim = getPaddedDim(op, analysis);
        dim && filter(op))
      pads.emplace_back(op, *dim);
  });
  for (auto [op, dim] : pads) {
    Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getSource());
    auto fill = [&](OpFoldResult size) -> Value {
      sizes[dim] = size;
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, sizes, op.getSourceType().getElementType());
      return linalg::FillOp::create(rewriter, loc, op.getConstantPaddingValue(),
                                    empty)
          .getResult(0);
    };
    SmallVector<Value> parts;
    if (OpFoldResult low = op.getMixedLowPad()[dim]; !isZeroInteger(low))
      parts.push_back(fill(low));
    parts.push_back(op.getSource());
    if (OpFoldResult high = op.getMixedHighPad()[dim]; !isZeroInteger(high))
      parts.push_back(fill(high));
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, op.getResultType(), dim,
                                                  parts);
  }
}

void mlir::linalg_ext::restorePadding(RewriterBase &rewriter,
                                      Operation *scope) {
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<tensor::ConcatOp> concats;
  scope->walk([&](tensor::ConcatOp op) { concats.push_back(op); });
  for (tensor::ConcatOp op : concats) {
    // One tensor, and tensors before and after it that are filled with the same
    // value.
    Value source, filling, before, behind;
    bool isPadding = true;
    for (Value part : op.getInputs()) {
      Value filled = getFilling(part);
      Value &place = !filled ? source : source ? behind : before;
      isPadding &= !place && (!filled || !filling || filling == filled);
      place = part;
      if (filled)
        filling = filled;
    }
    if (!isPadding || !source || !filling)
      continue;
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> low(op.getRank(), rewriter.getIndexAttr(0)),
        high(low);
    for (auto [part, sizes] :
         {std::pair(before, &low), std::pair(behind, &high)})
      if (part)
        (*sizes)[op.getDim()] =
            tensor::getMixedSize(rewriter, op.getLoc(), part, op.getDim());
    // The type of a concatenation may have fewer static sizes than its parts.
    SmallVector<int64_t> staticLow = decomposeMixedValues(low).first,
                         staticHigh = decomposeMixedValues(high).first;
    RankedTensorType type = tensor::PadOp::inferResultType(
        cast<RankedTensorType>(source.getType()), staticLow, staticHigh,
        op.getResultType().getShape());
    Value padded = tensor::PadOp::create(rewriter, op.getLoc(), type, source,
                                         low, high, filling);
    if (type != op.getResultType())
      padded = tensor::CastOp::create(rewriter, op.getLoc(), op.getResultType(),
                                      padded);
    rewriter.replaceOp(op, padded);
  }
}

Value mlir::linalg_ext::slicePart(RewriterBase &rewriter,
                                  tensor::ExtractSliceOp slice,
                                  const Concatenation &concatenation,
                                  unsigned number, OpFoldResult start) {
  Location loc = slice.getLoc();
  Value part = concatenation.parts[number];
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes();
  OpFoldResult &offset = offsets[concatenation.dim];
  IndexAnalysis analysis;
  // All parts share the size along the other dimensions. If the slice is as
  // long as another part along one of these, it has the size of this part, too.
  for (int64_t dim = 0, rank = sizes.size(); dim < rank; ++dim) {
    OpFoldResult extent = tensor::getMixedSize(rewriter, loc, part, dim);
    if (dim != concatenation.dim && isa<Value>(sizes[dim]) &&
        isa<Value>(extent) &&
        llvm::any_of(concatenation.parts, [&](Value other) {
          return analysis.getSize(other, dim) == analysis.get(sizes[dim]);
        }))
      sizes[dim] = extent;
  }
  OpFoldResult known =
      analysis.find(rewriter, analysis.get(offset) - analysis.get(start));
  offset = known ? known : subtract(rewriter, loc, offset, start);
  Value taken = takeSlice(rewriter, loc, slice.getType(), part, offsets, sizes);
  auto result = taken.getDefiningOp<tensor::ExtractSliceOp>();
  if (!result || result.getType() != part.getType() || !isWholeSlice(result))
    return taken;
  rewriter.eraseOp(result);
  return part;
}

/// Builds a slice that contains all parts as a concatenation of slices of them.
static Value sliceAllParts(RewriterBase &rewriter, tensor::ExtractSliceOp slice,
                           const Concatenation &concatenation) {
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  int64_t dim = concatenation.dim;
  if (dropped.test(dim))
    return nullptr;
  Location loc = slice.getLoc();
  SmallVector<Value> parts;
  for (Value part : concatenation.parts) {
    SmallVector<OpFoldResult> sizes = slice.getMixedSizes();
    sizes[dim] = tensor::getMixedSize(rewriter, loc, part, dim);
    SmallVector<int64_t> shape;
    for (auto [number, size] : llvm::enumerate(sizes))
      if (!dropped.test(number))
        shape.push_back(
            getConstantIntValue(size).value_or(ShapedType::kDynamic));
    parts.push_back(takeSlice(
        rewriter, loc,
        RankedTensorType::get(shape, slice.getType().getElementType()), part,
        slice.getMixedOffsets(), sizes));
  }
  int64_t kept = dim;
  for (int64_t number = 0; number < dim; ++number)
    kept -= dropped.test(number);
  return tensor::ConcatOp::create(rewriter, loc, slice.getType(), kept, parts);
}

Value mlir::linalg_ext::resolveSlice(RewriterBase &rewriter,
                                     tensor::ExtractSliceOp slice) {
  if (!slice.hasUnitStride())
    return nullptr;
  std::optional<Concatenation> concatenation =
      getConcatenation(slice.getSource());
  if (!concatenation)
    return nullptr;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(slice);
  OpFoldResult offset = slice.getMixedOffsets()[concatenation->dim];
  OpFoldResult size = slice.getMixedSizes()[concatenation->dim];
  if (std::optional<unsigned> number = findPart(*concatenation, offset, size)) {
    OpFoldResult start = rewriter.getIndexAttr(0);
    for (Value part : ArrayRef<Value>(concatenation->parts).take_front(*number))
      start = add(rewriter, slice.getLoc(), start,
                  tensor::getMixedSize(rewriter, slice.getLoc(), part,
                                       concatenation->dim));
    return slicePart(rewriter, slice, *concatenation, *number, start);
  }
  IndexAnalysis analysis;
  if (analysis.get(size) ==
      analysis.getSize(concatenation->result, concatenation->dim))
    return sliceAllParts(rewriter, slice, *concatenation);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What a dimension comes from
//===----------------------------------------------------------------------===//

bool mlir::linalg_ext::isElementwiseOnTensors(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() == 0 &&
         linalgOp.hasPureTensorSemantics();
}

bool mlir::linalg_ext::computesSlices(Operation *op) {
  return isElementwiseOnTensors(op) ||
         isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

FailureOr<int64_t> mlir::linalg_ext::getOperandDim(IndexingMapOpInterface op,
                                                   OpOperand &operand,
                                                   unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isFunctionOfDim(dim))
    return -1;
  AffineExpr expr = getAffineDimExpr(dim, op->getContext());
  int64_t result = -1;
  for (auto [number, other] : llvm::enumerate(map.getResults())) {
    if (!other.isFunctionOfDim(dim))
      continue;
    if (other != expr || result != -1)
      return failure();
    result = number;
  }
  return result;
}

bool mlir::linalg_ext::mayRunAnywhere(linalg::LinalgOp op) {
  return llvm::all_of(
      op.getBlock()->without_terminator(), [](Operation &nested) {
        // Upstream (22.1.8) treats remainders as pure even if the divisor may
        // be 0.
        bool divides = isa<arith::RemSIOp, arith::RemUIOp>(nested) &&
                       !matchPattern(nested.getOperand(1), m_Constant());
        return nested.getNumRegions() == 0 && isPure(&nested) && !divides &&
               !isa<tensor::ExtractOp>(nested);
      });
}

FailureOr<int64_t>
mlir::linalg_ext::getSourceDim(Operation *op, OpOperand &operand, int64_t dim) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    auto expr = dyn_cast<AffineDimExpr>(
        linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0))
            .getResult(dim));
    if (!expr)
      return failure();
    return getOperandDim(cast<IndexingMapOpInterface>(op), operand,
                         expr.getPosition());
  }
  auto type = cast<RankedTensorType>(operand.get().getType());
  for (int64_t source = 0; source < type.getRank(); ++source) {
    FailureOr<SmallVector<int64_t>> dims = mapDimsThroughReshape(op, {source});
    if (succeeded(dims) && dims->front() == dim && type.getDimSize(source) != 1)
      return source;
  }
  return failure();
}
