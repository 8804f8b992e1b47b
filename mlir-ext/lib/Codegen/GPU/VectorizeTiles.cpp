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
//   2. A loop or branch carries vectors instead of tensors. A loop over parts is
//      computed at once, on vectors of all parts (BatchParts.cpp).
//   3. A slice, cast or copy of the whole tile is the same vector.
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

#include "BatchParts.h"
#include "TilePayload.h"
#include "mlir-ext/Codegen/GPU/Passes.h"
#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTVECTORIZETILESPASS
#include "mlir-ext/Codegen/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
class TileVectorizer {
public:
  TileVectorizer(RewriterBase &rewriter, const VectorizeTilesOptions &options)
      : rewriter(rewriter), options(options) {}

  /// Returns the number of structured ops that are left.
  FailureOr<unsigned> run(scf::ForallOp forall);

private:
  FailureOr<TileShape> getShape(Value tensor);
  /// The size of a vector's dimension for a tile of `size`, more than one.
  int64_t pad(int64_t size) const;
  FailureOr<TileShape> computeShape(Value tensor);
  std::optional<SmallVector<OpFoldResult>> getKnownSizes(Value tensor);
  TileValue getTile(Value tensor, ArrayRef<int64_t> bounds);
  Value getWholeVector(Value tensor, const TileShape &shape);
  Value materialize(Value tensor);
  void setTile(Value tensor, TileValue vector, TileShape shape);
  bool isTile(Value value) const { return tiles.contains(value); }
  Value makePlaceholder(Type tensorType, Value vector, const TileShape &shape);
  /// Whether `offsets` and `sizes` are all of a tile of `shape`.
  bool isWhole(ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
               const TileShape &shape);

  void visitBlock(Block &block);
  void visit(Operation *op);
  LogicalResult visitStructuredOp(linalg::LinalgOp op);
  LogicalResult visitExtractSlice(tensor::ExtractSliceOp op);
  LogicalResult visitInsertSlice(tensor::InsertSliceOp op);
  LogicalResult insertPart(tensor::InsertSliceOp op, const TileShape &shape);
  LogicalResult visitCast(tensor::CastOp op);
  LogicalResult visitCopy(Operation *op, Value source);
  LogicalResult visitReshape(Operation *op, Value source, Value result);
  LogicalResult visitDim(tensor::DimOp op);
  LogicalResult visitExtract(tensor::ExtractOp op);
  LogicalResult visitFor(scf::ForOp op);
  LogicalResult visitIf(scf::IfOp op);
  LogicalResult visitParts(scf::ForallOp op);
  void findSlots(scf::ForallOp forall);
  LogicalResult extractSlot(tensor::ExtractSliceOp op, const TileShape &shape);
  void visitOther(Operation *op);
  void replaceWithin(Operation *op, Value from, Value to);
  void visitTerminator(scf::InParallelOp op);
  bool isUsedAsTile(Value tensor, const TileShape &shape);

  RewriterBase &rewriter;
  const VectorizeTilesOptions &options;
  /// The workgroup has a contraction.
  bool contracts = true;
  DenseMap<Value, TileShape> shapes;
  /// Of tensors that are vectors now.
  DenseMap<Value, TileValue> tiles;
  /// Tensors with a slot for each part, along their first dimension.
  DenseSet<Value> slots;
  /// Ops that vectors replace, in program order.
  SmallVector<Operation *> replaced;
  unsigned numLeft = 0;
  bool hasError = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// The sizes behind a collapse of a tensor of `sizes`, if each group has one
/// that is not 1, or constants only.
static std::optional<SmallVector<OpFoldResult>>
collapseSizes(tensor::CollapseShapeOp op, ArrayRef<OpFoldResult> sizes) {
  Builder b(op.getContext());
  SmallVector<OpFoldResult> collapsed;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    int64_t product = 1;
    Value unknown;
    for (int64_t dim : group) {
      if (std::optional<int64_t> constant = getConstantIntValue(sizes[dim]))
        product *= *constant;
      else if (!unknown)
        unknown = cast<Value>(sizes[dim]);
      else
        return std::nullopt;
    }
    if (unknown && product != 1)
      return std::nullopt;
    collapsed.push_back(unknown ? OpFoldResult(unknown)
                                : OpFoldResult(b.getIndexAttr(product)));
  }
  return collapsed;
}

