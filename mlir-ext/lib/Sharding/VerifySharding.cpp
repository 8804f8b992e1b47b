//===- VerifySharding.cpp - Checks before shard-partition -----------------===//
//
// Checks that an annotated function can be cut among processes, and prepares
// the indices of sharded dimensions.
//
//===----------------------------------------------------------------------===//

#include "StreamGathers.h"
#include "mlir-ext/Interfaces/OnlineReductionOpInterface.h"
#include "mlir-ext/Sharding/Passes.h"
#include "mlir-ext/Sharding/Sharding.h"
#include "mlir-ext/Support/LLVMVersion.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterfaceImpl.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::shard;

namespace {
/// How the loops of an op are distributed.
struct LoopSharding {
  SmallVector<utils::IteratorType> iterators;
  /// For each loop, the axes along which processes share it.
  ShardingArray axes;
  GridOp grid;

  bool reducesShardedDim() const {
    return isAtLeastOneReductionIteratorSharded(iterators, axes);
  }
};

class Verifier {
public:
  explicit Verifier(FunctionOpInterface function) : function(function) {}

  LogicalResult run() {
    for (Operation &op : function.getFunctionBody().getOps()) {
      verifyOp(op);
      if (failedOnce)
        return failure();
    }
    return success();
  }

private:
  InFlightDiagnostic fail(Operation *op) {
    failedOnce = true;
    return op->emitError();
  }

  void verifyOp(Operation &op) {
    if (isa<ShardingOp, GetShardingOp>(op))
      return;
    if (auto shardOp = dyn_cast<ShardOp>(op))
      return verifyAnnotation(shardOp);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      verifyConstant(constant);
    else if (verifyCompleteness(op) && verifyPayload(op))
      verifyReduction(op);
  }

  /// Checks that the axes are axes of the grid, and that they divide the sizes.
  void verifyAnnotation(ShardOp op) {
    Sharding sharding(op.getSharding());
    auto grid =
        symbols.lookupNearestSymbolFrom<GridOp>(op, sharding.getGridAttr());
    if (!grid) {
      fail(op) << "expected the name of a shard.grid, got "
               << sharding.getGridAttr();
      return;
    }
    if (auto source = op.getSrc().getDefiningOp<ShardOp>()) {
      FlatSymbolRefAttr other = Sharding(source.getSharding()).getGridAttr();
      if (other != sharding.getGridAttr()) {
        fail(op) << "expected the grid of the sharding in front, " << other
                 << ", got " << sharding.getGridAttr();
        return;
      }
    }
    if (!sharding.getStaticHaloSizes().empty()) {
      fail(op) << "expected a sharding without halos, got one with";
      return;
    }
    if (!sharding.getStaticShardedDimsOffsets().empty()) {
      fail(op) << "expected parts of the same size, got sharded_dims_offsets";
      return;
    }
    auto type = cast<RankedTensorType>(op.getSrc().getType());
    llvm::SmallDenseSet<GridAxis> used;
    for (auto [dim, axes] : llvm::enumerate(sharding.getSplitAxes())) {
      for (GridAxis axis : axes.asArrayRef()) {
        if (axis < 0 || axis >= grid.getRank()) {
          fail(op) << "expected axes of '" << grid.getSymName()
                   << "', which has " << grid.getRank() << ", got axis "
                   << axis;
          return;
        }
        if (!used.insert(axis).second) {
          fail(op) << "expected each axis for one dimension, got axis " << axis
                   << " for two";
          return;
        }
      }
      if (axes.empty())
        continue;
      if (static_cast<int64_t>(dim) >= type.getRank()) {
        fail(op) << "expected at most " << type.getRank()
                 << " dimensions, which is the rank of " << type << ", got "
                 << sharding.getSplitAxes().size();
        return;
      }
      if (axes.size() > 1 && isStripedAxis(grid, axes.asArrayRef())) {
        fail(op) << "expected one axis for a dimension that is cut into "
                    "stripes, got "
                 << axes.size() << " for dimension " << dim << " of " << type;
        return;
      }
      int64_t count =
          collectiveProcessGroupSize(axes.asArrayRef(), grid.getShape());
      int64_t size = type.getDimSize(dim);
      if (ShapedType::isDynamic(count)) {
        fail(op) << "expected a static number of processes where they share "
                    "dimension "
                 << dim << " of " << type << ", got a dynamic one";
        return;
      }
      if (count < 1) {
        fail(op) << "expected at least 1 process to share dimension " << dim
                 << " of " << type << ", got " << count;
        return;
      }
      // Dynamic sizes are checked at run time.
      if (ShapedType::isStatic(size) && size % count != 0) {
        fail(op) << "expected a multiple of " << count
                 << ", the number of processes that share dimension " << dim
                 << " of " << type << ", got " << size;
        return;
      }
    }
  }

