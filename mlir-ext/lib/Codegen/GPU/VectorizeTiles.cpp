//===- VectorizeTiles.cpp - Tiles of tensors as vectors -------------------===//
//
// On a GPU a tile must stay in registers between ops and across loops. This
// pass rewrites the body of a workgroup on vectors. Each vector is as large as
// its tile can become. Tensors remain only where a tile is read from memory or
// written to it.
//
// The pass rewrites the ops of the body in order, with one rule for each kind:
//   1. A structured op is evaluated on the vectors of its operands
//      (TilePayload.cpp). An operand in memory is read.
//   2. A loop or branch carries vectors instead of tensors
//      (VectorizeControlFlow.cpp).
//   3. A slice, cast or copy of the whole tile is the same vector
//      (VectorizeSlices.cpp).
//   4. A result of the workgroup is written.
// An op without a rule keeps its tensors. The tiles that it needs are written
// to memory, and its results are read from there.
//
// Upstream's linalg::vectorize instead reads and writes tensors around each op,
// with masks if sizes are dynamic. Later passes would have to forward and hoist
// all of these transfers, but upstream does this only for transfers without
// masks.
//
//===----------------------------------------------------------------------===//

#include "TilePayload.h"
#include "TileVectorizer.h"
#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTVECTORIZETILESPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void TileVectorizer::setTile(Value tensor, TileValue vector, TileShape shape) {
  tiles[tensor] = std::move(vector);
  shapes[tensor] = std::move(shape);
}

/// Returns `tensor` as a vector with bounds `bounds`. Reads it if it is in
/// memory. Its shape must be known.
TileValue TileVectorizer::getTile(Value tensor, ArrayRef<int64_t> bounds) {
  Location loc = tensor.getLoc();
  TileShape shape = *getShape(tensor);
  auto it = tiles.find(tensor);
  if (it != tiles.end()) {
    TileValue vector = it->second;
    if (ArrayRef<int64_t>(shape.bounds) == bounds)
      return vector;
    return resize(rewriter, loc, vector, shape.bounds, bounds);
  }
  shape.bounds = llvm::to_vector(bounds);
  if (tensor.getDefiningOp<tensor::EmptyOp>()) {
    Type type = getElementTypeOrSelf(tensor.getType());
    return {
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type)),
        {}};
  }
  TensorView view = getTensorView(rewriter, loc, tensor,
                                  [&](Value value) { return !isTile(value); });
  return readTile(rewriter, loc, view, shape);
}

/// Returns `tensor` as a vector with all dims of `shape`, in order.
Value TileVectorizer::getWholeVector(Value tensor, const TileShape &shape) {
  return broadcastTo(rewriter, tensor.getLoc(), getTile(tensor, shape.bounds),
                     shape.getVectorDims(), shape.bounds);
}

/// Writes a tile to a separate tensor.
Value TileVectorizer::materialize(Value tensor) {
  Location loc = tensor.getLoc();
  TileShape shape = *getShape(tensor);
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape.sizes,
                                        type.getElementType());
  Value written =
      writeTile(rewriter, loc, getTile(tensor, shape.bounds), empty, shape);
  if (written.getType() != type)
    written = tensor::CastOp::create(rewriter, loc, type, written);
  return written;
}

/// Returns a value of `tensorType` that stands for `vector` until it has no
/// more uses.
Value TileVectorizer::makePlaceholder(Type tensorType, Value vector,
                                      const TileShape &shape) {
  auto cast = UnrealizedConversionCastOp::create(rewriter, vector.getLoc(),
                                                 tensorType, vector);
  replaced.push_back(cast);
  setTile(cast.getResult(0), {vector, shape.getVectorDims()}, shape);
  return cast.getResult(0);
}

//===----------------------------------------------------------------------===//
// 1. Structured ops
//===----------------------------------------------------------------------===//

