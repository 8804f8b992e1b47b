//===- LoadAhead.cpp - Loads of bytes ahead of their conversion -----------===//
//
// Loads of elements of 8 bits, and of bytes and words with several integers,
// are issued ahead of their conversion. Threads convert these elements, so
// asynchronous copies cannot bring them. If they go from registers to
// instructions, they take few registers and are loaded early. So are operands
// of 16 bits, if all loads of a loop are as wide as memory allows
// (docs/Decisions/0196):
//
//   1. Loads before the first products of an iteration move to the start of the
//      previous iteration, together with loads of single elements of 16 bits,
//      such as scales, and of single words, such as those of zero points. The
//      last iteration loads its own tile again.
//   2. The same holds for rows of other types, and for loads after the first
//      products if they load little in total. Otherwise the latter move to the
//      start of their own iteration.
//   3. If the number of iterations is known and no single elements of 16 bits
//      are loaded, two iterations become one. Each of them loads into the
//      registers that the other one reads. With one set of registers, loads
//      would wait for those of the previous iteration where these are copied.
//   4. All loads of two such iterations come first.
//
// A processor returns loads in their order. So each load in a loop waits for
// earlier loads of other threads from memory, even if a cache has its data
// (docs/Decisions/0096). If the elements go through shared memory, threads wait
// for each other at barriers, and the registers cost more than the early loads
// gain (docs/Decisions/0057).
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Support/LoopSlice.h"
#include "mlir-ext/Target/NVGPU/Intrinsics.h"
#include "mlir-ext/Target/NVGPU/Transforms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

static bool isGlobal(Value memory) {
  auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
      cast<MemRefType>(memory.getType()).getMemorySpace());
  return !space || space.getValue() == gpu::AddressSpace::Global;
}

/// Returns whether `loop` does not write to global memory.
static bool onlyReadsGlobal(scf::ForOp loop) {
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isa<MemRefType>(operand.getType()) || !isGlobal(operand) ||
          isPure(op) || hasSingleEffect<MemoryEffects::Read>(op, operand))
        continue;
      auto copy = dyn_cast<nvgpu::DeviceAsyncCopyOp>(op);
      if (!copy || isGlobal(copy.getDst()))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// Returns whether threads wait for each other in `loop`.
static bool hasBarrier(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](gpu::BarrierOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static bool multiplies(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return nvgpu_ext::isMmaSync(nested) ? WalkResult::interrupt()
                                            : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
/// A load in a loop, or a branch around loads, and the ops that it needs. It is
/// the last of these ops.
struct Load {
  SmallVector<Operation *> needed;

  Operation *getOp() const { return needed.back(); }
};
} // namespace

static int64_t getBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 ||
      !vector.getElementType().isIntOrFloat())
    return 0;
  return vector.getNumElements() * vector.getElementTypeBitWidth() / 8;
}

/// Returns the type of the same bits in words of 32 bits, which registers have.
static VectorType getWords(Type type) {
  return VectorType::get({getBytes(type) / 4},
                         IntegerType::get(type.getContext(), 32));
}

/// Returns the number of bytes that `load` yields, or 0 if these are not
/// vectors of words.
static int64_t getBytes(Operation *load) {
  int64_t sum = 0;
  for (Type type : load->getResultTypes()) {
    int64_t bytes = getBytes(type);
    if (bytes == 0 || bytes % 4 != 0)
      return 0;
    sum += bytes;
  }
  return sum;
}

/// Builds the loads of iteration `iv`, as words.
static SmallVector<Value> cloneLoads(OpBuilder &b, scf::ForOp loop,
                                     ArrayRef<Load> loads, Value iv) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), iv);
  SmallVector<Value> words;
  for (const Load &load : loads) {
    for (Operation *op : load.needed)
      if (!mapping.contains(op))
        b.clone(*op, mapping);
    for (Value loaded : load.getOp()->getResults())
      words.push_back(vector::BitCastOp::create(b, load.getOp()->getLoc(),
                                                getWords(loaded.getType()),
                                                mapping.lookup(loaded)));
  }
  return words;
}

/// Returns whether `op` loads a vector from global memory.
static bool loadsGlobal(Operation *op) {
  auto load = dyn_cast<vector::LoadOp>(op);
  return load && isGlobal(load.getBase());
}

/// Builds the induction variable of the next iteration of `loop`, or of the
/// current one if it is the last.
static Value getNextIteration(RewriterBase &rewriter, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value iv = loop.getInductionVar();
  Value next = arith::AddIOp::create(rewriter, loc, iv, loop.getStep());
  Value exists = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       next, loop.getUpperBound());
  return arith::SelectOp::create(rewriter, loc, exists, next, iv);
}

namespace {
/// Loads of single elements of 16 bits, or packed words, of one type, which the
/// loop carries together.
struct Elements {
  SmallVector<Load> loads;

