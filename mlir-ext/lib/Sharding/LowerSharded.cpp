//===- LowerSharded.cpp - After shard-partition ---------------------------===//
//
// Rewrites the program of one process so that it can be fused, and replaces the
// ops of the shard dialect by calls of the runtime library (LinalgExtMPI.h).
//
//===----------------------------------------------------------------------===//

#include "StreamGathers.h"
#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"
#include "mlir-ext/Support/RewriteConfig.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

namespace {
/// Folds the sizes of a grid to constants.
struct FoldGridShape : OpRewritePattern<GridShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto grid =
        SymbolTable::lookupNearestSymbolFrom<GridOp>(op, op.getGridAttr());
    if (!grid || ShapedType::isDynamicShape(grid.getShape()))
      return rewriter.notifyMatchFailure(op, "not a grid of static shape");
    SmallVector<GridAxis> axes(op.getAxes());
    if (axes.empty())
      llvm::append_range(axes, llvm::seq<GridAxis>(0, grid.getRank()));
    SmallVector<Value> sizes;
    for (GridAxis axis : axes)
      sizes.push_back(arith::ConstantIndexOp::create(rewriter, op.getLoc(),
                                                     grid.getShape()[axis]));
    rewriter.replaceOp(op, sizes);
    return success();
  }
};

/// Computes the size of a gathered tensor from the size of a part.
struct FoldSizeOfGather : OpRewritePattern<tensor::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::DimOp op,
                                PatternRewriter &rewriter) const override {
    auto gather = op.getSource().getDefiningOp<AllGatherOp>();
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!gather || !dim)
      return rewriter.notifyMatchFailure(op, "not a size of a gathered tensor");
    auto grid =
        SymbolTable::lookupNearestSymbolFrom<GridOp>(op, gather.getGridAttr());
    if (!grid || ShapedType::isDynamicShape(grid.getShape()))
      return rewriter.notifyMatchFailure(op, "not a grid of static shape");
    Value size =
        tensor::DimOp::create(rewriter, op.getLoc(), gather.getInput(), *dim);
    int64_t count = 1;
    if (*dim == gather.getGatherAxis().getSExtValue())
      count = collectiveProcessGroupSize(gather.getGridAxes(), grid.getShape());
    rewriter.replaceOpWithNewOp<affine::AffineApplyOp>(
        op, AffineMap::get(0, 1, rewriter.getAffineSymbolExpr(0) * count),
        size);
    return success();
  }
};

/// Simplifies an all_gather along one dimension that is followed by an
/// all_slice of another one: each process needs only that part from each other
/// process. If the dimensions are equal, the process has the part already.
struct ExchangeGathered : OpRewritePattern<AllSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto gather = op.getInput().getDefiningOp<AllGatherOp>();
    if (!gather || gather.getGridAttr() != op.getGridAttr() ||
        gather.getGridAxes() != op.getGridAxes())
      return rewriter.notifyMatchFailure(
          op, "not a part of what the same processes have gathered");
    if (gather.getGatherAxis() == op.getSliceAxis()) {
      if (gather.getInput().getType() != op.getResult().getType())
        return rewriter.notifyMatchFailure(op, "not of the type of the part");
      rewriter.replaceOp(op, gather.getInput());
      return success();
    }
    if (!gather->hasOneUse())
      return rewriter.notifyMatchFailure(op, "others read the gathered tensor");
    rewriter.replaceOpWithNewOp<AllToAllOp>(
        op, op.getResult().getType(), op.getGrid(), op.getGridAxes(),
        gather.getInput(), op.getSliceAxis(), gather.getGatherAxis());
    return success();
  }
};

/// Removes the gather of an uninitialised tensor or of a fill, whose elements
/// are known without the other processes.
struct FoldGatherOfFill : OpRewritePattern<AllGatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AllGatherOp op,
                                PatternRewriter &rewriter) const override {
    Value input = op.getInput();
    auto fill = input.getDefiningOp<linalg::FillOp>();
    auto alloc = input.getDefiningOp<bufferization::AllocTensorOp>();
    if (!fill && !input.getDefiningOp<tensor::EmptyOp>() &&
        (!alloc || alloc.getCopy()))
      return rewriter.notifyMatchFailure(op, "not a filled tensor");
    auto grid =
        SymbolTable::lookupNearestSymbolFrom<GridOp>(op, op.getGridAttr());
    auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
    if (!grid || ShapedType::isDynamicShape(grid.getShape()) || !type)
      return rewriter.notifyMatchFailure(op, "not a grid of static shape");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, input);
    int64_t dim = op.getGatherAxis().getSExtValue();
    int64_t count =
        collectiveProcessGroupSize(op.getGridAxes(), grid.getShape());
    sizes[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, rewriter.getAffineDimExpr(0) * count, sizes[dim]);
    Value whole =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    if (fill)
      whole = linalg::FillOp::create(rewriter, loc, fill.value(), whole)
                  .getResult(0);
    if (whole.getType() != type)
      whole = tensor::CastOp::create(rewriter, loc, type, whole);
    rewriter.replaceOp(op, whole);
    return success();
  }
};

} // namespace

