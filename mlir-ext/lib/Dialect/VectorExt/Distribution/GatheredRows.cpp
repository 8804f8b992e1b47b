//===- GatheredRows.cpp - Rows that are copied in parts -------------------===//
//
// The positions of gathered rows are vectors. For pages of 64 rows, and rows
// from a multiple of 64 on, these are
//
//     %s     = rows, one after the other          counts
//     %page  = table[%s / 64]                     the same in 64 rows
//     %row   = %s mod 64                          counts in 64 rows
//
// A vector that is the same in all rows of a part is computed for the first row
// alone, as a scalar. One that counts tells where the part starts.
//
//===----------------------------------------------------------------------===//

#include "GatheredRows.h"
#include "mlir-ext/Dialect/VectorExt/Analysis/MemoryAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using linalg_ext::Refusal;
using linalg_ext::RefusalKind;

//===----------------------------------------------------------------------===//
// Patterns in parts
//===----------------------------------------------------------------------===//

namespace {
/// How a vector continues in a part from its first element on.
enum class InPart { Other, Same, Counts };

struct PartPattern {
  InPart pattern = InPart::Other;
  /// A divisor of the first element of each part; 0 if all are 0.
  int64_t divisor = 1;
};
} // namespace

static std::optional<int64_t> getSplat(Value value) {
  llvm::APInt splat;
  if (matchPattern(value, m_ConstantInt(&splat)))
    return splat.getSExtValue();
  return std::nullopt;
}

/// True if `op` computes each element of its results from those of its operands
/// at the same place, and from nothing else.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isPure(op) &&
         op->getNumRegions() == 0;
}

/// Adds to `conditions` those that all hold where `mask` does.
static void addConditions(Value mask, llvm::SetVector<Value> &conditions) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    addConditions(both.getLhs(), conditions);
    addConditions(both.getRhs(), conditions);
    return;
  }
  conditions.insert(mask);
}

/// The pattern of `value` in parts of `size` elements, as far as its elements
/// are used: where all of `conditions` hold, and in the first element of a part.
static PartPattern getPattern(Value value, int64_t size,
                              const llvm::SetVector<Value> &conditions) {
  if (std::optional<int64_t> splat = getSplat(value))
    return {InPart::Same, std::abs(*splat)};
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (isa<vector::StepOp>(op))
    return {InPart::Counts, size};
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    Value source = broadcast.getSource();
    if (isa<VectorType>(source.getType()))
      return {};
    return {InPart::Same, source.getType().isIndex() ? getKnownDivisor(source) : 1};
  }
  SmallVector<PartPattern> operands = llvm::map_to_vector(
      op->getOperands(), [&](Value operand) {
        return isa<VectorType>(operand.getType())
                   ? getPattern(operand, size, conditions)
                   : PartPattern{InPart::Same, 1};
      });
  auto is = [&](unsigned i, InPart pattern) {
    return operands[i].pattern == pattern;
  };
  bool isSame = llvm::all_of(operands, [](const PartPattern &operand) {
    return operand.pattern == InPart::Same;
  });
  if (auto gather = dyn_cast<vector::GatherOp>(op)) {
    llvm::SetVector<Value> ofGather;
    addConditions(gather.getMask(), ofGather);
    bool isRead = llvm::all_of(ofGather, [&](Value condition) {
      return conditions.contains(condition) ||
             getPattern(condition, size, conditions).pattern == InPart::Same;
    });
    InPart ofIndex = getPattern(gather.getIndices(), size, conditions).pattern;
    return {isRead && ofIndex == InPart::Same ? InPart::Same : InPart::Other, 1};
  }
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op))
    return {getKnownDivisor(mask.getOperands().front()) % size == 0
                ? InPart::Same
                : InPart::Other,
            1};
  if (!isElementwise(op))
    return {};
  if (isa<arith::AddIOp, arith::SubIOp>(op)) {
    bool mayCount = is(1, InPart::Same) ||
                    (isa<arith::AddIOp>(op) && is(0, InPart::Same));
    if (!isSame && (!mayCount || is(0, InPart::Other) || is(1, InPart::Other)))
      return {};
    return {isSame ? InPart::Same : InPart::Counts,
            std::gcd(operands[0].divisor, operands[1].divisor)};
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    return operands[0];
  if (isSame) {
    bool isProduct = isa<arith::MulIOp>(op);
    return {InPart::Same,
            isProduct ? operands[0].divisor * operands[1].divisor : 1};
  }
  // What is left counts, and is divided by a number that the part divides.
  std::optional<int64_t> right =
      op->getNumOperands() == 2 ? getSplat(op->getOperand(1)) : std::nullopt;
  if (!right || !is(0, InPart::Counts) || operands[0].divisor % size != 0)
    return {};
  int64_t divisor = isa<arith::ShRSIOp, arith::ShRUIOp>(op) && *right < 62
                        ? int64_t(1) << *right
                    : isa<arith::AndIOp>(op) ? *right + 1
                                             : *right;
  if (divisor <= 0 || divisor % size != 0)
    return {};
  if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::FloorDivSIOp, arith::DivUIOp>(
          op))
    return {InPart::Same, 1};
  if ((isa<arith::AndIOp>(op) && llvm::isPowerOf2_64(divisor)) ||
      isa<arith::RemUIOp>(op))
    return {InPart::Counts, std::gcd(operands[0].divisor, divisor)};
  return {};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {
/// Builds single elements of vectors with a pattern.
class ElementBuilder {
public:
  ElementBuilder(RewriterBase &b, Location loc, int64_t at)
      : b(b), loc(loc), at(at) {}

  Value build(Value vector);

private:
  Value buildGather(vector::GatherOp gather);

  RewriterBase &b;
  Location loc;
  int64_t at;
  llvm::DenseMap<Value, Value> built;
};
} // namespace

