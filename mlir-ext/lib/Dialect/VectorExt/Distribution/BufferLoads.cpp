//===- BufferLoads.cpp - Tiles through descriptors of buffers -------------===//
//
// A descriptor has a base address and a number of bytes, and is the same for
// all lanes of a subgroup. An access has an offset of 32 bits, and reads zeros
// beyond these bytes.
//
//   1. A tile starts at indices that are the same in a workgroup. They give the
//      base. The position in the tile gives the offset, which does not depend
//      on the iteration of a loop around it.
//   2. Rows that do not exist are beyond the bytes. Other elements that do not
//      exist get an offset beyond the bytes.
//   3. A page is a buffer of its own. The index of its entry in the table is
//      computed again, from the numbers of the subgroup and the register alone.
//      So it is the same for all lanes by construction.
//
//===----------------------------------------------------------------------===//

#include "BufferLoads.h"
#include "MemoryAccess.h"
#include "SharedTile.h"
#include "mlir-ext/Layout/SharedAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Digit;
using layout::Layout;

/// The limit of offsets in bytes. Elements that do not exist have this offset.
static constexpr int64_t kMaxBytes = int64_t(1) << 31;

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

/// Builds the coordinate along `dim` of register `reg` in the first lane of
/// this subgroup. `subgroup` is the number of the subgroup; it is built here if
/// it is null.
static Value getUniformCoordinate(ImplicitLocOpBuilder &b,
                                  Distributor &distributor,
                                  const Layout &layout, unsigned dim,
                                  int64_t reg, Value &subgroup) {
  const BufferLoads &loads =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getBufferLoads();
  Value result =
      arith::ConstantIndexOp::create(b, layout.getCoordinate({0, 0, reg})[dim]);
  int64_t place = 1;
  for (const Digit &digit : llvm::reverse(layout.getDigits(dim))) {
    if (digit.axis == Axis::Subgroup) {
      if (!subgroup) {
        Value index = distributor.getThreadIndex(Axis::Subgroup);
        subgroup = distributor.buildAtStart([&](ImplicitLocOpBuilder &start) {
          return loads.makeUniform(start, start.getLoc(), index);
        });
      }
      Value value = getDigit(b, subgroup, digit.stride, digit.size,
                             layout.getNumSubgroups());
      result = b.createOrFold<arith::AddIOp>(
          result, b.createOrFold<arith::MulIOp>(
                      value, arith::ConstantIndexOp::create(b, place)));
    }
    place *= digit.size;
  }
  return result;
}

namespace {
/// Computes single elements of vectors of rank 1 before these are distributed.
class ElementBuilder {
public:
  ElementBuilder(ImplicitLocOpBuilder &b, Value coordinate)
      : b(b), coordinate(coordinate) {}

  /// Returns whether `build` can compute the elements of `vector`.
  static bool canBuild(Value vector, unsigned depth = 24);
  Value build(Value vector);

private:
  Value load(Value memref, SmallVector<Value> indices, Value exists,
             Value otherwise);

  ImplicitLocOpBuilder &b;
  Value coordinate;
  llvm::DenseMap<Value, Value> known;
};
} // namespace

/// Returns whether `read` reads one element for each coordinate.
static bool isPlainRead(vector::TransferReadOp read) {
  return read.getPermutationMap().isMinorIdentity() && !read.getMask() &&
         !read.hasOutOfBoundsDim() && isa<MemRefType>(read.getBase().getType());
}

bool ElementBuilder::canBuild(Value vector, unsigned depth) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return true;
  Operation *op = vector.getDefiningOp();
  if (type.getRank() != 1 || !op || depth == 0)
    return false;
  DenseElementsAttr constant;
  if (matchPattern(vector, m_Constant(&constant)))
    return constant.isSplat();
  if (isa<vector::StepOp, vector::CreateMaskOp>(op))
    return true;
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(broadcast.getSourceType());
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return isPlainRead(read);
  if (auto gather = dyn_cast<vector::GatherOp>(op);
      gather && !isa<MemRefType>(gather.getBase().getType()))
    return false;
  if (!isa<vector::GatherOp>(op) &&
      (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumResults() != 1))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return canBuild(operand, depth - 1);
  });
}

