//===- DistributeMemory.cpp - Between memory and registers ----------------===//
//
// Transfers and scalar stores. The vector of a transfer decides, and its mask
// has the layout without the dimensions that are broadcast.
//
//===----------------------------------------------------------------------===//

#include "BufferLoads.h"
#include "MemoryAccess.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/Conversion.h"
#include "mlir-ext/Support/BufferAccess.h"
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
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <numeric>

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Layout;
using linalg_ext::getElementBits;

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

static void addBound(ImplicitLocOpBuilder &b, TileAccess &access, unsigned dim,
                     Value bound) {
  Value &known = access.bounds[dim];
  known = known ? b.createOrFold<arith::MinSIOp>(known, bound) : bound;
}

/// Returns what each register of a tile of `layout` takes from `registers`.
/// These hold a vector of `vectorLayout` along the dimensions `dims` of the
/// tile.
RegisterLookup mlir::vector_ext::getLookup(Value registers,
                                           const Layout &vectorLayout,
                                           ArrayRef<unsigned> dims,
                                           const Layout &layout) {
  RegisterLookup lookup{registers, {}};
  for (int64_t reg = 0; reg < layout.getNumRegisters(); ++reg) {
    SmallVector<int64_t> at = layout.getCoordinate({0, 0, reg});
    SmallVector<int64_t> vectorAt =
        llvm::map_to_vector(dims, [&](unsigned dim) { return at[dim]; });
    lookup.source.push_back(vectorLayout.getOwner(vectorAt).reg);
  }
  return lookup;
}

/// If `mask` is true for the first elements along each dimension, returns their
/// numbers. Returns none for other masks.
static SmallVector<Value> getMaskSizes(ImplicitLocOpBuilder &b, Value mask) {
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return llvm::to_vector(create.getOperands());
  SmallVector<Value> sizes;
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    for (int64_t size : constant.getMaskDimSizes())
      sizes.push_back(arith::ConstantIndexOp::create(b, size));
  return sizes;
}

/// Adds `mask`, which runs along the dimensions `dims` of the tile, as bounds
/// and starts. Returns whether these express the whole mask. Otherwise what is
/// added holds, but is not all.
static bool addRanges(ImplicitLocOpBuilder &b, Value mask,
                      ArrayRef<unsigned> dims, TileAccess &access) {
  // 1. The mask selects the first elements of each dimension.
  SmallVector<Value> sizes = getMaskSizes(b, mask);
  if (!sizes.empty()) {
    for (auto [dim, bound] : llvm::zip_equal(dims, sizes))
      addBound(b, access, dim, bound);
    return true;
  }
  // 2. The mask selects all but the first elements of one dimension.
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
  // 3. The mask is a conjunction.
  auto both = mask.getDefiningOp<arith::AndIOp>();
  return both && addRanges(b, both.getLhs(), dims, access) &&
         addRanges(b, both.getRhs(), dims, access);
}