/// Returns whether `nested`, which is in the payload `body`, depends on nothing
/// in it.
static bool isInvariant(Operation &nested, Block *body) {
  auto isInPayload = [&](Value value) {
    return value.getParentBlock() == body;
  };
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(nested.getRegions(), captured);
  bool readsIndex =
      nested.walk([](linalg::IndexOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  return isPure(&nested) && !readsIndex &&
         llvm::none_of(nested.getOperands(), isInPayload) &&
         llvm::none_of(captured, isInPayload);
}

/// Moves ops of payloads that do not depend on the payload before the op.
static void hoistFromPayloads(ModuleOp module) {
  module.walk([](linalg::LinalgOp op) {
    Block *body = op.getBlock();
    for (Operation &nested :
         llvm::make_early_inc_range(body->without_terminator()))
      if (isInvariant(nested, body))
        nested.moveBefore(op);
  });
}

/// Moves ops that depend on communication after ops that do not. A loop that
/// computes a state can then also compute other values that depend on the same
/// tiles. Level n + 1 contains the ops that need a collective op of level n.
/// Each level keeps its order. Nothing changes if an op has side effects.
static void sortByCommunication(Block &block) {
  llvm::DenseMap<Operation *, int64_t> levels;
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator()) {
    if (!isMemoryEffectFree(&op))
      return;
    int64_t level = 0;
    auto addOperand = [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      if (source && source->getBlock() == &block)
        level = std::max(level, levels.lookup(source));
    };
    op.walk([&](Operation *nested) {
      llvm::for_each(nested->getOperands(), addOperand);
    });
    levels[&op] = level + isa<AllReduceOp, AllGatherOp, AllToAllOp>(op);
    ops.push_back(&op);
  }
  llvm::stable_sort(ops, [&](Operation *lhs, Operation *rhs) {
    return levels[lhs] < levels[rhs];
  });
  for (Operation *op : ops)
    op->moveBefore(&block, std::prev(block.end()));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// Replaces the ops of the shard dialect by calls.
class CallLowering {
public:
  CallLowering(ModuleOp module, RuntimeCalls &calls)
      : module(module), calls(calls) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<ShardDialect>(op->getDialect()) && !isa<GridOp>(op))
        ops.push_back(op);
    });
    // Report all errors first, so that a program that cannot be lowered is
    // unchanged.
    LogicalResult result = success();
    for (Operation *op : ops)
      if (failed(check(op)))
        result = failure();
    if (failed(result))
      return failure();
    for (Operation *op : ops) {
      if (auto index = dyn_cast<ProcessLinearIndexOp>(op))
        lower(index);
      else if (auto reduce = dyn_cast<AllReduceOp>(op))
        lower(reduce);
      else if (auto gather = dyn_cast<AllGatherOp>(op))
        lower(gather);
      else if (auto exchange = dyn_cast<AllToAllOp>(op))
        lower(exchange);
      else // A sharding that nobody reads.
        op->erase();
    }
    for (GridOp grid : llvm::make_early_inc_range(module.getOps<GridOp>()))
      grid.erase();
    return success();
  }

