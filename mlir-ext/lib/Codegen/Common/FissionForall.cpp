//===- FissionForall.cpp - Parallel chunks of a reduction -----------------===//
//
// Chunks of a reduction that are computed in parallel and then merged are an
// inner loop over chunks in the loop over workgroups. To give each chunk its
// own workgroup, this file distributes the outer loop over both parts of its
// body:
//
//   1. Create a tensor with a slot for each iteration of the outer loop.
//   2. Create a loop over the iterations of both loops. It stores the results
//      of the inner loop in the slots.
//   3. Remove the inner loop from the outer one, which reads the slots.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Support/LLVMVersion.h"
#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
class ForallFission {
public:
  ForallFission(RewriterBase &rewriter, scf::ForallOp inner)
      : rewriter(rewriter), inner(inner),
        outer(dyn_cast<scf::ForallOp>(inner->getParentOp())) {}

  /// Returns whether the fission is possible. Changes nothing.
  LogicalResult check(Refusal &refusal);
  ForallFissionResult apply();

private:
  /// A result of the inner loop: its sizes in one iteration of the outer loop,
  /// and the sizes of its slot.
  struct Output {
    SmallVector<OpFoldResult> sizes, slotSizes;
  };

  bool isHoistable(Value value);
  FailureOr<Output> getOutput(Value tensor, Refusal &refusal);
  OpFoldResult hoist(OpFoldResult value);
  /// Returns the leading offsets of the slot of this iteration of `outer`.
  SmallVector<OpFoldResult> getSlot(ValueRange outerIds);
  Value extractSlot(ArrayRef<OpFoldResult> slot, Value slots, Type type,
                    ArrayRef<OpFoldResult> offsets,
                    ArrayRef<OpFoldResult> sizes,
                    ArrayRef<OpFoldResult> strides);
  scf::ForallOp buildPairs();

  RewriterBase &rewriter;
  scf::ForallOp inner, outer;
  /// The ops in the body of the outer loop that the inner loop needs, in order.
  SetVector<Operation *> slice;
  SmallVector<Output> outputs;
  /// Maps values in the body of `outer` to their copies before it.
  IRMapping hoisted;
};
} // namespace

/// Returns whether `value` can be computed before the outer loop.
bool ForallFission::isHoistable(Value value) {
  if (outer.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         isSpeculatable(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isHoistable(operand); });
}

FailureOr<ForallFission::Output> ForallFission::getOutput(Value tensor,
                                                          Refusal &refusal) {
  Output output;
  auto alloc = tensor.getDefiningOp<bufferization::AllocTensorOp>();
  if (auto empty = tensor.getDefiningOp<tensor::EmptyOp>()) {
    output.sizes = empty.getMixedSizes();
  } else if (alloc && !alloc.getCopy()) {
    auto dynamic = alloc.getDynamicSizes().begin();
    for (int64_t size : alloc.getType().getShape())
      output.sizes.push_back(ShapedType::isDynamic(size)
                                 ? OpFoldResult(*dynamic++)
                                 : rewriter.getIndexAttr(size));
  } else {
    return refusal.set(RefusalKind::Other, tensor.getDefiningOp(),
                       "expected outputs of the inner loop that are allocated "
                       "in front of it");
  }
  for (auto [dim, size] : llvm::enumerate(output.sizes)) {
    output.slotSizes.push_back(size);
    auto value = dyn_cast<Value>(size);
    if (!value || isHoistable(value))
      continue;
    FailureOr<int64_t> bound = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, size, /*stopCondition=*/nullptr,
        kClosedUpperBound);
    if (failed(bound))
      return refusal.set(
          RefusalKind::Other, inner,
          "dimension " + Twine(dim) +
              " of an output of the inner loop has no constant bound");
    output.slotSizes.back() =
        rewriter.getIndexAttr(std::max<int64_t>(*bound, 1));
  }
  return output;
}

LogicalResult ForallFission::check(Refusal &refusal) {
  if (!outer || inner->getBlock() != outer.getBody())
    return refusal.set(RefusalKind::Other, inner,
                       "expected a loop directly in an scf.forall");
  for (ArrayRef<OpFoldResult> bounds :
       {inner.getMixedLowerBound(), inner.getMixedUpperBound(),
        inner.getMixedStep()})
    for (OpFoldResult bound : bounds)
      if (auto value = dyn_cast<Value>(bound); value && !isHoistable(value))
        return refusal.set(
            RefusalKind::Other, inner,
            "the bounds of the inner loop depend on the outer one");
  for (Value output : inner.getOutputs()) {
    FailureOr<Output> result = getOutput(output, refusal);
    if (failed(result))
      return failure();
    outputs.push_back(*result);
  }
  for (BlockArgument arg : inner.getRegionIterArgs())
    for (OpOperand &use : arg.getUses()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(use.getOwner());
      if (isa<tensor::ExtractSliceOp>(use.getOwner()) ||
          (insert && insert.getDest() == arg))
        continue;
      return refusal.set(
          RefusalKind::Other, use.getOwner(),
          "expected an output of the inner loop to be used by slices only");
    }

  BackwardSliceOptions options;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return outer->isProperAncestor(op); };
  SetVector<Operation *> used;
  if (failed(getBackwardSlice(inner, &used, options)))
    return refusal.set(RefusalKind::Other, inner,
                       "what the inner loop uses is not known");
  for (Operation *op : used) {
    // Ops that only create the outputs are replaced by slots.
    bool isOutput = llvm::all_of(
        op->getUsers(), [&](Operation *user) { return user == inner; });
    if (op->getBlock() != outer.getBody() ||
        (isOutput && llvm::is_contained(inner.getOutputs(), op->getResult(0))))
      continue;
    if (!isMemoryEffectFree(op))
      return refusal.set(RefusalKind::Other, op,
                         "'" + op->getName().getStringRef() +
                             "', which the inner loop uses, has effects");
    slice.insert(op);
  }
  return success();
}

