//===- FetchLines.cpp - Loads that fetch the rest of a line ---------------===//
//
// In a product with weights of bytes, a thread loads 16 bytes of a column, and
// the threads of a subgroup 64 bytes of each of several columns. Other
// subgroups, or the next iterations, read the bytes behind them. Memory returns
// them sooner if the first load asks for all of a run of 256 bytes. The bytes
// are read once, so they should not replace rows of the other operand in the
// cache of the processor.
//
// LLVM has neither of these qualifiers. This step finds the loads, and
// linalg-ext-gpu-convert-kernels writes them.
//
//===----------------------------------------------------------------------===//

#include "RegisterWorkarounds.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The bytes of a load, and of a run that is fetched.
static constexpr int64_t kLoadedBytes = 16, kFetchedBytes = 256;

/// Returns whether `load` can get the qualifiers.
static bool canFetch(vector::LoadOp load) {
  VectorType type = load.getVectorType();
  MemRefType memory = load.getMemRefType();
  return type.getRank() == 1 && type.getElementType().isInteger(8) &&
         type.getNumElements() == kLoadedBytes &&
         memory.getElementType().isInteger(8) &&
         load.getAlignment().value_or(0) >= kLoadedBytes &&
         isReadOnly(load.getBase());
}

/// Returns whether iterations of `loop` read different parts of the same rows
/// by `load`, and whole runs are in one row.
static bool readsAlongRows(scf::ForOp loop, vector::LoadOp load) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (load.getIndices().size() < 2 ||
      failed(load.getMemRefType().getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides.front()) ||
      strides.front() % kFetchedBytes != 0 || strides.back() != 1)
    return false;
  return loop.isDefinedOutsideOfLoop(load.getIndices().front()) &&
         !llvm::all_of(load.getIndices(), [&](Value index) {
           return loop.isDefinedOutsideOfLoop(index);
         });
}

static bool multiplies(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](nvgpu::MmaSyncOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

void mlir::linalg_ext::fetchLines(Operation *scope) {
  scope->walk([&](gpu::GPUFuncOp kernel) {
    llvm::DenseSet<Value> fetched;
    kernel.walk([&](scf::ForOp loop) {
      if (!multiplies(loop))
        return;
      loop.getBody()->walk([&](vector::LoadOp load) {
        if (canFetch(load) && readsAlongRows(loop, load))
          fetched.insert(load.getBase());
      });
    });
    // Loads in front of a loop read the first bytes of its rows.
    kernel.walk([&](vector::LoadOp load) {
      if (fetched.contains(load.getBase()) && canFetch(load))
        load->setAttr(kFetchAttr, UnitAttr::get(load.getContext()));
    });
  });
}