LogicalResult TileVectorizer::visitStructuredOp(linalg::LinalgOp op) {
  Refusal refusal;
  SmallVector<TileShape> operandShapes;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<ShapedType>(operand.get().getType())) {
      operandShapes.emplace_back();
      continue;
    }
    FailureOr<TileShape> shape = getShape(operand.get());
    if (failed(shape)) {
      op.emitRemark() << "not vectorized: the size of operand "
                      << operand.getOperandNumber()
                      << " has no constant bound of at most "
                      << options.maxElements;
      return failure();
    }
    operandShapes.push_back(*shape);
  }
  FailureOr<TilePayloadPlan> plan =
      planTilePayload(op, operandShapes, options.maxElements, refusal);
  if (failed(plan)) {
    op.emitRemark() << "not vectorized: " << refusal.text;
    return failure();
  }
  SmallVector<TileValue> results = buildTilePayload(
      rewriter, op, *plan, [&](OpOperand &operand, ArrayRef<int64_t> bounds) {
        return getTile(operand.get(), bounds);
      });
  for (auto [result, vector, output] :
       llvm::zip_equal(op->getResults(), results, op.getDpsInitsMutable())) {
    TileShape shape = operandShapes[output.getOperandNumber()];
    shape.bounds = getOperandBounds(op, output, *plan);
    setTile(result, vector, shape);
  }
  replaced.push_back(op);
  return success();
}

//===----------------------------------------------------------------------===//
// 4. What leaves
//===----------------------------------------------------------------------===//

/// Returns whether `tensor`, in `forall`, is a part of a tensor from before it.
static bool isPartFromOutside(Value tensor, scf::ForallOp forall) {
  while (Operation *def = tensor.getDefiningOp()) {
    if (!forall->isProperAncestor(def))
      return true;
    if (!isa<tensor::ExtractSliceOp, tensor::CastOp>(def))
      return false;
    tensor = def->getOperand(0);
  }
  return !forall->isAncestor(tensor.getParentRegion()->getParentOp());
}

void TileVectorizer::visitTerminator(scf::InParallelOp op) {
  auto forall = cast<scf::ForallOp>(op->getParentOp());
  for (Operation &nested : *op.getBody()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(&nested);
    if (!insert)
      continue;
    // A tensor that is only copied is also read as a tile.
    bool isCopied = isPartFromOutside(insert.getSource(), forall) &&
                    succeeded(getShape(insert.getSource()));
    if (!isCopied && !isTile(insert.getSource()))
      continue;
    rewriter.setInsertionPoint(op);
    Location loc = insert.getLoc();
    Value dest = tensor::ExtractSliceOp::create(
        rewriter, loc, cast<RankedTensorType>(insert.getSource().getType()),
        insert.getDest(), insert.getMixedOffsets(), insert.getMixedSizes(),
        insert.getMixedStrides());
    TileShape shape = *getShape(insert.getSource());
    Value written = writeTile(
        rewriter, loc, getTile(insert.getSource(), shape.bounds), dest, shape);
    rewriter.modifyOpInPlace(
        insert, [&] { insert.getSourceMutable().assign(written); });
  }
}

/// Replaces the uses of `from` by `op` and by ops in its regions.
void TileVectorizer::replaceWithin(Operation *op, Value from, Value to) {
  rewriter.replaceUsesWithIf(
      from, to, [&](OpOperand &use) { return op->isAncestor(use.getOwner()); });
}

/// Writes the tiles that an op without a rule needs to tensors.
void TileVectorizer::visitOther(Operation *op) {
  SetVector<Value> used;
  for (Value operand : op->getOperands())
    if (isTile(operand))
      used.insert(operand);
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value value : used) {
    if (!isTile(value))
      continue;
    rewriter.setInsertionPoint(op);
    replaceWithin(op, value, materialize(value));
  }
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void TileVectorizer::visit(Operation *op) {
  rewriter.setInsertionPoint(op);
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(op)
          .Case([&](linalg::LinalgOp op) {
            LogicalResult result = visitStructuredOp(op);
            numLeft += failed(result);
            return result;
          })
          .Case(
              [&](tensor::ExtractSliceOp op) { return visitExtractSlice(op); })
          .Case([&](tensor::InsertSliceOp op) { return visitInsertSlice(op); })
          .Case([&](tensor::CastOp op) { return visitCast(op); })
          .Case([&](bufferization::AllocTensorOp op) {
            return visitCopy(op, op.getCopy());
          })
          .Case([&](bufferization::MaterializeInDestinationOp op) {
            return op.getResult() ? visitCopy(op, op.getSource()) : failure();
          })
          .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto op) {
            return visitReshape(op, op.getSrc(), op.getResult());
          })
          .Case([&](tensor::DimOp op) { return visitDim(op); })
          .Case([&](tensor::ExtractOp op) { return visitExtract(op); })
          .Case([&](scf::ForOp op) { return visitFor(op); })
          .Case([&](scf::IfOp op) { return visitIf(op); })
          .Case([&](scf::ForallOp op) { return visitParts(op); })
          .Default([](Operation *) { return failure(); });
  if (failed(result))
    visitOther(op);
}

void TileVectorizer::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    visit(&op);
}

