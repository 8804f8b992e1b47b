//===- VectorExtOps.cpp - Ops of VectorExt --------------------------------===//
//
// Verifiers, folders and effects of the ops. See VectorExtOps.td.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;

#define GET_OP_CLASSES
#include "mlir-ext/Dialect/VectorExt/IR/VectorExtOps.cpp.inc"

/// C1.
LogicalResult ToLayoutOp::verify() {
  SmallVector<int64_t> shape = getLayout().getLayout().getShape();
  ArrayRef<int64_t> expected =
      cast<VectorType>(getResult().getType()).getShape();
  if (ArrayRef<int64_t>(shape) != expected)
    return emitOpError() << "expected a layout of the vector's shape ["
                         << expected << "], got [" << shape << "]";
  return success();
}

OpFoldResult ToLayoutOp::fold(FoldAdaptor) {
  // Two requests for the same layout are one.
  auto producer = getInput().getDefiningOp<ToLayoutOp>();
  if (producer && producer.getLayout() == getLayout() && !getSharedMemory())
    return producer.getResult();
  return {};
}

/// Returns false only if `type` is known to be in other memory. A target's own
/// memory spaces are unknown.
static bool isInWorkgroupMemory(MemRefType type) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
  return type.getMemorySpace() &&
         (!space || space.getValue() == gpu::AddressSpace::Workgroup);
}

/// Checks that `type` is a fragment of `numRegisters` registers of
/// `elementType`.
static LogicalResult verifyFragment(Operation *op, StringRef name, Type type,
                                    int64_t numRegisters, Type elementType) {
  auto expected = VectorType::get({numRegisters}, elementType);
  if (type != expected)
    return op->emitOpError() << "expected '" << name << "' to be " << expected
                             << ", got " << type;
  return success();
}

/// Returns the instruction of this name, or null with an error at `op`.
static const MmaIntrinsic *lookupIntrinsic(Operation *op, StringRef name) {
  auto *dialect = cast<VectorExtDialect>(op->getDialect());
  const MmaIntrinsic *intrinsic = dialect->lookupIntrinsic(name);
  if (!intrinsic)
    op->emitOpError() << "expected the name of a known instruction ("
                      << llvm::join(dialect->getIntrinsicNames(), ", ")
                      << "), got '" << name << "'";
  return intrinsic;
}

LogicalResult MmaOp::verify() {
  const MmaIntrinsic *intrinsic =
      ::lookupIntrinsic(*this, getIntrinsic()); // C1
  if (!intrinsic)
    return failure();
  MLIRContext *context = getContext();
  // C2
  if (failed(verifyFragment(*this, "lhs", getLhs().getType(),
                            intrinsic->lhs.getNumRegisters(),
                            intrinsic->lhsType(context))) ||
      failed(verifyFragment(*this, "acc", getAcc().getType(),
                            intrinsic->acc.getNumRegisters(),
                            intrinsic->accType(context))))
    return failure();
  if (!intrinsic->rhsInSharedMemory && getDescriptor()) // C3
    return emitOpError() << "expected no descriptor of an operand in registers"
                            ", got "
                         << getDescriptorAttr();
  if (intrinsic->rhsInSharedMemory) { // C3
    auto memref = dyn_cast<MemRefType>(getRhs().getType());
    if (!memref || memref.getRank() != 1 || !isInWorkgroupMemory(memref) ||
        memref.getElementType() != intrinsic->rhsType(context))
      return emitOpError() << "expected 'rhs' to be a memref of one dimension "
                              "of "
                           << intrinsic->rhsType(context)
                           << " in the workgroup's memory, got "
                           << getRhs().getType();
    if (!getDescriptor())
      return emitOpError() << "expected a descriptor of 'rhs', got none";
    return success();
  }
  return verifyFragment(*this, "rhs", getRhs().getType(),
                        intrinsic->rhs.getNumRegisters(),
                        intrinsic->rhsType(context));
}

void MmaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<MemRefType>(getRhs().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getRhsMutable());
}

