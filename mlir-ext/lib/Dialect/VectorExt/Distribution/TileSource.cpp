//===- TileSource.cpp - Buffers that tiles are copied from ----------------===//
//
// A copy of boxes has no mask. It leaves out elements after the end of a
// dimension, and this end is known when the kernel is launched. Some masks
// count the elements up to such an end:
//
//   %count = min(size of the tile, end - index)
//
// `end` is found by adding the index to the count. The result must not depend
// on anything in the kernel.
//
//===----------------------------------------------------------------------===//

#include "TileSource.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

/// The start of a row of a box must be a multiple of this many bits.
static constexpr int64_t rowAlignmentBits = 128;

static bool isBefore(Value value, gpu::LaunchOp launch) {
  return !launch.getBody().isAncestor(value.getParentRegion());
}

/// Returns the buffer that `buffer` is a view of, if the view has the same
/// elements in the same places. Otherwise returns `buffer`.
static Value getViewed(Value buffer) {
  while (auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>()) {
    auto type = view.getType();
    auto source = dyn_cast<MemRefType>(view.getSource().getType());
    if (!source || source != type || !type.getLayout().isIdentity() ||
        !isConstantIntValue(view.getMixedOffsets().front(), 0))
      break;
    bool isSame = true;
    for (auto [dim, size] : llvm::enumerate(view.getMixedSizes())) {
      auto value = dyn_cast<Value>(size);
      while (auto assume = value ? value.getDefiningOp<AssumeOp>() : nullptr)
        value = assume->getOperand(0);
      auto of = value ? value.getDefiningOp<memref::DimOp>() : nullptr;
      auto alloc = view.getSource().getDefiningOp<memref::AllocOp>();
      isSame &=
          getConstantIntValue(size) == type.getDimSize(dim) ||
          (of && of.getSource() == view.getSource() &&
           of.getConstantIndex() == static_cast<int64_t>(dim)) ||
          (value && alloc && type.isDynamicDim(dim) &&
           alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)] == value);
    }
    if (!isSame)
      break;
    buffer = view.getSource();
  }
  return buffer;
}

/// If `value` is a size, returns it as a size of a buffer from before `launch`.
/// Returns null otherwise.
static memref::DimOp getSizeBefore(Value value, gpu::LaunchOp launch) {
  auto dim = value.getDefiningOp<memref::DimOp>();
  return dim && dim.getConstantIndex() &&
                 isBefore(getViewed(dim.getSource()), launch)
             ? dim
             : nullptr;
}

namespace {
/// A function of indices: an expression with a symbol for each of `operands`.
struct Sum {
  AffineExpr expr;
  SmallVector<Value> operands;

  std::optional<int64_t> getConstant() const {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    return constant ? std::optional(constant.getValue()) : std::nullopt;
  }
  /// Returns the operand for which `isSought` is true, if it is added once and
  /// not used otherwise. Returns -1 if there is none.
  int64_t findAddend(llvm::function_ref<bool(Value)> isSought,
                     int64_t factor = 1) const;
};
} // namespace

/// Returns the only result of `map` of `operands`, in terms of values that no
/// affine.apply computes.
static Sum getSum(AffineMap map, SmallVector<Value> operands) {
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  MLIRContext *context = map.getContext();
  Sum sum;
  SmallVector<AffineExpr> exprs;
  for (Value operand : operands) {
    while (auto assume = operand.getDefiningOp<AssumeOp>())
      operand = assume->getOperand(0);
    if (std::optional<int64_t> constant = getConstantIntValue(operand)) {
      exprs.push_back(getAffineConstantExpr(*constant, context));
      continue;
    }
    auto *it = llvm::find(sum.operands, operand);
    exprs.push_back(getAffineSymbolExpr(it - sum.operands.begin(), context));
    if (it == sum.operands.end())
      sum.operands.push_back(operand);
  }
  ArrayRef<AffineExpr> all(exprs);
  sum.expr = simplifyAffineExpr(
      map.getResult(0).replaceDimsAndSymbols(
          all.take_front(map.getNumDims()), all.drop_front(map.getNumDims())),
      0, sum.operands.size());
  return sum;
}

