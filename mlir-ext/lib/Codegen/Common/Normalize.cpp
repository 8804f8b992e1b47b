//===- Normalize.cpp - The normal form for fusion -------------------------===//
//
// Importers write the same computation in many ways. Fusion expects one normal
// form, which the description of the pass defines. This file has the order of
// the steps. Each step is a pattern set:
//
//   0. Parts of complex numbers.
//   1. One spelling of scalars, fills and sizes (NormalizeSpelling.cpp).
//   2. No kept dimensions of size 1, and no computation in the payloads of
//      contractions.
//   3. Online reductions become ops.
//   4. Reshapes are folded into ops.
//   5. Transposes are folded into ops.
//   6. Look-ups of rows become gathers, before all others and after them.
//
//===----------------------------------------------------------------------===//

#include "FiniteMasks.h"
#include "GuardDivisions.h"
#include "InlinePrivate.h"
#include "ReadGatheredRows.h"
#include "ScalarLoops.h"
#include "SlicePadding.h"
#include "SumWindows.h"
#include "mlir-ext/Codegen/Common/CollapseElementwise.h"
#include "mlir-ext/Codegen/Common/Dequantization.h"
#include "mlir-ext/Codegen/Common/ExtractElements.h"
#include "mlir-ext/Codegen/Common/Passes.h"
#include "mlir-ext/Codegen/Common/Transforms.h"
#include "mlir-ext/Codegen/Common/WidenAccumulators.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/Transforms.h"
#include "mlir-ext/Support/PatternSets.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTNORMALIZEPASS
#include "mlir-ext/Codegen/Common/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Remembers the generic ops that a rewrite creates.
struct CreatedGenerics : public RewriterBase::ForwardingListener {
  using ForwardingListener::ForwardingListener;

  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    ForwardingListener::notifyOperationInserted(op, previous);
    if (isa<linalg::GenericOp>(op))
      created.insert(op);
  }
  void notifyOperationErased(Operation *op) override {
    ForwardingListener::notifyOperationErased(op);
    created.remove(op);
  }

  llvm::SetVector<Operation *> created;
};
} // namespace

/// Whether `op` chooses one of two tensors which are not known to have the same
/// sizes. Canonicalization makes it of a branch.
static bool choosesSizes(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto type = select ? dyn_cast<RankedTensorType>(select.getType())
                     : RankedTensorType();
  if (!type || isa<ShapedType>(select.getCondition().getType()))
    return false;
  using Variable = ValueBoundsConstraintSet::Variable;
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim) {
    FailureOr<bool> equal = type.isDynamicDim(dim)
                                ? ValueBoundsConstraintSet::areEqual(
                                      Variable(select.getTrueValue(), dim),
                                      Variable(select.getFalseValue(), dim))
                                : FailureOr<bool>(true);
    if (failed(equal) || !*equal)
      return true;
  }
  return false;
}

