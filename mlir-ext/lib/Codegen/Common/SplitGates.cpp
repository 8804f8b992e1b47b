//===- SplitGates.cpp - Two products for packed weights -------------------===//
//
// The weights of a gate and those of the values that it multiplies are often
// packed in one tensor. One product uses them, and an elementwise op combines
// the halves of its result. A tile of the product has elements of one half
// only, so the whole product would be stored. With two products, of slices of
// the weights, one kernel computes both products and the elementwise op.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most slices of products that become products of their own, which one
/// kernel computes.
static constexpr size_t kMostProducts = 4;

/// Returns whether each element of the only result of `op` is computed
/// elementwise.
static bool isElementwise(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.hasPureTensorSemantics() &&
         structured->getNumResults() == 1 && structured.isAllParallelLoops();
}

/// Returns the elementwise ops that use `value`, directly or through
/// elementwise ops.
static llvm::SmallPtrSet<Operation *, 8> findElementwiseUsers(Value value) {
  llvm::SmallPtrSet<Operation *, 8> found;
  SmallVector<Value> values{value};
  while (!values.empty())
    for (Operation *user : values.pop_back_val().getUsers())
      if (isElementwise(user) && found.insert(user).second)
        values.push_back(user->getResult(0));
  return found;
}

/// Returns whether a reduction reads the result of `op`, so that another kernel
/// stores it.
static bool isReduced(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    auto structured = dyn_cast<linalg::LinalgOp>(user);
    return structured && structured.getNumReductionLoops() > 0;
  });
}

/// Returns how many slices of products elementwise ops compute `op` from: two
/// of a gate, and eight of an LSTM cell, whose four gates are sums of two
/// products. Those of the layer in front, whose result a product of this layer
/// reads, do not count.
static size_t countSlicedProducts(Operation *op) {
  // What is reached, and the slice behind it.
  llvm::SetVector<std::pair<Operation *, Operation *>> reached;
  auto reach = [&](Value value, Operation *slice) {
    if (Operation *producer = value.getDefiningOp())
      reached.insert({producer, slice});
  };
  reached.insert({op, nullptr});
  size_t count = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    auto [producer, slice] = reached[i];
    auto structured = dyn_cast<linalg::LinalgOp>(producer);
    if (structured && linalg::isaContractionOpInterface(structured))
      count += slice != nullptr;
    else if (isElementwise(producer) && (i == 0 || !isReduced(producer)))
      for (Value input : structured.getDpsInputs())
        reach(input, slice);
    else if (isUnitReshape(producer))
      reach(producer->getOperand(0), slice);
    else if (isa<tensor::ExtractSliceOp>(producer))
      reach(producer->getOperand(0), producer);
  }
  return count;
}

/// Returns whether the slices `a` and `b` of one tensor are known to have no
/// element in common. Those of windows have.
static bool areDisjoint(tensor::ExtractSliceOp a, tensor::ExtractSliceOp b) {
  for (int64_t dim = 0; dim < a.getSourceType().getRank(); ++dim) {
    int64_t from = a.getStaticOffset(dim), size = a.getStaticSize(dim),
            otherFrom = b.getStaticOffset(dim),
            otherSize = b.getStaticSize(dim), stride = a.getStaticStride(dim);
    if (ShapedType::isDynamic(from) || ShapedType::isDynamic(otherFrom) ||
        ShapedType::isDynamic(stride) || stride < 1 ||
        stride != b.getStaticStride(dim))
      continue;
    if ((from - otherFrom) % stride != 0 ||
        (!ShapedType::isDynamic(size) && from + size * stride <= otherFrom) ||
        (!ShapedType::isDynamic(otherSize) &&
         otherFrom + otherSize * stride <= from))
      return true;
  }
  return false;
}

/// If `product` is sliced, possibly after elementwise ops, and one elementwise
/// op combines the slices, adds these ops to `found`.
static void addGates(linalg::LinalgOp product,
                     llvm::SmallPtrSetImpl<Operation *> &found) {
  if (!product.hasPureTensorSemantics() ||
      !linalg::isaContractionOpInterface(product) ||
      product->getNumResults() != 1)
    return;
  SmallVector<Operation *> chain{product};
  Value value = product->getResult(0);
  auto getReaders = [](Value value) {
    return llvm::make_filter_range(value.getUsers(), [](Operation *user) {
      return !isa<tensor::DimOp>(user);
    });
  };
  while (llvm::hasSingleElement(getReaders(value))) {
    Operation *reader = *getReaders(value).begin();
    if (!isElementwise(reader) && !isUnitReshape(reader))
      return;
    chain.push_back(reader);
    value = reader->getResult(0);
  }
  // The slices of a gate end in one op. Those of a rotation end in two.
  llvm::SmallPtrSet<Operation *, 8> all, ends;
  SmallVector<tensor::ExtractSliceOp> slices;
  SmallVector<llvm::SmallPtrSet<Operation *, 8>> users;
  for (Operation *reader : getReaders(value)) {
    auto slice = dyn_cast<tensor::ExtractSliceOp>(reader);
    if (!slice || slice.getType().getRank() != slice.getSourceType().getRank())
      return;
    if (llvm::any_of(slices, [&](tensor::ExtractSliceOp other) {
          return !areDisjoint(slice, other);
        }))
      return;
    slices.push_back(slice);
    users.push_back(findElementwiseUsers(slice));
    all.insert(users.back().begin(), users.back().end());
  }
  for (Operation *op : all)
    if (llvm::none_of(op->getUsers(),
                      [&](Operation *user) { return all.contains(user); }))
      ends.insert(op);
  if (ends.size() != 1 || users.size() < 2)
    return;
  // Later layers may follow the first op that combines all slices.
  Operation *first = *ends.begin();
  auto combinesAll = [&](Operation *op) {
    return llvm::all_of(
        users, [&](const auto &ofSlice) { return ofSlice.contains(op); });
  };
  if (!combinesAll(first))
    return;
  for (Operation *op : users.front())
    if (op->getBlock() == first->getBlock() && op->isBeforeInBlock(first) &&
        combinesAll(op))
      first = op;
  if (countSlicedProducts(first) <= kMostProducts)
    found.insert(chain.begin(), chain.end());
}

unsigned mlir::linalg_ext::splitGates(RewriterBase &rewriter,
                                      Operation *scope) {
  llvm::SmallPtrSet<Operation *, 8> gates;
  scope->walk([&](linalg::LinalgOp op) { addGates(op, gates); });
  if (gates.empty())
    return 0;
  unsigned numSplit = sliceProducers(
      rewriter, scope, [&](Operation *op) { return gates.contains(op); });
  // Move a reshape that adds a batch of one from the slices to the op that
  // combines them.
  RewritePatternSet patterns(scope->getContext());
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, [](OpOperand *operand) {
        auto expand = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
        return expand && isUnitReshape(expand) &&
               isElementwise(operand->getOwner()) &&
               expand.getSrc().getDefiningOp<linalg::LinalgOp>();
      });
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setListener(
      dyn_cast_if_present<RewriterBase::Listener>(rewriter.getListener()));
  (void)applyPatternsGreedily(scope, std::move(patterns), config);
  return numSplit;
}
