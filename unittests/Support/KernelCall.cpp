//===- KernelCall.cpp - Calls of compiled kernels -------------------------===//
//
// See Execute.h. Puts inputs into memory that is watched, calls a kernel, and
// reads its results. Execute.cpp compiles kernels.
//
//===----------------------------------------------------------------------===//

#include "KernelCall.h"
#include "Execute.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <cmath>
#include <cstring>
#include <deque>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;

//===----------------------------------------------------------------------===//
// The memory of a run
//===----------------------------------------------------------------------===//

namespace {
/// Owns what a run allocates. Blocks lie between red zones of a known pattern,
/// wide enough to take most stray writes before they do harm.
class Arena {
public:
  void *allocate(size_t size) {
    Block &block = blocks.emplace_back();
    block.size = size;
    block.storage.reset(static_cast<char *>(
        std::aligned_alloc(kZone, roundUp(size) + 2 * kZone)));
    char *base = block.storage.get();
    std::memset(base, kZonePattern, roundUp(size) + 2 * kZone);
    // All ones: a NaN in each of the float formats.
    std::memset(base + kZone, 0xff, size);
    return base + kZone;
  }

  /// True if no red zone was written to.
  bool isIntact() const {
    for (const Block &block : blocks) {
      const char *base = block.storage.get();
      size_t total = roundUp(block.size) + 2 * kZone;
      for (size_t i = 0; i < total; ++i) {
        bool inside = i >= kZone && i < kZone + block.size;
        if (!inside && base[i] != kZonePattern)
          return false;
      }
    }
    return true;
  }

  /// The size of the largest block that none of `pointers` points into.
  int64_t getLargestBut(ArrayRef<const char *> pointers) const {
    size_t largest = 0;
    for (const Block &block : blocks) {
      const char *begin = block.storage.get() + kZone;
      bool isUsed = llvm::any_of(pointers, [&](const char *pointer) {
        return begin <= pointer && pointer < begin + block.size;
      });
      if (!isUsed)
        largest = std::max(largest, block.size);
    }
    return static_cast<int64_t>(largest);
  }

  int64_t getNumBlocks() const { return blocks.size(); }
  int64_t getNumBytes() const {
    int64_t bytes = 0;
    for (const Block &block : blocks)
      bytes += block.size;
    return bytes;
  }

private:
  static constexpr size_t kZone = 1024;
  static constexpr char kZonePattern = 0x5a;
  static size_t roundUp(size_t size) {
    return (size + kZone - 1) / kZone * kZone;
  }

  struct Block {
    struct Free {
      void operator()(char *pointer) const { std::free(pointer); }
    };
    std::unique_ptr<char, Free> storage;
    size_t size;
  };
  std::deque<Block> blocks;
};
} // namespace

/// The arena of the run in progress on this thread.
static thread_local Arena *currentArena = nullptr;

//===----------------------------------------------------------------------===//
// What the compiled code calls
//===----------------------------------------------------------------------===//

static void *runtimeMalloc(size_t size) { return currentArena->allocate(size); }
static void runtimeFree(void *) {}

/// Copies between strided buffers; `memref.copy` becomes a call of it.
static void runtimeMemrefCopy(int64_t elementSize, const void *sourceUnranked,
                              void *targetUnranked) {
  struct Unranked {
    int64_t rank;
    void *descriptor;
  };
  struct Buffer {
    explicit Buffer(const Unranked &unranked) : rank(unranked.rank) {
      auto *words = static_cast<int64_t *>(unranked.descriptor);
      data = reinterpret_cast<char *>(words[1]);
      offset = words[2];
      sizes = words + 3;
      strides = words + 3 + rank;
    }
    int64_t rank;
    char *data;
    int64_t offset;
    int64_t *sizes, *strides;
  };
  Buffer source(*static_cast<const Unranked *>(sourceUnranked));
  Buffer target(*static_cast<const Unranked *>(targetUnranked));
  oracle::Shape shape(source.sizes, source.sizes + source.rank);
  oracle::forEachIndex(shape, [&](const oracle::Index &index) {
    int64_t from = source.offset, to = target.offset;
    for (int64_t i = 0; i < source.rank; ++i) {
      from += index[i] * source.strides[i];
      to += index[i] * target.strides[i];
    }
    std::memcpy(target.data + to * elementSize,
                source.data + from * elementSize, elementSize);
  });
}

// Conversions of the 16-bit formats, which the compiled code calls where the
// processor lacks them. The numbers travel in the low bits of a floating-point
// register; declaring them as float puts them there with every compiler.

