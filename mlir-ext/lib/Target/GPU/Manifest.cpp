//===- Manifest.cpp - How to launch what was compiled ---------------------===//
//
// Reads a host function as data: launches and buffers in order, sizes as
// expressions. What cannot be read is an error; nothing is guessed.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/Manifest.h"
#include "mlir-ext/Dialect/LinalgExt/Utils/BufferAccess.h"
#include "mlir-ext/Target/GPU/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// {"op": [a, b]}, or its value where that is known.
static json::Value makeOp(StringRef op, json::Value a, json::Value b) {
  std::optional<int64_t> x = a.getAsInteger(), y = b.getAsInteger();
  if (op == "add" && x && y)
    return *x + *y;
  if (op == "mul" && x && y)
    return *x * *y;
  if (op == "mul" && (x == 1 || y == 1))
    return x == 1 ? b : a;
  return json::Object{{op, json::Array{std::move(a), std::move(b)}}};
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {
/// One function, read in the order of its ops.
class EntryReader {
public:
  explicit EntryReader(func::FuncOp func) : func(func) {}
  FailureOr<json::Object> read();

private:
  FailureOr<json::Value> getExpression(Value value);
  FailureOr<json::Value> getAffineExpression(AffineExpr expr,
                                             ValueRange operands,
                                             unsigned numDims, Location loc);
  FailureOr<json::Value> getAffineExtremum(StringRef op, AffineMap map,
                                           ValueRange operands, Location loc);
  FailureOr<json::Value> getSize(Value buffer, int64_t dim, Location loc);
  FailureOr<json::Value> getBuffer(Value value, Location loc);
  FailureOr<json::Array> getShape(Operation *allocation);
  FailureOr<json::Object> readLaunch(gpu::LaunchFuncOp launch);
  FailureOr<json::Object> readTemporary(Operation *allocation);
  FailureOr<json::Array> readArguments();
  /// What kernels do to argument `number` of the function.
  BufferAccess getArgumentAccess(unsigned number);

  func::FuncOp func;
  /// Temporary buffers by their allocation.
  llvm::DenseMap<Operation *, int64_t> temporaries;
};
} // namespace

static bool isAllocation(Operation *op) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(op);
}

static ValueRange getDynamicSizes(Operation *allocation) {
  if (auto op = dyn_cast<memref::AllocOp>(allocation))
    return op.getDynamicSizes();
  return cast<memref::AllocaOp>(allocation).getDynamicSizes();
}

/// The name of a binary op on sizes, which are not negative, or an empty one.
static StringRef getBinaryName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case<arith::AddIOp>([](auto) { return "add"; })
      .Case<arith::SubIOp>([](auto) { return "sub"; })
      .Case<arith::MulIOp>([](auto) { return "mul"; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return "ceildiv"; })
      .Case<arith::FloorDivSIOp, arith::DivUIOp>(
          [](auto) { return "floordiv"; })
      .Case<arith::DivSIOp>([](auto) { return "div"; })
      .Case<arith::RemSIOp, arith::RemUIOp>([](auto) { return "rem"; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return "min"; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return "max"; })
      .Default([](auto) { return ""; });
}

FailureOr<json::Value> EntryReader::getExpression(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return json::Value(json::Object{{"argument", arg.getArgNumber()}});
  Operation *op = value.getDefiningOp();
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto integer = dyn_cast<IntegerAttr>(constant))
      return json::Value(integer.getValue().getSExtValue());
    if (auto number = dyn_cast<FloatAttr>(constant);
        number && number.getValue().isFinite())
      return json::Value(number.getValueAsDouble());
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op))
    return getExpression(op->getOperand(0));
  if (StringRef name = getBinaryName(op); !name.empty()) {
    FailureOr<json::Value> lhs = getExpression(op->getOperand(0));
    if (failed(lhs))
      return failure();
    FailureOr<json::Value> rhs = getExpression(op->getOperand(1));
    if (failed(rhs))
      return failure();
    return makeOp(name, *lhs, *rhs);
  }
  if (auto dim = dyn_cast<memref::DimOp>(op))
    if (std::optional<int64_t> index = dim.getConstantIndex())
      return getSize(dim.getSource(), *index, dim.getLoc());
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return getAffineExpression(apply.getAffineMap().getResult(0),
                               apply.getMapOperands(),
                               apply.getAffineMap().getNumDims(), op->getLoc());
  if (auto min = dyn_cast<affine::AffineMinOp>(op))
    return getAffineExtremum("min", min.getMap(), min.getOperands(),
                             op->getLoc());
  if (auto max = dyn_cast<affine::AffineMaxOp>(op))
    return getAffineExtremum("max", max.getMap(), max.getOperands(),
                             op->getLoc());
  return op->emitOpError("cannot be expressed in a manifest: expected "
                         "constants, sizes of buffers, and sums, products, "
                         "quotients, minima and maxima of integers");
}

