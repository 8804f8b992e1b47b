//===- DistributeConversion.cpp - Changes of layout -----------------------===//
//
// `vector_ext.to_layout` requests a layout, and takes its input in any.
// Depending on the two layouts, it renumbers registers, shuffles within a
// subgroup, or goes through shared memory.
//
//===----------------------------------------------------------------------===//

#include "LaneConversion.h"
#include "SharedTile.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/Distribution.h"
#include "mlir-ext/Dialect/VectorExt/Distribution/ExternalModels.h"
#include "mlir-ext/Dialect/VectorExt/IR/Roles.h"
#include "mlir-ext/Dialect/VectorExt/IR/VectorExt.h"
#include "mlir-ext/Layout/Conversion.h"
#include "mlir-ext/Support/ElementBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <array>
#include <map>

using namespace mlir;
using namespace mlir::vector_ext;
using layout::Axis;
using layout::Conversion;
using layout::ConversionKind;
using layout::Digit;
using layout::DimDigits;
using layout::Layout;

namespace {
/// Where an element that this thread needs is in the source layout.
struct Source {
  Value lane, reg;
};
} // namespace

/// Returns the source of the element in register `reg` of `to`. Digits of the
/// lane that `from` does not read keep their values.
static Source getSource(ImplicitLocOpBuilder &b, Distributor &distributor,
                        const Layout &from, const Layout &to, int64_t reg) {
  Value lane = distributor.getThreadIndex(Axis::Lane);
  ArrayRef<Value> thread = distributor.getThreadCoordinate(to);
  SmallVector<int64_t> offset = to.getCoordinate({0, 0, reg});
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Source source{lane, zero};
  for (unsigned dim = 0; dim < from.getRank(); ++dim) {
    Value coordinate = addIndex(b, thread[dim], offset[dim]);
    int64_t place = 1;
    for (const Digit &digit : llvm::reverse(from.getDigits(dim))) {
      Value wanted =
          getDigit(b, coordinate, place, digit.size, from.getDimSize(dim));
      place *= digit.size;
      if (digit.axis == Axis::Subgroup)
        continue;
      Value stride = arith::ConstantIndexOp::create(b, digit.stride);
      Value &index = digit.axis == Axis::Lane ? source.lane : source.reg;
      Value change = wanted;
      if (digit.axis == Axis::Lane)
        change = b.createOrFold<arith::SubIOp>(
            wanted,
            getDigit(b, lane, digit.stride, digit.size, from.getNumLanes()));
      index = b.createOrFold<arith::AddIOp>(
          index, b.createOrFold<arith::MulIOp>(change, stride));
    }
  }
  return source;
}

/// Returns the word of 32 bits that contains all of `candidates`. These are
/// registers of elements of `bits` bits; there are `count` registers. Unset if
/// there is none.
static std::optional<int64_t> getCommonWord(ArrayRef<int64_t> candidates,
                                            int64_t count, int64_t bits) {
  if (bits >= 32 || 32 % bits != 0 || count % (32 / bits) != 0)
    return std::nullopt;
  int64_t perWord = 32 / bits, word = candidates.front() / perWord;
  if (llvm::any_of(candidates, [&](int64_t candidate) {
        return candidate / perWord != word;
      }))
    return std::nullopt;
  return word;
}

