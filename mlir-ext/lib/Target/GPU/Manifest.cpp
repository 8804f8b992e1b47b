//===- Manifest.cpp - Launch manifest of a module -------------------------===//
//
// Reads a host function in the order of its ops: launches, loops around them,
// buffers, and tensor maps. An op that the manifest cannot express is an error.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/Manifest.h"
#include "KernelSteps.h"
#include "ManifestReader.h"
#include "mlir-ext/Support/BufferAccess.h"
#include "mlir-ext/Support/Collective.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::linalg_ext {
#define GEN_PASS_DEF_LINALGEXTGPUMANIFESTPASS
#include "mlir-ext/Target/GPU/Passes.h.inc"
} // namespace mlir::linalg_ext

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string mlir::linalg_ext::getManifestElementName(MemRefType type) {
  return type.getElementType().isIndex() ? "i64"
                                         : printType(type.getElementType());
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// Returns {"argument": i}, {"temporary": k} or {"constant": "name"}. If the
/// view does not start at the start of the buffer, its offset in bytes is
/// added.
FailureOr<json::Value> EntryReader::getBuffer(Value value, Location loc) {
  json::Value offset = 0;
  auto makeBuffer = [&](StringRef kind, json::Value which) {
    json::Object buffer{{kind, std::move(which)}};
    if (offset != json::Value(0))
      buffer["offset"] = std::move(offset);
    return json::Value(std::move(buffer));
  };
  while (Operation *op = value.getDefiningOp()) {
    if (auto it = temporaries.find(op); it != temporaries.end())
      return makeBuffer("temporary", it->second);
    if (auto constant = dyn_cast<memref::GetGlobalOp>(op))
      return makeBuffer("constant", constant.getName());
    if (auto view = dyn_cast<memref::ViewOp>(op)) {
      FailureOr<json::Value> shift = getExpression(view.getByteShift());
      if (failed(shift))
        return failure();
      offset = makeManifestOp("add", std::move(offset), std::move(*shift));
      value = view.getSource();
      continue;
    }
    auto reinterpret = dyn_cast<memref::ReinterpretCastOp>(op);
    bool atStart =
        isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
            memref::ExtractStridedMetadataOp>(op) ||
        (reinterpret &&
         isConstantIntValue(reinterpret.getMixedOffsets().front(), 0));
    if (!atStart)
      return op->emitOpError("cannot be expressed in a manifest: expected an "
                             "argument, an allocation, or a reshape of one");
    value = op->getOperand(0);
  }
  return makeBuffer("argument", cast<BlockArgument>(value).getArgNumber());
}

/// Returns the width in bytes of a tensor map's swizzle, or 0 for none.
static int64_t getSwizzleWidth(nvgpu::TensorMapSwizzleKind kind) {
  switch (kind) {
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_NONE:
    return 0;
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_32B:
    return 32;
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_64B:
    return 64;
  case nvgpu::TensorMapSwizzleKind::SWIZZLE_128B:
    return 128;
  }
  llvm_unreachable("unknown kind");
}

/// Returns the buffer that the tensor map `map` describes, or null if it is
/// unknown.
static Value getMappedBuffer(Value map) {
  auto create = map.getDefiningOp<nvgpu::TmaCreateDescriptorOp>();
  auto cast = create ? create.getTensor().getDefiningOp<memref::CastOp>()
                     : memref::CastOp();
  return cast ? cast.getSource() : Value();
}

/// Returns the buffer of which `view` has the first elements along each
/// dimension.
static Value getWhole(Value view) {
  auto isFirst = [](OpFoldResult offset) {
    return isConstantIntValue(offset, 0);
  };
  auto isDense = [](OpFoldResult step) { return isConstantIntValue(step, 1); };
  while (view) {
    auto part = view.getDefiningOp<memref::SubViewOp>();
    if (!part || part.getSourceType().getRank() != part.getType().getRank() ||
        !llvm::all_of(part.getMixedOffsets(), isFirst) ||
        !llvm::all_of(part.getMixedStrides(), isDense))
      break;
    view = part.getSource();
  }
  return view;
}

/// Returns {"buffer": ..., "type": ..., "sizes": [...], "strides": [...],
/// "box": [...], "swizzle": ...}. The innermost dimension comes first. Each
/// dimension except the innermost one has a stride in bytes.
FailureOr<json::Value> EntryReader::getTensorMap(Value value, Location loc) {
  Value buffer = getMappedBuffer(value);
  Value whole = getWhole(buffer);
  auto type = whole ? dyn_cast<MemRefType>(whole.getType()) : MemRefType();
  if (!type || !type.getLayout().isIdentity())
    return emitError(loc, "expected the tensor map of a dense buffer, or of "
                          "the first elements of its dimensions, as a kernel "
                          "argument, got ")
           << value;
  FailureOr<json::Value> pointer = getBuffer(whole, loc);
  if (failed(pointer))
    return failure();
  auto mapType = cast<nvgpu::TensorMapDescriptorType>(value.getType());
  auto create = value.getDefiningOp<nvgpu::TmaCreateDescriptorOp>();
  json::Array sizes, strides, box;
  MemRefType boxType = mapType.getTensor();
  int64_t bits = boxType.getElementTypeBitWidth();
  json::Value stride = bits / 8;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    FailureOr<json::Value> size = getSize(buffer, dim, loc),
                           room = getSize(whole, dim, loc);
    if (failed(size) || failed(room))
      return failure();
    // If a buffer is empty, nothing is copied, but a tensor map must describe
    // at least one element. Its rows have a multiple of 16 bytes.
    auto makeAtLeast = [](json::Value value, int64_t least) {
      return value.kind() == json::Value::Number
                 ? value
                 : makeManifestOp("max", std::move(value), least);
    };
    int64_t leastRoom = dim == type.getRank() - 1 ? 128 / bits : 1;
    stride = makeManifestOp("mul", std::move(stride),
                            makeAtLeast(std::move(*room), leastRoom));
    if (dim > 0)
      strides.push_back(stride);
    sizes.push_back(makeAtLeast(std::move(*size), 1));
    FailureOr<json::Value> ofBox =
        getExpression(create.getBoxDimensions()[dim]);
    if (failed(ofBox))
      return failure();
    box.push_back(std::move(*ofBox));
  }
  return json::Value(
      json::Object{{"buffer", std::move(*pointer)},
                   {"type", getManifestElementName(boxType)},
                   {"sizes", std::move(sizes)},
                   {"strides", std::move(strides)},
                   {"box", std::move(box)},
                   {"swizzle", getSwizzleWidth(mapType.getSwizzle())}});
}