  Type getType() const {
    return loads.front().needed.back()->getResult(0).getType();
  }
  int64_t getPerWord() const { return 32 / getType().getIntOrFloatBitWidth(); }
  /// Two elements of 16 bits make a word. If their number is odd, the last one
  /// is repeated.
  VectorType getVector() const {
    return VectorType::get({int64_t(llvm::alignTo(loads.size(), getPerWord()))},
                           getType());
  }
  VectorType getWords() const {
    return VectorType::get({getVector().getNumElements() / getPerWord()},
                           IntegerType::get(getType().getContext(), 32));
  }
  /// Builds the loads of iteration `iv`, as words.
  Value clone(OpBuilder &b, scf::ForOp loop, Value iv) const {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), iv);
    SmallVector<Value> elements;
    for (const Load &load : loads) {
      for (Operation *op : load.needed)
        if (!mapping.contains(op))
          b.clone(*op, mapping);
      elements.push_back(mapping.lookup(load.needed.back()->getResult(0)));
    }
    if (elements.size() % getPerWord() != 0)
      elements.push_back(elements.back());
    Value vector =
        vector::FromElementsOp::create(b, loop.getLoc(), getVector(), elements);
    return vector::BitCastOp::create(b, loop.getLoc(), getWords(), vector);
  }
};
} // namespace

/// Returns whether integers are unpacked from the words of 32 bits that `load`
/// loads: they are shifted after they were put together and repeated.
static bool loadsPackedWords(Operation *load) {
  Value loaded = load->getResult(0);
  if (!getElementTypeOrSelf(loaded.getType()).isSignlessInteger(32))
    return false;
  llvm::SetVector<Value> values;
  values.insert(loaded);
  for (unsigned i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<arith::ShRUIOp, arith::ShRSIOp>(user))
        return true;
      if (isa<vector::InsertStridedSliceOp, vector::ExtractStridedSliceOp,
              vector::ShuffleOp, vector::ExtractOp, vector::FromElementsOp,
              vector::BroadcastOp, vector::ShapeCastOp>(user))
        values.insert(user->getResult(0));
    }
  return false;
}

/// Returns the loads of elements of 16 bits and of packed words among `loads`,
/// grouped by type. With `leaveWords`, words stay in their iteration.
static SmallVector<Elements> getElements(ArrayRef<Load> loads,
                                         bool leaveWords) {
  SmallVector<Elements> result;
  for (const Load &load : loads) {
    Type type = load.needed.back()->getResult(0).getType();
    if (!type.isIntOrFloat() ||
        (type.getIntOrFloatBitWidth() != 16 &&
         (leaveWords || !loadsPackedWords(load.getOp()))))
      continue;
    auto *same = llvm::find_if(
        result, [&](const Elements &each) { return each.getType() == type; });
    if (same == result.end())
      same = &result.emplace_back();
    same->loads.push_back(load);
  }
  return result;
}

/// Returns whether `op` does not write to global memory.
static bool leavesGlobal(Operation *op) {
  if (isa<gpu::BarrierOp>(op))
    return true;
  auto effects = getEffectsRecursively(op);
  return effects &&
         llvm::all_of(*effects,
                      [](const MemoryEffects::EffectInstance &effect) {
                        return isa<MemoryEffects::Read>(effect.getEffect()) ||
                               (effect.getValue() &&
                                isa<MemRefType>(effect.getValue().getType()) &&
                                !isGlobal(effect.getValue()));
                      });
}

/// Moves `loads`, which are before a loop, further up: before copies of other
/// values to workgroup memory in their block, such as scales, and before the
/// barriers after these. Otherwise threads would wait for one after the other.
/// The loads pass a barrier only if no op between it and the barrier before it
/// writes to global memory, since other threads may execute such an op.
static void moveOverCopies(RewriterBase &rewriter, Operation *loads) {
  Operation *point = nullptr, *first = loads;
  bool isOverBarrier = false;
  Operation *op = loads->getPrevNode();
  for (; op && leavesGlobal(op); op = op->getPrevNode()) {
    if (isa<gpu::BarrierOp>(op)) {
      if (isOverBarrier)
        point = first;
      isOverBarrier = true;
    }
    first = op;
  }
  if (!op && isOverBarrier &&
      isa<gpu::LaunchOp, FunctionOpInterface>(loads->getParentOp()))
    point = first;
  if (!point)
    return;
  // Leave ops that only compute numbers before the loads.
  while (isPure(point))
    point = point->getNextNode();
  // The values that the loads need, such as the number of a page, may be
  // available only after a barrier.
  llvm::SetVector<Value> needed(loads->operand_begin(), loads->operand_end());
  getUsedValuesDefinedAbove(loads->getRegions(), needed);
  if (succeeded(moveValueDefinitions(rewriter, needed.getArrayRef(), point)))
    rewriter.moveOpBefore(loads, point);
}