/// Builds shuffles and selects. There are no shuffles if threads only select
/// among their own registers. Elements in one word are shuffled together.
static Value convertByShuffles(ImplicitLocOpBuilder &b,
                               Distributor &distributor, Value registers,
                               const Layout &from, const Layout &to,
                               const Conversion &conversion) {
  auto type =
      VectorType::get({to.getNumRegisters()},
                      cast<VectorType>(registers.getType()).getElementType());
  SmallVector<Value> results;
  Type elementType = type.getElementType();
  int64_t bits = linalg_ext::getElementBits(elementType);
  for (auto [reg, candidates] : llvm::enumerate(conversion.sources)) {
    Source source = getSource(b, distributor, from, to, reg);
    Value lane;
    if (conversion.shuffles)
      lane = arith::IndexCastOp::create(b, b.getI32Type(), source.lane);
    std::optional<int64_t> word =
        conversion.shuffles && candidates.size() > 1
            ? getCommonWord(candidates, from.getNumRegisters(), bits)
            : std::nullopt;
    Value shuffled;
    if (word) {
      int64_t perWord = 32 / bits;
      auto numbers =
          llvm::to_vector(llvm::seq(*word * perWord, (*word + 1) * perWord));
      auto words = VectorType::get({1}, b.getI32Type());
      shuffled = extractRegister(
          b,
          vector::BitCastOp::create(b, words,
                                    extractRegisters(b, registers, numbers)),
          0);
      shuffled =
          shuffle(b, shuffled, lane, ShuffleKind::Idx, from.getNumLanes());
      shuffled = vector::BitCastOp::create(
          b, VectorType::get({perWord}, elementType),
          vector::BroadcastOp::create(b, words, shuffled));
    }
    Value result;
    for (int64_t candidate : candidates) {
      Value element =
          word ? extractRegister(b, shuffled, candidate % (32 / bits))
               : extractRegister(b, registers, candidate);
      if (conversion.shuffles && !word)
        element =
            shuffle(b, element, lane, ShuffleKind::Idx, from.getNumLanes());
      if (!result) {
        result = element;
        continue;
      }
      Value isHere =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, source.reg,
                                arith::ConstantIndexOp::create(b, candidate));
      result = arith::SelectOp::create(b, isHere, element, result);
    }
    results.push_back(result);
  }
  return vector::FromElementsOp::create(b, type, results);
}

/// Builds a renumbering of registers that is the same in all threads.
static Value convertByRenumbering(ImplicitLocOpBuilder &b, Value registers,
                                  const Conversion &conversion) {
  SmallVector<int64_t> sources;
  for (const auto &source : conversion.sources)
    sources.push_back(source.front());
  return extractRegisters(b, registers, sources);
}

Value mlir::vector_ext::convertInSubgroups(ImplicitLocOpBuilder &b,
                                           Distributor &distributor,
                                           Value registers, const Layout &from,
                                           const Layout &to) {
  Conversion conversion = classifyConversion(from, to);
  switch (conversion.kind) {
  case ConversionKind::Identity:
    return registers;
  case ConversionKind::Registers:
    return convertByRenumbering(b, registers, conversion);
  case ConversionKind::Lanes:
    return convertByShuffles(b, distributor, registers, from, to, conversion);
  case ConversionKind::SharedMemory:
    break;
  }
  llvm_unreachable("elements move between subgroups");
}

namespace {
/// A register of this lane, or of the lane with which it exchanges.
struct ExchangedRegister {
  bool isOther = false;
  int64_t reg = 0;
  bool operator==(const ExchangedRegister &other) const {
    return isOther == other.isOther && reg == other.reg;
  }
};

/// A conversion for which each lane needs registers of only one other lane: the
/// lane whose number is its own xor `mask`. For each register of the target, it
/// has the sources in lanes without and with the lowest bit of `mask`.
struct Exchange {
  int64_t mask = 0;
  SmallVector<std::array<ExchangedRegister, 2>> sources;
};
} // namespace

/// Returns the exchange that converts `from` to `to`, if there is one.
static std::optional<Exchange> getExchange(const Layout &from,
                                           const Layout &to) {
  Exchange exchange;
  auto forEach = [&](llvm::function_ref<bool(const layout::Owner &target,
                                             const layout::Owner &source)>
                         visit) {
    for (int64_t subgroup = 0; subgroup < to.getNumSubgroups(); ++subgroup)
      for (int64_t lane = 0; lane < to.getNumLanes(); ++lane)
        for (int64_t reg = 0; reg < to.getNumRegisters(); ++reg) {
          layout::Owner target{subgroup, lane, reg};
          layout::Owner source =
              from.getOwner(to.getCoordinate(target), target);
          if (source.subgroup != subgroup || !visit(target, source))
            return false;
        }
    return true;
  };
  if (!forEach([&](const layout::Owner &target, const layout::Owner &source) {
        int64_t mask = target.lane ^ source.lane;
        if (exchange.mask == 0)
          exchange.mask = mask;
        return mask == 0 || mask == exchange.mask;
      }) ||
      exchange.mask == 0)
    return std::nullopt;
  int64_t bit = exchange.mask & -exchange.mask;
  std::vector<std::array<bool, 2>> isKnown(to.getNumRegisters());
  exchange.sources.resize(to.getNumRegisters());
  if (!forEach([&](const layout::Owner &target, const layout::Owner &source) {
        int half = (target.lane & bit) != 0;
        ExchangedRegister wanted{source.lane != target.lane, source.reg};
        ExchangedRegister &known = exchange.sources[target.reg][half];
        if (!isKnown[target.reg][half])
          known = wanted;
        isKnown[target.reg][half] = true;
        return known == wanted;
      }))
    return std::nullopt;
  return exchange;
}

