//===- Enclosure.cpp - What a program may return --------------------------===//
//
// See Enclosure.h. Here: calls, control flow and numbers, and what tests call.
// EnclosureTensors.cpp has tensors and buffers, EnclosureRules.cpp the bounds
// of numbers.
//
//===----------------------------------------------------------------------===//

#include "Enclosure.h"
#include "EnclosureEvaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace linalg_ext_test;
using namespace linalg_ext_test::enclosure;

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::call(func::FuncOp function,
                              ArrayRef<RuntimeValue> arguments,
                              SmallVectorImpl<RuntimeValue> &results) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return function.emitError("expected a body of one block");
  for (auto [argument, value] :
       llvm::zip_equal(function.getArguments(), arguments))
    values[argument] = value;
  return runBlock(function.getBody().front(), results);
}

LogicalResult Evaluator::runBlock(Block &block,
                                  SmallVectorImpl<RuntimeValue> &yielded) {
  for (Operation &op : block.without_terminator())
    if (failed(run(&op)))
      return failure();
  yielded.clear();
  for (Value operand : block.getTerminator()->getOperands())
    yielded.push_back(values.at(operand));
  return success();
}

/// Returns whether `value`, a sum, is yielded as it is, with more summands, or
/// where a condition that does not depend on it holds. Else, for example if it
/// is clamped, its error is not a part of each term: what is summed behind a
/// clamp may be small beside the sum that it rounds.
static bool isYieldedAsSum(Value value) {
  return llvm::all_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<linalg::YieldOp>(user))
      return true;
    bool isSum = isa<arith::AddFOp, arith::SubFOp, complex::AddOp>(user) ||
                 (isa<arith::SelectOp>(user) && use.getOperandNumber() > 0);
    return isSum && isYieldedAsSum(user->getResult(0));
  });
}

Evaluator::ScalarOp Evaluator::lookUp(Operation *op) {
  ScalarOp result;
  result.rules = getEnclosedRules(op);
  auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
  if (!generic)
    return result;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && argument.getOwner() == generic.getBlock() &&
        argument.getArgNumber() >= generic.getNumDpsInputs() &&
        op->getNumResults() == 1 && isYieldedAsSum(op->getResult(0)))
      result.accumulator = static_cast<int>(i);
  }
  return result;
}

FailureOr<Evaluator::Program> Evaluator::makeProgram(Block &block) {
  Program program;
  llvm::DenseMap<Value, unsigned> numbers;
  for (BlockArgument argument : block.getArguments())
    numbers[argument] = numbers.size();
  // 1. What is captured.
  for (Operation &op : block)
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() != &block)
        numbers.try_emplace(operand, numbers.size());
  program.values.resize(numbers.size());
  for (auto [value, number] : numbers)
    if (value.getParentBlock() != &block) {
      if (values.at(value).view)
        return failure();
      program.values[number] = get(value);
    }
  // 2. The ops: a step for each result.
  for (Operation &op : block.without_terminator()) {
    Program::Step step;
    if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
      step.loop = indexOp.getDim();
    } else {
      auto [it, inserted] = scalarOps.try_emplace(&op);
      if (inserted)
        it->second = lookUp(&op);
      if (it->second.rules.empty())
        return failure();
      step.accumulator = it->second.accumulator;
      for (Value operand : op.getOperands())
        step.operands.push_back(numbers.at(operand));
    }
    for (Value result : op.getResults()) {
      numbers[result] = numbers.size();
      program.steps.push_back(step);
    }
  }
  // The table does not grow any more.
  auto *next = program.steps.begin();
  for (Operation &op : block.without_terminator())
    for (unsigned number = 0; number < op.getNumResults(); ++number, ++next)
      if (next->loop < 0)
        next->rule = &scalarOps.at(&op).rules[number];
  for (Value value : block.getTerminator()->getOperands())
    program.yielded.push_back(numbers.at(value));
  program.values.resize(numbers.size());
  return program;
}