/// Rewrites ops of arith and math on tensors as linalg.generic. Upstream's
/// pattern writes to an operand of the same type, which may be an argument of
/// the function; here the destination is a tensor of its own. Sets `changed` if
/// it rewrites any.
static LogicalResult convertElementwise(Operation *scope,
                                        RewriterBase::Listener *listener,
                                        bool &changed) {
  CreatedGenerics generics(listener);
  RewritePatternSet patterns(scope->getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setListener(&generics).enableFolding(false).enableConstantCSE(false);
  config.setStrictness(GreedyRewriteStrictness::ExistingOps);
  SmallVector<Operation *> ops;
  scope->walk([&](Operation *op) {
    if (OpTrait::hasElementwiseMappableTraits(op) && !choosesSizes(op))
      ops.push_back(op);
  });
  if (failed(applyOpPatternsGreedily(ops, std::move(patterns), config)))
    return failure();
  changed |= !generics.created.empty();
  IRRewriter rewriter(scope->getContext(), listener);
  for (Operation *op : generics.created) {
    auto generic = cast<linalg::GenericOp>(op);
    rewriter.setInsertionPoint(generic);
    for (OpOperand &init : generic.getDpsInitsMutable()) {
      if (init.get().getDefiningOp<tensor::EmptyOp>())
        continue;
      Value empty = tensor::EmptyOp::create(
          rewriter, generic.getLoc(),
          tensor::getMixedSizes(rewriter, generic.getLoc(), init.get()),
          getElementTypeOrSelf(init.get()));
      rewriter.modifyOpInPlace(generic, [&] { init.set(empty); });
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

/// Applies the patterns below `scope`, and sets `changed` if anything does.
static LogicalResult apply(Operation *scope, RewriterBase::Listener *listener,
                           function_ref<void(RewritePatternSet &)> populate,
                           bool &changed) {
  RewritePatternSet patterns(scope->getContext());
  populate(patterns);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  config.setListener(listener);
  bool changedHere = false;
  LogicalResult result =
      applyPatternsGreedily(scope, std::move(patterns), config, &changedHere);
  changed |= changedHere;
  return result;
}

/// A step may make another step possible, so the steps are repeated. After two
/// or three rounds nothing changes.
static constexpr unsigned kMaxRounds = 8;

static LogicalResult applySpelling(Operation *scope,
                                   RewriterBase::Listener *listener) {
  IRRewriter rewriter(scope->getContext(), listener);
  // Patterns may match what CSE merges: two casts of a pad, a sum of one size.
  // They make selects of branches.
  bool repeats = true;
  for (unsigned round = 0; repeats && round < kMaxRounds; ++round) {
    bool changed = false;
    if (failed(
            apply(scope, listener, populateNormalizeSpellingPatterns, changed)))
      return failure();
    repeats = false;
    if (failed(convertElementwise(scope, listener, repeats)))
      return failure();
    DominanceInfo dominance;
    bool isMerged = false;
    eliminateCommonSubExpressions(rewriter, dominance, scope, &isMerged);
    repeats |= isMerged;
  }
  return success();
}

Operation *mlir::linalg_ext::findEncodedTensor(Operation *scope) {
  auto isEncoded = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  Operation *found = nullptr;
  scope->walk([&](Operation *op) {
    // Functions may hand such tensors on.
    if (op->hasTrait<OpTrait::ReturnLike>() || isa<CallOpInterface>(op) ||
        (llvm::none_of(op->getOperandTypes(), isEncoded) &&
         llvm::none_of(op->getResultTypes(), isEncoded)))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Fails with an error at an op on tensors with encodings.
static LogicalResult refuseEncodings(Operation *scope) {
  if (Operation *op = findEncodedTensor(scope))
    return op->emitOpError("expected tensors without encodings, which the "
                           "normal form does not keep");
  return success();
}

LogicalResult
mlir::linalg_ext::normalizeProgram(Operation *scope,
                                   RewriterBase::Listener *listener) {
  IRRewriter rewriter(scope->getContext(), listener);
  // 0. No negative padding, before anything folds it. No complex numbers.
  slicePadding(rewriter, scope);
  bool changed = false;
  if (failed(convertElementwise(scope, listener, changed)) ||
      failed(splitComplex(scope, listener)))
    return failure();
  // Before patterns move reshapes and transposes across them. Those of short
  // constants are selects.
  if (failed(apply(scope, listener, populateSelectFromTablePatterns, changed)))
    return failure();
  raisePagedGathers(rewriter, scope);
  // 1. One spelling of scalars, fills and sizes.
  if (failed(applySpelling(scope, listener)))
    return failure();
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    bool changed = false;
    // 2. Drop kept dimensions of size 1, move zero points and computation out
    //    of the payloads of contractions, compute only those elements that are
    //    read one by one, and unpack integers in one op. Then compute on merged
    //    dimensions what is reduced along them, but not what is unpacked.
    if (failed(apply(
            scope, listener,
            [](RewritePatternSet &patterns) {
              populateDropKeptDimsPatterns(patterns);
              populateSplitZeroPointsPatterns(patterns);
              populateExtractContractionOperandsPatterns(patterns);
              populateExtractElementsPatterns(patterns);
              populateUnpackElementsPatterns(patterns);
            },
            changed)) ||
        failed(apply(scope, listener, populateCollapseElementwisePatterns,
                     changed)))
      return failure();
    // 3. Find online reductions, also across the reshapes that are still there.
    changed |= raiseOnlineReductions(rewriter, scope) > 0;
    // 4. Restore dimensions that were merged. Masks hide by -inf.
    if (failed(apply(scope, listener, populateFoldReshapesPatterns, changed)))
      return failure();
    changed |= raiseOnlineReductions(rewriter, scope) > 0;
    if (failed(apply(scope, listener, populateFiniteMasksPatterns, changed)))
      return failure();
    // 5. Read data where it lies. An op whose result is transposed writes it
    //    transposed.
    if (failed(
            apply(scope, listener, populateFoldTransposePatterns, changed)) ||
        failed(apply(scope, listener, populateFoldTransposeIntoProducerPatterns,
                     changed)))
      return failure();
    // 6. Steps before may have made a gather of what was none.
    if (!changed && raisePagedGathers(rewriter, scope) == 0)
      return success();
    if (failed(applySpelling(scope, listener)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static constexpr PatternSet kPatternSets[] = {
    {"spelling", populateNormalizeSpellingPatterns},
    {"drop-kept-dims", populateDropKeptDimsPatterns},
    {"extract-contraction-operands",
     populateExtractContractionOperandsPatterns},
    {"extract-elements", populateExtractElementsPatterns},
    {"compute-tables", populateComputeTablesPatterns},
    {"unpack-elements", populateUnpackElementsPatterns},
    {"collapse-elementwise", populateCollapseElementwisePatterns},
    {"fold-reshapes", populateFoldReshapesPatterns},
    {"fold-transpose", populateFoldTransposePatterns},
    {"fold-transpose-into-producer", populateFoldTransposeIntoProducerPatterns},
    // A long chain takes many iterations. Each leaves fewer ops.
    {"fuse-elementwise", populateFuseElementwisePatterns,
     GreedyRewriteConfig::kNoLimit},
    {"factor-out-of-max", populateFactorOutOfMaxPatterns},
    {"split-sums", populateSplitSumsPatterns},
    {"split-groups", populateSplitGroupsPatterns},
    {"split-words", populateSplitWordsPatterns},
    {"sum-windows", populateSumWindowsPatterns},
    {"merge-words", populateMergeWordsPatterns},
    {"read-gathered-rows", populateReadContiguousRowsPatterns},
    {"split-zero-points", populateSplitZeroPointsPatterns},
    {"split-all-zero-points", populateSplitAllZeroPointsPatterns},
    {"scale-after-contraction", populateScaleAfterContractionPatterns},
    {"fuse-dequantization", populateFuseDequantizationPatterns},
    {"widen-accumulators", populateWidenAccumulatorPatterns}};

namespace {
struct LinalgExtNormalizePass
    : public linalg_ext::impl::LinalgExtNormalizePassBase<
          LinalgExtNormalizePass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    LinalgExtNormalizePassBase::getDependentDialects(registry);
    registerAllExternalModels(registry);
  }

  void runOnOperation() override {
    if (inlinePrivate && !getOperation()->hasTrait<OpTrait::SymbolTable>()) {
      getOperation()->emitError()
          << "expected a module with 'inline-private', got '"
          << getOperation()->getName() << "'";
      return signalPassFailure();
    }
    if (failed(refuseEncodings(getOperation())))
      return signalPassFailure();
    if (unrollLoops < 0) {
      emitError(getOperation()->getLoc())
          << "expected 'unroll-loops' to be at least 0, got "
          << int64_t(unrollLoops);
      return signalPassFailure();
    }
    if (inlinePrivate && failed(inlineCalls()))
      return signalPassFailure();
    if (patterns.empty()) {
      if (failed(normalizeProgram(getOperation())) ||
          (unrollTensorLoops(getOperation(), unrollLoops) > 0 &&
           failed(normalizeProgram(getOperation()))))
        return signalPassFailure();
      IRRewriter rewriter(&getContext());
      if (guardDivisions(rewriter, getOperation()) > 0 &&
          failed(normalizeProgram(getOperation())))
        signalPassFailure();
      return;
    }
    SmallVector<std::string> names(patterns.begin(), patterns.end());
    // Patterns fold what they meet. An unknown name leaves the IR as it is.
    IRRewriter rewriter(&getContext());
    if (llvm::all_of(names, [](StringRef name) {
          return llvm::any_of(kPatternSets, [&](const PatternSet &set) {
            return set.name == name;
          });
        }))
      slicePadding(rewriter, getOperation());
    if (failed(applyPatternSets(getOperation(), kPatternSets, names)))
      signalPassFailure();
  }

private:
  LogicalResult inlineCalls() {
    auto run = [](Pass &pass, OpPassManager &pipeline, Operation *op) {
      return static_cast<LinalgExtNormalizePass &>(pass).runPipeline(pipeline,
                                                                     op);
    };
    return linalg_ext::inlinePrivate(getOperation(), getAnalysis<CallGraph>(),
                                     *this, getAnalysisManager(), run);
  }
};
} // namespace