/// Returns the layouts that result from `from` by swapping one bit of the
/// lane's number with one bit of the register's number in some dimension.
static SmallVector<Layout> getSwaps(const Layout &from) {
  SmallVector<DimDigits> dims;
  for (const DimDigits &digits : from.getDims()) {
    DimDigits &bits = dims.emplace_back();
    for (const Digit &digit : digits) {
      if (!llvm::isPowerOf2_64(digit.size))
        return {};
      for (int64_t size = digit.size / 2; size > 0; size /= 2)
        bits.push_back({digit.axis, 2, digit.stride * size});
    }
  }
  SmallVector<Layout> swaps;
  for (DimDigits &bits : dims)
    for (Digit &lane : bits)
      for (Digit &reg : bits) {
        if (lane.axis != Axis::Lane || reg.axis != Axis::Register)
          continue;
        std::swap(lane, reg);
        swaps.push_back(
            *Layout::get(dims, from.getNumLanes(), from.getNumSubgroups()));
        std::swap(lane, reg);
      }
  return swaps;
}

/// Returns the exchanges that convert `from` to `to` one after the other. Empty
/// if there are none.
static SmallVector<Exchange> getExchanges(const Layout &from,
                                          const Layout &to) {
  if (std::optional<Exchange> exchange = getExchange(from, to))
    return {*exchange};
  for (unsigned dim = 0; dim < to.getRank(); ++dim) {
    if (to.getDigits(dim).empty() ||
        to.getDigits(dim).back().axis != Axis::Register ||
        to.getDigits(dim).back().stride != 1)
      continue;
    std::optional<SmallVector<Layout>> steps =
        getWideningSteps(from, dim, to.getDigits(dim).back().size);
    if (!steps || steps->empty() || steps->back() != to)
      continue;
    SmallVector<Exchange> exchanges;
    const Layout *before = &from;
    for (const Layout &step : *steps) {
      if (std::optional<Exchange> exchange = getExchange(*before, step))
        exchanges.push_back(*exchange);
      before = &step;
    }
    if (exchanges.size() == steps->size())
      return exchanges;
  }
  // Try two exchanges, with any layout in between.
  for (const Layout &between : getSwaps(from))
    if (std::optional<Exchange> first = getExchange(from, between))
      if (std::optional<Exchange> second = getExchange(between, to))
        return {*first, *second};
  return {};
}