Speculation::Speculatability MmaOp::getSpeculatability() {
  return isa<MemRefType>(getRhs().getType()) ? Speculation::NotSpeculatable
                                             : Speculation::Speculatable;
}

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

/// Checks that `type` is memory in which a tile of `elementType` may be. With
/// `ofBits`, its bits may be used as those of another type.
static LogicalResult verifyTileMemory(Operation *op, StringRef name, Type type,
                                      Type elementType, bool ofBits = false) {
  auto memref = dyn_cast<MemRefType>(type);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (memref && memref.getRank() == 1 && isInWorkgroupMemory(memref) &&
      (memref.getElementType() == elementType ||
       (ofBits && haveSameBits(memref.getElementType(), elementType))) &&
      succeeded(memref.getStridesAndOffset(strides, offset)) && strides[0] == 1)
    return success();
  return op->emitOpError() << "expected '" << name
                           << "' to be a contiguous memref of one dimension of "
                           << elementType << " in the workgroup's memory, got "
                           << type;
}

/// Checks the part of `sizes` at `indices` of a tile with the layout `shared`.
static LogicalResult verifyTilePart(Operation *op, StringRef name,
                                    SharedAttr shared, OperandRange indices,
                                    ArrayRef<int64_t> sizes, Type elementType) {
  ArrayRef<int64_t> shape = shared.getShape();
  if (indices.size() != sizes.size() || shape.size() != sizes.size())
    return op->emitOpError()
           << "expected " << sizes.size() << " indices and a layout of "
           << sizes.size() << " dimensions for '" << name << "', got "
           << indices.size() << " and " << shape.size();
  if (elementType.getIntOrFloatBitWidth() != shared.getBits())
    return op->emitOpError()
           << "expected a layout of elements of "
           << elementType.getIntOrFloatBitWidth() << " bits for '" << name
           << "', got " << shared.getBits();
  for (auto [index, size, total] : llvm::zip_equal(indices, sizes, shape)) {
    if (total % size != 0)
      return op->emitOpError()
             << "expected the tile of '" << name << "' to be a multiple of ["
             << sizes << "], got [" << shape << "]";
    std::optional<int64_t> constant = getConstantIntValue(index);
    if (constant &&
        (*constant < 0 || *constant >= total || *constant % size != 0))
      return op->emitOpError()
             << "expected an index of '" << name << "' that is a multiple of "
             << size << " and less than " << total << ", got " << *constant;
  }
  return success();
}

LogicalResult AsyncMmaOp::verify() {
  const MmaIntrinsic *intrinsic =
      ::lookupIntrinsic(*this, getIntrinsic()); // C1
  if (!intrinsic)
    return failure();
  if (!intrinsic->isAsynchronous) // C1
    return emitOpError() << "expected an asynchronous instruction, got '"
                         << getIntrinsic() << "'";
  MLIRContext *context = getContext();
  Type lhsType = intrinsic->lhsType(context);
  Type rhsType = intrinsic->rhsType(context);
  // C2 to C5
  if (failed(verifyFragment(*this, "acc", getAcc().getType(),
                            intrinsic->acc.getNumRegisters(),
                            intrinsic->accType(context))) ||
      failed(verifyTileMemory(*this, "rhs", getRhs().getType(), rhsType)) ||
      failed(verifyTilePart(*this, "rhs", getRhsLayout(), getRhsIndices(),
                            {intrinsic->k, intrinsic->n}, rhsType)))
    return failure();
  if (!getLhsLayout())
    return verifyFragment(*this, "lhs", getLhs().getType(),
                          intrinsic->lhs.getNumRegisters(), lhsType);
  if (failed(verifyTileMemory(*this, "lhs", getLhs().getType(), lhsType)))
    return failure();
  return verifyTilePart(*this, "lhs", *getLhsLayout(), getLhsIndices(),
                        {intrinsic->m, intrinsic->k}, lhsType);
}

void AsyncMmaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getLhsLayout())
    effects.emplace_back(MemoryEffects::Read::get(), &getLhsMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getRhsMutable());
}

