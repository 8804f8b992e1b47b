//===- UnpackElements.cpp - Integers of few bits, several to a word -------===//
//
// Importers unpack integers of 4 bits by a mask and a shift for each position
// in a byte, and stack or concatenate the results; or they shift by a constant
// tensor. Either is written here as one elementwise op that has the position as
// a dimension, shifts by a multiple of its index, and masks. Such an op is
// fused like any other dequantization, and reads each word where it is.
//
//===----------------------------------------------------------------------===//

#include "Concatenation.h"
#include "OrderOfParts.h"

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {
/// The bits [offset, offset + width) of a word, extended to `bits` bits and
/// shifted left by `at`.
struct BitField {
  int64_t offset = 0, width, at = 0, bits;
  /// How it was extended; of no meaning if at + width == bits.
  bool isSigned = false;

  bool isAtTop() const { return at + width == bits; }
};
} // namespace

/// Returns what `op` makes of `field`, its first operand, or nothing if this is
/// no field.
static std::optional<BitField> applyToField(Operation *op, BitField field) {
  auto getConstant = [&]() -> std::optional<APInt> {
    APInt value;
    if (op->getNumOperands() != 2 ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&value)))
      return std::nullopt;
    return value;
  };
  auto getShift = [&]() -> std::optional<int64_t> {
    std::optional<APInt> value = getConstant();
    if (!value || value->uge(field.bits))
      return std::nullopt;
    return value->getZExtValue();
  };
  auto shiftRight = [&](int64_t shift) {
    int64_t lost = std::max<int64_t>(shift - field.at, 0);
    field.offset += lost;
    field.width -= lost;
    field.at = std::max<int64_t>(field.at - shift, 0);
  };
  int64_t bits = getElementTypeOrSelf(op->getResult(0)).isSignlessInteger()
                     ? op->getResult(0).getType().getIntOrFloatBitWidth()
                     : 0;
  bool extendsSign = field.isSigned && !field.isAtTop();
  if (isa<arith::AndIOp>(op)) {
    std::optional<APInt> mask = getConstant();
    if (!mask || !mask->isShiftedMask())
      return std::nullopt;
    int64_t low = mask->countTrailingZeros();
    int64_t high = low + mask->popcount();
    if (extendsSign && high > field.at + field.width)
      return std::nullopt;
    int64_t from = std::max(low, field.at);
    int64_t to = std::min(high, field.at + field.width);
    field.offset += from - field.at;
    field.width = to - from;
    field.at = from;
    field.isSigned = false;
  } else if (isa<arith::ShRUIOp>(op)) {
    std::optional<int64_t> shift = getShift();
    if (!shift || extendsSign)
      return std::nullopt;
    shiftRight(*shift);
    field.isSigned = false;
  } else if (isa<arith::ShRSIOp>(op)) {
    std::optional<int64_t> shift = getShift();
    if (!shift)
      return std::nullopt;
    field.isSigned = field.isAtTop() || field.isSigned;
    shiftRight(*shift);
  } else if (isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> shift = getShift();
    if (!shift)
      return std::nullopt;
    field.at += *shift;
    field.width = std::min(field.width, field.bits - field.at);
  } else if (isa<arith::ExtUIOp>(op) && bits > 0) {
    if (extendsSign)
      return std::nullopt;
    field.isSigned = false;
    field.bits = bits;
  } else if (isa<arith::ExtSIOp>(op) && bits > 0) {
    field.isSigned = field.isSigned || field.isAtTop();
    field.bits = bits;
  } else if (isa<arith::TruncIOp>(op) && bits > 0) {
    field.width = std::min(field.width, bits - field.at);
    field.bits = bits;
  } else {
    return std::nullopt;
  }
  if (field.width <= 0)
    return std::nullopt;
  return field;
}

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

namespace {
/// What elementwise ops compute from each element of one tensor.
struct Chain {
  Value source;
  /// Of the payloads, in order. Each takes the one before it and constants.
  SmallVector<Operation *> ops;
  /// The elementwise ops behind these, whose payloads are no chains: they look
  /// up numbers, for example.
  SmallVector<linalg::GenericOp> later;
};

/// A field of each word of a tensor, and what is computed from it.
struct Part {
  Value source;
  BitField field;
  SmallVector<Operation *> rest;
  SmallVector<linalg::GenericOp> later;
};
} // namespace

/// Appends the payload of `op` to `ops`, last op first, if it computes one
/// value from one element and constants.
static LogicalResult collectPayload(linalg::GenericOp op,
                                    SmallVectorImpl<Operation *> &ops) {
  Value value = op.getBody()->getTerminator()->getOperand(0);
  Value input = op.getBody()->getArgument(0);
  while (value != input) {
    Operation *each = value.getDefiningOp();
    if (!each || each->getBlock() != op.getBody() ||
        each->getNumResults() != 1 || each->getNumOperands() == 0 ||
        !isPure(each) || each->getNumRegions() != 0)
      return failure();
    for (Value operand : llvm::drop_begin(each->getOperands()))
      if (!matchPattern(operand, m_Constant()))
        return failure();
    ops.push_back(each);
    value = each->getOperand(0);
  }
  return success();
}

