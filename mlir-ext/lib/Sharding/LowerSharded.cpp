//===- LowerSharded.cpp - After shard-partition ---------------------------===//
//
// Rewrites the program of one process so that it can be fused, and replaces the
// ops of the shard dialect by calls of the runtime library (LinalgExtMPI.h).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTLOWERSHARDEDPASS
#include "mlir-ext/Sharding/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

namespace {
/// The sizes of a grid are known.
struct FoldGridShape : OpRewritePattern<GridShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(GridShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto grid = SymbolTable::lookupNearestSymbolFrom<GridOp>(op, op.getGridAttr());
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

} // namespace

/// Moves ops of payloads that depend on nothing in the payload before the op.
static void hoistFromPayloads(ModuleOp module) {
  module.walk([](linalg::LinalgOp op) {
    Block *body = op.getBlock();
    for (Operation &nested :
         llvm::make_early_inc_range(body->without_terminator())) {
      bool isInvariant =
          isPure(&nested) && !isa<linalg::IndexOp>(nested) &&
          llvm::none_of(nested.getOperands(), [&](Value operand) {
            return operand.getParentBlock() == body;
          });
      if (isInvariant)
        nested.moveBefore(op);
    }
  });
}

/// Moves what depends on communication behind what does not, so that a loop that
/// computes a state can also compute what else depends on the same tiles. Level
/// n + 1 are the ops that need a collective op of level n. Each level keeps its
/// order. Nothing changes if an op has side effects.
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
    levels[&op] = level + isa<AllReduceOp, AllGatherOp>(op);
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
  explicit CallLowering(ModuleOp module)
      : module(module), symbols(module) {}

  LogicalResult run() {
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (isa<ShardDialect>(op->getDialect()) && !isa<GridOp>(op))
        ops.push_back(op);
    });
    // All errors first: a program that cannot be lowered stays as it is.
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
      else // A sharding that nobody reads.
        op->erase();
    }
    for (GridOp grid : llvm::make_early_inc_range(module.getOps<GridOp>()))
      grid.erase();
    return success();
  }