FailureOr<json::Array> EntryReader::getShape(Operation *allocation) {
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  json::Array shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    FailureOr<json::Value> size =
        getSize(allocation->getResult(0), dim, allocation->getLoc());
    if (failed(size))
      return failure();
    shape.push_back(std::move(*size));
  }
  return shape;
}

FailureOr<json::Object> EntryReader::readTemporary(Operation *allocation) {
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  if (!type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrIndexOrFloat())
    return allocation->emitOpError("expected a buffer of numbers with the "
                                   "identity layout, got ")
           << type;
  FailureOr<json::Array> shape = getShape(allocation);
  if (failed(shape))
    return failure();
  return json::Object{{"type", getManifestElementName(type)},
                      {"shape", std::move(*shape)}};
}

BufferAccess EntryReader::getArgumentAccess(unsigned number) {
  BufferAccess access;
  func.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel()));
    for (unsigned index = 0; index < launch.getNumKernelOperands(); ++index) {
      Value operand = launch.getKernelOperand(index);
      if (Value mapped = getMappedBuffer(operand))
        access.mayRead |= getViewedBuffer(mapped) == func.getArgument(number);
      if (!isa<BaseMemRefType>(operand.getType()) ||
          getViewedBuffer(operand) != func.getArgument(number))
        continue;
      auto has = [&](StringRef name) {
        return kernel && kernel.getArgAttr(index, name);
      };
      access.mayRead |= !has(LLVM::LLVMDialect::getWriteOnlyAttrName());
      access.mayWrite |= !has(LLVM::LLVMDialect::getReadonlyAttrName());
    }
  });
  // The launcher reads the elements that are loaded.
  func.walk([&](memref::LoadOp load) {
    access.mayRead |=
        getViewedBuffer(load.getMemRef()) == func.getArgument(number);
  });
  func.walk([&](CallOpInterface call) {
    for (Value operand : call.getArgOperands())
      if (isa<BaseMemRefType>(operand.getType()) &&
          getViewedBuffer(operand) == func.getArgument(number))
        access.mayRead = access.mayWrite = true;
  });
  return access;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

