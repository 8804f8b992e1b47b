//===- Enclosure.cpp - What a program may return --------------------------===//
//
// See Enclosure.h. Here: tensors, buffers and control flow.
//
//===----------------------------------------------------------------------===//

#include "Enclosure.h"
#include "Execute.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace linalg_ext_test;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// A tensor, or a buffer: a view of memory that others may view.
struct View {
  std::shared_ptr<std::vector<Enclosed>> data;
  int64_t offset = 0;
  SmallVector<int64_t> sizes, strides;

  int64_t at(ArrayRef<int64_t> index) const {
    int64_t position = offset;
    for (auto [i, stride] : llvm::zip_equal(index, strides))
      position += i * stride;
    return position;
  }
};

struct RuntimeValue {
  Enclosed scalar;
  std::optional<View> view;
};
} // namespace

static View makeView(ArrayRef<int64_t> sizes, Enclosed value = {}) {
  View view;
  view.sizes.assign(sizes.begin(), sizes.end());
  view.strides.assign(sizes.size(), 1);
  for (int64_t d = static_cast<int64_t>(sizes.size()) - 1; d > 0; --d)
    view.strides[d - 1] = view.strides[d] * sizes[d];
  int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                                  std::multiplies<>());
  view.data = std::make_shared<std::vector<Enclosed>>(count, value);
  return view;
}

/// Calls `body` with every index of `sizes`, the last dimension fastest.
static void forEach(ArrayRef<int64_t> sizes,
                    llvm::function_ref<void(ArrayRef<int64_t>)> body) {
  for (int64_t size : sizes)
    if (size == 0)
      return;
  SmallVector<int64_t> index(sizes.size(), 0);
  while (true) {
    body(index);
    int64_t d = static_cast<int64_t>(sizes.size()) - 1;
    while (d >= 0 && ++index[d] == sizes[d])
      index[d--] = 0;
    if (d < 0)
      return;
  }
}

static View copyOf(const View &view) {
  View copy = makeView(view.sizes);
  int64_t next = 0;
  forEach(view.sizes, [&](ArrayRef<int64_t> index) {
    (*copy.data)[next++] = (*view.data)[view.at(index)];
  });
  return copy;
}

/// True if `index` is in the view, and the memory there is.
static bool isInside(const View &view, ArrayRef<int64_t> index) {
  for (auto [i, size] : llvm::zip_equal(index, view.sizes))
    if (i < 0 || i >= size)
      return false;
  int64_t at = view.at(index);
  return at >= 0 && at < static_cast<int64_t>(view.data->size());
}

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

namespace {
class Evaluator {
public:
  LogicalResult call(func::FuncOp function, ArrayRef<RuntimeValue> arguments,
                     SmallVectorImpl<RuntimeValue> &results);

private:
  LogicalResult runBlock(Block &block, SmallVectorImpl<RuntimeValue> &yielded);
  LogicalResult run(Operation *op);
  LogicalResult runGeneric(linalg::GenericOp op);
  LogicalResult runPad(tensor::PadOp op);
  LogicalResult runGenerate(tensor::GenerateOp op);
  LogicalResult runReshape(Operation *op, ArrayRef<ReassociationIndices> groups,
                           bool expands);
  LogicalResult runConstant(arith::ConstantOp op);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runWhile(scf::WhileOp op);
  /// A body of ops that have rules, whose values have numbers.
  struct Program {
    struct Step {
      const EnclosedRule *rule = nullptr;
      /// The loop of a `linalg.index`, which has no rule.
      int64_t loop = -1;
      SmallVector<unsigned, 4> operands;
      int accumulator = -1;
    };
    /// The values of arguments, what is captured, and then of each step.
    SmallVector<Enclosed> values;
    SmallVector<Step> steps;
    SmallVector<unsigned> yielded;

    void run(ArrayRef<int64_t> index, int64_t numTerms);
  };
  /// Fails if the body has other ops.
  FailureOr<Program> makeProgram(Block &block);
  /// Values of the region of a structured op or a pad, at one index.
  LogicalResult runBody(Block &block, ArrayRef<int64_t> index,
                        int64_t numTerms);

