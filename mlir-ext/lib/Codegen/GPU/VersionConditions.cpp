//===- VersionConditions.cpp - When versions of a group run ---------------===//
//
// See VersionConditions.h.
//
//===----------------------------------------------------------------------===//

#include "VersionConditions.h"

#include "mlir-ext/Selection/ProductTiles.h"
#include "mlir-ext/Support/LaunchNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/TilingInterface.h"

#include <numeric>

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::LinalgOp;

/// Builds the size of `loop` of `op` before `op`.
static Value getLoopSize(RewriterBase &rewriter, LinalgOp op, unsigned loop) {
  rewriter.setInsertionPoint(op);
  SmallVector<Range> domain =
      cast<TilingInterface>(op.getOperation()).getIterationDomain(rewriter);
  return getValueOrCreateConstantIndexOp(rewriter, op.getLoc(),
                                         domain[loop].size);
}

Value mlir::linalg_ext::getSumSize(RewriterBase &rewriter,
                                   WorkgroupGroup &group) {
  LinalgOp contraction = group.contractions.front();
  SmallVector<unsigned> sums;
  contraction.getReductionDims(sums);
  Value sum = getLoopSize(rewriter, contraction, sums.front());
  rewriter.setInsertionPoint(group.root);
  return sum;
}

/// Whether an operand of `contraction` has merged dimensions for its loop
/// `sum`, such as the groups of weights and their elements. The last chunk of
/// such a sum would have unknown parts of groups if it were shorter.
static bool sumsMergedDims(LinalgOp contraction, unsigned sum) {
  return llvm::any_of(
      contraction.getDpsInputOperands(), [&](OpOperand *operand) {
        auto collapse = operand->get().getDefiningOp<tensor::CollapseShapeOp>();
        std::optional<unsigned> dim =
            contraction.getMatchingIndexingMap(operand).getResultPosition(
                getAffineDimExpr(sum, contraction.getContext()));
        return collapse && dim &&
               collapse.getReassociationIndices()[*dim].size() > 1;
      });
}

OpFoldResult mlir::linalg_ext::getChunk(RewriterBase &rewriter,
                                        WorkgroupGroup &group) {
  SmallVector<unsigned> sums;
  LinalgOp contraction = group.contractions.front();
  contraction.getReductionDims(sums);
  if (sums.size() != 1)
    return {};
  Value sum = getLoopSize(rewriter, contraction, sums.front());
  rewriter.setInsertionPoint(group.root);
  SmallVector<Range> domain = cast<TilingInterface>(group.root.getOperation())
                                  .getIterationDomain(rewriter);
  ImplicitLocOpBuilder b(group.root.getLoc(), rewriter);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  auto ceilDiv = [&](Value value, Value by) -> Value {
    Value less = b.createOrFold<arith::SubIOp>(by, constant(1));
    return b.createOrFold<arith::DivUIOp>(
        b.createOrFold<arith::AddIOp>(value, less), by);
  };
  // A tile may have all rows.
  SmallVector<int64_t> whole;
  const SmallVector<int64_t> &loops = group.loops.find(contraction)->second;
  if (group.mostRows > 0)
    for (unsigned dim : linalg::inferContractionDims(contraction)->m)
      whole.push_back(loops[dim]);
  Value tiles = constant(1);
  for (auto [loop, range, tile] : llvm::enumerate(domain, group.getTileSizes()))
    if (tile != 0 &&
        !(tile >= group.mostRows && llvm::is_contained(whole, loop)))
      tiles = b.createOrFold<arith::MulIOp>(
          tiles,
          ceilDiv(getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size),
                  constant(tile)));
  using Tiles = TileToWorkgroupsOptions::Tiles;
  // Two workgroups share each tile.
  if (group.options.tiles == Tiles::Pair)
    tiles = constant(group.options.target.memoryWorkgroups / 2);
  Value wanted = b.createOrFold<arith::MaxUIOp>(
      b.createOrFold<arith::DivUIOp>(
          constant(group.options.target.memoryWorkgroups),
          b.createOrFold<arith::MaxUIOp>(tiles, constant(1))),
      constant(1));
  // A chunk has whole groups of a right operand that workgroups compute.
  int64_t reduction = group.options.narrowReduction > 0
                          ? group.options.narrowReduction
                          : group.options.reduction;
  Operation *right = contraction.getNumDpsInputs() > 1
                         ? contraction.getDpsInputs()[1].getDefiningOp()
                         : nullptr;
  if (right && group.contains(right))
    reduction =
        std::lcm(reduction,
                 std::max<int64_t>(getGroupSize(contraction, sums.front()), 1));
  Value unit = constant(reduction);
  Value chunk =
      b.createOrFold<arith::MulIOp>(ceilDiv(ceilDiv(sum, wanted), unit), unit);
  chunk = b.createOrFold<arith::MaxUIOp>(
      chunk, constant(llvm::alignTo(group.options.minSplit, reduction)));
  std::optional<int64_t> known = getConstantIntValue(chunk),
                         all = getConstantIntValue(sum);
  if (all && known && sumsMergedDims(contraction, sums.front()))
    while (*known < *all && *all % *known != 0)
      known = *known + *getConstantIntValue(unit);
  if (all && *all <= known.value_or(group.options.minSplit))
    return {};
  if (known)
    return rewriter.getIndexAttr(*known);
  return getAsOpFoldResult(chunk);
}