/// Computes `folded` at the insertion point, before the outer loop.
OpFoldResult ForallFission::hoist(OpFoldResult folded) {
  auto value = dyn_cast<Value>(folded);
  if (!value || outer.isDefinedOutsideOfLoop(value))
    return folded;
  if (Value known = hoisted.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    (void)hoist(operand);
  rewriter.clone(*op, hoisted);
  return hoisted.lookup(value);
}

SmallVector<OpFoldResult> ForallFission::getSlot(ValueRange outerIds) {
  AffineExpr iv, lower, step;
  bindDims(rewriter.getContext(), iv);
  bindSymbols(rewriter.getContext(), lower, step);
  SmallVector<OpFoldResult> slot;
  for (auto [id, lb, by] : llvm::zip_equal(outerIds, outer.getMixedLowerBound(),
                                           outer.getMixedStep()))
    slot.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, outer.getLoc(), (iv - lower).floorDiv(step),
        {OpFoldResult(id), lb, by}));
  return slot;
}

Value ForallFission::extractSlot(ArrayRef<OpFoldResult> slot, Value slots,
                                 Type type, ArrayRef<OpFoldResult> offsets,
                                 ArrayRef<OpFoldResult> sizes,
                                 ArrayRef<OpFoldResult> strides) {
  OpFoldResult one = rewriter.getIndexAttr(1);
  SmallVector<OpFoldResult> allOffsets(slot), allSizes(slot.size(), one),
      allStrides(slot.size(), one);
  llvm::append_range(allOffsets, offsets);
  llvm::append_range(allSizes, sizes);
  llvm::append_range(allStrides, strides);
  return tensor::ExtractSliceOp::create(rewriter, inner.getLoc(),
                                        cast<RankedTensorType>(type), slots,
                                        allOffsets, allSizes, allStrides);
}

/// Builds one loop over the iterations of both loops.
scf::ForallOp ForallFission::buildPairs() {
  Location loc = inner.getLoc();
  rewriter.setInsertionPoint(outer);
  AffineExpr lower, upper, by;
  bindSymbols(rewriter.getContext(), lower, upper, by);
  SmallVector<OpFoldResult> counts;
  SmallVector<OpFoldResult> lbs = outer.getMixedLowerBound(),
                            ubs = outer.getMixedUpperBound(),
                            steps = outer.getMixedStep();
  for (auto [lb, ub, step] : llvm::zip_equal(lbs, ubs, steps))
    counts.push_back(affine::makeComposedFoldedAffineApply(
        rewriter, loc, (upper - lower).ceilDiv(by), {lb, ub, step}));
  for (auto [bounds, more] : {std::make_pair(&lbs, inner.getMixedLowerBound()),
                              std::make_pair(&ubs, inner.getMixedUpperBound()),
                              std::make_pair(&steps, inner.getMixedStep())})
    for (OpFoldResult bound : more)
      bounds->push_back(hoist(bound));

  // 1. A slot for each iteration of the outer loop.
  SmallVector<Value> allSlots;
  for (auto [output, tensor] : llvm::zip_equal(outputs, inner.getOutputs())) {
    SmallVector<OpFoldResult> sizes = counts;
    for (OpFoldResult size : output.slotSizes)
      sizes.push_back(hoist(size));
    SmallVector<Value> dynamicSizes;
    SmallVector<int64_t> shape;
    dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
    allSlots.push_back(bufferization::AllocTensorOp::create(
        rewriter, loc,
        RankedTensorType::get(shape, getElementTypeOrSelf(tensor)),
        dynamicSizes));
  }

  // 2. The loop.
  std::optional<ArrayAttr> mapping;
  if (outer.getMapping())
    mapping = rewriter.getArrayAttr(
        getWorkgroupMapping(rewriter.getContext(), lbs.size()));
  auto pairs =
      scf::ForallOp::create(rewriter, loc, lbs, ubs, steps, allSlots, mapping);
  pairs->setDiscardableAttrs(outer->getDiscardableAttrDictionary());
  SmallVector<Value> ivs = pairs.getInductionVars();
  unsigned numOuter = outer.getRank();
  IRMapping values;
  values.map(outer.getInductionVars(), ArrayRef(ivs).take_front(numOuter));
  values.map(inner.getInductionVars(), ArrayRef(ivs).drop_front(numOuter));
  // At this point, the outputs have not been written yet.
  values.map(outer.getRegionIterArgs(), outer.getOutputs());
  rewriter.setInsertionPointToStart(pairs.getBody());
  SmallVector<OpFoldResult> slot =
      getSlot(ArrayRef<Value>(ivs).take_front(numOuter));
  for (Operation *op : slice)
    rewriter.clone(*op, values);
  auto remap = [&](ArrayRef<OpFoldResult> folded) {
    return llvm::map_to_vector(folded, [&](OpFoldResult one) {
      auto value = dyn_cast<Value>(one);
      return value ? OpFoldResult(values.lookupOrDefault(value)) : one;
    });
  };

  // 3. The body of the inner loop. Its outputs are in the slots.
  for (auto [before, after] :
       llvm::zip_equal(inner.getRegionIterArgs(), pairs.getRegionIterArgs()))
    values.map(before, after);
  for (Operation &op : inner.getBody()->without_terminator()) {
    auto extract = dyn_cast<tensor::ExtractSliceOp>(op);
    if (!extract ||
        !llvm::is_contained(inner.getRegionIterArgs(), extract.getSource())) {
      rewriter.clone(op, values);
      continue;
    }
    values.map(extract.getResult(),
               extractSlot(slot, values.lookup(extract.getSource()),
                           extract.getType(), remap(extract.getMixedOffsets()),
                           remap(extract.getMixedSizes()),
                           remap(extract.getMixedStrides())));
  }
  rewriter.setInsertionPointToStart(pairs.getTerminator().getBody());
  OpFoldResult one = rewriter.getIndexAttr(1);
  for (Operation &op : *inner.getTerminator().getBody()) {
    auto insert = cast<tensor::ParallelInsertSliceOp>(op);
    SmallVector<OpFoldResult> offsets(slot), sizes(slot.size(), one),
        strides(slot.size(), one);
    llvm::append_range(offsets, remap(insert.getMixedOffsets()));
    llvm::append_range(sizes, remap(insert.getMixedSizes()));
    llvm::append_range(strides, remap(insert.getMixedStrides()));
    tensor::ParallelInsertSliceOp::create(
        rewriter, loc, values.lookupOrDefault(insert.getSource()),
        values.lookup(insert.getDest()), offsets, sizes, strides);
  }
  return pairs;
}