void Evaluator::Program::run(ArrayRef<int64_t> index, int64_t numTerms) {
  Enclosed *result = values.end() - steps.size();
  SmallVector<Enclosed, 4> operands;
  for (const Step &step : steps) {
    if (step.loop >= 0) {
      *result++ = static_cast<double>(index[step.loop]);
      continue;
    }
    operands.clear();
    for (unsigned operand : step.operands)
      operands.push_back(values[operand]);
    *result++ =
        (*step.rule)(operands, numTerms > 0 ? step.accumulator : -1, numTerms);
  }
}

LogicalResult Evaluator::runBody(Block &block, ArrayRef<int64_t> index,
                                 int64_t numTerms) {
  for (Operation &op : block.without_terminator()) {
    if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
      set(indexOp, static_cast<double>(index[indexOp.getDim()]));
      continue;
    }
    auto [it, inserted] = scalarOps.try_emplace(&op);
    if (inserted)
      it->second = lookUp(&op);
    const ScalarOp &scalarOp = it->second;
    if (scalarOp.rules.empty()) {
      if (failed(run(&op)))
        return failure();
      continue;
    }
    SmallVector<Enclosed, 4> operands;
    for (Value operand : op.getOperands())
      operands.push_back(get(operand));
    for (auto [result, rule] : llvm::zip_equal(op.getResults(), scalarOp.rules))
      set(result,
          rule(operands, numTerms > 0 ? scalarOp.accumulator : -1, numTerms));
  }
  return success();
}

LogicalResult Evaluator::runFor(scf::ForOp op) {
  int64_t step = getIndex(op.getStep());
  if (step <= 0)
    return op.emitError("expected a positive step");
  SmallVector<RuntimeValue> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(values.at(init));
  // The number of iterations is one of numbers that may have no sign.
  int64_t begin = getIndex(op.getLowerBound());
  int64_t end = getIndex(op.getUpperBound());
  Type type = op.getInductionVar().getType();
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(width);
  auto getBits = [&](int64_t number) {
    return static_cast<uint64_t>(number) & mask;
  };
  bool isEmpty =
      op.getUnsignedCmp() ? getBits(begin) >= getBits(end) : begin >= end;
  uint64_t count = isEmpty ? 0 : (getBits(end - begin) - 1) / step + 1;
  for (uint64_t i = 0; i < count; ++i) {
    set(op.getInductionVar(), static_cast<double>(llvm::SignExtend64(
                                  getBits(begin + i * step), width)));
    for (auto [argument, value] :
         llvm::zip_equal(op.getRegionIterArgs(), carried))
      values[argument] = value;
    if (failed(runBlock(*op.getBody(), carried)))
      return failure();
  }
  for (auto [result, value] : llvm::zip_equal(op.getResults(), carried))
    values[result] = value;
  return success();
}

LogicalResult Evaluator::runWhile(scf::WhileOp op) {
  SmallVector<RuntimeValue> carried;
  for (Value init : op.getInits())
    carried.push_back(values.at(init));
  while (true) {
    for (auto [argument, value] :
         llvm::zip_equal(op.getBeforeArguments(), carried))
      values[argument] = value;
    SmallVector<RuntimeValue> passed;
    if (failed(runBlock(*op.getBeforeBody(), passed)))
      return failure();
    Enclosed condition = passed.front().scalar;
    if (!condition.isExact())
      return op.emitError("the condition is not decided");
    passed.erase(passed.begin());
    ValueRange targets = op.getResults();
    if (condition.value != 0)
      targets = op.getAfterArguments();
    for (auto [target, value] : llvm::zip_equal(targets, passed))
      values[target] = value;
    if (condition.value == 0)
      return success();
    if (failed(runBlock(*op.getAfterBody(), carried)))
      return failure();
  }
}