/// Returns whether `op` computes each element of its result from the element of
/// its only operand at the same position.
static bool isOfOneElement(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumDpsInputs() == 1 && op.isAllParallelLoops() &&
         !op.hasIndexSemantics() &&
         llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &nested) {
                        return isPure(&nested) && nested.getNumRegions() == 0;
                      });
}

/// Returns the chain of `ops`, which are in order.
static Chain getChain(ArrayRef<linalg::GenericOp> ops) {
  Chain chain;
  chain.source = linalg::GenericOp(ops.front()).getDpsInputOperand(0)->get();
  for (linalg::GenericOp op : ops) {
    SmallVector<Operation *> payload;
    if (!chain.later.empty() || failed(collectPayload(op, payload)))
      chain.later.push_back(op);
    else
      llvm::append_range(chain.ops, llvm::reverse(payload));
  }
  return chain;
}

/// Takes as many ops of `chain` as compute a field.
static std::optional<Part> getPart(const Chain &chain) {
  auto type = dyn_cast<RankedTensorType>(chain.source.getType());
  if (!type || !type.getElementType().isSignlessInteger())
    return std::nullopt;
  BitField field;
  field.bits = field.width = type.getElementTypeBitWidth();
  std::optional<Part> part;
  for (auto [number, op] : llvm::enumerate(chain.ops)) {
    std::optional<BitField> next = applyToField(op, field);
    if (!next)
      break;
    field = *next;
    if (field.at == 0)
      part = Part{chain.source, field,
                  llvm::to_vector(ArrayRef(chain.ops).drop_front(number + 1)),
                  chain.later};
  }
  return part;
}

/// Returns `value` as computed from a field of each word of a tensor: of the
/// tensor that the most ops are applied to.
static std::optional<Part> getPart(Value value) {
  SmallVector<linalg::GenericOp> ops;
  while (true) {
    if (auto expand = value.getDefiningOp<tensor::ExpandShapeOp>();
        expand && isUnitReshape(expand)) {
      value = expand.getSrc();
      continue;
    }
    auto op = value.getDefiningOp<linalg::GenericOp>();
    if (!isOfOneElement(op))
      break;
    ops.insert(ops.begin(), op);
    value = op.getDpsInputOperand(0)->get();
  }
  for (ArrayRef<linalg::GenericOp> rest = ops; !rest.empty();
       rest = rest.drop_front())
    if (std::optional<Part> part = getPart(getChain(rest)))
      return part;
  return std::nullopt;
}

/// Whether the ops compute the same from the same value.
static bool computeTheSame(ArrayRef<Operation *> lhs,
                           ArrayRef<Operation *> rhs) {
  if (lhs.size() != rhs.size())
    return false;
  for (auto [one, other] : llvm::zip_equal(lhs, rhs)) {
    if (one->getName() != other->getName() ||
        one->getResultTypes() != other->getResultTypes() ||
        one->getNumOperands() != other->getNumOperands() ||
        one->getAttrDictionary() != other->getAttrDictionary())
      return false;
    for (auto [a, b] : llvm::drop_begin(
             llvm::zip_equal(one->getOperands(), other->getOperands()))) {
      Attribute of, is;
      if (!matchPattern(a, m_Constant(&of)) ||
          !matchPattern(b, m_Constant(&is)) || of != is)
        return false;
    }
  }
  return true;
}

/// Whether the payloads of the ops compute the same from one element.
static bool computeTheSame(ArrayRef<linalg::GenericOp> lhs,
                           ArrayRef<linalg::GenericOp> rhs) {
  return lhs.size() == rhs.size() &&
         llvm::all_of(llvm::zip_equal(lhs, rhs), [](auto pair) {
           auto [one, other] = pair;
           llvm::DenseMap<Value, Value> same;
           return OperationEquivalence::isRegionEquivalentTo(
               &one->getRegion(0), &other->getRegion(0),
               [&](Value a, Value b) {
                 Attribute of, is;
                 return success(a == b || same.lookup(a) == b ||
                                (matchPattern(a, m_Constant(&of)) &&
                                 matchPattern(b, m_Constant(&is)) && of == is));
               },
               [&](Value a, Value b) { same[a] = b; },
               OperationEquivalence::IgnoreLocations);
         });
}

/// Builds first + step * index, of type `type`.
static Value buildProgression(OpBuilder &b, Location loc, Value index,
                              Type type, int64_t first, int64_t step) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  Value value = arith::IndexCastOp::create(b, loc, type, index);
  if (step != 1)
    value = arith::MulIOp::create(b, loc, value, constant(step));
  if (first != 0)
    value = arith::AddIOp::create(b, loc, value, constant(first));
  return value;
}