FailureOr<json::Value> EntryReader::getAffineExpression(AffineExpr expr,
                                                        ValueRange operands,
                                                        unsigned numDims,
                                                        Location loc) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return json::Value(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return getExpression(operands[dim.getPosition()]);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return getExpression(operands[numDims + symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  StringRef name;
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    name = "add";
    break;
  case AffineExprKind::Mul:
    name = "mul";
    break;
  case AffineExprKind::Mod:
    name = "mod";
    break;
  case AffineExprKind::FloorDiv:
    name = "floordiv";
    break;
  case AffineExprKind::CeilDiv:
    name = "ceildiv";
    break;
  default:
    llvm_unreachable("not a binary expression");
  }
  FailureOr<json::Value> lhs =
      getAffineExpression(binary.getLHS(), operands, numDims, loc);
  if (failed(lhs))
    return failure();
  FailureOr<json::Value> rhs =
      getAffineExpression(binary.getRHS(), operands, numDims, loc);
  if (failed(rhs))
    return failure();
  return makeOp(name, *lhs, *rhs);
}

FailureOr<json::Value> EntryReader::getAffineExtremum(StringRef op,
                                                      AffineMap map,
                                                      ValueRange operands,
                                                      Location loc) {
  json::Array terms;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<json::Value> term =
        getAffineExpression(expr, operands, map.getNumDims(), loc);
    if (failed(term))
      return failure();
    terms.push_back(std::move(*term));
  }
  return json::Value(json::Object{{op, std::move(terms)}});
}

FailureOr<json::Value> EntryReader::getSize(Value buffer, int64_t dim,
                                            Location loc) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type)
    return emitError(loc, "expected a ranked buffer, got ") << buffer.getType();
  if (!type.isDynamicDim(dim))
    return json::Value(type.getDimSize(dim));
  if (auto arg = dyn_cast<BlockArgument>(buffer))
    return json::Value(
        json::Object{{"dim", json::Array{arg.getArgNumber(), dim}}});
  Operation *op = buffer.getDefiningOp();
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return getSize(cast.getSource(), dim, loc);
  std::optional<OpFoldResult> size;
  if (isAllocation(op))
    size = getDynamicSizes(op)[type.getDynamicDimIndex(dim)];
  else if (auto reinterpret = dyn_cast<memref::ReinterpretCastOp>(op))
    size = reinterpret.getMixedSizes()[dim];
  else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    size = expand.getMixedOutputShape()[dim];
  if (size) {
    // A type may be more general than the sizes that it stands for.
    if (std::optional<int64_t> constant = getConstantIntValue(*size))
      return json::Value(*constant);
    return getExpression(cast<Value>(*size));
  }
  auto collapse = dyn_cast<memref::CollapseShapeOp>(op);
  if (!collapse)
    return op->emitOpError("cannot be expressed in a manifest: expected the "
                           "size of an argument, an allocation or a reshape");
  json::Value product = 1;
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  for (int64_t source : groups[dim]) {
    FailureOr<json::Value> factor = getSize(collapse.getSrc(), source, loc);
    if (failed(factor))
      return failure();
    product = makeOp("mul", std::move(product), std::move(*factor));
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// {"argument": i} or {"temporary": k}: views must start where the buffer does.
FailureOr<json::Value> EntryReader::getBuffer(Value value, Location loc) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto it = temporaries.find(op); it != temporaries.end())
      return json::Value(json::Object{{"temporary", it->second}});
    auto reinterpret = dyn_cast<memref::ReinterpretCastOp>(op);
    bool atStart =
        isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            op) ||
        (reinterpret &&
         isConstantIntValue(reinterpret.getMixedOffsets().front(), 0));
    if (!atStart)
      return op->emitOpError("cannot be expressed in a manifest: expected an "
                             "argument, an allocation, or a reshape of one");
    value = op->getOperand(0);
  }
  return json::Value(
      json::Object{{"argument", cast<BlockArgument>(value).getArgNumber()}});
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
  if (!type.getLayout().isIdentity() || !type.getElementType().isIntOrFloat())
    return allocation->emitOpError("expected a buffer of numbers with the "
                                   "identity layout, got ")
           << type;
  FailureOr<json::Array> shape = getShape(allocation);
  if (failed(shape))
    return failure();
  return json::Object{{"type", toString(type.getElementType())},
                      {"shape", std::move(*shape)}};
}

