//===- TabulateInLanes.cpp - Functions of 4 bits are tables ---------------===//
//
// A number of a table of 16, such as a weight of NF4, is a function of an
// integer of 4 bits: 15 selects. The lanes of a subgroup can hold the table
// instead, a number each. Then a lane takes a shift and a shuffle, which reads
// the number of the lane that the last five bits say: two lanes hold each
// number, so that the fifth bit does not matter.
//
//   1. Find selects that depend on integers of 4 bits, unpacked from bytes, and
//      on constants only, the same ones for all elements.
//   2. Fold them for 0, 1, ..., 15.
//   3. At the start of the kernel, each lane selects its number. Where the
//      selects are, lanes exchange them.
//
// All lanes take part in a shuffle. So the block has another op of all lanes of
// a subgroup, such as a matrix product, or is the first one of a kernel.
//
// A processor exchanges the numbers of a subgroup in a cycle. Where threads
// look up many numbers, and shared memory has room, it has the two numbers of
// each byte instead, a copy for each lane of a half or a whole subgroup, so
// that lanes read different banks:
//
//   byte 0   numbers of lane 0, of lane 1, ...
//   byte 1   numbers of lane 0, of lane 1, ...
//   ...
//
// Then two numbers of 16 bits take a cycle in place of two. Two of 32 bits
// still take two, but half of the shifts and masks (docs/Decisions/0198).
//
// The numbers of f4E2M1FN, as in MXFP4, are no table: their codes are bits of
// floats, and take shifts and masks.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Support/GPUTarget.h"
#include "mlir-ext/Target/GPU/ConvertI4.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;

/// The entries of a table, one for each integer of 4 bits. This is half of the
/// number of lanes.
static constexpr int64_t kEntries = 16, kLanes = 32;

/// The fewest ops of a function for which a shuffle takes less time, and the
/// most ops.
static constexpr size_t kLeastOps = 8, kMostOps = 64;

/// The bytes of the two numbers of a byte for all lanes, one word of each bank,
/// and those of a table of all bytes.
static constexpr int64_t kRowBytes = 128, kTableBytes = 256 * kRowBytes;

/// The bytes that mbarriers, which `workgroup_bytes` does not count, and the
/// alignment of a table beside them take at most.
static constexpr int64_t kOtherBytes = 2048;

/// The bytes that a thread stores at a time when it fills a table.
static constexpr int64_t kStoredBytes = 16;

/// The fewest numbers that a workgroup looks up in memory: filling the table
/// then takes at most half of the cycles that numbers of 16 bits save.
static constexpr int64_t kLeastLookUps = 32768;

/// The threads on a processor that hide the latency of loads. The table leaves
/// room for as many.
static constexpr int64_t kEnoughThreads = 768;

/// The iterations of a loop of unknown length.
static constexpr int64_t kUnknownTrips = 8;

namespace {
/// An elementwise function of `of`, a vector of integers of 4 bits, with the
/// ops between it and the result in their order.
struct SmallFunction {
  Value of;
  llvm::SetVector<Operation *> ops;
};
} // namespace

/// Adds the ops that compute `value` to `function`. The first vector of
/// integers of 4 bits on the way becomes `function.of`. Fails if `value`
/// depends on anything else.
static LogicalResult collect(Value value, SmallFunction &function) {
  if (value == function.of)
    return success();
  // The lanes have one table for all elements of a vector, so only splat
  // constants are allowed.
  if (Attribute attr; matchPattern(value, m_Constant(&attr)))
    return success(!isa<ElementsAttr>(attr) || isa<SplatElementsAttr>(attr));
  if (!function.of) {
    std::optional<Nibbles> nibbles = matchNibbles(value);
    if (nibbles && nibbles->flip == 0 && nibbles->offset == 0) {
      function.of = value;
      return success();
    }
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !OpTrait::hasElementwiseMappableTraits(op) || !isPure(op) ||
      function.ops.size() == kMostOps)
    return failure();
  if (function.ops.contains(op))
    return success();
  for (Value operand : op->getOperands())
    if (failed(collect(operand, function)))
      return failure();
  function.ops.insert(op);
  return success();
}