/// Builds, before the root, the number of tiles into which `group` divides it.
static Value buildNumTiles(ImplicitLocOpBuilder &b, WorkgroupGroup &group) {
  SmallVector<Range> domain =
      cast<TilingInterface>(group.root.getOperation()).getIterationDomain(b);
  Value tiles = arith::ConstantIndexOp::create(b, 1);
  for (auto [range, tile] : llvm::zip_equal(domain, group.getTileSizes())) {
    if (tile == 0)
      continue;
    Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), range.size);
    Value count = b.createOrFold<arith::DivUIOp>(
        b.createOrFold<arith::AddIOp>(
            size, arith::ConstantIndexOp::create(b, tile - 1)),
        arith::ConstantIndexOp::create(b, tile));
    tiles = b.createOrFold<arith::MulIOp>(tiles, count);
  }
  return tiles;
}

/// Builds, before the root, the number of elements that the contraction of
/// `group` sums for each element of its result.
static Value buildDepth(RewriterBase &rewriter, WorkgroupGroup &group) {
  LinalgOp contraction = group.contractions.front();
  SmallVector<unsigned> sums;
  contraction.getReductionDims(sums);
  SmallVector<Value> sizes;
  for (unsigned loop : sums)
    sizes.push_back(getLoopSize(rewriter, contraction, loop));
  rewriter.setInsertionPoint(group.root);
  LaunchNumbers n{ImplicitLocOpBuilder(group.root.getLoc(), rewriter)};
  Value depth = n.constant(1);
  for (Value size : sizes)
    depth = n.mul(depth, size);
  return depth;
}

namespace {
/// For the operands of a contraction: their bytes, and the largest remainder of
/// the bytes of a row by a line of the cache.
struct OperandBytes {
  Value all, rest;
};
} // namespace

static OperandBytes buildOperandBytes(LaunchNumbers &n, LinalgOp contraction,
                                      int64_t lineBytes) {
  OperandBytes bytes{n.constant(0), n.constant(0)};
  for (Value operand : contraction.getDpsInputs()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || type.getRank() == 0 || !type.getElementType().isIntOrFloat())
      continue;
    Value row,
        all = n.constant(llvm::divideCeil(type.getElementTypeBitWidth(), 8));
    for (OpFoldResult size :
         tensor::getMixedSizes(n.b, n.b.getLoc(), operand)) {
      row = getValueOrCreateConstantIndexOp(n.b, n.b.getLoc(), size);
      all = n.mul(all, row);
    }
    row = n.mul(row,
                n.constant(llvm::divideCeil(type.getElementTypeBitWidth(), 8)));
    bytes.all = n.add(bytes.all, all);
    bytes.rest =
        n.max(bytes.rest,
              n.b.createOrFold<arith::RemUIOp>(row, n.constant(lineBytes)));
  }
  return bytes;
}

/// Builds the estimated time of the kernel of `group`. If `readsCopies`, rows
/// of its operands are whole lines of the cache.
static Value buildKernelTime(LaunchNumbers &n, WorkgroupGroup &group,
                             Value depth, const OperandBytes &bytes,
                             bool readsCopies = false) {
  // This also chooses the kernel.
  Value tiles = buildNumTiles(n.b, group);
  ProductTime time = getProductTime(*group.tile.kernel, group.options.target,
                                    group.getKnownColumns());
  Value most = n.ceilDiv(tiles, n.constant(group.options.target.processors));
  Value beside = n.constant(time.beside);
  if (time.split > time.beside && !readsCopies)
    beside = n.select(n.less(n.constant(0), bytes.rest), n.constant(time.split),
                      beside);
  if (time.far > time.beside)
    beside = n.select(n.less(n.constant(time.farBytes), bytes.all),
                      n.max(beside, n.constant(time.far)), beside);
  Value ofStep = n.max(n.constant(time.alone), n.mul(most, beside));
  if (time.copies > 0)
    ofStep = n.max(ofStep, n.div(n.mul(tiles, n.constant(time.copies)),
                                 n.constant(group.options.target.processors)));
  return n.add(
      n.add(n.constant(time.fixed), n.mul(most, n.constant(time.ofTile))),
      n.div(n.mul(depth, ofStep), n.constant(time.steps)));
}