/// The sizes of `tensor` as the op says that makes it.
std::optional<SmallVector<OpFoldResult>>
TileVectorizer::getKnownSizes(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  if (auto expand = dyn_cast_if_present<tensor::ExpandShapeOp>(def))
    return expand.getMixedOutputShape();
  if (auto collapse = dyn_cast_if_present<tensor::CollapseShapeOp>(def)) {
    FailureOr<TileShape> shape = getShape(collapse.getSrc());
    if (failed(shape))
      return std::nullopt;
    return collapseSizes(collapse, shape->sizes);
  }
  if (auto empty = dyn_cast_if_present<tensor::EmptyOp>(def))
    return empty.getMixedSizes();
  if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(def)) {
    SmallVector<OpFoldResult> sizes;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (auto [dim, size] : llvm::enumerate(slice.getMixedSizes()))
      if (!dropped.test(dim))
        sizes.push_back(size);
    return sizes;
  }
  Value like;
  if (auto dps = dyn_cast_if_present<DestinationStyleOpInterface>(def))
    like = dps.getTiedOpOperand(cast<OpResult>(tensor))->get();
  if (auto cast = dyn_cast_if_present<tensor::CastOp>(def);
      cast && isa<RankedTensorType>(cast.getSource().getType()))
    like = cast.getSource();
  if (auto insert = dyn_cast_if_present<tensor::InsertSliceOp>(def))
    like = insert.getDest();
  if (auto alloc = dyn_cast_if_present<bufferization::AllocTensorOp>(def))
    like = alloc.getCopy();
  if (!like)
    return std::nullopt;
  FailureOr<TileShape> shape = getShape(like);
  if (failed(shape))
    return std::nullopt;
  return shape->sizes;
}

int64_t TileVectorizer::pad(int64_t size) const {
  if (contracts || options.rowMultipleOf == 0)
    return llvm::alignTo(size, options.multipleOf);
  if (size < options.rowMultipleOf)
    return llvm::bit_ceil(uint64_t(size));
  // Many threads share a long row evenly.
  int64_t quarter = llvm::bit_floor(uint64_t(size)) / 4;
  return llvm::alignTo(size, std::max<int64_t>(options.rowMultipleOf, quarter));
}

FailureOr<TileShape> TileVectorizer::computeShape(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.getElementType().isIntOrIndexOrFloat())
    return failure();
  std::optional<SmallVector<OpFoldResult>> known = getKnownSizes(tensor);
  TileShape shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t bound = type.getDimSize(dim);
    OpFoldResult size;
    if (!ShapedType::isDynamic(bound))
      size = rewriter.getIndexAttr(bound);
    else if (known)
      size = (*known)[dim];
    if (std::optional<int64_t> constant =
            size ? getConstantIntValue(size) : std::nullopt) {
      bound = *constant;
    } else {
      ValueBoundsConstraintSet::Variable variable =
          size ? ValueBoundsConstraintSet::Variable(size)
               : ValueBoundsConstraintSet::Variable(tensor, dim);
      FailureOr<int64_t> upper = ValueBoundsConstraintSet::computeConstantBound(
          presburger::BoundType::UB, variable, /*stopCondition=*/nullptr,
          /*closedUB=*/true);
      if (failed(upper) || *upper > options.maxElements)
        return failure();
      bound = std::max<int64_t>(*upper, 1);
      if (!size) {
        OpBuilder::InsertionGuard guard(rewriter);
        rewriter.setInsertionPointAfterValue(tensor);
        size = tensor::getMixedSize(rewriter, tensor.getLoc(), tensor, dim);
      }
    }
    // One element stays one element; other vectors are of a size that suits the
    // target. Parts are those of different threads.
    if (bound != 1 && !(dim == 0 && slots.contains(tensor)))
      bound = pad(std::max<int64_t>(bound, 1));
    shape.bounds.push_back(bound);
    shape.sizes.push_back(size);
  }
  return shape;
}

FailureOr<TileShape> TileVectorizer::getShape(Value tensor) {
  auto it = shapes.find(tensor);
  if (it != shapes.end())
    return it->second;
  FailureOr<TileShape> shape = computeShape(tensor);
  if (succeeded(shape))
    shapes[tensor] = *shape;
  return shape;
}