/// Returns what `op` folds to if its operands have the `known` values or are
/// constants.
static Attribute foldOp(Operation *op,
                        const llvm::DenseMap<Value, Attribute> &known) {
  auto getKnown = [&](Value value) {
    Attribute attr = known.lookup(value);
    if (!attr)
      matchPattern(value, m_Constant(&attr));
    return attr;
  };
  // The op is cloned, because folding may change it in place.
  Operation *copy = op->clone();
  SmallVector<OpFoldResult> results;
  LogicalResult folded =
      copy->fold(llvm::map_to_vector(op->getOperands(), getKnown), results);
  copy->destroy();
  if (failed(folded) || results.size() != 1)
    return nullptr;
  if (auto value = dyn_cast<Value>(results[0]))
    return getKnown(value);
  return cast<Attribute>(results[0]);
}

/// Returns the bits of `result`, which `function` computes, for 0, 1, ..., 15.
static FailureOr<SmallVector<APInt>> fold(const SmallFunction &function,
                                          Value result) {
  auto type = cast<VectorType>(function.of.getType());
  int64_t count = type.getNumElements();
  SmallVector<APInt> table;
  while (static_cast<int64_t>(table.size()) < kEntries) {
    SmallVector<APInt> codes;
    for (int64_t i = 0; i < count; ++i)
      codes.emplace_back(type.getElementTypeBitWidth(),
                         (table.size() + i) % kEntries);
    llvm::DenseMap<Value, Attribute> known;
    known[function.of] = DenseElementsAttr::get(type, codes);
    for (Operation *op : function.ops) {
      Attribute folded = foldOp(op, known);
      if (!folded)
        return failure();
      known[op->getResult(0)] = folded;
    }
    auto numbers = dyn_cast<DenseFPElementsAttr>(known.lookup(result));
    if (!numbers)
      return failure();
    for (const APFloat &number : numbers) {
      if (static_cast<int64_t>(table.size()) == kEntries)
        break;
      table.push_back(number.bitcastToAPInt().zext(32));
    }
  }
  return table;
}

/// Builds the entry of `table` that each lane holds, as an i32. Lanes l and l +
/// 16 hold entry l.
static Value buildNumber(ImplicitLocOpBuilder &b, ArrayRef<APInt> table) {
  Value lane = arith::IndexCastOp::create(
      b, b.getI32Type(), gpu::LaneIdOp::create(b, /*upper_bound=*/nullptr));
  SmallVector<Value> numbers =
      llvm::map_to_vector(table, [&](const APInt &bits) -> Value {
        return arith::ConstantIntOp::create(b, b.getI32Type(),
                                            bits.getSExtValue());
      });
  for (int64_t bit = 1; bit < kEntries; bit *= 2) {
    Value isSet = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        arith::AndIOp::create(b, lane,
                              arith::ConstantIntOp::create(b, bit, 32)),
        arith::ConstantIntOp::create(b, 0, 32));
    for (size_t i = 0; i < numbers.size() / 2; ++i)
      numbers[i] =
          arith::SelectOp::create(b, isSet, numbers[2 * i + 1], numbers[2 * i]);
    numbers.resize(numbers.size() / 2);
  }
  return numbers.front();
}

/// Returns whether all lanes of a subgroup execute `op` together.
static bool isOfAllLanes(Operation &op) {
  APInt width;
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op))
    return matchPattern(shuffle.getWidth(), m_ConstantInt(&width)) &&
           width == kLanes;
  return isa<vector_ext::AsyncMmaOp>(op) || nvgpu_ext::isMmaSync(&op);
}

/// Returns whether all lanes of each subgroup of `kernel` execute the ops of
/// `block`, judging by another op in it. All threads execute the first block.
static bool hasAllLanes(Block &block, gpu::GPUFuncOp kernel) {
  std::optional<ArrayRef<int32_t>> threads = kernel.getKnownBlockSize();
  return (&block == &kernel.getBody().front() && threads &&
          llvm::product_of(*threads) % kLanes == 0) ||
         llvm::any_of(block, isOfAllLanes);
}

/// Returns what 1 is as bits of f4E2M1FN in a float of `type`, f16 or bf16: the
/// least number with an exponent.
static double getOneOfF4(FloatType type) {
  return type.isF16() ? 0x1p-14 : 0x1p-126;
}