  Enclosed get(Value value) const { return values.at(value).scalar; }
  int64_t getIndex(Value value) const {
    return static_cast<int64_t>(values.at(value).scalar.value);
  }
  int64_t getIndex(OpFoldResult value) const {
    if (auto attr = dyn_cast<Attribute>(value))
      return cast<IntegerAttr>(attr).getInt();
    return getIndex(cast<Value>(value));
  }
  SmallVector<int64_t> getIndices(ArrayRef<OpFoldResult> range) const {
    return llvm::map_to_vector(
        range, [&](OpFoldResult value) { return getIndex(value); });
  }
  SmallVector<int64_t> getIndices(ValueRange range) const {
    return llvm::map_to_vector(range,
                               [&](Value value) { return getIndex(value); });
  }
  const View &view(Value value) const { return *values.at(value).view; }
  void set(Value value, Enclosed scalar) {
    RuntimeValue &slot = values[value];
    slot.scalar = scalar;
    slot.view.reset();
  }
  void set(Value value, View view) { values[value] = {{}, std::move(view)}; }

  /// Sizes of a type: what is dynamic is next of `dynamic`.
  template <typename Range>
  SmallVector<int64_t> getSizes(ShapedType type, const Range &dynamic) const {
    SmallVector<int64_t> sizes(type.getShape());
    auto next = dynamic.begin();
    for (int64_t &size : sizes)
      if (ShapedType::isDynamic(size))
        size = getIndex(*next++);
    return sizes;
  }
  LogicalResult slice(Operation *op, const View &source,
                      ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                      ArrayRef<int64_t> strides,
                      const llvm::SmallBitVector &dropped, View &result);

  llvm::DenseMap<Value, RuntimeValue> values;
  struct ScalarOp {
    /// Null if there is none for the op.
    std::optional<EnclosedRule> rule;
    /// In the body of a structured op, the operand that is what its reduction
    /// has so far; -1: none is.
    int accumulator = -1;
  };
  static ScalarOp lookUp(Operation *op);
  /// What has been looked up.
  llvm::DenseMap<Operation *, ScalarOp> scalarOps;
};
} // namespace

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

template <typename T>
static std::vector<double> readWords(ArrayRef<char> bytes, Type type) {
  std::vector<double> numbers;
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T word;
    std::memcpy(&word, bytes.data() + at, sizeof(T));
    if (oracle::DType format; isa<FloatType>(type) && sizeof(T) == 1 &&
                              convertElementType(type, format))
      numbers.push_back(oracle::decode8(static_cast<uint8_t>(word), format));
    else if (type.isF16() || type.isBF16())
      numbers.push_back(oracle::decode16(static_cast<uint16_t>(word),
                                         type.isF16() ? oracle::DType::F16
                                                      : oracle::DType::BF16));
    else
      numbers.push_back(static_cast<double>(word));
  }
  return numbers;
}

/// Elements of a dense attribute, one or all.
static std::optional<std::vector<double>> getElements(Attribute attribute) {
  std::vector<double> numbers;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    Type type = resource.getType().getElementType();
    if (!blob)
      return std::nullopt;
    ArrayRef<char> bytes = blob->getData();
    if (type.isF32())
      return readWords<float>(bytes, type);
    if (type.isF64())
      return readWords<double>(bytes, type);
    if (type.isF16() || type.isBF16())
      return readWords<uint16_t>(bytes, type);
    if (type.isInteger(64))
      return readWords<int64_t>(bytes, type);
    if (type.isInteger(32))
      return readWords<int32_t>(bytes, type);
    return std::nullopt;
  }
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense || isa<ComplexType>(dense.getElementType()))
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType())) {
    for (APFloat number : dense.getValues<APFloat>())
      numbers.push_back(number.convertToDouble());
    return numbers;
  }
  unsigned width = dense.getElementType().isIndex()
                       ? 64
                       : dense.getElementType().getIntOrFloatBitWidth();
  for (APInt number : dense.getValues<APInt>())
    numbers.push_back(width == 1 ? static_cast<double>(number.getZExtValue())
                                 : static_cast<double>(number.getSExtValue()));
  return numbers;
}

