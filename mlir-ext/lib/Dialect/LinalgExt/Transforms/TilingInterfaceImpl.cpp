//===- TilingInterfaceImpl.cpp - TilingInterface of LinalgExt ops ---------===//
//
// One model tiles every op of the dialect: their indexing maps are projected
// permutations, so a tile of the iteration domain is a slice of each operand.
// What differs is which dimensions may be tiled at all.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"
#include "mlir-ext/Dialect/LinalgExt/Transforms/ExternalModels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Which tiles an op accepts
//===----------------------------------------------------------------------===//

/// Returns whether [offset, offset + size) provably is the whole `range`.
static bool isWholeRange(const Range &range, OpFoldResult offset,
                         OpFoldResult size) {
  if (!isZeroInteger(offset))
    return false;
  if (isEqualConstantIntOrValue(size, range.size))
    return true;
  FailureOr<bool> equal = ValueBoundsConstraintSet::areEqual(
      ValueBoundsConstraintSet::Variable(size),
      ValueBoundsConstraintSet::Variable(range.size));
  return succeeded(equal) && *equal;
}

/// Returns whether `offset` is computed from an induction variable of an
/// `scf.forall`: its tiles then run concurrently.
static bool isOffsetOfForall(OpFoldResult offset) {
  auto value = dyn_cast<Value>(offset);
  if (!value)
    return false;
  if (auto arg = dyn_cast<BlockArgument>(value))
    return isa<scf::ForallOp>(arg.getOwner()->getParentOp());
  auto apply = value.getDefiningOp<affine::AffineApplyOp>();
  return apply && llvm::any_of(apply.getMapOperands(), [](Value operand) {
           return isOffsetOfForall(operand);
         });
}

/// The dimensions that tiles may cut, and why the others may not.
static std::optional<StringRef> getUncuttableReason(SoftmaxOp op,
                                                    unsigned dim) {
  if (dim == op.getDimension() && !op.getOnline())
    return StringRef("a softmax that is not 'online' has no state to carry "
                     "from tile to tile");
  return std::nullopt;
}
static std::optional<StringRef> getUncuttableReason(DiagOp op, unsigned dim) {
  if (dim + 2 >= op.getNumLoops())
    return StringRef("only the batch dimensions of a diagonal matrix tile");
  return std::nullopt;
}
static std::optional<StringRef> getUncuttableReason(BatchMatmulOp, unsigned) {
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Scalar implementations
//===----------------------------------------------------------------------===//

static SmallVector<Value> getIndices(OpBuilder &b, Location loc, AffineMap map,
                                     ValueRange ivs) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) -> Value {
    return ivs[cast<AffineDimExpr>(expr).getPosition()];
  });
}

static LogicalResult generateScalar(SoftmaxOp, OpBuilder &, Location,
                                    ValueRange) {
  // A softmax is no function of one point: decompose it first.
  return failure();
}

static LogicalResult generateScalar(DiagOp op, OpBuilder &b, Location loc,
                                    ValueRange ivs) {
  if (!op.hasPureBufferSemantics())
    return failure();
  auto type = cast<ShapedType>(op.getOutput().getType());
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  Value element = memref::LoadOp::create(b, loc, op.getInput(),
                                         ivs.drop_back());
  Value onDiagonal = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq, ivs[ivs.size() - 2], ivs.back());
  Value value = arith::SelectOp::create(b, loc, onDiagonal, element, zero);
  memref::StoreOp::create(b, loc, value, op.getOutput(), ivs);
  return success();
}

static LogicalResult generateScalar(BatchMatmulOp op, OpBuilder &b,
                                    Location loc, ValueRange ivs) {
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  if (!linalgOp.hasPureBufferSemantics())
    return failure();
  IRMapping mapping;
  Block *body = linalgOp.getBlock();
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Value> indices =
        getIndices(b, loc, linalgOp.getMatchingIndexingMap(&operand), ivs);
    mapping.map(body->getArgument(operand.getOperandNumber()),
                memref::LoadOp::create(b, loc, operand.get(), indices)
                    .getResult());
  }
  for (Operation &nested : body->without_terminator())
    b.clone(nested, mapping);
  OpOperand *init = linalgOp.getDpsInitOperand(0);
  memref::StoreOp::create(
      b, loc, mapping.lookup(body->getTerminator()->getOperand(0)),
      init->get(),
      getIndices(b, loc, linalgOp.getMatchingIndexingMap(init), ivs));
  return success();
}