  /// Checks that upstream's model supports the constant. It refuses elements
  /// that differ without a message, and does not cut elements in resources.
  void verifyConstant(arith::ConstantOp op) {
    auto type = dyn_cast<RankedTensorType>(op.getType());
    if (!type || type.getRank() == 0 || op->use_empty() ||
        isa<SplatElementsAttr>(op.getValue()) || !verifyCompleteness(*op))
      return;
    auto isWhole = [](Operation *user) {
      return isFullReplication(Sharding(cast<ShardOp>(user).getSharding()));
    };
    if (!isa<DenseIntOrFPElementsAttr>(op.getValue()) &&
        llvm::all_of(op->getUsers(), isWhole))
      return;
    fail(op) << "expected a constant whose elements are equal, got other "
                "elements of type "
             << type << "; make it an argument";
  }

  /// Checks that every tensor is annotated. Constants, and terminators whose
  /// operands are annotated, count as annotated.
  bool verifyCompleteness(Operation &op) {
    for (auto [number, operand] : llvm::enumerate(op.getOperands())) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type || type.getRank() == 0 || operand.getDefiningOp<ShardOp>())
        continue;
      fail(&op) << "expected a shard.shard for operand " << number
                << ", got none; annotate more, or run sharding-propagation";
      return false;
    }
    for (OpResult result : op.getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type || type.getRank() == 0 || result.use_empty())
        continue;
      if (llvm::all_of(result.getUsers(), llvm::IsaPred<ShardOp>))
        continue;
      fail(&op) << "expected a shard.shard for result "
                << result.getResultNumber()
                << ", got none; annotate more, or run sharding-propagation";
      return false;
    }
    return true;
  }

  /// Checks the values that payloads read. From outside, they may read
  /// constants. If no sharded dimension is reduced, they may also read scalars
  /// and whole tensors.
  bool verifyPayload(Operation &op) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op.getRegions(), captured);
    // The position would be computed from a size outside of the payload.
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      for (auto index : linalgOp.getBlock()->getOps<linalg::IndexOp>()) {
        std::optional<LoopSharding> loops = getLoops(op);
        if (!loops || !loops->reducesShardedDim() ||
            loops->axes[index.getDim()].empty() ||
            ShapedType::isStatic(
                linalgOp.getStaticLoopRanges()[index.getDim()]))
          continue;
        fail(&op)
            << "expected a static size where a payload reads its position "
               "in a dimension that processes share, and they share what "
               "is reduced";
        return false;
      }
    for (Value value : captured) {
      std::optional<LoopSharding> loops = getLoops(op);
      bool isReduced = loops && loops->reducesShardedDim();
      auto shardOp = value.getDefiningOp<ShardOp>();
      bool isWhole =
          !isa<RankedTensorType>(value.getType()) ||
          (shardOp && isFullReplication(Sharding(shardOp.getSharding())));
      // Constants are moved into the payload.
      if (matchPattern(value, m_Constant()) || (isWhole && !isReduced))
        continue;
      fail(&op) << "expected a payload that reads operands alone, where "
                   "processes share "
                << (isWhole ? "what is reduced" : "what it reads")
                << "; got a value of type " << value.getType()
                << " from outside";
      return false;
    }
    return true;
  }

  std::optional<LoopSharding> getLoops(Operation &op) {
    auto model = dyn_cast<ShardingInterface>(op);
    if (!model)
      return std::nullopt;
    LoopSharding loops;
    loops.iterators = model.getLoopIteratorTypes();
    SmallVector<AffineMap> maps = model.getIndexingMaps();
    if (maps.size() != op.getNumOperands() + op.getNumResults() ||
        !llvm::all_of(
            maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      return std::nullopt;
    std::vector<Sharding> operands, results;
    for (Value operand : op.getOperands()) {
      auto shardOp = operand.getDefiningOp<ShardOp>();
      operands.push_back(shardOp ? Sharding(shardOp.getSharding())
                                 : Sharding());
    }
    for (Value result : op.getResults()) {
      ShardOp shardOp;
      if (result.hasOneUse())
        shardOp = dyn_cast<ShardOp>(*result.getUsers().begin());
      results.push_back(shardOp ? Sharding(shardOp.getSharding()) : Sharding());
    }
    for (const Sharding &sharding : llvm::concat<Sharding>(operands, results))
      if (sharding && !loops.grid)
        loops.grid = symbols.lookupNearestSymbolFrom<GridOp>(
            &op, sharding.getGridAttr());
    loops.axes = getGridAxisAssignmentForLoopIterators(operands, results,
                                                       loops.iterators, maps);
    return loops;
  }

  void verifyReduction(Operation &op) {
    std::optional<LoopSharding> loops = getLoops(op);
    if (!loops || !loops->reducesShardedDim())
      return;
    if (isa<OnlineReductionOpInterface>(op))
      return;
    if (op.getNumResults() != 1) {
      fail(&op) << "expected one result where processes share a reduced "
                   "dimension, got "
                << op.getNumResults();
      return;
    }
    if (StringRef wrong = getMisreadCombiner(op); !wrong.empty()) {
      fail(&op)
          << "expected a sum, a product, a minimum or a maximum of signed "
             "numbers where processes share a reduced dimension, got '"
          << wrong << "'";
      return;
    }
    for (ReductionKind kind :
         cast<ShardingInterface>(op).getReductionLoopIteratorKinds())
      if (!llvm::is_contained({ReductionKind::Sum, ReductionKind::Product,
                               ReductionKind::Min, ReductionKind::Max},
                              kind)) {
        fail(&op) << "expected a sum, a product, a minimum or a maximum where "
                     "processes share a reduced dimension, got a "
                     "reduction of kind '"
                  << stringifyReductionKind(kind) << "'";
        return;
      }
    if (Operation *reader = findOnlineReader(op.getResult(0))) {
      InFlightDiagnostic diagnostic =
          fail(&op)
          << "expected no scores that processes would have to exchange, got "
             "a sharded contraction that an online reduction reads; shard "
             "heads, queries or keys instead of the head dimension";
      diagnostic.attachNote(reader->getLoc()) << "this reduction reads them";
    }
  }

  /// Returns the name of the op that combines elements, if upstream's model of
  /// linalg ops mistakes it for another one: `and` for a sum, or unsigned for
  /// signed.
  static StringRef getMisreadCombiner(Operation &op) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    SmallVector<Operation *> combiners;
    if (!linalgOp ||
        !matchReduction(linalgOp.getRegionOutputArgs(), 0, combiners) ||
        combiners.size() != 1)
      return {};
    return isa<arith::AndIOp, arith::MaxUIOp, arith::MinUIOp>(combiners.front())
               ? combiners.front()->getName().getStringRef()
               : StringRef();
  }

  /// Returns the online reduction that reads `value`, directly or through
  /// elementwise ops.
  Operation *findOnlineReader(Value value) {
    SmallVector<Value> worklist = {value};
    llvm::SmallPtrSet<Operation *, 8> visited;
    while (!worklist.empty()) {
      for (Operation *user : worklist.pop_back_val().getUsers()) {
        if (!visited.insert(user).second)
          continue;
        if (auto reduction = dyn_cast<OnlineReductionOpInterface>(user))
          return reduction;
        auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
        if (isa<ShardOp>(user) ||
            (linalgOp &&
             linalgOp.getNumLoops() == linalgOp.getNumParallelLoops()))
          llvm::append_range(worklist, user->getResults());
      }
    }
    return nullptr;
  }

  FunctionOpInterface function;
  SymbolTableCollection symbols;
  bool failedOnce = false;

  friend void mlir::linalg_ext::prepareShardedPayloads(FunctionOpInterface);
};
} // namespace