static float bitsToRegister(uint16_t bits) {
  uint32_t word = bits;
  float result;
  std::memcpy(&result, &word, sizeof(result));
  return result;
}

static uint16_t registerToBits(float value) {
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return static_cast<uint16_t>(word);
}

static float runtimeTruncSFHF(float value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::F16), DType::F16));
}
static float runtimeTruncDFHF(double value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::F16), DType::F16));
}
static float runtimeTruncSFBF(float value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::BF16), DType::BF16));
}
static float runtimeTruncDFBF(double value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::BF16), DType::BF16));
}
static float runtimeExtendHFSF(float half) {
  return static_cast<float>(oracle::decode16(registerToBits(half), DType::F16));
}
static double runtimeExtendHFDF(float half) {
  return oracle::decode16(registerToBits(half), DType::F16);
}

llvm::orc::SymbolMap
linalg_ext_test::getRuntimeSymbols(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported};
  };
  add("malloc", &runtimeMalloc);
  add("free", &runtimeFree);
  add("memrefCopy", &runtimeMemrefCopy);
  add("__truncsfhf2", &runtimeTruncSFHF);
  add("__truncdfhf2", &runtimeTruncDFHF);
  add("__truncsfbf2", &runtimeTruncSFBF);
  add("__truncdfbf2", &runtimeTruncDFBF);
  add("__extendhfsf2", &runtimeExtendHFSF);
  add("__extendhfdf2", &runtimeExtendHFDF);
  return symbols;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Kernel::Kernel() = default;
Kernel::~Kernel() = default;

static void store(char *at, double value, DType type) {
  switch (type) {
  case DType::F4E2M1FN:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0FNU:
    *reinterpret_cast<uint8_t *>(at) = oracle::encode8(value, type);
    return;
  case DType::F16:
  case DType::BF16: {
    uint16_t bits = oracle::encode16(value, type);
    std::memcpy(at, &bits, sizeof(bits));
    return;
  }
  case DType::F32: {
    float narrow = static_cast<float>(value);
    std::memcpy(at, &narrow, sizeof(narrow));
    return;
  }
  case DType::F64:
    std::memcpy(at, &value, sizeof(value));
    return;
  case DType::I1:
  case DType::I8:
    *reinterpret_cast<int8_t *>(at) = static_cast<int8_t>(value);
    return;
  case DType::I32: {
    int32_t narrow = static_cast<int32_t>(value);
    std::memcpy(at, &narrow, sizeof(narrow));
    return;
  }
  case DType::I64: {
    int64_t integer = static_cast<int64_t>(value);
    std::memcpy(at, &integer, sizeof(integer));
    return;
  }
  }
}

static double load(const char *at, DType type) {
  switch (type) {
  case DType::F4E2M1FN:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0FNU:
    return oracle::decode8(*reinterpret_cast<const uint8_t *>(at), type);
  case DType::F16:
  case DType::BF16: {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof(bits));
    return oracle::decode16(bits, type);
  }
  case DType::F32: {
    float narrow;
    std::memcpy(&narrow, at, sizeof(narrow));
    return narrow;
  }
  case DType::F64: {
    double value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  case DType::I1:
    return *at & 1;
  case DType::I8:
    return *reinterpret_cast<const int8_t *>(at);
  case DType::I32: {
    int32_t narrow;
    std::memcpy(&narrow, at, sizeof(narrow));
    return narrow;
  }
  case DType::I64: {
    int64_t integer;
    std::memcpy(&integer, at, sizeof(integer));
    return static_cast<double>(integer);
  }
  }
  return 0;
}

static std::string shapeToString(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return text + "]";
}

