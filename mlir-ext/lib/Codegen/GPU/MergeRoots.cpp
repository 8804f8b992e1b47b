//===- MergeRoots.cpp - Horizontal fusion of kernel roots -----------------===//
//
// See MergeRoots.h. Two elementwise roots become one linalg.generic with the
// results of both. The merged kernel reads common inputs once, and there is one
// launch instead of two.
//
//===----------------------------------------------------------------------===//

#include "MergeRoots.h"
#include "WorkgroupGroup.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-ext-merge-roots"

using namespace mlir;
using namespace mlir::linalg_ext;
using linalg::GenericOp;
using linalg::LinalgOp;

/// Returns whether `op` is elementwise and the root of a kernel: it is in no
/// workgroup, and no other op outside of a workgroup reads it directly.
static bool isElementwiseRoot(GenericOp op) {
  return op.hasPureTensorSemantics() && op.isAllParallelLoops() &&
         op.getNumLoops() > 0 && !isEmpty(op) && !op->use_empty() &&
         !op->getParentOfType<scf::ForallOp>() &&
         llvm::none_of(op->getUsers(),
                       [](Operation *user) {
                         return isa<LinalgOp>(user) &&
                                !user->getParentOfType<scf::ForallOp>();
                       }) &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return init.get().getDefiningOp<tensor::EmptyOp>() &&
                  op.getMatchingIndexingMap(&init).isPermutation();
         });
}

/// Returns whether `a` and `b` read an input by the same map, and read a
/// different element of it in each iteration.
static bool shareInput(LinalgOp a, LinalgOp b) {
  SmallVector<int64_t> ranges = a.getStaticLoopRanges();
  return llvm::any_of(a.getDpsInputOperands(), [&](OpOperand *input) {
    AffineMap map = a.getMatchingIndexingMap(input);
    bool isWhole =
        map.isProjectedPermutation() &&
        llvm::all_of(llvm::seq<unsigned>(0, ranges.size()), [&](unsigned loop) {
          return ranges[loop] == 1 || map.isFunctionOfDim(loop);
        });
    return isWhole &&
           llvm::any_of(b.getDpsInputOperands(), [&](OpOperand *other) {
             return input->get() == other->get() &&
                    map == b.getMatchingIndexingMap(other);
           });
  });
}

/// If `op` is computed from only one op on tensors, and that is a contraction
/// without other users, returns it, and the map by which `op` reads its result.
static std::pair<LinalgOp, AffineMap> getContraction(GenericOp op) {
  std::pair<LinalgOp, AffineMap> found;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto producer = input->get().getDefiningOp<LinalgOp>();
    if (!producer)
      continue;
    if (found.first || !isContraction(producer) || !producer->hasOneUse())
      return {};
    found = {producer, op.getMatchingIndexingMap(input)};
  }
  return found;
}

/// Returns whether `a` and `b` follow contractions that differ in one operand,
/// and each has at most as many workgroups as there are processors. Larger ones
/// gain nothing, because the tiles of both would be half as large
/// (docs/Decisions/0029).
static bool followSmallContractions(GenericOp a, GenericOp b,
                                    const TileToWorkgroupsOptions &options) {
  auto [first, firstMap] = getContraction(a);
  auto [second, secondMap] = getContraction(b);
  if (!first || !second || first == second || firstMap != secondMap ||
      first.getIndexingMapsArray() != second.getIndexingMapsArray() ||
      first.getStaticLoopRanges() != second.getStaticLoopRanges() ||
      llvm::none_of(
          llvm::zip_equal(first.getDpsInputs(), second.getDpsInputs()),
          [](auto pair) { return std::get<0>(pair) == std::get<1>(pair); }))
    return false;
  WorkgroupGroup group(a, options);
  group.grow();
  int64_t workgroups = 1;
  for (auto [range, tile] :
       llvm::zip_equal(a.getStaticLoopRanges(), group.getTileSizes())) {
    if (ShapedType::isDynamic(range))
      return false;
    workgroups *= tile == 0 ? 1 : llvm::divideCeil(range, tile);
  }
  return options.useProcessors && workgroups <= options.target.processors;
}