LogicalResult Evaluator::runConstant(arith::ConstantOp op) {
  Attribute attribute = op.getValue();
  if (auto number = dyn_cast<FloatAttr>(attribute)) {
    // A NaN of 16 bits is one of 64.
    set(op, number.getValue().isNaN() ? std::numeric_limits<double>::quiet_NaN()
                                      : number.getValueAsDouble());
    return success();
  }
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    bool isBit = number.getType().isInteger(1);
    set(op, isBit ? static_cast<double>(number.getValue().getZExtValue())
                  : static_cast<double>(number.getValue().getSExtValue()));
    return success();
  }
  std::optional<std::vector<double>> numbers = getElements(attribute);
  if (!numbers)
    return op.emitError("constant cannot be evaluated");
  View view = makeView(cast<ShapedType>(op.getType()).getShape());
  for (size_t i = 0; i < view.data->size(); ++i)
    (*view.data)[i] = (*numbers)[numbers->size() == 1 ? 0 : i];
  set(op, view);
  return success();
}

Evaluator::ScalarOp Evaluator::lookUp(Operation *op) {
  ScalarOp result;
  result.rule = getEnclosedRule(op);
  auto generic = dyn_cast<linalg::GenericOp>(op->getParentOp());
  if (!generic)
    return result;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (argument && argument.getOwner() == generic.getBlock() &&
        argument.getArgNumber() >= generic.getNumDpsInputs())
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
  // 2. The ops.
  for (Operation &op : block.without_terminator()) {
    Program::Step step;
    if (auto indexOp = dyn_cast<linalg::IndexOp>(op)) {
      step.loop = indexOp.getDim();
    } else {
      auto [it, inserted] = scalarOps.try_emplace(&op);
      if (inserted)
        it->second = lookUp(&op);
      if (!it->second.rule || op.getNumResults() != 1)
        return failure();
      step.accumulator = it->second.accumulator;
      for (Value operand : op.getOperands())
        step.operands.push_back(numbers.at(operand));
    }
    numbers[op.getResult(0)] = numbers.size();
    program.steps.push_back(std::move(step));
  }
  // The table does not grow any more.
  for (auto [op, step] :
       llvm::zip_equal(block.without_terminator(), program.steps))
    if (step.loop < 0)
      step.rule = &*scalarOps.at(&op).rule;
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
    if (!scalarOp.rule) {
      if (failed(run(&op)))
        return failure();
      continue;
    }
    SmallVector<Enclosed, 4> operands;
    for (Value operand : op.getOperands())
      operands.push_back(get(operand));
    Enclosed result = (*scalarOp.rule)(
        operands, numTerms > 0 ? scalarOp.accumulator : -1, numTerms);
    set(op.getResult(0), result);
  }
  return success();
}

