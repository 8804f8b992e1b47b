//===- Manifest.cpp - Launch manifest of a module -------------------------===//
//
// Reads a host function in the order of its ops: launches, buffers, and sizes
// as expressions. An op that the manifest cannot express is an error.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Target/GPU/Manifest.h"
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

static std::string toString(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The element type of a buffer; an index has 64 bits.
static std::string getElementName(MemRefType type) {
  return type.getElementType().isIndex() ? "i64"
                                         : toString(type.getElementType());
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
  if (op == "add" && (x == 0 || y == 0))
    return x == 0 ? b : a;
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
  FailureOr<json::Value> getMetadata(memref::ExtractStridedMetadataOp op,
                                     unsigned result);
  FailureOr<json::Value> getBuffer(Value value, Location loc);
  FailureOr<json::Value> getTensorMap(Value value, Location loc);
  FailureOr<json::Array> getShape(Operation *allocation);
  FailureOr<json::Object> readLaunch(gpu::LaunchFuncOp launch);
  FailureOr<json::Object> readCollective(CallOpInterface call);
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

/// Returns the name of `op` in the manifest if it is a binary op on sizes,
/// which are not negative, or on bits. Returns an empty name otherwise.
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
      .Case([](arith::AndIOp op) {
        return op.getType().isInteger(1) ? "min" : "";
      })
      .Case([](arith::OrIOp op) {
        return op.getType().isInteger(1) ? "max" : "";
      })
      .Case([](arith::XOrIOp op) {
        return op.getType().isInteger(1) ? "ne" : "";
      })
      .Default([](auto) { return ""; });
}

/// Returns the name of a comparison in the manifest, and whether its operands
/// are swapped. The name is empty if the manifest has none. Unsigned
/// comparisons are of integers that are not negative, and floats are ordered.
static std::pair<StringRef, bool> getComparison(Operation *op) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    switch (cmp.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return {"eq", false};
    case arith::CmpIPredicate::ne:
      return {"ne", false};
    case arith::CmpIPredicate::slt:
    case arith::CmpIPredicate::ult:
      return {"lt", false};
    case arith::CmpIPredicate::sle:
    case arith::CmpIPredicate::ule:
      return {"le", false};
    case arith::CmpIPredicate::sgt:
    case arith::CmpIPredicate::ugt:
      return {"lt", true};
    case arith::CmpIPredicate::sge:
    case arith::CmpIPredicate::uge:
      return {"le", true};
    }
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    switch (cmp.getPredicate()) {
    case arith::CmpFPredicate::OEQ:
      return {"eq", false};
    case arith::CmpFPredicate::UNE:
      return {"ne", false};
    case arith::CmpFPredicate::OLT:
      return {"lt", false};
    case arith::CmpFPredicate::OLE:
      return {"le", false};
    case arith::CmpFPredicate::OGT:
      return {"lt", true};
    case arith::CmpFPredicate::OGE:
      return {"le", true};
    default:
      break;
    }
  return {"", false};
}

/// The constant buffer that `buffer` is; null if it is none.
static memref::GlobalOp getConstant(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>())
    buffer = cast.getSource();
  auto get = buffer.getDefiningOp<memref::GetGlobalOp>();
  return get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                   get, get.getNameAttr())
             : memref::GlobalOp();
}

/// The elements of a constant buffer of integers.
static FailureOr<json::Array> getNumbers(Value buffer, Location loc) {
  memref::GlobalOp global = getConstant(buffer);
  auto values = global ? dyn_cast_or_null<DenseIntElementsAttr>(
                             global.getInitialValue().value_or(Attribute()))
                       : DenseIntElementsAttr();
  if (!values)
    return emitError(loc, "expected a constant buffer of integers");
  json::Array numbers;
  for (const llvm::APInt &value : values.getValues<llvm::APInt>())
    numbers.push_back(value.getSExtValue());
  return numbers;
}