bool TileVectorizer::isWhole(ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             const TileShape &shape) {
  for (auto [offset, size, whole] :
       llvm::zip_equal(offsets, sizes, shape.sizes)) {
    if (getConstantIntValue(offset) != 0)
      return false;
    if (isEqualConstantIntOrValue(size, whole))
      continue;
    FailureOr<bool> areEqual = ValueBoundsConstraintSet::areEqual(size, whole);
    if (failed(areEqual) || !*areEqual)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void TileVectorizer::setTile(Value tensor, TileValue vector, TileShape shape) {
  tiles[tensor] = std::move(vector);
  shapes[tensor] = std::move(shape);
}

/// `tensor`, which has a shape, as a vector of `bounds`; read if it is in
/// memory.
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

/// `tensor` as a vector with all dims of `shape`, in order.
Value TileVectorizer::getWholeVector(Value tensor, const TileShape &shape) {
  return broadcastTo(rewriter, tensor.getLoc(), getTile(tensor, shape.bounds),
                     shape.getVectorDims(), shape.bounds);
}

/// Writes a tile to a tensor of its own.
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

/// A value of `tensorType` that stands for `vector`, until nobody asks for it.
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
// 2. Loops and branches
//===----------------------------------------------------------------------===//

/// Whether all that is done with `tensor`, of `shape`, in the op that has it as
/// an argument, is done with the whole of it.
bool TileVectorizer::isUsedAsTile(Value tensor, const TileShape &shape) {
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user))
      return isWhole(slice.getMixedOffsets(), slice.getMixedSizes(), shape);
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return use.get() == insert.getSource() ||
             isWhole(insert.getMixedOffsets(), insert.getMixedSizes(), shape);
    if (auto loop = dyn_cast<scf::ForOp>(user))
      return isUsedAsTile(loop.getTiedLoopRegionIterArg(&use), shape);
    return !isa<tensor::ExtractOp, tensor::InsertOp>(user);
  });
}

LogicalResult TileVectorizer::visitFor(scf::ForOp op) {
  // 1. Which of the tensors become vectors.
  SmallVector<std::optional<TileShape>> carried;
  for (auto [init, arg] :
       llvm::zip_equal(op.getInits(), op.getRegionIterArgs())) {
    carried.emplace_back();
    if (!isa<RankedTensorType>(arg.getType()))
      continue;
    FailureOr<TileShape> shape = getShape(init);
    if (failed(shape))
      continue;
    int64_t numElements = 1;
    for (int64_t bound : shape->bounds)
      numElements *= bound;
    if (numElements <= options.maxElements && isUsedAsTile(arg, *shape))
      carried.back() = *shape;
  }

  // Until the loop is replaced its body is one that says of the sizes of what
  // it carries what is known now: bounds of others may follow from them.
  SmallVector<bool> keepsSizes;
  for (auto [result, init] : llvm::zip_equal(op.getResults(), op.getInits())) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    bool keeps = true;
    for (int64_t dim = 0; type && dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        keeps &= ValueBoundsConstraintSet::areEqual({result, dim},
                                                    {init, dim}) == true;
    keepsSizes.push_back(keeps);
  }

  // 2. A loop that carries them.
  SmallVector<Value> inits;
  for (auto [init, shape] : llvm::zip_equal(op.getInits(), carried))
    inits.push_back(shape          ? getWholeVector(init, *shape)
                    : isTile(init) ? materialize(init)
                                   : init);
  auto loop = scf::ForOp::create(rewriter, op.getLoc(), op.getLowerBound(),
                                 op.getUpperBound(), op.getStep(), inits);
  loop->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> args{loop.getInductionVar()};
  for (auto [arg, vector, shape] : llvm::zip_equal(
           op.getRegionIterArgs(), loop.getRegionIterArgs(), carried)) {
    args.push_back(shape ? makePlaceholder(arg.getType(), vector, *shape)
                         : vector);
    if (slots.contains(arg))
      slots.insert(args.back());
  }
  if (!loop.getBody()->empty() &&
      loop.getBody()->back().hasTrait<OpTrait::IsTerminator>())
    rewriter.eraseOp(loop.getBody()->getTerminator());
  SmallVector<Type> types(op.getBody()->getArgumentTypes());
  SmallVector<Location> locs(types.size(), op.getLoc());
  rewriter.mergeBlocks(op.getBody(), loop.getBody(), args);
  Block *stub = rewriter.createBlock(&op.getRegion(), {}, types, locs);
  SmallVector<Value> kept;
  for (auto [arg, keeps] :
       llvm::zip_equal(stub->getArguments().drop_front(), keepsSizes))
    kept.push_back(
        keeps ? Value(arg)
              : ub::PoisonOp::create(rewriter, op.getLoc(), arg.getType()));
  scf::YieldOp::create(rewriter, op.getLoc(), kept);
  visitBlock(*loop.getBody());

  // 3. What it yields.
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> yielded;
  for (auto [value, shape] : llvm::zip_equal(yield.getOperands(), carried))
    yielded.push_back(shape           ? getWholeVector(value, *shape)
                      : isTile(value) ? materialize(value)
                                      : value);
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  rewriter.setInsertionPointAfter(loop);
  SmallVector<Value> results;
  for (auto [old, vector, shape] :
       llvm::zip_equal(op.getResults(), loop.getResults(), carried)) {
    results.push_back(shape ? makePlaceholder(old.getType(), vector, *shape)
                            : vector);
    if (slots.contains(old))
      slots.insert(results.back());
  }
  rewriter.replaceOp(op, results);
  return success();
}

