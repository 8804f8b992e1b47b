//===- LinalgExtOps.cpp - Ops of the linalg_ext dialect -------------------===//
//
// Builders, parsers and verifiers. The interfaces for transformations are
// implemented in Dialect/LinalgExt/Transforms.
//
//===----------------------------------------------------------------------===//

#include "OpVerification.h"

#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExt.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// What the ops share
//===----------------------------------------------------------------------===//

std::string mlir::linalg_ext::shapeToString(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "[";
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  os << "]";
  return text;
}

void mlir::linalg_ext::getBufferEffects(
    DestinationStyleOpInterface op,
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand, /*stage=*/0,
                         /*effectOnFullRegion=*/true);
    if (op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand, /*stage=*/0,
                           /*effectOnFullRegion=*/true);
  }
}

Speculation::Speculatability
mlir::linalg_ext::getTensorSpeculatability(DestinationStyleOpInterface op) {
  return op.hasPureTensorSemantics() ? Speculation::Speculatable
                                     : Speculation::NotSpeculatable;
}

LogicalResult mlir::linalg_ext::reifyInitShapes(
    DestinationStyleOpInterface op, OpBuilder &b,
    ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (isa<RankedTensorType>(init.get().getType()))
      reifiedReturnShapes.push_back(
          tensor::getMixedSizes(b, op->getLoc(), init.get()));
  return success();
}

LogicalResult
mlir::linalg_ext::verifyDestinationStyle(DestinationStyleOpInterface op) {
  if (!op.hasPureTensorSemantics() && !op.hasPureBufferSemantics())
    return op->emitOpError(
               "expected all operands to be tensors or all to be buffers, got ")
           << op->getOperandTypes();
  unsigned expected =
      op.hasPureTensorSemantics() ? op.getDpsInits().size() : 0u;
  if (op->getNumResults() != expected)
    return op->emitOpError("expected ")
           << expected << " results, got " << op->getNumResults();
  return success();
}

LogicalResult mlir::linalg_ext::verifyShapeAndElementType(
    Operation *op, Twine what, Type actual, ArrayRef<int64_t> shape,
    Type elementType) {
  auto type = cast<ShapedType>(actual);
  if (failed(verifyCompatibleShape(type.getShape(), shape)))
    return op->emitOpError("expected ")
           << what << " to have shape " << shapeToString(shape) << ", got "
           << shapeToString(type.getShape());
  if (type.getElementType() != elementType)
    return op->emitOpError("expected ")
           << what << " to have element type " << elementType << ", got "
           << type.getElementType();
  return success();
}

/// Replaces the dynamic sizes of `shape` by those of `other`, a compatible
/// shape.
static void refineShape(SmallVectorImpl<int64_t> &shape,
                        ArrayRef<int64_t> other) {
  for (auto [size, otherSize] : llvm::zip_equal(shape, other))
    if (ShapedType::isDynamic(size))
      size = otherSize;
}

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

//===----------------------------------------------------------------------===//
// SoftmaxOp
//===----------------------------------------------------------------------===//

void SoftmaxOp::build(OpBuilder &b, OperationState &state, Value input,
                      ValueRange outputs, int64_t dimension) {
  SmallVector<Type> results;
  for (Value output : outputs)
    if (isa<RankedTensorType>(output.getType()))
      results.push_back(output.getType());
  build(b, state, results, input, outputs, b.getI64IntegerAttr(dimension),
        /*online=*/nullptr, /*delayed=*/nullptr, /*rescale_threshold=*/nullptr);
}

Type SoftmaxOp::getStateType(Type type) {
  return type.isF64() ? type : Float32Type::get(type.getContext());
}

int64_t SoftmaxOp::getNumLoops() {
  return cast<ShapedType>(getInput().getType()).getRank();
}

SmallVector<utils::IteratorType> SoftmaxOp::getIteratorTypesArray() {
  SmallVector<utils::IteratorType> types(getNumLoops(),
                                         utils::IteratorType::parallel);
  types[getDimension()] = utils::IteratorType::reduction;
  return types;
}