ForallFissionResult ForallFission::apply() {
  OpBuilder::InsertionGuard guard(rewriter);
  scf::ForallOp pairs = buildPairs();
  // Ops behind the inner loop read its results from the slots.
  rewriter.setInsertionPoint(inner);
  SmallVector<Value> outerIvs = outer.getInductionVars();
  SmallVector<OpFoldResult> slot = getSlot(outerIvs);
  SmallVector<Value> results;
  for (auto [output, result, slots] :
       llvm::zip_equal(outputs, inner.getResults(), pairs.getResults())) {
    SmallVector<OpFoldResult> offsets(output.sizes.size(),
                                      rewriter.getIndexAttr(0)),
        strides(output.sizes.size(), rewriter.getIndexAttr(1));
    results.push_back(extractSlot(slot, slots, result.getType(), offsets,
                                  output.sizes, strides));
  }
  SetVector<Operation *> allocated;
  for (Value output : inner.getOutputs())
    allocated.insert(output.getDefiningOp());
  rewriter.replaceOp(inner, results);
  for (Operation *op : allocated)
    if (op->use_empty() && !slice.contains(op))
      rewriter.eraseOp(op);
  for (Operation *op : llvm::reverse(slice))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
  return {pairs, outer};
}

FailureOr<ForallFissionResult>
mlir::linalg_ext::fissionForall(RewriterBase &rewriter, scf::ForallOp inner,
                                Refusal &refusal) {
  ForallFission fission(rewriter, inner);
  if (failed(fission.check(refusal)))
    return failure();
  return fission.apply();
}

/// Returns a loop below `scope` that is inside of another one and not in
/// `refused`. Its mapping, if it has one, must be to workgroups.
static scf::ForallOp
findInner(Operation *scope, const llvm::SmallPtrSetImpl<Operation *> &refused) {
  scf::ForallOp inner;
  scope->walk<WalkOrder::PreOrder>([&](scf::ForallOp forall) {
    std::optional<ArrayAttr> mapping = forall.getMapping();
    if (!forall->getParentOfType<scf::ForallOp>() ||
        refused.contains(forall) ||
        (mapping && !llvm::all_of(*mapping, [](Attribute attr) {
           return isa<gpu::GPUBlockMappingAttr>(attr);
         })))
      return WalkResult::advance();
    inner = forall;
    return WalkResult::interrupt();
  });
  return inner;
}

void mlir::linalg_ext::fissionForallsBelow(RewriterBase &rewriter,
                                           Operation *scope) {
  llvm::SmallPtrSet<Operation *, 8> refused;
  while (scf::ForallOp forall = findInner(scope, refused)) {
    Refusal refusal;
    if (succeeded(fissionForall(rewriter, forall, refusal)))
      continue;
    forall.emitRemark() << "stays in its workgroup: " << refusal.text;
    refused.insert(forall);
  }
}
