//===- SplitComplex.cpp - Tensors of complex numbers as two tensors -------===//
//
// Rotary positions are often written as products of complex numbers. Vectors
// have no complex elements. So each tensor of complex numbers that a program
// computes becomes two tensors, with the real and the imaginary parts.
// Upstream's patterns then compute with the parts.
//
//   1. Split each op, in program order. An elementwise op becomes two ops.
//   2. Combine the parts for other ops, such as returns and calls, and split
//      their results.
//   3. Compute with the parts.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/Common/Transforms.h"

#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// Returns the type of the parts of numbers of `type`, or null if they are not
/// complex.
static FloatType getPartType(Type type) {
  auto complex = dyn_cast<ComplexType>(getElementTypeOrSelf(type));
  return complex ? dyn_cast<FloatType>(complex.getElementType()) : FloatType();
}

/// The real and the imaginary part.
static constexpr unsigned kBothParts[] = {0, 1};

static bool isComplexTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() && getPartType(type);
}

/// Returns whether `value` is a tensor of complex numbers whose parts can be
/// built, or is not complex.
static bool isMovable(Value value) {
  return !isa<TensorType>(value.getType()) || !getPartType(value.getType()) ||
         isComplexTensor(value);
}

static RankedTensorType getPartsType(Type type) {
  return cast<RankedTensorType>(type).clone(getPartType(type));
}

static Value buildPart(OpBuilder &b, Location loc, Value number,
                       unsigned part) {
  return part == 0 ? complex::ReOp::create(b, loc, number).getResult()
                   : complex::ImOp::create(b, loc, number).getResult();
}

namespace {
class ComplexSplitter {
public:
  ComplexSplitter(RewriterBase &rewriter) : rewriter(rewriter) {}

  void run(Operation *scope);

private:
  using Parts = std::array<Value, 2>;

  /// Returns the parts of a tensor: the computed ones, or those of a tensor
  /// that stays complex.
  Parts getParts(Value value);
  /// Returns whether all operands of `op` come from ops that are not split, and
  /// only such ops use its results.
  bool isBetweenOthers(Operation *op) const;
  /// Splits `op`, unless it must stay.
  void split(Operation *op);
  void splitStructured(linalg::GenericOp op);
  /// Builds `op` on the parts of its operands. The new op computes `parts` of
  /// the results: both, or one of an elementwise op with one result.
  linalg::GenericOp build(linalg::GenericOp op, ArrayRef<unsigned> parts);
  /// Copies `op`, which moves elements. The copy moves one part of them.
  Value cloneFor(Operation *op, unsigned part);
  /// Combines the parts of the results of `op` where the results are still
  /// used.
  void putTogether(Operation *op);

  RewriterBase &rewriter;
  llvm::DenseMap<Value, Parts> partsOf;
  SmallVector<Operation *> done;
};
} // namespace

/// Builds an elementwise op on `inputs` of one shape, with elements of `type`.
static Value
buildElementwise(OpBuilder &b, Location loc, ValueRange inputs, Type type,
                 function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, loc, inputs.front());
  Value empty = tensor::EmptyOp::create(b, loc, sizes, type);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              b.getMultiDimIdentityMap(sizes.size()));
  SmallVector<utils::IteratorType> iterators(sizes.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange args) {
               linalg::YieldOp::create(nested, loc,
                                       body(nested, loc, args.drop_back()));
             })
      .getResult(0);
}

ComplexSplitter::Parts ComplexSplitter::getParts(Value value) {
  if (auto it = partsOf.find(value); it != partsOf.end())
    return it->second;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  Parts parts;
  for (unsigned part : {0, 1})
    parts[part] = buildElementwise(
        rewriter, value.getLoc(), value, getPartType(value.getType()),
        [part](OpBuilder &b, Location loc, ValueRange args) {
          return buildPart(b, loc, args.front(), part);
        });
  partsOf[value] = parts;
  return parts;
}

linalg::GenericOp ComplexSplitter::build(linalg::GenericOp op,
                                         ArrayRef<unsigned> parts) {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  // The new operands of each operand.
  SmallVector<unsigned> counts;
  for (OpOperand &operand : op->getOpOperands()) {
    SmallVector<Value> &list = op.isDpsInput(&operand) ? inputs : outputs;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    // The payload uses a complex number from outside.
    if (isa<ComplexType>(operand.get().getType())) {
      counts.push_back(0);
      continue;
    }
    if (!isComplexTensor(operand.get())) {
      list.push_back(operand.get());
      maps.push_back(map);
      counts.push_back(1);
      continue;
    }
    Parts both = getParts(operand.get());
    bool isInput = op.isDpsInput(&operand);
    counts.push_back(isInput ? 2 : parts.size());
    for (unsigned part : isInput ? ArrayRef<unsigned>(kBothParts) : parts) {
      list.push_back(both[part]);
      maps.push_back(map);
    }
  }
  auto body = [&](OpBuilder &b, Location loc, ValueRange args) {
    IRMapping mapping;
    auto next = args.begin();
    for (auto [argument, count, operand] : llvm::zip_equal(
             op.getBody()->getArguments(), counts, op->getOperands())) {
      if (count == 0) {
        mapping.map(argument, operand);
        continue;
      }
      Value value = *next++;
      if (getPartType(argument.getType()) && count == 2)
        value = complex::CreateOp::create(b, loc, argument.getType(), value,
                                          *next++);
      mapping.map(argument, value);
    }
    for (Operation &nested : op.getBody()->without_terminator())
      b.clone(nested, mapping);
    SmallVector<Value> yielded;
    for (Value value : op.getBody()->getTerminator()->getOperands()) {
      Value number = mapping.lookupOrDefault(value);
      if (!getPartType(value.getType())) {
        yielded.push_back(number);
        continue;
      }
      for (unsigned part : parts)
        yielded.push_back(buildPart(b, loc, number, part));
    }
    linalg::YieldOp::create(b, loc, yielded);
  };
  return linalg::GenericOp::create(rewriter, op.getLoc(),
                                   ValueRange(outputs).getTypes(), inputs,
                                   outputs, maps, op.getIteratorTypesArray(),
                                   body, linalg::getPrunedAttributeList(op));
}

