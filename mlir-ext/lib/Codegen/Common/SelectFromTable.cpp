//===- SelectFromTable.cpp - Elements of short constant tables ------------===//
//
// Weights of 4 bits may be numbers of a table: those of NF4, or the 16 floats
// of 4 bits. Importers write a look-up of each one, a tensor.extract in a
// payload. As a gather it would be an op of its own, which stores the codes as
// indices of 64 bits, and the weights. Here it becomes selects of constants by
// the bits of the code, a dequantization like any other. CPUs that look up 16
// numbers in a register find the table again (TabulateFunctions.cpp).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The most elements of a table: those that 4 bits tell apart.
static constexpr int64_t kMostElements = 16;

/// The elements of a constant.
static FailureOr<SmallVector<TypedAttr>> getElements(Value table) {
  auto type = cast<RankedTensorType>(table.getType());
  Attribute constant;
  if (!matchPattern(table, m_Constant(&constant)))
    return failure();
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    bool isSplat = false;
    if (!blob ||
        !DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
      return failure();
    constant = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  }
  auto elements = dyn_cast<DenseElementsAttr>(constant);
  if (!elements)
    return failure();
  return llvm::map_to_vector(
      elements.getValues<Attribute>(),
      [](Attribute attr) { return cast<TypedAttr>(attr); });
}

/// The value whose lowest `bits` bits are those of `index`, with as few ops
/// between as possible. An index that counts from the end, if it is negative,
/// is the same modulo the number of elements.
static Value skipHighBits(Value index, unsigned bits, bool isInSelect = false) {
  auto isMultiple = [&](Value value) {
    APInt number;
    return matchPattern(value, m_ConstantInt(&number)) &&
           number.countTrailingZeros() >= bits;
  };
  while (Operation *op = index.getDefiningOp()) {
    if (isa<arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::IndexCastOp,
            arith::IndexCastUIOp>(op)) {
      Type type = op->getOperand(0).getType();
      if (!type.isIndex() && type.getIntOrFloatBitWidth() < bits)
        return index;
      index = op->getOperand(0);
    } else if (isa<arith::AddIOp>(op) && isMultiple(op->getOperand(1))) {
      index = op->getOperand(0);
    } else if (auto select = dyn_cast<arith::SelectOp>(op);
               select && !isInSelect) {
      Value yes = skipHighBits(select.getTrueValue(), bits, true);
      if (yes != skipHighBits(select.getFalseValue(), bits, true))
        return index;
      return yes;
    } else {
      return index;
    }
  }
  return index;
}

/// Whether `index`, in the payload of `op`, depends on elements of tensors.
static bool dependsOnElements(linalg::LinalgOp op, Value index) {
  llvm::SetVector<Value> values;
  values.insert(index);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    Operation *def = value.getDefiningOp();
    if (isa_and_nonnull<tensor::ExtractOp>(def) ||
        (!def && value.getParentBlock() == op.getBlock()))
      return true;
    if (def && op->isProperAncestor(def))
      values.insert(def->operand_begin(), def->operand_end());
  }
  return false;
}

namespace {
struct SelectFromTable : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto parent = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    if (!parent)
      return rewriter.notifyMatchFailure(op, "is of no payload");
    RankedTensorType table = op.getTensor().getType();
    if (!table.hasStaticShape() || table.getNumElements() > kMostElements ||
        table.getNumElements() < 2 || !table.getElementType().isIntOrFloat())
      return rewriter.notifyMatchFailure(op, "is of no short table");
    // A table that is no constant would be 16 loads.
    FailureOr<SmallVector<TypedAttr>> elements = getElements(op.getTensor());
    if (failed(elements))
      return rewriter.notifyMatchFailure(op, "is of no constant");
    // One dimension has all of them.
    ArrayRef<int64_t> shape = table.getShape();
    int64_t count = table.getNumElements();
    auto dim = llvm::find(shape, count) - shape.begin();
    if (dim == static_cast<int64_t>(shape.size()))
      return rewriter.notifyMatchFailure(op, "is of a table of two dimensions");
    unsigned bits = llvm::Log2_64_Ceil(count);
    Value code = skipHighBits(op.getIndices()[dim], bits);
    if (!dependsOnElements(parent, code))
      return rewriter.notifyMatchFailure(op, "the element is known");

    Location loc = op.getLoc();
    if (code.getType().isIndex())
      code = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(),
                                        code);
    // Indices of 64 bits are often bytes that another op extends.
    Type type = code.getType();
    if (type.getIntOrFloatBitWidth() > 8) {
      type = rewriter.getI8Type();
      code = arith::TruncIOp::create(rewriter, loc, type, code);
    }
    SmallVector<Value> choices;
    for (TypedAttr element : *elements)
      choices.push_back(arith::ConstantOp::create(rewriter, loc, element));
    // What is behind the last one is never read.
    choices.resize(int64_t(1) << bits, choices.back());
    unsigned width = type.getIntOrFloatBitWidth();
    auto constant = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(rewriter, loc,
                                       rewriter.getIntegerAttr(type, value));
    };
    for (unsigned bit = 0; bit < bits; ++bit) {
      Value isSet = arith::CmpIOp::create(
          rewriter, loc, arith::CmpIPredicate::ne,
          arith::AndIOp::create(rewriter, loc, code,
                                constant(APInt::getOneBitSet(width, bit))),
          constant(APInt::getZero(width)));
      SmallVector<Value> rest;
      for (size_t i = 0; i < choices.size(); i += 2)
        rest.push_back(choices[i] == choices[i + 1]
                           ? choices[i]
                           : arith::SelectOp::create(rewriter, loc, isSet,
                                                     choices[i + 1], choices[i])
                                 .getResult());
      choices = std::move(rest);
    }
    rewriter.replaceOp(op, choices.front());
    return success();
  }
};
} // namespace

void mlir::linalg_ext::populateSelectFromTablePatterns(
    RewritePatternSet &patterns) {
  patterns.add<SelectFromTable>(patterns.getContext());
}
