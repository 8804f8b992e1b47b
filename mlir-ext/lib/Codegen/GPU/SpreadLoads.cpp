//===- SpreadLoads.cpp - Elements that lanes share ------------------------===//
//
// Lanes that compute results of one column read the same scale of that column.
// If each iteration loads its scale, each column takes a cache line of which
// two bytes are used, and the number of lines determines the cost of the load.
// Here each of these lanes reads the scale of another iteration, and lanes
// exchange them. One load then serves as many iterations as there are such
// lanes.
//
//   1. Find how many neighbouring lanes have the same indices.
//   2. Before the loop, load the elements for that many iterations, and for as
//      many again.
//   3. In each iteration, get the elements from the lane that has them. The
//      last iteration of those that were loaded loads the elements for
//      iterations after the next ones.
//
// If the number of iterations is known, and the elements of all of them fit a
// small table in workgroup memory, all are loaded to it before the loop. An
// iteration then loads its elements from the table, as a vector, and the loop
// carries none.
//
//===----------------------------------------------------------------------===//

#include "mlir-ext/Codegen/GPU/Transforms.h"
#include "mlir-ext/Support/LoopSlice.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::linalg_ext;

namespace {
/// Finds how many neighbouring lanes of a launch have the same value. The
/// number is a power of two, and the number of the first lane is a multiple of
/// it.
class SameLanes {
public:
  SameLanes(gpu::LaunchOp launch, int64_t lanes)
      : launch(launch), lanes(lanes) {}

  int64_t get(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    int64_t same = compute(value);
    return known[value] = same;
  }

  /// Returns the period of a value along the lanes of a subgroup: the smallest
  /// power of two, at most `lanes`, such that lanes with the same remainder
  /// have the same value.
  int64_t getPeriod(Value value) {
    if (auto it = periods.find(value); it != periods.end())
      return it->second;
    int64_t period = computePeriod(value);
    return periods[value] = period;
  }

private:
  gpu::LaunchOp launch;
  int64_t lanes;
  llvm::DenseMap<Value, int64_t> known, periods;

  static std::optional<int64_t> getConstant(Value value) {
    APInt constant;
    if (!matchPattern(value, m_ConstantInt(&constant)) ||
        !constant.isStrictlyPositive() || constant.getActiveBits() > 31)
      return std::nullopt;
    return constant.getZExtValue();
  }

  /// If `value` is the number of the thread in an aligned group of threads,
  /// returns the size of the group, a power of two.
  std::optional<int64_t> getPart(Value value) {
    if (value == launch.getThreadIds().x)
      return int64_t(1) << 31;
    Operation *op = value.getDefiningOp();
    if (auto id = dyn_cast_or_null<gpu::ThreadIdOp>(op))
      return id.getDimension() == gpu::Dimension::x
                 ? std::optional(int64_t(1) << 31)
                 : std::nullopt;
    if (isa_and_nonnull<gpu::LaneIdOp>(op))
      return lanes;
    if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp>(op))
      return getPart(op->getOperand(0));
    if (auto rest = dyn_cast_or_null<arith::RemUIOp>(op)) {
      std::optional<int64_t> part = getPart(rest.getLhs()),
                             size = getConstant(rest.getRhs());
      if (part && size && llvm::isPowerOf2_64(*size))
        return std::min(*part, *size);
    }
    return std::nullopt;
  }

  int64_t computePeriod(Value value) {
    if (get(value) == lanes)
      return 1;
    Operation *op = value.getDefiningOp();
    if (!op || !isPure(op) || op->getNumRegions() != 0 ||
        op->getNumOperands() == 0)
      return lanes;
    if (isa<arith::RemUIOp>(op)) {
      std::optional<int64_t> part = getPart(op->getOperand(0)),
                             size = getConstant(op->getOperand(1));
      if (part && size && llvm::isPowerOf2_64(*size))
        return std::min({*part, *size, lanes});
    }
    int64_t period = 1;
    for (Value operand : op->getOperands())
      period = std::max(period, getPeriod(operand));
    return period;
  }