/// Returns the result of `map` of `operands`, plus `value`.
static Sum getSum(AffineMap map, SmallVector<Value> operands, Value value) {
  unsigned position = map.getNumSymbols();
  operands.push_back(value);
  return getSum(AffineMap::get(map.getNumDims(), position + 1,
                               map.getResult(0) + getAffineSymbolExpr(
                                                      position,
                                                      map.getContext())),
                operands);
}

int64_t Sum::findAddend(llvm::function_ref<bool(Value)> isSought,
                        int64_t factor) const {
  for (auto [i, operand] : llvm::enumerate(operands)) {
    AffineExpr symbol = getAffineSymbolExpr(i, expr.getContext());
    if (isSought(operand) &&
        !simplifyAffineExpr(expr - symbol * factor, 0, operands.size())
             .isFunctionOfSymbol(i))
      return i;
  }
  return -1;
}

/// Appends the sums whose minimum `sum` is to `minima`.
static void getMinima(const Sum &sum, SmallVector<Sum> &minima) {
  int64_t at = sum.findAddend([](Value value) {
    Operation *op = value.getDefiningOp();
    return isa_and_nonnull<affine::AffineMinOp, arith::MinSIOp>(op);
  });
  if (at < 0) {
    minima.push_back(sum);
    return;
  }
  Operation *op = sum.operands[at].getDefiningOp();
  MLIRContext *context = op->getContext();
  AffineMap map = AffineMap::getMultiDimIdentityMap(2, context);
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    map = min.getMap();
  // The other operands follow as symbols.
  unsigned numSymbols = map.getNumSymbols();
  SmallVector<Value> operands(op->getOperands());
  llvm::append_range(operands, sum.operands);
  for (AffineExpr result : map.getResults()) {
    SmallVector<AffineExpr> symbols;
    for (unsigned i = 0; i < sum.operands.size(); ++i)
      symbols.push_back(i == at ? result
                                : getAffineSymbolExpr(numSymbols + i, context));
    AffineMap part =
        AffineMap::get(map.getNumDims(), numSymbols + sum.operands.size(),
                       sum.expr.replaceSymbols(symbols));
    getMinima(getSum(part, operands), minima);
  }
}

static SmallVector<Sum> getMinima(Value value) {
  SmallVector<Sum> minima;
  getMinima(getSum(AffineMap::get(
                       0, 1, getAffineSymbolExpr(0, value.getContext())),
                   {value}),
            minima);
  return minima;
}

/// Returns whether `sum` is known to be at least `size`: it is a constant, or
/// the distance to a constant, or to a value that a loop does not exceed with
/// steps that divide it.
static bool isAtLeast(const Sum &sum, int64_t size) {
  if (std::optional<int64_t> constant = sum.getConstant())
    return *constant >= size;
  int64_t at = sum.findAddend(
      [](Value value) {
        auto arg = dyn_cast<BlockArgument>(value);
        auto loop =
            arg ? dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()) : nullptr;
        return loop && loop.getInductionVar() == value;
      },
      /*factor=*/-1);
  if (at < 0)
    return false;
  auto loop = cast<scf::ForOp>(
      cast<BlockArgument>(sum.operands[at]).getOwner()->getParentOp());
  AffineExpr end = simplifyAffineExpr(
      sum.expr + getAffineSymbolExpr(at, sum.expr.getContext()), 0,
      sum.operands.size());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step < size)
    return false;
  auto constant = dyn_cast<AffineConstantExpr>(end);
  auto symbol = dyn_cast<AffineSymbolExpr>(end);
  int64_t divisor = constant ? constant.getValue()
                    : symbol
                        ? getKnownDivisor(sum.operands[symbol.getPosition()])
                        : 1;
  if (divisor % *step != 0)
    return false;
  AffineExpr first = getSum(AffineMap::get(0, 1,
                                           getAffineSymbolExpr(
                                               0, sum.expr.getContext())),
                            {loop.getLowerBound()})
                         .expr;
  return first.getLargestKnownDivisor() % *step == 0 &&
         llvm::any_of(getMinima(loop.getUpperBound()), [&](const Sum &last) {
           if (!constant) {
             auto same = dyn_cast<AffineSymbolExpr>(last.expr);
             return same && last.operands[same.getPosition()] ==
                                sum.operands[symbol.getPosition()];
           }
           std::optional<int64_t> most = last.getConstant();
           return most && *most <= constant.getValue();
         });
}

