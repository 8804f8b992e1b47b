//===- Mutations.cpp - Changes of kernels that tests must find ------------===//
//
// See Mutations.h.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <string>

using namespace linalg_ext_test;
using oracle::Tensor;

namespace {
/// A change of one op of a kernel.
struct Mutation {
  const char *name;
  std::function<bool(mlir::Operation *)> applies;
  std::function<void(mlir::Operation *)> apply;
};
} // namespace

static std::vector<Mutation> getMutations() {
  using namespace mlir;
  auto erase = [](Operation *op) { op->erase(); };
  auto is = [](auto tag) {
    return [](Operation *op) { return isa<decltype(tag)>(op); };
  };
  /// Changes the number of bytes by 16, or of arrivals by one.
  auto change = [](unsigned operand, int64_t by) {
    return [=](Operation *op) {
      OpBuilder b(op);
      Value step = arith::ConstantIndexOp::create(b, op->getLoc(), by);
      op->setOperand(operand,
                     arith::AddIOp::create(b, op->getLoc(),
                                           op->getOperand(operand), step));
    };
  };
  auto isMulticast = [](Operation *op) {
    auto load = dyn_cast<nvgpu::TmaAsyncLoadOp>(op);
    return load && load.getMulticastMask();
  };
  using Wait = nvgpu::MBarrierTryWaitParityOp;
  using Arrive = nvgpu::MBarrierArriveExpectTxOp;
  return {
      {"no wait", is(Wait()), erase},
      {"other phase", is(Wait()),
       [](Operation *op) {
         auto wait = cast<Wait>(op);
         OpBuilder b(op);
         Value one = arith::ConstantIntOp::create(b, op->getLoc(), 1, 1);
         wait.getPhaseParityMutable().assign(arith::XOrIOp::create(
             b, op->getLoc(), wait.getPhaseParity(), one));
       }},
      {"no arrival", is(Arrive()), erase},
      {"more bytes", is(Arrive()), change(1, 16)},
      {"more arrivals", is(nvgpu::MBarrierInitOp()), change(1, 1)},
      {"no barrier", is(nvgpu::MBarrierInitOp()), erase},
      // To free a slot in the first iteration, which frees that of the
      // iteration before.
      {"release under fewer conditions",
       [](Operation *op) {
         auto arrive = dyn_cast<Arrive>(op);
         return arrive && isConstantIntValue(arrive.getTxcount(), 0) &&
                arrive.getPredicate() &&
                arrive.getPredicate().getDefiningOp<arith::AndIOp>();
       },
       [](Operation *op) {
         auto arrive = cast<Arrive>(op);
         arrive.getPredicateMutable().assign(
             arrive.getPredicate().getDefiningOp<arith::AndIOp>().getLhs());
       }},
      {"no copy", is(nvgpu::TmaAsyncLoadOp()), erase},
      {"no store of a box", is(nvgpu::TmaAsyncStoreOp()), erase},
      {"no end of a group of stores", is(NVVM::CpAsyncBulkCommitGroupOp()),
       erase},
      {"no wait for stores", is(NVVM::CpAsyncBulkWaitGroupOp()), erase},
      {"no barrier of a subgroup at stores",
       [](Operation *op) {
         return isa<NVVM::SyncWarpOp>(op) &&
                !op->getBlock()->getOps<NVVM::CpAsyncBulkWaitGroupOp>().empty();
       },
       erase},
      {"no copy by a thread", is(nvgpu::DeviceAsyncCopyOp()), erase},
      {"no arrival of copies", is(NVVM::CpAsyncMBarrierArriveOp()), erase},
      {"no barrier of all", is(gpu::BarrierOp()), erase},
      {"no barrier of a role or wait for a turn", is(NVVM::BarrierOp()), erase},
      {"no end of a turn", is(NVVM::BarrierArriveOp()), erase},
      {"turn of another group", is(NVVM::BarrierArriveOp()),
       [](Operation *op) {
         OpBuilder b(op);
         Value one = arith::ConstantIntOp::create(b, op->getLoc(), 1, 32);
         op->setOperand(
             0, arith::AddIOp::create(b, op->getLoc(), op->getOperand(0), one));
       }},
      {"no barrier of a cluster", is(vector_ext::ClusterBarrierOp()), erase},
      {"no arrival in a cluster", is(vector_ext::ClusterArriveOp()), erase},
      {"arrivals at the own workgroup", is(vector_ext::ClusterArriveOp()),
       [](Operation *op) {
         auto arrive = cast<vector_ext::ClusterArriveOp>(op);
         OpBuilder b(op);
         arrive.getWorkgroupMutable().assign(gpu::ClusterBlockIdOp::create(
             b, op->getLoc(), gpu::Dimension::x));
       }},
      {"no copy to other workgroups", isMulticast,
       [](Operation *op) {
         cast<nvgpu::TmaAsyncLoadOp>(op).getMulticastMaskMutable().clear();
       }},
      {"a copy to one workgroup", isMulticast,
       [](Operation *op) {
         OpBuilder b(op);
         cast<nvgpu::TmaAsyncLoadOp>(op).getMulticastMaskMutable().assign(
             arith::ConstantIntOp::create(b, op->getLoc(), b.getI16Type(), 1));
       }},
      {"no fence of ordinary writes", is(NVVM::FenceProxyOp()), erase},
      {"no wait for earlier products", is(vector_ext::AwaitEarlierOp()), erase},
      {"no wait for products", is(vector_ext::AwaitOp()), [](Operation *op) {
         op->replaceAllUsesWith(op->getOperands());
         op->erase();
       }}};
}