  int64_t compute(Value value) {
    if (!launch.getBody().isAncestor(value.getParentRegion()))
      return lanes;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *parent = argument.getOwner()->getParentOp();
      if (parent == launch)
        return llvm::is_contained({Value(launch.getThreadIds().x),
                                   Value(launch.getThreadIds().y),
                                   Value(launch.getThreadIds().z)},
                                  value)
                   ? 1
                   : lanes;
      auto loop = dyn_cast<scf::ForOp>(parent);
      if (!loop || value != loop.getInductionVar())
        return 1;
      return std::min({get(loop.getLowerBound()), get(loop.getUpperBound()),
                       get(loop.getStep())});
    }
    Operation *op = value.getDefiningOp();
    if (isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp, gpu::SubgroupIdOp>(
            op))
      return lanes;
    // An op without operands that is not a constant may depend on the thread.
    if (!isPure(op) || op->getNumRegions() != 0 ||
        (op->getNumOperands() == 0 && !op->hasTrait<OpTrait::ConstantLike>()))
      return 1;
    if (isa<arith::DivUIOp>(op)) {
      std::optional<int64_t> part = getPart(op->getOperand(0)),
                             size = getConstant(op->getOperand(1));
      if (part && size)
        return std::min({*part, *size & -*size, lanes});
    }
    int64_t same = lanes;
    for (Value operand : op->getOperands())
      same = std::min(same, get(operand));
    return same;
  }
};

/// A load, and the ops of the body that it needs, with the load as the last
/// one.
struct SharedLoad {
  SmallVector<Operation *> needed;

  memref::LoadOp getOp() const { return cast<memref::LoadOp>(needed.back()); }
};
} // namespace

namespace {
/// `count` lanes of a subgroup that share elements: neighbouring lanes, or
/// lanes with the same remainder modulo lanes / count.
struct Sharing {
  int64_t count;
  bool areNeighbours = true;
};
} // namespace

/// Returns whether all lanes of a subgroup execute each iteration of `loop`
/// together.
static bool isUniform(scf::ForOp loop, SameLanes &same, int64_t lanes) {
  for (Operation *op = loop; !isa<gpu::LaunchOp>(op); op = op->getParentOp()) {
    auto around = dyn_cast<scf::ForOp>(op);
    if (!around || same.get(around.getInductionVar()) < lanes)
      return false;
  }
  return true;
}

/// Returns whether `loop` only reads and computes, and contains no loop.
static bool onlyReads(scf::ForOp loop) {
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    bool isAllowed =
        isa<scf::IfOp>(op) ||
        (op->getNumRegions() == 0 &&
         (isMemoryEffectFree(op) || hasSingleEffect<MemoryEffects::Read>(op)));
    return isAllowed ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

/// Returns whether `load` is of 16 bits. Two such elements fit a word, which a
/// shuffle exchanges. An element of 32 bits would need a separate shuffle for
/// each load.
static bool isScale(memref::LoadOp load) {
  auto type = dyn_cast<FloatType>(load.getType());
  return type && type.getWidth() == 16 &&
         !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(load.getMemRefType());
}

namespace {
/// Loads of one type, with two elements in a word.
struct Words {
  SmallVector<SharedLoad> loads;

  VectorType getVector() const {
    return VectorType::get({int64_t(llvm::alignTo(loads.size(), 2))},
                           loads.front().getOp().getType());
  }
  VectorType getWords() const {
    VectorType vector = getVector();
    return VectorType::get({vector.getNumElements() / 2},
                           IntegerType::get(vector.getContext(), 32));
  }
  /// Loads the elements of the iteration `iv`.
  SmallVector<Value> load(OpBuilder &b, scf::ForOp loop, Value iv) const {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), iv);
    return load(b, mapping);
  }
  /// Loads elements where other values are those of `mapping`.
  SmallVector<Value> load(OpBuilder &b, IRMapping &mapping) const {
    for (const SharedLoad &load : loads)
      for (Operation *op : load.needed)
        if (!mapping.contains(op))
          b.clone(*op, mapping);
    return llvm::map_to_vector(loads, [&](const SharedLoad &load) {
      return mapping.lookup(load.getOp().getResult());
    });
  }
  Value pack(ImplicitLocOpBuilder &b, ValueRange loaded) const {
    SmallVector<Value> elements(loaded);
    if (elements.size() % 2 != 0)
      elements.push_back(elements.back());
    Value vector = vector::FromElementsOp::create(b, getVector(), elements);
    return vector::BitCastOp::create(b, getWords(), vector);
  }
};
} // namespace