/// Annotates unused arguments, as the grid says or as whole tensors, because
/// `shard-partition` takes the types of all arguments from annotations.
static void annotateUnusedArguments(FunctionOpInterface function) {
  SmallVector<ShardOp> annotations(
      function.getFunctionBody().getOps<ShardOp>());
  // shard-partition ignores functions without any annotation.
  if (annotations.empty())
    return;
  FlatSymbolRefAttr name =
      Sharding(annotations.front().getSharding()).getGridAttr();
  auto grid = SymbolTable::lookupNearestSymbolFrom<GridOp>(function, name);
  ArrayAttr axes;
  if (grid && SymbolTable::getSymbolVisibility(function) ==
                  SymbolTable::Visibility::Public)
    axes = grid->getAttrOfType<ArrayAttr>(kArgumentAxesAttrName);
  ImplicitLocOpBuilder b(function.getLoc(), function->getContext());
  b.setInsertionPointToStart(&function.getFunctionBody().front());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() == 0 || !argument.use_empty())
      continue;
    SmallVector<GridAxesAttr> splitAxes(type.getRank(),
                                        GridAxesAttr::get(b.getContext(), {}));
    if (axes && argument.getArgNumber() < axes.size())
      for (auto [split, given] :
           llvm::zip(splitAxes, cast<ArrayAttr>(axes[argument.getArgNumber()])))
        split = cast<GridAxesAttr>(given);
    Value sharding = ShardingOp::create(b, name, splitAxes);
    ShardOp::create(b, type, argument, sharding);
  }
}

