//===- DistributeMemory.cpp - Between memory and registers ----------------===//
//
// The vector of a transfer decides, and its mask has the layout without the
// dimensions that are broadcast. Registers that are consecutive in a thread and
// in memory become one access, as wide as the known alignment allows. Accesses
// with the same condition share one branch.
//
//===----------------------------------------------------------------------===//

#include "BufferLoads.h"
#include "LaneConversion.h"
#include "RowPlaces.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/Conversion.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::getElementBits;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The dimension of the layout that runs along the last dimension of the
/// memory, if its elements are next to each other there.
static std::optional<unsigned> getContiguousDim(const TileAccess &access) {
  auto type = cast<MemRefType>(access.memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || strides.empty() ||
      strides.back() != 1)
    return std::nullopt;
  for (auto [i, dim] : llvm::enumerate(access.dims))
    if (dim == type.getRank() - 1)
      return i;
  return std::nullopt;
}

int64_t mlir::vector_ext::getAccessWidth(const TileAccess &access) {
  auto type = cast<MemRefType>(access.memref.getType());
  int64_t bits = getElementBits(type);
  std::optional<unsigned> dim = getContiguousDim(access);
  if (!dim || access.varyingDims.contains(*dim) || bits % 8 != 0)
    return 1;
  int64_t width = std::min<int64_t>(access.layout.getContiguity(*dim),
                                    std::max<int64_t>(128 / bits, 1));
  // All of an access exists, or nothing of it.
  if (Value bound = access.bounds[*dim])
    width = std::gcd(width, getKnownDivisor(bound));
  if (Value start = access.starts.empty() ? Value() : access.starts[*dim])
    width = std::gcd(width, getKnownDivisor(start));
  return width;
}

namespace {
/// Accesses that exist under one condition.
struct Group {
  Value condition;
  SmallVector<int64_t> registers;
};
} // namespace

/// The first registers of all accesses of `width`, by condition.
static SmallVector<Group> groupAccesses(ImplicitLocOpBuilder &b,
                                        Distributor &distributor,
                                        const TileAccess &access, int64_t width,
                                        Value always) {
  const Layout &layout = access.layout;
  ArrayRef<Value> thread = distributor.getThreadCoordinate(layout);
  SmallVector<unsigned> bounded;
  for (auto [dim, bound] : llvm::enumerate(access.bounds)) {
    std::optional<int64_t> constant =
        bound ? getConstantIntValue(bound) : std::nullopt;
    if (bound && !(constant && *constant >= layout.getDimSize(dim)))
      bounded.push_back(dim);
  }
  llvm::MapVector<SmallVector<int64_t>, Group,
                  std::map<SmallVector<int64_t>, unsigned>>
      groups;
  std::map<std::pair<unsigned, int64_t>, Value> known;
  // Comparisons are with constants: no register holds a coordinate for each.
  SmallVector<Value> before(access.starts.size());
  std::map<std::pair<unsigned, int64_t>, Value> knownStarts;
  SmallVector<unsigned> started;
  for (auto [dim, start] : llvm::enumerate(access.starts))
    if (start) {
      started.push_back(dim);
      before[dim] = countBelow(b, thread[dim], start, layout.getDimSize(dim));
    }
  SmallVector<Value> left(access.bounds.size());
  SmallVector<std::optional<int64_t>> least(access.bounds.size());
  for (unsigned dim : bounded) {
    left[dim] =
        countBelow(b, thread[dim], access.bounds[dim], layout.getDimSize(dim));
    least[dim] = getKnownMinimum(access.bounds[dim]);
  }
  for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += width) {
    SmallVector<int64_t> offset = layout.getCoordinate({0, 0, reg});
    // Where it is to be asked whether they exist.
    SmallVector<int64_t> key;
    SmallVector<unsigned> asked;
    for (unsigned dim : bounded) {
      bool isKnown =
          isKnownBelow(layout, dim, offset[dim] + (width - 1), least[dim]);
      key.push_back(isKnown ? -1 : offset[dim]);
      if (!isKnown)
        asked.push_back(dim);
    }
    SmallVector<unsigned> askedStarts;
    for (unsigned dim : started) {
      std::optional<int64_t> start = getConstantIntValue(access.starts[dim]);
      bool isKnown = start && *start <= offset[dim];
      key.push_back(isKnown ? -1 : offset[dim]);
      if (!isKnown)
        askedStarts.push_back(dim);
    }
    if (access.mask)
      key.push_back(access.mask->source[reg]);
    auto [it, isNew] = groups.try_emplace(key);
    it->second.registers.push_back(reg);
    if (!isNew)
      continue;
    Value condition = always;
    auto require = [&](Value value) {
      condition =
          condition ? b.createOrFold<arith::AndIOp>(condition, value) : value;
    };
    for (unsigned dim : asked) {
      Value &isBelow = known[{dim, offset[dim]}];
      if (!isBelow)
        isBelow = arith::CmpIOp::create(
            b, arith::CmpIPredicate::sgt, left[dim],
            arith::ConstantIntOp::create(b, offset[dim], 32));
      require(isBelow);
    }
    for (unsigned dim : askedStarts) {
      Value &isBehind = knownStarts[{dim, offset[dim]}];
      if (!isBehind)
        isBehind = arith::CmpIOp::create(
            b, arith::CmpIPredicate::sle, before[dim],
            arith::ConstantIntOp::create(b, offset[dim], 32));
      require(isBehind);
    }
    if (access.mask)
      require(
          extractRegister(b, access.mask->registers, access.mask->source[reg]));
    it->second.condition = condition;
  }
  SmallVector<Group> result;
  for (auto &entry : groups)
    result.push_back(std::move(entry.second));
  return result;
}

