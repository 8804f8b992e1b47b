//===- PagedGatherOp.cpp - Paged and packed sequences ---------------------===//
//
// Verifiers and folders of linalg_ext.paged_gather and linalg_ext.store_rows,
// and the relation of the dimensions of their operands.
//
//===----------------------------------------------------------------------===//

#include "OpVerification.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

static ShapedType getShapedType(Value value) {
  return cast<ShapedType>(value.getType());
}

/// Returns the tensor with the rows of the sequences: the result of
/// paged_gather, or the rows that store_rows reads.
static Value getRows(PagedGatherOp op) { return op.getOutput(); }
static Value getRows(StoreRowsOp op) { return op.getRows(); }

/// Returns how messages name this tensor.
static StringRef getRowsName(PagedGatherOp) { return "an init"; }
static StringRef getRowsName(StoreRowsOp) { return "'rows'"; }

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

int64_t PagedGatherOp::getNumLoops() {
  return getShapedType(getOutput()).getRank();
}

int64_t StoreRowsOp::getNumLoops() {
  return getShapedType(getRows()).getRank();
}

SmallVector<utils::IteratorType> PagedGatherOp::getIteratorTypesArray() {
  return SmallVector<utils::IteratorType>(getNumLoops(),
                                          utils::IteratorType::parallel);
}

/// Returns the dimension of the pool of `op` for which `pool_dims` has `entry`.
template <typename OpTy>
static int64_t findPoolDim(OpTy op, int64_t entry) {
  return llvm::find(op.getPoolDims(), entry) - op.getPoolDims().begin();
}

std::optional<int64_t> PagedGatherOp::getPoolPageDim() {
  if (!isPaged())
    return std::nullopt;
  return findPoolDim(*this, kPageDim);
}

std::optional<int64_t> StoreRowsOp::getPoolPageDim() {
  if (!isPaged())
    return std::nullopt;
  return findPoolDim(*this, kPageDim);
}

int64_t PagedGatherOp::getPoolRowDim() {
  return findPoolDim(*this, getSequenceDim());
}

int64_t StoreRowsOp::getPoolRowDim() {
  return findPoolDim(*this, getSequenceDim());
}

std::optional<int64_t> PagedGatherOp::getResultDim(OpOperand &operand,
                                                   int64_t dim) {
  if (&operand == &getOutputMutable())
    return dim;
  if (&operand == &getPoolMutable()) {
    int64_t resultDim = getPoolDims()[dim];
    if (resultDim == kPageDim ||
        resultDim == static_cast<int64_t>(getSequenceDim()))
      return std::nullopt;
    return resultDim;
  }
  auto [table, hasTable] = getODSOperandIndexAndLength(1);
  bool isTable = hasTable && operand.getOperandNumber() == table;
  if (isTable &&
      (hasFlatTable() || dim == static_cast<int64_t>(getBatchDims().size())))
    return std::nullopt;
  return getBatchDims()[dim];
}

bool PagedGatherOp::isLookedUp(OpOperand &operand) {
  auto [table, hasTable] = getODSOperandIndexAndLength(1);
  return &operand == &getPoolMutable() ||
         (hasTable && operand.getOperandNumber() == table);
}

/// The maps of the pool and the table have no loops, because loops cut neither.
/// So the ops that compute them, such as one that appends a row, are not fused.
ArrayAttr PagedGatherOp::getIndexingMaps() {
  MLIRContext *context = getContext();
  AffineExpr zero = getAffineConstantExpr(0, context);
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : (*this)->getOpOperands()) {
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0, e = getShape(&operand).size(); dim < e; ++dim) {
      std::optional<int64_t> resultDim = getResultDim(operand, dim);
      bool isCut = resultDim && !isLookedUp(operand);
      exprs.push_back(isCut ? getAffineDimExpr(*resultDim, context) : zero);
    }
    maps.push_back(AffineMap::get(getNumLoops(), 0, exprs, context));
  }
  return Builder(context).getAffineMapArrayAttr(maps);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Verifies that `dim`, an entry of `list`, is a dimension of the rows, and