/// Exchanges words that are full of elements, each of them once, and selects.
static Value convertByExchange(ImplicitLocOpBuilder &b,
                               Distributor &distributor, Value registers,
                               const Exchange &exchange) {
  auto type = cast<VectorType>(registers.getType());
  Type elementType = type.getElementType();
  int64_t perWord = 32 / elementType.getIntOrFloatBitWidth();
  auto wordType = VectorType::get({perWord}, elementType);
  auto integerType = VectorType::get({1}, b.getI32Type());
  Value lane = distributor.getThreadIndex(Axis::Lane);
  Value isUpper = distributor.buildAtStart([&](ImplicitLocOpBuilder &start) {
    int64_t bit = exchange.mask & -exchange.mask;
    Value digit = start.createOrFold<arith::AndIOp>(
        lane, arith::ConstantIndexOp::create(start, bit));
    return arith::CmpIOp::create(start, arith::CmpIPredicate::ne, digit,
                                 arith::ConstantIndexOp::create(start, 0))
        .getResult();
  });
  // Words of this lane and of the other one, and one of both by half.
  int64_t numWords = type.getNumElements() / perWord;
  SmallVector<std::array<Value, 2>> words(numWords);
  auto getWord = [&](const ExchangedRegister &source) {
    auto &[own, other] = words[source.reg / perWord];
    if (!own) {
      SmallVector<int64_t> numbers;
      for (int64_t i = 0; i < perWord; ++i)
        numbers.push_back(source.reg / perWord * perWord + i);
      own = vector::BitCastOp::create(b, integerType,
                                      extractRegisters(b, registers, numbers));
      own = extractRegister(b, own, 0);
    }
    if (source.isOther && !other)
      other =
          shuffle(b, own, arith::ConstantIntOp::create(b, exchange.mask, 32),
                  ShuffleKind::Xor, distributor.getWorkgroup().numLanes);
    return source.isOther ? other : own;
  };
  auto getElement = [&](Value word, int64_t reg) {
    Value vector = vector::BitCastOp::create(
        b, wordType, vector::BroadcastOp::create(b, integerType, word));
    return extractRegister(b, vector, reg % perWord);
  };
  // The received words, by the words that the lower half and the upper half
  // send.
  std::map<std::pair<int64_t, int64_t>, Value> received;
  std::map<std::pair<int64_t, int64_t>, Value> swapped;
  auto swap = [&](const ExchangedRegister &lower,
                  const ExchangedRegister &upper) {
    ExchangedRegister ofLower = {false, lower.reg},
                      ofUpper = {false, upper.reg};
    // If one half needs its own register, it sends the other register.
    Value &word =
        swapped[{lower.reg / perWord * 2 + lower.isOther, upper.reg / perWord}];
    if (word)
      return word;
    std::pair<int64_t, int64_t> key(lower.reg / perWord, upper.reg / perWord);
    Value &other = received[key];
    if (!other)
      other = shuffle(b,
                      arith::SelectOp::create(b, isUpper, getWord(ofLower),
                                              getWord(ofUpper)),
                      arith::ConstantIntOp::create(b, exchange.mask, 32),
                      ShuffleKind::Xor, distributor.getWorkgroup().numLanes);
    word = lower.isOther
               ? arith::SelectOp::create(b, isUpper, getWord(ofUpper), other)
                     .getResult()
               : arith::SelectOp::create(b, isUpper, other, getWord(ofLower))
                     .getResult();
    return word;
  };
  std::map<std::pair<int64_t, bool>, Value> selected;
  SmallVector<Value> results;
  for (const auto &[lower, upper] : exchange.sources) {
    if (lower == upper) {
      results.push_back(getElement(getWord(lower), lower.reg));
      continue;
    }
    if (lower.reg != upper.reg && lower.isOther != upper.isOther &&
        lower.reg % perWord == upper.reg % perWord) {
      // The half that takes a register of the other lane sends the register
      // that the other half takes. So only one of two registers is sent.
      results.push_back(getElement(swap(lower, upper), lower.reg));
      continue;
    }
    if (lower.reg != upper.reg) {
      results.push_back(arith::SelectOp::create(
          b, isUpper, getElement(getWord(upper), upper.reg),
          getElement(getWord(lower), lower.reg)));
      continue;
    }
    Value &word = selected[{lower.reg / perWord, lower.isOther}];
    if (!word)
      word =
          arith::SelectOp::create(b, isUpper, getWord(upper), getWord(lower));
    results.push_back(getElement(word, lower.reg));
  }
  return vector::FromElementsOp::create(
      b, VectorType::get({static_cast<int64_t>(results.size())}, elementType),
      results);
}

/// Returns the number of elements by which a row in shared memory is made
/// longer, so that rows start in different banks: 16 bytes.
static int64_t getRowPadding(Type type) {
  int64_t bits = linalg_ext::getElementBits(type);
  return std::max<int64_t>(128 / std::max<int64_t>(bits, 8), 1);
}

static Value convertBySharedMemory(ImplicitLocOpBuilder &b,
                                   Distributor &distributor, Value registers,
                                   Operation *read, const Layout &from,
                                   const Layout &to, Operation *storeBefore) {
  Type type = cast<VectorType>(registers.getType()).getElementType();
  SmallVector<int64_t> shape = from.getShape();
  if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() >= 8)
    if (Value result = exchangeInSharedMemory(b, distributor, registers, read,
                                              from, to, storeBefore))
      return result;
  // Bits are stored as bytes.
  bool isBit = type.isInteger(1);
  Type stored = isBit ? b.getI8Type() : type;
  if (isBit)
    registers = arith::ExtUIOp::create(
        b, VectorType::get({from.getNumRegisters()}, stored), registers);
  if (shape.size() > 1)
    shape.back() += getRowPadding(stored);
  TileAccess access;
  access.memref = distributor.allocateShared(shape, stored);
  access.layout = from;
  for (unsigned dim = 0; dim < from.getRank(); ++dim) {
    access.indices.push_back(arith::ConstantIndexOp::create(b, 0));
    access.dims.push_back(dim);
    access.bounds.push_back(Value());
  }
  // The first barrier waits until no thread reads the old contents, and the
  // second one until all threads have written.
  createBarrier(b, b.getLoc());
  storeRegisters(b, distributor, access, registers);
  createBarrier(b, b.getLoc());
  access.layout = to;
  Value result = loadRegisters(b, distributor, access, Value());
  if (isBit)
    result = arith::TruncIOp::create(
        b, VectorType::get({to.getNumRegisters()}, type), result);
  return result;
}