/// Where the element of register 0 is, for this thread.
static SmallVector<Value> getThreadIndices(ImplicitLocOpBuilder &b,
                                           Distributor &distributor,
                                           const TileAccess &access) {
  SmallVector<Value> indices = access.indices;
  ArrayRef<Value> thread = distributor.getThreadCoordinate(access.layout);
  for (auto [i, dim] : llvm::enumerate(access.dims))
    if (dim >= 0)
      indices[dim] = b.createOrFold<arith::AddIOp>(indices[dim], thread[i]);
  return indices;
}

static SmallVector<Value> getIndices(ImplicitLocOpBuilder &b,
                                     const TileAccess &access,
                                     ArrayRef<Value> start, int64_t reg) {
  SmallVector<Value> indices(start);
  SmallVector<int64_t> offset = access.layout.getCoordinate({0, 0, reg});
  for (auto [i, dim] : llvm::enumerate(access.dims))
    if (dim >= 0)
      indices[dim] = addIndex(b, indices[dim], offset[i]);
  for (const auto &[dim, lookup] : access.lookups) {
    Value index = extractRegister(b, lookup.registers, lookup.source[reg]);
    if (!index.getType().isIndex())
      index = b.createOrFold<arith::IndexCastOp>(b.getIndexType(), index);
    indices[dim] = b.createOrFold<arith::AddIOp>(indices[dim], index);
  }
  return indices;
}

SmallVector<RegisterAccess>
mlir::vector_ext::getRegisterAccesses(ImplicitLocOpBuilder &b,
                                      Distributor &distributor,
                                      const TileAccess &access, int64_t width) {
  SmallVector<Value> start = getThreadIndices(b, distributor, access);
  SmallVector<RegisterAccess> result;
  for (const Group &group :
       groupAccesses(b, distributor, access, width, Value()))
    for (int64_t reg : group.registers)
      result.push_back(
          {reg, getIndices(b, access, start, reg), group.condition});
  return result;
}