Value ElementBuilder::buildGather(vector::GatherOp gather) {
  Value index = build(gather.getIndices());
  if (!index.getType().isIndex())
    index = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), index);
  index = b.createOrFold<arith::AddIOp>(loc, gather.getOffsets().front(), index);
  Value mask = build(gather.getMask()), other = build(gather.getPassThru());
  return scf::IfOp::create(
             b, loc, mask,
             [&](OpBuilder &b, Location loc) {
               Value element =
                   memref::LoadOp::create(b, loc, gather.getBase(), index);
               scf::YieldOp::create(b, loc, element);
             },
             [&](OpBuilder &b, Location loc) {
               scf::YieldOp::create(b, loc, other);
             })
      .getResult(0);
}

/// The element `at` of `vector`.
Value ElementBuilder::build(Value vector) {
  Type type = getElementTypeOrSelf(vector.getType());
  if (std::optional<int64_t> splat = getSplat(vector))
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, *splat));
  Operation *op = vector.getDefiningOp();
  if (isa<vector::StepOp>(op))
    return arith::ConstantIndexOp::create(b, loc, at);
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return broadcast.getSource();
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op))
    return b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::slt,
        arith::ConstantIndexOp::create(b, loc, at), mask.getOperands().front());
  if (Value known = built.lookup(vector))
    return known;
  Value result;
  if (auto gather = dyn_cast<vector::GatherOp>(op)) {
    result = buildGather(gather);
  } else {
    IRMapping operands;
    for (Value operand : op->getOperands())
      if (isa<VectorType>(operand.getType()))
        operands.map(operand, build(operand));
    Operation *clone = b.clone(*op, operands);
    for (OpResult each : clone->getResults())
      each.setType(getElementTypeOrSelf(each.getType()));
    result = clone->getResult(cast<OpResult>(vector).getResultNumber());
  }
  return built[vector] = result;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {
/// A sum of values, each times a number, and a number.
struct LinearSum {
  llvm::MapVector<Value, int64_t> factors;
  int64_t constant = 0;

  /// Adds the first element of the vector, or the scalar, `value`.
  void add(Value value, int64_t factor);
  bool isZero() const {
    return constant == 0 && llvm::all_of(factors, [](const auto &term) {
             return term.second == 0;
           });
  }
};
} // namespace