LogicalResult Evaluator::run(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::WhileOp op) { return runWhile(op); })
      .Case([&](scf::IfOp op) -> LogicalResult {
        if (!get(op.getCondition()).isExact())
          return op.emitError("the condition is not decided");
        Region &region = get(op.getCondition()).value != 0 ? op.getThenRegion()
                                                           : op.getElseRegion();
        SmallVector<RuntimeValue> yielded;
        if (region.empty())
          return success();
        if (failed(runBlock(region.front(), yielded)))
          return failure();
        for (auto [result, value] : llvm::zip_equal(op.getResults(), yielded))
          values[result] = value;
        return success();
      })
      .Case([&](func::CallOp op) -> LogicalResult {
        auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
            op, op.getCalleeAttr());
        SmallVector<RuntimeValue> arguments, results;
        for (Value operand : op.getOperands())
          arguments.push_back(values.at(operand));
        if (!callee || failed(call(callee, arguments, results)))
          return failure();
        for (auto [result, value] : llvm::zip_equal(op.getResults(), results))
          values[result] = value;
        return success();
      })
      .Case([&](cf::AssertOp op) -> LogicalResult {
        if (get(op.getArg()).value == 0)
          return op.emitError("assertion fails: ") << op.getMsg();
        return success();
      })
      .Default([&](Operation *op) { return runShaped(op); });
}

LogicalResult Evaluator::runScalar(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](affine::AffineApplyOp op) -> LogicalResult {
        SmallVector<int64_t> operands = getIndices(op.getMapOperands());
        AffineMap map = op.getAffineMap();
        SmallVector<Attribute> folded;
        OpBuilder b(op);
        for (int64_t operand : operands)
          folded.push_back(b.getIndexAttr(operand));
        SmallVector<Attribute> results;
        if (failed(map.constantFold(folded, results)))
          return op.emitError("cannot be evaluated");
        set(op, static_cast<double>(cast<IntegerAttr>(results[0]).getInt()));
        return success();
      })
      .Default([&](Operation *op) -> LogicalResult {
        auto [it, inserted] = scalarOps.try_emplace(op);
        if (inserted)
          it->second = lookUp(op);
        if (it->second.rules.empty() ||
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
          return op->emitError("'") << op->getName() << "' cannot be evaluated";
        SmallVector<Enclosed, 4> operands;
        for (Value operand : op->getOperands())
          operands.push_back(get(operand));
        for (auto [result, rule] :
             llvm::zip_equal(op->getResults(), it->second.rules))
          set(result, rule(operands, -1, 0));
        return success();
      });
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// Lets `op` write to a tensor of the type of its input: upstream (22.1.8)
/// decomposes it into ops of that type, whose destination is the op's own.
static void alignTypes(OpBuilder &b, linalg::SoftmaxOp op) {
  auto inputType = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto outputType = dyn_cast<RankedTensorType>(op.getOutput().getType());
  if (!inputType || !outputType || inputType == outputType ||
      inputType.getElementType() != outputType.getElementType())
    return;
  Location loc = op.getLoc();
  b.setInsertionPoint(op);
  Value empty = tensor::EmptyOp::create(
      b, loc, tensor::getMixedSizes(b, loc, op.getInput()),
      inputType.getElementType());
  op.getOutputMutable().assign(empty);
  op->getResult(0).setType(inputType);
  b.setInsertionPointAfter(op);
  auto cast = tensor::CastOp::create(b, loc, outputType, op->getResult(0));
  op->getResult(0).replaceAllUsesExcept(cast, cast);
}

LogicalResult linalg_ext_test::prepareForEvaluation(ModuleOp module) {
  SmallVector<linalg::AggregatedOpInterface> ops;
  module.walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  OpBuilder b(module.getContext());
  for (linalg::AggregatedOpInterface op : ops) {
    if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op.getOperation()))
      alignTypes(b, softmax);
    b.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(b);
    if (failed(results))
      return op->emitError("cannot be decomposed");
    op->replaceAllUsesWith(*results);
    op->erase();
  }
  PassManager passes(module.getContext());
  passes.addPass(createConvertElementwiseToLinalgPass());
  if (failed(passes.run(module)))
    return failure();
  // One by one: a driver of patterns would also fold what is to be evaluated.
  SmallVector<linalg::LinalgOp> named;
  IRRewriter rewriter(module.getContext());
  module.walk([&](Operation *op) {
    rewriter.setInsertionPoint(op);
    if (auto pack = dyn_cast<linalg::PackOp>(op))
      (void)linalg::lowerPack(rewriter, pack, /*insertSlice=*/false);
    else if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
      (void)linalg::lowerUnPack(rewriter, unpack, /*extractSlice=*/false);
  });
  module.walk([&](linalg::LinalgOp op) { named.push_back(op); });
  for (linalg::LinalgOp op : named) {
    rewriter.setInsertionPoint(op);
    (void)linalg::generalizeNamedOp(rewriter, op);
  }
  // What nothing reads need not be known, such as shapes of TOSA.
  (void)runRegionDCE(rewriter, module->getRegions());
  return success();
}

