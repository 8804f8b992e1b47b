//===- MemoryAccess.cpp - Registers and what they lie at ------------------===//
//
// Loads and stores the registers of a tile. Registers that are consecutive in a
// thread and in memory become one access, as wide as the known alignment
// allows. Accesses with the same condition share one branch.
//
//===----------------------------------------------------------------------===//

#include "MemoryAccess.h"
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

bool mlir::vector_ext::isInGlobalMemory(Value memref) {
  Attribute space = cast<MemRefType>(memref.getType()).getMemorySpace();
  auto known = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  return !space || (known && known.getValue() == gpu::AddressSpace::Global);
}

/// Returns the dimension of the layout along the last dimension of the memory,
/// if its elements are adjacent there.
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
  // An access must exist as a whole, or not at all.
  if (Value bound = access.bounds[*dim])
    width = std::gcd(width, getKnownDivisor(bound));
  if (Value start = access.starts.empty() ? Value() : access.starts[*dim])
    width = std::gcd(width, getKnownDivisor(start));
  return width;
}

namespace {
/// The accesses that exist under one condition.
struct Group {
  Value condition;
  SmallVector<int64_t> registers;
};
} // namespace

/// Groups the first registers of all accesses of `width` registers by their
/// condition.
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
  // The comparisons are with constants, so registers do not hold a coordinate
  // for each access.
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
    // These are the positions for which existence must be tested.
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

/// Builds the indices of the element in register 0 of this thread.
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
  for (auto [i, last] : llvm::enumerate(access.lasts))
    if (last)
      indices[access.dims[i]] =
          b.createOrFold<arith::MinUIOp>(indices[access.dims[i]], last);
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