/// The strides and the offset of an input of `shape`; what `argument` leaves
/// open is as `layout` says.
static BufferLayout getLayout(const Kernel::Argument &argument,
                              ArrayRef<int64_t> shape,
                              const BufferLayout &layout) {
  BufferLayout result;
  result.strides.resize(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    result.strides[d - 1] = result.strides[d] * shape[d];
  if (argument.strides.empty())
    return result;
  result.offset =
      ShapedType::isDynamic(argument.offset) ? layout.offset : argument.offset;
  for (size_t d = 0; d < shape.size(); ++d)
    if (!ShapedType::isDynamic(argument.strides[d]))
      result.strides[d] = argument.strides[d];
    else if (!layout.strides.empty())
      result.strides[d] = layout.strides[d];
  return result;
}

/// Calls `fn` with the number of each element of a tensor of `shape`, and its
/// position in memory.
template <typename FnT>
static void forEachElement(const oracle::Shape &shape,
                           const BufferLayout &layout, FnT fn) {
  int64_t count = oracle::getNumElements(shape), at = layout.offset;
  oracle::Index index(shape.size(), 0);
  for (int64_t number = 0; number < count; ++number) {
    fn(number, at);
    // The next index, of which the last dimension moves fastest.
    for (size_t d = shape.size(); d-- > 0;) {
      at += layout.strides[d];
      if (++index[d] < shape[d])
        break;
      at -= shape[d] * layout.strides[d];
      index[d] = 0;
    }
  }
}

namespace {
/// One call of a kernel: its inputs in memory, what is passed, and the results.
class KernelCall {
public:
  KernelCall(ArrayRef<Kernel::Argument> inputs,
             ArrayRef<Kernel::Argument> outputs)
      : inputs(inputs), outputs(outputs) {}

  /// Puts `tensors` into memory, as `layouts` say where types leave that open.
  /// Returns an error, or an empty string.
  std::string store(ArrayRef<oracle::Tensor> tensors,
                    ArrayRef<BufferLayout> layouts);
  /// Calls `entry`.
  void run(void (*entry)(void **));
  /// Reads what the kernel has left in memory.
  Execution load() const;

private:
  std::string storeInput(size_t i, const oracle::Tensor &tensor,
                         const BufferLayout &open);
  std::string loadInput(size_t i, oracle::Tensor &after) const;
  oracle::Tensor loadOutput(const Kernel::Argument &output,
                            const int64_t *words) const;

  ArrayRef<Kernel::Argument> inputs, outputs;
  Arena inputMemory, arena;
  /// Of each input: its shape, its memory, and how it lies there.
  std::vector<oracle::Shape> shapes;
  std::vector<char *> inputData;
  std::vector<BufferLayout> used;
  /// Descriptors of the inputs. A descriptor is two pointers, the offset, the
  /// sizes and the strides, a word each.
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<int64_t> resultDescriptors;
};
} // namespace

/// Whether an input of `type` may have `shape`.
static bool fits(const Kernel::Argument &type, ArrayRef<int64_t> shape) {
  if (type.kind == Kernel::Argument::Kind::Ranked &&
      shape.size() != type.shape.size())
    return false;
  for (size_t d = 0; d < type.shape.size(); ++d)
    if (!ShapedType::isDynamic(type.shape[d]) && type.shape[d] != shape[d])
      return false;
  return true;
}

std::string KernelCall::storeInput(size_t i, const oracle::Tensor &tensor,
                                   const BufferLayout &open) {
  const Kernel::Argument &input = inputs[i];
  std::string name = "input " + std::to_string(i);
  if (!fits(input, tensor.shape))
    return name + ": expected shape " + shapeToString(input.shape) + ", got " +
           shapeToString(tensor.shape);
  if (!open.strides.empty() && open.strides.size() != tensor.shape.size())
    return name + ": expected a stride for each dimension";
  const BufferLayout &layout =
      used.emplace_back(getLayout(input, tensor.shape, open));
  int64_t extent = 0;
  forEachElement(tensor.shape, layout, [&](int64_t, int64_t at) {
    extent = std::max(extent, at + 1);
  });
  int64_t width = oracle::getByteWidth(input.type);
  auto *data = static_cast<char *>(inputMemory.allocate(width * extent));
  inputData.push_back(data);
  shapes.push_back(tensor.shape);
  for (double value : tensor.data)
    if (!std::isnan(value) && oracle::roundTo(value, input.type) != value)
      return name + " is not a tensor of " + oracle::getName(input.type);
  forEachElement(tensor.shape, layout, [&](int64_t e, int64_t at) {
    ::store(data + at * width, tensor.data[e], input.type);
  });
  std::vector<int64_t> words = {reinterpret_cast<int64_t>(data),
                                reinterpret_cast<int64_t>(data), layout.offset};
  words.insert(words.end(), tensor.shape.begin(), tensor.shape.end());
  words.insert(words.end(), layout.strides.begin(), layout.strides.end());
  descriptors.push_back(std::move(words));
  return "";
}

std::string KernelCall::store(ArrayRef<oracle::Tensor> tensors,
                              ArrayRef<BufferLayout> layouts) {
  if (tensors.size() != inputs.size())
    return "expected " + std::to_string(inputs.size()) + " inputs, got " +
           std::to_string(tensors.size());
  for (size_t i = 0; i < tensors.size(); ++i)
    if (std::string error = storeInput(
            i, tensors[i], i < layouts.size() ? layouts[i] : BufferLayout());
        !error.empty())
      return error;
  return "";
}

void KernelCall::run(void (*entry)(void **)) {
  // The C interface takes pointers to the struct of result descriptors and to
  // each descriptor; the packed call takes pointers to its arguments.
  size_t resultWords = 0;
  for (const Kernel::Argument &output : outputs)
    resultWords += 3 + 2 * output.shape.size();
  resultDescriptors.assign(resultWords, 0);
  std::vector<void *> pointers = {resultDescriptors.data()};
  std::vector<std::pair<int64_t, void *>> unranked(inputs.size());
  for (auto [input, words, data, pair, shape] :
       llvm::zip_equal(inputs, descriptors, inputData, unranked, shapes)) {
    pair = {static_cast<int64_t>(shape.size()), words.data()};
    switch (input.kind) {
    case Kernel::Argument::Kind::Ranked:
      pointers.push_back(words.data());
      break;
    case Kernel::Argument::Kind::Unranked:
      pointers.push_back(&pair);
      break;
    case Kernel::Argument::Kind::Scalar:
      pointers.push_back(data);
      break;
    }
  }
  // Scalars are passed as they are: the packed call points to them.
  std::vector<void *> packed;
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    if (i == 0 && outputs.empty())
      continue;
    bool isScalar =
        i > 0 && inputs[i - 1].kind == Kernel::Argument::Kind::Scalar;
    packed.push_back(isScalar ? pointer : &pointer);
  }
  currentArena = &arena;
  entry(packed.data());
  currentArena = nullptr;
}