FailureOr<json::Value> EntryReader::getExpression(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value))
    return json::Value(json::Object{{"argument", arg.getArgNumber()}});
  Operation *op = value.getDefiningOp();
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (auto integer = dyn_cast<IntegerAttr>(constant))
      return json::Value(integer.getType().isInteger(1)
                             ? int64_t(integer.getValue().getZExtValue())
                             : integer.getValue().getSExtValue());
    if (auto number = dyn_cast<FloatAttr>(constant);
        number && number.getValue().isFinite())
      return json::Value(number.getValueAsDouble());
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
          arith::ExtUIOp, arith::TruncIOp>(op)) {
    Value number = op->getOperand(0);
    FailureOr<json::Value> expression = getExpression(number);
    if (failed(expression))
      return failure();
    // A bit that is set is -1 as a signed number.
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op) &&
        number.getType().isInteger(1))
      return makeOp("sub", 0, std::move(*expression));
    if (isa<arith::TruncIOp>(op) && value.getType().isInteger(1))
      return makeOp("mod", std::move(*expression), 2);
    return expression;
  }
  StringRef name = getBinaryName(op);
  bool swaps = false;
  if (name.empty())
    std::tie(name, swaps) = getComparison(op);
  if (!name.empty()) {
    FailureOr<json::Value> lhs = getExpression(op->getOperand(swaps ? 1 : 0));
    if (failed(lhs))
      return failure();
    FailureOr<json::Value> rhs = getExpression(op->getOperand(swaps ? 0 : 1));
    if (failed(rhs))
      return failure();
    return makeOp(name, *lhs, *rhs);
  }
  if (getCollective(op) == "process_index") {
    FailureOr<json::Array> grid = getNumbers(op->getOperand(0), op->getLoc());
    if (failed(grid))
      return failure();
    return json::Value(json::Object{{"process_index", std::move(*grid)}});
  }
  if (isa<arith::SelectOp>(op)) {
    json::Array operands;
    for (Value operand : op->getOperands()) {
      FailureOr<json::Value> expression = getExpression(operand);
      if (failed(expression))
        return failure();
      operands.push_back(std::move(*expression));
    }
    return json::Value(json::Object{{"select", std::move(operands)}});
  }
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op))
    return getMetadata(metadata, cast<OpResult>(value).getResultNumber());
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
                         "constants, sizes and strides of buffers, sums, "
                         "products, quotients, minima and maxima of integers, "
                         "and comparisons");
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
  else if (auto part = dyn_cast<memref::SubViewOp>(op);
           part && part.getSourceType().getRank() == type.getRank())
    size = part.getMixedSizes()[dim];
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