static EnclosedTensor toTensor(const View &view) {
  oracle::Shape shape(view.sizes.begin(), view.sizes.end());
  EnclosedTensor result{oracle::Tensor(shape), oracle::Tensor(shape),
                        oracle::Tensor(shape)};
  int64_t next = 0;
  forEach(view.sizes, [&](ArrayRef<int64_t> index) {
    const Enclosed &x = (*view.data)[view.at(index)];
    result.value.data[next] = x.value;
    result.low.data[next] = x.low;
    result.high.data[next++] = x.high;
  });
  return result;
}

Evaluation linalg_ext_test::evaluate(func::FuncOp function,
                                     ArrayRef<oracle::Tensor> inputs) {
  Evaluation evaluation;
  llvm::raw_string_ostream os(evaluation.error);
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        os << diagnostic.getLocation() << ": " << diagnostic << "\n";
        return success();
      });
  SmallVector<RuntimeValue> arguments, results;
  for (auto [type, input] :
       llvm::zip_equal(function.getArgumentTypes(), inputs)) {
    RuntimeValue value;
    if (isa<ShapedType>(type)) {
      View view = makeView(input.shape);
      for (auto [element, number] : llvm::zip_equal(*view.data, input.data))
        element = number;
      value.view = view;
    } else {
      value.scalar = input.data.front();
    }
    arguments.push_back(value);
  }
  if (failed(Evaluator().call(function, arguments, results))) {
    if (evaluation.error.empty())
      os << "cannot be evaluated";
    return evaluation;
  }
  for (const RuntimeValue &result : results)
    evaluation.results.push_back(result.view
                                     ? toTensor(*result.view)
                                     : toTensor(makeView({}, result.scalar)));
  for (const RuntimeValue &argument : arguments)
    evaluation.arguments.push_back(
        argument.view ? toTensor(*argument.view)
                      : toTensor(makeView({}, argument.scalar)));
  return evaluation;
}

EnclosureComparison linalg_ext_test::compare(const oracle::Tensor &got,
                                             const EnclosedTensor &want) {
  EnclosureComparison result;
  if (got.shape != want.value.shape) {
    result.ok = false;
    result.message = "expected another shape";
    return result;
  }
  double largest = 0;
  for (double value : want.value.data)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  int64_t informative = 0, next = 0;
  oracle::forEachIndex(got.shape, [&](const oracle::Index &index) {
    int64_t i = next++;
    Enclosed x(want.value.data[i], want.low.data[i], want.high.data[i]);
    double value = got.data[i];
    bool isRight = true;
    if (x.isNaN()) {
      isRight = std::isnan(value);
      ++informative;
    } else if (x.isUnknown()) {
      isRight = true;
    } else {
      isRight = x.low <= value && value <= x.high;
      informative += x.isExact() || (x.high - x.low) / 2 <= largest / 4;
      double bound = value < x.value ? x.value - x.low : x.high - x.value;
      if (isRight && std::isfinite(bound) && bound > 0)
        result.worstRatio =
            std::max(result.worstRatio, std::fabs(value - x.value) / bound);
    }
    if (isRight || !result.ok)
      return;
    result.ok = false;
    llvm::raw_string_ostream os(result.message);
    os << "at [";
    llvm::interleaveComma(index, os);
    os << "]: expected " << llvm::format("%.9g", x.value) << ", within ["
       << llvm::format("%.9g", x.low) << ", " << llvm::format("%.9g", x.high)
       << "], got " << llvm::format("%.9g", value);
  });
  if (!got.data.empty())
    result.informative = static_cast<double>(informative) / got.size();
  return result;
}
