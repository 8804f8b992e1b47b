//===- PlannedLaunches.cpp - A call as a launcher makes it ----------------===//
//
// See PlannedLaunches.h.
//
//===----------------------------------------------------------------------===//

#include "PlannedLaunches.h"

#include "mlir-ext/Runtime/LaunchPlan.h"
#include "mlir-ext/Runtime/Program.h"
#include "mlir-ext/Target/GPU/Manifest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
namespace json = llvm::json;

/// The manifest of `function` alone, with the constants of its module; an error
/// in `error` if there is none.
static json::Value getManifest(func::FuncOp function, std::string &error) {
  auto module = function->getParentOfType<ModuleOp>();
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (error.empty())
          error = "no manifest: " + diagnostic.str();
        return success();
      });
  FailureOr<json::Object> entry = buildManifestEntry(function);
  FailureOr<ManifestConstants> constants = buildManifestConstants(module);
  if (failed(entry) || failed(constants))
    return nullptr;
  json::Array entries;
  entries.push_back(std::move(*entry));
  return json::Object{{"version", 6},
                      {"target", "nvidia"},
                      {"chip", "any"},
                      {"image", "none"},
                      {"constants", std::move(constants->descriptions)},
                      {"entries", std::move(entries)}};
}

/// The arguments of a call, as the plan wants them.
static SmallVector<ArgumentValue> describe(func::FuncOp function,
                                           ArrayRef<oracle::Tensor> arguments) {
  SmallVector<ArgumentValue> values;
  for (auto [type, tensor] :
       llvm::zip_equal(function.getArgumentTypes(), arguments)) {
    ArgumentValue &value = values.emplace_back();
    value.isBuffer = isa<MemRefType>(type);
    if (value.isBuffer)
      llvm::append_range(value.shape, tensor.shape);
    // NaN is memory that nothing has been written to.
    if (tensor.size() != 1 || !std::isfinite(tensor.data[0]))
      continue;
    value.hasValue = true;
    if (getElementTypeOrSelf(type).isIntOrIndex())
      value.value = static_cast<int64_t>(tensor.data[0]);
    else
      value.value = tensor.data[0];
  }
  return values;
}

namespace {
/// Builds the launches of a plan.
class PlanBuilder {
public:
  PlanBuilder(func::FuncOp function, const LaunchPlan &plan,
              ArrayRef<std::string> constants)
      : function(function), plan(plan), constants(constants),
        b(function.getLoc(), function.getContext()) {}
  std::string build();

private:
  Value getIndex(int64_t number) {
    return arith::ConstantIndexOp::create(b, number);
  }
  Value getBuffer(const KernelArgument &argument, MemRefType type);
  Value getMap(const KernelArgument &argument, Type type);
  Value getNumber(uint64_t bits, Type type);

  func::FuncOp function;
  const LaunchPlan &plan;
  ArrayRef<std::string> constants;
  ImplicitLocOpBuilder b;
  SmallVector<Value> temporaries;
};
} // namespace

/// The pointer that `argument` is, as a buffer of `type`; null if that is not
/// known here.
Value PlanBuilder::getBuffer(const KernelArgument &argument, MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return {};
  if (argument.kind == KernelArgument::Temporary)
    return memref::ViewOp::create(b, type, temporaries[argument.index],
                                  getIndex(argument.bits), ValueRange());
  Value buffer;
  if (argument.kind == KernelArgument::Argument)
    buffer = function.getArgument(argument.index);
  else
    buffer = memref::GetGlobalOp::create(
        b,
        function->getParentOfType<ModuleOp>()
            .lookupSymbol<memref::GlobalOp>(constants[argument.index])
            .getType(),
        constants[argument.index]);
  auto known = cast<MemRefType>(buffer.getType());
  if (argument.bits != 0 || !known.getLayout().isIdentity())
    return {};
  if (known == type)
    return buffer;
  auto [strides, offset] = type.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(b, type, buffer, offset,
                                           type.getShape(), strides);
}