/// Result `number` of `op`, an offset, size or stride of an argument.
FailureOr<json::Value>
EntryReader::getMetadata(memref::ExtractStridedMetadataOp op, unsigned number) {
  auto type = cast<MemRefType>(op.getSource().getType());
  auto [strides, offset] = type.getStridesAndOffset();
  auto arg = dyn_cast<BlockArgument>(op.getSource());
  unsigned rank = type.getRank();
  // The base is result 0.
  unsigned dim = number < 2 ? 0 : (number - 2) % std::max(rank, 1u);
  if (number >= 2 && number < 2 + rank)
    return getSize(op.getSource(), dim, op.getLoc());
  int64_t known = number == 1 ? offset : strides[dim];
  if (!ShapedType::isDynamic(known))
    return json::Value(known);
  if (!arg)
    return op->emitOpError("cannot be expressed in a manifest: expected the "
                           "strides of an argument");
  if (number == 1)
    return json::Value(json::Object{{"offset", arg.getArgNumber()}});
  return json::Value(
      json::Object{{"stride", json::Array{arg.getArgNumber(), dim}}});
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

/// {"argument": i}, {"temporary": k} or {"constant": "name"}, with an offset in
/// bytes where the view starts at one.
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
      offset = makeOp("add", std::move(offset), std::move(*shift));
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

/// The width in bytes of a swizzle of tensor maps; 0 for none.
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

/// The buffer of which `map` is the tensor map; null if it is not known.
static Value getMappedBuffer(Value map) {
  auto create = map.getDefiningOp<nvgpu::TmaCreateDescriptorOp>();
  auto cast = create ? create.getTensor().getDefiningOp<memref::CastOp>()
                     : memref::CastOp();
  return cast ? cast.getSource() : Value();
}

/// The buffer of which `view` has the first elements along each dimension.
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

/// {"buffer": ..., "type": ..., "sizes": [...], "strides": [...], "box": [...],
/// "swizzle": ...}, with the innermost dimension first, and a stride in bytes
/// for each dimension but that one.
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
  json::Array sizes, strides, box;
  json::Value stride = type.getElementTypeBitWidth() / 8;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    FailureOr<json::Value> size = getSize(buffer, dim, loc),
                           room = getSize(whole, dim, loc);
    if (failed(size) || failed(room))
      return failure();
    // Where there is nothing, nothing is copied; a map has something.
    auto makePositive = [](json::Value value) {
      return value.kind() == json::Value::Number
                 ? value
                 : makeOp("max", std::move(value), 1);
    };
    stride = makeOp("mul", std::move(stride), makePositive(std::move(*room)));
    if (dim > 0)
      strides.push_back(stride);
    sizes.push_back(makePositive(std::move(*size)));
    box.push_back(mapType.getTensor().getDimSize(dim));
  }
  return json::Value(
      json::Object{{"buffer", std::move(*pointer)},
                   {"type", getElementName(type)},
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
  return json::Object{{"type", getElementName(type)},
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
  func.walk([&](CallOpInterface call) {
    for (Value operand : call.getArgOperands())
      if (isa<BaseMemRefType>(operand.getType()) &&
          getViewedBuffer(operand) == func.getArgument(number))
        access.mayRead = access.mayWrite = true;
  });
  return access;
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Appends the elements of `value`, in bytes of the device.
static LogicalResult appendElements(memref::GlobalOp global, ElementsAttr value,
                                    std::string &data) {
  Type type = value.getElementType();
  unsigned numBits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  auto append = [&](const llvm::APInt &bits) {
    uint64_t word = bits.getZExtValue();
    for (unsigned byte = 0; byte < llvm::divideCeil(numBits, 8); ++byte)
      data.push_back(char(word >> (8 * byte)));
  };
  if (numBits > 64)
    return global.emitOpError("expected elements of at most 64 bits, got ")
           << type;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    int64_t size =
        value.getNumElements() * int64_t(llvm::divideCeil(numBits, 8));
    if (!blob || int64_t(blob->getData().size()) != size)
      return global.emitOpError("expected a resource of ")
             << size << " bytes, got "
             << (blob ? std::to_string(blob->getData().size()) : "none");
    data.append(blob->getData().data(), blob->getData().size());
    return success();
  }
  if (isa<FloatType>(type)) {
    auto values = value.tryGetValues<llvm::APFloat>();
    if (!values)
      return global.emitOpError("expected elements that are known");
    for (const llvm::APFloat &number : *values)
      append(number.bitcastToAPInt());
    return success();
  }
  auto values = value.tryGetValues<llvm::APInt>();
  if (!values)
    return global.emitOpError("expected elements that are known");
  for (const llvm::APInt &number : *values)
    append(number);
  return success();
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
        {"type", valueType.isIndex() ? "i64" : ::toString(valueType)}};
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
      {"type", getElementName(type)},
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
                       {"type", type.isIndex() ? "i64" : toString(type)}});
  }
  return json::Object{{"kernel", launch.getKernelName().getValue()},
                      {"grid", std::move(*grid)},
                      {"block", std::move(*block)},
                      {"shared_memory_bytes", std::move(*shared)},
                      {"arguments", std::move(arguments)}};
}

/// A call that all processes make: constants are numbers.
FailureOr<json::Object> EntryReader::readCollective(CallOpInterface call) {
  json::Array arguments;
  auto callee = cast<FunctionOpInterface>(call.resolveCallable());
  for (Value operand : call.getArgOperands()) {
    Type type = operand.getType();
    if (!isa<BaseMemRefType>(type)) {
      FailureOr<json::Value> value = getExpression(operand);
      if (failed(value))
        return failure();
      arguments.push_back(
          json::Object{{"type", toString(type)}, {"value", std::move(*value)}});
      continue;
    }
    if (getConstant(operand)) {
      FailureOr<json::Array> numbers = getNumbers(operand, call.getLoc());
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
                                     {"type", getElementName(buffer)},
                                     {"shape", std::move(shape)}});
  }
  return json::Object{{"collective", getCollective(call)},
                      {"function", callee.getName()},
                      {"arguments", std::move(arguments)}};
}