/// The most bytes of workgroup memory for the elements of all iterations. This
/// is less than the share of each workgroup of a processor.
static constexpr int64_t kMaxTableBytes = 16 * 1024;

/// Returns the number of words of an iteration of a thread in workgroup memory:
/// a multiple of four, or fewer than four.
static int64_t getNumWords(ArrayRef<Words> words) {
  int64_t count = 0;
  for (const Words &each : words)
    count += each.getWords().getNumElements();
  return count <= 4 ? llvm::PowerOf2Ceil(count) : llvm::alignTo(count, 4);
}

/// Returns whether `op` gives all threads of a workgroup the same result if its
/// operands are the same, or is the number `x` of the thread.
static bool dependsOnNumber(Operation *op) {
  if (op->getNumRegions() > 0)
    return false;
  if (auto thread = dyn_cast<gpu::ThreadIdOp>(op))
    return thread.getDimension() == gpu::Dimension::x;
  return !isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) ||
         isa<gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(op);
}

/// Returns whether `arg`, of a block around a loop that all threads of `launch`
/// execute together, is the same for all threads, or the number `x` of one.
static bool dependsOnNumber(BlockArgument arg, gpu::LaunchOp launch) {
  Operation *parent = arg.getOwner()->getParentOp();
  if (parent == launch)
    return arg != launch.getThreadIds().y && arg != launch.getThreadIds().z;
  auto around = dyn_cast<scf::ForOp>(parent);
  return !launch->isAncestor(parent) ||
         (around && arg == around.getInductionVar());
}

/// Returns the ops in front of `loop`, in order, that compute what the loads of
/// `words` need. Returns std::nullopt if these depend on something else than
/// the number `x` of the thread that may differ among threads.
static std::optional<SetVector<Operation *>>
getOpsOfThread(scf::ForOp loop, ArrayRef<Words> words) {
  auto launch = loop->getParentOfType<gpu::LaunchOp>();
  if (!launch)
    return std::nullopt;
  SetVector<Operation *> inside, front;
  for (const Words &each : words)
    for (const SharedLoad &load : each.loads)
      inside.insert_range(load.needed);
  SmallVector<Operation *> work(inside.begin(), inside.end());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    // The loads themselves read what no thread writes.
    if (!dependsOnNumber(op) || (!isPure(op) && !inside.contains(op)))
      return std::nullopt;
    for (Value operand : op->getOperands()) {
      if (operand == loop.getInductionVar())
        continue;
      Operation *def = operand.getDefiningOp();
      if (!def) {
        if (!dependsOnNumber(cast<BlockArgument>(operand), launch))
          return std::nullopt;
      } else if (launch->isProperAncestor(def) && !inside.contains(def) &&
                 front.insert(def)) {
        work.push_back(def);
      }
    }
  }
  return topologicalSort(front);
}

/// Builds what the loads of `words` in `loop` need of another thread, whose
/// number is `thread`: `ofThread`, and numbers that they have themselves.
static void mapThread(OpBuilder &b, scf::ForOp loop, ArrayRef<Words> words,
                      const SetVector<Operation *> &ofThread, Value thread,
                      IRMapping &mapping) {
  mapping.map(loop->getParentOfType<gpu::LaunchOp>().getThreadIds().x, thread);
  for (const Words &each : words)
    for (const SharedLoad &load : each.loads)
      for (Operation *op : load.needed)
        if (isa<gpu::ThreadIdOp>(op)) {
          mapping.map(op, op);
          mapping.map(op->getResult(0), thread);
        }
  for (Operation *op : ofThread)
    if (isa<gpu::ThreadIdOp>(op))
      mapping.map(op->getResult(0), thread);
    else
      b.clone(*op, mapping);
}

