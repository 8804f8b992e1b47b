//===- PrefetchRows.cpp - Prefetch of the next row ------------------------===//
//
// A workgroup that holds a long row in registers occupies its whole processor.
// While it computes, no other workgroup of this processor reads memory. It
// therefore prefetches the row that its processor will probably compute next,
// right after it has loaded its own row.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the loads of 16 bytes in `launch` that read a row of a buffer from
/// outside: the row with the number of the workgroup. Each thread executes each
/// of them at most once.
static SmallVector<vector::LoadOp> getRowLoads(gpu::LaunchOp launch) {
  SmallVector<vector::LoadOp> loads;
  launch.getBody().walk([&](vector::LoadOp load) {
    MemRefType type = load.getMemRefType();
    VectorType vector = load.getVectorType();
    if (type.getRank() < 2 ||
        load.getIndices().front() != Value(launch.getBlockIds().x) ||
        !type.getElementType().isIntOrFloat() ||
        vector.getNumElements() * type.getElementTypeBitWidth() != 128 ||
        load->getParentOfType<LoopLikeOpInterface>() ||
        gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type))
      return;
    loads.push_back(load);
  });
  return loads;
}

bool mlir::linalg_ext::prefetchRows(RewriterBase &rewriter,
                                    gpu::LaunchOp launch, int64_t elements,
                                    int64_t distance, int64_t maxBytes) {
  std::optional<int64_t> threads = getConstantIntValue(launch.getBlockSizeX());
  SmallVector<vector::LoadOp> loads = getRowLoads(launch);
  int64_t perThread = 0;
  for (vector::LoadOp load : loads)
    perThread += load.getVectorType().getNumElements();
  if (!threads || *threads * perThread < elements)
    return false;
  int64_t rowBytes = *threads * 16 * static_cast<int64_t>(loads.size());
  if (rowBytes * distance > maxBytes)
    return false;
  OpBuilder::InsertionGuard guard(rewriter);
  for (vector::LoadOp load : loads) {
    rewriter.setInsertionPoint(load);
    ImplicitLocOpBuilder b(load.getLoc(), rewriter);
    // The last workgroups prefetch the last row.
    Value rows = memref::DimOp::create(b, load.getBase(), 0);
    Value last =
        arith::SubIOp::create(b, rows, arith::ConstantIndexOp::create(b, 1));
    SmallVector<Value> indices(load.getIndices());
    indices.front() = arith::MinUIOp::create(
        b, last,
        arith::AddIOp::create(b, indices.front(),
                              arith::ConstantIndexOp::create(b, distance)));
    // After the loads that the workgroup itself waits for.
    b.setInsertionPointAfter(load);
    memref::PrefetchOp::create(b, load.getBase(), indices, /*isWrite=*/false,
                               /*localityHint=*/2, /*isDataCache=*/true);
  }
  return true;
}