private:
  static StringRef getTypeName(Type type) {
    if (type.isF16())
      return "f16";
    if (type.isBF16())
      return "bf16";
    if (type.isF32())
      return "f32";
    if (type.isF64())
      return "f64";
    if (type.isSignlessInteger(1))
      return "i1";
    if (type.isSignlessInteger(8))
      return "i8";
    if (type.isSignlessInteger(16))
      return "i16";
    if (type.isSignlessInteger(32))
      return "i32";
    if (type.isSignlessInteger(64))
      return "i64";
    return {};
  }

  GridOp getGrid(Operation *op, FlatSymbolRefAttr name) {
    return symbols.lookup<GridOp>(name.getAttr());
  }

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
    else
      return op->emitError()
             << "expected process_linear_index, all_reduce or all_gather of "
                "the shard dialect, got '"
             << op->getName() << "', which the runtime library lacks";
    GridOp grid = getGrid(op, name);
    if (!grid || ShapedType::isDynamicShape(grid.getShape()))
      return op->emitError() << "expected a shard.grid of static shape in the "
                                "module, got "
                             << name;
    if (isa<ProcessLinearIndexOp>(op))
      return success();
    for (Type type : {op->getOperand(0).getType(), op->getResult(0).getType()}) {
      auto tensorType = dyn_cast<RankedTensorType>(type);
      if (!tensorType || !tensorType.hasStaticShape())
        return op->emitError() << "expected a tensor of static shape, got "
                               << type;
      if (getTypeName(tensorType.getElementType()).empty())
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
        return op->emitError() << "expected sum, product, min or max, got '"
                               << stringifyReductionKind(reduce.getReduction())
                               << "'";
    }
    return success();
  }

  /// The shape of the grid, as memref<*xi64>.
  Value getShape(ImplicitLocOpBuilder &b, FlatSymbolRefAttr name) {
    GridOp grid = getGrid(module, name);
    auto type = MemRefType::get({grid.getRank()}, b.getI64Type());
    memref::GlobalOp &global = globals[grid];
    if (!global) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      auto values = DenseIntElementsAttr::get(
          RankedTensorType::get({grid.getRank()}, b.getI64Type()),
          grid.getShape());
      global = memref::GlobalOp::create(
          b, (grid.getSymName() + "_shape").str(), b.getStringAttr("private"),
          type, values, /*constant=*/true, /*alignment=*/IntegerAttr());
      symbols.insert(global);
    }
    return unrank(b, memref::GetGlobalOp::create(b, type, global.getSymName()));
  }

  static Value unrank(ImplicitLocOpBuilder &b, Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return memref::CastOp::create(
        b, UnrankedMemRefType::get(type.getElementType(), {}), buffer);
  }

  /// The axes as bits: bit i stands for axis i. None stands for all.
  static Value getMask(ImplicitLocOpBuilder &b, ArrayRef<GridAxis> axes,
                       GridOp grid) {
    int64_t mask = 0;
    for (GridAxis axis : axes)
      mask |= int64_t(1) << axis;
    if (axes.empty())
      mask = (int64_t(1) << grid.getRank()) - 1;
    return arith::ConstantIntOp::create(b, b.getI64Type(), mask);
  }

  func::CallOp call(ImplicitLocOpBuilder &b, const Twine &name, TypeRange results,
                    ValueRange operands) {
    std::string symbol = name.str();
    if (!symbols.lookup(symbol)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(module.getBody());
      auto callee = func::FuncOp::create(
          b, symbol, b.getFunctionType(ValueRange(operands).getTypes(), results));
      callee.setPrivate();
      symbols.insert(callee);
    }
    return func::CallOp::create(b, symbol, results, operands);
  }

  Value allocate(ImplicitLocOpBuilder &b, Type type) {
    auto tensorType = cast<RankedTensorType>(type);
    return memref::AllocOp::create(
        b, MemRefType::get(tensorType.getShape(), tensorType.getElementType()));
  }

  Value toTensor(ImplicitLocOpBuilder &b, Type type, Value buffer) {
    return bufferization::ToTensorOp::create(b, type, buffer, /*restrict=*/true,
                                             /*writable=*/true);
  }

  void lower(ProcessLinearIndexOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value process = call(b, "linalg_ext_mpi_process_index", b.getI64Type(),
                         getShape(b, op.getGridAttr()))
                        .getResult(0);
    op.replaceAllUsesWith(
        arith::IndexCastOp::create(b, b.getIndexType(), process).getResult());
    op.erase();
  }

  void lower(AllReduceOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value buffer = allocate(b, op.getResult().getType());
    bufferization::MaterializeInDestinationOp::create(
        b, Type(), op.getInput(), buffer, /*restrict=*/true, /*writable=*/true);
    Value kind = arith::ConstantIntOp::create(
        b, b.getI64Type(), static_cast<int64_t>(op.getReduction()));
    call(b,
         "linalg_ext_mpi_all_reduce_" +
             getTypeName(getElementTypeOrSelf(buffer.getType())),
         TypeRange(),
         {unrank(b, buffer), getShape(b, op.getGridAttr()),
          getMask(b, op.getGridAxes(), getGrid(op, op.getGridAttr())), kind});
    op.replaceAllUsesWith(toTensor(b, op.getResult().getType(), buffer));
    op.erase();
  }

  void lower(AllGatherOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value part = allocate(b, op.getInput().getType());
    bufferization::MaterializeInDestinationOp::create(
        b, Type(), op.getInput(), part, /*restrict=*/true, /*writable=*/true);
    Value whole = allocate(b, op.getResult().getType());
    Value dim = arith::ConstantIntOp::create(b, b.getI64Type(),
                                             op.getGatherAxis().getSExtValue());
    call(b,
         "linalg_ext_mpi_all_gather_" +
             getTypeName(getElementTypeOrSelf(whole.getType())),
         TypeRange(),
         {unrank(b, part), unrank(b, whole), getShape(b, op.getGridAttr()),
          getMask(b, op.getGridAxes(), getGrid(op, op.getGridAttr())), dim});
    op.replaceAllUsesWith(toTensor(b, op.getResult().getType(), whole));
    op.erase();
  }

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, memref::GlobalOp> globals;
};
} // namespace

LogicalResult mlir::linalg_ext::lowerShardedProgram(ModuleOp module) {
  MLIRContext *context = module.getContext();
  hoistFromPayloads(module);
  SymbolTableCollection symbols;
  RewritePatternSet patterns(context);
  populateAllOpLoweringPatterns(patterns, symbols);
  patterns.add<FoldGridShape>(context);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();
  module.walk([](FunctionOpInterface function) {
    for (Block &block : function.getFunctionBody())
      if (!block.empty() && block.back().hasTrait<OpTrait::IsTerminator>())
        sortByCommunication(block);
  });
  return CallLowering(module).run();
}

namespace {
struct LowerSharded
    : mlir::linalg_ext::impl::LinalgExtLowerShardedPassBase<LowerSharded> {
  using LinalgExtLowerShardedPassBase::LinalgExtLowerShardedPassBase;

  void runOnOperation() override {
    if (failed(lowerShardedProgram(getOperation())))
      signalPassFailure();
  }
};
} // namespace