Value mlir::vector_ext::loadRegisters(ImplicitLocOpBuilder &b,
                                      Distributor &distributor,
                                      const TileAccess &access, Value padding) {
  Type elementType = cast<MemRefType>(access.memref.getType()).getElementType();
  int64_t width = getAccessWidth(access);
  int64_t alignment = getAccessAlignment(access, width);
  auto pieceType = VectorType::get({width}, elementType);
  SmallVector<Value> start = getThreadIndices(b, distributor, access);
  SmallVector<std::pair<int64_t, Value>> pieces;
  auto loadOne = [&](ImplicitLocOpBuilder &b, int64_t reg) -> Value {
    SmallVector<Value> indices = getIndices(b, access, start, reg);
    if (width == 1)
      return memref::LoadOp::create(b, access.memref, indices);
    return vector::LoadOp::create(b, pieceType, access.memref, indices,
                                  /*nontemporal=*/false,
                                  llvm::MaybeAlign(alignment));
  };
  Type resultType = width == 1 ? elementType : pieceType;
  for (const Group &group :
       groupAccesses(b, distributor, access, width, Value())) {
    if (!group.condition) {
      for (int64_t reg : group.registers)
        pieces.emplace_back(reg, loadOne(b, reg));
      continue;
    }
    SmallVector<Type> types(group.registers.size(), resultType);
    auto branch = scf::IfOp::create(b, types, group.condition,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    {
      ImplicitLocOpBuilder then(b.getLoc(), b.getContext());
      then.setInsertionPointToStart(branch.thenBlock());
      SmallVector<Value> loaded;
      for (int64_t reg : group.registers)
        loaded.push_back(loadOne(then, reg));
      scf::YieldOp::create(then, loaded);
    }
    {
      ImplicitLocOpBuilder other(b.getLoc(), b.getContext());
      other.setInsertionPointToStart(branch.elseBlock());
      Value value = padding;
      if (width != 1)
        value = vector::BroadcastOp::create(other, pieceType, padding);
      SmallVector<Value> padded(types.size(), value);
      scf::YieldOp::create(other, padded);
    }
    for (auto [reg, value] :
         llvm::zip_equal(group.registers, branch.getResults()))
      pieces.emplace_back(reg, value);
  }

  auto type = VectorType::get({access.layout.getNumRegisters()}, elementType);
  if (width == 1) {
    SmallVector<Value> registers(type.getNumElements());
    for (auto [reg, value] : pieces)
      registers[reg] = value;
    return vector::FromElementsOp::create(b, type, registers);
  }
  if (width == type.getNumElements())
    return pieces.front().second;
  Value result = ub::PoisonOp::create(b, type);
  for (auto [reg, value] : pieces)
    result = vector::InsertStridedSliceOp::create(
        b, value, result, ArrayRef<int64_t>{reg}, ArrayRef<int64_t>{1});
  return result;
}

void mlir::vector_ext::storeRegisters(ImplicitLocOpBuilder &b,
                                      Distributor &distributor,
                                      const TileAccess &access, Value vector) {
  int64_t width = getAccessWidth(access);
  int64_t alignment = getAccessAlignment(access, width);
  SmallVector<Value> start = getThreadIndices(b, distributor, access);
  for (const Group &group :
       groupAccesses(b, distributor, access, width,
                     distributor.isFirstReplica(access.layout))) {
    OpBuilder::InsertionGuard guard(b);
    if (group.condition) {
      auto branch = scf::IfOp::create(b, group.condition,
                                      /*withElseRegion=*/false);
      b.setInsertionPoint(branch.thenYield());
    }
    for (int64_t reg : group.registers) {
      SmallVector<Value> indices = getIndices(b, access, start, reg);
      if (width == 1) {
        memref::StoreOp::create(b, extractRegister(b, vector, reg),
                                access.memref, indices);
        continue;
      }
      SmallVector<int64_t> registers(width);
      std::iota(registers.begin(), registers.end(), reg);
      vector::StoreOp::create(
          b, extractRegisters(b, vector, registers), access.memref, indices,
          /*nontemporal=*/false, llvm::MaybeAlign(alignment));
    }
  }
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static void addBound(ImplicitLocOpBuilder &b, TileAccess &access, unsigned dim,
                     Value bound) {
  Value &known = access.bounds[dim];
  known = known ? b.createOrFold<arith::MinSIOp>(known, bound) : bound;
}

/// What each register of a tile of `layout` takes from `registers`, a vector of
/// `vectorLayout`, which runs along the dimensions `dims` of the tile.
static RegisterLookup getLookup(Value registers, const Layout &vectorLayout,
                                ArrayRef<unsigned> dims, const Layout &layout) {
  RegisterLookup lookup{registers, {}};
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    SmallVector<int64_t> at = layout.getCoordinate({0, 0, reg});
    SmallVector<int64_t> vectorAt =
        llvm::map_to_vector(dims, [&](unsigned dim) { return at[dim]; });
    lookup.source.push_back(vectorLayout.getOwner(vectorAt).reg);
  }
  return lookup;
}

/// The number of first elements along each dimension for which `mask` is true;
/// none if it is another mask.
static SmallVector<Value> getMaskSizes(ImplicitLocOpBuilder &b, Value mask) {
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return llvm::to_vector(create.getOperands());
  SmallVector<Value> sizes;
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    for (int64_t size : constant.getMaskDimSizes())
      sizes.push_back(arith::ConstantIndexOp::create(b, size));
  return sizes;
}

/// Adds `mask`, which runs along the dimensions `dims` of the tile, as bounds and
/// starts, if it says no more. Otherwise, what is added is right, but not all.
static bool addRanges(ImplicitLocOpBuilder &b, Value mask,
                      ArrayRef<unsigned> dims, TileAccess &access) {
  // 1. The first elements of each dimension.
  SmallVector<Value> sizes = getMaskSizes(b, mask);
  if (!sizes.empty()) {
    for (auto [dim, bound] : llvm::zip_equal(dims, sizes))
      addBound(b, access, dim, bound);
    return true;
  }
  // 2. All but the first elements of one dimension.
  DenseElementsAttr constant;
  if (auto isOther = mask.getDefiningOp<arith::XOrIOp>();
      isOther && matchPattern(isOther.getRhs(), m_Constant(&constant)) &&
      constant.isSplat() && constant.getSplatValue<bool>()) {
    sizes = getMaskSizes(b, isOther.getLhs());
    std::optional<unsigned> started;
    for (auto [dim, size] : llvm::zip(dims, sizes)) {
      if (getConstantIntValue(size).value_or(-1) >=
          access.layout.getDimSize(dim))
        continue;
      if (started)
        return false;
      started = dim;
    }
    if (!started)
      return false;
    access.starts.resize(access.layout.getRank());
    Value &known = access.starts[*started];
    for (auto [dim, size] : llvm::zip(dims, sizes))
      if (dim == *started)
        known = known ? b.createOrFold<arith::MaxSIOp>(known, size) : size;
    return true;
  }
  // 3. Both.
  auto both = mask.getDefiningOp<arith::AndIOp>();
  return both && addRanges(b, both.getLhs(), dims, access) &&
         addRanges(b, both.getRhs(), dims, access);
}

/// Adds `mask`, which runs along the dimensions `dims` of the tile.
static void addMask(ImplicitLocOpBuilder &b, Distributor &distributor,
                    Value mask, ArrayRef<unsigned> dims, TileAccess &access) {
  // A mask of the first elements of each dimension says no more than bounds.
  // Loads from buffers (AMD) know no starts.
  SmallVector<Value> sizes = getMaskSizes(b, mask);
  if ((!sizes.empty() || !distributor.getWorkgroup().hasBufferLoads) &&
      addRanges(b, mask, dims, access))
    return;
  access.mask = getLookup(distributor.getDistributed(mask),
                          distributor.getLayout(mask), dims, access.layout);
  access.varyingDims.insert(dims.begin(), dims.end());
}

/// The access that a transfer of a vector of `layout` is.
template <typename OpTy>
static FailureOr<TileAccess> getTransferAccess(ImplicitLocOpBuilder &b,
                                               Distributor &distributor,
                                               OpTy op, const Layout &layout) {
  auto memrefType = dyn_cast<MemRefType>(op.getBase().getType());
  if (!memrefType || isa<VectorType>(memrefType.getElementType()))
    return op.emitOpError() << "expected a memref of scalars to distribute, "
                            << "got " << op.getBase().getType();
  TileAccess access;
  access.memref = op.getBase();
  access.indices.assign(op.getIndices().begin(), op.getIndices().end());
  access.layout = layout;
  for (AffineExpr expr : op.getPermutationMap().getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    access.dims.push_back(dim ? int64_t(dim.getPosition()) : -1);
  }
  access.bounds.resize(layout.getRank());
  if (Value mask = op.getMask()) {
    SmallVector<unsigned> maskDims;
    for (unsigned i = 0; i < access.dims.size(); ++i)
      if (access.dims[i] >= 0)
        maskDims.push_back(i);
    llvm::sort(maskDims, [&](unsigned lhs, unsigned rhs) {
      return access.dims[lhs] < access.dims[rhs];
    });
    addMask(b, distributor, mask, maskDims, access);
  }
  for (auto [i, dim] : llvm::enumerate(access.dims)) {
    if (dim < 0 || op.isDimInBounds(i))
      continue;
    Value size = b.createOrFold<memref::DimOp>(access.memref, dim);
    addBound(b, access, i,
             b.createOrFold<arith::SubIOp>(size, access.indices[dim]));
  }
  return access;
}

/// The memory that `memref` is a view of.
static Value getMemory(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// True if `scope`, which may be null, reads the memory of `memref`.
static bool isReadIn(Operation *scope, Value memref) {
  Value memory = getMemory(memref);
  auto reads = [&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    bool isRead = llvm::any_of(effects, [&](const auto &effect) {
      return isa<MemoryEffects::Read>(effect.getEffect()) &&
             effect.getValue() && getMemory(effect.getValue()) == memory;
    });
    return isRead ? WalkResult::interrupt() : WalkResult::advance();
  };
  return scope && scope->walk(reads).wasInterrupted();
}

/// True if the kernel around `op` reads the memory of which `memref` is a view.
/// A write to it then needs a barrier before it and after it: other threads may
/// still read what is overwritten, or read it next.
static bool isReadInKernel(Operation *op, Value memref) {
  return isReadIn(op->getParentOfType<gpu::LaunchOp>(), memref) ||
         isReadIn(op->getParentOfType<gpu::GPUFuncOp>(), memref) ||
         isReadIn(op->getParentOfType<RoleOp>(), memref);
}

/// The layout for reads of `alignment` bytes: of what a lane has next to each
/// other, all can be one access.
static Layout getLayoutOfAccesses(VectorType type, int64_t alignment,
                                  const Workgroup &workgroup) {
  int64_t bytes = llvm::divideCeil(getElementBits(type), 8);
  return getBlockedLayout(
      type.getShape(), bytes * std::max<int64_t>(16 / alignment, 1), workgroup);
}

/// The layout of the mask of a transfer whose vector has `layout`: the
/// dimensions that are not broadcast, in the order of those of the memory.
static Layout getMaskLayout(AffineMap map, const Layout &layout) {
  SmallVector<bool> broadcast;
  SmallVector<std::pair<unsigned, unsigned>> dims;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    broadcast.push_back(!dim);
    if (dim)
      dims.emplace_back(dim.getPosition(), dims.size());
  }
  llvm::sort(dims);
  SmallVector<unsigned> perm(llvm::make_second_range(dims));
  return layout.project(broadcast).permute(perm);
}

/// The layout of the vector `operand` of a transfer.
template <typename OpTy>
static Layout getTransferOperandLayout(OpTy op, OpOperand &operand,
                                       const Layout &deciding) {
  if (operand.get() == op.getMask())
    return getMaskLayout(op.getPermutationMap(), deciding);
  return deciding;
}

/// True if registers that `access` does not read become 0, if there are any.
static bool isZeroElsewhere(const TileAccess &access, Value padding) {
  return matchPattern(padding, m_PosZeroFloat()) ||
         matchPattern(padding, m_Zero()) ||
         (!access.mask && access.starts.empty() &&
          llvm::none_of(access.bounds, [](Value bound) { return bound; }));
}

namespace {
struct TransferReadModel
    : LayoutOpInterface::ExternalModel<TransferReadModel,
                                       vector::TransferReadOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    return getTransferOperandLayout(cast<vector::TransferReadOp>(op), operand,
                                    deciding);
  }

  /// Of what a lane has next to each other, all can be one access.
  std::optional<Layout> getPreferredLayout(Operation *op,
                                           const Workgroup &workgroup) const {
    auto read = cast<vector::TransferReadOp>(op);
    VectorType type = read.getVectorType();
    int64_t bytes = llvm::divideCeil(getElementBits(type), 8) *
                    std::max<int64_t>(16 / getReadAlignment(read), 1);
    return getBlockedLayout(type.getShape(), bytes, workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto read = cast<vector::TransferReadOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    FailureOr<TileAccess> access = getTransferAccess(
        b, distributor, read, distributor.getLayout(read.getResult()));
    if (failed(access))
      return failure();
    Value loaded;
    if (isZeroElsewhere(*access, read.getPadding()))
      loaded = loadFromBuffers(b, distributor, *access);
    if (!loaded)
      loaded = loadRegisters(b, distributor, *access, read.getPadding());
    distributor.replace(op, loaded);
    return success();
  }
};

struct TransferWriteModel
    : LayoutOpInterface::ExternalModel<TransferWriteModel,
                                       vector::TransferWriteOp> {
  Value getDecidingValue(Operation *op) const {
    return cast<vector::TransferWriteOp>(op).getVector();
  }

  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    return getTransferOperandLayout(cast<vector::TransferWriteOp>(op), operand,
                                    deciding);
  }

  std::optional<Layout> getDecidingLayout(Operation *op, OpOperand &operand,
                                          const Layout &layout) const {
    if (operand.get() == getDecidingValue(op))
      return layout;
    return std::nullopt;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto write = cast<vector::TransferWriteOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    FailureOr<TileAccess> access = getTransferAccess(
        b, distributor, write, distributor.getLayout(write.getVector()));
    if (failed(access))
      return failure();
    bool isRead = isReadInKernel(op, write.getBase());
    if (isRead)
      createBarrier(b, b.getLoc());
    storeRegisters(b, distributor, *access,
                   distributor.getDistributed(write.getVector()));
    if (isRead)
      createBarrier(b, b.getLoc());
    distributor.replace(op, {});
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// If `vector` counts from a scalar, what is known to divide that scalar.
static std::optional<int64_t> getStartDivisor(Value vector) {
  if (vector.getDefiningOp<vector::StepOp>())
    return 0;
  auto add = vector.getDefiningOp<arith::AddIOp>();
  for (unsigned i : {0, 1}) {
    auto start = add ? add->getOperand(i).getDefiningOp<vector::BroadcastOp>()
                     : vector::BroadcastOp();
    if (!start || isa<VectorType>(start.getSourceType()))
      continue;
    if (std::optional<int64_t> rest = getStartDivisor(add->getOperand(1 - i)))
      return std::gcd(*rest, getKnownDivisor(start.getSource()));
  }
  return std::nullopt;
}

/// Whether `vector` is one of `masks`, or a copy that has another layout.
static bool isOneOf(ArrayRef<Value> masks, Value vector) {
  auto mask = vector.getDefiningOp<vector::CreateMaskOp>();
  return llvm::any_of(masks, [&](Value other) {
    auto copy = other.getDefiningOp<vector::CreateMaskOp>();
    return other == vector ||
           (mask && copy && mask.getType() == copy.getType() &&
            llvm::equal(mask.getOperands(), copy.getOperands()));
  });
}

static int64_t getNumRepeated(Value vector, ArrayRef<Value> holds,
                              unsigned depth) {
  if (isOneOf(holds, vector))
    return 0;
  Operation *op = vector.getDefiningOp();
  auto broadcast = dyn_cast_or_null<vector::BroadcastOp>(op);
  DenseElementsAttr constant;
  if ((broadcast && !isa<VectorType>(broadcast.getSourceType())) ||
      (matchPattern(vector, m_Constant(&constant)) && constant.isSplat()))
    return 0;
  if (!op || depth == 0)
    return 1;
  if (auto shift = dyn_cast<arith::ShRSIOp>(op)) {
    std::optional<int64_t> divisor = getStartDivisor(shift.getLhs());
    APInt bits;
    if (divisor && matchPattern(shift.getRhs(), m_ConstantInt(&bits)) &&
        bits.ult(30) && *divisor % (int64_t(1) << bits.getZExtValue()) == 0)
      return int64_t(1) << bits.getZExtValue();
  }
  if (auto quotient = dyn_cast<arith::FloorDivSIOp>(op)) {
    auto by = quotient.getRhs().getDefiningOp<vector::BroadcastOp>();
    std::optional<int64_t> divisor = getStartDivisor(quotient.getLhs());
    if (divisor && by && by.getSourceType().isIndex())
      return std::max<int64_t>(
          std::gcd(*divisor, getKnownDivisor(by.getSource())), 1);
  }
  if (!OpTrait::hasElementwiseMappableTraits(op) && !isa<vector::GatherOp>(op))
    return 1;
  int64_t result = 0;
  for (Value operand : op->getOperands())
    if (isa<VectorType>(operand.getType()))
      result = std::gcd(result, getNumRepeated(operand, holds, depth - 1));
  return result;
}

int64_t mlir::vector_ext::getNumRepeated(Value vector, ArrayRef<Value> holds) {
  return ::getNumRepeated(vector, holds, /*depth=*/16);
}

/// For each register of a gather of `layout`, the first one whose element is
/// the same in every thread, since neither index nor mask tells them apart.
static SmallVector<int64_t> getSameRegisters(vector::GatherOp op,
                                             const Layout &layout) {
  SmallVector<int64_t> same =
      llvm::to_vector(llvm::seq<int64_t>(0, layout.getNumRegisters()));
  if (layout.getRank() != 1)
    return same;
  int64_t block = std::gcd(
      getNumRepeated(op.getIndices()),
      std::gcd(getNumRepeated(op.getMask()), getNumRepeated(op.getPassThru())));
  if (block == 1)
    return same;
  if (block == 0)
    block = layout.getDimSize(0);
  std::map<SmallVector<int64_t>, int64_t> first;
  for (int64_t &reg : same) {
    SmallVector<int64_t> blocks;
    for (int64_t subgroup = 0; subgroup < layout.getNumSubgroups(); ++subgroup)
      for (int64_t lane = 0; lane < layout.getNumLanes(); ++lane)
        blocks.push_back(layout.getCoordinate({subgroup, lane, reg})[0] /
                         block);
    reg = first.try_emplace(std::move(blocks), reg).first->second;
  }
  return same;
}

/// The element that register `reg` of the result has.
static Value gatherRegister(ImplicitLocOpBuilder &b, Distributor &distributor,
                            vector::GatherOp op, int64_t reg) {
  Value at =
      extractRegister(b, distributor.getDistributed(op.getIndices()), reg);
  if (!at.getType().isIndex())
    at = arith::IndexCastOp::create(b, b.getIndexType(), at);
  SmallVector<Value> indices(op.getOffsets());
  indices.back() = b.createOrFold<arith::AddIOp>(indices.back(), at);
  Value exists =
      extractRegister(b, distributor.getDistributed(op.getMask()), reg);
  auto memrefType = cast<MemRefType>(op.getBase().getType());
  if (memrefType.hasStaticShape() && memrefType.getNumElements() > 0) {
    // No branch: an element that is there is read instead.
    Value first = arith::ConstantIndexOp::create(b, 0);
    for (Value &index : indices)
      index = b.createOrFold<arith::SelectOp>(exists, index, first);
    Value loaded = memref::LoadOp::create(b, op.getBase(), indices);
    Value kept =
        extractRegister(b, distributor.getDistributed(op.getPassThru()), reg);
    return b.createOrFold<arith::SelectOp>(exists, loaded, kept);
  }
  auto branch = scf::IfOp::create(
      b, TypeRange{op.getVectorType().getElementType()}, exists,
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  ImplicitLocOpBuilder inner(b.getLoc(), b.getContext());
  inner.setInsertionPointToStart(branch.thenBlock());
  Value loaded = memref::LoadOp::create(inner, op.getBase(), indices);
  scf::YieldOp::create(inner, loaded);
  inner.setInsertionPointToStart(branch.elseBlock());
  Value kept =
      extractRegister(inner, distributor.getDistributed(op.getPassThru()), reg);
  scf::YieldOp::create(inner, kept);
  return branch.getResult(0);
}

namespace {
struct GatherModel
    : LayoutOpInterface::ExternalModel<GatherModel, vector::GatherOp> {
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &,
                                         const Layout &deciding) const {
    return deciding;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto gather = cast<vector::GatherOp>(op);
    if (!isa<MemRefType>(gather.getBase().getType()))
      return op->emitOpError() << "expected a memref to distribute, got "
                               << gather.getBase().getType();
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    VectorType type = distributor.getDistributedType(gather.getResult());
    SmallVector<Value> registers;
    for (auto [reg, same] : llvm::enumerate(getSameRegisters(
             gather, distributor.getLayout(gather.getResult()))))
      registers.push_back(same < static_cast<int64_t>(reg)
                              ? registers[same]
                              : gatherRegister(b, distributor, gather, reg));
    distributor.replace(
        op, vector::FromElementsOp::create(b, type, registers).getResult());
    return success();
  }
};
} // namespace

/// The dimensions that are the results of `map`.
static SmallVector<unsigned> getDims(AffineMap map) {
  return llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
    return cast<AffineDimExpr>(expr).getPosition();
  });
}