private:
  LogicalResult check(Operation *op) {
    if (isa<ShardingOp>(op) && op->use_empty())
      return success();
    FlatSymbolRefAttr name;
    if (auto index = dyn_cast<ProcessLinearIndexOp>(op))
      name = index.getGridAttr();
    else if (auto reduce = dyn_cast<AllReduceOp>(op))
      name = reduce.getGridAttr();
    else if (auto gather = dyn_cast<AllGatherOp>(op))
      name = gather.getGridAttr();
    else if (auto exchange = dyn_cast<AllToAllOp>(op))
      name = exchange.getGridAttr();
    else
      return op->emitError()
             << "expected process_linear_index, all_reduce, all_gather or "
                "all_to_all of the shard dialect, got '"
             << op->getName() << "', which the runtime library lacks";
    GridOp grid = calls.getGrid(name);
    if (!grid || ShapedType::isDynamicShape(grid.getShape()))
      return op->emitError() << "expected a shard.grid of static shape in the "
                                "module, got "
                             << name;
    if (isa<ProcessLinearIndexOp>(op))
      return success();
    for (Type type :
         {op->getOperand(0).getType(), op->getResult(0).getType()}) {
      auto tensorType = dyn_cast<RankedTensorType>(type);
      if (!tensorType)
        return op->emitError() << "expected a tensor, got " << type;
      if (RuntimeCalls::getTypeName(tensorType.getElementType()).empty())
        return op->emitError()
               << "expected elements of type f16, bf16, f32, f64, i1, i8, i16, "
                  "i32 or i64, got "
               << tensorType.getElementType();
    }
    if (auto reduce = dyn_cast<AllReduceOp>(op)) {
      Type element = getElementTypeOrSelf(reduce.getInput());
      if (element.isInteger() && element.getIntOrFloatBitWidth() < 32)
        return op->emitError()
               << "expected integers of 32 or 64 bits, got " << element;
      if (getElementTypeOrSelf(reduce.getInput()) !=
          getElementTypeOrSelf(reduce.getResult()))
        return op->emitError() << "expected the same element type for input "
                                  "and result, got "
                               << reduce.getInput().getType() << " and "
                               << reduce.getResult().getType();
      if (!llvm::is_contained({ReductionKind::Sum, ReductionKind::Product,
                               ReductionKind::Min, ReductionKind::Max},
                              reduce.getReduction()))
        return op->emitError()
               << "expected sum, product, min or max, got '"
               << stringifyReductionKind(reduce.getReduction()) << "'";
    }
    return success();
  }

  void lower(ProcessLinearIndexOp op) {
    // Build the call once for each function, because nothing merges calls.
    auto function = op->getParentOfType<FunctionOpInterface>();
    Value &index = indices[{function, op.getGridAttr()}];
    if (!index) {
      ImplicitLocOpBuilder b(op.getLoc(), op.getContext());
      b.setInsertionPointToStart(&function.getFunctionBody().front());
      index = calls.getProcessIndex(b, op.getGridAttr());
    }
    op.replaceAllUsesWith(index);
    op.erase();
  }

  void lower(AllReduceOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value buffer = calls.materialize(b, op.getInput());
    Value kind = arith::ConstantIntOp::create(
        b, b.getI64Type(), static_cast<int64_t>(op.getReduction()));
    calls.callCollective(b, "all_reduce", buffer, op.getGridAttr(),
                         op.getGridAxes(), kind);
    op.replaceAllUsesWith(calls.toTensor(b, op.getResult().getType(), buffer));
    op.erase();
  }

  void lower(AllGatherOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value part = calls.materialize(b, op.getInput());
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t gatherDim = op.getGatherAxis().getSExtValue();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), op.getInput());
    AffineExpr size = b.getAffineDimExpr(0);
    int64_t count = collectiveProcessGroupSize(
        op.getGridAxes(), calls.getGrid(op.getGridAttr()).getShape());
    sizes[gatherDim] = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), size * count, sizes[gatherDim]);
    Value whole = calls.allocate(b, type, sizes);
    Value dim = arith::ConstantIntOp::create(b, b.getI64Type(), gatherDim);
    calls.callCollective(b, "all_gather", {part, whole}, op.getGridAttr(),
                         op.getGridAxes(), dim);
    op.replaceAllUsesWith(calls.toTensor(b, type, whole));
    op.erase();
  }

  void lower(AllToAllOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value from = calls.materialize(b, op.getInput());
    auto type = cast<RankedTensorType>(op.getResult().getType());
    int64_t splitDim = op.getSplitAxis().getSExtValue(),
            concatDim = op.getConcatAxis().getSExtValue();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(b, b.getLoc(), op.getInput());
    AffineExpr size = b.getAffineDimExpr(0);
    int64_t count = collectiveProcessGroupSize(
        op.getGridAxes(), calls.getGrid(op.getGridAttr()).getShape());
    auto set = [&](int64_t dim, AffineExpr expr) {
      sizes[dim] = affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr,
                                                         sizes[dim]);
    };
    set(splitDim, size.floorDiv(count));
    set(concatDim, size * count);
    Value to = calls.allocate(b, type, sizes);
    Value dims[] = {arith::ConstantIntOp::create(b, b.getI64Type(), splitDim),
                    arith::ConstantIntOp::create(b, b.getI64Type(), concatDim)};
    calls.callCollective(b, "all_to_all", {from, to}, op.getGridAttr(),
                         op.getGridAxes(), dims);
    op.replaceAllUsesWith(calls.toTensor(b, type, to));
    op.erase();
  }

  ModuleOp module;
  RuntimeCalls &calls;
  /// The index of this process, by function and grid.
  llvm::DenseMap<std::pair<Operation *, Attribute>, Value> indices;
};
} // namespace

static void sortByCommunication(ModuleOp module) {
  module.walk([](FunctionOpInterface function) {
    for (Block &block : function.getFunctionBody())
      if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
        sortByCommunication(block);
  });
}