bool linalg_ext_test::isOfSkippedTile(mlir::Operation *op) {
  using namespace mlir;
  std::string name = vector_ext::getSkipsRowsAttrName();
  for (Operation *parent = op->getParentOp(); parent;
       op = parent, parent = parent->getParentOp())
    if (parent->hasAttr(name) && op->getParentRegion() == &parent->getRegion(0))
      return true;
  return false;
}

bool linalg_ext_test::isWrong(mlir::ModuleOp device,
                              const std::vector<Tensor> &inputs,
                              const Tensor &want, double bound,
                              std::string &error) {
  using Order = mlir::linalg_ext::simt::Options::Order;
  std::vector<Tensor> arguments = inputs;
  arguments.emplace_back(want.shape);
  for (auto order : {Order::CopiesLast, Order::CopiesFirst, Order::Seeded}) {
    SimulationOptions simulation;
    simulation.interpreter.order = order;
    simulation.interpreter.maxOps = 10000000;
    simulation.uninitialized = {static_cast<unsigned>(inputs.size())};
    Simulation result = simulate(device, "main", arguments, simulation);
    error = result.error;
    if (!result.ok())
      return true;
    for (int64_t i = 0; i < want.size(); ++i)
      if (!(std::abs(result.arguments.back().data[i] - want.data[i]) <= bound))
        return true;
  }
  return false;
}

int64_t linalg_ext_test::checkMutations(
    mlir::ModuleOp device, const std::vector<Tensor> &inputs,
    const Tensor &want, double bound,
    llvm::function_ref<bool(mlir::Operation *)> isMutated) {
  using namespace mlir;
  auto isFound = [&](ModuleOp module, std::string &error) {
    return isWrong(module, inputs, want, bound, error);
  };
  std::string error;
  EXPECT_FALSE(isFound(device, error)) << "not mutated: " << error;
  int64_t numMutations = 0;
  for (const Mutation &mutation : getMutations()) {
    SmallVector<Operation *> ops;
    device->walk([&](Operation *op) {
      if (mutation.applies(op) &&
          (isMutated ? isMutated(op) : !isOfSkippedTile(op)))
        ops.push_back(op);
    });
    for (Operation *original : ops) {
      IRMapping mapping;
      OwningOpRef<Operation *> copy(device->clone(mapping));
      Operation *op = mapping.lookup(original);
      std::string text;
      llvm::raw_string_ostream(text) << *op;
      mutation.apply(op);
      ++numMutations;
      EXPECT_TRUE(isFound(cast<ModuleOp>(*copy), error))
          << mutation.name << ": " << text;
    }
  }
  if (isMutated)
    return numMutations;
  // One fence would do for all barriers.
  OwningOpRef<ModuleOp> copy = device.clone();
  copy->walk([](NVVM::FenceMbarrierInitOp fence) { fence.erase(); });
  EXPECT_TRUE(isFound(*copy, error)) << "no fence";
  return numMutations + 1;
}