/// Returns c, a power of two, if `table` has the bits of the numbers of
/// f4E2M1FN times c, as elements of `type`, and the factor that makes them of
/// codes is such a number, too.
static std::optional<double> getFactorOfF4(ArrayRef<APInt> table,
                                           FloatType type) {
  if (type.getWidth() != 16)
    return std::nullopt;
  auto decode = [](const llvm::fltSemantics &semantics, const APInt &bits) {
    return APFloat(semantics, bits).convertToDouble();
  };
  auto getNumber = [&](size_t code) {
    return decode(type.getFloatSemantics(), table[code].trunc(16));
  };
  // The code of 1.
  double factor = getNumber(2);
  for (size_t code = 0; code < table.size(); ++code) {
    double number = factor * decode(APFloat::Float4E2M1FN(), APInt(4, code));
    if (getNumber(code) != number ||
        std::signbit(getNumber(code)) != std::signbit(number))
      return std::nullopt;
  }
  if (APFloat(factor).getExactLog2() == INT_MIN)
    return std::nullopt;
  APFloat scale(factor / getOneOfF4(type));
  bool losesInfo = false;
  scale.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return losesInfo ? std::nullopt : std::optional(factor);
}

/// Builds numbers of f4E2M1FN times `factor`, whose codes are `nibbles`. Their
/// bits are the last ones of an exponent and the first ones of a fraction, so
/// that numbers are small, and one without an exponent is subnormal.
static Value buildF4(ImplicitLocOpBuilder &b, const Nibbles &nibbles,
                     VectorType type, double factor) {
  auto element = cast<FloatType>(type.getElementType());
  bool isF16 = element.isF16();
  // The last bit of a code, in f16 and in bf16.
  int64_t last = isF16 ? 9 : 6;
  auto word = VectorType::get({1}, b.getI32Type());
  auto pair = VectorType::get({2}, element);
  auto place = [&](Value halves, int64_t left, int64_t mask) -> Value {
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(
          b, DenseElementsAttr::get(word, b.getI32IntegerAttr(value)));
    };
    Value moved = halves;
    if (left > 0)
      moved = arith::ShLIOp::create(b, halves, constant(left));
    else if (left < 0)
      moved = arith::ShRUIOp::create(b, halves, constant(-left));
    return arith::AndIOp::create(b, moved, constant(mask * 0x00010001));
  };
  Value scale = arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             pair, b.getFloatAttr(element, factor / getOneOfF4(element))));
  Value result = arith::ConstantOp::create(b, b.getZeroAttr(type));
  for (int64_t at = 0; at < type.getNumElements(); at += 2) {
    int64_t from = 0;
    Value halves = nibbles.buildHalves(b, at, from);
    Value bits =
        arith::OrIOp::create(b, place(halves, last - from, int64_t(7) << last),
                             place(halves, 12 - from, 0x8000));
    Value numbers = arith::MulFOp::create(
        b, vector::BitCastOp::create(b, pair, bits), scale);
    result = vector::InsertStridedSliceOp::create(b, numbers, result, at, 1);
  }
  return result;
}

/// Builds the numbers of `table` whose codes are `nibbles`. Each lane holds
/// `number`.
static Value buildReads(ImplicitLocOpBuilder &b, const Nibbles &nibbles,
                        VectorType type, Value number) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  llvm::SmallDenseMap<int64_t, Value> words;
  SmallVector<Value> numbers;
  for (auto [byte, amount] : llvm::zip_equal(nibbles.order, nibbles.amounts)) {
    Value &known = words[byte / 4];
    if (!known)
      known = vector::ExtractOp::create(
          b,
          vector::BitCastOp::create(b, VectorType::get({1}, b.getI32Type()),
                                    nibbles.buildWord(b, b.getLoc(), byte)),
          0);
    Value word = known;
    if (int64_t shift = byte % 4 * 8 + amount)
      word = arith::ShRUIOp::create(b, word, constant(shift));
    Value code = arith::AndIOp::create(b, word, constant(kLanes - 1));
    numbers.push_back(gpu::ShuffleOp::create(b, number, code, constant(32),
                                             gpu::ShuffleMode::IDX)
                          .getShuffleResult());
  }
  Value result =
      vector::FromElementsOp::create(b, type.clone(b.getI32Type()), numbers);
  if (type.getElementTypeBitWidth() == 16)
    result = arith::TruncIOp::create(b, type.clone(b.getI16Type()), result);
  return arith::BitcastOp::create(b, type, result);
}