StringRef mlir::linalg_ext::describeManifestAccess(BufferAccess access) {
  if (access.mayRead)
    return access.mayWrite ? "read_write" : "read";
  return access.mayWrite ? "write" : "none";
}

FailureOr<json::Object>
mlir::linalg_ext::describeManifestValue(func::FuncOp func, Type valueType) {
  auto type = dyn_cast<MemRefType>(valueType);
  if (!type) {
    if (!valueType.isIntOrIndexOrFloat())
      return func.emitError("expected buffers, integers and floats as "
                            "arguments, got ")
             << valueType;
    return json::Object{
        {"kind", "scalar"},
        {"type", valueType.isIndex() ? "i64" : ::printType(valueType)}};
  }
  if (!type.isStrided() || !type.getElementType().isIntOrIndexOrFloat())
    return func.emitError("expected buffers of numbers with strides, got ")
           << type;
  auto getNumber = [](int64_t number) {
    return ShapedType::isDynamic(number) ? json::Value(nullptr)
                                         : json::Value(number);
  };
  json::Object description{
      {"kind", "buffer"},
      {"type", getManifestElementName(type)},
      {"shape", json::Array(llvm::map_range(type.getShape(), getNumber))}};
  if (!type.getLayout().isIdentity()) {
    auto [strides, offset] = type.getStridesAndOffset();
    description["strides"] = json::Array(llvm::map_range(strides, getNumber));
    description["offset"] = getNumber(offset);
  }
  return description;
}

FailureOr<json::Array> EntryReader::readArguments() {
  json::Array arguments;
  for (BlockArgument arg : func.getArguments()) {
    FailureOr<json::Object> argument =
        describeManifestValue(func, arg.getType());
    if (failed(argument))
      return failure();
    if (isa<MemRefType>(arg.getType())) {
      BufferAccess access = getArgumentAccess(arg.getArgNumber());
      (*argument)["access"] = describeManifestAccess(access);
    }
    arguments.push_back(std::move(*argument));
  }
  return arguments;
}

/// Reads the workgroups of a cluster along x, y and z. They are known, because
/// the kernel states them, too.
static FailureOr<json::Array> readCluster(gpu::LaunchFuncOp launch) {
  json::Array result;
  gpu::KernelDim3 size = launch.getClusterSizeOperandValues();
  for (Value value : {size.x, size.y, size.z}) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 1)
      return launch.emitOpError("expected a known number of workgroups of a "
                                "cluster");
    result.push_back(*constant);
  }
  return result;
}