FailureOr<json::Object> EntryReader::read() {
  if (func.getNumResults() > 0)
    return func.emitError("expected results as arguments (out-params), got ")
           << func.getNumResults() << " results";
  if (!func.getBody().hasOneBlock())
    return func.emitError("expected one block, got ")
           << func.getBody().getBlocks().size();
  json::Array temporaryList, launches, checks;
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
    } else if (StringRef collective = getCollective(&op); !collective.empty()) {
      // An index is an expression of what uses it.
      if (op.getNumResults() > 0)
        continue;
      FailureOr<json::Object> object =
          readCollective(cast<CallOpInterface>(op));
      if (failed(object))
        return failure();
      launches.push_back(std::move(*object));
    } else if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
      FailureOr<json::Value> condition = getExpression(assertion.getArg());
      if (failed(condition))
        return failure();
      checks.push_back(json::Object{{"condition", std::move(*condition)},
                                    {"message", assertion.getMsg()}});
    } else if (!isa<func::ReturnOp, memref::DeallocOp,
                    nvgpu::TmaCreateDescriptorOp>(op) &&
               !(isMemoryEffectFree(&op) && op.getNumRegions() == 0)) {
      return op.emitOpError("cannot be expressed in a manifest: expected "
                            "launches, allocations, assertions and integer "
                            "arithmetic");
    }
  }
  FailureOr<json::Array> arguments = readArguments();
  if (failed(arguments))
    return failure();
  json::Object entry{{"name", func.getName()},
                     {"arguments", std::move(*arguments)},
                     {"temporaries", std::move(temporaryList)},
                     {"launches", std::move(launches)}};
  if (!checks.empty())
    entry["checks"] = std::move(checks);
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

SmallVector<memref::GlobalOp>
mlir::linalg_ext::getManifestConstants(ModuleOp module) {
  llvm::SetVector<Operation *> constants;
  for (auto func : module.getOps<func::FuncOp>())
    func.walk([&](memref::GetGlobalOp op) {
      // The numbers that calls take are in the manifest.
      bool isPassed = llvm::all_of(op->getUsers(), [](Operation *user) {
        return isa<memref::CastOp>(user) &&
               llvm::all_of(user->getUsers(), [](Operation *call) {
                 return !getCollective(call).empty();
               });
      });
      if (!isPassed)
        if (auto global = module.lookupSymbol<memref::GlobalOp>(op.getName()))
          constants.insert(global);
    });
  return llvm::map_to_vector(
      constants, [](Operation *op) { return cast<memref::GlobalOp>(op); });
}

/// Where a constant starts.
static constexpr uint64_t kConstantAlignment = 256;

FailureOr<ManifestConstants>
mlir::linalg_ext::buildManifestConstants(ModuleOp module) {
  ManifestConstants constants;
  for (memref::GlobalOp global : getManifestConstants(module)) {
    auto value = dyn_cast_or_null<ElementsAttr>(
        global.getInitialValue().value_or(Attribute()));
    auto type = cast<MemRefType>(global.getType());
    if (!value)
      return global.emitOpError("expected a constant whose elements are known");
    if (!type.getLayout().isIdentity() ||
        !type.getElementType().isIntOrIndexOrFloat())
      return global.emitOpError("expected a constant of numbers with the "
                                "identity layout, got ")
             << type;
    constants.data.resize(
        llvm::alignTo(constants.data.size(), kConstantAlignment));
    constants.descriptions[global.getSymName()] =
        json::Object{{"type", getElementName(type)},
                     {"shape", json::Array(type.getShape())},
                     {"offset", int64_t(constants.data.size())}};
    if (failed(appendElements(global, value, constants.data)))
      return failure();
  }
  return constants;
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