LogicalResult AsyncMmaOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location>,
                                           Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getAcc().getType());
  return success();
}

LogicalResult AwaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                        Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  llvm::append_range(types, adaptor.getInputs().getTypes());
  return success();
}

/// C1.
LogicalResult AwaitOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  for (Value input : getInputs()) {
    Operation *op = input.getDefiningOp();
    // Lowered loops are blocks with arguments.
    if (op ? isa<LoopLikeOpInterface>(op)
           : !cast<BlockArgument>(input).getOwner()->isEntryBlock())
      continue;
    if (!op || !(isa<AsyncMmaOp>(op) ||
                 op->hasAttr(VectorExtDialect::getConfigAttrName())))
      return emitOpError()
             << "expected the results of 'vector_ext.async_mma', or of "
                "contractions with a config, got one of "
             << (op ? op->getName().getStringRef() : StringRef("a block"));
  }
  return success();
}

/// C1.
LogicalResult AwaitEarlierOp::verify() {
  if (getInputs().empty())
    return emitOpError() << "expected at least one input, got none";
  for (Value input : getInputs()) {
    Operation *op = input.getDefiningOp();
    if (!op || op->getBlock() != (*this)->getBlock() ||
        !(isa<AsyncMmaOp>(op) ||
          op->hasAttr(VectorExtDialect::getConfigAttrName())))
      return emitOpError()
             << "expected results of 'vector_ext.async_mma', or of "
                "contractions with a config, in its block, got one of "
             << (op ? op->getName().getStringRef() : StringRef("a block"));
  }
  return success();
}

/// Checks C1 and C2 of ops on a tile of `type` that is in `memory` with `attr`.
/// With `ofBits`, its bits may be used as those of another type.
static LogicalResult verifyTile(Operation *op, MemRefType memory,
                                VectorType type, SharedAttr attr,
                                bool ofBits = false) {
  if (failed(verifyTileMemory(op, "memory", memory, type.getElementType(),
                              ofBits)))
    return failure();
  if (attr.getShape() != type.getShape())
    return op->emitOpError()
           << "expected a layout of the vector's shape [" << type.getShape()
           << "], got [" << attr.getShape() << "]";
  if (!type.getElementType().isIntOrFloat() ||
      type.getElementTypeBitWidth() != attr.getBits())
    return op->emitOpError() << "expected elements of " << attr.getBits()
                             << " bits, got " << type.getElementType();
  layout::SharedLayout layout = attr.getLayout();
  int64_t elements =
      llvm::divideCeil(layout.getSizeInBytes(), layout.getElementBytes());
  if (!memory.isDynamicDim(0) && memory.getDimSize(0) < elements)
    return op->emitOpError()
           << "expected memory for " << elements << " elements, got " << memory;
  return success();
}

LogicalResult SharedTileOp::verify() { // C1 and C2
  return verifyTile(*this, cast<MemRefType>(getMemory().getType()),
                    cast<VectorType>(getResult().getType()), getLayout(),
                    /*ofBits=*/true);
}

LogicalResult StoreTileOp::verify() {
  auto memory = cast<MemRefType>(getMemory().getType());
  if (static_cast<int64_t>(getIndices().size()) != memory.getRank()) // C1
    return emitOpError() << "expected an index for each dimension of " << memory
                         << ", got " << getIndices().size();
  auto type = cast<VectorType>(getTile().getType());
  AffineMap map = getMap();
  if (map.getNumDims() != memory.getRank() || // C2
      map.getNumResults() != type.getRank() || !map.isProjectedPermutation())
    return emitOpError() << "expected a projected permutation from the "
                         << memory.getRank()
                         << " dimensions of the memory to the "
                         << type.getRank() << " of the tile, got "
                         << AffineMapAttr::get(map);
  if (type.getElementType() != memory.getElementType() || // C3
      getLayout().getShape() != type.getShape())
    return emitOpError() << "expected a vector with the elements of " << memory
                         << " and the shape of the layout, got " << type;
  if (getParts() <= 0 || type.getDimSize(0) % getParts() != 0) // C4
    return emitOpError() << "expected a positive number of parts that divides "
                         << type.getDimSize(0) << ", got " << getParts();
  return success();
}