/// The layout of a vector that runs along the dimensions `dims` of a tile of
/// `layout`.
static Layout getPartLayout(const Layout &layout, ArrayRef<unsigned> dims) {
  SmallVector<bool> removed(layout.getRank(), true);
  for (unsigned dim : dims)
    removed[dim] = false;
  // The dimensions that stay are in the order of the tile.
  SmallVector<unsigned> order(dims), perm;
  llvm::sort(order);
  for (unsigned dim : dims)
    perm.push_back(llvm::find(order, dim) - order.begin());
  return layout.project(removed).permute(perm);
}

/// The access of `op`, without what is known only of distributed values.
static TileAccess getGatherAccess(TransferGatherOp op) {
  TileAccess access;
  access.memref = op.getBase();
  access.indices.assign(op.getOffsets().begin(), op.getOffsets().end());
  access.dims.assign(cast<VectorType>(op.getType()).getRank(), -1);
  for (auto [i, expr] : llvm::enumerate(op.getBaseMap().getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      access.dims[dim.getPosition()] = i;
    else if (isa<AffineSymbolExpr>(expr))
      access.lookups.emplace_back(i, RegisterLookup());
  }
  return access;
}

/// True if each thread can compute `vector` for all its rows without memory and
/// divisions: most of it is the same in all of them, and folds.
static bool isCheap(Value vector, unsigned depth = 12) {
  if (!isa<VectorType>(vector.getType()))
    return true;
  Operation *op = vector.getDefiningOp();
  if (!op || depth == 0)
    return false;
  if (isa<vector::StepOp, vector::BroadcastOp, vector::CreateMaskOp,
          vector::ConstantMaskOp, arith::ConstantOp>(op))
    return true;
  return isa<arith::AddIOp, arith::SubIOp, arith::AndIOp, arith::ShRSIOp,
             arith::CmpIOp, arith::IndexCastOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isCheap(operand, depth - 1);
         });
}