/// Builds, before the root, the condition that the estimated time of the kernel
/// of `group` with `options` is at most that with `others`.
static Value buildIsFaster(RewriterBase &rewriter, WorkgroupGroup &group,
                           const TileToWorkgroupsOptions &options,
                           const TileToWorkgroupsOptions &others) {
  Value depth = buildDepth(rewriter, group);
  LaunchNumbers n{ImplicitLocOpBuilder(group.root.getLoc(), rewriter)};
  OperandBytes bytes = buildOperandBytes(n, group.contractions.front(),
                                         group.options.target.lineBytes);
  SmallVector<Value> times;
  for (const TileToWorkgroupsOptions &version : {options, others}) {
    group.options = version;
    times.push_back(buildKernelTime(n, group, depth, bytes));
  }
  return arith::CmpIOp::create(n.b, arith::CmpIPredicate::ule, times[0],
                               times[1]);
}

/// Builds, before the root, the condition that the kernel of `group`, which
/// reads copies of `operands`, takes less time together with the copies than
/// synchronous products with `sync`.
static Value buildPaysInFront(RewriterBase &rewriter, WorkgroupGroup &group,
                              ArrayRef<OpOperand *> operands,
                              const TileToWorkgroupsOptions &sync) {
  Value depth = buildDepth(rewriter, group);
  LaunchNumbers n{ImplicitLocOpBuilder(group.root.getLoc(), rewriter)};
  // 1. The time of the kernel and the copies.
  Value copying =
      buildKernelTime(n, group, depth,
                      buildOperandBytes(n, group.contractions.front(),
                                        group.options.target.lineBytes),
                      /*readsCopies=*/true);
  Value bytes = n.constant(0);
  bool isConverted = false;
  for (OpOperand *operand : operands) {
    auto type = cast<RankedTensorType>(operand->get().getType());
    int64_t read = type.getElementTypeBitWidth() / 8;
    Operation *producer = operand->get().getDefiningOp();
    bool isComputed = producer && group.contains(producer);
    isConverted |= read == 1 || isComputed;
    Value all = n.constant(
        isComputed || read == 1 ? WorkgroupGroup::kBytesOfConverted : 2 * read);
    for (OpFoldResult size :
         tensor::getMixedSizes(n.b, n.b.getLoc(), operand->get()))
      all =
          n.mul(all, getValueOrCreateConstantIndexOp(n.b, n.b.getLoc(), size));
    bytes = n.add(bytes, all);
  }
  copying = n.add(
      copying,
      n.add(n.constant(sync.target.launchCycles * operands.size()),
            n.div(bytes,
                  n.constant(isConverted ? sync.target.convertedBytesPerCycle
                                         : sync.target.copiedBytesPerCycle))));
  // 2. The time of synchronous products.
  WorkgroupGroup others(group);
  others.options = sync;
  others.options.ways = {};
  ContractionTile tile = others.getSyncTile();
  bool dequantizes = group.dequantizes(operands);
  int64_t percent = dequantizes   ? 100
                    : isConverted ? sync.target.convertingPercent
                                  : sync.target.unalignedPercent;
  int64_t cycles = percent / 100.0 *
                   getProductTileCycles(tile.rows, tile.columns, /*products=*/1,
                                        sync.target);
  Value most =
      n.ceilDiv(buildNumTiles(n.b, others), n.constant(sync.target.processors));
  Value staying = n.div(n.mul(depth, n.mul(most, n.constant(cycles))),
                        n.constant(kStepsOfTime));
  if (dequantizes)
    staying = n.add(staying,
                    n.div(n.mul(depth, n.mul(most, n.constant(tile.columns))),
                          n.constant(WorkgroupGroup::kDequantizedPerCycle)));
  return n.less(copying, staying);
}

namespace {
/// Builds the conditions before the root, in the order of the versions.
class ConditionBuilder {
public:
  ConditionBuilder(RewriterBase &rewriter, WorkgroupGroup &group,
                   const Versions &versions)
      : rewriter(rewriter), group(group), versions(versions.versions),
        loc(group.root.getLoc()) {
    rewriter.setInsertionPoint(group.root);
    for (auto [tensor, dim] : versions.dims) {
      Value next = rewriter.createOrFold<tensor::DimOp>(loc, tensor, dim);
      size =
          size ? rewriter.createOrFold<arith::MaxUIOp>(loc, size, next) : next;
    }
  }

  VersionConditions build();

private:
  /// Builds the conjunction. A null `lhs` counts as true.
  Value both(Value lhs, Value rhs) {
    return lhs ? rewriter.createOrFold<arith::AndIOp>(loc, lhs, rhs) : rhs;
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(rewriter, loc, predicate, lhs, rhs);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }
  Value constantBool(bool value) {
    return arith::ConstantIntOp::create(rewriter, loc, value, 1);
  }