LogicalResult WriteTileOp::verify() { // C1 and C2
  if (static_cast<bool>(getBarriers()) != static_cast<bool>(getIndex())) // C3
    return emitOpError() << "expected barriers and an index, or neither, got "
                         << (getBarriers() ? "barriers" : "an index");
  return verifyTile(*this, cast<MemRefType>(getMemory().getType()),
                    cast<VectorType>(getTile().getType()), getLayout());
}

//===----------------------------------------------------------------------===//
// Rings
//===----------------------------------------------------------------------===//

/// C5 of `put`.
static LogicalResult verifyShared(RingPutOp put, size_t numTiles) {
  if (!put.getShared())
    return success();
  llvm::SmallDenseSet<int64_t> seen;
  ArrayRef<int64_t> shared = *put.getShared();
  for (int64_t number : shared) {
    if (number < 0 || number >= static_cast<int64_t>(numTiles) ||
        !seen.insert(number).second)
      return put.emitOpError() << "expected distinct numbers of " << numTiles
                               << " tiles in 'shared', got " << number;
    if (put.getNumParts(number) != 1 || put.getCutDim(number))
      return put.emitOpError()
             << "expected a shared tile in one part that is not cut, got tile "
             << number << " of " << put.getNumParts(number) << " parts"
             << (put.getCutDim(number) ? ", cut" : "");
  }
  return success();
}

LogicalResult RingPutOp::verify() {
  ArrayRef<VectorType> tiles = getRing().getType().getTiles();
  size_t numParts = tiles.size();
  if (std::optional<ArrayRef<int64_t>> parts = getParts()) { // C1
    if (parts->size() != tiles.size())
      return emitOpError() << "expected a number of parts for each of "
                           << tiles.size() << " tiles, got " << parts->size();
    numParts = 0;
    for (auto [count, tile] : llvm::zip_equal(*parts, tiles)) {
      if (count < 1 || tile.getDimSize(0) % count != 0)
        return emitOpError() << "expected a number of parts that divides "
                             << tile.getDimSize(0) << ", got " << count;
      numParts += count;
    }
  }
  if (getCopiers()) { // C3
    numParts = 0;
    for (unsigned i = 0; i < tiles.size(); ++i) {
      if (getNumCopiers() < 1 || getNumParts(i) % getNumCopiers() != 0)
        return emitOpError()
               << "expected a number of copiers that divides " << getNumParts(i)
               << " parts, got " << getNumCopiers();
      numParts += getNumOwnParts(i);
    }
  }
  if (getSources().size() != tiles.size() || // C1
      getIndices().size() != numParts || getMaps().size() != tiles.size())
    return emitOpError() << "expected a source and a map for each of "
                         << tiles.size() << " tiles, and indices for each of "
                         << numParts << " parts, got " << getSources().size()
                         << ", " << getMaps().size() << " and "
                         << getIndices().size();
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    auto source = cast<MemRefType>(getSources()[i].getType());
    if (!getCopiedType(source.getElementType(), tile.getElementType())) // C1
      return emitOpError() << "expected a source with the elements of " << tile
                           << ", got " << source;
    for (ValueRange indices : getIndicesOfParts(i))
      if (static_cast<int64_t>(indices.size()) != source.getRank())
        return emitOpError()
               << "expected " << source.getRank() << " indices for " << source
               << ", got " << indices.size();
    AffineMap map = getMap(i); // C2
    if (map.getNumDims() != source.getRank() || map.getNumSymbols() != 0 ||
        map.getNumResults() != tile.getRank() || !map.isProjectedPermutation())
      return emitOpError() << "expected a map from dimensions of " << source
                           << " to those of " << tile << ", got "
                           << AffineMapAttr::get(map);
  }
  if (!getCut())
    return verifyShared(*this, tiles.size());
  if (getCut()->size() != tiles.size()) // C4
    return emitOpError() << "expected a dimension or -1 in 'cut' for each of "
                         << tiles.size() << " tiles, got " << getCut()->size();
  for (auto [i, dim] : llvm::enumerate(*getCut()))
    if (dim < -1 || dim >= tiles[i].getRank() ||
        (dim >= 0 && getNumParts(i) != 1))
      return emitOpError() << "expected a dimension of " << tiles[i]
                           << ", in one part, or -1 in 'cut', got " << dim;
  return verifyShared(*this, tiles.size());
}

