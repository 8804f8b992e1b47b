//===- EqualSizes.cpp - Sizes that must be equal --------------------------===//
//
// See EqualSizes.h. This is a union-find. Its nodes are the sizes of the
// dimensions of tensors and memrefs, and values of type index that ops such as
// tensor.empty take. If the size of one node is known, all nodes of its set
// have this size.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/EqualSizes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// The size of a dimension of a shaped value, or a value of type index itself
/// (`dim` is -1).
struct Size {
  Value value;
  int64_t dim;
};

/// Which sizes are equal.
class SizeSets {
public:
  /// Joins the sets of `a` and `b`. Fails, with the sets unchanged, if both
  /// sizes are known and differ.
  LogicalResult join(Size a, Size b);
  /// The same for a dimension and a size operand, such as that of tensor.empty.
  void join(Size a, OpFoldResult b);
  /// Joins the sets of all dimensions of two values of the same rank.
  void joinAll(Value a, Value b);

  /// The number of the set of `size`.
  unsigned find(Size size);
  std::optional<int64_t> getKnown(unsigned set) const { return known[set]; }
  /// Returns the dimension from whose type the size of `set` is known.
  Size getOrigin(unsigned set) const { return origins[set]; }

  /// Joins sizes that `op` requires to be equal. Fails at an op whose operands
  /// give one loop different sizes, with an error if `report` is true.
  LogicalResult add(Operation *op, bool report);

private:
  LogicalResult addLoops(IndexingMapOpInterface op, bool report);
  void addReshape(Value collapsed, Value expanded,
                  ArrayRef<ReassociationIndices> groups);

  llvm::DenseMap<std::pair<Value, int64_t>, unsigned> numbers;
  SmallVector<unsigned> parents;
  SmallVector<std::optional<int64_t>> known;
  SmallVector<Size> origins;
};
} // namespace

unsigned SizeSets::find(Size size) {
  auto [it, isNew] =
      numbers.try_emplace({size.value, size.dim}, parents.size());
  if (isNew) {
    parents.push_back(parents.size());
    origins.push_back(size);
    known.emplace_back();
    if (size.dim < 0)
      known.back() = getConstantIntValue(size.value);
    else if (auto type = cast<ShapedType>(size.value.getType());
             !type.isDynamicDim(size.dim))
      known.back() = type.getDimSize(size.dim);
  }
  unsigned set = it->second;
  while (parents[set] != set)
    set = parents[set] = parents[parents[set]];
  return set;
}

LogicalResult SizeSets::join(Size a, Size b) {
  unsigned setA = find(a), setB = find(b);
  if (setA == setB)
    return success();
  if (known[setA] && known[setB] && *known[setA] != *known[setB])
    return failure();
  if (!known[setA])
    std::swap(setA, setB);
  parents[setB] = setA;
  return success();
}

void SizeSets::join(Size a, OpFoldResult b) {
  if (auto value = dyn_cast<Value>(b)) {
    (void)join(a, Size{value, -1});
    return;
  }
  unsigned set = find(a);
  if (known[set])
    return;
  known[set] = getConstantIntValue(b);
  origins[set] = a;
}

static bool isRankedShape(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && !isa<VectorType>(type);
}

void SizeSets::joinAll(Value a, Value b) {
  if (!isRankedShape(a.getType()) || !isRankedShape(b.getType()))
    return;
  int64_t rank = cast<ShapedType>(a.getType()).getRank();
  if (rank != cast<ShapedType>(b.getType()).getRank())
    return;
  for (int64_t dim = 0; dim < rank; ++dim)
    (void)join(Size{a, dim}, Size{b, dim});
}

/// A dimension of the expanded shape has the size of the collapsed dimension if
/// all other dimensions of its group are 1.
void SizeSets::addReshape(Value collapsed, Value expanded,
                          ArrayRef<ReassociationIndices> groups) {
  auto type = cast<ShapedType>(expanded.getType());
  for (auto [dim, group] : llvm::enumerate(groups)) {
    SmallVector<int64_t> others;
    for (int64_t inner : group)
      if (type.getDimSize(inner) != 1)
        others.push_back(inner);
    if (others.size() == 1)
      (void)join(Size{collapsed, int64_t(dim)}, Size{expanded, others.front()});
  }
}