/// Builds field number `index` of `word`: `field` is number 0, and the offset
/// of the next one is larger by `step`.
static Value buildField(OpBuilder &b, Location loc, Value word, Value index,
                        const BitField &field, int64_t step) {
  Type result = b.getIntegerType(field.bits);
  Type type = word.getType();
  int64_t bits = type.getIntOrFloatBitWidth();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(b.getIntegerType(value.getBitWidth()), value));
  };
  Value value = arith::ShRUIOp::create(
      b, loc, word, buildProgression(b, loc, index, type, field.offset, step));
  value = arith::AndIOp::create(
      b, loc, value, constant(APInt::getLowBitsSet(bits, field.width)));
  if (bits < field.bits)
    value = arith::ExtUIOp::create(b, loc, result, value);
  if (field.isSigned) {
    APInt sign =
        APInt::getOneBitSet(std::max(bits, field.bits), field.width - 1);
    value = arith::XOrIOp::create(b, loc, value, constant(sign));
    value = arith::SubIOp::create(b, loc, value, constant(sign));
  }
  if (bits > field.bits)
    value = arith::TruncIOp::create(b, loc, result, value);
  return value;
}

/// Builds what is computed from the field `value` of `part`.
static Value buildRest(OpBuilder &b, const Part &part, Value value) {
  for (Operation *each : part.rest) {
    IRMapping mapping;
    mapping.map(each->getOperand(0), value);
    for (Value operand : llvm::drop_begin(each->getOperands()))
      if (operand.getParentBlock() == each->getBlock())
        mapping.map(operand, b.clone(*operand.getDefiningOp())->getResult(0));
    value = b.clone(*each, mapping)->getResult(0);
  }
  for (linalg::GenericOp each : part.later) {
    IRMapping mapping;
    mapping.map(each.getBody()->getArgument(0), value);
    for (Operation &nested : each.getBody()->without_terminator())
      b.clone(nested, mapping);
    value =
        mapping.lookupOrDefault(each.getBody()->getTerminator()->getOperand(0));
  }
  return value;
}

/// The fields of which the parts of `concatenation`, which `op` is, are: those
/// of the words of one tensor, at equal distances. Fails, and says why, if they
/// are no such fields.
static FailureOr<SmallVector<Part>>
matchFields(Operation *op, const Concatenation &concatenation,
            PatternRewriter &rewriter) {
  SmallVector<Part> parts;
  for (Value value : concatenation.parts) {
    if (value.getType() != concatenation.parts.front().getType())
      return rewriter.notifyMatchFailure(op, "the parts have several shapes");
    std::optional<Part> part = getPart(value);
    if (!part)
      return rewriter.notifyMatchFailure(op, "a part is no field of bits");
    parts.push_back(*part);
    if (part->source != parts.front().source)
      return rewriter.notifyMatchFailure(op, "of different tensors");
  }
  const Part &first = parts.front();
  int64_t step = parts[1].field.offset - first.field.offset;
  for (auto [number, part] : llvm::enumerate(parts))
    if (part.field.offset !=
            first.field.offset + step * static_cast<int64_t>(number) ||
        part.field.width != first.field.width ||
        part.field.isSigned != first.field.isSigned ||
        part.field.bits != first.field.bits ||
        !computeTheSame(part.rest, first.rest) ||
        !computeTheSame(part.later, first.later))
      return rewriter.notifyMatchFailure(op, "the parts are not alike");
  return parts;
}

namespace {
/// A concatenation of equal parts that are the fields of the words of one
/// tensor becomes an elementwise op with one more dimension, and a collapse of
/// this dimension.
struct StackOfFields : public RewritePattern {
  StackOfFields(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isa<tensor::ConcatOp, tensor::InsertSliceOp>(op))
      return rewriter.notifyMatchFailure(op, "is no concatenation");
    std::optional<Concatenation> concatenation =
        getConcatenation(op->getResult(0));
    if (!concatenation)
      return rewriter.notifyMatchFailure(op, "is no concatenation");
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    int64_t dim = concatenation->dim;

    // 1. The fields.
    FailureOr<SmallVector<Part>> parts =
        matchFields(op, *concatenation, rewriter);
    if (failed(parts))
      return failure();
    const Part &first = parts->front();
    int64_t step = (*parts)[1].field.offset - first.field.offset;

