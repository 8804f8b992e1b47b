//===- EnclosureTensors.cpp - Enclosures of tensors and buffers -----------===//
//
// See EnclosureEvaluator.h.
//
//===----------------------------------------------------------------------===//

#include "EnclosureEvaluator.h"
#include "Execute.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <cstring>
#include <numeric>

using namespace mlir;
using namespace linalg_ext_test;
using namespace linalg_ext_test::enclosure;

View enclosure::makeView(ArrayRef<int64_t> sizes, Enclosed value) {
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

void enclosure::forEach(ArrayRef<int64_t> sizes,
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

View enclosure::copyOf(const View &view) {
  View copy = makeView(view.sizes);
  int64_t next = 0;
  forEach(view.sizes, [&](ArrayRef<int64_t> index) {
    (*copy.data)[next++] = (*view.data)[view.at(index)];
  });
  return copy;
}

bool enclosure::isInside(const View &view, ArrayRef<int64_t> index) {
  for (auto [i, size] : llvm::zip_equal(index, view.sizes))
    if (i < 0 || i >= size)
      return false;
  int64_t at = view.at(index);
  return at >= 0 && at < static_cast<int64_t>(view.data->size());
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

FailureOr<SmallVector<int64_t>> Evaluator::getLoops(linalg::GenericOp op) {
  // The first operand with a dimension by itself gives the size.
  SmallVector<int64_t> loops(op.getNumLoops(), -1);
  for (auto [operand, map] :
       llvm::zip_equal(op->getOperands(), op.getIndexingMapsArray())) {
    if (!values.at(operand).view)
      continue;
    for (auto [d, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && loops[dim.getPosition()] < 0)
        loops[dim.getPosition()] = view(operand).sizes[d];
  }
  if (llvm::is_contained(loops, -1))
    return op.emitError("a loop has no size");
  return loops;
}

SmallVector<View> Evaluator::getOuts(linalg::GenericOp op, int64_t numTerms) {
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
  return outs;
}

FailureOr<Evaluator::Access> Evaluator::getAccess(linalg::GenericOp op,
                                                  OpOperand &operand,
                                                  ArrayRef<View> outs,
                                                  ArrayRef<int64_t> loops) {
  Access access{std::nullopt, op.getMatchingIndexingMap(&operand),
                SmallVector<int64_t>(loops.size(), 0), 0, true};
  if (!values.at(operand.get()).view)
    return access;
  access.view = op.isDpsInit(&operand)
                    ? outs[operand.getOperandNumber() - op.getNumDpsInputs()]
                    : view(operand.get());
  access.offset = access.view->offset;
  for (auto [d, expr] : llvm::enumerate(access.map.getResults())) {
    int64_t stride = access.view->strides[d];
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      access.strides[dim.getPosition()] += stride;
      if (loops[dim.getPosition()] > access.view->sizes[d])
        return op.emitError("operand ")
               << operand.getOperandNumber() << ": expected a size of "
               << loops[dim.getPosition()] << " of dimension " << d << ", got "
               << access.view->sizes[d];
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      access.offset += constant.getValue() * stride;
    } else {
      access.isLinear = false;
    }
  }
  return access;
}

LogicalResult Evaluator::runGeneric(linalg::GenericOp op) {
  // 1. The loops, and how many terms each result sums.
  FailureOr<SmallVector<int64_t>> loops = getLoops(op);
  if (failed(loops))
    return failure();
  int64_t numTerms = 0;
  for (auto [loop, iterator] :
       llvm::zip_equal(*loops, op.getIteratorTypesArray()))
    if (iterator == utils::IteratorType::reduction)
      numTerms = std::max<int64_t>(numTerms, 1) * loop;
  // 2. Destinations, of tensors copies. What operands read and write.
  SmallVector<View> outs = getOuts(op, numTerms);
  SmallVector<Access> accesses;
  for (OpOperand &operand : op->getOpOperands()) {
    FailureOr<Access> access = getAccess(op, operand, outs, *loops);
    if (failed(access))
      return failure();
    accesses.push_back(std::move(*access));
  }
  // 3. All iterations.
  if (failed(iterate(op, *loops, numTerms, accesses, outs)))
    return failure();
  for (auto [i, value] : llvm::enumerate(op.getResults()))
    set(value, outs[i]);
  return success();
}

LogicalResult Evaluator::iterate(linalg::GenericOp op, ArrayRef<int64_t> loops,
                                 int64_t numTerms, ArrayRef<Access> accesses,
                                 ArrayRef<View> outs) {
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
  return result;
}

LogicalResult Evaluator::runPad(tensor::PadOp op) {
  const View source = view(op.getSource());
  SmallVector<int64_t> low = getIndices(op.getMixedLowPad());
  SmallVector<int64_t> high = getIndices(op.getMixedHighPad());
  SmallVector<int64_t> sizes;
  for (auto [size, before, after] : llvm::zip_equal(source.sizes, low, high))
    sizes.push_back(size + before + after);
  for (auto [size, wanted] :
       llvm::zip_equal(sizes, op.getResultType().getShape())) {
    if (size < 0)
      return op.emitError("expected a size of at least 0, got ") << size;
    if (!ShapedType::isDynamic(wanted) && size != wanted)
      return op.emitError("expected a size of ") << wanted << ", got " << size;
  }
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

LogicalResult Evaluator::runShaped(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](linalg::GenericOp op) { return runGeneric(op); })
      .Case([&](tensor::PadOp op) { return runPad(op); })
      .Case([&](arith::ConstantOp op) { return runConstant(op); })
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
      .Default([&](Operation *op) { return runElements(op); });
}

LogicalResult Evaluator::runElements(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
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
      .Default([&](Operation *op) { return runScalar(op); });
}