/// Builds the element at `indices` if `exists` is true, and `otherwise` if not.
Value ElementBuilder::load(Value memref, SmallVector<Value> indices,
                           Value exists, Value otherwise) {
  auto type = cast<MemRefType>(memref.getType());
  if (matchPattern(exists, m_One()))
    return memref::LoadOp::create(b, memref, indices);
  if (type.hasStaticShape() && type.getNumElements() > 0) {
    // There is no branch. If the element does not exist, one that exists is
    // read instead.
    Value first = arith::ConstantIndexOp::create(b, 0);
    for (Value &index : indices)
      index = b.createOrFold<arith::SelectOp>(exists, index, first);
    Value loaded = memref::LoadOp::create(b, memref, indices);
    return b.createOrFold<arith::SelectOp>(exists, loaded, otherwise);
  }
  auto branch = scf::IfOp::create(b, TypeRange{type.getElementType()}, exists,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  ImplicitLocOpBuilder inner(b.getLoc(), b.getContext());
  inner.setInsertionPointToStart(branch.thenBlock());
  Value loaded = memref::LoadOp::create(inner, memref, indices);
  scf::YieldOp::create(inner, loaded);
  inner.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(inner, otherwise);
  return branch.getResult(0);
}

Value ElementBuilder::build(Value vector) {
  auto type = dyn_cast<VectorType>(vector.getType());
  if (!type)
    return vector;
  if (Value value = known.lookup(vector))
    return value;
  Operation *op = vector.getDefiningOp();
  Value result;
  DenseElementsAttr constant;
  if (matchPattern(vector, m_Constant(&constant))) {
    result = arith::ConstantOp::create(
        b, cast<TypedAttr>(constant.getSplatValue<Attribute>()));
  } else if (isa<vector::StepOp>(op)) {
    result = coordinate;
  } else if (auto mask = dyn_cast<vector::CreateMaskOp>(op)) {
    result = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, coordinate,
                                   mask.getOperand(0));
  } else if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    result = broadcast.getSource();
  } else if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
    SmallVector<Value> indices(read.getIndices());
    indices.back() = b.createOrFold<arith::AddIOp>(indices.back(), coordinate);
    result = memref::LoadOp::create(b, read.getBase(), indices);
  } else if (auto gather = dyn_cast<vector::GatherOp>(op)) {
    Value at = build(gather.getIndices()), exists = build(gather.getMask()),
          otherwise = build(gather.getPassThru());
    if (!at.getType().isIndex())
      at = arith::IndexCastOp::create(b, b.getIndexType(), at);
    SmallVector<Value> indices(gather.getOffsets());
    indices.back() = b.createOrFold<arith::AddIOp>(indices.back(), at);
    result = load(gather.getBase(), indices, exists, otherwise);
  } else {
    OperationState state(b.getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(build(operand));
    state.addTypes(type.getElementType());
    state.addAttributes(op->getAttrs());
    result = b.create(state)->getResult(0);
  }
  known[vector] = result;
  return result;
}

/// Returns the distance from the first lane to the last one along `dim`.
static int64_t getLaneDistance(const Layout &layout, unsigned dim) {
  int64_t distance = 0;
  for (int64_t lane = 0; lane < layout.getNumLanes(); ++lane)
    distance = std::max(distance, layout.getCoordinate({0, lane, 0})[dim]);
  return distance;
}

/// Returns the blocks of `block` elements along `dim` that contain register
/// `reg`, one for each subgroup. Returns none if lanes of a subgroup are in
/// different blocks.
static std::optional<SmallVector<int64_t>> getBlocks(const Layout &layout,
                                                     unsigned dim, int64_t reg,
                                                     int64_t distance,
                                                     int64_t block) {
  SmallVector<int64_t> blocks;
  for (int64_t subgroup = 0; subgroup < layout.getNumSubgroups(); ++subgroup) {
    int64_t first = layout.getCoordinate({subgroup, 0, reg})[dim];
    if (first / block != (first + distance) / block)
      return std::nullopt;
    blocks.push_back(first / block);
  }
  return blocks;
}

namespace {
/// The parts of a lookup that are the same for all lanes of a subgroup: the
/// page, and whether it exists.
struct Pages {
  /// The dimension of the memory that the entries index, and the entries
  /// themselves.
  int64_t memoryDim;
  Value entries;
  /// The dimension of the tile along which entries differ, and how many
  /// adjacent entries are equal.
  unsigned dim;
  int64_t block;
  /// Whether an entry is only known to be right for the first element of a
  /// block.
  bool isOfFirst;
  /// The conjuncts of the mask: those for whole pages, and those for rows.
  SmallVector<Value> pageMasks, rowMasks;
};
} // namespace