namespace {
/// Numbers of a table that `op` computes from `nibbles`. It is a select, or a
/// shuffle of one.
struct LookUp {
  Operation *op;
  Nibbles nibbles;
  SmallVector<APInt> table;

  VectorType getType() const {
    return cast<VectorType>(op->getResult(0).getType());
  }
  int64_t getBits() const { return getType().getElementTypeBitWidth(); }
  bool hasTableOf(const LookUp &other) const {
    return getType().getElementType() == other.getType().getElementType() &&
           table == other.table;
  }
};

/// A table in shared memory, and where the numbers of a lane are in a row.
struct SharedTable {
  Value memory, lane;
};
} // namespace

/// Matches `op`, `select` or the shuffle of it that `order` says.
static std::optional<LookUp>
matchLookUp(Operation *op, arith::SelectOp select,
            std::optional<ArrayRef<int64_t>> order) {
  auto type = dyn_cast<VectorType>(select.getType());
  if (!type || type.getRank() != 1 || type.isScalable() ||
      !isa<FloatType>(type.getElementType()) ||
      !llvm::is_contained({16u, 32u}, type.getElementTypeBitWidth()))
    return std::nullopt;
  // Such a select is a part of another function.
  if (llvm::any_of(select->getUsers(), llvm::IsaPred<arith::SelectOp>))
    return std::nullopt;
  SmallFunction function;
  if (failed(collect(select.getResult(), function)) || !function.of ||
      function.ops.size() < kLeastOps)
    return std::nullopt;
  FailureOr<SmallVector<APInt>> table = fold(function, select.getResult());
  if (failed(table))
    return std::nullopt;
  LookUp result{op, *matchNibbles(function.of), std::move(*table)};
  if (order) {
    Nibbles natural = result.nibbles;
    result.nibbles.order.clear();
    result.nibbles.amounts.clear();
    for (int64_t at : *order) {
      result.nibbles.order.push_back(natural.order[at]);
      result.nibbles.amounts.push_back(natural.amounts[at]);
    }
  }
  return result;
}

/// Returns all numbers of tables that `kernel` looks up. If their pairs are
/// split by shuffles, they are looked up in the order of these: pairs of others
/// would be packed twice.
static SmallVector<LookUp> collectLookUps(gpu::GPUFuncOp kernel) {
  SmallVector<LookUp> lookUps;
  kernel.walk([&](Operation *op) {
    std::optional<LookUp> lookUp;
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      if (!splitsPairs(select))
        lookUp = matchLookUp(op, select, std::nullopt);
    } else if (auto shuffle = dyn_cast<vector::ShuffleOp>(op)) {
      auto select = shuffle.getV1().getDefiningOp<arith::SelectOp>();
      if (select && splitsPairs(select))
        lookUp = matchLookUp(op, select, shuffle.getMask());
    }
    if (lookUp)
      lookUps.push_back(std::move(*lookUp));
  });
  return lookUps;
}

/// Returns about how many numbers a thread looks up for `lookUp`, or
/// `kLeastLookUps` if they are more.
static int64_t countNumbers(const LookUp &lookUp) {
  int64_t count = lookUp.getType().getNumElements();
  for (auto loop = lookUp.op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    count *= trips ? trips->getLimitedValue(kLeastLookUps) : kUnknownTrips;
    count = std::min(count, kLeastLookUps);
  }
  return count;
}

/// Returns whether `kernel`, whose threads look up `numbers` numbers of `bits`
/// bits of a table each, has the table in shared memory. A workgroup that is
/// alone on its processor only has numbers of 16 bits there: with others it was
/// slower.
static bool isWorthMemory(gpu::GPUFuncOp kernel, int64_t numbers, int64_t bits,
                          const GPUTarget &target) {
  // A kernel has at most 48 KiB of memory beside what a launch gives it: one
  // table.
  std::optional<ArrayRef<int32_t>> block = kernel.getKnownBlockSize();
  if (kernel.getNumWorkgroupAttributions() > 0 || !block || block->empty() ||
      llvm::any_of(block->drop_front(), [](int32_t size) { return size != 1; }))
    return false;
  int64_t threads = block->front();
  if (threads % kLanes != 0 || threads * numbers < kLeastLookUps)
    return false;
  auto attr = kernel->getAttrOfType<IntegerAttr>("workgroup_bytes");
  int64_t bytes = attr ? attr.getInt() : 0;
  int64_t before = target.getWorkgroupsOfShared(bytes),
          after = target.getWorkgroupsOfShared(bytes + kTableBytes);
  if (after < (bits == 32 ? 2 : 1) ||
      bytes + kTableBytes + kOtherBytes > target.sharedBytes)
    return false;
  return after == before || after * threads >= kEnoughThreads;
}