/// Returns the end of dimension `dim` of the buffer. The mask of `read` leaves
/// `count` elements of it, and the tile has `size`. Returns none if the mask
/// leaves all elements.
FailureOr<std::optional<TileSource::End>>
TileSource::getEnd(VectorTransferOpInterface read, gpu::LaunchOp launch,
                   unsigned dim, int64_t size, Value count, Refusal &refusal) {
  std::optional<End> end;
  for (const Sum &minimum : getMinima(count)) {
    if (isAtLeast(minimum, size))
      continue;
    Sum sum =
        getSum(AffineMap::get(0, minimum.operands.size(), minimum.expr),
               minimum.operands, read.getIndices()[dim]);
    bool isKnown = true;
    sum.expr.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        isKnown &= isBefore(sum.operands[symbol.getPosition()], launch) ||
                   getSizeBefore(sum.operands[symbol.getPosition()], launch);
    });
    if (!isKnown || (end && (end->expr != sum.expr ||
                             end->operands != sum.operands)))
      return refusal.set(RefusalKind::Other, read,
                         "a mask hides elements in front of an end that is "
                         "known before the launch");
    end = End{sum.expr, sum.operands};
  }
  if (!end)
    return end;
  // This is the end of the buffer.
  auto type = cast<MemRefType>(read.getBase().getType());
  if (auto constant = dyn_cast<AffineConstantExpr>(end->expr))
    if (constant.getValue() == type.getDimSize(dim))
      return std::optional<End>();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(end->expr))
    if (auto op =
            end->operands[symbol.getPosition()].getDefiningOp<memref::DimOp>())
      if (getViewed(op.getSource()) == getViewed(read.getBase()) &&
          op.getConstantIndex() == dim)
        return std::optional<End>();
  return end;
}

/// Returns how many elements `mask` leaves along its dimensions, from the first
/// one on. Returns none for other masks.
static std::optional<SmallVector<OpFoldResult>> getCounts(Value mask) {
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return getAsOpFoldResult(create.getOperands());
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    return getAsIndexOpFoldResult(mask.getContext(),
                                  constant.getMaskDimSizes());
  return std::nullopt;
}

FailureOr<Value> TileSource::checkBuffer(Operation *read, Value base,
                                         gpu::LaunchOp launch,
                                         Refusal &refusal) {
  Value buffer = getViewed(base);
  auto refuse = [&](const Twine &text) {
    return refusal.set(RefusalKind::Other, read, text);
  };
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || type.getMemorySpace())
    return refuse("the tile is not read from a buffer in global memory");
  if (!isBefore(buffer, launch))
    return refuse("the kernel computes the buffer that is read");
  if (!type.getLayout().isIdentity())
    return refuse("the buffer that is read has strides");
  int64_t row = type.getShape().back();
  bool isDynamic = type.isDynamicDim(type.getRank() - 1);
  if (isDynamic) {
    auto view = base.getDefiningOp<memref::ReinterpretCastOp>();
    auto length = view ? dyn_cast<Value>(view.getMixedSizes().back()) : Value();
    row = length ? getKnownDivisor(length) : 1;
  }
  int64_t rowBits = row * linalg_ext::getStoredBits(type);
  if (isDynamic && rowBits % rowAlignmentBits != 0)
    return refuse("the rows of the buffer have a size that is not known");
  if (rowBits % rowAlignmentBits != 0)
    return refuse("the rows of the buffer have " + Twine(rowBits / 8) +
                  " bytes, expected a multiple of " +
                  Twine(rowAlignmentBits / 8));
  return buffer;
}

FailureOr<TileSource> TileSource::get(TransferGatherOp gather,
                                      gpu::LaunchOp launch, int64_t maxRank,
                                      Refusal &refusal) {
  FailureOr<Value> buffer =
      checkBuffer(gather, gather.getBase(), launch, refusal);
  if (failed(buffer))
    return failure();
  int64_t rank = cast<MemRefType>(gather.getBase().getType()).getRank();
  if (rank > maxRank)
    return refusal.set(RefusalKind::Other, gather,
                       "the buffer of gathered rows has " + Twine(rank) +
                           " dimensions, expected at most " + Twine(maxRank));
  FailureOr<GatheredRows> rows = GatheredRows::get(gather, refusal);
  if (failed(rows))
    return failure();
  TileSource source;
  source.buffer = *buffer;
  source.map = rows->getMap();
  source.ends.resize(rank);
  source.rows = *rows;
  return source;
}