//===----------------------------------------------------------------------===//
// TilingInterface
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct StructuredTiling
    : public TilingInterface::ExternalModel<StructuredTiling<OpTy>, OpTy> {
  using OpFoldResults = SmallVector<OpFoldResult>;

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return cast<OpTy>(op).getIteratorTypesArray();
  }

  SmallVector<Range> getIterationDomain(Operation *op, OpBuilder &b) const {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    auto mapOp = cast<IndexingMapOpInterface>(op);
    SmallVector<Range> domain(getLoopIteratorTypes(op).size());
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = mapOp.getMatchingIndexingMap(&operand);
      for (auto [position, expr] : llvm::enumerate(map.getResults())) {
        Range &range = domain[cast<AffineDimExpr>(expr).getPosition()];
        if (range.size)
          continue;
        OpFoldResult size =
            linalg::createFoldedDimOp(b, op->getLoc(), operand.get(), position);
        range = Range{b.getIndexAttr(0), size, b.getIndexAttr(1)};
      }
    }
    return domain;
  }

  /// Returns why the tile is refused, or nothing. May create `tensor.dim` ops.
  std::optional<std::string> getRefusal(Operation *op, OpBuilder &b,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) const {
    SmallVector<Range> domain = getIterationDomain(op, b);
    SmallVector<utils::IteratorType> types = getLoopIteratorTypes(op);
    for (unsigned dim = 0; dim < domain.size(); ++dim) {
      std::optional<StringRef> reason =
          getUncuttableReason(cast<OpTy>(op), dim);
      if (!reason && types[dim] != utils::IteratorType::reduction)
        continue;
      if (isWholeRange(domain[dim], offsets[dim], sizes[dim]))
        continue;
      if (reason)
        return llvm::formatv("expected whole tiles along dimension {0}, got a "
                             "partial one: {1}",
                             dim, *reason)
            .str();
      if (isOffsetOfForall(offsets[dim]))
        return llvm::formatv("expected tiles along reduction dimension {0} to "
                             "be visited sequentially, got 'scf.forall'",
                             dim)
            .str();
    }
    return std::nullopt;
  }

  /// Returns whether the tile leaves out a part of a reduction dimension.
  bool cutsReduction(Operation *op, OpBuilder &b,
                     ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes) const {
    SmallVector<Range> domain = getIterationDomain(op, b);
    SmallVector<utils::IteratorType> types = getLoopIteratorTypes(op);
    for (unsigned dim = 0; dim < domain.size(); ++dim)
      if (types[dim] == utils::IteratorType::reduction &&
          !isWholeRange(domain[dim], offsets[dim], sizes[dim]))
        return true;
    return false;
  }

  /// The part of an operand (or result) that a tile of the domain touches.
  void getOperandTile(AffineMap map, ArrayRef<OpFoldResult> offsets,
                      ArrayRef<OpFoldResult> sizes, OpFoldResults &tileOffsets,
                      OpFoldResults &tileSizes) const {
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      tileOffsets.push_back(offsets[dim]);
      tileSizes.push_back(sizes[dim]);
    }
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &b,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    if (std::optional<std::string> refusal = getRefusal(op, b, offsets, sizes))
      return op->emitOpError() << *refusal;
    // The init of a reduction that is cut holds what earlier tiles have
    // accumulated. Its slice is kept from the drivers, which would otherwise
    // fuse its producer into the loop and so start over in every tile.
    bool initsAreState = cutsReduction(op, b, offsets, sizes);
    auto dpsOp = cast<DestinationStyleOpInterface>(op);
    auto mapOp = cast<IndexingMapOpInterface>(op);
    Location loc = op->getLoc();
    SmallVector<Value> operands;
    SmallVector<Type> resultTypes;
    SmallVector<Operation *> slices;
    for (OpOperand &operand : op->getOpOperands()) {
      OpFoldResults tileOffsets, tileSizes;
      getOperandTile(mapOp.getMatchingIndexingMap(&operand), offsets, sizes,
                     tileOffsets, tileSizes);
      OpFoldResults strides(tileOffsets.size(), b.getIndexAttr(1));
      bool isInit = dpsOp.isDpsInit(&operand);
      if (isa<RankedTensorType>(operand.get().getType())) {
        auto slice = tensor::ExtractSliceOp::create(
            b, loc, operand.get(), tileOffsets, tileSizes, strides);
        operands.push_back(slice);
        if (!isInit || !initsAreState)
          slices.push_back(slice);
        if (isInit)
          resultTypes.push_back(slice.getType());
      } else {
        auto view = memref::SubViewOp::create(b, loc, operand.get(),
                                              tileOffsets, tileSizes, strides);
        operands.push_back(view);
        slices.push_back(view);
      }
    }
    Operation *tiled = mlir::clone(b, op, resultTypes, operands);
    return TilingResult{
        {tiled}, SmallVector<Value>(tiled->getResults()), slices};
  }

  LogicalResult getResultTilePosition(Operation *op, OpBuilder &b,
                                      unsigned resultNumber,
                                      ArrayRef<OpFoldResult> offsets,
                                      ArrayRef<OpFoldResult> sizes,
                                      OpFoldResults &resultOffsets,
                                      OpFoldResults &resultSizes) const {
    OpOperand *init = cast<DestinationStyleOpInterface>(op).getDpsInitOperand(
        resultNumber);
    resultOffsets.clear();
    resultSizes.clear();
    getOperandTile(
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(init), offsets,
        sizes, resultOffsets, resultSizes);
    return success();
  }

  /// The tile of the domain that the given tiles of operands belong to; whole
  /// along dimensions that none of them has. Fails if they disagree.
  LogicalResult
  getDomainTile(Operation *op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
                ArrayRef<OpFoldResults> allOffsets,
                ArrayRef<OpFoldResults> allSizes,
                SmallVectorImpl<OpFoldResult> &domainOffsets,
                SmallVectorImpl<OpFoldResult> &domainSizes) const {
    auto mapOp = cast<IndexingMapOpInterface>(op);
    SmallVector<Range> domain = getIterationDomain(op, b);
    domainOffsets.assign(domain.size(), OpFoldResult());
    domainSizes.assign(domain.size(), OpFoldResult());
    for (auto [number, offsets, sizes] :
         llvm::zip_equal(operandNumbers, allOffsets, allSizes)) {
      AffineMap map = mapOp.getMatchingIndexingMap(&op->getOpOperand(number));
      for (auto [expr, offset, size] :
           llvm::zip_equal(map.getResults(), offsets, sizes)) {
        unsigned dim = cast<AffineDimExpr>(expr).getPosition();
        if (domainOffsets[dim] && (domainOffsets[dim] != offset ||
                                   domainSizes[dim] != size))
          return failure();
        domainOffsets[dim] = offset;
        domainSizes[dim] = size;
      }
    }
    for (unsigned dim = 0; dim < domain.size(); ++dim) {
      if (domainOffsets[dim])
        continue;
      domainOffsets[dim] = domain[dim].offset;
      domainSizes[dim] = domain[dim].size;
    }
    return success();
  }

  LogicalResult getIterationDomainTileFromOperandTiles(
      Operation *op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
      ArrayRef<OpFoldResults> allOffsets, ArrayRef<OpFoldResults> allSizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    return getDomainTile(op, b, operandNumbers, allOffsets, allSizes,
                         domainOffsets, domainSizes);
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *op, OpBuilder &b, unsigned resultNumber,
      ArrayRef<OpFoldResult> offsets, ArrayRef<OpFoldResult> sizes,
      SmallVectorImpl<OpFoldResult> &domainOffsets,
      SmallVectorImpl<OpFoldResult> &domainSizes) const {
    unsigned operandNumber = cast<DestinationStyleOpInterface>(op)
                                 .getDpsInitOperand(resultNumber)
                                 ->getOperandNumber();
    return getDomainTile(op, b, operandNumber, OpFoldResults(offsets),
                         OpFoldResults(sizes), domainOffsets, domainSizes);
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &b, unsigned resultNumber,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    OpFoldResults domainOffsets, domainSizes;
    if (failed(getIterationDomainTileFromResultTile(
            op, b, resultNumber, offsets, sizes, domainOffsets, domainSizes)))
      return failure();
    // Not an error: the producer merely stays where it is.
    if (getRefusal(op, b, domainOffsets, domainSizes))
      return failure();
    FailureOr<TilingResult> result =
        getTiledImplementation(op, b, domainOffsets, domainSizes);
    if (failed(result))
      return failure();
    return TilingResult{result->tiledOps,
                        {result->tiledValues[resultNumber]},
                        result->generatedSlices};
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(
      Operation *op, OpBuilder &b, ArrayRef<unsigned> operandNumbers,
      ArrayRef<OpFoldResults> allOffsets,
      ArrayRef<OpFoldResults> allSizes) const {
    OpFoldResults domainOffsets, domainSizes;
    if (failed(getDomainTile(op, b, operandNumbers, allOffsets, allSizes,
                             domainOffsets, domainSizes)))
      return failure();
    // A consumer that is fused into the loop of a producer has no one to carry
    // its state, so that no reduction may be cut here.
    if (getRefusal(op, b, domainOffsets, domainSizes) ||
        cutsReduction(op, b, domainOffsets, domainSizes))
      return failure();
    return getTiledImplementation(op, b, domainOffsets, domainSizes);
  }

  LogicalResult generateScalarImplementation(Operation *op, OpBuilder &b,
                                             Location loc,
                                             ValueRange ivs) const {
    return generateScalar(cast<OpTy>(op), b, loc, ivs);
  }

  bool isOpFusableWithConsumerSlice(Operation *op, unsigned resultNumber,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) const {
    return true;
  }

  bool isOpFusableWithProducerSlices(Operation *op,
                                     ArrayRef<unsigned> operandNumbers,
                                     ArrayRef<OpFoldResults> allOffsets,
                                     ArrayRef<OpFoldResults> allSizes) const {
    OpBuilder b(op);
    OpFoldResults domainOffsets, domainSizes;
    return succeeded(getDomainTile(op, b, operandNumbers, allOffsets, allSizes,
                                   domainOffsets, domainSizes));
  }
};

