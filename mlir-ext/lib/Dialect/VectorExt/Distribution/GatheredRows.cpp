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
#include "mlir-ext/Support/ElementBits.h"

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

/// Boxes of a single row are slower than copies of 16 bytes
/// (docs/Decisions/0076).
static constexpr int64_t minPartRows = 2;

/// If a tile needs more boxes, copies of 16 bytes are faster. Each box has one
/// part and 128 bytes of a row (docs/Decisions/0126).
static constexpr int64_t maxBoxes = 64, boxBytes = 128;

//===----------------------------------------------------------------------===//
// Patterns in parts
//===----------------------------------------------------------------------===//

namespace {
/// How a vector continues within a part after its first element.
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

/// Returns whether `op` computes each element of its results only from the
/// elements of its operands at the same place.
static bool isElementwise(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isPure(op) &&
         op->getNumRegions() == 0;
}

/// Returns the scalar by which `op` divides all elements, if it is no constant.
static Value getScalarDivisor(Operation *op) {
  auto broadcast =
      isa<arith::FloorDivSIOp, arith::DivUIOp>(op)
          ? op->getOperand(1).getDefiningOp<vector::BroadcastOp>()
          : nullptr;
  return broadcast && broadcast.getSourceType().isIndex() ? broadcast.getSource()
                                                          : Value();
}

/// Adds conditions that all hold where `mask` holds.
static void addConditions(Value mask, llvm::SetVector<Value> &conditions) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    addConditions(both.getLhs(), conditions);
    addConditions(both.getRhs(), conditions);
    return;
  }
  conditions.insert(mask);
}

/// Returns the pattern of `value` in parts of `size` elements, as far as its
/// elements are used: where all of `conditions` hold, and in the first element
/// of a part.
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
  // The remaining vectors count, and are divided by a multiple of the part's
  // size.
  std::optional<int64_t> right =
      op->getNumOperands() == 2 ? getSplat(op->getOperand(1)) : std::nullopt;
  if (!is(0, InPart::Counts) || operands[0].divisor % size != 0)
    return {};
  if (Value scalar = getScalarDivisor(op); scalar && !right) {
    int64_t divisor = getKnownDivisor(scalar);
    return {divisor != 0 && divisor % size == 0 ? InPart::Same : InPart::Other, 1};
  }
  if (!right)
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

/// Builds single elements of vectors with a pattern. The elements of gathers
/// are set before.
class mlir::vector_ext::FirstRowBuilder {
public:
  FirstRowBuilder(RewriterBase &b, Location loc, Value at)
      : b(b), loc(loc), at(at) {}

  Value getPlace() const { return at; }

  Value build(Value vector);
  void set(Value vector, Value element) { built[vector] = element; }

private:
  RewriterBase &b;
  Location loc;
  Value at;
  llvm::DenseMap<Value, Value> built;
};

/// Builds the elements of `gather` for all of `elements`. With a branch for
/// each load, each load would be waited for. Here all loads are under way at
/// the same time. Where a mask hides an element, another element is read
/// instead.
static void buildLookups(RewriterBase &b, Location loc, vector::GatherOp gather,
                         MutableArrayRef<FirstRowBuilder> elements) {
  SmallVector<Value> masks, indices, others;
  for (FirstRowBuilder &element : elements) {
    Value index = element.build(gather.getIndices());
    if (!index.getType().isIndex())
      index = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), index);
    indices.push_back(b.createOrFold<arith::AddIOp>(
        loc, gather.getOffsets().front(), index));
    masks.push_back(element.build(gather.getMask()));
    others.push_back(element.build(gather.getPassThru()));
  }
  Value any = masks.back(), there = indices.back();
  for (auto [mask, index] :
       llvm::drop_begin(llvm::reverse(llvm::zip_equal(masks, indices)))) {
    any = b.createOrFold<arith::OrIOp>(loc, any, mask);
    there = b.createOrFold<arith::SelectOp>(loc, mask, index, there);
  }
  SmallVector<Value> places;
  for (auto [mask, index] : llvm::zip_equal(masks, indices))
    places.push_back(
        b.createOrFold<arith::SelectOp>(loc, mask, index, there));
  auto read = scf::IfOp::create(
      b, loc, any,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(
            b, loc, llvm::map_to_vector(places, [&](Value place) -> Value {
              return memref::LoadOp::create(b, loc, gather.getBase(), place);
            }));
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, others);
      });
  for (auto [element, mask, value, other] :
       llvm::zip_equal(elements, masks, read.getResults(), others))
    element.set(gather.getResult(),
                b.createOrFold<arith::SelectOp>(loc, mask, value, other));
}

/// Adds the gathers from which `vector` is computed, in the order in which they
/// depend on each other.
static void addLookups(Value vector,
                       llvm::SetVector<vector::GatherOp> &lookups) {
  Operation *op = vector.getDefiningOp();
  if (!op)
    return;
  for (Value operand : op->getOperands())
    if (isa<VectorType>(operand.getType()))
      addLookups(operand, lookups);
  if (auto gather = dyn_cast<vector::GatherOp>(op))
    lookups.insert(gather);
}