/// Returns whether `op` reduces a dimension of two operands. Its other
/// operands, such as the maximum of a row, do not have the reduced dimension.
static bool sumsProducts(linalg::LinalgOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *operand) {
           AffineMap map = op.getMatchingIndexingMap(operand);
           return llvm::any_of(
               reduced, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
         }) > 1;
}

/// Returns whether elementwise ops and reshapes compute `value` from elements
/// of 8 bits.
static bool isOfBytes(Value value, unsigned depth = 8) {
  auto type = cast<ShapedType>(value.getType());
  if (type.getElementType().isIntOrFloat() &&
      type.getElementTypeBitWidth() == 8)
    return true;
  Operation *op = value.getDefiningOp();
  auto structured = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (depth == 0 || !op ||
      !(structured ? structured.isAllParallelLoops()
                   : isa<tensor::TensorDialect>(op->getDialect())))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<RankedTensorType>(operand.getType()) &&
           isOfBytes(operand, depth - 1);
  });
}

/// Returns whether elementwise ops and reshapes unpack `value` from words of 32
/// bits, which they shift.
static bool isOfWords(Value value, unsigned depth = 8) {
  Operation *op = value.getDefiningOp();
  auto structured = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (depth == 0 || !op ||
      !(structured ? structured.isAllParallelLoops()
                   : isa<tensor::TensorDialect>(op->getDialect())))
    return false;
  if (structured && llvm::any_of(*structured.getBlock(), [](Operation &scalar) {
        return isa<arith::ShRUIOp, arith::ShRSIOp>(scalar) &&
               scalar.getResult(0).getType().isInteger(32);
      }))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isa<RankedTensorType>(operand.getType()) &&
           isOfWords(operand, depth - 1);
  });
}

/// Returns whether threads convert the right operand of `op` from bytes or, if
/// it is the only contraction of `forall`, from words. (In attention, keys and
/// values of words are not loaded in runs.)
static bool convertsRight(linalg::LinalgOp op, scf::ForallOp forall) {
  Value right = op.getDpsInputOperand(1)->get();
  if (isOfBytes(right))
    return true;
  bool isOnly = !forall.getBody()
                     ->walk([&](linalg::LinalgOp other) {
                       return other != op && sumsProducts(other)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     })
                     .wasInterrupted();
  return isOnly && isOfWords(right);
}