ArrayAttr SoftmaxOp::getIndexingMaps() {
  AffineMap full =
      AffineMap::getMultiDimIdentityMap(getNumLoops(), getContext());
  AffineMap state = full.dropResult(getDimension());
  return Builder(getContext())
      .getAffineMapArrayAttr({full, full, state, state, state});
}

LogicalResult SoftmaxOp::verify() {
  if (getOutputs().size() != 4) // C1
    return emitOpError("expected 4 inits (result, max, sum, scale), got ")
           << getOutputs().size();
  if (failed(verifyDestinationStyle(*this))) // C1
    return failure();
  auto inputType = cast<ShapedType>(getInput().getType());
  int64_t rank = inputType.getRank();
  int64_t dimension = getDimension();
  if (dimension < 0 || dimension >= rank) // C2
    return emitOpError("expected dimension in [0, ")
           << rank << "), got " << dimension;
  SmallVector<int64_t> shape(inputType.getShape());
  if (failed(verifyShapeAndElementType(*this, "the result",
                                       getOutputs()[0].getType(), shape,
                                       inputType.getElementType()))) // C3
    return failure();
  refineShape(shape, getShapeOf(getOutputs()[0]));
  SmallVector<int64_t> stateShape(shape);
  stateShape.erase(stateShape.begin() + dimension);
  Type stateType = getStateType(inputType.getElementType());
  StringRef names[] = {"the max", "the sum", "the scale"};
  for (auto [name, output] :
       llvm::zip_equal(names, getOutputs().drop_front())) {
    if (failed(verifyShapeAndElementType(*this, name, output.getType(),
                                         stateShape, stateType))) // C4
      return failure();
    refineShape(stateShape, getShapeOf(output));
  }
  if (std::optional<APFloat> threshold = getRescaleThreshold()) { // C5
    if (!threshold->isFinite() || threshold->isNegative())
      return emitOpError("expected a rescale threshold that is finite and not "
                         "negative, got ")
             << threshold->convertToDouble();
    if (!getOnline())
      return emitOpError("expected 'online' with a rescale threshold, got ")
             << threshold->convertToDouble() << " without it";
  }
  return success();
}

LogicalResult
SoftmaxOp::reifyResultShapes(OpBuilder &b,
                             ReifiedRankedShapedTypeDims &reifiedShapes) {
  return reifyInitShapes(*this, b, reifiedShapes);
}

void SoftmaxOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getBufferEffects(*this, effects);
}

Speculation::Speculatability SoftmaxOp::getSpeculatability() {
  return getTensorSpeculatability(*this);
}

//===----------------------------------------------------------------------===//
// DiagOp
//===----------------------------------------------------------------------===//

void DiagOp::build(OpBuilder &b, OperationState &state, Value input,
                   Value output) {
  SmallVector<Type, 1> results;
  if (isa<RankedTensorType>(output.getType()))
    results.push_back(output.getType());
  build(b, state, results, input, output);
}

int64_t DiagOp::getNumLoops() {
  return cast<ShapedType>(getInput().getType()).getRank() + 1;
}

SmallVector<utils::IteratorType> DiagOp::getIteratorTypesArray() {
  return SmallVector<utils::IteratorType>(getNumLoops(),
                                          utils::IteratorType::parallel);
}

ArrayAttr DiagOp::getIndexingMaps() {
  AffineMap full =
      AffineMap::getMultiDimIdentityMap(getNumLoops(), getContext());
  return Builder(getContext())
      .getAffineMapArrayAttr({full.dropResult(getNumLoops() - 1), full});
}