/// Returns whether `op`, or an op in it, may write to memory other than the
/// workgroup's.
static bool mayWriteGlobalMemory(Operation *op) {
  auto *dialect = op->getContext()->getLoadedDialect<VectorExtDialect>();
  const AsyncCopies &copies = dialect->getAsyncCopies();
  const BufferLoads &loads = dialect->getBufferLoads();
  return op
      ->walk([&](Operation *nested) {
        // Groups of copies, and waits for them, do not state their effects.
        if (nested->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
            isBarrier(nested) || (copies.isWait && copies.isWait(nested)) ||
            (loads.isWait && loads.isWait(nested)))
          return WalkResult::advance();
        auto effects = getEffectsRecursively(nested);
        if (!effects)
          return WalkResult::interrupt();
        for (const MemoryEffects::EffectInstance &effect : *effects) {
          if (!isa<MemoryEffects::Write>(effect.getEffect()))
            continue;
          Value written = effect.getValue();
          auto type =
              written ? dyn_cast<MemRefType>(written.getType()) : MemRefType();
          if (!type || !gpu::GPUDialect::isWorkgroupMemoryAddressSpace(
                           type.getMemorySpace()))
            return WalkResult::interrupt();
        }
        return WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns the op that reads the input of `op`, if it could be moved to
/// `point`: it is in the same block, and nothing is written in between. Returns
/// null otherwise.
static Operation *getReadBefore(ToLayoutOp op, Operation *point,
                                Distributor &distributor) {
  Value value = op.getInput();
  while (auto same = value.getDefiningOp<ToLayoutOp>()) {
    if (distributor.getLayout(same.getInput()) !=
        distributor.getLayout(op.getInput()))
      return {};
    value = same.getInput();
  }
  Operation *read = value.getDefiningOp();
  if (!isa_and_nonnull<vector::TransferReadOp, TransferGatherOp>(read) ||
      read->getBlock() != point->getBlock() ||
      distributor.getLayout(value) != distributor.getLayout(op.getInput()))
    return {};
  for (Operation *next = read->getNextNode(); next != point;
       next = next->getNextNode())
    if (mayWriteGlobalMemory(next))
      return {};
  return read;
}

/// Returns the outermost loop around `op` that does not compute its input, or
/// null.
static Operation *getLoopBehindInput(ToLayoutOp op) {
  Operation *result = nullptr;
  for (Operation *parent = op->getParentOp(); isa<scf::ForOp>(parent);
       parent = parent->getParentOp()) {
    if (parent->isAncestor(op.getInput().getParentRegion()->getParentOp()))
      break;
    result = parent;
  }
  return result;
}

/// Builds the registers of `op`.
static Value buildConversion(ToLayoutOp op, Distributor &distributor) {
  ImplicitLocOpBuilder b(op.getLoc(), distributor.getRewriter());
  Layout from = distributor.getLayout(op.getInput());
  Layout to = op.getLayout().getLayout();
  Value registers = distributor.getDistributed(op.getInput());
  Conversion conversion = classifyConversion(from, to);
  if (op.getSharedMemory())
    conversion = {};
  switch (conversion.kind) {
  case ConversionKind::Identity:
    return registers;
  case ConversionKind::Registers:
    return convertByRenumbering(b, registers, conversion);
  case ConversionKind::Lanes: {
    int64_t bits = linalg_ext::getElementBits(registers.getType());
    // For a word with several elements, one exchange is enough.
    if (conversion.shuffles && (bits == 8 || bits == 16) &&
        from.getNumRegisters() * bits % 32 == 0) {
      SmallVector<Exchange> exchanges = getExchanges(from, to);
      for (const Exchange &exchange : exchanges)
        registers = convertByExchange(b, distributor, registers, exchange);
      if (!exchanges.empty())
        return registers;
    }
    // Many shuffles cost more than one transfer through shared memory.
    if (getConversionCost(conversion, from, to, bits) <=
        getConversionCost(Conversion(), from, to, bits))
      return convertByShuffles(b, distributor, registers, from, to, conversion);
    [[fallthrough]];
  }
  case ConversionKind::SharedMemory: {
    // The vector is stored once, and loaded in each iteration.
    Operation *loop = getLoopBehindInput(op);
    Operation *read =
        getReadBefore(op, loop ? loop : op.getOperation(), distributor);
    return convertBySharedMemory(b, distributor, registers, read, from, to,
                                 loop);
  }
  }
  llvm_unreachable("unknown kind");
}

namespace {
struct ToLayoutModel
    : LayoutOpInterface::ExternalModel<ToLayoutModel, ToLayoutOp> {
  FailureOr<std::optional<Layout>>
  getRequestedLayout(Operation *op, const Workgroup &workgroup) const {
    const Layout &layout = cast<ToLayoutOp>(op).getLayout().getLayout();
    if (layout.getNumLanes() != workgroup.numLanes ||
        layout.getNumSubgroups() != workgroup.numSubgroups)
      return op->emitOpError()
             << "expected a layout for " << workgroup.numSubgroups
             << " subgroups of " << workgroup.numLanes << " lanes, got "
             << layout.getNumSubgroups() << " of " << layout.getNumLanes();
    return std::optional<Layout>(layout);
  }

  bool acceptsAnyLayout(Operation *, OpOperand &) const { return true; }

  /// If both layouts are equal, nothing moves, unless it must.
  std::optional<Layout> getOperandLayout(Operation *op, OpOperand &,
                                         const Layout &deciding) const {
    if (cast<ToLayoutOp>(op).getSharedMemory())
      return std::nullopt;
    return deciding;
  }

  /// A vector in shared memory is loaded where it is used.
  bool holdsResultsInRegisters(Operation *op) const {
    return !cast<ToLayoutOp>(op).getSharedMemory();
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    if (storeLeftOnce(cast<ToLayoutOp>(op), distributor))
      return success();
    distributor.replace(op, buildConversion(cast<ToLayoutOp>(op), distributor));
    return success();
  }
};
} // namespace

namespace {
/// Threads write vectors that they hold. Vectors that they would only read and
/// write are copied.
struct WriteTileModel
    : LayoutOpInterface::ExternalModel<WriteTileModel, WriteTileOp> {
  std::optional<Layout> getDecidingLayout(Operation *, OpOperand &,
                                          const Layout &layout) const {
    return layout;
  }
  std::optional<Layout> getOperandLayout(Operation *, OpOperand &,
                                         const Layout &deciding) const {
    return deciding;
  }

  LogicalResult distribute(Operation *op, Distributor &distributor) const {
    auto write = cast<WriteTileOp>(op);
    ImplicitLocOpBuilder b(op->getLoc(), distributor.getRewriter());
    Operation *read = write.getTile().getDefiningOp();
    if (Layout layout = distributor.getLayout(write.getTile());
        !write.getBarriers() && !layout.isDividedAmongSubgroups(/*dim=*/0))
      return op->emitOpError()
             << "expected each of " << layout.getNumSubgroups()
             << " subgroups to hold the part of the tile with "
                "its number";
    if (!writeTile(
            b, distributor, distributor.getDistributed(write.getTile()),
            isa_and_nonnull<TransferGatherOp, vector::TransferReadOp>(read)
                ? read
                : nullptr,
            distributor.getLayout(write.getTile()),
            write.getLayout().getLayout(), write.getMemory(),
            write.getBarriers(), write.getIndex(), write.getInPlace()))
      return op->emitOpError() << "expected addresses that are sums or XORs of "
                                  "bits of the number "
                                  "of a thread";
    distributor.replace(op, {});
    return success();
  }
};
} // namespace

void mlir::vector_ext::registerConversionLayoutModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, VectorExtDialect *) {
    ToLayoutOp::attachInterface<ToLayoutModel>(*context);
    WriteTileOp::attachInterface<WriteTileModel>(*context);
  });
}