/// Adds `mask`, which runs along the dimensions `dims` of the tile.
void mlir::vector_ext::addMask(ImplicitLocOpBuilder &b,
                               Distributor &distributor, Value mask,
                               ArrayRef<unsigned> dims, TileAccess &access) {
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

/// Returns the access of a transfer whose vector has `layout`.
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

/// Lets `access` of `read` take the last element that exists for those behind
/// it, where these may be anything: a load in a branch waits for those of other
/// branches (docs/Decisions/0133).
static void takeLast(ImplicitLocOpBuilder &b, vector::TransferReadOp read,
                     TileAccess &access) {
  auto attr = read->getAttrOfType<IntegerAttr>(getUnusedBehindAttrName());
  if (!attr)
    return;
  int64_t i = attr.getInt(), dim = access.dims[i];
  auto type = cast<MemRefType>(access.memref.getType());
  Value bound = access.bounds[i];
  std::optional<int64_t> constant =
      bound ? getConstantIntValue(bound) : std::nullopt;
  if (!bound || dim < 0 || dim + 1 == type.getRank() ||
      (constant && *constant >= access.layout.getDimSize(i)))
    return;
  access.lasts.resize(access.layout.getRank());
  access.lasts[i] = b.createOrFold<arith::SubIOp>(
      b.createOrFold<arith::AddIOp>(access.indices[dim], bound),
      arith::ConstantIndexOp::create(b, 1));
  access.bounds[i] = Value();
}

/// Returns whether `scope`, which may be null, reads the memory of `memref`.
static bool isReadIn(Operation *scope, Value memref) {
  Value memory = linalg_ext::getViewedBuffer(memref);
  auto reads = [&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    bool isRead = llvm::any_of(effects, [&](const auto &effect) {
      return isa<MemoryEffects::Read>(effect.getEffect()) &&
             effect.getValue() &&
             linalg_ext::getViewedBuffer(effect.getValue()) == memory;
    });
    return isRead ? WalkResult::interrupt() : WalkResult::advance();
  };
  return scope && scope->walk(reads).wasInterrupted();
}

/// Returns whether the kernel around `op` reads the memory of which `memref` is
/// a view. A write to it then needs a barrier before and after it, because
/// other threads may still read the old values, or read the new ones next.
static bool isReadInKernel(Operation *op, Value memref) {
  return isReadIn(op->getParentOfType<gpu::LaunchOp>(), memref) ||
         isReadIn(op->getParentOfType<gpu::GPUFuncOp>(), memref) ||
         isReadIn(op->getParentOfType<RoleOp>(), memref);
}

/// Returns the layout for reads with an alignment of `alignment` bytes. All
/// adjacent elements of a lane can then be one access.
Layout mlir::vector_ext::getLayoutOfAccesses(VectorType type, int64_t alignment,
                                             const Workgroup &workgroup) {
  int64_t bytes = llvm::divideCeil(getElementBits(type), 8);
  return getBlockedLayout(
      type.getShape(), bytes * std::max<int64_t>(16 / alignment, 1), workgroup);
}

/// Returns the layout of the mask of a transfer whose vector has `layout`: the
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

/// Returns the layout of the vector `operand` of a transfer.
template <typename OpTy>
static Layout getTransferOperandLayout(OpTy op, OpOperand &operand,
                                       const Layout &deciding) {
  if (operand.get() == op.getMask())
    return getMaskLayout(op.getPermutationMap(), deciding);
  return deciding;
}

bool mlir::vector_ext::storesUnpacked(vector::TransferWriteOp write) {
  // Neighbours may have been merged with what is beside them in memory.
  Value stored = write.getVector();
  auto merge = stored.getDefiningOp<vector::ShapeCastOp>();
  if (merge && merge.getSourceVectorType().getRank() >
                   merge.getResultVectorType().getRank())
    stored = merge.getSource();
  auto type = cast<VectorType>(stored.getType());
  if (type.getRank() == 0 || type.getShape().back() == 1 ||
      type.getShape().back() * getElementBits(type) >= kAccessBits ||
      !write.getPermutationMap().isMinorIdentity())
    return false;
  int64_t most = type.getNumElements() / type.getShape().back();
  llvm::SetVector<Value> values;
  values.insert(stored);
  bool reads = false;
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || !isa<VectorType>(values[i].getType()) ||
        op->hasTrait<OpTrait::ConstantLike>() || isa<vector::StepOp>(op))
      continue;
    if (auto read = dyn_cast<vector::TransferReadOp>(op)) {
      if (read.getVectorType().getNumElements() > most)
        return false;
      reads = true;
    } else if (OpTrait::hasElementwiseMappableTraits(op) ||
               isa<vector::BroadcastOp, vector::ShapeCastOp,
                   vector::TransposeOp>(op)) {
      values.insert_range(op->getOperands());
    } else {
      return false;
    }
  }
  return reads;
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

  /// All adjacent elements of a lane can be one access.
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
    takeLast(b, read, *access);
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

  FailureOr<std::optional<Layout>>
  getRequestedLayout(Operation *op, const Workgroup &workgroup) const {
    auto write = cast<vector::TransferWriteOp>(op);
    if (!storesUnpacked(write))
      return std::optional<Layout>();
    VectorType type = write.getVectorType();
    return std::optional(getBlockedLayout(
        type.getShape(), llvm::divideCeil(getElementBits(type), 8), workgroup));
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

//===----------------------------------------------------------------------===//
// Scalar stores
//===----------------------------------------------------------------------===//

/// Returns whether every thread has its own copy of `memory`.
static bool isPrivate(Value memory) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
      cast<MemRefType>(memory.getType()).getMemorySpace());
  if (space && space.getValue() == gpu::AddressSpace::Private)
    return true;
  return linalg_ext::getViewedBuffer(memory)
             .getDefiningOp<memref::AllocaOp>() != nullptr;
}

/// Returns whether single threads write to `memory`, as to the slots of a ring.
static bool isOfRing(Value memory) {
  Operation *alloc = linalg_ext::getViewedBuffer(memory).getDefiningOp();
  return alloc && alloc->hasAttr(getRingAttrName());
}

namespace {
/// A scalar that a workgroup stores is stored once.
struct StoreModel
    : LayoutOpInterface::ExternalModel<StoreModel, memref::StoreOp> {
  /// A vector that is an element of a buffer is not divided among threads.
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
  });
  registry.addExtension(+[](MLIRContext *context, memref::MemRefDialect *) {
    memref::StoreOp::attachInterface<StoreModel>(*context);
  });
  registerGatherLayoutModels(registry);
}