LogicalResult TileVectorizer::visitIf(scf::IfOp op) {
  for (Region &region : op->getRegions())
    if (!region.empty())
      visitBlock(region.front());
  if (op.getNumResults() == 0)
    return success();

  // The sizes must be known in front of the branch, in one of the two at least.
  DominanceInfo dominance;
  scf::YieldOp yields[2] = {op.thenYield(), op.elseYield()};
  SmallVector<std::optional<TileShape>> shapes;
  for (OpResult result : op->getResults()) {
    shapes.emplace_back();
    if (!isa<RankedTensorType>(result.getType()))
      continue;
    FailureOr<TileShape> both[2] = {
        getShape(yields[0].getOperand(result.getResultNumber())),
        getShape(yields[1].getOperand(result.getResultNumber()))};
    if (failed(both[0]) || failed(both[1]) ||
        both[0]->bounds != both[1]->bounds)
      continue;
    for (FailureOr<TileShape> &shape : both)
      if (llvm::all_of(shape->sizes, [&](OpFoldResult size) {
            auto value = dyn_cast<Value>(size);
            return !value || dominance.properlyDominates(value, op);
          }))
        shapes.back() = *shape;
  }
  SmallVector<Type> types;
  for (auto [result, shape] : llvm::zip_equal(op->getResults(), shapes))
    types.push_back(
        shape ? getTileValueType(shape->getVectorDims(), shape->bounds,
                                 getElementTypeOrSelf(result.getType()))
              : result.getType());
  for (scf::YieldOp yield : yields) {
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> yielded;
    for (auto [value, shape] : llvm::zip_equal(yield.getOperands(), shapes))
      yielded.push_back(shape           ? getWholeVector(value, *shape)
                        : isTile(value) ? materialize(value)
                                        : value);
    rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(yielded); });
  }
  rewriter.setInsertionPoint(op);
  auto branch = scf::IfOp::create(rewriter, op.getLoc(), types,
                                  op.getCondition(), /*addThenBlock=*/false,
                                  /*addElseBlock=*/false);
  branch.getThenRegion().takeBody(op.getThenRegion());
  branch.getElseRegion().takeBody(op.getElseRegion());
  rewriter.setInsertionPointAfter(branch);
  SmallVector<Value> results;
  for (auto [old, vector, shape] :
       llvm::zip_equal(op.getResults(), branch.getResults(), shapes))
    results.push_back(shape ? makePlaceholder(old.getType(), vector, *shape)
                            : vector);
  rewriter.replaceOp(op, results);
  return success();
}

/// Whether `op` is a loop over the parts that subgroups share: each iteration
/// inserts one slot, a whole one, into each result.
static bool isLoopOfParts(scf::ForallOp op) {
  std::optional<ArrayAttr> mapping = op.getMapping();
  if (op.getRank() != 1 || !op.isNormalized() ||
      !getConstantIntValues(op.getMixedUpperBound()) || !mapping ||
      mapping->size() != 1 || !isa<gpu::GPUWarpMappingAttr>((*mapping)[0]))
    return false;
  SmallPtrSet<Value, 4> written;
  for (Operation &yielding : op.getTerminator().getYieldingOps()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(yielding);
    if (!insert || !insert.hasUnitStride() ||
        !written.insert(insert.getDest()).second)
      return false;
    SmallVector<OpFoldResult> offsets = insert.getMixedOffsets(),
                              sizes = insert.getMixedSizes();
    if (offsets.empty() ||
        offsets.front() != OpFoldResult(op.getInductionVar(0)) ||
        getConstantIntValue(sizes.front()) != 1 ||
        !llvm::all_of(ArrayRef(offsets).drop_front(), isZeroInteger))
      return false;
  }
  return written.size() == op.getOutputs().size();
}