/// Replaces the loads of `words` by the elements of `loaded`.
static void replaceLoads(RewriterBase &rewriter, ImplicitLocOpBuilder &b,
                         ArrayRef<Words> words, Value loaded) {
  int64_t first = 0;
  SmallVector<std::pair<Operation *, Value>> replacements;
  for (const Words &each : words) {
    int64_t count = each.getWords().getNumElements();
    Value part = vector::ExtractStridedSliceOp::create(b, loaded, first, count,
                                                       int64_t(1));
    Value vector = vector::BitCastOp::create(b, each.getVector(), part);
    for (auto [at, load] : llvm::enumerate(each.loads))
      replacements.emplace_back(load.getOp(),
                                vector::ExtractOp::create(b, vector, at));
    first += count;
  }
  for (auto [load, value] : replacements)
    rewriter.replaceOp(load, value);
}

/// Replaces `words`, which lanes share in each of the `trips` iterations of
/// `loop`, by loads from workgroup memory. Before the loop, where all `threads`
/// of the workgroup are together, each of these lanes loads the elements of
/// other iterations. If the number of the thread is all that tells threads
/// apart, neighbouring threads load the elements of consecutive iterations,
/// which are in the same lines of memory. A thread then loads what another one,
/// the first of those that share, would need.
static void loadInFront(RewriterBase &rewriter, scf::ForOp loop,
                        ArrayRef<Words> words, Sharing sharing, int64_t trips,
                        int64_t threads, int64_t lanes) {
  int64_t shared = sharing.count;
  ImplicitLocOpBuilder b(loop.getLoc(), rewriter);
  b.setInsertionPoint(loop);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  int64_t width = getNumWords(words), groups = threads / shared;
  std::optional<SetVector<Operation *>> ofThread = getOpsOfThread(loop, words);
  // Neighbouring threads write to neighbouring iterations, in different banks.
  auto type = MemRefType::get(
      {trips, ofThread ? groups + 1 : groups, width}, b.getI32Type(),
      AffineMap(),
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup));
  Value table = memref::AllocOp::create(b, type, b.getI64IntegerAttr(16));
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  auto div = [&](Value value, int64_t by) -> Value {
    return arith::DivUIOp::create(b, value, constant(by));
  };
  auto rem = [&](Value value, int64_t by) -> Value {
    return arith::RemUIOp::create(b, value, constant(by));
  };
  // The number of the lane among those that share, and the number of its group.
  Value own, group;
  if (sharing.areNeighbours) {
    own = rem(thread, shared);
    group = div(thread, shared);
  } else {
    int64_t period = lanes / shared;
    own = div(rem(thread, lanes), period);
    group = arith::AddIOp::create(
        b, arith::MulIOp::create(b, div(thread, lanes), constant(period)),
        rem(thread, period));
  }
  Value lower = loop.getLowerBound(), step = loop.getStep(), zero = constant(0);
  int64_t entries = trips * groups;
  auto fill = scf::ForOp::create(
      b, zero,
      constant(ofThread ? llvm::divideCeil(entries, threads)
                        : llvm::divideCeil(trips, shared)),
      constant(1));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(fill.getBody());
    int64_t count = ofThread ? threads : shared;
    Value number = arith::AddIOp::create(
        b, ofThread ? thread : own,
        arith::MulIOp::create(b, fill.getInductionVar(), constant(count)));
    // Some lanes may have no iteration left.
    int64_t most = ofThread ? entries : trips;
    if (most % count != 0) {
      Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, number,
                                           constant(most));
      auto branch = scf::IfOp::create(b, exists, /*withElseRegion=*/false);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    IRMapping mapping;
    Value of = group;
    if (ofThread) {
      of = div(number, trips);
      number = rem(number, trips);
      // The first thread of the group.
      Value first =
          sharing.areNeighbours
              ? arith::MulIOp::create(b, of, constant(shared)).getResult()
              : arith::AddIOp::create(
                    b,
                    arith::MulIOp::create(b, div(of, lanes / shared),
                                          constant(lanes)),
                    rem(of, lanes / shared));
      mapThread(b, loop, words, *ofThread, first, mapping);
    }
    Value iv =
        arith::AddIOp::create(b, lower, arith::MulIOp::create(b, number, step));
    mapping.map(loop.getInductionVar(), iv);
    SmallVector<Value> all;
    for (const Words &each : words) {
      Value packed = each.pack(b, each.load(b, mapping));
      for (int64_t i = 0, e = each.getWords().getNumElements(); i < e; ++i)
        all.push_back(vector::ExtractOp::create(b, packed, i));
    }
    all.resize(width, all.back());
    vector::StoreOp::create(
        b,
        vector::FromElementsOp::create(
            b, VectorType::get({width}, b.getI32Type()), all),
        table, ValueRange{number, of, zero});
  }
  gpu::BarrierOp::create(b);

  b.setInsertionPointToStart(loop.getBody());
  Value number = arith::DivUIOp::create(
      b, arith::SubIOp::create(b, loop.getInductionVar(), lower), step);
  Value loaded =
      vector::LoadOp::create(b, VectorType::get({width}, b.getI32Type()), table,
                             ValueRange{number, group, zero});
  replaceLoads(rewriter, b, words, loaded);
}

