//===- ReshapeTiles.cpp - Tiles across a reshape --------------------------===//
//
// Relates tiles and ranges with IndexPolynomial: exactly if that can be proved,
// else by a cover whose size is bounded at compile time, else by the smallest
// cover at run time. See ReshapeTiles.h.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/Utils/ReshapeTiles.h"

#include "mlir-ext/Fusion/Plan/ReshapeDims.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;

using Variable = ValueBoundsConstraintSet::Variable;

static bool isConstant(const IndexPolynomial &polynomial, int64_t value) {
  return polynomial.getConstant() == value;
}

/// Returns whether `size` is at most 1.
static bool isAtMostOne(IndexAnalysis &analysis, OpFoldResult size) {
  auto isSmall = [](const IndexPolynomial &polynomial) {
    std::optional<int64_t> constant = polynomial.getConstant();
    return constant && *constant <= 1;
  };
  if (llvm::any_of(analysis.getMinimumOf(size), isSmall))
    return true;
  if (isa<Attribute>(size))
    return false;
  Builder b(size.getContext());
  return ValueBoundsConstraintSet::compare(Variable(size),
                                           ValueBoundsConstraintSet::LE,
                                           Variable(b.getIndexAttr(1)));
}

/// Returns whether a tile of `size` is the whole of `extent`. Such a tile
/// starts at 0.
static bool isWhole(IndexAnalysis &analysis, const IndexPolynomial &extent,
                    OpFoldResult size) {
  return analysis.get(size) == extent;
}

static std::string describe(ArrayRef<OpFoldResult> sizes) {
  std::string text = "(";
  llvm::interleave(
      sizes,
      [&](OpFoldResult size) {
        std::optional<int64_t> constant = getConstantIntValue(size);
        text += constant ? std::to_string(*constant) : "?";
      },
      [&] { text += ", "; });
  return text + ")";
}

static std::string describe(ArrayRef<IndexPolynomial> extents) {
  std::string text = "(";
  llvm::interleave(
      extents,
      [&](const IndexPolynomial &extent) {
        std::optional<int64_t> constant = extent.getConstant();
        text += constant ? std::to_string(*constant) : "?";
      },
      [&] { text += ", "; });
  return text + ")";
}

static ReshapeCut getWholeCut() {
  ReshapeCut cut;
  cut.whole = true;
  return cut;
}

/// Returns the size if it is known, and an upper bound otherwise.
static std::optional<int64_t> getLargest(IndexAnalysis &analysis,
                                         OpFoldResult size) {
  std::optional<int64_t> least;
  for (const IndexPolynomial &polynomial : analysis.getMinimumOf(size))
    if (std::optional<int64_t> constant = polynomial.getConstant())
      least = std::min(*constant, least.value_or(*constant));
  return least;
}

/// Returns a cut that covers the tile: it is whole along all dimensions inside
/// the first one in which the tile has more than one index. Fails if such a cut
/// is too large; `why` then says so.
static FailureOr<ReshapeCut> coverTile(IndexAnalysis &analysis,
                                       ArrayRef<IndexPolynomial> extents,
                                       ArrayRef<OpFoldResult> sizes,
                                       std::string &why) {
  ReshapeCut cut;
  cut.covering = true;
  while (cut.dim < extents.size() && (isConstant(extents[cut.dim], 1) ||
                                      isAtMostOne(analysis, sizes[cut.dim])))
    ++cut.dim;
  int64_t covering = 1, wanted = 1;
  for (unsigned dim = cut.dim + 1; dim < extents.size(); ++dim) {
    if (isConstant(extents[dim], 1) ||
        isWhole(analysis, extents[dim], sizes[dim]))
      continue;
    std::optional<int64_t> extent = extents[dim].getConstant(),
                           size = getLargest(analysis, sizes[dim]);
    if (!extent || !size) {
      why = "; how much more the whole of dimension " + std::to_string(dim) +
            " is, is not known";
      return failure();
    }
    covering *= *extent;
    wanted *= *size;
  }
  if (!isCoverAffordable(covering, wanted)) {
    why = llvm::formatv("; one that covers it has {0} elements for each {1}",
                        covering, wanted);
    return failure();
  }
  return cut;
}