/// Finds the tensors of slots that loops over parts in `forall` fill, and that
/// loops around these carry.
void TileVectorizer::findSlots(scf::ForallOp forall) {
  SetVector<Value> found;
  forall.getBody()->walk([&](scf::ForallOp parts) {
    if (!isLoopOfParts(parts))
      return;
    found.insert_range(parts.getResults());
    found.insert_range(parts.getRegionIterArgs());
    found.insert_range(parts.getOutputs());
  });
  for (unsigned i = 0; i < found.size(); ++i) {
    Value value = found[i];
    for (OpOperand &use : value.getUses()) {
      if (auto loop = dyn_cast<scf::ForOp>(use.getOwner()))
        if (BlockArgument arg = loop.getTiedLoopRegionIterArg(&use))
          found.insert(arg);
      if (auto yield = dyn_cast<scf::YieldOp>(use.getOwner()))
        if (auto loop = dyn_cast<scf::ForOp>(yield->getParentOp()))
          found.insert(loop.getResult(use.getOperandNumber()));
    }
    auto arg = dyn_cast<BlockArgument>(value);
    auto loop = dyn_cast_if_present<scf::ForOp>(
        arg ? arg.getOwner()->getParentOp() : value.getDefiningOp());
    if (loop && arg) {
      found.insert(loop.getTiedLoopInit(arg)->get());
      found.insert(loop.getTiedLoopResult(arg));
    } else if (loop) {
      auto result = cast<OpResult>(value);
      found.insert(loop.getTiedLoopInit(result)->get());
      found.insert(loop.getTiedLoopRegionIterArg(result));
    }
    if (auto dps = value.getDefiningOp<DestinationStyleOpInterface>())
      found.insert(dps.getTiedOpOperand(cast<OpResult>(value))->get());
  }
  slots.insert(found.begin(), found.end());
}

/// What one part has of `op`'s source, a tile of slots of `shape`.
LogicalResult TileVectorizer::extractSlot(tensor::ExtractSliceOp op,
                                          const TileShape &shape) {
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes();
  TileShape rest;
  rest.bounds.assign(shape.bounds.begin() + 1, shape.bounds.end());
  rest.sizes.assign(shape.sizes.begin() + 1, shape.sizes.end());
  if (getConstantIntValue(sizes.front()) != 1 || shape.bounds.front() == 1 ||
      !isWhole(ArrayRef(offsets).drop_front(), ArrayRef(sizes).drop_front(),
               rest))
    return failure();
  Value slot = vector::ExtractOp::create(
      rewriter, op.getLoc(), getWholeVector(op.getSource(), shape),
      ArrayRef<OpFoldResult>(offsets.front()));
  llvm::SmallBitVector dropped = op.getDroppedDims();
  TileShape result;
  SmallVector<int64_t> dims;
  for (auto [dim, bound] : llvm::enumerate(shape.bounds)) {
    if (dropped.test(dim))
      continue;
    bool isSlot = dim == 0;
    if (!isSlot && bound != 1)
      dims.push_back(result.bounds.size());
    result.bounds.push_back(isSlot ? 1 : bound);
    result.sizes.push_back(isSlot ? rewriter.getIndexAttr(1)
                                  : shape.sizes[dim]);
  }
  setTile(op.getResult(), {slot, dims}, result);
  replaced.push_back(op);
  return success();
}

