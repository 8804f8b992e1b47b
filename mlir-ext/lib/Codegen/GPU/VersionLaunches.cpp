//===- VersionLaunches.cpp - A kernel for aligned rows --------------------===//
//
// Wide loads need rows that start at aligned addresses. If a row has a dynamic
// length, this depends on whether the length is a multiple of the alignment,
// which is known only at launch. If a buffer has dynamic strides, it depends on
// the strides and the offset. This step creates two versions of the kernel, in
// the two regions of a branch.
//
//   1. Find the buffers with such rows that the kernel accesses by vectors.
//   2. Compute whether lengths, strides and offsets are multiples, and branch.
//   3. In one version, assume the multiples.
//
// Pages of a cache with a dynamic number of rows are treated in the same way.
// If the number is a multiple of 16, one look-up in the table serves 16 rows,
// which are contiguous. If it is 1, the entry of a row is found without a
// division. So there are three versions.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns whether rows of `type` are aligned if certain numbers are multiples
/// of `divisor`: the length of a row or, for a buffer with dynamic strides or
/// offset, these. Returns false if rows are aligned in any case, or in no case.
static bool mayBeAligned(MemRefType type, int64_t divisor) {
  int64_t last = type.getRank() - 1;
  if (type.getLayout().isIdentity())
    return last > 0 && type.isDynamicDim(last);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  bool anyDynamic = false;
  auto isMultiple = [&](int64_t number) {
    anyDynamic |= ShapedType::isDynamic(number);
    return ShapedType::isDynamic(number) || number % divisor == 0;
  };
  if (!isMultiple(offset) || !isMultiple(type.getDimSize(last)) ||
      (!ShapedType::isDynamic(strides[last]) && strides[last] != 1))
    return false;
  anyDynamic |= ShapedType::isDynamic(strides[last]);
  for (int64_t dim = 0; dim < last; ++dim)
    if (!isMultiple(strides[dim]) && type.getDimSize(dim) != 1)
      return false;
  return anyDynamic;
}

/// Returns the number of elements of `type` in `bytes` bytes. Returns 0 if it
/// is not a whole number greater than one.
static int64_t getDivisor(MemRefType type, int64_t bytes) {
  if (!type.getElementType().isIntOrFloat())
    return 0;
  int64_t bits = getStoredBits(type);
  return bits % 8 == 0 && bits < 8 * bytes && 8 * bytes % bits == 0
             ? 8 * bytes / bits
             : 0;
}

/// Returns the buffer from outside of `launch` whose rows `op`, a transfer of
/// vectors, accesses along their length. Its elements must have fewer than
/// `bytes` bytes, and its alignment must depend on numbers that are known only
/// at launch. Returns null otherwise.
static Value getBufferOfRows(gpu::LaunchOp launch, VectorTransferOpInterface op,
                             int64_t bytes) {
  Value base = op.getBase();
  // Look through views of its rows.
  while (auto view = base.getDefiningOp<memref::SubViewOp>()) {
    if (!view.hasUnitStride() || view.getDroppedDims().any())
      return {};
    base = view.getSource();
  }
  auto type = dyn_cast<MemRefType>(base.getType());
  // Threads read booleans one by one. Only threads that copy tiles read rows.
  std::optional<vector_ext::KernelMark> mark =
      vector_ext::getKernelMark(launch);
  if (type && type.getElementType().isInteger(1) &&
      (!mark || mark->way != vector_ext::ProductWay::Roles))
    return {};
  int64_t divisor = type && type.getRank() > 0 ? getDivisor(type, bytes) : 0;
  if (divisor == 0 || !mayBeAligned(type, divisor) ||
      launch.getBody().isAncestor(base.getParentRegion()))
    return {};
  for (auto [i, expr] : llvm::enumerate(op.getPermutationMap().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && dim.getPosition() == type.getRank() - 1 &&
        op.getVectorType().getDimSize(i) > 1)
      return base;
  }
  return {};
}

/// Returns whether `value` is the size of a dynamic dimension of a buffer. (A
/// size of a static dimension may not have been folded.)
static bool isDynamicSize(Value value) {
  auto dim = value.getDefiningOp<memref::DimOp>();
  auto type = dim ? dyn_cast<MemRefType>(dim.getSource().getType()) : nullptr;
  std::optional<int64_t> number = dim ? dim.getConstantIndex() : std::nullopt;
  return type && number && *number >= 0 && *number < type.getRank() &&
         type.isDynamicDim(*number);
}