namespace {
/// Lets the lanes of a subgroup share the loads of a loop.
class LoadSpreader {
public:
  LoadSpreader(RewriterBase &rewriter, scf::ForOp loop, int64_t step,
               int64_t lanes, int64_t threads)
      : rewriter(rewriter), b(loop.getLoc(), rewriter), loop(loop), step(step),
        lanes(lanes), threads(threads), shared(lanes), sharedApart(lanes),
        trips(loop.getStaticTripCount()) {}

  /// Finds the loads, and how many lanes share each of them.
  void collect(SameLanes &same);
  /// Loads elements before the loop if a table in shared memory holds those of
  /// all iterations.
  void loadTables();
  /// Lets the lanes load the other elements for later iterations.
  void spread();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  /// Builds the number of this lane among those that share, and the iteration
  /// for which it loads.
  void buildPlaces();
  /// Builds the loads of `of` for the iterations that start `behind` iterations
  /// after `from`. A lane whose iteration does not exist reads the elements of
  /// the last one.
  SmallVector<Value> loadAll(scf::ForOp of, Value from, int64_t behind);
  SmallVector<Value> packAll(ValueRange elements);
  /// Builds the values for the first iterations, and the loads for the
  /// iterations behind them.
  SmallVector<Value> buildFirst();
  /// Does the same if there is an iteration. If there is none, reads nothing.
  SmallVector<Value> buildFirstIfAny();
  /// Builds the vectors of iteration `number` of the loaded ones, from the
  /// values `has` that the loop carries.
  SmallVector<Value> take(ValueRange has, Value number);
  /// In the last of the loaded iterations, `number`, loads the elements for the
  /// next ones.
  void loadNext(scf::ForOp built, ValueRange inits, ValueRange has,
                Value number);

  RewriterBase &rewriter;
  ImplicitLocOpBuilder b;
  scf::ForOp loop;
  int64_t step, lanes, threads;
  /// Loads that neighbouring lanes share, and the number of these lanes; and
  /// loads that lanes at a distance share.
  SmallVector<Words> words, wordsApart;
  int64_t shared, sharedApart;
  std::optional<APInt> trips;
  /// Whether the first loads are those of all iterations.
  bool isAll = false;
  /// The first of the lanes that share, the iteration for which a lane loads,
  /// and the last iteration.
  Value first, ahead, last;
};
} // namespace

void LoadSpreader::collect(SameLanes &same) {
  for (auto load : loop.getBody()->getOps<memref::LoadOp>()) {
    if (!isScale(load))
      continue;
    FailureOr<SmallVector<Operation *>> needed =
        getNeededInIteration(loop, load);
    if (failed(needed))
      continue;
    // A view of the buffer may depend on the lane, too.
    int64_t ofLoad = lanes, period = 1;
    for (Value operand : load->getOperands()) {
      ofLoad = std::min(ofLoad, same.get(operand));
      period = std::max(period, same.getPeriod(operand));
    }
    if (ofLoad < 2 && lanes / period < 2)
      continue;
    bool areNeighbours = ofLoad >= 2;
    if (areNeighbours)
      shared = std::min(shared, ofLoad);
    else
      sharedApart = std::min(sharedApart, lanes / period);
    SmallVector<Words> &all = areNeighbours ? words : wordsApart;
    auto *it = llvm::find_if(all, [&](const Words &each) {
      return each.getVector().getElementType() == load.getType();
    });
    if (it == all.end())
      it = &all.emplace_back();
    it->loads.push_back({std::move(*needed)});
  }
  auto bound = [&](int64_t &count) {
    if (trips)
      count = std::min<int64_t>(
          count, llvm::bit_floor<uint64_t>(trips->getZExtValue()));
  };
  bound(shared);
  bound(sharedApart);
  isAll = trips && trips->ule(shared);
}

