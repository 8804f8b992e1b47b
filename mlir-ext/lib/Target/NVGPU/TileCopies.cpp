//===- TileCopies.cpp - Copies of tiles by TMA ----------------------------===//
//
// Builds upstream's ops for the tensor memory accelerator: a tensor map on the
// host, an mbarrier that counts bytes, loads by one thread, and a wait by all.
//
//===----------------------------------------------------------------------===//

#include "TileCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::vector_ext;
using layout::SwizzleMode;

/// The nanoseconds for which a thread is suspended before it tests the barrier
/// again.
static constexpr int64_t waitTicks = 10000000;

static Attribute getWorkgroupSpace(MLIRContext *context) {
  return gpu::AddressSpaceAttr::get(
      context, gpu::GPUDialect::getWorkgroupAddressSpace());
}

static nvgpu::TensorMapSwizzleKind getSwizzleKind(SwizzleMode mode) {
  switch (mode) {
  case SwizzleMode::None:
    return nvgpu::TensorMapSwizzleKind::SWIZZLE_NONE;
  case SwizzleMode::B128:
    return nvgpu::TensorMapSwizzleKind::SWIZZLE_128B;
  case SwizzleMode::B64:
    return nvgpu::TensorMapSwizzleKind::SWIZZLE_64B;
  case SwizzleMode::B32:
    return nvgpu::TensorMapSwizzleKind::SWIZZLE_32B;
  }
  llvm_unreachable("unknown mode");
}

static Value buildIndex(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

static Value describe(OpBuilder &b, Location loc, Value memory,
                      ArrayRef<int64_t> box, ArrayRef<OpFoldResult> sizes,
                      SwizzleMode mode) {
  auto type = cast<MemRefType>(memory.getType());
  auto unranked =
      UnrankedMemRefType::get(type.getElementType(), type.getMemorySpace());
  // Booleans have a byte each.
  Type element = type.getElementType().isInteger(1) ? b.getI8Type()
                                                    : type.getElementType();
  auto boxType = MemRefType::get(box, element, MemRefLayoutAttrInterface(),
                                 getWorkgroupSpace(b.getContext()));
  auto mapType = nvgpu::TensorMapDescriptorType::get(
      b.getContext(), boxType, getSwizzleKind(mode),
      nvgpu::TensorMapL2PromoKind::L2PROMO_NONE,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  Value any = memref::CastOp::create(b, loc, unranked, memory);
  SmallVector<Value> values =
      llvm::map_to_vector(sizes, [&](OpFoldResult size) {
        return getValueOrCreateConstantIndexOp(b, loc, size);
      });
  return nvgpu::TmaCreateDescriptorOp::create(b, loc, mapType, any, values);
}

static Value createBarriers(OpBuilder &b, Location loc, Value isFirst,
                            int64_t count, int64_t arrivals) {
  auto type = nvgpu::MBarrierGroupType::get(
      b.getContext(), getWorkgroupSpace(b.getContext()), count);
  Value barriers = nvgpu::MBarrierCreateOp::create(b, loc, type);
  for (int64_t i = 0; i < count; ++i)
    nvgpu::MBarrierInitOp::create(b, loc, barriers,
                                  buildIndex(b, loc, arrivals),
                                  buildIndex(b, loc, i), isFirst);
  NVVM::FenceMbarrierInitOp::create(b, loc);
  return barriers;
}

/// Builds the box of `copy` in workgroup memory.
static Value buildBox(OpBuilder &b, Location loc, const TileCopy &copy) {
  MemRefType boxType =
      cast<nvgpu::TensorMapDescriptorType>(copy.source.getType()).getTensor();
  SmallVector<int64_t> strides = computeStrides(boxType.getShape());
  auto viewType = MemRefType::get(
      boxType.getShape(), boxType.getElementType(),
      StridedLayoutAttr::get(b.getContext(), copy.start, strides),
      boxType.getMemorySpace());
  return memref::ReinterpretCastOp::create(
      b, loc, viewType, copy.tile, copy.start, boxType.getShape(), strides);
}

static void start(OpBuilder &b, Location loc, Value isStarter, Value barriers,
                  Value index, OpFoldResult numBytes,
                  ArrayRef<TileCopy> copies) {
  if (!isConstantIntValue(numBytes, 0))
    nvgpu::MBarrierArriveExpectTxOp::create(
        b, loc, barriers, getValueOrCreateConstantIndexOp(b, loc, numBytes),
        index, isStarter);
  for (const TileCopy &copy : copies) {
    Value box = buildBox(b, loc, copy);
    // Tensor maps have the innermost coordinate first.
    SmallVector<Value> coordinates(llvm::reverse(copy.coordinates));
    Value mask;
    if (copy.workgroups > 1)
      mask = arith::ConstantIntOp::create(b, loc, b.getI16Type(),
                                          (int64_t(1) << copy.workgroups) - 1);
    nvgpu::TmaAsyncLoadOp::create(b, loc, box, barriers, copy.source,
                                  coordinates, index, mask, isStarter);
  }
}

/// Arrives at a barrier and expects no bytes, because upstream's plain arrival
/// has no predicate.
static void arrive(OpBuilder &b, Location loc, Value isArriving, Value barriers,
                   Value index) {
  nvgpu::MBarrierArriveExpectTxOp::create(
      b, loc, barriers, buildIndex(b, loc, 0), index, isArriving);
}

static void wait(OpBuilder &b, Location loc, Value barriers, Value index,
                 Value parity) {
  nvgpu::MBarrierTryWaitParityOp::create(b, loc, barriers, parity,
                                         buildIndex(b, loc, waitTicks), index);
}

static void fence(OpBuilder &b, Location loc) {
  MLIRContext *context = b.getContext();
  NVVM::FenceProxyOp::create(
      b, loc, NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
}

static Value elect(OpBuilder &b, Location loc) {
  return NVVM::ElectSyncOp::create(b, loc, b.getI1Type(),
                                   /*membermask=*/Value());
}

static void syncSubgroup(OpBuilder &b, Location loc) {
  Value all = arith::ConstantIntOp::create(b, loc, b.getI32Type(), -1);
  NVVM::SyncWarpOp::create(b, loc, all);
}

static void startStores(OpBuilder &b, Location loc, ArrayRef<TileCopy> copies) {
  for (const TileCopy &copy : copies) {
    Value box = buildBox(b, loc, copy);
    // Tensor maps have the innermost coordinate first.
    SmallVector<Value> coordinates(llvm::reverse(copy.coordinates));
    nvgpu::TmaAsyncStoreOp::create(b, loc, box, copy.source, coordinates,
                                   /*predicate=*/Value());
  }
  NVVM::CpAsyncBulkCommitGroupOp::create(b, loc);
}

static void waitForStores(OpBuilder &b, Location loc) {
  NVVM::CpAsyncBulkWaitGroupOp::create(b, loc, b.getI32IntegerAttr(0),
                                       b.getUnitAttr());
}

static bool isWait(Operation *op) {
  return isa<nvgpu::MBarrierTryWaitParityOp>(op);
}

TileCopies mlir::nvgpu_ext::getTileCopies() {
  return {describe,     createBarriers, start,        arrive,
          wait,         isWait,         fence,        elect,
          syncSubgroup, startStores,    waitForStores};
}