/// Collects the sizes from which the mask of `op` along the length of its rows
/// is computed.
static void collectMaskedLengths(VectorTransferOpInterface op,
                                 llvm::SetVector<Value> &lengths) {
  auto mask = op.getMask() ? op.getMask().getDefiningOp<vector::CreateMaskOp>()
                           : vector::CreateMaskOp();
  if (!mask)
    return;
  int64_t last = cast<ShapedType>(op.getBase().getType()).getRank() - 1;
  // The mask has the dimensions that are transferred, in the order of memory.
  if (!llvm::any_of(op.getPermutationMap().getResults(), [&](AffineExpr expr) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        return dim && dim.getPosition() == last;
      }))
    return;
  SmallVector<Value> worklist{mask.getOperands().back()};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (isDynamicSize(value))
      lengths.insert(value);
    else if (isa_and_present<affine::AffineMinOp, affine::AffineApplyOp>(def))
      llvm::append_range(worklist, def->getOperands());
  }
}

/// The number of rows of a page must be a multiple of this for the first
/// version.
static constexpr int64_t kPageRows = 16;

/// Collects the numbers of rows of a page that positions of `gather` are taken
/// modulo, if these are sizes of dynamic dimensions.
static void collectPageRows(vector_ext::TransferGatherOp gather,
                            llvm::SetVector<Value> &pageRows) {
  for (Value index : gather.getIndices()) {
    // (x floordiv n) * n
    auto difference = index.getDefiningOp<arith::SubIOp>();
    auto product = difference
                       ? difference.getRhs().getDefiningOp<arith::MulIOp>()
                       : arith::MulIOp();
    if (!product)
      continue;
    for (Value factor : product->getOperands()) {
      auto broadcast = factor.getDefiningOp<vector::BroadcastOp>();
      Value rows = broadcast ? broadcast.getSource() : Value();
      // The divisor is at least 1, so that nothing divides by 0.
      if (auto most =
              rows ? rows.getDefiningOp<arith::MaxUIOp>() : arith::MaxUIOp())
        rows = most.getLhs();
      if (rows && isDynamicSize(rows))
        pageRows.insert(rows);
    }
  }
}

/// Builds an assumption about `index` in the body of `launch`: it is a multiple
/// of `divisor`, at least `least` and, if `most` is not 0, at most `most`.
static Value assumeMultiple(ImplicitLocOpBuilder &b, Value index,
                            int64_t divisor, int64_t most = 0,
                            std::optional<int64_t> least = {}) {
  return b.createOrFold<vector_ext::AssumeOp>(
      index, least, most > 0 ? std::optional(most) : std::nullopt, divisor);
}

/// Assumes, in the body of `launch`, that `size` is a multiple of `divisor`,
/// and at least `least`.
static void assumeMultipleSize(gpu::LaunchOp launch, Value size,
                               int64_t divisor,
                               std::optional<int64_t> least = {}) {
  auto dim = size.getDefiningOp<memref::DimOp>();
  Region &body = launch.getBody();
  ImplicitLocOpBuilder b(launch.getLoc(), launch.getContext());
  b.setInsertionPointToStart(&body.front());
  Value same =
      memref::DimOp::create(b, dim.getSource(), *dim.getConstantIndex());
  Value multiple = assumeMultiple(b, same, divisor, /*most=*/0, least);
  for (Operation *user :
       llvm::make_early_inc_range(dim.getSource().getUsers())) {
    auto other = dyn_cast<memref::DimOp>(user);
    if (other && other.getResult() != same &&
        other.getConstantIndex() == dim.getConstantIndex())
      other.getResult().replaceUsesWithIf(multiple, [&](OpOperand &use) {
        return body.isAncestor(use.getOwner()->getParentRegion());
      });
  }
}