/// Adds a table in shared memory to `kernel`, which its threads fill from what
/// each lane holds, `number` of `bits` bits, at `b`.
static SharedTable buildTable(ImplicitLocOpBuilder &b, gpu::GPUFuncOp kernel,
                              Value number, int64_t bits) {
  auto space = gpu::AddressSpaceAttr::get(
      b.getContext(), gpu::GPUDialect::getWorkgroupAddressSpace());
  unsigned index = kernel.getNumWorkgroupAttributions();
  Value memory = kernel.addWorkgroupAttribution(
      MemRefType::get({kTableBytes}, b.getI8Type(), MemRefLayoutAttrInterface(),
                      space),
      b.getLoc());
  // The memory behind it begins at a multiple of 1024 bytes, too.
  kernel.setWorkgroupAttributionAttr(
      index, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(1024));
  auto attr = kernel->getAttrOfType<IntegerAttr>("workgroup_bytes");
  kernel->setAttr(
      "workgroup_bytes",
      b.getI64IntegerAttr((attr ? attr.getInt() : 0) + kTableBytes));

  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  Value thread = arith::IndexCastOp::create(
      b, b.getI32Type(), gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  int64_t threads = kernel.getKnownBlockSize()->front(),
          stores = kTableBytes / kStoredBytes;
  auto store = [&](int64_t begin) {
    Value at = arith::AddIOp::create(b, thread, constant(begin));
    Value byte = arith::ShRUIOp::create(
        b, at, constant(llvm::Log2_64(kRowBytes / kStoredBytes)));
    auto read = [&](Value code) -> Value {
      return gpu::ShuffleOp::create(b, number, code, constant(kLanes),
                                    gpu::ShuffleMode::IDX)
          .getShuffleResult();
    };
    Value first = read(arith::AndIOp::create(b, byte, constant(kEntries - 1))),
          second = read(arith::ShRUIOp::create(b, byte, constant(4)));
    if (bits == 16)
      first = second = arith::OrIOp::create(
          b, first, arith::ShLIOp::create(b, second, constant(16)));
    Value words = vector::FromElementsOp::create(
        b, VectorType::get({4}, b.getI32Type()),
        ValueRange{first, second, first, second});
    Value offset = arith::IndexCastUIOp::create(
        b, b.getIndexType(),
        arith::ShLIOp::create(b, at, constant(llvm::Log2_64(kStoredBytes))));
    vector::StoreOp::create(
        b,
        vector::BitCastOp::create(
            b, VectorType::get({kStoredBytes}, b.getI8Type()), words),
        memory, offset, /*nontemporal=*/false, llvm::MaybeAlign(kStoredBytes));
  };
  for (int64_t begin = 0; begin < stores; begin += threads) {
    if (begin + threads <= stores) {
      store(begin);
      continue;
    }
    Value isInside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                           constant(stores - begin));
    auto branch = scf::IfOp::create(b, isInside);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    store(begin);
  }
  gpu::BarrierOp::create(b);

  int64_t bytes = 2 * bits / 8;
  Value lane = arith::ShLIOp::create(
      b, arith::AndIOp::create(b, thread, constant(kRowBytes / bytes - 1)),
      constant(llvm::Log2_64(bytes)));
  return {memory, lane};
}

