//===- Clusters.cpp - Ops on clusters to NVVM -----------------------------===//
//
// See Clusters.h. An arrival at a barrier of another workgroup is inline
// assembly, as NVVM's has no predicate.
//
//===----------------------------------------------------------------------===//

#include "Clusters.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using vector_ext::ClusterArriveOp;
using vector_ext::ClusterBarrierOp;

/// The first chip with clusters.
static constexpr int kFirstChip = 90;

static LogicalResult checkChip(gpu::GPUModuleOp module, Operation *op) {
  for (Attribute target : module.getTargetsAttr())
    if (auto nvvm = dyn_cast<NVVM::NVVMTargetAttr>(target)) {
      int chip = 0;
      StringRef name = nvvm.getChip();
      if (!name.consume_front("sm_") || name.consumeInteger(10, chip) ||
          chip < kFirstChip)
        return op->emitOpError()
               << "expected a chip with clusters, sm_" << kFirstChip
               << " or later, got " << nvvm.getChip();
    }
  return success();
}

static void lowerBarrier(ClusterBarrierOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  // Not all threads of a warp need get here together.
  NVVM::ClusterArriveOp::create(b, /*aligned=*/UnitAttr());
  NVVM::ClusterWaitOp::create(b, /*aligned=*/UnitAttr());
  op->erase();
}

static LogicalResult lowerArrival(ClusterArriveOp op) {
  if (!isa<nvgpu::MBarrierGroupType>(op.getBarriers().getType()))
    return op.emitOpError()
           << "expected mbarriers, got " << op.getBarriers().getType();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Type i32 = b.getI32Type();
  Value own =
      nvgpu::MBarrierGetOp::create(b, i32, op.getBarriers(), op.getIndex());
  Value workgroup = arith::IndexCastOp::create(b, i32, op.getWorkgroup());
  LLVM::InlineAsmOp::create(
      b, /*res=*/TypeRange(), ValueRange{own, workgroup, op.getCondition()},
      "{\n"
      "  .reg .b32 at;\n"
      "  @$2 mapa.shared::cluster.u32 at, $0, $1;\n"
      "  @$2 mbarrier.arrive.shared::cluster.b64 _, [at];\n"
      "}",
      "r,r,b,~{memory}", /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
  op->erase();
  return success();
}

LogicalResult mlir::nvgpu_ext::lowerClusters(gpu::GPUModuleOp module) {
  SmallVector<ClusterBarrierOp> barriers;
  SmallVector<ClusterArriveOp> arrivals;
  module.walk([&](ClusterBarrierOp op) { barriers.push_back(op); });
  module.walk([&](ClusterArriveOp op) { arrivals.push_back(op); });
  if (barriers.empty() && arrivals.empty())
    return success();
  if (failed(checkChip(module, barriers.empty()
                                   ? arrivals.front().getOperation()
                                   : barriers.front().getOperation())))
    return failure();
  for (ClusterBarrierOp op : barriers)
    lowerBarrier(op);
  for (ClusterArriveOp op : arrivals)
    if (failed(lowerArrival(op)))
      return failure();
  return success();
}