/// Makes `op`, which uses `from`, use `to`, the same memory with more static
/// strides. If the type of `op` does not allow it, `op` keeps `from`.
static void replaceBuffer(Operation *op, Value from, Value to) {
  if (from.getType() == to.getType() ||
      isa<VectorTransferOpInterface, vector_ext::TransferGatherOp>(op))
    return op->replaceUsesOfWith(from, to);
  auto view = dyn_cast<memref::SubViewOp>(op);
  if (!view)
    return;
  OpBuilder b(view);
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      view.getType().getShape(), cast<MemRefType>(to.getType()),
      view.getMixedOffsets(), view.getMixedSizes(), view.getMixedStrides()));
  auto same = memref::SubViewOp::create(
      b, view.getLoc(), type, to, view.getMixedOffsets(), view.getMixedSizes(),
      view.getMixedStrides());
  for (Operation *user : llvm::make_early_inc_range(view->getUsers()))
    replaceBuffer(user, view, same);
}

/// Replaces `asked`, ops that ask for strides, by values computed from the
/// sizes of temporary buffers. Launchers know only strides of arguments.
static void resolveStrides(ArrayRef<Operation *> asked) {
  if (asked.empty())
    return;
  RewritePatternSet patterns(asked.front()->getContext());
  memref::populateResolveExtractStridedMetadataPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  // Ops that remain ask for strides of an argument.
  (void)applyOpPatternsGreedily(asked, std::move(patterns), config);
}

/// Assumes, in the body of `launch`, that the rows of `buffer` are aligned.
/// Their length is a multiple of `divisor`, and at most `most` if that is not
/// 0. Dynamic strides and a dynamic offset are multiples of `divisor`. The last
/// stride is 1.
static void assumeMultipleRows(gpu::LaunchOp launch, Value buffer,
                               int64_t divisor, int64_t most) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t last = type.getRank() - 1;
  Region &body = launch.getBody();
  ImplicitLocOpBuilder b(launch.getLoc(), launch.getContext());
  b.setInsertionPointToStart(&body.front());
  memref::DimOp asked;
  Value length;
  if (type.isDynamicDim(last)) {
    asked = memref::DimOp::create(b, buffer, last);
    length = assumeMultiple(b, asked, divisor, most);
  }

  SmallVector<OpFoldResult> sizes, strides(type.getRank());
  for (int64_t dim = 0; dim < last; ++dim)
    sizes.push_back(
        type.isDynamicDim(dim)
            ? OpFoldResult(memref::DimOp::create(b, buffer, dim).getResult())
            : b.getIndexAttr(type.getDimSize(dim)));
  sizes.push_back(length ? OpFoldResult(length)
                         : b.getIndexAttr(type.getDimSize(last)));
  strides[last] = b.getIndexAttr(1);
  OpFoldResult offset = b.getIndexAttr(0);
  MemRefType rowsType = type;
  memref::ExtractStridedMetadataOp metadata;
  if (type.getLayout().isIdentity()) {
    Value stride = length;
    for (int64_t dim = last - 1; dim >= 0; --dim) {
      strides[dim] = stride;
      Value size = getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes[dim]);
      if (dim > 0)
        stride = arith::MulIOp::create(b, stride, size,
                                       arith::IntegerOverflowFlags::nsw);
    }
  } else {
    auto [knownStrides, knownOffset] = type.getStridesAndOffset();
    metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    auto state = [&](int64_t known, Value number) -> OpFoldResult {
      if (!ShapedType::isDynamic(known))
        return b.getIndexAttr(known);
      return assumeMultiple(b, number, divisor);
    };
    offset = state(knownOffset, metadata.getOffset());
    for (int64_t dim = 0; dim < last; ++dim)
      strides[dim] = state(knownStrides[dim], metadata.getStrides()[dim]);
    knownStrides[last] = 1;
    rowsType = MemRefType::get(
        type.getShape(), type.getElementType(),
        StridedLayoutAttr::get(b.getContext(), knownOffset, knownStrides),
        type.getMemorySpace());
  }
  auto rows = memref::ReinterpretCastOp::create(b, rowsType, buffer, offset,
                                                sizes, strides);

  if (length)
    for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
      auto dim = dyn_cast<memref::DimOp>(user);
      if (dim && dim != asked && dim.getConstantIndex() == last)
        dim.getResult().replaceUsesWithIf(length, [&](OpOperand &use) {
          return body.isAncestor(use.getOwner()->getParentRegion());
        });
    }
  SmallVector<Operation *> users;
  for (Operation *user : buffer.getUsers())
    if (body.isAncestor(user->getParentRegion()) && user != rows &&
        user != metadata && !isa<memref::DimOp>(user))
      users.push_back(user);
  for (Operation *user : users)
    replaceBuffer(user, buffer, rows);
}

