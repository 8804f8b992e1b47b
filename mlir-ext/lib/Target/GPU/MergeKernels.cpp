//===- MergeKernels.cpp - Deduplication of kernels ------------------------===//
//
// A program has repeated parts: layers, heads, projections of one shape. Each
// launch becomes a kernel. LLVM and the vendor's assembler take most of the
// compile time, so identical kernels are merged before. Kernels are compared by
// a hash first, and then op by op, as in upstream's
// DuplicateFunctionElimination.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"

#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

#include <unordered_map>

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the attributes of `kernel` except for its name and its number among
/// the kernels of the module.
static DictionaryAttr getAttributes(gpu::GPUFuncOp kernel) {
  MLIRContext *context = kernel.getContext();
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  if (std::optional<vector_ext::KernelMark> mark =
          vector_ext::getKernelMark(kernel)) {
    mark->number = 0;
    attributes.set(vector_ext::getKernelAttrName(), mark->getAttr(context));
  }
  return attributes.getDictionary(context);
}

// Hashes `kernel` as upstream's DuplicateFunctionElimination, which handles
// only func.func, hashes functions.

static llvm::hash_code hash(gpu::GPUFuncOp kernel) {
  llvm::hash_code result = hash_value(getAttributes(kernel));
  kernel.getBody().walk([&](Operation *op) {
    result = llvm::hash_combine(result,
                                OperationEquivalence::computeHash(
                                    op, OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::ignoreHashValue,
                                    OperationEquivalence::IgnoreLocations));
  });
  return result;
}

static bool isSame(gpu::GPUFuncOp lhs, gpu::GPUFuncOp rhs) {
  return getAttributes(lhs) == getAttributes(rhs) &&
         OperationEquivalence::isRegionEquivalentTo(
             &lhs.getBody(), &rhs.getBody(),
             OperationEquivalence::IgnoreLocations);
}

void mlir::linalg_ext::mergeKernels(ModuleOp module) {
  // For each kernel that is merged, the first kernel that equals it.
  DenseMap<Attribute, SymbolRefAttr> replacements;
  SmallVector<gpu::GPUFuncOp> others;
  for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
    // The kernels so far by their hash. Computing a hash takes a walk, so it is
    // done once for each kernel.
    std::unordered_map<size_t, SmallVector<gpu::GPUFuncOp, 1>> seen;
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
      if (!kernel.isKernel())
        continue;
      SmallVector<gpu::GPUFuncOp, 1> &alike = seen[hash(kernel)];
      auto *first = llvm::find_if(
          alike, [&](gpu::GPUFuncOp other) { return isSame(other, kernel); });
      if (first == alike.end()) {
        alike.push_back(kernel);
        continue;
      }
      auto getRef = [&](gpu::GPUFuncOp kernel) {
        return SymbolRefAttr::get(kernels.getNameAttr(),
                                  {FlatSymbolRefAttr::get(kernel)});
      };
      replacements[getRef(kernel)] = getRef(*first);
      others.push_back(kernel);
    }
  }
  if (others.empty())
    return;

  module.walk([&](gpu::LaunchFuncOp launch) {
    if (SymbolRefAttr kernel = replacements.lookup(launch.getKernelAttr()))
      launch.setKernelAttr(kernel);
  });
  // Any other reference to a kernel keeps it.
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (gpu::GPUFuncOp kernel : others)
    if (users.useEmpty(kernel))
      kernel.erase();
}