FailureOr<ReshapeCut> mlir::linalg_ext::cutTile(
    IndexAnalysis &analysis, ArrayRef<IndexPolynomial> extents,
    ArrayRef<OpFoldResult> sizes, bool allowCovering, Refusal &refusal) {
  ReshapeCut cut = getWholeCut();
  for (unsigned dim = extents.size(); dim-- > 0;) {
    if (isConstant(extents[dim], 1))
      continue;
    if (cut.whole) {
      if (!isWhole(analysis, extents[dim], sizes[dim])) {
        cut.whole = false;
        cut.dim = dim;
      }
      continue;
    }
    if (isAtMostOne(analysis, sizes[dim]))
      continue;
    std::string why;
    if (allowCovering) {
      FailureOr<ReshapeCut> covering = coverTile(analysis, extents, sizes, why);
      if (succeeded(covering))
        return covering;
    }
    return refusal.set(
        RefusalKind::ReshapedTile, nullptr,
        llvm::formatv("expected a tile of sizes 1, then one size, "
                      "then whole dimensions, which is contiguous, "
                      "got {0} of {1}{2}",
                      describe(sizes), describe(extents), why));
  }
  return cut;
}

/// Returns whether the range [offset, offset + size) provably stays within one
/// multiple of `period`: no multiple k * period is inside it, except at its
/// start.
static bool staysWithin(IndexAnalysis &analysis, const IndexPolynomial &period,
                        const IndexPolynomial &offset,
                        ArrayRef<IndexPolynomial> sizes) {
  IndexPolynomial rest = offset.divideTerms(period).second;
  if (analysis.isNonNegative(rest))
    for (const IndexPolynomial &size : sizes)
      if (analysis.isNonNegative(period - rest - size))
        return true;
  std::optional<int64_t> constant = period.getConstant();
  if (!constant)
    return false;
  // The rest has one of the values c, c + gcd, c + 2 gcd, ...
  int64_t gcd = rest.getGCD(*constant, /*withConstant=*/false);
  int64_t first = ((rest.getConstantTerm() % gcd) + gcd) % gcd;
  return llvm::any_of(sizes, [&](const IndexPolynomial &size) {
    std::optional<int64_t> constantSize = size.getConstant();
    return constantSize && first + *constantSize <= gcd;
  });
}

/// Finds values for the offsets of the tile of `cut`. The first row of the tile
/// is `row`, one of `numRows`.
static void findOffsets(IndexAnalysis &analysis, MLIRContext *context,
                        ArrayRef<IndexPolynomial> extents,
                        ArrayRef<unsigned> dims, IndexPolynomial row,
                        std::vector<IndexPolynomial> numRows, ReshapeCut &cut) {
  Builder b(context);
  if (numRows.size() == 1)
    cut.size = analysis.find(b, numRows.front());
  cut.offsets.assign(extents.size(), OpFoldResult());
  for (unsigned dim : llvm::reverse(dims)) {
    if (dim == dims.front()) {
      cut.offsets[dim] = analysis.find(b, row);
      return;
    }
    // row = outer * extent + index, where 0 <= index < extent.
    auto [outer, index] = row.divideTerms(extents[dim]);
    if (!analysis.isNonNegative(index) ||
        llvm::none_of(numRows, [&, &rest = index](const IndexPolynomial &size) {
          return analysis.isNonNegative(extents[dim] - rest - size);
        }))
      return;
    cut.offsets[dim] = analysis.find(b, index);
    row = outer;
    numRows = {IndexPolynomial(1)};
  }
}