/// Gives the dimension with size `size` one element, in the body of `launch`.
static void assumeOne(gpu::LaunchOp launch, Value size) {
  auto dim = size.getDefiningOp<memref::DimOp>();
  Value buffer = dim.getSource();
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[*dim.getConstantIndex()] = 1;
  Region &body = launch.getBody();
  ImplicitLocOpBuilder b(launch.getLoc(), launch.getContext());
  b.setInsertionPointToStart(&body.front());
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto same = memref::CastOp::create(
      b, MemRefType(MemRefType::Builder(type).setShape(shape)), buffer);
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
    if (user == same || !body.isAncestor(user->getParentRegion()))
      continue;
    auto other = dyn_cast<memref::DimOp>(user);
    if (!other)
      replaceBuffer(user, buffer, same);
    else if (other.getConstantIndex() == dim.getConstantIndex())
      other.replaceAllUsesWith(one);
  }
  // Also sizes that are computed before the launch.
  for (Operation *user : llvm::make_early_inc_range(buffer.getUsers())) {
    auto other = dyn_cast<memref::DimOp>(user);
    if (other && other.getConstantIndex() == dim.getConstantIndex())
      other.getResult().replaceUsesWithIf(one, [&](OpOperand &use) {
        return body.isAncestor(use.getOwner()->getParentRegion());
      });
  }
}

/// Adds a version of `launch` that runs if all of `pageRows` are 1.
static void versionPagesOfOneRow(RewriterBase &rewriter, gpu::LaunchOp launch,
                                 ArrayRef<Value> pageRows) {
  rewriter.setInsertionPoint(launch);
  ImplicitLocOpBuilder b(launch.getLoc(), rewriter);
  Value one = arith::ConstantIndexOp::create(b, 1), areOne;
  for (Value rows : pageRows) {
    auto dim = rows.getDefiningOp<memref::DimOp>();
    Value same =
        memref::DimOp::create(b, dim.getSource(), *dim.getConstantIndex());
    Value isOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, same, one);
    areOne =
        areOne ? arith::AndIOp::create(b, areOne, isOne).getResult() : isOne;
  }
  auto branch = scf::IfOp::create(b, areOne, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto ofOne = cast<gpu::LaunchOp>(rewriter.clone(*launch));
  rewriter.moveOpBefore(launch, branch.elseBlock()->getTerminator());
  for (Value rows : pageRows)
    assumeOne(ofOne, rows);
}

/// Used instead of a dimension if the value is itself a number.
static constexpr int64_t kNoDim = -1;

/// Returns the origin of the size of dimension `dim` of `buffer`: a dimension
/// of a buffer, or a number with which a buffer is allocated.
static std::pair<Value, int64_t> getOrigin(Value buffer, int64_t dim) {
  while (auto alloc = buffer.getDefiningOp<memref::AllocOp>()) {
    MemRefType type = alloc.getType();
    if (!type.isDynamicDim(dim))
      break;
    Value size = alloc.getDynamicSizes()[type.getDynamicDimIndex(dim)];
    auto other = size.getDefiningOp<memref::DimOp>();
    std::optional<int64_t> index =
        other ? other.getConstantIndex() : std::nullopt;
    if (!index)
      return {size, kNoDim};
    buffer = other.getSource();
    dim = *index;
  }
  return {buffer, dim};
}

namespace {
/// Maps dimensions of buffers, or numbers, to divisors of their sizes.
using Multiples = llvm::MapVector<std::pair<Value, int64_t>, int64_t>;

/// Facts about multiples that the conditions of branches around a launch imply.
struct BranchFacts {
  Multiples multiples;
  /// For each entry: some size is not a multiple.
  SmallVector<Multiples> refuted;

  explicit BranchFacts(gpu::LaunchOp launch);