    // 2. The dimensions: that of the position is `dim`.
    Value source = first.source;
    auto sourceType = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    int64_t size =
        cast<RankedTensorType>(concatenation->parts.front().getType())
            .getDimSize(dim);
    if (ShapedType::isDynamic(size))
      return rewriter.notifyMatchFailure(op, "the size of a part is unknown");
    bool isStack = size == 1;
    int64_t number = parts->size();
    shape[dim] = number;
    if (!isStack)
      shape.insert(shape.begin() + dim + 1, size);
    SmallVector<int64_t> without(shape);
    without.erase(without.begin() + dim);
    if (sourceType.getRank() != static_cast<int64_t>(without.size()) ||
        sourceType.getShape() != ArrayRef(without)) {
      // A dimension of size 1, where the position is.
      SmallVector<int64_t> unit(without);
      unit.insert(unit.begin() + dim, 1);
      if (!isStack || sourceType.getShape() != ArrayRef(unit) ||
          unit.size() < 2)
        return rewriter.notifyMatchFailure(op, "the parts are reshaped");
      SmallVector<ReassociationIndices> groups;
      for (int64_t each = 0; each < sourceType.getRank(); ++each)
        if (each == dim && !groups.empty())
          groups.back().push_back(each);
        else if (each == dim + 1 && dim == 0)
          groups.back().push_back(each);
        else
          groups.push_back({each});
      source = tensor::CollapseShapeOp::create(rewriter, op->getLoc(), source,
                                               groups);
    }

    // 3. The op.
    Location loc = op->getLoc();
    int64_t rank = shape.size();
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, source);
    sizes.insert(sizes.begin() + dim, rewriter.getIndexAttr(number));
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    auto unpacked = linalg::GenericOp::create(
        rewriter, loc, TypeRange{empty.getType()}, ValueRange{source},
        ValueRange{empty}, ArrayRef{identity.dropResult(dim), identity},
        iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
          Value index = linalg::IndexOp::create(b, loc, dim);
          Value value = buildField(b, loc, args[0], index, first.field, step);
          value = buildRest(b, first, value);
          linalg::YieldOp::create(b, loc, value);
        });
    Value result = unpacked.getResult(0);
    if (!isStack) {
      SmallVector<ReassociationIndices> groups;
      for (int64_t each = 0; each < rank; ++each)
        if (each == dim + 1)
          groups.back().push_back(each);
        else
          groups.push_back({each});
      result =
          tensor::CollapseShapeOp::create(rewriter, loc, type, result, groups);
    }
    if (result.getType() != type)
      result = tensor::CastOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Shifts by constants
//===----------------------------------------------------------------------===//

/// Whether `value` is only extended or truncated, and then shifted by.
static bool isOnlyShiftedBy(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<arith::ShRUIOp, arith::ShRSIOp, arith::ShLIOp>(user))
      return use.getOperandNumber() == 1;
    return isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp>(user) &&
           isOnlyShiftedBy(user->getResult(0));
  });
}

namespace {
/// Shifts by an arithmetic progression: computes it from the index.
struct ShiftByIndex : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
      return rewriter.notifyMatchFailure(op, "is not elementwise on tensors");
    for (OpOperand *operand : op.getDpsInputOperands()) {
      DenseIntElementsAttr values;
      BlockArgument arg = op.getMatchingBlockArgument(operand);
      if (!matchPattern(operand->get(), m_Constant(&values)) ||
          values.isSplat() || arg.use_empty() || !isOnlyShiftedBy(arg))
        continue;
      // Along one dimension.
      std::optional<unsigned> loop;
      bool isAlongOne = true;
      AffineMap map = op.getMatchingIndexingMap(operand);
      for (auto [expr, size] :
           llvm::zip_equal(map.getResults(), values.getType().getShape())) {
        if (size == 1)
          continue;
        auto dim = dyn_cast<AffineDimExpr>(expr);
        isAlongOne &= dim && !loop;
        if (dim)
          loop = dim.getPosition();
      }
      if (!isAlongOne || !loop)
        continue;
      auto numbers = llvm::to_vector(values.getValues<APInt>());
      int64_t first = numbers[0].getSExtValue();
      int64_t step = numbers[1].getSExtValue() - first;
      bool isProgression = true;
      for (auto [number, value] : llvm::enumerate(numbers))
        isProgression &=
            value.getSExtValue() == first + step * static_cast<int64_t>(number);
      if (!isProgression)
        continue;
      rewriter.setInsertionPointToStart(op.getBody());
      Location loc = op.getLoc();
      Value index = linalg::IndexOp::create(rewriter, loc, *loop);
      Value shift =
          buildProgression(rewriter, loc, index, arg.getType(), first, step);
      rewriter.modifyOpInPlace(
          op, [&] { rewriter.replaceAllUsesWith(arg, shift); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "shifts by no constant tensor");
  }
};
} // namespace

void mlir::linalg_ext::populateUnpackElementsPatterns(
    RewritePatternSet &patterns) {
  patterns.add<StackOfFields, ShiftByIndex>(patterns.getContext());
  populateOrderOfPartsPatterns(patterns);
}