/// Returns the new loop, or null if there is none.
static scf::ForOp loadInPreviousIteration(RewriterBase &rewriter,
                                          scf::ForOp loop, ArrayRef<Load> loads,
                                          ArrayRef<Elements> elements) {
  Location loc = loop.getLoc();
  auto cloneAll = [&](OpBuilder &b, Value iv) {
    SmallVector<Value> words = cloneLoads(b, loop, loads, iv);
    for (const Elements &each : elements)
      words.push_back(each.clone(b, loop, iv));
    return words;
  };
  // 1. Load before the loop, if it has an iteration.
  rewriter.setInsertionPoint(loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value any = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                    lower, upper);
  auto first = scf::IfOp::create(
      rewriter, loc, any,
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, cloneAll(b, lower));
      },
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> zeros;
        for (const Load &load : loads)
          for (Type type : load.getOp()->getResultTypes())
            zeros.push_back(arith::ConstantOp::create(
                b, loc, b.getZeroAttr(getWords(type))));
        for (const Elements &each : elements)
          zeros.push_back(arith::ConstantOp::create(
              b, loc, b.getZeroAttr(each.getWords())));
        scf::YieldOp::create(b, loc, zeros);
      });
  moveOverCopies(rewriter, first);

  // 2. Load at the start of the body, for the next iteration.
  rewriter.setInsertionPointToStart(loop.getBody());
  Value next = getNextIteration(rewriter, loop);
  SmallVector<Value> ahead = cloneAll(rewriter, next);

  // 3. Let the loop carry the loaded values.
  FailureOr<LoopLikeOpInterface> carried = loop.replaceWithAdditionalYields(
      rewriter, first.getResults(), /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) { return ahead; });
  if (failed(carried))
    return {};
  auto built = cast<scf::ForOp>(carried->getOperation());
  rewriter.setInsertionPointToStart(built.getBody());
  ValueRange words = built.getRegionIterArgs();
  words = words.take_back(first.getNumResults());
  for (const Load &load : loads) {
    SmallVector<Value> loaded;
    for (Type type : load.getOp()->getResultTypes()) {
      loaded.push_back(vector::BitCastOp::create(
          rewriter, load.getOp()->getLoc(), type, words.front()));
      words = words.drop_front();
    }
    rewriter.replaceOp(load.getOp(), loaded);
  }
  rewriter.setInsertionPointToStart(built.getBody());
  for (auto [each, carried] : llvm::zip_equal(elements, words)) {
    Value vector =
        vector::BitCastOp::create(rewriter, loc, each.getVector(), carried);
    for (auto [at, load] : llvm::enumerate(each.loads))
      rewriter.replaceOp(
          load.needed.back(),
          vector::ExtractOp::create(rewriter, loc, vector, at).getResult());
  }
  return built;
}