  /// Returns whether dimension `dim` of `buffer` is known to be a multiple of
  /// `divisor`.
  bool hasMultiple(Value buffer, int64_t dim, int64_t divisor) const {
    auto [origin, number] = getOrigin(buffer, dim);
    // The number with which it is allocated may be a multiple.
    if (number == kNoDim && vector_ext::getKnownDivisor(origin) % divisor == 0)
      return true;
    auto it = multiples.find({origin, number});
    return it != multiples.end() && it->second % divisor == 0;
  }
};
} // namespace

/// Adds the facts of `condition` to `multiples`: it must be a conjunction of
/// comparisons of remainders with 0. Returns false if it says something else as
/// well.
static bool collectMultiples(Value condition, Multiples &multiples,
                             arith::CmpIPredicate predicate) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>();
      both && predicate == arith::CmpIPredicate::eq) {
    bool lhs = collectMultiples(both.getLhs(), multiples, predicate);
    return collectMultiples(both.getRhs(), multiples, predicate) && lhs;
  }
  auto cmp = condition.getDefiningOp<arith::CmpIOp>();
  if (!cmp || cmp.getPredicate() != predicate ||
      getConstantIntValue(cmp.getRhs()) != 0)
    return false;
  auto rest = cmp.getLhs().getDefiningOp<arith::RemUIOp>();
  std::optional<int64_t> divisor =
      rest ? getConstantIntValue(rest.getRhs()) : std::nullopt;
  if (!divisor || *divisor < 1)
    return false;
  auto dim = rest.getLhs().getDefiningOp<memref::DimOp>();
  std::optional<int64_t> index = dim ? dim.getConstantIndex() : std::nullopt;
  std::pair<Value, int64_t> origin = index ? getOrigin(dim.getSource(), *index)
                                           : std::pair(rest.getLhs(), kNoDim);
  int64_t &known = multiples.insert({origin, 1}).first->second;
  known = std::lcm(known, *divisor);
  return true;
}

BranchFacts::BranchFacts(gpu::LaunchOp launch) {
  Operation *inner = launch;
  while (auto branch = dyn_cast<scf::IfOp>(inner->getParentOp())) {
    SmallVector<Value> worklist;
    Multiples none;
    if (inner->getParentRegion() == &branch.getThenRegion())
      worklist.push_back(branch.getCondition());
    else if (collectMultiples(branch.getCondition(), none,
                              arith::CmpIPredicate::eq))
      refuted.push_back(std::move(none));
    while (!worklist.empty()) {
      Value condition = worklist.pop_back_val();
      if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
        llvm::append_range(worklist, both->getOperands());
        continue;
      }
      (void)collectMultiples(condition, multiples, arith::CmpIPredicate::eq);
      auto negation = condition.getDefiningOp<arith::XOrIOp>();
      Multiples all;
      if (negation && getConstantIntValue(negation.getRhs())
              ? collectMultiples(negation.getLhs(), all,
                                 arith::CmpIPredicate::eq)
              : collectMultiples(condition, all, arith::CmpIPredicate::ne))
        refuted.push_back(std::move(all));
    }
    inner = branch;
  }
}

namespace {
/// The sizes that the version of a launch for aligned rows assumes.
struct AlignedSizes {
  int64_t bytes = 1, maxBytes = 0;
  /// Buffers whose rows are accessed, and the number of elements of which the
  /// length of their rows is a multiple.
  llvm::MapVector<Value, int64_t> buffers;
  /// Sizes of other buffers that equal lengths of such rows. They are multiples
  /// of `largest`.
  llvm::SetVector<Value> lengths;
  int64_t largest = 1;
  /// Numbers of rows in a page, which are multiples of `kPageRows`.
  llvm::SetVector<Value> pageRows;

  /// Returns the most elements of a row, if `divisor` elements have `bytes`
  /// bytes. 0 if there is no limit.
  int64_t getMost(int64_t divisor) const { return maxBytes / bytes * divisor; }
};

/// Builds the conjunction of all requirements.
class Conjunction {
public:
  explicit Conjunction(ImplicitLocOpBuilder &b)
      : b(b), zero(arith::ConstantIndexOp::create(b, 0)) {}

