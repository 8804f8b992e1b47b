//===- MergeKernels.cpp - One kernel where several are the same -----------===//
//
// A program repeats itself: layers, heads, projections of one shape. Each launch
// becomes a kernel; what follows (LLVM, the vendor's assembler) takes the most
// time of all, and need not be done twice.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUMERGEKERNELSPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// All that `kernel` says of itself but its name.
static DictionaryAttr getAttributes(gpu::GPUFuncOp kernel) {
  NamedAttrList attributes(kernel->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(kernel.getContext());
}

namespace {
// Of the kind of upstream's DuplicateFunctionElimination, which is for func.func.
struct SameKernel : public llvm::DenseMapInfo<gpu::GPUFuncOp> {
  static unsigned getHashValue(gpu::GPUFuncOp kernel) {
    llvm::hash_code hash = hash_value(getAttributes(kernel));
    kernel.getBody().walk([&](Operation *op) {
      hash = llvm::hash_combine(
          hash, OperationEquivalence::computeHash(
                    op, OperationEquivalence::ignoreHashValue,
                    OperationEquivalence::ignoreHashValue,
                    OperationEquivalence::IgnoreLocations));
    });
    return hash;
  }

  static bool isEqual(gpu::GPUFuncOp lhs, gpu::GPUFuncOp rhs) {
    auto isKey = [](gpu::GPUFuncOp kernel) {
      return kernel == getEmptyKey() || kernel == getTombstoneKey();
    };
    if (lhs == rhs || isKey(lhs) || isKey(rhs))
      return lhs == rhs;
    return getAttributes(lhs) == getAttributes(rhs) &&
           OperationEquivalence::isRegionEquivalentTo(
               &lhs.getBody(), &rhs.getBody(),
               OperationEquivalence::IgnoreLocations);
  }
};

struct LinalgExtGPUMergeKernelsPass
    : public linalg_ext::impl::LinalgExtGPUMergeKernelsPassBase<
          LinalgExtGPUMergeKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // The first of its like that each of the others stands for.
    DenseMap<Attribute, SymbolRefAttr> replacements;
    SmallVector<gpu::GPUFuncOp> others;
    for (auto kernels : module.getOps<gpu::GPUModuleOp>()) {
      llvm::DenseSet<gpu::GPUFuncOp, SameKernel> seen;
      for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
        auto [first, isNew] = seen.insert(kernel);
        if (isNew || !kernel.isKernel())
          continue;
        auto getRef = [&](gpu::GPUFuncOp kernel) {
          return SymbolRefAttr::get(kernels.getNameAttr(),
                                    {FlatSymbolRefAttr::get(kernel)});
        };
        replacements[getRef(kernel)] = getRef(*first);
        others.push_back(kernel);
      }
    }
    if (others.empty())
      return markAllAnalysesPreserved();

    module.walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr kernel = replacements.lookup(launch.getKernelAttr()))
        launch.setKernelAttr(kernel);
    });
    // Whatever else names a kernel keeps it.
    for (gpu::GPUFuncOp kernel : others)
      if (SymbolTable::symbolKnownUseEmpty(kernel, module))
        kernel.erase();
  }
};
} // namespace