/// Replaces `loop`, which has `count` iterations, by its unrolled iterations.
/// All of their `loads` come first.
static void unroll(RewriterBase &rewriter, scf::ForOp loop,
                   ArrayRef<Load> loads, int64_t lower, int64_t step,
                   int64_t count) {
  rewriter.setInsertionPoint(loop);
  SmallVector<IRMapping> mappings(count);
  for (auto [number, mapping] : llvm::enumerate(mappings)) {
    mapping.map(loop.getInductionVar(),
                arith::ConstantIndexOp::create(
                    rewriter, loop.getLoc(),
                    lower + static_cast<int64_t>(number) * step));
    for (const Load &load : loads)
      for (Operation *op : load.needed)
        if (!mapping.contains(op))
          rewriter.clone(*op, mapping);
  }
  SmallVector<Value> carried(loop.getInitArgs());
  for (IRMapping &mapping : mappings) {
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      if (!mapping.contains(&op))
        rewriter.clone(op, mapping);
    for (auto [value, yielded] :
         llvm::zip_equal(carried, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  rewriter.replaceOp(loop, carried);
}

static bool loadsBytes(vector::LoadOp load) {
  return load.getVectorType().getElementTypeBitWidth() == 8;
}

/// Returns whether threads load all operands of the products of `loop` from
/// global memory, 16 bytes of 16-bit elements at once, and nothing else.
static bool loadsWideOperands(scf::ForOp loop) {
  constexpr int64_t kWide = 16;
  bool loads = false;
  WalkResult walk = loop.getBody()->walk([&](Operation *op) {
    if (op->getNumRegions() > 0 || isMemoryEffectFree(op))
      return WalkResult::advance();
    auto load = dyn_cast<vector::LoadOp>(op);
    if (!load || !isGlobal(load.getBase()) || getBytes(op) != kWide ||
        load.getVectorType().getElementTypeBitWidth() != 16)
      return WalkResult::interrupt();
    loads = true;
    return WalkResult::advance();
  });
  return loads && !walk.wasInterrupted();
}

/// The most single words with which two iterations become one, and that are
/// loaded ahead in any case.
static constexpr size_t kFewWords = 4;

static void loadAhead(RewriterBase &rewriter, scf::ForOp loop,
                      int64_t maxBytes) {
  Block *body = loop.getBody();
  auto product =
      llvm::find_if(*body, [](Operation &op) { return multiplies(&op); });
  if (product == body->end() || hasBarrier(loop) || !onlyReadsGlobal(loop))
    return;
  SmallVector<Load> before, after, few, others;
  int64_t bytes = 0, otherBytes = 0;
  bool hasWords = false;
  size_t singleWords = 0;
  for (Operation &op : *body) {
    // These are loads such as those of scales, each of which is for many bytes.
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && isGlobal(load.getMemRef())) {
      FailureOr<SmallVector<Operation *>> needed =
          linalg_ext::getNeededInIteration(loop, load);
      if (failed(needed))
        continue;
      if (loadsPackedWords(load)) {
        hasWords = true;
        bytes += 4;
        ++singleWords;
      }
      few.push_back({std::move(*needed)});
      continue;
    }
    bool isBefore = op.isBeforeInBlock(&*product);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      FailureOr<SmallVector<Operation *>> needed =
          linalg_ext::getNeededByBranch(loop, branch, loadsGlobal);
      if (!isBefore || failed(needed) || getBytes(&op) == 0)
        continue;
      needed->push_back(branch);
      otherBytes += getBytes(&op);
      others.push_back({std::move(*needed)});
      continue;
    }
    auto load = dyn_cast<vector::LoadOp>(op);
    if (!load || !isGlobal(load.getBase()) ||
        loop->isAncestor(load.getBase().getParentBlock()->getParentOp()) ||
        getBytes(&op) == 0)
      continue;
    FailureOr<SmallVector<Operation *>> needed =
        linalg_ext::getNeededInIteration(loop, load);
    if (failed(needed))
      continue;
    bool isPacked = loadsPackedWords(load);
    hasWords |= isPacked;
    if (!loadsBytes(load) && !isPacked && !loadsWideOperands(loop)) {
      if (isBefore) {
        otherBytes += getBytes(&op);
        others.push_back({std::move(*needed)});
      }
      continue;
    }
    bytes += getBytes(&op);
    (isBefore ? before : after).push_back({std::move(*needed)});
  }
  if (bytes == 0 || bytes > maxBytes)
    return;
  // Two iterations only: the last one would load in vain, and that is half of
  // all loads.
  auto lower = getConstantIntValue(loop.getLowerBound()),
       upper = getConstantIntValue(loop.getUpperBound()),
       step = getConstantIntValue(loop.getStep());
  if (lower && upper && step && *upper - *lower <= 2 * *step) {
    llvm::append_range(before, after);
    llvm::append_range(before, few);
    return unroll(rewriter, loop, before, *lower, *step,
                  llvm::divideCeil(*upper - *lower, *step));
  }
  llvm::SetVector<Operation *> early;
  for (ArrayRef<Load> loads : {ArrayRef(after), ArrayRef(few)})
    for (const Load &load : loads)
      early.insert_range(load.needed);
  for (Operation *op : llvm::reverse(early))
    rewriter.moveOpBefore(op, body, body->begin());
  // Scales and zero points of columns of words are loaded in runs, too.
  bool isLittle =
      2 * (bytes + otherBytes) <= (hasWords ? maxBytes * 5 / 4 : maxBytes);
  if (isLittle || hasWords)
    llvm::append_range(before, after);
  if (isLittle)
    llvm::append_range(before, others);
  // Rows may take the registers of many words.
  SmallVector<Elements> elements = getElements(
      few, /*leaveWords=*/singleWords > kFewWords && otherBytes > bytes);
  if (before.empty() && (!hasWords || elements.empty()))
    return;
  scf::ForOp built = loadInPreviousIteration(rewriter, loop, before, elements);
  // Single elements take registers of their own.
  std::optional<APInt> trips =
      built ? built.getStaticTripCount() : std::optional<APInt>();
  bool areWords = llvm::all_of(elements, [](const Elements &each) {
    return each.getPerWord() == 1 && each.loads.size() <= kFewWords;
  });
  if (trips && trips->sgt(2) && areWords)
    (void)loopUnrollByFactor(built, 2);
}

void mlir::nvgpu_ext::loadBytesAhead(Operation *scope, int64_t maxBytes) {
  SmallVector<scf::ForOp> loops;
  scope->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  IRRewriter rewriter(scope->getContext());
  for (scf::ForOp loop : loops)
    loadAhead(rewriter, loop, maxBytes);
}