/// Whether threads that share a row of `gather` share the work of computing
/// `vector`, an index or the mask: each has the elements of some of the rows of
/// its subgroup, and the others get them by shuffles. Threads of a role that
/// copies do: they have few registers, and whatever they issue takes the turn
/// of threads that compute. Others do if a thread would look most rows up
/// itself, those of small pages.
static bool isShared(TransferGatherOp gather, Value vector) {
  if (isCheap(vector))
    return false;
  if (gather->hasAttr(getSharesLookupsAttrName()))
    return getNumRepeated(vector) != 0 &&
           llvm::all_of(gather.getIndices(),
                        [](Value index) { return getNumRepeated(index) <= 2; });
  return !gather->use_empty() &&
         llvm::all_of(gather->getUsers(), llvm::IsaPred<WriteTileOp>);
}

/// The layout of `vector`, an index or the mask of `gather`, whose tile has `layout`,
/// along the dimensions `dims`.
static Layout getLookupLayout(TransferGatherOp gather, Value vector,
                              ArrayRef<unsigned> dims, const Layout &layout) {
  Layout part = getPartLayout(layout, dims);
  return isShared(gather, vector) ? layout::shareAmongReplicas(part) : part;
}

/// True if `index` is not negative where `mask` holds: it is compared with the
/// size of a memory.
static bool isNonNegativeWhere(Value mask, Value index) {
  if (auto both = mask.getDefiningOp<arith::AndIOp>())
    return isNonNegativeWhere(both.getLhs(), index) ||
           isNonNegativeWhere(both.getRhs(), index);
  auto compare = mask.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult ||
      compare.getLhs() != index)
    return false;
  APInt constant;
  if (matchPattern(compare.getRhs(), m_ConstantInt(&constant)))
    return constant.isNonNegative();
  auto size = compare.getRhs().getDefiningOp<vector::BroadcastOp>();
  return size && size.getSource().getDefiningOp<memref::DimOp>();
}