/// Appends the conjuncts of `mask` to `conjuncts`.
static void getConjuncts(Value mask, SmallVector<Value> &conjuncts) {
  auto both = mask.getDefiningOp<arith::AndIOp>();
  if (!both) {
    conjuncts.push_back(mask);
    return;
  }
  getConjuncts(both.getLhs(), conjuncts);
  getConjuncts(both.getRhs(), conjuncts);
}

/// Returns the lookup of `access` whose entries are the same in all lanes.
/// Returns none if there is none, or if some register has no such entry.
static std::optional<Pages> getPages(Distributor &distributor,
                                     TransferGatherOp gather,
                                     const TileAccess &access, int64_t width) {
  const Layout &layout = access.layout;
  for (auto [memoryDim, lookup] : access.lookups) {
    unsigned number =
        cast<AffineSymbolExpr>(gather.getBaseMap().getResult(memoryDim))
            .getPosition();
    AffineMap map = gather.getIndexMap(number);
    Value entries = gather.getIndices()[number];
    if (map.getNumResults() != 1 || !ElementBuilder::canBuild(entries))
      continue;
    SmallVector<Value> conjuncts, starts;
    Value mask = gather.getMask();
    if (mask && gather.getMaskMap() == map)
      getConjuncts(mask, conjuncts);
    // These masks hold for the first elements of the tile. So if they hold for
    // any element of a block, they hold for its first one.
    llvm::copy_if(conjuncts, std::back_inserter(starts), [](Value conjunct) {
      return conjunct.getDefiningOp<vector::CreateMaskOp>() != nullptr;
    });
    Pages pages{memoryDim,
                entries,
                cast<AffineDimExpr>(map.getResult(0)).getPosition(),
                getNumRepeated(entries, starts),
                !starts.empty(),
                {},
                {}};
    if (pages.block == 0)
      pages.block = layout.getDimSize(pages.dim);
    int64_t distance = getLaneDistance(layout, pages.dim);
    bool isUniform = true;
    for (int64_t reg = 0; reg < layout.getNumRegisters(); reg += width)
      isUniform &=
          getBlocks(layout, pages.dim, reg, distance, pages.block).has_value();
    if (!isUniform)
      continue;
    if (!access.mask)
      return pages; // what there is of it became bounds
    if (llvm::any_of(conjuncts, [&](Value conjunct) {
          return distributor.getLayout(conjunct) != distributor.getLayout(mask);
        })) {
      conjuncts = {mask};
      starts.clear();
    }
    for (Value conjunct : conjuncts) {
      bool isOfPage = !llvm::is_contained(starts, conjunct) &&
                      ElementBuilder::canBuild(conjunct) &&
                      getNumRepeated(conjunct, starts) % pages.block == 0;
      (isOfPage ? pages.pageMasks : pages.rowMasks).push_back(conjunct);
    }
    return pages;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Builds the stride of dimension `dim` of `memref`, in elements.
static Value getStride(ImplicitLocOpBuilder &b, Value memref, int64_t dim,
                       ArrayRef<int64_t> strides) {
  if (!ShapedType::isDynamic(strides[dim]))
    return arith::ConstantIndexOp::create(b, strides[dim]);
  auto type = cast<MemRefType>(memref.getType());
  if (!type.getLayout().isIdentity())
    return memref::ExtractStridedMetadataOp::create(b, memref)
        .getStrides()[dim];
  Value stride = arith::ConstantIndexOp::create(b, 1);
  for (int64_t inner = dim + 1; inner < type.getRank(); ++inner)
    stride = b.createOrFold<arith::MulIOp>(
        stride, b.createOrFold<memref::DimOp>(memref, inner));
  return stride;
}

namespace {
/// Where the accesses of a tile, or of the pages of a tile, lie in memory.
struct BufferPlan {
  SmallVector<int64_t> strides;
  int64_t elementBytes = 1, width = 1, alignment = 1;
  /// The dimensions of the memory along which the tile or page has elements,
  /// and their numbers.
  SmallVector<std::pair<int64_t, int64_t>> extents;
  /// The dimension of the tile whose bound is the end of the buffer, if there
  /// is one.
  std::optional<unsigned> rowDim;
  std::optional<Pages> pages;
};
} // namespace

static std::optional<BufferPlan> getPlan(Distributor &distributor,
                                         const TileAccess &access,
                                         TransferGatherOp gather) {
  auto type = cast<MemRefType>(access.memref.getType());
  if (!isInGlobalMemory(access.memref))
    return std::nullopt;
  Type elementType = type.getElementType();
  int64_t bits =
      elementType.isIntOrFloat() ? elementType.getIntOrFloatBitWidth() : 0;
  BufferPlan plan;
  int64_t offset;
  if (bits == 0 || bits % 8 != 0 || bits > 64 ||
      failed(type.getStridesAndOffset(plan.strides, offset)))
    return std::nullopt;
  plan.elementBytes = bits / 8;
  plan.width = getAccessWidth(access);
  plan.alignment = getAccessAlignment(access, plan.width);
  int64_t bytes = plan.width * plan.elementBytes;
  if (plan.alignment < std::min<int64_t>(bytes, 4))
    return std::nullopt;

  if (!access.lookups.empty()) {
    if (gather)
      plan.pages = getPages(distributor, gather, access, plan.width);
    if (!plan.pages)
      return std::nullopt;
  }
  // Masks may exclude all elements before the start of the memory, but a buffer
  // must start inside of it.
  for (Value index : access.indices)
    if (std::optional<int64_t> constant = getConstantIntValue(index);
        constant && *constant < 0)
      return std::nullopt;
  const Layout &layout = access.layout;
  // The number of elements between the first and the last element of a buffer
  // that an access may reach.
  int64_t span = 1;
  auto addExtent = [&](int64_t memoryDim, int64_t size) {
    if (size == 1)
      return true;
    std::optional<int64_t> stride =
        getKnownMaximumStride(access.memref, memoryDim);
    if (ShapedType::isDynamic(size) || !stride || size > kMaxBytes ||
        *stride > kMaxBytes)
      return false;
    plan.extents.emplace_back(memoryDim, size);
    span += (size - 1) * *stride;
    return span * plan.elementBytes < kMaxBytes;
  };
  for (auto [dim, memoryDim] : llvm::enumerate(access.dims))
    if (memoryDim >= 0 && !addExtent(memoryDim, layout.getDimSize(dim)))
      return std::nullopt;
  for (const auto &lookup : access.lookups)
    if (lookup.first != plan.pages->memoryDim &&
        !addExtent(lookup.first, type.getDimSize(lookup.first)))
      return std::nullopt;

  // Use the outermost bounded dimension, if no other element of the tile is
  // beyond one of its rows.
  if (plan.pages)
    return plan;
  for (auto [dim, bound] : llvm::enumerate(access.bounds)) {
    int64_t memoryDim = access.dims[dim];
    if (!bound || memoryDim < 0 || layout.getDimSize(dim) == 1)
      continue;
    int64_t rowSpan = 1;
    bool isRow = true;
    for (auto [other, size] : plan.extents) {
      if (other == memoryDim)
        continue;
      if (ShapedType::isDynamic(plan.strides[other]))
        isRow = false;
      else
        rowSpan += (size - 1) * plan.strides[other];
    }
    // A dynamic stride is covered if there are no gaps, because all other
    // dimensions are inside of it.
    if (int64_t stride = plan.strides[memoryDim]; ShapedType::isDynamic(stride))
      isRow &=
          type.getLayout().isIdentity() &&
          llvm::all_of(plan.extents, [dim = memoryDim](const auto &extent) {
            return extent.first >= dim;
          });
    else
      isRow &= rowSpan <= stride;
    if (!isRow)
      continue;
    plan.rowDim = dim;
    break;
  }
  return plan;
}

/// Builds the number of elements from the start of the tile to the end of its
/// rows.
static Value getCount(ImplicitLocOpBuilder &b, const TileAccess &access,
                      const BufferPlan &plan) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  int64_t rowDim = plan.rowDim ? access.dims[*plan.rowDim] : -1;
  // This is the number of elements of the tile, or of one of its rows.
  int64_t known = 1;
  Value span;
  for (auto [memoryDim, size] : plan.extents) {
    if (memoryDim == rowDim)
      continue;
    if (!ShapedType::isDynamic(plan.strides[memoryDim])) {
      known += (size - 1) * plan.strides[memoryDim];
      continue;
    }
    Value distance = b.createOrFold<arith::MulIOp>(
        getStride(b, access.memref, memoryDim, plan.strides),
        constant(size - 1));
    span = span ? b.createOrFold<arith::AddIOp>(span, distance) : distance;
  }
  span = span ? b.createOrFold<arith::AddIOp>(span, constant(known))
              : constant(known);
  if (!plan.rowDim)
    return span;
  int64_t knownStride = plan.strides[rowDim];
  Value stride = getStride(b, access.memref, rowDim, plan.strides);
  Value rows = b.createOrFold<arith::MinSIOp>(
      access.bounds[*plan.rowDim],
      constant(access.layout.getDimSize(*plan.rowDim)));
  // The elements of the last row beyond the tile do not count. Elements beyond
  // the memory have offsets beyond this number.
  Value rest = b.createOrFold<arith::SubIOp>(stride, span);
  if (ShapedType::isDynamic(knownStride))
    rest = b.createOrFold<arith::MaxSIOp>(rest, constant(0));
  Value end = b.createOrFold<arith::SubIOp>(
      b.createOrFold<arith::MulIOp>(rows, stride), rest);
  return b.createOrFold<arith::MaxSIOp>(end, constant(0));
}

namespace {
/// The buffer of a tile, or the buffers of its pages.
class TileBuffers {
public:
  TileBuffers(ImplicitLocOpBuilder &b, const TileAccess &access,
              const BufferPlan &plan)
      : b(b), access(access), plan(plan),
        loads(b.getContext()
                  ->getLoadedDialect<VectorExtDialect>()
                  ->getBufferLoads()) {
    // This is where the tile starts, except for the page.
    start = arith::ConstantIndexOp::create(b, 0);
    for (auto [dim, index] : llvm::enumerate(access.indices)) {
      if (matchPattern(index, m_Zero()))
        continue;
      Value stride = getStride(b, access.memref, dim, plan.strides);
      start = b.createOrFold<arith::AddIOp>(
          start, b.createOrFold<arith::MulIOp>(index, stride));
    }
  }

  /// Returns the buffer of the pages `blocks`, one for each subgroup.
  /// `buildCoordinate` builds a coordinate in this page. Without pages,
  /// `blocks` is empty.
  Value get(const SmallVector<int64_t> &blocks,
            llvm::function_ref<Value(Value &subgroup)> buildCoordinate) {
    Value &buffer = buffers[blocks];
    if (buffer)
      return buffer;
    Value count = getCount(b, access, plan), begin = start;
    if (const auto &pages = plan.pages) {
      Value zero = arith::ConstantIndexOp::create(b, 0);
      ElementBuilder builder(b, buildCoordinate(subgroup));
      Value page = builder.build(pages->entries);
      if (!page.getType().isIndex())
        page = arith::IndexCastOp::create(b, b.getIndexType(), page);
      // A page that does not exist has no element and no address.
      for (Value mask : pages->pageMasks)
        count =
            b.createOrFold<arith::SelectOp>(builder.build(mask), count, zero);
      Value isPage = arith::CmpIOp::create(
          b, arith::CmpIPredicate::ult, page,
          b.createOrFold<memref::DimOp>(access.memref, pages->memoryDim));
      page = b.createOrFold<arith::SelectOp>(isPage, page, zero);
      Value stride =
          getStride(b, access.memref, pages->memoryDim, plan.strides);
      begin = b.createOrFold<arith::AddIOp>(
          start, b.createOrFold<arith::MulIOp>(page, stride));
    }
    buffer = loads.build(b, b.getLoc(), access.memref, begin, count);
    return buffer;
  }

private:
  ImplicitLocOpBuilder &b;
  const TileAccess &access;
  const BufferPlan &plan;
  const BufferLoads &loads;
  Value start, subgroup;
  std::map<SmallVector<int64_t>, Value> buffers;
};
} // namespace

/// Builds an offset, in elements, for elements that do not exist.
static Value getBeyond(ImplicitLocOpBuilder &b, const BufferPlan &plan) {
  return arith::ConstantIndexOp::create(b, kMaxBytes / plan.elementBytes);
}

Value mlir::vector_ext::loadFromBuffers(ImplicitLocOpBuilder &b,
                                        Distributor &distributor,
                                        const TileAccess &access,
                                        TransferGatherOp gather) {
  const BufferLoads &loads =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getBufferLoads();
  if (!distributor.getWorkgroup().hasBufferLoads || !loads.build)
    return {};
  std::optional<BufferPlan> plan = getPlan(distributor, access, gather);
  if (!plan)
    return {};
  const Layout &layout = access.layout;
  auto type = cast<MemRefType>(access.memref.getType());
  Type elementType = type.getElementType();

  // 1. Build the buffer of the tile, or those of the pages.
  TileBuffers buffers(b, access, *plan);
  int64_t distance =
      plan->pages ? getLaneDistance(layout, plan->pages->dim) : 0;
  auto getBuffer = [&](int64_t reg) {
    SmallVector<int64_t> blocks;
    if (plan->pages)
      blocks = *getBlocks(layout, plan->pages->dim, reg, distance,
                          plan->pages->block);
    return buffers.get(blocks, [&](Value &subgroup) {
      Value at = getUniformCoordinate(b, distributor, layout, plan->pages->dim,
                                      reg, subgroup);
      if (!plan->pages->isOfFirst)
        return at;
      Value block = arith::ConstantIndexOp::create(b, plan->pages->block);
      return b.createOrFold<arith::MulIOp>(
          b.createOrFold<arith::DivUIOp>(at, block), block);
    });
  };

  // 2. Build the positions of accesses in the tile.
  TileAccess relative = access;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  relative.indices.assign(access.indices.size(), zero);
  if (plan->rowDim)
    relative.bounds[*plan->rowDim] = Value();
  if (plan->pages) {
    llvm::erase_if(relative.lookups, [&](const auto &lookup) {
      return lookup.first == plan->pages->memoryDim;
    });
    if (!plan->pages->pageMasks.empty()) {
      Value rows;
      for (Value mask : plan->pages->rowMasks) {
        Value registers = distributor.getDistributed(mask);
        rows =
            rows ? b.createOrFold<arith::AndIOp>(rows, registers) : registers;
      }
      if (rows)
        relative.mask->registers = rows;
      else
        relative.mask.reset();
    }
  }

  // 3. Build the loads.
  auto pieceType = VectorType::get({plan->width}, elementType);
  Value beyond = getBeyond(b, *plan);
  auto resultType = VectorType::get({layout.getNumRegisters()}, elementType);
  Value result = ub::PoisonOp::create(b, resultType);
  for (const RegisterAccess &place :
       getRegisterAccesses(b, distributor, relative, plan->width)) {
    Value offset = zero;
    for (auto [dim, index] : llvm::enumerate(place.indices)) {
      if (matchPattern(index, m_Zero()))
        continue;
      offset = b.createOrFold<arith::AddIOp>(
          offset, b.createOrFold<arith::MulIOp>(
                      index, getStride(b, access.memref, dim, plan->strides)));
    }
    if (place.condition)
      offset = arith::SelectOp::create(b, place.condition, offset, beyond);
    Value piece = vector::LoadOp::create(b, pieceType, getBuffer(place.reg),
                                         offset, /*nontemporal=*/false,
                                         llvm::MaybeAlign(plan->alignment));
    if (piece.getType() == resultType)
      return piece;
    result = vector::InsertStridedSliceOp::create(
        b, piece, result, ArrayRef<int64_t>{place.reg}, ArrayRef<int64_t>{1});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

struct BufferCopy::State {
  /// A lookup that a thread computes for one element: the dimension of the
  /// memory, the dimension of the tile, and the entries.
  struct Lookup {
    int64_t memoryDim;
    unsigned dim;
    Value entries;
  };

  Distributor &distributor;
  TileAccess access;
  BufferPlan plan;
  unsigned contiguousDim;
  SmallVector<Lookup> lookups;
  layout::LaneCopy copies;
  /// For each dimension of the tile, where the copies of each thread start.
  SmallVector<ThreadNumbers, 0> coordinates;
  /// Where the copies of each subgroup start along the dimension of the pages.
  SmallVector<SmallVector<int64_t>> pageCoordinates;
};

/// Builds `table[subgroup]` as the sum of `table[0]` and a term for each bit of
/// the number of the subgroup. Returns null if `table` is no such sum.
static Value buildOfSubgroup(ImplicitLocOpBuilder &b, Value subgroup,
                             ArrayRef<int64_t> table) {
  int64_t count = table.size();
  Value result = arith::ConstantIndexOp::create(b, table[0]);
  for (int64_t bit = 1; bit < count; bit *= 2) {
    int64_t factor = table[bit] - table[0];
    if (factor == 0)
      continue;
    Value digit = getDigit(b, subgroup, bit, 2, count);
    result = b.createOrFold<arith::AddIOp>(
        result, b.createOrFold<arith::MulIOp>(
                    digit, arith::ConstantIndexOp::create(b, factor)));
  }
  return result;
}

/// Returns whether `buildOfSubgroup` can build `table`.
static bool isSumOfBits(ArrayRef<int64_t> table) {
  if (!llvm::isPowerOf2_64(table.size()))
    return false;
  for (int64_t i = 0, count = table.size(); i < count; ++i) {
    int64_t sum = table[0];
    for (int64_t bit = 1; bit < count; bit *= 2)
      sum += (i & bit) ? table[bit] - table[0] : 0;
    if (sum != table[i])
      return false;
  }
  return true;
}

/// Builds the number of this subgroup such that the target sees that it is the
/// same in all of its threads.
static Value getUniformSubgroup(ImplicitLocOpBuilder &b,
                                Distributor &distributor) {
  const BufferLoads &loads =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getBufferLoads();
  Value index = distributor.getThreadIndex(Axis::Subgroup);
  return distributor.buildAtStart([&](ImplicitLocOpBuilder &start) {
    return loads.makeUniform(start, start.getLoc(), index);
  });
}

std::optional<BufferCopy> BufferCopy::get(ImplicitLocOpBuilder &b,
                                          Distributor &distributor,
                                          Operation *read,
                                          const Layout &layout) {
  const Workgroup &workgroup = distributor.getWorkgroup();
  const BufferLoads &loads =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getBufferLoads();
  if (!workgroup.hasLaneCopies || !workgroup.hasBufferLoads || !loads.build ||
      !loads.copy)
    return std::nullopt;
  FailureOr<TileAccess> access = getReadAccess(b, distributor, read, layout);
  if (failed(access))
    return std::nullopt;
  auto gather = dyn_cast<TransferGatherOp>(read);
  std::optional<BufferPlan> plan = getPlan(distributor, *access, gather);
  if (!plan || plan->width * plan->elementBytes != layout::LaneCopy::kBytes)
    return std::nullopt;
  int64_t last = cast<MemRefType>(access->memref.getType()).getRank() - 1;
  auto *contiguous = llvm::find(access->dims, last);
  if (contiguous == access->dims.end())
    return std::nullopt;

  // These are masks and lookups, whose registers have another order.
  SmallVector<State::Lookup> lookups;
  if (access->mask) {
    if (!plan->pages ||
        (plan->pages->pageMasks.empty() && plan->pages->rowMasks.empty()))
      return std::nullopt;
    for (Value mask : plan->pages->rowMasks)
      if (!ElementBuilder::canBuild(mask))
        return std::nullopt;
  }
  for (const auto &lookup : access->lookups) {
    if (lookup.first == plan->pages->memoryDim)
      continue;
    unsigned number =
        cast<AffineSymbolExpr>(gather.getBaseMap().getResult(lookup.first))
            .getPosition();
    AffineMap map = gather.getIndexMap(number);
    Value entries = gather.getIndices()[number];
    if (map.getNumResults() != 1 || !ElementBuilder::canBuild(entries))
      return std::nullopt;
    lookups.push_back({lookup.first,
                       cast<AffineDimExpr>(map.getResult(0)).getPosition(),
                       entries});
  }
  BufferCopy copy;
  copy.state = std::make_shared<State>(
      State{distributor,
            *access,
            *plan,
            static_cast<unsigned>(contiguous - access->dims.begin()),
            lookups,
            {},
            {},
            {}});
  return copy;
}

unsigned BufferCopy::getContiguousDim() const { return state->contiguousDim; }

bool BufferCopy::setDestination(const layout::SharedLayout &shared) {
  const Workgroup &workgroup = state->distributor.getWorkgroup();
  std::optional<layout::LaneCopy> copies = layout::getLaneCopy(
      shared, state->contiguousDim, workgroup.numLanes, workgroup.numSubgroups);
  if (!copies)
    return false;
  state->copies = *copies;
  auto getCoordinate = [&](int64_t copy, int64_t subgroup, int64_t lane) {
    return *shared.getCoordinate(copies->getByteOffset(copy, subgroup, lane));
  };
  for (unsigned dim = 0; dim < shared.getRank(); ++dim) {
    state->coordinates.emplace_back(state->distributor);
    for (int64_t copy = 0; copy < copies->numCopies; ++copy)
      if (!state->coordinates.back().add([&](int64_t subgroup, int64_t lane) {
            return getCoordinate(copy, subgroup, lane)[dim];
          }))
        return false;
  }
  if (!state->plan.pages)
    return true;
  const Pages &pages = *state->plan.pages;
  for (int64_t copy = 0; copy < copies->numCopies; ++copy) {
    SmallVector<int64_t> places;
    for (int64_t subgroup = 0; subgroup < workgroup.numSubgroups; ++subgroup) {
      int64_t block = getCoordinate(copy, subgroup, 0)[pages.dim] / pages.block;
      for (int64_t lane = 0; lane < workgroup.numLanes; ++lane)
        if (getCoordinate(copy, subgroup, lane)[pages.dim] / pages.block !=
            block)
          return false;
      places.push_back(block * pages.block);
    }
    if (!isSumOfBits(places))
      return false;
    state->pageCoordinates.push_back(std::move(places));
  }
  return true;
}

void BufferCopy::build(ImplicitLocOpBuilder &b, Value target, Value start) {
  Distributor &distributor = state->distributor;
  const TileAccess &access = state->access;
  const BufferPlan &plan = state->plan;
  const layout::LaneCopy &copies = state->copies;
  const BufferLoads &loads =
      b.getContext()->getLoadedDialect<VectorExtDialect>()->getBufferLoads();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  TileBuffers buffers(b, access, plan);
  Value number = getUniformSubgroup(b, distributor);
  int64_t elements = layout::LaneCopy::kBytes / plan.elementBytes;
  Value first = b.createOrFold<arith::MulIOp>(
      number, constant(copies.numLanes * elements));
  if (start)
    first = b.createOrFold<arith::AddIOp>(start, first);
  for (int64_t copy = 0; copy < copies.numCopies; ++copy) {
    SmallVector<Value> at;
    for (ThreadNumbers &numbers : state->coordinates)
      at.push_back(numbers.build(b, copy));
    Value offset = constant(0), exists;
    auto require = [&](Value condition) {
      exists =
          exists ? b.createOrFold<arith::AndIOp>(exists, condition) : condition;
    };
    auto addOffset = [&](Value coordinate, int64_t memoryDim) {
      offset = b.createOrFold<arith::AddIOp>(
          offset, b.createOrFold<arith::MulIOp>(
                      coordinate,
                      getStride(b, access.memref, memoryDim, plan.strides)));
    };
    for (auto [dim, memoryDim] : llvm::enumerate(access.dims)) {
      if (memoryDim >= 0)
        addOffset(at[dim], memoryDim);
      Value bound = access.bounds[dim];
      if (!bound || plan.rowDim == static_cast<unsigned>(dim) ||
          getKnownMinimum(bound).value_or(0) >= access.layout.getDimSize(dim))
        continue;
      require(
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at[dim], bound));
    }
    for (const State::Lookup &lookup : state->lookups) {
      Value index = ElementBuilder(b, at[lookup.dim]).build(lookup.entries);
      if (!index.getType().isIndex())
        index = arith::IndexCastOp::create(b, b.getIndexType(), index);
      addOffset(index, lookup.memoryDim);
    }
    SmallVector<int64_t> blocks;
    if (plan.pages) {
      blocks = state->pageCoordinates[copy];
      ElementBuilder row(b, at[plan.pages->dim]);
      if (access.mask)
        for (Value mask : plan.pages->rowMasks)
          require(row.build(mask));
    }
    if (exists)
      offset = arith::SelectOp::create(b, exists, offset, getBeyond(b, plan));
    Value buffer = buffers.get(
        blocks, [&](Value &) { return buildOfSubgroup(b, number, blocks); });
    loads.copy(b, b.getLoc(), buffer, offset, target,
               b.createOrFold<arith::AddIOp>(
                   first, constant(copy * copies.numSubgroups *
                                   copies.numLanes * elements)));
  }
  loads.waitForCopies(b, b.getLoc());
}
