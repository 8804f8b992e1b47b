//===- MergeGroups.cpp - Groups of a sum become one dimension -------------===//
//
// A sum in groups has a dimension for the groups and one for the elements of a
// group, which are the lanes of vectors. If a group is shorter than a vector of
// bytes, such as 32 bytes of 64, the two become one dimension. What has one
// element for each group is read at the quotient of the position and the size
// of a group.
//
//===----------------------------------------------------------------------===//

#include "DigitProduct.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The dimensions of the groups and of the elements of one, and how many
/// elements that is.
struct GroupDims {
  unsigned group = 0, element = 0;
  int64_t size = 0;
};
} // namespace

/// Whether `map` ends with both dimensions.
static bool endsWithGroups(AffineMap map, GroupDims dims) {
  unsigned rank = map.getNumResults();
  MLIRContext *context = map.getContext();
  return rank >= 2 &&
         map.getResult(rank - 2) == getAffineDimExpr(dims.group, context) &&
         map.getResult(rank - 1) == getAffineDimExpr(dims.element, context) &&
         !map.getMajorSubMap(rank - 2).isFunctionOfDim(dims.group) &&
         !map.getMajorSubMap(rank - 2).isFunctionOfDim(dims.element);
}

static SmallVector<ReassociationIndices> getLastTwo(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank - 1);
  return groups;
}

/// Returns the groups along which `bytes` lies, if they are shorter than a
/// vector and all operands of `op` can be read without them.
static std::optional<GroupDims> findGroups(linalg::GenericOp op,
                                           OpOperand &bytes) {
  AffineMap map = op.getMatchingIndexingMap(&bytes);
  unsigned rank = map.getNumResults();
  if (rank < 2)
    return std::nullopt;
  auto group = dyn_cast<AffineDimExpr>(map.getResult(rank - 2)),
       element = dyn_cast<AffineDimExpr>(map.getResult(rank - 1));
  if (!group || !element)
    return std::nullopt;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  GroupDims dims{group.getPosition(), element.getPosition(),
                 ranges[element.getPosition()]};
  if (dims.group == dims.element ||
      !linalg::isReductionIterator(iterators[dims.group]) ||
      !linalg::isReductionIterator(iterators[dims.element]) ||
      ShapedType::isDynamic(ranges[dims.group]) || dims.size < 2 ||
      dims.size >= kBytesOfDigits || kBytesOfDigits % dims.size != 0 ||
      ranges[dims.group] * dims.size % kBytesOfDigits != 0)
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (endsWithGroups(map, dims)) {
      if (!type || !memref::CollapseShapeOp::isGuaranteedCollapsible(
                       type, getLastTwo(type.getRank())))
        return std::nullopt;
      continue;
    }
    for (AffineExpr expr : map.getResults())
      if (expr.isFunctionOfDim(dims.element) ||
          (expr.isFunctionOfDim(dims.group) && !isa<AffineDimExpr>(expr)))
        return std::nullopt;
  }
  return dims;
}

linalg::GenericOp mlir::linalg_ext::mergeGroups(RewriterBase &rewriter,
                                                linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !op.hasPureBufferSemantics() || op.hasIndexSemantics())
    return nullptr;
  std::optional<GroupDims> dims;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!dims && getElementTypeOrSelf(operand->get()).isSignlessInteger(8))
      dims = findGroups(generic, *operand);
  if (!dims)
    return nullptr;
  Location loc = op.getLoc();
  // Dimensions behind that of the elements move by one.
  unsigned count = op.getNumLoops() - 1;
  SmallVector<AffineExpr> replacements;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    replacements.push_back(rewriter.getAffineDimExpr(
        dim > dims->element ? dim - 1 : std::min(dim, count - 1)));
  AffineExpr merged = replacements[dims->group];
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.erase(iterators.begin() + dims->element);
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    Value value = operand.get();
    bool isWhole = endsWithGroups(map, *dims);
    if (isWhole) {
      map = map.getMajorSubMap(map.getNumResults() - 1);
      value = memref::CollapseShapeOp::create(
          rewriter, loc, value,
          getLastTwo(cast<MemRefType>(value.getType()).getRank()));
    }
    replacements[dims->group] = isWhole ? merged : merged.floorDiv(dims->size);
    maps.push_back(map.replaceDimsAndSymbols(replacements, {}, count, 0));
    operands.push_back(value);
  }
  unsigned inputs = op.getNumDpsInputs();
  auto result = linalg::GenericOp::create(
      rewriter, loc, TypeRange{}, ArrayRef(operands).take_front(inputs),
      ArrayRef(operands).drop_front(inputs), maps, iterators);
  rewriter.cloneRegionBefore(generic.getRegion(), result.getRegion(),
                             result.getRegion().begin());
  return result;
}