/// The operand of 32 bits that `index` extends, with its sign; null if it does not.
static Value getNarrowIndex(Value index) {
  auto cast = index.getDefiningOp<arith::IndexCastOp>();
  return cast && getElementTypeOrSelf(cast.getIn()).isInteger(32) ? cast.getIn()
                                                                  : Value();
}

/// True if `index` is a remainder x - (x floordiv c) * c with 0 < c < 2^31.
static bool isSmallRemainder(Value index) {
  auto difference = index.getDefiningOp<arith::SubIOp>();
  auto product = difference
                     ? difference.getRhs().getDefiningOp<arith::MulIOp>()
                     : arith::MulIOp();
  if (!product)
    return false;
  for (unsigned i : {0, 1}) {
    APInt divisor;
    auto quotient = product->getOperand(i).getDefiningOp<arith::FloorDivSIOp>();
    if (quotient && quotient.getLhs() == difference.getLhs() &&
        quotient.getRhs() == product->getOperand(1 - i) &&
        matchPattern(quotient.getRhs(), m_ConstantInt(&divisor)))
      return divisor.isStrictlyPositive() && divisor.isSignedIntN(32);
  }
  return false;
}

/// The index, or the position in dimension `dim`, that `op` looks up, and the
/// dimensions of the tile that it has.
static std::pair<Value, SmallVector<unsigned>> getPosition(TransferGatherOp op,
                                                           int64_t dim) {
  unsigned number =
      cast<AffineSymbolExpr>(op.getBaseMap().getResult(dim)).getPosition();
  return {op.getIndices()[number], getDims(op.getIndexMap(number))};
}