FailureOr<json::Object> EntryReader::readLaunch(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty())
    return launch.emitOpError("expected a launch in order, without tokens");
  auto readDims = [&](gpu::KernelDim3 dims) -> FailureOr<json::Array> {
    json::Array result;
    for (Value value : {dims.x, dims.y, dims.z}) {
      FailureOr<json::Value> expression = getExpression(value);
      if (failed(expression))
        return failure();
      result.push_back(std::move(*expression));
    }
    return result;
  };
  FailureOr<json::Array> grid = readDims(launch.getGridSizeOperandValues());
  if (failed(grid))
    return failure();
  FailureOr<json::Array> block = readDims(launch.getBlockSizeOperandValues());
  if (failed(block))
    return failure();
  FailureOr<json::Array> cluster = json::Array();
  if (launch.hasClusterSize())
    cluster = readCluster(launch);
  if (failed(cluster))
    return failure();
  FailureOr<json::Value> shared = json::Value(0);
  if (Value bytes = launch.getDynamicSharedMemorySize())
    shared = getExpression(bytes);
  if (failed(shared))
    return failure();

  json::Array arguments;
  for (Value operand : launch.getKernelOperands()) {
    Type type = operand.getType();
    if (isa<nvgpu::TensorMapDescriptorType>(type)) {
      FailureOr<json::Value> map = getTensorMap(operand, launch.getLoc());
      if (failed(map))
        return failure();
      arguments.push_back(json::Object{{"tensor_map", std::move(*map)}});
      continue;
    }
    bool buffer = isa<BaseMemRefType>(type);
    FailureOr<json::Value> value =
        buffer ? getBuffer(operand, launch.getLoc()) : getExpression(operand);
    if (failed(value))
      return failure();
    if (buffer)
      arguments.push_back(json::Object{{"buffer", std::move(*value)}});
    else
      arguments.push_back(
          json::Object{{"value", std::move(*value)},
                       {"type", type.isIndex() ? "i64" : printType(type)}});
  }
  json::Object result{{"kernel", launch.getKernelName().getValue()},
                      {"grid", std::move(*grid)},
                      {"block", std::move(*block)},
                      {"shared_memory_bytes", std::move(*shared)},
                      {"arguments", std::move(arguments)}};
  if (!cluster->empty())
    result["cluster"] = std::move(*cluster);
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (kernel && waitsForLaunches(kernel))
    result["waits"] = true;
  if (int64_t workgroups = getEvenWorkgroups(launch))
    result["workgroups_per_processor"] = workgroups;
  return result;
}