SmallVector<ValueRange> RingPutOp::getIndicesOfParts(unsigned number) {
  int64_t first = 0;
  for (unsigned i = 0; i < number; ++i)
    first += getNumOwnParts(i);
  SmallVector<ValueRange> indices;
  for (int64_t part = 0; part < getNumOwnParts(number); ++part)
    indices.push_back(getIndices()[first + part]);
  return indices;
}

void RingPutOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &source : getSourcesMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &source);
  effects.emplace_back(MemoryEffects::Read::get(), RingResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), RingResource::get());
}

/// C1.
LogicalResult RingWriteOp::verify() {
  ArrayRef<VectorType> tiles = getRing().getType().getTiles();
  int64_t number = getNumber();
  if (number < 0 || number >= static_cast<int64_t>(tiles.size()) ||
      tiles[number] != getTile().getType())
    return emitOpError() << "expected a ring whose tile " << number
                         << " has the type " << getTile().getType() << ", got "
                         << getRing().getType();
  return success();
}

LogicalResult RingGetOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  llvm::append_range(types,
                     cast<RingType>(adaptor.getRing().getType()).getTiles());
  return success();
}

/// C1.
LogicalResult RingGetOp::verify() {
  size_t numTiles = getRing().getType().getTiles().size();
  if (!getEnds().empty() && getEnds().size() != numTiles) // C1
    return emitOpError() << "expected no ends or " << numTiles << ", got "
                         << getEnds().size();
  if (!getEnds().empty() && getCondition()) // C2
    return emitOpError() << "expected no ends with a condition, got "
                         << getEnds().size();
  return success();
}

/// Returns whether `end` is known to be at least `size`.
static bool isBehind(Value end, int64_t size) {
  if (std::optional<int64_t> constant = getConstantIntValue(end))
    return *constant >= size;
  auto max = end.getDefiningOp<arith::MaxSIOp>();
  return max && (isBehind(max.getLhs(), size) || isBehind(max.getRhs(), size));
}

bool RingGetOp::mayEnd(unsigned number) {
  const layout::SharedLayout &layout =
      getRing().getType().getLayouts()[number].getLayout();
  return !getEnds().empty() &&
         !isBehind(getEnds()[number], layout.getShape().front());
}

bool RingGetOp::mayEnd() {
  return llvm::any_of(llvm::seq<unsigned>(0, getEnds().size()),
                      [&](unsigned number) { return mayEnd(number); });
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

Operation *mlir::vector_ext::createBarrier(OpBuilder &builder, Location loc) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  if (isa<RoleOp>(parent) || parent->getParentOfType<RoleOp>())
    return RoleBarrierOp::create(builder, loc);
  return gpu::BarrierOp::create(builder, loc);
}

bool mlir::vector_ext::isBarrier(Operation *op) {
  return isa<gpu::BarrierOp, RoleBarrierOp>(op);
}

LogicalResult RoleOp::verify() {
  if (static_cast<int64_t>(getThreads()) < 1 || // C1
      static_cast<int64_t>(getFirst()) < 0)
    return emitOpError() << "expected a positive number of threads from one on "
                            "that is not negative, got "
                         << static_cast<int64_t>(getThreads()) << " from "
                         << static_cast<int64_t>(getFirst());
  if (std::optional<uint64_t> registers = getRegisters(); // C2
      registers && (*registers < 24 || *registers > 256 || *registers % 8 != 0))
    return emitOpError() << "expected registers that are a multiple of 8 from "
                            "24 to 256, got "
                         << static_cast<int64_t>(*registers);
  if (std::optional<uint64_t> groups = getGroups(); // C3
      groups &&
      (static_cast<int64_t>(*groups) < 1 || getThreads() % *groups != 0))
    return emitOpError() << "expected a positive number of groups that divides "
                         << static_cast<int64_t>(getThreads())
                         << " threads, got " << static_cast<int64_t>(*groups);
  return success();
}