static Value castElements(ImplicitLocOpBuilder &b, Value vector, Type type) {
  auto from = cast<VectorType>(vector.getType());
  return from.getElementType() == type
             ? vector
             : arith::IndexCastOp::create(b, from.clone(type), vector);
}

static TileAccess getGatherAccess(ImplicitLocOpBuilder &b,
                                  Distributor &distributor, TransferGatherOp op,
                                  const Layout &layout) {
  TileAccess access = getGatherAccess(op);
  access.layout = layout;
  access.bounds.resize(access.layout.getRank());
  auto isShared = [&](Value vector, ArrayRef<unsigned> dims) {
    return distributor.getLayout(vector) != getPartLayout(layout, dims);
  };
  // Elements in as few words as possible, for each is a shuffle.
  auto getWords = [&](Value vector, bool isNarrow) -> Value {
    if (Value narrow = getNarrowIndex(vector))
      return distributor.getDistributed(narrow);
    Value registers = distributor.getDistributed(vector);
    return isNarrow ? castElements(b, registers, b.getI32Type()) : registers;
  };
  // What each register takes of `words`, which are computed from `vector`.
  auto share = [&](Value vector, Value words, ArrayRef<unsigned> dims) {
    Layout part = getPartLayout(layout, dims);
    return getLookup(convertInSubgroups(b, distributor, words,
                                        distributor.getLayout(vector), part),
                     part, dims, layout);
  };
  Value mask = op.getMask();
  SmallVector<unsigned> maskDims;
  if (mask)
    maskDims = getDims(op.getMaskMap());
  auto isSharedWithMask = [&](Value vector, ArrayRef<unsigned> dims) {
    return mask && dims == ArrayRef(maskDims) && isShared(vector, dims) &&
           distributor.getLayout(mask) == distributor.getLayout(vector);
  };
  // What is hidden may be any number, such as one that says so: `words`, of 32
  // bits, are not negative where the mask holds.
  auto shareWithMask = [&](Value vector, Value words) {
    Value none = arith::ConstantOp::create(
        b, DenseElementsAttr::get(cast<VectorType>(words.getType()),
                                  b.getI32IntegerAttr(-1)));
    words = arith::SelectOp::create(b, distributor.getDistributed(mask), words,
                                    none);
    RegisterLookup lookup = share(vector, words, maskDims);
    Value zero =
        arith::ConstantOp::create(b, b.getZeroAttr(lookup.registers.getType()));
    access.mask = {arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                         lookup.registers, zero),
                   lookup.source};
    return lookup;
  };
  // A page is a descriptor where there are some.
  std::optional<RowPlaces> places;
  if (!distributor.getWorkgroup().hasBufferLoads)
    places = RowPlaces::get(access);
  if (places &&
      llvm::all_of(access.lookups,
                   [&](const auto &lookup) {
                     auto [index, dims] = getPosition(op, lookup.first);
                     return isSharedWithMask(index, dims);
                   }) &&
      places->makeNarrow(b, op)) {
    SmallVector<Value> words =
        llvm::map_to_vector(access.lookups, [&](const auto &lookup) {
          Value index = getPosition(op, lookup.first).first;
          return getWords(index, /*isNarrow=*/true);
        });
    RegisterLookup &lookup = access.lookups.front().second;
    lookup = shareWithMask(getPosition(op, access.lookups.front().first).first,
                           places->build(b, words));
    access.varyingDims.insert(maskDims.begin(), maskDims.end());
    places->apply(b, access, lookup.registers);
    return access;
  }
  for (auto &[dim, lookup] : access.lookups) {
    auto [index, dims] = getPosition(op, dim);
    access.varyingDims.insert(dims.begin(), dims.end());
    if (!isShared(index, dims)) {
      lookup = getLookup(distributor.getDistributed(index),
                         distributor.getLayout(index), dims, layout);
      continue;
    }
    places = std::nullopt;
    Value words = getWords(index, isSmallRemainder(index));
    bool tellsMask = !access.mask && isSharedWithMask(index, dims) &&
                     getNarrowIndex(index) && isNonNegativeWhere(mask, index);
    lookup =
        tellsMask ? shareWithMask(index, words) : share(index, words, dims);
  }
  if (mask && !access.mask && isShared(mask, maskDims)) {
    access.mask = share(mask, distributor.getDistributed(mask), maskDims);
    access.varyingDims.insert(maskDims.begin(), maskDims.end());
  } else if (mask && !access.mask) {
    addMask(b, distributor, mask, maskDims, access);
  }
  if (places && llvm::all_of(access.lookups, [&](const auto &lookup) {
        return lookup.second.source == access.lookups.front().second.source;
      })) {
    SmallVector<Value> positions =
        llvm::map_to_vector(access.lookups, [&](const auto &lookup) {
          return castElements(b, lookup.second.registers, b.getIndexType());
        });
    places->apply(b, access, places->build(b, positions));
  }
  return access;
}