/// Annotates unused results of structured ops as their inits, because
/// `shard-partition` takes the types of all results from annotations.
static void annotateUnusedResults(FunctionOpInterface function) {
  for (auto op : llvm::make_early_inc_range(
           function.getFunctionBody().getOps<linalg::LinalgOp>())) {
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      auto type = dyn_cast<RankedTensorType>(result.getType());
      if (!type || type.getRank() == 0 || !result.use_empty())
        continue;
      if (auto init =
              op.getTiedOpOperand(result)->get().getDefiningOp<ShardOp>())
        ShardOp::create(b, op->getLoc(), type, result, init.getSharding());
    }
  }
}

LogicalResult mlir::linalg_ext::verifySharding(FunctionOpInterface function) {
  annotateUnusedArguments(function);
  annotateUnusedResults(function);
  return Verifier(function).run();
}

/// Builds the size of loop `dim`, before `op`.
static Value buildLoopSize(linalg::LinalgOp op, int64_t dim) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  for (OpOperand &operand : op->getOpOperands())
    if (std::optional<unsigned> position =
            op.getMatchingIndexingMap(&operand).getResultPosition(
                b.getAffineDimExpr(dim)))
      return tensor::DimOp::create(b, operand.get(), *position);
  llvm_unreachable("expected each loop to index an operand");
}

/// Returns whether `function` computes elements, or which of them it reads,
/// with the whole size of a dimension that is cut. A size that only allocates
/// or reshapes becomes that of the part.
static bool readsWholeSizes(FunctionOpInterface function) {
  SmallVector<Value> worklist;
  function->walk([&](tensor::DimOp op) {
    auto shardOp = op.getSource().getDefiningOp<ShardOp>();
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!shardOp || !dim || !op.getSource().getType().isDynamicDim(*dim))
      return;
    Sharding sharding(shardOp.getSharding());
    if (*dim < static_cast<int64_t>(sharding.getSplitAxes().size()) &&
        !sharding.getSplitAxes()[*dim].empty())
      worklist.push_back(op);
  });
  llvm::SmallPtrSet<Operation *, 16> visited;
  Block *body = &function.getFunctionBody().front();
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<bufferization::AllocTensorOp, tensor::EmptyOp,
              tensor::ExpandShapeOp>(user))
        continue;
      bool isNumber =
          isa<arith::ArithDialect, affine::AffineDialect>(user->getDialect());
      if (!isNumber || user->getBlock() != body)
        return true;
      if (visited.insert(user).second)
        llvm::append_range(worklist, user->getResults());
    }
  return false;
}