LogicalResult SizeSets::addLoops(IndexingMapOpInterface op, bool report) {
  llvm::DenseMap<unsigned, std::pair<OpOperand *, int64_t>> loops;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isRankedShape(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    int64_t rank = cast<ShapedType>(operand.get().getType()).getRank();
    if (int64_t(map.getNumResults()) != rank)
      continue;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      auto [it, isNew] = loops.try_emplace(loop.getPosition(),
                                           std::pair(&operand, int64_t(dim)));
      auto [first, firstDim] = it->second;
      Size a{first->get(), firstDim}, b{operand.get(), int64_t(dim)};
      if (succeeded(join(a, b)))
        continue;
      if (!report)
        return failure();
      unsigned setA = find(a), setB = find(b);
      InFlightDiagnostic diagnostic =
          op->emitOpError("expected equal sizes of dimension ")
          << firstDim << " of operand " << first->getOperandNumber()
          << " and dimension " << dim << " of operand "
          << operand.getOperandNumber() << ", which loop " << loop.getPosition()
          << " has, got " << *known[setA] << " and " << *known[setB];
      // A dynamic size may be known from another dimension of its set.
      for (auto [size, set] : {std::pair(a, setA), std::pair(b, setB)})
        if (Size origin = origins[set]; origin.value != size.value)
          diagnostic.attachNote(origin.value.getLoc())
              << "the size " << *known[set] << " is from here";
      return failure();
    }
  }
  return success();
}

LogicalResult SizeSets::add(Operation *op, bool report) {
  // 1. Ops with loops, and results that are tied to destinations.
  if (auto loops = dyn_cast<IndexingMapOpInterface>(op))
    if (failed(addLoops(loops, report)))
      return failure();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    for (OpResult result : op->getResults())
      joinAll(dps.getTiedOpOperand(result)->get(), result);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    joinAll(softmax.getInput(), softmax.getOutput());

  // 2. Ops that take or return a size as a value.
  if (auto dim = dyn_cast<ShapedDimOpInterface>(op)) {
    std::optional<int64_t> number = getConstantIntValue(dim.getDimension());
    Value shaped = dim.getShapedValue();
    if (number && isRankedShape(shaped.getType()) && *number >= 0 &&
        *number < cast<ShapedType>(shaped.getType()).getRank())
      (void)join(Size{op->getResult(0), -1}, Size{shaped, *number});
  }
  auto addSizes = [&](Value shaped, ArrayRef<OpFoldResult> sizes) {
    for (auto [dim, size] : llvm::enumerate(sizes))
      join(Size{shaped, int64_t(dim)}, size);
  };
  if (auto empty = dyn_cast<tensor::EmptyOp>(op))
    addSizes(empty, empty.getMixedSizes());
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    addSizes(alloc, alloc.getMixedSizes());

  // 3. Ops whose result has the sizes of their operand.
  if (isa<tensor::CastOp, memref::CastOp>(op))
    joinAll(op->getOperand(0), op->getResult(0));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    addReshape(collapse.getResult(), collapse.getSrc(),
               collapse.getReassociationIndices());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    addReshape(expand.getSrc(), expand.getResult(),
               expand.getReassociationIndices());
    addSizes(expand.getResult(), expand.getMixedOutputShape());
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    int64_t dim = 0;
    for (auto [number, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(number))
        join(Size{slice.getResult(), dim++}, size);
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    for (Value input : concat.getInputs())
      for (int64_t dim = 0; dim < concat.getRank(); ++dim)
        if (dim != int64_t(concat.getDim()))
          (void)join(Size{concat.getResult(), dim}, Size{input, dim});
  return success();
}

SmallVector<EqualDims> mlir::linalg_ext::getEqualDims(func::FuncOp func) {
  if (func.isExternal())
    return {};
  Block &block = func.getBody().front();
  SizeSets sets;
  for (Operation &op : block)
    (void)sets.add(&op, /*report=*/false);

  SmallVector<Value> values(func.getArguments());
  if (auto end = dyn_cast<func::ReturnOp>(block.getTerminator()))
    llvm::append_range(values, end.getOperands());
  llvm::MapVector<unsigned, SmallVector<ArgumentDim>> dims;
  auto isDynamic = [&](ArgumentDim dim) {
    return cast<ShapedType>(values[dim.argument].getType())
        .isDynamicDim(dim.dim);
  };
  for (auto [number, value] : llvm::enumerate(values))
    if (isRankedShape(value.getType()))
      for (int64_t dim = 0; dim < cast<ShapedType>(value.getType()).getRank();
           ++dim)
        dims[sets.find(Size{value, dim})].push_back(
            ArgumentDim{unsigned(number), dim});

  SmallVector<EqualDims> all;
  for (auto &[set, equal] : dims) {
    EqualDims &entry = all.emplace_back();
    entry.size = sets.getKnown(set);
    entry.dims = std::move(equal);
    if (entry.size)
      llvm::erase_if(entry.dims,
                     [&](ArgumentDim dim) { return !isDynamic(dim); });
    if (entry.dims.size() < (entry.size ? 1 : 2))
      all.pop_back();
  }
  return all;
}

LogicalResult mlir::linalg_ext::checkEqualSizes(Operation *scope) {
  WalkResult walked = scope->walk([&](func::FuncOp func) {
    if (func.isExternal())
      return WalkResult::skip();
    SizeSets sets;
    for (Operation &op : func.getBody().front())
      if (failed(sets.add(&op, /*report=*/true)))
        return WalkResult::interrupt();
    return WalkResult::skip();
  });
  return failure(walked.wasInterrupted());
}
