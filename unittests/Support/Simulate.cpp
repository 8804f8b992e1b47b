//===- Simulate.cpp - Runs host code and its kernels, interpreted ---------===//
//
// See Simulate.h.
//
//===----------------------------------------------------------------------===//

#include "Simulate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace mlir::linalg_ext::simt;
using namespace linalg_ext_test;

/// The word of a number. Conversions are the oracle's, not the interpreter's.
static uint64_t toWord(double value, const ScalarFormat &format) {
  switch (format.kind) {
  case ScalarFormat::F4E2M1FN:
    return oracle::encode8(value, oracle::DType::F4E2M1FN);
  case ScalarFormat::F8E4M3FN:
    return oracle::encode8(value, oracle::DType::F8E4M3FN);
  case ScalarFormat::F8E5M2:
    return oracle::encode8(value, oracle::DType::F8E5M2);
  case ScalarFormat::F8E4M3FNUZ:
    return oracle::encode8(value, oracle::DType::F8E4M3FNUZ);
  case ScalarFormat::F8E5M2FNUZ:
    return oracle::encode8(value, oracle::DType::F8E5M2FNUZ);
  case ScalarFormat::F8E8M0FNU:
    return oracle::encode8(value, oracle::DType::F8E8M0FNU);
  case ScalarFormat::F16:
    return oracle::encode16(value, oracle::DType::F16);
  case ScalarFormat::BF16:
    return oracle::encode16(value, oracle::DType::BF16);
  case ScalarFormat::F32: {
    float number = static_cast<float>(value);
    uint32_t word;
    std::memcpy(&word, &number, sizeof(word));
    return word;
  }
  case ScalarFormat::F64: {
    uint64_t word;
    std::memcpy(&word, &value, sizeof(word));
    return word;
  }
  case ScalarFormat::Int:
    break;
  }
  return static_cast<uint64_t>(static_cast<int64_t>(value)) & format.mask();
}

static double fromWord(uint64_t word, const ScalarFormat &format) {
  switch (format.kind) {
  case ScalarFormat::F4E2M1FN:
    return oracle::decode8(word, oracle::DType::F4E2M1FN);
  case ScalarFormat::F8E4M3FN:
    return oracle::decode8(word, oracle::DType::F8E4M3FN);
  case ScalarFormat::F8E5M2:
    return oracle::decode8(word, oracle::DType::F8E5M2);
  case ScalarFormat::F8E4M3FNUZ:
    return oracle::decode8(word, oracle::DType::F8E4M3FNUZ);
  case ScalarFormat::F8E5M2FNUZ:
    return oracle::decode8(word, oracle::DType::F8E5M2FNUZ);
  case ScalarFormat::F8E8M0FNU:
    return oracle::decode8(word, oracle::DType::F8E8M0FNU);
  case ScalarFormat::F16:
    return oracle::decode16(static_cast<uint16_t>(word), oracle::DType::F16);
  case ScalarFormat::BF16:
    return oracle::decode16(static_cast<uint16_t>(word), oracle::DType::BF16);
  case ScalarFormat::F32: {
    uint32_t bits = static_cast<uint32_t>(word);
    float number;
    std::memcpy(&number, &bits, sizeof(number));
    return number;
  }
  case ScalarFormat::F64: {
    double number;
    std::memcpy(&number, &word, sizeof(number));
    return number;
  }
  case ScalarFormat::Int:
    break;
  }
  return format.bits == 1 ? static_cast<double>(word)
                          : static_cast<double>(signExtend(word, format.bits));
}

namespace {
/// One run.
class Simulator {
public:
  Simulator(ModuleOp module, const SimulationOptions &options)
      : options(options), interpreter(module, withOutput(options.interpreter)) {
  }

  LogicalResult run(func::FuncOp function, ArrayRef<oracle::Tensor> inputs,
                    Simulation &result);

private:
  Options withOutput(Options options) {
    options.output = &stream;
    return options;
  }
  FailureOr<HostValue> makeArgument(func::FuncOp function, unsigned index,
                                    const oracle::Tensor &tensor);
  FailureOr<oracle::Tensor> read(func::FuncOp function, Type type,
                                 const HostValue &value);

  const SimulationOptions &options;
  std::string printed;
  llvm::raw_string_ostream stream{printed};
  Interpreter interpreter;
};
} // namespace