/// A loop over parts, each of which leaves a slot: vectors of all parts are
/// computed at once.
LogicalResult TileVectorizer::visitParts(scf::ForallOp op) {
  Location loc = op.getLoc();
  std::optional<SmallVector<int64_t>> parts =
      getConstantIntValues(op.getMixedUpperBound());
  if (!isLoopOfParts(op))
    return failure();
  SmallVector<TileShape> shapes;
  for (Value output : op.getOutputs()) {
    FailureOr<TileShape> shape = getShape(output);
    if (failed(shape) || !isTile(output))
      return failure();
    shapes.push_back(*shape);
  }

  // 1. What one part computes.
  Value part = UnrealizedConversionCastOp::create(
                   rewriter, loc, rewriter.getIndexType(), ValueRange())
                   .getResult(0);
  SmallVector<Value> args{part};
  for (auto [output, shape] : llvm::zip_equal(op.getOutputs(), shapes)) {
    args.push_back(makePlaceholder(output.getType(),
                                   getWholeVector(output, shape), shape));
    slots.insert(args.back());
  }
  for (auto [arg, by] : llvm::zip_equal(op.getBody()->getArguments(), args))
    rewriter.replaceAllUsesExcept(arg, by, op.getTerminator());
  visitBlock(*op.getBody());
  scf::InParallelOp terminator = op.getTerminator();
  rewriter.setInsertionPoint(terminator);
  SmallVector<Value> ofPart(shapes.size());
  for (auto [number, shape] : llvm::enumerate(shapes))
    for (Operation &yielding : terminator.getYieldingOps()) {
      auto insert = cast<tensor::ParallelInsertSliceOp>(yielding);
      if (insert.getDest() != args[1 + number])
        continue;
      FailureOr<TileShape> of = getShape(insert.getSource());
      if (failed(of)) {
        op.emitError("expected parts to leave tiles of bounded sizes, got ")
            << insert.getSource().getType();
        hasError = true;
        return success();
      }
      ofPart[number] = getWholeVector(insert.getSource(), *of);
    }

  // 2. The same of all.
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(op.getBody(), op, args);
  rewriter.setInsertionPoint(op);
  PartBatcher batcher(rewriter, part, parts->front());
  SmallVector<Value> results;
  for (auto [value, result, shape] :
       llvm::zip_equal(ofPart, op.getResults(), shapes)) {
    Refusal refusal;
    FailureOr<Value> ofAll = batcher.getOfAll(value, refusal);
    if (failed(ofAll)) {
      op.emitError() << "expected ops that can be computed for all "
                     << parts->front() << " parts at once: " << refusal.text;
      hasError = true;
      ofAll = getWholeVector(op.getOutputs()[result.getResultNumber()], shape);
    }
    results.push_back(makePlaceholder(result.getType(), *ofAll, shape));
    slots.insert(results.back());
  }
  rewriter.replaceOp(op, results);
  return success();
}

//===----------------------------------------------------------------------===//
// 3. Slices, casts and copies
//===----------------------------------------------------------------------===//

LogicalResult TileVectorizer::visitExtractSlice(tensor::ExtractSliceOp op) {
  if (!isTile(op.getSource()))
    return success(); // Read where it is used.
  TileShape shape = *getShape(op.getSource());
  if (slots.contains(op.getSource()) && op.hasUnitStride() &&
      succeeded(extractSlot(op, shape)))
    return success();
  if (!op.hasUnitStride() ||
      !llvm::all_of(op.getMixedOffsets(), isZeroInteger))
    return failure();
  TileValue vector = tiles[op.getSource()];
  // The first elements are in the same vector, in front of others.
  if (!isWhole(op.getMixedOffsets(), op.getMixedSizes(), shape)) {
    vector.isZeroPadded = false;
    shape.sizes = op.getMixedSizes();
  }
  llvm::SmallBitVector dropped = op.getDroppedDims();
  TileShape result;
  SmallVector<int64_t> numbers(shape.bounds.size(), -1);
  for (auto [dim, bound] : llvm::enumerate(shape.bounds)) {
    if (dropped.test(dim))
      continue;
    numbers[dim] = result.bounds.size();
    result.bounds.push_back(bound);
    result.sizes.push_back(shape.sizes[dim]);
  }
  for (int64_t &dim : vector.dims)
    dim = numbers[dim];
  setTile(op.getResult(), vector, result);
  replaced.push_back(op);
  return success();
}

LogicalResult TileVectorizer::visitInsertSlice(tensor::InsertSliceOp op) {
  bool isInTile =
      isTile(op.getDest()) || op.getDest().getDefiningOp<tensor::EmptyOp>();
  if (!isTile(op.getSource()) && !isInTile)
    return success();
  FailureOr<TileShape> shape = getShape(op.getDest());
  if (failed(shape) || !op.hasUnitStride())
    return success(!isTile(op.getSource()) && !isTile(op.getDest()));
  // What other tensors hold beside the part has to stay.
  if (!isWhole(op.getMixedOffsets(), op.getMixedSizes(), *shape))
    return isInTile ? insertPart(op, *shape) : failure();
  if (!isTile(op.getSource()) && !isTile(op.getDest()))
    return success();
  if (failed(getShape(op.getSource())))
    return failure();
  SmallVector<int64_t> kept;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> bounds;
  for (auto [dim, bound] : llvm::enumerate(shape->bounds))
    if (!dropped.test(dim)) {
      kept.push_back(dim);
      bounds.push_back(bound);
    }
  TileValue vector = getTile(op.getSource(), bounds);
  for (int64_t &dim : vector.dims)
    dim = kept[dim];
  setTile(op.getResult(), vector, *shape);
  replaced.push_back(op);
  return success();
}