Value PlanBuilder::getMap(const KernelArgument &argument, Type type) {
  auto box = cast<nvgpu::TensorMapDescriptorType>(type).getTensor();
  int64_t bytes = box.getElementTypeBitWidth() / 8;
  const TensorMap &map = *argument.map;
  // The innermost dimension is the first one of a map.
  SmallVector<int64_t> sizes(llvm::reverse(map.sizes)), strides;
  for (int64_t stride : llvm::reverse(map.strides))
    strides.push_back(stride / bytes);
  strides.push_back(1);
  Value source;
  if (argument.kind == KernelArgument::Temporary)
    source = memref::ViewOp::create(
        b, MemRefType::get({}, box.getElementType()),
        temporaries[argument.index], getIndex(argument.bits), ValueRange());
  else if (argument.kind == KernelArgument::Argument && argument.bits == 0)
    source = function.getArgument(argument.index);
  else
    return {};
  auto whole = MemRefType::get(
      sizes, box.getElementType(),
      StridedLayoutAttr::get(b.getContext(), /*offset=*/0, strides));
  Value view = memref::ReinterpretCastOp::create(b, whole, source,
                                                 /*offset=*/0, sizes, strides);
  view = memref::CastOp::create(
      b, UnrankedMemRefType::get(box.getElementType(), Attribute()), view);
  SmallVector<Value> boxSizes;
  for (int64_t size : llvm::reverse(map.box))
    boxSizes.push_back(getIndex(size));
  return nvgpu::TmaCreateDescriptorOp::create(b, type, view, boxSizes);
}

Value PlanBuilder::getNumber(uint64_t bits, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  llvm::APInt number(width, bits, /*isSigned=*/false, /*implicitTrunc=*/true);
  if (auto real = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(
        b,
        FloatAttr::get(type, llvm::APFloat(real.getFloatSemantics(), number)));
  return arith::ConstantOp::create(b, IntegerAttr::get(type, number));
}

std::string PlanBuilder::build() {
  Block &body = function.getBody().front();
  b.setInsertionPointToStart(&body);
  for (const PlannedBuffer &buffer : plan.temporaries)
    temporaries.push_back(memref::AllocOp::create(
        b,
        MemRefType::get({std::max<int64_t>(buffer.numBytes, 1)}, b.getI8Type()),
        b.getI64IntegerAttr(256)));
  auto module = function->getParentOfType<ModuleOp>();
  llvm::StringMap<gpu::GPUFuncOp> kernels;
  module.walk(
      [&](gpu::GPUFuncOp kernel) { kernels[kernel.getName()] = kernel; });
  for (const PlannedLaunch &launch : plan.launches) {
    gpu::GPUFuncOp kernel = kernels.lookup(launch.kernel);
    if (!kernel || kernel.getNumArguments() != launch.arguments.size())
      return "no kernel '" + launch.kernel + "' with its arguments";
    SmallVector<Value> operands;
    for (auto [argument, type] :
         llvm::zip_equal(launch.arguments, kernel.getArgumentTypes())) {
      auto buffer = dyn_cast<MemRefType>(type);
      Value operand = argument.map ? getMap(argument, type)
                      : buffer     ? getBuffer(argument, buffer)
                                   : getNumber(argument.bits, type);
      if (!operand)
        return "a launch of '" + launch.kernel +
               "' has an argument that is not simulated";
      operands.push_back(operand);
    }
    auto getDims = [&](const std::array<int64_t, 3> &sizes) {
      return gpu::KernelDim3{getIndex(sizes[0]), getIndex(sizes[1]),
                             getIndex(sizes[2])};
    };
    Value shared = arith::ConstantIntOp::create(b, launch.sharedBytes, 32);
    gpu::LaunchFuncOp::create(b, kernel, getDims(launch.grid),
                              getDims(launch.block), shared, operands);
  }
  Operation *end = func::ReturnOp::create(b);
  // What was there.
  while (&body.back() != end)
    body.back().erase();
  return "";
}

std::string
linalg_ext_test::launchAsPlanned(func::FuncOp function,
                                 ArrayRef<oracle::Tensor> arguments) {
  std::string error;
  json::Value manifest = getManifest(function, error);
  if (!error.empty())
    return error;
  if (llvm::Error invalid = checkManifest(manifest))
    return llvm::toString(std::move(invalid));
  llvm::Expected<LaunchPlan> plan = makeLaunchPlan(
      manifest, function.getName(), describe(function, arguments));
  if (!plan)
    return "no plan: " + llvm::toString(plan.takeError());
  std::vector<std::string> constants;
  for (const auto &constant : *manifest.getAsObject()->getObject("constants"))
    constants.push_back(constant.first.str());
  return PlanBuilder(function, *plan, constants).build();
}