/// Returns the number of rows of instructions with exchanged operands, which is
/// the number of columns of normal ones. It must suffice for the rows of all
/// contractions of `forall`, all other dimensions of the contractions must be
/// longer, and threads must convert bytes or words: subgroups that have parts,
/// or those of an asynchronous product. Such instructions save registers,
/// copies and products for rows that do not exist. Returns 0 otherwise.
static int64_t getFewRows(scf::ForallOp forall) {
  FailureOr<GPUTarget> target = getGPUTarget(forall);
  bool hasParts = forall.getBody()
                      ->walk([](scf::ForallOp parts) {
                        return isLoopOfParts(parts) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                      })
                      .wasInterrupted();
  if (failed(target) || !(hasParts || vector_ext::isMarkedAsync(forall)) ||
      target->matrixColumns >= target->matrixRows)
    return 0;
  WalkResult result = forall.getBody()->walk([&](linalg::LinalgOp op) {
    if (!sumsProducts(op))
      return WalkResult::advance();
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (failed(dims) || !convertsRight(op, forall))
      return WalkResult::interrupt();
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    int64_t rows = 1;
    for (unsigned dim : dims->m)
      rows = ShapedType::isDynamic(ranges[dim]) ? target->matrixRows
                                                : rows * ranges[dim];
    bool hasShort = false;
    for (ArrayRef<unsigned> others : {ArrayRef(dims->n), ArrayRef(dims->k)})
      for (unsigned dim : others)
        hasShort |= ranges[dim] != 1 && !ShapedType::isDynamic(ranges[dim]) &&
                    ranges[dim] <= target->matrixColumns;
    return rows > 1 && rows <= target->matrixColumns && !hasShort
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? 0 : target->matrixColumns;
}

/// If `forall` has asynchronous products with a known number of rows, and that
/// is more than the rows of a synchronous instruction, returns this number, and
/// the number rounded up to the rows of asynchronous instructions. The added
/// rows are neither copied nor stored. Fewer rows become columns of
/// instructions (docs/Decisions/0127). If operands are exchanged, columns of
/// the product, however few, are rows of instructions instead.
static std::pair<int64_t, int64_t> getFilledRows(scf::ForallOp forall,
                                                 bool isExchanged) {
  FailureOr<GPUTarget> target = getGPUTarget(forall);
  std::pair<int64_t, int64_t> filled(0, 0);
  if (failed(target) || !vector_ext::isMarkedAsync(forall))
    return filled;
  forall.getBody()->walk([&](linalg::LinalgOp op) {
    FailureOr<linalg::ContractionDimensions> dims =
        linalg::inferContractionDims(op);
    if (failed(dims) || !sumsProducts(op))
      return;
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    auto &rows = isExchanged ? dims->n : dims->m;
    llvm::erase_if(rows, [&](unsigned dim) { return ranges[dim] == 1; });
    int64_t size = rows.size() == 1 ? ranges[rows.front()] : 0;
    if (!ShapedType::isDynamic(size) &&
        size > (isExchanged ? 0 : target->matrixRows))
      filled = {size, llvm::alignTo(size, target->asyncRows)};
  });
  return filled;
}

FailureOr<unsigned> TileVectorizer::run(scf::ForallOp forall) {
  OpBuilder::InsertionGuard guard(rewriter);
  // In this case, rows are padded less.
  if (int64_t rows = getFewRows(forall); rows < options.multipleOf)
    fewRows = rows;
  if (auto mark = vector_ext::getKernelMark(forall))
    exchangedRows = mark->exchange;
  filledRows = getFilledRows(forall, /*isExchanged=*/exchangedRows > 0);
  contracts = forall
                  .walk([](linalg::LinalgOp op) {
                    return sumsProducts(op) ? WalkResult::interrupt()
                                            : WalkResult::advance();
                  })
                  .wasInterrupted();
  findSlots(forall);
  visitBlock(*forall.getBody());
  visitTerminator(forall.getTerminator());
  // Users come after the ops they use, except where a loop took over a body.
  while (true) {
    size_t before = replaced.size();
    for (Operation *&op : llvm::reverse(replaced))
      if (op->use_empty()) {
        rewriter.eraseOp(op);
        op = nullptr;
      }
    llvm::erase(replaced, nullptr);
    if (replaced.size() == before)
      break;
  }
  (void)runRegionDCE(rewriter, forall->getRegions());
  // Hoist reads that a loop repeats. Broadcasts are not hoisted, because they
  // occupy more registers than their operands.
  forall->walk([](scf::ForOp loop) {
    moveLoopInvariantCode(
        loop.getLoopRegions(),
        [&](Value value, Region *) {
          return loop.isDefinedOutsideOfLoop(value);
        },
        [](Operation *op, Region *) {
          return isMemoryEffectFree(op) && isSpeculatable(op) &&
                 !isa<vector::BroadcastOp>(op);
        },
        [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
  });
  if (hasError)
    return failure();
  return numLeft;
}

FailureOr<unsigned>
mlir::linalg_ext::vectorizeTiles(RewriterBase &rewriter, scf::ForallOp forall,
                                 const VectorizeTilesOptions &options) {
  return TileVectorizer(rewriter, options).run(forall);
}

namespace {
struct LinalgExtVectorizeTilesPass
    : public linalg_ext::impl::LinalgExtVectorizeTilesPassBase<
          LinalgExtVectorizeTilesPass> {
  using Base::Base;

  // The models come with a dialect plugin, but not with a pass plugin alone.
  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registerAllExternalModels(registry);
    registry.insert<vector_ext::VectorExtDialect>();
    vector_ext::registerBufferizableOpInterfaceModels(registry);
  }

  void runOnOperation() override {
    if (maxElements < 1 || multipleOf < 1) {
      emitError(getOperation()->getLoc())
          << "expected 'max-elements' and 'multiple-of' to be positive, got "
          << maxElements.getValue() << " and " << multipleOf.getValue();
      return signalPassFailure();
    }
    if (rowMultipleOf < 0) {
      emitError(getOperation()->getLoc())
          << "expected 'row-multiple-of' not to be negative, got "
          << rowMultipleOf.getValue();
      return signalPassFailure();
    }
    VectorizeTilesOptions options;
    options.maxElements = maxElements;
    options.multipleOf = multipleOf;
    options.rowMultipleOf = rowMultipleOf;
    SmallVector<scf::ForallOp> foralls;
    getOperation()->walk<WalkOrder::PreOrder>([&](scf::ForallOp forall) {
      foralls.push_back(forall);
      return WalkResult::skip();
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp forall : foralls)
      if (failed(vectorizeTiles(rewriter, forall, options)))
        return signalPassFailure();
  }
};
} // namespace