/// Inserts what is in memory into a part of a tile of `shape`: it is read as if
/// it were as large as the tile, under a mask that leaves out what it is not.
LogicalResult TileVectorizer::insertPart(tensor::InsertSliceOp op,
                                         const TileShape &shape) {
  Location loc = op.getLoc();
  bool isNew = !isTile(op.getDest());
  int64_t numElements = 1;
  for (int64_t bound : shape.bounds)
    numElements *= bound;
  if (numElements > options.maxElements || op.getDroppedDims().any())
    return success(isNew && !isTile(op.getSource()));
  Value source = op.getSource();
  if (isTile(source))
    source = materialize(source);
  TensorView view = getTensorView(rewriter, loc, source,
                                  [&](Value value) { return !isTile(value); });
  // 1. Where it lies: in front of `end`, and not in front of `start`.
  TileShape end = shape;
  SmallVector<int64_t> ended, started;
  TileShape start = shape;
  AffineExpr sum = rewriter.getAffineDimExpr(0) + rewriter.getAffineDimExpr(1);
  AffineExpr difference =
      rewriter.getAffineDimExpr(0) - rewriter.getAffineDimExpr(1);
  for (auto [dim, offset, size] :
       llvm::zip_equal(llvm::seq<int64_t>(0, shape.bounds.size()),
                       op.getMixedOffsets(), op.getMixedSizes())) {
    end.sizes[dim] = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(2, 0, sum), {offset, size});
    start.sizes[dim] = offset;
    OpFoldResult &at = view.offsets[view.dims[dim]];
    at = affine::makeComposedFoldedAffineApply(
        rewriter, loc, AffineMap::get(2, 0, difference), {at, offset});
    if (shape.bounds[dim] == 1) {
      // Of one element it has all.
      if (getConstantIntValue(size) != 1)
        return success(isNew && !isTile(op.getSource()));
      continue;
    }
    if (end.isMasked(dim))
      ended.push_back(dim);
    if (getConstantIntValue(offset) != 0)
      started.push_back(dim);
  }
  SmallVector<int64_t> dims = shape.getVectorDims();
  Value inside;
  auto require = [&](Value mask) {
    inside = inside ? arith::AndIOp::create(rewriter, loc, inside, mask) : mask;
  };
  if (!ended.empty())
    require(createTileMask(rewriter, loc, dims, end, ended));
  for (int64_t dim : started) {
    Value before = createTileMask(rewriter, loc, dims, start, {dim});
    Value all = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(cast<ShapedType>(before.getType()), true));
    require(arith::XOrIOp::create(rewriter, loc, before, all));
  }

  // 2. Read it.
  TileValue vector = readTile(rewriter, loc, view, end);
  if (auto read = vector.value.getDefiningOp<vector::TransferReadOp>();
      read && !started.empty())
    read.getMaskMutable().assign(inside);
  if (!isNew) {
    TileValue dest = tiles[op.getDest()];
    Value old = broadcastTo(rewriter, loc, dest, dims, shape.bounds);
    if (inside)
      vector = {
          arith::SelectOp::create(rewriter, loc, inside, vector.value, old),
          dims, dest.isZeroPadded};
  }
  setTile(op.getResult(), vector, shape);
  replaced.push_back(op);
  return success();
}

LogicalResult TileVectorizer::visitCast(tensor::CastOp op) {
  if (!isTile(op.getSource()))
    return success();
  if (!isa<RankedTensorType>(op.getType()))
    return failure();
  TileShape shape = *getShape(op.getSource());
  for (auto [dim, size] :
       llvm::enumerate(cast<RankedTensorType>(op.getType()).getShape()))
    if (!ShapedType::isDynamic(size))
      shape.sizes[dim] = rewriter.getIndexAttr(size);
  setTile(op.getResult(), tiles[op.getSource()], shape);
  replaced.push_back(op);
  return success();
}