LogicalResult Evaluator::runGeneric(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // 1. The loops: the first operand with a dimension by itself gives its size.
  SmallVector<int64_t> loops(op.getNumLoops(), -1);
  for (auto [operand, map] : llvm::zip_equal(op->getOperands(), maps)) {
    if (!values.at(operand).view)
      continue;
    for (auto [d, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && loops[dim.getPosition()] < 0)
        loops[dim.getPosition()] = view(operand).sizes[d];
  }
  int64_t numTerms = 0;
  for (auto [loop, iterator] :
       llvm::zip_equal(loops, op.getIteratorTypesArray())) {
    if (loop < 0)
      return op.emitError("a loop has no size");
    if (iterator == utils::IteratorType::reduction)
      numTerms = std::max<int64_t>(numTerms, 1) * loop;
  }
  // 2. Destinations, of tensors copies.
  SmallVector<View> outs;
  for (Value out : op.getDpsInits()) {
    View init = isa<TensorType>(out.getType()) ? copyOf(view(out)) : view(out);
    Block &body = *op.getBlock();
    BlockArgument argument =
        body.getArgument(op.getNumDpsInputs() + outs.size());
    // What a sum starts from takes part in all additions.
    bool isSum = llvm::any_of(argument.getUsers(), [](Operation *user) {
      return isa<arith::AddFOp, arith::SubFOp>(user);
    });
    if (numTerms > 0 && isSum)
      forEach(init.sizes, [&](ArrayRef<int64_t> index) {
        Enclosed &x = (*init.data)[init.at(index)];
        double size = std::max(std::fabs(x.low), std::fabs(x.high));
        if (std::isfinite(size) && size > 0) {
          double error = getTermError(argument.getType(), numTerms, size);
          x = Enclosed(x.value, x.low - error, x.high + error);
        }
      });
    outs.push_back(init);
  }
  // 3. All iterations. Maps are matrices: an expression at a time is slow.
  struct Access {
    const View *view;
    AffineMap map;
    SmallVector<int64_t> strides;
    int64_t offset;
    bool isLinear;
  };
  SmallVector<Access> accesses;
  SmallVector<View> kept;
  kept.reserve(op->getNumOperands());
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    Access access{nullptr, maps[i], SmallVector<int64_t>(loops.size(), 0), 0,
                  true};
    if (values.at(operand).view) {
      bool isOut = static_cast<int64_t>(i) >= op.getNumDpsInputs();
      kept.push_back(isOut ? outs[i - op.getNumDpsInputs()] : view(operand));
      access.view = &kept.back();
      access.offset = access.view->offset;
      for (auto [d, expr] : llvm::enumerate(maps[i].getResults())) {
        int64_t stride = access.view->strides[d];
        if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
          access.strides[dim.getPosition()] += stride;
          if (loops[dim.getPosition()] > access.view->sizes[d])
            return op.emitError("operand ")
                   << i << ": expected a size of " << loops[dim.getPosition()]
                   << " of dimension " << d << ", got "
                   << access.view->sizes[d];
        } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
          access.offset += constant.getValue() * stride;
        } else {
          access.isLinear = false;
        }
      }
    }
    accesses.push_back(std::move(access));
  }
  Block &body = *op.getBlock();
  auto yield = cast<linalg::YieldOp>(body.getTerminator());
  LogicalResult result = success();
  int64_t numInputs = op.getNumDpsInputs();
  SmallVector<int64_t> positions(accesses.size(), 0);
  FailureOr<Program> program = makeProgram(body);
  auto setArgument = [&](size_t i, const Enclosed &value) {
    if (succeeded(program))
      program->values[i] = value;
    else
      set(body.getArgument(i), value);
  };
  // What each loop adds to the positions, and takes back when it ends.
  SmallVector<int64_t> linear(accesses.size());
  for (auto [at, access] : llvm::zip_equal(linear, accesses))
    at = access.offset;
  SmallVector<int64_t> last(loops.size(), 0);
  auto advance = [&](ArrayRef<int64_t> index) {
    for (auto [d, now, before] : llvm::enumerate(index, last)) {
      if (now == before)
        continue;
      for (auto [at, access] : llvm::zip_equal(linear, accesses))
        at += (now - before) * access.strides[d];
      last[d] = now;
    }
  };
  forEach(loops, [&](ArrayRef<int64_t> index) {
    if (failed(result))
      return;
    advance(index);
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access &access = accesses[i];
      if (!access.view) {
        setArgument(i, get(op->getOperand(i)));
        continue;
      }
      int64_t at = linear[i];
      if (!access.isLinear) {
        SmallVector<int64_t> position = access.map.compose(index);
        if (!isInside(*access.view, position)) {
          result = op.emitError("an access is out of bounds");
          return;
        }
        at = access.view->at(position);
      }
      if (at < 0 || at >= static_cast<int64_t>(access.view->data->size())) {
        result = op.emitError("an access is out of bounds");
        return;
      }
      positions[i] = at;
      setArgument(i, (*access.view->data)[at]);
    }
    if (succeeded(program)) {
      program->run(index, numTerms);
      for (auto [i, number] : llvm::enumerate(program->yielded))
        (*outs[i].data)[positions[numInputs + i]] = program->values[number];
      return;
    }
    result = runBody(body, index, numTerms);
    if (failed(result))
      return;
    for (auto [i, value] : llvm::enumerate(yield.getValues()))
      (*outs[i].data)[positions[numInputs + i]] = get(value);
  });
  for (auto [i, value] : llvm::enumerate(op.getResults()))
    set(value, outs[i]);
  return result;
}