BufferAccess EntryReader::getArgumentAccess(unsigned number) {
  BufferAccess access;
  func.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = dyn_cast_or_null<gpu::GPUFuncOp>(
        SymbolTable::lookupNearestSymbolFrom(launch, launch.getKernel()));
    for (unsigned index = 0; index < launch.getNumKernelOperands(); ++index) {
      Value operand = launch.getKernelOperand(index);
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
  return access;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

FailureOr<json::Array> EntryReader::readArguments() {
  json::Array arguments;
  for (BlockArgument arg : func.getArguments()) {
    auto type = dyn_cast<MemRefType>(arg.getType());
    if (!type) {
      if (!arg.getType().isIntOrIndexOrFloat())
        return func.emitError("expected buffers, integers and floats as "
                              "arguments, got ")
               << arg.getType();
      arguments.push_back(json::Object{
          {"kind", "scalar"},
          {"type", arg.getType().isIndex() ? "i64" : toString(arg.getType())}});
      continue;
    }
    if (!type.getLayout().isIdentity() || !type.getElementType().isIntOrFloat())
      return func.emitError("expected buffers of numbers with the identity "
                            "layout, got ")
             << type;
    json::Array shape;
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? json::Value(nullptr)
                                                  : json::Value(size));
    BufferAccess access = getArgumentAccess(arg.getArgNumber());
    StringRef word = access.mayRead ? (access.mayWrite ? "read_write" : "read")
                                    : (access.mayWrite ? "write" : "none");
    arguments.push_back(json::Object{{"kind", "buffer"},
                                     {"type", toString(type.getElementType())},
                                     {"shape", std::move(shape)},
                                     {"access", word}});
  }
  return arguments;
}

FailureOr<json::Object> EntryReader::readLaunch(gpu::LaunchFuncOp launch) {
  if (launch.getAsyncToken() || !launch.getAsyncDependencies().empty() ||
      launch.hasClusterSize())
    return launch.emitOpError("expected a launch in order, without tokens and "
                              "clusters");
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
  FailureOr<json::Value> shared = json::Value(0);
  if (Value bytes = launch.getDynamicSharedMemorySize())
    shared = getExpression(bytes);
  if (failed(shared))
    return failure();

  json::Array arguments;
  for (Value operand : launch.getKernelOperands()) {
    Type type = operand.getType();
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
                       {"type", type.isIndex() ? "i64" : toString(type)}});
  }
  return json::Object{{"kernel", launch.getKernelName().getValue()},
                      {"grid", std::move(*grid)},
                      {"block", std::move(*block)},
                      {"shared_memory_bytes", std::move(*shared)},
                      {"arguments", std::move(arguments)}};
}

FailureOr<json::Object> EntryReader::read() {
  if (func.getNumResults() > 0)
    return func.emitError("expected results as arguments (out-params), got ")
           << func.getNumResults() << " results";
  if (!func.getBody().hasOneBlock())
    return func.emitError("expected one block, got ")
           << func.getBody().getBlocks().size();
  json::Array temporaryList, launches;
  for (Operation &op : func.getBody().front()) {
    if (isAllocation(&op)) {
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
    } else if (!isa<func::ReturnOp, memref::DeallocOp>(op) &&
               !(isMemoryEffectFree(&op) && op.getNumRegions() == 0)) {
      return op.emitOpError("cannot be expressed in a manifest: expected "
                            "launches, allocations and integer arithmetic");
    }
  }
  FailureOr<json::Array> arguments = readArguments();
  if (failed(arguments))
    return failure();
  return json::Object{{"name", func.getName()},
                      {"arguments", std::move(*arguments)},
                      {"temporaries", std::move(temporaryList)},
                      {"launches", std::move(launches)}};
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