void LinearSum::add(Value value, int64_t factor) {
  if (std::optional<int64_t> splat = getSplat(value)) {
    constant += factor * *splat;
    return;
  }
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<vector::StepOp>(op))
    return;
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    add(op->getOperand(0), factor);
    add(op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor);
    return;
  }
  if (isa_and_nonnull<vector::BroadcastOp, arith::IndexCastOp>(op)) {
    add(op->getOperand(0), factor);
    return;
  }
  factors[value] += factor;
}

/// Finds which dimensions of the memory the tile has.
bool GatheredRows::findMap(Refusal &refusal) {
  auto refuse = [&](const Twine &text) {
    (void)refusal.set(RefusalKind::Other, gather, text);
    return false;
  };
  auto type = cast<VectorType>(gather.getType());
  SmallVector<unsigned> dims(type.getRank(), -1u);
  for (auto [i, expr] : llvm::enumerate(gather.getBaseMap().getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      dims[dim.getPosition()] = i;
      continue;
    }
    auto symbol = dyn_cast<AffineSymbolExpr>(expr);
    if (!symbol)
      continue;
    PartPattern of =
        getPattern(gather.getIndices()[symbol.getPosition()], partRows, visible);
    if (of.pattern == InPart::Other)
      return refuse("the positions of gathered rows are not contiguous in parts "
                    "of a multiple of 8 rows");
    if (of.pattern != InPart::Counts)
      continue;
    if (dims.front() != -1u)
      return refuse("gathered rows run along two dimensions of the memory");
    dims.front() = i;
  }
  if (llvm::is_contained(dims, -1u))
    return refuse("the tile repeats gathered rows");
  rowDim = dims.front();
  map = AffineMap::getMultiDimMapWithTargets(gather.getBaseMap().getNumResults(),
                                             dims, gather.getContext());
  return true;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// True if `op` compares the position of each row with the size of the memory:
/// copies leave out what is not in there.
bool GatheredRows::isEndOfMemory(Operation *op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      getPattern(compare.getLhs(), numRows, visible).pattern != InPart::Counts)
    return false;
  auto type = cast<MemRefType>(gather.getBase().getType());
  LinearSum distance;
  distance.add(compare.getLhs(), 1);
  distance.add(gather.getOffsets()[rowDim], -1);
  AffineExpr position = gather.getBaseMap().getResult(rowDim);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(position))
    distance.add(gather.getIndices()[symbol.getPosition()], -1);
  if (!distance.isZero())
    return false;
  Value size = compare.getRhs();
  if (std::optional<int64_t> constant = getSplat(size))
    return *constant == type.getDimSize(rowDim);
  auto broadcast = size.getDefiningOp<vector::BroadcastOp>();
  auto dim = broadcast ? broadcast.getSource().getDefiningOp<memref::DimOp>()
                       : nullptr;
  return dim && dim.getSource() == gather.getBase() &&
         dim.getConstantIndex() == static_cast<int64_t>(rowDim);
}

/// Adds what `condition` hides: whole parts, or rows from one on.
LogicalResult GatheredRows::addCondition(Value condition, Refusal &refusal) {
  Operation *op = condition.getDefiningOp();
  if (getPattern(condition, partRows, visible).pattern == InPart::Same) {
    conditions.push_back(condition);
    return success();
  }
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  bool isEnd =
      isa_and_nonnull<vector::CreateMaskOp>(op) ||
      (compare && compare.getPredicate() == arith::CmpIPredicate::slt &&
       getPattern(compare.getLhs(), numRows, visible).pattern ==
           InPart::Counts &&
       getPattern(compare.getRhs(), numRows, visible).pattern == InPart::Same);
  if (isEnd) {
    conditions.push_back(condition);
    ends.push_back(op);
    return success();
  }
  if (op && isEndOfMemory(op))
    return success();
  return refusal.set(RefusalKind::Other, gather,
                     "the mask of gathered rows hides others than whole parts "
                     "and the last rows");
}