void ComplexSplitter::splitStructured(linalg::GenericOp op) {
  rewriter.setInsertionPoint(op);
  done.push_back(op);
  // The payload does not read the init, so each part is an op of its own.
  if (op.isAllParallelLoops() && op->getNumResults() == 1 &&
      isComplexTensor(op.getResult(0)) &&
      !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0))) {
    for (unsigned part : {0, 1})
      partsOf[op.getResult(0)][part] = build(op, part).getResult(0);
    return;
  }
  linalg::GenericOp built = build(op, kBothParts);
  auto next = built->result_begin();
  for (Value result : op->getResults())
    if (isComplexTensor(result))
      partsOf[result] = {*next++, *next++};
    else
      rewriter.replaceAllUsesWith(result, *next++);
}

Value ComplexSplitter::cloneFor(Operation *op, unsigned part) {
  rewriter.setInsertionPoint(op);
  IRMapping mapping;
  for (Value operand : op->getOperands())
    if (isComplexTensor(operand))
      mapping.map(operand, getParts(operand)[part]);
  rewriter.setInsertionPoint(op);
  Operation *copy = rewriter.clone(*op, mapping);
  Value result = copy->getResult(0);
  rewriter.modifyOpInPlace(
      copy, [&] { result.setType(getPartsType(result.getType())); });
  // Take one part of the padding.
  if (auto pad = dyn_cast<tensor::PadOp>(copy)) {
    auto yield = cast<tensor::YieldOp>(pad.getBody()->getTerminator());
    rewriter.setInsertionPoint(yield);
    Value number = buildPart(rewriter, yield.getLoc(), yield.getValue(), part);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getValueMutable().assign(number); });
  }
  return result;
}

/// Returns one part of the numbers of a constant, or null.
static DenseElementsAttr getPart(arith::ConstantOp op, unsigned part) {
  auto dense = dyn_cast<DenseElementsAttr>(op.getValue());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!dense || !type)
    return {};
  SmallVector<APFloat> numbers;
  auto add = [&](const std::complex<APFloat> &number) {
    numbers.push_back(part == 0 ? number.real() : number.imag());
  };
  if (dense.isSplat())
    add(dense.getSplatValue<std::complex<APFloat>>());
  else
    for (std::complex<APFloat> number :
         dense.getValues<std::complex<APFloat>>())
      add(number);
  return DenseElementsAttr::get(getPartsType(type), numbers);
}

static bool movesElements(Operation *op) {
  return isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
             tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
             tensor::ConcatOp, tensor::PadOp>(op);
}

/// Returns whether it costs nothing if the result of `op` exists both as a
/// whole and as parts.
static bool isFree(Operation *op) {
  return isa_and_present<tensor::EmptyOp, arith::ConstantOp>(op);
}

bool ComplexSplitter::isBetweenOthers(Operation *op) const {
  return llvm::all_of(op->getOperands(),
                      [&](Value operand) {
                        return isFree(operand.getDefiningOp()) ||
                               !partsOf.contains(operand);
                      }) &&
         llvm::none_of(op->getUsers(), [](Operation *user) {
           return isa<linalg::LinalgOp, tensor::ExtractOp>(user) ||
                  movesElements(user);
         });
}

/// Returns whether `op` reads one part of each element of a tensor, as the ops
/// do that this rewrite makes of a tensor that stays complex.
static bool readsPart(linalg::LinalgOp op) {
  if (!isa<linalg::GenericOp>(op) || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1)
    return false;
  Operation *number =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_present<complex::ReOp, complex::ImOp>(number) &&
         number->getOperand(0) == op.getBlock()->getArgument(0);
}