LogicalResult DiagOp::verify() {
  auto inputType = cast<ShapedType>(getInput().getType());
  if (inputType.getRank() < 1) // C1
    return emitOpError("expected the input to have rank at least 1, got 0");
  if (failed(verifyDestinationStyle(*this)))
    return failure();
  SmallVector<int64_t> shape(inputType.getShape());
  // A dynamic dimension occurs twice in the result. Both must have the same
  // size.
  ArrayRef<int64_t> initShape = getShapeOf(getOutput());
  if (ShapedType::isDynamic(shape.back()) &&
      static_cast<int64_t>(initShape.size()) == inputType.getRank() + 1)
    shape.back() = initShape[shape.size() - 1];
  shape.push_back(shape.back());
  if (failed(verifyShapeAndElementType(*this, "the init", getOutput().getType(),
                                       shape,
                                       inputType.getElementType()))) // C2
    return failure();
  if (!inputType.getElementType().isSignlessIntOrIndexOrFloat()) // C3
    return emitOpError("expected an input of signless integers, floats or "
                       "indices, got ")
           << inputType.getElementType();
  return success();
}

LogicalResult
DiagOp::reifyResultShapes(OpBuilder &b,
                          ReifiedRankedShapedTypeDims &reifiedShapes) {
  return reifyInitShapes(*this, b, reifiedShapes);
}

void DiagOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getBufferEffects(*this, effects);
}

Speculation::Speculatability DiagOp::getSpeculatability() {
  return getTensorSpeculatability(*this);
}

//===----------------------------------------------------------------------===//
// BatchMatmulOp
//===----------------------------------------------------------------------===//

SmallVector<AffineMap>
BatchMatmulOp::getDefaultIndexingMaps(int64_t rank, MLIRContext *context) {
  int64_t numBatch = rank - 2;
  SmallVector<AffineExpr> batch;
  for (int64_t i = 0; i < numBatch; ++i)
    batch.push_back(getAffineDimExpr(i, context));
  AffineExpr m = getAffineDimExpr(numBatch, context);
  AffineExpr n = getAffineDimExpr(numBatch + 1, context);
  AffineExpr k = getAffineDimExpr(numBatch + 2, context);
  auto makeMap = [&](AffineExpr row, AffineExpr column) {
    SmallVector<AffineExpr> exprs(batch);
    exprs.append({row, column});
    return AffineMap::get(rank + 1, /*symbolCount=*/0, exprs, context);
  };
  return {makeMap(m, k), makeMap(k, n), makeMap(m, n)};
}

/// Fills `region` with a multiply-accumulate body.
static void buildCombiner(OpBuilder &b, Region &region, TypeRange types) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> elementTypes;
  for (Type type : types)
    elementTypes.push_back(getElementTypeOrSelf(type));
  SmallVector<Location> locs(types.size(), b.getUnknownLoc());
  Block *body = b.createBlock(&region, /*insertPt=*/{}, elementTypes, locs);
  ImplicitLocOpBuilder ib(b.getUnknownLoc(), b);
  BatchMatmulOp::regionBuilder(ib, *body, /*attrs=*/{}, /*emitError=*/{});
}

void BatchMatmulOp::build(OpBuilder &b, OperationState &state, Value lhs,
                          Value rhs, Value init,
                          ArrayRef<AffineMap> indexingMaps,
                          ArrayRef<NamedAttribute> attributes) {
  state.addOperands({lhs, rhs, init});
  state.addAttributes(attributes);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {2, 1};
  properties.indexing_maps = b.getAffineMapArrayAttr(indexingMaps);
  if (isa<RankedTensorType>(init.getType()))
    state.addTypes(init.getType());
  buildCombiner(b, *state.addRegion(),
                state.operands.empty() ? TypeRange()
                                       : TypeRange(ValueRange(state.operands)));
}

void BatchMatmulOp::build(OpBuilder &b, OperationState &state, Value lhs,
                          Value rhs, Value init) {
  build(b, state, lhs, rhs, init,
        getDefaultIndexingMaps(cast<ShapedType>(init.getType()).getRank(),
                               b.getContext()));
}