std::string KernelCall::loadInput(size_t i, oracle::Tensor &after) const {
  const Kernel::Argument &input = inputs[i];
  const char *data = inputData[i];
  int64_t width = oracle::getByteWidth(input.type), extent = 0;
  forEachElement(after.shape, used[i], [&](int64_t e, int64_t at) {
    after.data[e] = ::load(data + at * width, input.type);
    extent = std::max(extent, at + 1);
  });
  // What is between the elements is as the arena filled it.
  std::vector<bool> isElement(extent);
  forEachElement(after.shape, used[i],
                 [&](int64_t, int64_t at) { isElement[at] = true; });
  for (int64_t byte = 0; byte < extent * width; ++byte)
    if (!isElement[byte / width] && data[byte] != char(0xff))
      return "the program wrote between the elements of a buffer";
  return "";
}

oracle::Tensor KernelCall::loadOutput(const Kernel::Argument &output,
                                      const int64_t *words) const {
  size_t rank = output.shape.size();
  auto *data = reinterpret_cast<const char *>(words[1]);
  int64_t offset = words[2];
  oracle::Tensor tensor(oracle::Shape(words + 3, words + 3 + rank));
  const int64_t *strides = words + 3 + rank;
  int64_t width = oracle::getByteWidth(output.type);
  oracle::forEachIndex(tensor.shape, [&](const oracle::Index &index) {
    int64_t at = offset;
    for (size_t d = 0; d < rank; ++d)
      at += index[d] * strides[d];
    tensor.at(index) = ::load(data + at * width, output.type);
  });
  return tensor;
}

Execution KernelCall::load() const {
  Execution result;
  result.numAllocations = arena.getNumBlocks();
  result.allocatedBytes = arena.getNumBytes();
  if (!arena.isIntact() || !inputMemory.isIntact()) {
    result.error = "the program wrote outside of its buffers";
    return result;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    oracle::Tensor after(shapes[i]);
    result.error = loadInput(i, after);
    if (!result.error.empty())
      return result;
    result.inputs.push_back(std::move(after));
  }
  const int64_t *words = resultDescriptors.data();
  SmallVector<const char *> returned;
  for (const Kernel::Argument &output : outputs) {
    returned.push_back(reinterpret_cast<const char *>(words[1]));
    result.outputs.push_back(loadOutput(output, words));
    words += 3 + 2 * output.shape.size();
  }
  result.largestTemporary = arena.getLargestBut(returned);
  return result;
}

Execution Kernel::run(ArrayRef<oracle::Tensor> tensors,
                      ArrayRef<BufferLayout> layouts) {
  KernelCall call(inputs, outputs);
  if (std::string error = call.store(tensors, layouts); !error.empty()) {
    Execution result;
    result.error = error;
    return result;
  }
  call.run(entry);
  return call.load();
}