FailureOr<ReshapeCut>
mlir::linalg_ext::cutRange(IndexAnalysis &analysis,
                           ArrayRef<IndexPolynomial> extents,
                           OpFoldResult offset, OpFoldResult size,
                           bool allowCovering, Refusal &refusal) {
  IndexPolynomial total(1);
  for (const IndexPolynomial &extent : extents)
    total = total * extent;
  if (isConstant(total, 0))
    return refusal.set(RefusalKind::ReshapedTile, nullptr,
                       "the tensor is empty");
  if (isWhole(analysis, total, size))
    return getWholeCut();
  IndexPolynomial start = analysis.get(offset);
  std::vector<IndexPolynomial> sizes = analysis.getMinimumOf(size);

  // The dimensions that do not have size 1, outermost first, and for each the
  // product of the sizes inside of it.
  SmallVector<unsigned> dims;
  for (unsigned dim = 0; dim < extents.size(); ++dim)
    if (!isConstant(extents[dim], 1))
      dims.push_back(dim);
  std::vector<IndexPolynomial> inner(dims.size(), IndexPolynomial(1));
  for (unsigned i = dims.size(); i-- > 1;)
    inner[i - 1] = inner[i] * extents[dims[i]];

  // 1. Try rows of size inner[i]: one row, or several rows that stay within one
  //    index of the dimensions outside.
  for (unsigned i = 0; i < dims.size(); ++i) {
    auto [firstRow, rest] = start.divideTerms(inner[i]);
    std::vector<IndexPolynomial> numRows;
    for (const IndexPolynomial &polynomial : sizes)
      if (polynomial.isMultipleOf(inner[i]))
        numRows.push_back(polynomial.divideTerms(inner[i]).first);
    if (!isConstant(rest, 0) || numRows.size() != sizes.size())
      continue;
    if (i == 0 || llvm::is_contained(numRows, IndexPolynomial(1)) ||
        staysWithin(analysis, extents[dims[i]], firstRow, numRows)) {
      ReshapeCut cut;
      cut.dim = dims[i];
      findOffsets(analysis, offset.getContext(), extents,
                  ArrayRef(dims).take_front(i + 1), firstRow, numRows, cut);
      return cut;
    }
  }
  if (dims.empty())
    return getWholeCut();

  // 2. Find the rows that the range touches.
  std::string why;
  std::optional<int64_t> largest = getLargest(analysis, size);
  unsigned outermost = 0;
  for (unsigned i = dims.size(); allowCovering && i-- > 0;) {
    if (i > 0 && !staysWithin(analysis, inner[i - 1], start, sizes))
      continue;
    outermost = i;
    std::optional<int64_t> row = inner[i].getConstant();
    if (!row || !largest) {
      why = row ? "; its size is not known"
                : "; how large the rows are that it touches is not known";
      break;
    }
    int64_t numRows = countTouchedRows(*largest, *row);
    if (std::optional<int64_t> extent = extents[dims[i]].getConstant())
      numRows = std::min(numRows, *extent);
    if (isCoverAffordable(numRows * *row, *largest)) {
      ReshapeCut cut;
      cut.covering = true;
      cut.dim = dims[i];
      return cut;
    }
    why = llvm::formatv("; the rows that it touches have up to {0} elements",
                        numRows * *row);
    break;
  }

  // 3. Cover the range by them if it crosses a row. If the tile is always at
  //    the same place, no other tiles share the cost.
  if (allowCovering && !start.getConstant()) {
    ReshapeCut cut;
    cut.covering = cut.smallest = true;
    cut.dim = dims[outermost];
    return cut;
  }
  return refusal.set(
      RefusalKind::ReshapedTile, nullptr,
      llvm::formatv("expected a range that provably is a tile of the "
                    "dimensions {0} it is made of, got one of size "
                    "{1} that may straddle them{2}",
                    describe(extents), describe(size), why));
}

//===----------------------------------------------------------------------===//
// Of an op
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<ReshapeCut>>
mlir::linalg_ext::cutReshape(Operation *op, bool ofSource,
                             ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes, Refusal &refusal) {
  auto expand = dyn_cast<tensor::ExpandShapeOp>(op);
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  Value split = expand ? expand.getResult() : collapse.getSrc();
  bool isOfSplit = expand ? !ofSource : ofSource;
  SmallVector<ReassociationIndices> groups =
      expand ? expand.getReassociationIndices()
             : collapse.getReassociationIndices();

  IndexAnalysis analysis;
  SmallVector<ReshapeCut> cuts;
  for (auto [flat, group] : llvm::enumerate(groups)) {
    std::vector<IndexPolynomial> extents;
    IndexPolynomial total(1);
    for (int64_t dim : group) {
      extents.push_back(analysis.getSize(split, dim));
      total = total * extents.back();
    }
    if (expand && ofSource)
      analysis.setSize(expand.getSrc(), flat, total);
    FailureOr<ReshapeCut> cut =
        isOfSplit ? cutTile(analysis, extents,
                            sizes.slice(group.front(), group.size()),
                            /*allowCovering=*/!ofSource, refusal)
                  : cutRange(analysis, extents, offsets[flat], sizes[flat],
                             /*allowCovering=*/!ofSource, refusal);
    if (failed(cut))
      return refusal.addContext(op, "group " + Twine(flat) + ": ");
    cuts.push_back(*cut);
  }
  return cuts;
}

std::string
mlir::linalg_ext::explainReshapeTileRefusal(Operation *op,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes) {
  Refusal refusal;
  if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return "expected a reshape";
  (void)cutReshape(op, /*ofSource=*/false, offsets, sizes, refusal);
  return refusal.text;
}
