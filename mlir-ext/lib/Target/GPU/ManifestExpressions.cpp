//===- ManifestExpressions.cpp - Sizes in a launch manifest ---------------===//
//
// Writes sizes, offsets and strides as expressions over the arguments of a
// function. See docs/Manifest.md.
//
//===----------------------------------------------------------------------===//

#include "ManifestReader.h"
#include "mlir-ext/Support/Collective.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

json::Value mlir::linalg_ext::makeManifestOp(StringRef op, json::Value a,
                                             json::Value b) {
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

bool mlir::linalg_ext::isManifestAllocation(Operation *op) {
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

memref::GlobalOp mlir::linalg_ext::getManifestConstant(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>())
    buffer = cast.getSource();
  auto get = buffer.getDefiningOp<memref::GetGlobalOp>();
  return get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                   get, get.getNameAttr())
             : memref::GlobalOp();
}

FailureOr<json::Array> mlir::linalg_ext::getManifestNumbers(Value buffer,
                                                            Location loc) {
  memref::GlobalOp global = getManifestConstant(buffer);
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

/// An expression of more terms gets a number, and is written only once.
static constexpr unsigned kMostTermsWithoutName = 64;

FailureOr<json::Value> EntryReader::getExpression(Value value) {
  bool isWhole = numTerms == 0;
  llvm::scope_exit reset([&] {
    if (isWhole)
      numTerms = 0;
  });
  unsigned before = numTerms++;
  if (auto number = namedNumbers.find(value); number != namedNumbers.end())
    return json::Value(json::Object{{"value", number->second}});
  if (auto counter = counters.find(value); counter != counters.end())
    return json::Value(json::Object{{"counter", counter->second}});
  if (Value other = handedOn.lookup(value))
    return getExpression(other);
  if (auto arg = dyn_cast<BlockArgument>(value))
    return json::Value(json::Object{{"argument", arg.getArgNumber()}});
  Operation *op = value.getDefiningOp();
  FailureOr<json::Value> expression = getExpressionOf(op, value);
  if (failed(expression) || numTerms - before <= kMostTermsWithoutName)
    return expression;
  numTerms = before + 1;
  int64_t number = named.size();
  namedIsCounted.push_back(isCounted(*expression));
  named.push_back(std::move(*expression));
  namedNumbers[value] = number;
  return json::Value(json::Object{{"value", number}});
}

/// Returns whether `op` treats its integers as unsigned.
static bool isUnsigned(Operation *op) {
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    return llvm::is_contained(
        {arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
         arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge},
        cmp.getPredicate());
  return isa<arith::CeilDivUIOp, arith::DivUIOp, arith::RemUIOp, arith::MinUIOp,
             arith::MaxUIOp, arith::ExtUIOp, arith::IndexCastUIOp>(op);
}

json::Value mlir::linalg_ext::wrapManifestInteger(json::Value expression,
                                                  Type type, bool isSigned) {
  unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
  if (width == 1 || width >= 63)
    return expression;
  int64_t values = int64_t(1) << width, half = isSigned ? values / 2 : 0;
  return makeManifestOp(
      "add",
      makeManifestOp("mod", makeManifestOp("add", std::move(expression), half),
                     values),
      -half);
}

/// Wraps an expression that depends on a counter to the bits of `type`. Sizes
/// fit into their types, but a loop may count any integers, such as random
/// numbers.
json::Value EntryReader::wrapCounted(json::Value expression, Type type,
                                     bool isSigned) const {
  return isCounted(expression)
             ? wrapManifestInteger(std::move(expression), type, isSigned)
             : std::move(expression);
}

/// Returns the expression of `value`, a result of `op`.
FailureOr<json::Value> EntryReader::getExpressionOf(Operation *op,
                                                    Value value) {
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
    // A set bit is -1 as a signed number.
    if (isa<arith::ExtSIOp, arith::IndexCastOp>(op) &&
        number.getType().isInteger(1))
      return makeManifestOp("sub", 0, std::move(*expression));
    if (isa<arith::TruncIOp>(op) && value.getType().isInteger(1))
      return makeManifestOp("mod", std::move(*expression), 2);
    if (isUnsigned(op))
      return wrapCounted(std::move(*expression), number.getType(),
                         /*isSigned=*/false);
    if (isa<arith::TruncIOp>(op))
      return wrapCounted(std::move(*expression), value.getType(),
                         /*isSigned=*/true);
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
    if (isUnsigned(op)) {
      *lhs = wrapCounted(std::move(*lhs), op->getOperand(0).getType(), false);
      *rhs = wrapCounted(std::move(*rhs), op->getOperand(0).getType(), false);
    }
    json::Value result = makeManifestOp(name, *lhs, *rhs);
    auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
    bool overflows = isUnsigned(op) || (flags && !flags.hasNoSignedWrap());
    return overflows && !isa<arith::CmpIOp>(op)
               ? wrapCounted(std::move(result), value.getType(),
                             /*isSigned=*/true)
               : std::move(result);
  }
  if (getCollective(op) == "process_index") {
    FailureOr<json::Array> grid =
        getManifestNumbers(op->getOperand(0), op->getLoc());
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
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getElement(load);
  return op->emitOpError("cannot be expressed in a manifest: expected "
                         "constants, sizes and strides of buffers, sums, "
                         "products, quotients, minima and maxima of integers, "
                         "and comparisons");
}

/// A launcher plans all launches before the first one runs, so it reads only
/// what the caller passes. {"element": i} is the element of argument i.
FailureOr<json::Value> EntryReader::getElement(memref::LoadOp load) {
  auto refuse = [&] {
    return load.emitOpError(
        "cannot be expressed in a manifest: what is launched depends on memory "
        "of the device. Expected sizes, scalar arguments, and the element of "
        "an argument with one integer that no kernel writes");
  };
  auto argument = dyn_cast<BlockArgument>(getViewedBuffer(load.getMemRef()));
  auto type =
      argument ? dyn_cast<MemRefType>(argument.getType()) : MemRefType();
  if (!type || argument.getOwner() != &func.getBody().front() ||
      !type.getElementType().isIntOrIndex() || !type.hasStaticShape() ||
      type.getNumElements() != 1 ||
      getArgumentAccess(argument.getArgNumber()).mayWrite)
    return refuse();
  return json::Value(json::Object{{"element", argument.getArgNumber()}});
}

bool EntryReader::isCounted(const json::Value &expression) const {
  if (const json::Array *array = expression.getAsArray())
    return llvm::any_of(
        *array, [&](const json::Value &each) { return isCounted(each); });
  const json::Object *object = expression.getAsObject();
  if (!object)
    return false;
  if (std::optional<int64_t> number = object->getInteger("value"))
    return namedIsCounted[*number];
  return object->get("counter") ||
         llvm::any_of(*object, [&](const auto &member) {
           return isCounted(member.second);
         });
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
  return makeManifestOp(name, *lhs, *rhs);
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
  if (isManifestAllocation(op))
    size = getDynamicSizes(op)[type.getDynamicDimIndex(dim)];
  else if (auto view = dyn_cast<memref::ViewOp>(op)) // of the block
    size = view.getSizes()[type.getDynamicDimIndex(dim)];
  else if (auto reinterpret = dyn_cast<memref::ReinterpretCastOp>(op))
    size = reinterpret.getMixedSizes()[dim];
  else if (auto expand = dyn_cast<memref::ExpandShapeOp>(op))
    size = expand.getMixedOutputShape()[dim];
  else if (auto part = dyn_cast<memref::SubViewOp>(op);
           part && part.getSourceType().getRank() == type.getRank())
    size = part.getMixedSizes()[dim];
  if (size) {
    // The size may be known more exactly than the type says.
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
    product = makeManifestOp("mul", std::move(product), std::move(*factor));
  }
  return product;
}

/// Returns the number of elements between the start of the buffer that `view`
/// is of and the first element of `view`.
FailureOr<json::Value> EntryReader::getOffset(Value view, Location loc) {
  auto type = dyn_cast<MemRefType>(view.getType());
  int64_t known = type && type.isStrided() ? type.getStridesAndOffset().second
                                           : ShapedType::kDynamic;
  if (!ShapedType::isDynamic(known))
    return json::Value(known);
  if (auto arg = dyn_cast<BlockArgument>(view))
    return json::Value(json::Object{{"offset", arg.getArgNumber()}});
  Operation *op = view.getDefiningOp();
  if (isa<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(op))
    return getOffset(op->getOperand(0), loc);
  auto part = dyn_cast<memref::SubViewOp>(op);
  // The unknown strides of a dense buffer follow from its sizes.
  if (!part ||
      (!part.getSourceType().getLayout().isIdentity() &&
       llvm::is_contained(part.getSourceType().getStridesAndOffset().first,
                          ShapedType::kDynamic)))
    return op->emitOpError("cannot be expressed in a manifest: expected the "
                           "offset of an argument, or of a part of a dense "
                           "buffer");
  FailureOr<json::Value> offset = getOffset(part.getSource(), loc);
  SmallVector<int64_t> strides =
      part.getSourceType().getStridesAndOffset().first;
  json::Value rows = 1; // The stride of a dense buffer.
  for (int64_t dim = part.getSourceType().getRank() - 1; dim >= 0; --dim) {
    OpFoldResult first = part.getMixedOffsets()[dim];
    std::optional<int64_t> number = getConstantIntValue(first);
    FailureOr<json::Value> begin = json::Value(number.value_or(0));
    if (!number)
      begin = getExpression(cast<Value>(first));
    FailureOr<json::Value> size = getSize(part.getSource(), dim, loc);
    if (failed(offset) || failed(begin) || failed(size))
      return failure();
    json::Value stride =
        ShapedType::isDynamic(strides[dim]) ? rows : json::Value(strides[dim]);
    offset = makeManifestOp(
        "add", std::move(*offset),
        makeManifestOp("mul", std::move(*begin), std::move(stride)));
    rows = makeManifestOp("mul", std::move(rows), std::move(*size));
  }
  return offset;
}

/// Returns the expression of result `number` of `op`: an offset, size or stride
/// of an argument or of a view of one.
FailureOr<json::Value>
EntryReader::getMetadata(memref::ExtractStridedMetadataOp op, unsigned number) {
  auto type = cast<MemRefType>(op.getSource().getType());
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  unsigned rank = type.getRank();
  // Result 0 is the base buffer.
  unsigned dim = number < 2 ? 0 : (number - 2) % std::max(rank, 1u);
  if (number >= 2 && number < 2 + rank)
    return getSize(op.getSource(), dim, op.getLoc());
  if (number == 1)
    return getOffset(op.getSource(), op.getLoc());
  if (!ShapedType::isDynamic(strides[dim]))
    return json::Value(strides[dim]);
  // A view has the strides of the buffer that it views, or multiples of them.
  Value buffer = op.getSource();
  while (!isa<BlockArgument>(buffer)) {
    auto part = buffer.getDefiningOp<memref::SubViewOp>();
    if (part && part.getSourceType().getRank() == part.getType().getRank() &&
        getConstantIntValue(part.getMixedStrides()[dim]) == 1)
      buffer = part.getSource();
    else if (auto cast = buffer.getDefiningOp<memref::CastOp>())
      buffer = cast.getSource();
    else
      break;
    strides = cast<MemRefType>(buffer.getType()).getStridesAndOffset().first;
    if (!ShapedType::isDynamic(strides[dim]))
      return json::Value(strides[dim]);
  }
  auto arg = dyn_cast<BlockArgument>(buffer);
  if (!arg)
    return op->emitOpError("cannot be expressed in a manifest: expected the "
                           "strides of an argument");
  return json::Value(
      json::Object{{"stride", json::Array{arg.getArgNumber(), dim}}});
}