  void require(Value condition) {
    all =
        all ? arith::AndIOp::create(b, all, condition).getResult() : condition;
  }
  void requireMultiple(Value length, int64_t divisor) {
    Value rest = arith::RemUIOp::create(
        b, length, arith::ConstantIndexOp::create(b, divisor));
    require(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rest, zero));
  }
  void requireNotZero(Value value) {
    require(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value, zero));
  }
  Value get() const { return all; }

private:
  ImplicitLocOpBuilder &b;
  Value zero, all;
};
} // namespace

static int64_t getLastDim(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getRank() - 1;
}

/// Returns whether rows of `buffer` are contiguous, and their length is not
/// known.
static bool hasRowsOfUnknownLength(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getLayout().isIdentity() && type.isDynamicDim(getLastDim(buffer));
}

static AlignedSizes collectSizes(gpu::LaunchOp launch, int64_t bytes,
                                 int64_t maxBytes) {
  AlignedSizes sizes;
  sizes.bytes = bytes;
  sizes.maxBytes = maxBytes;
  launch.walk([&](VectorTransferOpInterface op) {
    Value buffer = getBufferOfRows(launch, op, bytes);
    if (!buffer)
      return;
    int64_t divisor = getDivisor(cast<MemRefType>(buffer.getType()), bytes);
    sizes.largest = std::max(sizes.largest, divisor);
    sizes.buffers.insert({buffer, divisor});
    collectMaskedLengths(op, sizes.lengths);
  });
  launch.walk([&](vector_ext::TransferGatherOp gather) {
    collectPageRows(gather, sizes.pageRows);
  });
  // Leaves out sizes of these buffers themselves, and of buffers in the kernel.
  auto isOfAnother = [&](Value length) {
    auto dim = length.getDefiningOp<memref::DimOp>();
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!type || !index ||
        launch.getBody().isAncestor(dim.getSource().getParentRegion()))
      return false;
    return !(sizes.buffers.contains(dim.getSource()) &&
             *index == type.getRank() - 1);
  };
  sizes.lengths.remove_if([&](Value length) { return !isOfAnother(length); });
  sizes.pageRows.remove_if([&](Value rows) { return !isOfAnother(rows); });
  return sizes;
}

/// Returns whether a branch around the launch implies that rows of `sizes` are
/// not all multiples.
static bool areRefuted(const AlignedSizes &sizes, const BranchFacts &facts) {
  return llvm::any_of(facts.refuted, [&](const Multiples &refuted) {
    return llvm::all_of(refuted, [&](const auto &multiple) {
      return llvm::any_of(sizes.buffers, [&](const auto &known) {
        return hasRowsOfUnknownLength(known.first) &&
               getOrigin(known.first, getLastDim(known.first)) ==
                   multiple.first &&
               known.second % multiple.second == 0;
      });
    });
  });
}

/// Assumes in `launch` what the branches around it imply, and removes this from
/// `sizes`, since it needs no version. Returns whether `sizes` is then empty.
static bool assumeFacts(gpu::LaunchOp launch, AlignedSizes &sizes,
                        const BranchFacts &facts) {
  llvm::SetVector<Value> knownLengths;
  for (Value length : sizes.lengths) {
    auto dim = length.getDefiningOp<memref::DimOp>();
    if (facts.hasMultiple(dim.getSource(), *dim.getConstantIndex(),
                          sizes.largest))
      knownLengths.insert(length);
  }
  SmallVector<std::pair<Value, int64_t>> knownRows;
  for (auto [buffer, divisor] : sizes.buffers)
    if (sizes.maxBytes == 0 && hasRowsOfUnknownLength(buffer) &&
        facts.hasMultiple(buffer, getLastDim(buffer), divisor))
      knownRows.emplace_back(buffer, divisor);
  bool areAllKnown = sizes.maxBytes == 0 && sizes.pageRows.empty() &&
                     knownLengths.size() == sizes.lengths.size() &&
                     knownRows.size() == sizes.buffers.size();
  for (Value length : knownLengths)
    assumeMultipleSize(launch, length, sizes.largest);
  for (auto [buffer, divisor] : knownRows) {
    assumeMultipleRows(launch, buffer, divisor, /*most=*/0);
    sizes.buffers.erase(buffer);
  }
  sizes.lengths.remove_if(
      [&](Value length) { return knownLengths.contains(length); });
  return areAllKnown;
}