/// C1.
LogicalResult RoleGroupOp::verify() {
  auto role = (*this)->getParentOfType<RoleOp>();
  if (!role || role.getSingle() || !role.getGroups())
    return emitOpError() << "expected to be in a role of groups of threads, got "
                         << (!role              ? "no role"
                             : role.getSingle() ? "a single one"
                                                : "one without groups");
  return success();
}

/// C1.
LogicalResult RoleBarrierOp::verify() {
  auto role = (*this)->getParentOfType<RoleOp>();
  if (!role || role.getSingle())
    return emitOpError() << "expected to be in a role of several threads, got "
                         << (role ? "a single one" : "no role");
  return success();
}

/// Checks C1 and C2 of the ops for turns.
static LogicalResult verifyTurn(Operation *op, int64_t groups) {
  auto role = op->getParentOfType<RoleOp>();
  if (!role || role.getSingle()) // C1
    return op->emitOpError()
           << "expected to be in a role of several threads, got "
           << (role ? "a single one" : "no role");
  if (groups < 2 || role.getThreads() % groups != 0) // C2
    return op->emitOpError() << "expected at least 2 groups that divide the "
                             << static_cast<int64_t>(role.getThreads())
                             << " threads of the role, got " << groups;
  if (std::optional<uint64_t> ofRole = role.getGroups();
      ofRole && static_cast<int64_t>(*ofRole) != groups) // C2
    return op->emitOpError() << "expected as many groups as the role has, "
                             << static_cast<int64_t>(*ofRole) << ", got "
                             << groups;
  return success();
}

LogicalResult TurnTakeOp::verify() { return verifyTurn(*this, getGroups()); }

LogicalResult TurnPassOp::verify() { return verifyTurn(*this, getGroups()); }

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

LogicalResult LoadMatrixOp::verify() {
  auto base = cast<MemRefType>(getBase().getType());
  auto result = cast<VectorType>(getResult().getType());
  if (base.getRank() != 1) // C1
    return emitOpError() << "expected 'base' of one dimension, got " << base;
  if (!isInWorkgroupMemory(base)) // C1
    return emitOpError() << "expected 'base' in the workgroup's memory, got "
                         << base;
  if (base.getElementType() != result.getElementType()) // C2
    return emitOpError() << "expected elements of type "
                         << base.getElementType() << ", got " << result;
  if (!result.getElementType().isIntOrFloat())
    return emitOpError() << "expected elements that are numbers, got "
                         << result;
  int64_t bits = result.getNumElements() * result.getElementTypeBitWidth();
  if (bits != 32 && bits != 64 && bits != 128) // C2
    return emitOpError() << "expected 1, 2 or 4 words of 32 bits, got " << bits
                         << " bits";
  return success();
}

/// Checks C4: the map of the memory.
static LogicalResult verifyBaseMap(TransferGatherOp op) {
  AffineMap map = op.getBaseMap();
  int64_t rank = cast<ShapedType>(op.getBase().getType()).getRank();
  if (map.getNumResults() != rank ||
      map.getNumSymbols() != op.getIndices().size())
    return op.emitOpError() << "expected the first map to have " << rank
                            << " results and " << op.getIndices().size()
                            << " symbols, got " << AffineMapAttr::get(map);
  llvm::SmallDenseSet<AffineExpr> seen;
  unsigned numSymbols = 0;
  for (AffineExpr expr : map.getResults()) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    if (constant && constant.getValue() == 0)
      continue;
    numSymbols += isa<AffineSymbolExpr>(expr);
    if (!isa<AffineDimExpr, AffineSymbolExpr>(expr) ||
        !seen.insert(expr).second)
      return op.emitOpError() << "expected different dimensions, different "
                                 "symbols and 0 in the first map, got "
                              << AffineMapAttr::get(map);
  }
  if (numSymbols != map.getNumSymbols())
    return op.emitOpError() << "expected the first map to use each symbol, got "
                            << AffineMapAttr::get(map);
  return success();
}