  /// Builds the condition that rows are aligned as `version` requires. Null if
  /// it has no such requirement.
  Value buildIsAligned(const Version &version);
  /// Builds the condition that there are as many chunks as `version` requires.
  /// Sets `chunk` to the size of a chunk.
  Value buildIsSplit(const Version &version, OpFoldResult &chunk);
  /// Builds the condition that version `index`, of any size, applies. Sets
  /// `chunk` if it requires chunks.
  Value buildApplies(size_t index, OpFoldResult &chunk);

  RewriterBase &rewriter;
  WorkgroupGroup &group;
  ArrayRef<Version> versions;
  Location loc;
  /// The largest size of the dimensions by which versions are chosen.
  Value size;
};
} // namespace

Value ConditionBuilder::buildIsAligned(const Version &version) {
  Value isAligned;
  for (auto [tensor, elements] : version.alignedRows) {
    int64_t last = cast<RankedTensorType>(tensor.getType()).getRank() - 1;
    Value row = rewriter.createOrFold<tensor::DimOp>(loc, tensor, last);
    Value rest =
        rewriter.createOrFold<arith::RemUIOp>(loc, row, constant(elements));
    isAligned =
        both(isAligned, compare(arith::CmpIPredicate::eq, rest, constant(0)));
  }
  return isAligned;
}

Value ConditionBuilder::buildIsSplit(const Version &version,
                                     OpFoldResult &chunk) {
  group.options = version.options;
  chunk = getChunk(rewriter, group);
  if (!chunk)
    return constantBool(false);
  Value sum = getSumSize(rewriter, group);
  Value length = getValueOrCreateConstantIndexOp(rewriter, loc, chunk);
  Value isSplit;
  if (version.leastSaved > 0) {
    Value least = rewriter.createOrFold<arith::AddIOp>(
        loc, length, constant(version.leastSaved));
    isSplit = compare(arith::CmpIPredicate::uge, sum, least);
  } else {
    Value most = rewriter.createOrFold<arith::MulIOp>(
        loc, length, constant(version.leastChunks - 1));
    isSplit = compare(arith::CmpIPredicate::ugt, sum, most);
  }
  if (version.mostRows == 0)
    return isSplit;
  LinalgOp contraction = group.contractions.front();
  Value rows = constant(1);
  for (unsigned dim : linalg::inferContractionDims(contraction)->m)
    rows = rewriter.createOrFold<arith::MulIOp>(
        loc, rows, getLoopSize(rewriter, contraction, dim));
  rewriter.setInsertionPoint(group.root);
  return both(isSplit, compare(arith::CmpIPredicate::ule, rows,
                               constant(version.mostRows)));
}

Value ConditionBuilder::buildApplies(size_t index, OpFoldResult &chunk) {
  const Version &version = versions[index];
  Value applies = buildIsAligned(version);
  if (version.leastChunks > 0)
    applies = both(applies, buildIsSplit(version, chunk));
  if (version.options.copiesRows) {
    group.options = version.options;
    applies = buildPaysInFront(rewriter, group, group.getOperandsInFront(),
                               versions.back().options);
  }
  if (version.isCompared)
    for (const Version &other : versions.drop_front(index + 1)) {
      applies = both(applies, buildIsFaster(rewriter, group, version.options,
                                            other.options));
      if (!other.isCompared)
        break;
    }
  return applies;
}

VersionConditions ConditionBuilder::build() {
  VersionConditions result;
  result.chunks.resize(versions.size());
  // The condition that no earlier version runs: none for any number of rows,
  // and among the others not the one for the most rows.
  Value isAnyOther, isOther;
  for (auto [index, version] : llvm::enumerate(versions.drop_back())) {
    if (!ShapedType::isDynamic(version.most)) {
      Value most = constant(version.most);
      result.conditions.push_back(
          both(isOther, compare(arith::CmpIPredicate::sle, size, most)));
      isOther =
          both(isAnyOther, compare(arith::CmpIPredicate::sgt, size, most));
      continue;
    }
    Value applies = buildApplies(index, result.chunks[index]);
    result.conditions.push_back(both(isOther, applies));
    Value isNone =
        rewriter.createOrFold<arith::XOrIOp>(loc, applies, constantBool(true));
    isOther = both(isOther, isNone);
    isAnyOther = both(isAnyOther, isNone);
  }
  result.conditions.push_back(isOther);
  return result;
}

VersionConditions mlir::linalg_ext::buildConditions(RewriterBase &rewriter,
                                                    WorkgroupGroup &group,
                                                    const Versions &versions) {
  return ConditionBuilder(rewriter, group, versions).build();
}