/// Builds the numbers of `lookUp` by reads of `table`: two for each byte.
static Value buildMemoryReads(ImplicitLocOpBuilder &b, const LookUp &lookUp,
                              const SharedTable &table) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  int64_t bits = lookUp.getBits(), shiftOfRow = llvm::Log2_64(kRowBytes);
  Type integer = b.getIntegerType(bits);
  llvm::SmallDenseMap<int64_t, Value> words, pairs;
  auto buildPair = [&](int64_t byte) -> Value {
    Value &word = words[byte / 4];
    if (!word)
      word = vector::ExtractOp::create(
          b,
          vector::BitCastOp::create(
              b, VectorType::get({1}, b.getI32Type()),
              lookUp.nibbles.buildWord(b, b.getLoc(), byte)),
          0);
    // The byte is moved to where it says the row.
    int64_t right = byte % 4 * 8 - shiftOfRow;
    Value moved =
        right < 0
            ? arith::ShLIOp::create(b, word, constant(-right)).getResult()
            : arith::ShRUIOp::create(b, word, constant(right)).getResult();
    Value offset = arith::OrIOp::create(
        b, arith::AndIOp::create(b, moved, constant(kTableBytes - kRowBytes)),
        table.lane);
    Value loaded = vector::LoadOp::create(
        b, VectorType::get({2 * bits / 8}, b.getI8Type()), table.memory,
        ValueRange{arith::IndexCastUIOp::create(b, b.getIndexType(), offset)},
        /*nontemporal=*/false, llvm::MaybeAlign(2 * bits / 8));
    return vector::BitCastOp::create(b, VectorType::get({2}, integer), loaded);
  };
  SmallVector<Value> numbers;
  for (auto [byte, amount] :
       llvm::zip_equal(lookUp.nibbles.order, lookUp.nibbles.amounts)) {
    Value &pair = pairs[byte];
    if (!pair)
      pair = buildPair(byte);
    numbers.push_back(vector::ExtractOp::create(b, pair, amount / 4));
  }
  VectorType type = lookUp.getType();
  return arith::BitcastOp::create(
      b, type, vector::FromElementsOp::create(b, type.clone(integer), numbers));
}

/// Replaces `lookUps` of `kernel`, which have one table.
static void tabulate(RewriterBase &rewriter, gpu::GPUFuncOp kernel,
                     ArrayRef<LookUp> lookUps, const GPUTarget &target) {
  const LookUp &any = lookUps.front();
  std::optional<double> factor =
      getFactorOfF4(any.table, cast<FloatType>(any.getType().getElementType()));
  auto isF4 = [&](const LookUp &lookUp) {
    return factor && lookUp.getType().getNumElements() % 2 == 0;
  };
  // A loop may have no iterations.
  int64_t count = 0;
  for (const LookUp &lookUp : lookUps)
    if (!isF4(lookUp))
      count += countNumbers(lookUp);
  std::optional<SharedTable> table;
  Value number;
  if (!llvm::all_of(lookUps, isF4)) {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&kernel.getBody().front());
    ImplicitLocOpBuilder b(any.op->getLoc(), rewriter);
    number = buildNumber(b, any.table);
    if (isWorthMemory(kernel, count, any.getBits(), target))
      table = buildTable(b, kernel, number, any.getBits());
  }
  for (const LookUp &lookUp : lookUps) {
    VectorType type = lookUp.getType();
    rewriter.setInsertionPoint(lookUp.op);
    ImplicitLocOpBuilder b(lookUp.op->getLoc(), rewriter);
    if (isF4(lookUp))
      rewriter.replaceOp(lookUp.op, buildF4(b, lookUp.nibbles, type, *factor));
    else if (table)
      rewriter.replaceOp(lookUp.op, buildMemoryReads(b, lookUp, *table));
    else if (hasAllLanes(*lookUp.op->getBlock(), kernel))
      rewriter.replaceOp(lookUp.op,
                         buildReads(b, lookUp.nibbles, type, number));
  }
}

void mlir::nvgpu_ext::tabulateCodes(RewriterBase &rewriter, Operation *scope,
                                    const GPUTarget &target) {
  scope->walk([&](gpu::GPUFuncOp kernel) {
    // One table after the other, each with all that is looked up in it.
    SmallVector<SmallVector<LookUp>> tables;
    for (LookUp &lookUp : collectLookUps(kernel)) {
      auto *known = llvm::find_if(tables, [&](ArrayRef<LookUp> others) {
        return others.front().hasTableOf(lookUp);
      });
      if (known == tables.end())
        known = &tables.emplace_back();
      known->push_back(std::move(lookUp));
    }
    for (ArrayRef<LookUp> lookUps : tables)
      tabulate(rewriter, kernel, lookUps, target);
  });
}