/// Fails, with an error, if stripes would be gathered, sliced or exchanged as
/// parts, because the whole has their elements in another order.
static LogicalResult checkStripes(ModuleOp module, RuntimeCalls &calls) {
  WalkResult result =
      module.walk(
          [&](Operation *op) {
            FlatSymbolRefAttr name;
            ArrayRef<GridAxis> axes;
            int64_t dim;
            if (auto gather = dyn_cast<AllGatherOp>(op)) {
              name = gather.getGridAttr();
              axes = gather.getGridAxes();
              dim = gather.getGatherAxis().getSExtValue();
            } else if (auto slice = dyn_cast<AllSliceOp>(op)) {
              name = slice.getGridAttr();
              axes = slice.getGridAxes();
              dim = slice.getSliceAxis().getSExtValue();
            } else if (auto exchange = dyn_cast<AllToAllOp>(op)) {
              name = exchange.getGridAttr();
              axes = exchange.getGridAxes();
              dim = exchange.getConcatAxis().getSExtValue();
            } else {
              return WalkResult::advance();
            }
            GridOp grid = calls.getGrid(name);
            // A part of one element is a stripe.
            Type type = isa<AllSliceOp>(op) ? op->getResult(0).getType()
                                            : op->getOperand(0).getType();
            if (!grid || !isStripedAxis(grid, axes) ||
                cast<ShapedType>(type).getDimSize(dim) == 1)
              return WalkResult::advance();
            op->emitError()
                << "expected no parts to be gathered, exchanged or cut along a "
                   "striped axis: stripes are in another order than the whole";
            return WalkResult::interrupt();
          });
  return failure(result.wasInterrupted());
}

/// Builds run-time checks that the parts of all processes have the same size.
/// The program relies on this where processes communicate, and where the
/// position of a process or the whole size matters.
static void checkDynamicParts(ModuleOp module, RuntimeCalls &calls) {
  module.walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    auto grid = function->getAttrOfType<FlatSymbolRefAttr>(kReadsSizesAttrName);
    function->removeAttr(kReadsSizesAttrName);
    function.walk([&](Operation *op) {
      if (auto index = dyn_cast<ProcessMultiIndexOp>(op))
        grid = index.getGridAttr();
      else if (auto index = dyn_cast<ProcessLinearIndexOp>(op))
        grid = index.getGridAttr();
      else if (auto gather = dyn_cast<AllGatherOp>(op))
        grid = gather.getGridAttr();
      else if (auto reduce = dyn_cast<AllReduceOp>(op))
        grid = reduce.getGridAttr();
      else if (auto exchange = dyn_cast<AllToAllOp>(op))
        grid = exchange.getGridAttr();
    });
    ImplicitLocOpBuilder b(function.getLoc(), function->getContext());
    b.setInsertionPointToStart(&function.getFunctionBody().front());
    for (BlockArgument argument : function.getArguments()) {
      auto parts = function.getArgAttrOfType<DenseI64ArrayAttr>(
          argument.getArgNumber(), kDynamicPartsAttrName);
      if (!parts)
        continue;
      function.removeArgAttr(argument.getArgNumber(), kDynamicPartsAttrName);
      for (size_t i = 0; grid && i < static_cast<size_t>(parts.size()); i += 2)
        calls.checkSize(b, argument, parts[i], parts[i + 1], grid);
    }
  });
}

LogicalResult mlir::linalg_ext::lowerShardedProgram(ModuleOp module) {
  MLIRContext *context = module.getContext();
  hoistFromPayloads(module);
  RuntimeCalls calls(module);
  RewritePatternSet gathers(context);
  gathers.add<ExchangeGathered, FoldGatherOfFill, FoldSizeOfGather>(context);
  GreedyRewriteConfig config = getStructuredRewriteConfig();
  if (failed(applyPatternsGreedily(module, std::move(gathers), config)))
    return failure();
  sortByCommunication(module);
  checkDynamicParts(module, calls);
  WalkResult rings = module.walk([&](FunctionOpInterface function) {
    return WalkResult(function.isExternal() ||
                              succeeded(streamGathers(function, calls))
                          ? WalkResult::advance()
                          : WalkResult::interrupt());
  });
  if (rings.wasInterrupted() || failed(checkStripes(module, calls)))
    return failure();
  SymbolTableCollection symbols;
  RewritePatternSet patterns(context);
  populateAllOpLoweringPatterns(patterns, symbols);
  patterns.add<FoldGridShape>(context);
  // Expand the position along an axis to quotients and remainders, which bounds
  // of loops and manifests can express.
  affine::populateAffineExpandIndexOpsAsAffinePatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns), config)))
    return failure();
  sortByCommunication(module);
  return CallLowering(module, calls).run();
}
