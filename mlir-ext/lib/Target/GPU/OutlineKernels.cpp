//===- OutlineKernels.cpp - Outlining of gpu.launch -----------------------===//
//
// Runs upstream's kernel outlining, and puts all kernels into one gpu.module.
//
//   1. Sink ops into each launch if their results should not become kernel
//      arguments: views, floats, bits and vectors, and numbers that depend on
//      memory.
//   2. Outline the launches.
//   3. Copy the attributes of each launch to its kernel. Upstream drops them.
//
//===----------------------------------------------------------------------===//

#include "KernelSteps.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/NamedSteps.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUOUTLINEKERNELSPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns a name for the gpu.module that no symbol of `module` has.
static std::string getKernelModuleName(ModuleOp module) {
  SymbolTable symbols(module);
  std::string name = "kernels";
  for (unsigned i = 0; symbols.lookup(name); ++i)
    name = "kernels_" + std::to_string(i);
  return name;
}

/// Returns the numbers of workgroups of a cluster along x, y and z, if `launch`
/// has clusters and these are known.
static std::optional<SmallVector<int32_t>>
getClusterSize(gpu::LaunchOp launch) {
  std::optional<gpu::KernelDim3> size = launch.getClusterSizeOperandValues();
  if (!size)
    return std::nullopt;
  SmallVector<int32_t> known;
  for (Value value : {size->x, size->y, size->z}) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant)
      return std::nullopt;
    known.push_back(static_cast<int32_t>(*constant));
  }
  return known;
}

/// Returns whether the loaded memory may be written between `load` and
/// `launch`, or by a loop that is around the launch but not around the load.
static bool isWrittenBetween(memref::LoadOp load, gpu::LaunchOp launch) {
  auto mayWrite = [&](Operation *op) {
    if (isa<CallOpInterface>(op))
      return true;
    if (isa<ViewLikeOpInterface, memref::DeallocOp>(op) ||
        isMemoryEffectFree(op))
      return false;
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isa<BaseMemRefType>(operand.getType()) &&
             !areOfDistinctBuffers(operand, load.getMemRef()) &&
             !hasSingleEffect<MemoryEffects::Read>(op, operand);
    });
  };
  Operation *last = load->getBlock()->findAncestorOpInBlock(*launch);
  if (last != launch)
    last = last->getNextNode();
  for (Operation *op = load->getNextNode(); op != last; op = op->getNextNode())
    if (op->walk([&](Operation *nested) {
            return mayWrite(nested) ? WalkResult::interrupt()
                                    : WalkResult::advance();
          }).wasInterrupted())
      return true;
  return false;
}

/// Returns whether the body of `launch` should compute `value` itself instead
/// of taking it as an argument.
static bool isSunk(Value value, gpu::LaunchOp launch) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() > 0)
    return false;
  // Sink views. Kernels then take whole buffers, which start where allocations
  // do and do not overlap, and numbers.
  if (isa<BaseMemRefType>(value.getType()))
    return isa<ViewLikeOpInterface>(op) && isPure(op);
  // Sink loaded numbers, which a launcher cannot know.
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return load->getBlock()->findAncestorOpInBlock(*launch) &&
           !isWrittenBetween(load, launch);
  return isPure(op) && (isa<FloatType, VectorType>(value.getType()) ||
                        value.getType().isInteger(1) || isOfMemory(value));
}

/// Computes values that should not be arguments of `launch` in its body.
/// (Upstream's sinking takes an op only if it can take all ops that it needs.)
static void sinkIntoLaunch(gpu::LaunchOp launch) {
  Region &body = launch.getBody();
  while (true) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(body, body, used);
    auto *it =
        llvm::find_if(used, [&](Value value) { return isSunk(value, launch); });
    if (it == used.end())
      return;
    auto builder = OpBuilder::atBlockBegin(&body.front());
    Operation *inside = builder.clone(*it->getDefiningOp());
    for (auto [from, to] : llvm::zip_equal(it->getDefiningOp()->getResults(),
                                           inside->getResults()))
      replaceAllUsesInRegionWith(from, to, body);
  }
}

namespace {
struct LinalgExtGPUOutlineKernelsPass
    : public linalg_ext::impl::LinalgExtGPUOutlineKernelsPassBase<
          LinalgExtGPUOutlineKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    const NamedStep known[] = {
        {"flatten-branches",
         [&] {
           getOperation().walk(
               [](func::FuncOp func) { flattenBranches(func); });
           return success();
         }},
        {"outline", [&] { return outline(getOperation()); }},
        {"abi", [&] { return lowerKernelArguments(getOperation()); }},
        {"merge",
         [&] {
           mergeKernels(getOperation());
           return success();
         }},
        {"wait", [&] { return waitForLaunches(getOperation()); }}};
    if (failed(runNamedSteps(getOperation(), "steps", known, *steps)))
      signalPassFailure();
  }

private:
  LogicalResult outline(ModuleOp module) {
    std::string kernelModule = getKernelModuleName(module);
    // The attributes are found by the name of the kernel, which is made unique
    // here.
    llvm::StringMap<DictionaryAttr> attributes;
    llvm::StringMap<SmallVector<int32_t>> clusters;
    for (auto func : module.getOps<SymbolOpInterface>())
      func->walk([&](gpu::LaunchOp launch) {
        std::string base = launch.getFunction()
                               ? launch.getFunction()->str()
                               : (func.getName() + "_kernel").str();
        std::string name = base;
        for (unsigned i = 0; attributes.contains(name); ++i)
          name = base + "_" + std::to_string(i);
        attributes[name] = launch->getDiscardableAttrDictionary();
        if (std::optional<SmallVector<int32_t>> size = getClusterSize(launch))
          clusters[name] = *size;
        launch.setModule(StringRef(kernelModule));
        launch.setFunction(StringRef(name));
      });
    if (attributes.empty())
      return success();

    module.walk([](gpu::LaunchOp launch) { sinkIntoLaunch(launch); });

    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createGpuLaunchSinkIndexComputationsPass());
    pm.addPass(createGpuKernelOutliningPass());
    if (failed(runPipeline(pm, module)))
      return failure();

    auto kernels = module.lookupSymbol<gpu::GPUModuleOp>(kernelModule);
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      for (NamedAttribute attribute : attributes.lookup(kernel.getName()))
        kernel->setAttr(attribute.getName(), attribute.getValue());
    for (auto kernel : kernels.getOps<gpu::GPUFuncOp>())
      if (auto it = clusters.find(kernel.getName()); it != clusters.end())
        kernel.setKnownClusterSize(it->second);
    return success();
  }
};
} // namespace