/// Records which sizes of arguments all processes along some axes must have in
/// common: pairs of a dimension and the axes as bits.
static void noteDynamicParts(FunctionOpInterface function) {
  FlatSymbolRefAttr grid;
  for (BlockArgument argument : function.getArguments()) {
    SmallVector<int64_t> parts;
    for (Operation *user : argument.getUsers()) {
      auto shardOp = dyn_cast<ShardOp>(user);
      if (!shardOp)
        continue;
      auto type = cast<RankedTensorType>(argument.getType());
      for (auto [dim, axes] :
           llvm::enumerate(Sharding(shardOp.getSharding()).getSplitAxes())) {
        if (axes.empty() || !type.isDynamicDim(dim))
          continue;
        int64_t mask = 0;
        for (GridAxis axis : axes.asArrayRef())
          mask |= int64_t(1) << axis;
        parts.append({static_cast<int64_t>(dim), mask});
        grid = Sharding(shardOp.getSharding()).getGridAttr();
      }
      break;
    }
    if (!parts.empty())
      function.setArgAttr(
          argument.getArgNumber(), kDynamicPartsAttrName,
          DenseI64ArrayAttr::get(function->getContext(), parts));
  }
  if (grid && readsWholeSizes(function))
    function->setAttr(kReadsSizesAttrName, grid);
}

//===----------------------------------------------------------------------===//
// Changes of a sharding
//===----------------------------------------------------------------------===//

using SplitAxes = SmallVector<SmallVector<GridAxis>>;

static SplitAxes getSplitAxes(ShardOp op) {
  SplitAxes axes(cast<RankedTensorType>(op.getSrc().getType()).getRank());
  for (auto [dim, ofDim] :
       llvm::enumerate(Sharding(op.getSharding()).getSplitAxes()))
    llvm::append_range(axes[dim], ofDim.asArrayRef());
  return axes;
}

static bool isPrefix(ArrayRef<GridAxis> prefix, ArrayRef<GridAxis> axes) {
  return prefix == axes.take_front(prefix.size());
}

/// Returns the dimension to which the last axis of dimension `dim` moves, if
/// `shard-partition` can do that in one step: the other axes of both dimensions
/// must be equal.
static std::optional<size_t> findMove(const SplitAxes &from,
                                      const SplitAxes &to, size_t dim) {
  ArrayRef<GridAxis> rest = ArrayRef(from[dim]).drop_back();
  for (auto [other, axes] : llvm::enumerate(from)) {
    SmallVector<GridAxis> moved = axes;
    moved.push_back(from[dim].back());
    if (other != dim && ArrayRef<GridAxis>(axes) == rest &&
        isPrefix(moved, to[other]))
      return other;
  }
  return std::nullopt;
}

/// Returns the shardings between `from` and `to`; the last one is `to`. Each
/// one differs from the one before by the last axis of one dimension, or moves
/// one axis to another dimension.
static SmallVector<SplitAxes> findSteps(SplitAxes from, const SplitAxes &to) {
  SmallVector<SplitAxes> steps;
  auto findDim = [&](auto isWanted) {
    for (size_t dim = 0; dim < from.size(); ++dim)
      if (isWanted(dim))
        return std::optional<size_t>(dim);
    return std::optional<size_t>();
  };
  while (from != to) {
    // First gather along axes that the target lacks, then share along the axes
    // that it has.
    if (std::optional<size_t> dim = findDim(
            [&](size_t dim) { return !isPrefix(from[dim], to[dim]); })) {
      if (std::optional<size_t> other = findMove(from, to, *dim))
        from[*other].push_back(from[*dim].back());
      from[*dim].pop_back();
    } else {
      dim = findDim([&](size_t dim) { return from[dim] != to[dim]; });
      from[*dim].push_back(to[*dim][from[*dim].size()]);
    }
    steps.push_back(from);
  }
  return steps;
}