/// that `seen` does not have it yet.
template <typename OpTy>
static LogicalResult verifyDim(OpTy op, StringRef list, int64_t dim,
                               llvm::SmallBitVector &seen) {
  if (dim < 0 || dim >= op.getNumLoops())
    return op.emitOpError("expected dimensions in [0, ")
           << op.getNumLoops() << ") in '" << list << "', got " << dim;
  if (seen.test(dim))
    return op.emitOpError("expected distinct dimensions in '")
           << list << "', got " << dim << " twice";
  seen.set(dim);
  return success();
}

/// C2 and C3.
template <typename OpTy>
static LogicalResult verifyResultDims(OpTy op) {
  int64_t sequence = op.getSequenceDim();
  if (sequence < 0 || sequence >= op.getNumLoops()) // C2
    return op.emitOpError("expected 'sequence' in [0, ")
           << op.getNumLoops() << "), got " << sequence;
  llvm::SmallBitVector seen(op.getNumLoops());
  for (int64_t dim : op.getBatchDims()) { // C3
    if (failed(verifyDim(op, "batch", dim, seen)))
      return failure();
    if (dim == sequence)
      return op.emitOpError("expected 'batch' without the dimension "
                            "'sequence', got ")
             << dim;
  }
  return success();
}

/// C4.
template <typename OpTy>
static LogicalResult verifyPoolDims(OpTy op) {
  ArrayRef<int64_t> dims = op.getPoolDims();
  int64_t rank = getShapedType(op.getPool()).getRank();
  if (static_cast<int64_t>(dims.size()) != rank)
    return op.emitOpError("expected 'pool_dims' to have ")
           << rank << " entries, the rank of the pool, got " << dims.size();
  int64_t numPageDims = llvm::count(dims, OpTy::kPageDim);
  if (numPageDims != (op.isPaged() ? 1 : 0))
    return op.emitOpError("expected -1 in 'pool_dims' ")
           << (op.isPaged() ? "once, since there is a table"
                            : "never, since there is no table")
           << ", got it " << numPageDims << " times";
  int64_t numRowDims =
      llvm::count(dims, static_cast<int64_t>(op.getSequenceDim()));
  if (numRowDims != 1)
    return op.emitOpError("expected ")
           << op.getSequenceDim()
           << ", the dimension 'sequence', in 'pool_dims' once, got it "
           << numRowDims << " times";
  llvm::SmallBitVector seen(op.getNumLoops());
  for (int64_t dim : dims)
    if (dim != OpTy::kPageDim &&
        failed(verifyDim(op, "pool_dims", dim, seen)))
      return failure();
  return success();
}

/// C5 and C6.
template <typename OpTy>
static LogicalResult verifyLists(OpTy op) {
  if (!op.isPaged() && (!op.getStarts() || !op.getLengths())) // C5
    return op.emitOpError("expected 'starts' and 'lengths' without a table, "
                          "got ")
           << (op.getStarts()    ? "only 'starts'"
               : op.getLengths() ? "only 'lengths'"
                                 : "neither");
  // C6
  SmallVector<int64_t> shape;
  for (int64_t dim : op.getBatchDims())
    shape.push_back(getShapedType(getRows(op)).getDimSize(dim));
  auto verifyList = [&](StringRef what, Value list, ArrayRef<int64_t> shape) {
    if (!list)
      return success();
    return verifyShapeAndElementType(op, what, list.getType(), shape,
                                     getElementTypeOrSelf(list));
  };
  if (failed(verifyList("'starts'", op.getStarts(), shape)) ||
      failed(verifyList("'lengths'", op.getLengths(), shape)))
    return failure();
  if constexpr (std::is_same_v<OpTy, StoreRowsOp>)
    if (failed(verifyList("'offsets'", op.getOffsets(), shape)))
      return failure();
  if (op.hasFlatTable())
    shape.clear();
  shape.push_back(ShapedType::kDynamic);
  return verifyList("the table", op.getTable(), shape);
}