LogicalResult Evaluator::runPad(tensor::PadOp op) {
  const View source = view(op.getSource());
  SmallVector<int64_t> low = getIndices(op.getMixedLowPad());
  SmallVector<int64_t> high = getIndices(op.getMixedHighPad());
  SmallVector<int64_t> sizes;
  for (auto [size, before, after] : llvm::zip_equal(source.sizes, low, high))
    sizes.push_back(size + before + after);
  View padded = makeView(sizes);
  Block &body = op.getRegion().front();
  auto yield = cast<tensor::YieldOp>(body.getTerminator());
  LogicalResult result = success();
  forEach(sizes, [&](ArrayRef<int64_t> index) {
    if (failed(result))
      return;
    SmallVector<int64_t> from;
    for (auto [i, before] : llvm::zip_equal(index, low))
      from.push_back(i - before);
    Enclosed &to = (*padded.data)[padded.at(index)];
    if (isInside(source, from)) {
      to = (*source.data)[source.at(from)];
      return;
    }
    for (auto [argument, i] : llvm::zip_equal(body.getArguments(), index))
      set(argument, static_cast<double>(i));
    result = runBody(body, index, 0);
    if (succeeded(result))
      to = get(yield.getValue());
  });
  set(op, padded);
  return result;
}

LogicalResult Evaluator::runGenerate(tensor::GenerateOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  View generated = makeView(getSizes(type, op.getDynamicExtents()));
  Block &body = op.getBody().front();
  auto yield = cast<tensor::YieldOp>(body.getTerminator());
  LogicalResult result = success();
  forEach(generated.sizes, [&](ArrayRef<int64_t> index) {
    if (failed(result))
      return;
    for (auto [argument, i] : llvm::zip_equal(body.getArguments(), index))
      set(argument, static_cast<double>(i));
    result = runBody(body, index, 0);
    if (succeeded(result))
      (*generated.data)[generated.at(index)] = get(yield.getValue());
  });
  set(op, generated);
  return result;
}

LogicalResult Evaluator::runReshape(Operation *op,
                                    ArrayRef<ReassociationIndices> groups,
                                    bool expands) {
  const View source = view(op->getOperand(0));
  auto type = cast<ShapedType>(op->getResult(0).getType());
  SmallVector<int64_t> sizes;
  if (isa<tensor::ReshapeOp>(op)) {
    const View shape = view(op->getOperand(1));
    for (int64_t d = 0; d < type.getRank(); ++d)
      sizes.push_back(static_cast<int64_t>((*shape.data)[shape.at(d)].value));
  } else if (expands) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      sizes = getIndices(expand.getMixedOutputShape());
    else
      sizes = getIndices(cast<memref::ExpandShapeOp>(op).getMixedOutputShape());
  } else {
    for (const ReassociationIndices &group : groups) {
      int64_t size = 1;
      for (int64_t d : group)
        size *= source.sizes[d];
      sizes.push_back(size);
    }
  }
  // Of a buffer, whose memory stays, only what is contiguous.
  if (isa<MemRefType>(type)) {
    View contiguous = makeView(source.sizes);
    if (contiguous.strides != source.strides)
      return op->emitError("buffer is not contiguous");
  }
  View result = makeView(sizes);
  if (result.data->size() != static_cast<size_t>(std::accumulate(
                                 source.sizes.begin(), source.sizes.end(),
                                 int64_t(1), std::multiplies<>())))
    return op->emitError("sizes do not match those of the source");
  if (isa<MemRefType>(type)) {
    result.data = source.data;
    result.offset = source.offset;
  } else {
    result.data = copyOf(source).data;
  }
  set(op->getResult(0), result);
  return success();
}