FailureOr<HostValue> Simulator::makeArgument(func::FuncOp function,
                                             unsigned index,
                                             const oracle::Tensor &tensor) {
  Type type = function.getArgumentTypes()[index];
  std::optional<ScalarFormat> format =
      getScalarFormat(getElementTypeOrSelf(type));
  if (!format)
    return function.emitError()
           << "input " << index << ": " << type << " is not supported";
  std::vector<uint64_t> words;
  for (double value : tensor.data)
    words.push_back(toWord(value, *format));
  if (auto memref = dyn_cast<MemRefType>(type)) {
    if (llvm::is_contained(options.uninitialized, index))
      words.clear();
    BufferLayout layout;
    if (index < options.layouts.size())
      layout = options.layouts[index];
    if (!layout.strides.empty() &&
        layout.strides.size() != tensor.shape.size())
      return function.emitError()
             << "input " << index << ": expected a stride for each dimension of "
             << type;
    return interpreter.makeBuffer(memref, tensor.shape, words, layout.strides,
                                  layout.offset);
  }
  auto vector = dyn_cast<VectorType>(type);
  ArrayRef<int64_t> shape;
  if (vector)
    shape = vector.getShape();
  if (ArrayRef<int64_t>(tensor.shape) != shape)
    return function.emitError()
           << "input " << index << ": expected a tensor of the shape of "
           << type;
  return HostValue{words};
}

FailureOr<oracle::Tensor> Simulator::read(func::FuncOp function, Type type,
                                          const HostValue &value) {
  std::optional<ScalarFormat> format =
      getScalarFormat(getElementTypeOrSelf(type));
  if (!format || (isa<ShapedType>(type) && !isa<MemRefType, VectorType>(type)))
    return function.emitError()
           << "output of type " << type << " is not supported";
  std::vector<uint64_t> words = value.words;
  SmallVector<int64_t> shape;
  if (auto memref = dyn_cast<MemRefType>(type))
    words = interpreter.readBuffer(memref, value, shape);
  else if (auto vector = dyn_cast<VectorType>(type))
    shape.assign(vector.getShape().begin(), vector.getShape().end());
  oracle::Tensor tensor(oracle::Shape(shape.begin(), shape.end()));
  for (auto [number, word] : llvm::zip_equal(tensor.data, words))
    number = fromWord(word, *format);
  return tensor;
}

LogicalResult Simulator::run(func::FuncOp function,
                             ArrayRef<oracle::Tensor> inputs,
                             Simulation &result) {
  if (function.getNumArguments() != inputs.size())
    return function.emitError() << "expected " << function.getNumArguments()
                                << " inputs, got " << inputs.size();
  SmallVector<HostValue> arguments;
  for (auto [index, tensor] : llvm::enumerate(inputs)) {
    FailureOr<HostValue> argument =
        makeArgument(function, static_cast<unsigned>(index), tensor);
    if (failed(argument))
      return failure();
    arguments.push_back(*argument);
  }
  for (auto [argument, other] : options.sameBuffers)
    arguments[argument] = arguments[other];
  FailureOr<SmallVector<HostValue>> outputs =
      interpreter.run(function.getName(), arguments);
  result.printed = stream.str();
  for (const auto &entry : interpreter.getStatistics())
    result.statistics[entry.getKey()] = entry.getValue();
  result.largestTemporary = interpreter.getLargestAllocation();
  if (failed(outputs))
    return failure();
  auto readAll = [&](TypeRange types, ArrayRef<HostValue> values,
                     std::vector<oracle::Tensor> &tensors) -> LogicalResult {
    for (auto [type, value] : llvm::zip_equal(types, values)) {
      FailureOr<oracle::Tensor> tensor = read(function, type, value);
      if (failed(tensor))
        return failure();
      tensors.push_back(*tensor);
    }
    return success();
  };
  if (failed(readAll(function.getResultTypes(), *outputs, result.outputs)))
    return failure();
  for (auto [index, pair] :
       llvm::enumerate(llvm::zip_equal(function.getArgumentTypes(), arguments))) {
    auto [type, value] = pair;
    if (!isa<MemRefType>(type) || inputs[index].size() == 0)
      continue;
    std::optional<ScalarFormat> format =
        getScalarFormat(getElementTypeOrSelf(type));
    if (interpreter.countWrittenBytes(value) >
        inputs[index].size() * int64_t(format->bytes))
      return function.emitError()
             << "input " << index << ": written between the elements";
  }
  return readAll(function.getArgumentTypes(), arguments, result.arguments);
}

Simulation linalg_ext_test::simulate(ModuleOp module, StringRef name,
                                     ArrayRef<oracle::Tensor> inputs,
                                     const SimulationOptions &options) {
  Simulation result;
  llvm::raw_string_ostream os(result.error);
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        os << diagnostic.getLocation() << ": " << diagnostic << "\n";
        return success();
      });
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function || function.isExternal()) {
    os << "no body of function '" << name << "'";
    return result;
  }
  if (failed(Simulator(module, options).run(function, inputs, result)) &&
      result.error.empty())
    os << "failed without a diagnostic";
  return result;
}