FailureOr<TileAccess> mlir::vector_ext::getReadAccess(ImplicitLocOpBuilder &b,
                                                      Distributor &distributor,
                                                      Operation *read,
                                                      const Layout &layout) {
  if (auto gather = dyn_cast<TransferGatherOp>(read))
    return getGatherAccess(b, distributor, gather, layout);
  if (auto transfer = dyn_cast<vector::TransferReadOp>(read))
    return getTransferAccess(b, distributor, transfer, layout);
  return failure();
}

namespace {
/// Threads that hold a row hold its position: the index vectors and the mask
/// have the layout of the result without the other dimensions.
struct TransferGatherModel
    : LayoutOpInterface::ExternalModel<TransferGatherModel, TransferGatherOp> {
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &operand,
                                         const Layout &deciding) const {
    auto gather = cast<TransferGatherOp>(op);
    Value vector = operand.get();
    if (vector == gather.getMask())
      return getLookupLayout(gather, vector, getDims(gather.getMaskMap()),
                             deciding);
    unsigned first = gather.getIndices().getBeginOperandIndex();
    unsigned number = operand.getOperandNumber() - first;
    return getLookupLayout(gather, vector, getDims(gather.getIndexMap(number)),
                           deciding);
  }

  std::optional<Layout> getPreferredLayout(Operation *op,
                                           const Workgroup &workgroup) const {
    auto gather = cast<TransferGatherOp>(op);
    auto type = cast<VectorType>(gather.getType());
    int64_t bytes = llvm::divideCeil(getElementBits(type), 8);
    int64_t alignment = getAccessAlignment(getGatherAccess(gather),
                                           std::max<int64_t>(16 / bytes, 1));
    return getLayoutOfAccesses(type, alignment, workgroup);
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto gather = cast<TransferGatherOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    if (!isa<MemRefType>(gather.getBase().getType()))
      return op->emitOpError() << "expected a memref to distribute, got "
                               << gather.getBase().getType();
    TileAccess access = getGatherAccess(
        b, distributor, gather, distributor.getLayout(gather.getResult()));
    Value loaded = loadFromBuffers(b, distributor, access, gather);
    if (!loaded) {
      Type type = cast<MemRefType>(gather.getBase().getType()).getElementType();
      Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
      loaded = loadRegisters(b, distributor, access, zero);
    }
    distributor.replace(op, loaded);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Scalar stores
//===----------------------------------------------------------------------===//

/// True if every thread has its own copy of `memory`.
static bool isPrivate(Value memory) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
      cast<MemRefType>(memory.getType()).getMemorySpace());
  if (space && space.getValue() == gpu::AddressSpace::Private)
    return true;
  return getMemory(memory).getDefiningOp<memref::AllocaOp>() != nullptr;
}

/// True if threads write on their own to `memory`, as to the slots of a ring.
static bool isOfRing(Value memory) {
  Operation *alloc = getMemory(memory).getDefiningOp();
  return alloc && alloc->hasAttr(getRingAttrName());
}

namespace {
/// A scalar that a workgroup stores is stored once.
struct StoreModel
    : LayoutOpInterface::ExternalModel<StoreModel, memref::StoreOp> {
  /// An element that is a vector is not shared among threads.
  Value getDecidingValue(Operation *) const { return {}; }

  bool needsDistribution(Operation *) const { return true; }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    Value memref = cast<memref::StoreOp>(op).getMemref();
    const Workgroup &workgroup = distributor.getWorkgroup();
    Value isFirst = distributor.isFirstReplica(
        Layout(workgroup.numLanes, workgroup.numSubgroups));
    if (!isFirst || isPrivate(memref) || isOfRing(memref))
      return success();
    RewriterBase &rewriter = distributor.getRewriter();
    bool isRead = isReadInKernel(op, memref);
    if (isRead)
      createBarrier(rewriter, op->getLoc());
    auto branch = scf::IfOp::create(rewriter, op->getLoc(), isFirst,
                                    /*withElseRegion=*/false);
    rewriter.moveOpBefore(op, branch.thenYield());
    rewriter.setInsertionPointAfter(branch);
    if (isRead)
      createBarrier(rewriter, op->getLoc());
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerMemoryLayoutModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, vector::VectorDialect *) {
    vector::TransferReadOp::attachInterface<TransferReadModel>(*context);
    vector::TransferWriteOp::attachInterface<TransferWriteModel>(*context);
    vector::GatherOp::attachInterface<GatherModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *) {
    TransferGatherOp::attachInterface<TransferGatherModel>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    memref::StoreOp::attachInterface<StoreModel>(*context);
  });
}