/// Returns whether no structured op computes an input of `op`.
static bool readsMemoryOnly(GenericOp op) {
  return llvm::none_of(op.getDpsInputs(), [](Value input) {
    return input.getDefiningOp<LinalgOp>();
  });
}

static bool areOneKernel(GenericOp a, GenericOp b,
                         const TileToWorkgroupsOptions &options) {
  if (a->getBlock() != b->getBlock() ||
      a.getStaticLoopRanges() != b.getStaticLoopRanges())
    return false;
  if (readsMemoryOnly(a) && readsMemoryOnly(b))
    return shareInput(a, b);
  return followSmallContractions(a, b, options);
}

/// Replaces `a` and `b`, which comes after `a`, by an op that computes both.
/// Fails if `b` depends on `a`, or on an op that cannot be moved before `a`.
static FailureOr<GenericOp> merge(RewriterBase &rewriter, GenericOp a,
                                  GenericOp b) {
  // These include the sizes of its destinations, and what its payload extracts
  // elements of.
  SmallVector<Value> needed(b.getInputs());
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(b.getRegion(), captured);
  llvm::append_range(needed, captured);
  for (Value init : b.getOutputs())
    llvm::append_range(needed, init.getDefiningOp()->getOperands());
  if (failed(moveValueDefinitions(rewriter, needed, a)))
    return failure();
  rewriter.setInsertionPoint(a);
  SmallVector<Value> inputs(a.getInputs()), inits(a.getOutputs());
  llvm::append_range(inputs, b.getInputs());
  // Give each result its own destination.
  for (Value init : b.getOutputs())
    inits.push_back(rewriter.clone(*init.getDefiningOp())->getResult(0));
  SmallVector<AffineMap> maps;
  for (bool isInput : {true, false})
    for (GenericOp op : {a, b})
      for (OpOperand &operand : op->getOpOperands())
        if (op.isDpsInput(&operand) == isInput)
          maps.push_back(op.getMatchingIndexingMap(&operand));
  auto merged = GenericOp::create(
      rewriter, rewriter.getFusedLoc({a.getLoc(), b.getLoc()}),
      TypeRange(ValueRange(inits)), inputs, inits, maps,
      a.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        SmallVector<Value> yielded;
        unsigned input = 0, init = inputs.size();
        for (GenericOp op : {a, b}) {
          IRMapping mapping;
          for (BlockArgument arg : op.getRegionInputArgs())
            mapping.map(arg, args[input++]);
          for (BlockArgument arg : op.getRegionOutputArgs())
            mapping.map(arg, args[init++]);
          for (Operation &inner : op.getBody()->without_terminator())
            builder.clone(inner, mapping);
          for (Value value : op.getBody()->getTerminator()->getOperands())
            yielded.push_back(mapping.lookupOrDefault(value));
        }
        linalg::YieldOp::create(builder, loc, yielded);
      });
  ResultRange results = merged->getResults();
  rewriter.replaceOp(a, results.take_front(a->getNumResults()));
  rewriter.replaceOp(b, results.take_back(b->getNumResults()));
  return merged;
}

void mlir::linalg_ext::mergeRoots(RewriterBase &rewriter, Operation *scope,
                                  const TileToWorkgroupsOptions &options) {
  SmallVector<GenericOp> roots;
  scope->walk([&](GenericOp op) {
    if (isElementwiseRoot(op))
      roots.push_back(op);
  });
  for (unsigned i = 0; i < roots.size(); ++i)
    for (unsigned j = i + 1; j < roots.size();) {
      FailureOr<GenericOp> merged = failure();
      if (areOneKernel(roots[i], roots[j], options))
        merged = merge(rewriter, roots[i], roots[j]);
      if (failed(merged)) {
        ++j;
        continue;
      }
      LDBG() << "one kernel: " << *merged;
      roots[i] = *merged;
      roots.erase(roots.begin() + j);
    }
}