FailureOr<TileSource> TileSource::get(VectorTransferOpInterface read,
                                      gpu::LaunchOp launch, int64_t maxRank,
                                      Refusal &refusal) {
  auto refuse = [&](const Twine &text) {
    return refusal.set(RefusalKind::Other, read, text);
  };
  FailureOr<Value> buffer = checkBuffer(read, read.getBase(), launch, refusal);
  if (failed(buffer))
    return failure();
  auto type = cast<MemRefType>(read.getBase().getType());
  AffineMap map = read.getPermutationMap();
  if (!map.isProjectedPermutation() || map.getNumResults() == 0)
    return refuse("the tile repeats elements of the buffer");
  TileSource source;
  source.buffer = *buffer;
  source.indices = llvm::to_vector(read.getIndices());
  source.map = map;
  source.ends.resize(type.getRank());
  // The mask has the dimensions of the tile, in the order of the buffer.
  SmallVector<unsigned> dims;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    dims.push_back(map.getDimPosition(i));
  SmallVector<unsigned> maskDims(dims);
  llvm::sort(maskDims);
  bool mayHide = read.hasOutOfBoundsDim();
  if (Value mask = read.getMask()) {
    std::optional<SmallVector<OpFoldResult>> counts = getCounts(mask);
    if (!counts)
      return refuse("a mask that counts no elements says which are read");
    for (auto [dim, count] : llvm::zip_equal(maskDims, *counts)) {
      int64_t size =
          read.getVectorType().getDimSize(llvm::find(dims, dim) - dims.begin());
      FailureOr<std::optional<End>> end = std::optional<End>();
      if (auto value = dyn_cast<Value>(count)) {
        end = getEnd(read, launch, dim, size, value, refusal);
      } else if (int64_t number = *getConstantIntValue(count); number < size) {
        std::optional<int64_t> index =
            getConstantIntValue(read.getIndices()[dim]);
        if (!index)
          return refuse("a mask hides elements in front of an end that is "
                        "known before the launch");
        if (*index + number != type.getDimSize(dim))
          *end = End{getAffineConstantExpr(*index + number, read.getContext()),
                     {}};
      }
      if (failed(end))
        return failure();
      source.ends[dim] = *end;
      mayHide = true;
    }
  }
  auto load = dyn_cast<vector::TransferReadOp>(read.getOperation());
  if (mayHide && load && !matchPattern(load.getPadding(), m_PosZeroFloat()) &&
      !matchPattern(load.getPadding(), m_Zero()) &&
      !load.getPadding().getDefiningOp<ub::PoisonOp>())
    return refuse("elements that are hidden are not read as zero");

  // These are leading dimensions along which the tile has one coordinate.
  int64_t excess = type.getRank() - maxRank;
  if (excess > 0) {
    source.numMerged = excess;
    for (int64_t dim = 0; dim <= excess; ++dim)
      if (llvm::is_contained(dims, dim))
        return refuse("the buffer that is read has " + Twine(type.getRank()) +
                      " dimensions, expected at most " + Twine(maxRank) +
                      " from the first on of which the tile has more than one "
                      "element");
  }
  return source;
}