void BatchMatmulOp::regionBuilder(
    ImplicitLocOpBuilder &b, Block &block, ArrayRef<NamedAttribute> attrs,
    function_ref<InFlightDiagnostic()> emitError) {
  Type type = block.getArgument(2).getType();
  Value lhs = convertScalarToDtype(b, b.getLoc(), block.getArgument(0), type,
                                   /*isUnsignedCast=*/false);
  Value rhs = convertScalarToDtype(b, b.getLoc(), block.getArgument(1), type,
                                   /*isUnsignedCast=*/false);
  Value product, sum;
  if (isa<FloatType>(type)) {
    product = arith::MulFOp::create(b, lhs, rhs);
    sum = arith::AddFOp::create(b, block.getArgument(2), product);
  } else {
    product = arith::MulIOp::create(b, lhs, rhs);
    sum = arith::AddIOp::create(b, block.getArgument(2), product);
  }
  linalg::YieldOp::create(b, sum);
}

SmallVector<utils::IteratorType> BatchMatmulOp::getIteratorTypesArray() {
  AffineMap out = getIndexingMapsArray().back();
  SmallVector<utils::IteratorType> types(out.getNumDims(),
                                         utils::IteratorType::reduction);
  for (AffineExpr expr : out.getResults())
    types[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  return types;
}

ParseResult BatchMatmulOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  ArrayAttr maps;
  if (succeeded(parser.parseOptionalKeyword("indexing_maps"))) {
    if (parser.parseEqual() || parser.parseAttribute(maps))
      return failure();
    for (Attribute attr : maps)
      if (!isa<AffineMapAttr>(attr))
        return parser.emitError(loc)
               << "expected 'indexing_maps' to hold affine maps, got " << attr;
  }
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();

  SmallVector<OpAsmParser::UnresolvedOperand> inputs, outputs;
  SmallVector<Type> inputTypes, outputTypes, resultTypes;
  SMLoc inputsLoc = parser.getCurrentLocation();
  if (parser.parseKeyword("ins") || parser.parseLParen() ||
      parser.parseOperandList(inputs) ||
      parser.parseColonTypeList(inputTypes) || parser.parseRParen())
    return failure();
  SMLoc outputsLoc = parser.getCurrentLocation();
  if (parser.parseKeyword("outs") || parser.parseLParen() ||
      parser.parseOperandList(outputs) ||
      parser.parseColonTypeList(outputTypes) || parser.parseRParen() ||
      parser.parseOptionalArrowTypeList(resultTypes))
    return failure();
  if (parser.resolveOperands(inputs, inputTypes, inputsLoc, result.operands) ||
      parser.resolveOperands(outputs, outputTypes, outputsLoc, result.operands))
    return failure();
  result.addTypes(resultTypes);

  if (inputs.size() != 2 || outputs.size() != 1) // C1
    return parser.emitError(loc) << "expected 2 inputs and 1 init, got "
                                 << inputs.size() << " and " << outputs.size();
  for (Type type : llvm::concat<Type>(inputTypes, outputTypes))
    if (!isa<RankedTensorType, MemRefType>(type) ||
        !cast<ShapedType>(type).getElementType().isSignlessIntOrFloat())
      return parser.emitError(loc) << "expected ranked tensors or memrefs of "
                                      "signless integers or floats, got "
                                   << type;
  if (!maps) {
    int64_t rank = cast<ShapedType>(outputTypes.front()).getRank();
    for (Type type : inputTypes)
      if (cast<ShapedType>(type).getRank() != rank || rank < 2)
        return parser.emitError(loc)
               << "expected operands of one rank of at least 2 when "
                  "'indexing_maps' is absent, got "
               << inputTypes[0] << ", " << inputTypes[1] << " and "
               << outputTypes[0];
    maps = parser.getBuilder().getAffineMapArrayAttr(
        getDefaultIndexingMaps(rank, parser.getContext()));
  }
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.operandSegmentSizes = {2, 1};
  properties.indexing_maps = maps;

  OpBuilder b(parser.getContext());
  SmallVector<Type> types(inputTypes);
  types.append(outputTypes);
  buildCombiner(b, *result.addRegion(), types);
  return success();
}

