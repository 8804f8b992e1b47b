//===- StructuredTiling.h - TilingInterface from indexing maps --*- C++ -*-===//
//
// Implements TilingInterface for destination-style ops whose indexing maps are
// projected permutations. A tile of the iteration domain is a slice of each
// operand. There are two differences from upstream's implementation for
// LinalgOps. This one refuses tiles that would give wrong results (see
// `getRefusal`). And it hides the inits of a reduction that is cut, since
// drivers would otherwise fuse the ops that initialise them.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_LINALGEXT_UTILS_STRUCTUREDTILING_H
#define MLIR_EXT_DIALECT_LINALGEXT_UTILS_STRUCTUREDTILING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>
#include <string>

namespace mlir::linalg_ext {

/// Returns whether [offset, offset + size) is provably all of `range`.
bool isWholeRange(const Range &range, OpFoldResult offset, OpFoldResult size);

/// Returns the same for dimension `dim` of the iteration domain of `op`, whose
/// range is `range`. Also uses that all operands have the same size along that
/// dimension.
bool isWholeRange(Operation *op, unsigned dim, const Range &range,
                  OpFoldResult offset, OpFoldResult size);

/// Returns whether `offset` is computed from an induction variable of an
/// `scf.forall`, so that its tiles run concurrently.
bool isOffsetOfForall(OpFoldResult offset);

/// Returns whether `operand` is complete only after a loop: it is an insertion
/// at `offsets` into an iter_arg of a loop, such as a loop over a reduction,
/// that inserts at the same offsets in several iterations. (Drivers that fuse a
/// consumer ask for its tile while its operand is this insertion.)
bool isCompleteOnlyAfterLoop(const OpOperand &operand,
                             ArrayRef<OpFoldResult> offsets);

/// The implementation; see the head of the file. `OpTy` must have
/// `getIteratorTypesArray()`.
template <typename Model, typename OpTy>
struct StructuredTiling : public TilingInterface::ExternalModel<Model, OpTy> {
  using Base = TilingInterface::ExternalModel<Model, OpTy>;
  // LLVM 23 overloads these. What is defined below must not hide that.
  using Base::generateResultTileValue;
  using Base::getIterationDomainTileFromOperandTiles;
  using Base::getTiledImplementation;
  using Base::getTiledImplementationFromOperandTiles;

  using OpFoldResults = SmallVector<OpFoldResult>;

  //===--------------------------------------------------------------------===//
  // What a model may override
  //===--------------------------------------------------------------------===//

  /// Returns why tiles may not cut dimension `dim`, or std::nullopt if they
  /// may.
  std::optional<StringRef> getUncuttableReason(OpTy, unsigned dim) const {
    return std::nullopt;
  }
  /// Replaces ranges of the domain that the op defines as equal by one range.
  void unifyDomain(OpTy, MutableArrayRef<Range>) const {}
  /// Builds the op at one point of the domain, on buffers.
  LogicalResult generateScalar(OpTy, OpBuilder &, Location, ValueRange) const {
    return failure();
  }

  //===--------------------------------------------------------------------===//
  // TilingInterface
  //===--------------------------------------------------------------------===//

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
    getModel().unifyDomain(cast<OpTy>(op), domain);
    return domain;
  }

  /// Returns why the tile is refused, or std::nullopt if it is accepted. May
  /// create `tensor.dim` ops.
  std::optional<std::string> getRefusal(Operation *op, OpBuilder &b,
                                        ArrayRef<OpFoldResult> offsets,
                                        ArrayRef<OpFoldResult> sizes) const {
    SmallVector<Range> domain = getIterationDomain(op, b);
    SmallVector<utils::IteratorType> types = getLoopIteratorTypes(op);
    for (unsigned dim = 0; dim < domain.size(); ++dim) {
      std::optional<StringRef> reason =
          getModel().getUncuttableReason(cast<OpTy>(op), dim);
      if (!reason && types[dim] != utils::IteratorType::reduction)
        continue;
      if (isWholeRange(op, dim, domain[dim], offsets[dim], sizes[dim]))
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

  /// Returns whether the tile has only a part of a reduction dimension.
  bool cutsReduction(Operation *op, OpBuilder &b,
                     ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes) const {
    SmallVector<Range> domain = getIterationDomain(op, b);
    SmallVector<utils::IteratorType> types = getLoopIteratorTypes(op);
    for (unsigned dim = 0; dim < domain.size(); ++dim)
      if (types[dim] == utils::IteratorType::reduction &&
          !isWholeRange(op, dim, domain[dim], offsets[dim], sizes[dim]))
        return true;
    return false;
  }

  /// Appends the offsets and sizes of the part of an operand (or result) that a
  /// tile of the domain accesses.
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
    OpOperand *init =
        cast<DestinationStyleOpInterface>(op).getDpsInitOperand(resultNumber);
    resultOffsets.clear();
    resultSizes.clear();
    getOperandTile(
        cast<IndexingMapOpInterface>(op).getMatchingIndexingMap(init), offsets,
        sizes, resultOffsets, resultSizes);
    return success();
  }

  /// Finds the tile of the domain that belongs to the given tiles of operands.
  /// It is whole along dimensions that none of these operands has. Fails if two
  /// operands disagree.
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
        if (domainOffsets[dim] &&
            (domainOffsets[dim] != offset || domainSizes[dim] != size))
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
    // Nor may it see partial results.
    for (auto [number, offsets] : llvm::zip_equal(operandNumbers, allOffsets))
      if (isCompleteOnlyAfterLoop(op->getOpOperand(number), offsets))
        return failure();
    return getTiledImplementation(op, b, domainOffsets, domainSizes);
  }

  LogicalResult generateScalarImplementation(Operation *op, OpBuilder &b,
                                             Location loc,
                                             ValueRange ivs) const {
    return getModel().generateScalar(cast<OpTy>(op), b, loc, ivs);
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

private:
  const Model &getModel() const { return *static_cast<const Model *>(this); }
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_DIALECT_LINALGEXT_UTILS_STRUCTUREDTILING_H