/// C7 and C8.
template <typename OpTy>
static LogicalResult verifyPool(OpTy op) {
  ShapedType rowsType = getShapedType(getRows(op));
  ShapedType poolType = getShapedType(op.getPool());
  SmallVector<int64_t> shape; // C7
  for (auto [dim, rowsDim] : llvm::enumerate(op.getPoolDims())) {
    bool isShared = rowsDim != OpTy::kPageDim &&
                    static_cast<int64_t>(dim) != op.getPoolRowDim();
    shape.push_back(isShared ? rowsType.getDimSize(rowsDim)
                             : ShapedType::kDynamic);
  }
  if (failed(verifyShapeAndElementType(op, "the pool", poolType, shape,
                                       rowsType.getElementType())))
    return failure();
  if (op.isPaged() && poolType.getDimSize(op.getPoolRowDim()) == 0) // C8
    return op.emitOpError("expected pages of at least 1 row, got 0");
  return success();
}

/// C1 to C8.
template <typename OpTy>
static LogicalResult verifyRowsAndPool(OpTy op) {
  if (failed(verifyDestinationStyle(op))) // C1
    return failure();
  Type elementType = getElementTypeOrSelf(getRows(op));
  if (!elementType.isSignlessIntOrIndexOrFloat()) // C1
    return op.emitOpError("expected ")
           << getRowsName(op)
           << " of signless integers, floats or indices, got " << elementType;
  return failure(failed(verifyResultDims(op)) || failed(verifyPoolDims(op)) ||
                 failed(verifyLists(op)) || failed(verifyPool(op)));
}

LogicalResult PagedGatherOp::verify() { return verifyRowsAndPool(*this); }

LogicalResult StoreRowsOp::verify() {
  if (failed(verifyRowsAndPool(*this)))
    return failure();
  for (int64_t dim = 0; dim < getNumLoops(); ++dim) { // C9
    bool isBatch = llvm::is_contained(getBatchDims(), dim);
    bool isInPool = llvm::is_contained(getPoolDims(), dim);
    if (isBatch == isInPool)
      return emitOpError("expected each dimension of 'rows' either in 'batch' "
                         "or in 'pool_dims', got ")
             << dim << " in " << (isBatch ? "both" : "neither");
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

/// Folds casts of buffers into `op`, unless `op` would not verify with the
/// sizes that they hide.
template <typename OpTy>
static LogicalResult foldCasts(OpTy op) {
  SmallVector<Value> operands(op->getOperands());
  if (failed(memref::foldMemRefCast(op)))
    return failure();
  ScopedDiagnosticHandler silent(op.getContext(),
                                 [](Diagnostic &) { return success(); });
  if (succeeded(op.verifyInvariants()))
    return success();
  op->setOperands(operands);
  return failure();
}

LogicalResult PagedGatherOp::fold(FoldAdaptor,
                                  SmallVectorImpl<OpFoldResult> &) {
  return foldCasts(*this);
}

LogicalResult StoreRowsOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  return foldCasts(*this);
}

LogicalResult PagedGatherOp::canonicalize(PagedGatherOp op,
                                          PatternRewriter &rewriter) {
  if (!op.getOffset() || !isZeroInteger(getAsOpFoldResult(op.getOffset())))
    return rewriter.notifyMatchFailure(op, "the offset is not 0");
  rewriter.modifyOpInPlace(op, [&] { op.getOffsetMutable().clear(); });
  return success();
}

//===----------------------------------------------------------------------===//
// Other interfaces
//===----------------------------------------------------------------------===//

LogicalResult
PagedGatherOp::reifyResultShapes(OpBuilder &b,
                                 ReifiedRankedShapedTypeDims &reifiedShapes) {
  return reifyInitShapes(*this, b, reifiedShapes);
}

void PagedGatherOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getBufferEffects(*this, effects);
}

Speculation::Speculatability PagedGatherOp::getSpeculatability() {
  return getTensorSpeculatability(*this);
}

LogicalResult
StoreRowsOp::reifyResultShapes(OpBuilder &b,
                               ReifiedRankedShapedTypeDims &reifiedShapes) {
  return reifyInitShapes(*this, b, reifiedShapes);
}

void StoreRowsOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getBufferEffects(*this, effects);
}

Speculation::Speculatability StoreRowsOp::getSpeculatability() {
  return getTensorSpeculatability(*this);
}