void BatchMatmulOp::print(OpAsmPrinter &p) {
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  int64_t rank = cast<ShapedType>(getOutputs().front().getType()).getRank();
  if (rank < 2 || maps != getDefaultIndexingMaps(rank, getContext()))
    p << " indexing_maps = " << getIndexingMaps();
  p.printOptionalAttrDict((*this)->getAttrs(),
                          {"indexing_maps", "operandSegmentSizes"});
  p << " ins(" << getInputs() << " : " << getInputs().getTypes() << ") outs("
    << getOutputs() << " : " << getOutputs().getTypes() << ")";
  p.printOptionalArrowTypeList(getResultTypes());
}

/// Verifies the maps before any other code uses them.
LogicalResult BatchMatmulOp::verifyIndexingMapRequiredAttributes() {
  if (getInputs().size() != 2 || getOutputs().size() != 1) // C1
    return emitOpError("expected 2 inputs and 1 init, got ")
           << getInputs().size() << " and " << getOutputs().size();
  SmallVector<AffineMap> maps = getIndexingMapsArray();
  if (maps.size() != 3) // C2
    return emitOpError("expected 3 indexing maps, got ") << maps.size();
  unsigned numDims = maps[0].getNumDims();
  for (auto [index, map] : llvm::enumerate(maps)) {
    int64_t rank = cast<ShapedType>(getOperand(index).getType()).getRank();
    if (!map.isProjectedPermutation()) // C2
      return emitOpError("expected indexing map #")
             << index << " to be a projected permutation, got "
             << AffineMapAttr::get(map);
    if (map.getNumDims() != numDims) // C2
      return emitOpError("expected indexing map #")
             << index << " to have " << numDims << " dimensions, got "
             << map.getNumDims();
    if (map.getNumResults() != rank) // C2
      return emitOpError("expected indexing map #")
             << index << " to have " << rank
             << " results, the rank of its operand, got "
             << map.getNumResults();
  }
  bool contracts = false;
  for (unsigned dim = 0; dim < numDims; ++dim) { // C3
    unsigned numInputs =
        maps[0].isFunctionOfDim(dim) + maps[1].isFunctionOfDim(dim);
    bool inInit = maps[2].isFunctionOfDim(dim);
    contracts |= !inInit;
    if (inInit && numInputs == 0)
      return emitOpError("expected iteration dimension ")
             << dim << " of the init to index an input, got none";
    if (!inInit && numInputs != 2)
      return emitOpError("expected contracted iteration dimension ")
             << dim << " to index both inputs, got " << numInputs;
  }
  if (!contracts) // C3
    return emitOpError("expected at least 1 contracted dimension, got 0");
  SmallVector<int64_t> sizes(numDims, ShapedType::kDynamic);
  for (auto [index, map] : llvm::enumerate(maps)) // C4
    for (auto [expr, size] :
         llvm::zip_equal(map.getResults(), getShapeOf(getOperand(index)))) {
      int64_t &known = sizes[cast<AffineDimExpr>(expr).getPosition()];
      if (ShapedType::isStatic(size) && ShapedType::isStatic(known) &&
          size != known)
        return emitOpError("expected operand #")
               << index << " to have size " << known
               << " along iteration dimension "
               << cast<AffineDimExpr>(expr).getPosition() << ", got " << size;
      if (ShapedType::isStatic(size))
        known = size;
    }
  return success();
}

void BatchMatmulOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  getBufferEffects(cast<DestinationStyleOpInterface>(getOperation()), effects);
}

Speculation::Speculatability BatchMatmulOp::getSpeculatability() {
  return getTensorSpeculatability(
      cast<DestinationStyleOpInterface>(getOperation()));
}

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/LinalgExt/IR/LinalgExtOps.cpp.inc"