/// `op` has one result, a copy of `source` in a place of its own.
LogicalResult TileVectorizer::visitCopy(Operation *op, Value source) {
  if (!isTile(source))
    return failure();
  setTile(op->getResult(0), tiles[source], *getShape(source));
  replaced.push_back(op);
  return success();
}

/// A reshape that adds and drops dimensions of one element, or of which all
/// sizes are those of the vectors.
LogicalResult TileVectorizer::visitReshape(Operation *op, Value source,
                                           Value result) {
  if (!isTile(source))
    return success();
  TileShape from = *getShape(source);
  FailureOr<TileShape> to = getShape(result);
  if (failed(to))
    return failure();
  SmallVector<int64_t> fromDims = from.getVectorDims(),
                       toDims = to->getVectorDims();
  bool isSame = fromDims.size() == toDims.size();
  for (auto [fromDim, toDim] : llvm::zip(fromDims, toDims))
    isSame &= from.bounds[fromDim] == to->bounds[toDim];
  if (isSame) {
    TileValue vector = tiles[source];
    for (int64_t &dim : vector.dims)
      dim = toDims[llvm::find(fromDims, dim) - fromDims.begin()];
    for (auto [fromDim, toDim] : llvm::zip(fromDims, toDims))
      to->sizes[toDim] = from.sizes[fromDim];
    setTile(result, vector, *to);
    replaced.push_back(op);
    return success();
  }
  auto isFull = [](const TileShape &shape) {
    return llvm::all_of(shape.getVectorDims(),
                        [&](int64_t dim) { return !shape.isMasked(dim); });
  };
  if (!isFull(from) || !isFull(*to) || fromDims.empty() || toDims.empty())
    return failure();
  auto type = cast<VectorType>(getTileValueType(
      toDims, to->bounds, getElementTypeOrSelf(result.getType())));
  Value vector = vector::ShapeCastOp::create(rewriter, op->getLoc(), type,
                                             getWholeVector(source, from));
  setTile(result, {vector, toDims}, *to);
  replaced.push_back(op);
  return success();
}

LogicalResult TileVectorizer::visitDim(tensor::DimOp op) {
  std::optional<int64_t> dim = op.getConstantIndex();
  if (!isTile(op.getSource()))
    return success();
  if (!dim)
    return failure();
  OpFoldResult size = getShape(op.getSource())->sizes[*dim];
  rewriter.replaceOp(
      op, getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
  return success();
}

/// An element of a tile that is the same everywhere: such as the only one of a
/// list of lengths, which bounds a loop.
LogicalResult TileVectorizer::visitExtract(tensor::ExtractOp op) {
  auto it = tiles.find(op.getTensor());
  if (it == tiles.end())
    return success(); // Read from memory.
  if (!it->second.dims.empty())
    return failure();
  rewriter.replaceOp(op, it->second.value);
  return success();
}

//===----------------------------------------------------------------------===//
// 4. What leaves
//===----------------------------------------------------------------------===//

/// Whether `tensor`, in `forall`, is a part of one that is there before it.
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
    // What is only copied is read as a tile, too.
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

/// Replaces the uses of `from` by `op` and in it.
void TileVectorizer::replaceWithin(Operation *op, Value from, Value to) {
  rewriter.replaceUsesWithIf(
      from, to, [&](OpOperand &use) { return op->isAncestor(use.getOwner()); });
}

/// Gives an op that stays its tensors.
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

/// Whether `op` reduces a dimension of two operands. What else it reads, such
/// as the maximum of a row, is the same for all that it reduces.
static bool sumsProducts(linalg::LinalgOp op) {
  SmallVector<unsigned> reduced;
  op.getReductionDims(reduced);
  return llvm::count_if(op.getDpsInputOperands(), [&](OpOperand *operand) {
           AffineMap map = op.getMatchingIndexingMap(operand);
           return llvm::any_of(
               reduced, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
         }) > 1;
}

FailureOr<unsigned> TileVectorizer::run(scf::ForallOp forall) {
  OpBuilder::InsertionGuard guard(rewriter);
  contracts = forall
                  .walk([](linalg::LinalgOp op) {
                    return sumsProducts(op) ? WalkResult::interrupt()
                                            : WalkResult::advance();
                  })
                  .wasInterrupted();
  findSlots(forall);
  visitBlock(*forall.getBody());
  visitTerminator(forall.getTerminator());
  // Users come after what they use, but not where a loop took a body over.
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
  // What a loop reads again and again is read in front of it. What is broadcast
  // is not: it would occupy more registers than what it comes from.
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