/// Reads a call that all processes make. Its constants are numbers.
FailureOr<json::Object> EntryReader::readCollective(CallOpInterface call) {
  json::Array arguments;
  auto callee = cast<FunctionOpInterface>(call.resolveCallable());
  for (Value operand : call.getArgOperands()) {
    Type type = operand.getType();
    if (!isa<BaseMemRefType>(type)) {
      FailureOr<json::Value> value = getExpression(operand);
      if (failed(value))
        return failure();
      arguments.push_back(json::Object{{"type", printType(type)},
                                       {"value", std::move(*value)}});
      continue;
    }
    if (getManifestConstant(operand)) {
      FailureOr<json::Array> numbers =
          getManifestNumbers(operand, call.getLoc());
      if (failed(numbers))
        return failure();
      arguments.push_back(json::Object{{"numbers", std::move(*numbers)}});
      continue;
    }
    while (auto cast = operand.getDefiningOp<memref::CastOp>())
      operand = cast.getSource();
    auto buffer = dyn_cast<MemRefType>(operand.getType());
    if (!buffer || !buffer.getLayout().isIdentity())
      return call->emitOpError("expected dense buffers of known rank, got ")
             << operand.getType();
    json::Array shape;
    for (int64_t dim = 0; dim < buffer.getRank(); ++dim) {
      FailureOr<json::Value> size = getSize(operand, dim, call.getLoc());
      if (failed(size))
        return failure();
      shape.push_back(std::move(*size));
    }
    FailureOr<json::Value> value = getBuffer(operand, call.getLoc());
    if (failed(value))
      return failure();
    arguments.push_back(json::Object{{"buffer", std::move(*value)},
                                     {"type", getManifestElementName(buffer)},
                                     {"shape", std::move(shape)}});
  }
  return json::Object{{"collective", getCollective(call)},
                      {"function", callee.getName()},
                      {"arguments", std::move(arguments)}};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Adds the counters of a loop with the initial values `inits`: {"counter": n,
/// "first": ...}. Expressions refer to them by `inside`.
FailureOr<json::Array>
EntryReader::addCounters(Operation *loop, ValueRange inits, ValueRange inside) {
  json::Array all;
  for (auto [init, value] : llvm::zip_equal(inits, inside)) {
    if (!value.getType().isIntOrIndex())
      return loop->emitOpError("cannot be expressed in a manifest: expected a "
                               "loop around kernels to carry integers, and "
                               "buffers in place, got ")
             << value.getType();
    FailureOr<json::Value> first = getExpression(init);
    if (failed(first))
      return failure();
    if (init.getDefiningOp<arith::ArithIntegerOverflowFlagsInterface>())
      *first = wrapManifestInteger(std::move(*first), init.getType(),
                                   /*isSigned=*/true);
    all.push_back(
        json::Object{{"counter", numCounters++}, {"first", std::move(*first)}});
  }
  // A counter does not begin as another counter of the same loop, so they are
  // added after all initial values.
  for (auto [number, value] : llvm::enumerate(inside))
    counters[value] = numCounters - inside.size() + number;
  return all;
}

/// Adds the next values of the last counters of `all`, which are those of one
/// loop.
LogicalResult EntryReader::addNext(json::Array &all, ValueRange next) {
  for (auto [counter, value] :
       llvm::zip_equal(llvm::drop_begin(all, all.size() - next.size()), next)) {
    FailureOr<json::Value> expression = getExpression(value);
    if (failed(expression))
      return failure();
    counter.getAsObject()->try_emplace("next", std::move(*expression));
  }
  return success();
}

FailureOr<json::Object> EntryReader::readFor(scf::ForOp loop) {
  SmallVector<Value> inits{loop.getLowerBound()},
      inside{loop.getInductionVar()};
  llvm::append_range(inits, loop.getInitArgs());
  llvm::append_range(inside, loop.getRegionIterArgs());
  FailureOr<json::Array> all = addCounters(loop, inits, inside);
  if (failed(all))
    return failure();
  FailureOr<json::Value> end = getExpression(loop.getUpperBound()),
                         step = getExpression(loop.getStep()),
                         index = getExpression(loop.getInductionVar());
  if (failed(end) || failed(step) || failed(index))
    return failure();
  (*all)[0].getAsObject()->try_emplace(
      "next", makeManifestOp("add", *index, std::move(*step)));
  json::Array launches;
  if (failed(readBlock(*loop.getBody(), launches)) ||
      failed(addNext(*all, loop.getYieldedValues())))
    return failure();
  // After the loop, a counter has its last value.
  for (auto [result, value] :
       llvm::zip_equal(loop.getResults(), loop.getRegionIterArgs()))
    counters[result] = counters.lookup(value);
  return json::Object{
      {"counters", std::move(*all)},
      {"while", makeManifestOp("lt", std::move(*index), std::move(*end))},
      {"launches", std::move(launches)}};
}

FailureOr<json::Object> EntryReader::readWhile(scf::WhileOp loop) {
  FailureOr<json::Array> all =
      addCounters(loop, loop.getInits(), loop.getBeforeArguments());
  if (failed(all))
    return failure();
  json::Array launches;
  if (failed(readBlock(*loop.getBeforeBody(), launches)))
    return failure();
  if (!launches.empty())
    return loop->emitOpError(
        "cannot be expressed in a manifest: a kernel "
        "computes whether the loop goes on. Expected a "
        "condition of sizes, scalar arguments and integers "
        "that are counted");
  scf::ConditionOp condition = loop.getConditionOp();
  FailureOr<json::Value> holds = getExpression(condition.getCondition());
  if (failed(holds))
    return failure();
  for (auto [value, argument, result] : llvm::zip_equal(
           condition.getArgs(), loop.getAfterArguments(), loop.getResults()))
    handedOn[argument] = handedOn[result] = value;
  if (failed(readBlock(*loop.getAfterBody(), launches)) ||
      failed(addNext(*all, loop.getYieldOp().getOperands())))
    return failure();
  return json::Object{{"counters", std::move(*all)},
                      {"while", std::move(*holds)},
                      {"launches", std::move(launches)}};
}

/// Reads the ops of `block`, and adds what they launch to `launches`.
LogicalResult EntryReader::readBlock(Block &block, json::Array &launches) {
  for (Operation &op : block) {
    if (isManifestAllocation(&op)) {
      FailureOr<json::Object> temporary = readTemporary(&op);
      if (failed(temporary))
        return failure();
      temporaries[&op] = temporaryList.size();
      temporaryList.push_back(std::move(*temporary));
    } else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      FailureOr<json::Object> object = readLaunch(launch);
      if (failed(object))
        return failure();
      launches.push_back(std::move(*object));
    } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
      auto loop = dyn_cast<scf::ForOp>(op);
      FailureOr<json::Object> object =
          loop ? readFor(loop) : readWhile(cast<scf::WhileOp>(op));
      if (failed(object))
        return failure();
      launches.push_back(json::Object{{"loop", std::move(*object)}});
    } else if (StringRef collective = getCollective(&op); !collective.empty()) {
      // The users of an index contain its expression.
      if (op.getNumResults() > 0)
        continue;
      FailureOr<json::Object> object =
          readCollective(cast<CallOpInterface>(op));
      if (failed(object))
        return failure();
      launches.push_back(std::move(*object));
    } else if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
      if (&block != &func.getBody().front())
        return op.emitOpError("cannot be expressed in a manifest: expected "
                              "assertions in front of loops around kernels");
      FailureOr<json::Value> condition = getExpression(assertion.getArg());
      if (failed(condition))
        return failure();
      if (isCounted(*condition))
        return op.emitOpError("cannot be expressed in a manifest: expected a "
                              "condition that depends on no loop");
      checks.push_back(json::Object{{"condition", std::move(*condition)},
                                    {"message", assertion.getMsg()}});
    } else if (!isa<memref::DeallocOp, memref::LoadOp,
                    nvgpu::TmaCreateDescriptorOp>(op) &&
               !op.hasTrait<OpTrait::IsTerminator>() &&
               !(isMemoryEffectFree(&op) && op.getNumRegions() == 0)) {
      return op.emitOpError("cannot be expressed in a manifest: expected "
                            "launches, allocations, assertions, integer "
                            "arithmetic and loops around these");
    }
  }
  return success();
}