/// Checks C5: the map of an index vector or of the mask.
static LogicalResult verifyVectorMap(TransferGatherOp op, AffineMap map,
                                     Type type) {
  if (map.getNumSymbols() != 0 || !map.isProjectedPermutation())
    return op.emitOpError() << "expected the map of " << type
                            << " to have different dimensions as results, got "
                            << AffineMapAttr::get(map);
  SmallVector<int64_t> expected;
  for (AffineExpr expr : map.getResults())
    expected.push_back(
        cast<VectorType>(op.getType())
            .getDimSize(cast<AffineDimExpr>(expr).getPosition()));
  ArrayRef<int64_t> shape = cast<VectorType>(type).getShape();
  if (shape != ArrayRef<int64_t>(expected))
    return op.emitOpError()
           << "expected a vector of the shape [" << expected << "] for "
           << AffineMapAttr::get(map) << ", got " << type;
  return success();
}

LogicalResult TransferGatherOp::verify() {
  auto base = cast<ShapedType>(getBase().getType());
  auto result = cast<VectorType>(getType());
  if (base.getElementType() != result.getElementType()) // C1
    return emitOpError() << "expected a result with elements of type "
                         << base.getElementType() << ", got " << result;
  if (static_cast<int64_t>(getOffsets().size()) != base.getRank()) // C2
    return emitOpError() << "expected " << base.getRank() << " offsets, got "
                         << getOffsets().size();
  size_t numMaps = 1 + getIndices().size() + (getMask() ? 1 : 0);
  if (getIndexingMaps().size() != numMaps) // C3
    return emitOpError() << "expected " << numMaps << " indexing maps, got "
                         << getIndexingMaps().size();
  for (AffineMap map : getIndexingMaps().getAsValueRange<AffineMapAttr>())
    if (map.getNumDims() != result.getRank())
      return emitOpError() << "expected maps of " << result.getRank()
                           << " dimensions, got " << AffineMapAttr::get(map);
  if (failed(verifyBaseMap(*this)))
    return failure();
  for (auto [i, index] : llvm::enumerate(getIndices()))
    if (failed(verifyVectorMap(*this, getIndexMap(i), index.getType())))
      return failure();
  if (getMask())
    return verifyVectorMap(*this, getMaskMap(), getMask().getType());
  return success();
}

void TransferGatherOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<MemRefType>(getBase().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getBaseMutable(),
                         SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// AssumeOp
//===----------------------------------------------------------------------===//

namespace {
/// The facts that an assume states. Those that it does not state have the
/// values that hold for any index.
struct Facts {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
  int64_t divisor = 1;

  bool operator==(const Facts &other) const {
    return least == other.least && most == other.most &&
           divisor == other.divisor;
  }
};
} // namespace

static Facts getFacts(AssumeOp op) {
  Facts facts;
  facts.least = op.getAtLeast().value_or(facts.least);
  facts.most = op.getAtMost().value_or(facts.most);
  facts.divisor = op.getMultipleOf().value_or(facts.divisor);
  return facts;
}

static void setFacts(AssumeOp op, const Facts &facts) {
  Facts none;
  op.setAtLeast(facts.least != none.least ? std::optional(facts.least)
                                          : std::nullopt);
  op.setAtMost(facts.most != none.most ? std::optional(facts.most)
                                       : std::nullopt);
  op.setMultipleOf(facts.divisor != none.divisor ? std::optional(facts.divisor)
                                                 : std::nullopt);
}

/// Returns the facts that hold if both `a` and `b` do. Returns none if no index
/// satisfies both. The ends of the range are multiples, too.
static std::optional<Facts> unite(const Facts &a, const Facts &b) {
  Facts none, facts{std::max(a.least, b.least), std::min(a.most, b.most), 1};
  if (llvm::MulOverflow(a.divisor / std::gcd(a.divisor, b.divisor), b.divisor,
                        facts.divisor))
    return std::nullopt;
  int64_t over = facts.least % facts.divisor;
  if (facts.least != none.least && over != 0 &&
      llvm::AddOverflow(facts.least, over > 0 ? facts.divisor - over : -over,
                        facts.least))
    return std::nullopt;
  if (facts.most != none.most) {
    over = facts.most % facts.divisor;
    if (llvm::SubOverflow(facts.most, over < 0 ? over + facts.divisor : over,
                          facts.most))
      return std::nullopt;
  }
  if (facts.least > facts.most)
    return std::nullopt;
  return facts;
}

void AssumeOp::build(OpBuilder &builder, OperationState &state, Value value,
                     std::optional<int64_t> atLeast,
                     std::optional<int64_t> atMost, int64_t multipleOf) {
  auto attr = [&](std::optional<int64_t> number) {
    return number ? builder.getI64IntegerAttr(*number) : IntegerAttr();
  };
  build(builder, state, value, attr(atLeast), attr(atMost),
        multipleOf == 1 ? IntegerAttr() : attr(multipleOf));
}

LogicalResult AssumeOp::verify() {
  if (!getAtLeast() && !getAtMost() && !getMultipleOf()) // C1
    return emitOpError() << "expected 'at_least', 'at_most' or 'multiple_of', "
                            "got none of them";
  if (getMultipleOf() && *getMultipleOf() < 1) // C2
    return emitOpError() << "expected 'multiple_of' to be positive, got "
                         << *getMultipleOf();
  if (getAtLeast() && getAtMost() && *getAtLeast() > *getAtMost()) // C3
    return emitOpError() << "expected 'at_least' to be no greater than "
                            "'at_most', got "
                         << *getAtLeast() << " and " << *getAtMost();
  return success();
}

OpFoldResult AssumeOp::fold(FoldAdaptor adaptor) {
  Facts facts = getFacts(*this);
  if (auto constant = dyn_cast_or_null<IntegerAttr>(adaptor.getValue())) {
    int64_t value = constant.getInt();
    bool holds = value >= facts.least && value <= facts.most &&
                 value % facts.divisor == 0;
    return holds ? OpFoldResult(getValue()) : OpFoldResult();
  }
  // Merge the facts that another op states about the same index.
  auto producer = getValue().getDefiningOp<AssumeOp>();
  std::optional<Facts> united =
      unite(facts, producer ? getFacts(producer) : Facts());
  if (!united || (!producer && *united == facts))
    return {};
  if (producer && *united == getFacts(producer))
    return producer.getResult();
  setFacts(*this, *united);
  if (producer)
    getValueMutable().assign(producer.getValue());
  return getResult();
}

void AssumeOp::inferResultRanges(ArrayRef<ConstantIntRanges> operands,
                                 SetIntRangeFn setResultRange) {
  const ConstantIntRanges &known = operands.front();
  unsigned width = known.smin().getBitWidth();
  Facts facts = getFacts(*this);
  APInt least(width, facts.least, /*isSigned=*/true, /*implicitTrunc=*/true);
  APInt most(width, facts.most, /*isSigned=*/true, /*implicitTrunc=*/true);
  least = llvm::APIntOps::smax(least, known.smin());
  most = llvm::APIntOps::smin(most, known.smax());
  // If no value is possible, the op is never reached. (An intersection does not
  // derive the unsigned range from the signed one.)
  setResultRange(
      getResult(),
      least.sle(most)
          ? known.intersection(ConstantIntRanges::fromSigned(least, most))
          : known);
}

void AssumeOp::populateBoundsForIndexValue(Value value,
                                           ValueBoundsConstraintSet &cstr) {
  AffineExpr same = cstr.getExpr(getValue());
  cstr.bound(value) == same;
  if (std::optional<uint64_t> least = getAtLeast())
    cstr.bound(value) >= static_cast<int64_t>(*least);
  if (std::optional<uint64_t> most = getAtMost())
    cstr.bound(value) <= static_cast<int64_t>(*most);
}