LogicalResult
Evaluator::slice(Operation *op, const View &source, ArrayRef<int64_t> offsets,
                 ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                 const llvm::SmallBitVector &dropped, View &result) {
  result.data = source.data;
  result.offset = source.offset;
  for (auto [d, size] : llvm::enumerate(sizes)) {
    int64_t last = offsets[d] + (size - 1) * strides[d];
    if (size < 0 || offsets[d] < 0 || (size > 0 && last >= source.sizes[d]))
      return op->emitError("expected a slice of dimension ")
             << d << " within " << source.sizes[d] << ", got [" << offsets[d]
             << ", " << last << "]";
    result.offset += offsets[d] * source.strides[d];
    if (dropped.test(d))
      continue;
    result.sizes.push_back(size);
    result.strides.push_back(strides[d] * source.strides[d]);
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
  int64_t end = getIndex(op.getUpperBound());
  for (int64_t i = getIndex(op.getLowerBound()); i < end; i += step) {
    set(op.getInductionVar(), static_cast<double>(i));
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
      .Case([&](linalg::GenericOp op) { return runGeneric(op); })
      .Case([&](tensor::PadOp op) { return runPad(op); })
      .Case([&](arith::ConstantOp op) { return runConstant(op); })
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
      .Case([&](tensor::EmptyOp op) -> LogicalResult {
        // What is read before it is written may be anything.
        double nan = std::numeric_limits<double>::quiet_NaN();
        set(op, makeView(getSizes(op.getType(), op.getDynamicSizes()),
                         Enclosed::unknown(nan)));
        return success();
      })
      .Case([&](bufferization::AllocTensorOp op) -> LogicalResult {
        if (op.getCopy()) {
          set(op, copyOf(view(op.getCopy())));
          return success();
        }
        double nan = std::numeric_limits<double>::quiet_NaN();
        set(op, makeView(getSizes(op.getType(), op.getDynamicSizes()),
                         Enclosed::unknown(nan)));
        return success();
      })
      .Case<memref::AllocOp, memref::AllocaOp>([&](auto op) -> LogicalResult {
        double nan = std::numeric_limits<double>::quiet_NaN();
        set(op, makeView(getSizes(op.getType(), op.getDynamicSizes()),
                         Enclosed::unknown(nan)));
        return success();
      })
      .Case<memref::DeallocOp>([&](auto) { return success(); })
      .Case<tensor::DimOp, memref::DimOp>([&](auto op) -> LogicalResult {
        int64_t d = getIndex(op.getIndex());
        const View &source = view(op.getSource());
        if (d < 0 || d >= static_cast<int64_t>(source.sizes.size()))
          return op.emitError("there is no such dimension");
        set(op, static_cast<double>(source.sizes[d]));
        return success();
      })
      .Case<tensor::CastOp, memref::CastOp>([&](auto op) -> LogicalResult {
        View source = view(op.getSource());
        if (auto type = dyn_cast<ShapedType>(op.getType()); type.hasRank())
          for (auto [size, wanted] :
               llvm::zip_equal(source.sizes, type.getShape()))
            if (!ShapedType::isDynamic(wanted) && size != wanted)
              return op.emitError("expected a size of ")
                     << wanted << ", got " << size;
        set(op, source);
        return success();
      })
      .Case<tensor::ExpandShapeOp, memref::ExpandShapeOp>([&](auto op) {
        return runReshape(op, op.getReassociationIndices(), true);
      })
      .Case<tensor::CollapseShapeOp, memref::CollapseShapeOp>([&](auto op) {
        return runReshape(op, op.getReassociationIndices(), false);
      })
      .Case([&](tensor::ReshapeOp op) { return runReshape(op, {}, false); })
      .Case([&](tensor::GenerateOp op) { return runGenerate(op); })
      .Case<tensor::ExtractSliceOp, memref::SubViewOp>(
          [&](auto op) -> LogicalResult {
            View result;
            if (failed(slice(op, view(op.getSource()),
                             getIndices(op.getMixedOffsets()),
                             getIndices(op.getMixedSizes()),
                             getIndices(op.getMixedStrides()),
                             op.getDroppedDims(), result)))
              return failure();
            set(op, isa<tensor::ExtractSliceOp>(op) ? copyOf(result) : result);
            return success();
          })
      .Case([&](tensor::InsertSliceOp op) -> LogicalResult {
        View result = copyOf(view(op.getDest())), part;
        if (failed(slice(op, result, getIndices(op.getMixedOffsets()),
                         getIndices(op.getMixedSizes()),
                         getIndices(op.getMixedStrides()), op.getDroppedDims(),
                         part)))
          return failure();
        const View &source = view(op.getSource());
        forEach(source.sizes, [&](ArrayRef<int64_t> index) {
          (*part.data)[part.at(index)] = (*source.data)[source.at(index)];
        });
        set(op, result);
        return success();
      })
      .Case([&](tensor::ConcatOp op) -> LogicalResult {
        int64_t dim = static_cast<int64_t>(op.getDim());
        SmallVector<int64_t> sizes = view(op.getInputs().front()).sizes;
        sizes[dim] = 0;
        for (Value input : op.getInputs())
          sizes[dim] += view(input).sizes[dim];
        View result = makeView(sizes);
        int64_t start = 0;
        for (Value input : op.getInputs()) {
          const View &source = view(input);
          forEach(source.sizes, [&](ArrayRef<int64_t> index) {
            SmallVector<int64_t> to(index);
            to[dim] += start;
            (*result.data)[result.at(to)] = (*source.data)[source.at(index)];
          });
          start += source.sizes[dim];
        }
        set(op, result);
        return success();
      })
      .Case<tensor::ExtractOp>([&](tensor::ExtractOp op) -> LogicalResult {
        SmallVector<int64_t> index = getIndices(op.getIndices());
        const View &source = view(op.getTensor());
        if (!isInside(source, index))
          return op.emitError("an access is out of bounds");
        set(op, (*source.data)[source.at(index)]);
        return success();
      })
      .Case<memref::LoadOp>([&](memref::LoadOp op) -> LogicalResult {
        SmallVector<int64_t> index = getIndices(op.getIndices());
        const View &source = view(op.getMemRef());
        if (!isInside(source, index))
          return op.emitError("an access is out of bounds");
        set(op, (*source.data)[source.at(index)]);
        return success();
      })
      .Case<memref::StoreOp>([&](memref::StoreOp op) -> LogicalResult {
        SmallVector<int64_t> index = getIndices(op.getIndices());
        const View &target = view(op.getMemRef());
        if (!isInside(target, index))
          return op.emitError("an access is out of bounds");
        (*target.data)[target.at(index)] = get(op.getValueToStore());
        return success();
      })
      .Case([&](tensor::InsertOp op) -> LogicalResult {
        SmallVector<int64_t> index = getIndices(op.getIndices());
        View result = copyOf(view(op.getDest()));
        if (!isInside(result, index))
          return op.emitError("an access is out of bounds");
        (*result.data)[result.at(index)] = get(op.getScalar());
        set(op, result);
        return success();
      })
      .Case([&](tensor::FromElementsOp op) -> LogicalResult {
        View result = makeView(op.getType().getShape());
        for (auto [i, element] : llvm::enumerate(op.getElements()))
          (*result.data)[i] = get(element);
        set(op, result);
        return success();
      })
      .Case([&](tensor::SplatOp op) -> LogicalResult {
        set(op, makeView(getSizes(op.getType(), op.getDynamicSizes()),
                         get(op.getInput())));
        return success();
      })
      .Case([&](bufferization::ToTensorOp op) -> LogicalResult {
        set(op, copyOf(view(op.getBuffer())));
        return success();
      })
      .Case([&](bufferization::MaterializeInDestinationOp op) -> LogicalResult {
        const View &source = view(op.getSource());
        if (isa<TensorType>(op.getDest().getType())) {
          set(op.getResult(), source);
          return success();
        }
        const View &target = view(op.getDest());
        forEach(source.sizes, [&](ArrayRef<int64_t> index) {
          (*target.data)[target.at(index)] = (*source.data)[source.at(index)];
        });
        return success();
      })
      .Case([&](memref::CopyOp op) -> LogicalResult {
        View source = copyOf(view(op.getSource()));
        const View &target = view(op.getTarget());
        if (source.sizes != target.sizes)
          return op.emitError("sizes differ");
        forEach(source.sizes, [&](ArrayRef<int64_t> index) {
          (*target.data)[target.at(index)] = (*source.data)[source.at(index)];
        });
        return success();
      })
      .Case([&](memref::ReinterpretCastOp op) -> LogicalResult {
        View result;
        result.data = view(op.getSource()).data;
        result.offset = getIndices(op.getMixedOffsets()).front();
        result.sizes = getIndices(op.getMixedSizes());
        result.strides = getIndices(op.getMixedStrides());
        set(op, result);
        return success();
      })
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
        if (!it->second.rule ||
            llvm::any_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
          return op->emitError("'") << op->getName() << "' cannot be evaluated";
        SmallVector<Enclosed, 4> operands;
        for (Value operand : op->getOperands())
          operands.push_back(get(operand));
        set(op->getResult(0), (*it->second.rule)(operands, -1, 0));
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