/// Builds the element `at` of `vector`.
Value FirstRowBuilder::build(Value vector) {
  Type type = getElementTypeOrSelf(vector.getType());
  if (std::optional<int64_t> splat = getSplat(vector))
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, *splat));
  Operation *op = vector.getDefiningOp();
  if (isa<vector::StepOp>(op))
    return at;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return broadcast.getSource();
  if (auto mask = dyn_cast<vector::CreateMaskOp>(op))
    return b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt, at,
                                         mask.getOperands().front());
  if (Value known = built.lookup(vector))
    return known;
  IRMapping operands;
  for (Value operand : op->getOperands())
    if (isa<VectorType>(operand.getType()))
      operands.map(operand, build(operand));
  Operation *clone = b.clone(*op, operands);
  for (OpResult each : clone->getResults())
    each.setType(getElementTypeOrSelf(each.getType()));
  Value result = clone->getResult(cast<OpResult>(vector).getResultNumber());
  // A part that begins a page begins with its first row.
  if (isa<arith::AndIOp, arith::RemUIOp>(clone) && type.isIndex()) {
    std::optional<int64_t> right = getSplat(clone->getOperand(1));
    int64_t divisor = right.value_or(-1) + (isa<arith::AndIOp>(clone) ? 1 : 0);
    if (llvm::isPowerOf2_64(std::max<int64_t>(divisor, 0)) &&
        getKnownDivisor(clone->getOperand(0)) % divisor == 0)
      result = arith::ConstantIndexOp::create(b, loc, 0);
  }
  return built[vector] = result;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

namespace {
/// A sum of values with factors, and a constant.
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

/// Finds the dimensions of the memory that the tile has.
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
                    "of a multiple of " + Twine(minPartRows) + " rows");
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

/// Returns whether `op` compares the position of each row with the size of the
/// memory. Copies leave out rows beyond it in any case.
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

/// Adds a condition. It may hide whole parts, or all rows from some row on.
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
  // Find the largest parts in which all positions have a pattern.
  Refusal last;
  int64_t boxesOfRow =
      llvm::divideCeil(type.getShape().back() *
                           linalg_ext::getElementBits(type),
                       boxBytes * 8);
  for (int64_t parts = 1; parts * minPartRows <= rows.numRows; ++parts) {
    if (rows.numRows % (minPartRows * parts) != 0)
      continue;
    if (parts * boxesOfRow > maxBoxes && rows.partRows != 0)
      return refuse(last.text + ", of which a tile has at most " +
                    Twine(maxBoxes / boxesOfRow));
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
    return refuse("a number of rows is gathered that " + Twine(minPartRows) +
                  " does not divide");
  return refuse(last.text);
}

SmallVector<SmallVector<Value>>
GatheredRows::buildIndices(RewriterBase &b, Location loc, Value copier,
                           int64_t copiers) const {
  TransferGatherOp gather = this->gather;
  llvm::SetVector<vector::GatherOp> lookups;
  for (Value vector : gather.getIndices())
    addLookups(vector, lookups);
  for (Value condition : conditions)
    addLookups(condition, lookups);
  SmallVector<FirstRowBuilder, 0> elements;
  int64_t numOwn = getNumParts() / copiers;
  for (int64_t part = 0; part < numOwn; ++part) {
    Value at = arith::ConstantIndexOp::create(b, loc, part * partRows);
    if (copiers > 1)
      at = b.createOrFold<arith::AddIOp>(
          loc,
          b.createOrFold<arith::MulIOp>(
              loc, copier,
              arith::ConstantIndexOp::create(b, loc, numOwn * partRows)),
          at);
    elements.emplace_back(b, loc, at);
  }
  for (vector::GatherOp lookup : lookups)
    buildLookups(b, loc, lookup, elements);
  SmallVector<SmallVector<Value>> parts;
  for (FirstRowBuilder &element : elements)
    parts.push_back(buildIndicesOfPart(b, loc, element));
  return parts;
}

SmallVector<Value>
GatheredRows::buildIndicesOfPart(RewriterBase &b, Location loc,
                                 FirstRowBuilder &element) const {
  TransferGatherOp gather = this->gather;
  SmallVector<Value> indices(gather.getOffsets());
  for (auto [i, expr] : llvm::enumerate(gather.getBaseMap().getResults())) {
    Value more;
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      more = element.build(gather.getIndices()[symbol.getPosition()]);
    else if (i == rowDim)
      more = element.getPlace();
    else
      continue;
    if (!more.getType().isIndex())
      more = b.createOrFold<arith::IndexCastOp>(loc, b.getIndexType(), more);
    indices[i] = b.createOrFold<arith::AddIOp>(loc, indices[i], more);
  }
  // Rows before the memory become zero, and their page does not matter: if an
  // entry does not exist, copies use only some of its bits.
  Value exists;
  for (Value condition : conditions) {
    Value holds = element.build(condition);
    exists = exists ? b.createOrFold<arith::AndIOp>(loc, exists, holds) : holds;
  }
  if (!exists)
    return indices;
  // One that is looked up in any case, for each is a shuffle.
  unsigned dim = rowDim;
  int64_t behind = -partRows;
  for (auto [i, expr] : llvm::enumerate(gather.getBaseMap().getResults()))
    if (isa<AffineSymbolExpr>(expr) && i != rowDim) {
      dim = i;
      behind = -1;
    }
  indices[dim] =
      b.createOrFold<arith::SelectOp>(loc, exists, indices[dim],
                                      arith::ConstantIndexOp::create(b, loc, behind));
  return indices;
}

Value GatheredRows::buildEnd(RewriterBase &b, Location loc) const {
  Value end;
  for (Operation *op : ends) {
    Value count;
    if (auto mask = dyn_cast<vector::CreateMaskOp>(op)) {
      count = mask.getOperands().front();
    } else {
      FirstRowBuilder elements(b, loc,
                               arith::ConstantIndexOp::create(b, loc, 0));
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