//===----------------------------------------------------------------------===//
// GatheredRows
//===----------------------------------------------------------------------===//

FailureOr<GatheredRows> GatheredRows::get(TransferGatherOp gather,
                                          Refusal &refusal) {
  auto refuse = [&](const Twine &text) {
    return refusal.set(RefusalKind::Other, gather, text);
  };
  GatheredRows rows(gather);
  auto type = cast<VectorType>(gather.getType());
  MLIRContext *context = gather.getContext();
  AffineMap first = AffineMap::get(type.getRank(), 0, getAffineDimExpr(0, context));
  for (unsigned i = 0; i < gather.getIndices().size(); ++i)
    if (gather.getIndexMap(i) != first)
      return refuse("other than the first dimension of a tile is gathered");
  if (gather.getMask() && gather.getMaskMap() != first)
    return refuse("the mask of gathered rows is not along the first dimension");
  rows.numRows = type.getDimSize(0);
  if (gather.getMask())
    addConditions(gather.getMask(), rows.visible);
  // The largest parts in which all positions have a pattern.
  Refusal last;
  for (int64_t parts = 1; parts * 8 <= rows.numRows; ++parts) {
    if (rows.numRows % (8 * parts) != 0)
      continue;
    rows.partRows = rows.numRows / parts;
    rows.conditions.clear();
    rows.ends.clear();
    if (rows.findMap(last) &&
        llvm::all_of(rows.visible, [&](Value condition) {
          return succeeded(rows.addCondition(condition, last));
        }))
      return rows;
  }
  if (rows.partRows == 0)
    return refuse("a number of rows is gathered that 8 does not divide");
  return refuse(last.text);
}

SmallVector<Value> GatheredRows::buildIndices(RewriterBase &b, Location loc,
                                              int64_t number) const {
  TransferGatherOp gather = this->gather;
  ElementBuilder elements(b, loc, number * partRows);
  SmallVector<Value> indices(gather.getOffsets());
  for (auto [i, expr] : llvm::enumerate(gather.getBaseMap().getResults())) {
    Value more;
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      more = elements.build(gather.getIndices()[symbol.getPosition()]);
    else if (i == rowDim && number != 0)
      more = arith::ConstantIndexOp::create(b, loc, number * partRows);
    else
      continue;
    if (!more.getType().isIndex())
      more = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), more);
    indices[i] = b.createOrFold<arith::AddIOp>(loc, indices[i], more);
  }
  // Rows in front of the memory are zero, and their page does not matter: of an
  // entry that does not exist, copies see only some bits.
  Value exists;
  for (Value condition : conditions) {
    Value holds = elements.build(condition);
    exists = exists ? b.createOrFold<arith::AndIOp>(loc, exists, holds) : holds;
  }
  if (exists)
    indices[rowDim] = b.createOrFold<arith::SelectOp>(
        loc, exists, indices[rowDim],
        arith::ConstantIndexOp::create(b, loc, -partRows));
  return indices;
}

Value GatheredRows::buildEnd(RewriterBase &b, Location loc) const {
  Value end;
  for (Operation *op : ends) {
    Value count;
    if (auto mask = dyn_cast<vector::CreateMaskOp>(op)) {
      count = mask.getOperands().front();
    } else {
      ElementBuilder elements(b, loc, 0);
      auto toIndex = [&](Value value) {
        return value.getType().isIndex()
                   ? value
                   : b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(),
                                                        value);
      };
      count = b.createOrFold<arith::SubIOp>(
          loc, toIndex(elements.build(op->getOperand(1))),
          toIndex(elements.build(op->getOperand(0))));
    }
    end = end ? b.createOrFold<arith::MinSIOp>(loc, end, count) : count;
  }
  return end;
}