void LoadSpreader::loadTables() {
  if (!trips || isAll || !isa<gpu::LaunchOp>(loop->getParentOp()) ||
      trips->getActiveBits() >= 32)
    return;
  int64_t count = trips->getZExtValue(), left = kMaxTableBytes;
  auto place = [&](SmallVector<Words> &all, Sharing sharing) {
    int64_t bytes =
        all.empty() || sharing.count < 2
            ? 0
            : count * (threads / sharing.count) * getNumWords(all) * 4;
    if (bytes == 0 || bytes > left)
      return;
    loadInFront(rewriter, loop, all, sharing, count, threads, lanes);
    left -= bytes;
    all.clear();
  };
  place(words, {shared});
  place(wordsApart, {sharedApart, /*areNeighbours=*/false});
}

void LoadSpreader::buildPlaces() {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value lane = arith::RemUIOp::create(
      b, gpu::ThreadIdOp::create(b, gpu::Dimension::x), constant(lanes));
  Value own = arith::RemUIOp::create(b, lane, constant(shared));
  first = arith::SubIOp::create(b, lane, own);
  ahead = arith::MulIOp::create(b, own, constant(step));
  last = arith::AddIOp::create(
      b, lower,
      arith::MulIOp::create(
          b,
          arith::DivSIOp::create(
              b,
              arith::SubIOp::create(
                  b, upper, arith::AddIOp::create(b, lower, constant(1))),
              constant(step)),
          constant(step)));
}

SmallVector<Value> LoadSpreader::loadAll(scf::ForOp of, Value from,
                                         int64_t behind) {
  Value at = arith::AddIOp::create(b, from, ahead);
  if (behind > 0)
    at = arith::AddIOp::create(b, at, constant(behind * step));
  at = arith::MinSIOp::create(b, at, last);
  SmallVector<Value> elements;
  for (const Words &each : words)
    llvm::append_range(elements, each.load(b, of, at));
  return elements;
}

SmallVector<Value> LoadSpreader::packAll(ValueRange elements) {
  SmallVector<Value> packed;
  for (const Words &each : words) {
    packed.push_back(each.pack(b, elements.take_front(each.loads.size())));
    elements = elements.drop_front(each.loads.size());
  }
  return packed;
}

SmallVector<Value> LoadSpreader::buildFirst() {
  // Pack the first elements now. Later ones are packed when they are used,
  // because packing waits for the load.
  SmallVector<Value> values = packAll(loadAll(loop, loop.getLowerBound(), 0));
  if (!isAll)
    llvm::append_range(values, loadAll(loop, loop.getLowerBound(), shared));
  return values;
}

SmallVector<Value> LoadSpreader::buildFirstIfAny() {
  Value any = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                    loop.getLowerBound(), loop.getUpperBound());
  SmallVector<Type> types;
  for (const Words &each : words)
    types.push_back(each.getWords());
  for (const Words &each : words)
    types.append(each.loads.size(), each.getVector().getElementType());
  auto branch = scf::IfOp::create(b, types, any, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, buildFirst());
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, llvm::map_to_vector(types, [&](Type type) -> Value {
                         return arith::ConstantOp::create(b,
                                                          b.getZeroAttr(type));
                       }));
  b.setInsertionPointAfter(branch);
  return branch.getResults();
}

