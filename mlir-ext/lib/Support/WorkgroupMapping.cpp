//===- WorkgroupMapping.cpp - Mapping of loops to workgroups --------------===//
//
// See WorkgroupMapping.h. Numbers the `#gpu.block<linear_dim_i>` attributes, so
// that the innermost loop is linear_dim_0.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/WorkgroupMapping.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::linalg_ext;

SmallVector<Attribute>
mlir::linalg_ext::getWorkgroupMapping(MLIRContext *context, unsigned numLoops) {
  constexpr unsigned kNumLinearDims = 10;
  SmallVector<Attribute> mapping;
  if (numLoops > kNumLinearDims)
    return mapping;
  for (unsigned loop = 0; loop < numLoops; ++loop)
    mapping.push_back(gpu::GPUBlockMappingAttr::get(
        context, static_cast<gpu::MappingId>(
                     static_cast<unsigned>(gpu::MappingId::LinearDim0) +
                     (numLoops - 1 - loop))));
  return mapping;
}