//===----------------------------------------------------------------------===//
// PartialReductionOpInterface
//===----------------------------------------------------------------------===//

/// A batch_matmul reduces exactly as a `linalg.contract` with its maps, whose
/// implementation is used on a transient one. The transient op is not announced
/// to listeners: it is gone before they run again.
struct BatchMatmulPartialReduction
    : public PartialReductionOpInterface::ExternalModel<
          BatchMatmulPartialReduction, BatchMatmulOp> {
  template <typename Fn>
  auto onContract(Operation *op, Fn &&fn) const {
    auto matmul = cast<BatchMatmulOp>(op);
    OpBuilder silent(op);
    auto contract = linalg::ContractOp::create(
        silent, op->getLoc(), op->getResultTypes(), matmul.getInputs(),
        matmul.getOutputs(), matmul.getIndexingMaps());
    auto result =
        fn(cast<PartialReductionOpInterface>(contract.getOperation()));
    contract->erase();
    return result;
  }

  FailureOr<SmallVector<Value>> generateInitialTensorForPartialReduction(
      Operation *op, OpBuilder &b, Location loc, ArrayRef<OpFoldResult> sizes,
      const SetVector<unsigned> &reductionDims) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.generateInitialTensorForPartialReduction(
          b, loc, sizes, reductionDims);
    });
  }

  FailureOr<TilingResult>
  tileToPartialReduction(Operation *op, OpBuilder &b, Location loc,
                         ReductionTilingStrategy strategy, ValueRange init,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes,
                         const SetVector<unsigned> &reductionDims,
                         ArrayRef<OpFoldResult> splitReductionIvs) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.tileToPartialReduction(b, loc, strategy, init, offsets,
                                             sizes, reductionDims,
                                             splitReductionIvs);
    });
  }

  FailureOr<MergeResult>
  mergeReductions(Operation *op, OpBuilder &b, Location loc,
                  ValueRange partialReduce,
                  const SetVector<unsigned> &reductionDims) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.mergeReductions(b, loc, partialReduce, reductionDims);
    });
  }

  LogicalResult getPartialResultTilePosition(
      Operation *op, OpBuilder &b, unsigned resultNumber,
      ReductionTilingStrategy strategy, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes, const SetVector<unsigned> &reductionDims,
      ArrayRef<OpFoldResult> splitReductionIvs,
      SmallVector<OpFoldResult> &resultOffsets,
      SmallVector<OpFoldResult> &resultSizes) const {
    return onContract(op, [&](PartialReductionOpInterface contract) {
      return contract.getPartialResultTilePosition(
          b, resultNumber, strategy, offsets, sizes, reductionDims,
          splitReductionIvs, resultOffsets, resultSizes);
    });
  }
};
} // namespace

void mlir::linalg_ext::registerTilingInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, LinalgExtDialect *) {
    SoftmaxOp::attachInterface<StructuredTiling<SoftmaxOp>>(*context);
    DiagOp::attachInterface<StructuredTiling<DiagOp>>(*context);
    BatchMatmulOp::attachInterface<StructuredTiling<BatchMatmulOp>>(*context);
    BatchMatmulOp::attachInterface<BatchMatmulPartialReduction>(*context);
  });
}