SmallVector<Value> LoadSpreader::take(ValueRange has, Value number) {
  auto toI32 = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  };
  Value from = toI32(arith::AddIOp::create(b, first, number)),
        width = toI32(constant(lanes));
  SmallVector<Value> vectors;
  for (auto [each, value] :
       llvm::zip_equal(words, has.take_front(words.size()))) {
    SmallVector<Value> taken;
    for (int64_t i = 0, e = each.getWords().getNumElements(); i < e; ++i)
      taken.push_back(
          gpu::ShuffleOp::create(b, vector::ExtractOp::create(b, value, i),
                                 from, width, gpu::ShuffleMode::IDX)
              .getShuffleResult());
    Value vector = vector::FromElementsOp::create(b, each.getWords(), taken);
    vectors.push_back(vector::BitCastOp::create(b, each.getVector(), vector));
  }
  return vectors;
}

void LoadSpreader::loadNext(scf::ForOp built, ValueRange inits, ValueRange has,
                            Value number) {
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number,
                                       constant(shared - 1));
  auto branch = scf::IfOp::create(b, TypeRange(ValueRange(inits)), isLast,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> next = packAll(has.drop_front(words.size()));
  llvm::append_range(next, loadAll(built, built.getInductionVar(), shared + 1));
  scf::YieldOp::create(b, next);
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, has);
  auto yield = cast<scf::YieldOp>(built.getBody()->getTerminator());
  unsigned numBefore = yield.getNumOperands() - inits.size();
  rewriter.modifyOpInPlace(yield, [&] {
    for (auto [i, value] : llvm::enumerate(branch.getResults()))
      yield->setOperand(numBefore + i, value);
  });
}

void LoadSpreader::spread() {
  if (words.empty() || shared < 2)
    return;
  // 1. Before the loop, load for the first iterations and those behind them.
  b.setInsertionPoint(loop);
  buildPlaces();
  SmallVector<Value> inits = trips ? buildFirst() : buildFirstIfAny();

  // 2. In the loop, take the elements of an iteration, and load later ones.
  Value lower = loop.getLowerBound();
  scf::ForOp built = loop;
  ValueRange has = inits;
  if (!isAll) {
    FailureOr<LoopLikeOpInterface> carried = loop.replaceWithAdditionalYields(
        rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
          return SmallVector<Value>(args.begin(), args.end());
        });
    if (failed(carried))
      return;
    built = cast<scf::ForOp>(carried->getOperation());
    has = built.getRegionIterArgs().take_back(
        static_cast<unsigned>(inits.size()));
  }
  b.setInsertionPointToStart(built.getBody());
  Value number = arith::RemUIOp::create(
      b,
      arith::DivUIOp::create(
          b, arith::SubIOp::create(b, built.getInductionVar(), lower),
          constant(step)),
      constant(shared));
  SmallVector<Value> vectors = take(has, number);
  if (!isAll)
    loadNext(built, inits, has, number);
  for (auto [each, vector] : llvm::zip_equal(words, vectors))
    for (auto [at, load] : llvm::enumerate(each.loads)) {
      rewriter.setInsertionPointAfterValue(vector);
      rewriter.replaceOp(
          load.getOp(),
          vector::ExtractOp::create(rewriter, vector.getLoc(), vector, at)
              .getResult());
    }
}

static void spreadLoads(RewriterBase &rewriter, scf::ForOp loop,
                        SameLanes &same, int64_t lanes, int64_t threads) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step < 1 || loop.getUnsignedCmp() || !onlyReads(loop) ||
      !isUniform(loop, same, lanes))
    return;
  LoadSpreader spreader(rewriter, loop, *step, lanes, threads);
  spreader.collect(same);
  spreader.loadTables();
  spreader.spread();
}

void mlir::linalg_ext::spreadLoads(RewriterBase &rewriter, gpu::LaunchOp launch,
                                   int64_t lanes) {
  // The lanes of a subgroup are neighbours along x.
  auto getSize = [](Value size) {
    return getConstantIntValue(size).value_or(0);
  };
  gpu::KernelDim3 size = launch.getBlockSizeOperandValues();
  if (getSize(size.x) == 0 || getSize(size.x) % lanes != 0 ||
      getSize(size.y) != 1 || getSize(size.z) != 1)
    return;
  SmallVector<scf::ForOp> loops;
  launch.getBody().walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (scf::ForOp loop : loops) {
    SameLanes same(launch, lanes);
    ::spreadLoads(rewriter, loop, same, lanes, getSize(size.x));
  }
}