FailureOr<json::Object> EntryReader::read() {
  if (func.getNumResults() > 0)
    return func.emitError("expected results as arguments (out-params), got ")
           << func.getNumResults() << " results";
  if (!func.getBody().hasOneBlock())
    return func.emitError("expected one block, got ")
           << func.getBody().getBlocks().size();
  json::Array launches;
  if (failed(readBlock(func.getBody().front(), launches)))
    return failure();
  FailureOr<json::Array> arguments = readArguments();
  if (failed(arguments))
    return failure();
  json::Object entry{{"name", func.getName()},
                     {"arguments", std::move(*arguments)},
                     {"temporaries", std::move(temporaryList)},
                     {"launches", std::move(launches)}};
  if (!checks.empty())
    entry["checks"] = std::move(checks);
  if (!named.empty())
    entry["values"] = std::move(named);
  return entry;
}

FailureOr<json::Object>
mlir::linalg_ext::buildManifestEntry(func::FuncOp func) {
  return EntryReader(func).read();
}

FailureOr<json::Array> mlir::linalg_ext::buildManifestEntries(ModuleOp module) {
  json::Array entries;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isExternal())
      continue;
    FailureOr<json::Object> entry = buildManifestEntry(func);
    if (failed(entry))
      return failure();
    entries.push_back(std::move(*entry));
  }
  return entries;
}

namespace {
struct LinalgExtGPUManifestPass
    : public linalg_ext::impl::LinalgExtGPUManifestPassBase<
          LinalgExtGPUManifestPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func.isPublic() || func.isExternal())
        continue;
      FailureOr<json::Object> entry = buildManifestEntry(func);
      if (failed(entry))
        return signalPassFailure();
      std::string text;
      llvm::raw_string_ostream(text) << json::Value(std::move(*entry));
      func->setAttr("launch_manifest", StringAttr::get(&getContext(), text));
    }
  }
};
} // namespace