/// Requires that rows of `buffer` are not too long, and that their lengths and
/// starts are multiples of `divisor`. Adds ops that ask for strides to `asked`.
static void requireRows(ImplicitLocOpBuilder &b, Conjunction &condition,
                        const AlignedSizes &sizes, Value buffer,
                        int64_t divisor, SmallVectorImpl<Operation *> &asked) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t last = getLastDim(buffer);
  if (!type.getLayout().isIdentity()) {
    auto [strides, offset] = type.getStridesAndOffset();
    auto metadata = memref::ExtractStridedMetadataOp::create(b, buffer);
    asked.push_back(metadata);
    if (ShapedType::isDynamic(offset))
      condition.requireMultiple(metadata.getOffset(), divisor);
    for (int64_t dim = 0; dim < last; ++dim)
      if (ShapedType::isDynamic(strides[dim]))
        condition.requireMultiple(metadata.getStrides()[dim], divisor);
    if (ShapedType::isDynamic(strides[last]))
      condition.require(arith::CmpIOp::create(
          b, arith::CmpIPredicate::eq, metadata.getStrides()[last],
          arith::ConstantIndexOp::create(b, 1)));
  }
  if (!type.isDynamicDim(last))
    return;
  Value length = memref::DimOp::create(b, buffer, last);
  condition.requireMultiple(length, divisor);
  if (sizes.maxBytes > 0)
    condition.require(arith::CmpIOp::create(
        b, arith::CmpIPredicate::ule, length,
        arith::ConstantIndexOp::create(b, sizes.getMost(divisor))));
}

/// Builds the condition that all `sizes` are as the version for aligned rows
/// assumes.
static Value buildCondition(ImplicitLocOpBuilder &b, const AlignedSizes &sizes,
                            SmallVectorImpl<Operation *> &asked) {
  Conjunction condition(b);
  for (auto [buffer, divisor] : sizes.buffers)
    requireRows(b, condition, sizes, buffer, divisor, asked);
  auto copyDim = [&](Value size) -> Value {
    auto dim = size.getDefiningOp<memref::DimOp>();
    return memref::DimOp::create(b, dim.getSource(), *dim.getConstantIndex());
  };
  for (Value length : sizes.lengths)
    condition.requireMultiple(copyDim(length), sizes.largest);
  for (Value rows : sizes.pageRows) {
    Value same = copyDim(rows);
    condition.requireMultiple(same, kPageRows);
    condition.requireNotZero(same);
  }
  return condition.get();
}

FailureOr<gpu::LaunchOp> mlir::linalg_ext::versionLaunch(RewriterBase &rewriter,
                                                         gpu::LaunchOp launch,
                                                         int64_t bytes,
                                                         int64_t maxBytes) {
  AlignedSizes sizes = collectSizes(launch, bytes, maxBytes);
  if ((sizes.buffers.empty() && sizes.pageRows.empty()) ||
      launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return failure();
  BranchFacts facts(launch);
  if (areRefuted(sizes, facts))
    return failure();
  if (assumeFacts(launch, sizes, facts))
    return launch;

  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(launch);
  ImplicitLocOpBuilder b(launch.getLoc(), rewriter);
  SmallVector<Operation *> asked;
  Value condition = buildCondition(b, sizes, asked);
  auto branch = scf::IfOp::create(b, condition, /*withElseRegion=*/true);
  resolveStrides(asked);
  rewriter.setInsertionPointToStart(branch.thenBlock());
  auto aligned = cast<gpu::LaunchOp>(rewriter.clone(*launch));
  rewriter.moveOpBefore(launch, branch.elseBlock()->getTerminator());
  for (Value length : sizes.lengths)
    assumeMultipleSize(aligned, length, sizes.largest);
  for (Value rows : sizes.pageRows)
    assumeMultipleSize(aligned, rows, kPageRows, /*least=*/kPageRows);
  for (auto [buffer, divisor] : sizes.buffers)
    assumeMultipleRows(aligned, buffer, divisor, sizes.getMost(divisor));
  if (!sizes.pageRows.empty())
    versionPagesOfOneRow(rewriter, launch, sizes.pageRows.getArrayRef());
  return aligned;
}