void ComplexSplitter::split(Operation *op) {
  rewriter.setInsertionPoint(op);
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Parts parts = getParts(extract.getTensor()), numbers;
    rewriter.setInsertionPoint(op);
    for (unsigned part : {0, 1})
      numbers[part] = tensor::ExtractOp::create(
          rewriter, op->getLoc(), parts[part], extract.getIndices());
    rewriter.replaceOpWithNewOp<complex::CreateOp>(op, extract.getType(),
                                                   numbers[0], numbers[1]);
    return;
  }
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    if (auto it = partsOf.find(dim.getSource()); it != partsOf.end())
      rewriter.modifyOpInPlace(
          dim, [&] { dim.getSourceMutable().assign(it->second[0]); });
    return;
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    DenseElementsAttr re = getPart(constant, 0), im = getPart(constant, 1);
    if (!re || !im)
      return;
    for (auto [part, attribute] : llvm::enumerate(std::array{re, im}))
      partsOf[constant][part] =
          arith::ConstantOp::create(rewriter, op->getLoc(), attribute);
    done.push_back(op);
    return;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (!linalgOp.hasPureTensorSemantics() || op->getNumRegions() != 1 ||
        isBetweenOthers(op) ||
        (readsPart(linalgOp) && !partsOf.contains(op->getOperand(0))))
      return;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (!generic) {
      FailureOr<linalg::GenericOp> built =
          linalg::generalizeNamedOp(rewriter, linalgOp);
      if (failed(built))
        return;
      generic = *built;
    }
    splitStructured(generic);
    return;
  }
  // Casts from or to tensors of unknown rank stay.
  if (!movesElements(op) || !llvm::all_of(op->getOperands(), isMovable) ||
      !isComplexTensor(op->getResult(0)))
    return;
  Parts parts{cloneFor(op, 0), cloneFor(op, 1)};
  partsOf[op->getResult(0)] = parts;
  done.push_back(op);
}

void ComplexSplitter::putTogether(Operation *op) {
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    auto [re, im] = partsOf.at(result);
    rewriter.setInsertionPointAfter(op);
    // The parts were built before `op`.
    Value whole = buildElementwise(
        rewriter, op->getLoc(), {re, im}, getElementTypeOrSelf(result),
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return complex::CreateOp::create(
              b, loc, cast<ComplexType>(getElementTypeOrSelf(result)), args[0],
              args[1]);
        });
    rewriter.replaceAllUsesWith(result, whole);
  }
}

void ComplexSplitter::run(Operation *scope) {
  SmallVector<Operation *> ops;
  // The walk visits the ops of a payload before the op that has it.
  scope->walk([&](Operation *op) {
    if (llvm::any_of(op->getOperands(), isComplexTensor) ||
        llvm::any_of(op->getResults(), isComplexTensor))
      ops.push_back(op);
  });
  for (Operation *op : ops)
    split(op);
  for (Operation *op : llvm::reverse(done)) {
    if (isFree(op) && !op->use_empty())
      continue;
    putTogether(op);
    rewriter.eraseOp(op);
  }
}

namespace {
/// Splits a select of complex numbers into a select of each part. Upstream's
/// patterns (22.1.8) cover only ops of the complex dialect.
struct SplitSelect : public OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  static bool isComplex(arith::SelectOp op) {
    return isa<ComplexType>(op.getType()) && getPartType(op.getType());
  }

  LogicalResult matchAndRewrite(arith::SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isComplex(op))
      return rewriter.notifyMatchFailure(op, "chooses no complex number");
    Value parts[2];
    for (unsigned part : kBothParts) {
      Value one = buildPart(rewriter, op.getLoc(), op.getTrueValue(), part);
      Value other = buildPart(rewriter, op.getLoc(), op.getFalseValue(), part);
      parts[part] = arith::SelectOp::create(rewriter, op.getLoc(),
                                            op.getCondition(), one, other);
    }
    rewriter.replaceOpWithNewOp<complex::CreateOp>(op, op.getType(), parts[0],
                                                   parts[1]);
    return success();
  }
};
} // namespace

LogicalResult mlir::linalg_ext::splitComplex(Operation *scope,
                                             RewriterBase::Listener *listener) {
  bool isComplex = false;
  scope->walk([&](Operation *op) {
    isComplex |= llvm::any_of(op->getResultTypes(), [](Type type) {
      return getPartType(type) != nullptr;
    });
    isComplex |= llvm::any_of(op->getOperandTypes(), [](Type type) {
      return getPartType(type) != nullptr;
    });
    return isComplex ? WalkResult::interrupt() : WalkResult::advance();
  });
  MLIRContext *context = scope->getContext();
  if (!isComplex || !context->getLoadedDialect<complex::ComplexDialect>())
    return success();
  IRRewriter rewriter(context, listener);
  ComplexSplitter(rewriter).run(scope);
  RewritePatternSet patterns(context);
  populateComplexToStandardConversionPatterns(patterns);
  patterns.add<SplitSelect>(context);
  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, math::MathDialect>();
  target.addLegalOp<complex::CreateOp, complex::ImOp, complex::ReOp,
                    complex::ConstantOp>();
  target.addDynamicallyLegalOp<arith::SelectOp>(
      [](arith::SelectOp op) { return !SplitSelect::isComplex(op); });
  ConversionConfig config;
  config.listener = listener;
  return applyPartialConversion(scope, target, std::move(patterns), config);
}