/// `shard-partition` changes one axis at a time, and assumes that no more
/// change. If more change, this inserts the shardings in between.
static void splitChangesOfSharding(FunctionOpInterface function) {
  function->walk([](ShardOp op) {
    auto source = op.getSrc().getDefiningOp<ShardOp>();
    if (!source)
      return;
    SmallVector<SplitAxes> steps =
        findSteps(getSplitAxes(source), getSplitAxes(op));
    ImplicitLocOpBuilder b(op.getLoc(), op);
    for (const SplitAxes &step : ArrayRef(steps).drop_back(!steps.empty())) {
      SmallVector<GridAxesAttr> axes;
      for (ArrayRef<GridAxis> ofDim : step)
        axes.push_back(GridAxesAttr::get(op.getContext(), ofDim));
      Value sharding =
          ShardingOp::create(b, Sharding(op.getSharding()).getGridAttr(), axes);
      op.getSrcMutable().assign(ShardOp::create(b, op.getType(), op.getSrc(),
                                                sharding,
                                                /*annotate_for_users=*/true)
                                    .getResult());
    }
  });
}

void mlir::linalg_ext::prepareShardedPayloads(FunctionOpInterface function) {
  Verifier loopsOf(function);
  noteDynamicParts(function);
  splitChangesOfSharding(function);
  function->walk([&](linalg::LinalgOp op) {
    SmallVector<linalg::IndexOp> indices(
        op->getRegion(0).getOps<linalg::IndexOp>());
    std::optional<LoopSharding> loops = loopsOf.getLoops(*op.getOperation());
    if (!loops)
      return;
    if (loops->reducesShardedDim()) {
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      OpBuilder b = OpBuilder::atBlockBegin(op.getBlock());
      for (Value value : captured)
        if (matchPattern(value, m_Constant())) {
          Operation *constant = b.clone(*value.getDefiningOp());
          value.replaceUsesWithIf(constant->getResult(0), [&](OpOperand &use) {
            return op->isProperAncestor(use.getOwner());
          });
        }
    }
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    for (linalg::IndexOp index : indices) {
      int64_t dim = index.getDim();
      ArrayRef<GridAxis> axes = loops->axes[dim];
      if (axes.empty())
        continue;
      // Build it in the payload. lowerShardedProgram moves it out.
      ImplicitLocOpBuilder b(index.getLoc(), index->getContext());
      b.setInsertionPointAfter(index);
      int64_t count = collectiveProcessGroupSize(axes, loops->grid.getShape());
      Value process = MLIR_EXT_CREATE_PROCESS_LINEAR_INDEX(
          b, loops->grid.getSymName(), axes);
      AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
      if (isStripedAxis(loops->grid, axes)) {
        Value whole = affine::AffineApplyOp::create(
            b, AffineMap::get(2, 0, d0 * count + d1),
            ValueRange{index, process});
        index.getResult().replaceAllUsesExcept(whole, whole.getDefiningOp());
        continue;
      }
      Value offset;
      if (ShapedType::isDynamic(sizes[dim])) {
        Value size = buildLoopSize(op, dim);
        offset = affine::AffineApplyOp::create(
            b,
            AffineMap::get(1, 1, d0 * b.getAffineSymbolExpr(0).floorDiv(count)),
            ValueRange{process, size});
      } else {
        offset = affine::AffineApplyOp::create(
            b, AffineMap::get(1, 0, d0 * (sizes[dim] / count)), process);
      }
      auto sum = arith::AddIOp::create(b, index, offset);
      index.getResult().replaceAllUsesExcept(sum, sum);
    }
  });
}
