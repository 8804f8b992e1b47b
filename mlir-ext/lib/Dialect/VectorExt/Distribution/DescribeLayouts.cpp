//===- DescribeLayouts.cpp - Layouts of a kernel, for programs ------------===//
//
// See DescribeLayouts.h.
//
//===----------------------------------------------------------------------===//

#include "DescribeLayouts.h"
#include "mlir-ext/Dialect/VectorExt/IR/Kernels.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::vector_ext;
namespace json = llvm::json;

static std::string printLocation(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = loc->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ":" << file.getLine() << ":"
       << file.getColumn();
  else
    os << loc;
  return text;
}

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

template <typename RangeT>
static json::Array makeArray(RangeT &&values) {
  json::Array array;
  for (auto value : values)
    array.push_back(static_cast<int64_t>(value));
  return array;
}

static json::Object describe(const layout::SharedLayout &layout) {
  const layout::Swizzle &swizzle = layout.getSwizzle();
  return json::Object{
      {"shape", makeArray(layout.getShape())},
      {"order", makeArray(layout.getOrder())},
      {"bits", layout.getBitWidth()},
      {"panel", layout.getPanelColumns()},
      {"padding", layout.getPadding()},
      {"swizzle", json::Array{swizzle.bits, swizzle.base, swizzle.shift}},
      {"bytes", layout.getSizeInBytes()}};
}

static json::Object describe(const layout::AccessCost &cost) {
  return json::Object{{"instructions", cost.numInstructions},
                      {"wavefronts", cost.numWavefronts},
                      {"least_wavefronts", cost.minWavefronts}};
}

/// Adds `object` to `array`, unless it has an equal one, as it may have for
/// peeled loops.
static void addOnce(json::Array &array, json::Object object) {
  json::Value value(std::move(object));
  if (!llvm::is_contained(array, value))
    array.push_back(std::move(value));
}

json::Object mlir::vector_ext::describeLayouts(Operation *scope,
                                               const LayoutAnalysis &analysis,
                                               const Workgroup &workgroup) {
  json::Array vectors, shared;
  scope->walk([&](Operation *op) {
    auto add = [&](StringRef role, Value value) {
      std::optional<layout::Layout> layout = isa<VectorType>(value.getType())
                                                 ? analysis.lookup(value)
                                                 : std::nullopt;
      if (layout && !value.getDefiningOp<SharedTileOp>())
        addOnce(vectors, json::Object{{"op", op->getName().getStringRef()},
                                      {"location", printLocation(op->getLoc())},
                                      {"role", role},
                                      {"type", printType(value.getType())},
                                      {"layout", layout->str()},
                                      {"registers", layout->getNumRegisters()},
                                      {"threads_per_element",
                                       layout->getReplication()}});
    };
    if (auto contract = dyn_cast<vector::ContractionOp>(op)) {
      add("left", contract.getLhs());
      add("right", contract.getRhs());
      add("result", contract.getResult());
    } else if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
      add("source", reduction.getSource());
      add("result", reduction.getResult());
    } else if (auto tile = dyn_cast<SharedTileOp>(op)) {
      addOnce(shared,
              json::Object{{"location", printLocation(op->getLoc())},
                           {"type", printType(tile.getResult().getType())},
                           {"layout", describe(tile.getLayout().getLayout())}});
    }
  });
  return json::Object{{"lanes", workgroup.numLanes},
                      {"subgroups", workgroup.numSubgroups},
                      {"vectors", std::move(vectors)},
                      {"shared", std::move(shared)}};
}

void mlir::vector_ext::describeExchanges(ArrayRef<SharedExchange> exchanges,
                                         json::Object &object) {
  json::Array &shared = *object.getArray("shared");
  for (const SharedExchange &exchange : exchanges) {
    json::Object entry{{"location", printLocation(exchange.loc)},
                       {"type", printType(exchange.type)},
                       {"layout", describe(exchange.shared)},
                       {"from", exchange.from.str()}};
    if (exchange.to)
      entry["to"] = exchange.to->str();
    if (exchange.write)
      entry["write"] = describe(*exchange.write);
    if (exchange.read)
      entry["read"] = describe(*exchange.read);
    addOnce(shared, std::move(entry));
  }
}

void mlir::vector_ext::emitLayouts(Operation *scope, StringRef functionName,
                                   json::Object object) {
  Operation *kernel = scope;
  if (auto role = dyn_cast<RoleOp>(scope)) {
    kernel = role->getParentOfType<gpu::LaunchOp>();
    if (!kernel)
      kernel = role->getParentOfType<gpu::GPUFuncOp>();
  }
  auto function = dyn_cast<FunctionOpInterface>(kernel);
  if (!function)
    function = kernel->getParentOfType<FunctionOpInterface>();
  object["function"] = function ? function.getName() : functionName;
  object["location"] = printLocation(kernel->getLoc());
  object["is_role"] = scope != kernel;
  if (std::optional<KernelMark> mark = getKernelMark(kernel)) {
    object["way"] = getWayName(mark->way);
    object["slots"] = mark->slots;
    object["persistent"] = mark->persist != 0;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "data: "
     << json::Value(json::Object{{"kernel", json::Value(std::move(object))}});
  mlir::emitRemark(kernel->getLoc()) << text;
}