Value TileSource::buildEnd(RewriterBase &b, Location loc,
                           VectorTransferOpInterface op, gpu::LaunchOp launch,
                           unsigned tileDim) {
  AffineMap map = op.getPermutationMap();
  std::optional<SmallVector<OpFoldResult>> counts =
      op.getMask() ? getCounts(op.getMask()) : std::nullopt;
  if (!counts || !map.isProjectedPermutation())
    return {};
  // The dimensions of the mask are in the order of the buffer.
  unsigned dim = map.getDimPosition(tileDim), inMask = 0;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    inMask += map.getDimPosition(i) < dim;
  auto count = dyn_cast<Value>((*counts)[inMask]);
  if (!count)
    return {};
  Refusal refusal;
  FailureOr<std::optional<End>> end = getEnd(
      op, launch, dim, op.getVectorType().getDimSize(tileDim), count, refusal);
  if (failed(end))
    return {};
  if (!*end)
    return b.createOrFold<memref::DimOp>(loc, getViewed(op.getBase()), dim);
  return getValueOrCreateConstantIndexOp(
      b, loc,
      affine::makeComposedFoldedAffineApply(
          b, loc, AffineMap::get(0, (*end)->operands.size(), (*end)->expr),
          llvm::map_to_vector((*end)->operands, [&](Value value) {
            // These are sizes that are computed after this place.
            memref::DimOp size = getSizeBefore(value, launch);
            return size ? OpFoldResult(b.createOrFold<memref::DimOp>(
                              loc, getViewed(size.getSource()),
                              *size.getConstantIndex()))
                        : OpFoldResult(value);
          })));
}

AffineMap TileSource::getMap() const {
  SmallVector<unsigned> dims;
  for (unsigned i = 0; i < map.getNumResults(); ++i)
    dims.push_back(map.getDimPosition(i) - numMerged);
  return AffineMap::getMultiDimMapWithTargets(getRank(), dims,
                                              map.getContext());
}

Value TileSource::buildView(RewriterBase &b, Location loc) {
  Value view = buffer;
  if (numMerged > 0) {
    SmallVector<ReassociationIndices> groups(getRank());
    for (unsigned dim = 0; dim < map.getNumDims(); ++dim)
      groups[dim <= numMerged ? 0 : dim - numMerged].push_back(dim);
    SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, buffer);
    mergedSizes.assign(sizes.begin() + 1, sizes.begin() + 1 + numMerged);
    view = memref::CollapseShapeOp::create(b, loc, view, groups);
  }
  if (llvm::none_of(ends, [](const auto &end) { return end.has_value(); }))
    return view;
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, loc, view);
  // These are sizes of buffers that are computed in the kernel.
  auto getBefore = [&](Value value) -> OpFoldResult {
    auto dim = value.getDefiningOp<memref::DimOp>();
    if (!dim || !dim->getParentOfType<gpu::LaunchOp>())
      return value;
    return b.createOrFold<memref::DimOp>(loc, getViewed(dim.getSource()),
                                         *dim.getConstantIndex());
  };
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  for (auto [dim, end] : llvm::enumerate(ends)) {
    if (!end)
      continue;
    OpFoldResult &size = sizes[dim - numMerged];
    OpFoldResult last = affine::makeComposedFoldedAffineApply(
        b, loc, AffineMap::get(0, end->operands.size(), end->expr),
        llvm::map_to_vector(end->operands, getBefore));
    // A temporary buffer may be empty if the launch has no workgroups.
    if (alloc && alloc.getType().isDynamicDim(dim))
      last = b.createOrFold<arith::MinUIOp>(
          loc, getValueOrCreateConstantIndexOp(b, loc, last),
          getValueOrCreateConstantIndexOp(b, loc, size));
    size = last;
  }
  return memref::SubViewOp::create(
      b, loc, view, SmallVector<OpFoldResult>(getRank(), b.getIndexAttr(0)),
      sizes, SmallVector<OpFoldResult>(getRank(), b.getIndexAttr(1)));
}

SmallVector<SmallVector<Value>>
TileSource::buildCoordinates(RewriterBase &b, Location loc, Value copier,
                             int64_t copiers) const {
  if (rows)
    return rows->buildIndices(b, loc, copier, copiers);
  if (numMerged == 0)
    return {indices};
  Value first = indices.front();
  ArrayRef<Value> others = ArrayRef(indices).drop_front();
  for (auto [index, size] : llvm::zip(others, mergedSizes)) {
    Value factor = getValueOrCreateConstantIndexOp(b, loc, size);
    first = b.createOrFold<arith::AddIOp>(
        loc, b.createOrFold<arith::MulIOp>(loc, first, factor), index);
  }
  SmallVector<Value> coordinates{first};
  llvm::append_range(coordinates, others.drop_front(numMerged));
  return {coordinates};
}
